/* SPDX-License-Identifier: Apache-2.0 */
/* From shape to shape: what must be kept, over random profiles and by hand. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 60 };

typedef enum as_code transform(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err);

/* Self cost of every row, in every granularity, is what it was. */
static void check_self(const struct as_profile *a, const struct as_profile *b)
{
	struct as_test_sums *x = calloc(2, sizeof(*x));

	assert_non_null(x);
	for (int by = AS_BY_FUNC; by <= AS_BY_ADDR; by++) {
		x[0].n = x[1].n = 0;
		as_test_sum(&x[0], a, (enum as_by)by, false);
		as_test_sum(&x[1], b, (enum as_by)by, false);
		as_test_same(&x[0], &x[1]);
	}
	for (uint32_t k = 0; k < as_n_events(a); k++)
		assert_true(a->total[k] == b->total[k]);
	free(x);
}

static void check_nothing_but_cost(const struct as_profile *a, const struct as_profile *b)
{
	assert_int_equal(a->part.n, b->part.n);
	assert_int_equal(a->meta.n, b->meta.n);
	assert_int_equal(a->map.n, b->map.n);
	assert_int_equal(a->event.n, b->event.n);
	for (size_t i = 0; i < a->event.n; i++) {
		assert_true(as_slice_eq(
			as_str_get(a, a->event.p[i].title), as_str_get(b, b->event.p[i].title)));
		assert_int_equal(a->event.p[i].period, b->event.p[i].period);
	}
	for (size_t i = 0; i < a->part.n; i++) {
		assert_int_equal(a->part.p[i].pid, b->part.p[i].pid);
		assert_int_equal(a->part.p[i].n_events, b->part.p[i].n_events);
		assert_int_equal(a->part.p[i].summary != NULL, b->part.p[i].summary != NULL);
	}
}

static void conserve(transform *fn, unsigned what, uint32_t shape)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, what | AS_TEST_FACTS | AS_TEST_RARE),
				  *out;
		struct as_losses l;

		as_losses_init(&l, &as_alloc_libc);
		assert_int_equal(fn(prof, &out, &l, NULL), AS_OK);
		assert_int_equal(out->shape & ~shape, 0);
		check_self(prof, out);
		check_nothing_but_cost(prof, out);
		if (shape == AS_SHAPE_PLACES) {
			assert_int_equal(as_test_lost(&l, "calls"), prof->call.n);
			assert_int_equal(as_test_lost(&l, "jumps"), prof->jump.n);
		}
		as_losses_release(&l);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

enum {
	ANY = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS | AS_TEST_NEGATIVE,
};

static void test_to_places_keeps_the_self_cost_of_every_row(void **state)
{
	(void)state;
	conserve(as_to_places, ANY, AS_SHAPE_PLACES);
	conserve(as_to_places, AS_TEST_PATHS, AS_SHAPE_PLACES);
}

static void test_to_calls_keeps_the_self_cost_of_every_row(void **state)
{
	(void)state;
	conserve(as_to_calls, ANY, AS_SHAPE_PLACES | AS_SHAPE_CALLS);
}

static void test_to_leaves_keeps_the_self_cost_of_every_row(void **state)
{
	(void)state;
	conserve(as_to_leaves, ANY, AS_SHAPE_PATHS);
}

static void test_estimated_paths_keep_the_self_cost_of_every_row(void **state)
{
	(void)state;
	conserve(as_estimate_paths, ANY, AS_SHAPE_PATHS);
	conserve(as_estimate_paths, AS_TEST_SELF | AS_TEST_CALLS, AS_SHAPE_PATHS);
}

