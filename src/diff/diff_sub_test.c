/* SPDX-License-Identifier: Apache-2.0 */
/* Trees, lines and calls of two sides, against sums made by hand and by brute force. */
#include "diff/diff_sub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { EVENTS = 3, SUMS = 1500, SEEDS = 60 };

typedef enum as_code add_fn(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err);

struct both {
	struct as_diff *d;
	struct as_diff_sub sub;
};

static void begin(struct both *b)
{
	struct as_diff_opts opts = {
		.by = AS_BY_FUNC, .n_runs = 4, .keep_clones = true, .want_rows = true};

	assert_int_equal(as_diff_begin(&b->d, &as_alloc_libc, &opts, NULL), AS_OK);
	as_diff_sub_init(&b->sub, b->d);
}

static void add(struct both *b, enum as_side side, const struct as_profile *prof, add_fn *fn)
{
	assert_int_equal(as_diff_add(b->d, side, prof, as_slice_of("x"), NULL), AS_OK);
	assert_int_equal(fn(&b->sub, prof, NULL), AS_OK);
}

static void finish(struct both *b, bool inclusive)
{
	assert_int_equal(as_diff_scale(b->d, AS_NORM_NONE, 0, NULL), AS_OK);
	assert_int_equal(as_diff_sort(b->d, 0, false, NULL), AS_OK);
	assert_int_equal(as_diff_sub_judge(&b->sub, inclusive, NULL), AS_OK);
	for (uint32_t r = 0; r < b->d->key.n; r++) /* no function was made up */
		assert_true(as_diff_has(b->d, r, AS_BASE) || as_diff_has(b->d, r, AS_NEW));
}

static void end(struct both *b)
{
	as_diff_sub_release(&b->sub);
	as_diff_free(b->d);
}

/* ---- sums by text ---- */

struct sums {
	size_t n;
	struct sum {
		char name[400];
		as_val v[AS_SIDES];
	} row[SUMS];
};

/* A cost of 0 is as none. */
static void note(struct sums *s, const char *name, enum as_side side, as_val v)
{
	size_t i = 0;

	if (!v)
		return;
	while (i < s->n && strcmp(s->row[i].name, name) != 0)
		i++;
	assert_in_range(i, 0, SUMS - 1);
	if (i == s->n) {
		memset(&s->row[s->n++], 0, sizeof(s->row[0]));
		snprintf(s->row[i].name, sizeof(s->row[i].name), "%s", name);
	}
	s->row[i].v[side] += v;
}

static void has_all(const struct sums *a, const struct sums *b)
{
	for (size_t i = 0; i < a->n; i++) {
		as_val v[AS_SIDES] = {0};

		for (size_t k = 0; k < b->n; k++)
			if (strcmp(a->row[i].name, b->row[k].name) == 0)
				memcpy(v, b->row[k].v, sizeof(v));
		if (v[AS_BASE] != a->row[i].v[AS_BASE] || v[AS_NEW] != a->row[i].v[AS_NEW])
			fail_msg("%s: %ld, %ld; but %ld, %ld", a->row[i].name, (long)a->row[i].v[0],
				(long)a->row[i].v[1], (long)v[0], (long)v[1]);
	}
}

static void same(const struct sums *a, const struct sums *b)
{
	has_all(a, b);
	has_all(b, a);
}

static const char *base_of(struct as_slice path)
{
	const char *slash = path.len ? strrchr(path.p, '/') : NULL;

	return slash ? slash + 1 : path.len ? path.p : "";
}

/* "f@a": what functions are matched by. */
static void func_text(char *text, size_t size, const struct as_profile *prof, as_func f)
{
	snprintf(text, size, "%.*s@%s", AS_SLICE_FMT(as_func_name(prof, f)),
		base_of(as_object_path(prof, prof->func.object.p[f.i])));
}

static void row_text(char *text, size_t size, const struct as_diff *d, uint32_t row)
{
	snprintf(text, size, "%.*s@%.*s", AS_SLICE_FMT(as_diff_str(d, d->key.p[row].name)),
		AS_SLICE_FMT(as_diff_str(d, d->key.p[row].object)));
}

/* ---- the tree ---- */

/* "f@a/g@/...", from the root. */
static void path_text(char *text, size_t size, const struct as_profile *prof, as_node node)
{
	char up[400] = "", func[100];

	if (prof->node.parent.p[node.i].i)
		path_text(up, sizeof(up), prof, prof->node.parent.p[node.i]);
	func_text(func, sizeof(func), prof, prof->place.func.p[prof->node.place.p[node.i].i]);
	snprintf(text, size, "%s/%s", up, func);
}

