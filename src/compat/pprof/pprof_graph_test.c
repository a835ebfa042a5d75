/* SPDX-License-Identifier: Apache-2.0 */
/* pprof's graph and its tree, against its rules done literally on lists of names. */
#include "compat/pprof/pprof_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 400, DEPTH = 7, SAMPLES = 14, ROWS = 120, NAMES = 12, TEXT = 80 };

/* ---- profiles: a frame is a letter, capital if it is inlined ---- */

struct sample {
	char stack[DEPTH + 1]; /* the root first */
	as_val cost;
};

struct input {
	size_t n;
	struct sample row[SAMPLES];
	struct as_profile *prof;
};

/* A profile has one sample of a stack. */
static void join_last(struct input *in, size_t last)
{
	for (size_t i = 0; i < last; i++)
		if (strcmp(in->row[i].stack, in->row[last].stack) == 0) {
			in->row[i].cost += in->row[last].cost;
			in->row[last].cost = 0;
			return;
		}
}

static void make_input(struct input *in, uint64_t seed)
{
	struct as_build b;
	as_place place;

	in->n = 1 + as_test_next(&seed, SAMPLES);
	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < in->n; i++) {
		struct sample *s = &in->row[i];
		size_t depth = as_test_next(&seed, DEPTH + 1);
		as_node node = {0};

		s->cost = (as_val)as_test_next(&seed, 60) - (in->n % 2 ? 0 : 20);
		for (size_t k = 0; k < depth; k++) {
			bool inlined = k && as_test_next(&seed, 3) == 0;
			char name[2] = {(char)('a' + as_test_next(&seed, NAMES)), '\0'};
			struct as_pos pos = {.func = as_test_func(&b, name, "/bin/x", "x.c"),
				.inlined = inlined};

			s->stack[k] = (char)(inlined ? name[0] - 'a' + 'A' : name[0]);
			assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
			assert_int_equal(as_build_push(&b, node, place, &node), AS_OK);
		}
		s->stack[depth] = '\0';
		assert_int_equal(as_build_sample(&b, 0, node, &s->cost), AS_OK);
		join_last(in, i);
	}
	in->prof = as_test_end(&b);
}

/* ---- a graph as text: rows in any order ---- */

struct row {
	char text[TEXT]; /* of a node, or of both ends of an edge */
	as_val flat, cum;
	bool residual, called; /* called: not always inlined */
};

struct rows {
	size_t n;
	struct row row[ROWS];
};

static struct row *find(struct rows *r, const char *text)
{
	size_t i = 0;

	while (i < r->n && strcmp(r->row[i].text, text) != 0)
		i++;
	if (i == r->n) {
		assert_true(r->n < ROWS);
		r->row[r->n] = (struct row){.flat = 0};
		snprintf(r->row[r->n++].text, TEXT, "%s", text);
	}
	return &r->row[i];
}

static bool has(const struct rows *r, const char *text)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->row[i].text, text) == 0)
			return true;
	return false;
}

static as_val absolute(as_val v)
{
	return v < 0 ? -v : v;
}

struct oracle {
	const struct input *in;
	const struct as_pg_opts *opts;
	struct rows node, edge;
	as_val total, flat; /* FLAT: of all nodes, before any was dropped */
	size_t n_before, dropped_nodes, dropped_edges;
};

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* From a node to the next that is there. */
struct way {
	char above[TEXT];
	as_val v;
	bool residual, inlined;
};

static void add_edge(struct oracle *o, struct rows *seen, const struct way *w, const char *to)
{
	char text[TEXT];
	struct row *e;

	snprintf(text, sizeof(text), "%.30s>%.30s", w->above, to);
	if (has(seen, text))
		return;
	find(seen, text);
	e = find(&o->edge, text);
	e->cum += w->v;
	e->residual |= w->residual;
	e->called |= !w->inlined;
}

