/* SPDX-License-Identifier: Apache-2.0 */
/* Source files: where they are looked for, and what their lines are. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/source_file.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/scratch.h"

static int enter_scratch(void **state)
{
	return scratch_enter(state) || mkdir("new", 0777) || mkdir("new/sub", 0777) ||
	       mkdir("other", 0777);
}

static void assert_found(const char *path, const struct as_source_opts *opts, const char *want)
{
	struct as_source src;
	struct as_err err;
	enum as_code rc = as_source_open(&src, &as_alloc_libc, as_slice_of(path), opts, &err);

	if (want && rc != AS_OK)
		fail_msg("%s: %s", path, err.msg);
	if (want && !as_slice_is(src.path, want))
		fail_msg("%s: found '%.*s', not '%s'", path, AS_SLICE_FMT(src.path), want);
	if (!want) {
		assert_int_equal(rc, AS_E_IO);
		assert_int_equal(err.sys_errno, ENOENT);
		assert_non_null(strstr(err.msg, "--source-path"));
	}
	as_source_release(&src);
}

static void test_places_in_their_order(void **state)
{
	static const char *const maps[] = {"bad", "/build=new", "/build/sub/=other/"};
	static const char *const dirs[] = {"other", "new"};
	struct as_source_opts none = {0}, map = {.path_map = maps, .n_path_map = 3};
	struct as_source_opts dir = {.source_path = dirs, .n_source_path = 2};
	struct as_source_opts comp = {.dir = "new"}, both = {.dir = "/build", .path_map = maps};

	(void)state;
	both.n_path_map = 3;
	scratch_put("here.c", "x\n");
	scratch_put("new/a.c", "x\n");
	scratch_put("new/sub/b.c", "x\n");
	scratch_put("other/b.c", "x\n");
	assert_found("here.c", &none, "here.c");
	assert_found("a.c", &none, NULL);
	assert_found("", &none, NULL);
	assert_found("new", &none, NULL); /* a directory */
	assert_found("/build/a.c", &map, "new/a.c");
	assert_found("/builder/a.c", &map, NULL);
	assert_found("/build/sub/b.c", &map, "new/sub/b.c");
	assert_found("here.c", &map, "here.c");
	assert_found("a.c", &comp, "new/a.c");
	assert_found("here.c", &comp, "here.c");
	assert_found("a.c", &both, "new/a.c");
	assert_found("/far/away/a.c", &dir, "new/a.c");
	assert_found("/far/sub/b.c", &dir, "new/sub/b.c"); /* longer tail, later directory */
	assert_found("/far/sub/../b.c", &dir, "other/b.c");
	assert_found("../../b.c", &dir, "other/b.c");
	assert_found("/far/./sub//b.c", &dir, "new/sub/b.c");
	assert_found("/far/away/none.c", &dir, NULL);
}

static void test_url_of_a_file_is_its_path(void **state)
{
	static const char *const maps[] = {"/app=new"}, *const dirs[] = {"new"};
	static const char *const urls[] = {"file:///usr/app=new"};
	struct as_source_opts map = {.path_map = maps, .n_path_map = 1};
	struct as_source_opts url = {.path_map = urls, .n_path_map = 1};
	struct as_source_opts dir = {.source_path = dirs, .n_source_path = 1};

	(void)state;
	scratch_put("new/a b%.js", "x\n");
	scratch_put("new/%zz%4", "x\n");
	assert_found("file:///app/a%20b%25.js", &map, "new/a b%.js");
	assert_found("file:///app/a b%.js", &map, "new/a b%.js");
	assert_found("file:///usr/app/a b%.js", &url, "new/a b%.js");
	assert_found("file:///far/away/a%20b%25.js", &dir, "new/a b%.js");
	assert_found("file:///app/%zz%4", &map, "new/%zz%4");
	assert_found("file:///app/a%00", &map, NULL);
	assert_found("file://host/app/a%20b%25.js", &map, NULL);
	assert_found("file://", &map, NULL);
	assert_found("/app/a%20b%25.js", &map, NULL); /* no URL */
}