static void tree_text(char *text, size_t size, const struct as_diff_sub *sub, uint32_t row)
{
	char up[400] = "", func[100];

	if (sub->place.p[row].up)
		tree_text(up, sizeof(up), sub, sub->place.p[row].up - 1);
	row_text(func, sizeof(func), sub->of, sub->place.p[row].func);
	snprintf(text, size, "%s/%s", up, func);
}

static void sum_samples(
	struct sums *s, const struct as_profile *prof, enum as_side side, bool inclusive)
{
	char text[400];

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_node node = prof->sample.node.p[i];
		as_val v = prof->sample.cost.p[i * as_n_events(prof)];

		do {
			path_text(text, sizeof(text), prof, node);
			note(s, text, side, v);
			node = prof->node.parent.p[node.i];
		} while (inclusive && node.i);
	}
}

static void sum_tree(struct sums *s, const struct as_diff_sub *sub, bool inclusive)
{
	char text[400];

	for (uint32_t r = 0; r < sub->place.n; r++) {
		struct as_diff_fig fig = as_diff_figure(&sub->fig, r, 0, inclusive);

		assert_true(fig.known);
		tree_text(text, sizeof(text), sub, r);
		for (unsigned side = 0; side < AS_SIDES; side++)
			note(s, text, (enum as_side)side, fig.value[side]);
	}
}

static struct sums wanted, got;

static void test_trees_have_the_costs_of_all_paths(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_NAMED | (seed % 3 ? 0 : AS_TEST_NEGATIVE);
		struct as_profile *base = as_test_random(2 * seed, what);
		struct as_profile *new_ = as_test_random(2 * seed + 1, what);
		struct both b;

		begin(&b);
		add(&b, AS_BASE, base, as_diff_sub_tree);
		add(&b, AS_NEW, new_, as_diff_sub_tree);
		finish(&b, true);
		for (unsigned inclusive = 0; inclusive < 2; inclusive++) {
			wanted.n = got.n = 0;
			sum_samples(&wanted, base, AS_BASE, inclusive);
			sum_samples(&wanted, new_, AS_NEW, inclusive);
			sum_tree(&got, &b.sub, inclusive);
			same(&wanted, &got);
		}
		end(&b);
		as_profile_free(base);
		as_profile_free(new_);
	}
}

/* Inclusive figures of view row I. */
static void view_incl(const struct as_diff_sub *sub, const struct as_diff_tree_view *v, size_t i,
	uint32_t event, as_val out[AS_SIDES])
{
	const struct as_diff_tree_row *r = &v->row.p[i];

	if (r->row == AS_DIFF_REST)
		memcpy(out, as_diff_tree_rest(v, r, event), AS_SIDES * sizeof(*out));
	else
		memcpy(out, as_diff_figure(&sub->fig, r->row, event, true).value,
			AS_SIDES * sizeof(*out));
}

/* Rows of the level below row I (or of the first) and its own cost make up its cost. */
static void adds_up(const struct as_diff_sub *sub, const struct as_diff_tree_view *v, size_t i,
	uint32_t event, uint32_t depth)
{
	bool top = i == SIZE_MAX;
	as_val want[AS_SIDES], sum[AS_SIDES] = {0};

	if (top)
		memcpy(want, as_diff_total(sub->of, event).value, sizeof(want));
	else
		view_incl(sub, v, i, event, want);
	for (size_t k = top ? 0 : i + 1; k < v->row.n && v->row.p[k].depth >= depth; k++) {
		as_val one[AS_SIDES];

		if (v->row.p[k].depth > depth)
			continue;
		view_incl(sub, v, k, event, one);
		sum[AS_BASE] += one[AS_BASE];
		sum[AS_NEW] += one[AS_NEW];
	}
	for (unsigned side = 0; side < AS_SIDES; side++) {
		as_val self =
			top ? 0
			    : as_diff_figure(&sub->fig, v->row.p[i].row, event, false).value[side];

		assert_true(want[side] == sum[side] + self);
	}
}

static void test_levels_add_up_whatever_is_left_out(void **state)
{
	static const struct as_diff_tree_opts opts[] = {{0, 0}, {2, 0}, {0, 100000}, {3, 50000}};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *base = as_test_random(2 * seed, AS_TEST_PATHS);
		struct as_profile *new_ = as_test_random(2 * seed + 1, AS_TEST_PATHS);
		struct as_diff_tree_view v;
		struct both b;

		begin(&b);
		add(&b, AS_BASE, base, as_diff_sub_tree);
		add(&b, AS_NEW, new_, as_diff_sub_tree);
		finish(&b, true);
		for (size_t o = 0; o < AS_ARRAY_LEN(opts); o++) {
			assert_int_equal(as_diff_tree_view_make(&v, &b.sub, &opts[o], NULL), AS_OK);
			if (!o)
				assert_int_equal(v.row.n, b.sub.place.n);
			for (uint32_t e = 0; e < EVENTS; e++) {
				adds_up(&b.sub, &v, SIZE_MAX, e, 0);
				for (size_t i = 0; i < v.row.n; i++)
					if (v.row.p[i].row != AS_DIFF_REST)
						adds_up(&b.sub, &v, i, e, v.row.p[i].depth + 1);
			}
			as_diff_tree_view_release(&v);
		}
		end(&b);
		as_profile_free(base);
		as_profile_free(new_);
	}
}

