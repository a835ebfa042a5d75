/* SPDX-License-Identifier: Apache-2.0 */
/* Files made here, record by record, whose figures are known. */
#include "formats/perfdata/perfdata_testing.h"
#include "lib/fail_alloc.h"

int perfdata_tests(void);

static void test_callers_are_one_less_and_parts_are_told_by_marks(void **state)
{
	struct sample s = {.pid = 7,
		.time = 5,
		.period = 10,
		.mode = AS_PERF_MODE_KERNEL,
		.chain = {AS_PERF_CONTEXT_KERNEL, 0xffffffff81000100, 0xffffffff81000200,
			AS_PERF_CONTEXT_USER, 0x1500, 0x1600},
		.n = 6};
	static struct file f;
	struct mem_read r;
	char text[512];

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		begin_pipe(&f, &clock_event, 1, swap);
		put_mmap(&f, UINT32_MAX, 0, 0xffffffff81000000, "[kernel.kallsyms]_text");
		put_mmap(&f, 7, 1, 0x1000, "/bin/prog");
		put_sample(&f, &s);
		read_file(&r, &f);
		assert_string_equal(paths_of(r.prof, text, sizeof(text)),
			"[kernel.kallsyms]+ffffffff81000100 < [kernel.kallsyms]+ffffffff810001ff < "
			"/bin/prog+4500 < /bin/prog+45ff\n");
		assert_int_equal(total(r.prof, "cpu-clock"), 10);
		assert_int_equal(total(r.prof, "cpu-clock samples"), 1);
		mem_read_free(&r);
	}
}

static void test_addresses_mean_what_was_mapped_at_their_time(void **state)
{
	static struct file f;
	struct mem_read r;
	struct sample s;
	char text[512];

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	/* the buffer of a second processor comes first, though it is later */
	s = user(7, 30, 0x1100);
	put_sample(&f, &s);
	put_mmap(&f, 7, 10, 0x1000, "/lib/old.so");
	s = user(7, 15, 0x1100);
	put_sample(&f, &s);
	put_mmap(&f, 7, 20, 0x1000, "/lib/new.so");
	s = user(7, 5, 0x1100);
	put_sample(&f, &s);
	read_file(&r, &f);
	paths_of(r.prof, text, sizeof(text));
	assert_non_null(strstr(text, "/lib/old.so+4100\n"));
	assert_non_null(strstr(text, "/lib/new.so+4100\n"));
	assert_non_null(strstr(text, "[unknown]+"));
	assert_int_equal(r.prof->sample.node.n, 3);
	assert_int_equal(r.prof->duration, 25);
	mem_read_free(&r);
}

static void test_child_has_what_its_parent_has_but_not_if_perf_made_the_record_up(void **state)
{
	static struct file f;
	struct mem_read r;
	struct sample s;
	char text[512];

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_comm(&f, 7, 1, "init", true);
	put_mmap(&f, 7, 2, 0x1000, "/bin/init");
	put_fork(&f, 8, 7, 3, 0);
	put_fork(&f, 9, 7, 3, AS_PERF_MISC_FORK_EXEC);
	s = user(8, 4, 0x1100);
	put_sample(&f, &s);
	s = user(9, 4, 0x1100);
	put_sample(&f, &s);
	put_comm(&f, 8, 5, "ls", true);
	s = user(8, 6, 0x1100);
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_string_equal(paths_of(r.prof, text, sizeof(text)),
		"/bin/init+4100\n[unknown]+1fffffff4010\n[unknown]+1fffffff4010\n");
	assert_int_equal(r.prof->part.n, 3);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].thread), "init"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[1].thread), ":9"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[2].command), "ls"));
	assert_int_equal(r.prof->part.p[2].pid, 8);
	mem_read_free(&r);
}

static void test_code_that_nobody_knows_is_one_frame(void **state)
{
	static struct file f;
	struct mem_read r;
	struct sample s = {.pid = 7,
		.time = 9,
		.period = 1,
		.chain = {AS_PERF_CONTEXT_USER, 0x8000, 0x9000, 0x1100, 0x7000, 0x6000},
		.n = 6};
	char text[512];

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_mmap(&f, 7, 2, 0x1000, "/bin/x");
	put_sample(&f, &s);
	read_file(&r, &f);
	assert_string_equal(paths_of(r.prof, text, sizeof(text)),
		"[unknown]+1fffffff4010 < /bin/x+40ff < [unknown]+1fffffff4010\n");
	mem_read_free(&r);
}

