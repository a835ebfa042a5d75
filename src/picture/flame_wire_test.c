/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/flame.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

struct made {
	struct as_profile *prof;
	struct as_calltree ct;
	struct as_tree_view view;
	struct as_view_opts opts;
	struct as_flame_paths of;
	struct as_flame f;
	struct as_sink_mem wire;
};

static const char *const files[] = {"cpu.prof"};

static void write_wire(struct made *m)
{
	struct as_flame_style how = {.icicle = true};
	struct as_out out;
	struct as_err err;

	as_err_clear(&err);
	as_sink_mem_init(&m->wire, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &m->wire.sink, &err), AS_OK);
	assert_int_equal(as_flame_wire(&m->f, &how, 7, &out), AS_OK);
	assert_int_equal(as_out_finish(&out), AS_OK);
}

/* At most BOXES boxes; 0: those of OPTS. */
static void make(
	struct made *m, struct as_profile *prof, const struct as_tree_opts *wanted, size_t boxes)
{
	static const uint32_t first[] = {0, 1, 2};
	struct as_calltree_opts none = {0};
	struct as_tree_opts opts = *wanted;
	struct as_err err;

	as_err_clear(&err);
	*m = (struct made){.prof = prof,
		.opts = {.event = first, .n_events = 1, .files = files, .n_files = 1}};
	assert_int_equal(as_calltree_make(&m->ct, prof, &none, &err), AS_OK);
	if (boxes)
		assert_int_equal(as_flame_least(&m->ct, &opts, boxes, &opts.min), AS_OK);
	assert_int_equal(as_tree_view_make(&m->view, &m->ct, &opts, &err), AS_OK);
	m->of = (struct as_flame_paths){.view = &m->view, .prof = prof, .opts = &m->opts};
	assert_int_equal(as_flame_of_paths(&m->f, &m->of, &err), AS_OK);
	assert_int_equal(as_flame_colours(&m->f, AS_FLAME_BY_OBJECT), AS_OK);
	write_wire(m);
}

static void release(struct made *m)
{
	as_sink_mem_release(&m->wire);
	as_flame_release(&m->f);
	as_tree_view_release(&m->view);
	as_calltree_release(&m->ct);
	as_profile_free(m->prof);
}

/* ---- reading it as a page does ---- */

static uint64_t number_at(const struct made *m, size_t at, size_t size)
{
	uint64_t v = 0;

	assert_true(at + size <= m->wire.data.n);
	for (size_t i = size; i-- > 0;)
		v = v << 8 | (unsigned char)m->wire.data.p[at + i];
	return v;
}

