/* SPDX-License-Identifier: Apache-2.0 */
#include "session/load_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { OBJECTS = 5000 };

struct asked {
	unsigned n[OBJECTS];
};

static unsigned known_test_number(struct as_slice path)
{
	unsigned v = 0;

	for (size_t i = 1; i < path.len; i++)
		v = v * 10 + (unsigned)(path.p[i] - '0');
	return v;
}

static bool wants_third(const void *ctx, struct as_slice path)
{
	struct asked *a = (struct asked *)(uintptr_t)ctx;
	unsigned v = known_test_number(path);

	a->n[v]++;
	return v % 3 == 0;
}

static void ask(const struct as_rd_choice *c, unsigned i)
{
	char text[20];

	snprintf(text, sizeof(text), "o%u", i);
	assert_int_equal(c->object(c->ctx, as_slice_of(text)), i % 3 == 0);
}

static void test_what_was_said_is_not_asked_again(void **state)
{
	struct asked asked = {.n = {0}};
	struct as_rd_choice c = {.ctx = &asked, .object = wants_third};
	struct as_known *k = as_known_new(&as_alloc_libc, &c);
	unsigned again = 0;

	(void)state;
	assert_non_null(k);
	assert_null(c.part);
	for (int round = 0; round < 3; round++)
		for (unsigned i = 0; i < OBJECTS; i++)
			ask(&c, i); /* more than there is room for: the answer is right */
	for (unsigned i = 0; i < OBJECTS; i++) {
		assert_true(asked.n[i] == 1 || asked.n[i] == 3);
		again += asked.n[i] == 3;
	}
	assert_true(again < OBJECTS / 2);
	as_known_free(k);
}

static void test_an_object_without_a_path_is_one(void **state)
{
	struct asked asked = {.n = {0}};
	struct as_rd_choice c = {.ctx = &asked, .object = wants_third};
	struct as_known *k = as_known_new(&as_alloc_libc, &c);

	(void)state;
	assert_non_null(k);
	for (int round = 0; round < 3; round++)
		assert_true(c.object(c.ctx, (struct as_slice){"", 0}));
	assert_int_equal(asked.n[0], 1);
	as_known_free(k);
	as_known_free(NULL);
}

static bool wants_all(const void *ctx, const struct as_profile *prof, uint32_t part)
{
	(void)ctx;
	(void)prof;
	(void)part;
	return true;
}

static void test_that_no_object_is_wanted_is_known(void **state)
{
	struct asked asked = {.n = {0}};
	struct as_rd_choice c = {.ctx = &asked, .object = wants_third};
	struct as_rd_choice both = {.ctx = &asked, .object = wants_third, .part = wants_all};
	struct as_known *k = as_known_new(&as_alloc_libc, &c);
	struct as_known *of_both = as_known_new(&as_alloc_libc, &both);

	(void)state;
	assert_non_null(k);
	assert_non_null(of_both);
	ask(&c, 1);
	ask(&c, 2);
	assert_true(as_known_wants_none(k));
	ask(&c, 3);
	ask(&c, 4);
	assert_false(as_known_wants_none(k));
	ask(&both, 1);
	assert_false(as_known_wants_none(of_both)); /* it may be the part that chooses nothing */
	as_known_free(k);
	as_known_free(of_both);
}

int known_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_said_is_not_asked_again),
		cmocka_unit_test(test_an_object_without_a_path_is_one),
		cmocka_unit_test(test_that_no_object_is_wanted_is_known),
	};

	return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
