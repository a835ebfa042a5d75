/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dump/dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

extern const struct as_format as_format_dump;

#define S(text) as_slice_of(text)

static as_func func(struct as_build *b, const char *name, const char *object, const char *file)
{
	as_object ob;
	as_file fl;
	as_func fn;

	assert_int_equal(as_build_object(b, S(object), S(""), &ob), AS_OK);
	assert_int_equal(as_build_file(b, S(file), &fl), AS_OK);
	assert_int_equal(as_build_func(b, S(name), ob, fl, 0, &fn), AS_OK);
	return fn;
}

static struct as_pos pos(struct as_build *b, as_func fn, uint64_t line, uint64_t addr)
{
	return (struct as_pos){fn, b->prof->func.file.p[fn.i], line, addr, false};
}

static void self(struct as_build *b, struct as_pos at, as_val a, as_val c)
{
	as_val v[2] = {a, c};

	assert_int_equal(as_build_self(b, 0, &at, v, 2), AS_OK);
}

static void call(struct as_build *b, struct as_pos at, as_func callee, as_val cost)
{
	struct as_call c = {.callee = callee, .line = 20, .count = 2};
	as_val v[2] = {cost, 0};

	assert_int_equal(as_build_call(b, 0, &at, &c, v, 2), AS_OK);
}

static void jump(struct as_build *b, struct as_pos at, struct as_jump j)
{
	assert_int_equal(as_build_jump(b, 0, &at, &j), AS_OK);
}

static void begin(struct as_build *b)
{
	uint32_t n;

	assert_int_equal(as_build_init(b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(b, S("Ir"), S("count"), &n), AS_OK);
	assert_int_equal(as_build_event(b, S("Dr"), S(""), &n), AS_OK);
	assert_int_equal(as_build_part(b, &n), AS_OK);
}

/* Finish the build and compare the dump, made with the option OPT, with WANT. */
static void expect(struct as_build *b, const char *opt, const char *want)
{
	struct as_profile *prof;
	struct as_sink_mem sink;
	struct as_out out;
	struct as_wr wr = {.out = &out, .opts = {&opt, opt ? 1 : 0}};

	assert_int_equal(as_build_finish(b, &prof), AS_OK);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, NULL), AS_OK);
	assert_int_equal(as_format_write(&as_format_dump, &wr, prof), AS_OK);
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_true(as_vec_push(&as_alloc_libc, &sink.data, '\0'));
	assert_string_equal(sink.data.p, want);
	as_sink_mem_release(&sink);
	as_profile_free(prof);
}

static void test_an_empty_profile_has_a_head_and_a_total(void **state)
{
	struct as_build b;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	expect(&b, NULL, "assay-dump 1\nshape\ntotal\n");
}

#define FACTS                                                                           \
	"assay-dump 1\n"                                                                \
	"shape places calls\n"                                                          \
	"event \"Ir\" unit=\"count\"\n"                                                 \
	"event \"Dr\"\n"                                                                \
	"object \"a.out\"\n"                                                            \
	"part 0\n"                                                                      \
	"self 0 fn=\"f\" ob=\"a.out\" fl=\"a.c\" line=9: 4 5\n"                         \
	"self 0 fn=\"g\" fl=\"b.c\" at=\"a.c\" line=2: 1 0\n"                           \
	"self 0 fn=\"g\" fl=\"b.c\" line=1: 1 0\n"                                      \
	"self 0 fn=\"g\" fl=\"b.c\" line=2: 40 -2\n"                                    \
	"call 0 fn=\"f\" ob=\"a.out\" fl=\"a.c\" line=9 -> fn=\"g\" fl=\"b.c\" line=20" \
	" count=4: 42 0\n"                                                              \
	"total 46 3\n"

static void test_facts_are_summed_and_sorted_by_content(void **state)
{
	struct as_build b;
	struct as_pos inlined;
	as_func f, g;

	(void)state;
	begin(&b);
	f = func(&b, "f", "a.out", "a.c");
	g = func(&b, "g", "", "b.c");
	inlined = pos(&b, g, 2, 0);
	inlined.file = b.prof->func.file.p[f.i];
	self(&b, pos(&b, f, 9, 0), 4, 5);
	self(&b, pos(&b, g, 1, 0), 1, 0);
	self(&b, pos(&b, g, 2, 0), 40, -2);
	self(&b, inlined, 1, 0);
	call(&b, pos(&b, f, 9, 0), g, 42);
	call(&b, pos(&b, f, 9, 0), g, 0);
	expect(&b, NULL, FACTS);
}

