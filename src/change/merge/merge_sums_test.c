/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of functions, merged, against the paths of the same inputs; and what shares are of. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/sums_oracle.h"
#include "lib/test_merge.h"

extern const struct as_format as_format_folded;

enum { SEEDS = 60, INPUTS = 3, STACKS = 30, FRAMES = 6, NAMES = 8 };

static void put_stacks(char *text, size_t size, uint64_t seed)
{
	uint64_t h = seed << 32;
	size_t n = 0;

	for (unsigned i = 0; i < STACKS; i++) {
		unsigned frames = 1 + (unsigned)(as_hash_mix(++h, 1) % FRAMES);

		for (unsigned k = 0; k < frames; k++)
			n += (size_t)snprintf(text + n, size - n, "%sf%u", k ? ";" : "",
				(unsigned)(as_hash_mix(++h, 2) % NAMES));
		n += (size_t)snprintf(
			text + n, size - n, " %u\n", (unsigned)(as_hash_mix(++h, 3) % 9));
	}
}

static struct as_profile *read_stacks(uint64_t seed, bool sums)
{
	char text[STACKS * (FRAMES * 4 + 8)];
	struct mem_read r;

	put_stacks(text, sizeof(text), seed);
	mem_read(&r, &(struct mem_how){.fmt = &as_format_folded, .sums = sums}, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	return mem_take(&r);
}

static struct as_profile *merge_stacks(uint64_t seed, bool sums)
{
	struct as_profile *in[INPUTS], *out;

	for (uint64_t i = 0; i < INPUTS; i++)
		in[i] = read_stacks(seed * INPUTS + i, sums);
	out = test_merge(in, INPUTS, false, NULL);
	for (size_t i = 0; i < INPUTS; i++)
		as_profile_free(in[i]);
	return out;
}

static void test_sums_add_up_as_paths_do(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *paths = merge_stacks(seed, false);
		struct as_profile *sums = merge_stacks(seed, true);

		assert_true(sums->sums.func.n > 1);
		assert_true(sums_are_right(paths, sums));
		as_profile_free(paths);
		as_profile_free(sums);
	}
}

/* ---- by hand ---- */

/* A profile with a sum of function F, of N events; NULL: none. */
static struct as_profile *make(
	const char *f, const char *const *event, uint32_t n, const as_val *cost, bool recursive)
{
	struct as_profile *prof;
	struct as_build b;
	struct as_err err;
	uint32_t part, k;
	as_file file = {0};
	as_func func;

	as_err_clear(&err);
	assert_int_equal(as_build_init(&b, &as_alloc_libc, &err), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(
			as_build_event(&b, as_slice_of(event[i]), as_slice_of(""), &k), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of(f ? f : "f"), (as_object){0}, file, 0, &func), AS_OK);
	if (f)
		assert_int_equal(as_build_sum(&b, func, cost, recursive), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void test_events_are_found_by_name(void **state)
{
	static const char *const one[] = {"b"}, *const two[] = {"a", "b"};
	struct as_profile *in[3] = {make("f", one, 1, (as_val[]){5, 7}, false),
		make("f", two, 2, (as_val[]){1, 2, 30, 40}, true),
		make("g", two, 2, (as_val[]){100, 200, 300, 400}, false)};
	struct as_profile *out = test_merge(in, 3, false, NULL);

	(void)state;
	assert_int_equal(as_n_events(out), 2);
	assert_int_equal(out->sums.func.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const as_val *v = out->sums.cost.p + 4 * i;
		bool f = as_slice_is(as_func_name(out, out->sums.func.p[i]), "f");
		uint32_t a = as_slice_is(as_event_name(out, 0), "a") ? 0 : 1, b = 1 - a;

		assert_true(v[a] == (f ? 1 : 100) && v[b] == (f ? 7 : 200));
		assert_true(v[2 + a] == (f ? 30 : 300) && v[2 + b] == (f ? 47 : 400));
		assert_int_equal(out->sums.recursive.p[i], f);
	}
	for (size_t i = 0; i < 3; i++)
		as_profile_free(in[i]);
	as_profile_free(out);
}

/* One of them is what somebody chose of 50. */
static void test_wholes_add_up(void **state)
{
	static const char *const a[] = {"a"};
	as_val whole = 50;
	struct as_profile *in[2] = {
		make("f", a, 1, (as_val[]){5, 7}, false), make(NULL, a, 1, NULL, false)};
	struct as_profile *out;

	(void)state;
	in[1]->whole = &whole;
	out = test_merge(in, 2, false, NULL);
	assert_non_null(out->whole);
	assert_true(out->whole[0] == 55 && out->total[0] == 5);
	as_profile_free(out);
	in[1]->whole = NULL;
	out = test_merge(in, 2, false, NULL);
	assert_null(out->whole);
	as_profile_free(out);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
}

static void test_sums_and_paths_are_refused(void **state)
{
	struct as_profile *paths = read_stacks(1, false), *sums = read_stacks(1, true);
	struct as_merge_opts opts = {.keep_parts = false};

	(void)state;
	for (int first = 0; first < 2; first++) {
		struct as_merge *m;

		assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
		assert_int_equal(as_merge_add(m, first ? paths : sums, NULL), AS_OK);
		assert_int_equal(as_merge_add(m, first ? sums : paths, NULL), AS_E_UNSUPPORTED);
		as_merge_free(m);
	}
	as_profile_free(paths);
	as_profile_free(sums);
}

static enum as_code merge_with(const struct as_alloc *al, const struct as_profile *prof)
{
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_profile *out = NULL;
	struct as_merge *m;
	enum as_code rc;

	AS_TRY(as_merge_new(al, &opts, &m, NULL));
	rc = as_merge_add(m, prof, NULL);
	if (rc == AS_OK)
		rc = as_merge_finish(m, &out);
	else
		as_merge_free(m);
	as_profile_free(out);
	return rc;
}

static void test_memory_that_runs_out_is_an_answer(void **state)
{
	struct as_profile *sums = read_stacks(1, true);
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	sums->whole = sums->total;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		rc = merge_with(&fa.al, sums);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	sums->whole = NULL;
	as_profile_free(sums);
}

int merge_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_add_up_as_paths_do),
		cmocka_unit_test(test_events_are_found_by_name),
		cmocka_unit_test(test_wholes_add_up),
		cmocka_unit_test(test_sums_and_paths_are_refused),
		cmocka_unit_test(test_memory_that_runs_out_is_an_answer),
	};

	return cmocka_run_group_tests_name("merge_sums", tests, NULL, NULL);
}
