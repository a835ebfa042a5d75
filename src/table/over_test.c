/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of time against what filters by time leave, and rows against the table. */
#include "table/over.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/filter/filter.h"
#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/test_profiles.h"

enum { SEEDS = 40, WHAT = AS_TEST_PATHS | AS_TEST_MOMENTS | AS_TEST_RARE };

struct made {
	struct as_profile *prof;
	struct as_table *table;
	uint32_t *of_place;
	struct as_over over;
};

static struct as_over_ask ask_of(const struct made *m, uint64_t width, bool inclusive)
{
	return (struct as_over_ask){.width = width,
		.inclusive = inclusive,
		.n_rows = (uint32_t)m->table->n,
		.of_place = m->of_place};
}

/* Every row of the table is one. */
static void make(
	struct made *m, struct as_profile *prof, enum as_by by, uint64_t width, bool inclusive)
{
	struct as_project_opts opts = {.by = by, .want_places = true};
	struct as_over_ask ask;
	struct as_err err;

	m->prof = prof;
	assert_int_equal(as_project(prof, &opts, &m->table, &err), AS_OK);
	assert_non_null(m->table->of_place);
	m->of_place = calloc(prof->place.func.n, sizeof(*m->of_place));
	for (size_t i = 0; i < prof->place.func.n; i++)
		m->of_place[i] =
			m->table->of_place[i] ? m->table->of_place[i] - 1 : (uint32_t)m->table->n;
	ask = ask_of(m, width, inclusive);
	assert_int_equal(as_over_make(&m->over, prof, &ask, &err), AS_OK);
}

static void drop(struct made *m)
{
	as_over_release(&m->over);
	as_table_free(m->table);
	free(m->of_place);
}

static uint64_t span_of(const struct as_profile *prof)
{
	return (uint64_t)prof->moments.last - (uint64_t)prof->moments.block.p[0].first + 1;
}

static void test_a_row_adds_up_to_what_it_is_in_the_table(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		for (unsigned by = AS_BY_FUNC; by <= AS_BY_FILEFUNC; by++) {
			struct as_profile *prof = as_test_random(seed, WHAT);
			bool inclusive = seed % 2;
			struct made m;

			if (!prof->moments.n) {
				as_profile_free(prof);
				continue;
			}
			make(&m, prof, (enum as_by)by, span_of(prof) / 7 + 1, inclusive);
			for (uint32_t r = 0; r < m.table->n; r++) {
				const as_val *want = inclusive ? m.table->incl : m.table->self;
				const as_val *cost = as_over_costs(&m.over, r);
				as_val sum = 0;

				for (uint32_t k = 0; k <= m.over.n; k++)
					sum += cost[k];
				assert_true(sum == want[(size_t)r * m.table->n_events]);
				assert_true(!cost[m.over.n]);
			}
			assert_false(m.over.timeless);
			drop(&m);
			as_profile_free(prof);
		}
	}
}

static bool is_same_row(const struct as_table *a, uint32_t i, const struct as_table *b, uint32_t k)
{
	const struct as_key *x = &a->key[i], *y = &b->key[k];

	return x->addr == y->addr &&
	       as_slice_eq(as_table_func_name(a, i), as_table_func_name(b, k)) &&
	       as_slice_eq(as_file_path(a->prof, x->file), as_file_path(b->prof, y->file)) &&
	       as_slice_eq(
		       as_object_path(a->prof, x->object), as_object_path(b->prof, y->object)) &&
	       as_slice_eq(as_str_get(a->prof, a->prof->object.p[x->object.i].id),
		       as_str_get(b->prof, b->prof->object.p[y->object.i].id));
}

/* What a filter of the column's time leaves of each row. */
static void expect_column(const struct made *m, uint32_t column)
{
	int64_t from = m->over.start + (int64_t)m->over.ask.width * column;
	struct as_time_range range = {from, from + (int64_t)m->over.ask.width};
	struct as_project_opts opts = {.by = AS_BY_FUNC};
	struct as_profile *part;
	struct as_table *t;
	struct as_err err;

	assert_int_equal(as_filter_time(m->prof, range, true, &part, &err), AS_OK);
	assert_int_equal(as_project(part, &opts, &t, &err), AS_OK);
	for (uint32_t r = 0; r < m->table->n; r++) {
		as_val want = 0, got = 0;

		/* Rows of one name may differ in what is not compared. */
		for (uint32_t k = 0; k < m->table->n; k++)
			if (is_same_row(m->table, r, m->table, k))
				got += as_over_costs(&m->over, k)[column];
		for (uint32_t k = 0; k < t->n; k++)
			if (is_same_row(m->table, r, t, k))
				want += (m->over.ask.inclusive ? t->incl
							       : t->self)[k * t->n_events];
		assert_true(got == want);
	}
	as_table_free(t);
	as_profile_free(part);
}

