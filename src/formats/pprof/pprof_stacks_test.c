/* SPDX-License-Identifier: Apache-2.0 */
/* What samples become where stacks are asked for; that they are right is tested with merging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/pprof/pprof.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/pprof_message.h"

extern const struct as_format as_format_pprof;

#define BIG (INT64_C(1) << 32)

static void stacks_of(struct mem_read *r, const struct msg *m, const struct as_alloc *al)
{
	mem_read(r,
		&(struct mem_how){.fmt = &as_format_pprof, .al = al, .sums = true, .stacks = true},
		(struct as_slice){m->data, m->n});
}

/* 1 is f; 2 has no name; 3 is f inlined into f. */
static void put_code(struct msg *m)
{
	put_head(m);
	put_function(m, 1, 3, 0, 0);
	put_location(m, 1, (uint64_t[]){1}, 1);
	put_location(m, 2, NULL, 0);
	put_location(m, 3, (uint64_t[]){1, 1}, 2);
}

static const struct as_profile *read_one(
	struct mem_read *r, const uint64_t *loc, unsigned n, int64_t cpu, int64_t samples)
{
	struct msg m;

	put_code(&m);
	put_sample(&m, loc, n, (int64_t[]){samples, cpu});
	stacks_of(r, &m, NULL);
	assert_int_equal(r->rc, AS_OK);
	return r->prof;
}

static void test_a_row_has_both_values(void **state)
{
	static const int64_t pair[][2] = {{BIG, BIG - 1}, {BIG - 1, BIG}, {0, 0}};
	as_place room[3];
	struct as_stacks_cur cur;
	struct mem_read r;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(pair); i++) {
		const struct as_profile *prof =
			read_one(&r, (uint64_t[]){2, 3, 99}, 3, pair[i][0], pair[i][1]);

		assert_true(prof->stacks.kind.n == 1 && prof->stacks.n == 1);
		assert_true(prof->stacks.deepest == 3 && !prof->sample.node.n);
		assert_true(prof->total[0] == pair[i][0] && prof->total[1] == pair[i][1]);
		as_stacks_begin(&cur, &prof->stacks, room);
		assert_true(as_stacks_next(&cur) && cur.n == 3);
		assert_true(room[2].i == 0 && room[1].i && room[0].i && !as_stacks_next(&cur));
		mem_read_free(&r);
	}
}

static void test_two_large_values_are_two_rows(void **state)
{
	struct mem_read r;
	const struct as_profile *prof = read_one(&r, (uint64_t[]){2}, 1, BIG, BIG + 5);

	(void)state;
	assert_true(prof->stacks.kind.n == 2 && prof->stacks.n == 2);
	assert_true(prof->total[0] == BIG && prof->total[1] == BIG + 5);
	mem_read_free(&r);
}

static void test_what_no_row_holds_is_paths(void **state)
{
	uint64_t deep[AS_STACKS_DEEPEST + 1];
	struct mem_read r;

	(void)state;
	read_one(&r, (uint64_t[]){2}, 1, -1, 1);
	assert_true(!r.prof->stacks.n && r.prof->sample.node.n == 1);
	mem_read_free(&r);
	for (size_t i = 0; i < AS_ARRAY_LEN(deep); i++)
		deep[i] = 2;
	read_one(&r, deep, AS_STACKS_DEEPEST / 2, 1, 1); /* two lines each, for all we know */
	assert_true(r.prof->stacks.n && !r.prof->sample.node.n);
	mem_read_free(&r);
	read_one(&r, deep, AS_STACKS_DEEPEST / 2 + 1, 1, 1);
	assert_true(!r.prof->stacks.n && r.prof->sample.node.n == 1);
	mem_read_free(&r);
}

static void test_names_of_all_are_sums(void **state)
{
	struct mem_read r;
	struct msg m;

	(void)state;
	put_head(&m);
	put_function(&m, 1, 3, 0, 0);
	put_location(&m, 1, (uint64_t[]){1}, 1);
	put_sample(&m, (uint64_t[]){1}, 1, (int64_t[]){1, 2});
	stacks_of(&r, &m, NULL);
	assert_true(r.prof->sums.func.n == 1 && !as_stacks_any(&r.prof->stacks));
	mem_read_free(&r);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	enum as_code rc = AS_E_NOMEM;
	struct msg m;

	(void)state;
	put_code(&m);
	put_sample(&m, (uint64_t[]){2, 1, 3}, 3, (int64_t[]){7, 70});
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		stacks_of(&r, &m, &fa.al);
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
}

int pprof_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_row_has_both_values),
		cmocka_unit_test(test_two_large_values_are_two_rows),
		cmocka_unit_test(test_what_no_row_holds_is_paths),
		cmocka_unit_test(test_names_of_all_are_sums),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("pprof_stacks", tests, NULL, NULL);
}
