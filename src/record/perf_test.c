/* SPDX-License-Identifier: Apache-2.0 */
/* Records made by hand: what the parser and the rings make of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/perf_proc.h"
#include "record/test_perf.h"

/* ---- the parser ---- */

static void test_a_sample_and_a_mapping(void **state)
{
	struct bytes b = sample(PID + 1, 77);
	struct as_perf_rec rec;

	(void)state;
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_int_equal(rec.tid, PID + 1);
	assert_int_equal(rec.time, 77);
	assert_int_equal(rec.chain.len, 32);
	assert_int_equal(as_perf_word(rec.chain, 1), 0x401010);
	b = mapping(0x400000, 0x2000, 0x1000, "/bin/x");
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_true(as_slice_is(rec.text, "/bin/x"));
	assert_int_equal(rec.addr, 0x400000);
	assert_int_equal(rec.offset, 0x1000);
	assert_int_equal(rec.n_build_id, 3);
	assert_memory_equal(rec.build_id, "\xad\xbe\xef", 3);
}

static void test_registers_and_a_stack(void **state)
{
	static const struct as_perf_layout layout = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.regs = 0x101};
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 5);
	put(&b, PERF_SAMPLE_REGS_ABI_64, 8);
	put(&b, 11, 8);
	put(&b, 12, 8);
	put(&b, 16, 8); /* room for so many bytes */
	put(&b, 21, 8);
	put(&b, 22, 8);
	put(&b, 8, 8); /* that many are the stack's */
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.regs.len, 16);
	assert_int_equal(as_perf_word(rec.regs, 1), 12);
	assert_int_equal(rec.stack.len, 8);
	assert_false(rec.stack_more);
	assert_int_equal(as_perf_word(rec.stack, 0), 21);
	b.n -= 8;
	put(&b, 17, 8); /* more than there was room for */
	assert_false(as_perf_parse(done(&b), &layout, &rec));
}

static void test_a_thread_without_a_users_part(void **state)
{
	static const struct as_perf_layout layout = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.regs = 0x101};
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 5);
	put(&b, PERF_SAMPLE_REGS_ABI_NONE, 8);
	put(&b, 0, 8); /* no stack */
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.regs.len, 0);
	assert_int_equal(rec.stack.len, 0);
}

/* Every cut is noticed: no record is a whole one of its kind before its last byte. */
static void test_records_that_are_cut(void **state)
{
	struct bytes whole[] = {sample(PID, 1), ended(PID, 2, 3)};
	struct as_perf_rec rec;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(whole); i++) {
		size_t n = whole[i].n;

		assert_true(as_perf_parse(done(&whole[i]), &chains, &rec));
		for (whole[i].n = 0; whole[i].n < n; whole[i].n++) {
			struct as_slice s = {whole[i].p, whole[i].n};

			assert_false(as_perf_parse(s, &chains, &rec));
		}
	}
}

static void test_a_chain_that_claims_more_than_there_is(void **state)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 1);
	put(&b, UINT64_MAX / 8 + 2, 8); /* times eight it is small */
	put(&b, 0, 8);
	assert_false(as_perf_parse(done(&b), &chains, &rec));
}

static void test_unknown_records_are_passed_over(void **state)
{
	struct bytes b = record(4711, 0);
	struct as_perf_rec rec;

	(void)state;
	put(&b, 1, 8);
	put_ids(&b, PID, 9);
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_int_equal(rec.time, 9);
}

/* ---- the rings ---- */

static enum as_code note_time(void *ctx, const struct as_perf_rec *rec)
{
	struct rig *r = ctx;

	assert_true(r->n < AS_ARRAY_LEN(r->times));
	r->times[r->n++] = rec->time;
	return AS_OK;
}

static void test_rings_are_read_in_the_order_of_time(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, sample(PID, 10)); /* around the end */
	write_record(r, 1, sample(PID, 5));
	write_record(r, 1, sample(PID, 20));
	write_record(r, 0, sample(PID, 30));
	assert_int_equal(as_perf_rings_merge(&r->set, 20, note_time, r), AS_OK);
	assert_int_equal(r->n, 3);
	assert_int_equal(r->times[0], 5);
	assert_int_equal(r->times[1], 10);
	assert_int_equal(r->times[2], 20);
	assert_true(r->cpu[0].ring.tail < r->cpu[0].ring.head);
	write_record(r, 1, sample(PID, 25)); /* it comes late, but in time */
	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, note_time, r), AS_OK);
	assert_int_equal(r->n, 5);
	assert_int_equal(r->times[3], 25);
	assert_int_equal(r->times[4], 30);
	assert_int_equal(r->cpu[0].ring.damaged + r->cpu[1].ring.damaged, 0);
}

static void test_a_header_that_cannot_be_ends_what_is_there(void **state)
{
	struct bytes bad = sample(PID, 2);
	struct rig *r = *state;

	write_record(r, 0, sample(PID, 1));
	write_record(r, 0, bad);
	r->cpu[0].ring.head -= 8; /* it says that it is longer */
	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, note_time, r), AS_OK);
	assert_int_equal(r->n, 1);
	assert_int_equal(r->cpu[0].ring.damaged, 1);
	assert_int_equal(r->cpu[0].ring.tail, r->cpu[0].ring.head);
}

/* ---- files that were replaced ---- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

struct replaced {
	const char *path;
	struct as_perf_range range;
	char name[256];
};

static void keep_range(void *ctx, const struct as_perf_range *range)
{
	struct replaced *r = ctx;

	if (!as_slice_is(range->path, r->path))
		return;
	r->range = *range;
	snprintf(r->name, sizeof(r->name), "%.*s", (int)range->path.len, range->path.p);
	r->range.path = as_slice_of(r->name);
}

/* What the file that is mapped begins with; "" if it can't be had. */
static void read_mapped(const char *path, char text[8])
{
	struct replaced r = {.path = path};
	ssize_t n;
	int fd;

	as_proc_maps((uint32_t)getpid(), keep_range, &r);
	assert_true(r.range.limit > r.range.start);
	fd = as_object_open((uint32_t)getpid(), &r.range);
	n = fd < 0 ? 0 : read(fd, text, 7);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
}

static void test_a_file_that_was_replaced_is_not_the_one_that_is_mapped(void **state)
{
	char dir[] = "/tmp/perf_test.XXXXXX", path[64], new[64], text[8];
	void *map;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/old", dir);
	snprintf(new, sizeof(new), "%s/new", dir);
	write_file(path, "old");
	write_file(new, "new");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED) { /* where files are there may be no programs */
		unlink(path);
		unlink(new);
		rmdir(dir);
		skip();
	}
	read_mapped(path, text);
	assert_string_equal(text, "old");
	assert_int_equal(rename(new, path), 0);
	read_mapped(path, text);
	assert_true(strcmp(text, "old") == 0 || strcmp(text, "") == 0);
	unlink(path);
	rmdir(dir);
	munmap(map, 4096);
}

int perf_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sample_and_a_mapping),
		cmocka_unit_test(test_registers_and_a_stack),
		cmocka_unit_test(test_a_thread_without_a_users_part),
		cmocka_unit_test(test_records_that_are_cut),
		cmocka_unit_test(test_a_chain_that_claims_more_than_there_is),
		cmocka_unit_test(test_unknown_records_are_passed_over),
		cmocka_unit_test(test_a_file_that_was_replaced_is_not_the_one_that_is_mapped),
		WITH_RIG(test_rings_are_read_in_the_order_of_time),
		WITH_RIG(test_a_header_that_cannot_be_ends_what_is_there),
	};

	return cmocka_run_group_tests_name("perf", tests, NULL, NULL);
}
