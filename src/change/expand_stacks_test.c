/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks become the sums that the same paths become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/sums_oracle.h"
#include "lib/test_profiles.h"

enum { SEEDS = 60, SAMPLES = 200, CODE = 24, DEEP = 9 };

/* The same samples twice: as paths, and as stacks. Two kinds of cost: of one event, and of both; or
 * wide rows, of one event or of both. */
struct both {
	uint32_t wide;  /* events of a row; 0: rows are not wide */
	unsigned shift; /* of costs, to the left */
	struct as_build paths, stacks;
	as_place path[CODE], stack[CODE];
};

/* Code in two objects; of the last place the name is known. */
static void both_places(struct as_build *b, as_place *place)
{
	static const char *const object[] = {"/bin/x", "/lib/y.so"};

	for (uint32_t i = 0; i < CODE; i++) {
		bool named = i + 1 == CODE;
		struct as_pos pos = {.addr = 0x10 * (i / 2 + (uint64_t)1)};
		as_object o;

		assert_int_equal(
			as_build_object(b, as_slice_of(object[i % 2]), as_slice_of(""), &o), AS_OK);
		assert_int_equal(as_build_func(b, as_slice_of(named ? "known" : ""), o,
					 (as_file){0}, named ? 0 : pos.addr, &pos.func),
			AS_OK);
		assert_int_equal(as_build_place(b, &pos, &place[i]), AS_OK);
	}
}

static void both_event(struct as_build *b)
{
	uint32_t event;

	assert_int_equal(
		as_build_event(b, as_slice_of("samples"), as_slice_of("count"), &event), AS_OK);
	assert_int_equal(event, 1);
}

static void both_begin(struct both *t, uint32_t wide)
{
	t->wide = wide;
	t->shift = 0;
	as_test_begin(&t->paths, "ns");
	as_test_begin(&t->stacks, "ns");
	if (wide != 1) {
		both_event(&t->paths);
		both_event(&t->stacks);
	}
	both_places(&t->paths, t->path);
	both_places(&t->stacks, t->stack);
	if (wide) {
		assert_true(as_stacks_widen(&t->stacks.prof->stacks, wide));
		return;
	}
	assert_true(as_stacks_kind(&t->stacks.prof->stacks, 0, 1));
	assert_true(as_stacks_kind(&t->stacks.prof->stacks, AS_STACK_NO_EVENT, 1));
}

static void both_add(struct both *t, uint64_t *seed)
{
	uint32_t n = as_test_next(seed, DEEP), kind = as_test_next(seed, 2);
	as_val cost[2] = {kind ? 0 : (as_val)as_test_next(seed, 1000) << t->shift, 1};
	as_place place[DEEP];
	as_node node = {0};

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = as_test_next(seed, CODE);

		place[i] = t->stack[at];
		assert_int_equal(as_build_push(&t->paths, node, t->path[at], &node), AS_OK);
	}
	assert_int_equal(as_build_sample(&t->paths, 0, node, cost), AS_OK);
	if (t->wide)
		assert_true(as_stacks_add_wide(
			&t->stacks.prof->stacks, place, n, (uint64_t[]){(uint64_t)cost[0], 1}));
	else
		assert_true(as_stacks_add(
			&t->stacks.prof->stacks, kind, place, n, kind ? 77 : (uint64_t)cost[0], 1));
}

static void add_name(struct as_chains *c, const char *name, const char *file)
{
	struct as_frame fr = {.line = 1};

	assert_true(as_strings_add(&c->str, as_slice_of(name), &fr.name));
	assert_true(as_strings_add(&c->str, as_slice_of(file), &fr.func_file));
	assert_true(as_chains_frame(c, &fr));
}

/* Two of three addresses have one to four frames, of few functions. */
static void few_names(struct as_chains *c, uint64_t seed)
{
	static const char *const name[] = {"f", "g", "h"}, *const file[] = {"", "a.c"};

	assert_true(as_chains_init(c, &as_alloc_libc));
	for (uint32_t o = 1; o <= 2; o++)
		for (uint32_t i = 0; i < CODE / 2; i++) {
			if (as_test_next(&seed, 3) == 0)
				continue;
			assert_true(as_chains_add(c, (as_object){o}, 0x10 * (i + (uint64_t)1)));
			for (uint32_t k = as_test_next(&seed, 4) + 1; k > 0; k--)
				add_name(c, name[as_test_next(&seed, 3)],
					file[as_test_next(&seed, 2)]);
		}
}

static struct as_profile *named(struct as_profile *prof, const struct as_chains *c)
{
	struct as_profile *out;

	assert_int_equal(as_expand(prof, c, &out, NULL), AS_OK);
	as_profile_free(prof);
	return out;
}

static void test_sums_of_stacks_are_those_of_paths_whatever_the_names(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *paths, *sums;
		struct as_chains c;
		struct both t;
		uint64_t next = seed;

		both_begin(&t, (uint32_t)(seed % 3));
		t.shift = seed % 3 && seed % 2 ? 54 : 0; /* 1000 of these take 64 bits */
		for (uint32_t i = 0; i < SAMPLES; i++)
			both_add(&t, &next);
		if (seed == 1)
			assert_true(as_chains_init(&c, &as_alloc_libc)); /* no names */
		else
			few_names(&c, seed);
		paths = as_test_end(&t.paths);
		sums = as_test_end(&t.stacks);
		assert_true(sums->stacks.n > 0 && !sums->sums.func.n);
		for (uint32_t k = 0; k < as_n_events(paths); k++)
			assert_true(paths->total[k] == sums->total[k]);
		paths = named(paths, &c);
		sums = named(sums, &c);
		assert_true(!sums->stacks.n && sums->sums.func.n > 0);
		assert_true(sums_are_right(paths, sums));
		as_profile_free(paths);
		as_profile_free(sums);
		as_chains_release(&c);
	}
}

static void run_out_of_memory(uint32_t wide)
{
	enum as_code rc = AS_E_NOMEM;
	struct as_profile *paths, *prof, *out;
	struct as_chains c;
	struct both t;
	uint64_t seed = 5;

	both_begin(&t, wide);
	for (uint32_t i = 0; i < SAMPLES; i++)
		both_add(&t, &seed);
	few_names(&c, 5);
	paths = as_test_end(&t.paths);
	prof = as_test_end(&t.stacks);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		prof->al = &fa.al;
		rc = as_expand(prof, &c, &out, NULL);
		as_profile_free(out);
		prof->al = &as_alloc_libc;
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_profile_free(paths);
	as_profile_free(prof);
	as_chains_release(&c);
}

static void test_running_out_of_memory_is_an_error(void **state)
{
	(void)state;
	for (uint32_t wide = 0; wide <= 2; wide++)
		run_out_of_memory(wide);
}

int expand_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_of_stacks_are_those_of_paths_whatever_the_names),
		cmocka_unit_test(test_running_out_of_memory_is_an_error),
	};

	return cmocka_run_group_tests_name("expand_stacks", tests, NULL, NULL);
}
