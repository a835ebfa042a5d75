/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks and sums of pprof's profiles, merged and settled, against the paths of the same files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/sums_oracle.h"
#include "lib/test_merge.h"
#include "lib/test_profiles.h"

extern const struct as_format as_format_pprof;

enum { SEEDS = 80, INPUTS = 3 };

static struct as_profile *stacks_read(uint64_t seed, unsigned what, bool stacks)
{
	struct as_profile *prof = as_test_random(seed, what);
	struct mem_written w;
	struct mem_read r;

	mem_write(&w, &as_format_pprof, prof);
	assert_int_equal(w.rc, AS_OK);
	as_profile_free(prof);
	mem_read(&r, &(struct mem_how){.fmt = &as_format_pprof, .sums = stacks, .stacks = stacks},
		(struct as_slice){w.mem.data.p, w.mem.data.n});
	if (r.rc != AS_OK)
		fail_msg("%s", r.err.msg);
	mem_written_free(&w);
	return mem_take(&r);
}

static struct as_profile *merged(uint64_t seed, bool stacks, unsigned *n_stacks, unsigned *n_sums)
{
	struct as_profile *in[INPUTS], *out;

	for (uint64_t i = 0; i < INPUTS; i++) {
		unsigned named = (seed + i) % 3 ? 0 : AS_TEST_NAMED;

		in[i] = stacks_read(seed * INPUTS + i, AS_TEST_PATHS | named, stacks);
		*n_stacks += in[i]->stacks.n != 0;
		*n_sums += in[i]->sums.func.n != 0;
		assert_true(!stacks || !in[i]->sample.node.n);
	}
	out = test_merge(in, INPUTS, false, NULL);
	for (size_t i = 0; i < INPUTS; i++)
		as_profile_free(in[i]);
	return out;
}

/* Nobody has names for what has none. */
static struct as_profile *settled(struct as_profile *prof)
{
	struct as_profile *out = prof;
	struct as_chains none;

	if (!prof->stacks.n)
		return prof;
	assert_true(as_chains_init(&none, &as_alloc_libc));
	assert_int_equal(as_expand(prof, &none, &out, NULL), AS_OK);
	as_chains_release(&none);
	as_profile_free(prof);
	return out;
}

static void test_stacks_and_sums_add_up_as_paths_do(void **state)
{
	unsigned stacks = 0, sums = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *paths = merged(seed, false, &stacks, &sums);
		struct as_profile *all = settled(merged(seed, true, &stacks, &sums));

		assert_true(!all->stacks.n && all->sums.func.n);
		assert_true(sums_are_right(paths, all));
		as_profile_free(paths);
		as_profile_free(all);
	}
	assert_true(stacks > SEEDS);
	assert_true(sums > SEEDS / 4);
}

static void test_running_out_of_memory_is_an_error(void **state)
{
	const struct as_merge_opts opts = {.keep_parts = false};
	struct as_profile *in = stacks_read(1, AS_TEST_PATHS, true), *out;
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	assert_true(in->stacks.n);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;
		struct as_merge *m;

		fail_alloc_init(&fa, n);
		out = NULL;
		rc = as_merge_new(&fa.al, &opts, &m, NULL);
		if (rc == AS_OK) {
			rc = as_merge_add(m, in, NULL);
			if (rc == AS_OK)
				rc = as_merge_finish(m, &out);
			else
				as_merge_free(m);
		}
		as_profile_free(out);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_profile_free(in);
}

static void test_stacks_and_paths_cannot_be_added(void **state)
{
	struct as_profile *stacks = stacks_read(1, AS_TEST_PATHS, true);
	struct as_profile *paths = stacks_read(2, AS_TEST_PATHS, false);
	const struct as_merge_opts opts = {.keep_parts = false};
	struct as_merge *m;

	(void)state;
	assert_true(stacks->stacks.n && paths->sample.node.n);
	assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, stacks, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, paths, NULL), AS_E_UNSUPPORTED);
	as_merge_free(m);
	as_profile_free(stacks);
	as_profile_free(paths);
}

int merge_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_and_sums_add_up_as_paths_do),
		cmocka_unit_test(test_running_out_of_memory_is_an_error),
		cmocka_unit_test(test_stacks_and_paths_cannot_be_added),
	};

	return cmocka_run_group_tests_name("merge_stacks", tests, NULL, NULL);
}
