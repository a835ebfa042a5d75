/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory, at every place where it can happen: a code, no leak, no crash. */
#include "ops/transform.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "ops/filter.h"
#include "ops/project.h"
#include "ops/test_profiles.h"

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
	struct as_format fmt = {.caps = caps[variant % 3]};
	struct as_profile *out;
	enum as_code rc = as_adapt(in[0], &fmt, variant % 2, &out, NULL, NULL);

	as_profile_free(out);
	return rc;
}

static bool has_text(const void *ctx, struct as_slice text)
{
	return as_slice_find_text(text, ctx) < text.len;
}

static enum as_code filter(const struct as_profile *const *in, unsigned variant)
{
	static const uint8_t keep[] = {1, 0, 1};
	struct as_matcher m[] = {{(enum as_filter_kind)(variant % 7), 7, has_text, "a"},
		{(enum as_filter_kind)(variant / 7 % 7), 7, has_text, "f"}};
	struct as_filter how = {.matcher = m, .n = 2, .keep_part = variant % 2 ? keep : NULL};
	struct as_filtered out;
	bool matched[2];
	enum as_code rc = as_filter(in[0], &how, matched, &out, NULL, NULL);

	if (rc == AS_OK)
		as_profile_free(out.prof);
	return rc;
}

/* A copy of a random profile whose memory is that of FA. */
static struct as_profile *copy(uint64_t seed, struct fail_alloc *fa)
{
	unsigned what = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS |
			AS_TEST_FACTS | (seed % 2 ? AS_TEST_CONTEXTS : 0);
	struct as_merge_opts opts = {.keep_parts = true};
	struct as_profile *prof = as_test_random(seed, what), *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(&fa->al, &opts, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, prof, NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	as_profile_free(prof);
	return out;
}

static void starve(work *fn, unsigned variants)
{
	struct as_profile *in[3];
	struct fail_alloc fa;

	fail_alloc_init(&fa, 0);
	for (uint64_t i = 0; i < 3; i++)
		in[i] = copy(11 + i, &fa);
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

static void test_projecting_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(project, 10);
}

static void test_transforming_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(transform, 5);
}

static void test_merging_without_memory_fails_cleanly(void **state)
{
	(void)state;
	starve(merge, 2);
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_projecting_without_memory_fails_cleanly),
		cmocka_unit_test(test_transforming_without_memory_fails_cleanly),
		cmocka_unit_test(test_merging_without_memory_fails_cleanly),
		cmocka_unit_test(test_adapting_without_memory_fails_cleanly),
		cmocka_unit_test(test_filtering_without_memory_fails_cleanly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
