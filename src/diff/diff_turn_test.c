/* SPDX-License-Identifier: Apache-2.0 */
/* Compared trees the other way up, and parts of them, against paths followed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "diff/diff_sub.h"
#include "lib/test_profiles.h"

enum { SUMS = 3000, SEEDS = 60, DEPTH = 64 };

struct both {
	struct as_diff *d;
	struct as_diff_sub sub;
};

static void begin(struct both *b, enum as_tree_way way)
{
	struct as_diff_opts opts = {
		.by = AS_BY_FUNC, .n_runs = 2, .keep_clones = true, .want_rows = true};

	assert_int_equal(as_diff_begin(&b->d, &as_alloc_libc, &opts, NULL), AS_OK);
	as_diff_sub_init(&b->sub, b->d);
	b->sub.way = way;
}

static void add(struct both *b, enum as_side side, const struct as_profile *prof)
{
	assert_int_equal(as_diff_add(b->d, side, prof, as_slice_of("x"), NULL), AS_OK);
	assert_int_equal(as_diff_sub_paths(&b->sub, prof, NULL), AS_OK);
}

static void turn(struct both *b, uint32_t func)
{
	assert_int_equal(as_diff_scale(b->d, AS_NORM_NONE, 0, NULL), AS_OK);
	assert_int_equal(as_diff_sort(b->d, 0, false, NULL), AS_OK);
	assert_int_equal(as_diff_sub_turn(&b->sub, func, NULL), AS_OK);
	assert_int_equal(as_diff_sub_judge(&b->sub, true, NULL), AS_OK);
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

static struct sums wanted, got;

static struct sum *sum_of(struct sums *s, const char *name)
{
	size_t i = 0;

	while (i < s->n && strcmp(s->row[i].name, name) != 0)
		i++;
	assert_in_range(i, 0, SUMS - 1);
	if (i == s->n) {
		memset(&s->row[s->n++], 0, sizeof(s->row[0]));
		snprintf(s->row[i].name, sizeof(s->row[i].name), "%s", name);
	}
	return &s->row[i];
}

/* Rows of 0 on both sides are as none. */
static void has_all(const struct sums *a, struct sums *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct sum *one = &a->row[i], *other;

		if (!one->v[AS_BASE] && !one->v[AS_NEW])
			continue;
		other = sum_of(b, one->name);
		if (memcmp(one->v, other->v, sizeof(one->v)) != 0)
			fail_msg("%s: %ld, %ld; but %ld, %ld", one->name, (long)one->v[0],
				(long)one->v[1], (long)other->v[0], (long)other->v[1]);
	}
}

static void same(void)
{
	has_all(&wanted, &got);
	has_all(&got, &wanted);
}

static void row_text(char *text, size_t size, const struct as_diff *d, uint32_t row)
{
	if (row == AS_DIFF_NO_CALLER)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.*s@%.*s", AS_SLICE_FMT(as_diff_str(d, d->key.p[row].name)),
			AS_SLICE_FMT(as_diff_str(d, d->key.p[row].object)));
}

static void place_text(char *text, size_t size, const struct as_diff_sub *sub, uint32_t row)
{
	char up[400] = "", func[100];

	if (sub->place.p[row].up)
		place_text(up, sizeof(up), sub, sub->place.p[row].up - 1);
	row_text(func, sizeof(func), sub->of, sub->place.p[row].func);
	snprintf(text, size, "%s/%s", up, func);
}

/* What the rows cost; those of the kind "no caller" are looked at by levels_add_up(). */
static void sum_rows(const struct as_diff_sub *sub)
{
	char text[400];

	got.n = 0;
	for (uint32_t r = 0; r < sub->place.n; r++) {
		struct as_diff_fig fig = as_diff_figure(&sub->fig, r, 0, true);
		struct sum *s;

		assert_true(fig.known);
		place_text(text, sizeof(text), sub, r);
		if (sub->place.p[r].func == AS_DIFF_NO_CALLER)
			continue;
		s = sum_of(&got, text);
		s->v[AS_BASE] += fig.value[AS_BASE];
		s->v[AS_NEW] += fig.value[AS_NEW];
	}
}

