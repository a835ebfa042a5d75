/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as pprof draws them, over random profiles: what is left out has another way, and tags cost
 * what the samples with them do. */
#include "ops/pprof_graph.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "formats/format.h"
#include "ops/test_profiles.h"

enum { SEEDS = 60, TAGS = 3 };

static struct as_profile *profile(uint64_t seed)
{
	return as_test_random(seed, AS_TEST_PATHS | AS_TEST_NAMED |
					    (seed % 3 == 0 ? AS_TEST_NEGATIVE : 0) |
					    (seed % 2 ? AS_TEST_RARE : 0));
}

static void make(struct as_pg *pg, const struct as_profile *prof, const struct as_pg_opts *opts)
{
	assert_int_equal(as_pg_make(pg, prof, opts, NULL), AS_OK);
}

/* ---- edges ---- */

static bool has_edge(
	const struct as_pg *pg, struct as_slice from, struct as_slice to, bool *residual)
{
	for (size_t i = 0; i < pg->node.n; i++)
		for (uint32_t k = 0; k < pg->node.p[i].n_out; k++) {
			const struct as_pg_edge *e = &pg->edge.p[pg->out.p[pg->node.p[i].out + k]];

			if (as_slice_eq(pg->node.p[e->src].name, from) &&
				as_slice_eq(pg->node.p[e->dst].name, to)) {
				*residual = e->residual;
				return true;
			}
		}
	return false;
}

static uint32_t find(const struct as_pg *pg, struct as_slice name)
{
	for (uint32_t i = 0; i < pg->node.n; i++)
		if (as_slice_eq(pg->node.p[i].name, name))
			return i;
	fail_msg("no node %.*s", AS_SLICE_FMT(name));
	return 0;
}

/* Also over edges that have been left out themselves: they were there when others were judged. */
static bool reaches(const struct as_pg *pg, uint32_t from, uint32_t to, uint8_t *seen)
{
	if (from == to)
		return true;
	seen[from] = 1;
	for (uint32_t k = 0; k < pg->node.p[from].n_out; k++) {
		uint32_t next = pg->edge.p[pg->out.p[pg->node.p[from].out + k]].dst;

		if (!seen[next] && reaches(pg, next, to, seen))
			return true;
	}
	return false;
}

static unsigned compare(const struct as_pg *plain, const struct as_pg *drawn)
{
	unsigned gone = 0;

	assert_int_equal(plain->node.n, drawn->node.n);
	for (size_t i = 0; i < plain->edge.n; i++) {
		const struct as_pg_edge *e = &plain->edge.p[i];
		struct as_slice from = plain->node.p[e->src].name;
		struct as_slice to = plain->node.p[e->dst].name;
		uint8_t *seen;
		bool residual;

		if (has_edge(drawn, from, to, &residual)) {
			assert_int_equal(residual, e->residual);
			continue;
		}
		gone++;
		assert_true(e->residual);
		seen = calloc(1, drawn->node.n);
		assert_true(reaches(drawn, find(drawn, from), find(drawn, to), seen));
		free(seen);
	}
	return gone;
}

static unsigned left_out(const struct as_profile *prof, double fraction)
{
	struct as_pg_opts opts = {.by = AS_PG_FUNCS, .each = 1, .node_fraction = fraction};
	struct as_pg plain, drawn;
	unsigned gone;

	make(&plain, prof, &opts);
	opts.drawn = true;
	make(&drawn, prof, &opts);
	gone = compare(&plain, &drawn);
	as_pg_release(&plain);
	as_pg_release(&drawn);
	return gone;
}

static void test_only_edges_with_another_way_are_left_out(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = profile(seed);

		for (int i = 1; i < 10; i++)
			(void)left_out(prof, 0.05 * i);
		as_profile_free(prof);
	}
}

