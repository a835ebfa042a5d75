/* SPDX-License-Identifier: Apache-2.0 */
/* What goldens cannot show: memory that runs out, findings, and files like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/traceevent/traceevent.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_cpuprofile, as_format_perfscript, as_format_traceevent;

static const struct mem_how full = {
	.fmt = &as_format_traceevent, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_slice golden(const char *name)
{
	return mem_golden(&as_format_traceevent, name);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	(void)state;
	mem_starve(&as_format_traceevent, golden("both.json"));
	mem_starve(&as_format_traceevent, golden("samples.json"));
	mem_starve(&as_format_traceevent, golden("order.json"));
}

static void test_what_is_odd_is_told(void **state)
{
	static const struct {
		const char *text;
		enum as_finding_id id;
		bool partial;
	} row[] = {
		{"[{\"ph\":\"E\",\"ts\":1}]", AS_F_TE_END, true},
		{"[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1},{\"ph\":\"B\",\"name\":\"b\",\"ts\":2},"
		 "{\"ph\":\"E\",\"name\":\"a\",\"ts\":3}]",
			AS_F_TE_NESTING, true},
		{"[{\"ph\":\"B\",\"name\":\"a\",\"ts\":1}]", AS_F_TE_OPEN, true},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":4},"
		 "{\"ph\":\"X\",\"name\":\"b\",\"ts\":2,\"dur\":4}]",
			AS_F_TE_OVERLAP, true},
		{"[{\"ph\":\"B\",\"name\":\"a\"}]", AS_F_TE_TIME, true},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1}]", AS_F_TE_DURATION, true},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":9223372036854775}]",
			AS_F_TE_DURATION, true},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0.0001,\"dur\":1}]", AS_F_TE_ROUNDED, false},
		{"[{\"ph\":\"C\",\"name\":\"a\",\"ts\":1}]", AS_F_TE_OTHER, false},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},", AS_F_TE_UNCLOSED, false},
		{"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},{\"ph\":", AS_F_TRUNCATED,
			true},
		{"{\"traceEvents\":[],\"samples\":[{\"ts\":1,\"sf\":1}]}", AS_F_TE_FRAME, true},
		{"{\"traceEvents\":[],\"samples\":[{\"ts\":1,\"sf\":1,\"weight\":\"x\"}],"
		 "\"stackFrames\":{\"1\":{\"name\":\"a\"}}}",
			AS_F_TE_WEIGHT, true},
		{"[]", AS_F_NO_SAMPLES, false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		mem_is_told(
			&full, as_slice_of(row[i].text), row[i].text, row[i].id, row[i].partial);
}

static void test_other_json_is_none_of_it(void **state)
{
	static const struct {
		const char *text;
		enum as_probe probe;
	} row[] = {
		{"{\"traceEvents\":[", AS_PROBE_MAGIC},
		{"\xef\xbb\xbf {\"metadata\":{\"a\":[1,{}]},\"traceEvents\":[", AS_PROBE_MAGIC},
		{"[\n {\"pid\":0,\"args\":{\"ph\":1},\"ph\":\"B\"", AS_PROBE_MAGIC},
		{"[{\"args\":{\"ph\":\"X\"}}]", AS_PROBE_NO},
		{"[{\"ph\":1}]", AS_PROBE_NO},
		{"[]", AS_PROBE_NO},
		{"[1]", AS_PROBE_NO},
		{"{\"nodes\":[{\"callFrame\":{\"traceEvents\":1}}]}", AS_PROBE_NO},
		{"", AS_PROBE_NO},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_peek pk = {.head = as_slice_of(row[i].text), .whole = true};

		assert_int_equal(as_format_traceevent.probe(&pk), row[i].probe);
	}
}

/* Of each sample the line that it was at; a piece may have none. */
static void test_samples_of_v8_have_lines(void **state)
{
	static const char text[] =
		"[{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":1,\"id\":\"0x1\",\"ts\":0,"
		"\"args\":{\"data\":{\"startTime\":0}}},"
		"{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":"
		"1,"
		"\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":"
		"{\"functionName\":\"f\",\"url\":\"a.js\",\"lineNumber\":3}}],\"samples\":[1,1]},"
		"\"timeDeltas\":[1,1]}}},"
		"{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":"
		"2,"
		"\"args\":{\"data\":{\"cpuProfile\":{\"samples\":[1,1,1]},\"timeDeltas\":[1,1,1],"
		"\"lines\":[7,0,7]}}}]";
	struct mem_read r;
	uint64_t at_7 = 0;
	uint32_t event;

	(void)state;
	mem_read(&r, &full, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_true(as_profile_event(r.prof, as_slice_of("samples"), &event));
	for (size_t i = 0; i < r.prof->sample.node.n; i++) {
		as_place place = r.prof->node.place.p[r.prof->sample.node.p[i].i];

		if (r.prof->place.line.p[place.i] == 7)
			at_7 += (uint64_t)r.prof->sample.cost.p[i * r.prof->event.n + event];
	}
	assert_int_equal(at_7, 2);
	assert_true(r.prof->total[event] == 5);
	mem_read_free(&r);
}

/* What TEXT is written as. */
static void write_it(struct mem_written *w, const struct as_format *fmt, const char *text,
	bool when, const char *event)
{
	const char *pair = event;
	struct mem_how how = {.fmt = fmt, .detail = AS_DETAIL_FULL, .moments = when};
	struct mem_read r;

	mem_read(&r, &how, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	mem_write_with(w, &as_format_traceevent, r.prof, 0, (struct as_opts){&pair, pair != NULL});
	mem_read_free(&r);
}

/* Costs of EVENT in what W has, as it is read; -1: there is none. */
static int64_t comes_back(const struct mem_written *w, const char *event)
{
	struct mem_read r;
	uint32_t i;
	int64_t all = -1;

	mem_read(&r, &full, mem_bytes(w));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->moments.left, 0);
	if (as_profile_event(r.prof, as_slice_of(event), &i))
		all = (int64_t)r.prof->total[i];
	mem_read_free(&r);
	return all;
}

static const char perf[] = "a 7/7 1.000000001: 250 cycles:\n\t10 f+0x0 (/x)\n\t20 g+0x0 (/x)\n\n"
			   "a 7/8 1.000000003: 350 cycles:\n\n";

static void test_samples_are_written_with_their_weights(void **state)
{
	struct mem_written w;

	(void)state;
	write_it(&w, &as_format_perfscript, perf, true, NULL);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(comes_back(&w, "samples"), 2);
	assert_int_equal(comes_back(&w, "weight"), 600);
	assert_int_equal(comes_back(&w, "calls"), -1);
	mem_written_free(&w);
	write_it(&w, &as_format_perfscript, perf, true, "event=cycles");
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(comes_back(&w, "weight"), 600);
	mem_written_free(&w);
}

/* Time between two samples is drawn as calls, and so is what is around it. */
static void test_time_is_written_as_calls(void **state)
{
	static const char v8[] =
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"
		"\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"f\"},"
		"\"children\":[3]},{\"id\":3,\"callFrame\":{\"functionName\":\"g\"}}],"
		"\"startTime\":0,\"endTime\":60,\"samples\":[2,3,3,2],"
		"\"timeDeltas\":[0,10,10,20]}";
	struct mem_written w;

	(void)state;
	write_it(&w, &as_format_cpuprofile, v8, true, NULL);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(comes_back(&w, "samples"), 4);
	assert_int_equal(comes_back(&w, "time"), 60000);
	assert_int_equal(comes_back(&w, "calls"), 2); /* f from 0 to 60, in it g from 10 to 40 */
	assert_int_equal(mem_lost(&w, "made-calls"), 2);
	mem_written_free(&w);
}

static void test_what_does_not_say_when_is_refused(void **state)
{
	struct mem_written w;

	(void)state;
	write_it(&w, &as_format_perfscript, perf, false, NULL);
	assert_int_equal(w.rc, AS_E_UNSUPPORTED);
	mem_written_free(&w);
	write_it(&w, &as_format_perfscript, perf, true, "event=nothing");
	assert_int_equal(w.rc, AS_E_ARG);
	mem_written_free(&w);
}

int traceevent_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_other_json_is_none_of_it),
		cmocka_unit_test(test_samples_of_v8_have_lines),
		cmocka_unit_test(test_samples_are_written_with_their_weights),
		cmocka_unit_test(test_time_is_written_as_calls),
		cmocka_unit_test(test_what_does_not_say_when_is_refused),
	};

	return cmocka_run_group_tests_name("traceevent", tests, NULL, NULL);
}
