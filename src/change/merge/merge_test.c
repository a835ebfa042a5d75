/* SPDX-License-Identifier: Apache-2.0 */
/* Merging: sums, order, and what is refused. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 50, INPUTS = 4 };

enum {
	ANY = AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS | AS_TEST_NEGATIVE |
	      AS_TEST_FACTS | AS_TEST_RARE,
};

static struct as_profile *merge(
	struct as_profile *const *in, size_t n, bool keep_parts, struct as_losses *l)
{
	struct as_merge_opts opts = {.keep_parts = keep_parts};
	struct as_profile *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(as_merge_add(m, in[i], l), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	return out;
}

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
	out = merge(in, 3, false, NULL);
	other = merge(back, 3, false, NULL);
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
			out = merge(in, INPUTS, keep, NULL);
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
		out = merge(in, INPUTS, false, NULL);
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
		out[0] = merge((struct as_profile *[]){in[0], in[1], in[2]}, 3, false, NULL);
		out[1] = merge((struct as_profile *[]){in[2], in[0], in[1]}, 3, false, NULL);
		out[2] = merge((struct as_profile *[]){in[1], in[2], in[0]}, 3, false, NULL);
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
		struct as_profile *out = merge(&in, 1, true, NULL);
		char *a = as_test_dump(in), *b = as_test_dump(out);

		assert_string_equal(a, b);
		free(a);
		free(b);
		as_profile_free(in);
		as_profile_free(out);
	}
}

static struct as_profile *with_event(
	const char *input, const char *event, const char *unit, uint64_t period)
{
	struct as_build b;
	uint32_t i;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of(event), as_slice_of(unit), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	b.prof->event.p[0].period = period;
	assert_int_equal(
		as_build_str(&b, as_slice_of("microseconds"), &b.prof->event.p[0].period_unit),
		AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(input), &b.prof->part.p[0].name), AS_OK);
	as_test_self(&b, as_test_func(&b, "f", "/bin/a", ""), 1, 10);
	return as_test_end(&b);
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
	out = merge(in, 2, false, &l);
	assert_int_equal(out->event.p[0].period, 0);
	assert_int_equal(as_test_lost(&l, "period"), 1);
	as_losses_release(&l);
	as_profile_free(out);
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(c);
	as_profile_free(d);
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
	out = merge((struct as_profile *[]){a, b}, 2, false, NULL);
	assert_int_equal(out->self.n, 1);
	assert_int_equal(out->object.n, 2);
	as_profile_free(out);
	out = merge((struct as_profile *[]){b, a, b}, 3, false, NULL);
	assert_int_equal(out->self.n, 1);
	as_profile_free(out);
	out = merge((struct as_profile *[]){b, a, c}, 3, false, NULL);
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

		out = merge(in, 2, i, NULL);
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

static void add_map(struct as_build *b, const char *path, uint64_t start, const char *text)
{
	struct as_map map = {.start = start, .limit = start + 0x2000, .exec = true};

	assert_int_equal(
		as_build_object(b, as_slice_of(path), as_slice_of(""), &map.object), AS_OK);
	assert_int_equal(as_build_str(b, as_slice_of(text), &map.text), AS_OK);
	assert_int_equal(as_build_map(b, &map), AS_OK);
}

/* Two runs under ASLR: one list is kept, what it lacks comes after it. */
static void test_mappings_of_one_run_are_kept_and_completed(void **state)
{
	struct as_build b;
	struct as_profile *x, *y, *out;
	char *text[2];

	(void)state;
	as_test_begin(&b, "samples");
	add_map(&b, "/bin/a", 0x5000, "a's own line");
	add_map(&b, "/lib/c", 0x8000, "c's own line");
	x = as_test_end(&b);
	as_test_begin(&b, "samples");
	add_map(&b, "/lib/c", 0x4000, "c elsewhere");
	add_map(&b, "/lib/m", 0x9000, "m's own line");
	y = as_test_end(&b);
	out = merge((struct as_profile *[]){x, y}, 2, false, NULL);
	assert_int_equal(out->map.n, 3);
	text[0] = as_test_dump(out);
	for (size_t i = 0; i < 3; i++) {
		const struct as_map *map = &out->map.p[i];

		for (size_t j = 0; j < i; j++)
			assert_true(map->start >= out->map.p[j].limit ||
				    map->limit <= out->map.p[j].start);
		assert_int_equal(map->limit - map->start, 0x2000);
		assert_int_equal(map->part, 0);
	}
	as_profile_free(out);
	out = merge((struct as_profile *[]){y, x}, 2, false, NULL);
	text[1] = as_test_dump(out);
	assert_string_equal(text[0], text[1]);
	free(text[0]);
	free(text[1]);
	as_profile_free(out);
	as_profile_free(x);
	as_profile_free(y);
}

