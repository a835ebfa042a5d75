/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory, in everything that the public API does. */
#include "lib/lib_testing.h"

#include <stdlib.h>

#include "lib/fail_alloc.h"

/* ---- running out of memory ---- */

/* Everything that takes memory, with one allocator. */
struct scene {
	struct assay_allocator *al;
	struct assay_findings *findings;
	struct assay_losses *losses;
	struct assay_profile *prof, *built, *merged, *places, *filtered;
	struct assay_table *table, *labels;
	struct assay_tree *tree;
	struct assay_found *found;
	struct assay_listing *list;
	struct assay_comparison *cmp;
	struct assay_profile *words, *named;
	struct assay_symbols *syms;
	struct assay_cursor *cur;
	struct assay_merger *m;
	struct assay_buffer *buf;
};

static enum assay_code scene_walk(struct scene *s)
{
	struct assay_fact fact = {.size = sizeof(fact)};
	enum assay_code rc = assay_cursor_new(s->merged, ASSAY_SAMPLE, &s->cur);

	while (rc == ASSAY_OK)
		rc = assay_cursor_next(s->cur, &fact);
	return rc == ASSAY_END ? ASSAY_OK : rc;
}

static enum assay_code scene_merge(struct scene *s)
{
	struct assay_merge_options o = {.size = sizeof(o)};
	enum assay_code rc;

	o.allocator = s->al;
	o.losses = s->losses;
	rc = assay_merger_new(&o, &s->m);
	if (rc == ASSAY_OK)
		rc = assay_merger_add(s->m, s->prof);
	if (rc == ASSAY_OK)
		rc = assay_merger_add(s->m, s->built);
	if (rc == ASSAY_OK)
		rc = assay_merger_finish(s->m, &s->merged);
	return rc;
}

static bool is_main(const void *ctx, struct assay_slice text)
{
	(void)ctx;
	return slice_is(text, "main");
}

/* A tree of what a function costs. */
static enum assay_code scene_tree(struct scene *s)
{
	struct assay_tree_options o = {.size = sizeof(o), .way = ASSAY_TREE_CALLERS};
	struct assay_row row = {.size = sizeof(row)};

	if (assay_table_row(s->table, 0, &row) != ASSAY_OK)
		return ASSAY_OK;
	o.of = &row;
	return assay_tree_new(s->merged, &o, &s->tree, NULL);
}

static enum assay_code scene_list(struct scene *s)
{
	struct assay_find_options o = {.size = sizeof(o), .edges = true};
	enum assay_code rc = assay_find(s->merged, "main", &o, &s->found, NULL);

	if (rc == ASSAY_OK && assay_found_count(s->found))
		rc = assay_list(s->found, 0, &s->list, NULL);
	return rc;
}

static enum assay_code scene_words(struct scene *s)
{
	static const char *const words[] = {
		"focus=main", "tagroot=request", "hide=func", "thread=1"};
	struct assay_words_options o = {.size = sizeof(o), .words = words, .n_words = 3};
	enum assay_code rc = assay_filter_words(s->built, &o, &s->words, NULL);

	assay_profile_free(s->words);
	s->words = NULL;
	o.n_words = 4;
	o.losses = s->losses;
	return rc == ASSAY_OK ? assay_filter_words(s->merged, &o, &s->words, NULL) : rc;
}

static enum assay_code scene_compare(struct scene *s)
{
	struct assay_profile *base = s->built, *changed = s->merged;
	struct assay_compare_options o = {.size = sizeof(o),
		.base = &base,
		.changed = &changed,
		.n_base = 1,
		.n_changed = 1,
		.allocator = s->al};
	enum assay_code rc = assay_compare(&o, &s->cmp, NULL);

	return rc == ASSAY_E_ARG ? ASSAY_OK : rc; /* they have no event in common */
}