/* The inclusive cost of a function is what calls it, and what it is the first frame of. */
static void check_incoming(const struct as_profile *prof, const struct as_profile *out)
{
	as_val into[64] = {0}, want[64] = {0}, v[AS_CALL_COST + 3];
	uint32_t e = as_n_events(prof);
	struct as_rows_cur cur;

	assert_true(out->func.name.n <= 64 && prof->func.name.n <= 64);
	for (size_t r = 0; r < out->call.run.n; r++) {
		as_rows_begin(&cur, &out->call, &out->call.run.p[r], v);
		while (as_rows_next(&cur))
			into[(uint32_t)v[AS_CALL_FUNC]] += v[AS_CALL_COST];
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		bool seen[64] = {false};
		as_node n = prof->sample.node.p[i];
		uint32_t root = 0;

		for (; n.i; n = prof->node.parent.p[n.i]) {
			root = prof->place.func.p[prof->node.place.p[n.i].i].i;
			seen[root] = true;
		}
		for (uint32_t f = 0; f < 64; f++)
			if (seen[f] && f != root)
				want[f] += prof->sample.cost.p[i * e];
	}
	for (uint32_t f = 0; f < prof->func.name.n; f++)
		for (uint32_t g = 0; g < out->func.name.n; g++)
			if (as_slice_eq(as_func_name(prof, (as_func){f}),
				    as_func_name(out, (as_func){g})) &&
				as_slice_eq(as_object_path(prof, prof->func.object.p[f]),
					as_object_path(out, out->func.object.p[g])) &&
				as_slice_eq(as_file_path(prof, prof->func.file.p[f]),
					as_file_path(out, out->func.file.p[g])) &&
				prof->func.addr.p[f] == out->func.addr.p[g])
				assert_true(want[f] == into[g]);
}

static void test_calls_into_a_function_add_up_to_its_inclusive_cost(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS), *out;

		assert_int_equal(as_to_calls(prof, &out, NULL, NULL), AS_OK);
		check_incoming(prof, out);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

/* Whatever recursion there is. */
static void test_calls_made_from_paths_never_exceed_the_total(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_PATHS | AS_TEST_NAMED), *out;
		uint32_t e = as_n_events(prof);
		struct as_table *t;

		assert_int_equal(as_to_calls(prof, &out, NULL, NULL), AS_OK);
		/* Not by address: the random functions share theirs, which none does. */
		for (int by = AS_BY_FUNC; by <= AS_BY_LINE; by++) {
			struct as_project_opts opts = {.by = (enum as_by)by};

			assert_int_equal(as_project(out, &opts, &t, NULL), AS_OK);
			for (size_t i = 0; i < t->n * e; i++)
				assert_true(t->incl[i] <= t->total[i % e] || !t->has_incl[i / e]);
			as_table_free(t);
		}
		as_profile_free(out);
		as_profile_free(prof);
	}
}

/* pprof's edges add up every level: is_even 1,040 for a true 530 */
static void test_recursion_is_counted_once(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	struct as_losses l;
	as_func m, e, o;
	as_val v[AS_CALL_COST + 1];
	struct as_rows_cur cur;
	as_val sum = 0;

	(void)state;
	as_test_begin(&b, "samples");
	m = as_test_func(&b, "main", "", "");
	e = as_test_func(&b, "is_even", "", "");
	o = as_test_func(&b, "is_odd", "", "");
	as_test_stack(&b, 0, (as_func[]){m, e, o, e, o, e, {0}}, 530);
	prof = as_test_end(&b);
	as_losses_init(&l, &as_alloc_libc);
	assert_int_equal(as_to_calls(prof, &out, &l, NULL), AS_OK);
	assert_int_equal(as_test_lost(&l, "paths"), 1);
	/* main -> is_even and is_even -> is_odd; is_odd -> is_even costs nothing */
	assert_int_equal(out->call.n, 3);
	for (size_t r = 0; r < out->call.run.n; r++) {
		as_rows_begin(&cur, &out->call, &out->call.run.p[r], v);
		while (as_rows_next(&cur)) {
			assert_true(v[AS_CALL_COST] == 530 || v[AS_CALL_COST] == 0);
			sum += v[AS_CALL_COST];
		}
	}
	assert_true(sum == 1060);
	as_losses_release(&l);
	as_profile_free(out);
	as_profile_free(prof);
}

