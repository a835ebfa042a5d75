/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows of a tree that was made out of calls are called exact: random paths become calls,
 * these become a tree, and what it calls exact is compared with the paths. A function that calls
 * itself stands on them once, as it does in the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/test_profiles.h"
#include "tree/path_source.h"

enum { SEEDS = 400, FRAMES = 64, CHAIN = 80, SHAPES = 4 };

/* ---- the truth ---- */

struct truth {
	const struct as_profile *prof;
	size_t n;
	struct {
		uint32_t func[FRAMES]; /* from the root, no function directly below itself */
		size_t n;
		const as_val *cost;
	} * s;
};

static void load(struct truth *t, const struct as_profile *prof)
{
	*t = (struct truth){.prof = prof, .n = prof->sample.node.n};
	t->s = calloc(t->n + 1, sizeof(*t->s));
	assert_non_null(t->s);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t node = prof->sample.node.p[i].i, up[FRAMES];
		size_t n = 0;

		do {
			assert_true(n < FRAMES);
			up[n++] = prof->place.func.p[prof->node.place.p[node].i].i;
			node = prof->node.parent.p[node].i;
		} while (node);
		while (n-- > 0)
			if (!t->s[i].n || t->s[i].func[t->s[i].n - 1] != up[n])
				t->s[i].func[t->s[i].n++] = up[n];
		t->s[i].cost = prof->sample.cost.p + i * as_n_events(prof);
	}
}

/* Sample I, from the first BELOW on if that is a function, begins with the chain; with ALL it is
 * the chain. */
static bool is_on(
	const struct truth *t, size_t i, uint32_t below, const uint32_t *chain, size_t n, bool all)
{
	size_t first = 0;

	while (below != UINT32_MAX && first < t->s[i].n && t->s[i].func[first] != below)
		first++;
	if (t->s[i].n - first < n || (all && t->s[i].n - first != n))
		return false;
	return memcmp(t->s[i].func + first, chain, n * sizeof(*chain)) == 0;
}

static as_val cost_of(const struct truth *t, uint32_t below, const uint32_t *chain, size_t n,
	uint32_t event, bool all)
{
	as_val sum = 0;

	for (size_t i = 0; i < t->n; i++)
		if (is_on(t, i, below, chain, n, all))
			sum += t->s[i].cost[event];
	return sum;
}

/* The function of the paths that a key of the tree is. Names are distinct in these profiles, or
 * nothing can be said. */
static uint32_t func_of(const struct truth *t, const struct as_calltree *ct, uint32_t key)
{
	struct as_slice name = as_calltree_name(ct, key);
	uint32_t found = UINT32_MAX;

	for (uint32_t f = 0; f < t->prof->func.name.n; f++)
		if (as_slice_eq(as_func_name(t->prof, (as_func){f}), name)) {
			assert_int_equal(found, UINT32_MAX);
			found = f;
		}
	assert_int_not_equal(found, UINT32_MAX);
	return found;
}

/* ---- profiles ---- */

enum { FUNCS = 16, SAMPLES = 60 };

/* Who comes below function AT: mostly one of the two that are its own; the higher of the SHAPES,
 * the more often somebody else's, and in the last of them somebody above. FUNCS: nobody. */
static uint32_t next_func(uint64_t *rng, uint32_t shape, uint32_t at)
{
	uint32_t next = 2 * at + 1 + as_test_next(rng, 2);

	if (as_test_next(rng, 10) == 0)
		return at;
	if (as_test_next(rng, 12) < shape)
		next = shape == SHAPES - 1 ? as_test_next(rng, FUNCS)
					   : at + as_test_next(rng, FUNCS - at);
	return next < FUNCS ? next : FUNCS;
}

static struct as_profile *make_paths(uint64_t seed)
{
	static const char *const events[] = {"a", "a b", "a b c"};
	uint32_t shape = (uint32_t)(seed % SHAPES), e, roots;
	uint64_t rng = seed * 7919 + 1;
	as_func func[FUNCS];
	struct as_build b;

