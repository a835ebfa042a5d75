/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons: what is matched, how it is scaled, what is called noise. */
#include "diff/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "diff/test_diff.h"
#include "formats/format.h"
#include "lib/test_profiles.h"

static void figures(const struct as_diff *d, const char *name, bool inclusive, long base, long new_)
{
	struct as_diff_fig fig = as_diff_figure(d, row_of(d, name), 0, inclusive);

	assert_true(fig.known);
	assert_int_equal((long)fig.value[AS_BASE], base);
	assert_int_equal((long)fig.value[AS_NEW], new_);
}

static void has(const struct as_diff *d, const char *name, bool base, bool new_)
{
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_BASE), base);
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_NEW), new_);
}

/* Functions NAMES with costs of one event, "name object file cost" each, ended by NULL. */
static struct as_profile *places(const char *event, uint64_t period, const char *const *rows)
{
	struct as_build b;

	as_test_begin(&b, event);
	if (period) {
		b.prof->event.p[0].period = period;
		assert_int_equal(as_build_str(&b, as_slice_of("microseconds"),
					 &b.prof->event.p[0].period_unit),
			AS_OK);
	}
	for (; *rows; rows++) {
		char name[64], object[64], file[64];
		long cost;

		assert_int_equal(sscanf(*rows, "%63s %63s %63s %ld", name, object, file, &cost), 4);
		as_test_self(&b,
			as_test_func(&b, name, strcmp(object, "-") == 0 ? "" : object,
				strcmp(file, "-") == 0 ? "" : file),
			1, cost);
	}
	return as_test_end(&b);
}

#define PLACES(event, period, ...) places(event, period, (const char *const[]){__VA_ARGS__, NULL})

/* ---- what is one ---- */

static void test_names_and_objects_match_wherever_they_lie(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE,
		PLACES("Ir", 0, "f /a/1/prog /b/1/x.c 10", "g /a/1/prog /b/1/x.c 5",
			"f /lib/libz.so z.c 7"));
	add(d, AS_NEW,
		PLACES("Ir", 0, "f /lib64/libz.so - 8", "f /a/2/prog /b/2/y.c 20",
			"h /a/2/prog /b/2/y.c 1"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->key.n, 4);
	figures(d, "g", false, 5, 0);
	figures(d, "h", false, 0, 1);
	has(d, "g", true, false);
	has(d, "h", false, true);
	assert_int_equal(d->n_appeared, 1);
	assert_int_equal(d->n_vanished, 1);
	for (uint32_t r = 0; r < d->key.n; r++) {
		struct as_diff_fig fig = as_diff_figure(d, r, 0, false);

		if (as_slice_is(as_diff_str(d, d->key.p[r].object), "libz.so"))
			assert_true(fig.value[AS_BASE] == 7 && fig.value[AS_NEW] == 8);
	}
	/* 10 more, 5 less, then 1 and 1: the larger ones first */
	assert_int_equal(d->order[1], row_of(d, "g"));
	assert_true(as_slice_is(as_diff_str(d, d->key.p[d->order[2]].name), "f"));
	assert_int_equal(d->order[3], row_of(d, "h"));
	as_diff_free(d);
}

/* Of functions of one name the source file decides: the path, then its last part. */
static void test_twins_are_told_apart_by_their_files(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE,
		PLACES("Ir", 0, "init p /1/a.c 1", "init p /1/b.c 2", "init p /same/c.c 3",
			"init p /1/old.c 4"));
	add(d, AS_NEW,
		PLACES("Ir", 0, "init p /2/new.c 40", "init p /2/b.c 20", "init p /same/c.c 30",
			"init p /2/a.c 10"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->key.n, 4);
	for (uint32_t r = 0; r < 4; r++) {
		struct as_diff_fig fig = as_diff_figure(d, r, 0, false);

		assert_true(fig.value[AS_NEW] == 10 * fig.value[AS_BASE]);
	}
	as_diff_free(d);
}

