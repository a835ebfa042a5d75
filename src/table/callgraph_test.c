/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of random call graphs is drawn, against the definitions: reachability by trying every
 * way, depth by counting, what is left out by looking at each row.
 */
#include "table/callgraph.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 300, ROWS = 128, FAR = 1000 };

struct truth {
	const struct as_table *t;
	struct as_callgraph_opts opts;
	uint32_t way[ROWS][ROWS]; /* calls from one to the other; FAR = there is no way */
	uint32_t level[ROWS];
	as_val weight[ROWS];
};

static struct truth truth;

static as_val size_of(as_val v)
{
	return v < 0 ? -v : v;
}

static as_val cost_of(const struct truth *tr, const struct as_edge *e)
{
	return size_of(e->cost[tr->opts.event]);
}

static bool is_inner(const struct truth *tr, uint32_t a, uint32_t b)
{
	return a == b || (!tr->opts.no_cycles && tr->way[a][b] < FAR && tr->way[b][a] < FAR);
}

static void find_ways(struct truth *tr)
{
	size_t n = tr->t->n;

	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			tr->way[a][b] = a == b ? 0 : FAR;
	for (size_t i = 0; i < tr->t->n_edges; i++)
		if (tr->t->edge[i].from != tr->t->edge[i].to)
			tr->way[tr->t->edge[i].from][tr->t->edge[i].to] = 1;
	for (size_t k = 0; k < n; k++)
		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b < n; b++)
				if (tr->way[a][k] + tr->way[k][b] < tr->way[a][b])
					tr->way[a][b] = tr->way[a][k] + tr->way[k][b];
}

/* Nobody calls it, nor what it is in a circle with, from elsewhere. */
static bool is_root(const struct truth *tr, uint32_t row)
{
	for (size_t i = 0; i < tr->t->n_edges; i++) {
		const struct as_edge *e = &tr->t->edge[i];

		if (is_inner(tr, row, e->to) && !is_inner(tr, e->from, e->to))
			return false;
	}
	return true;
}

static void find_truth(struct truth *tr)
{
	const struct as_table *t = tr->t;

	assert_true(t->n <= ROWS);
	find_ways(tr);
	for (uint32_t b = 0; b < t->n; b++) {
		size_t at = (size_t)b * t->n_events + tr->opts.event;

		tr->weight[b] = size_of(t->has_incl[b] ? t->incl[at] : t->self[at]);
		tr->level[b] = FAR;
		for (uint32_t a = 0; a < t->n; a++)
			if (!t->key[a].is_cycle && is_root(tr, a) &&
				tr->way[a][b] + 1 < tr->level[b])
				tr->level[b] = tr->way[a][b] + 1;
	}
	for (size_t i = 0; i < t->n_edges; i++) {
		const struct as_edge *e = &t->edge[i];
		bool circle = false;

		for (uint32_t a = 0; a < t->n; a++)
			circle |= a != e->to && is_inner(tr, a, e->to);
		if (circle && !is_inner(tr, e->from, e->to) && cost_of(tr, e) > tr->weight[e->to])
			tr->weight[e->to] = cost_of(tr, e);
	}
}

static bool is_wanted(const struct truth *tr, uint32_t row)
{
	/* Without cycles there may be functions that nothing leads to. */
	bool near = !tr->opts.depth || tr->level[row] <= tr->opts.depth || tr->level[row] == FAR;

	return !tr->t->key[row].is_cycle && near && tr->weight[row] >= tr->opts.min;
}

/* ---- what must hold ---- */

static void check_nodes(const struct truth *tr, const struct as_callgraph *g)
{
	size_t wanted = 0, rows = 0;
	as_val least = -1;

	for (size_t i = 0; i < g->node.n; i++) {
		uint32_t row = g->node.p[i];

		assert_true(is_wanted(tr, row));
		assert_int_equal(g->place[row], i + 1);
		assert_true(i == 0 || tr->weight[row] <= least);
		least = tr->weight[row];
	}
	for (uint32_t row = 0; row < tr->t->n; row++) {
		rows += !tr->t->key[row].is_cycle;
		wanted += is_wanted(tr, row);
		if (is_wanted(tr, row) && !g->place[row])
			assert_true(tr->opts.limit && tr->weight[row] <= least);
	}
	if (tr->opts.limit && wanted > tr->opts.limit)
		wanted = (size_t)tr->opts.limit;
	assert_int_equal(g->node.n, wanted);
	assert_int_equal(g->more_nodes, rows - wanted);
}

static void check_sums(const struct truth *tr, const struct as_callgraph *g)
{
	const struct as_table *t = tr->t;

	for (uint32_t k = 0; k < t->n_events; k++) {
		as_val sum = g->rest[k];

		for (size_t i = 0; i < g->node.n; i++)
			sum += t->self[(size_t)g->node.p[i] * t->n_events + k];
		assert_true(sum == t->total[k]);
	}
}

