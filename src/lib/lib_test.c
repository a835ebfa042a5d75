/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and asking, through the public API. */
#include "lib/lib_testing.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

/* ---- opening ---- */

static void test_a_profile_is_opened_from_memory_and_says_what_it_is(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_info info = info_of(prof);
	struct assay_event ev = {.size = sizeof(ev)};

	(void)state;
	assert_true(slice_is(info.format, "callgrind"));
	assert_int_equal(info.shapes, ASSAY_SHAPE_PLACES | ASSAY_SHAPE_CALLS);
	assert_false(info.estimated);
	assert_false(info.partial);
	assert_int_equal(info.n_events, 1);
	assert_int_equal(info.n_parts, 1);
	assert_int_equal(info.n_files, 3);     /* with "unknown" */
	assert_int_equal(info.n_functions, 4); /* likewise */
	assert_int_equal(info.n_self, 3);
	assert_int_equal(info.n_calls, 3);
	assert_int_equal(info.n_samples, 0);
	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	assert_true(slice_is(ev.name, "Instructions"));
	assert_int_equal(number(ev.total), 820);
	assert_int_equal(assay_event_get(prof, 1, &ev), ASSAY_E_ARG);
	assay_profile_free(prof);
}

static void test_missing_counts_of_the_first_example_are_zero(void **state)
{
	struct assay_profile *prof = profile_of("events: Cycles Instructions Flops\nfl=file.f\n"
						"fn=main\n15 90 14 2\n16 20 12\n");
	static const int64_t want[] = {110, 26, 2};
	struct assay_event ev = {.size = sizeof(ev)};

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(assay_event_get(prof, i, &ev), ASSAY_OK);
		assert_int_equal(number(ev.total), want[i]);
	}
	assay_profile_free(prof);
}

static void test_an_error_says_where(void **state)
{
	static const struct {
		const char *text;
		enum assay_code code;
		uint64_t line;
	} cases[] = {
		{"events: Ir\nfn=f\n1 x\n", ASSAY_E_FORMAT, 3},
		{"\177ELF\2\1\1\0 and more than sixteen bytes", ASSAY_E_NOTPROFILE, 0},
		{"", ASSAY_E_TRUNC, 0},
	};
	struct assay_open_options o = {.size = sizeof(o), .name = "x.out", .strict = true};
	struct assay_profile *prof = (struct assay_profile *)8;
	struct assay_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
			assay_open_memory(cases[i].text, strlen(cases[i].text), &o, &prof, &err),
			cases[i].code);
		assert_null(prof);
		assert_int_equal(err.code, cases[i].code);
		assert_int_equal(err.line, cases[i].line);
		assert_string_equal(err.name, "x.out");
		assert_true(strlen(err.message) > 5);
	}
}

static void test_success_clears_the_error(void **state)
{
	struct assay_profile *prof;
	struct assay_error err;

	(void)state;
	memset(&err, 0x5a, sizeof(err));
	assert_int_equal(
		assay_open_memory(extended_example, strlen(extended_example), NULL, &prof, &err),
		ASSAY_OK);
	assert_int_equal(err.code, ASSAY_OK);
	assert_string_equal(err.message, "");
	assert_true(err.offset == ASSAY_NO_OFFSET);
	assay_profile_free(prof);
}

static void test_findings_are_told_also_when_reading_goes_on(void **state)
{
	static const char text[] = "events: Ir\nfn=f\n1 7\n2 x\ntotals: 9\n";
	struct assay_finding found = {.size = sizeof(found)};
	struct assay_findings *findings;
	struct assay_open_options o = {.size = sizeof(o), .name = "odd.out"};
	struct assay_profile *prof;
	bool seen = false;

	(void)state;
	assert_int_equal(assay_findings_new(NULL, &findings), ASSAY_OK);
	o.findings = findings;
	assert_int_equal(assay_open_memory(text, strlen(text), &o, &prof, NULL), ASSAY_OK);
	assert_int_equal(assay_findings_total(findings, ASSAY_ERROR), 2);
	for (size_t i = 0; i < assay_findings_count(findings); i++) {
		assert_int_equal(assay_findings_get(findings, i, &found), ASSAY_OK);
		if (strcmp(found.code, "cg-cost-garbage") != 0)
			continue;
		seen = true;
		assert_int_equal(found.severity, ASSAY_ERROR);
		assert_int_equal(found.line, 4);
		assert_true(slice_is(found.file, "odd.out"));
	}
	assert_true(seen);
	assert_int_equal(assay_findings_get(findings, 99, &found), ASSAY_E_ARG);
	assay_profile_free(prof);
	assay_findings_free(findings);
}

