/* SPDX-License-Identifier: Apache-2.0 */
/* The text list, look-ups in it, handler frames, and the variants with names. */
#include "formats/gperf/gperf_testing.h"

/* ---- lines ---- */

struct line_case {
	const char *text;
	bool is_map, is_build, exec, glued, deleted;
	uint64_t start, limit, offset;
	const char *path;
};

static void test_lines_are_what_the_document_says(void **state)
{
	static const struct line_case cases[] = {
		{"40000000-40015000 r-xp 00000000 03:01 12845071   /lib/ld-2.3.2.so", true, false,
			true, false, false, 0x40000000, 0x40015000, 0, "/lib/ld-2.3.2.so"},
		{"7f00-7f10 r-xp 00001000 00:00 99 /a b/c d\r", true, false, true, false, false,
			0x7f00, 0x7f10, 0x1000, "/a b/c d"},
		{"7f00-7f10 rw-p 00001000 00:00 0           ", true, false, false, false, false,
			0x7f00, 0x7f10, 0x1000, ""},
		{"7f00-7f10 rw-p 00001000 00:00 0", true, false, false, false, false, 0x7f00,
			0x7f10, 0x1000, ""},
		{"ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0           [vsyscall]",
			true, false, true, false, false, 0xffffffffff600000, 0xffffffffff601000, 0,
			"[vsyscall]"},
		{"7f00-7f10 r-xp 00000000 00:00 123456789012/usr/lib/x.so", true, false, true, true,
			false, 0x7f00, 0x7f10, 0, "/usr/lib/x.so"},
		{"7f00-7f10 r-xp 00000000 00:00 99  /lib/x.so (deleted)", true, false, true, false,
			true, 0x7f00, 0x7f10, 0, "/lib/x.so"},
		{"40000000-40015000: /lib/ld-2.3.2.so", true, false, true, false, false, 0x40000000,
			0x40015000, 0, "/lib/ld-2.3.2.so"},
		{"  40000000-40015000: /lib/ld.so (@1a00)", true, false, true, false, false,
			0x40000000, 0x40015000, 0x1a00, "/lib/ld.so"},
		{"build=/path/to/binary", false, true, false, false, false, 0, 0, 0,
			"/path/to/binary"},
		{"   build=/path/to/binary\r", false, true, false, false, false, 0, 0, 0,
			"/path/to/binary"},
		/* "The first address must start at the beginning of the line." */
		{" 40000000-40015000 r-xp 00000000 03:01 12845071   /lib/ld-2.3.2.so", false, false,
			false, false, false, 0, 0, 0, NULL},
		{"40000000 r-xp 00000000 03:01 1 /x", false, false, false, false, false, 0, 0, 0,
			NULL},
		{"40000000-40015000 r-xp 00000000 0301 1 /x", false, false, false, false, false, 0,
			0, 0, NULL},
		{"40000000-40015000 r-xp 00000000 03:01 /x", false, false, false, false, false, 0,
			0, 0, NULL},
		{"40000000-40015000 code 00000000 03:01 1 /x", false, false, false, false, false, 0,
			0, 0, NULL},
		{"40000000-40015000: ", false, false, false, false, false, 0, 0, 0, NULL},
		{"11111111111111111-2 r-xp 0 03:01 1 /x", false, false, false, false, false, 0, 0,
			0, NULL},
		{"rebuild=/x", false, false, false, false, false, 0, 0, 0, NULL},
		{"", false, false, false, false, false, 0, 0, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		const struct line_case *c = &cases[i];
		struct as_map_line line = {.text = S(c->text)};

		as_map_line_parse(&line);
		assert_int_equal(line.is_map, c->is_map);
		assert_int_equal(line.is_build, c->is_build);
		if (c->path)
			assert_true(as_slice_is(line.path, c->path));
		if (!c->is_map)
			continue;
		assert_int_equal(line.exec, c->exec);
		assert_int_equal(line.glued, c->glued);
		assert_int_equal(line.deleted, c->deleted);
		assert_true(line.start == c->start && line.limit == c->limit);
		assert_int_equal(line.offset, c->offset);
	}
}

static void test_build_is_replaced_at_word_boundaries_only(void **state)
{
	static const struct {
		const char *path, *want;
		size_t n;
	} cases[] = {
		{"$build/prog", "/out/root/prog", 1},
		{"$build", "/out/root", 1},
		{"$builder/prog", "$builder/prog", 0},
		{"$build_2/prog", "$build_2/prog", 0},
		{"$build2", "$build2", 0},
		{"a$build$build-$builds", "a/out/root/out/root-$builds", 2},
		{"/none", "/none", 0},
	};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		size_t n;
		struct as_slice got = as_map_path(&ar, S(cases[i].path), S("/out/root"), &n);

		assert_true(as_slice_is(got, cases[i].want));
		assert_int_equal(n, cases[i].n);
	}
	as_arena_release(&ar);
}