	e = as_test_next(&rng, 3);
	roots = shape ? 1 + as_test_next(&rng, 3) : 1;
	as_test_begin(&b, events[e]);
	for (uint32_t f = 0; f < FUNCS; f++) {
		char name[2] = {(char)('a' + f), 0};

		func[f] = as_test_func(&b, name, "prog", "prog.c");
	}
	for (int i = 0; i < SAMPLES; i++) {
		uint32_t at = as_test_next(&rng, roots), depth = 1 + as_test_next(&rng, 9);
		as_node node = {0};
		as_val cost[3];

		for (uint32_t d = 0; d < depth && at < FUNCS; d++) {
			struct as_pos pos = {.func = func[at], .line = d};
			as_place place;

			assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
			assert_int_equal(as_build_push(&b, node, place, &node), AS_OK);
			at = next_func(&rng, shape, at);
		}
		for (uint32_t k = 0; k <= e; k++)
			cost[k] = as_test_next(&rng, 4) ? as_test_next(&rng, 1000) : 0;
		assert_int_equal(as_build_sample(&b, 0, node, cost), AS_OK);
	}
	return as_test_end(&b);
}

/* ---- the tree ---- */

struct made {
	struct as_profile *calls;
	struct as_path_source paths;
};

static void estimate(struct made *m)
{
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_path_source_make(&m->paths, m->calls, true, &err), AS_OK);
}

static void make(struct made *m, const struct as_profile *prof)
{
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_to_calls(prof, &m->calls, NULL, &err), AS_OK);
	estimate(m);
}

static void release(struct made *m)
{
	as_path_source_release(&m->paths);
	as_profile_free(m->calls);
}

/* The tree for a view of that way, and the view. */
static void view(struct made *m, enum as_tree_way way, const struct as_calltree_root *of,
	struct as_calltree *ct, struct as_tree_view *v)
{
	struct as_path_tree_opts how = {
		.keep_contexts = true, .way = way, .of = of, .keep_paths = true};
	struct as_tree_opts opts = {.way = way, .of = way == AS_TREE_CALLERS ? of : NULL};
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_path_source_tree(&m->paths, &how, ct, &err), AS_OK);
	assert_int_equal(as_tree_view_make(v, ct, &opts, &err), AS_OK);
}

/* ---- the law: no estimate contradicts a call ---- */

/* What stands in the tree, whose costs are inclusive, of row ROW of the table; with CALLEE, of that
 * row directly below; with SELF its own cost. Roots only: ROW is at the top. */
enum part { INCL, SELF, CALLEE, ROOT };

static as_val in_tree(
	const struct as_calltree *ct, enum part part, uint32_t row, uint32_t callee, uint32_t k)
{
	as_val sum = 0;

	for (uint32_t i = 1; i < ct->parent.n; i++) {
		uint32_t at = ct->row.p[ct->key_of.p[i]], up = ct->parent.p[i];
		uint32_t above = up ? ct->row.p[ct->key_of.p[up]] : UINT32_MAX;
		as_val cost = ct->cost.p[(size_t)i * ct->e + k];

		sum += (part == INCL || part == SELF || (part == ROOT && !up)) && at == row ? cost
											    : 0;
		sum -= part == SELF && above == row ? cost : 0;
		sum += part == CALLEE && at == callee && above == row ? cost : 0;
	}
	return sum;
}

static as_val total_of(const struct as_calltree *ct, uint32_t k)
{
	as_val sum = 0;

	for (uint32_t i = 1; i < ct->parent.n; i++)
		sum += ct->parent.p[i] ? 0 : ct->cost.p[(size_t)i * ct->e + k];
	return sum;
}