/* main calls f and g; in NEW what g calls is another function, and f costs what h gained. */
static struct as_profile *sample(const char *leaf, as_val f, as_val h)
{
	struct as_build b;
	as_func main_, ff, g, hh, x;

	as_test_begin(&b, "Ir");
	main_ = as_test_func(&b, "main", "p", "a.c");
	ff = as_test_func(&b, "f", "p", "a.c");
	g = as_test_func(&b, "g", "p", "a.c");
	hh = as_test_func(&b, "h", "p", "a.c");
	x = as_test_func(&b, leaf, "p", "a.c");
	as_test_stack(&b, 0, (as_func[]){main_, ff, {0}}, f);
	as_test_stack(&b, 0, (as_func[]){main_, hh, {0}}, h);
	as_test_stack(&b, 0, (as_func[]){main_, g, x, {0}}, 5);
	as_test_stack(&b, 0, (as_func[]){main_, g, x, x, {0}}, 7);
	return as_test_end(&b);
}

static void test_what_cancels_and_what_vanished_is_shown(void **state)
{
	struct as_diff_tree_opts opts = {.min_ppm = 10000};
	struct as_profile *base = sample("old", 100, 50), *new_ = sample("new", 50, 100);
	struct as_diff_tree_view v;
	struct both b;
	char text[400];

	(void)state;
	begin(&b);
	add(&b, AS_BASE, base, as_diff_sub_tree);
	add(&b, AS_NEW, new_, as_diff_sub_tree);
	finish(&b, true);
	assert_int_equal(as_diff_tree_view_make(&v, &b.sub, &opts, NULL), AS_OK);
	assert_int_equal(v.row.n, 8); /* main f h g new new old old: all have changed */
	/* main and g cost the same on both sides. */
	assert_int_equal(as_diff_figure(&b.sub.fig, v.row.p[0].row, 0, true).verdict, AS_DIFF_SAME);
	assert_int_equal(v.row.p[1].depth, 1);
	for (unsigned side = 0; side < AS_SIDES; side++) {
		assert_int_equal(v.one_sided[side].n, 1);
		tree_text(text, sizeof(text), &b.sub, v.one_sided[side].p[0]);
		assert_string_equal(
			text, side == AS_NEW ? "/main@p/g@p/old@p" : "/main@p/g@p/new@p");
		assert_int_equal((long)as_diff_figure(&b.sub.fig, v.one_sided[side].p[0], 0, true)
					 .value[AS_SIDES - 1 - side],
			12);
	}
	as_diff_tree_view_release(&v);
	end(&b);
	as_profile_free(base);
	as_profile_free(new_);
}

/* ---- lines ---- */

static void sum_lines(struct sums *s, const struct as_profile *prof, enum as_side side)
{
	struct as_project_opts po = {.by = AS_BY_LINE};
	struct as_table *t;
	char text[400], func[100];

	assert_int_equal(as_project(prof, &po, &t, NULL), AS_OK);
	for (uint32_t r = 0; r < t->n; r++) {
		if (t->key[r].is_cycle)
			continue;
		func_text(func, sizeof(func), prof, t->key[r].func);
		snprintf(text, sizeof(text), "%s %s:%d", func,
			base_of(as_file_path(prof, t->key[r].file)), (int)t->key[r].line);
		note(s, text, side, t->self[(size_t)r * t->n_events]);
	}
	as_table_free(t);
}

static void check_lines(struct both *b)
{
	struct as_diff_lists lists;
	struct as_diff_list list;
	char text[400], func[100];

	assert_int_equal(as_diff_lists_make(&lists, &b->sub, NULL), AS_OK);
	for (uint32_t f = 0; f < b->d->key.n; f++) {
		as_val sum[AS_SIDES] = {0};

		assert_true(as_diff_lists_lines(&lists, f, &list));
		for (size_t i = 0; i < list.n; i++) {
			const struct as_diff_place *p = &b->sub.place.p[list.row[i]];
			struct as_diff_fig fig = as_diff_figure(&b->sub.fig, list.row[i], 0, false);

			assert_int_equal(p->func, f);
			row_text(func, sizeof(func), b->d, f);
			snprintf(text, sizeof(text), "%s %.*s:%d", func,
				AS_SLICE_FMT(as_diff_str(b->d, p->base)), (int)p->line);
			for (unsigned side = 0; side < AS_SIDES; side++) {
				note(&got, text, (enum as_side)side, fig.value[side]);
				sum[side] += fig.value[side];
			}
		}
		for (unsigned side = 0; side < AS_SIDES; side++)
			assert_true(sum[side] == as_diff_figure(b->d, f, 0, false).value[side]);
	}
	as_diff_lists_release(&lists);
}

