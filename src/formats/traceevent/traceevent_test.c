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

extern const struct as_format as_format_traceevent;

static const struct mem_how full = {
	.fmt = &as_format_traceevent, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_slice golden(const char *name)
{
	return mem_golden(&as_format_traceevent, name);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	(void)state;
	mem_starve_reading(full, golden("both.json"));
	mem_starve_reading(full, golden("samples.json"));
	mem_starve_reading(full, golden("order.json"));
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

int traceevent_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_other_json_is_none_of_it),
	};

	return cmocka_run_group_tests_name("traceevent", tests, NULL, NULL);
}
