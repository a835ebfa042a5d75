/* SPDX-License-Identifier: Apache-2.0 */
/* Names of epochs and segments. */
#include "store/store_name.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)
#define BEGIN (INT64_C(1795430700) * SECOND) /* 2026-11-23T10:45:00Z, says date(1) */

static bool span_of(const char *name, struct as_store_span *span)
{
	return as_store_span_parse(as_slice_of(name), span);
}

static void test_segment_says_when_it_was_and_what_it_is(void **state)
{
	struct as_store_span span;

	(void)state;
	assert_true(span_of("20261123T104500Z-60.pb.gz", &span));
	assert_int_equal(span.begin, BEGIN);
	assert_int_equal(span.end, BEGIN + 60 * SECOND);
	assert_false(span.flat);
	assert_true(span_of("20261123T104500.25Z-0.5.dcpi", &span));
	assert_int_equal(span.begin, BEGIN + SECOND / 4);
	assert_int_equal(span.end, BEGIN + SECOND / 4 * 3);
	assert_true(span.flat);
}

static void test_names_come_back(void **state)
{
	static const char *const names[] = {"20261123T104500Z-60.pb.gz",
		"20261123T104500.25Z-0.5.dcpi", "19700101T000000Z-0.001.pb.gz",
		"20280229T235959.999Z-3600.001.dcpi", "20991231T235959Z-86400.pb.gz",
		"20261123T104500.000000001Z-0.000000009.pb.gz"};
	char name[AS_STORE_NAME];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct as_store_span span;

		assert_true(span_of(names[i], &span));
		assert_string_equal(as_store_span_name(&span, name), names[i]);
	}
}

static void test_what_is_no_segment_is_not_one(void **state)
{
	static const char *const names[] = {"", "x", ".pb.gz", "-.pb.gz", "20261123T104500Z.pb.gz",
		"20261123T104500Z-.pb.gz", "20261123T104500Z-0.pb.gz", "20261123T104500Z--1.pb.gz",
		"20261123T104500Z-60", "20261123T104500Z-60.pb", "20261123T104500-60.pb.gz",
		"20261323T104500Z-60.pb.gz", "20261123T104500Z-60.prof",
		"20261123T104500Z-6x.pb.gz", ".20261123T104500Z-60.pb.gz",
		"20261123T104500Z-60.0000000001.pb.gz",
		"20261123T104500Z-99999999999999999999.pb.gz", "20261123T104500Z-60..pb.gz",
		"20261123 104500Z-60.pb.gz", "20261123T10450Z-60.pb.gz"};
	struct as_store_span span;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++)
		if (span_of(names[i], &span))
			fail_msg("'%s' is taken for a segment", names[i]);
}

static void test_epochs_sort_as_they_began(void **state)
{
	static const char *const names[] = {"202611231044", "202611231045", "202611231045-2",
		"202611231045-10", "202611231046", "203001010000"};
	static const char *const none[] = {"", "20261123104", "2026112310455", "202613231045",
		"202611231045-", "202611231045-1", "202611231045-02", "202611231045-x", "lock"};
	struct as_store_epoch_id id, before = {0};
	char name[AS_STORE_NAME];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		assert_true(as_store_epoch_parse(as_slice_of(names[i]), &id));
		assert_true(as_store_epoch_cmp(&before, &id) < 0);
		assert_string_equal(as_store_epoch_text(&id, name), names[i]);
		before = id;
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(none); i++)
		assert_false(as_store_epoch_parse(as_slice_of(none[i]), &id));
	assert_int_equal(as_store_minute(BEGIN + 59 * SECOND), 202611231045);
	assert_int_equal(as_store_minute(-5), 197001010000);
}

static void test_temporary_names_are_ours_alone(void **state)
{
	static const char *const ours[] = {".20261123T104500Z-60.pb.gz.assay-12-0",
		".20261123T104500Z-60.dcpi.assay-12", ".20261123T104500Z-60.dcpi.assay-gone",
		".202611231045.assay-gone", ".202611231045-2.assay-gone"};
	static const char *const others[] = {".20261123T104500Z-60.pb.gz",
		"20261123T104500Z-60.pb.gz.assay-12-0", ".x.assay-12-0", ".assay-", "lock",
		".bashrc"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ours); i++)
		assert_true(as_store_is_temporary(as_slice_of(ours[i])));
	for (size_t i = 0; i < AS_ARRAY_LEN(others); i++)
		assert_false(as_store_is_temporary(as_slice_of(others[i])));
}

int store_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_segment_says_when_it_was_and_what_it_is),
		cmocka_unit_test(test_names_come_back),
		cmocka_unit_test(test_what_is_no_segment_is_not_one),
		cmocka_unit_test(test_epochs_sort_as_they_began),
		cmocka_unit_test(test_temporary_names_are_ours_alone),
	};

	return cmocka_run_group_tests_name("store_name", tests, NULL, NULL);
}