static void test_the_first_of_overlapping_ranges_holds(void **state)
{
	static const struct as_addr_range in[] = {{100, 200, 5}, {150, 300, 2}, {140, 160, 9},
		{400, 500, 1}, {400, 500, 3}, {500, 500, 0}, {490, 510, 4}};
	static const struct {
		uint64_t pc;
		uint32_t map;
	} want[] = {{99, AS_ADDR_NOWHERE}, {100, 5}, {149, 5}, {150, 2}, {299, 2},
		{300, AS_ADDR_NOWHERE}, {400, 1}, {499, 1}, {500, 4}, {509, 4},
		{510, AS_ADDR_NOWHERE}};
	struct as_addr_ranges rs = {.al = &as_alloc_libc};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(in); i++)
		assert_true(as_vec_push(rs.al, &rs.row, in[i]));
	assert_true(as_addr_ranges_make(&rs));
	assert_true(rs.overlap);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++)
		assert_int_equal(as_addr_ranges_find(&rs, want[i].pc), want[i].map);
	as_vec_free(rs.al, &rs.row);
}

/* ---- lists ---- */

static void read_list(struct got *g, const char *text)
{
	struct file f;

	file_start(&f, 8, false);
	file_records(&f);
	read_ended(g, &f, text);
	assert_int_equal(g->rc, AS_OK);
	assert_int_equal((int)g->prof->total[0], 8);
}

static void test_the_last_build_line_holds_for_the_whole_list(void **state)
{
	struct got g;

	(void)state;
	read_list(&g, "build=/one\n"
		      "00400000-00500000 r-xp 00000000 00:00 1 $build/prog\n"
		      "b7000000-b7100000 r-xp 00001000 00:00 2 $builder/x.so\n"
		      "  build=/two\n");
	assert_int_equal((int)samples_at(g.prof, "/two/prog+0x1010 /two/prog+0x2014"), 2);
	assert_int_equal((int)samples_at(g.prof, "$builder/x.so+0x1100 /two/prog+0x2004"), 1);
	assert_clean(&g);
	got_release(&g);
	read_list(&g, "00400000-00500000 r-xp 00000000 00:00 1 $build/prog\n"
		      "b7000000-b7100000 r-xp 00001000 00:00 2 /x.so\n");
	assert_int_equal((int)samples_at(g.prof, "$build/prog+0x1010 $build/prog+0x2014"), 2);
	assert_finds(&g, AS_F_GP_MAP_BUILD_UNDEFINED, 1);
	got_release(&g);
}

static void test_odd_lines_are_kept_and_reported(void **state)
{
	struct got g;

	(void)state;
	read_list(&g, "hello world\n\n"
		      "00400000-00500000 r-xp 00000000 00:00 123456789012/tmp/prog (deleted)\r\n"
		      "b7000000-b7100000 r-xp 00001000 00:00 2 /x.so\n"
		      "b7000000-b7200000 r-xp 00002000 00:00 2 /y.so\n"
		      "A=B");
	assert_int_equal((int)samples_at(g.prof, "/x.so+0x1100 /tmp/prog+0x2004"), 1);
	assert_finds(&g, AS_F_GP_MAP_LINE_UNKNOWN, 2);
	assert_finds(&g, AS_F_GP_MAP_INODE_GLUED, 1);
	assert_finds(&g, AS_F_GP_MAP_DELETED, 1);
	assert_finds(&g, AS_F_GP_MAP_OVERLAP, 1);
	assert_int_equal(g.prof->map.n, 3);
	assert_true(as_slice_is(as_meta_get(g.prof, 0, "line 0"), "hello world"));
	assert_true(as_slice_is(as_meta_get(g.prof, 0, "line 5"), "A=B"));
	got_release(&g);
}

