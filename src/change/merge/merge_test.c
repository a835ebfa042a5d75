/* SPDX-License-Identifier: Apache-2.0 */
/* Merging: sums, order, and what is refused. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_merge.h"
#include "lib/test_profiles.h"

enum { SEEDS = 50, INPUTS = 4 };

enum {
	ANY = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS | AS_TEST_NEGATIVE |
	      AS_TEST_FACTS | AS_TEST_RARE,
};

static void merge_pair(const char *want, struct as_profile *a, struct as_profile *b)
{
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_err err;
	struct as_merge *m;

	as_err_clear(&err);
	assert_int_equal(as_merge_new(NULL, &opts, &m, &err), AS_OK);
	assert_int_equal(as_merge_add(m, a, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, b, NULL), want ? AS_E_ARG : AS_OK);
	if (want)
		assert_string_equal(err.msg, want);
	as_merge_free(m);
}

static void check_sums(struct as_profile *const *in, size_t n, const struct as_profile *out)
{
	struct as_test_sums *x = calloc(2, sizeof(*x));

	assert_non_null(x);
	for (int by = AS_BY_FUNC; by <= AS_BY_ADDR; by++) {
		x[0].n = x[1].n = 0;
		for (size_t i = 0; i < n; i++)
			as_test_sum(&x[0], in[i], (enum as_by)by, false);
		as_test_sum(&x[1], out, (enum as_by)by, false);
		as_test_same(&x[0], &x[1]);
	}
	for (uint32_t k = 0; k < as_n_events(out); k++) {
		as_val sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += in[i]->total[k];
		assert_true(out->total[k] == sum);
	}
	free(x);
}

/* Those that labels did not split off. */
static size_t whole_parts(const struct as_profile *prof)
{
	size_t n = 0;

	for (size_t i = 0; i < prof->part.n; i++)
		n += !prof->part.p[i].n_labels;
	return n;
}

/* A sample of f in the set of one label, KEY = TEXT, and one without labels. */
static struct as_profile *labelled(const char *other, const char *text, as_val cost)
{
	struct as_label label[2] = {{.number = 0}};
	as_func stack[2] = {{0}};
	struct as_build b;
	uint32_t part;

	as_test_begin(&b, "Ir");
	stack[0] = as_test_func(&b, "f", "", "");
	assert_int_equal(as_build_str(&b, as_slice_of(other), &label[0].key), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of("key"), &label[1].key), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(text), &label[1].text), AS_OK);
	assert_int_equal(as_build_labelled(&b, label, 2, &part), AS_OK);
	as_test_stack(&b, part, stack, cost);
	as_test_stack(&b, 0, stack, 1);
	return as_test_end(&b);
}

static void test_equal_labels_become_one_part(void **state)
{
	struct as_profile *in[] = {
		labelled("zoo", "a", 10), labelled("zoo", "b", 100), labelled("zoo", "a", 1000)};
	struct as_profile *back[] = {in[2], in[1], in[0]}, *out, *other;
	char *one, *two;

	(void)state;
	out = test_merge(in, 3, false, NULL);
	other = test_merge(back, 3, false, NULL);
	one = as_test_dump(out);
	two = as_test_dump(other);
	assert_string_equal(one, two);
	assert_non_null(
		strstr(one, "part 1 label \"key\" text=\"a\"\npart 1 label \"zoo\" number=0\n"
			    "part 2\npart 2 label \"key\" text=\"b\"\n"));
	assert_non_null(strstr(one, "sample 0 fn=\"f\": 3\nsample 1 fn=\"f\": 1010\n"
				    "sample 2 fn=\"f\": 100\ntotal 1113\n"));
	free(one);
	free(two);
	as_profile_free(out);
	as_profile_free(other);
	for (int i = 0; i < 3; i++)
		as_profile_free(in[i]);
}

static void test_whose_a_sample_is_becomes_its_labels(void **state)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_profile *in = labelled("zoo", "a", 10), *out;
	struct as_merge *m;
	char *text;

	(void)state;
	for (size_t i = 0; i < in->part.n; i++) {
		in->part.p[i].pid = 7;
		in->part.p[i].has_pid = true;
	}
	assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, in, NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	text = as_test_dump(out);
	assert_non_null(strstr(text, "label \"pid\" number=7\n"));
	assert_null(strstr(text, "tid"));
	assert_null(strstr(text, "comm\""));
	assert_int_equal(out->part.n, 3); /* none of part 0 has no label now */
	assert_int_equal(whole_parts(out), 1);
	assert_true(out->total[0] == 11);
	free(text);
	as_profile_free(out);
	as_profile_free(in);
}

