/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are damaged, cut off or odd: what is good stays, and what is not is told. */
#include "formats/perfdata/perfdata_testing.h"

int perfdata_odd_tests(void);

static void assert_found(const struct mem_read *r, enum as_finding_id id, uint64_t n)
{
	if (r->findings.count[id] != n)
		fail_msg("%s: found %" PRIu64 " times, expected %" PRIu64, as_finding_name(id),
			r->findings.count[id], n);
}

/* A file with a header, one event and a sample; SIZE is what the header says of its records, and
 * BITS which features it has. */
static void make_file(struct file *f, uint64_t size, uint64_t bits)
{
	struct sample s = user(7, 1, 0x1100);

	memset(f, 0, sizeof(*f));
	put_bytes(f, "PERFILE2", 8);
	put64(f, PD_HEAD);
	put64(f, PD_ATTR_LEAST + 16);
	put64(f, PD_HEAD);
	put64(f, PD_ATTR_LEAST + 16);
	put64(f, PD_HEAD + PD_ATTR_LEAST + 16);
	put64(f, size);
	put64(f, 0);
	put64(f, 0);
	put64(f, bits);
	for (int i = 0; i < 3; i++)
		put64(f, 0);
	put_attr(f, &clock_event);
	put64(f, 0);
	put64(f, 0);
	put_sample(f, &s);
	put_sample(f, &s);
}

static void test_file_of_killed_recorder_is_read_to_its_end(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	make_file(&f, 0, UINT64_MAX); /* no feature is there, whatever the bits say */
	f.n -= 8;                     /* the last record is cut */
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_KILLED, 1);
	assert_found(&r, AS_F_TRUNCATED, 0);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	mem_read_free(&r);
}

static void test_feature_that_is_not_there_costs_names_only(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	make_file(&f, 0, 0);
	make_file(&f, f.n - PD_HEAD - PD_ATTR_LEAST - 16, 1 << PD_F_BUILD_ID);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_FEATURE, 1);
	assert_true(r.prof->partial);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 2);
	mem_read_free(&r);
}

static void test_input_that_ends_early_keeps_what_was_there(void **state)
{
	static struct file f;
	struct mem_read r;

	(void)state;
	make_file(&f, 1 << 20, 0);
	read_file(&r, &f);
	assert_found(&r, AS_F_TRUNCATED, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 2);
	mem_read_free(&r);
}

static void test_garbled_record_ends_the_reading(void **state)
{
	struct sample s = user(7, 1, 0x1100);
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_sample(&f, &s);
	put64(&f, 0);
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_RECORD, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	mem_read_free(&r);
}

static void test_record_whose_parts_exceed_it_is_left_out(void **state)
{
	struct sample s = user(7, 1, 0x1100);
	static struct file f;
	struct mem_read r;
	size_t at;

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	at = f.n;
	put_sample(&f, &s);
	memset(f.p + at + 8 + 5 * 8, 0xff, 8); /* how many addresses */
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_RECORD, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	mem_read_free(&r);
}

static void put_throttle(struct file *f, enum as_perf_type type, uint64_t time)
{
	begin(f, type, 0);
	put64(f, time);
	put64(f, 100);
	put64(f, 100);
	trailer(f, 7, time);
}

static void test_what_is_missing_is_told(void **state)
{
	struct sample s = user(0, 1, 0x1100);
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_sample(&f, &s); /* of process 0, in a user's code */
	put_throttle(&f, AS_PERF_THROTTLE, 10);
	put_throttle(&f, AS_PERF_UNTHROTTLE, 30);
	begin(&f, AS_PERF_AUX, 0);
	put64(&f, 0);
	put64(&f, 4096);
	put64(&f, 0);
	trailer(&f, 7, 31);
	begin(&f, AS_PERF_KERNEL_TYPES + 7, 0);
	trailer(&f, 7, 32);
	begin(&f, 4000, 0);
	end(&f);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_STRANGERS, 1);
	assert_found(&r, AS_F_PD_THROTTLED, 1);
	assert_found(&r, AS_F_PD_TRACE, 1);
	assert_found(&r, AS_F_PD_TYPE, 1);
	assert_false(r.prof->part.p[0].has_pid);
	assert_true(as_slice_is(as_meta_get(r.prof, 0, "assay: times throttled"), "1"));
	mem_read_free(&r);
}

