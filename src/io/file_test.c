/* SPDX-License-Identifier: Apache-2.0 */
/* Files and pipes as sources, the files of one run, threads. */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/siblings.h"
#include "io/threads.h"
#include "lib/scratch.h"

static void test_a_regular_file_can_be_read_from_anywhere(void **state)
{
	struct as_src *src;
	struct as_err err;
	char buf[16];

	(void)state;
	scratch_put("f", "0123456789");
	assert_int_equal(as_file_open(&as_alloc_libc, "f", NULL, &src, &err), AS_OK);
	assert_int_equal(src->size, 10);
	assert_int_equal(src->pread(src, buf, 3, 4), 3);
	assert_memory_equal(buf, "456", 3);
	assert_int_equal(src->read(src, buf, 16), 10);
	assert_memory_equal(buf, "0123456789", 10);
	assert_int_equal(src->read(src, buf, 16), 0);
	assert_int_equal(src->pread(src, buf, 3, 10), 0);
	as_file_close(src);
}

/* Make FD the standard input while OPEN is tested; the old one comes back. */
static int swap_stdin(int fd)
{
	int old = dup(STDIN_FILENO);

	assert_true(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
	close(fd);
	return old;
}

static void restore_stdin(int old)
{
	assert_true(dup2(old, STDIN_FILENO) == STDIN_FILENO);
	close(old);
}

static void test_a_pipe_gives_all_bytes_though_its_first_were_looked_at(void **state)
{
	struct as_src *src;
	struct as_err err;
	char buf[16];
	size_t n = 0;
	ptrdiff_t got;
	int fd[2], old;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "0123456789", 10), 10);
	close(fd[1]);
	old = swap_stdin(fd[0]);
	assert_int_equal(as_file_open(&as_alloc_libc, "-", NULL, &src, &err), AS_OK);
	assert_string_equal(src->name, "<stdin>");
	assert_null(src->pread);
	while ((got = src->read(src, buf + n, sizeof(buf) - n)) > 0)
		n += (size_t)got;
	assert_int_equal(got, 0);
	assert_int_equal(n, 10);
	assert_memory_equal(buf, "0123456789", 10);
	as_file_close(src);
	restore_stdin(old);
}

static void test_redirected_input_begins_where_it_stands(void **state)
{
	struct as_src *src;
	struct as_err err;
	char buf[16];
	int fd, old;

	(void)state;
	scratch_put("f", "0123456789");
	fd = open("f", O_RDONLY);
	assert_int_equal(lseek(fd, 4, SEEK_SET), 4);
	old = swap_stdin(fd);
	assert_int_equal(as_file_open(&as_alloc_libc, "-", NULL, &src, &err), AS_OK);
	assert_int_equal(src->size, 6);
	assert_int_equal(src->pread(src, buf, 2, 0), 2);
	assert_memory_equal(buf, "45", 2);
	as_file_close(src);
	restore_stdin(old);
}

