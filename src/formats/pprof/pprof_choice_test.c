/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, and samples that are left out, against the whole of random profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/pprof/pprof.h"
#include "io/file.h"
#include "io/gzip_sections.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/test_profiles.h"

extern const struct as_format as_format_pprof;

enum { SEEDS = 60, SECTIONS_MAX = 200 };

/* A random profile, written in sections and without. */
struct pair {
	struct mem_written plain;
	struct as_sink_mem packed;
	struct as_gzip_sections gs;
	struct as_src_mem src;
	char *text; /* all sections */
	size_t n;
};

static enum as_code write_sections(const struct as_profile *prof, struct as_sink_mem *mem)
{
	struct as_sink_sections ss;
	struct as_err err = AS_ERR_NONE;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &err, .sections = 3};
	enum as_code rc;

	as_sink_mem_init(mem, prof->al);
	rc = as_sink_sections_open(&ss, prof->al, &mem->sink, AS_GZIP_QUICK, &err);
	if (rc != AS_OK)
		return rc;
	rc = as_out_open(&out, prof->al, &ss.sink, &err);
	if (rc == AS_OK) {
		enum as_code end;

		rc = as_format_write(&as_format_pprof, &wr, prof);
		end = as_out_finish(&out);
		rc = rc == AS_OK ? end : rc;
	}
	if (rc == AS_OK)
		return as_sink_sections_finish(&ss, &err);
	as_sink_sections_abort(&ss);
	return rc;
}

/* The sections that are WANTED, NULL for all, to TEXT, which has room for all. */
static size_t pair_join(struct pair *p, const bool *wanted, char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < p->gs.row.n; i++) {
		if (wanted && !wanted[i])
			continue;
		assert_true(as_gzip_sections_read(&p->gs, i, text + n));
		n += p->gs.row.p[i].text;
	}
	return n;
}

static void pair_make(struct pair *p, uint64_t seed)
{
	struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NEGATIVE);
	size_t n = 0;

	assert_int_equal(write_sections(prof, &p->packed), AS_OK);
	mem_write(&p->plain, &as_format_pprof, prof);
	assert_int_equal(p->plain.rc, AS_OK);
	as_src_mem_init(&p->src, (struct as_slice){p->packed.data.p, p->packed.data.n}, "test");
	assert_true(as_gzip_sections_open(&p->gs, &as_alloc_libc, &p->src.src));
	assert_true(p->gs.row.n <= SECTIONS_MAX);
	for (size_t i = 0; i < p->gs.row.n; i++)
		n += p->gs.row.p[i].text;
	p->text = malloc(n + 1);
	assert_non_null(p->text);
	p->n = pair_join(p, NULL, p->text);
	as_profile_free(prof);
}

static struct as_slice pair_text(const struct pair *p)
{
	return (struct as_slice){p->text, p->n};
}

