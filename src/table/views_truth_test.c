/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers and callees, trees and cycles of random profiles against their definitions, done the
 * slow way: every sample is a list of functions that is looked at frame by frame, and cycles are
 * mutual reachability.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"
#include "table/neighbours.h"
#include "table/recursion.h"
#include "tree/calltree.h"

enum { SEEDS = 150, FRAMES = 64, FUNCS = 40, SAMPLES = 4096, CHAIN = 80 };

struct truth {
	const struct as_profile *prof;
	uint32_t e;
	size_t n;
	struct {
		uint32_t func[FRAMES]; /* from the root */
		size_t n;
		const as_val *cost;
	} s[SAMPLES];
};

static struct truth truth;

static void load(struct truth *t, const struct as_profile *prof)
{
	t->prof = prof;
	t->e = as_n_events(prof);
	t->n = prof->sample.node.n;
	assert_true(t->n <= SAMPLES && prof->func.name.n <= FUNCS);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t node = prof->sample.node.p[i].i, up[FRAMES];
		size_t n = 0;

		do {
			assert_true(n < FRAMES);
			up[n++] = prof->place.func.p[prof->node.place.p[node].i].i;
			node = prof->node.parent.p[node].i;
		} while (node);
		t->s[i].n = n;
		for (size_t k = 0; k < n; k++)
			t->s[i].func[k] = up[n - 1 - k];
		t->s[i].cost = prof->sample.cost.p + i * t->e;
	}
}

/* ---- trees ---- */

struct chain {
	uint32_t func[CHAIN];
	size_t n;
};

/* Frame K of sample I as the view goes through it; false at its end. ROOT is UINT32_MAX for all. */
static bool frame_at(const struct truth *t, size_t i, enum as_tree_way way, uint32_t root, size_t k,
	uint32_t *func)
{
	size_t n = t->s[i].n, first = 0;

	if (root != UINT32_MAX && way != AS_TREE_BOTTOM_UP) {
		while (first < n && t->s[i].func[first] != root)
			first++;
		if (first == n)
			return false;
	}
	if (root != UINT32_MAX && way == AS_TREE_BOTTOM_UP && t->s[i].func[n - 1] != root)
		return false;
	if (way == AS_TREE_CALLEES) {
		if (first + k >= n)
			return false;
		*func = t->s[i].func[first + k];
		return true;
	}
	if (way == AS_TREE_CALLERS)
		n = first + 1;
	if (k >= n)
		return false;
	*func = t->s[i].func[n - 1 - k];
	return true;
}

/* The cost of the samples that begin with the chain; with EXACT only of those that are it. */
static as_val cost_of(const struct truth *t, enum as_tree_way way, uint32_t root,
	const struct chain *c, uint32_t event, bool exact)
{
	as_val sum = 0;

	for (size_t i = 0; i < t->n; i++) {
		bool same = true;
		uint32_t func;

		for (size_t k = 0; k < c->n && same; k++)
			same = frame_at(t, i, way, root, k, &func) && func == c->func[k];
		if (same && exact && frame_at(t, i, way, root, c->n, &func))
			same = false;
		if (same)
			sum += t->s[i].cost[event];
	}
	return sum;
}

struct view_case {
	enum as_tree_way way;
	uint32_t root;
	struct as_tree_opts opts;
};

static void check_row(const struct truth *t, const struct view_case *vc,
	const struct as_tree_view *v, const struct as_tree_row *row, const struct chain *c)
{
	const as_val *cost = v->value.p + row->cost;

	for (uint32_t k = 0; k < t->e; k++) {
		if (row->kind == AS_TREE_FUNC)
			assert_true(cost[k] == cost_of(t, vc->way, vc->root, c, k, false));
		if (row->kind == AS_TREE_NO_CALLER)
			assert_true(cost[k] == cost_of(t, vc->way, vc->root, c, k, true));
		if (row->kind == AS_TREE_FUNC && vc->way == AS_TREE_CALLEES)
			assert_true(cost[t->e + k] == cost_of(t, vc->way, vc->root, c, k, true));
	}
}

/* The rows one level below row I, or those of the first level for SIZE_MAX, add up to it. */
static void check_level(
	const struct truth *t, const struct view_case *vc, const struct as_tree_view *v, size_t i)
{
	uint32_t depth = i == SIZE_MAX ? 0 : v->row.p[i].depth + 1;
	bool any = false;

	for (uint32_t k = 0; k < t->e; k++) {
		struct chain none = {.n = 0};
		as_val sum = 0, want;

		for (size_t j = i == SIZE_MAX ? 0 : i + 1;
			j < v->row.n && v->row.p[j].depth >= depth; j++)
			if (v->row.p[j].depth == depth) {
				sum += v->value.p[v->row.p[j].cost + k];
				any = true;
			}
		if (i == SIZE_MAX)
			want = vc->root == UINT32_MAX ? t->prof->total[k] : sum;
		else
			want = v->value.p[v->row.p[i].cost + k];
		if (i != SIZE_MAX && vc->way == AS_TREE_CALLEES)
			sum += v->value.p[v->row.p[i].cost + t->e + k];
		if (any || vc->way == AS_TREE_CALLEES)
			assert_true(sum == want);
		(void)none;
	}
}