/* All samples anew, of the nodes in KEPT; NULL: of all. */
static void build(struct oracle *o, const struct rows *kept)
{
	struct rows *seen = calloc(1, sizeof(*seen));

	assert_non_null(seen);
	o->node.n = o->edge.n = 0;
	for (size_t i = 0; i < o->in->n; i++) {
		const struct sample *s = &o->in->row[i];
		struct way w = {.v = s->cost};
		char name[TEXT] = "";

		seen->n = 0;
		for (size_t k = 0; s->cost && s->stack[k]; k++) {
			if (o->opts->no_inlines && s->stack[k] < 'a')
				continue;
			name[0] = lower(s->stack[k]);
			if (kept && !has(kept, name)) {
				w.residual = true;
				continue;
			}
			if (!has(seen, name))
				find(&o->node, name)->cum += s->cost;
			find(seen, name);
			find(&o->node, name)->called |= s->stack[k] >= 'a';
			w.inlined = s->stack[k] < 'a'; /* the callee's own mark */
			if (w.above[0] && strcmp(w.above, name) != 0)
				add_edge(o, seen, &w, name);
			memcpy(w.above, name, TEXT);
			w.residual = false;
		}
		if (w.above[0] && !w.residual)
			find(&o->node, w.above)->flat += s->cost;
	}
	free(seen);
}

static int cmp_row(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (absolute(a->flat) != absolute(b->flat))
		return absolute(a->flat) > absolute(b->flat) ? -1 : 1;
	return strcmp(a->text, b->text);
}

static int cmp_row_cum(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (absolute(a->cum) != absolute(b->cum))
		return absolute(a->cum) > absolute(b->cum) ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Whether an end of EDGE, the one behind ">" if TO, is a node. */
static bool has_end(const struct oracle *o, const struct row *edge, bool to)
{
	char from[TEXT], *end;

	memcpy(from, edge->text, TEXT);
	end = strchr(from, '>');
	*end++ = '\0';
	return has(&o->node, to ? end : from);
}

/* Nodes of no cost are none, and edges between two such are gone. */
static void remove_empty(struct oracle *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->node.n; i++)
		if (o->node.row[i].flat || o->node.row[i].cum)
			o->node.row[n++] = o->node.row[i];
	o->node.n = n;
	n = 0;
	for (size_t i = 0; i < o->edge.n; i++)
		if (has_end(o, &o->edge.row[i], true) || has_end(o, &o->edge.row[i], false))
			o->edge.row[n++] = o->edge.row[i];
	o->edge.n = n;
}

/* How many are light. Those to nodes that are none are not looked at. */
static size_t drop_edges(struct oracle *o)
{
	as_val cut = absolute((as_val)((double)o->flat * o->opts->edge_fraction));
	size_t n = 0, light = 0;

	for (size_t i = 0; i < o->edge.n; i++)
		if (has_end(o, &o->edge.row[i], true) && absolute(o->edge.row[i].cum) < cut)
			light++;
		else
			o->edge.row[n++] = o->edge.row[i];
	o->edge.n = n;
	return light;
}

/* The nodes that are heavy enough, of them the first; edges are those of what is kept. */
static void run_oracle(struct oracle *o)
{
	struct rows *kept = calloc(1, sizeof(*kept));
	as_val cut;

	assert_non_null(kept);
	for (size_t i = 0; i < o->in->n; i++)
		o->total += absolute(o->in->row[i].cost);
	build(o, NULL);
	remove_empty(o);
	for (size_t i = 0; i < o->node.n; i++)
		o->flat += o->node.row[i].flat;
	cut = absolute((as_val)((double)o->flat * o->opts->node_fraction));
	for (size_t i = 0; i < o->node.n; i++)
		if (absolute(o->node.row[i].cum) >= cut)
			kept->row[kept->n++] = o->node.row[i];
	o->dropped_nodes = o->node.n - kept->n;
	if (o->dropped_nodes)
		build(o, kept);
	remove_empty(o);
	qsort(o->node.row, o->node.n, sizeof(*o->node.row),
		o->opts->by_cum ? cmp_row_cum : cmp_row);
	o->n_before = o->node.n;
	if (o->opts->node_count)
		(void)drop_edges(o); /* those are counted only if they come again */
	if (o->opts->node_count && o->node.n > o->opts->node_count) {
		*kept = o->node;
		kept->n = (size_t)o->opts->node_count;
		build(o, kept);
		remove_empty(o);
	}
	o->dropped_edges = drop_edges(o);
	free(kept);
}