/* By all that the calls of T tell, where they go together: the sums are those of integers. */
static void check_law(const struct as_calltree *ct, const struct as_table *t)
{
	uint32_t rows = (uint32_t)(t->n - t->n_cycles);
	struct as_call_costs c;
	uint8_t all[64];

	assert_true(t->n <= AS_ARRAY_LEN(all));
	memset(all, 1, sizeof(all));
	assert_int_equal(as_table_call_costs(t, all, &c), AS_OK);
	for (uint32_t k = 0; k < ct->e; k++) {
		assert_true(total_of(ct, k) == t->total[k]);
		for (uint32_t r = 0; r < rows; r++) {
			size_t at = (size_t)r * ct->e + k;
			as_val cost = t->self[at] + t->out[at];
			const as_val *v = c.cost + c.at[r] * ct->e + k;

			assert_true(in_tree(ct, SELF, r, 0, k) == t->self[at]);
			if (!t->key[r].cycle) {
				assert_true(t->in[at] <= cost);
				assert_true(in_tree(ct, INCL, r, 0, k) == cost);
				assert_true(in_tree(ct, ROOT, r, 0, k) == cost - t->in[at]);
			}
			for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++, v += ct->e) {
				uint32_t to = t->callee[i];

				if (to != r &&
					(!t->key[r].cycle || t->key[r].cycle != t->key[to].cycle))
					assert_true(in_tree(ct, CALLEE, r, to, k) == *v);
			}
		}
	}
	as_call_costs_release(&c);
}

struct found {
	size_t rows, exact, inclusive, up;
};

/* Every level adds up, nothing is negative, and what is called exact is what the paths say. */
static void check_rows(
	const struct truth *t, const struct as_tree_view *v, uint32_t below, struct found *found)
{
	uint32_t chain[CHAIN], e = v->ct->e;

	for (size_t i = 0; i < v->row.n; i++) {
		const struct as_tree_row *row = &v->row.p[i];
		const as_val *cost = v->value.p + row->cost;

		assert_true(row->kind == AS_TREE_FUNC && row->depth < CHAIN);
		chain[row->depth] = func_of(t, v->ct, row->key);
		found->rows++;
		found->exact += row->evidence == AS_TREE_EXACT;
		found->inclusive += row->evidence == AS_TREE_EXACT_INCL;
		for (uint32_t k = 0; k < e; k++) {
			as_val sum = cost[e + k];

			assert_true(cost[k] >= 0 && cost[e + k] >= 0);
			for (size_t j = i + 1; j < v->row.n && v->row.p[j].depth > row->depth; j++)
				if (v->row.p[j].depth == row->depth + 1)
					sum += v->value.p[v->row.p[j].cost + k];
			assert_true(sum == cost[k]);
			if (row->evidence != AS_TREE_ESTIMATED)
				assert_true(cost[k] ==
					    cost_of(t, below, chain, row->depth + 1, k, false));
			if (row->evidence == AS_TREE_EXACT)
				assert_true(cost[e + k] ==
					    cost_of(t, below, chain, row->depth + 1, k, true));
		}
	}
}

static struct as_calltree_root root_of(const struct truth *t, const struct made *m, uint32_t func)
{
	struct as_calltree_root root = {0};

	for (uint32_t f = 0; func != UINT32_MAX && f < m->calls->func.name.n; f++)
		if (as_slice_eq(as_func_name(m->calls, (as_func){f}),
			    as_func_name(t->prof, (as_func){func})))
			root.func.i = f;
	return root;
}

static void check_tree(const struct truth *t, struct made *m, uint32_t below, struct found *found)
{
	struct as_calltree_root root = root_of(t, m, below);
	struct as_tree_view v;
	struct as_calltree ct;

	view(m, AS_TREE_CALLEES, below != UINT32_MAX ? &root : NULL, &ct, &v);
	check_rows(t, &v, below, found);
	if (below == UINT32_MAX)
		check_law(&ct, m->paths.calls);
	as_tree_view_release(&v);
	as_calltree_release(&ct);
}

/* Sample I as it is seen from FUNC up, or from its end if that is UINT32_MAX: it begins with N
 * functions of UP; with ALL it is these. */
