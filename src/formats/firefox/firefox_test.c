/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/firefox/firefox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_firefox;

static const struct mem_how full = {
	.fmt = &as_format_firefox, .detail = AS_DETAIL_FULL, .name = "dir/x.json", .moments = true};

/* ---- what Gecko says of frames ---- */

static void test_locations_are_texts_of_four_kinds(void **state)
{
	static const struct {
		const char *text, *name, *file, *lib;
		uint64_t line, column;
	} row[] = {
		{"main", "main", "", "", 0, 0},
		{"(root)", "(root)", "", "", 0, 0},
		{"f (resource://a/b.js:12:3)", "f", "resource://a/b.js", "", 12, 3},
		{"f (resource://a/b.js:12)[45]", "f", "resource://a/b.js", "", 12, 0},
		{"get x (y) (http://a:80/(b).js:7:1)", "get x (y)", "http://a:80/(b).js", "", 7, 1},
		{"a::b(int) (in XUL) (b.cpp:88)", "a::b(int)", "b.cpp", "XUL", 88, 0},
		{"a::b(int) (in XUL) + 120", "a::b(int)", "", "XUL", 0, 0},
		{"operator+ (in XUL)", "operator+", "", "XUL", 0, 0},
		{"label (no source)", "label (no source)", "", "", 0, 0},
		{"a[0]", "a[0]", "", "", 0, 0},
		{"", "", "", "", 0, 0},
	};
	struct fx_location at;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		as_fx_location(as_slice_of(row[i].text), &at);
		if (!as_slice_is(at.name, row[i].name) || !as_slice_is(at.file, row[i].file) ||
			!as_slice_is(at.lib, row[i].lib) || at.line != row[i].line ||
			at.column != row[i].column || at.has_address)
			fail_msg("%s: '%.*s' '%.*s' '%.*s'", row[i].text, AS_SLICE_FMT(at.name),
				AS_SLICE_FMT(at.file), AS_SLICE_FMT(at.lib));
	}
	as_fx_location(as_slice_of("0x7f00ff"), &at);
	assert_true(at.has_address && at.address == 0x7f00ff);
}

/* ---- files ---- */

/* One thread of tables that have one function, with what MEMBERS say of its samples. */
#define META "\"meta\":{\"preprocessedProfileVersion\":57,\"interval\":1"
#define TABLES                                                                                \
	"\"stackTable\":{\"frame\":[0,0],\"prefix\":[null,0]},\"frameTable\":{\"func\":[0]}," \
	"\"funcTable\":{\"name\":[0]},\"stringArray\":[\"f\"]"

static void read_samples(
	struct mem_read *r, struct mem_how how, const char *meta, const char *samples)
{
	char text[4096];
	int n = snprintf(text, sizeof(text),
		"{" META "%s},\"threads\":[{\"name\":\"t\",\"samples\":{%s}," TABLES "}]}", meta,
		samples);

	assert_true(n > 0 && n < (int)sizeof(text));
	mem_read(r, &how, as_slice_of(text));
}

static as_val total(const struct as_profile *prof, const char *event)
{
	uint32_t i;

	if (!as_profile_event(prof, as_slice_of(event), &i))
		return -1;
	return prof->total[i];
}

static void test_weights_are_exact(void **state)
{
	struct mem_read r;

	(void)state;
	read_samples(&r, full, "",
		"\"stack\":[0,1],\"weight\":[9007199254740993,2],\"weightType\":\"bytes\"");
	assert_int_equal(r.rc, AS_OK);
	assert_true(total(r.prof, "bytes") == INT64_C(9007199254740995));
	assert_true(total(r.prof, "samples") == 2);
	mem_read_free(&r);
	read_samples(&r, full, "",
		"\"stack\":[0,1,1],\"weight\":[1,0.25,0.000001],\"weightType\":\"tracing-ms\"");
	assert_true(total(r.prof, "time") == 1250001);
	assert_int_equal(r.findings.row.n, 0);
	mem_read_free(&r);
	read_samples(&r, full, "", "\"stack\":[0,1],\"weight\":[1.5,-2.5]");
	assert_true(total(r.prof, "weight") == 2 - 3); /* each is rounded, and that is told */
	assert_int_equal(r.findings.row.p[0].id, AS_F_FX_ROUNDED);
	mem_read_free(&r);
}

