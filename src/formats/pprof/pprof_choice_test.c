/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts, and samples that are left out, against the whole of random profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/pprof/pprof.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/test_profiles.h"

extern const struct as_format as_format_pprof;

enum { SEEDS = 60 };

/* A random profile, written with a front and without. */
struct pair {
	struct mem_written front, plain;
	struct as_slice text; /* with the front */
};

static void pair_make(struct pair *p, uint64_t seed)
{
	struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NEGATIVE);

	mem_write_as(&p->front, &as_format_pprof, prof, (struct as_wr){.front = true});
	mem_write(&p->plain, &as_format_pprof, prof);
	assert_int_equal(p->front.rc, AS_OK);
	assert_int_equal(p->plain.rc, AS_OK);
	p->text = (struct as_slice){p->front.mem.data.p, p->front.mem.data.n};
	as_profile_free(prof);
}

static void pair_free(struct pair *p)
{
	mem_written_free(&p->front);
	mem_written_free(&p->plain);
}

static void choice_read(struct mem_read *r, struct as_slice text, const struct as_rd_choice *choice)
{
	mem_read(r,
		&(struct mem_how){
			.fmt = &as_format_pprof, .detail = AS_DETAIL_FULL, .choice = choice},
		text);
	if (r->rc != AS_OK)
		fail_msg("%s", r->err.msg);
}

/* Both are the same when they are written. */
static void expect_same(const struct as_profile *a, const struct as_profile *b)
{
	struct mem_written w[2];

	mem_write(&w[0], &as_format_pprof, a);
	mem_write(&w[1], &as_format_pprof, b);
	assert_int_equal(w[0].rc, AS_OK);
	assert_int_equal(w[0].mem.data.n, w[1].mem.data.n);
	assert_memory_equal(w[0].mem.data.p, w[1].mem.data.p, w[0].mem.data.n);
	mem_written_free(&w[0]);
	mem_written_free(&w[1]);
}

static void expect_whole(const struct as_profile *prof, const as_val *want)
{
	for (uint32_t k = 0; k < as_n_events(prof); k++)
		assert_true(as_whole(prof)[k] == want[k]);
}

static bool has_object(const struct as_profile *prof, struct as_slice path)
{
	for (uint32_t i = 0; i < prof->object.n; i++)
		if (as_slice_eq(as_object_path(prof, (as_object){i}), path))
			return true;
	return false;
}

static void test_a_file_with_a_front_says_what_one_without_does(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct mem_read front, plain;
		struct pair p;

		pair_make(&p, seed);
		choice_read(&front, p.text, NULL);
		choice_read(
			&plain, (struct as_slice){p.plain.mem.data.p, p.plain.mem.data.n}, NULL);
		assert_null(front.prof->whole);
		expect_same(front.prof, plain.prof);
		mem_read_free(&front);
		mem_read_free(&plain);
		pair_free(&p);
	}
}

static void test_a_front_is_a_profile_without_samples(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_rd_choice any = {.ctx = NULL};
		struct mem_read all, front;
		struct pair p;
		size_t n;

		pair_make(&p, seed);
		n = as_format_pprof.front(p.text);
		assert_true(n && n <= p.text.len);
		assert_int_equal(as_format_pprof.front((struct as_slice){p.text.p, 4}), 0);
		assert_int_equal(as_format_pprof.front(
					 (struct as_slice){p.plain.mem.data.p, p.plain.mem.data.n}),
			0);
		choice_read(&all, p.text, NULL);
		choice_read(&front, (struct as_slice){p.text.p, n}, &any);
		assert_int_equal(front.prof->sample.node.n, 0);
		assert_int_equal(as_n_events(front.prof), as_n_events(all.prof));
		for (uint32_t k = 0; k < as_n_events(all.prof); k++)
			assert_true(as_slice_eq(
				as_event_name(front.prof, k), as_event_name(all.prof, k)));
		expect_whole(front.prof, all.prof->total);
		for (uint32_t i = 0; i < all.prof->object.n; i++)
			assert_true(
				has_object(front.prof, as_object_path(all.prof, (as_object){i})));
		mem_read_free(&all);
		mem_read_free(&front);
		pair_free(&p);
	}
}

/* ---- choices ---- */

static bool wants_some(const void *ctx, struct as_slice path)
{
	return as_hash_mix(as_hash_bytes(path.p, path.len), *(const uint64_t *)ctx) & 1;
}

static bool wants_even(const void *ctx, const struct as_profile *prof, uint32_t part)
{
	(void)ctx;
	(void)prof;
	return part % 2 == 0;
}

static struct as_slice leaf_object(const struct as_profile *prof, size_t sample)
{
	as_place place = prof->node.place.p[prof->sample.node.p[sample].i];

	return as_object_path(prof, prof->func.object.p[prof->place.func.p[place.i].i]);
}

static void expect_chosen(
	const struct as_profile *all, const struct as_profile *got, uint64_t seed, bool by_object)
{
	uint32_t e = as_n_events(all);

	for (uint32_t k = 0; k < e; k++) {
		as_val want = 0;

		for (size_t i = 0; i < all->sample.node.n; i++)
			if (by_object ? wants_some(&seed, leaf_object(all, i))
				      : wants_even(NULL, NULL, all->sample.part.p[i]))
				want += all->sample.cost.p[i * e + k];
		assert_true(got->total[k] == want);
	}
	expect_whole(got, all->total);
}

