/* SPDX-License-Identifier: Apache-2.0 */
/* Merging: mappings, and what profiles say of themselves as a whole. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/test_merge.h"
#include "lib/test_profiles.h"

static void add_map(struct as_build *b, const char *path, uint64_t start, const char *text)
{
	struct as_map map = {.start = start, .limit = start + 0x2000, .exec = true};

	assert_int_equal(
		as_build_object(b, as_slice_of(path), as_slice_of(""), &map.object), AS_OK);
	assert_int_equal(as_build_str(b, as_slice_of(text), &map.text), AS_OK);
	assert_int_equal(as_build_map(b, &map), AS_OK);
}

/* A run with a mapping of /lib/c, of LENGTH of its bytes, that has cost at ADDR. */
static struct as_profile *mapped(
	enum as_addr_kind kind, uint64_t start, uint64_t length, uint64_t addr)
{
	struct as_map map = {.start = start, .limit = start + length, .exec = true};
	struct as_pos pos = {.addr = addr};
	as_val cost = 1;
	struct as_build b;

	as_test_begin(&b, "samples");
	assert_int_equal(
		as_build_object(&b, as_slice_of("/lib/c"), as_slice_of(""), &map.object), AS_OK);
	b.prof->object.p[map.object.i].addr_kind = kind;
	assert_int_equal(as_build_map(&b, &map), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of(""), map.object, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	return as_test_end(&b);
}

static void test_a_mapping_is_as_wide_as_those_it_stands_for(void **state)
{
	struct as_profile *in[] = {mapped(AS_ADDR_FILE_OFFSET, 0x5000, 0x2000, 0x1010),
		mapped(AS_ADDR_FILE_OFFSET, 0x9000, 0x4000, 0x3010)};
	struct as_profile *out = test_merge(in, 2, false, NULL);

	(void)state;
	assert_int_equal(out->map.n, 1);
	assert_int_equal(out->map.p[0].offset, 0);
	assert_int_equal(out->map.p[0].limit - out->map.p[0].start, 0x4000);
	as_profile_free(out);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
}

static void test_addresses_in_memory_keep_their_mappings(void **state)
{
	struct as_profile *in[] = {mapped(AS_ADDR_ABSOLUTE, 0x5000, 0x4000, 0x6010),
		mapped(AS_ADDR_ABSOLUTE, 0x8000, 0x2000, 0x9010)};
	struct as_profile *out = test_merge(in, 2, false, NULL);

	(void)state;
	assert_int_equal(out->map.n, 2);
	assert_int_equal(out->map.p[0].start + out->map.p[1].start, 0x5000 + 0x8000);
	as_profile_free(out);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
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
	out = test_merge((struct as_profile *[]){x, y}, 2, false, NULL);
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
	out = test_merge((struct as_profile *[]){y, x}, 2, false, NULL);
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
	out = test_merge(in, 2, false, &l);
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
	out = test_merge(in, 2, true, &l);
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
		out = test_merge(in, n, true, NULL);
		assert_true(out->duration == seconds[n - 1] * INT64_C(1000000000));
		as_profile_free(out);
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(in); i++)
		as_profile_free(in[i]);
}

/* A run whose samples came with as many signals as it SAYS, a number OF that kind; "": it does not
 * say. */
static struct as_profile *signalled_run(const char *says, enum as_meta_of of)
{
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(
		as_build_event(&b, as_slice_of("samples"), as_slice_of("count"), &n), AS_OK);
	assert_int_equal(as_build_part(&b, &n), AS_OK);
	if (says[0])
		assert_int_equal(
			as_build_meta_of(&b, 0, as_slice_of("signals"), as_slice_of(says), of),
			AS_OK);
	return as_test_end(&b);
}

