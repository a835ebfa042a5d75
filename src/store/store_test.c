/* SPDX-License-Identifier: Apache-2.0 */
/* A database in a folder of its own, against sums kept beside it. */
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

#include "io/file.h"
#include "io/gzip_sections.h"
#include "lib/fail_alloc.h"
#include "lib/test_db.h"

/* ---- stacks ---- */

static void test_minutes_are_what_was_stored(void **state)
{
	struct db *db = *state;

	db_open(db, BEGIN);
	assert_string_equal(as_store_epoch_name(db->st), "202611231045");
	db_put_minutes(db, 0, 5);
	db_expect(db, 5);
}

/* Who asks for one image need not undo all of a file. */
static void test_files_of_stacks_are_in_sections(void **state)
{
	struct as_gzip_sections gs;
	struct db *db = *state;
	char path[PATH_MAX];
	struct as_src *src;

	db_open(db, BEGIN);
	db_put_minutes(db, 0, 1);
	db_epoch_path(db, "202611231045/20261123T104500Z-60.pb.gz", path);
	assert_int_equal(as_file_open_raw(&as_alloc_libc, path, NULL, &src, &db->err), AS_OK);
	assert_true(as_gzip_sections_open(&gs, &as_alloc_libc, src));
	assert_true(gs.row.n >= 2);
	as_gzip_sections_release(&gs);
}