/* A part with a label, and what is left by filters. */
static enum assay_code scene_choose(struct scene *s)
{
	struct assay_matcher m = {.size = sizeof(m),
		.kind = ASSAY_FILTER_HIDE,
		.fields = ASSAY_MATCH_FUNCTION,
		.match = is_main};
	const struct assay_matcher *const list[] = {&m};
	struct assay_filter_options o = {.size = sizeof(o), .matchers = list, .n_matchers = 1};
	struct assay_project_options po = {.size = sizeof(po), .by = ASSAY_BY_LABEL};
	struct assay_label l = {.size = sizeof(l), .key = T("request"), .number = 1};
	const struct assay_label *const set[] = {&l};
	struct assay_builder *b;
	enum assay_code rc = assay_builder_new(s->al, &b);

	if (rc == ASSAY_OK)
		rc = assay_builder_labelled(b, set, 1, NULL);
	assay_builder_free(b);
	o.losses = s->losses;
	if (rc == ASSAY_OK)
		rc = assay_project(s->built, &po, &s->labels, NULL);
	if (rc == ASSAY_OK)
		rc = assay_filter(s->merged, &o, &s->filtered, NULL);
	return rc;
}

static enum assay_code scene_play(struct scene *s, const char *text, size_t n)
{
	struct assay_project_options po = {.size = sizeof(po), .edges = true};
	struct assay_write_options wo = {.size = sizeof(wo), .format = "callgrind"};
	struct assay_open_options oo = {.size = sizeof(oo), .check = true};
	enum assay_code rc = assay_findings_new(s->al, &s->findings);

	if (rc == ASSAY_OK)
		rc = assay_losses_new(s->al, &s->losses);
	oo.allocator = s->al;
	oo.findings = s->findings;
	wo.losses = s->losses;
	if (rc == ASSAY_OK)
		rc = assay_open_memory(text, n, &oo, &s->prof, NULL);
	if (rc == ASSAY_OK)
		rc = make(s->al, &s->built);
	if (rc == ASSAY_OK)
		rc = scene_merge(s);
	if (rc == ASSAY_OK)
		rc = assay_to_places(s->merged, s->losses, &s->places, NULL);
	if (rc == ASSAY_OK)
		rc = assay_project(s->merged, &po, &s->table, NULL);
	if (rc == ASSAY_OK)
		rc = scene_tree(s);
	if (rc == ASSAY_OK)
		rc = scene_list(s);
	if (rc == ASSAY_OK)
		rc = scene_words(s);
	if (rc == ASSAY_OK)
		rc = scene_compare(s);
	if (rc == ASSAY_OK)
		rc = assay_symbolize(s->prof, NULL, &s->named, &s->syms, NULL);
	if (rc == ASSAY_E_UNSUPPORTED)
		rc = ASSAY_OK; /* there is no elfutils */
	if (rc == ASSAY_OK)
		rc = scene_choose(s);
	if (rc == ASSAY_OK)
		rc = scene_walk(s);
	if (rc == ASSAY_OK)
		rc = assay_write_memory(s->merged, &wo, &s->buf, NULL);
	return rc;
}

static void scene_end(struct scene *s)
{
	assay_findings_free(s->findings);
	assay_losses_free(s->losses);
	assay_cursor_free(s->cur);
	assay_table_free(s->table);
	assay_table_free(s->labels);
	assay_tree_free(s->tree);
	assay_comparison_free(s->cmp);
	assay_profile_free(s->named);
	assay_symbols_free(s->syms);
	assay_listing_free(s->list);
	assay_found_free(s->found);
	assay_merger_free(s->m);
	assay_buffer_free(s->buf);
	assay_profile_free(s->places);
	assay_profile_free(s->filtered);
	assay_profile_free(s->words);
	assay_profile_free(s->merged);
	assay_profile_free(s->built);
	assay_profile_free(s->prof);
	assay_allocator_free(s->al);
}

/* What the scene writes when there is memory enough; free() it. */
static char *scene_result(const char *text, size_t n, size_t *len)
{
	struct scene s = {0};
	struct assay_slice bytes;
	char *copy;

	assert_int_equal(scene_play(&s, text, n), ASSAY_OK);
	bytes = assay_buffer_bytes(s.buf);
	copy = malloc(bytes.len);
	assert_non_null(copy);
	memcpy(copy, bytes.p, bytes.len);
	*len = bytes.len;
	scene_end(&s);
	return copy;
}