static void test_each_event_has_its_weight_and_its_samples(void **state)
{
	const struct event ev[] = {clock_event,
		{.type = 1, .config = 2, .period = 100, .sample_type = USUAL & ~AS_PERF_S_PERIOD}};
	static struct file f;
	struct mem_read r;
	struct sample s;

	(void)state;
	begin_pipe(&f, ev, 2, false);
	put_mmap(&f, 7, 1, 0x1000, "/bin/prog");
	s = user(7, 2, 0x1100);
	s.period = 250;
	put_sample(&f, &s);
	s.id = 101;
	put_sample(&f, &s);
	s.id = 201;
	begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_USER);
	put64(&f, s.id);
	put64(&f, 0x1100);
	put32(&f, 7);
	put32(&f, 7);
	put64(&f, 3);
	put64(&f, 0);
	end(&f);
	read_file(&r, &f);
	assert_int_equal(total(r.prof, "cpu-clock"), 500);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 2);
	assert_int_equal(total(r.prof, "page-faults"), 100);
	assert_int_equal(total(r.prof, "page-faults samples"), 1);
	mem_read_free(&r);
}

static void test_members_of_a_group_weigh_what_their_counters_moved(void **state)
{
	const struct event ev[] = {{.type = 1,
					   .period = 999,
					   .sample_type = USUAL | AS_PERF_S_READ,
					   .read_format = AS_PERF_R_GROUP | AS_PERF_R_ID,
					   .freq = true},
		{.type = 1,
			.config = 2,
			.sample_type = USUAL | AS_PERF_S_READ,
			.read_format = AS_PERF_R_GROUP | AS_PERF_R_ID}};
	const uint64_t count[][2] = {{1000, 5}, {1500, 5}, {2100, 9}};
	static struct file f;
	struct mem_read r;

	(void)state;
	begin_pipe(&f, ev, 2, false);
	for (size_t i = 0; i < AS_ARRAY_LEN(count); i++) {
		begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_USER);
		put64(&f, 100);
		put64(&f, 0x1100);
		put32(&f, 7);
		put32(&f, 7);
		put64(&f, i + 1);
		put64(&f, 77777); /* the period is not what was counted */
		put64(&f, 2);
		put64(&f, count[i][0]);
		put64(&f, 100);
		put64(&f, count[i][1]);
		put64(&f, 200);
		put64(&f, 0);
		end(&f);
	}
	read_file(&r, &f);
	assert_int_equal(total(r.prof, "cpu-clock"), 2100);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 3);
	assert_int_equal(total(r.prof, "page-faults"), 9);
	assert_int_equal(total(r.prof, "page-faults samples"), 2);
	mem_read_free(&r);
}

static void test_lost_samples_are_not_added_to_lost_records_of_the_same(void **state)
{
	struct event ev = clock_event;
	static struct file f;
	struct mem_read r;

	(void)state;
	for (int counts = 0; counts < 2; counts++) {
		ev.read_format = counts ? AS_PERF_R_LOST : 0;
		begin_pipe(&f, &ev, 1, false);
		put_sample(&f, &(struct sample){.pid = 7, .time = 1, .period = 1});
		begin(&f, AS_PERF_LOST, 0);
		put64(&f, 100);
		put64(&f, 16);
		trailer(&f, 7, 2);
		begin(&f, AS_PERF_LOST_SAMPLES, 0);
		put64(&f, 15);
		trailer(&f, 7, 3);
		begin(&f, AS_PERF_LOST_SAMPLES, AS_PERF_MISC_LOST_BY_BPF);
		put64(&f, 40);
		trailer(&f, 7, 3);
		read_file(&r, &f);
		assert_true(as_slice_is(
			as_meta_get(r.prof, 0, "assay: samples lost"), counts ? "15" : "31"));
		assert_int_equal(r.findings.count[AS_F_PD_LOST], 1);
		mem_read_free(&r);
	}
}

static void test_symbols_of_the_kernel_name_its_code_while_they_are_there(void **state)
{
	struct sample s = {.pid = 7,
		.period = 1,
		.mode = AS_PERF_MODE_KERNEL,
		.chain = {AS_PERF_CONTEXT_KERNEL, 0xffffffffc0000010},
		.n = 2};
	static struct file f;
	struct mem_read r;
	unsigned named = 0;

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	for (uint64_t time = 1; time <= 3; time++) {
		s.time = 10 * time;
		put_sample(&f, &s);
		begin(&f, AS_PERF_KSYMBOL, 0);
		put64(&f, 0xffffffffc0000000);
		put32(&f, 0x100);
		put16(&f, 1);
		put16(&f, time == 2);
		put_text(&f, "bpf_prog_1_count");
		trailer(&f, 0, 10 * time + 5);
	}
	read_file(&r, &f);
	for (size_t i = 1; i < r.prof->func.name.n; i++)
		named += as_slice_is(
			as_func_name(r.prof, (as_func){(uint32_t)i}), "bpf_prog_1_count");
	assert_int_equal(named, 1);
	assert_int_equal(r.prof->sample.node.n, 2);
	assert_int_equal(total(r.prof, "cpu-clock samples"), 3);
	mem_read_free(&r);
}

