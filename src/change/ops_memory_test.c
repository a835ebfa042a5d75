/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory, at every place where it can happen: a code, no leak, no crash. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "change/filter/filter.h"
#include "change/filter/frames.h"
#include "compat/pprof/pprof_graph.h"
#include "diff/diff_sub.h"
#include "diff/gate.h"
#include "lib/fail_alloc.h"
#include "lib/test_profiles.h"
#include "table/callgraph.h"
#include "table/label_table.h"
#include "table/neighbours.h"
#include "table/project.h"
#include "table/recursion.h"
#include "table/timeline.h"
#include "tree/calltree.h"
#include "tree/path_source.h"

typedef enum as_code work(const struct as_profile *const *in, unsigned variant);

static enum as_code project(const struct as_profile *const *in, unsigned variant)
{
	struct as_project_opts opts = {.by = (enum as_by)(variant % 5), .want_edges = variant % 2};
	struct as_table *t;
	enum as_code rc = as_project(in[0], &opts, &t, NULL);

	if (rc == AS_OK) {
		uint32_t order[1000];

		assert_true(t->n <= 1000);
		as_table_sort(t, in[0], 0, true, order);
	}
	as_table_free(t);
	return rc;
}

static enum as_code transform(const struct as_profile *const *in, unsigned variant)
{
	static enum as_code (*const fn[])(const struct as_profile *, struct as_profile **,
		struct as_losses *, struct as_err *) = {
		as_to_places, as_to_calls, as_to_leaves, as_estimate_paths, as_context_paths};
	struct as_profile *out;
	enum as_code rc = fn[variant % AS_ARRAY_LEN(fn)](in[0], &out, NULL, NULL);

	as_profile_free(out);
	return rc;
}

/* Names cut in the middle. */
static struct as_slice cut_name(const void *ctx, struct as_arena *arena, struct as_slice name)
{
	(void)ctx;
	return as_arena_dup(arena, (struct as_slice){name.p, (name.len + 1) / 2});
}

static const struct as_renamer half = {.rename = cut_name};

static enum as_code other_names(const struct as_profile *const *in, unsigned variant)
{
	struct as_profile *out;
	enum as_code rc = as_rename(in[variant % 3], &half, &out, NULL);

	as_profile_free(out);
	return rc;
}

static enum as_code merge(const struct as_profile *const *in, unsigned variant)
{
	struct as_merge_opts opts = {.keep_parts = variant % 2};
	struct as_profile *out = NULL;
	struct as_merge *m;
	enum as_code rc = as_merge_new(in[0]->al, &opts, &m, NULL);

	if (rc != AS_OK)
		return rc;
	for (int i = 0; i < 3 && rc == AS_OK; i++)
		rc = as_merge_add(m, in[i], NULL);
	if (rc == AS_OK)
		rc = as_merge_finish(m, &out);
	else
		as_merge_free(m);
	as_profile_free(out);
	return rc;
}

static enum as_code adapt(const struct as_profile *const *in, unsigned variant)
{
	static const uint64_t caps[] = {0, AS_CAP(PATHS), AS_CAP(CALLS)};
	struct as_format fmt = {.caps = caps[variant % 3], .self_rows = variant & 4};
	struct as_adapt_opts opts = {.estimate = variant % 2};
	struct as_profile *out;
	enum as_code rc = as_adapt(in[0], &fmt, &opts, &out, NULL, NULL);

	as_profile_free(out);
	return rc;
}

static enum as_code judge(const struct as_diff *d)
{
	static const char text[] = "total(E0) > 1 and (self(E1, 'f1') > +1% or total(E9) > 5 or "
				   "self('2 E0 + E1', 'f1') > 1)";
	struct as_gate_result r;
	struct as_gate g;
	enum as_code rc = as_gate_parse(&g, d->al, as_slice_of(text), NULL);

	if (rc == AS_OK)
		rc = as_gate_eval(&g, d, &r);
	as_gate_free(&g);
	return rc;
}