static bool is_below(
	const struct truth *t, size_t i, uint32_t func, const uint32_t *up, size_t n, bool all)
{
	size_t end = t->s[i].n;

	if (func != UINT32_MAX) {
		for (end = 0; end < t->s[i].n && t->s[i].func[end] != func;)
			end++;
		if (end++ == t->s[i].n)
			return false;
	}
	if (end < n || (all && end != n))
		return false;
	for (size_t k = 0; k < n; k++)
		if (t->s[i].func[end - 1 - k] != up[k])
			return false;
	return true;
}

static void check_up_rows(
	const struct truth *t, const struct as_tree_view *v, uint32_t func, struct found *found)
{
	uint32_t up[CHAIN], e = v->ct->e;

	for (size_t i = 0; i < v->row.n; i++) {
		const struct as_tree_row *row = &v->row.p[i];
		bool ends = row->kind == AS_TREE_NO_CALLER, any = false;

		if (!ends)
			up[row->depth] = func_of(t, v->ct, row->key);
		found->up += row->depth && row->evidence == AS_TREE_EXACT;
		for (uint32_t k = 0; k < e; k++) {
			as_val sum = 0, below = 0, cost = v->value.p[row->cost + k];

			for (size_t j = i + 1; j < v->row.n && v->row.p[j].depth > row->depth; j++)
				if (v->row.p[j].depth == row->depth + 1) {
					below += v->value.p[v->row.p[j].cost + k];
					any = true;
				}
			assert_true(!any || below == cost);
			for (size_t s = 0; s < t->n; s++)
				if (is_below(t, s, func, up, row->depth + !ends, ends))
					sum += t->s[s].cost[k];
			assert_true(row->evidence != AS_TREE_EXACT || cost == sum);
		}
	}
}

/* From the functions up: what is called exact is the cost of the paths that end so. */
static void check_up(const struct truth *t, struct made *m, uint32_t func, struct found *found)
{
	struct as_calltree_root root = root_of(t, m, func);
	bool all = func == UINT32_MAX;
	struct as_tree_view v;
	struct as_calltree ct;

	view(m, all ? AS_TREE_BOTTOM_UP : AS_TREE_CALLERS, all ? NULL : &root, &ct, &v);
	check_up_rows(t, &v, func, found);
	as_tree_view_release(&v);
	as_calltree_release(&ct);
}

static void check_all(struct as_profile *prof, struct found *found)
{
	struct truth t;
	struct made m;

	load(&t, prof);
	make(&m, prof);
	check_tree(&t, &m, UINT32_MAX, found);
	check_up(&t, &m, UINT32_MAX, found);
	for (uint32_t f = 0; f < prof->func.name.n; f++) {
		check_tree(&t, &m, f, found);
		check_up(&t, &m, f, found);
	}
	release(&m);
	free(t.s);
	as_profile_free(prof);
}

static void test_what_is_called_exact_is_what_the_paths_say(void **state)
{
	struct found found = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct found one = {0};

		check_all(make_paths(seed), &one);
		if (seed % SHAPES == 0) /* nobody is called by two */
			assert_int_equal(one.exact, one.rows);
		found.rows += one.rows;
		found.exact += one.exact;
		found.inclusive += one.inclusive;
		found.up += one.up;
	}
	assert_true(found.exact > found.rows / 20 && found.exact < found.rows);
	assert_true(found.inclusive > found.rows / 50 && found.up > SEEDS);
}

/* ---- calls that do not go together ---- */

static as_val edge_cost(const struct as_table *t, uint32_t from, uint32_t to, uint32_t k)
{
	for (size_t i = 0; i < t->n_edges; i++)
		if (t->edge[i].from == from && t->edge[i].to == to)
			return t->edge[i].cost[k];
	return -1;
}

