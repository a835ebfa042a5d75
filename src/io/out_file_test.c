/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic output: the old file or the new one, never a mix, and nothing else is left. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "io/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/scratch.h"

static void assert_content(const char *path, const char *want)
{
	char buf[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	buf[fread(buf, 1, sizeof(buf) - 1, f)] = 0;
	assert_int_equal(fclose(f), 0);
	assert_string_equal(buf, want);
}

static void test_the_old_file_stands_until_commit(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	scratch_put("a", "old");
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", true, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "new", 3), 0);
	assert_content("a", "old");
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_content("a", "new");
	assert_int_equal(scratch_count(), 1);
	assert_int_equal(unlink("a"), 0);
}

static void test_abort_leaves_nothing_behind(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", false, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "new", 3), 0);
	as_out_file_abort(&of);
	assert_int_equal(scratch_count(), 0);
}

static void test_without_force_an_existing_file_is_refused(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	scratch_put("a", "old");
	as_err_clear(&err);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", false, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, EEXIST);
	assert_string_equal(err.name, "a");
	assert_content("a", "old");
	assert_int_equal(unlink("a"), 0);
}

static void test_without_force_a_file_that_comes_up_meanwhile_is_kept(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", false, &err), AS_OK);
	scratch_put("a", "theirs");
	assert_int_equal(as_out_file_commit(&of, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, EEXIST);
	assert_content("a", "theirs");
	assert_int_equal(scratch_count(), 1);
	assert_int_equal(unlink("a"), 0);
}

static void test_links_are_followed_and_stay_links(void **state)
{
	struct as_out_file of;
	struct as_err err;
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("d", 0777), 0);
	scratch_put("d/real", "old");
	assert_int_equal(symlink("real", "d/one"), 0);
	assert_int_equal(symlink("d/one", "two"), 0);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "two", true, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "new", 3), 0);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_int_equal(lstat("two", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_content("d/real", "new");
	assert_int_equal(system("rm -r d two"), 0); /* NOLINT(cert-env33-c): our own names */
}

static void test_a_dangling_link_makes_its_target_and_a_loop_fails(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "link", false, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "x", 1), 0);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_content("target", "x");
	assert_int_equal(symlink("loop", "loop"), 0);
	as_err_clear(&err);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "loop", true, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, ELOOP);
	assert_int_equal(system("rm link target loop"), 0); /* NOLINT(cert-env33-c): our own */
}

/* As in /tmp: somebody else puts a link there that leads to a file of ours. */
static void test_a_link_of_another_user_is_not_followed_where_all_may_write(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can make links of others */
	assert_int_equal(mkdir("open", 0777), 0);
	scratch_put("victim", "old");
	assert_int_equal(symlink("../victim", "open/link"), 0);
	assert_int_equal(symlink("../new", "open/dangling"), 0);
	assert_int_equal(symlink("open/link", "chain"), 0);
	assert_int_equal(lchown("open/link", 12345, 12345), 0);
	assert_int_equal(lchown("open/dangling", 12345, 12345), 0);
	for (int mode = 01777; mode >= 0777; mode -= 01000) {
		static const char *const path[] = {"open/link", "open/dangling", "chain"};

		assert_int_equal(chmod("open", (mode_t)mode), 0);
		for (size_t i = 0; i < AS_ARRAY_LEN(path); i++) {
			as_err_clear(&err);
			assert_int_equal(as_out_file_open(&of, &as_alloc_libc, path[i], true, &err),
				AS_E_IO);
			assert_int_equal(err.sys_errno, EACCES);
		}
		assert_content("victim", "old");
		assert_int_equal(access("new", F_OK), -1);
	}
	/* The directory's owner may, and so may anybody in a directory of one's own. */
	assert_int_equal(chown("open", 12345, 12345), 0);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "open/link", true, &err), AS_OK);
	as_out_file_abort(&of);
	assert_int_equal(chown("open", 0, 0), 0);
	assert_int_equal(chmod("open", 0755), 0);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "open/link", true, &err), AS_OK);
	as_out_file_abort(&of);
	assert_content("victim", "old");
	assert_int_equal(system("rm -r open victim chain"), 0); /* NOLINT(cert-env33-c): our own */
}