static void pair_free(struct pair *p)
{
	mem_written_free(&p->plain);
	as_gzip_sections_release(&p->gs);
	as_sink_mem_release(&p->packed);
	free(p->text);
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

static void forget_maps(struct as_profile *prof)
{
	prof->map.n = 0;
	for (size_t i = 0; i < prof->object.n; i++)
		prof->object.p[i].map = 0;
}

/* Both say the same of their samples, and SOME has no mapping that ALL has not. */
static void expect_same_samples(struct as_profile *some, struct as_profile *all)
{
	for (size_t i = 0; i < some->map.n; i++) {
		const struct as_map *m = &some->map.p[i], *of = all->map.p;
		size_t k = 0;

		while (k < all->map.n && (of[k].start != m->start || of[k].limit != m->limit ||
						 of[k].offset != m->offset))
			k++;
		assert_true(k < all->map.n);
	}
	forget_maps(some);
	forget_maps(all);
	expect_same(some, all);
}

static void expect_whole(const struct as_profile *prof, const as_val *want)
{
	for (uint32_t k = 0; k < as_n_events(prof); k++)
		assert_true(as_whole(prof)[k] == want[k]);
}

static void test_a_file_in_sections_says_what_one_without_does(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct mem_read in_sections, plain;
		struct pair p;

		pair_make(&p, seed);
		choice_read(&in_sections, pair_text(&p), NULL);
		choice_read(&plain, mem_bytes(&p.plain), NULL);
		assert_int_equal(in_sections.findings.count[AS_F_PB_FRONT], 0);
		assert_null(in_sections.prof->whole);
		expect_same(in_sections.prof, plain.prof);
		mem_read_free(&in_sections);
		mem_read_free(&plain);
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
		choice_read(&all, pair_text(&p), NULL);
		n_all += all.prof->sample.node.n;
		choice_read(&one, pair_text(&p), &by_object);
		expect_chosen(all.prof, one.prof, seed, true);
		n_left += one.prof->sample.node.n;
		mem_read_free(&one);
		choice_read(&one, pair_text(&p), &by_part);
		expect_chosen(all.prof, one.prof, seed, false);
		mem_read_free(&one);
		mem_read_free(&all);
		pair_free(&p);
	}
	assert_true(n_left && n_left < n_all);
}

/* What is read of the sections that are wanted is what is read of all of them. */
static void expect_sections(struct pair *p, const struct as_rd_choice *choice, size_t *n_left)
{
	bool wanted[SECTIONS_MAX], any = false;
	size_t bytes[SECTIONS_MAX];
	struct mem_read all, some;
	char *text = malloc(p->n + 1);
	size_t n, first = p->gs.row.p[0].text;

	assert_non_null(text);
	assert_true(as_format_pprof.sections(
		&as_alloc_libc, (struct as_slice){p->text, first}, choice, wanted, p->gs.row.n));
	n = pair_join(p, wanted, text);
	*n_left += p->n - n;
	for (size_t i = 0; i < p->gs.row.n; i++) {
		bytes[i] = wanted[i] ? p->gs.row.p[i].text : 0;
		any |= i && wanted[i];
	}
	choice_read(&all, pair_text(p), choice);
	mem_read(&some,
		&(struct mem_how){.fmt = &as_format_pprof,
			.detail = AS_DETAIL_FULL,
			.choice = choice,
			.sections = bytes,
			.n_sections = p->gs.row.n},
		(struct as_slice){text, n});
	assert_int_equal(some.rc, AS_OK);
	assert_int_equal(some.findings.count[AS_F_PB_FRONT], 0);
	assert_int_equal(as_n_events(some.prof), as_n_events(all.prof));
	for (uint32_t k = 0; k < as_n_events(all.prof); k++) {
		assert_true(as_slice_eq(as_event_name(some.prof, k), as_event_name(all.prof, k)));
		assert_true(some.prof->total[k] == all.prof->total[k]);
	}
	expect_whole(some.prof, as_whole(all.prof));
	if (any)
		expect_same_samples(some.prof, all.prof);
	mem_read_free(&some);
	mem_read_free(&all);
	free(text);
}

static void test_no_more_sections_are_needed_than_are_wanted(void **state)
{
	size_t n_left = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (uint64_t k = 0; k < 4; k++) {
			uint64_t other = seed + 1000 * k;
			struct as_rd_choice by_object = {.ctx = &other, .object = wants_some};
			struct pair p;

			pair_make(&p, seed);
			expect_sections(&p, &by_object, &n_left);
			pair_free(&p);
		}
	assert_true(n_left);
}

/* Which object to look for, and whether it was asked of. */
struct looking {
	struct as_slice path;
	bool found;
};

static bool looks_for(const void *ctx, struct as_slice path)
{
	struct looking *l = (struct looking *)(uintptr_t)ctx;

	l->found |= as_slice_eq(path, l->path);
	return false;
}

