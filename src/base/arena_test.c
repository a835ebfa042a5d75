/* SPDX-License-Identifier: Apache-2.0 */
/* Words that follow a number. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static void test_words_have_the_form_of_their_number(void **state)
{
	static const struct {
		const char *words;
		uint64_t n;
		const char *expected;
	} row[] = {
		{"line{|s} of metadata", 0, "lines of metadata"},
		{"line{|s} of metadata", 1, "line of metadata"},
		{"line{|s} of metadata", 2, "lines of metadata"},
		{"line{|s} of metadata", UINT64_MAX, "lines of metadata"},
		{"address{|es} of {a function|functions}", 1, "address of a function"},
		{"address{|es} of {a function|functions}", 2, "addresses of functions"},
		{"cost at no address", 1, "cost at no address"},
		{"a|b", 2, "a|b"},
		{"", 1, ""},
	};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_slice s = as_arena_plural(&ar, row[i].words, row[i].n);

		assert_non_null(s.p);
		assert_string_equal(s.p, row[i].expected);
		assert_int_equal(s.len, strlen(row[i].expected));
	}
	as_arena_release(&ar);
}

static void test_without_memory_there_are_no_words(void **state)
{
	struct fail_alloc fa;
	struct as_arena ar;

	(void)state;
	fail_alloc_init(&fa, 1);
	as_arena_init(&ar, &fa.al);
	assert_null(as_arena_plural(&ar, "line{|s}", 2).p);
	as_arena_release(&ar);
	assert_int_equal(fa.held, 0);
}

#ifdef __SANITIZE_ADDRESS__
int __asan_address_is_poisoned(const volatile void *p);

/* Writing behind an allocation is seen, though it is in the same block. */
static void test_nothing_between_two_allocations_may_be_touched(void **state)
{
	struct as_arena ar;
	char *a, *b;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t n = 1; n < 70; n++) {
		a = as_arena_get(&ar, n);
		b = (char *)(uintptr_t)as_arena_dup(&ar, (struct as_slice){a, n}).p;
		assert_false(__asan_address_is_poisoned(a + n - 1));
		assert_true(__asan_address_is_poisoned(a + n));
		assert_true(__asan_address_is_poisoned(b - 1));
		assert_false(__asan_address_is_poisoned(b + n)); /* its NUL */
		assert_true(__asan_address_is_poisoned(b + n + 1));
	}
	as_arena_release(&ar);
}
#endif

int arena_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_have_the_form_of_their_number),
		cmocka_unit_test(test_without_memory_there_are_no_words),
#ifdef __SANITIZE_ADDRESS__
		cmocka_unit_test(test_nothing_between_two_allocations_may_be_touched),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