/* Each row is the sum of those above it, of all events; and the first level that of ALL. */
static void levels_add_up(const struct as_diff_sub *sub)
{
	for (uint32_t e = 0; e < sub->fig.n_events; e++) {
		as_val top[AS_SIDES] = {0};
		struct as_diff_fig all = as_diff_sub_total(sub, e);

		for (uint32_t r = 0; r < sub->place.n; r++) {
			struct as_diff_fig fig = as_diff_figure(&sub->fig, r, e, true), own;
			as_val sum[AS_SIDES] = {0};
			size_t n = 0;

			for (uint32_t k = r + 1; k < sub->place.n; k++) {
				struct as_diff_fig one = as_diff_figure(&sub->fig, k, e, true);

				if (sub->place.p[k].up != r + 1)
					continue;
				sum[AS_BASE] += one.value[AS_BASE];
				sum[AS_NEW] += one.value[AS_NEW];
				n++;
			}
			own = as_diff_figure(&sub->fig, r, e, false);
			for (unsigned s = 0; s < AS_SIDES; s++) {
				assert_true(fig.value[s] == sum[s] + own.value[s]);
				assert_true(!n || sub->way == AS_TREE_CALLEES || !own.value[s]);
				top[s] += sub->place.p[r].up ? 0 : fig.value[s];
			}
		}
		assert_true(top[AS_BASE] == all.value[AS_BASE] && top[AS_NEW] == all.value[AS_NEW]);
	}
}

/* ---- by hand ---- */

struct path {
	const char *stack; /* "main a x" */
	as_val cost;
};

static struct as_profile *profile_of(const struct path *path, size_t n)
{
	struct as_build b;

	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < n; i++) {
		struct as_slice rest = as_slice_of(path[i].stack), one;
		as_func stack[8] = {{0}};
		char name[8];

		for (size_t k = 0; as_slice_cut(&rest, ' ', &one); k++) {
			snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(one));
			stack[k] = as_test_func(&b, name, "p", "a.c");
		}
		as_test_stack(&b, 0, stack, path[i].cost);
	}
	return as_test_end(&b);
}

static const struct path before[] = {
	{"main a x", 10}, {"main b x", 5}, {"main", 3}, {"main a", 2}, {"main r r", 6}};
static const struct path after[] = {{"main a x", 4}, {"main b x", 5}, {"main c x", 7}, {"x", 1},
	{"main r", 2}, {"main r r", 1}};

static void compare_by_hand(struct both *b, enum as_tree_way way, const char *func)
{
	struct as_profile *base = profile_of(before, AS_ARRAY_LEN(before));
	struct as_profile *new_ = profile_of(after, AS_ARRAY_LEN(after));
	uint32_t row = 0;

	begin(b, way);
	add(b, AS_BASE, base);
	add(b, AS_NEW, new_);
	while (func && !as_slice_is(as_diff_str(b->d, b->d->key.p[row].name), func))
		row++;
	turn(b, row);
	as_profile_free(base);
	as_profile_free(new_);
}

static void expect(const struct both *b, const struct sum *row, size_t n)
{
	char text[400];

	assert_int_equal(b->sub.place.n, n);
	for (uint32_t r = 0; r < n; r++) {
		struct as_diff_fig fig = as_diff_figure(&b->sub.fig, r, 0, true);
		size_t i = 0;

		place_text(text, sizeof(text), &b->sub, r);
		while (i < n && strcmp(row[i].name, text) != 0)
			i++;
		if (i == n)
			fail_msg("%s", text);
		assert_int_equal((long)fig.value[AS_BASE], (long)row[i].v[AS_BASE]);
		assert_int_equal((long)fig.value[AS_NEW], (long)row[i].v[AS_NEW]);
		assert_int_equal(as_diff_has(&b->sub.fig, r, AS_BASE), row[i].v[AS_BASE] != 0);
		assert_int_equal(as_diff_has(&b->sub.fig, r, AS_NEW), row[i].v[AS_NEW] != 0);
	}
	levels_add_up(&b->sub);
}

static void test_bottom_up_by_hand(void **state)
{
	static const struct sum row[] = {
		{"/x@p", {15, 17}},
		{"/x@p/a@p", {10, 4}},
		{"/x@p/a@p/main@p", {10, 4}},
		{"/x@p/b@p", {5, 5}},
		{"/x@p/b@p/main@p", {5, 5}},
		{"/x@p/c@p", {0, 7}},
		{"/x@p/c@p/main@p", {0, 7}},
		{"/x@p/-", {0, 1}}, /* nobody called it there */
		{"/main@p", {3, 0}},
		{"/a@p", {2, 0}},
		{"/a@p/main@p", {2, 0}},
		{"/r@p", {6, 3}},
		{"/r@p/r@p", {6, 1}},
		{"/r@p/r@p/main@p", {6, 1}},
		{"/r@p/main@p", {0, 2}},
	};
	struct both b;

	(void)state;
	compare_by_hand(&b, AS_TREE_BOTTOM_UP, NULL);
	expect(&b, row, AS_ARRAY_LEN(row));
	for (uint32_t r = 0; r < b.sub.place.n; r++)
		assert_true(as_diff_sub_is_exact(&b.sub, r)); /* paths are no estimate */
	end(&b);
}