static enum as_code compare(const struct as_profile *const *in, unsigned variant)
{
	struct as_diff_opts opts = {.by = (enum as_by)(variant % 4), .n_runs = 3};
	struct as_diff *d;
	enum as_code rc = as_diff_begin(&d, in[0]->al, &opts, NULL);

	for (unsigned i = 0; i < 3 && rc == AS_OK; i++)
		rc = as_diff_add(d, i ? AS_NEW : AS_BASE, in[i], as_slice_of("x"), NULL);
	if (rc == AS_OK)
		rc = as_diff_show_names(d, &half, NULL);
	if (rc == AS_OK)
		rc = as_diff_scale(d, AS_NORM_NONE, UINT32_MAX, NULL);
	if (rc == AS_OK)
		rc = as_diff_sort(d, 0, variant % 2, NULL);
	if (rc == AS_OK)
		rc = judge(d);
	as_diff_free(d);
	return rc;
}

/* Trees of both sides, turned. */
static enum as_code compare_up(const struct as_profile *const *in, unsigned variant)
{
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2, .want_rows = true};
	struct as_diff_tree_opts shown = {.min_ppm = 0};
	struct as_diff_tree_view v = {0};
	struct as_diff_sub sub;
	struct as_diff *d;
	enum as_code rc = as_diff_begin(&d, in[0]->al, &opts, NULL);

	if (rc != AS_OK)
		return rc;
	as_diff_sub_init(&sub, d);
	sub.way = (enum as_tree_way)(variant % 3);
	for (unsigned i = 0; i < 2 && rc == AS_OK; i++) {
		rc = as_diff_add(d, i ? AS_NEW : AS_BASE, in[i], as_slice_of("x"), NULL);
		if (rc == AS_OK)
			rc = as_diff_sub_paths(&sub, in[i], NULL);
	}
	if (rc == AS_OK)
		rc = as_diff_scale_and_sort(d, AS_NORM_NONE, UINT32_MAX, false, NULL);
	if (rc == AS_OK)
		rc = as_diff_sub_turn(&sub, 0, NULL);
	if (rc == AS_OK)
		rc = as_diff_sub_judge(&sub, true, NULL);
	if (rc == AS_OK)
		rc = as_diff_tree_view_make(&v, &sub, &shown, NULL);
	as_diff_tree_view_release(&v);
	as_diff_sub_release(&sub);
	as_diff_free(d);
	return rc;
}

static bool has_text(const void *ctx, struct as_slice text)
{
	return as_slice_find_text(text, ctx) < text.len;
}

static enum as_code filter(const struct as_profile *const *in, unsigned variant)
{
	static const uint8_t keep[] = {1, 0, 1};
	struct as_matcher m[] = {{(enum as_filter_kind)(variant % 7), 7, has_text, "a", true},
		{(enum as_filter_kind)(variant / 7 % 7), 7, has_text, "f", true}};
	struct as_filter how = {.matcher = m, .n = 2, .keep_part = variant % 2 ? keep : NULL};
	struct as_filtered out;
	bool matched[2];
	enum as_code rc = as_filter(in[0], &how, matched, &out, NULL, NULL);

	if (rc == AS_OK)
		as_profile_free(out.prof);
	return rc;
}

/* Callers and callees of all functions, cycles, and what of it is drawn. */
static enum as_code graph(const struct as_profile *const *in, unsigned variant)
{
	struct as_project_opts opts = {.by = AS_BY_FUNC, .want_edges = true};
	struct as_neighbours nb;
	struct as_callgraph g;
	struct as_cycles c;
	struct as_table *t;
	enum as_code rc = as_project(in[variant], &opts, &t, NULL);

	if (rc != AS_OK)
		return rc;
	for (uint32_t row = 0; rc == AS_OK && row < t->n; row++) {
		rc = as_neighbours_make(&nb, t, &(struct as_neighbours_opts){.row = row}, NULL);
		as_neighbours_release(&nb);
	}
	if (rc == AS_OK) {
		rc = as_cycles_make(&c, t, &(struct as_cycles_opts){0}, NULL);
		as_cycles_release(&c);
	}
	if (rc == AS_OK) {
		rc = as_callgraph_make(&g, t, &(struct as_callgraph_opts){.depth = 3}, NULL);
		as_callgraph_release(&g);
	}
	as_table_free(t);
	return rc;
}

