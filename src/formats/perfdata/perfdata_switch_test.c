/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do not run, as records and tracepoints tell it. */
#include "formats/perfdata/perfdata_testing.h"

int perfdata_switch_tests(void);

enum { TYPE_SOFTWARE = 1, TYPE_TRACEPOINT = 2, SOFTWARE_SWITCHES = 3 };

static const struct event switches_event = {
	.type = TYPE_SOFTWARE, .config = SOFTWARE_SWITCHES, .period = 1, .sample_type = USUAL};

static void put_switch(struct file *f, uint32_t tid, uint64_t time, uint16_t misc)
{
	begin(f, AS_PERF_SWITCH, misc);
	trailer(f, tid, time);
}

/* What the parts with the label "state" as WANT have of EVENT. */
static as_val of_state(const struct as_profile *prof, const char *want)
{
	as_val sum = 0;
	uint32_t event;

	assert_true(as_profile_event(prof, as_slice_of(AS_OFF_CPU), &event));
	assert_int_equal(event, as_n_events(prof) - 1);
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		const struct as_part *part = &prof->part.p[prof->sample.part.p[i]];

		for (uint32_t k = 0; k < part->n_labels; k++) {
			const struct as_label *label = &prof->label.p[part->first_label + k];

			if (as_slice_is(as_str_get(prof, label->key), AS_STATE) &&
				as_slice_is(as_str_get(prof, label->text), want))
				sum += prof->sample.cost.p[i * as_n_events(prof) + event];
		}
	}
	return sum;
}

static void test_records_of_switches_are_stretches(void **state)
{
	const struct event ev[] = {clock_event, switches_event};
	struct sample s = user(7, 1000, 0x1100);
	static struct file f;
	struct mem_read r;
	char text[512];

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		begin_pipe(&f, ev, AS_ARRAY_LEN(ev), swap);
		put_comm(&f, 7, 1, "work", true);
		put_mmap(&f, 7, 2, 0x1000, "/bin/work");
		s.id = 200;
		put_sample(&f, &s);
		put_switch(&f, 7, 1001, AS_PERF_MISC_OUT);
		put_switch(&f, 7, 1501, 0);
		put_switch(&f, 7, 1600, AS_PERF_MISC_OUT | AS_PERF_MISC_PREEMPT);
		put_switch(&f, 7, 1607, 0);
		put_switch(&f, 7, 1700, AS_PERF_MISC_OUT);
		read_file(&r, &f);
		assert_int_equal(total(r.prof, AS_OFF_CPU), 507);
		assert_int_equal(of_state(r.prof, "waiting"), 500);
		assert_int_equal(of_state(r.prof, "runnable"), 7);
		assert_int_equal(r.findings.count[AS_F_OFF_OPEN], 1);
		assert_int_equal(r.findings.count[AS_F_OFF_STACK], 1);
		assert_non_null(strstr(paths_of(r.prof, text, sizeof(text)), "/bin/work+4100"));
		mem_read_free(&r);
	}
}

static void test_lost_records_end_what_is_known(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &switches_event, 1, false);
	put_switch(&f, 7, 1001, AS_PERF_MISC_OUT);
	begin(&f, AS_PERF_LOST, 0);
	put64(&f, 100);
	put64(&f, 3);
	trailer(&f, 7, 1100);
	put_switch(&f, 7, 1501, 0);
	put_switch(&f, 7, 1600, AS_PERF_MISC_OUT);
	put_switch(&f, 7, 1611, 0);
	read_file(&r, &f);
	assert_int_equal(total(r.prof, AS_OFF_CPU), 11);
	assert_int_equal(r.findings.count[AS_F_OFF_LOST], 1);
	mem_read_free(&r);
}

/* A sample of a tracepoint of TID, whose raw data is a switch from TID in BITS to NEXT. */
static void put_trace(
	struct file *f, uint64_t id, uint32_t tid, uint64_t time, uint64_t bits, uint32_t next)
{
	char raw[64] = {0};
	uint32_t prev = tid;

