/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that leave a processor and come back, as records and tracepoints tell it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perf/perf_off.h"

int perf_off_tests(void);

static void leave(struct as_off *off, uint32_t tid, uint64_t time, enum as_off_state state,
	enum as_off_source source)
{
	struct as_off_leave one = {.tid = tid,
		.who = tid + 100,
		.stack = source == AS_OFF_TRACE ? 7 : AS_OFF_NO_STACK,
		.time = time,
		.state = state,
		.source = source};

	assert_true(as_off_leave(off, &one));
}

static void assert_stretch(const struct as_off_stretch *s, uint64_t since, uint64_t length,
	enum as_off_state state, uint32_t stack)
{
	assert_int_equal(s->since, since);
	assert_int_equal(s->length, length);
	assert_int_equal(s->state, state);
	assert_int_equal(s->stack, stack);
}

static void test_stretch_is_from_leaving_to_coming_back(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	assert_false(as_off_come(&off, 5, 10, &s)); /* when it left nobody saw */
	assert_true(as_off_stack(&off, 5, 42));
	leave(&off, 5, 20, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_true(as_off_come(&off, 5, 50, &s));
	assert_stretch(&s, 20, 30, AS_OFF_WAITING, 42);
	assert_int_equal(s.who, 105);
	leave(&off, 5, 60, AS_OFF_RUNNABLE, AS_OFF_RECORD);
	assert_true(as_off_come(&off, 5, 61, &s)); /* a stack is of one switch */
	assert_stretch(&s, 60, 1, AS_OFF_RUNNABLE, AS_OFF_NO_STACK);
	assert_int_equal(off.no_stack, 1);
	leave(&off, 5, 70, AS_OFF_RUNNABLE, AS_OFF_RECORD);
	assert_false(as_off_come(&off, 5, 70, &s)); /* nothing passed */
	assert_int_equal(off.unknown, 0);
	leave(&off, 5, 80, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_int_equal(as_off_away(&off), 1);
	as_off_release(&off);
}

static void test_second_source_changes_nothing(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	leave(&off, 5, 20, AS_OFF_BLOCKED, AS_OFF_TRACE);
	leave(&off, 5, 21, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_true(as_off_come(&off, 5, 50, &s));
	assert_stretch(&s, 20, 30, AS_OFF_BLOCKED, 7);
	assert_false(as_off_come(&off, 5, 51, &s));
	assert_int_equal(off.unknown, 0);
	as_off_release(&off);
}

static void test_what_was_not_seen_to_end_is_left_out(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	leave(&off, 5, 20, AS_OFF_WAITING, AS_OFF_RECORD);
	leave(&off, 5, 40, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_int_equal(off.unknown, 1);
	assert_true(as_off_come(&off, 5, 50, &s));
	assert_stretch(&s, 40, 10, AS_OFF_WAITING, AS_OFF_NO_STACK);
	leave(&off, 5, 60, AS_OFF_WAITING, AS_OFF_RECORD);
	as_off_lost(&off);
	assert_false(as_off_come(&off, 5, 70, &s));
	assert_int_equal(off.unknown, 2);
	as_off_release(&off);
}

static void test_woken_thread_is_runnable_until_it_runs(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	leave(&off, 5, 20, AS_OFF_BLOCKED, AS_OFF_TRACE);
	assert_true(as_off_wake(&off, 5, 35, &s));
	assert_stretch(&s, 20, 15, AS_OFF_BLOCKED, 7);
	assert_false(as_off_wake(&off, 5, 36, &s));
	assert_true(as_off_come(&off, 5, 50, &s));
	assert_stretch(&s, 35, 15, AS_OFF_RUNNABLE, 7);
	assert_false(as_off_wake(&off, 5, 55, &s)); /* it runs */
	as_off_release(&off);
}

static void test_thread_that_has_ended_is_not_away(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	leave(&off, 5, 20, AS_OFF_ENDS, AS_OFF_TRACE);
	leave(&off, 5, 21, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_true(as_off_end(&off, 6, false));
	leave(&off, 6, 22, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_int_equal(as_off_away(&off), 0);
	assert_true(as_off_end(&off, 6, true)); /* its number is another's */
	leave(&off, 6, 30, AS_OFF_WAITING, AS_OFF_RECORD);
	assert_true(as_off_come(&off, 6, 31, &s));
	leave(&off, 0, 22, AS_OFF_RUNNABLE, AS_OFF_TRACE); /* nothing to do */
	assert_int_equal(as_off_away(&off), 0);
	as_off_release(&off);
}

/* Of a processor all switches are there once the idle task is: then each begins with who ran. */
static void test_switch_that_is_missing_is_noticed(void **state)
{
	struct as_off_stretch s;
	struct as_off off;

	(void)state;
	as_off_init(&off, &as_alloc_libc);
	assert_true(as_off_chain(&off, 1, 5, 6));
	leave(&off, 5, 20, AS_OFF_WAITING, AS_OFF_TRACE);
	assert_true(as_off_chain(&off, 1, 7, 0)); /* of some threads only */
	assert_true(as_off_chain(&off, 1, 0, 6));
	assert_true(as_off_chain(&off, 2, 8, 9));
	assert_true(as_off_come(&off, 5, 30, &s));
	leave(&off, 5, 40, AS_OFF_WAITING, AS_OFF_TRACE);
	assert_true(as_off_chain(&off, 1, 7, 6));
	assert_false(as_off_come(&off, 5, 50, &s));
	assert_int_equal(off.unknown, 1);
	as_off_release(&off);
}

static void test_states_are_what_the_kernel_means(void **state)
{
	(void)state;
	assert_int_equal(as_off_state_of_bits(0), AS_OFF_RUNNABLE);
	assert_int_equal(as_off_state_of_bits(0x100), AS_OFF_RUNNABLE); /* R+: preempted */
	assert_int_equal(as_off_state_of_bits(1), AS_OFF_WAITING);
	assert_int_equal(as_off_state_of_bits(2), AS_OFF_BLOCKED);
	assert_int_equal(as_off_state_of_bits(4), AS_OFF_STOPPED);
	assert_int_equal(as_off_state_of_bits(0x80), AS_OFF_WAITING); /* I */
	assert_int_equal(as_off_state_of_bits(0x20), AS_OFF_ENDS);
	assert_int_equal(as_off_state_of_letters(as_slice_of("R+")), AS_OFF_RUNNABLE);
	assert_int_equal(as_off_state_of_letters(as_slice_of("D|W")), AS_OFF_BLOCKED);
	assert_int_equal(as_off_state_of_letters(as_slice_of("t")), AS_OFF_STOPPED);
	assert_int_equal(as_off_state_of_letters(as_slice_of("X")), AS_OFF_ENDS);
	assert_null(as_off_state_name(AS_OFF_RUNS));
}

int perf_off_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stretch_is_from_leaving_to_coming_back),
		cmocka_unit_test(test_second_source_changes_nothing),
		cmocka_unit_test(test_what_was_not_seen_to_end_is_left_out),
		cmocka_unit_test(test_woken_thread_is_runnable_until_it_runs),
		cmocka_unit_test(test_thread_that_has_ended_is_not_away),
		cmocka_unit_test(test_switch_that_is_missing_is_noticed),
		cmocka_unit_test(test_states_are_what_the_kernel_means),
	};

	return cmocka_run_group_tests_name("perf_off", tests, NULL, NULL);
}