/* Play the scene so that the first, second ... request for memory fails, until none does. Where
 * it ends well all the same (the words of a finding or loss were left out), nothing else is
 * missing. */
static void run_out_of_memory(const char *text, size_t n)
{
	struct fail_alloc fa;
	uint64_t failed = 0;
	size_t len;
	char *want = scene_result(text, n, &len);

	do {
		struct scene s = {0};
		enum assay_code rc;

		fail_alloc_init(&fa, ++failed);
		rc = assay_allocator_new(fa.al.resize, fa.al.ctx, &s.al);
		if (rc == ASSAY_OK)
			rc = scene_play(&s, text, n);
		if (rc == ASSAY_OK) {
			assert_int_equal(assay_buffer_bytes(s.buf).len, len);
			assert_memory_equal(assay_buffer_bytes(s.buf).p, want, len);
		} else {
			assert_int_equal(rc, ASSAY_E_NOMEM);
		}
		scene_end(&s);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	} while (fa.n_requests >= failed);
	assert_true(failed > 50);
	free(want);
}

static void test_running_out_of_memory_anywhere_is_an_error(void **state)
{
	static const char odd[] = "events: Ir Dr\nfn=f\n1 7 1\n2 x\ntotals: 9\n";
	struct assay_profile *paths = sampled();
	struct assay_buffer *buf = bytes_of(paths, "gperf");
	struct assay_slice s = assay_buffer_bytes(buf);

	(void)state;
	run_out_of_memory(extended_example, strlen(extended_example));
	run_out_of_memory(odd, strlen(odd));
	run_out_of_memory(s.p, s.len);
	assay_buffer_free(buf);
	assay_profile_free(paths);
}

/* Any limit gives the profile, or the error that says so; nothing is held afterwards. */
static void test_memory_has_the_end_that_is_asked_for(void **state)
{
	static const char text[] = "events: Ir\nfn=f\n1 5\nfn=g\n2 7\n";
	struct assay_open_options o = {.size = sizeof(o)};
	bool met = false, opened = false;

	(void)state;
	for (o.max_memory = 1000; !opened; o.max_memory += 500) {
		struct fail_alloc fa;
		struct assay_allocator *al;
		struct assay_profile *prof;
		struct assay_error err;
		enum assay_code rc;

		fail_alloc_init(&fa, UINT64_MAX);
		assert_int_equal(assay_allocator_new(fa.al.resize, fa.al.ctx, &al), ASSAY_OK);
		o.allocator = al;
		rc = assay_open_memory(text, sizeof(text) - 1, &o, &prof, &err);
		opened = rc == ASSAY_OK;
		if (!opened) {
			assert_int_equal(rc, ASSAY_E_LIMIT);
			assert_non_null(strstr(err.message, "bytes of memory"));
			met = true;
		}
		assay_profile_free(prof);
		assay_allocator_free(al);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	}
	assert_true(met);
}

static void test_the_callers_allocator_is_the_only_one(void **state)
{
	struct fail_alloc fa;
	struct scene s = {0};

	(void)state;
	fail_alloc_init(&fa, 0);
	assert_int_equal(assay_allocator_new(fa.al.resize, fa.al.ctx, &s.al), ASSAY_OK);
	assert_int_equal(scene_play(&s, extended_example, strlen(extended_example)), ASSAY_OK);
	assert_true(fa.held > 1000);
	scene_end(&s);
	assert_int_equal(fa.held, 0);
	assert_int_equal(assay_allocator_new(NULL, NULL, &s.al), ASSAY_E_ARG);
}

int lib_memory_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_out_of_memory_anywhere_is_an_error),
		cmocka_unit_test(test_memory_has_the_end_that_is_asked_for),
		cmocka_unit_test(test_the_callers_allocator_is_the_only_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