/* As a database adds up what was merged: the second time nothing is told anew. */
static void test_whose_a_sample_is_stays_when_it_is_merged_again(void **state)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_profile *in = labelled("zoo", "a", 10), *out[2];
	char *text[2];

	(void)state;
	for (size_t i = 0; i < in->part.n; i++) {
		in->part.p[i].pid = 7 + i;
		in->part.p[i].has_pid = true;
	}
	for (int i = 0; i < 2; i++) {
		struct as_merge *m;

		assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
		assert_int_equal(as_merge_add(m, i ? out[0] : in, NULL), AS_OK);
		assert_int_equal(as_merge_finish(m, &out[i]), AS_OK);
		text[i] = as_test_dump(out[i]);
	}
	assert_string_equal(text[0], text[1]);
	assert_non_null(strstr(text[0], "label \"pid\" number=7\n"));
	assert_non_null(strstr(text[0], "label \"pid\" number=8\n"));
	assert_false(out[0]->part.p[0].has_pid);
	for (int i = 0; i < 2; i++) {
		free(text[i]);
		as_profile_free(out[i]);
	}
	as_profile_free(in);
}

/* Whole of several programs, the result is of none of them. */
static void test_a_command_is_that_of_all_programs(void **state)
{
	static const struct as_merge_opts opts = {.label_parts = true};

	(void)state;
	for (int differ = 0; differ < 2; differ++) {
		struct as_profile *in = labelled("zoo", "a", 10), *out;
		as_str other = in->event.p[0].name;
		struct as_merge *m;

		assert_int_equal(in->part.n, 2);
		in->part.p[0].command = in->func.name.p[1];
		in->part.p[1].command = differ ? other : in->func.name.p[1];
		assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
		assert_int_equal(as_merge_add(m, in, NULL), AS_OK);
		assert_int_equal(as_merge_finish(m, &out), AS_OK);
		for (size_t i = 0; i < out->part.n; i++)
			assert_true(as_slice_is(
				as_str_get(out, out->part.p[i].command), differ ? "" : "f"));
		as_profile_free(out);
		as_profile_free(in);
	}
}

static void test_costs_add_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (int keep = 0; keep < 2; keep++) {
			struct as_profile *in[INPUTS], *out;
			size_t parts = 0;

			for (uint64_t i = 0; i < INPUTS; i++) {
				in[i] = as_test_random(seed * INPUTS + i, ANY);
				parts += in[i]->part.n;
			}
			out = test_merge(in, INPUTS, keep, NULL);
			check_sums(in, INPUTS, out);
			assert_int_equal(keep ? out->part.n : whole_parts(out), keep ? parts : 1);
			for (size_t i = 0; i < INPUTS; i++)
				as_profile_free(in[i]);
			as_profile_free(out);
		}
}

static void test_inclusive_cost_of_paths_adds_up(void **state)
{
	struct as_test_sums *x = calloc(2, sizeof(*x));

	(void)state;
	assert_non_null(x);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *in[INPUTS], *out;

		x[0].n = x[1].n = 0;
		for (uint64_t i = 0; i < INPUTS; i++) {
			in[i] = as_test_random(seed * INPUTS + i, AS_TEST_PATHS);
			as_test_sum(&x[0], in[i], AS_BY_LINE, true);
		}
		out = test_merge(in, INPUTS, false, NULL);
		as_test_sum(&x[1], out, AS_BY_LINE, true);
		as_test_same(&x[0], &x[1]);
		for (size_t i = 0; i < INPUTS; i++)
			as_profile_free(in[i]);
		as_profile_free(out);
	}
	free(x);
}

static void test_the_order_of_inputs_does_not_matter(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *in[3], *out[3];
		char *text[3];

		for (uint64_t i = 0; i < 3; i++)
			in[i] = as_test_random(seed * 3 + i, ANY);
		out[0] = test_merge((struct as_profile *[]){in[0], in[1], in[2]}, 3, false, NULL);
		out[1] = test_merge((struct as_profile *[]){in[2], in[0], in[1]}, 3, false, NULL);
		out[2] = test_merge((struct as_profile *[]){in[1], in[2], in[0]}, 3, false, NULL);
		for (int i = 0; i < 3; i++)
			text[i] = as_test_dump(out[i]);
		assert_string_equal(text[0], text[1]);
		assert_string_equal(text[0], text[2]);
		for (int i = 0; i < 3; i++) {
			free(text[i]);
			as_profile_free(in[i]);
			as_profile_free(out[i]);
		}
	}
}