static void test_what_cannot_be_opened_says_why(void **state)
{
	struct as_src *src;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	assert_int_equal(as_file_open(&as_alloc_libc, "none", NULL, &src, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_string_equal(err.name, "none");
	assert_int_equal(as_file_open(&as_alloc_libc, ".", NULL, &src, &err), AS_E_IO);
	assert_int_equal(err.sys_errno, EISDIR);
	assert_null(src);
}

struct told {
	struct as_progress pr;
	uint64_t done, total;
};

static void tell(struct as_progress *pr, uint64_t done, uint64_t total)
{
	struct told *told = (struct told *)(void *)pr;

	told->done += done;
	told->total += total;
}

static void test_progress_is_told_in_bytes_of_the_file(void **state)
{
	struct told told = {.pr = {.moved = tell}};
	struct as_src *src;
	struct as_err err;
	char buf[4];

	(void)state;
	scratch_put("f", "0123456789");
	assert_int_equal(as_file_open(&as_alloc_libc, "f", &told.pr, &src, &err), AS_OK);
	while (src->read(src, buf, sizeof(buf)) > 0)
		;
	as_file_close(src);
	assert_int_equal(told.total, 10);
	assert_int_equal(told.done, 10);
}

/* ---- the files of one run ---- */

static void check_siblings(const char *prefix, const char *const *want, size_t n)
{
	struct as_siblings sb;
	struct as_err err;

	assert_int_equal(as_siblings_find(&sb, &as_alloc_libc, prefix, &err), AS_OK);
	assert_int_equal(sb.row.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(sb.row.p[i].path.p, want[i]);
	as_siblings_release(&sb);
}

static void test_dumps_come_in_order_and_the_base_file_last(void **state)
{
	static const char *const want[] = {"d/cg.12.2", "d/cg.12.10", "d/cg.12"};

	(void)state;
	assert_int_equal(mkdir("d", 0777), 0);
	scratch_put("d/cg.12", "x");
	scratch_put("d/cg.12.10", "x");
	scratch_put("d/cg.12.2", "x");
	/* Other runs and other things. */
	scratch_put("d/cg.123", "x");
	scratch_put("d/cg.12.2.gz", "x");
	scratch_put("d/cg.12.", "x");
	scratch_put("d/cg.12-", "x");
	scratch_put("d/cg.12.99999999999999999999", "x");
	assert_int_equal(mkdir("d/cg.12.7", 0777), 0);
	check_siblings("d/cg.12", want, AS_ARRAY_LEN(want));
}

static void test_threads_are_sorted_within_their_dump_and_empty_files_are_known(void **state)
{
	static const char *const want[] = {"t.1-01", "t.1-02", "t", "t-01"};
	struct as_siblings sb;
	struct as_err err;

	(void)state;
	scratch_put("t", "");
	scratch_put("t-01", "x");
	scratch_put("t.1-02", "x");
	scratch_put("t.1-01", "x");
	check_siblings("t", want, AS_ARRAY_LEN(want));
	assert_int_equal(as_siblings_find(&sb, &as_alloc_libc, "t", &err), AS_OK);
	assert_true(sb.row.p[2].empty);
	assert_int_equal(sb.row.p[1].dump, 1);
	assert_int_equal(sb.row.p[1].thread, 2);
	as_siblings_release(&sb);
}

static void test_a_folder_that_is_not_there_is_an_error(void **state)
{
	struct as_siblings sb;
	struct as_err err;

	(void)state;
	assert_int_equal(as_siblings_find(&sb, &as_alloc_libc, "no/cg", &err), AS_E_IO);
	assert_int_equal(err.sys_errno, ENOENT);
	as_siblings_release(&sb);
}

/* ---- threads ---- */

static void count_task(void *arg, unsigned i)
{
	atomic_uint *hits = arg;

	atomic_fetch_add(&hits[i], 1);
}

static void test_every_task_runs_exactly_once_whatever_the_number_of_threads(void **state)
{
	static const unsigned jobs[] = {0, 1, 2, 7, 1000};

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(jobs); k++) {
		atomic_uint hits[300] = {0};

		as_threads_run(jobs[k], count_task, hits, AS_ARRAY_LEN(hits));
		for (size_t i = 0; i < AS_ARRAY_LEN(hits); i++)
			assert_int_equal(atomic_load(&hits[i]), 1);
	}
	as_threads_run(4, count_task, NULL, 0);
	assert_true(as_cpu_count() >= 1);
}

int file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_regular_file_can_be_read_from_anywhere),
		cmocka_unit_test(test_a_pipe_gives_all_bytes_though_its_first_were_looked_at),
		cmocka_unit_test(test_redirected_input_begins_where_it_stands),
		cmocka_unit_test(test_what_cannot_be_opened_says_why),
		cmocka_unit_test(test_progress_is_told_in_bytes_of_the_file),
		cmocka_unit_test(test_dumps_come_in_order_and_the_base_file_last),
		cmocka_unit_test(
			test_threads_are_sorted_within_their_dump_and_empty_files_are_known),
		cmocka_unit_test(test_a_folder_that_is_not_there_is_an_error),
		cmocka_unit_test(test_every_task_runs_exactly_once_whatever_the_number_of_threads),
	};

	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
