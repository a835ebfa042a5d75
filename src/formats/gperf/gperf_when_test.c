/* SPDX-License-Identifier: Apache-2.0 */
/* Files of assay's recorder that say when each sample was taken. */
#include "formats/gperf/gperf_testing.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "model/whose.h"

int gperf_when_tests(void);

#define THREAD(tid) (GP_MARK_THREAD << 56 | (tid))
#define TIME(ns) (GP_MARK_TIME << 56 | (ns))

/* Two stacks, three threads; LAST: of the last record, which has the count 4. */
static void timed_file(struct file *f, const uint64_t *last, size_t n)
{
	file_begin(f, 8, false);
	file_slots(f, SLOTS(0, 3, 0, 10000, GP_TIMED));
	file_slots(f, SLOTS(1, 4, 0x1010, 0x1020, THREAD(71), TIME(500)));
	file_slots(f, SLOTS(2, 3, 0x1030, THREAD(72), TIME(300)));
	file_slots(f, SLOTS(1, 4, 0x1010, 0x1020, THREAD(71), TIME(700)));
	file_slots(f, last, n);
	file_slots(f, SLOTS(0, 1, 0));
	file_text(f, "1000-2000 r-xp 00000000 08:01 7 /bin/x\n"
		     "assay: no frames of a signal handler\n"
		     "assay: process: 71\n"
		     "assay: started: 1488369600.000000005\n"
		     "assay: name of thread 72: la%3Dte\n");
}

static void read_timed(struct mem_read *r, const struct file *f, bool moments)
{
	struct mem_how how = {.fmt = &as_format_gperf,
		.detail = AS_DETAIL_FULL,
		.strict = true,
		.moments = moments};

	mem_read(r, &how, (struct as_slice){f->data, f->n});
	assert_int_equal(r->rc, AS_OK);
	assert_int_equal(r->findings.row.n, 0);
}

static void test_each_thread_is_a_part_and_each_record_a_moment(void **state)
{
	static const struct as_moment want[] = {{.time = 300, .value = 2, .part = 1},
		{.time = 500, .value = 1, .part = 0}, {.time = 700, .value = 1, .part = 0},
		{.time = 900, .value = 4, .part = 2}};
	static struct file f;
	struct as_moments_cur cur;
	struct mem_read r;

	(void)state;
	timed_file(&f, SLOTS(4, 4, 0x1010, 0x1020, THREAD(73), TIME(900)));
	read_timed(&r, &f, true);
	assert_int_equal(r.prof->part.n, 3);
	assert_int_equal(r.prof->part.p[0].tid, 71);
	assert_int_equal(r.prof->part.p[1].tid, 72);
	assert_int_equal(r.prof->part.p[1].pid, 71);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[1].thread), "la=te"));
	assert_int_equal(r.prof->moments.n, AS_ARRAY_LEN(want));
	assert_int_equal(r.prof->moments.left, 0);
	as_moments_begin(&cur, &r.prof->moments);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		assert_true(as_moments_next(&cur));
		assert_true(cur.at.time == want[i].time && cur.at.value == want[i].value);
		assert_int_equal(cur.at.part, want[i].part);
	}
	assert_int_equal(r.prof->sample.node.n, 3); /* no mark is a frame */
	assert_int_equal(r.prof->node.parent.n, 4);
	mem_read_free(&r);
}

static void test_moments_that_nobody_asked_for_are_counted(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	timed_file(&f, SLOTS(4, 4, 0x1010, 0x1020, THREAD(73), TIME(900)));
	read_timed(&r, &f, false);
	assert_int_equal(r.prof->moments.n, 0);
	assert_int_equal(r.prof->moments.left, 4);
	assert_true(r.prof->total[0] == 8);
	mem_read_free(&r);
}

static void test_the_only_thread_keeps_the_name_that_its_tally_has(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	file_begin(&f, 8, false);
	file_slots(&f, SLOTS(0, 3, 0, 10000, GP_TIMED));
	file_slots(&f, SLOTS(1, 4, 0x1010, 0x1020, THREAD(71), TIME(500)));
	file_slots(&f, SLOTS(0, 1, 0));
	file_text(&f, "1000-2000 r-xp 00000000 08:01 7 /bin/x\n"
		      "assay: no frames of a signal handler\n"
		      "assay: threads: 1 1 main\n");
	read_timed(&r, &f, true);
	assert_int_equal(r.prof->part.n, 1);
	assert_int_equal(r.prof->part.p[0].tid, 71);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].thread), "main"));
	mem_read_free(&r);
}

#define NO_TIME TIME(GP_NO_TIME >> 8)

/* What the sampler writes where it is only asked of which thread stacks are. */
static void test_threads_without_times_are_labels(void **state)
{
	static struct file f;
	struct mem_read r;
	struct as_whose w;

	(void)state;
	file_begin(&f, 8, false);
	file_slots(&f, SLOTS(0, 3, 0, 10000, GP_TIMED));
	file_slots(&f, SLOTS(2, 1, 0x1010)); /* of no thread */
	file_slots(&f, SLOTS(3, 4, 0x1010, 0x1020, THREAD(71), NO_TIME));
	file_slots(&f, SLOTS(5, 4, 0x1010, 0x1020, THREAD(72), NO_TIME));
	file_slots(&f, SLOTS(0, 1, 0));
	file_text(&f, "1000-2000 r-xp 00000000 08:01 7 /bin/x\n"
		      "assay: no frames of a signal handler\n"
		      "assay: name of thread 72: late\n");
	read_timed(&r, &f, true);
	assert_int_equal(r.prof->moments.n + r.prof->moments.left, 0);
	assert_int_equal(r.prof->part.n, 3);
	assert_false(r.prof->part.p[0].has_tid); /* the process, with what is of no thread */
	assert_int_equal(r.prof->part.p[1].n_labels, 1);
	w = as_part_whose(r.prof, 2);
	assert_int_equal(w.tid, 72);
	assert_true(as_slice_is(w.thread, "late"));
	assert_int_equal(r.prof->sample.node.n, 3);
	assert_true(r.prof->total[0] == 10);
	mem_read_free(&r);
}

/* As in a sandbox, or of a stack for which there was no room. */
static void test_a_sample_without_a_time_leaves_no_moments(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	timed_file(&f, SLOTS(4, 1, 0x1010));
	read_timed(&r, &f, true);
	assert_int_equal(r.prof->moments.n, 0);
	assert_int_equal(r.prof->moments.left, 3);
	assert_true(r.prof->total[0] == 8);
	mem_read_free(&r);
}

static void test_running_out_of_memory_is_an_answer_there_too(void **state)
{
	static struct file f;

	(void)state;
	timed_file(&f, SLOTS(4, 4, 0x1010, 0x1020, THREAD(73), TIME(900)));
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct mem_how how = {.fmt = &as_format_gperf, .al = &fa.al, .moments = true};
		struct mem_read r;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		mem_read(&r, &how, (struct as_slice){f.data, f.n});
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int gperf_when_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_thread_is_a_part_and_each_record_a_moment),
		cmocka_unit_test(test_moments_that_nobody_asked_for_are_counted),
		cmocka_unit_test(test_the_only_thread_keeps_the_name_that_its_tally_has),
		cmocka_unit_test(test_threads_without_times_are_labels),
		cmocka_unit_test(test_a_sample_without_a_time_leaves_no_moments),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer_there_too),
	};

	return cmocka_run_group_tests_name("gperf_when", tests, NULL, NULL);
}
