/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/flame_impl.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/utf8_len.h"
#include "lib/test_profiles.h"
#include "picture/xml.h"
#include "report/kit/show.h"

/* ---- a picture of a profile ---- */

struct made {
	struct as_profile *prof;
	struct as_calltree ct;
	struct as_tree_view view;
	struct as_view_opts opts;
	struct as_flame_paths of;
	struct as_flame f;
};

static enum as_code try_make(
	struct made *m, struct as_profile *prof, enum as_tree_way way, as_val min)
{
	static const uint32_t first[] = {0, 1, 2};
	struct as_calltree_opts none = {0};
	struct as_tree_opts opts = {.way = way, .min = min};
	struct as_err err;

	as_err_clear(&err);
	*m = (struct made){.prof = prof, .opts = {.event = first, .n_events = 1}};
	assert_int_equal(as_calltree_make(&m->ct, prof, &none, &err), AS_OK);
	assert_int_equal(as_tree_view_make(&m->view, &m->ct, &opts, &err), AS_OK);
	m->of = (struct as_flame_paths){.view = &m->view, .prof = prof, .opts = &m->opts};
	return as_flame_of_paths(&m->f, &m->of, &err);
}

static void release(struct made *m)
{
	as_flame_release(&m->f);
	as_tree_view_release(&m->view);
	as_calltree_release(&m->ct);
	as_profile_free(m->prof);
}

/* main > a > x 30, main > a 20, main > b > x 40, main > b > y 1, main > b > z 2 */
static struct as_profile *small_profile(as_val last)
{
	struct as_build b;
	as_func main_, a, c, x, y, z;

	as_test_begin(&b, "samples");
	main_ = as_test_func(&b, "main", "app", "main.c");
	a = as_test_func(&b, "a", "app", "a.c");
	c = as_test_func(&b, "b", "app", "b.c");
	x = as_test_func(&b, "x", "lib.so", "x.c");
	y = as_test_func(&b, "y", "lib.so", "x.c");
	z = as_test_func(&b, "z", "lib.so", "x.c");
	as_test_stack(&b, 0, (as_func[]){main_, a, x, {0}}, 30);
	as_test_stack(&b, 0, (as_func[]){main_, a, {0}}, 20);
	as_test_stack(&b, 0, (as_func[]){main_, c, x, {0}}, 40);
	as_test_stack(&b, 0, (as_func[]){main_, c, y, {0}}, 1);
	as_test_stack(&b, 0, (as_func[]){main_, c, z, {0}}, last);
	return as_test_end(&b);
}

static void is_box(const struct as_flame *f, size_t i, uint32_t depth, const char *name, as_val at,
	as_val width, as_val self)
{
	const struct as_flame_box *b = &f->box.p[i];
	struct as_arena ar;

	as_arena_init(&ar, &as_alloc_libc);
	if (b->kind == AS_FLAME_FUNC)
		assert_true(as_slice_is(f->words->name(f, &ar, i), name));
	as_arena_release(&ar);
	assert_int_equal(b->depth, depth);
	assert_int_equal(b->at, at);
	assert_int_equal(b->width, width);
	assert_int_equal(b->cost, width);
	assert_int_equal(b->self, self);
}

static void test_boxes_stand_on_their_callers(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 0), AS_OK);
	assert_int_equal(m.f.box.n, 8);
	assert_int_equal(m.f.depth, 3);
	is_box(&m.f, 0, 0, "", 0, 93, 0);
	is_box(&m.f, 1, 1, "main", 0, 93, 0);
	is_box(&m.f, 2, 2, "a", 0, 50, 20);
	is_box(&m.f, 3, 3, "x", 0, 30, 30);
	is_box(&m.f, 4, 2, "b", 50, 43, 0);
	is_box(&m.f, 5, 3, "x", 50, 40, 40);
	is_box(&m.f, 6, 3, "z", 90, 2, 2);
	is_box(&m.f, 7, 3, "y", 92, 1, 1);
	release(&m);
}

static void test_small_ones_are_gathered_not_lost(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 10), AS_OK);
	assert_int_equal(m.f.box.n, 7);
	is_box(&m.f, 6, 3, "", 90, 3, 3);
	assert_int_equal(m.f.box.p[6].kind, AS_FLAME_REST);
	assert_int_equal(m.f.box.p[6].row, 2);
	assert_int_equal(m.f.n_small, 2);
	release(&m);
}

