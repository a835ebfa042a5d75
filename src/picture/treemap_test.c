/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/treemap.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

struct made {
	struct as_profile *prof;
	struct as_table *table;
	struct as_view_opts view;
	struct as_treemap map;
};

static enum as_code try_make(struct made *m, struct as_profile *prof, unsigned w, unsigned h)
{
	struct as_project_opts project = {.by = AS_BY_FUNC, .no_cycles = true};
	struct as_treemap_opts opts = {.width = w, .height = h};
	struct as_err err;

	as_err_clear(&err);
	*m = (struct made){.prof = prof};
	assert_int_equal(as_project(prof, &project, &m->table, &err), AS_OK);
	opts.table = m->table;
	opts.view = &m->view;
	return as_treemap_make(&m->map, &opts, &err);
}

static void release(struct made *m)
{
	as_treemap_release(&m->map);
	as_table_free(m->table);
	as_profile_free(m->prof);
}

static struct as_profile *of_two_objects(as_val last)
{
	struct as_build b;

	as_test_begin(&b, "samples");
	as_test_self(&b, as_test_func(&b, "p", "one", "p.c"), 1, 60);
	as_test_self(&b, as_test_func(&b, "q", "two", "q.c"), 1, 20);
	as_test_self(&b, as_test_func(&b, "r", "two", "r.c"), 2, 15);
	as_test_self(&b, as_test_func(&b, "s", "two", "r.c"), 3, last);
	return as_test_end(&b);
}

static bool is_leaf(const struct as_treemap_box *b)
{
	return b->kind == AS_TREEMAP_FUNC || b->kind == AS_TREEMAP_SMALL;
}

static void test_boxes_are_in_their_objects_and_files(void **state)
{
	static const struct {
		uint8_t kind, colour;
		as_val cost;
	} wanted[] = {{AS_TREEMAP_OBJECT, 1, 60}, {AS_TREEMAP_FUNC, 1, 60},
		{AS_TREEMAP_OBJECT, 2, 40}, {AS_TREEMAP_FILE, 2, 20}, {AS_TREEMAP_FUNC, 2, 20},
		{AS_TREEMAP_FILE, 2, 20}, {AS_TREEMAP_FUNC, 2, 15}, {AS_TREEMAP_FUNC, 2, 5}};
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, of_two_objects(5), 1000, 500), AS_OK);
	assert_int_equal(m.map.total, 100);
	assert_int_equal(m.map.box.n, AS_ARRAY_LEN(wanted));
	for (size_t i = 0; i < m.map.box.n; i++) {
		assert_int_equal(m.map.box.p[i].kind, wanted[i].kind);
		assert_int_equal(m.map.box.p[i].colour, wanted[i].colour);
		assert_int_equal(m.map.box.p[i].cost, wanted[i].cost);
	}
	/* Objects share the whole map by their costs. */
	assert_true(m.map.box.p[0].w * m.map.box.p[0].h > 0.5999 * 1000 * 500);
	assert_true(m.map.box.p[0].w * m.map.box.p[0].h < 0.6001 * 1000 * 500);
	release(&m);
}

static void test_a_cost_below_zero_is_refused(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, of_two_objects(-1), 1000, 500), AS_E_ARG);
	release(&m);
}

static bool contains(const struct as_treemap_box *a, const struct as_treemap_box *b)
{
	const double eps = 1e-6;

	return b->x >= a->x - eps && b->y >= a->y - eps && b->x + b->w <= a->x + a->w + eps &&
	       b->y + b->h <= a->y + a->h + eps;
}

static bool overlap(const struct as_treemap_box *a, const struct as_treemap_box *b)
{
	const double eps = 1e-6;

	return a->x + a->w > b->x + eps && b->x + b->w > a->x + eps && a->y + a->h > b->y + eps &&
	       b->y + b->h > a->y + eps;
}

