/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of calls. */
#include "lib/lib_testing.h"

static struct assay_tree *tree_of(
	const struct assay_profile *prof, const struct assay_tree_options *opts)
{
	struct assay_tree *tree;
	struct assay_error err;

	if (assay_tree_new(prof, opts, &tree, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	return tree;
}

static struct assay_tree_row tree_row(const struct assay_tree *tree, size_t i)
{
	struct assay_tree_row row = {.size = sizeof(row)};

	assert_int_equal(assay_tree_get(tree, i, &row), ASSAY_OK);
	return row;
}

/* What is below row I costs what it costs itself, but its self cost, and that of its callees is
 * likewise. */
static void assert_adds_up(const struct assay_tree *tree, size_t i)
{
	struct assay_tree_row above = tree_row(tree, i), row;
	int64_t sum = above.self ? first(above.self) : 0;
	bool leaf = true;

	for (size_t k = i + 1; k < assay_tree_count(tree); k++) {
		row = tree_row(tree, k);
		if (row.depth <= above.depth)
			break;
		if (row.depth == above.depth + 1)
			sum += first(row.cost);
		leaf = false;
	}
	if (!leaf || above.self)
		assert_int_equal(sum, first(above.cost));
}

static int64_t sum_of_roots(const struct assay_tree *tree)
{
	int64_t sum = 0;

	for (size_t i = 0; i < assay_tree_count(tree); i++) {
		struct assay_tree_row row = tree_row(tree, i);

		assert_adds_up(tree, i);
		if (!row.depth)
			sum += first(row.cost);
	}
	return sum;
}

static void test_both_ways_have_all_cost(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_tree_options opts = {.size = sizeof(opts)};

	(void)state;
	for (int64_t min = 0; min < 1000; min += 150)
		for (opts.depth = 0; opts.depth < 4; opts.depth++)
			for (int way = 0; way <= ASSAY_TREE_BOTTOM_UP; way += 2) {
				struct assay_tree *tree;

				opts.way = (enum assay_tree_way)way;
				opts.min = assay_value_of(min);
				tree = tree_of(prof, &opts);
				assert_int_equal(sum_of_roots(tree), 820);
				assay_tree_free(tree);
			}
	assay_profile_free(prof);
}

static void test_callers_are_those_of_a_function(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_tree_options opts = {.size = sizeof(opts), .way = ASSAY_TREE_CALLERS};
	struct assay_table *table;
	struct assay_tree *tree;
	struct assay_row of;

	(void)state;
	assert_int_equal(assay_project(prof, NULL, &table, NULL), ASSAY_OK);
	of = row_named(table, "func2");
	opts.of = &of;
	tree = tree_of(prof, &opts);
	assert_int_equal(assay_tree_count(tree), 4);
	assert_int_equal(sum_of_roots(tree), 700);
	assert_true(slice_is(tree_row(tree, 1).name, "main"));
	assert_int_equal(first(tree_row(tree, 1).cost), 400);
	assert_false(tree_row(tree, 1).estimated);
	assert_true(slice_is(tree_row(tree, 2).name, "func1"));
	assert_int_equal(tree_row(tree, 3).depth, 2);
	assert_null(tree_row(tree, 3).self);
	assay_tree_free(tree);
	assay_table_free(table);
	assay_profile_free(prof);
}

static void test_rest_says_what_it_stands_for(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_tree_options opts = {.size = sizeof(opts), .depth = 1};
	struct assay_tree *tree = tree_of(prof, &opts);
	struct assay_tree_row rest = tree_row(tree, 1);

	(void)state;
	assert_int_equal(assay_tree_count(tree), 2);
	assert_int_equal(rest.kind, ASSAY_TREE_REST);
	assert_int_equal(rest.n_rest, 2);
	assert_int_equal(rest.name.len, 0);
	assert_int_equal(first(rest.cost), 800);
	assay_tree_free(tree);
	assay_profile_free(prof);
}

static void test_mistakes_are_refused(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_profile *places = profile_of("events: Ir\nfn=f\n1 5\n");
	struct assay_tree_options opts = {.size = sizeof(opts), .way = ASSAY_TREE_CALLERS};
	struct assay_row row = {.size = sizeof(row), .name = T("nobody")};
	struct assay_tree_row out = {.size = sizeof(out)};
	struct assay_tree *tree;

	(void)state;
	assert_int_equal(assay_tree_new(prof, &opts, &tree, NULL), ASSAY_E_ARG);
	opts.of = &row;
	assert_int_equal(assay_tree_new(prof, &opts, &tree, NULL), ASSAY_E_ARG);
	row.file = 1000;
	assert_int_equal(assay_tree_new(prof, &opts, &tree, NULL), ASSAY_E_ARG);
	assert_null(tree);
	opts = (struct assay_tree_options){.size = sizeof(opts), .event = 1};
	assert_int_equal(assay_tree_new(prof, &opts, &tree, NULL), ASSAY_E_ARG);
	opts = (struct assay_tree_options){.size = 0};
	assert_int_equal(assay_tree_new(prof, &opts, &tree, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_tree_new(NULL, NULL, &tree, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_tree_new(places, NULL, &tree, NULL), ASSAY_E_UNSUPPORTED);
	assert_int_equal(assay_tree_count(NULL), 0);
	assert_int_equal(assay_tree_get(NULL, 0, &out), ASSAY_E_ARG);
	assay_tree_free(NULL);
	assay_profile_free(places);
	assay_profile_free(prof);
}

int lib_tree_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ways_have_all_cost),
		cmocka_unit_test(test_callers_are_those_of_a_function),
		cmocka_unit_test(test_rest_says_what_it_stands_for),
		cmocka_unit_test(test_mistakes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
