/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "daemon/daemon_impl.h"

#define S INT64_C(1000000000)

/* Segments of a minute: how they ended, and whether a child begins then. */
struct step {
	int64_t at;
	bool hour, runs, begins;
};

static void goes(const struct step *step, size_t n)
{
	struct as_daemon_upkeep u = {0};

	for (size_t i = 0; i < n; i++)
		if (as_daemon_upkeep_begins(&u, step[i].hour, step[i].runs, step[i].at * S) !=
			step[i].begins)
			fail_msg("step %zu", i);
}

static void test_an_hour_is_rolled_up_and_later_cleared_away(void **state)
{
	static const struct step steps[] = {{60, false, false, false}, {120, true, false, true},
		{180, false, true, false}, {240, false, false, false}, {300, false, false, false},
		{360, false, false, true}, {420, false, false, false}, {480, false, false, false},
		{3720, true, false, true}};

	(void)state;
	goes(steps, AS_ARRAY_LEN(steps));
}

static void test_an_hour_that_ends_meanwhile_has_its_turn(void **state)
{
	static const struct step steps[] = {{60, true, false, true}, {3660, true, true, false},
		{3720, false, true, false}, {3780, false, false, true}, {3840, false, true, false},
		{3900, false, false, false}, {3980, false, false, true},
		{4040, false, false, false}, {4800, false, false, false}};

	(void)state;
	goes(steps, AS_ARRAY_LEN(steps));
}

int daemon_upkeep_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_hour_is_rolled_up_and_later_cleared_away),
		cmocka_unit_test(test_an_hour_that_ends_meanwhile_has_its_turn),
	};

	return cmocka_run_group_tests_name("daemon_upkeep", tests, NULL, NULL);
}