/* No two rows below one are of the same function, and those cut are cut for a reason. */
static void check_siblings(const struct view_case *vc, const struct as_tree_view *v, size_t i)
{
	const struct as_tree_row *row = &v->row.p[i];
	as_val cost = v->value.p[row->cost + vc->opts.event];

	for (size_t j = i + 1; j < v->row.n && v->row.p[j].depth >= row->depth; j++)
		if (v->row.p[j].depth == row->depth && v->row.p[j].kind == row->kind &&
			row->kind == AS_TREE_FUNC) {
			assert_true(v->row.p[j].key != row->key);
			assert_true(v->value.p[v->row.p[j].cost + vc->opts.event] <= cost);
		}
	if (row->kind != AS_TREE_REST)
		assert_true((cost < 0 ? -cost : cost) >= vc->opts.min);
	assert_true(!vc->opts.depth || row->depth < vc->opts.depth || row->kind == AS_TREE_REST);
}

static void check_view(
	const struct truth *t, const struct view_case *vc, const struct as_tree_view *v)
{
	struct chain c = {.n = 0};

	check_level(t, vc, v, SIZE_MAX);
	for (size_t i = 0; i < v->row.n; i++) {
		const struct as_tree_row *row = &v->row.p[i];
		bool again = false;

		assert_true(row->depth <= c.n && row->depth < CHAIN);
		c.n = row->depth;
		if (row->kind == AS_TREE_FUNC) {
			uint32_t func = v->ct->key.p[row->key].func.i;

			for (size_t k = 0; k < c.n; k++)
				again |= c.func[k] == func;
			assert_int_equal(row->again, again);
			c.func[c.n++] = func;
			check_level(t, vc, v, i);
		}
		check_row(t, vc, v, row, &c);
		check_siblings(vc, v, i);
	}
}

static void try_view(const struct truth *t, struct view_case *vc, uint64_t *rng)
{
	struct as_calltree_root root = {.func = {vc->root}};
	bool some = vc->root != UINT32_MAX, down = vc->way == AS_TREE_CALLEES;
	struct as_calltree_opts opts = {.below = some && down ? &root : NULL};
	struct as_tree_view v;
	struct as_calltree ct;
	struct as_err err;

	vc->opts = (struct as_tree_opts){.way = vc->way,
		.event = as_test_next(rng, t->e),
		.depth = as_test_next(rng, 2) ? as_test_next(rng, 5) : 0,
		.min = as_test_next(rng, 2) ? as_test_next(rng, 60) : 0,
		.of = some && !down ? &root : NULL};
	if (down && as_test_next(rng, 2)) { /* only what the view shows is told apart */
		opts.min = vc->opts.min;
		opts.event = vc->opts.event;
	}
	as_err_clear(&err);
	assert_int_equal(as_calltree_make(&ct, t->prof, &opts, &err), AS_OK);
	assert_int_equal(as_tree_view_make(&v, &ct, &vc->opts, &err), AS_OK);
	check_view(t, vc, &v);
	as_tree_view_release(&v);
	/* There and back. */
	as_calltree_to_self(&ct);
	for (uint32_t k = 0; k < t->e && !opts.below; k++) {
		as_val sum = 0;

		for (size_t i = 0; i < ct.parent.n; i++)
			sum += ct.cost.p[i * t->e + k];
		assert_true(sum == t->prof->total[k]);
	}
	as_calltree_release(&ct);
}

static void test_trees_are_what_they_say(void **state)
{
	uint64_t rng = 99;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_NAMED | (seed % 3 ? 0 : AS_TEST_NEGATIVE);
		struct as_profile *prof = as_test_random(seed, what);

		load(&truth, prof);
		for (int way = AS_TREE_CALLEES; truth.e && way <= AS_TREE_BOTTOM_UP; way++)
			for (uint32_t f = 0; f <= prof->func.name.n; f++) {
				struct view_case vc = {.way = (enum as_tree_way)way,
					.root = f < prof->func.name.n ? f : UINT32_MAX};

				if (f == prof->func.name.n && way == AS_TREE_CALLERS)
					continue;
				try_view(&truth, &vc, &rng);
			}
		as_profile_free(prof);
	}
}

/* ---- paths ---- */

