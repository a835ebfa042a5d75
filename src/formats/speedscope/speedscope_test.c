/* SPDX-License-Identifier: Apache-2.0 */
/* What goldens cannot show: memory that runs out, names, limits, and files like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/speedscope/speedscope.h"
#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_speedscope;

#define HEAD                           \
	"{\"$schema\":\"" AS_SS_SCHEMA \
	"\",\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},"
#define PROFILE(type, lists)                                                            \
	"\"profiles\":[{\"type\":\"" type "\",\"name\":\"x\",\"unit\":\"nanoseconds\"," \
	"\"startValue\":7,\"endValue\":99," lists "}]}"
#define SAMPLED HEAD PROFILE("sampled", "\"samples\":[[0,1],[0],[0,1]],\"weights\":[10,5,20]")
#define EVENTED                                                                                  \
	HEAD PROFILE("evented",                                                                  \
		"\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":7},{\"type\":\"O\",\"frame\":1," \
		"\"at\":9},{\"type\":\"C\",\"frame\":1,\"at\":19},{\"type\":\"C\",\"frame\":0,"  \
		"\"at\":20}]")

static const struct mem_how full = {
	.fmt = &as_format_speedscope, .detail = AS_DETAIL_FULL, .moments = true};

static void test_running_out_of_memory_is_an_answer(void **state)
{
	(void)state;
	mem_starve(&as_format_speedscope, as_slice_of(SAMPLED));
	mem_starve(&as_format_speedscope, as_slice_of(EVENTED));
}

struct named {
	const char *text, *thread, *process, *event, *samples;
	int64_t pid, tid; /* -1: it does not say */
};

static void test_names_say_threads_and_events(void **state)
{
	static const struct named names[] = {
		{"main", "main", "", "", "", -1, -1},
		{"", "", "", "", "", -1, -1},
		{"Process 7 Thread 8 \"Main \"", "Main ", "", "", "", 7, 8},
		{"Process 7 Thread 8", "", "", "", "", 7, 8},
		{"Process 7 Thread 140213141000000", "Process 7 Thread 140213141000000", "", "", "",
			-1, -1},
		{"io pool 12 pid: 7 tid: 8", "io pool 12", "", "", "", 7, 8},
		{"a tid: 5 tid: 8", "a tid: 5", "", "", "", -1, 8},
		{"a pid: 5", "a", "", "", "", 5, -1},
		{"pid: 5 tid: 6", "", "", "", "", 5, 6},
		{"rapid: 5", "rapid: 5", "", "", "", -1, -1},
		{"a pid: x tid: 6", "a pid: x tid: 6", "", "", "", -1, -1},
		{"web (pid 1), T (x) (tid 2)", "T (x)", "web", "", "", 1, 2},
		{"one (pid 1, tid 2)", "one", "", "", "", 1, 2},
		{"pid 1, tid 2", "", "", "", "", 1, 2},
		{"one (pid 1, tid 2", "one (pid 1, tid 2", "", "", "", -1, -1},
		{"pid 1, tid 2)", "pid 1, tid 2)", "", "", "", -1, -1},
		{"T tid: 3, event: cycles:u", "T", "", "cycles:u", "", -1, 3},
		{"T (aggregated), event: cpu, x", "T", "", "cpu, x", "", -1, -1},
		{"T, event: cpu, samples: n", "T", "", "cpu", "n", -1, -1},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		const struct named *want = &names[i];
		struct as_ss_name is;

		as_ss_name(as_slice_of(want->text), &is);
		if (!as_slice_is(is.thread, want->thread) ||
			!as_slice_is(is.process, want->process))
			fail_msg("%s: '%.*s' of '%.*s'", want->text, AS_SLICE_FMT(is.thread),
				AS_SLICE_FMT(is.process));
		assert_true(as_slice_is(is.event, want->event));
		assert_true(as_slice_is(is.samples, want->samples));
		assert_int_equal(is.has_pid ? (int64_t)is.pid : -1, want->pid);
		assert_int_equal(is.has_tid ? (int64_t)is.tid : -1, want->tid);
	}
}

static void test_a_stack_may_be_too_deep(void **state)
{
	static const char head[] = HEAD "\"profiles\":[{\"samples\":[[0", end[] = "]]}]}";
	size_t n = sizeof(head) - 1, frames = 1 << 16;
	char *text = malloc(n + 2 * frames + sizeof(end));
	struct mem_read r;

	(void)state;
	assert_non_null(text);
	memcpy(text, head, n);
	for (size_t i = 0; i < frames; i++)
		memcpy(text + n + 2 * i, ",0", 2);
	memcpy(text + n + 2 * frames, end, sizeof(end));
	mem_read(&r, &full, as_slice_of(text));
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
	free(text);
}

static void test_times_beyond_64_bits_are_refused(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &full,
		as_slice_of(HEAD PROFILE(
			"sampled", "\"samples\":[[0],[1]],\"weights\":[9223372036854775807,1]")));
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
}