/* Levels add up, and a row that is called exact costs what the call does. */
static void check_calls(const struct as_tree_view *v, const struct as_table *t, const uint32_t *row)
{
	uint32_t chain[CHAIN], e = v->ct->e;
	as_val total[3] = {0};

	for (size_t i = 0; i < v->row.n; i++) {
		const struct as_tree_row *r = &v->row.p[i];
		const as_val *cost = v->value.p + r->cost;

		assert_true(r->kind == AS_TREE_FUNC && r->depth < CHAIN);
		chain[r->depth] = row[r->key] - 1;
		for (uint32_t k = 0; k < e; k++) {
			as_val sum = cost[e + k];

			assert_true(cost[k] >= 0 && cost[e + k] >= 0);
			for (size_t j = i + 1; j < v->row.n && v->row.p[j].depth > r->depth; j++)
				if (v->row.p[j].depth == r->depth + 1)
					sum += v->value.p[v->row.p[j].cost + k];
			assert_true(sum == cost[k]);
			total[k] += r->depth ? 0 : cost[k];
			if (r->depth && r->evidence != AS_TREE_ESTIMATED)
				assert_true(cost[k] ==
					    edge_cost(t, chain[r->depth - 1], chain[r->depth], k));
		}
	}
	for (uint32_t k = 0; k < e; k++)
		assert_true(total[k] == t->total[k]);
}

/* Callees, their sums and their costs, asked for row by row, are what the edges say. */
static void check_sums(const struct as_table *each, const struct as_table *t)
{
	uint32_t e = t->n_events;
	uint8_t asked[64] = {0};
	struct as_call_costs c;

	assert_true(each->n == t->n && t->n <= AS_ARRAY_LEN(asked));
	assert_int_equal(t->first[t->n], each->n_edges);
	for (uint32_t r = 0; r < t->n; r++) {
		as_val out[8] = {0}, in[8] = {0};

		asked[r] = 1;
		assert_int_equal(as_table_call_costs(t, asked, &c), AS_OK);
		asked[r] = r % 3 == 0;
		for (size_t i = 0; i < each->n_edges; i++) {
			const struct as_edge *edge = &each->edge[i];
			bool other = edge->from != edge->to;

			for (uint32_t k = 0; k < e; k++) {
				out[k] += other && edge->from == r ? edge->cost[k] : 0;
				in[k] += other && edge->to == r ? edge->cost[k] : 0;
			}
			if (edge->from != r)
				continue;
			assert_int_equal(t->callee[i], edge->to);
			assert_memory_equal(c.cost + (c.at[r] + i - t->first[r]) * e, edge->cost,
				e * sizeof(as_val));
		}
		assert_memory_equal(t->out + r * (size_t)e, out, e * sizeof(as_val));
		assert_memory_equal(t->in + r * (size_t)e, in, e * sizeof(as_val));
		as_call_costs_release(&c);
	}
}

static void test_calls_that_do_not_go_together_add_up_all_the_same(void **state)
{
	size_t sure = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *calls =
			as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_NAMED);
		struct as_project_opts edges = {
			.by = AS_BY_FUNC, .keep_contexts = true, .want_edges = true};
		struct made m = {.calls = calls};
		struct as_table *each;
		struct as_tree_view v;
		struct as_calltree ct;
		struct as_err err;
		uint32_t row[64];

		as_err_clear(&err);
		estimate(&m);
		view(&m, AS_TREE_CALLEES, NULL, &ct, &v);
		assert_true(ct.key.n <= 64);
		for (size_t i = 0; i < ct.row.n; i++)
			row[i] = ct.row.p[i] + 1;
		assert_int_equal(as_project(calls, &edges, &each, &err), AS_OK);
		check_sums(each, m.paths.calls);
		if (ct.row.n) /* there are calls */
			check_calls(&v, each, row);
		as_table_free(each);
		for (size_t i = 0; i < v.row.n; i++)
			sure += v.row.p[i].evidence != AS_TREE_ESTIMATED;
		as_tree_view_release(&v);
		as_calltree_release(&ct);
		release(&m);
	}
	assert_true(sure > SEEDS);
}

int tree_exact_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_called_exact_is_what_the_paths_say),
		cmocka_unit_test(test_calls_that_do_not_go_together_add_up_all_the_same),
	};

	return cmocka_run_group_tests_name("tree_exact", tests, NULL, NULL);
}
