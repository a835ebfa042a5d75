/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write a database, what time does to it, and what is removed of it. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/test_db.h"

/* ---- two writers, clocks, and what is left behind ---- */

static void test_a_second_writer_is_told_of_the_first(void **state)
{
	char want[32];
	struct db *db = *state;
	struct as_store *second;
	struct as_store_opts opts = {.dir = db->root, .host = "box", .now_ns = BEGIN};

	db_open(db, BEGIN);
	assert_int_equal(as_store_open(&as_alloc_libc, &opts, &second, &db->err), AS_E_IO);
	assert_int_equal(db->err.sys_errno, EWOULDBLOCK);
	snprintf(want, sizeof(want), "process %ld ", (long)getpid());
	assert_non_null(strstr(db->err.msg, want));
	opts.host = "other";
	assert_int_equal(as_store_open(&as_alloc_libc, &opts, &second, &db->err), AS_OK);
	as_store_close(second);
}

static void test_a_clock_that_is_set_back_begins_an_epoch(void **state)
{
	struct db *db = *state;
	struct truth sum = {0};

	db_open(db, BEGIN);
	for (int i = 0; i < 20; i++) { /* each time half an hour forward, three quarters back */
		int64_t at = BEGIN + (i % 2 ? -15 : 30) * (i / 2 + 1) * MINUTE;

		assert_int_equal(db_put(db, at, at + MINUTE, false), AS_OK);
		assert_int_equal(as_store_roll(db->st, at + MINUTE, &db->err), AS_OK);
	}
	db_add_all(db, &sum);
	assert_memory_equal(sum.cost, db->truth.cost, sizeof(sum.cost));
	assert_string_equal(as_store_epoch_name(db->st), "202611231045-11");
}

static void test_segments_of_a_moment_do_not_collide(void **state)
{
	struct db *db = *state;
	int64_t at = BEGIN;

	db_open(db, BEGIN);
	for (int i = 0; i < 30; i++, at += 300000) /* of 0.3 ms each: flush after flush */
		assert_int_equal(db_put(db, at, at + 300000, false), AS_OK);
	assert_int_equal(db_put(db, at, at + MINUTE, false), AS_OK);
	db_expect(db, 31);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	db_expect(db, 1);
}

static void test_an_epoch_that_holds_nothing_is_not_there(void **state)
{
	char path[PATH_MAX];
	struct db *db = *state;
	struct stat sb;

	db_open(db, BEGIN);
	assert_int_equal(as_store_epoch(db->st, BEGIN, &db->err), AS_OK);
	assert_string_equal(as_store_epoch_name(db->st), "202611231045");
	db_epoch_path(db, "202611231045", path);
	assert_int_equal(stat(path, &sb), -1);
	assert_int_equal(db_put(db, BEGIN, BEGIN + MINUTE, false), AS_OK);
	assert_int_equal(as_store_epoch(db->st, BEGIN, &db->err), AS_OK);
	assert_string_equal(as_store_epoch_name(db->st), "202611231045-2");
}

static void put_text(const struct db *db, const char *name)
{
	char path[PATH_MAX];
	int fd;

	db_epoch_path(db, name, path);
	fd = open(path, O_WRONLY | O_CREAT, 0644);
	assert_true(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
}

static void test_only_what_a_killed_writer_left_is_swept(void **state)
{
	char path[PATH_MAX];
	struct db *db = *state;

	db_open(db, BEGIN);
	assert_int_equal(db_put(db, BEGIN, BEGIN + MINUTE, false), AS_OK);
	as_store_close(db->st);
	put_text(db, "202611231045/.20261123T104600Z-60.pb.gz.assay-77-0");
	put_text(db, "202611231045/.mine");
	put_text(db, "202611231045/notes.txt");
	db_epoch_path(db, "202611231045/.20261123T104600Z-60.dcpi.assay-77", path);
	assert_int_equal(mkdir(path, 0755), 0);
	put_text(db, "202611231045/.20261123T104600Z-60.dcpi.assay-77/a.dcpi");
	db_open(db, BEGIN + HOUR);
	assert_false(db_has(db, "202611231045/.20261123T104600Z-60.pb.gz.assay-77-0"));
	assert_false(db_has(db, "202611231045/.20261123T104600Z-60.dcpi.assay-77"));
	assert_true(db_has(db, "202611231045/.mine"));
	assert_true(db_has(db, "202611231045/notes.txt"));
	db_expect(db, 1);
}

/* ---- removing ---- */

static size_t db_epochs(struct db *db)
{
	char host[PATH_MAX];
	struct as_store_epochs es;
	size_t n;

	db_epoch_path(db, "", host);
	assert_int_equal(as_store_epochs_read(&es, &as_alloc_libc, host, &db->err), AS_OK);
	n = es.row.n;
	as_store_epochs_release(&es);
	return n;
}

static void db_days(struct db *db, int days)
{
	db_open(db, BEGIN);
	for (int i = 0; i < days; i++) {
		int64_t at = BEGIN + i * 24 * HOUR;

		assert_int_equal(as_store_epoch(db->st, at, &db->err), AS_OK);
		assert_int_equal(db_put(db, at, at + 24 * HOUR, i % 2), AS_OK);
	}
}

static void test_old_epochs_go_but_never_the_latest_three(void **state)
{
	struct db *db = *state;

	db_days(db, 10);
	assert_int_equal(as_store_gc(db->st, BEGIN + 10 * 24 * HOUR, 0, 0, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 10);
	assert_int_equal(
		as_store_gc(db->st, BEGIN + 10 * 24 * HOUR, 7 * 24 * HOUR, 0, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 8); /* two ended more than seven days ago */
	assert_false(db_has(db, "202611231045"));
	assert_true(db_has(db, "202611251045"));
	assert_int_equal(as_store_gc(db->st, BEGIN + 99 * 24 * HOUR, HOUR, 0, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 3);
	assert_true(db_has(db, "202612021045"));
}

static void test_what_is_more_than_there_may_be_goes(void **state)
{
	struct db *db = *state;

	db_days(db, 6);
	assert_int_equal(as_store_gc(db->st, BEGIN, 0, UINT64_C(1) << 30, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 6);
	assert_int_equal(as_store_gc(db->st, BEGIN, 0, 1, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 3);
}

/* A daemon that cannot write has made it, and ended. */
static void test_epochs_that_hold_nothing_are_none_of_the_latest(void **state)
{
	static const char *const empty[] = {"202612010000", "202612010000-2", "202612010000-3"};
	char path[PATH_MAX];
	struct db *db = *state;

	db_days(db, 6);
	for (size_t i = 0; i < AS_ARRAY_LEN(empty); i++) {
		db_epoch_path(db, empty[i], path);
		assert_int_equal(mkdir(path, 0755), 0);
	}
	assert_int_equal(as_store_gc(db->st, BEGIN, 0, 1, &db->err), AS_OK);
	assert_int_equal(db_epochs(db), 3 + 3);
	assert_true(db_has(db, "202611261045"));
}

int store_keep_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_second_writer_is_told_of_the_first),
		TEST(test_a_clock_that_is_set_back_begins_an_epoch),
		TEST(test_segments_of_a_moment_do_not_collide),
		TEST(test_an_epoch_that_holds_nothing_is_not_there),
		TEST(test_only_what_a_killed_writer_left_is_swept),
		TEST(test_old_epochs_go_but_never_the_latest_three),
		TEST(test_what_is_more_than_there_may_be_goes),
		TEST(test_epochs_that_hold_nothing_are_none_of_the_latest),
	};

	return cmocka_run_group_tests_name("store_keep", tests, NULL, NULL);
}