/* ---- ours, as the same text ---- */

/* Node I, also one of those that are gone. */
static const struct as_pg_node *node_at(const struct as_pg *pg, uint32_t i)
{
	return i < pg->node.n ? &pg->node.p[i] : &pg->gone.p[i - pg->node.n];
}

static void ours_of(const struct as_pg *pg, struct rows *node, struct rows *edge)
{
	node->n = edge->n = 0;
	for (size_t i = 0; i < pg->node.n; i++) {
		const struct as_pg_node *n = &pg->node.p[i];
		struct row *r = &node->row[node->n++];

		assert_true(node->n < ROWS);
		*r = (struct row){.flat = n->flat, .cum = n->cum};
		snprintf(r->text, TEXT, "%.*s", AS_SLICE_FMT(n->name));
	}
	for (size_t i = 0; i < pg->edge.n; i++) {
		const struct as_pg_edge *e = &pg->edge.p[i];
		struct row *r = &edge->row[edge->n++];

		assert_true(edge->n < ROWS);
		*r = (struct row){.cum = e->weight, .residual = e->residual, .called = !e->inlined};
		snprintf(r->text, TEXT, "%.*s>%.*s", AS_SLICE_FMT(node_at(pg, e->src)->name),
			AS_SLICE_FMT(node_at(pg, e->dst)->name));
	}
}

static int cmp_all(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int c = strcmp(a->text, b->text);

	if (!c && a->cum != b->cum)
		c = a->cum < b->cum ? -1 : 1;
	if (!c && a->flat != b->flat)
		c = a->flat < b->flat ? -1 : 1;
	if (!c)
		c = (int)a->residual - (int)b->residual;
	return c || !strchr(a->text, '>') ? c : (int)a->called - (int)b->called;
}

static void check_same(struct rows *want, struct rows *got, uint64_t seed)
{
	qsort(want->row, want->n, sizeof(*want->row), cmp_all);
	qsort(got->row, got->n, sizeof(*got->row), cmp_all);
	for (size_t i = 0; i < want->n && i < got->n; i++) {
		const struct row *a = &want->row[i], *b = &got->row[i];

		if (cmp_all(a, b) != 0)
			fail_msg("seed %u: wanted %s %d %d %d %d, got %s %d %d %d %d",
				(unsigned)seed, a->text, (int)a->flat, (int)a->cum, a->residual,
				a->called, b->text, (int)b->flat, (int)b->cum, b->residual,
				b->called);
	}
	assert_int_equal(want->n, got->n);
}

/* Each node has its own edges, the heaviest first. */
static void check_lists(const struct as_pg *pg)
{
	size_t in = 0, out = 0;

	for (uint32_t i = 0; i < pg->node.n; i++) {
		const struct as_pg_node *n = &pg->node.p[i];

		for (uint32_t k = 0; k < n->n_in; k++) {
			const struct as_pg_edge *e = &pg->edge.p[pg->in.p[n->in + k]];

			assert_int_equal(e->dst, i);
			if (k)
				assert_true(absolute(e->weight) <=
					    absolute(pg->edge.p[pg->in.p[n->in + k - 1]].weight));
		}
		for (uint32_t k = 0; k < n->n_out; k++)
			assert_int_equal(pg->edge.p[pg->out.p[n->out + k]].src, i);
		in += n->n_in;
		out += n->n_out;
	}
	for (size_t i = 0; i < pg->edge.n; i++) {
		in += pg->edge.p[i].dst >= pg->node.n;
		out += pg->edge.p[i].src >= pg->node.n;
	}
	assert_int_equal(in, pg->edge.n);
	assert_int_equal(out, pg->edge.n);
}

static struct as_pg_opts random_opts(uint64_t seed)
{
	static const double fractions[] = {0, 0.02, 0.1, 0.2, 0.4};

	return (struct as_pg_opts){.each = 1,
		.no_inlines = as_test_next(&seed, 4) == 0,
		.by_cum = as_test_next(&seed, 2),
		.node_fraction = fractions[as_test_next(&seed, 5)],
		.edge_fraction = fractions[as_test_next(&seed, 5)]};
}