static void read_moments(struct mem_read *r, const struct file *f, bool moments)
{
	struct mem_how how = {
		.fmt = &as_format_perfdata, .detail = AS_DETAIL_FULL, .moments = moments};

	mem_read(r, &how, (struct as_slice){f->p, f->n});
	assert_int_equal(r->rc, AS_OK);
}

static void test_each_sample_has_its_moments_if_they_are_asked_for(void **state)
{
	static struct file f;
	struct as_moments_cur cur;
	struct sample s[3] = {user(7, 50, 0x1100), user(7, 20, 0x1200), user(7, 35, 0x1100)};
	struct mem_read r;

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	s[2].period = 0; /* it has no weight, and is one all the same */
	for (size_t i = 0; i < AS_ARRAY_LEN(s); i++)
		put_sample(&f, &s[i]);
	read_moments(&r, &f, true);
	assert_int_equal(r.prof->moments.n, 5);
	assert_int_equal(r.prof->moments.left, 0);
	as_moments_begin(&cur, &r.prof->moments);
	for (size_t i = 0; i < 5; i++) {
		static const int64_t time[] = {0, 0, 15, 30, 30};

		assert_true(as_moments_next(&cur));
		assert_int_equal(cur.at.time, time[i]);
		assert_int_equal(cur.at.duration, 0);
		assert_int_equal(cur.at.value, cur.at.event == 0 ? 10 : 1);
	}
	mem_read_free(&r);
	read_moments(&r, &f, false);
	assert_int_equal(r.prof->moments.n, 0);
	assert_int_equal(r.prof->moments.left, 5);
	mem_read_free(&r);
}

/* The second event's samples do not say when they were, or say a time that no clock shows. */
static void test_where_one_sample_has_no_time_there_are_no_moments(void **state)
{
	const struct event ev[] = {clock_event,
		{.type = 1, .config = 2, .period = 100, .sample_type = USUAL & ~AS_PERF_S_TIME}};
	static struct file f;
	struct sample s = user(7, 20, 0x1100);
	struct mem_read r;

	(void)state;
	for (int timeless = 0; timeless < 2; timeless++) {
		begin_pipe(&f, ev, 2, false);
		put_sample(&f, &s);
		begin(&f, AS_PERF_SAMPLE, AS_PERF_MODE_USER);
		put64(&f, timeless ? 201 : 100);
		put64(&f, 0x1100);
		put32(&f, 7);
		put32(&f, 7);
		if (!timeless)
			put64(&f, UINT64_MAX);
		put64(&f, 10);
		put64(&f, 0);
		end(&f);
		read_moments(&r, &f, true);
		assert_int_equal(r.prof->moments.n, 0);
		assert_int_equal(r.prof->moments.left, timeless ? 2 : 4);
		mem_read_free(&r);
	}
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	static struct file f;
	struct sample s = user(7, 2, 0x1100);

	(void)state;
	begin_pipe(&f, &clock_event, 1, false);
	put_comm(&f, 7, 1, "prog", true);
	put_mmap(&f, 7, 1, 0x1000, "/bin/prog");
	put_sample(&f, &s);
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct mem_how how = {.fmt = &as_format_perfdata, .al = &fa.al, .moments = true};
		struct mem_read r;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		mem_read(&r, &how, (struct as_slice){f.p, f.n});
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int perfdata_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callers_are_one_less_and_parts_are_told_by_marks),
		cmocka_unit_test(test_addresses_mean_what_was_mapped_at_their_time),
		cmocka_unit_test(
			test_child_has_what_its_parent_has_but_not_if_perf_made_the_record_up),
		cmocka_unit_test(test_code_that_nobody_knows_is_one_frame),
		cmocka_unit_test(test_each_event_has_its_weight_and_its_samples),
		cmocka_unit_test(test_members_of_a_group_weigh_what_their_counters_moved),
		cmocka_unit_test(test_lost_samples_are_not_added_to_lost_records_of_the_same),
		cmocka_unit_test(test_symbols_of_the_kernel_name_its_code_while_they_are_there),
		cmocka_unit_test(test_each_sample_has_its_moments_if_they_are_asked_for),
		cmocka_unit_test(test_where_one_sample_has_no_time_there_are_no_moments),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("perfdata", tests, NULL, NULL);
}
