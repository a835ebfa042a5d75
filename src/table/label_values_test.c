/* SPDX-License-Identifier: Apache-2.0 */
/* What values of labels cost, against a count that asks every fact by itself. */
#include "table/label_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "change/filter/filter.h"
#include "lib/test_profiles.h"

enum { SEEDS = 400, EVENTS_MAX = 4, ROWS_MAX = 64, TEXT = 200 };

/* A key and what it is of one part, as text; "" where the part has none. */
static void value_of(
	const struct as_profile *prof, uint32_t part, as_str key, char *text, bool *has)
{
	uint32_t n;
	const struct as_label *l = as_part_labels(prof, part, &n);
	size_t at = 0;

	*has = false;
	text[0] = '\0';
	for (uint32_t i = 0; i < n; i++) {
		struct as_slice unit = as_str_get(prof, l[i].unit);

		if (l[i].opaque || l[i].key.i != key.i)
			continue;
		at += (size_t)snprintf(text + at, TEXT - at, "%s", *has ? ", " : "");
		if (l[i].text.i)
			at += (size_t)snprintf(text + at, TEXT - at, "%.*s",
				AS_SLICE_FMT(as_str_get(prof, l[i].text)));
		else
			at += (size_t)snprintf(text + at, TEXT - at, "%lld%.*s",
				(long long)l[i].number, AS_SLICE_FMT(unit));
		*has = true;
	}
}

/* The cost of all facts whose part has TEXT (NULL: has nothing) of KEY. */
static void sum(const struct as_profile *prof, as_str key, const char *text, as_val *out)
{
	uint32_t e = as_n_events(prof);
	struct as_rows_cur cur;
	char value[TEXT];
	as_val v[EVENTS_MAX];
	bool has;

	memset(out, 0, EVENTS_MAX * sizeof(*out));
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		value_of(prof, prof->sample.part.p[i], key, value, &has);
		for (uint32_t k = 0; k < e && (text ? has && !strcmp(value, text) : !has); k++)
			out[k] += prof->sample.cost.p[i * e + k];
	}
	for (size_t r = 0; r < prof->self.run.n; r++) {
		value_of(prof, prof->self.run.p[r].part, key, value, &has);
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			for (uint32_t k = 0; k < e && (text ? has && !strcmp(value, text) : !has);
				k++)
				out[k] += v[k];
	}
}

static const struct as_label_how by_value = {.by = AS_BY_VALUE};

static as_str key_of(const struct as_label_table *t, uint32_t row)
{
	return t->row.p[row].label->key;
}

/* The rows of the first key of those of ROW, N in all; how many they are. */
static size_t check_key(const struct as_label_table *t, const uint32_t *row, size_t n)
{
	uint32_t e = as_n_events(t->prof);
	as_str key = key_of(t, row[0]);
	as_val want[EVENTS_MAX], sums[EVENTS_MAX] = {0};
	struct as_arena ar;
	size_t i;

	as_arena_init(&ar, &as_alloc_libc);
	for (i = 0; i < n && key_of(t, row[i]).i == key.i; i++) {
		struct as_slice text = as_label_row_text(t, &ar, row[i]);

		assert_non_null(text.p);
		text = as_arena_dup(&ar, text);
		sum(t->prof, key, text.p, want);
		for (uint32_t k = 0; k < e; k++) {
			assert_true(as_label_self(t, row[i])[k] == want[k]);
			sums[k] += want[k];
		}
		if (i)
			assert_true(as_label_self(t, row[i - 1])[0] >= as_label_self(t, row[i])[0]);
	}
	sum(t->prof, key, NULL, want);
	for (uint32_t k = 0; k < e; k++)
		assert_true(sums[k] + want[k] == t->prof->total[k]);
	if (i < n)
		assert_true(as_slice_cmp(as_str_get(t->prof, key),
				    as_str_get(t->prof, key_of(t, row[i]))) < 0);
	as_arena_release(&ar);
	return i;
}

static void test_values_cost_what_their_samples_do(void **state)
{
	size_t keys = 0, rows = 0, several = 0;

	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		unsigned what = AS_TEST_RARE | AS_TEST_PATHS | (seed % 2 ? AS_TEST_SELF : 0) |
				(seed % 3 ? 0 : AS_TEST_NEGATIVE);
		struct as_profile *prof = as_test_random(seed, what);
		struct as_label_table t;
		uint32_t order[ROWS_MAX];

		assert_int_equal(as_label_table_make(&t, prof, &by_value, NULL), AS_OK);
		assert_true(t.row.n <= ROWS_MAX && as_label_table_sort(&t, 0, order));
		for (size_t i = 0; i < t.row.n; keys++)
			i += check_key(&t, order + i, t.row.n - i);
		for (size_t i = 0; i < t.row.n; i++)
			several += t.row.p[i].n_labels > 1;
		rows += t.row.n;
		as_label_table_release(&t);
		as_profile_free(prof);
	}
	assert_true(keys > SEEDS / 2 && rows > keys && several > 0); /* it is a test of something */
}