static void test_weights_of_one_each_are_the_samples(void **state)
{
	struct mem_read r;

	(void)state;
	read_samples(&r, full, "", "\"stack\":[0,1],\"weight\":[1,1]");
	assert_int_equal(r.prof->event.n, 1);
	assert_true(total(r.prof, "samples") == 2);
	mem_read_free(&r);
}

/* Rounded one by one they would be 0. */
static void test_differences_of_times_add_up_before_they_are_rounded(void **state)
{
	struct mem_read r;
	struct as_moments_cur cur;

	(void)state;
	read_samples(&r, full, ",\"startTime\":1000",
		"\"stack\":[0,0,0],\"timeDeltas\":[0.0000004,0.0000004,0.0000004]");
	as_moments_begin(&cur, &r.prof->moments);
	assert_true(as_moments_next(&cur) && cur.at.time == 0);
	assert_true(as_moments_next(&cur) && cur.at.time == 1);
	assert_true(as_moments_next(&cur) && cur.at.time == 1);
	mem_read_free(&r);
}

static void test_cpu_times_have_the_unit_that_is_said(void **state)
{
	static const struct {
		const char *units, *event;
		int64_t total;
	} row[] = {
		{"", "cpu", 5500},
		{",\"sampleUnits\":{\"threadCPUDelta\":\"ns\"}", "cpu", 6},
		{",\"sampleUnits\":{\"threadCPUDelta\":\"variable CPU cycles\"}", "cpu-cycles", 6},
	};
	struct mem_read r;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		read_samples(
			&r, full, row[i].units, "\"stack\":[0,1,1],\"threadCPUDelta\":[77,3,2.5]");
		assert_true(total(r.prof, row[i].event) == row[i].total);
		assert_true(r.findings.row.n > 0); /* the first one is left out */
		mem_read_free(&r);
	}
}

static void test_what_is_damaged_is_said(void **state)
{
	static const struct {
		const char *samples;
		enum as_finding_id id;
	} row[] = {
		{"\"stack\":[7],\"time\":[1]", AS_F_FX_ROW},
		{"\"stack\":[0],\"time\":[\"1\"]", AS_F_FX_NUMBER},
		{"\"stack\":[0,1],\"weight\":[3]", AS_F_FX_UNEVEN},
		{"\"stack\":[0],\"time\":[0.00000049]", AS_F_FX_ROUNDED},
		{"\"stack\":[]", AS_F_NO_SAMPLES},
	};
	struct mem_how strict = full;
	struct mem_read r;

	(void)state;
	strict.strict = true;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		read_samples(&r, full, "", row[i].samples);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.findings.row.n, 1);
		assert_int_equal(r.findings.row.p[0].id, row[i].id);
		mem_read_free(&r);
		read_samples(&r, strict, "", row[i].samples);
		assert_int_equal(r.rc == AS_OK, as_finding_severity(row[i].id) != AS_ERROR);
		mem_read_free(&r);
	}
}

/* ID: what is found, AS_F_FX_NUMBER: nothing. */
static void finds(const char *meta, const char *members, enum as_finding_id id)
{
	char text[4096];
	struct mem_read r;
	int n = snprintf(text, sizeof(text),
		"{\"meta\":{\"interval\":1%s},\"threads\":[{%s\"samples\":{\"stack\":[0]}," TABLES
		"}]}",
		meta, members);

	assert_true(n > 0 && n < (int)sizeof(text));
	mem_read(&r, &full, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, id == AS_F_FX_NUMBER ? 0 : 1);
	if (r.findings.row.n)
		assert_int_equal(r.findings.row.p[0].id, id);
	mem_read_free(&r);
}

static void test_what_is_left_out_is_said(void **state)
{
	(void)state;
	finds(",\"preprocessedProfileVersion\":36", "", AS_F_FX_NUMBER);
	finds(",\"preprocessedProfileVersion\":35", "", AS_F_FX_VERSION);
	finds(",\"preprocessedProfileVersion\":71", "", AS_F_FX_VERSION);
	finds(",\"version\":37", "", AS_F_FX_VERSION);
	finds(",\"version\":36,\"categories\":[1,2]", "", AS_F_FX_LEFT);
	finds("", "\"markers\":{\"data\":[{}],\"length\":1},", AS_F_FX_LEFT);
}

/* A stack that stands on itself, or on a later one, has no end. */
static void test_stacks_without_an_end_are_cut(void **state)
{
	static const char text[] =
		"{" META
		"},\"threads\":[{\"samples\":{\"stack\":[1]},\"stackTable\":{\"frame\":[0,0],"
		"\"prefix\":[1,0]},\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},"
		"\"stringArray\":[\"f\"]}]}";
	struct mem_read r;

	(void)state;
	mem_read(&r, &full, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->node.parent.n, 3);
	mem_read_free(&r);
}