/* a calls c by way of b, which is dropped, and by way of d; e by way of b alone. */
static void test_an_edge_with_another_way_is_left_out(void **state)
{
	static const struct {
		const char *way;
		as_val cost;
	} samples[] = {{"abc", 1}, {"adc", 10}, {"abe", 1}, {"fe", 9}};
	struct as_profile *prof;
	struct as_build b;

	(void)state;
	as_test_begin(&b, "samples");
	for (size_t i = 0; i < AS_ARRAY_LEN(samples); i++) {
		as_func stack[5] = {{0}};

		for (size_t k = 0; samples[i].way[k]; k++)
			stack[k] = as_test_func(&b, (char[]){samples[i].way[k], 0}, "", "");
		as_test_stack(&b, 0, stack, samples[i].cost);
	}
	prof = as_test_end(&b);
	assert_int_equal(left_out(prof, 0), 0);
	assert_int_equal(left_out(prof, 0.15), 1);
	as_profile_free(prof);
}

/* ---- tags ---- */

enum { PARTS = 200 };

struct own_tags {
	uint32_t first[PARTS + 1], tag[4 * PARTS];
};

/* Part I has tag 0 where I is even, 1 where it is a multiple of 3, twice; all have 2. */
static struct as_pg_tags tags_of(const struct as_profile *prof, struct own_tags *own)
{
	uint32_t n = 0;

	assert_true(prof->part.n <= PARTS);
	for (uint32_t i = 0; i < prof->part.n; i++) {
		own->first[i] = n;
		if (i % 2 == 0)
			own->tag[n++] = 0;
		if (i % 3 == 0) {
			own->tag[n++] = 1;
			own->tag[n++] = 1;
		}
		own->tag[n++] = 2;
	}
	own->first[prof->part.n] = n;
	return (struct as_pg_tags){own->first, own->tag};
}

static as_val times(uint32_t part, uint32_t tag)
{
	return tag == 2 ? 1 : tag == 1 ? 2 * (part % 3 == 0) : part % 2 == 0;
}

static bool is_on_stack(const struct as_profile *prof, as_node node, struct as_slice name)
{
	for (; node.i; node = prof->node.parent.p[node.i])
		if (as_slice_eq(
			    as_func_name(prof, prof->place.func.p[prof->node.place.p[node.i].i]),
			    name))
			return true;
	return false;
}

/* What the samples say, by going through all of them. */
static void truth(
	const struct as_profile *prof, struct as_slice name, uint32_t tag, struct as_pg_tagged *sum)
{
	*sum = (struct as_pg_tagged){.tag = tag};
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_val v =
			prof->sample.cost.p[i * prof->event.n] * times(prof->sample.part.p[i], tag);
		as_node leaf = prof->sample.node.p[i];
		as_place place = prof->node.place.p[leaf.i];

		if (is_on_stack(prof, leaf, name))
			sum->cum += v;
		if (leaf.i && as_slice_eq(as_func_name(prof, prof->place.func.p[place.i]), name))
			sum->flat += v;
	}
}

static struct as_pg_tagged tagged(const struct as_pg *pg, const struct as_pg_node *n, uint32_t tag)
{
	struct as_pg_tagged none = {.tag = tag};

	for (uint32_t k = 0; k < n->n_tags; k++)
		if (pg->tagged.p[n->tag + k].tag == tag)
			return pg->tagged.p[n->tag + k];
	return none;
}

static void test_tags_cost_what_their_samples_do(void **state)
{
	size_t compared = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = profile(seed);
		struct own_tags own;
		struct as_pg_tags tags = tags_of(prof, &own);
		struct as_pg_opts opts = {
			.by = AS_PG_FUNCS, .each = 1, .drawn = true, .tags = &tags};
		struct as_pg pg;

		make(&pg, prof, &opts);
		for (size_t i = 0; i < pg.node.n; i++)
			for (uint32_t tag = 0; tag < TAGS; tag++) {
				struct as_pg_tagged a = tagged(&pg, &pg.node.p[i], tag), b;

				truth(prof, pg.node.p[i].name, tag, &b);
				assert_true(a.flat == b.flat && a.cum == b.cum);
				compared += a.cum != 0;
			}
		as_pg_release(&pg);
		as_profile_free(prof);
	}
	assert_true(compared > 100);
}