static void test_what_is_not_chosen_is_a_part_of_the_whole(void **state)
{
	size_t n_left = 0, n_all = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_rd_choice by_object = {.ctx = &seed, .object = wants_some},
				    by_part = {.part = wants_even};
		struct mem_read all, one;
		struct pair p;

		pair_make(&p, seed);
		choice_read(&all, p.text, NULL);
		n_all += all.prof->sample.node.n;
		choice_read(&one, p.text, &by_object);
		expect_chosen(all.prof, one.prof, seed, true);
		n_left += one.prof->sample.node.n;
		mem_read_free(&one);
		choice_read(&one, p.text, &by_part);
		expect_chosen(all.prof, one.prof, seed, false);
		mem_read_free(&one);
		mem_read_free(&all);
		pair_free(&p);
	}
	assert_true(n_left && n_left < n_all);
}

static void test_out_of_memory_is_an_answer(void **state)
{
	uint64_t seed = 1;
	struct as_rd_choice choice = {.ctx = &seed, .object = wants_some, .part = wants_even};
	enum as_code rc = AS_E_NOMEM;
	struct pair p;

	(void)state;
	pair_make(&p, seed);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		mem_read(&r,
			&(struct mem_how){.fmt = &as_format_pprof, .al = &fa.al, .choice = &choice},
			p.text);
		rc = r.rc;
		if (rc == AS_OK) {
			struct mem_written w;

			mem_write_as(&w, &as_format_pprof, r.prof, (struct as_wr){.front = true});
			rc = w.rc == AS_E_IO ? AS_E_NOMEM : w.rc;
			mem_written_free(&w);
		}
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	pair_free(&p);
}

/* ---- what others wrote ---- */

/* A front of one total, FRONT, before a sample that costs 5; read with CHOICE or without. */
static void expect_front(
	const char *front, size_t n, const struct as_rd_choice *choice, size_t want)
{
	static const char rest[] = "\x0a\x02\x08\x01"   /* a sample type */
				   "\x12\x02\x10\x05"   /* a sample that costs 5 */
				   "\x32\x00\x32\x01x"; /* strings */
	char text[64];
	struct mem_read r;

	memcpy(text, front, n);
	memcpy(text + n, rest, sizeof(rest) - 1);
	choice_read(&r, (struct as_slice){text, n + sizeof(rest) - 1}, choice);
	assert_int_equal(r.findings.count[AS_F_PB_FRONT], want);
	assert_true(as_whole(r.prof)[0] == 5);
	mem_read_free(&r);
}

static void test_a_front_that_lies_is_told(void **state)
{
	static const char right[] = "\xe8\x5d\x04\xf2\x5d\x01\x05";
	static const char lie[] = "\xe8\x5d\x04\xf2\x5d\x01\x07";
	static const char two[] = "\xe8\x5d\x05\xf2\x5d\x02\x05\x05";
	struct as_rd_choice any = {.ctx = NULL};

	(void)state;
	for (int k = 0; k < 2; k++) {
		expect_front(right, sizeof(right) - 1, k ? &any : NULL, 0);
		expect_front(lie, sizeof(lie) - 1, k ? &any : NULL, 1);
		expect_front(two, sizeof(two) - 1, k ? &any : NULL, 1);
	}
}

static void test_totals_without_a_front_are_fields_that_nobody_knows(void **state)
{
	static const char text[] = "\x0a\x02\x08\x01"   /* a sample type */
				   "\xf2\x5d\x01\x07"   /* 1502: 7 */
				   "\x12\x02\x10\x05"   /* a sample that costs 5 */
				   "\x32\x00\x32\x01x"; /* strings */
	struct mem_read r;

	(void)state;
	choice_read(&r, (struct as_slice){text, sizeof(text) - 1}, NULL);
	assert_null(r.prof->whole);
	assert_true(r.prof->total[0] == 5);
	assert_int_equal(r.prof->meta.n, 1);
	mem_read_free(&r);
}

static void test_totals_of_other_types_are_passed_over(void **state)
{
	static const char text[] = "\xe8\x5d\x0d"         /* 1501 */
				   "\xf2\x5d\x02\x07\x08" /* 1502: 7, 8 */
				   "\x0a\x02\x08\x01"     /* a sample type */
				   "\x32\x00\x32\x01x";   /* strings */
	struct as_rd_choice any = {.ctx = NULL};
	struct mem_read r;

	(void)state;
	choice_read(&r, (struct as_slice){text, sizeof(text) - 1}, &any);
	assert_true(as_whole(r.prof)[0] == 0);
	mem_read_free(&r);
}

int pprof_choice_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_with_a_front_says_what_one_without_does),
		cmocka_unit_test(test_a_front_is_a_profile_without_samples),
		cmocka_unit_test(test_what_is_not_chosen_is_a_part_of_the_whole),
		cmocka_unit_test(test_out_of_memory_is_an_answer),
		cmocka_unit_test(test_a_front_that_lies_is_told),
		cmocka_unit_test(test_totals_without_a_front_are_fields_that_nobody_knows),
		cmocka_unit_test(test_totals_of_other_types_are_passed_over),
	};

	return cmocka_run_group_tests_name("pprof_choice", tests, NULL, NULL);
}