static void test_code_without_a_name_is_a_row_of_its_object(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	for (unsigned side = 0; side < 2; side++) {
		struct as_build b;
		as_object o;
		as_func f;

		as_test_begin(&b, "Ir");
		assert_int_equal(
			as_build_object(&b, as_slice_of("/l/libc.so"), as_slice_of(""), &o), AS_OK);
		for (uint64_t addr = 1; addr < 4; addr++) {
			assert_int_equal(as_build_func(&b, as_slice_of(""), o, (as_file){0},
						 addr * 16 + side, &f),
				AS_OK);
			as_test_self(&b, f, 0, (as_val)addr + side);
		}
		add(d, side, as_test_end(&b));
	}
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->key.n, 1);
	assert_true(as_diff_figure(d, 0, 0, false).value[AS_BASE] == 6);
	assert_true(as_diff_figure(d, 0, 0, false).value[AS_NEW] == 9);
	assert_false(as_diff_figure(d, 0, 0, true).known);
	as_diff_free(d);
}

/* One function for all nameless code of an image, its rows at their addresses, as DCPI has it. */
static void test_an_image_without_names_is_one_row(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	for (unsigned side = 0; side < 2; side++) {
		struct as_pos pos = {0};
		struct as_build b;
		as_object o;

		as_test_begin(&b, "cycles");
		assert_int_equal(
			as_build_object(&b, as_slice_of("/l/libc.so"), as_slice_of(""), &o), AS_OK);
		assert_int_equal(
			as_build_func(&b, as_slice_of(""), o, (as_file){0}, 0, &pos.func), AS_OK);
		for (pos.addr = 16; pos.addr < 64; pos.addr += 16) {
			as_val cost = 10 * (side + 1);

			assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
		}
		add(d, side, as_test_end(&b));
	}
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->key.n, 1);
	assert_true(as_diff_figure(d, 0, 0, false).value[AS_BASE] == 30);
	assert_true(as_diff_figure(d, 0, 0, false).value[AS_NEW] == 60);
	as_diff_free(d);
}

/* main -> f -> f.part.0 is one call into f; its parts count once. */
static struct as_profile *with_part(const char *part)
{
	struct as_build b;
	as_func m, f, p;

	as_test_begin(&b, "Ir");
	m = as_test_func(&b, "main", "prog", "m.c");
	f = as_test_func(&b, "f", "prog", "f.c");
	p = as_test_func(&b, part, "prog", "f.c");
	as_test_self(&b, m, 1, 1);
	as_test_self(&b, f, 1, 10);
	as_test_self(&b, p, 1, 100);
	as_test_call(&b, m, f, 1, 110);
	as_test_call(&b, f, p, 1, 100);
	return as_test_end(&b);
}

static void test_parts_of_a_function_count_once(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, with_part("f.part.0"));
	add(d, AS_NEW, with_part("f.isra.0.cold"));
	finish(d, AS_NORM_AUTO, true);
	assert_int_equal(d->key.n, 2);
	assert_int_equal(d->n_clones, 2);
	figures(d, "f", false, 110, 110);
	figures(d, "f", true, 110, 110);
	figures(d, "main", true, 111, 111);
	as_diff_free(d);
}

static void test_parts_are_kept_if_asked(void **state)
{
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2, .keep_clones = true};
	struct as_diff *d;

	(void)state;
	assert_int_equal(as_diff_begin(&d, &as_alloc_libc, &opts, NULL), AS_OK);
	add(d, AS_BASE, with_part("f.part.0"));
	add(d, AS_NEW, with_part("f.isra.0.cold"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->key.n, 4);
	assert_int_equal(d->n_clones, 0);
	has(d, "f.part.0", true, false);
	as_diff_free(d);
}

/* Functions without names of "/bin/x", build ID, that begin at 0x100 and 0x200. */
static struct as_profile *nameless(const char *id, long first, long second)
{
	const long cost[] = {first, second};
	struct as_build b;
	as_object o;

	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_object(&b, as_slice_of("/bin/x"), as_slice_of(id), &o), AS_OK);
	for (uint64_t i = 0; i < 2; i++) {
		struct as_func_row row = {.object = o, .addr = 0x100 * (i + 1), .whole = true};
		struct as_pos pos = {.addr = row.addr + 8};
		as_val v = cost[i];

		assert_int_equal(as_build_func_row(&b, &row, &pos.func), AS_OK);
		assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	}
	return as_test_end(&b);
}