/* Whoever has no moments wrote sums: the times are made up, and must not become true. */
static void test_sums_that_are_written_have_no_times_when_they_are_read(void **state)
{
	struct mem_how timeless = full;
	struct mem_written w;
	struct mem_read r, again;

	(void)state;
	timeless.moments = false;
	read_samples(&r, timeless, "", "\"stack\":[0,1,1],\"time\":[1,2,3]");
	mem_write(&w, &as_format_firefox, r.prof);
	assert_int_equal(w.rc, AS_OK);
	mem_read(&again, &full, mem_bytes(&w));
	assert_true(total(again.prof, "samples") == 3);
	assert_int_equal(again.prof->moments.n, 0);
	assert_int_equal(again.prof->moments.left, 0);
	mem_read_free(&again);
	mem_written_free(&w);
	mem_read_free(&r);
}

static void test_times_beyond_64_bits_of_nanoseconds_are_not_written(void **state)
{
	struct as_profile *prof;
	struct mem_written w;
	struct as_pos pos = {.line = 0};
	as_val much = (as_val)INT64_MAX / 1000;
	struct as_build b;
	as_place place;
	as_node node;
	uint32_t i;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("t"), as_slice_of("microseconds"), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of("f"), (as_object){0}, (as_file){0}, 0, &pos.func),
		AS_OK);
	assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, node, &much), AS_OK);
	much = 1;
	assert_int_equal(as_build_sample(&b, 0, node, &much), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	mem_write(&w, &as_format_firefox, prof);
	assert_int_equal(w.rc, AS_E_LIMIT);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_every_allocation_may_fail(void **state)
{
	static const char text[] =
		"{" META
		"},\"libs\":[{\"name\":\"a\",\"path\":\"/a\",\"codeId\":\"0123456789ABCDEF\"}],"
		"\"shared\":{\"stringArray\":[\"f\",\"a.c\"]},\"threads\":[{\"name\":\"t\",\"pid\":"
		"\"1\","
		"\"samples\":{\"stack\":[0,1,null],\"time\":[1,2,3],\"weight\":[5,0.5,7]},"
		"\"stackTable\":{\"frame\":[0,1],\"prefix\":[null,0]},\"frameTable\":{\"func\":[0,"
		"0],"
		"\"address\":[16,32],\"line\":[1,2],\"inlineDepth\":[0,1]},\"funcTable\":{\"name\":"
		"[0],"
		"\"resource\":[0],\"fileName\":[1]},\"resourceTable\":{\"lib\":[0]}}]}";

	(void)state;
	mem_starve(&as_format_firefox, as_slice_of(text));
}

/* Threads that are whole, with tables that are. */
static void test_what_is_cut_keeps_its_threads(void **state)
{
	static const char *const names[] = {"two_threads.json", "own.v57.json"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_slice text = mem_golden(&as_format_firefox, names[i]);
		bool kept = false;

		for (size_t n = 1; n + 1 < text.len; n++) {
			struct mem_read r;

			mem_read(&r, &full, (struct as_slice){text.p, n});
			assert_true(r.rc == AS_E_TRUNC || (r.rc == AS_OK && r.prof->partial));
			assert_true(r.rc == AS_OK || !kept);
			kept = r.rc == AS_OK;
			mem_read_free(&r);
		}
		assert_true(kept);
	}
}

int firefox_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_locations_are_texts_of_four_kinds),
		cmocka_unit_test(test_weights_are_exact),
		cmocka_unit_test(test_weights_of_one_each_are_the_samples),
		cmocka_unit_test(test_differences_of_times_add_up_before_they_are_rounded),
		cmocka_unit_test(test_cpu_times_have_the_unit_that_is_said),
		cmocka_unit_test(test_what_is_damaged_is_said),
		cmocka_unit_test(test_what_is_left_out_is_said),
		cmocka_unit_test(test_stacks_without_an_end_are_cut),
		cmocka_unit_test(test_sums_that_are_written_have_no_times_when_they_are_read),
		cmocka_unit_test(test_times_beyond_64_bits_of_nanoseconds_are_not_written),
		cmocka_unit_test(test_what_is_cut_keeps_its_threads),
		cmocka_unit_test(test_every_allocation_may_fail),
	};

	return cmocka_run_group_tests_name("firefox", tests, NULL, NULL);
}
