/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/xctrace/xctrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "io/file.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_xctrace;

static struct mem_how xctrace_how(void)
{
	return (struct mem_how){.fmt = &as_format_xctrace,
		.detail = AS_DETAIL_FULL,
		.xml = as_expat_xml(),
		.moments = true};
}

static void xctrace_read_it(struct mem_read *r, const char *text)
{
	struct mem_how how = xctrace_how();

	if (!how.xml)
		skip();
	mem_read(r, &how, as_slice_of(text));
}

#define ROOT(rows) "<trace-query-result><node>" rows "</node></trace-query-result>"
#define STACK(id, name) "<backtrace id='" id "'><frame name='" name "' addr='0x11'/></backtrace>"
#define ROW(time, weight, stack) \
	"<row><sample-time>" time "</sample-time><weight>" weight "</weight>" stack "</row>"

static void test_rows_are_samples_with_weights_and_times(void **state)
{
	struct mem_read r;

	(void)state;
	xctrace_read_it(
		&r, ROOT(ROW("5", "7", STACK("1", "f")) ROW("9", "8", "<backtrace ref='1'/>")));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, 0);
	assert_int_equal(r.prof->event.n, 2);
	assert_true(r.prof->total[0] == 2);
	assert_true(r.prof->total[1] == 15);
	assert_int_equal(r.prof->sample.node.n, 1);
	assert_int_equal(r.prof->moments.n, 4);
	assert_int_equal(r.prof->duration, 4);
	mem_read_free(&r);
}

/* "id" may come after other facts, and refer to what stands in the same row. */
static void test_an_element_is_known_as_soon_as_it_ends(void **state)
{
	struct mem_read r;

	(void)state;
	xctrace_read_it(&r,
		ROOT("<row><weight fmt='x' id='3'>4</weight><backtrace><frame id='1' name='f'/>"
		     "<frame ref='1'/></backtrace></row><row><weight ref='3'/><sentinel/></row>"));
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[1] == 8);
	assert_int_equal(r.prof->node.place.n, 3); /* none, f, and f called by f */
	mem_read_free(&r);
}

static void test_what_is_odd_is_told(void **state)
{
	static const struct {
		const char *text;
		enum as_finding_id id;
		bool partial;
	} odd[] = {
		{ROOT(ROW("5", "7", "<backtrace ref='9'/>")), AS_F_XC_REF, false},
		{ROOT(ROW("5", "-7", STACK("1", "f"))), AS_F_XC_WEIGHT, false},
		{ROOT("<schema name='a'><col><mnemonic>time</mnemonic></col></schema>" ROW(
			 "5", "7", STACK("1", "f"))),
			AS_F_XC_TABLE, false},
		{"<trace-query-result>" ROW("5", "7", STACK("1", "f")) "</x>", AS_F_XC_XML, true},
		{"<trace-query-result>" ROW("5", "7", STACK("1", "f")) "<row>", AS_F_TRUNCATED,
			true},
		{"<trace-query-result/>", AS_F_NO_SAMPLES, false},
		{"<trace-query-result><node>" ROW("5", "7", STACK("1", "f")) "</node><node>" ROW(
			 "5", "7", STACK("2", "f")) "</node></trace-query-result>",
			AS_F_XC_TWICE, false},
	};
	struct mem_how how = xctrace_how();

	(void)state;
	if (!how.xml)
		skip();
	for (size_t i = 0; i < AS_ARRAY_LEN(odd); i++)
		mem_is_told(&how, as_slice_of(odd[i].text), odd[i].text, odd[i].id, odd[i].partial);
}

/* What was cut before the end of the first row is nothing; from there on each row is kept. */
static void test_a_cut_file_keeps_the_rows_before(void **state)
{
	static const char text[] =
		ROOT(ROW("5", "7", STACK("1", "f")) ROW("6", "8", STACK("2", "g")));
	const char *first = strstr(text, "</row>") + 6;
	const char *second = strstr(first, "</row>") + 6;
	struct mem_how how = xctrace_how();

	(void)state;
	if (!how.xml)
		skip();
	for (size_t n = 1; n < sizeof(text) - 1; n++) {
		struct mem_read r;

		mem_read(&r, &how, (struct as_slice){text, n});
		if (text + n < first) {
			assert_true(r.rc == AS_E_TRUNC || r.rc == AS_E_FORMAT);
		} else {
			assert_int_equal(r.rc, AS_OK);
			assert_true(r.prof->partial);
			assert_true(r.prof->total[0] == (text + n < second ? 1 : 2));
		}
		mem_read_free(&r);
	}
}

static void test_other_xml_is_refused(void **state)
{
	static const char *const bad[] = {"", "<a/>", "<a><trace-query-result/></a>",
		"<trace-query-results/>", "<!DOCTYPE a><trace-query-result/>"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(bad); i++) {
		struct mem_read r;

		xctrace_read_it(&r, bad[i]);
		assert_int_equal(r.rc, AS_E_FORMAT);
		mem_read_free(&r);
	}
}

/* Elements in one another, and frames of a stack, beyond what is read. */
static void test_depths_have_limits(void **state)
{
	static const char frame[] = "<frame name='f'/>";
	enum { FRAMES = (1 << 16) + 1, DEEP = 300 };
	char *text = malloc(FRAMES * sizeof(frame) + 100);
	struct mem_read r;
	size_t n;

	(void)state;
	assert_non_null(text);
	n = (size_t)snprintf(text, 100, "<trace-query-result><row><backtrace>");
	for (size_t i = 0; i < FRAMES; i++, n += sizeof(frame) - 1)
		memcpy(text + n, frame, sizeof(frame));
	memcpy(text + n, "</backtrace>", sizeof("</backtrace>"));
	xctrace_read_it(&r, text);
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
	n = (size_t)snprintf(text, 100, "<trace-query-result>");
	for (size_t i = 0; i < DEEP; i++, n += 3)
		memcpy(text + n, "<a>", 4);
	xctrace_read_it(&r, text);
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
	free(text);
}

static void test_without_a_reader_of_xml_it_is_refused(void **state)
{
	struct mem_how how = {.fmt = &as_format_xctrace};
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, as_slice_of(ROOT("")));
	assert_int_equal(r.rc, AS_E_UNSUPPORTED);
	mem_read_free(&r);
}

static void test_no_memory_is_told(void **state)
{
	struct mem_how how = xctrace_how();

	(void)state;
	if (!how.xml)
		skip();
	mem_starve_reading(how,
		as_slice_of(ROOT(ROW("5", "7", STACK("1", "f")) ROW("5", "7",
			"<thread id='2' fmt='a 0x1 (b, pid: 1)'><tid>1</tid><process fmt='b (1)'>"
			"<pid>1</pid></process></thread><backtrace ref='1'/>"))));
}

int xctrace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_samples_with_weights_and_times),
		cmocka_unit_test(test_an_element_is_known_as_soon_as_it_ends),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_a_cut_file_keeps_the_rows_before),
		cmocka_unit_test(test_other_xml_is_refused),
		cmocka_unit_test(test_depths_have_limits),
		cmocka_unit_test(test_without_a_reader_of_xml_it_is_refused),
		cmocka_unit_test(test_no_memory_is_told),
	};

	return cmocka_run_group_tests_name("xctrace", tests, NULL, NULL);
}