static void test_samples_that_do_not_say_what_they_weigh_are_counted(void **state)
{
	const struct event ev = {
		.type = 1, .period = 999, .sample_type = AS_PERF_S_IP, .freq = true};
	static struct file f;
	struct mem_read r;
	uint32_t event;

	(void)state;
	begin_pipe(&f, &ev, 1, false);
	begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_USER);
	put64(&f, 0x1100);
	end(&f);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_NO_WEIGHT, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	assert_false(as_profile_event(r.prof, as_slice_of("cpu-clock"), &event));
	mem_read_free(&r);
}

static void test_sample_of_unknown_event_is_taken_for_the_first(void **state)
{
	const struct event ev[] = {clock_event, clock_event};
	struct sample s = user(7, 1, 0x1100);
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, ev, 2, false);
	s.id = 4711;
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_EVENT, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	assert_int_equal(total(r.prof, "cpu-clock (2) samples"), 0);
	mem_read_free(&r);
}

static void test_stacks_that_come_later_are_told(void **state)
{
	const struct event ev = {
		.type = 1, .period = 1, .sample_type = AS_PERF_S_IP | AS_PERF_S_CALLCHAIN};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &ev, 1, false);
	for (int i = 0; i < 2; i++) { /* of one thread, before it is back in user code */
		begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_KERNEL);
		put64(&f, 0xffffffff81001100);
		put64(&f, 4);
		put64(&f, AS_PERF_CONTEXT_KERNEL);
		put64(&f, 0xffffffff81001100);
		put64(&f, AS_PERF_CONTEXT_DEFERRED);
		put64(&f, 77);
		end(&f);
	}
	begin(&f, AS_PERF_CALLCHAIN_DEFERRED, 0);
	put64(&f, 77);
	put64(&f, 1);
	put64(&f, 0x1100);
	end(&f);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_DEFERRED, 1);
	assert_true(as_slice_starts(r.findings.row.p[0].msg, "2 samples have "));
	assert_int_equal(r.prof->node.parent.n, 2); /* the root, and the kernel's frame */
	mem_read_free(&r);
}

static void test_deep_stacks_and_copies_are_told(void **state)
{
	const struct event ev = {.type = 1,
		.period = 1,
		.sample_type = AS_PERF_S_IP | AS_PERF_S_CALLCHAIN | AS_PERF_S_STACK_USER};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &ev, 1, false);
	begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_USER);
	put64(&f, 0x1100);
	put64(&f, 128);
	put64(&f, AS_PERF_CONTEXT_USER);
	for (uint64_t i = 0; i < 127; i++)
		put64(&f, 0x1100 + i);
	put64(&f, 8);
	put64(&f, 0);
	put64(&f, 8);
	end(&f);
	read_file(&r, &f);
	assert_found(&r, AS_F_PD_DEPTH, 1);
	assert_found(&r, AS_F_PD_COPIES, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	mem_read_free(&r);
}

static void test_damaged_zstd_keeps_what_came_before(void **state)
{
	struct mem_how how = {.fmt = &as_format_perfdata, .unpack = as_zstd_unpack()};
	struct sample s = user(7, 1, 0x1100);
	static struct file f;
	struct mem_read r;

	(void)state;
	if (!how.unpack)
		skip();
	begin_pipe(&f, &clock_event, 1, false);
	put_sample(&f, &s);
	begin(&f, PD_COMPRESSED, 0);
	put_text(&f, "this is no zstd");
	end(&f);
	mem_read(&r, &how, (struct as_slice){f.p, f.n});
	assert_int_equal(r.rc, AS_OK);
	assert_found(&r, AS_F_PD_ZSTD, 1);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
	mem_read_free(&r);
	how.unpack = NULL;
	mem_read(&r, &how, (struct as_slice){f.p, f.n});
	assert_int_equal(r.rc, AS_E_UNSUPPORTED);
	mem_read_free(&r);
}

int perfdata_odd_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_of_killed_recorder_is_read_to_its_end),
		cmocka_unit_test(test_feature_that_is_not_there_costs_names_only),
		cmocka_unit_test(test_input_that_ends_early_keeps_what_was_there),
		cmocka_unit_test(test_garbled_record_ends_the_reading),
		cmocka_unit_test(test_record_whose_parts_exceed_it_is_left_out),
		cmocka_unit_test(test_what_is_missing_is_told),
		cmocka_unit_test(test_samples_that_do_not_say_what_they_weigh_are_counted),
		cmocka_unit_test(test_sample_of_unknown_event_is_taken_for_the_first),
		cmocka_unit_test(test_stacks_that_come_later_are_told),
		cmocka_unit_test(test_deep_stacks_and_copies_are_told),
		cmocka_unit_test(test_damaged_zstd_keeps_what_came_before),
	};

	return cmocka_run_group_tests_name("perfdata_odd", tests, NULL, NULL);
}
