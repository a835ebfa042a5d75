/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/progress_text.h"

#define M (UINT64_C(1) << 20)

static const char *said(uint64_t done, uint64_t total, uint64_t ms, unsigned columns)
{
	static char text[AS_PROGRESS_TEXT];
	struct as_progress_at at = {done, total, ms};

	as_progress_text(text, &at, columns);
	return text;
}

static void test_bytes_rate_and_time_left_are_told(void **state)
{
	(void)state;
	assert_string_equal(said(50 * M, 200 * M, 2000, 100),
		"reading [#####...............]  25 % of 200 MB, 25 MB/s, 6 s left (Ctrl-C stops)");
	assert_string_equal(said(50 * M, 20000 * M, 2000, 100),
		"reading [....................]   0 % of 20000 MB, 25 MB/s, 14 min left (Ctrl-C "
		"stops)");
	assert_string_equal(said(200 * M, 200 * M, 8000, 100),
		"reading [####################] 100 % of 200 MB, 25 MB/s (Ctrl-C stops)");
}

static void test_a_pipe_has_no_end_that_is_known(void **state)
{
	(void)state;
	assert_string_equal(said(50 * M, 0, 2000, 80), "reading 50 MB, 25 MB/s (Ctrl-C stops)");
	assert_string_equal(said(0, 0, 0, 80), "reading 0 MB (Ctrl-C stops)");
	assert_string_equal(said(64000, 0, 1000, 80), "reading 0 MB, 62 kB/s (Ctrl-C stops)");
}

static void test_it_fits_into_any_width(void **state)
{
	(void)state;
	for (unsigned columns = 30; columns < 200; columns++)
		assert_true(strlen(said(50 * M, 200 * M, 2000, columns)) < columns);
	assert_string_equal(said(50 * M, 200 * M, 2000, 40), "reading  25 % of 200 MB");
	assert_string_equal(
		said(50 * M, 200 * M, 2000, 50), "reading  25 % of 200 MB, 25 MB/s, 6 s left");
}

static void test_no_number_is_too_large(void **state)
{
	(void)state;
	assert_true(strlen(said(UINT64_MAX, UINT64_MAX, 1, 100)) < AS_PROGRESS_TEXT);
	assert_true(strlen(said(UINT64_MAX / 2, UINT64_MAX, UINT64_MAX, 100)) < AS_PROGRESS_TEXT);
}

int progress_text_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_rate_and_time_left_are_told),
		cmocka_unit_test(test_a_pipe_has_no_end_that_is_known),
		cmocka_unit_test(test_it_fits_into_any_width),
		cmocka_unit_test(test_no_number_is_too_large),
	};

	return cmocka_run_group_tests_name("progress_text", tests, NULL, NULL);
}