static void test_facts_that_differ_are_lost_and_told(void **state)
{
	struct as_profile *in[2];
	struct as_profile *out;
	struct as_losses l;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct as_build b;
		as_str text;

		as_test_begin(&b, "Ir");
		assert_int_equal(as_build_str(&b, as_slice_of("./prog"), &text), AS_OK);
		b.prof->part.p[0].command = text;
		b.prof->part.p[0].pid = 7 + (uint64_t)i;
		b.prof->part.p[0].has_pid = true;
		assert_int_equal(
			as_build_meta(&b, 0, as_slice_of("desc"), as_slice_of("I1: 32768")), AS_OK);
		assert_int_equal(as_build_meta(&b, 0, as_slice_of("desc"),
					 as_slice_of(i ? "Trigger: b" : "Trigger: a")),
			AS_OK);
		assert_int_equal(as_build_str(&b, as_slice_of(i ? "2026-01-01" : "2025-01-01"),
					 &b.prof->epoch),
			AS_OK);
		in[i] = as_test_end(&b);
	}
	as_losses_init(&l, &as_alloc_libc);
	out = merge(in, 2, false, &l);
	assert_int_equal(as_test_lost(&l, "process"), 1);
	assert_int_equal(as_test_lost(&l, "metadata"), 2);
	assert_int_equal(as_test_lost(&l, "epoch"), 1);
	assert_false(out->part.p[0].has_pid);
	assert_true(as_slice_is(as_str_get(out, out->part.p[0].command), "./prog"));
	assert_true(as_slice_is(as_str_get(out, out->epoch), "2025-01-01"));
	assert_int_equal(out->meta.n, 1);
	assert_true(as_slice_is(as_meta_get(out, 0, "desc"), "I1: 32768"));
	as_profile_free(out);
	as_losses_release(&l);

	as_losses_init(&l, &as_alloc_libc);
	out = merge(in, 2, true, &l);
	assert_int_equal(out->meta.n, 4);
	assert_int_equal(out->part.p[1].pid, 8);
	assert_int_equal(as_test_lost(&l, "process"), 0);
	as_profile_free(out);
	as_losses_release(&l);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
}

/* A run that took DURATION, and what was counted of it. */
static struct as_profile *counted_run(int64_t duration)
{
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("samples"), as_slice_of("count"), &n), AS_OK);
	assert_int_equal(as_build_part(&b, &n), AS_OK);
	assert_int_equal(as_build_meta(&b, 0, as_slice_of("clock"), as_slice_of("cpu")), AS_OK);
	assert_int_equal(as_build_meta_of(&b, 0, as_slice_of("cpu time"), as_slice_of("1.5"),
				 AS_META_OF_RUN),
		AS_OK);
	assert_int_equal(
		as_build_meta_of(&b, 0, as_slice_of("lost"), as_slice_of("3"), AS_META_OF_SAMPLES),
		AS_OK);
	b.prof->duration = duration;
	return as_test_end(&b);
}

/* A run that began SECONDS after midnight. */
static struct as_profile *placed_run(const char *epoch, int64_t seconds)
{
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("samples"), as_slice_of("count"), &n), AS_OK);
	assert_int_equal(as_build_part(&b, &n), AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of(epoch), &b.prof->epoch), AS_OK);
	b.prof->duration = seconds * INT64_C(1000000000);
	return as_test_end(&b);
}

/* By hand: 0 to 10; 2 to 5 within it; 8 to 14 over its end; 20 to 21 behind all. */
static void test_what_passed_side_by_side_passed_once(void **state)
{
	struct as_profile *in[] = {placed_run("2026-01-01T00:00:00Z", 10),
		placed_run("2026-01-01T00:00:08Z", 6), placed_run("2026-01-01T00:00:02Z", 3),
		placed_run("2026-01-01T00:00:20Z", 1)};
	static const int64_t seconds[] = {10, 14, 14, 15};
	struct as_profile *out;

	(void)state;
	for (size_t n = 1; n <= AS_ARRAY_LEN(in); n++) {
		out = merge(in, n, true, NULL);
		assert_true(out->duration == seconds[n - 1] * INT64_C(1000000000));
		as_profile_free(out);
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(in); i++)
		as_profile_free(in[i]);
}

/* A run whose samples came with as many signals as it SAYS; "": it does not say. */
static struct as_profile *signalled_run(const char *says)
{
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("samples"), as_slice_of("count"), &n), AS_OK);
	assert_int_equal(as_build_part(&b, &n), AS_OK);
	if (says[0])
		assert_int_equal(as_build_meta_of(&b, 0, as_slice_of("signals"), as_slice_of(says),
					 AS_META_OF_SUM),
			AS_OK);
	return as_test_end(&b);
}