static void test_numbers_that_add_up_are_added_up_if_all_say_them(void **state)
{
	static const struct {
		const char *says[3], *sum; /* NULL: there is none */
		uint64_t lost;
		enum as_meta_of of;
	} cases[] = {
		{{"3", "4", "3"}, "10", 0, AS_META_OF_SUM},
		{{"3", "3", "3"}, "9", 0, AS_META_OF_SUM},
		{{"3", "", "3"}, NULL, 2, AS_META_OF_SUM},
		{{"", "3", "3"}, NULL, 2, AS_META_OF_SUM},
		{{"3", "many", "3"}, NULL, 3, AS_META_OF_SUM},
		{{"18446744073709551615", "0", "0"}, "18446744073709551615", 0, AS_META_OF_SUM},
		{{"18446744073709551615", "0", "1"}, NULL, 3, AS_META_OF_SUM},
		{{"3", "4", "3"}, "10", 0, AS_META_OF_COUNT},
		{{"3", "", "3"}, "6", 0, AS_META_OF_COUNT},
		{{"", "", "3"}, "3", 0, AS_META_OF_COUNT},
		{{"", "many", "3"}, NULL, 2, AS_META_OF_COUNT},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_profile *in[3], *out;
		struct as_losses l;

		for (size_t k = 0; k < 3; k++)
			in[k] = signalled_run(cases[i].says[k], cases[i].of);
		as_losses_init(&l, &as_alloc_libc);
		out = test_merge(in, 3, false, &l);
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

/* A line of which one input alone says more than that is lost as often as it was there. */
static void test_what_fields_say_is_not_lost_with_its_line(void **state)
{
	static const struct {
		const char *says[3];
		enum as_meta_of of[3];
		uint64_t kept, lost; /* lines */
	} cases[] = {
		{{"a", "a", "a"}, {AS_META_OF_FIELD, AS_META_OF_FIELD, AS_META_OF_FIELD}, 1, 0},
		{{"a", "b", "c"}, {AS_META_OF_FIELD, AS_META_OF_FIELD, AS_META_OF_FIELD}, 0, 0},
		{{"a", "", "a"}, {AS_META_OF_FIELD, AS_META_OF_FIELD, AS_META_OF_FIELD}, 0, 0},
		{{"a", "b", "c"}, {AS_META_OF_ALL, AS_META_OF_ALL, AS_META_OF_ALL}, 0, 3},
		{{"a", "", "a"}, {AS_META_OF_ALL, AS_META_OF_ALL, AS_META_OF_ALL}, 0, 2},
		{{"a", "b", "c"}, {AS_META_OF_FIELD, AS_META_OF_ALL, AS_META_OF_FIELD}, 0, 1},
		{{"a", "a", ""}, {AS_META_OF_FIELD, AS_META_OF_ALL, AS_META_OF_ALL}, 0, 2},
		{{"a", "a", "a"}, {AS_META_OF_FIELD, AS_META_OF_ALL, AS_META_OF_FIELD}, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_profile *in[3], *out;
		struct as_losses l;

		for (size_t k = 0; k < 3; k++)
			in[k] = signalled_run(cases[i].says[k], cases[i].of[k]);
		as_losses_init(&l, &as_alloc_libc);
		out = test_merge(in, 3, false, &l);
		assert_int_equal(out->meta.n, cases[i].kept);
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
	out = test_merge(&a, 1, false, NULL);
	assert_int_equal(out->meta.n, 3);
	assert_int_equal(out->meta.p[2].of, AS_META_OF_SAMPLES);
	assert_true(out->duration == 5);
	as_profile_free(out);

	as_losses_init(&l, &as_alloc_libc);
	out = test_merge((struct as_profile *[]){a, a, b}, 3, false, &l);
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
		out = test_merge(in, 3, false, &l);
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
	struct as_profile *in[] = {mapped(AS_ADDR_FILE_OFFSET, 0x5000, 0x2000, 0x1010),
		mapped(AS_ADDR_FILE_OFFSET, 0x5000, 0x2000, 0x1010)};
	struct as_profile *out;

	(void)state;
	in[1]->estimated = true;
	out = test_merge(in, 2, false, NULL);
	assert_true(out->estimated);
	assert_false(out->partial);
	as_profile_free(out);
	in[0]->partial = true;
	out = test_merge(in, 2, false, NULL);
	assert_true(out->partial);
	as_profile_free(out);
	as_profile_free(in[0]);
	as_profile_free(in[1]);
}

int merge_facts_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mappings_of_one_run_are_kept_and_completed),
		cmocka_unit_test(test_a_mapping_is_as_wide_as_those_it_stands_for),
		cmocka_unit_test(test_addresses_in_memory_keep_their_mappings),
		cmocka_unit_test(test_facts_that_differ_are_lost_and_told),
		cmocka_unit_test(test_what_passed_side_by_side_passed_once),
		cmocka_unit_test(test_what_fields_say_is_not_lost_with_its_line),
		cmocka_unit_test(test_what_was_counted_of_one_run_is_not_said_of_two),
		cmocka_unit_test(test_numbers_that_add_up_are_added_up_if_all_say_them),
		cmocka_unit_test(test_a_mark_on_one_input_is_on_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