static enum as_code tree(const struct as_profile *const *in, unsigned variant)
{
	struct as_calltree_root root = {.func = {1 + variant % 4}};
	struct as_tree_opts opts = {.way = (enum as_tree_way)(variant % 3), .min = variant};
	struct as_calltree_opts below = {.below = variant % 2 ? &root : NULL};
	struct as_tree_view v;
	struct as_calltree ct;
	uint32_t *node = NULL;
	size_t n, size = 0;
	enum as_code rc = as_calltree_make(&ct, in[variant % 3], &below, NULL);

	if (rc == AS_OK)
		rc = as_calltree_ends(&ct, 0, &node, &n, &size);
	as_alloc_free(ct.al, node, size);
	if (rc == AS_OK) {
		opts.of = variant % 3 ? &root : NULL;
		rc = as_tree_view_make(&v, &ct, &opts, NULL);
		as_tree_view_release(&v);
	}
	as_calltree_release(&ct);
	return rc;
}

static enum as_code tree_of_calls(const struct as_profile *const *in, unsigned variant)
{
	struct as_calltree_root root = {.func = {1 + variant % 4}};
	struct as_path_tree_opts opts = {.way = (enum as_tree_way)(variant % 3),
		.of = variant % 2 ? &root : NULL,
		.no_cycles = variant % 4 == 3,
		.keep_paths = variant % 4 > 1};
	struct as_path_source paths;
	struct as_calltree ct = {.al = in[variant % 3]->al};
	enum as_code rc = as_path_source_make(&paths, in[variant % 3], true, NULL);

	if (rc == AS_OK)
		rc = as_path_source_tree(&paths, &opts, &ct, NULL);
	as_calltree_release(&ct);
	as_path_source_release(&paths);
	return rc;
}

static enum as_code tags(const struct as_profile *const *in, unsigned variant)
{
	const struct as_label_how how = {.by = AS_BY_VALUE};
	struct as_label_table t;
	struct as_arena ar;
	enum as_code rc = as_label_table_make(&t, in[variant], &how, NULL);

	as_arena_init(&ar, in[variant]->al);
	for (size_t i = 0; rc == AS_OK && i < t.row.n; i++)
		if (!as_label_row_text(&t, &ar, (uint32_t)i).p)
			rc = AS_E_NOMEM;
	as_arena_release(&ar);
	as_label_table_release(&t);
	return rc;
}

static enum as_code drop_frames(const struct as_profile *const *in, unsigned variant)
{
	const struct as_drop how = {has_text, variant ? "f" : "a"};
	struct as_profile *out;
	enum as_code rc = as_drop_frames(in[0], &how, &out, NULL);

	as_profile_free(out);
	return rc;
}

static struct as_slice tag_name(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice key, const struct as_label *label, uint32_t n, const void *ctx)
{
	(void)key;
	(void)ctx;
	return as_label_text(ar, prof, label, n, false);
}

/* With moments: a stretch of time, and a line of each thread. */
static enum as_code timed(const struct as_profile *const *in, unsigned variant)
{
	const struct as_time_range range = {100 * variant, 700};
	struct as_profile *out;
	struct as_timeline t;
	enum as_code rc;

	assert_true(in[variant]->moments.n > 0);
	AS_TRY(as_filter_time(in[variant], range, false, &out, NULL));
	rc = out->moments.n ? as_timeline_make(&t, out, 0, 7, NULL) : AS_OK;
	if (out->moments.n)
		as_timeline_release(&t);
	as_profile_free(out);
	return rc;
}

static enum as_code tag_frames(const struct as_profile *const *in, unsigned variant)
{
	const struct as_slice key = as_str_get(in[0], in[0]->label.p[0].key);
	const struct as_tag_frames how = {.root = &key,
		.leaf = &key,
		.n_root = variant != 1,
		.n_leaf = variant != 0,
		.name = tag_name};
	struct as_profile *out;
	enum as_code rc = as_tag_frames(in[0], &how, &out, NULL);