static void test_what_is_open_already_is_written_to(void **state)
{
	struct as_out_file of;
	struct as_err err;
	char path[64], text[8] = "";
	int end[2];

	(void)state;
	assert_int_equal(pipe(end), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", end[1]);
	as_err_clear(&err);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, path, false, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "new", 3), 0);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_int_equal(read(end[0], text, sizeof(text)), 3);
	assert_string_equal(text, "new");
	close(end[0]);
	close(end[1]);
}

/* Killed at any time before commit, nothing is left: there is no name. */
static void test_the_temporary_has_no_name_where_it_can_be(void **state)
{
	struct as_out_file of;
	struct as_err err;
	int can = open(".", O_TMPFILE | O_WRONLY, 0600);

	(void)state;
	if (can < 0)
		skip();
	close(can);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", false, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "new", 3), 0);
	assert_int_equal(scratch_count(), 0);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_content("a", "new");
	assert_int_equal(scratch_count(), 1);
	assert_int_equal(unlink("a"), 0);
}

static void test_the_mode_of_a_replaced_file_is_kept(void **state)
{
	struct as_out_file of;
	struct as_err err;
	struct stat st;

	(void)state;
	scratch_put("a", "old");
	assert_int_equal(chmod("a", 0640), 0);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "a", true, &err), AS_OK);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(unlink("a"), 0);
}

static void test_devices_are_written_directly(void **state)
{
	struct as_out_file of;
	struct as_err err;

	(void)state;
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "/dev/null", false, &err), AS_OK);
	assert_null(of.tmp);
	assert_int_equal(of.sink.write(&of.sink, "x", 1), 0);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "/dev/full", false, &err), AS_OK);
	assert_int_equal(of.sink.write(&of.sink, "x", 1), -ENOSPC);
	as_out_file_abort(&of);
}

static void test_impossible_names_are_errors(void **state)
{
	char name[5000];
	struct as_out_file of;
	struct as_err err;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, name, true, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, ENAMETOOLONG);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "", true, &err), AS_E_IO);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, "no/such/a", true, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, ".", true, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, EISDIR);
	assert_int_equal(scratch_count(), 0);
}

/* 255 bytes are allowed in a name; the temporary's is not longer. */
static void test_the_longest_name_works(void **state)
{
	char name[256];
	struct as_out_file of;
	struct as_err err;

	(void)state;
	memset(name, 'x', 255);
	name[255] = 0;
	assert_int_equal(as_out_file_open(&of, &as_alloc_libc, name, false, &err), AS_OK);
	assert_int_equal(as_out_file_commit(&of, &err), AS_OK);
	assert_int_equal(scratch_count(), 1);
	assert_int_equal(unlink(name), 0);
}

int out_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_old_file_stands_until_commit),
		cmocka_unit_test(test_abort_leaves_nothing_behind),
		cmocka_unit_test(test_without_force_an_existing_file_is_refused),
		cmocka_unit_test(test_without_force_a_file_that_comes_up_meanwhile_is_kept),
		cmocka_unit_test(test_links_are_followed_and_stay_links),
		cmocka_unit_test(test_a_dangling_link_makes_its_target_and_a_loop_fails),
		cmocka_unit_test(test_a_link_of_another_user_is_not_followed_where_all_may_write),
		cmocka_unit_test(test_what_is_open_already_is_written_to),
		cmocka_unit_test(test_the_temporary_has_no_name_where_it_can_be),
		cmocka_unit_test(test_the_mode_of_a_replaced_file_is_kept),
		cmocka_unit_test(test_devices_are_written_directly),
		cmocka_unit_test(test_impossible_names_are_errors),
		cmocka_unit_test(test_the_longest_name_works),
	};

	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