static void test_functions_without_names_match_within_one_build(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, nameless("abcd", 10, 20));
	add(d, AS_NEW, nameless("abcd", 11, 22));
	finish(d, AS_NORM_NONE, false);
	assert_int_equal(d->key.n, 2);
	figures(d, "[x+0x100]", false, 10, 11);
	figures(d, "[x+0x200]", false, 20, 22);
	as_diff_free(d);
}

static void test_functions_without_names_of_other_builds_are_others(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, nameless("abcd", 10, 20));
	add(d, AS_NEW, nameless("abce", 11, 22));
	finish(d, AS_NORM_NONE, false);
	assert_int_equal(d->key.n, 4);
	for (uint32_t r = 0; r < d->key.n; r++)
		assert_int_not_equal(as_diff_has(d, r, AS_BASE), as_diff_has(d, r, AS_NEW));
	as_diff_free(d);
}

static void test_functions_without_names_of_unknown_builds_are_one_row(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, nameless("", 10, 20));
	add(d, AS_NEW, nameless("", 11, 22));
	finish(d, AS_NORM_NONE, false);
	assert_int_equal(d->key.n, 1);
	figures(d, "", false, 30, 33);
	as_diff_free(d);
}

static void test_files_and_objects_match_by_their_last_part(void **state)
{
	static const enum as_by by[] = {AS_BY_FILE, AS_BY_OBJECT};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct as_diff *d = begin(by[i], 2);

		add(d, AS_BASE, PLACES("Ir", 0, "f /1/p /1/a.c 1", "g /1/q /1/b.c 2"));
		add(d, AS_NEW, PLACES("Ir", 0, "g /2/q /2/b.c 4", "f /2/p /2/a.c 2"));
		finish(d, AS_NORM_AUTO, false);
		assert_int_equal(d->key.n, 2);
		figures(d, i ? "p" : "a.c", false, 1, 2);
		figures(d, i ? "q" : "b.c", false, 2, 4);
		as_diff_free(d);
	}
}

/* ---- everything adds up, and is what the projection says ---- */

struct sum {
	char name[160];
	as_val v[AS_SIDES];
};

static struct sum *sum_of(struct sum *sums, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(sums[i].name, name) == 0)
			return &sums[i];
	sums[*n] = (struct sum){0};
	snprintf(sums[*n].name, sizeof(sums[*n].name), "%s", name);
	return &sums[(*n)++];
}

/* Costs by name and object's last part, worked out one fact after the other. */
static void brute_sum(const struct as_profile *prof, enum as_side side, struct sum *sums, size_t *n)
{
	struct as_project_opts po = {.by = AS_BY_FUNC};
	struct as_table *t;
	char name[160];

	assert_int_equal(as_project(prof, &po, &t, NULL), AS_OK);
	for (uint32_t r = 0; r < t->n; r++) {
		struct as_slice f = as_table_func_name(t, r);
		struct as_slice o = as_base_name(as_object_path(prof, t->key[r].object));

		if (t->key[r].is_cycle)
			continue;
		snprintf(name, sizeof(name), "%.*s|%.*s", AS_SLICE_FMT(f), AS_SLICE_FMT(o));
		sum_of(sums, n, name)->v[side] += t->self[(size_t)r * t->n_events];
	}
	as_table_free(t);
}

static void same_sums(const struct as_diff *d, struct sum *sums, size_t n)
{
	char name[160];

	for (uint32_t r = 0; r < d->key.n; r++) {
		struct as_diff_fig fig = as_diff_figure(d, r, 0, false);
		struct sum *s;

		snprintf(name, sizeof(name), "%.*s|%.*s",
			AS_SLICE_FMT(as_diff_str(d, d->key.p[r].name)),
			AS_SLICE_FMT(as_diff_str(d, d->key.p[r].object)));
		s = sum_of(sums, &n, name);
		for (unsigned side = 0; side < AS_SIDES; side++)
			s->v[side] -= fig.value[side];
	}
	for (size_t i = 0; i < n; i++)
		assert_true(!sums[i].v[AS_BASE] && !sums[i].v[AS_NEW]);
}