static void check(uint64_t seed, const struct as_pg_opts *opts, size_t *seen)
{
	struct oracle *o = calloc(1, sizeof(*o));
	struct rows *node = calloc(2, sizeof(*node));
	struct input in;
	struct as_pg pg;

	assert_non_null(o);
	assert_non_null(node);
	make_input(&in, seed);
	o->in = &in;
	o->opts = opts;
	run_oracle(o);
	assert_int_equal(as_pg_make(&pg, in.prof, opts, NULL), AS_OK);
	assert_true(pg.total == o->total);
	assert_int_equal(pg.n_before, o->n_before);
	assert_int_equal(pg.dropped_nodes, o->dropped_nodes);
	assert_int_equal(pg.dropped_edges, o->dropped_edges);
	for (size_t i = 0; i < pg.node.n; i++)
		assert_true(as_slice_is(pg.node.p[i].name, o->node.row[i].text) ||
			    opts->node_count); /* its first are sorted again */
	ours_of(&pg, &node[0], &node[1]);
	check_same(&o->node, &node[0], seed);
	check_same(&o->edge, &node[1], seed);
	seen[0] += pg.edge.n;
	check_lists(&pg);
	seen[1] += pg.dropped_nodes;
	seen[2] += pg.dropped_edges;
	as_pg_release(&pg);
	as_profile_free(in.prof);
	free(node);
	free(o);
}

static void check_seeds(bool counts)
{
	size_t seen[3] = {0, 0, 0};

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_pg_opts opts = random_opts(seed * 3);

		if (counts)
			opts.node_count = 1 + seed % 7;
		check(seed, &opts, seen);
	}
	for (int i = 0; i < 3; i++)
		assert_true(seen[i] > SEEDS / 4); /* it is no test of nothing */
}

static void test_graph_is_that_of_the_rules(void **state)
{
	(void)state;
	check_seeds(false);
}

static void test_first_nodes_are_that_of_the_rules(void **state)
{
	(void)state;
	check_seeds(true);
}

/* ---- names of files ---- */

static void check_file(const char *path, const char *clean)
{
	const struct as_pg_opts opts = {.by = AS_PG_FILES, .each = 1};
	struct as_profile *prof;
	struct as_build b;
	struct as_pg pg;

	as_test_begin(&b, "Ir");
	as_test_stack(&b, 0, (as_func[]){as_test_func(&b, "f", "/bin/x", path), {0}}, 1);
	prof = as_test_end(&b);
	assert_int_equal(as_pg_make(&pg, prof, &opts, NULL), AS_OK);
	assert_int_equal(pg.node.n, 1);
	if (!as_slice_is(pg.node.p[0].file, clean))
		fail_msg("%s: %.*s, not %s", path, AS_SLICE_FMT(pg.node.p[0].file), clean);
	as_pg_release(&pg);
	as_profile_free(prof);
}

/* The right side is what filepath.Clean of Go makes of it. */
static void test_names_of_files_are_cleaned(void **state)
{
	static const char *const cases[][2] = {{"a/b.c", "a/b.c"}, {"", ""}, {"/", "/"},
		{"./stdlib/./msort.c", "stdlib/msort.c"}, {"a//b", "a/b"}, {"a/", "a"},
		{"./csu/../sysdeps/x.h", "sysdeps/x.h"}, {"../a/../../b", "../../b"},
		{"/../a", "/a"}, {"/..", "/"}, {"a/..", "."}, {".", "."}, {"..", ".."},
		{"a/../..", ".."}, {"//a///b//", "/a/b"}, {".hidden/x", ".hidden/x"},
		{"a/..b/c.", "a/..b/c."}, {"/a/../..", "/"}, {"...", "..."}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++)
		check_file(cases[i][0], cases[i][1]);
}

int pprof_graph_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graph_is_that_of_the_rules),
		cmocka_unit_test(test_first_nodes_are_that_of_the_rules),
		cmocka_unit_test(test_names_of_files_are_cleaned),
	};

	return cmocka_run_group_tests_name("pprof_graph", tests, NULL, NULL);
}
