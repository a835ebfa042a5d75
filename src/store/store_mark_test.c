/* SPDX-License-Identifier: Apache-2.0 */
/* What waits to go elsewhere stays as it was written, until it went. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/test_db.h"

static struct as_store_mark mark_begin(const struct db *db)
{
	struct as_store_mark mark = {.end = 0};

	assert_true(as_store_epoch_parse(as_slice_of(as_store_epoch_name(db->st)), &mark.epoch));
	return mark;
}

static struct as_store_spool mark_spool(struct db *db, const struct as_store_mark *mark)
{
	struct as_store_spool spool;

	assert_int_equal(as_store_spool(db->st, mark, &spool, &db->err), AS_OK);
	return spool;
}

static void test_a_mark_is_what_was_written(void **state)
{
	struct db *db = *state;
	struct as_store_mark mark, read;
	bool there;

	db_open(db, BEGIN);
	assert_int_equal(as_store_mark_read(db->st, "pushed-1", &read, &there, &db->err), AS_OK);
	assert_false(there);
	mark = mark_begin(db);
	for (int i = 0; i < 3; i++) {
		mark.end = i * MINUTE;
		assert_int_equal(as_store_mark_write(db->st, "pushed-1", &mark, &db->err), AS_OK);
		assert_int_equal(
			as_store_mark_read(db->st, "pushed-1", &read, &there, &db->err), AS_OK);
		assert_true(there);
		assert_int_equal(read.end, mark.end);
		assert_int_equal(as_store_epoch_cmp(&read.epoch, &mark.epoch), 0);
	}
	assert_int_equal(as_store_mark_read(db->st, "lock", &read, &there, &db->err), AS_E_FORMAT);
}

/* Walking along, each segment comes once, in order, over the end of an epoch. */
static void test_segments_go_one_after_the_other(void **state)
{
	struct db *db = *state;
	struct as_store_mark mark;
	struct as_store_spool spool;

	db_open(db, BEGIN);
	mark = mark_begin(db);
	db_put_minutes(db, 0, 3);
	assert_int_equal(as_store_epoch(db->st, BEGIN + 3 * MINUTE, &db->err), AS_OK);
	db_put_minutes(db, 3, 5);
	for (int i = 0; i < 5; i++) {
		spool = mark_spool(db, &mark);
		assert_int_equal(spool.n, 5 - i);
		assert_int_equal(spool.begin, BEGIN + i * MINUTE);
		assert_int_equal(access(spool.path, R_OK), 0);
		mark = spool.next;
	}
	assert_int_equal(mark_spool(db, &mark).n, 0);
}

static void test_what_is_held_is_not_rolled_up(void **state)
{
	struct db *db = *state;
	struct as_store_mark mark;

	db_open(db, BEGIN);
	mark = mark_begin(db);
	as_store_hold(db->st, &mark);
	db_put_minutes(db, 0, 100); /* to 12:25 */
	assert_int_equal(as_store_roll(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	db_expect(db, 100);
	mark.end = BEGIN + 10 * MINUTE;
	as_store_hold(db->st, &mark);
	assert_int_equal(as_store_roll(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	db_expect(db, 1 + 90);
	assert_int_equal(mark_spool(db, &mark).n, 90);
	assert_int_equal(mark_spool(db, &mark).across, 0);
	mark.end = BEGIN + 100 * MINUTE;
	as_store_hold(db->st, &mark);
	assert_int_equal(as_store_roll(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	db_expect(db, 2 + 25);
}

static void test_what_was_rolled_up_over_a_mark_is_told(void **state)
{
	struct db *db = *state;
	struct as_store_mark mark;

	db_open(db, BEGIN);
	mark = mark_begin(db);
	mark.end = BEGIN + 5 * MINUTE;
	db_put_minutes(db, 0, 20);
	assert_int_equal(as_store_roll(db->st, BEGIN + HOUR, &db->err), AS_OK);
	assert_int_equal(mark_spool(db, &mark).across, 1);
	assert_int_equal(mark_spool(db, &mark).n, 5); /* of 11 o'clock */
}

static void test_what_is_held_is_not_removed(void **state)
{
	struct db *db = *state;
	struct as_store_mark mark;
	size_t n;

	db_open(db, BEGIN);
	mark = mark_begin(db);
	for (int i = 0; i < 6; i++) {
		db_put_minutes(db, i, i + 1);
		if (i == 1) /* the first two have gone */
			assert_true(as_store_epoch_parse(
				as_slice_of(as_store_epoch_name(db->st)), &mark.epoch));
		assert_int_equal(as_store_epoch(db->st, BEGIN + (i + 1) * MINUTE, &db->err), AS_OK);
	}
	as_store_hold(db->st, &mark);
	assert_int_equal(as_store_gc(db->st, BEGIN + 999 * HOUR, HOUR, 1, &db->err), AS_OK);
	n = (size_t)mark_spool(db, &(struct as_store_mark){0}).n;
	assert_int_equal(n, 5); /* the first epoch, which has gone whole */
}

int store_mark_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_mark_is_what_was_written, db_make, db_drop),
		cmocka_unit_test_setup_teardown(
			test_segments_go_one_after_the_other, db_make, db_drop),
		cmocka_unit_test_setup_teardown(
			test_what_is_held_is_not_rolled_up, db_make, db_drop),
		cmocka_unit_test_setup_teardown(
			test_what_was_rolled_up_over_a_mark_is_told, db_make, db_drop),
		cmocka_unit_test_setup_teardown(test_what_is_held_is_not_removed, db_make, db_drop),
	};

	return cmocka_run_group_tests_name("store_mark", tests, NULL, NULL);
}