static void test_one_input_with_its_parts_is_itself(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *in = as_test_random(seed, ANY);
		struct as_profile *out = test_merge(&in, 1, true, NULL);
		char *a = as_test_dump(in), *b = as_test_dump(out);

		assert_string_equal(a, b);
		free(a);
		free(b);
		as_profile_free(in);
		as_profile_free(out);
	}
}

static struct as_profile *with_period(const char *input, const char *event, const char *unit,
	uint64_t period, const char *period_unit)
{
	struct as_build b;
	uint32_t i;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of(event), as_slice_of(unit), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	b.prof->event.p[0].period = period;
	assert_int_equal(
		as_build_str(&b, as_slice_of(period_unit), &b.prof->event.p[0].period_unit), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(input), &b.prof->part.p[0].name), AS_OK);
	as_test_self(&b, as_test_func(&b, "f", "/bin/a", ""), 1, 10);
	return as_test_end(&b);
}

static struct as_profile *with_event(
	const char *input, const char *event, const char *unit, uint64_t period)
{
	return with_period(input, event, unit, period, "microseconds");
}

/* A .prof says microseconds, profile.proto nanoseconds. */
static void test_one_period_in_two_units_is_one(void **state)
{
	struct as_profile *a = with_event("a.prof", "samples", "count", 10000);
	struct as_profile *b = with_period("b.pb", "samples", "count", 10000000, "nanoseconds");
	struct as_profile *c = with_period("c.pb", "samples", "count", 10000, "nanoseconds");
	struct as_profile *order[][2] = {{a, b}, {b, a}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(order); i++) {
		struct as_profile *out = test_merge(order[i], 2, false, NULL);

		assert_int_equal(out->event.p[0].period, 10000000);
		assert_true(
			as_slice_is(as_str_get(out, out->event.p[0].period_unit), "nanoseconds"));
		assert_int_equal((int64_t)out->total[0], 20);
		as_profile_free(out);
	}
	merge_pair("'samples' has a period of 10000 microseconds in 'a.prof' and of 10000 "
		   "nanoseconds in 'c.pb': samples of different weight cannot be added",
		a, c);
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(c);
}

static void test_samples_of_different_weight_are_refused(void **state)
{
	struct as_profile *a = with_event("a.prof", "samples", "count", 10000);
	struct as_profile *b = with_event("b.prof", "samples", "count", 4000);
	struct as_profile *c = with_event("c.prof", "samples", "bytes", 10000);
	struct as_profile *d = with_event("d.prof", "samples", "count", 0);
	struct as_profile *in[] = {a, d}, *out;
	struct as_losses l;

	(void)state;
	merge_pair("'samples' has a period of 10000 microseconds in 'a.prof' and of 4000 "
		   "microseconds in 'b.prof': samples of different weight cannot be added",
		a, b);
	merge_pair("'samples' is counted in bytes in 'c.prof', but was in count before", a, c);
	as_losses_init(&l, &as_alloc_libc);
	out = test_merge(in, 2, false, &l);
	assert_int_equal(out->event.p[0].period, 0);
	assert_int_equal(as_test_lost(&l, "period"), 1);
	as_losses_release(&l);
	as_profile_free(out);
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(c);
	as_profile_free(d);
}

/* Costs of 7, 5 and 11 in UNIT: of a row, a call and a path. */
static struct as_profile *in_unit(const char *unit)
{
	struct as_build b;
	as_func f, g;

	as_test_begin(&b, "cpu");
	assert_int_equal(as_build_str(&b, as_slice_of(unit), &b.prof->event.p[0].unit), AS_OK);
	f = as_test_func(&b, "f", "/bin/a", "");
	g = as_test_func(&b, "g", "/bin/a", "");
	as_test_self(&b, f, 1, 7);
	as_test_call(&b, f, g, 3, 5);
	as_test_stack(&b, 0, (as_func[]){f, g, {0}}, 11);
	return as_test_end(&b);
}