static void rows_add_up(const struct as_diff *d)
{
	for (uint32_t e = 0; e < d->n_events; e++) {
		struct as_diff_fig total = as_diff_total(d, e);
		as_val rest[AS_SIDES] = {total.value[0], total.value[1]};

		for (uint32_t r = 0; r < d->key.n; r++)
			for (unsigned side = 0; side < AS_SIDES; side++)
				rest[side] -= as_diff_figure(d, r, e, false).value[side];
		assert_true(!rest[AS_BASE] && !rest[AS_NEW]);
	}
}

static void test_random_profiles_add_up(void **state)
{
	static const unsigned shapes[] = {AS_TEST_SELF, AS_TEST_SELF | AS_TEST_CALLS, AS_TEST_PATHS,
		AS_TEST_SELF | AS_TEST_NEGATIVE, AS_TEST_SELF | AS_TEST_NAMED | AS_TEST_FACTS,
		AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_CONTEXTS};
	static struct sum sums[600];

	(void)state;
	for (uint64_t seed = 0; seed < 120; seed++) {
		unsigned what = shapes[seed % AS_ARRAY_LEN(shapes)];
		struct as_profile *a = as_test_random(2 * seed, what);
		struct as_profile *b = as_test_random(2 * seed + 1, what);
		static const enum as_by by[] = {AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT, AS_BY_LINE};
		struct as_diff *d = begin(by[seed / 6 % 4], 2);
		size_t n = 0;

		brute_sum(a, AS_BASE, sums, &n);
		brute_sum(b, AS_NEW, sums, &n);
		add(d, AS_BASE, a);
		add(d, AS_NEW, b);
		finish(d, AS_NORM_NONE, false);
		rows_add_up(d);
		if (d->opts.by == AS_BY_FUNC)
			same_sums(d, sums, n);
		as_diff_free(d);
	}
}

static void test_a_profile_does_not_differ_from_itself(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct as_diff *d = begin(seed % 2 ? AS_BY_FUNC : AS_BY_LINE, 2);

		for (unsigned side = 0; side < AS_SIDES; side++)
			add(d, side, as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS));
		finish(d, AS_NORM_NONE, seed % 4 < 2);
		assert_int_equal(d->n_appeared + d->n_vanished, 0);
		for (uint32_t r = 0; r < d->key.n; r++) {
			struct as_diff_fig fig = as_diff_figure(d, r, 0, seed % 4 < 2);

			assert_true(fig.value[AS_BASE] == fig.value[AS_NEW]);
			assert_true(!fig.known || fig.verdict == AS_DIFF_SAME);
		}
		as_diff_free(d);
	}
}

/* ---- scales ---- */

static void test_samples_become_seconds(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, PLACES("samples", 10000, "f p a.c 150", "g p a.c 50"));
	add(d, AS_NEW, PLACES("samples", 1000, "f p a.c 1500", "g p a.c 500"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->event[0].norm, AS_NORM_TIME);
	assert_int_equal(d->event[0].decimals, 9);
	figures(d, "f", false, 1500000000, 1500000000);
	assert_true(as_diff_total(d, 0).value[AS_NEW] == 2000000000);
	assert_string_equal(as_diff_word(&d->event[0], 1, 2), "slower");
	as_diff_free(d);
}

