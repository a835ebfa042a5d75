/* SPDX-License-Identifier: Apache-2.0 */
/* What may be passed on; tests/cli/share/guarded.sh has the files themselves. */
#include "symbols/source_guard.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_names_of_source(void **state)
{
	static const char *const yes[] = {
		"a.c", "/x/y.cc", "A.S", "z.rs", "a.b/c.d.hpp", "parse.y"};
	static const char *const no[] = {"passwd", "id_rsa", "a.c/x", "/etc/shadow", ".c", "x/.h",
		"a.", "a.pem", "a.env", "a.json", "a.c~", "", "/", "a.C.bak", "x.yml"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(yes); i++)
		if (!as_is_source_name(as_slice_of(yes[i])))
			fail_msg("'%s' is source", yes[i]);
	for (size_t i = 0; i < AS_ARRAY_LEN(no); i++)
		if (as_is_source_name(as_slice_of(no[i])))
			fail_msg("'%s' is no source", no[i]);
}

static void test_hidden_parts(void **state)
{
	(void)state;
	assert_true(as_is_hidden(as_slice_of(".ssh/x.c")));
	assert_true(as_is_hidden(as_slice_of("/a/.b/x.c")));
	assert_true(as_is_hidden(as_slice_of("/a/.x.c")));
	assert_true(as_is_hidden(as_slice_of("...")));
	assert_false(as_is_hidden(as_slice_of("./a/../x.c")));
	assert_false(as_is_hidden(as_slice_of("/a.b/x.c")));
	assert_false(as_is_hidden(as_slice_of("")));
}

static void test_below_ends_where_a_part_ends(void **state)
{
	struct as_slice rest;

	(void)state;
	assert_true(as_path_is_below(as_slice_of("/a/b/c"), as_slice_of("/a/b"), &rest));
	assert_true(as_slice_is(rest, "/c"));
	assert_true(as_path_is_below(as_slice_of("/a/b/c"), as_slice_of("/a/b/"), &rest));
	assert_true(as_path_is_below(as_slice_of("/a/b"), as_slice_of("/a/b"), &rest));
	assert_int_equal(rest.len, 0);
	assert_true(as_path_is_below(as_slice_of("/a"), as_slice_of("/"), &rest));
	assert_false(as_path_is_below(as_slice_of("/a/bc"), as_slice_of("/a/b"), &rest));
	assert_false(as_path_is_below(as_slice_of("/a"), as_slice_of("/a/b"), &rest));
}

static void test_system_paths(void **state)
{
	(void)state;
	assert_true(as_is_system_path(as_slice_of("/dev/stdin")));
	assert_true(as_is_system_path(as_slice_of("/proc/self/environ")));
	assert_true(as_is_system_path(as_slice_of("/sys/kernel/notes")));
	assert_false(as_is_system_path(as_slice_of("/dev/shm/build/a.c")));
	assert_false(as_is_system_path(as_slice_of("/devel/a.c")));
	assert_false(as_is_system_path(as_slice_of("proc/a.c")));
}

int source_guard_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_source),
		cmocka_unit_test(test_hidden_parts),
		cmocka_unit_test(test_below_ends_where_a_part_ends),
		cmocka_unit_test(test_system_paths),
	};

	return cmocka_run_group_tests_name("source_guard", tests, NULL, NULL);
}