/* FACTOR of what one of them has. */
static void check_in_nanoseconds(const struct as_profile *prof, as_val factor)
{
	as_val v[AS_CALL_COST + 1];
	struct as_rows_cur cur;

	assert_int_equal(as_n_events(prof), 1);
	assert_true(as_slice_is(as_str_get(prof, prof->event.p[0].name), "cpu"));
	assert_true(as_slice_is(as_str_get(prof, prof->event.p[0].unit), "nanoseconds"));
	assert_true(prof->total[0] == (7 + 11) * factor);
	as_rows_begin(&cur, &prof->self, &prof->self.run.p[0], v);
	assert_true(as_rows_next(&cur));
	assert_true(v[0] == 7 * factor);
	as_rows_begin(&cur, &prof->call, &prof->call.run.p[0], v);
	assert_true(as_rows_next(&cur));
	assert_true(v[AS_CALL_COUNT] == 3 * 4 && v[AS_CALL_COST] == 5 * factor);
	assert_int_equal(prof->sample.node.n, 1);
	assert_true(prof->sample.cost.p[0] == 11 * factor);
}

static void test_units_of_time_become_the_smallest_one(void **state)
{
	struct as_profile *ms = in_unit("milliseconds"), *ns = in_unit("nanoseconds");
	struct as_profile *s = in_unit("seconds"), *none = in_unit(""), *out[3];
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_err err = AS_ERR_NONE;
	struct as_merge *m;
	struct as_losses l;

	(void)state;
	as_losses_init(&l, &as_alloc_libc);
	out[0] = test_merge((struct as_profile *[]){ms, ns, s, ms}, 4, false, &l);
	out[1] = test_merge((struct as_profile *[]){s, ms, ms, ns}, 4, false, &l);
	out[2] = test_merge((struct as_profile *[]){ns, s, ms, ms}, 4, false, &l);
	for (size_t i = 0; i < AS_ARRAY_LEN(out); i++) {
		check_in_nanoseconds(out[i], 1000000000 + 2 * 1000000 + 1);
		as_profile_free(out[i]);
	}
	merge_pair(NULL, none, ms);
	assert_int_equal(as_merge_new(NULL, &opts, &m, &err), AS_OK);
	assert_int_equal(as_merge_add(m, ms, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, ns, NULL), AS_OK);
	assert_int_equal(as_merge_add(m, none, NULL), AS_E_ARG);
	assert_string_equal(
		err.msg, "'cpu' has no unit in an input without a name, but had several before");
	as_merge_free(m);
	as_losses_release(&l);
	as_profile_free(ms);
	as_profile_free(ns);
	as_profile_free(s);
	as_profile_free(none);
}