static void test_a_column_is_what_a_filter_of_its_time_leaves(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, WHAT | AS_TEST_NAMED);
		struct made m;

		if (prof->moments.n) {
			make(&m, prof, AS_BY_FUNC, span_of(prof) / 5 + 1, seed % 2);
			for (uint32_t k = 0; k < m.over.n; k++)
				expect_column(&m, k);
			drop(&m);
		}
		as_profile_free(prof);
	}
}

static struct as_profile *at(const char *text, int64_t begin, as_val cost)
{
	struct as_profile *prof, *out;
	struct as_build b;
	struct as_err err;

	as_test_begin(&b, "ev");
	as_test_self(&b, as_test_func(&b, text, "prog", "a.c"), 3, cost);
	prof = as_test_end(&b);
	assert_int_equal(as_at_time(prof, begin, 0, &out, &err), AS_OK);
	as_profile_free(prof);
	return out;
}

static void test_what_is_of_1970s_first_nanosecond_is_of_no_time(void **state)
{
	struct as_profile *prof = at("f", 0, 7);
	struct made m = {0};
	struct as_err err;
	struct as_over_ask ask;

	(void)state;
	make(&m, prof, AS_BY_FUNC, 10, false);
	assert_int_equal(m.over.n, 1);
	assert_true(as_over_costs(&m.over, 0)[0] == 7);
	as_over_release(&m.over);
	ask = ask_of(&m, 10, false);
	ask.clock = true;
	assert_int_equal(as_over_make(&m.over, prof, &ask, &err), AS_OK);
	assert_true(m.over.timeless);
	assert_true(as_over_costs(&m.over, 0)[0] == 0 && as_over_costs(&m.over, 0)[1] == 7);
	drop(&m);
	as_profile_free(prof);
}

static void test_columns_of_a_clock_begin_at_multiples_of_their_width(void **state)
{
	struct as_profile *prof = at("f", INT64_C(1500000000123456789), 7);
	struct made m = {0};
	struct as_err err;
	struct as_over_ask ask;

	(void)state;
	make(&m, prof, AS_BY_FUNC, 10, false);
	as_over_release(&m.over);
	ask = ask_of(&m, UINT64_C(60000000000), false);
	ask.clock = true;
	assert_int_equal(as_over_make(&m.over, prof, &ask, &err), AS_OK);
	assert_true(m.over.start == INT64_C(1500000000000000000));
	assert_true(as_over_costs(&m.over, 0)[0] == 7);
	drop(&m);
	as_profile_free(prof);
}

static void test_too_many_columns_are_refused(void **state)
{
	struct as_profile *prof;
	struct made m = {0};
	struct as_over_ask ask;
	struct as_build b;
	struct as_err err;
	as_node node;
	as_val cost = 3;
	as_place place;

	(void)state;
	as_test_begin(&b, "ev");
	b.keep_moments = true;
	assert_int_equal(
		as_build_place(
			&b, &(struct as_pos){.func = as_test_func(&b, "f", "prog", "a.c")}, &place),
		AS_OK);
	assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	for (int64_t i = 0; i < 3; i++)
		assert_int_equal(
			as_build_moment(&b,
				&(struct as_moment){
					.time = i * AS_OVER_MAX / 2, .value = 1, .node = node}),
			AS_OK);
	prof = as_test_end(&b);
	make(&m, prof, AS_BY_FUNC, 2, false);
	assert_int_equal(m.over.n, AS_OVER_MAX / 2 + 1);
	as_over_release(&m.over);
	ask = ask_of(&m, 1, false);
	assert_int_equal(as_over_make(&m.over, prof, &ask, &err), AS_E_ARG);
	drop(&m);
	as_profile_free(prof);
}

/* Every request for memory fails once. */
static void test_running_out_of_memory_is_an_error(void **state)
{
	struct as_profile *prof = at("f", 5, 7);
	const struct as_alloc *al = prof->al;
	struct made m = {0};
	uint64_t n;

	(void)state;
	make(&m, prof, AS_BY_FUNC, 10, true);
	as_over_release(&m.over);
	for (n = 1;; n++) {
		struct as_over_ask ask = ask_of(&m, 10, true);
		struct fail_alloc fa;
		struct as_err err;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		prof->al = &fa.al;
		rc = as_over_make(&m.over, prof, &ask, &err);
		as_over_release(&m.over);
		prof->al = al;
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
	assert_int_equal(n, 3);
	drop(&m);
	as_profile_free(prof);
}

int over_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_row_adds_up_to_what_it_is_in_the_table),
		cmocka_unit_test(test_a_column_is_what_a_filter_of_its_time_leaves),
		cmocka_unit_test(test_what_is_of_1970s_first_nanosecond_is_of_no_time),
		cmocka_unit_test(test_columns_of_a_clock_begin_at_multiples_of_their_width),
		cmocka_unit_test(test_too_many_columns_are_refused),
		cmocka_unit_test(test_running_out_of_memory_is_an_error),
	};

	return cmocka_run_group_tests_name("over", tests, NULL, NULL);
}
