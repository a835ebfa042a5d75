/* SPDX-License-Identifier: Apache-2.0 */
/* Times as people type them, against what date(1) says. */
#include "session/database.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)
#define NOW (INT64_C(1795430700) * SECOND) /* 2026-11-23T10:45:00Z */
#define DAY (INT64_C(1795392000) * SECOND) /* 2026-11-23T00:00:00Z */

static void test_times_are_understood(void **state)
{
	static const struct {
		const char *text;
		int64_t want;
	} rows[] = {
		{"0s", NOW},
		{"90s", NOW - 90 * SECOND},
		{"15m", NOW - 900 * SECOND},
		{"2h", NOW - 7200 * SECOND},
		{"7d", NOW - 604800 * SECOND},
		{"2w", NOW - 1209600 * SECOND},
		{"2026-11-23", DAY},
		{"2026-11-23T10:45", NOW},
		{"2026-11-23 10:45", NOW},
		{"2026-11-23T10:45:00Z", NOW},
		{"2026-11-23T10:45Z", NOW},
		{"2026-11-23T10:45:00.5", NOW + SECOND / 2},
		{"202611231045", NOW},
		{"00:00", DAY},
		{"10:45", NOW},
		{"10:45:01", NOW + SECOND},
	};
	int64_t got;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++) {
		if (!as_database_time(as_slice_of(rows[i].text), NOW, &got))
			fail_msg("'%s' is not understood", rows[i].text);
		if (got != rows[i].want)
			fail_msg("'%s' is %" PRId64, rows[i].text, got - NOW);
	}
}

static void test_what_is_no_time_is_refused(void **state)
{
	static const char *const texts[] = {"", "2", "h", "2x", "2hh", "-2h", "2 h", "1e3s", "now",
		"2026-11", "2026-13-01", "2026-02-30", "2026-11-23T", "2026-11-23T25:00",
		"2026-11-23T10:45ZZ", "25:00", "10", "10:4", "99999999999999999999d",
		"2026-11-23T10:45:00 and much more than a time needs, as somebody may have it"};
	int64_t got;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++)
		if (as_database_time(as_slice_of(texts[i]), NOW, &got))
			fail_msg("'%s' is understood", texts[i]);
}

int database_time_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_are_understood),
		cmocka_unit_test(test_what_is_no_time_is_refused),
	};

	return cmocka_run_group_tests_name("database_time", tests, NULL, NULL);
}
