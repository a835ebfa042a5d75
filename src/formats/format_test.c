/* SPDX-License-Identifier: Apache-2.0 */
/* What all drivers share: the list of losses. */
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "model/build.h"

static void add_four(struct as_losses *l)
{
	as_losses_add(l, "lines", 1, "line number{|s}");
	as_losses_add(l, "calls", 0, "call edge{|s}");
	as_losses_add(l, "jumps", 7, "jump{|s}");
	as_losses_add(l, "lines", 4, "other words");
	as_losses_add(l, "columns", 1, "column{|s}");
	as_losses_add_cost(l, "unaddressed", as_slice_of("Ir"), 1, "at no address");
}

static void test_losses_of_a_kind_add_up_and_nothing_is_no_loss(void **state)
{
	struct as_losses l;

	(void)state;
	as_losses_init(&l, &as_alloc_libc);
	add_four(&l);
	assert_int_equal(l.row.n, 4);
	assert_string_equal(l.row.p[0].kind, "lines");
	assert_int_equal(l.row.p[0].amount, 5);
	assert_true(as_slice_is(l.row.p[0].text, "line numbers"));
	assert_string_equal(l.row.p[1].kind, "jumps");
	assert_int_equal(l.row.p[1].amount, 7);
	assert_true(as_slice_is(l.row.p[1].text, "jumps"));
	assert_int_equal(l.row.p[2].amount, 1);
	assert_true(as_slice_is(l.row.p[2].text, "column"));
	assert_false(l.no_memory);
	as_losses_release(&l);
	as_losses_add(NULL, "lines", 1, "line number{|s}");
}

/* Two events are no sum of anything, and one may have more than 64 bits hold. */
static void test_costs_are_lost_by_event_and_exactly(void **state)
{
	static const char *const expected[] = {
		"36893488147419103230 Ir at no address", "-5 Dr at no address", "7 at no address"};
	struct as_losses l, copy;
	char number[AS_VAL_TEXT], text[100];

	(void)state;
	as_losses_init(&l, &as_alloc_libc);
	as_losses_init(&copy, &as_alloc_libc);
	as_losses_add_cost(&l, "unaddressed", as_slice_of("Ir"), UINT64_MAX, "at no address");
	as_losses_add_cost(&l, "unaddressed", as_slice_of("Dr"), -5, "at no address");
	as_losses_add_cost(&l, "unaddressed", as_slice_of("Ir"), UINT64_MAX, "at no address");
	as_losses_add_cost(&l, "unaddressed", as_slice_of("Dw"), 0, "at no address");
	as_losses_add_cost(&l, "unaddressed", as_slice_of(""), 7, "at no address");
	as_losses_add_all(&copy, &l);
	assert_int_equal(copy.row.n, 3);
	for (size_t i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "%s %.*s", as_loss_number(&copy.row.p[i], number),
			AS_SLICE_FMT(copy.row.p[i].text));
		assert_string_equal(text, expected[i]);
	}
	assert_true(copy.row.p[0].amount == UINT64_MAX);
	as_losses_release(&l);
	as_losses_release(&copy);
}

static void test_a_list_that_lacks_a_loss_says_so(void **state)
{
	struct fail_alloc fa;
	struct as_losses l;
	uint64_t n = 0;
	bool whole;

	(void)state;
	do {
		fail_alloc_init(&fa, ++n);
		as_losses_init(&l, &fa.al);
		add_four(&l);
		whole = l.row.n == 4;
		assert_int_equal(l.no_memory, !whole);
		as_losses_release(&l);
		assert_int_equal(fa.held, 0);
	} while (!whole);
	assert_true(n > 1);
}

/* Address 0 is none, also where it begins a stretch of rows. */
static void test_rows_at_address_0_have_no_address_to_lose(void **state)
{
	uint8_t le32[4 * 4 + AS_SPAN_SLACK] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};

	(void)state;
	for (uint64_t start = 0; start < 2; start++) {
		struct as_rows_span span = {start, 4, le32, 4};
		uint64_t amount[AS_CAP_COUNT];
		struct as_profile *prof;
		struct as_build b;
		uint32_t k;

		assert_int_equal(as_build_init(&b, &as_alloc_libc, NULL), AS_OK);
		assert_int_equal(
			as_build_event(&b, as_slice_of("cycles"), as_slice_of(""), &k), AS_OK);
		assert_int_equal(as_build_part(&b, &k), AS_OK);
		assert_true(
			as_rows_run(&b.prof->self, 0, (as_func){0}, (as_file){0}, (as_func){0}));
		assert_true(as_rows_add_span(&b.prof->self, &span));
		assert_int_equal(as_build_finish(&b, &prof), AS_OK);
		assert_true(as_profile_uses(prof, AS_CAP(ADDRS), amount));
		assert_int_equal(amount[AS_CAPBIT_ADDRS], start ? 4 : 3);
		as_profile_free(prof);
	}
}

int format_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_losses_of_a_kind_add_up_and_nothing_is_no_loss),
		cmocka_unit_test(test_costs_are_lost_by_event_and_exactly),
		cmocka_unit_test(test_a_list_that_lacks_a_loss_says_so),
		cmocka_unit_test(test_rows_at_address_0_have_no_address_to_lose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