static void test_hours_that_are_over_become_one_file(void **state)
{
	struct db *db = *state;

	db_open(db, BEGIN);
	db_put_minutes(db, 0, 100); /* to 12:25 */
	db_expect(db, 100);
	assert_int_equal(as_store_roll(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	db_expect(db, 2 + 25);
	assert_int_equal(as_store_roll(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	db_expect(db, 2 + 25);
}

/* Files of minutes have about the same size. */
static void test_no_more_become_one_than_may_be_in_memory(void **state)
{
	struct db *db = *state;
	char path[PATH_MAX];
	struct stat sb;

	db_open(db, BEGIN);
	db_put_minutes(db, 0, 15);
	db_epoch_path(db, "202611231045/20261123T104500Z-60.pb.gz", path);
	assert_int_equal(stat(path, &sb), 0);
	as_store_close(db->st);
	db->roll_bytes = (uint64_t)sb.st_size * 5 / 2;
	db_open(db, BEGIN + HOUR);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	db_expect(db, 8);
	as_store_close(db->st);
	db->roll_bytes = 0;
	db_open(db, BEGIN + HOUR);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	db_expect(db, 1);
}

static void test_a_closed_epoch_becomes_one_file(void **state)
{
	struct db *db = *state;

	db_open(db, BEGIN);
	db_put_minutes(db, 0, 100);
	assert_int_equal(as_store_epoch(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	assert_int_equal(db_put(db, BEGIN + 100 * MINUTE, BEGIN + 101 * MINUTE, false), AS_OK);
	assert_int_equal(as_store_roll(db->st, BEGIN + 101 * MINUTE, &db->err), AS_OK);
	db_expect(db, 2);
	assert_string_equal(db->said, "");
}

static void test_an_epoch_keeps_its_hours_for_a_while(void **state)
{
	struct db *db = *state;

	db->keep_hours = 24 * HOUR;
	db_open(db, BEGIN);
	db_put_minutes(db, 0, 100); /* in three hours */
	assert_int_equal(as_store_epoch(db->st, BEGIN + 100 * MINUTE, &db->err), AS_OK);
	assert_int_equal(db_put(db, BEGIN + 100 * MINUTE, BEGIN + 101 * MINUTE, false), AS_OK);
	assert_int_equal(as_store_roll(db->st, BEGIN + 24 * HOUR, &db->err), AS_OK);
	db_expect(db, 3 + 1);
	assert_int_equal(as_store_roll(db->st, BEGIN + 26 * HOUR, &db->err), AS_OK);
	db_expect(db, 2);
}

static uint64_t meta_number(const struct as_profile *prof, const char *key)
{
	uint64_t v = 0;

	assert_true(as_slice_dec(as_meta_get(prof, 0, key), &v));
	return v;
}

static void test_what_segments_say_of_themselves_adds_up(void **state)
{
	char path[PATH_MAX];
	struct as_store_facts facts = {.counted = 0};
	struct as_profile *prof;
	struct db *db = *state;

	db_open(db, BEGIN);
	db_put_nothing(db, BEGIN, BEGIN + MINUTE);
	db_put_minutes(db, 1, 11);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	db_epoch_path(db, "202611231045/20261123T104500Z-660.pb.gz", path);
	assert_int_equal(
		as_store_read(&as_alloc_libc, path, false, &prof, &facts, &db->err), AS_OK);
	assert_int_equal(meta_number(prof, "assay: samples counted"), 70);
	assert_int_equal(meta_number(prof, "assay: samples stored"), 60);
	assert_int_equal(meta_number(prof, "assay: samples lost"), 10);
	assert_int_equal(prof->duration, 11 * MINUTE);
	as_profile_free(prof);
}

static void test_minutes_stay_while_somebody_may_read_them(void **state)
{
	static const char first[] = "202611231045/20261123T104500Z-60.pb.gz";
	struct db *db = *state;

	db->waits = true;
	db_open(db, BEGIN);
	db_put_minutes(db, 0, 2);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_true(db_has(db, first));
	db_expect(db, 1);
	as_store_close(db->st);
	db->waits = false;
	db_open(db, BEGIN + 2 * HOUR);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_false(db_has(db, first));
	db_expect(db, 1);
}

static void test_a_damaged_minute_stays_and_loses_no_other(void **state)
{
	char path[PATH_MAX];
	struct truth sum = {0};
	struct db *db = *state;
	int fd;

	db_open(db, BEGIN);
	for (int i = 0; i < 10; i++) {
		struct truth before = db->truth;

		assert_int_equal(
			db_put(db, BEGIN + i * MINUTE, BEGIN + (i + 1) * MINUTE, false), AS_OK);
		if (i == 4)
			memcpy(db->truth.cost, before.cost, sizeof(before.cost));
	}
	db_epoch_path(db, "202611231045/20261123T104900Z-60.pb.gz", path);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0 && ftruncate(fd, 60) == 0 && close(fd) == 0);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_non_null(strstr(db->said, "20261123T104900Z-60.pb.gz is left as it is"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(db_add_all(db, &sum), 2);
	assert_memory_equal(sum.cost, db->truth.cost, sizeof(sum.cost));
}

/* ---- addresses ---- */

/* A program whose code at 0x1000 + 4 * i has cost i + 1, the kernel's at its own, and code of no
 * file. */
static struct as_profile *db_places(void)
{
	static const struct {
		const char *path;
		uint64_t addr;
		enum as_addr_kind kind;
	} rows[] = {{"/bin/prog", 0x1000, AS_ADDR_VIRTUAL}, {"/bin/prog", 0x2005, AS_ADDR_VIRTUAL},
		{"[kernel.kallsyms]", UINT64_C(0xffffffff81000040), AS_ADDR_VIRTUAL},
		{"[kernel.kallsyms]", UINT64_C(0xffffc90000001000), AS_ADDR_VIRTUAL},
		{"//anon", UINT64_C(0x7f0000001000), AS_ADDR_ABSOLUTE},
		{"//anon", UINT64_C(0x7a0000001000), AS_ADDR_ABSOLUTE}, {"", 0, AS_ADDR_UNKNOWN}};
	struct as_build b;

	as_test_begin(&b, "cpu");
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++) {
		as_func func = {0};
		as_object o = {0};
		as_val cost = (as_val)i + 1;
		struct as_pos pos = {.addr = rows[i].addr};

		if (rows[i].path[0]) {
			assert_int_equal(as_build_object(&b, as_slice_of(rows[i].path),
						 as_slice_of("abcd"), &o),
				AS_OK);
			b.prof->object.p[o.i].addr_kind = rows[i].kind;
			assert_int_equal(
				as_build_func(&b, as_slice_of(""), o, (as_file){0}, 0, &func),
				AS_OK);
		}
		pos.func = func;
		assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	}
	return as_test_end(&b);
}

/* The costs of FILE in the flat segment NAME: "addr:cost addr:cost". */
static void expect_image(struct db *db, const char *name, const char *file, const char *want)
{
	char path[PATH_MAX], folder[200], got[200] = "";
	struct as_store_facts facts = {0};
	struct as_profile *prof;
	size_t n = 0;

	snprintf(folder, sizeof(folder), "202611231045/%s", name);
	db_epoch_path(db, folder, path);
	if (as_store_read(&as_alloc_libc, path, true, &prof, &facts, &db->err) != AS_OK)
		fail_msg("%s: %s", db->err.name, db->err.msg);
	for (size_t r = 0; r < prof->self.run.n; r++) {
		const struct as_run *run = &prof->self.run.p[r];
		struct as_rows_cur cur;
		as_val v[1];

		if (!as_slice_is(as_object_path(prof, prof->func.object.p[run->func.i]), file))
			continue;
		as_rows_begin(&cur, &prof->self, run, v);
		while (as_rows_next(&cur))
			n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%" PRIx64 ":%d",
				n ? " " : "", cur.addr, (int)v[0]);
	}
	as_profile_free(prof);
	assert_string_equal(got, want);
}

/* What the flat segment NAME says of itself: "counted stored unknown lost; EVENT ...". */
static void expect_facts(struct db *db, const char *name, const char *want)
{
	char path[PATH_MAX], folder[200], got[200];
	struct as_store_facts f = {0};
	struct as_profile *prof;
	size_t n;

	snprintf(folder, sizeof(folder), "202611231045/%s", name);
	db_epoch_path(db, folder, path);
	assert_int_equal(as_store_read(&as_alloc_libc, path, true, &prof, &f, &db->err), AS_OK);
	as_profile_free(prof);
	n = (size_t)snprintf(got, sizeof(got), "%d %d %d %d", (int)f.counted, (int)f.stored,
		(int)f.unknown, (int)f.lost);
	for (uint32_t i = 0; i < f.n_of; i++)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "; %s %d %d %d %d", f.of[i].event,
			(int)f.of[i].counted, (int)f.of[i].stored, (int)f.of[i].unknown,
			(int)f.of[i].lost);
	assert_string_equal(got, want);
}

static void test_flat_segments_are_dcpi_profiles_that_add_up(void **state)
{
	struct as_store_facts facts = {.counted = 29,
		.stored = 28,
		.unknown = 7,
		.lost = 1,
		.n_of = 2,
		.of = {{"samples", 20, 20, 7, 0}, {"of this and that", 9, 8, 0, 1}}};
	struct as_profile *prof = db_places();
	struct db *db = *state;

	db->roll_bytes = 1000; /* files of addresses may have several times as much */
	db_open(db, BEGIN);
	for (int i = 0; i < 3; i++)
		assert_int_equal(as_store_segment(db->st, prof, BEGIN + i * MINUTE,
					 BEGIN + (i + 1) * MINUTE, true, &facts, &db->err),
			AS_OK);
	as_profile_free(prof);
	expect_image(db, "20261123T104500Z-60.dcpi", "/bin/prog", "1000:1 2005:2");
	expect_image(db, "20261123T104500Z-60.dcpi", "[kernel.kallsyms]",
		"ffffffff00000000:4 ffffffff81000040:3");
	expect_image(db, "20261123T104500Z-60.dcpi", "//anon", "0:11");
	expect_image(db, "20261123T104500Z-60.dcpi", "[unknown]", "0:7");
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_string_equal(db->said, "");
	expect_image(db, "20261123T104500Z-180.dcpi", "/bin/prog", "1000:3 2005:6");
	expect_image(db, "20261123T104500Z-180.dcpi", "[unknown]", "0:21");
	expect_facts(db, "20261123T104500Z-180.dcpi",
		"87 84 21 3; samples 60 60 21 0; of this and that 27 24 0 3");
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
}

/* The profiles in the flat segment NAME, those that end in END, and in *BYTES what all take. */
static size_t count_images(struct db *db, const char *name, const char *end, uint64_t *bytes)
{
	char path[PATH_MAX], folder[200], file[PATH_MAX];
	struct as_store_images images;
	struct stat sb;
	size_t n = 0;

	*bytes = 0;
	snprintf(folder, sizeof(folder), "202611231045/%s", name);
	db_epoch_path(db, folder, path);
	assert_int_equal(as_store_images_read(&images, &as_alloc_libc, path, &db->err), AS_OK);
	assert_true(images.row.n > 0);
	for (size_t i = 0; i < images.row.n; i++) {
		n += as_slice_ends(images.row.p[i].file, end);
		assert_true(as_store_path(file, sizeof(file), path, images.row.p[i].file.p));
		assert_int_equal(stat(file, &sb), 0);
		*bytes += (uint64_t)sb.st_size;
	}
	as_store_images_release(&images);
	return n;
}

/* COUNT addresses, no two of them neighbours. */
static struct as_profile *db_many_places(int count)
{
	struct as_build b;
	as_func func = {0};

	as_test_begin(&b, "cpu");
	func = as_test_func(&b, "", "/bin/prog", "");
	for (int i = 0; i < count; i++) {
		struct as_pos pos = {.func = func, .addr = 0x1000 + 16 * (uint64_t)i};
		as_val cost = 1 + i % 3;

		assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	}
	return as_test_end(&b);
}

/* A minute is written in a moment; what stays is packed, and is still what it was. */
static void test_flat_segments_that_stay_are_packed(void **state)
{
	struct as_profile *prof = db_many_places(1000);
	uint64_t plain, packed, again;
	struct db *db = *state;

	db_open(db, BEGIN);
	for (int i = 0; i < 4; i++)
		assert_int_equal(as_store_segment(db->st, prof, BEGIN + i * MINUTE,
					 BEGIN + (i + 1) * MINUTE, true, NULL, &db->err),
			AS_OK);
	as_profile_free(prof);
	assert_int_equal(count_images(db, "20261123T104500Z-60.dcpi", ".dcpi", &plain), 1);
	assert_true(plain > 1000 * 12);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_int_equal(count_images(db, "20261123T104500Z-240.dcpi", ".dcpi.gz", &packed), 1);
	assert_true(packed * 3 < plain);
	prof = db_many_places(1000);
	assert_int_equal(as_store_segment(db->st, prof, BEGIN + 4 * MINUTE, BEGIN + 5 * MINUTE,
				 true, NULL, &db->err),
		AS_OK);
	as_profile_free(prof);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_int_equal(count_images(db, "20261123T104500Z-300.dcpi", ".dcpi.gz", &again), 1);
	assert_string_equal(db->said, "");
}

/* Merging takes memory by what the profiles have, not by what they take packed. */
static void test_packed_segments_count_by_what_they_hold(void **state)
{
	struct as_profile *prof = db_many_places(1000); /* 12,000 bytes and a header */
	struct db *db = *state;
	uint64_t bytes;

	db->roll_bytes = 2000; /* times 16 */
	db_open(db, BEGIN);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(as_store_segment(db->st, prof, BEGIN + i * MINUTE,
					 BEGIN + (i + 1) * MINUTE, true, NULL, &db->err),
			AS_OK);
	}
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_int_equal(count_images(db, "20261123T104500Z-120.dcpi", ".gz", &bytes), 1);
	assert_int_equal(count_images(db, "20261123T104700Z-120.dcpi", ".gz", &bytes), 1);
	as_store_close(db->st);
	db->roll_bytes = 1000; /* 16,000 bytes: less than two have */
	db_open(db, BEGIN + HOUR);
	assert_int_equal(as_store_epoch(db->st, BEGIN + HOUR, &db->err), AS_OK);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_true(db_has(db, "202611231045/20261123T104500Z-120.dcpi"));
	as_store_close(db->st);
	db->roll_bytes = 4000;
	db_open(db, BEGIN + HOUR);
	assert_int_equal(as_store_roll(db->st, BEGIN + 2 * HOUR, &db->err), AS_OK);
	assert_true(db_has(db, "202611231045/20261123T104500Z-240.dcpi"));
	as_profile_free(prof);
}

/* ---- memory ---- */

static enum as_code starve(struct db *db, const struct as_alloc *al, const struct as_profile *prof)
{
	struct as_store_opts opts = {.dir = db->root, .host = "box", .now_ns = BEGIN};
	struct as_store *st;
	enum as_code rc = as_store_open(al, &opts, &st, &db->err);

	AS_TRY(rc);
	for (int i = 0; rc == AS_OK && i < 4; i++)
		rc = as_store_segment(st, prof, BEGIN + i * MINUTE, BEGIN + (i + 1) * MINUTE, i > 1,
			NULL, &db->err);
	if (rc == AS_OK)
		rc = as_store_roll(st, BEGIN + 2 * HOUR, &db->err);
	if (rc == AS_OK)
		rc = as_store_gc(st, BEGIN, 0, 1, &db->err);
	as_store_close(st);
	return rc;
}

static void test_memory_that_ends_is_told_and_given_back(void **state)
{
	struct db *db = *state;
	struct as_profile *prof = db_random(&db->truth);

	for (uint64_t n = 1;; n += 1 + n / 30) {
		struct fail_alloc fa;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = starve(db, &fa.al, prof);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		if (rc != AS_E_NOMEM && db->err.sys_errno != ENOMEM)
			fail_msg("%s: %s", db->err.name, db->err.msg);
	}
	as_profile_free(prof);
}

int store_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_minutes_are_what_was_stored),
		TEST(test_files_of_stacks_are_in_sections),
		TEST(test_hours_that_are_over_become_one_file),
		TEST(test_no_more_become_one_than_may_be_in_memory),
		TEST(test_a_closed_epoch_becomes_one_file),
		TEST(test_an_epoch_keeps_its_hours_for_a_while),
		TEST(test_what_segments_say_of_themselves_adds_up),
		TEST(test_minutes_stay_while_somebody_may_read_them),
		TEST(test_a_damaged_minute_stays_and_loses_no_other),
		TEST(test_flat_segments_are_dcpi_profiles_that_add_up),
		TEST(test_flat_segments_that_stay_are_packed),
		TEST(test_packed_segments_count_by_what_they_hold),
		TEST(test_memory_that_ends_is_told_and_given_back),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