static void test_numbers_that_add_up_are_added_up_if_all_say_them(void **state)
{
	static const struct {
		const char *says[3], *sum; /* NULL: there is none */
		uint64_t lost;
	} cases[] = {
		{{"3", "4", "3"}, "10", 0},
		{{"3", "3", "3"}, "9", 0},
		{{"3", "", "3"}, NULL, 2},
		{{"", "3", "3"}, NULL, 2},
		{{"3", "many", "3"}, NULL, 3},
		{{"18446744073709551615", "0", "0"}, "18446744073709551615", 0},
		{{"18446744073709551615", "0", "1"}, NULL, 3},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_profile *in[3], *out;
		struct as_losses l;

		for (size_t k = 0; k < 3; k++)
			in[k] = signalled_run(cases[i].says[k]);
		as_losses_init(&l, &as_alloc_libc);
		out = merge(in, 3, false, &l);
		assert_int_equal(out->meta.n, cases[i].sum ? 1 : 0);
		if (cases[i].sum)
			assert_true(as_slice_is(as_meta_get(out, 0, "signals"), cases[i].sum));
		assert_int_equal(as_test_lost(&l, "metadata"), cases[i].lost);
		as_losses_release(&l);
		as_profile_free(out);
		for (size_t k = 0; k < 3; k++)
			as_profile_free(in[k]);
	}
}

/* Equal or not: the runs have them twice. */
static void test_what_was_counted_of_one_run_is_not_said_of_two(void **state)
{
	struct as_profile *a = counted_run(5), *b = counted_run(7), *none = counted_run(0), *out;
	struct as_losses l;

	(void)state;
	out = merge(&a, 1, false, NULL);
	assert_int_equal(out->meta.n, 3);
	assert_int_equal(out->meta.p[2].of, AS_META_OF_SAMPLES);
	assert_true(out->duration == 5);
	as_profile_free(out);

	as_losses_init(&l, &as_alloc_libc);
	out = merge((struct as_profile *[]){a, a, b}, 3, false, &l);
	assert_int_equal(out->meta.n, 1);
	assert_true(as_slice_is(as_meta_get(out, 0, "clock"), "cpu"));
	assert_int_equal(as_test_lost(&l, "metadata"), 6);
	assert_int_equal(as_test_lost(&l, "duration"), 0);
	assert_true(out->duration == 17);
	as_profile_free(out);
	as_losses_release(&l);

	for (int i = 0; i < 3; i++) {
		struct as_profile *in[] = {a, b, b};

		in[i] = none;
		as_losses_init(&l, &as_alloc_libc);
		out = merge(in, 3, false, &l);
		assert_true(out->duration == 0);
		assert_int_equal(as_test_lost(&l, "duration"), 1);
		as_profile_free(out);
		as_losses_release(&l);
	}
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(none);
}

static void test_a_mark_on_one_input_is_on_the_result(void **state)
{
	struct as_profile *in[] = {with_events("Ir", 1), with_events("Ir", 2)}, *out;

	(void)state;
	in[1]->estimated = true;
	out = merge(in, 2, false, NULL);
	assert_true(out->estimated);
	assert_false(out->partial);
	as_profile_free(out);
	in[0]->partial = true;
	out = merge(in, 2, false, NULL);
	assert_true(out->partial);
	as_profile_free(out);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
}

static void test_equal_rows_become_one(void **state)
{
	struct as_profile *a = as_test_random(5, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS);
	struct as_profile *once = merge(&a, 1, false, NULL), *thrice;

	(void)state;
	thrice = merge((struct as_profile *[]){a, a, a}, 3, false, NULL);
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
		cmocka_unit_test(test_inclusive_cost_of_paths_adds_up),
		cmocka_unit_test(test_the_order_of_inputs_does_not_matter),
		cmocka_unit_test(test_one_input_with_its_parts_is_itself),
		cmocka_unit_test(test_samples_of_different_weight_are_refused),
		cmocka_unit_test(test_an_image_laid_out_differently_is_refused),
		cmocka_unit_test(test_an_object_without_id_is_the_only_one_of_its_path),
		cmocka_unit_test(test_events_are_matched_by_name_and_keep_their_order),
		cmocka_unit_test(test_mappings_of_one_run_are_kept_and_completed),
		cmocka_unit_test(test_facts_that_differ_are_lost_and_told),
		cmocka_unit_test(test_what_passed_side_by_side_passed_once),
		cmocka_unit_test(test_what_was_counted_of_one_run_is_not_said_of_two),
		cmocka_unit_test(test_numbers_that_add_up_are_added_up_if_all_say_them),
		cmocka_unit_test(test_a_mark_on_one_input_is_on_the_result),
		cmocka_unit_test(test_equal_rows_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