static double real_at(const struct made *m, size_t at)
{
	uint64_t bits = number_at(m, at, sizeof(bits));
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

enum column { AT, WIDTH, SELF, COST, DEPTH, NAME, KIND, COLOUR, FLAGS, END };

/* Where a column of a picture that is no comparison begins. */
static size_t column(const struct made *m, enum column c)
{
	static const size_t size[] = {8, 8, 8, 8, 4, 4, 1, 1, 1};
	size_t at = (sizeof(uint32_t) + (size_t)number_at(m, 0, sizeof(uint32_t)) + 7) / 8 * 8;

	for (unsigned i = 0; i < c; i++)
		at += size[i] * m->f.box.n;
	return at;
}

static double real_of(const struct made *m, enum column c, size_t box)
{
	return real_at(m, column(m, c) + box * sizeof(double));
}

static uint32_t u32_of(const struct made *m, enum column c, size_t box)
{
	return (uint32_t)number_at(m, column(m, c) + box * 4, 4);
}

static unsigned u8_of(const struct made *m, enum column c, size_t box)
{
	return (unsigned)number_at(m, column(m, c) + box, 1);
}

/* ---- by hand ---- */

/* main > f > f 30, main > g 12 */
static struct as_profile *small_profile(void)
{
	struct as_build b;
	as_func main_, f, g;

	as_test_begin(&b, "samples");
	main_ = as_test_func(&b, "main", "app", "main.c");
	f = as_test_func(&b, "f\"<", "lib.so", "f.c");
	g = as_test_func(&b, "g", "app", "");
	as_test_stack(&b, 0, (as_func[]){main_, f, f, {0}}, 30);
	as_test_stack(&b, 0, (as_func[]){main_, g, {0}}, 12);
	return as_test_end(&b);
}

static void test_head_is_what_a_page_reads(void **state)
{
	static const char head[] = "{\n"
				   "  \"schema\": \"assay.flame/1\",\n"
				   "  \"id\": 7,\n"
				   "  \"event\": \"samples\",\n"
				   "  \"unit\": null,\n"
				   "  \"decimals\": 0,\n"
				   "  \"total\": 42,\n"
				   "  \"whole\": 42,\n"
				   "  \"title\": \"cpu.prof: 42 samples\",\n"
				   "  \"notes\": \"callers are above what they called\",\n"
				   "  \"depth\": 3,\n"
				   "  \"small\": 0,\n"
				   "  \"estimated\": false,\n"
				   "  \"n\": 5,\n"
				   "  \"diff\": false,\n"
				   "  \"names\": {\n"
				   "    \"function\": [\"main\", \"f\\\"<\", \"g\"],\n"
				   "    \"file\": [0, 1, -1],\n"
				   "    \"object\": [0, 1, 0],\n"
				   "    \"address\": [null, null, null]\n"
				   "  },\n"
				   "  \"files\": [\n    \"main.c\",\n    \"f.c\"\n  ],\n"
				   "  \"objects\": [\n    \"app\",\n    \"lib.so\"\n  ],\n"
				   "  \"groups\": [\n"
				   "    {\"colour\": 1, \"name\": \"lib.so\"},\n"
				   "    {\"colour\": 2, \"name\": \"app\"}\n"
				   "  ]\n"
				   "}\n";
	struct made m;

	(void)state;
	make(&m, small_profile(), &(struct as_tree_opts){0}, 0);
	assert_int_equal(number_at(&m, 0, 4), strlen(head));
	assert_memory_equal(m.wire.data.p + 4, head, strlen(head));
	release(&m);
}

static void test_columns_are_the_boxes(void **state)
{
	static const double at[] = {0, 0, 0, 0, 30}, width[] = {42, 42, 30, 30, 12};
	static const double self[] = {0, 0, 0, 30, 12};
	static const uint32_t depth[] = {0, 1, 2, 3, 2}, name[] = {UINT32_MAX, 0, 1, 1, 2};
	static const unsigned kind[] = {0, 1, 1, 1, 1}, colour[] = {0, 2, 1, 1, 2};
	static const unsigned flags[] = {0, 0, 0, 2, 0};
	struct made m;

	(void)state;
	make(&m, small_profile(), &(struct as_tree_opts){0}, 0);
	assert_int_equal(m.f.box.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(real_of(&m, AT, i) == at[i]);
		assert_true(real_of(&m, WIDTH, i) == width[i]);
		assert_true(real_of(&m, SELF, i) == self[i]);
		assert_true(real_of(&m, COST, i) == width[i]);
		assert_int_equal(u32_of(&m, DEPTH, i), depth[i]);
		assert_int_equal(u32_of(&m, NAME, i), name[i]);
		assert_int_equal(u8_of(&m, KIND, i), kind[i]);
		assert_int_equal(u8_of(&m, COLOUR, i), colour[i]);
		assert_int_equal(u8_of(&m, FLAGS, i), flags[i]);
	}
	assert_int_equal(column(&m, END), m.wire.data.n);
	release(&m);
}

/* Bytes as any machine must write them: 42 is 0x4045000000000000. */
static void test_bytes_are_little_endian(void **state)
{
	static const unsigned char width[] = {0, 0, 0, 0, 0, 0, 0x45, 0x40};
	static const unsigned char depth[] = {1, 0, 0, 0};
	struct made m;

	(void)state;
	make(&m, small_profile(), &(struct as_tree_opts){0}, 0);
	assert_memory_equal(m.wire.data.p + column(&m, WIDTH), width, sizeof(width));
	assert_memory_equal(m.wire.data.p + column(&m, DEPTH) + 4, depth, sizeof(depth));
	release(&m);
}

static void test_rests_say_how_many(void **state)
{
	struct made m;

	(void)state;
	make(&m, small_profile(), &(struct as_tree_opts){.min = 20}, 0);
	assert_int_equal(u8_of(&m, KIND, 4), AS_FLAME_REST);
	assert_int_equal(u32_of(&m, NAME, 4), 1);
	release(&m);
}

/* ---- facts ---- */

static enum as_code try_facts(struct made *m, const size_t *box, size_t n, struct as_sink_mem *sink)
{
	struct as_out out;
	struct as_err err;
	enum as_code rc, done;

	as_err_clear(&err);
	as_sink_mem_init(sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink->sink, &err), AS_OK);
	rc = as_flame_facts_json(&m->f, box, n, &out);
	done = as_out_finish(&out);
	return rc == AS_OK ? done : rc;
}

static void test_facts_are_exact_words(void **state)
{
	static const char wanted[] =
		"{\n"
		"  \"boxes\": [\n"
		"    {\"name\": \"all\", \"facts\": \"42 samples, 100.0 %\", \"where\": \"\"},\n"
		"    {\"name\": \"f\\\"<\", \"facts\": \"30 samples, 71.4 %; self 0\", "
		"\"where\": \"f.c, lib.so\"}\n"
		"  ]\n"
		"}\n";
	static const size_t box[] = {0, 2}, none[] = {5};
	struct as_sink_mem sink;
	struct made m;

	(void)state;
	make(&m, small_profile(), &(struct as_tree_opts){0}, 0);
	assert_int_equal(try_facts(&m, box, 2, &sink), AS_OK);
	assert_int_equal(sink.data.n, strlen(wanted));
	assert_memory_equal(sink.data.p, wanted, strlen(wanted));
	as_sink_mem_release(&sink);
	assert_int_equal(try_facts(&m, none, 1, &sink), AS_E_ARG);
	as_sink_mem_release(&sink);
	release(&m);
}