static void test_the_order_of_building_does_not_matter(void **state)
{
	struct as_build b;
	struct as_pos inlined;
	as_func f, g;

	(void)state;
	begin(&b);
	g = func(&b, "g", "", "b.c");
	self(&b, pos(&b, g, 2, 0), 30, 0);
	f = func(&b, "f", "a.out", "a.c");
	call(&b, pos(&b, f, 9, 0), g, 21);
	inlined = pos(&b, g, 2, 0);
	inlined.file = b.prof->func.file.p[f.i];
	self(&b, inlined, 1, 0);
	self(&b, pos(&b, f, 9, 0), 3, 5);
	self(&b, pos(&b, g, 2, 0), 10, -2);
	self(&b, pos(&b, g, 1, 0), 1, 0);
	call(&b, pos(&b, f, 9, 0), g, 21);
	self(&b, pos(&b, f, 9, 0), 1, 0);
	expect(&b, NULL, FACTS);
}

static void test_jumps_say_only_what_differs_from_their_source(void **state)
{
	struct as_build b;
	as_func f, g;
	as_file a;

	(void)state;
	begin(&b);
	f = func(&b, "f", "", "a.c");
	g = func(&b, "g", "", "b.c");
	a = b.prof->func.file.p[f.i];
	jump(&b, pos(&b, f, 3, 0x30), (struct as_jump){.line = 4, .executed = 7, .followed = 7});
	/* the same function and file, said with words */
	jump(&b, pos(&b, f, 3, 0x30),
		(struct as_jump){.func = f,
			.other_file = true,
			.file = a,
			.line = 4,
			.executed = 1,
			.followed = 1});
	jump(&b, pos(&b, f, 3, 0x30),
		(struct as_jump){.conditional = true,
			.func = g,
			.addr = 0x99,
			.executed = 10,
			.followed = 3});
	expect(&b, NULL,
		"assay-dump 1\nshape\nevent \"Ir\" unit=\"count\"\nevent \"Dr\"\npart 0\n"
		"jump 0 fn=\"f\" fl=\"a.c\" line=3 addr=0x30 -> line=4: 8 8\n"
		"jcnd 0 fn=\"f\" fl=\"a.c\" line=3 addr=0x30 -> fn=\"g\" fl=\"b.c\" addr=0x99:"
		" 10 3\n"
		"total 0 0\n");
}

static as_node push(struct as_build *b, as_node parent, struct as_pos at)
{
	as_place place;
	as_node node;

	assert_int_equal(as_build_place(b, &at, &place), AS_OK);
	assert_int_equal(as_build_push(b, parent, place, &node), AS_OK);
	return node;
}

static void test_samples_stand_in_the_order_of_their_paths_from_the_root(void **state)
{
	static const as_node root = {0};
	as_val v[2] = {1, 0};
	struct as_build b;
	as_node mb, ma, n[5];
	as_func m, a, z;

	(void)state;
	begin(&b);
	z = func(&b, "z", "", "");
	m = func(&b, "m", "", "");
	a = func(&b, "a", "", "");
	n[0] = push(&b, root, pos(&b, z, 0, 0));
	mb = push(&b, root, pos(&b, m, 0, 0x20));
	ma = push(&b, root, pos(&b, m, 0, 0x10));
	n[1] = push(&b, mb, pos(&b, a, 0, 0));
	n[2] = push(&b, ma, pos(&b, z, 0, 0));
	n[3] = push(&b, ma, pos(&b, a, 0, 0));
	n[4] = root;
	for (size_t i = 0; i < AS_ARRAY_LEN(n); i++, v[0]++)
		assert_int_equal(as_build_sample(&b, 0, n[i], v), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, ma, v), AS_OK);
	expect(&b, NULL,
		"assay-dump 1\nshape paths\nevent \"Ir\" unit=\"count\"\nevent \"Dr\"\npart 0\n"
		"sample 0: 5 0\n"
		"sample 0 fn=\"m\" addr=0x10: 6 0\n"
		"sample 0 fn=\"m\" addr=0x10; fn=\"a\": 4 0\n"
		"sample 0 fn=\"m\" addr=0x10; fn=\"z\": 3 0\n"
		"sample 0 fn=\"m\" addr=0x20; fn=\"a\": 2 0\n"
		"sample 0 fn=\"z\": 1 0\n"
		"total 21 0\n");
}