static void test_costs_that_speedscope_cannot_show_are_told(void **state)
{
	struct mem_written w;
	struct mem_read r;
	bool told = false;

	(void)state;
	mem_read(&r, &full,
		as_slice_of(HEAD PROFILE(
			"sampled", "\"samples\":[[0]],\"weights\":[9007199254740993]")));
	assert_int_equal(r.rc, AS_OK);
	mem_write(&w, &as_format_speedscope, r.prof);
	assert_int_equal(w.rc, AS_OK);
	for (size_t i = 0; i < w.losses.row.n; i++)
		told |= strcmp(w.losses.row.p[i].kind, "large-numbers") == 0;
	assert_true(told);
	mem_written_free(&w);
	mem_read_free(&r);
}

/* Reads a golden file. */
static struct as_slice golden(const char *name)
{
	return mem_golden(&as_format_speedscope, name);
}

static void test_what_is_odd_is_told(void **state)
{
	static const struct {
		const char *name;
		enum as_finding_id id;
		bool partial;
	} row[] = {
		{"unit.json", AS_F_SS_UNIT, false},
		{"rounded.json", AS_F_SS_ROUNDED, false},
		{"negative.json", AS_F_SS_NEGATIVE, false},
		{"weights_missing.json", AS_F_SS_WEIGHTS, true},
		{"late.json", AS_F_SS_LATE, true},
		{"nesting.json", AS_F_SS_NESTING, true},
		{"open.json", AS_F_SS_OPEN, true},
		{"frame.json", AS_F_SS_FRAME, true},
		{"range.json", AS_F_COUNT_RANGE, true},
		{"empty.json", AS_F_NO_SAMPLES, false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		mem_is_told(&full, golden(row[i].name), row[i].name, row[i].id, row[i].partial);
}

static void test_other_json_is_none_of_it(void **state)
{
	static const struct {
		const char *text;
		enum as_probe probe;
	} row[] = {
		{SAMPLED, AS_PROBE_SURE},
		{" \r\n{\"name\":{},\"$schema\":\"" AS_SS_SCHEMA "\"", AS_PROBE_SURE},
		{"{\"profiles\":[{\"name\":\"x\",\"type\":\"evented\"", AS_PROBE_MAGIC},
		{"{\"$schema\":\"https://json-schema.org/draft\"}", AS_PROBE_NO},
		{"{\"profiles\":[{\"type\":\"other\"}]}", AS_PROBE_NO},
		{"{\"profiles\":[]}", AS_PROBE_NO},
		{"{\"nodes\":[]}", AS_PROBE_NO},
		{"[]", AS_PROBE_NO},
		{"", AS_PROBE_NO},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_peek pk = {.head = as_slice_of(row[i].text), .whole = true};

		assert_int_equal(as_format_speedscope.probe(&pk), row[i].probe);
	}
}

static void test_what_is_cut_keeps_what_was_counted(void **state)
{
	static const char sampled[] =
		"{\"shared\":{\"frames\":[{\"name\":\"f\"},{\"name\":\"g\"}]},"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"x\",\"unit\":\"seconds\","
		"\"startValue\":0,\"endValue\":999,\"samples\":[[0],[0,1]],\"weights\":[10,200]},"
		"{\"type\":\"evented\",\"name\":\"y\",\"unit\":\"seconds\",\"startValue\":0,"
		"\"endValue\":999,\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":1},"
		"{\"type\":\"C\",\"frame\":0,\"at\":999}]}]}";

	(void)state;
	mem_keeps_what_is_cut(&full, as_slice_of(sampled), "200]");
}

/* Frames that come last are not known. */
static void test_what_is_cut_before_its_frames_is_refused(void **state)
{
	struct as_slice text =
		as_slice_of("{\"profiles\":[{\"type\":\"sampled\",\"name\":\"x\",\"unit\":\"none\","
			    "\"startValue\":0,\"endValue\":9,\"samples\":[[0]],\"weights\":[1]}],"
			    "\"shared\":{\"frames\":[{\"name\":\"f\"}]}}");
	size_t frames = as_slice_find_text(text, "]}}") + 1;

	(void)state;
	for (size_t n = 1; n < text.len; n++) {
		struct mem_read r;

		mem_read(&r, &full, (struct as_slice){text.p, n});
		assert_int_equal(r.rc, n < frames ? AS_E_TRUNC : AS_OK);
		mem_read_free(&r);
	}
}

int speedscope_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
		cmocka_unit_test(test_names_say_threads_and_events),
		cmocka_unit_test(test_a_stack_may_be_too_deep),
		cmocka_unit_test(test_times_beyond_64_bits_are_refused),
		cmocka_unit_test(test_costs_that_speedscope_cannot_show_are_told),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_what_is_cut_keeps_what_was_counted),
		cmocka_unit_test(test_what_is_cut_before_its_frames_is_refused),
		cmocka_unit_test(test_other_json_is_none_of_it),
	};

	return cmocka_run_group_tests_name("speedscope", tests, NULL, NULL);
}