static void test_addresses_outside_of_files_stay_absolute(void **state)
{
	struct got g;

	(void)state;
	read_list(&g, "00400000-00500000 r-xp 00000000 00:00 1 /tmp/prog\n"
		      "b7000000-b7100000 rwxp 00000000 00:00 0           \n");
	assert_int_equal((int)samples_at(g.prof, "+0xb7000100 /tmp/prog+0x2004"), 1);
	assert_finds(&g, AS_F_GP_PC_UNMAPPED, 1);
	got_release(&g);
	read_list(&g, "00400000-00500000 r--p 00000000 00:00 1 /tmp/prog\n");
	assert_int_equal((int)samples_at(g.prof, "+0x401010 +0x402014"), 2);
	assert_finds(&g, AS_F_GP_NO_MAPS, 1);
	got_release(&g);
}

static void test_two_runs_at_different_addresses_have_equal_places(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_begin(&f, 8, false);
	for (uint64_t base = 0x400000; base <= 0x900000; base += 0x500000) {
		char map[100];

		file_header(&f);
		file_slots(&f, SLOTS(1, 2, base + 0x1000, base + 0x2005));
		file_trailer(&f);
		snprintf(map, sizeof(map), "%08x-%08x r-xp 00000000 00:00 1 /tmp/prog\n",
			(unsigned)base, (unsigned)base + 0x100000);
		file_text(&f, map);
	}
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->node.parent.n, 3);
	assert_int_equal((int)samples_at(g.prof, "/tmp/prog+0x1000 /tmp/prog+0x2004"), 2);
	got_release(&g);
}

/* ---- handler frames ---- */

/* Leaf, what the handler left, then true callers; a second stack without. */
static void read_handler(
	struct got *g, const char *lib, const uint64_t *slots, size_t n, const char *opt)
{
	struct file f;
	char text[400];

	file_start(&f, 8, false);
	file_slots(&f, slots, n);
	file_trailer(&f);
	snprintf(text, sizeof(text), MAPS "c0000000-c0010000 r-xp 00000000 00:00 1 %s\n", lib);
	file_text(&f, text);
	read_how(g, f.data, f.n, (struct how){.opt = opt});
	assert_int_equal(g->rc, AS_OK);
}

static void test_handler_frames_go_when_all_stacks_have_them(void **state)
{
	struct got g;

	(void)state;
	read_handler(&g, "/usr/lib/libprofiler.so.0.5.5",
		SLOTS(3, 4, 0x401000, 0xc0000105, 0xc0000205, 0x402005, 1, 3, 0x401010, 0xc0000105,
			0x402005, 1, 1, 0x401020),
		NULL);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000 " PROG "+0x2004"), 3);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1010 " PROG "+0x2004"), 1);
	assert_int_equal((int)g.prof->total[0], 5);
	assert_finds(&g, AS_F_GP_HANDLER_FRAMES, 1);
	got_release(&g);
}

static void test_calls_of_the_profiler_are_no_handler(void **state)
{
	struct got g;

	(void)state;
	read_handler(&g, "/usr/lib/libprofiler.so.0.5.5",
		SLOTS(3, 3, 0x401000, 0xc0000105, 0x402005, 1, 2, 0x401010, 0x402005), NULL);
	assert_int_equal((int)samples_at(g.prof, PROG
				 "+0x1000 /usr/lib/libprofiler.so.0.5.5+0x104 " PROG "+0x2004"),
		3);
	assert_finds(&g, AS_F_GP_HANDLER_FRAMES, 0);
	got_release(&g);
}

/* malloc's frames are in the same library as the handler's: being there proves nothing. */
static void test_tcmalloc_frames_are_kept(void **state)
{
	struct got g;

	(void)state;
	read_handler(&g, "/usr/lib/libtcmalloc_and_profiler.so.4",
		SLOTS(3, 3, 0x401000, 0xc0000105, 0x402005), NULL);
	assert_finds(&g, AS_F_GP_HANDLER_FRAMES, 0);
	assert_int_equal(g.prof->node.parent.n, 4);
	got_release(&g);
}