static void test_to_calls_keeps_parts_apart(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func m, f;
	uint32_t part;
	as_val v[AS_CALL_COST + 1], sum[2] = {0};
	struct as_rows_cur cur;

	(void)state;
	as_test_begin(&b, "samples");
	m = as_test_func(&b, "main", "", "");
	f = as_test_func(&b, "f", "", "");
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	as_test_stack(&b, 0, (as_func[]){m, f, {0}}, 3);
	as_test_stack(&b, 1, (as_func[]){m, f, f, {0}}, 4);
	as_test_stack(&b, 1, (as_func[]){m, f, {0}}, 5);
	prof = as_test_end(&b);
	assert_int_equal(as_to_calls(prof, &out, NULL, NULL), AS_OK);
	for (size_t r = 0; r < out->call.run.n; r++) {
		as_rows_begin(&cur, &out->call, &out->call.run.p[r], v);
		while (as_rows_next(&cur))
			sum[out->call.run.p[r].part] += v[AS_CALL_COST];
	}
	assert_true(sum[0] == 3 && sum[1] == 9);
	as_profile_free(out);
	as_profile_free(prof);
}

/* Formats that carry this and that. */
static void test_adapting_brings_a_profile_to_what_a_format_carries(void **state)
{
	static const struct {
		unsigned what;
		uint64_t caps;
		bool estimate;
		uint32_t shape; /* 0: can be written as it is */
		bool estimated;
	} ex[] = {
		{AS_TEST_PATHS, AS_CAP(PATHS), false, 0, false},
		{AS_TEST_PATHS, AS_CAP(CALLS), false, AS_SHAPE_PLACES | AS_SHAPE_CALLS, false},
		{AS_TEST_PATHS, 0, false, AS_SHAPE_PLACES, false},
		{AS_TEST_SELF | AS_TEST_CALLS, AS_CAP(CALLS), false, 0, false},
		{AS_TEST_SELF | AS_TEST_CALLS, AS_CAP(PATHS) | AS_CAP(CALLS), true, 0, false},
		{AS_TEST_SELF | AS_TEST_CALLS, 0, false, AS_SHAPE_PLACES, false},
		{AS_TEST_SELF | AS_TEST_CALLS, AS_CAP(PATHS), false, AS_SHAPE_PATHS, false},
		{AS_TEST_SELF | AS_TEST_CALLS, AS_CAP(PATHS), true, AS_SHAPE_PATHS, true},
		{AS_TEST_SELF, AS_CAP(PATHS), true, AS_SHAPE_PATHS, false},
		{AS_TEST_SELF, 0, true, 0, false},
		{AS_TEST_SELF | AS_TEST_PATHS, AS_CAP(PATHS), true, AS_SHAPE_PATHS, false},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_format fmt = {.caps = ex[i].caps | AS_CAP(PARTS)};
		struct as_profile *prof = as_test_random(7, ex[i].what), *out;
		struct as_losses l;

		struct as_adapt_opts opts = {.estimate = ex[i].estimate};

		as_losses_init(&l, &as_alloc_libc);
		assert_int_equal(as_adapt(prof, &fmt, &opts, &out, &l, NULL), AS_OK);
		assert_int_equal(out != NULL, ex[i].shape != 0);
		if (out) {
			assert_int_equal(out->shape & ~ex[i].shape, 0);
			assert_int_equal(out->estimated, ex[i].estimated);
			check_self(prof, out);
		}
		assert_int_equal(
			as_test_lost(&l, "calls"), ex[i].caps & AS_CAP(CALLS) ? 0 : prof->call.n);
		as_losses_release(&l);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

/* main calls f, which calls itself once: "f'2" is a name of Callgrind's only. */
static struct as_profile *recursive(void)
{
	static const char *const name[] = {"main", "f", "f'2"};
	struct as_build b;
	struct as_pos pos[3] = {{.line = 1}, {.line = 2}, {.line = 3}};

	as_test_begin(&b, "Ir");
	assert_int_equal(as_build_str(&b, as_slice_of("callgrind"), &b.prof->format), AS_OK);
	for (uint32_t i = 0; i < 3; i++) {
		as_val self = 10 << i, inclusive = self + 20 * i;

		assert_int_equal(as_build_func(&b, as_slice_of(name[i]), (as_object){0},
					 (as_file){0}, 0, &pos[i].func),
			AS_OK);
		assert_int_equal(as_build_self(&b, 0, &pos[i], &self, 1), AS_OK);
		if (i)
			assert_int_equal(
				as_build_call(&b, 0, &pos[i - 1],
					&(struct as_call){.callee = pos[i].func, .count = 1},
					&inclusive, 1),
				AS_OK);
	}
	return as_test_end(&b);
}

static as_val self_cost(const struct as_profile *prof, const char *name)
{
	struct as_rows_cur cur;
	as_val v, sum = 0;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], &v);
		while (as_slice_is(as_func_name(prof, prof->self.run.p[r].func), name) &&
			as_rows_next(&cur))
			sum += v;
	}
	return sum;
}