/* In a tree, what is at a node is its own and its children's. */
static void test_tags_of_a_tree_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = profile(seed);
		struct own_tags own;
		struct as_pg_tags tags = tags_of(prof, &own);
		struct as_pg_opts opts = {.by = AS_PG_FUNCS,
			.each = 1,
			.drawn = true,
			.call_tree = true,
			.tags = &tags};
		struct as_pg pg;

		make(&pg, prof, &opts);
		for (size_t i = 0; i < pg.node.n; i++) {
			const struct as_pg_node *n = &pg.node.p[i];
			as_val sum = tagged(&pg, n, 2).flat;

			for (uint32_t k = 0; k < n->n_out; k++)
				sum += tagged(
					&pg, &pg.node.p[pg.edge.p[pg.out.p[n->out + k]].dst], 2)
					       .cum;
			assert_true(sum == tagged(&pg, n, 2).cum);
			assert_true(n->flat == tagged(&pg, n, 2).flat);
		}
		as_pg_release(&pg);
		as_profile_free(prof);
	}
}

/* ---- which nodes are kept ---- */

/* a calls b calls c calls d: of one way through, its ends are drawn first; then by name. */
static void test_ends_of_a_way_come_first(void **state)
{
	static const char *const wanted[] = {"d", "a", "b", "c"};
	struct as_pg_opts opts = {.by = AS_PG_FUNCS, .each = 1, .drawn = true};
	struct as_profile *prof;
	struct as_build b;
	struct as_pg pg;
	as_func stack[5] = {{0}};

	(void)state;
	as_test_begin(&b, "samples");
	for (int i = 0; i < 4; i++)
		stack[i] = as_test_func(&b, (char[]){(char)('a' + i), 0}, "", "");
	as_test_stack(&b, 0, stack, 10);
	prof = as_test_end(&b);
	make(&pg, prof, &opts);
	assert_int_equal(pg.node.n, 4);
	for (int i = 0; i < 4; i++)
		assert_true(as_slice_is(pg.node.p[i].name, wanted[i]));
	as_pg_release(&pg);
	opts.node_count = 2;
	make(&pg, prof, &opts);
	assert_int_equal(pg.node.n, 2);
	assert_int_equal(pg.n_before, 4);
	assert_int_equal(pg.edge.n, 1);
	assert_true(pg.edge.p[0].residual && pg.edge.p[0].weight == 10);
	as_pg_release(&pg);
	as_profile_free(prof);
}

/* x has +5 and -5: no node, and no edge leads there. */
static void test_what_cancels_out_is_not_there(void **state)
{
	struct as_pg_opts opts = {.by = AS_PG_FUNCS, .each = 1};
	struct as_profile *prof;
	struct as_build b;
	struct as_pg pg;
	as_func x, y, z, way[4] = {{0}};

	(void)state;
	as_test_begin(&b, "samples");
	x = as_test_func(&b, "x", "", "");
	y = as_test_func(&b, "y", "", "");
	z = as_test_func(&b, "z", "", "");
	way[0] = y;
	way[1] = x;
	as_test_stack(&b, 0, way, 5);
	way[0] = z;
	as_test_stack(&b, 0, way, -5);
	prof = as_test_end(&b);
	for (int drawn = 0; drawn < 2; drawn++) {
		opts.drawn = drawn;
		make(&pg, prof, &opts);
		assert_int_equal(pg.node.n, 2);
		assert_int_equal(pg.edge.n, 0);
		assert_int_equal(pg.node.p[0].n_out + pg.node.p[1].n_out, 0);
		as_pg_release(&pg);
	}
	as_profile_free(prof);
}

int pprof_graph_drawn_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_edges_with_another_way_are_left_out),
		cmocka_unit_test(test_an_edge_with_another_way_is_left_out),
		cmocka_unit_test(test_tags_cost_what_their_samples_do),
		cmocka_unit_test(test_tags_of_a_tree_add_up),
		cmocka_unit_test(test_ends_of_a_way_come_first),
		cmocka_unit_test(test_what_cancels_out_is_not_there),
	};

	return cmocka_run_group_tests_name("pprof_graph_drawn", tests, NULL, NULL);
}