static void test_handler_frames_go_when_the_leaf_follows_again(void **state)
{
	struct got g;

	(void)state;
	read_handler(&g, "/usr/lib/libtcmalloc_and_profiler.so.4",
		SLOTS(3, 5, 0x401000, 0xc0000105, 0xb7000105, 0x401000, 0x402005, 1, 2, 0x401010,
			0x402005),
		NULL);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000 " PROG "+0x2004"), 3);
	assert_finds(&g, AS_F_GP_HANDLER_FRAMES, 1);
	got_release(&g);
}

/* 33 records, 32 of them with one caller: pprof takes it away, we do not. */
static void test_true_callers_are_cut_only_as_pprof_compatible(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	for (int i = 0; i < 32; i++)
		file_slots(&f, SLOTS(1, 3, 0x401000, 0x402005, 0x403005));
	file_slots(&f, SLOTS(100, 2, 0x401000, 0x403005));
	read_ended(&g, &f, MAPS);
	assert_int_equal(
		(int)samples_at(g.prof, PROG "+0x1000 " PROG "+0x2004 " PROG "+0x3004"), 32);
	assert_clean(&g);
	got_release(&g);
	/* Twice, as 0x403005 then stands above all leaves. */
	read_how(&g, f.data, f.n, (struct how){.opt = "compat=pprof"});
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000"), 132);
	got_release(&g);
	read_how(&g, f.data, f.n, (struct how){.opt = "compat=perl"});
	assert_int_equal(g.rc, AS_E_ARG);
	got_release(&g);
}

static void test_a_doubled_leaf_goes_only_as_pprof_compatible(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(1, 3, 0x401000, 0x401000, 0x403005));
	file_slots(&f, SLOTS(2, 2, 0x401010, 0x404005));
	read_ended(&g, &f, MAPS);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000 " PROG "+0xfff " PROG "+0x3004"), 1);
	got_release(&g);
	read_how(&g, f.data, f.n, (struct how){.opt = "compat=pprof"});
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000 " PROG "+0x3004"), 1);
	got_release(&g);
}

/* ---- variants ---- */

#define JAVA                                            \
	" 0x00000003 GC\n"                              \
	" 0x0000006 com.example.f06 (source.java:06)\n" \
	" 0x0000007 com.example.f07 (a b.java:-1)\n"    \
	" 0x0000008 native (/lib/libjvm.so)\n"          \
	" 0x0000009 generated stub/JIT\n"

static void test_java_locations_have_names_and_nothing_is_subtracted(void **state)
{
	struct as_pos pos;
	struct file f;
	struct got g;

	(void)state;
	file_begin(&f, 4, false);
	file_slots(&f, SLOTS(0, 3, 1, 10000, 0));
	file_slots(&f, SLOTS(2, 5, 3, 6, 7, 8, 9));
	file_slots(&f, SLOTS(1, 2, 5, 6));
	read_ended(&g, &f, JAVA);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)samples_at(g.prof, "GC+0x3 com.example.f06+0x6 com.example.f07+0x7 "
						 "native+0x8 STUB+0x9"),
		2);
	assert_int_equal((int)samples_at(g.prof, "+0x5 com.example.f06+0x6"), 1);
	assert_string_equal(as_str_get(g.prof, g.prof->version).p, "1 java 32-bit little-endian");
	assert_finds(&g, AS_F_GP_JAVA, 1);
	assert_int_equal(g.findings.row.n, 1);
	for (uint32_t i = 1; i < g.prof->place.func.n; i++) {
		pos = as_place_pos(g.prof, (as_place){i});
		if (pos.addr == 6) {
			assert_int_equal(pos.line, 6);
			assert_true(as_slice_is(as_file_path(g.prof, pos.file), "source.java"));
		} else if (pos.addr == 7) {
			assert_int_equal(pos.line, 0);
			assert_true(as_slice_is(as_file_path(g.prof, pos.file), "a b.java"));
		} else if (pos.addr == 8) {
			assert_true(as_slice_is(
				as_object_path(g.prof, g.prof->func.object.p[pos.func.i]),
				"/lib/libjvm.so"));
		}
	}
	got_release(&g);
}

