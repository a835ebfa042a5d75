/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_push.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static bool known_fill(struct as_fleet_known *known, const struct as_alloc *al)
{
	bool ok = true, fresh;

	*known = (struct as_fleet_known){.al = al};
	for (size_t i = 0; i < AS_FLEET_SERVERS; i += 63) {
		struct as_fleet_known_at *at = &known->at[i];

		at->day = 20780;
		at->home = i + 7;
		at->frame.al = at->stack.al = at->serie.al = al;
		for (uint64_t id = 1; id <= 100 && ok; id++)
			ok = as_fleet_ids_add(&at->frame, id, &fresh) &&
			     as_fleet_ids_add(&at->stack, id << 40, &fresh);
	}
	return ok;
}

static void test_what_is_known_is_known_again(void **state)
{
	struct as_fleet_bytes bytes = {.al = &as_alloc_libc};
	struct as_fleet_known known, back = {.al = &as_alloc_libc};

	(void)state;
	assert_true(known_fill(&known, &as_alloc_libc));
	assert_true(as_fleet_known_put(&known, &bytes));
	assert_true(as_fleet_known_take(&back, (struct as_slice){bytes.v.p, bytes.v.n}));
	assert_int_equal(as_fleet_known_count(&back), 400);
	for (size_t i = 0; i < AS_FLEET_SERVERS; i++) {
		assert_int_equal(back.at[i].day, known.at[i].day);
		assert_true(back.at[i].home == known.at[i].home);
		assert_int_equal(back.at[i].frame.n, i % 63 ? 0 : 100);
		for (uint64_t id = 1; id <= 100 && !(i % 63); id++)
			assert_true(as_fleet_ids_has(&back.at[i].stack, id << 40) &&
				    as_fleet_ids_has(&back.at[i].frame, id));
	}
	as_fleet_known_release(&known);
	as_fleet_known_release(&back);
	as_vec_free(bytes.al, &bytes.v);
}

/* A power failure leaves files short, or full of zeros. */
static void test_of_damaged_bytes_nothing_is_known(void **state)
{
	struct as_fleet_bytes bytes = {.al = &as_alloc_libc};
	struct as_fleet_known known, back = {.al = &as_alloc_libc};

	(void)state;
	assert_true(known_fill(&known, &as_alloc_libc));
	assert_true(as_fleet_known_put(&known, &bytes));
	for (size_t n = 0; n < bytes.v.n; n++) {
		assert_true(as_fleet_known_take(&back, (struct as_slice){bytes.v.p, n}));
		assert_int_equal(as_fleet_known_count(&back), 0);
		bytes.v.p[n] ^= 1;
		assert_true(as_fleet_known_take(&back, (struct as_slice){bytes.v.p, bytes.v.n}));
		assert_int_equal(as_fleet_known_count(&back), 0);
		bytes.v.p[n] ^= 1;
	}
	as_fleet_known_release(&known);
	as_vec_free(bytes.al, &bytes.v);
}

static void test_without_memory_is_told(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct as_fleet_bytes bytes = {0};
		struct as_fleet_known known, back;
		bool ok;

		fail_alloc_init(&fa, n);
		bytes.al = &fa.al;
		back = (struct as_fleet_known){.al = &fa.al};
		ok = known_fill(&known, &fa.al) && as_fleet_known_put(&known, &bytes) &&
		     as_fleet_known_take(&back, (struct as_slice){bytes.v.p, bytes.v.n});
		assert_int_equal(as_fleet_known_count(&back), ok ? 400 : 0);
		as_fleet_known_release(&known);
		as_fleet_known_release(&back);
		as_vec_free(bytes.al, &bytes.v);
		assert_int_equal(fa.held, 0);
		if (ok)
			return;
	}
}

int fleet_known_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_known_is_known_again),
		cmocka_unit_test(test_of_damaged_bytes_nothing_is_known),
		cmocka_unit_test(test_without_memory_is_told),
	};

	return cmocka_run_group_tests_name("fleet_known", tests, NULL, NULL);
}