static void test_each_object_is_asked_of(void **state)
{
	size_t n = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct mem_read all;
		struct pair p;

		pair_make(&p, seed);
		choice_read(&all, pair_text(&p), NULL);
		for (uint32_t i = 0; i < all.prof->object.n; i++, n++) {
			struct looking l = {.path = as_object_path(all.prof, (as_object){i})};
			struct as_rd_choice choice = {.ctx = &l, .object = looks_for};
			struct mem_read one;
			size_t n_left = 0;

			expect_sections(&p, &choice, &n_left);
			assert_true(l.found);
			l.found = false;
			choice_read(&one, mem_bytes(&p.plain), &choice);
			assert_true(l.found);
			mem_read_free(&one);
		}
		mem_read_free(&all);
		pair_free(&p);
	}
	assert_true(n > 2 * SEEDS);
}

/* Whatever byte of FIELD, of the front, is wrong: it is told, or the file is refused, or it says
 * what it did; what samples cost is what they say. */
static size_t expect_told(struct pair *p, const struct as_pb_field *field, const as_val *whole)
{
	struct as_rd_choice any = {.ctx = NULL};
	size_t first = (size_t)((const char *)field->data.p - p->text), n_told = 0;
	size_t end = first + (size_t)(field->data.end - field->data.p);

	for (size_t i = first; i < end; i++)
		for (int bit = 0; bit < 8; bit += 3) {
			struct mem_read lie;

			p->text[i] ^= (char)(1 << bit);
			mem_read(&lie, &(struct mem_how){.fmt = &as_format_pprof, .choice = &any},
				pair_text(p));
			if (lie.prof)
				expect_whole(lie.prof, whole);
			n_told += lie.findings.count[AS_F_PB_FRONT];
			mem_read_free(&lie);
			p->text[i] ^= (char)(1 << bit);
		}
	return n_told;
}

static void test_sections_that_are_not_those_of_the_front_are_told(void **state)
{
	size_t n_told = 0, n = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct as_rd_choice any = {.ctx = NULL};
		struct as_pb_cur cur;
		struct as_pb_field f;
		struct mem_read all;
		const char *why;
		struct pair p;

		pair_make(&p, seed);
		choice_read(&all, pair_text(&p), &any);
		cur.p = (const uint8_t *)p.text;
		cur.end = cur.p + p.gs.row.p[0].text;
		while (as_pb_next(&cur, &f, &why) == AS_OK) {
			if (f.number != PB_OWN_TOTAL && f.number != PB_OWN_SECTION)
				continue;
			n_told += expect_told(&p, &f, as_whole(all.prof));
			n += 3 * (size_t)(f.data.end - f.data.p);
		}
		mem_read_free(&all);
		pair_free(&p);
	}
	assert_true(n_told > n / 2);
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
			pair_text(&p));
		rc = r.rc;
		if (rc == AS_OK) {
			struct as_sink_mem mem;

			rc = write_sections(r.prof, &mem);
			rc = rc == AS_E_IO ? AS_E_NOMEM : rc;
			as_sink_mem_release(&mem);
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
		cmocka_unit_test(test_a_file_in_sections_says_what_one_without_does),
		cmocka_unit_test(test_what_is_not_chosen_is_a_part_of_the_whole),
		cmocka_unit_test(test_no_more_sections_are_needed_than_are_wanted),
		cmocka_unit_test(test_each_object_is_asked_of),
		cmocka_unit_test(test_sections_that_are_not_those_of_the_front_are_told),
		cmocka_unit_test(test_out_of_memory_is_an_answer),
		cmocka_unit_test(test_a_front_that_lies_is_told),
		cmocka_unit_test(test_totals_without_a_front_are_fields_that_nobody_knows),
		cmocka_unit_test(test_totals_of_other_types_are_passed_over),
	};

	return cmocka_run_group_tests_name("pprof_choice", tests, NULL, NULL);
}
