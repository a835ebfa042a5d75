/* SPDX-License-Identifier: Apache-2.0 */
/* Names for nameless code: what must be kept, over random profiles, and by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/fail_alloc.h"
#include "lib/mem_io.h"
#include "lib/test_profiles.h"

enum { SEEDS = 80, ADDRS = 16 };

static void add_frame(struct as_chains *c, const char *name, const char *file, uint32_t line)
{
	struct as_frame fr = {.line = line};

	assert_true(as_strings_add(&c->str, as_slice_of(name), &fr.name));
	assert_true(as_strings_add(&c->str, as_slice_of(file), &fr.file));
	fr.func_file = fr.file;
	assert_true(as_chains_frame(c, &fr));
}

/* Two of three addresses of every object have one to three frames. */
static void random_chains(struct as_chains *c, const struct as_profile *prof, uint64_t seed)
{
	static const char *const name[] = {"inner", "middle", "outer", "f"};

	assert_true(as_chains_init(c, prof->al));
	for (uint32_t o = 0; o < prof->object.n; o++)
		for (uint64_t addr = 0; addr <= ADDRS; addr += 4) {
			if (as_test_next(&seed, 3) == 0)
				continue;
			assert_true(as_chains_add(c, (as_object){o}, addr));
			for (uint32_t k = as_test_next(&seed, 3) + 1; k > 0; k--)
				add_frame(c, name[as_test_next(&seed, 4)], "x.c",
					as_test_next(&seed, 5));
		}
}

/* Costs by what naming does not change. */
static void check_same(const struct as_profile *a, const struct as_profile *b)
{
	static const struct {
		enum as_by by;
		bool inclusive;
	} kept[] = {{AS_BY_OBJECT, false}, {AS_BY_OBJECT, true}, {AS_BY_ADDR, false}};
	struct as_test_sums *x = calloc(2, sizeof(*x));

	assert_non_null(x);
	for (size_t i = 0; i < AS_ARRAY_LEN(kept); i++) {
		if (kept[i].inclusive && (a->shape & AS_SHAPE_CALLS))
			continue; /* a function of several objects becomes several of one */
		x[0].n = x[1].n = 0;
		as_test_sum(&x[0], a, kept[i].by, kept[i].inclusive);
		as_test_sum(&x[1], b, kept[i].by, kept[i].inclusive);
		as_test_same(&x[0], &x[1]);
	}
	for (uint32_t k = 0; k < as_n_events(a); k++)
		assert_true(a->total[k] == b->total[k]);
	assert_int_equal(a->object.n, b->object.n);
	assert_int_equal(a->part.n, b->part.n);
	assert_int_equal(a->map.n, b->map.n);
	assert_int_equal(a->meta.n, b->meta.n);
	assert_int_equal(a->call.n, b->call.n);
	assert_int_equal(a->jump.n, b->jump.n);
	free(x);
}

/* What stays without a name has no chain. */
static void check_named(const struct as_profile *prof, const struct as_chains *c)
{
	for (uint32_t i = 1; i < prof->place.func.n; i++) {
		struct as_pos pos = as_place_pos(prof, (as_place){i});

		assert_null(as_chain_at(prof, c, &pos));
		if (pos.inlined)
			assert_true(prof->func.name.p[pos.func.i].i != 0);
	}
}

static void test_costs_are_kept_by_event_object_and_address(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		unsigned what = AS_TEST_PATHS | AS_TEST_FACTS | AS_TEST_RARE | AS_TEST_NEGATIVE;
		struct as_profile *prof, *out, *again;
		struct as_chains c;

		if (seed % 2)
			what |= AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_JUMPS;
		prof = as_test_random(seed, what);
		random_chains(&c, prof, seed);
		assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
		check_same(prof, out);
		check_named(out, &c);
		/* Nothing is left to do. */
		assert_int_equal(as_expand(out, &c, &again, NULL), AS_OK);
		check_same(out, again);
		as_profile_free(again);
		as_profile_free(out);
		as_profile_free(prof);
		as_chains_release(&c);
	}
}

static as_place code(struct as_build *b, as_object o, uint64_t addr)
{
	struct as_pos pos = {.addr = addr};
	as_place place;

	assert_int_equal(
		as_build_func(b, as_slice_of(""), o, (as_file){0}, addr, &pos.func), AS_OK);
	assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
	return place;
}