/* "cpu" in nanoseconds of samples 10 ms apart is as noisy as the samples. */
static void test_times_of_samples_are_as_noisy_as_samples(void **state)
{
	struct as_diff_fig fig[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);

		for (unsigned side = 0; side < AS_SIDES; side++) {
			struct as_build b;
			uint32_t e;

			assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
			assert_int_equal(as_build_event(&b, as_slice_of("cpu"),
						 as_slice_of(i ? "nanoseconds" : "count"), &e),
				AS_OK);
			b.prof->event.p[0].period = i ? 10000 : 10000000;
			assert_int_equal(
				as_build_str(&b, as_slice_of(i ? "microseconds" : "nanoseconds"),
					&b.prof->event.p[0].period_unit),
				AS_OK);
			assert_int_equal(as_build_part(&b, &e), AS_OK);
			as_test_self(&b, as_test_func(&b, "f", "p", "a.c"), 1,
				(as_val)(side ? 130 : 100) * (i ? 10000000 : 1));
			add(d, side, as_test_end(&b));
		}
		finish(d, AS_NORM_AUTO, false);
		assert_int_equal(d->event[0].is_weighted, i);
		assert_string_equal(d->event[0].shown, "s");
		fig[i] = as_diff_figure(d, 0, 0, false);
		as_diff_free(d);
	}
	assert_true(fig[0].value[AS_NEW] == 1300000000 && fig[1].value[AS_NEW] == 1300000000);
	assert_int_equal(fig[0].verdict, fig[1].verdict);
	assert_true(fig[0].lo - fig[1].lo < 10 && fig[1].lo - fig[0].lo < 10);
	assert_true(fig[0].hi - fig[1].hi < 10 && fig[1].hi - fig[0].hi < 10);
	assert_true(fig[0].lo < 0);
}