static void test_code_without_a_name_is_its_address_however_it_is_said(void **state)
{
	struct as_build b;
	as_object ob;
	as_func one, all;

	(void)state;
	begin(&b);
	assert_int_equal(as_build_object(&b, S("/bin/x"), S("c0de"), &ob), AS_OK);
	b.prof->object.p[ob.i].text_start = 0x120000000;
	b.prof->object.p[ob.i].text_size = 4096;
	b.prof->object.p[ob.i].addr_kind = AS_ADDR_VIRTUAL;
	assert_int_equal(as_build_func(&b, S(""), ob, (as_file){0}, 0x120000010, &one), AS_OK);
	assert_int_equal(as_build_func(&b, S(""), ob, (as_file){0}, 0, &all), AS_OK);
	self(&b, pos(&b, one, 0, 0x120000010), 1, 0);
	self(&b, pos(&b, one, 0, 0x120000014), 1, 0);
	self(&b, pos(&b, all, 0, 0x120000020), 1, 0);
	expect(&b, NULL,
		"assay-dump 1\nshape places\nevent \"Ir\" unit=\"count\"\nevent \"Dr\"\n"
		"object \"/bin/x\" id=\"c0de\" text=0x120000000 size=4096 addresses=virtual\n"
		"part 0\n"
		"self 0 ob=\"/bin/x\" addr=0x120000020: 1 0\n"
		"self 0 ob=\"/bin/x\" addr=0x120000010: 1 0\n"
		"self 0 fn=0x120000010 ob=\"/bin/x\" addr=0x120000014: 1 0\n"
		"total 3 0\n");
}

static void test_objects_of_one_path_are_told_apart_by_their_ids(void **state)
{
	struct as_build b;
	as_object ob;
	as_func fn;

	(void)state;
	begin(&b);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(as_build_object(&b, S("/bin/x"), S(i ? "01" : "02"), &ob), AS_OK);
		assert_int_equal(as_build_func(&b, S("f"), ob, (as_file){0}, 0, &fn), AS_OK);
		self(&b, pos(&b, fn, 0, 0), i, 0);
	}
	expect(&b, NULL,
		"assay-dump 1\nshape places\nevent \"Ir\" unit=\"count\"\nevent \"Dr\"\n"
		"object \"/bin/x\" id=\"01\"\n"
		"object \"/bin/x\" id=\"02\"\n"
		"part 0\n"
		"self 0 fn=\"f\" ob=\"/bin/x\" id=\"01\": 1 0\n"
		"self 0 fn=\"f\" ob=\"/bin/x\" id=\"02\": 0 0\n"
		"total 1 0\n");
}

static void test_strings_are_escaped_so_that_every_text_has_one_form(void **state)
{
	struct as_build b;

	(void)state;
	begin(&b);
	assert_int_equal(as_build_meta(&b, 0, S("desc"), S("a\"b\\c\n\t\x7f d")), AS_OK);
	/* well-formed UTF-8 stands; a stray byte, an overlong form, a surrogate, C1 do not */
	assert_int_equal(
		as_build_meta(&b, 0, S(""), S("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80")), AS_OK);
	assert_int_equal(
		as_build_meta(&b, 0, S("x"), S("\xff \xc3 \xc0\xaf \xed\xa0\x80 \xc2\x85")), AS_OK);
	assert_int_equal(as_build_meta(&b, 0, S("nul"), (struct as_slice){"a\0b", 3}), AS_OK);
	expect(&b, NULL,
		"assay-dump 1\nshape\nevent \"Ir\" unit=\"count\"\nevent \"Dr\"\npart 0\n"
		"meta 0 \"desc\" \"a\\\"b\\\\c\\x0a\\x09\\x7f d\"\n"
		"meta 0 \"\" \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"\n"
		"meta 0 \"x\" \"\\xff \\xc3 \\xc0\\xaf \\xed\\xa0\\x80 \\xc2\\x85\"\n"
		"meta 0 \"nul\" \"a\\x00b\"\n"
		"total 0 0\n");
}