static void test_detail_leaves_out_what_is_not_asked_for(void **state)
{
	struct assay_open_options o = {.size = sizeof(o), .detail = ASSAY_DETAIL_FUNCTION};
	struct assay_fact fact = {.size = sizeof(fact)};
	struct assay_profile *prof;
	struct assay_cursor *cur;
	int64_t sum = 0;

	(void)state;
	assert_int_equal(
		assay_open_memory(extended_example, strlen(extended_example), &o, &prof, NULL),
		ASSAY_OK);
	assert_int_equal(assay_cursor_new(prof, ASSAY_SELF, &cur), ASSAY_OK);
	while (assay_cursor_next(cur, &fact) == ASSAY_OK) {
		assert_int_equal(fact.at.line, 0);
		sum += number(fact.costs[0]);
	}
	assert_int_equal(sum, 820);
	assay_cursor_free(cur);
	assay_profile_free(prof);
}

/* A source that gives a few bytes at a time and fails at some place. */
struct drip {
	const char *p;
	size_t n, at, step;
	size_t fail_at; /* 0: never */
};

static ptrdiff_t drip_read(void *ctx, void *buf, size_t n)
{
	struct drip *d = ctx;

	if (d->fail_at && d->at >= d->fail_at)
		return -EACCES;
	n = n < d->step ? n : d->step;
	n = n < d->n - d->at ? n : d->n - d->at;
	memcpy(buf, d->p + d->at, n);
	d->at += n;
	return (ptrdiff_t)n;
}

static void test_callbacks_may_give_any_number_of_bytes(void **state)
{
	struct assay_profile *want = profile_of(extended_example), *prof;

	(void)state;
	for (size_t step = 1; step < 40; step++) {
		struct drip d = {extended_example, strlen(extended_example), 0, step, 0};

		assert_int_equal(assay_open_callback(drip_read, &d, NULL, &prof, NULL), ASSAY_OK);
		assert_same(prof, want, "dump");
		assay_profile_free(prof);
	}
	assay_profile_free(want);
}

static void test_a_callback_that_fails_ends_reading(void **state)
{
	struct assay_open_options o = {.size = sizeof(o), .name = "socket"};
	struct assay_profile *prof;
	struct assay_error err;

	(void)state;
	for (size_t at = 1; at < 60; at++) {
		struct drip d = {extended_example, strlen(extended_example), 0, 1, at};

		assert_int_equal(assay_open_callback(drip_read, &d, &o, &prof, &err), ASSAY_E_IO);
		assert_null(prof);
		assert_int_equal(err.sys_errno, EACCES);
		assert_string_equal(err.name, "socket");
	}
}

static ptrdiff_t lying_read(void *ctx, void *buf, size_t n)
{
	(void)ctx;
	(void)buf;
	return (ptrdiff_t)n + 1;
}

static ptrdiff_t absurd_read(void *ctx, void *buf, size_t n)
{
	(void)ctx;
	(void)buf;
	(void)n;
	return PTRDIFF_MIN; /* which has no positive */
}

static void test_a_callback_that_claims_too_much_is_an_error(void **state)
{
	struct assay_profile *prof;
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_open_callback(absurd_read, NULL, NULL, &prof, &err), ASSAY_E_IO);
	assert_int_equal(err.sys_errno, EIO);
	assert_int_equal(assay_open_callback(lying_read, NULL, NULL, &prof, NULL), ASSAY_E_IO);
	assert_null(prof);
}

