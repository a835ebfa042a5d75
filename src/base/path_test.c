/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/path.h"

#include <cmocka.h>

static void maps(const char *map, const char *path, const char *to)
{
	char buf[32];
	bool done = as_path_map(map, as_slice_of(path), buf, sizeof(buf));

	assert_int_equal(done, to != NULL);
	if (to)
		assert_string_equal(buf, to);
}

static void test_a_path_that_begins_with_old_begins_with_new(void **state)
{
	(void)state;
	maps("/build=/src", "/build/a/x.c", "/src/a/x.c");
	maps("/build/=/src/", "/build/a/x.c", "/src/a/x.c");
	maps("/build/x.c=y.c", "/build/x.c", "y.c");
	maps("/build=", "/build/x.c", "/x.c");
	maps("/build=/a=b", "/build/x.c", "/a=b/x.c");
}

static void test_parts_are_whole_and_slashes_are_single(void **state)
{
	(void)state;
	maps("/build=/src", "/builder/x.c", NULL);
	maps("/build=/src", "/bui", NULL);
	maps("/build/=/src", "/build/x.c", "/src/x.c");
	maps("/build=/src/", "/build/x.c", "/src/x.c");
}

static void test_what_is_no_map_and_what_has_no_room_maps_nothing(void **state)
{
	(void)state;
	maps("bad", "bad/x.c", NULL);
	maps("", "/x.c", NULL);
	maps("=/src", "/x.c", NULL);
	maps("/a=/0123456789/0123456789/0123456789", "/a/x.c", NULL);
}

int path_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_path_that_begins_with_old_begins_with_new),
		cmocka_unit_test(test_parts_are_whole_and_slashes_are_single),
		cmocka_unit_test(test_what_is_no_map_and_what_has_no_room_maps_nothing),
	};

	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