static void test_paths_are_distinct_and_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NAMED);
		struct as_calltree ct;
		struct as_err err;
		uint32_t *node;
		size_t n, size;

		load(&truth, prof);
		assert_int_equal(
			as_calltree_make(&ct, prof, &(struct as_calltree_opts){0}, &err), AS_OK);
		assert_int_equal(as_calltree_ends(&ct, 0, &node, &n, &size), AS_OK);
		for (uint32_t k = 0; k < truth.e; k++) {
			as_val sum = 0;

			for (size_t i = 0; i < n; i++) {
				struct chain c = {.n = 0};

				for (uint32_t at = node[i]; at; at = ct.parent.p[at])
					c.func[c.n++] = ct.key.p[ct.key_of.p[at]].func.i;
				assert_true(ct.cost.p[(size_t)node[i] * truth.e + k] ==
					    cost_of(&truth, AS_TREE_BOTTOM_UP, UINT32_MAX, &c, k,
						    true));
				sum += ct.cost.p[(size_t)node[i] * truth.e + k];
			}
			assert_true(sum == prof->total[k]);
		}
		for (size_t i = 1; i < n; i++)
			assert_true(ct.cost.p[(size_t)node[i] * truth.e] <=
				    ct.cost.p[(size_t)node[i - 1] * truth.e]);
		as_alloc_free(prof->al, node, size);
		as_calltree_release(&ct);
		as_profile_free(prof);
	}
}

/* ---- callers and callees ---- */

struct edges {
	as_val cost[FUNCS][FUNCS][3], count[FUNCS][FUNCS];
	bool is[FUNCS][FUNCS];
	as_val entry[FUNCS][3];
};

static struct edges edges;

static void path_edges(const struct truth *t, struct edges *g)
{
	for (size_t i = 0; i < t->n; i++) {
		bool seen[FUNCS][FUNCS] = {{false}};

		for (uint32_t k = 0; k < t->e; k++)
			g->entry[t->s[i].func[0]][k] += t->s[i].cost[k];
		for (size_t f = 1; f < t->s[i].n; f++) {
			uint32_t a = t->s[i].func[f - 1], b = t->s[i].func[f];

			for (uint32_t k = 0; k < t->e && !seen[a][b]; k++)
				g->cost[a][b][k] += t->s[i].cost[k];
			seen[a][b] = g->is[a][b] = true;
		}
	}
}

static void call_edges(const struct as_profile *prof, struct edges *g)
{
	as_val v[AS_CALL_COST + 3];
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->call.run.n; r++) {
		uint32_t a = prof->call.run.p[r].func.i;

		as_rows_begin(&cur, &prof->call, &prof->call.run.p[r], v);
		while (as_rows_next(&cur)) {
			uint32_t b = (uint32_t)v[AS_CALL_FUNC];

			g->is[a][b] = true;
			g->count[a][b] += v[AS_CALL_COUNT];
			for (uint32_t k = 0; k + AS_CALL_COST < cur.n; k++)
				g->cost[a][b][k] += v[AS_CALL_COST + k];
		}
	}
}

static struct as_table *project(const struct as_profile *prof)
{
	struct as_table *table;
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(
		as_project(prof,
			&(struct as_project_opts){
				.by = AS_BY_FUNC, .keep_contexts = true, .want_edges = true},
			&table, &err),
		AS_OK);
	return table;
}

static void check_side(const struct as_table *t, const struct as_neighbour *nb, size_t n,
	uint32_t func, bool callers)
{
	size_t want = 0;

	for (uint32_t f = 0; f < t->prof->func.name.n; f++)
		want += callers ? edges.is[f][func] : edges.is[func][f];
	assert_int_equal(n, want);
	for (size_t i = 0; i < n; i++) {
		uint32_t f = t->key[nb[i].row].func.i;
		uint32_t a = callers ? f : func, b = callers ? func : f;

		assert_true(edges.is[a][b] && nb[i].count == edges.count[a][b]);
		for (uint32_t k = 0; k < t->n_events; k++)
			assert_true(nb[i].cost[k] == edges.cost[a][b][k]);
		assert_true(!i || nb[i].cost[0] <= nb[i - 1].cost[0]);
	}
}

static void check_neighbours(const struct as_profile *prof, bool paths)
{
	struct as_table *t = project(prof);
	struct as_neighbours nb;
	struct as_err err;

	for (uint32_t r = 0; r < t->n; r++) {
		uint32_t func = t->key[r].func.i;

		if (t->key[r].is_cycle)
			continue;
		assert_int_equal(
			as_neighbours_make(&nb, t,
				&(struct as_neighbours_opts){.row = r, .keep_contexts = true},
				&err),
			AS_OK);
		check_side(t, nb.caller.p, nb.caller.n, func, true);
		check_side(t, nb.callee.p, nb.callee.n, func, false);
		for (uint32_t k = 0; k < t->n_events && paths; k++)
			assert_true(nb.has_entry && nb.entry[k] == edges.entry[func][k]);
		as_neighbours_release(&nb);
	}
	as_table_free(t);
}

