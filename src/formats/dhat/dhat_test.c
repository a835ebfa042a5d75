/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dhat/dhat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_dhat;

static void dhat_read_it(struct mem_read *r, const char *text, const char *opt)
{
	struct mem_how how = {.fmt = &as_format_dhat, .detail = AS_DETAIL_FULL, .opt = opt};

	mem_read(r, &how, as_slice_of(text));
}

static const char whole[] =
	"{\"dhatFileVersion\":2,\"mode\":\"heap\",\"tu\":\"instrs\",\"cmd\":\"./"
	"a\",\"pid\":7,\"te\":99,"
	"\"pps\":[{\"tb\":6,\"tbk\":1,\"mb\":6,\"mbk\":1,\"acc\":[3,1],\"fs\":[1,2,2]},"
	"{\"tb\":5,\"tbk\":2,\"rb\":4,\"fs\":[1]}],"
	"\"ftbl\":[\"[root]\",\"0x1: malloc (in /x.so)\",\"0x2: f (a.c:1)\"]}";

static void test_points_are_samples(void **state)
{
	struct mem_read r;

	(void)state;
	dhat_read_it(&r, whole, NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->event.n, 3);
	assert_true(r.prof->total[0] == 11 && r.prof->total[1] == 3 && r.prof->total[2] == 4);
	assert_true(as_slice_is(as_event_name(r.prof, 2), "read-bytes"));
	assert_int_equal(r.prof->node.parent.n, 5);
	assert_int_equal(r.prof->part.p[0].pid, 7);
	assert_int_equal(r.findings.count[AS_F_DH_MAXIMA], 1);
	assert_int_equal(r.findings.count[AS_F_DH_ACCESSES], 1);
	assert_int_equal(r.findings.count[AS_F_DH_FRAME], 0);
	mem_read_free(&r);
}

/* The table may stand before what refers to it, and the version last. */
static void test_members_come_in_any_order(void **state)
{
	struct mem_read r;

	(void)state;
	dhat_read_it(&r,
		"{\"ftbl\":[\"[root]\",\"f\"],\"pps\":[{\"fs\":[1,5],\"tb\":8,\"new\":{}}],"
		"\"bsu\":\"units\",\"dhatFileVersion\":2}",
		NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 8);
	assert_true(as_slice_is(as_event_name(r.prof, 0), "units"));
	assert_true(r.prof->partial);
	assert_int_equal(r.findings.count[AS_F_DH_FRAME], 1);
	mem_read_free(&r);
}

/* At its end; also where nothing stands there at all. */
static void test_a_cut_file_is_refused(void **state)
{
	char text[sizeof(whole)];

	(void)state;
	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		struct mem_read r;

		memcpy(text, whole, n);
		text[n] = '\0';
		dhat_read_it(&r, text, NULL);
		assert_int_equal(r.rc, AS_E_TRUNC);
		assert_int_equal(r.err.off, n);
		mem_read_free(&r);
	}
}

static void test_wrong_numbers_are_refused(void **state)
{
	static const char *const texts[] = {"-1", "1.5", "18446744073709551616", "\"1\"", "null"};
	char text[128];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++) {
		struct mem_read r;

		snprintf(text, sizeof(text),
			"{\"dhatFileVersion\":2,\"pps\":[{\"tb\":%s,\"fs\":[]}]}", texts[i]);
		dhat_read_it(&r, text, NULL);
		assert_int_equal(r.rc, AS_E_FORMAT);
		mem_read_free(&r);
	}
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_dhat, .detail = AS_DETAIL_FULL},
		as_slice_of(whole));
}

int dhat_tests(void);
int dhat_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points_are_samples),
		cmocka_unit_test(test_members_come_in_any_order),
		cmocka_unit_test(test_a_cut_file_is_refused),
		cmocka_unit_test(test_wrong_numbers_are_refused),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("dhat", tests, NULL, NULL);
}