/* ---- all kinds of profiles ---- */

/* What the page adds up is the total: boxes on the root, what is the root's own, and all selves. */
static void is_whole(const struct made *m)
{
	double level = real_of(m, SELF, 0), self = 0, rests = 0;

	for (size_t i = 0; i < m->f.box.n; i++) {
		self += real_of(m, SELF, i);
		if (u32_of(m, DEPTH, i) == 1)
			level += real_of(m, WIDTH, i);
		if (u8_of(m, KIND, i) == AS_FLAME_REST)
			rests += u32_of(m, NAME, i);
	}
	assert_true(level == (double)m->prof->total[0]);
	assert_true(self == level);
	assert_true(rests == (double)m->f.n_small);
	assert_int_equal(column(m, END), m->wire.data.n);
}

static void test_nothing_is_lost_on_the_wire(void **state)
{
	static const enum as_tree_way ways[] = {AS_TREE_CALLEES, AS_TREE_BOTTOM_UP};
	size_t gathered = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		for (unsigned way = 0; way < 2; way++)
			for (size_t boxes = 8; boxes <= 512; boxes *= 4) {
				struct made m;

				make(&m, as_test_random(seed, AS_TEST_PATHS),
					&(struct as_tree_opts){.way = ways[way]}, boxes);
				assert_true(m.f.box.n <= boxes + 2);
				is_whole(&m);
				gathered += m.f.n_small;
				release(&m);
			}
	assert_true(gathered > 0);
}

/* ---- how small a box may be ---- */

static void least_is(const as_val *v, size_t m, size_t stride, size_t n, as_val wanted)
{
	as_val least;

	assert_int_equal(as_flame_least_of(&as_alloc_libc, v, m, stride, n, &least), AS_OK);
	assert_true(least == wanted);
}

static void test_the_least_cost_of_so_many(void **state)
{
	static const as_val v[] = {5, 9, 5, 9, 7, 9, 1, 9, 0, 9};
	static const as_val huge[] = {(as_val)1 << 100, ((as_val)1 << 100) + 1, (as_val)1 << 99, 3};

	(void)state;
	least_is(v, 10, 1, 10, 0);
	least_is(v, 10, 1, 9, 0); /* what costs nothing is no box */
	least_is(v, 10, 1, 8, 2);
	least_is(v, 10, 1, 6, 6);
	least_is(v, 10, 1, 5, 8);
	least_is(v, 10, 1, 4, 10); /* five are equal: all of them or none */
	least_is(v, 5, 2, 2, 6);
	least_is(huge, 4, 1, 3, 4);
	least_is(huge, 4, 1, 2, ((as_val)1 << 99) + ((as_val)1 << 89));
	least_is(huge, 4, 1, 1, ((as_val)1 << 100) + ((as_val)1 << 90));
}

/* main > r > r ... : all of r's cost comes from main, however deep r is in itself. */
static void test_callers_of_a_recursion_are_not_small(void **state)
{
	enum { DEEP = 40 };
	struct as_calltree_root of = {0};
	struct as_tree_opts opts = {.way = AS_TREE_CALLERS, .of = &of, .keep_roots = true};
	as_func stack[DEEP + 2] = {{0}};
	struct as_build b;
	struct made m;

	(void)state;
	as_test_begin(&b, "samples");
	stack[0] = as_test_func(&b, "main", "app", "main.c");
	of.func = as_test_func(&b, "r", "app", "r.c");
	for (size_t i = 1; i <= DEEP; i++) {
		stack[i] = of.func;
		as_test_stack(&b, 0, stack, 10);
	}
	make(&m, as_test_end(&b), &opts, 16);
	assert_int_equal(m.f.n_small, 0);
	assert_int_equal(m.f.box.n, 3);
	assert_true(m.f.box.p[2].cost == 10 * DEEP);
	release(&m);
}

int flame_wire_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head_is_what_a_page_reads),
		cmocka_unit_test(test_columns_are_the_boxes),
		cmocka_unit_test(test_bytes_are_little_endian),
		cmocka_unit_test(test_rests_say_how_many),
		cmocka_unit_test(test_facts_are_exact_words),
		cmocka_unit_test(test_nothing_is_lost_on_the_wire),
		cmocka_unit_test(test_the_least_cost_of_so_many),
		cmocka_unit_test(test_callers_of_a_recursion_are_not_small),
	};

	return cmocka_run_group_tests_name("flame_wire", tests, NULL, NULL);
}