	as_profile_free(out);
	return rc;
}

static enum as_code pprof_graph(const struct as_profile *const *in, unsigned variant)
{
	struct as_pg_opts opts = {.by = (enum as_pg_by)(variant % 5),
		.each = 1,
		.node_count = variant % 4,
		.node_fraction = 0.05};
	struct as_pg pg;
	enum as_code rc = as_pg_make(&pg, in[0], &opts, NULL);

	as_pg_release(&pg);
	return rc;
}

/* A copy of a random profile whose memory is that of FA; of ONLY, 0 = everything. */
static struct as_profile *copy(uint64_t seed, struct fail_alloc *fa, unsigned only)
{
	unsigned all = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS |
		       AS_TEST_FACTS | AS_TEST_RARE | (seed % 2 ? AS_TEST_CONTEXTS : 0);
	unsigned what = only ? only : all;
	struct as_merge_opts opts = {.keep_parts = true};
	struct as_profile *prof = as_test_random(seed, what), *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(&fa->al, &opts, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, prof, NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	as_profile_free(prof);
	return out;
}

static void starve_on(unsigned only, work *fn, unsigned variants)
{
	struct as_profile *in[3];
	struct fail_alloc fa;

	fail_alloc_init(&fa, 0);
	for (uint64_t i = 0; i < 3; i++)
		in[i] = copy(11 + i, &fa, only);
	for (unsigned v = 0; v < variants; v++) {
		enum as_code rc = AS_E_NOMEM;
		size_t used = fa.held;

		for (uint64_t n = 0; rc != AS_OK; n++) {
			fail_alloc_after(&fa, n);
			rc = fn((const struct as_profile *const *)in, v);
			assert_true(rc == AS_OK || rc == AS_E_NOMEM);
			assert_int_equal(fa.held, used);
			assert_true(n < 100000);
		}
		fail_alloc_never(&fa);
	}
	for (int i = 0; i < 3; i++)
		as_profile_free(in[i]);
	assert_int_equal(fa.held, 0);
	assert_false(fa.wrong_size);
}

static void starve(work *fn, unsigned variants)
{
	starve_on(0, fn, variants);
}

static void test_projecting_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(project, 10);
}

static void test_transforming_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(transform, 5);
	starve(other_names, 3);
}

static void test_merging_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(merge, 2);
	starve_on(AS_TEST_PATHS | AS_TEST_MOMENTS, merge, 2);
}

static void test_comparing_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(compare, 4);
	starve_on(AS_TEST_PATHS, compare_up, 3);
	starve_on(AS_TEST_SELF | AS_TEST_CALLS, compare_up, 3);
}

static void test_adapting_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(adapt, 6);
}

static void test_filtering_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(filter, 49);
	starve(drop_frames, 2);
	starve_on(AS_TEST_PATHS | AS_TEST_MOMENTS, timed, 3);
	starve_on(AS_TEST_PATHS | AS_TEST_MOMENTS, drop_frames, 2);
	starve_on(AS_TEST_PATHS | AS_TEST_RARE, tag_frames, 3);
}

static void test_views_without_memory_fail_cleanly(void **state)
{
	(void)state;
	starve(graph, 3);
	starve_on(AS_TEST_PATHS, graph, 3);
	starve_on(AS_TEST_PATHS, tree, 12);
	starve_on(AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_CONTEXTS, tree_of_calls, 12);
	starve_on(AS_TEST_PATHS, pprof_graph, 12);
	starve_on(AS_TEST_PATHS | AS_TEST_RARE, tags, 3);
}

int ops_memory_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_projecting_without_memory_fails_cleanly),
		cmocka_unit_test(test_transforming_without_memory_fails_cleanly),
		cmocka_unit_test(test_merging_without_memory_fails_cleanly),
		cmocka_unit_test(test_comparing_without_memory_fails_cleanly),
		cmocka_unit_test(test_adapting_without_memory_fails_cleanly),
		cmocka_unit_test(test_filtering_without_memory_fails_cleanly),
		cmocka_unit_test(test_views_without_memory_fail_cleanly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