	memcpy(raw + 24, &prev, sizeof(prev));
	memcpy(raw + 32, &bits, sizeof(bits));
	memcpy(raw + 56, &next, sizeof(next));
	begin(f, AS_PERF_SAMPLE, AS_PERF_MODE_KERNEL);
	put64(f, id);
	put64(f, UINT64_C(0xffffffff81000000));
	put32(f, tid);
	put32(f, tid);
	put64(f, time);
	put64(f, 1);
	put64(f, 0);
	put32(f, sizeof(raw) + 4);
	put_bytes(f, raw, sizeof(raw));
	put32(f, 0);
	end(f);
}

static void trace_event(struct file *f, struct event ev, const char *name)
{
	begin_pipe(f, &ev, 1, false);
	begin(f, PD_EVENT_UPDATE, 0);
	put64(f, 2);
	put64(f, 100);
	put_text(f, name);
	end(f);
}

static void test_tracepoint_tells_the_state_and_who_is_next(void **state)
{
	const struct event ev = {.type = TYPE_TRACEPOINT,
		.config = 300,
		.period = 1,
		.sample_type = USUAL | AS_PERF_S_RAW};
	static struct file f;
	struct mem_read r;

	(void)state;
	trace_event(&f, ev, "sched:sched_switch");
	put_trace(&f, 100, 7, 1000, 2, 8);
	put_trace(&f, 100, 8, 1500, 0, 7);
	put_trace(&f, 100, 7, 1600, 1, 8);
	read_file(&r, &f);
	assert_int_equal(total(r.prof, "sched:sched_switch"), 3);
	assert_int_equal(of_state(r.prof, "blocked"), 500);
	assert_int_equal(of_state(r.prof, "runnable"), 100);
	assert_int_equal(total(r.prof, AS_OFF_CPU), 600);
	mem_read_free(&r);
}

static void test_some_switches_of_a_tracepoint_are_no_stretches(void **state)
{
	const struct event ev = {.type = TYPE_TRACEPOINT,
		.config = 300,
		.period = 99,
		.freq = true,
		.sample_type = USUAL | AS_PERF_S_RAW};
	static struct file f;
	struct mem_read r;
	uint32_t event;

	(void)state;
	trace_event(&f, ev, "sched:sched_switch");
	put_trace(&f, 100, 7, 1000, 2, 8);
	put_trace(&f, 100, 8, 1500, 0, 7);
	read_file(&r, &f);
	assert_false(as_profile_event(r.prof, as_slice_of(AS_OFF_CPU), &event));
	assert_int_equal(r.findings.count[AS_F_OFF_SAMPLED], 1);
	mem_read_free(&r);
}

static void test_own_count_of_perf_is_time_that_was_waited(void **state)
{
	struct sample s = user(7, 9000, 0x1100);
	static struct file f;
	struct mem_read r;

	(void)state;
	trace_event(&f, (struct event){.type = TYPE_SOFTWARE, .config = 10, .sample_type = USUAL},
		"offcpu-time");
	s.period = 4000;
	put_sample(&f, &s);
	s.time = ~UINT64_C(0) << 32;
	s.period = 50;
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_int_equal(as_n_events(r.prof), 1);
	assert_int_equal(of_state(r.prof, "waiting"), 4050);
	mem_read_free(&r);
}

int perfdata_switch_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_of_switches_are_stretches),
		cmocka_unit_test(test_lost_records_end_what_is_known),
		cmocka_unit_test(test_tracepoint_tells_the_state_and_who_is_next),
		cmocka_unit_test(test_some_switches_of_a_tracepoint_are_no_stretches),
		cmocka_unit_test(test_own_count_of_perf_is_time_that_was_waited),
	};

	return cmocka_run_group_tests_name("perfdata_switch", tests, NULL, NULL);
}
