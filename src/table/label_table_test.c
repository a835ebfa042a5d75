/* SPDX-License-Identifier: Apache-2.0 */
/* Costs by part, thread and label against sums over all facts by a row's text. */
#include "table/label_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 200, ROWS = 64, TEXT = 400, EVENTS = 3 };

static const char *const keys[] = {NULL, "a", "b", "not there"};

struct truth {
	size_t n;
	struct {
		char text[TEXT];
		as_val self[EVENTS];
		uint32_t parts;
	} row[ROWS];
};

/* What tells the row of a part, as text. Labels stand by key, those of one key as they came. */
static void text_of(
	const struct as_profile *prof, uint32_t part, const struct as_label_how *how, char *out)
{
	const struct as_part *p = &prof->part.p[part];
	const struct as_label *label;
	char one[TEXT];
	bool seen[16] = {false};
	uint32_t n;

	if (how->by == AS_BY_PART) {
		snprintf(out, TEXT, "%u", part);
		return;
	}
	if (how->by == AS_BY_THREAD) {
		struct as_slice thread = as_str_get(prof, p->thread);

		snprintf(out, TEXT, "%d %u %d %u %.*s", p->has_pid, (unsigned)p->pid, p->has_tid,
			(unsigned)p->tid, AS_SLICE_FMT(thread));
		return;
	}
	out[0] = 0;
	label = as_part_labels(prof, part, &n);
	assert_true(n <= AS_ARRAY_LEN(seen));
	for (uint32_t left = n; left > 0; left--) {
		uint32_t first = UINT32_MAX;
		struct as_slice key;

		for (uint32_t i = 0; i < n; i++) /* the first of the smallest key */
			if (!seen[i] && (first == UINT32_MAX ||
						as_slice_cmp(as_str_get(prof, label[i].key),
							as_str_get(prof, label[first].key)) < 0))
				first = i;
		seen[first] = true;
		key = as_str_get(prof, label[first].key);
		if (label[first].opaque || (how->key.p && !as_slice_eq(key, how->key)))
			continue;
		snprintf(one, sizeof(one), "%s{%.*s|%.*s|%d|%.*s}", out, AS_SLICE_FMT(key),
			AS_SLICE_FMT(as_str_get(prof, label[first].text)), (int)label[first].number,
			AS_SLICE_FMT(as_str_get(prof, label[first].unit)));
		memcpy(out, one, TEXT);
	}
}

static size_t find(struct truth *t, const struct as_profile *prof, uint32_t part,
	const struct as_label_how *how)
{
	char text[TEXT];

	text_of(prof, part, how, text);
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->row[i].text, text) == 0)
			return i;
	assert_true(t->n < ROWS);
	memcpy(t->row[t->n].text, text, TEXT);
	return t->n++;
}

/* Labels of the parts behind it have taken all that it had: it is no thread beside theirs. */
static bool is_split_off(const struct as_profile *prof, uint32_t part)
{
	uint32_t n = 0;

	for (size_t i = 0; i < prof->self.run.n; i++)
		n += prof->self.run.p[i].part == part;
	for (size_t i = 0; i < prof->sample.node.n; i++)
		n += prof->sample.part.p[i] == part;
	return !n && part + 1 < prof->part.n && prof->part.p[part + 1].n_labels > 0;
}

static void find_truth(
	struct truth *t, const struct as_profile *prof, const struct as_label_how *how)
{
	as_val v[EVENTS];
	struct as_rows_cur cur;

	memset(t, 0, sizeof(*t));
	for (uint32_t i = 0; i < prof->part.n; i++)
		if (how->by != AS_BY_THREAD || !is_split_off(prof, i))
			t->row[find(t, prof, i, how)].parts++;
	for (size_t r = 0; r < prof->self.run.n; r++) {
		size_t to = find(t, prof, prof->self.run.p[r].part, how);

		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			for (size_t k = 0; k < prof->event.n; k++)
				t->row[to].self[k] += v[k];
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		size_t to = find(t, prof, prof->sample.part.p[i], how);

		for (size_t k = 0; k < prof->event.n; k++)
			t->row[to].self[k] += prof->sample.cost.p[i * prof->event.n + k];
	}
}