/* main calls 0x20, where inner is inlined into outer. */
static struct as_profile *two_frames(struct as_chains *c)
{
	struct as_build b;
	as_object o;
	as_node node = {0};
	as_val cost = 7;

	as_test_begin(&b, "samples");
	assert_int_equal(as_build_object(&b, as_slice_of("/bin/x"), as_slice_of(""), &o), AS_OK);
	assert_int_equal(as_build_push(&b, node, code(&b, o, 0x10), &node), AS_OK);
	assert_int_equal(as_build_push(&b, node, code(&b, o, 0x20), &node), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	assert_true(as_chains_init(c, &as_alloc_libc));
	assert_true(as_chains_add(c, o, 0x20));
	add_frame(c, "inner", "i.h", 3);
	add_frame(c, "outer", "o.c", 40);
	return as_test_end(&b);
}

static void check_frame(const struct as_profile *prof, as_node node, const char *name,
	const char *file, const struct as_pos *want)
{
	struct as_pos pos = as_place_pos(prof, prof->node.place.p[node.i]);

	assert_true(as_slice_is(as_func_name(prof, pos.func), name));
	assert_true(as_slice_is(as_file_path(prof, pos.file), file));
	assert_int_equal(pos.line, want->line);
	assert_int_equal(pos.addr, want->addr);
	assert_int_equal(pos.inlined, want->inlined);
}

static void test_an_inlined_function_is_a_frame_below_its_caller_at_the_same_address(void **state)
{
	struct as_chains c;
	struct as_profile *prof = two_frames(&c), *out;
	as_node node;

	(void)state;
	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_int_equal(out->sample.node.n, 1);
	node = out->sample.node.p[0];
	check_frame(out, node, "inner", "i.h",
		&(struct as_pos){.line = 3, .addr = 0x20, .inlined = true});
	node = out->node.parent.p[node.i];
	check_frame(out, node, "outer", "o.c", &(struct as_pos){.line = 40, .addr = 0x20});
	node = out->node.parent.p[node.i];
	check_frame(out, node, "", "", &(struct as_pos){.addr = 0x10});
	as_profile_free(out);
	as_profile_free(prof);
	as_chains_release(&c);
}

static void test_code_of_a_function_without_a_name_is_known_by_its_start(void **state)
{
	struct as_chains c;
	struct as_build b;
	struct as_profile *prof, *out, *again;
	as_val cost = 1;
	as_object o;

	(void)state;
	as_test_begin(&b, "samples");
	assert_int_equal(as_build_object(&b, as_slice_of("/bin/x"), as_slice_of(""), &o), AS_OK);
	assert_true(as_chains_init(&c, &as_alloc_libc));
	for (uint64_t addr = 0x20; addr <= 0x28; addr += 4) {
		as_node node = {0};

		assert_int_equal(as_build_push(&b, node, code(&b, o, addr), &node), AS_OK);
		assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
		if (addr == 0x28)
			continue; /* of no known function */
		assert_true(as_chains_add(&c, o, addr));
		assert_true(as_chains_frame(&c, &(struct as_frame){.start = 0x20}));
	}
	prof = as_test_end(&b);
	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_int_equal(as_expand(out, &c, &again, NULL), AS_OK);
	for (const struct as_profile *p = out; p; p = p == out ? again : NULL) {
		assert_int_equal(p->func.name.n, 3);
		assert_int_equal(p->place.func.n, 4);
		for (uint32_t i = 1; i < p->place.func.n; i++) {
			struct as_pos pos = as_place_pos(p, (as_place){i});
			bool whole = pos.addr < 0x28;

			assert_int_equal(p->func.addr.p[pos.func.i], whole ? 0x20 : 0x28);
			assert_int_equal(as_func_is_whole(p, pos.func), whole);
			assert_true(as_func_is_nameless(p, pos.func));
		}
	}
	as_profile_free(again);
	as_profile_free(out);
	as_profile_free(prof);
	as_chains_release(&c);
}

static void test_self_cost_goes_to_the_innermost_function(void **state)
{
	struct as_build b;
	struct as_chains c;
	struct as_profile *prof, *out;
	struct as_rows_cur cur;
	struct as_pos pos = {.addr = 0x20};
	as_val cost = 5, v;
	as_object o;

	(void)state;
	as_test_begin(&b, "cycles");
	assert_int_equal(as_build_object(&b, as_slice_of("/bin/x"), as_slice_of(""), &o), AS_OK);
	assert_int_equal(as_build_func(&b, as_slice_of(""), o, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	pos.addr = 0x24;
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	prof = as_test_end(&b);
	assert_true(as_chains_init(&c, &as_alloc_libc));
	assert_true(as_chains_add(&c, o, 0x20));
	add_frame(&c, "inner", "i.h", 3);
	add_frame(&c, "outer", "o.c", 40);

	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_int_equal(out->self.n, 2);
	for (size_t i = 0; i < out->self.run.n; i++) {
		const struct as_run *run = &out->self.run.p[i];
		bool named = out->func.name.p[run->func.i].i != 0;

		as_rows_begin(&cur, &out->self, run, &v);
		assert_true(as_rows_next(&cur));
		assert_true(as_slice_is(as_func_name(out, run->func), named ? "inner" : ""));
		assert_int_equal(cur.line, named ? 3 : 0);
		assert_int_equal(cur.addr, named ? 0x20 : 0x24);
	}
	as_profile_free(out);
	as_profile_free(prof);
	as_chains_release(&c);
}

static void test_a_function_that_is_called_by_its_address_gets_a_name(void **state)
{
	struct as_build b;
	struct as_chains c;
	struct as_profile *prof, *out;
	as_func main_func, nameless;

	(void)state;
	as_test_begin(&b, "Ir");
	main_func = as_test_func(&b, "main", "/bin/x", "x.c");
	nameless = as_test_func(&b, "0x0000000000001090", "/bin/x", "");
	as_test_self(&b, nameless, 0, 5);
	as_test_call(&b, main_func, nameless, 2, 5);
	prof = as_test_end(&b);
	assert_true(as_func_is_nameless(prof, nameless));
	assert_false(as_func_is_nameless(prof, main_func));
	assert_true(as_chains_init(&c, &as_alloc_libc));
	assert_true(as_chains_add(&c, prof->func.object.p[nameless.i], 0x1090));
	add_frame(&c, "inner", "i.h", 3);
	add_frame(&c, "outer", "o.c", 40);

	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_int_equal(out->func.name.n, 3);
	for (uint32_t f = 1; f < 3; f++)
		assert_true(as_slice_is(as_func_name(out, (as_func){f}), "main") ||
			    as_slice_is(as_func_name(out, (as_func){f}), "outer"));
	assert_true(out->total[0] == 5);
	assert_int_equal(out->call.n, 1);
	as_profile_free(out);
	as_profile_free(prof);
	as_chains_release(&c);
}

static uint32_t funcs_named(const struct as_profile *prof, const char *name)
{
	uint32_t n = 0;

	for (uint32_t f = 1; f < prof->func.name.n; f++)
		n += as_slice_is(as_func_name(prof, (as_func){f}), name);
	return n;
}

/* f and f'2 are one function whether it gets a name or only the place where it begins. */
static void test_levels_of_recursion_get_the_name_of_their_function(void **state)
{
	(void)state;
	for (int named = 0; named < 2; named++) {
		struct as_build b;
		struct as_chains c;
		struct as_profile *prof, *out;
		as_func first, second;

		as_test_begin(&b, "Ir");
		first = as_test_func(&b, "0x0000000000001090", "/bin/x", "");
		second = as_test_func(&b, "0x0000000000001090'2", "/bin/x", "");
		as_test_self(&b, first, 0, 5);
		as_test_self(&b, second, 0, 7);
		as_test_call(&b, first, second, 2, 7);
		prof = as_test_end(&b);
		assert_true(as_func_is_nameless(prof, second));
		assert_true(as_chains_init(&c, &as_alloc_libc));
		assert_true(as_chains_add(&c, prof->func.object.p[first.i], 0x1090));
		if (named)
			add_frame(&c, "f", "f.c", 3);
		else
			assert_true(as_chains_frame(&c, &(struct as_frame){.start = 0x1090}));
		assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
		assert_int_equal(out->func.name.n, named ? 3 : 2);
		assert_int_equal(funcs_named(out, "f"), named);
		assert_int_equal(funcs_named(out, "f'2"), named);
		assert_true(out->total[0] == 12 && out->call.n == 1);
		as_profile_free(out);
		as_profile_free(prof);
		as_chains_release(&c);
	}
}

extern const struct as_format as_format_gperf;

/* One to three frames for three of four addresses of PROF. */
static void chains_for(struct as_chains *c, const struct as_profile *prof)
{
	static const char *const name[] = {"inner", "middle", "outer"};
	uint64_t seed = 5;

	assert_true(as_chains_init(c, prof->al));
	for (uint32_t i = 1; i < prof->place.func.n; i++) {
		struct as_pos pos = as_place_pos(prof, (as_place){i});
		as_object o = prof->func.object.p[pos.func.i];

		if (as_chains_find(c, o, pos.addr) || as_test_next(&seed, 4) == 0)
			continue;
		assert_true(as_chains_add(c, o, pos.addr));
		for (uint32_t k = 0; k <= i % 3; k++)
			add_frame(c, name[2 - i % 3 + k], "x.c", k);
	}
}

static void test_names_do_not_change_what_is_written_as_gperf(void **state)
{
	char path[4096], data[1 << 16];
	struct mem_written before, after;
	struct mem_read read;
	struct as_profile *prof, *named;
	struct as_chains c;
	FILE *in;
	size_t n;

	(void)state;
	snprintf(path, sizeof(path), "%s/demo.prof", getenv("FIXTURES"));
	in = fopen(path, "rb");
	assert_non_null(in);
	n = fread(data, 1, sizeof(data), in);
	fclose(in);
	mem_read(&read, &(struct mem_how){.fmt = &as_format_gperf, .detail = AS_DETAIL_FULL},
		(struct as_slice){data, n});
	prof = mem_take(&read);
	assert_non_null(prof);
	chains_for(&c, prof);
	assert_int_equal(as_expand(prof, &c, &named, NULL), AS_OK);
	assert_true(named->node.parent.n > prof->node.parent.n);
	mem_write(&before, &as_format_gperf, prof);
	mem_write(&after, &as_format_gperf, named);
	assert_int_equal(before.rc, AS_OK);
	assert_int_equal(after.rc, AS_OK);
	assert_true(as_slice_eq(mem_bytes(&before), mem_bytes(&after)));
	mem_written_free(&before);
	mem_written_free(&after);
	as_chains_release(&c);
	as_profile_free(named);
	as_profile_free(prof);
}

/* ---- other addresses ---- */

/* Code of "/bin/x" at 0x10 with a name, at 0x20 and ODD without one, which calls what is called
 * "0x...30" there and jumps to it; "/lib/y" has the same; and a path to 0x40 of "/bin/x". */
static struct as_profile *offsets(uint64_t odd)
{
	static const char *const path[] = {"/bin/x", "/lib/y"};
	struct as_build b;
	as_val one = 1;

	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(path); i++) {
		as_func f = as_test_func(&b, "f", path[i], "x.c");
		as_func g = as_test_func(&b, "0x0000000000000030", path[i], "");
		struct as_pos at = {.func = f, .addr = 0x10};
		struct as_call call = {.callee = g, .addr = 0x30, .count = 1};
		struct as_jump jump = {.func = g, .addr = 0x38, .executed = 1, .followed = 1};
		as_place place;
		as_node node;

		b.prof->object.p[b.prof->func.object.p[f.i].i].addr_kind = AS_ADDR_FILE_OFFSET;
		assert_int_equal(as_build_self(&b, 0, &at, &one, 1), AS_OK);
		assert_int_equal(as_build_call(&b, 0, &at, &call, &one, 1), AS_OK);
		assert_int_equal(as_build_jump(&b, 0, &at, &jump), AS_OK);
		at.addr = 0x40;
		assert_int_equal(as_build_place(&b, &at, &place), AS_OK);
		assert_int_equal(as_build_push(&b, (as_node){0}, place, &node), AS_OK);
		assert_int_equal(as_build_sample(&b, 0, node, &one), AS_OK);
		for (uint64_t addr = 0x20; addr; addr = addr == 0x20 ? odd : 0) {
			at = (struct as_pos){.addr = addr};
			assert_int_equal(
				as_build_func(&b, as_slice_of(""), b.prof->func.object.p[f.i],
					(as_file){0}, addr, &at.func),
				AS_OK);
			assert_int_equal(as_build_self(&b, 0, &at, &one, 1), AS_OK);
		}
	}
	return as_test_end(&b);
}

/* Every address of OBJECT that PROF holds, in the order of the tables. */
static void expect_addresses(const struct as_profile *prof, uint32_t object, const char *want)
{
	const struct as_rows *const table[] = {&prof->self, &prof->call, &prof->jump};
	static const int target[] = {-1, AS_CALL_ADDR, AS_JUMP_ADDR};
	char got[256] = "";
	struct as_rows_cur cur;
	as_val v[AS_JUMP_WIDTH + 8];
	size_t n = 0;

	for (size_t t = 0; t < AS_ARRAY_LEN(table); t++)
		for (size_t i = 0; i < table[t]->run.n; i++) {
			const struct as_run *run = &table[t]->run.p[i];

			if (prof->func.object.p[run->func.i].i != object)
				continue;
			as_rows_begin(&cur, table[t], run, v);
			while (as_rows_next(&cur)) {
				n += (size_t)snprintf(
					got + n, sizeof(got) - n, "%" PRIx64 " ", cur.addr);
				if (target[t] >= 0)
					n += (size_t)snprintf(got + n, sizeof(got) - n, "->%x ",
						(unsigned)v[target[t]]);
			}
		}
	for (size_t i = 1; i < prof->place.func.n; i++)
		if (prof->func.object.p[prof->place.func.p[i].i].i == object)
			n += (size_t)snprintf(
				got + n, sizeof(got) - n, "%" PRIx64 " ", prof->place.addr.p[i]);
	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct as_slice name = as_func_name(prof, (as_func){f});

		if (prof->func.object.p[f].i != object)
			continue;
		if (name.len > 2)
			n += (size_t)snprintf(
				got + n, sizeof(got) - n, "%.*s ", AS_SLICE_FMT(name));
		else if (!name.len)
			n += (size_t)snprintf(
				got + n, sizeof(got) - n, "f%" PRIx64 " ", prof->func.addr.p[f]);
	}
	assert_string_equal(got, want);
}

static bool add_segments(struct as_chains *c)
{
	static const struct as_segment segment[] = {{{1}, 0, 0x18, 0x5000},
		{{1}, 0x18, 0x41, 0x1018}, {{1}, 0, 0x1000, 0x9000}, {{2}, 0, 0x41, 0x400000}};

	for (size_t i = 0; i < AS_ARRAY_LEN(segment); i++)
		if (!as_chains_segment(c, &segment[i]))
			return false;
	return true;
}

static void test_offsets_become_addresses_where_all_of_an_object_can(void **state)
{
	struct as_profile *prof = offsets(0x50), *out;
	struct as_chains c;

	(void)state;
	assert_true(as_chains_init(&c, prof->al));
	assert_true(add_segments(&c));
	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_true(out->total[0] == prof->total[0]);
	assert_int_equal(out->object.p[1].addr_kind, AS_ADDR_VIRTUAL);
	expect_addresses(out, 1,
		"5010 1020 9050 5010 ->1030 5010 ->1038 1040 0x0000000000001030 f1020 f9050 ");
	/* 0x50 lies in no segment */
	assert_int_equal(out->object.p[2].addr_kind, AS_ADDR_FILE_OFFSET);
	expect_addresses(out, 2, "10 20 50 10 ->30 10 ->38 40 f20 f50 0x0000000000000030 ");
	as_profile_free(out);
	as_chains_release(&c);
	as_profile_free(prof);
}

static void test_objects_that_only_their_addresses_told_apart_become_one(void **state)
{
	struct as_profile *prof = offsets(0), *out;
	struct as_chains c;

	(void)state;
	prof->object.p[1].path = prof->object.p[2].path;
	prof->object.p[1].addr_kind = AS_ADDR_VIRTUAL;
	assert_true(as_chains_init(&c, prof->al));
	assert_true(add_segments(&c));
	assert_int_equal(as_expand(prof, &c, &out, NULL), AS_OK);
	assert_true(out->total[0] == prof->total[0]);
	assert_int_equal(out->object.n, prof->object.n);
	for (uint32_t f = 1; f < out->func.name.n; f++)
		assert_int_equal(out->func.object.p[f].i, 1);
	as_profile_free(out);
	as_chains_release(&c);
	as_profile_free(prof);
}

/* ---- other names ---- */

static struct as_slice first_letter(const void *ctx, struct as_arena *arena, struct as_slice name)
{
	(void)ctx;
	(void)arena;
	return (struct as_slice){name.p, name.len ? 1 : 0};
}

static void test_functions_that_would_share_a_name_keep_theirs(void **state)
{
	struct as_renamer how = {.rename = first_letter};
	struct as_build b;
	struct as_profile *prof, *out;
	const char *const want[] = {"apple", "avocado", "b", "a"};

	(void)state;
	as_test_begin(&b, "Ir");
	as_test_self(&b, as_test_func(&b, "apple", "/bin/x", "x.c"), 1, 1);
	as_test_self(&b, as_test_func(&b, "avocado", "/bin/x", "x.c"), 1, 2);
	as_test_self(&b, as_test_func(&b, "banana", "/bin/x", "x.c"), 1, 3);
	as_test_self(&b, as_test_func(&b, "apricot", "/bin/y", "x.c"), 1, 4);
	prof = as_test_end(&b);
	assert_int_equal(as_rename(prof, &how, &out, NULL), AS_OK);
	assert_int_equal(out->func.name.n, 5);
	assert_true(out->total[0] == 10);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		bool found = false;

		for (uint32_t f = 1; f < out->func.name.n; f++)
			found |= as_slice_is(as_func_name(out, (as_func){f}), want[i]);
		assert_true(found);
	}
	as_profile_free(out);
	as_profile_free(prof);
}