static size_t gzipped(const char *text, unsigned char *buf, size_t size)
{
	z_stream zs = {0};

	assert_int_equal(deflateInit2(&zs, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	zs.next_in = (unsigned char *)(uintptr_t)text;
	zs.avail_in = (uInt)strlen(text);
	zs.next_out = buf;
	zs.avail_out = (uInt)size;
	assert_int_equal(deflate(&zs, Z_FINISH), Z_STREAM_END);
	size -= zs.avail_out;
	deflateEnd(&zs);
	return size;
}

static void test_compression_is_undone_in_memory_and_behind_callbacks(void **state)
{
	struct assay_profile *want = profile_of(extended_example), *prof;
	unsigned char gz[1024];
	size_t n = gzipped(extended_example, gz, sizeof(gz));
	struct drip d = {(const char *)gz, n, 0, 3, 0};

	(void)state;
	assert_int_equal(assay_open_memory(gz, n, NULL, &prof, NULL), ASSAY_OK);
	assert_same(prof, want, "dump");
	assay_profile_free(prof);
	assert_int_equal(assay_open_callback(drip_read, &d, NULL, &prof, NULL), ASSAY_OK);
	assert_same(prof, want, "dump");
	assay_profile_free(prof);
	assay_profile_free(want);
}

static void test_several_threads_read_the_same_as_one(void **state)
{
	struct assay_open_options o = {.size = sizeof(o), .threads = ASSAY_THREADS_ALL};
	struct assay_profile *one, *many;
	size_t size = 6 << 20, n = 0;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	n += (size_t)snprintf(text, size, "events: Ir\n");
	for (unsigned i = 0; n + 64 < size; i++)
		n += (size_t)snprintf(text + n, size - n, "fn=(%u) f%u\n%u %u\n+1 7\n", i % 500 + 1,
			i % 500, i % 90, i % 1000);
	o.threads = 4;
	assert_int_equal(assay_open_memory(text, n, &o, &many, NULL), ASSAY_OK);
	assert_int_equal(assay_open_memory(text, n, NULL, &one, NULL), ASSAY_OK);
	assert_same(one, many, "dump");
	assay_profile_free(one);
	assay_profile_free(many);
	free(text);
}

static void test_a_file_that_is_not_there_is_an_error_of_the_system(void **state)
{
	struct assay_profile *prof;
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_open_file("/nonexistent/x.prof", NULL, &prof, &err), ASSAY_E_IO);
	assert_null(prof);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_string_equal(err.name, "/nonexistent/x.prof");
}

/* ---- options and misuse ---- */

static void test_options_of_another_version_are_refused_only_if_they_say_something(void **state)
{
	struct {
		struct assay_open_options o;
		char more[16];
	} newer = {.o = {.size = sizeof(newer)}};
	struct assay_open_options older = {.size = offsetof(struct assay_open_options, detail)};
	struct assay_profile *prof;

	(void)state;
	assert_int_equal(assay_open_memory(
				 extended_example, strlen(extended_example), &newer.o, &prof, NULL),
		ASSAY_OK);
	assay_profile_free(prof);
	newer.more[9] = 1;
	assert_int_equal(assay_open_memory(
				 extended_example, strlen(extended_example), &newer.o, &prof, NULL),
		ASSAY_E_ARG);
	assert_null(prof);
	older.detail = (enum assay_detail)77; /* beyond what it says it has */
	assert_int_equal(
		assay_open_memory(extended_example, strlen(extended_example), &older, &prof, NULL),
		ASSAY_OK);
	assay_profile_free(prof);
}

static void test_a_program_of_another_version_gets_what_it_knows(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct {
		struct assay_info info;
		char more[16];
	} newer = {.info = {.size = sizeof(newer)}};
	struct assay_info older = {.size = offsetof(struct assay_info, version)};

	(void)state;
	memset(newer.more, 0x5a, sizeof(newer.more));
	assert_int_equal(assay_profile_info(prof, &newer.info), ASSAY_OK);
	assert_int_equal(newer.more[15], 0);
	assert_int_equal(newer.info.size, sizeof(newer));
	older.n_events = 99;
	assert_int_equal(assay_profile_info(prof, &older), ASSAY_OK);
	assert_true(slice_is(older.format, "callgrind"));
	assert_int_equal(older.n_events, 99);
	assay_profile_free(prof);
}

static void test_misuse_is_an_argument_error(void **state)
{
	static const char *const bad_option[] = {"nosuch=1"}, *const bad_value[] = {"lines=maybe"};
	struct assay_open_options o[] = {
		{.size = 0},
		{.size = sizeof(o[0]), .format = "nosuch"},
		{.size = sizeof(o[0]), .detail = (enum assay_detail)9},
		{.size = sizeof(o[0]), .driver_options = bad_option, .n_driver_options = 1},
		{.size = sizeof(o[0]), .driver_options = bad_value, .n_driver_options = 1},
		{.size = sizeof(o[0]), .n_driver_options = 1},
	};
	struct assay_profile *prof;
	struct assay_error err;
	struct assay_info info = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(o) / sizeof(o[0]); i++) {
		assert_int_equal(
			assay_open_memory(extended_example, 9, &o[i], &prof, &err), ASSAY_E_ARG);
		assert_true(strlen(err.message) > 5);
	}
	assert_int_equal(assay_open_memory(NULL, 1, NULL, &prof, &err), ASSAY_E_ARG);
	assert_int_equal(assay_open_memory("", 0, NULL, NULL, &err), ASSAY_E_ARG);
	assert_int_equal(assay_open_callback(NULL, NULL, NULL, &prof, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_open_file(NULL, NULL, &prof, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_profile_info(NULL, &info), ASSAY_E_ARG);
	prof = profile_of(extended_example);
	assert_int_equal(assay_profile_info(prof, &info), ASSAY_E_ARG); /* no size */
	assay_profile_free(prof);
}

static void test_null_can_be_freed(void **state)
{
	(void)state;
	assay_profile_free(NULL);
	assay_findings_free(NULL);
	assay_losses_free(NULL);
	assay_cursor_free(NULL);
	assay_table_free(NULL);
	assay_builder_free(NULL);
	assay_merger_free(NULL);
	assay_buffer_free(NULL);
	assay_allocator_free(NULL);
}

static void test_the_formats_are_listed(void **state)
{
	struct assay_format fmt = {.size = sizeof(fmt)};
	unsigned seen = 0;

	(void)state;
	for (size_t i = 0; i < assay_format_count(); i++) {
		assert_int_equal(assay_format_get(i, &fmt), ASSAY_OK);
		seen += !strcmp(fmt.name, "callgrind") || !strcmp(fmt.name, "gperf") ||
			!strcmp(fmt.name, "dcpi");
		assert_true(fmt.can_read || fmt.can_write);
	}
	assert_int_equal(seen, 3);
	assert_int_equal(assay_format_get(assay_format_count(), &fmt), ASSAY_E_ARG);
	assert_true(strchr(assay_version(), '.') != NULL);
	assert_string_equal(assay_code_text(ASSAY_E_NOMEM), "out of memory");
}

int lib_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_profile_is_opened_from_memory_and_says_what_it_is),
		cmocka_unit_test(test_missing_counts_of_the_first_example_are_zero),
		cmocka_unit_test(test_an_error_says_where),
		cmocka_unit_test(test_success_clears_the_error),
		cmocka_unit_test(test_findings_are_told_also_when_reading_goes_on),
		cmocka_unit_test(test_detail_leaves_out_what_is_not_asked_for),
		cmocka_unit_test(test_callbacks_may_give_any_number_of_bytes),
		cmocka_unit_test(test_a_callback_that_fails_ends_reading),
		cmocka_unit_test(test_a_callback_that_claims_too_much_is_an_error),
		cmocka_unit_test(test_compression_is_undone_in_memory_and_behind_callbacks),
		cmocka_unit_test(test_several_threads_read_the_same_as_one),
		cmocka_unit_test(test_a_file_that_is_not_there_is_an_error_of_the_system),
		cmocka_unit_test(
			test_options_of_another_version_are_refused_only_if_they_say_something),
		cmocka_unit_test(test_a_program_of_another_version_gets_what_it_knows),
		cmocka_unit_test(test_misuse_is_an_argument_error),
		cmocka_unit_test(test_null_can_be_freed),
		cmocka_unit_test(test_the_formats_are_listed),
	};

	return cmocka_run_group_tests_name("lib", tests, NULL, NULL);
}