static void test_callers_and_callees_are_what_passes_between(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NAMED);

		memset(&edges, 0, sizeof(edges));
		load(&truth, prof);
		path_edges(&truth, &edges);
		check_neighbours(prof, true);
		as_profile_free(prof);
		prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_NAMED);
		memset(&edges, 0, sizeof(edges));
		call_edges(prof, &edges);
		if (prof->call.n)
			check_neighbours(prof, false);
		as_profile_free(prof);
	}
}

/* ---- cycles ---- */

static bool reach[FUNCS][FUNCS];

static void close_reach(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++)
			reach[i][k] = edges.is[i][k];
	for (uint32_t m = 0; m < n; m++)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < n; k++)
				reach[i][k] |= reach[i][m] && reach[m][k];
}

static bool is_member(uint32_t f, uint32_t of)
{
	return f == of || (reach[f][of] && reach[of][f]);
}

/* Cost that comes into the cycle of function F. */
static as_val incl_of(const struct as_profile *prof, const struct as_table *t, uint32_t f,
	uint32_t k, as_val self)
{
	as_val sum = 0;

	if (!prof->call.n) {
		for (size_t i = 0; i < truth.n; i++) {
			bool through = false;

			for (size_t j = 0; j < truth.s[i].n; j++)
				through |= is_member(truth.s[i].func[j], f);
			sum += through ? truth.s[i].cost[k] : 0;
		}
		return sum;
	}
	for (uint32_t a = 0; a < prof->func.name.n; a++)
		for (uint32_t b = 0; b < prof->func.name.n; b++)
			if (is_member(a, f) && !is_member(b, f))
				sum += edges.cost[a][b][k];
	(void)t;
	return self + sum;
}

static void check_cycles(const struct as_profile *prof)
{
	struct as_table *t = project(prof);
	uint32_t funcs = (uint32_t)prof->func.name.n, want = 0;
	struct as_cycles c;
	struct as_err err;

	close_reach(funcs);
	for (uint32_t f = 0; f < funcs; f++) {
		bool first = reach[f][f];

		for (uint32_t g = 0; g < f; g++)
			first &= !is_member(g, f);
		want += first;
	}
	assert_int_equal(
		as_cycles_make(&c, t, &(struct as_cycles_opts){.keep_contexts = true}, &err),
		AS_OK);
	assert_int_equal(c.cycle.n, want);
	for (size_t i = 0; i < c.cycle.n; i++) {
		const struct as_cycle *cycle = &c.cycle.p[i];
		uint32_t f = t->key[c.member.p[cycle->member]].func.i, members = 0;
		as_val called = 0;

		for (uint32_t g = 0; g < funcs; g++)
			members += is_member(g, f);
		assert_int_equal(cycle->n_members, members);
		assert_int_equal(cycle->number != 0, members > 1);
		for (uint32_t k = 0; k < t->n_events; k++) {
			as_val self = 0;

			for (uint32_t m = 0; m < members; m++) {
				uint32_t r = c.member.p[cycle->member + m];

				assert_true(is_member(t->key[r].func.i, f));
				self += t->self[(size_t)r * t->n_events + k];
			}
			assert_true(c.value.p[cycle->cost + k] == self);
			/* One function of calls keeps the rule of the table: what came in. */
			if (members > 1 || !prof->call.n)
				assert_true(c.value.p[cycle->cost + t->n_events + k] ==
					    incl_of(prof, t, f, k, self));
		}
		for (uint32_t a = 0; a < funcs; a++)
			for (uint32_t b = 0; b < funcs; b++)
				if (!is_member(a, f) && is_member(b, f))
					called += edges.count[a][b];
		if (cycle->has_calls)
			assert_true(cycle->calls == called);
	}
	as_cycles_release(&c);
	as_table_free(t);
}

static void test_cycles_have_the_cost_that_comes_in(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NAMED);

		memset(&edges, 0, sizeof(edges));
		load(&truth, prof);
		path_edges(&truth, &edges);
		check_cycles(prof);
		as_profile_free(prof);
		prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_NAMED);
		memset(&edges, 0, sizeof(edges));
		call_edges(prof, &edges);
		if (prof->call.n)
			check_cycles(prof);
		as_profile_free(prof);
	}
}

int views_truth_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees_are_what_they_say),
		cmocka_unit_test(test_paths_are_distinct_and_add_up),
		cmocka_unit_test(test_callers_and_callees_are_what_passes_between),
		cmocka_unit_test(test_cycles_have_the_cost_that_comes_in),
	};

	return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