/* The rows of KEY as lines of text, in order. */
static void print_key(const struct as_label_table *t, const char *name, char *out, size_t size)
{
	uint32_t order[ROWS_MAX];
	struct as_arena ar;
	size_t n = 0;

	as_arena_init(&ar, &as_alloc_libc);
	out[0] = '\0';
	assert_true(t->row.n <= ROWS_MAX && as_label_table_sort(t, 0, order));
	for (size_t i = 0; i < t->row.n; i++)
		if (as_slice_is(as_str_get(t->prof, key_of(t, order[i])), name))
			n += (size_t)snprintf(out + n, size - n, "%.*s %lld\n",
				AS_SLICE_FMT(as_label_row_text(t, &ar, order[i])),
				(long long)as_label_self(t, order[i])[0]);
	as_arena_release(&ar);
}

static void test_labels_that_are_left_out_leave_their_samples(void **state)
{
	char before[2000], after[2000];
	size_t seen = 0;

	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_profile *prof = as_test_random(
			seed, AS_TEST_RARE | AS_TEST_PATHS | AS_TEST_SELF | AS_TEST_FACTS);
		uint8_t keep[64] = {0};
		struct as_filter how = {.keep_label = keep};
		struct as_filtered out;
		struct as_label_table one, two;

		assert_true(prof->label.n <= sizeof(keep));
		for (size_t i = 0; i < prof->label.n; i++)
			keep[i] = !as_slice_is(as_str_get(prof, prof->label.p[i].key), "a");
		assert_int_equal(as_filter(prof, &how, NULL, &out, NULL, NULL), AS_OK);
		assert_int_equal(as_label_table_make(&one, prof, &by_value, NULL), AS_OK);
		assert_int_equal(as_label_table_make(&two, out.prof, &by_value, NULL), AS_OK);
		print_key(&one, "b", before, sizeof(before));
		print_key(&two, "b", after, sizeof(after));
		assert_string_equal(before, after);
		seen += before[0] != '\0';
		print_key(&two, "a", after, sizeof(after));
		assert_string_equal(after, "");
		for (uint32_t k = 0; k < as_n_events(prof); k++)
			assert_true(out.prof->total[k] == prof->total[k]);
		assert_int_equal(out.prof->map.n, prof->map.n);
		assert_int_equal(out.prof->meta.n, prof->meta.n);
		as_label_table_release(&one);
		as_label_table_release(&two);
		as_profile_free(out.prof);
		as_profile_free(prof);
	}
	assert_true(seen > SEEDS / 4);
}

static bool has_code_of(const struct as_profile *prof, struct as_slice object)
{
	for (size_t i = 0; i < prof->func.object.n; i++)
		if (as_slice_eq(as_object_path(prof, prof->func.object.p[i]), object))
			return true;
	return false;
}

/* Mappings of PROF but those, the first aside, of which only what OUT left out had code. */
static size_t maps_left(const struct as_profile *prof, const struct as_profile *out)
{
	size_t n = 0;

	for (size_t i = 0; i < prof->map.n; i++) {
		struct as_slice object = as_object_path(prof, prof->map.p[i].object);

		n += !i || has_code_of(out, object) || !has_code_of(prof, object);
	}
	return n;
}

/* Mappings and lines of metadata stand with the part that labels split others off. */
static void test_what_labels_choose_keeps_what_is_said_of_the_whole(void **state)
{
	size_t chosen = 0;

	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct as_profile *prof =
			as_test_random(seed, AS_TEST_RARE | AS_TEST_PATHS | AS_TEST_FACTS);
		uint8_t keep[64] = {0};
		struct as_filter how = {.keep_part = keep};
		struct as_filtered out;
		bool any = false, first = prof->part.n > 0 && !prof->part.p[0].n_labels;

		assert_true(prof->part.n <= sizeof(keep));
		for (size_t i = 1; i < prof->part.n; i++) {
			keep[i] = prof->part.p[i].n_labels > 0;
			first &= keep[i] != 0; /* all are of one family */
			any |= keep[i] != 0;
		}
		assert_int_equal(as_filter(prof, &how, NULL, &out, NULL, NULL), AS_OK);
		if (any && first) {
			assert_int_equal(out.prof->map.n, maps_left(prof, out.prof));
			assert_int_equal(out.prof->meta.n, prof->meta.n);
			chosen += prof->map.n > 0;
		}
		as_profile_free(out.prof);
		as_profile_free(prof);
	}
	assert_true(chosen > 0);
}

static void test_without_labels_there_is_nothing(void **state)
{
	struct as_profile *prof = as_test_random(7, AS_TEST_PATHS | AS_TEST_SELF);
	struct as_label_table t;

	(void)state;
	assert_int_equal(as_label_table_make(&t, prof, &by_value, NULL), AS_OK);
	assert_int_equal(t.row.n, 0);
	as_label_table_release(&t);
	as_profile_free(prof);
}

int label_values_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_cost_what_their_samples_do),
		cmocka_unit_test(test_labels_that_are_left_out_leave_their_samples),
		cmocka_unit_test(test_what_labels_choose_keeps_what_is_said_of_the_whole),
		cmocka_unit_test(test_without_labels_there_is_nothing),
	};

	return cmocka_run_group_tests_name("label_values", tests, NULL, NULL);
}