/* As a DCPI profile is read. */
static struct as_profile *image(const char *input, const char *id, const char *platform,
	uint64_t text_start, uint64_t text_size)
{
	struct as_build b;
	as_object o;
	struct as_pos pos = {.addr = 0x100};
	as_val v = 5;

	as_test_begin(&b, "cycles");
	assert_int_equal(as_build_str(&b, as_slice_of("dcpi"), &b.prof->format), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(input), &b.prof->part.p[0].name), AS_OK);
	assert_int_equal(as_build_object(&b, as_slice_of("/vmunix"), as_slice_of(id), &o), AS_OK);
	b.prof->object.p[o.i].text_start = text_start;
	b.prof->object.p[o.i].text_size = text_size;
	assert_int_equal(as_build_func(&b, as_slice_of(""), o, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	assert_int_equal(
		as_build_meta(&b, 0, as_slice_of("platform"), as_slice_of(platform)), AS_OK);
	return as_test_end(&b);
}

static void test_an_image_laid_out_differently_is_refused(void **state)
{
	struct as_profile *a = image("a", "1f", "ALPHA", 0x1000, 0x800);
	struct as_profile *b = image("b", "1f", "ALPHA", 0x1000, 0x900);
	struct as_profile *c = image("c", "2f", "ALPHA", 0x1000, 0x900);
	struct as_profile *d = image("d", "1f", "ITANIUM", 0x1000, 0x800);

	(void)state;
	merge_pair("the text of '/vmunix' is 0x900 bytes at 0x1000 in 'b', but was 0x800 bytes at "
		   "0x1000 before: their counts cannot be added",
		a, b);
	merge_pair(NULL, a, c);
	merge_pair("the platform is 'ITANIUM' in 'd', but 'ALPHA' in 'a'", a, d);
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(c);
	as_profile_free(d);
}

/* With and without build id: one object if there is no doubt which. */
static void test_an_object_without_id_is_the_only_one_of_its_path(void **state)
{
	struct as_profile *a = image("a", "", "X", 0, 0), *b = image("b", "1f", "X", 0, 0);
	struct as_profile *c = image("c", "2f", "X", 0, 0), *out;

	(void)state;
	out = test_merge((struct as_profile *[]){a, b}, 2, false, NULL);
	assert_int_equal(out->self.n, 1);
	assert_int_equal(out->object.n, 2);
	as_profile_free(out);
	out = test_merge((struct as_profile *[]){b, a, b}, 3, false, NULL);
	assert_int_equal(out->self.n, 1);
	as_profile_free(out);
	out = test_merge((struct as_profile *[]){b, a, c}, 3, false, NULL);
	assert_int_equal(out->self.n, 3);
	as_profile_free(out);
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(c);
}

static struct as_profile *with_events(const char *events, as_val first)
{
	struct as_build b;
	as_func f;

	as_test_begin(&b, events);
	f = as_test_func(&b, "f", "", "");
	as_test_self(&b, f, 1, first);
	as_test_stack(&b, 0, (as_func[]){f, {0}}, 0);
	return as_test_end(&b);
}

static void test_events_are_matched_by_name_and_keep_their_order(void **state)
{
	struct as_build b;
	struct as_profile *a, *c = with_events("Dr", 3), *out;
	as_val two[] = {7, 2};
	struct as_pos pos;
	as_node node;
	as_place place;

	(void)state;
	as_test_begin(&b, "Ir Dr");
	pos = (struct as_pos){.func = as_test_func(&b, "f", "", ""), .line = 1};
	assert_int_equal(as_build_self(&b, 0, &pos, two, 2), AS_OK);
	assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, node, two), AS_OK);
	a = as_test_end(&b);
	for (int i = 0; i < 2; i++) {
		struct as_profile *in[] = {i ? c : a, i ? a : c};

		out = test_merge(in, 2, i, NULL);
		assert_int_equal(out->event.n, 2);
		assert_true(as_slice_is(as_str_get(out, out->event.p[0].name), "Ir"));
		assert_true(as_slice_is(as_str_get(out, out->event.p[1].name), "Dr"));
		assert_true(out->total[0] == 7 + 7);
		assert_true(out->total[1] == 2 + 2 + 3);
		as_profile_free(out);
	}
	as_profile_free(a);
	as_profile_free(c);
}

static void test_equal_rows_become_one(void **state)
{
	struct as_profile *a = as_test_random(5, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS);
	struct as_profile *once = test_merge(&a, 1, false, NULL), *thrice;

	(void)state;
	thrice = test_merge((struct as_profile *[]){a, a, a}, 3, false, NULL);
	assert_true(thrice->self.n <= once->self.n);
	assert_true(thrice->call.n <= once->call.n);
	assert_true(thrice->jump.n <= once->jump.n);
	assert_true(thrice->total[0] == 3 * once->total[0]);
	as_profile_free(a);
	as_profile_free(once);
	as_profile_free(thrice);
}

int merge_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_add_up),
		cmocka_unit_test(test_equal_labels_become_one_part),
		cmocka_unit_test(test_whose_a_sample_is_becomes_its_labels),
		cmocka_unit_test(test_whose_a_sample_is_stays_when_it_is_merged_again),
		cmocka_unit_test(test_a_command_is_that_of_all_programs),
		cmocka_unit_test(test_inclusive_cost_of_paths_adds_up),
		cmocka_unit_test(test_the_order_of_inputs_does_not_matter),
		cmocka_unit_test(test_one_input_with_its_parts_is_itself),
		cmocka_unit_test(test_one_period_in_two_units_is_one),
		cmocka_unit_test(test_samples_of_different_weight_are_refused),
		cmocka_unit_test(test_units_of_time_become_the_smallest_one),
		cmocka_unit_test(test_an_image_laid_out_differently_is_refused),
		cmocka_unit_test(test_an_object_without_id_is_the_only_one_of_its_path),
		cmocka_unit_test(test_events_are_matched_by_name_and_keep_their_order),
		cmocka_unit_test(test_equal_rows_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