static void test_contexts_stay_in_the_format_that_has_them(void **state)
{
	static const struct {
		uint64_t caps;
		bool keep;
		size_t functions; /* "unknown" among them */
		uint64_t lost;
	} ex[] = {
		{AS_CAP(CALLS) | AS_CAP(FUNCS), false, 3, 1},
		{AS_CAP(CALLS) | AS_CAP(FUNCS), true, 4, 0},
		{AS_CAP(CALLS) | AS_CAP(FUNCS) | AS_CAP(CONTEXTS), false, 4, 0},
		{AS_CAP(CALLS), false, 4, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_format fmt = {.caps = ex[i].caps | AS_CAP(PARTS)};
		struct as_adapt_opts opts = {.keep_contexts = ex[i].keep};
		struct as_profile *prof = recursive(), *out;
		struct as_losses l;

		as_losses_init(&l, &as_alloc_libc);
		assert_int_equal(as_adapt(prof, &fmt, &opts, &out, &l, NULL), AS_OK);
		assert_int_equal((out ? out : prof)->func.name.n, ex[i].functions);
		assert_int_equal(as_test_lost(&l, "contexts"), ex[i].lost);
		if (out) {
			assert_true(out->total[0] == 70);
			assert_true(self_cost(out, "f") == 60);
			assert_int_equal(out->call.n, 2);
		}
		as_losses_release(&l);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

static void test_adapting_keeps_whole_paths_beside_self_rows(void **state)
{
	struct as_format fmt = {.caps = AS_CAP(PATHS) | AS_CAP(PARTS)};
	struct as_test_sums *x = calloc(2, sizeof(*x));
	struct as_profile *prof = as_test_random(3, AS_TEST_SELF | AS_TEST_PATHS), *out;

	(void)state;
	assert_non_null(x);
	assert_int_equal(as_adapt(prof, &fmt, &(struct as_adapt_opts){0}, &out, NULL, NULL), AS_OK);
	as_test_sum(&x[0], prof, AS_BY_LINE, true);
	as_test_sum(&x[1], out, AS_BY_LINE, true);
	as_test_same(&x[0], &x[1]);
	as_profile_free(out);
	as_profile_free(prof);
	free(x);
}

static void test_adapting_makes_one_part_of_many_where_it_must(void **state)
{
	struct as_format fmt = {.caps = AS_CAP(PATHS)};
	struct as_losses l;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, ANY | AS_TEST_FACTS | AS_TEST_RARE),
				  *out;
		size_t whole = 0;

		as_losses_init(&l, &as_alloc_libc);
		assert_int_equal(
			as_adapt(prof, &fmt, &(struct as_adapt_opts){0}, &out, &l, NULL), AS_OK);
		if (out) {
			assert_int_equal(out->part.n, 1);
			check_self(prof, out);
		}
		for (size_t i = 0; i < prof->part.n; i++)
			whole += !prof->part.p[i].n_labels;
		assert_int_equal(as_test_lost(&l, "parts"), whole - 1);
		assert_int_equal(as_test_lost(&l, "labels"), prof->label.n);
		as_losses_release(&l);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

/* ---- one event ---- */

/* The rows of FROM that have any of event E, with that alone. */
static void keep_event(struct as_test_sums *to, const struct as_test_sums *from, unsigned e)
{
	to->n = 0;
	for (size_t i = 0; i < from->n; i++) {
		if (!from->row[i].v[e])
			continue;
		to->row[to->n] = from->row[i];
		memset(to->row[to->n].v, 0, sizeof(to->row[to->n].v));
		to->row[to->n++].v[0] = from->row[i].v[e];
	}
}

static void test_one_event_is_what_it_was_among_others(void **state)
{
	static const unsigned shapes[] = {
		AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS | AS_TEST_FACTS,
		AS_TEST_PATHS | AS_TEST_RARE, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_NEGATIVE};
	static struct as_test_sums all, wanted, got;

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct as_profile *prof = as_test_random(seed, shapes[seed % 3]), *one;

		for (uint32_t e = 0; e < as_n_events(prof) && e < 3; e++)
			for (unsigned by = 0; by < 4; by++) {
				enum as_by how = by & 1 ? AS_BY_LINE : AS_BY_FUNC;

				assert_int_equal(as_pick_events(prof, &e, 1, &one, NULL), AS_OK);
				assert_int_equal(as_n_events(one), 1);
				assert_int_equal(one->jump.n, prof->jump.n);
				all.n = got.n = 0;
				as_test_sum(&all, prof, how, by & 2);
				keep_event(&wanted, &all, e);
				as_test_sum(&got, one, how, by & 2);
				as_test_same(&got, &wanted);
				assert_true(one->total[0] == prof->total[e]);
				as_profile_free(one);
			}
		as_profile_free(prof);
	}
}

static void test_some_events_are_what_they_were_in_another_order(void **state)
{
	static struct as_test_sums all, wanted, got;

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS), *some;
		uint32_t last = as_n_events(prof) - 1, event[] = {last, 0}, n = last ? 2 : 1;

		assert_int_equal(as_pick_events(prof, event, n, &some, NULL), AS_OK);
		assert_int_equal(as_n_events(some), n);
		for (uint32_t k = 0; k < n; k++) {
			all.n = got.n = 0;
			as_test_sum(&all, prof, AS_BY_LINE, true);
			as_test_sum(&got, some, AS_BY_LINE, true);
			keep_event(&wanted, &all, event[k]);
			all = got;
			keep_event(&got, &all, k);
			as_test_same(&got, &wanted);
			assert_true(some->total[k] == prof->total[event[k]]);
		}
		as_profile_free(some);
		as_profile_free(prof);
	}
}