static void test_totals_make_shares(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	add(d, AS_BASE, PLACES("samples", 0, "f p a.c 150", "g p a.c 50"));
	add(d, AS_NEW, PLACES("samples", 0, "f p a.c 500", "g p a.c 300"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->event[0].norm, AS_NORM_TOTAL);
	assert_int_equal(d->event[0].decimals, 3);
	figures(d, "f", false, 150000, 125000); /* 500 * 200 / 800 */
	figures(d, "g", false, 50000, 75000);
	rows_add_up(d);
	assert_int_equal(as_diff_total(d, 0).verdict, AS_DIFF_SAME);
	assert_string_equal(as_diff_word(&d->event[0], 1, 2), "more");
	as_diff_free(d);
}

static void test_what_cannot_be_scaled_is_refused(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	add(d, AS_BASE, PLACES("samples", 10000, "f p a.c 150"));
	add(d, AS_NEW, PLACES("samples", 0, "f p a.c 500"));
	assert_int_equal(as_diff_scale(d, AS_NORM_TIME, 0, &err), AS_E_ARG);
	assert_non_null(strstr(err.msg, "cannot be normalised by time"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->event[0].norm, AS_NORM_TOTAL);
	as_diff_free(d);

	d = begin(AS_BY_FUNC, 2);
	add(d, AS_BASE, PLACES("Ir", 0, "f p a.c 1", "g p a.c -1"));
	add(d, AS_NEW, PLACES("Ir", 0, "f p a.c 1"));
	assert_int_equal(as_diff_scale(d, AS_NORM_TOTAL, 0, &err), AS_E_ARG);
	as_diff_free(d);
}

static void test_other_events_are_not_compared(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	add(d, AS_BASE, PLACES("Ir Dr", 0, "f p a.c 1"));
	add(d, AS_NEW, PLACES("Dw Dr", 0, "f p a.c 1"));
	assert_int_equal(as_diff_scale(d, AS_NORM_AUTO, UINT32_MAX, &err), AS_OK);
	assert_int_equal(as_diff_scale(d, AS_NORM_AUTO, 0, &err), AS_E_ARG);
	assert_string_equal(err.msg, "only BASE has the event 'Ir'");
	assert_false(d->event[0].is_fine);
	assert_true(d->event[1].is_fine);
	assert_int_equal(d->extra.n, 1);
	as_diff_free(d);

	d = begin(AS_BY_FUNC, 2);
	add(d, AS_BASE, PLACES("Ir", 0, "f p a.c 1"));
	add(d, AS_NEW, PLACES("Dw", 0, "f p a.c 1"));
	assert_int_equal(as_diff_scale(d, AS_NORM_AUTO, UINT32_MAX, &err), AS_E_ARG);
	assert_string_equal(
		err.msg, "the two sides have no event in common: BASE has Ir, NEW has Dw");
	as_diff_free(d);
}

static void test_other_units_are_refused(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct as_profile *prof[2];
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	for (unsigned i = 0; i < 2; i++) {
		struct as_build b;
		uint32_t e;

		assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
		assert_int_equal(as_build_event(&b, as_slice_of("time"),
					 as_slice_of(i ? "nanoseconds" : "microseconds"), &e),
			AS_OK);
		assert_int_equal(as_build_part(&b, &e), AS_OK);
		prof[i] = as_test_end(&b);
	}
	assert_int_equal(as_diff_add(d, AS_BASE, prof[0], as_slice_of("a"), &err), AS_OK);
	assert_int_equal(as_diff_add(d, AS_NEW, prof[1], as_slice_of("b"), &err), AS_E_ARG);
	assert_string_equal(
		err.msg, "'time' is counted in microseconds in 'a', but in nanoseconds in 'b'");
	as_profile_free(prof[0]);
	as_profile_free(prof[1]);
	as_diff_free(d);
}

static void test_costs_that_would_overflow_are_refused(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	for (unsigned side = 0; side < AS_SIDES; side++) {
		struct as_build b;

		as_test_begin(&b, "samples");
		b.prof->event.p[0].period = UINT64_MAX;
		assert_int_equal(
			as_build_str(&b, as_slice_of("events"), &b.prof->event.p[0].period_unit),
			AS_OK);
		as_test_self(&b, as_test_func(&b, "f", "p", "a.c"), 1, INT64_MAX);
		add(d, side, as_test_end(&b));
	}
	assert_int_equal(as_diff_scale(d, AS_NORM_TIME, 0, NULL), AS_E_LIMIT);
	as_diff_free(d);
}

static void test_runs_give_means(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 5);

	(void)state;
	add(d, AS_BASE, PLACES("Ir", 0, "f p a.c 10", "g p a.c 7"));
	add(d, AS_BASE, PLACES("Ir", 0, "f p a.c 13"));
	add(d, AS_BASE, PLACES("Ir", 0, "f p a.c 10", "g p a.c 7"));
	add(d, AS_NEW, PLACES("Ir", 0, "f p a.c 20", "g p a.c 7"));
	add(d, AS_NEW, PLACES("Ir", 0, "f p a.c 22", "g p a.c 7"));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(d->event[0].noise, AS_NOISE_WELCH);
	figures(d, "f", false, 11000, 21000);
	figures(d, "g", false, 4667, 7000);
	/* means 11 and 21, variances 3 and 2: t = 10 / sqrt(3/3 + 2/2), df = 2^2 / (1/2 + 1) */
	assert_true(as_diff_figure(d, row_of(d, "f"), 0, false).verdict == AS_DIFF_SURE);
	assert_true(as_diff_figure(d, row_of(d, "g"), 0, false).verdict == AS_DIFF_NOISE);
	as_diff_free(d);
}

int diff_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_and_objects_match_wherever_they_lie),
		cmocka_unit_test(test_twins_are_told_apart_by_their_files),
		cmocka_unit_test(test_code_without_a_name_is_a_row_of_its_object),
		cmocka_unit_test(test_an_image_without_names_is_one_row),
		cmocka_unit_test(test_parts_of_a_function_count_once),
		cmocka_unit_test(test_parts_are_kept_if_asked),
		cmocka_unit_test(test_functions_without_names_match_within_one_build),
		cmocka_unit_test(test_functions_without_names_of_other_builds_are_others),
		cmocka_unit_test(test_functions_without_names_of_unknown_builds_are_one_row),
		cmocka_unit_test(test_files_and_objects_match_by_their_last_part),
		cmocka_unit_test(test_random_profiles_add_up),
		cmocka_unit_test(test_a_profile_does_not_differ_from_itself),
		cmocka_unit_test(test_samples_become_seconds),
		cmocka_unit_test(test_times_of_samples_are_as_noisy_as_samples),
		cmocka_unit_test(test_totals_make_shares),
		cmocka_unit_test(test_what_cannot_be_scaled_is_refused),
		cmocka_unit_test(test_other_events_are_not_compared),
		cmocka_unit_test(test_other_units_are_refused),
		cmocka_unit_test(test_costs_that_would_overflow_are_refused),
		cmocka_unit_test(test_runs_give_means),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