/* Labels in the table's order of rows do not come twice, and say what the parts say. */
static void compare(const struct as_profile *prof, const struct as_label_how *how)
{
	static struct truth t;
	struct as_label_table table;
	uint32_t order[ROWS];
	bool met[ROWS] = {false};
	size_t e = prof->event.n;

	find_truth(&t, prof, how);
	assert_int_equal(as_label_table_make(&table, prof, how, NULL), AS_OK);
	assert_int_equal(table.row.n, t.n);
	for (uint32_t i = 0; i < table.row.n; i++) {
		const struct as_label_row *row = &table.row.p[i];
		size_t want = find(&t, prof, row->part, how);

		assert_false(met[want]);
		met[want] = true;
		assert_int_equal(row->n_parts, t.row[want].parts);
		for (size_t k = 0; k < e; k++)
			assert_true(as_label_self(&table, i)[k] == t.row[want].self[k]);
		for (uint32_t k = 0; k < row->n_labels; k++)
			assert_true(!how->key.p ||
				    as_slice_eq(as_str_get(prof, row->label[k].key), how->key));
	}
	assert_int_equal(table.row.n, t.n);
	assert_true(as_label_table_sort(&table, 1, order));
	for (size_t i = 1; i < table.row.n && e > 1; i++)
		assert_true(as_label_self(&table, order[i - 1])[1] >=
			    as_label_self(&table, order[i])[1]);
	as_label_table_release(&table);
}

static void test_costs_by_part_thread_and_label(void **state)
{
	size_t with_labels = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_RARE | (seed % 2 ? AS_TEST_SELF : 0);
		struct as_profile *prof = as_test_random(seed, what);

		with_labels += prof->label.n > 0;
		compare(prof, &(struct as_label_how){.by = AS_BY_PART});
		compare(prof, &(struct as_label_how){.by = AS_BY_THREAD});
		for (size_t k = 0; k < AS_ARRAY_LEN(keys); k++)
			compare(prof, &(struct as_label_how){.by = AS_BY_LABEL,
					      .key = keys[k] ? as_slice_of(keys[k])
							     : (struct as_slice){NULL, 0}});
		as_profile_free(prof);
	}
	assert_true(with_labels > SEEDS / 4);
}

/* Two values of one key, in either order, with and without another key. */
static void test_several_values_of_a_key_are_one_row(void **state)
{
	struct as_label label[3] = {{.number = 1}, {.number = 2}, {.number = 9}};
	struct as_label_how how = {.by = AS_BY_LABEL, .key = as_slice_of("k")};
	struct as_label_table table;
	struct as_profile *prof;
	struct as_build b;
	as_func stack[2] = {{0}};
	uint32_t part;

	(void)state;
	as_test_begin(&b, "samples");
	stack[0] = as_test_func(&b, "f", "/bin/p", "a.c");
	assert_int_equal(as_build_str(&b, as_slice_of("k"), &label[0].key), AS_OK);
	label[1].key = label[0].key;
	assert_int_equal(as_build_str(&b, as_slice_of("other"), &label[2].key), AS_OK);
	assert_int_equal(as_build_labelled(&b, label, 2, &part), AS_OK);
	as_test_stack(&b, part, stack, 10);
	assert_int_equal(as_build_labelled(&b, label, 3, &part), AS_OK);
	as_test_stack(&b, part, stack, 20);
	assert_int_equal(as_build_labelled(&b, label, 1, &part), AS_OK);
	as_test_stack(&b, part, stack, 40);
	as_test_stack(&b, 0, stack, 80);
	prof = as_test_end(&b);
	assert_int_equal(as_label_table_make(&table, prof, &how, NULL), AS_OK);
	assert_int_equal(table.row.n, 3);
	assert_true(table.self.p[0] == 80 && table.row.p[0].n_labels == 0);
	assert_true(table.self.p[1] == 30 && table.row.p[1].n_labels == 2);
	assert_true(table.self.p[2] == 40 && table.row.p[2].n_labels == 1);
	as_label_table_release(&table);
	as_profile_free(prof);
}

int label_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_by_part_thread_and_label),
		cmocka_unit_test(test_several_values_of_a_key_are_one_row),
	};

	return cmocka_run_group_tests_name("label_table", tests, NULL, NULL);
}