/* What is deeper than is drawn is said to be there. */
static void test_deep_ones_are_gathered_not_lost(void **state)
{
	struct as_tree_opts opts = {.depth = 2};
	struct as_flame_style how = {0};
	struct as_arena ar;
	struct as_flame f;
	struct as_err err;
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 0), AS_OK);
	as_tree_view_release(&m.view);
	assert_int_equal(as_tree_view_make(&m.view, &m.ct, &opts, &err), AS_OK);
	m.of.depth = opts.depth;
	assert_int_equal(as_flame_of_paths(&f, &m.of, &err), AS_OK);
	assert_int_equal(f.box.n, 6);
	is_box(&f, 3, 3, "", 0, 30, 30);
	is_box(&f, 5, 3, "", 50, 43, 43);
	assert_int_equal(f.n_small, 0);
	assert_int_equal(f.n_deep, 1 + 3);
	as_arena_init(&ar, &as_alloc_libc);
	assert_true(as_slice_is(as_flame_name(&f, &ar, 5), "+3 deeper"));
	assert_true(as_slice_is(as_flame_notes(&f, &how, &ar),
		"callers are below what they called; "
		"+n deeper: only the first 2 levels are drawn"));
	as_arena_release(&ar);
	as_flame_release(&f);
	release(&m);
}

static void test_from_the_bottom_up(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_BOTTOM_UP, 0), AS_OK);
	is_box(&m.f, 0, 0, "", 0, 93, 0);
	is_box(&m.f, 1, 1, "x", 0, 70, 0);
	is_box(&m.f, 2, 2, "b", 0, 40, 0);
	is_box(&m.f, 3, 3, "main", 0, 40, 40);
	is_box(&m.f, 4, 2, "a", 40, 30, 0);
	release(&m);
}

/* What boxes are as wide as is said rightly of each way. */
static void test_words_say_which_cost_is_shown(void **state)
{
	static const char *const wanted[] = {[AS_TREE_CALLEES] = "callers are above",
		[AS_TREE_CALLERS] = "inclusive cost, by who called; callers are below",
		[AS_TREE_BOTTOM_UP] = "self cost; callers are below"};
	struct as_flame_style how = {.icicle = true};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (unsigned way = 0; way < AS_ARRAY_LEN(wanted); way++) {
		struct made m;

		assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 0), AS_OK);
		m.f.way = (enum as_tree_way)way;
		assert_true(as_slice_starts(as_flame_notes(&m.f, &how, &ar), wanted[way]));
		release(&m);
	}
	as_arena_release(&ar);
}

static void test_costs_below_zero_are_refused(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(-2), AS_TREE_CALLEES, 0), AS_E_ARG);
	release(&m);
}

/* No box leaves the one it stands on, boxes side by side do not overlap, and self costs add up to
 * the total. */
static void holds_together(const struct as_flame *f)
{
	as_val sum = 0;

	for (size_t i = 0; i < f->box.n; i++) {
		const struct as_flame_box *b = &f->box.p[i];
		size_t below = i;

		assert_true(b->self >= 0);
		sum += b->self;
		if (!i)
			continue;
		while (f->box.p[below].depth >= b->depth)
			below--;
		assert_int_equal(f->box.p[below].depth + 1, b->depth);
		assert_true(b->at >= f->box.p[below].at);
		assert_true(b->at + b->width <= f->box.p[below].at + f->box.p[below].width);
		for (size_t k = i; k-- > below + 1;)
			if (f->box.p[k].depth == b->depth)
				assert_true(f->box.p[k].at + f->box.p[k].width <= b->at);
	}
	assert_true(sum == f->width);
}

static void test_random_pictures_hold_together(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++)
		for (unsigned way = 0; way < 2; way++) {
			struct made m;

			assert_int_equal(try_make(&m, as_test_random(seed, AS_TEST_PATHS),
						 way ? AS_TREE_BOTTOM_UP : AS_TREE_CALLEES,
						 seed % 3 ? 0 : 50),
				AS_OK);
			assert_true(m.f.width == m.prof->total[0]);
			holds_together(&m.f);
			release(&m);
		}
}

/* ---- places ---- */

static void test_places_stand_on_their_objects(void **state)
{
	struct as_project_opts project = {.by = AS_BY_FUNC};
	struct as_view_opts opts = {0};
	struct as_flame_places of = {.opts = &opts, .min = 5};
	struct as_build b;
	struct as_profile *prof;
	struct as_table *table;
	struct as_flame f;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	as_test_begin(&b, "samples");
	as_test_self(&b, as_test_func(&b, "p", "one", "p.c"), 1, 30);
	as_test_self(&b, as_test_func(&b, "q", "two", "q.c"), 1, 25);
	as_test_self(&b, as_test_func(&b, "r", "two", "q.c"), 2, 20);
	as_test_self(&b, as_test_func(&b, "s", "two", "q.c"), 3, 4);
	as_test_self(&b, as_test_func(&b, "t", "two", "q.c"), 4, 3);
	prof = as_test_end(&b);
	assert_int_equal(as_project(prof, &project, &table, &err), AS_OK);
	of.table = table;
	assert_int_equal(as_flame_of_places(&f, &of, &err), AS_OK);
	assert_int_equal(f.box.n, 7);
	is_box(&f, 0, 0, "", 0, 82, 0);
	is_box(&f, 1, 1, "", 0, 52, 0); /* two */
	assert_int_equal(f.box.p[1].kind, AS_FLAME_GROUP);
	is_box(&f, 2, 2, "q", 0, 25, 25);
	is_box(&f, 3, 2, "r", 25, 20, 20);
	is_box(&f, 4, 2, "", 45, 7, 7);
	assert_int_equal(f.box.p[4].row, 2);
	is_box(&f, 5, 1, "", 52, 30, 0); /* one */
	is_box(&f, 6, 2, "p", 52, 30, 30);
	holds_together(&f);
	as_flame_release(&f);
	as_table_free(table);
	as_profile_free(prof);
}

