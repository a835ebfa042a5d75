/* SPDX-License-Identifier: Apache-2.0 */
/* What goldens cannot show: memory that runs out, findings, and files like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/traceevent/traceevent.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"

extern const struct as_format as_format_traceevent;

static const struct mem_how full = {
	.fmt = &as_format_traceevent, .detail = AS_DETAIL_FULL, .moments = true};

static struct as_slice golden(const char *name)
{
	static char text[1 << 16];
	char path[1024];
	size_t n;
	FILE *in;

	snprintf(path, sizeof(path), "%s/src/formats/traceevent/golden/%s",
		getenv("AS_SOURCE_ROOT"), name);
	in = fopen(path, "rb");
	assert_non_null(in);
	n = fread(text, 1, sizeof(text), in);
	fclose(in);
	return (struct as_slice){text, n};
}

/* Read with memory for ever more requests, until that succeeds. */
static void starve(struct as_slice text)
{
	enum as_code rc = AS_E_NOMEM;

	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct mem_how how = full;
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		how.al = &fa.al;
		mem_read(&r, &how, text);
		rc = r.rc;
		mem_read_free(&r);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	}
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	(void)state;
	starve(golden("both.json"));
	starve(golden("samples.json"));
	starve(golden("order.json"));
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
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct mem_read r;
		size_t n = 0;

		mem_read(&r, &full, as_slice_of(row[i].text));
		assert_int_equal(r.rc, AS_OK);
		for (size_t k = 0; k < r.findings.row.n; k++)
			n += r.findings.row.p[k].id == row[i].id;
		if (n != 1 || r.prof->partial != row[i].partial)
			fail_msg("%s: %zu of them, partial: %d", row[i].text, n, r.prof->partial);
		mem_read_free(&r);
	}
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