static void begin_symbols(struct file *f)
{
	file_begin(f, 8, false);
	file_text(f, "--- symbol\nbinary=/bin/x\n"
		     "0x0000000000401000 leaf\n"
		     "0x0000000000402004 outer(int)--inner<a, b>\n"
		     "0x0000000000405000 CpuProfiler::prof_handler(int, siginfo_t*)\n"
		     "0x0000000000406000 __restore_rt\n"
		     "---\n--- profile\n");
	file_slots(f, SLOTS(0, 3, 0, 1, 0));
}

static void test_symbolized_profiles_have_names_and_inlined_callers(void **state)
{
	struct as_peek pk;
	struct file f;
	struct got g;

	(void)state;
	begin_symbols(&f);
	file_slots(&f, SLOTS(5, 3, 0x401000, 0x402004, 0x403004));
	pk = (struct as_peek){.head = {f.data, f.n}, .whole = true};
	assert_int_equal(as_format_gperf.probe(&pk), AS_PROBE_MAGIC);
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)samples_at(g.prof, "leaf+0x401000 inner<a, b>+0x402004 "
						 "outer(int)+0x402004 +0x403004"),
		5);
	assert_clean(&g); /* Perl's pprof writes neither trailer nor list */
	assert_false(g.prof->partial);
	got_release(&g);
}

static void test_handler_frames_are_known_by_name(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	begin_symbols(&f);
	file_slots(&f, SLOTS(5, 5, 0x401000, 0x405000, 0x406000, 0x400fff, 0x403004));
	file_slots(&f, SLOTS(1, 2, 0x401000, 0x403004));
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)samples_at(g.prof, "leaf+0x401000 +0x403004"), 6);
	assert_finds(&g, AS_F_GP_HANDLER_FRAMES, 1);
	got_release(&g);
}

static void test_other_symbolized_profiles_are_refused_by_name(void **state)
{
	static const char heap[] = "--- symbol\n0x1 f\n---\n--- heap\nx";
	static const char cut[] = "--- symbol\n0x1 f\n";
	struct got g;

	(void)state;
	read_how(&g, heap, sizeof(heap) - 1, (struct how){0});
	assert_int_equal(g.rc, AS_E_UNSUPPORTED);
	assert_string_equal(g.err.msg, "expected '--- profile', found '--- heap'");
	assert_int_equal(g.err.line, 4);
	got_release(&g);
	read_how(&g, cut, sizeof(cut) - 1, (struct how){0});
	assert_int_equal(g.rc, AS_E_TRUNC);
	got_release(&g);
}

int gperf_maps_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_are_what_the_document_says),
		cmocka_unit_test(test_build_is_replaced_at_word_boundaries_only),
		cmocka_unit_test(test_the_first_of_overlapping_ranges_holds),
		cmocka_unit_test(test_the_last_build_line_holds_for_the_whole_list),
		cmocka_unit_test(test_odd_lines_are_kept_and_reported),
		cmocka_unit_test(test_addresses_outside_of_files_stay_absolute),
		cmocka_unit_test(test_two_runs_at_different_addresses_have_equal_places),
		cmocka_unit_test(test_handler_frames_go_when_all_stacks_have_them),
		cmocka_unit_test(test_calls_of_the_profiler_are_no_handler),
		cmocka_unit_test(test_tcmalloc_frames_are_kept),
		cmocka_unit_test(test_handler_frames_go_when_the_leaf_follows_again),
		cmocka_unit_test(test_true_callers_are_cut_only_as_pprof_compatible),
		cmocka_unit_test(test_a_doubled_leaf_goes_only_as_pprof_compatible),
		cmocka_unit_test(test_java_locations_have_names_and_nothing_is_subtracted),
		cmocka_unit_test(test_symbolized_profiles_have_names_and_inlined_callers),
		cmocka_unit_test(test_handler_frames_are_known_by_name),
		cmocka_unit_test(test_other_symbolized_profiles_are_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