/* Leaves add up to the total, lie in the map and in what they belong to, and beside each other. */
static void holds_together(const struct as_treemap *map)
{
	struct as_treemap_box all = {.w = map->opts.width, .h = map->opts.height};
	const struct as_treemap_box *box = map->box.p;
	as_val sum = 0;

	for (size_t i = 0; i < map->box.n; i++) {
		assert_true(contains(&all, &box[i]));
		if (!is_leaf(&box[i]))
			continue;
		sum += box[i].cost;
		for (size_t k = 0; k < i; k++)
			if (is_leaf(&box[k]))
				assert_false(overlap(&box[i], &box[k]));
	}
	assert_true(sum == map->total);
}

static void test_random_maps_hold_together(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct made m;

		assert_int_equal(
			try_make(&m,
				as_test_random(seed,
					seed % 2 ? AS_TEST_PATHS : AS_TEST_SELF | AS_TEST_CALLS),
				seed % 3 ? 900 : 60, seed % 5 ? 600 : 40),
			AS_OK);
		assert_true(m.map.total == m.prof->total[0]);
		holds_together(&m.map);
		release(&m);
	}
}

/* Objects whose nameless code is told apart by address; in some a few addresses cost much. */
static struct as_profile *treemap_nameless(uint32_t seed)
{
	static const char *const object[] = {"even", "steep", "small", "one"};
	static const uint32_t rows[] = {900, 1500, 700, 1}, most[] = {9, 40, 2, 1};
	struct as_build b;

	as_test_begin(&b, "samples");
	for (uint32_t k = 0; k < AS_ARRAY_LEN(object); k++) {
		struct as_pos pos = {.func = as_test_func(&b, "", object[k], "")};

		for (uint32_t i = 0; i < rows[k]; i++) {
			as_val cost;

			seed = seed * 1103515245 + 12345;
			cost = 1 + (seed >> 16) % most[k];
			cost *= k == 1 && (seed >> 8) % 16 == 0 ? 50 : 1;
			pos.addr += 4;
			assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
		}
	}
	return as_test_end(&b);
}

static void treemap_of_best(
	struct made *m, struct as_profile *prof, struct as_treemap_opts opts, bool all)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.no_cycles = true,
		.best = all ? 0 : as_treemap_rows(&opts),
		.want_rest = true};
	struct as_err err;

	as_err_clear(&err);
	*m = (struct made){.prof = prof};
	assert_int_equal(as_project(prof, &project, &m->table, &err), AS_OK);
	assert_int_equal(!m->table->n_rest, all);
	opts.table = m->table;
	opts.view = &m->view;
	assert_int_equal(as_treemap_make(&m->map, &opts, &err), AS_OK);
}

/* Bit by bit. */
static void test_rows_that_cannot_be_seen_need_not_be_there(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 40; seed++) {
		struct as_treemap_opts opts = {.width = 20 + seed % 7 * 20, .height = 50};
		struct as_profile *prof = treemap_nameless(seed);
		struct made all, few;

		treemap_of_best(&all, prof, opts, true);
		treemap_of_best(&few, prof, opts, false);
		assert_true(few.map.n_small > 0 && all.map.total == few.map.total);
		assert_int_equal(all.map.n_small, few.map.n_small);
		assert_int_equal(all.map.box.n, few.map.box.n);
		for (size_t i = 0; i < all.map.box.n; i++) {
			struct as_treemap_box *x = &all.map.box.p[i], *y = &few.map.box.p[i];

			assert_true(x->kind == y->kind && x->colour == y->colour);
			assert_true(x->x == y->x && x->y == y->y && x->w == y->w && x->h == y->h);
			assert_true(x->cost == y->cost);
			if (x->kind == AS_TREEMAP_SMALL)
				assert_int_equal(x->row, y->row);
			if (x->kind == AS_TREEMAP_FUNC)
				assert_int_equal(
					all.table->key[x->row].addr, few.table->key[y->row].addr);
		}
		few.prof = NULL;
		release(&few);
		release(&all);
	}
}

int treemap_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_are_in_their_objects_and_files),
		cmocka_unit_test(test_a_cost_below_zero_is_refused),
		cmocka_unit_test(test_random_maps_hold_together),
		cmocka_unit_test(test_rows_that_cannot_be_seen_need_not_be_there),
	};

	return cmocka_run_group_tests_name("treemap", tests, NULL, NULL);
}