static void assert_lines(const char *text, size_t size, const char *const *want, uint32_t n)
{
	struct as_source_opts none = {0};
	struct as_source src;
	FILE *f = fopen("lines.c", "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(
		as_source_open(&src, &as_alloc_libc, as_slice_of("lines.c"), &none, NULL), AS_OK);
	assert_int_equal(src.n_lines, n);
	assert_true(src.mtime > 0);
	for (uint32_t i = 0; i < n; i++)
		if (!as_slice_is(as_source_line(&src, i + 1), want[i]))
			fail_msg("line %u: '%.*s'", i + 1,
				AS_SLICE_FMT(as_source_line(&src, i + 1)));
	assert_int_equal(as_source_line(&src, 0).len, 0);
	assert_int_equal(as_source_line(&src, (uint64_t)n + 1).len, 0);
	assert_int_equal(as_source_line(&src, UINT64_MAX).len, 0);
	as_source_release(&src);
}

static void test_lines_of_all_kinds(void **state)
{
	static const char *const plain[] = {"a", "", "c"}, *const crlf[] = {"a", "b\rc", "d"};

	(void)state;
	assert_lines("", 0, NULL, 0);
	assert_lines("\n", 1, (const char *[]){""}, 1);
	assert_lines("a", 1, plain, 1);
	assert_lines("a\n\nc", 4, plain, 3);
	assert_lines("a\n\nc\n", 5, plain, 3);
	assert_lines("a\r\nb\rc\r\nd", 9, crlf, 3);
}

static void test_binary_junk_is_lines(void **state)
{
	static const char junk[] = {'\xff', '\n', 0, 1, '\n', 0};
	struct as_source_opts none = {0};
	struct as_source src;
	FILE *f = fopen("junk", "w");

	(void)state;
	assert_int_equal(fwrite(junk, 1, sizeof(junk), f), sizeof(junk));
	assert_int_equal(fclose(f), 0);
	assert_int_equal(
		as_source_open(&src, &as_alloc_libc, as_slice_of("junk"), &none, NULL), AS_OK);
	assert_int_equal(src.n_lines, 3);
	assert_int_equal(as_source_line(&src, 2).len, 2);
	assert_int_equal(as_source_line(&src, 3).len, 1);
	as_source_release(&src);
}

static void test_huge_file_is_refused(void **state)
{
	struct as_source_opts none = {0};
	struct as_source src;
	struct as_err err;

	(void)state;
	scratch_put("huge.c", "");
	assert_int_equal(truncate("huge.c", (256 << 20) + 1), 0);
	assert_int_equal(as_source_open(&src, &as_alloc_libc, as_slice_of("huge.c"), &none, &err),
		AS_E_LIMIT);
	assert_string_equal(err.name, "huge.c");
	as_source_release(&src);
}

static void test_fifo_is_no_source_and_does_not_wait(void **state)
{
	struct as_source_opts none = {0};

	(void)state;
	assert_int_equal(mkfifo("pipe.c", 0666), 0);
	assert_found("pipe.c", &none, NULL);
}

static void test_what_the_system_shows_as_files_is_no_source(void **state)
{
	struct as_source_opts none = {0};

	(void)state;
	assert_found("/proc/self/status", &none, NULL);
	assert_found("/dev/stdin", &none, NULL);
	assert_found("/sys/kernel/notes", &none, NULL);
	assert_int_equal(symlink("/proc/self/status", "status.c"), 0);
	assert_found("status.c", &none, NULL);
}

static void test_file_without_rights_is_told(void **state)
{
	struct as_source_opts none = {0};
	struct as_source src;
	struct as_err err;

	(void)state;
	if (geteuid() == 0)
		return; /* root reads everything */
	scratch_put("secret.c", "x\n");
	assert_int_equal(chmod("secret.c", 0), 0);
	assert_int_equal(as_source_open(&src, &as_alloc_libc, as_slice_of("secret.c"), &none, &err),
		AS_E_IO);
	assert_int_equal(err.sys_errno, EACCES);
	assert_string_equal(err.name, "secret.c");
	as_source_release(&src);
}

static void test_memory_may_run_out(void **state)
{
	struct as_source_opts none = {0};

	(void)state;
	scratch_put("here.c", "x\ny\n");
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_source src;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = as_source_open(&src, &fa.al, as_slice_of("here.c"), &none, NULL);
		as_source_release(&src);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int source_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places_in_their_order),
		cmocka_unit_test(test_url_of_a_file_is_its_path),
		cmocka_unit_test(test_lines_of_all_kinds),
		cmocka_unit_test(test_binary_junk_is_lines),
		cmocka_unit_test(test_huge_file_is_refused),
		cmocka_unit_test(test_fifo_is_no_source_and_does_not_wait),
		cmocka_unit_test(test_what_the_system_shows_as_files_is_no_source),
		cmocka_unit_test(test_file_without_rights_is_told),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("source_file", tests, enter_scratch, scratch_leave);
}