static void test_lines_add_up_to_their_functions(void **state)
{
	static const unsigned shapes[] = {
		AS_TEST_SELF, AS_TEST_SELF | AS_TEST_CALLS, AS_TEST_PATHS};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = shapes[seed % 3] | AS_TEST_NAMED;
		struct as_profile *base = as_test_random(2 * seed, what);
		struct as_profile *new_ = as_test_random(2 * seed + 1, what);
		struct both b;

		wanted.n = got.n = 0;
		begin(&b);
		add(&b, AS_BASE, base, as_diff_sub_lines);
		add(&b, AS_NEW, new_, as_diff_sub_lines);
		finish(&b, false);
		sum_lines(&wanted, base, AS_BASE);
		sum_lines(&wanted, new_, AS_NEW);
		check_lines(&b);
		same(&wanted, &got);
		end(&b);
		as_profile_free(base);
		as_profile_free(new_);
	}
}

/* ---- calls ---- */

static void sum_edges(struct sums *s, const struct as_profile *prof, enum as_side side)
{
	struct as_project_opts po = {.by = AS_BY_FUNC, .want_edges = true, .whole_objects = true};
	struct as_table *t;
	char text[400], from[100], to[100];

	assert_int_equal(as_project(prof, &po, &t, NULL), AS_OK);
	for (size_t i = 0; i < t->n_edges; i++) {
		if (t->key[t->edge[i].from].is_cycle || t->key[t->edge[i].to].is_cycle)
			continue;
		func_text(from, sizeof(from), prof, t->key[t->edge[i].from].func);
		func_text(to, sizeof(to), prof, t->key[t->edge[i].to].func);
		snprintf(text, sizeof(text), "%s > %s", from, to);
		if (t->edge[i].from != t->edge[i].to)
			note(s, text, side, t->edge[i].cost[0]);
	}
	as_table_free(t);
}

static void sum_calls(struct both *b)
{
	struct as_diff_lists lists;
	struct as_diff_list from, to;
	char text[400], own[100], other[100];
	size_t n = 0;

	assert_int_equal(as_diff_lists_make(&lists, &b->sub, NULL), AS_OK);
	for (uint32_t f = 0; f < b->d->key.n; f++) {
		row_text(own, sizeof(own), b->d, f);
		assert_true(as_diff_lists_callers(&lists, f, &from));
		assert_true(as_diff_lists_callees(&lists, f, &to));
		n += from.n;
		for (size_t i = 0; i < to.n; i++) {
			struct as_diff_fig fig = as_diff_figure(&b->sub.fig, to.row[i], 0, true);

			row_text(other, sizeof(other), b->d, b->sub.place.p[to.row[i]].func);
			snprintf(text, sizeof(text), "%s > %s", own, other);
			note(&got, text, AS_BASE, fig.value[AS_BASE]);
			note(&got, text, AS_NEW, fig.value[AS_NEW]);
		}
	}
	assert_int_equal(n, b->sub.place.n); /* each call has one callee */
	as_diff_lists_release(&lists);
}

static void test_calls_are_those_of_both_sides(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what =
			(seed % 2 ? AS_TEST_SELF | AS_TEST_CALLS : AS_TEST_PATHS) | AS_TEST_NAMED;
		struct as_profile *base = as_test_random(2 * seed, what);
		struct as_profile *new_ = as_test_random(2 * seed + 1, what);
		struct both b;

		wanted.n = got.n = 0;
		begin(&b);
		add(&b, AS_BASE, base, as_diff_sub_calls);
		add(&b, AS_NEW, new_, as_diff_sub_calls);
		finish(&b, true);
		sum_edges(&wanted, base, AS_BASE);
		sum_edges(&wanted, new_, AS_NEW);
		sum_calls(&b);
		same(&wanted, &got);
		end(&b);
		as_profile_free(base);
		as_profile_free(new_);
	}
}

int diff_sub_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees_have_the_costs_of_all_paths),
		cmocka_unit_test(test_levels_add_up_whatever_is_left_out),
		cmocka_unit_test(test_what_cancels_and_what_vanished_is_shown),
		cmocka_unit_test(test_lines_add_up_to_their_functions),
		cmocka_unit_test(test_calls_are_those_of_both_sides),
	};

	return cmocka_run_group_tests_name("diff_sub", tests, NULL, NULL);
}