static void test_other_names_change_no_cost(void **state)
{
	struct as_renamer how = {.rename = first_letter};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(
			seed, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS | AS_TEST_JUMPS |
				      (seed % 2 ? AS_TEST_CONTEXTS : AS_TEST_FACTS));
		struct as_profile *out;

		assert_int_equal(as_rename(prof, &how, &out, NULL), AS_OK);
		check_same(prof, out);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

static enum as_code expand_with(struct as_profile *prof, const struct as_alloc *al)
{
	struct as_profile *out = NULL;
	struct as_chains c;
	enum as_code rc = AS_E_NOMEM;

	prof->al = al; /* of what is made out of it */
	prof->object.p[1].addr_kind = AS_ADDR_FILE_OFFSET;
	if (as_chains_init(&c, al) && add_segments(&c) && as_chains_add(&c, (as_object){1}, 4) &&
		as_chains_frame(&c, &(struct as_frame){.line = 7}))
		rc = as_expand(prof, &c, &out, NULL);
	as_profile_free(out);
	as_chains_release(&c);
	prof->al = &as_alloc_libc;
	return rc;
}

static void test_running_out_of_memory_is_an_error_and_leaks_nothing(void **state)
{
	struct as_profile *prof = as_test_random(3, AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_PATHS);
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;

		fail_alloc_init(&fa, n);
		rc = expand_with(prof, &fa.al);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
	as_profile_free(prof);
}

int expand_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_are_kept_by_event_object_and_address),
		cmocka_unit_test(
			test_an_inlined_function_is_a_frame_below_its_caller_at_the_same_address),
		cmocka_unit_test(test_code_of_a_function_without_a_name_is_known_by_its_start),
		cmocka_unit_test(test_self_cost_goes_to_the_innermost_function),
		cmocka_unit_test(test_a_function_that_is_called_by_its_address_gets_a_name),
		cmocka_unit_test(test_levels_of_recursion_get_the_name_of_their_function),
		cmocka_unit_test(test_names_do_not_change_what_is_written_as_gperf),
		cmocka_unit_test(test_offsets_become_addresses_where_all_of_an_object_can),
		cmocka_unit_test(test_objects_that_only_their_addresses_told_apart_become_one),
		cmocka_unit_test(test_functions_that_would_share_a_name_keep_theirs),
		cmocka_unit_test(test_other_names_change_no_cost),
		cmocka_unit_test(test_running_out_of_memory_is_an_error_and_leaks_nothing),
	};

	return cmocka_run_group_tests_name("expand", tests, NULL, NULL);
}