/* Whether there are other events makes no difference for the paths that are made. */
static void test_paths_of_one_event_are_those_among_others(void **state)
{
	static struct as_test_sums all, wanted, got;

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS);
		struct as_profile *one, *paths, *alone;

		for (uint32_t e = 0; e < as_n_events(prof) && e < 3; e++) {
			assert_int_equal(as_pick_events(prof, &e, 1, &one, NULL), AS_OK);
			assert_int_equal(as_estimate_paths(prof, &paths, NULL, NULL), AS_OK);
			assert_int_equal(as_estimate_paths(one, &alone, NULL, NULL), AS_OK);
			all.n = got.n = 0;
			as_test_sum(&all, paths, AS_BY_FUNC, true);
			keep_event(&wanted, &all, e);
			as_test_sum(&got, alone, AS_BY_FUNC, true);
			as_test_same(&got, &wanted);
			as_profile_free(alone);
			as_profile_free(paths);
			as_profile_free(one);
		}
		as_profile_free(prof);
	}
}

int transform_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_to_places_keeps_the_self_cost_of_every_row),
		cmocka_unit_test(test_to_calls_keeps_the_self_cost_of_every_row),
		cmocka_unit_test(test_to_leaves_keeps_the_self_cost_of_every_row),
		cmocka_unit_test(test_estimated_paths_keep_the_self_cost_of_every_row),
		cmocka_unit_test(test_calls_into_a_function_add_up_to_its_inclusive_cost),
		cmocka_unit_test(test_calls_made_from_paths_never_exceed_the_total),
		cmocka_unit_test(test_recursion_is_counted_once),
		cmocka_unit_test(test_to_calls_keeps_parts_apart),
		cmocka_unit_test(test_adapting_brings_a_profile_to_what_a_format_carries),
		cmocka_unit_test(test_contexts_stay_in_the_format_that_has_them),
		cmocka_unit_test(test_adapting_keeps_whole_paths_beside_self_rows),
		cmocka_unit_test(test_adapting_makes_one_part_of_many_where_it_must),
		cmocka_unit_test(test_one_event_is_what_it_was_among_others),
		cmocka_unit_test(test_some_events_are_what_they_were_in_another_order),
		cmocka_unit_test(test_paths_of_one_event_are_those_among_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