static void test_callers_by_hand(void **state)
{
	static const struct sum row[] = {
		{"/r@p", {6, 3}}, /* counted once, where it stands outermost */
		{"/r@p/main@p", {6, 3}},
	};
	static const struct sum of_a[] = {{"/a@p", {12, 4}}, {"/a@p/main@p", {12, 4}}};
	struct both b;

	(void)state;
	compare_by_hand(&b, AS_TREE_CALLERS, "r");
	expect(&b, row, AS_ARRAY_LEN(row));
	end(&b);
	compare_by_hand(&b, AS_TREE_CALLERS, "a");
	expect(&b, of_a, AS_ARRAY_LEN(of_a));
	end(&b);
}

static void test_callees_by_hand(void **state)
{
	static const struct sum of_a[] = {{"/a@p", {12, 4}}, {"/a@p/x@p", {10, 4}}};
	static const struct sum of_r[] = {{"/r@p", {6, 3}}, {"/r@p/r@p", {6, 1}}};
	struct both b;

	(void)state;
	compare_by_hand(&b, AS_TREE_CALLEES, "a");
	expect(&b, of_a, AS_ARRAY_LEN(of_a));
	end(&b);
	compare_by_hand(&b, AS_TREE_CALLEES, "r");
	expect(&b, of_r, AS_ARRAY_LEN(of_r));
	end(&b);
}

/* ---- at random ---- */

/* The frames of a path by function, the leaf first; the path of none is code that is not known. */
static size_t frames_of(const struct as_profile *prof, as_node node, as_func *func)
{
	size_t n = 0;

	do {
		assert_in_range(n, 0, DEPTH - 1);
		func[n++] = prof->place.func.p[prof->node.place.p[node.i].i];
		node = prof->node.parent.p[node.i];
	} while (node.i);
	return n;
}

/* What functions are matched by. */
static void func_text(char *text, size_t size, const struct as_profile *prof, as_func f)
{
	struct as_slice path = as_object_path(prof, prof->func.object.p[f.i]);
	const char *slash = path.len ? strrchr(path.p, '/') : NULL;

	snprintf(text, size, "%.*s@%s", AS_SLICE_FMT(as_func_name(prof, f)),
		slash      ? slash + 1
		: path.len ? path.p
			   : "");
}

static void note(
	const struct as_profile *prof, const as_func *func, size_t n, enum as_side side, as_val v)
{
	char text[400], one[100];
	size_t len = 0;

	for (size_t i = 0; i < n; i++) {
		func_text(one, sizeof(one), prof, func[i]);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "/%s", one);
		sum_of(&wanted, text)->v[side] += v;
	}
}

/* NAME: of callers the function, where it stands outermost; NULL: bottom-up. */
static void follow(const struct as_profile *prof, enum as_side side, const char *name)
{
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_func func[DEPTH];
		size_t n = frames_of(prof, prof->sample.node.p[i], func), at = name ? n : 0;
		char text[100];

		for (size_t k = n; name && k-- > 0 && at == n;) {
			func_text(text, sizeof(text), prof, func[k]);
			if (strcmp(text, name) == 0)
				at = k;
		}
		note(prof, func + at, n - at, side, prof->sample.cost.p[i * as_n_events(prof)]);
	}
}

/* A function that no other one has the name of. */
static uint32_t lonely_row(const struct as_diff *d, char *name, size_t size)
{
	char other[100];

	for (uint32_t r = 0; r < d->key.n; r++) {
		size_t n = 0;

		row_text(name, size, d, r);
		for (uint32_t k = 0; k < d->key.n; k++) {
			row_text(other, sizeof(other), d, k);
			n += strcmp(name, other) == 0;
		}
		if (n == 1)
			return r;
	}
	fail();
	return 0;
}

static void test_random_paths(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_NAMED | (seed % 3 ? 0 : AS_TEST_NEGATIVE);
		struct as_profile *base = as_test_random(2 * seed, what);
		struct as_profile *new_ = as_test_random(2 * seed + 1, what);
		char name[100];
		struct both b;
		uint32_t row;

		for (unsigned up = 0; up < 2; up++) {
			begin(&b, up ? AS_TREE_CALLERS : AS_TREE_BOTTOM_UP);
			add(&b, AS_BASE, base);
			add(&b, AS_NEW, new_);
			row = lonely_row(b.d, name, sizeof(name));
			wanted.n = 0;
			follow(base, AS_BASE, up ? name : NULL);
			follow(new_, AS_NEW, up ? name : NULL);
			turn(&b, row);
			sum_rows(&b.sub);
			same();
			levels_add_up(&b.sub);
			end(&b);
		}
		as_profile_free(base);
		as_profile_free(new_);
	}
}

