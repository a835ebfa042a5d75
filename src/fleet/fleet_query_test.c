/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_query.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "fleet/fleet_sql.h"
#include "lib/fail_alloc.h"

struct asked {
	struct as_arena arena;
	struct as_fleet_terms terms;
	const char *way;
	struct as_err err;
};

static enum as_code ask(struct asked *a, const struct as_alloc *al, const char *query)
{
	*a = (struct asked){0};
	as_arena_init(&a->arena, al);
	as_err_clear(&a->err);
	return as_fleet_query_terms(as_slice_of(query), &a->arena, al, &a->terms, &a->way, &a->err);
}

static void asked_release(struct asked *a, const struct as_alloc *al)
{
	as_vec_free(al, &a->terms.term);
	as_arena_release(&a->arena);
}

static void assert_term(const struct asked *a, size_t i, const char *key, const char *value)
{
	assert_true(i < a->terms.term.n);
	assert_string_equal(a->terms.term.p[i].key.p, key);
	assert_string_equal(a->terms.term.p[i].value.p, value);
}

static void test_words_are_what_they_stand_for(void **state)
{
	struct asked a;

	(void)state;
	assert_int_equal(ask(&a, &as_alloc_libc, "&service=a+b%2b&&v%3D=1=2&host=&"), AS_OK);
	assert_int_equal(a.terms.term.n, 3);
	assert_term(&a, 0, "service", "a b+");
	assert_term(&a, 1, "v=", "1=2");
	assert_term(&a, 2, "host", "");
	asked_release(&a, &as_alloc_libc);
}

static void test_what_is_no_word_is_told(void **state)
{
	static const char *const wrong[] = {"service", "=x", "a=%", "a=%4", "a=%zz", "%=1"};
	struct asked a;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(wrong); i++) {
		assert_int_equal(ask(&a, &as_alloc_libc, wrong[i]), AS_E_ARG);
		assert_non_null(a.way);
		asked_release(&a, &as_alloc_libc);
	}
}

static void test_a_word_comes_back(void **state)
{
	struct as_fleet_term term = {as_slice_of("a&b"), as_slice_of("1.5/x y%\xc3:")};
	struct as_sql text = {.al = &as_alloc_libc};
	struct asked a;

	(void)state;
	as_fleet_query_put(&text, "?", &term);
	assert_true(as_slice_is(as_sql_slice(&text), "?a%26b=1.5%2Fx%20y%25%C3:"));
	as_sql_puts(&text, (struct as_slice){"", 1});
	assert_false(text.failed);
	assert_int_equal(ask(&a, &as_alloc_libc, text.text.p + 1), AS_OK);
	assert_term(&a, 0, "a&b", "1.5/x y%\xc3:");
	asked_release(&a, &as_alloc_libc);
	as_sql_release(&text);
}

static void test_running_out_of_memory_is_told(void **state)
{
	struct fail_alloc fa;
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct asked a;

		fail_alloc_init(&fa, n);
		rc = ask(&a, &fa.al, "service=api&host=web1");
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
		asked_release(&a, &fa.al);
		assert_int_equal(fa.held, 0);
	}
}

int fleet_query_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_are_what_they_stand_for),
		cmocka_unit_test(test_what_is_no_word_is_told),
		cmocka_unit_test(test_a_word_comes_back),
		cmocka_unit_test(test_running_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("fleet_query", tests, NULL, NULL);
}
