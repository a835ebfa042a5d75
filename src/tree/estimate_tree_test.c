/* SPDX-License-Identifier: Apache-2.0 */
/* Trees straight out of calls: that nothing is lost, and the paths that the longer way makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/test_profiles.h"
#include "model/build.h"
#include "tree/calltree.h"
#include "tree/path_source.h"

enum { SEEDS = 200, FUNCS = 9 };

/* ---- sums ---- */

static bool calls(const struct as_table *t, uint32_t from, uint32_t to)
{
	for (uint32_t i = t->first[from]; i < t->first[from + 1]; i++)
		if (t->callee[i] == to)
			return true;
	return false;
}

/* What stands at the nodes of each function is its self cost. */
static void check_self(const struct as_calltree *ct, const struct as_table *t)
{
	size_t rows = t->n - t->n_cycles;
	as_val *sum = calloc(rows * ct->e + 1, sizeof(*sum));

	assert_non_null(sum);
	for (size_t i = 1; i < ct->parent.n; i++)
		for (uint32_t k = 0; k < ct->e; k++)
			sum[ct->row.p[ct->key_of.p[i]] * ct->e + k] += ct->cost.p[i * ct->e + k];
	for (uint32_t k = 0; k < ct->e; k++)
		assert_true(!ct->cost.p[k]);
	for (size_t i = 0; i < rows * ct->e; i++)
		assert_true(sum[i] == t->self[i]);
	free(sum);
}

/* Each node is called by the one above, and stands nowhere further up. */
static void check_paths(const struct as_calltree *ct, const struct as_table *t)
{
	for (uint32_t i = 1; i < ct->parent.n; i++) {
		uint32_t row = ct->row.p[ct->key_of.p[i]], above = ct->parent.p[i];

		assert_true(above < i);
		if (above)
			assert_true(calls(t, ct->row.p[ct->key_of.p[above]], row));
		for (; above; above = ct->parent.p[above])
			assert_true(ct->row.p[ct->key_of.p[above]] != row);
	}
}

static void test_all_self_cost_is_in_the_tree(void **state)
{
	static const unsigned kinds[] = {0, AS_TEST_CONTEXTS, AS_TEST_NAMED, AS_TEST_NEGATIVE};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof =
			as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS | kinds[seed % 4]);
		struct as_project_opts how = {.by = AS_BY_FUNC, .want_callees = true};
		struct as_table *ok, *shown;
		struct as_calltree ct;
		struct as_err err;
		uint32_t row[64];

		as_err_clear(&err);
		assert_int_equal(as_project(prof, &how, &shown, &err), AS_OK);
		how.keep_contexts = true;
		assert_int_equal(as_project(prof, &how, &ok, &err), AS_OK);
		assert_true(ok->n <= 64);
		assert_int_equal(as_calltree_estimate(&ct, ok, ok, NULL, &err), AS_OK);
		check_self(&ct, ok);
		check_paths(&ct, ok);
		as_calltree_release(&ct);
		assert_int_equal(as_table_rows_in(shown, ok, row), AS_OK);
		assert_int_equal(as_calltree_estimate(&ct, ok, shown, row, &err), AS_OK);
		check_self(&ct, shown);
		as_calltree_release(&ct);
		as_table_free(shown);
		as_table_free(ok);
		as_profile_free(prof);
	}
}

/* ---- the same as by way of a profile of paths ---- */