static void fill_tables(struct as_build *b)
{
	static const uint32_t events[] = {1, 0};
	static const as_val v[] = {7, -8};
	struct as_profile *prof;
	struct as_derived de = {0};
	struct as_map map = {.start = 0x5000, .limit = 0x6000, .exec = true};
	struct as_part *part;

	begin(b);
	prof = b->prof;
	part = &prof->part.p[0];
	prof->estimated = prof->partial = true;
	assert_int_equal(as_build_str(b, S("toy"), &prof->format), AS_OK);
	assert_int_equal(as_build_str(b, S("1.2"), &prof->version), AS_OK);
	assert_int_equal(as_build_str(b, S("1996-12-04T23:34Z"), &prof->epoch), AS_OK);
	assert_int_equal(as_build_str(b, S("Data reads"), &prof->event.p[1].title), AS_OK);
	prof->event.p[1].period = 100;
	assert_int_equal(as_build_str(b, S("events"), &prof->event.p[1].period_unit), AS_OK);
	assert_int_equal(as_build_str(b, S("CEst"), &de.name), AS_OK);
	assert_int_equal(as_build_str(b, S("Ir + 10 Dr"), &de.formula), AS_OK);
	assert_true(as_vec_push(prof->al, &prof->derived, de));
	assert_int_equal(as_build_str(b, S("x.out.1"), &part->name), AS_OK);
	assert_int_equal(as_build_str(b, S("./x -v"), &part->command), AS_OK);
	assert_int_equal(as_build_str(b, S("toy-1"), &part->creator), AS_OK);
	part->has_pid = part->has_tid = part->has_number = true;
	part->pid = 12;
	part->number = 3;
	part->positions = AS_POS_INSTR | AS_POS_LINE;
	assert_int_equal(as_build_part_events(b, 0, events, 2), AS_OK);
	part->summary = as_build_values(b, v, 2);
	part->totals = as_build_values(b, v, 2);
	part->n_summary = 2;
	part->n_totals = 1;
	assert_int_equal(as_build_object(b, S("/lib/z"), S(""), &map.object), AS_OK);
	assert_int_equal(as_build_map(b, &map), AS_OK);
	map = (struct as_map){.start = 0x1000, .limit = 0x2000, .offset = 16};
	assert_int_equal(as_build_map(b, &map), AS_OK);
}

#define TABLES                                                                  \
	"epoch \"1996-12-04T23:34Z\"\n"                                         \
	"shape\n"                                                               \
	"estimated\n"                                                           \
	"partial\n"                                                             \
	"event \"Ir\" unit=\"count\"\n"                                         \
	"event \"Dr\" period=100 period-unit=\"events\" title=\"Data reads\"\n" \
	"derived \"CEst\" formula=\"Ir + 10 Dr\"\n"                             \
	"object \"/lib/z\"\n"
#define PART                                                          \
	" command=\"./x -v\" creator=\"toy-1\" pid=12 tid=0 number=3" \
	" positions=instr,line\n"                                     \
	"part 0 events \"Dr\" \"Ir\"\n"                               \
	"part 0 summary 7 -8\n"                                       \
	"part 0 totals 7\n"                                           \
	"map 0 0x1000-0x2000 offset=0x10\n"                           \
	"map 0 0x5000-0x6000 offset=0x0 exec ob=\"/lib/z\"\n"         \
	"total 0 0\n"

static void test_every_field_of_the_tables_appears(void **state)
{
	struct as_build b;

	(void)state;
	fill_tables(&b);
	expect(&b, NULL, "assay-dump 1\n" TABLES "part 0" PART);
}

static void test_the_origin_is_told_when_asked_for(void **state)
{
	struct as_build b;

	(void)state;
	fill_tables(&b);
	expect(&b, "origin=yes",
		"assay-dump 1\nformat \"toy\"\nversion \"1.2\"\n" TABLES
		"part 0 name=\"x.out.1\"" PART);
}

int dump_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_profile_has_a_head_and_a_total),
		cmocka_unit_test(test_facts_are_summed_and_sorted_by_content),
		cmocka_unit_test(test_the_order_of_building_does_not_matter),
		cmocka_unit_test(test_jumps_say_only_what_differs_from_their_source),
		cmocka_unit_test(test_samples_stand_in_the_order_of_their_paths_from_the_root),
		cmocka_unit_test(test_code_without_a_name_is_its_address_however_it_is_said),
		cmocka_unit_test(test_objects_of_one_path_are_told_apart_by_their_ids),
		cmocka_unit_test(test_strings_are_escaped_so_that_every_text_has_one_form),
		cmocka_unit_test(test_every_field_of_the_tables_appears),
		cmocka_unit_test(test_the_origin_is_told_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