/* Objects whose nameless code is told apart by address; all of the last one is small. */
static struct as_profile *nameless_places(uint32_t seed)
{
	static const char *const object[] = {"one", "two", "three", "small"};
	struct as_build b;

	as_test_begin(&b, "samples");
	for (uint32_t k = 0; k < AS_ARRAY_LEN(object); k++) {
		struct as_pos pos = {.func = as_test_func(&b, "", object[k], "")};

		for (uint32_t i = 0; i < 200; i++) {
			as_val cost;

			seed = seed * 1103515245 + 12345;
			cost = 1 + (seed >> 16) % (k == 3 ? 3 : 100);
			pos.addr += 4 + (seed >> 8) % 3 * 4;
			assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
		}
	}
	return as_test_end(&b);
}

static void flame_of_best(const struct as_profile *prof, size_t best, as_val min,
	struct as_table **table, struct as_flame *f)
{
	static const struct as_view_opts none;
	struct as_project_opts project = {.by = AS_BY_FUNC, .best = best, .want_rest = true};
	struct as_flame_places of = {.opts = &none, .min = min};
	struct as_err err;

	as_err_clear(&err);
	assert_int_equal(as_project(prof, &project, table, &err), AS_OK);
	of.table = *table;
	assert_int_equal(as_flame_of_places(f, &of, &err), AS_OK);
	f->of = NULL; /* of this function's frame */
}

static void same_places(const struct as_profile *prof, as_val min)
{
	struct as_table *all, *few;
	struct as_flame f, g;

	flame_of_best(prof, 0, min, &all, &f);
	flame_of_best(prof, (size_t)(prof->total[0] / min) + 1, min, &few, &g);
	assert_int_equal(all->n_rest, 0);
	assert_true(few->n < all->n && few->n_rest);
	assert_int_equal(f.box.n, g.box.n);
	assert_int_equal(f.n_small, g.n_small);
	for (size_t i = 0; i < f.box.n; i++) {
		const struct as_flame_box *x = &f.box.p[i], *y = &g.box.p[i];

		assert_true(x->kind == y->kind && x->depth == y->depth);
		assert_true(x->at == y->at && x->width == y->width && x->self == y->self);
		if (x->kind == AS_FLAME_REST)
			assert_int_equal(x->row, y->row);
		else if (i)
			assert_int_equal(all->key[x->row].object.i, few->key[y->row].object.i);
		if (x->kind == AS_FLAME_FUNC)
			assert_int_equal(all->key[x->row].addr, few->key[y->row].addr);
	}
	as_flame_release(&f);
	as_flame_release(&g);
	as_table_free(all);
	as_table_free(few);
}

static void test_places_are_the_same_without_a_table_of_all(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed < 30; seed++) {
		struct as_profile *prof = nameless_places(seed);

		same_places(prof, 95);
		same_places(prof, prof->total[0] / 50);
		as_profile_free(prof);
	}
}

/* ---- colours ---- */

static void test_objects_have_colours_by_their_cost(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 10), AS_OK);
	assert_int_equal(as_flame_colours(&m.f, AS_FLAME_BY_OBJECT), AS_OK);
	assert_int_equal(m.f.group.n, 2);
	assert_true(as_slice_is(m.f.group.p[0].name, "lib.so"));
	assert_int_equal(m.f.group.p[0].self, 70);
	assert_int_equal(m.f.group.p[1].self, 20);
	assert_int_equal(m.f.box.p[0].colour, 0);
	assert_int_equal(m.f.box.p[1].colour, 2); /* main, of app */
	assert_int_equal(m.f.box.p[3].colour, 1); /* x, of lib.so */
	assert_int_equal(m.f.box.p[6].colour, 0); /* small ones */
	release(&m);
}