/* ---- out of calls ---- */

/* f is called by a and b, g by a alone, and all by main. */
static struct as_profile *calls_of(as_val from_a, as_val from_b, as_val g)
{
	struct as_build b;
	as_func main_, a, bb, f, gg;

	as_test_begin(&b, "Ir");
	main_ = as_test_func(&b, "main", "p", "a.c");
	a = as_test_func(&b, "a", "p", "a.c");
	bb = as_test_func(&b, "b", "p", "a.c");
	f = as_test_func(&b, "f", "p", "a.c");
	gg = as_test_func(&b, "g", "p", "a.c");
	as_test_self(&b, f, 1, from_a + from_b);
	as_test_self(&b, gg, 2, g);
	as_test_call(&b, main_, a, 1, from_a + g);
	as_test_call(&b, main_, bb, 1, from_b);
	as_test_call(&b, a, f, 1, from_a);
	as_test_call(&b, bb, f, 1, from_b);
	as_test_call(&b, a, gg, 1, g);
	return as_test_end(&b);
}

static void test_what_of_an_estimate_is_exact(void **state)
{
	static const struct {
		struct sum sum;
		bool exact;
	} row[] = {
		{{"/f@p", {100, 200}}, true},
		{{"/f@p/a@p", {30, 150}}, false},
		{{"/f@p/a@p/main@p", {30, 150}}, false},
		{{"/f@p/b@p", {70, 50}}, false},
		{{"/f@p/b@p/main@p", {70, 50}}, false},
		{{"/g@p", {9, 4}}, true},
		{{"/g@p/a@p", {9, 4}}, true}, /* nobody else calls it */
		{{"/g@p/a@p/main@p", {9, 4}}, true},
	};
	struct as_profile *base = calls_of(30, 70, 9), *new_ = calls_of(150, 50, 4);
	struct sum sums[AS_ARRAY_LEN(row)];
	char text[400];
	struct both b;

	(void)state;
	begin(&b, AS_TREE_BOTTOM_UP);
	add(&b, AS_BASE, base);
	add(&b, AS_NEW, new_);
	turn(&b, 0);
	assert_true(b.d->is_estimated);
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		sums[i] = row[i].sum;
	expect(&b, sums, AS_ARRAY_LEN(row));
	for (uint32_t r = 0; r < b.sub.place.n; r++) {
		place_text(text, sizeof(text), &b.sub, r);
		for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
			if (strcmp(text, row[i].sum.name) == 0)
				assert_int_equal(as_diff_sub_is_exact(&b.sub, r), row[i].exact);
	}
	end(&b);
	as_profile_free(base);
	as_profile_free(new_);
}

/* In NEW something else calls g as well: then its way is known on neither side. */
static void test_what_one_side_knows_is_no_more_exact(void **state)
{
	struct as_profile *base = calls_of(30, 70, 9), *new_;
	struct as_build build;
	struct both b;
	as_func a, bb, g;
	char text[400];

	(void)state;
	as_test_begin(&build, "Ir");
	a = as_test_func(&build, "a", "p", "a.c");
	bb = as_test_func(&build, "b", "p", "a.c");
	g = as_test_func(&build, "g", "p", "a.c");
	as_test_self(&build, g, 2, 20);
	as_test_call(&build, a, g, 1, 12);
	as_test_call(&build, bb, g, 1, 8);
	new_ = as_test_end(&build);
	begin(&b, AS_TREE_BOTTOM_UP);
	add(&b, AS_BASE, base);
	add(&b, AS_NEW, new_);
	turn(&b, 0);
	for (uint32_t r = 0; r < b.sub.place.n; r++) {
		place_text(text, sizeof(text), &b.sub, r);
		if (strcmp(text, "/g@p/a@p") == 0 || strcmp(text, "/g@p") == 0)
			assert_int_equal(
				as_diff_sub_is_exact(&b.sub, r), strcmp(text, "/g@p") == 0);
	}
	end(&b);
	as_profile_free(base);
	as_profile_free(new_);
}

int diff_turn_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bottom_up_by_hand),
		cmocka_unit_test(test_callers_by_hand),
		cmocka_unit_test(test_callees_by_hand),
		cmocka_unit_test(test_random_paths),
		cmocka_unit_test(test_what_of_an_estimate_is_exact),
		cmocka_unit_test(test_what_one_side_knows_is_no_more_exact),
	};

	return cmocka_run_group_tests_name("diff_turn", tests, NULL, NULL);
}