static void check_cycles(const struct truth *tr, const struct as_callgraph *g)
{
	for (uint32_t a = 0; a < tr->t->n; a++)
		for (uint32_t b = 0; b < tr->t->n; b++)
			if (a != b)
				assert_int_equal(
					g->comp[a] && g->comp[a] == g->comp[b], is_inner(tr, a, b));
}

static bool is_drawn(const struct as_callgraph *g, uint32_t edge)
{
	size_t n = 0;

	for (size_t i = 0; i < g->edge.n; i++)
		n += g->edge.p[i] == edge;
	assert_true(n <= 1);
	return n;
}

static void check_edges(const struct truth *tr, const struct as_callgraph *g)
{
	const struct as_edge *edge = tr->t->edge;
	size_t between = 0;

	for (uint32_t i = 0; i < tr->t->n_edges; i++) {
		bool drawn = is_drawn(g, i), best = edge[i].from != edge[i].to;

		if (!g->place[edge[i].from] || !g->place[edge[i].to]) {
			assert_false(drawn);
			continue;
		}
		between++;
		for (uint32_t k = 0; k < tr->t->n_edges; k++)
			best &= edge[k].to != edge[i].to || edge[k].from == edge[k].to ||
				!g->place[edge[k].from] || k == i ||
				cost_of(tr, &edge[k]) < cost_of(tr, &edge[i]);
		if (cost_of(tr, &edge[i]) >= tr->opts.min / 5 || best || edge[i].from == edge[i].to)
			assert_true(drawn);
	}
	assert_int_equal(g->edge.n + g->more_edges, between);
	for (size_t i = 1; i < g->edge.n; i++)
		assert_true(
			cost_of(tr, &edge[g->edge.p[i]]) <= cost_of(tr, &edge[g->edge.p[i - 1]]));
}

/* Each function that was drawn with a call from a drawn one keeps one. */
static void check_callers(const struct truth *tr, const struct as_callgraph *g)
{
	for (uint32_t row = 0; row < tr->t->n; row++) {
		size_t there = 0, drawn = 0;

		for (uint32_t i = 0; i < tr->t->n_edges; i++) {
			const struct as_edge *e = &tr->t->edge[i];

			if (e->to != row || e->from == row || !g->place[row] || !g->place[e->from])
				continue;
			there++;
			drawn += is_drawn(g, i);
		}
		assert_int_equal(there != 0, drawn != 0);
	}
}

static void check(const struct as_profile *prof, uint64_t seed)
{
	uint64_t s = seed * 977 + 5;
	struct as_project_opts project = {.by = AS_BY_FUNC, .want_edges = true};
	struct truth *tr = &truth;
	struct as_callgraph g;
	struct as_table *t;
	struct as_err err;

	tr->opts = (struct as_callgraph_opts){.depth = as_test_next(&s, 5),
		.limit = as_test_next(&s, 3) ? 0 : as_test_next(&s, 12),
		.min = as_test_next(&s, 4) ? as_test_next(&s, 300) : 0,
		.no_cycles = as_test_next(&s, 6) == 0};
	tr->opts.event = as_test_next(&s, as_n_events(prof));
	project.no_cycles = tr->opts.no_cycles;
	as_err_clear(&err);
	assert_int_equal(as_project(prof, &project, &t, &err), AS_OK);
	tr->t = t;
	find_truth(tr);
	assert_int_equal(as_callgraph_make(&g, t, &tr->opts, &err), AS_OK);
	check_nodes(tr, &g);
	check_sums(tr, &g);
	check_cycles(tr, &g);
	check_edges(tr, &g);
	check_callers(tr, &g);
	as_callgraph_release(&g);
	as_table_free(t);
}

static void test_random_graphs_are_drawn_by_the_rules(void **state)
{
	static const unsigned what[] = {AS_TEST_PATHS, AS_TEST_SELF | AS_TEST_CALLS,
		AS_TEST_PATHS | AS_TEST_NEGATIVE, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, what[seed % AS_ARRAY_LEN(what)]);

		check(prof, seed);
		as_profile_free(prof);
	}
}

static void test_a_profile_of_nothing_is_an_empty_graph(void **state)
{
	struct as_project_opts project = {.by = AS_BY_FUNC, .want_edges = true};
	struct as_callgraph_opts opts = {.min = 0};
	struct as_callgraph g;
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	as_test_begin(&b, "Ir");
	prof = as_test_end(&b);
	assert_int_equal(as_project(prof, &project, &t, &err), AS_OK);
	assert_int_equal(as_callgraph_make(&g, t, &opts, &err), AS_OK);
	assert_int_equal(g.edge.n, 0);
	assert_true(g.rest[0] == 0);
	as_callgraph_release(&g);
	as_table_free(t);
	as_profile_free(prof);
}

int callgraph_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_graphs_are_drawn_by_the_rules),
		cmocka_unit_test(test_a_profile_of_nothing_is_an_empty_graph),
	};

	return cmocka_run_group_tests_name("callgraph", tests, NULL, NULL);
}