/* Every function at one place, and every call once, so that both ways share out the same. */
static struct as_profile *make_plain(uint64_t seed)
{
	struct as_profile *prof;
	as_func func[FUNCS];
	uint32_t part, ev;
	struct as_build b;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("Ir"), as_slice_of("count"), &ev), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	for (uint32_t f = 0; f < FUNCS; f++) {
		char name[2] = {(char)('a' + f), 0};
		as_val cost = as_test_next(&seed, 5) ? as_test_next(&seed, 100000)
						     : as_test_next(&seed, 3);
		struct as_pos pos = {0};

		assert_int_equal(as_build_func(&b, as_slice_of(name), (as_object){0}, (as_file){0},
					 0, &func[f]),
			AS_OK);
		pos.func = func[f];
		assert_int_equal(as_build_self(&b, part, &pos, &cost, 1), AS_OK);
	}
	for (uint32_t i = 0; i < FUNCS * FUNCS; i++) {
		struct as_pos pos = {.func = func[i / FUNCS]};
		struct as_call call = {.callee = func[i % FUNCS], .count = 1};
		as_val cost = as_test_next(&seed, 1000);

		if (!as_test_next(&seed, 3))
			assert_int_equal(as_build_call(&b, part, &pos, &call, &cost, 1), AS_OK);
	}
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void check_same(const struct as_tree_view *a, const struct as_tree_view *b)
{
	assert_int_equal(a->row.n, b->row.n);
	for (size_t i = 0; i < a->row.n; i++) {
		const struct as_tree_row *x = &a->row.p[i], *y = &b->row.p[i];

		assert_int_equal(x->depth, y->depth);
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->evidence, y->evidence);
		assert_int_equal(x->again, y->again);
		if (x->kind == AS_TREE_FUNC)
			assert_true(as_slice_eq(
				as_calltree_name(a->ct, x->key), as_calltree_name(b->ct, y->key)));
		for (uint32_t k = 0; k < (a->way == AS_TREE_CALLEES ? 2 : 1); k++)
			assert_true(a->value.p[x->cost + k] == b->value.p[y->cost + k]);
	}
}

static void view_of(const struct as_profile *prof, bool trees, enum as_tree_way way, int func,
	struct as_path_source *p, struct as_calltree *ct, struct as_tree_view *v)
{
	struct as_calltree_root of = {0};
	struct as_path_tree_opts opts = {.way = way,
		.of = func >= 0 ? &of : NULL,
		.keep_paths = func % 2,
		.no_cycles = true}; /* so that nothing is settled, which rounds in another order */
	struct as_tree_opts view = {.way = way, .of = opts.of};
	char name[2] = {(char)('a' + func), 0};
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_path_source_make(p, prof, trees, &err), AS_OK);
	assert_true(p->prof->estimated);
	assert_int_equal(p->estimate != NULL, !trees);
	for (uint32_t f = 1; f < p->prof->func.name.n; f++)
		if (as_slice_is(as_func_name(p->prof, (as_func){f}), name))
			of.func.i = f;
	assert_int_equal(as_path_source_tree(p, &opts, ct, &err), AS_OK);
	assert_int_equal(as_tree_view_make(v, ct, &view, &err), AS_OK);
}

static void test_the_tree_is_that_of_the_paths(void **state)
{
	size_t rows = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (int func = -1; func < 3; func++) {
			struct as_profile *prof = make_plain(seed);
			enum as_tree_way way = (enum as_tree_way)(seed % 3);
			struct as_path_source p[2];
			struct as_calltree ct[2];
			struct as_tree_view v[2];

			way = func < 0 && way == AS_TREE_CALLERS ? AS_TREE_BOTTOM_UP : way;
			for (int i = 0; i < 2; i++)
				view_of(prof, i, way, func, &p[i], &ct[i], &v[i]);
			check_same(&v[0], &v[1]);
			rows += v[0].row.n;
			for (int i = 0; i < 2; i++) {
				as_tree_view_release(&v[i]);
				as_calltree_release(&ct[i]);
				as_path_source_release(&p[i]);
			}
			as_profile_free(prof);
		}
	assert_true(rows > 10 * SEEDS);
}

int estimate_tree_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_self_cost_is_in_the_tree),
		cmocka_unit_test(test_the_tree_is_that_of_the_paths),
	};

	return cmocka_run_group_tests_name("estimate_tree", tests, NULL, NULL);
}