static void test_self_cost_has_heat(void **state)
{
	struct made m;

	(void)state;
	assert_int_equal(try_make(&m, small_profile(2), AS_TREE_CALLEES, 0), AS_OK);
	assert_int_equal(as_flame_colours(&m.f, AS_FLAME_BY_SELF), AS_OK);
	assert_int_equal(m.f.box.p[1].colour, 0); /* main has none */
	assert_int_equal(m.f.box.p[5].colour, AS_FLAME_HEATS);
	assert_true(m.f.box.p[7].colour < m.f.box.p[2].colour);
	release(&m);
}

/* ---- text ---- */

static void becomes(const char *text, const char *wanted)
{
	struct as_sink_mem sink;
	struct as_out out;
	struct as_err err;

	as_err_clear(&err);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, &err), AS_OK);
	if (text)
		as_xml_text(&out, as_slice_of(text));
	else
		for (unsigned i = 0; i < 4; i++)
			as_xml_fixed(&out, (const uint64_t[]){12500, 3, 7000, 1234567890}[i]);
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_int_equal(sink.data.n, strlen(wanted));
	assert_memory_equal(sink.data.p, wanted, sink.data.n);
	as_sink_mem_release(&sink);
}

static void test_markup_is_defused(void **state)
{
	(void)state;
	becomes("</title><script>alert('\"&')</script>",
		"&lt;/title&gt;&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;");
	becomes("\xc3\xa9 ~ z", "\xc3\xa9 ~ z");
	becomes("]]>", "]]&gt;");
}

static void test_fractions_have_no_zeros_at_the_end(void **state)
{
	(void)state;
	becomes(NULL, "12.50.00371234567.89");
}

static void fits(const char *name, size_t columns, const char *wanted)
{
	struct as_arena ar;
	struct as_slice got;

	as_arena_init(&ar, &as_alloc_libc);
	got = as_picture_fit(&ar, as_slice_of(name), columns, true);
	if (!as_slice_is(got, wanted))
		fail_msg("%s in %zu columns: %.*s", name, columns, AS_SLICE_FMT(got));
	as_arena_release(&ar);
}

/* Three letters at least, of the part that tells names apart; or none. */
static void test_short_names_tell_something(void **state)
{
	(void)state;
	fits("main", 3, "");
	fits("[libc.so.6]", 5, "libc\xe2\x80\xa6");
	fits("[unknown]", 4, "unk\xe2\x80\xa6");
	fits("std::map<a::b, c>::insert(int)", 6, "insert");
	fits("std::map<a::b, c>::insert(int)", 5, "inse\xe2\x80\xa6");
	fits("std::map<a::b, c>::insert(int)", 4, "ins\xe2\x80\xa6");
	fits("std::map<a::b, c>::insert(int)", 3, "");
	fits("(anonymous namespace)::f1_x(int)", 5, "f1_x");
	fits("<<<<<<<<<<", 6, "");
	fits("0x00000000007e9320", 18, "0x00000000007e9320");
	fits("0x00000000007e9320", 6,
		"\xe2\x80\xa6"
		"e9320");
	fits("0x00000000007e9320", 3, "");
	for (size_t columns = 0; columns < 40; columns++) {
		struct as_slice name =
			as_slice_of("a::b<(x)>::(lambda)::operator()(\xc3\xa9\xe2\x80)");
		struct as_arena ar;

		as_arena_init(&ar, &as_alloc_libc);
		assert_true(as_utf8_columns(as_picture_fit(&ar, name, columns, true)) <= columns);
		as_arena_release(&ar);
	}
}

static void test_names_fit(void **state)
{
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	assert_true(as_slice_is(as_picture_fit(&ar, as_slice_of("main"), 4, true), "main"));
	fits("parser", 5, "pars\xe2\x80\xa6");
	fits("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9\xc3\xa9\xc3\xa9\xe2\x80\xa6");
	assert_true(as_slice_is(as_picture_fit(&ar, as_slice_of("parser"), 5, false), "pars~"));
	as_arena_release(&ar);
}

int flame_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_stand_on_their_callers),
		cmocka_unit_test(test_small_ones_are_gathered_not_lost),
		cmocka_unit_test(test_deep_ones_are_gathered_not_lost),
		cmocka_unit_test(test_from_the_bottom_up),
		cmocka_unit_test(test_words_say_which_cost_is_shown),
		cmocka_unit_test(test_costs_below_zero_are_refused),
		cmocka_unit_test(test_random_pictures_hold_together),
		cmocka_unit_test(test_places_stand_on_their_objects),
		cmocka_unit_test(test_places_are_the_same_without_a_table_of_all),
		cmocka_unit_test(test_objects_have_colours_by_their_cost),
		cmocka_unit_test(test_self_cost_has_heat),
		cmocka_unit_test(test_markup_is_defused),
		cmocka_unit_test(test_fractions_have_no_zeros_at_the_end),
		cmocka_unit_test(test_short_names_tell_something),
		cmocka_unit_test(test_names_fit),
	};

	return cmocka_run_group_tests_name("flame", tests, NULL, NULL);
}
