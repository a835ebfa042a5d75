/* SPDX-License-Identifier: Apache-2.0 */
/* Samples added up for functions: by hand, and against the paths of random profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/limit.h"
#include "formats/pprof/pprof.h"
#include "lib/mem_io.h"
#include "lib/pprof_message.h"
#include "lib/starve.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_pprof;

enum { FUNCTIONS = 12, LOCATIONS = 20, SAMPLES = 60 };

static void read_as(struct mem_read *r, const struct msg *m, bool sums)
{
	mem_read(r, &(struct mem_how){.fmt = &as_format_pprof, .sums = sums},
		(struct as_slice){m->data, m->n});
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

static void expect_sum(const struct as_profile *prof, const char *name, long self, long incl,
	long other, bool recursive)
{
	for (size_t i = 0; i < prof->sums.func.n; i++) {
		const as_val *v = prof->sums.cost.p + 2 * prof->event.n * i;

		if (!as_slice_is(as_func_name(prof, prof->sums.func.p[i]), name))
			continue;
		assert_true(v[1] == self && v[3] == incl && v[2] == other); /* cpu is event 0 */
		assert_int_equal(prof->sums.recursive.p[i], recursive);
		return;
	}
	fail_msg("no row '%s'", name);
}

/* 1 is f; 2 is g inlined into f; 3 is h, which begins at another line than the h of 4. */
static void put_program(struct msg *m)
{
	static const uint64_t func[][2] = {{1}, {2, 1}, {3}, {4}};

	put_head(m);
	for (uint64_t i = 0; i < 4; i++) {
		put_function(m, i + 1, i < 3 ? 3 + i : 5, 0, i);
		put_location(m, i + 1, func[i], i == 1 ? 2 : 1);
	}
}

static void test_samples_by_hand(void **state)
{
	struct mem_read r;
	struct msg m;

	(void)state;
	put_program(&m);
	put_sample(&m, (uint64_t[]){1, 3}, 2, (int64_t[]){5, 50});
	put_sample(&m, (uint64_t[]){2, 1, 3}, 3, (int64_t[]){7, 70});
	put_sample(&m, (uint64_t[]){4, 3}, 2, (int64_t[]){-2, 20});
	put_sample(&m, NULL, 0, (int64_t[]){11, 110});
	put_sample(&m, (uint64_t[]){1, 99}, 2, (int64_t[]){1, 10}); /* which does not exist */
	read_as(&r, &m, true);
	assert_int_equal(r.prof->sample.node.n, 0);
	assert_int_equal(r.prof->shape, AS_SHAPE_PATHS);
	assert_int_equal(r.prof->sums.func.n, 4);
	assert_true(r.prof->total[0] == 260 && r.prof->total[1] == 22);
	expect_sum(r.prof, "f", 6, 13, 130, true);
	expect_sum(r.prof, "g", 7, 7, 70, false);
	expect_sum(r.prof, "h", -2, 10, 140, true);
	expect_sum(r.prof, "", 11, 12, 120, false);
	assert_int_equal(r.findings.row.n, 1);
	mem_read_free(&r);
}

/* It is told apart by its address, or given a name later on. */
static void test_code_without_a_name_needs_the_paths(void **state)
{
	struct mem_read r;
	struct msg m;

	(void)state;
	put_program(&m);
	put_location(&m, 5, NULL, 0);
	put_sample(&m, (uint64_t[]){1, 5}, 2, (int64_t[]){5, 50});
	read_as(&r, &m, true);
	assert_int_equal(r.prof->sample.node.n, 1);
	assert_int_equal(r.prof->sums.func.n, 0);
	mem_read_free(&r);
}

static void put_random(struct msg *m, uint64_t seed)
{
	uint64_t h = seed << 32;

	put_head(m);
	for (uint64_t i = 1; i <= FUNCTIONS; i++) {
		uint64_t v = as_hash_mix(++h, 1), name = 3 + v % 3;
		uint64_t system[] = {0, 0, name, 6, 7};

		put_function(m, i, name, system[(v >> 8) % 5], (v >> 24) % 3);
	}
	for (uint64_t i = 1; i <= LOCATIONS; i++) {
		uint64_t v = as_hash_mix(++h, 2);
		uint64_t func[] = {
			1 + v % FUNCTIONS, 1 + (v >> 8) % FUNCTIONS, 1 + (v >> 16) % FUNCTIONS};

		put_location(m, i, func, 1 + (unsigned)(v >> 24) % 3);
	}
	for (unsigned i = 0; i < SAMPLES; i++) {
		uint64_t v = as_hash_mix(++h, 3), loc[10];
		unsigned n = (unsigned)v % 11;

		for (unsigned k = 0; k < n; k++)
			loc[k] = 1 + as_hash_mix(++h, 4) % (LOCATIONS + (seed % 4 ? 0U : 1U));
		put_sample(m, loc, n, (int64_t[]){(int64_t)(v >> 8) % 9 - 2, (int64_t)i % 3});
	}
}

static void test_sums_are_those_of_the_paths(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 200; seed++) {
		struct mem_read paths, sums;
		struct msg m;

		put_random(&m, seed);
		read_as(&paths, &m, false);
		read_as(&sums, &m, true);
		assert_true(sums.prof->sums.func.n > 1);
		assert_true(sums_are_right(paths.prof, sums.prof));
		assert_int_equal(paths.findings.row.n, sums.findings.row.n);
		mem_read_free(&paths);
		mem_read_free(&sums);
	}
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	struct msg m;

	(void)state;
	put_program(&m);
	put_sample(&m, (uint64_t[]){2, 1, 3}, 3, (int64_t[]){7, 70});
	mem_starve_sums(&as_format_pprof, (struct as_slice){m.data, m.n});
}

/* Functions that no sample has, and types that cost nothing, take no room together. */
static void test_functions_that_nobody_calls_take_no_sums(void **state)
{
	enum { TYPES = 256, UNUSED = 20000, EACH = 32 };
	static const char type[] = {PB_VALUE_TYPE << 3 | AS_PB_VARINT, 1};
	size_t n = 0, size = (TYPES + UNUSED) * EACH + sizeof(struct msg);
	char *text = malloc(size);
	struct as_limit limit;
	struct mem_read r;
	struct msg m;

	(void)state;
	assert_non_null(text);
	for (uint64_t i = 0; i < TYPES + UNUSED; i++) {
		m.n = 0;
		if (i < TYPES)
			put_bytes(&m, PB_SAMPLE_TYPE, type, sizeof(type));
		else
			put_function(&m, 100 + i, 3, 0, 0);
		assert_true(m.n <= EACH);
		memcpy(text + n, m.data, m.n);
		n += m.n;
	}
	put_program(&m);
	memcpy(text + n, m.data, m.n);
	n += m.n;
	as_limit_init(&limit, &as_alloc_libc, 32 << 20);
	mem_read(&r, &(struct mem_how){.fmt = &as_format_pprof, .al = &limit.al, .sums = true},
		(struct as_slice){text, n});
	if (r.rc != AS_OK)
		fail_msg("%s", r.err.msg);
	assert_int_equal(as_n_events(r.prof), TYPES + 2);
	mem_read_free(&r);
	free(text);
}

int pprof_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_by_hand),
		cmocka_unit_test(test_code_without_a_name_needs_the_paths),
		cmocka_unit_test(test_sums_are_those_of_the_paths),
		cmocka_unit_test(test_functions_that_nobody_calls_take_no_sums),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("pprof_sums", tests, NULL, NULL);
}
