/* SPDX-License-Identifier: Apache-2.0 */
/* Writing: the document's bytes, round trips, and what cannot be written. */
#include "formats/gperf/gperf_write_testing.h"

/* ---- the document's bytes ---- */

static void test_the_documents_bytes_are_written(void **state)
{
	static const struct {
		const char *width, *order, *bytes;
		size_t n;
	} cases[] = {
		{"width=32", "order=little",
			"\0\0\0\0\3\0\0\0\0\0\0\0\x10\x27\0\0\0\0\0\0"
			"\5\0\0\0\3\0\0\0\0\0\x0a\0\0\0\x0c\0\0\0\x0e\0"
			"\0\0\0\0\1\0\0\0\0\0\0\0",
			52},
		{"width=32", "order=big",
			"\0\0\0\0\0\0\0\3\0\0\0\0\0\0\x27\x10\0\0\0\0"
			"\0\0\0\5\0\0\0\3\0\x0a\0\0\0\x0c\0\0\0\x0e\0\0"
			"\0\0\0\0\0\0\0\1\0\0\0\0",
			52},
		{"width=64", "order=little",
			"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			"\x10\x27\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			"\5\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"
			"\0\0\x0a\0\0\0\0\0\0\0\x0c\0\0\0\0\0\0\0\x0e\0\0\0\0\0"
			"\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
			104},
		{"width=64", "order=big",
			"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0"
			"\0\0\0\0\0\0\x27\x10\0\0\0\0\0\0\0\0"
			"\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\3"
			"\0\0\0\0\0\x0a\0\0\0\0\0\0\0\x0c\0\0\0\0\0\0\0\x0e\0\0"
			"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0",
			104},
	};
	struct as_profile *prof;
	struct as_build b;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 5, {"", "", 0xa0000}, {"", "", 0xbffff}, {"", "", 0xdffff});
	finish(&b, &prof);
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		const char *opt[] = {cases[i].width, cases[i].order};
		struct written w;

		write_prof(&w, prof, opt, 2);
		assert_bytes(&w, cases[i].bytes, cases[i].n);
		assert_int_equal(w.losses.row.n, 0);
		written_release(&w);
	}
	as_profile_free(prof);
}

/* The slots that gperftools' own unit test demands of a writer. */
static void test_an_empty_profile_is_header_and_trailer(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct file f;

	(void)state;
	begin(&b, "samples");
	b.prof->event.p[0].period = 1000000;
	finish(&b, &prof);
	file_begin(&f, 8, false);
	file_slots(&f, SLOTS(0, 3, 0, 1000000, 0, 0, 1, 0));
	write_prof(&w, prof, NULL, 0);
	assert_bytes(&w, f.data, f.n);
	written_release(&w);
	as_profile_free(prof);
}

/* ---- what was read is written again ---- */

static void same_again(const struct file *f, const char *want, size_t n)
{
	struct written w, again;
	struct got g;

	read_file(&g, f);
	assert_int_equal(g.rc, AS_OK);
	write_prof(&w, g.prof, NULL, 0);
	assert_bytes(&w, want, n);
	got_release(&g);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_int_equal(g.rc, AS_OK);
	write_prof(&again, g.prof, NULL, 0);
	assert_bytes(&again, want, n);
	got_release(&g);
	written_release(&w);
	written_release(&again);
}

static void test_a_canonical_file_is_written_byte_for_byte(void **state)
{
	static const char list[] =
		"some line\n"
		"  build=/out\n"
		"00400000-00500000 r-xp 00000000 00:00 1234       $build/prog\r\n"
		"\n"
		"00500000-00600000 rw-p 00000000 00:00 0           \n"
		"b7000000-b7100000 r-xp 00001000 00:00 99 /lib/x y.so (deleted)\n"
		"A=B";
	struct file f;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		file_start(&f, i < 2 ? 4 : 8, i & 1);
		file_slots(&f, SLOTS(4, 0));
		file_slots(&f, SLOTS(9, 1, 0)); /* address 0 comes first */
		file_slots(&f, SLOTS(1, 2, 0x401000, 0));
		file_slots(&f, SLOTS(1, 1, 0x401000));
		file_slots(&f, SLOTS(2, 2, 0x401010, 0x402015));
		file_slots(&f, SLOTS(5, 2, 0x401010, 0x403005));
		file_slots(&f, SLOTS(5, 3, 0x401000, 0x402005, 0x403005));
		file_slots(&f, SLOTS(1, 3, 0xb7000100, 0x402005, 0x403005));
		file_slots(&f, SLOTS(3, 1, 0xc0000000));
		file_end(&f, list);
		same_again(&f, f.data, f.n);
	}
}

static void test_java_profiles_stay_java_profiles(void **state)
{
	struct file f;

	(void)state;
	file_begin(&f, 4, true);
	file_slots(&f, SLOTS(0, 3, 1, 10000, 0));
	file_slots(&f, SLOTS(1, 2, 3, 5));
	file_slots(&f, SLOTS(2, 2, 3, 6));
	file_end(&f, " 0x3 GC\n 0x6 f (a.java:12)\n");
	same_again(&f, f.data, f.n);
}

static void test_records_are_merged_and_sorted_whatever_their_order(void **state)
{
	static const uint64_t rec[6][4] = {{1, 2, 0x401000, 0x402005}, {2, 2, 0x401010, 0x402005},
		{3, 2, 0x401010, 0x402005}, {4, 2, 0x401000, 0x403005},
		{5, 2, 0xb7000100, 0x402005}, {6, 2, 0x402004, 0x402005}};
	static const int order[3][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 5, 0, 4, 1, 3}};
	struct file f, want;

	(void)state;
	file_start(&want, 8, false);
	file_slots(&want, SLOTS(1, 2, 0x401000, 0x402005, 5, 2, 0x401010, 0x402005));
	file_slots(&want, SLOTS(6, 2, 0x402004, 0x402005, 5, 2, 0xb7000100, 0x402005));
	file_slots(&want, SLOTS(4, 2, 0x401000, 0x403005));
	file_end(&want, MAPS);
	for (size_t k = 0; k < 3; k++) {
		file_start(&f, 8, false);
		for (size_t i = 0; i < 6; i++)
			file_slots(&f, rec[order[k][i]], 4);
		file_end(&f, MAPS);
		same_again(&f, want.data, want.n);
	}
}

/* The builder's tree, in the order in which it was filled, is no canonical one. */
static void test_a_tree_in_any_order_gives_the_same_bytes(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w, first;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		begin(&b, "samples");
		for (int i = 0; i < 3; i++) {
			if (i == (turn ? 0 : 2))
				SAMPLE(&b, 1, {"", "", 5}, {"", "", 900}, {"", "", 70});
			if (i == (turn ? 2 : 0))
				SAMPLE(&b, 2, {"", "", 6}, {"", "", 70});
			if (i == 1)
				SAMPLE(&b, 3, {"", "", 70}, {"", "", 20});
		}
		finish(&b, &prof);
		write_prof(turn ? &w : &first, prof, NULL, 0);
		as_profile_free(prof);
	}
	assert_bytes(&w, first.sink.data.p, first.sink.data.n);
	written_release(&w);
	written_release(&first);
}

static void test_width_and_order_can_be_changed_and_back(void **state)
{
	static const char *const to32be[] = {"width=32", "order=big"};
	static const char *const to64le[] = {"width=64", "order=little"};
	struct written w, back;
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(5, 3, 0x401000, 0x402005, 0x403005));
	file_slots(&f, SLOTS(1, 2, 0xb7000100, 0xb7000005));
	read_ended(&g, &f, MAPS);
	write_prof(&w, g.prof, to32be, 2);
	got_release(&g);
	assert_int_equal(w.rc, AS_OK);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){0});
	assert_string_equal(as_str_get(g.prof, g.prof->version).p, "0 32-bit big-endian");
	write_prof(&back, g.prof, to64le, 2);
	assert_bytes(&back, f.data, f.n);
	got_release(&g);
	written_release(&w);
	written_release(&back);
}

/* ---- several parts ---- */

static void two_runs(struct file *f, uint64_t second)
{
	char map[100];

	file_start(f, 8, false);
	file_records(f);
	file_end(f, MAPS);
	file_header(f);
	file_slots(f, SLOTS(4, 2, second + 0x1010, second + 0x2015));
	file_trailer(f);
	snprintf(map, sizeof(map),
		"%08" PRIx64 "-%08" PRIx64 " r-xp 00000000 00:00 1234       %s\n", second,
		second + 0x100000, PROG);
	file_text(f, map);
	if (second == 0x400000)
		file_text(f, strchr(MAPS, '\n') + 1);
}

static void test_parts_are_summed_and_equal_mappings_kept(void **state)
{
	struct file f;
	struct written w;
	struct got g;

	(void)state;
	two_runs(&f, 0x400000);
	read_file(&g, &f);
	write_prof(&w, g.prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "mappings"), 0);
	got_release(&g);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){0});
	assert_int_equal((int)g.prof->total[0], 12);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1010 " PROG "+0x2014"), 6);
	assert_int_equal(g.prof->map.n, 2);
	got_release(&g);
	written_release(&w);
}

static void test_conflicting_mappings_are_replaced_by_ours(void **state)
{
	struct file f;
	struct written w;
	struct got g;

	(void)state;
	two_runs(&f, 0xb7000000);
	read_file(&g, &f);
	assert_int_equal(g.prof->map.n, 3);
	write_prof(&w, g.prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "mappings"), 3);
	got_release(&g);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_clean(&g);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1010 " PROG "+0x2014"), 6);
	assert_int_equal((int)samples_at(g.prof, LIBX "+0x1100 " PROG "+0x2004"), 1);
	got_release(&g);
	written_release(&w);
}

/* ---- other formats ---- */

static void test_objects_without_mappings_get_ranges_of_their_own(void **state)
{
	/* 0x401fff is an address of no object, so the ranges begin behind it. */
	static const char want[] = "00402000-00404000 r-xp 00000000 00:00 0 /bin/a\n"
				   "00405000-00407000 r-xp 7fff0000 00:00 0 /lib/b c.so\n";
	size_t n = sizeof(want) - 1;
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct got g;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 1, {"/lib/b c.so", "", 0x7fff1234}, {"/bin/a", "", 0x1000});
	SAMPLE(&b, 2, {"/bin/a", "", 0x10}, {"/lib/b c.so", "", 0x7fff0800});
	SAMPLE(&b, 4, {"", "", 0x401fff}, {"/bin/a", "", 0x1000});
	for (size_t i = 1; i < b.prof->object.n; i++)
		b.prof->object.p[i].addr_kind = AS_ADDR_FILE_OFFSET;
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	as_profile_free(prof);
	assert_int_equal(w.rc, AS_OK);
	assert_memory_equal(w.sink.data.p + w.sink.data.n - n, want, n);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)samples_at(g.prof, "/lib/b c.so+0x7fff1234 /bin/a+0x1000"), 1);
	assert_int_equal((int)samples_at(g.prof, "/bin/a+0x10 /lib/b c.so+0x7fff0800"), 2);
	assert_int_equal((int)samples_at(g.prof, "+0x401fff /bin/a+0x1000"), 4);
	got_release(&g);
	written_release(&w);
}

static void test_functions_without_address_are_numbered(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct got g;

	(void)state;
	begin(&b, "Ir");
	SAMPLE(&b, 1, {"/bin/a", "zeta", 0}, {"/bin/a", "main", 0});
	SAMPLE(&b, 2, {"/bin/b", "known", 0x5010}, {"/bin/b", "other", 0}, {"/bin/a", "main", 0});
	SAMPLE(&b, 4, {"", "lost", 0});
	b.prof->event.p[0].period = 0;
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	as_profile_free(prof);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "invented-addresses"), 4);
	assert_int_equal(lost(&w, "period-in-time"), 1);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_int_equal((int)samples_at(g.prof, "/bin/a+0x2 /bin/a+0x1"), 1);
	assert_int_equal((int)samples_at(g.prof, "/bin/b+0x5010 /bin/b+0x6000 /bin/a+0x1"), 2);
	assert_int_equal((int)samples_at(g.prof, "[unknown]+0x1"), 4);
	assert_int_equal(g.prof->event.p[0].period, 1);
	got_release(&g);
	written_release(&w);
}

/* 999 Hz is one in 1001001.001 ns; a word of the header has whole microseconds. */
static void test_a_period_is_that_time_in_microseconds(void **state)
{
	static const struct {
		uint64_t period;
		const char *unit;
		uint64_t written, lost, rounded;
	} t[] = {
		{1001001, "nanoseconds", 1001, 0, 1},
		{1500, "nanoseconds", 2, 0, 1},
		{2000, "nanoseconds", 2, 0, 0},
		{499, "nanoseconds", 1, 0, 1},
		{10, "milliseconds", 10000, 0, 0},
		{5000000000, "milliseconds", 5000000000000, 0, 0},
		{2, "seconds", 2000000, 0, 0},
		{UINT64_MAX, "seconds", 1, 1, 0},
		{7, "bytes", 1, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++) {
		struct as_profile *prof;
		struct as_build b;
		struct written w;
		struct got g;

		begin(&b, "samples");
		SAMPLE(&b, 1, {"/bin/a", "", 0x10});
		b.prof->event.p[0].period = t[i].period;
		assert_int_equal(
			as_build_str(&b, as_slice_of(t[i].unit), &b.prof->event.p[0].period_unit),
			AS_OK);
		finish(&b, &prof);
		write_prof(&w, prof, NULL, 0);
		assert_int_equal(w.rc, AS_OK);
		assert_int_equal(lost(&w, "period-in-time"), t[i].lost);
		assert_int_equal(lost(&w, "period-rounded"), t[i].rounded);
		read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
		assert_int_equal(g.prof->event.p[0].period, t[i].written);
		got_release(&g);
		written_release(&w);
		as_profile_free(prof);
	}
}

static void test_inlined_functions_share_a_slot_and_recursion_does_not(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct got g;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 1, {"", "inner", 0x1000}, {"", "outer", 0x1000}, {"", "main", 0x2000});
	SAMPLE(&b, 2, {"", "fib", 0x3000}, {"", "fib", 0x3000}, {"", "main", 0x2000});
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	as_profile_free(prof);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){0});
	assert_int_equal((int)samples_at(g.prof, "+0x1000 +0x2000"), 1);
	assert_int_equal((int)samples_at(g.prof, "+0x3000 +0x3000 +0x2000"), 2);
	got_release(&g);
	written_release(&w);
}

static void test_one_event_is_written_the_one_that_is_named(void **state)
{
	static const char *const named[] = {"event=second"}, *const wrong[] = {"event=third"};
	struct as_profile *prof;
	struct as_build b;
	struct written w;
	struct got g;
	uint32_t n;

	(void)state;
	begin(&b, "first");
	assert_int_equal(as_build_event(&b, S("second"), S("count"), &n), AS_OK);
	SAMPLE(&b, 5, {"", "", 0x1000});
	finish(&b, &prof);
	write_prof(&w, prof, named, 1);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){0});
	assert_int_equal((int)g.prof->total[0], 7);
	got_release(&g);
	written_release(&w);
	write_prof(&w, prof, NULL, 0);
	read_how(&g, w.sink.data.p, w.sink.data.n, (struct how){0});
	assert_int_equal((int)g.prof->total[0], 5);
	got_release(&g);
	written_release(&w);
	write_prof(&w, prof, wrong, 1);
	assert_int_equal(w.rc, AS_E_ARG);
	assert_string_equal(w.err.msg, "there is no event 'third'");
	written_release(&w);
	as_profile_free(prof);
}

static void test_metadata_of_other_formats_is_reported(void **state)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 5, {"", "", 0x1000});
	assert_int_equal(as_build_meta(&b, 0, S("desc"), S("Trigger: end")), AS_OK);
	assert_int_equal(as_build_meta(&b, 0, S("line 0"), S("ours")), AS_OK);
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "metadata"), 1);
	assert_memory_equal(w.sink.data.p + w.sink.data.n - 5, "ours\n", 5);
	written_release(&w);
	as_profile_free(prof);
}

/* ---- what does not fit ---- */

static void refuses(as_val count, struct frame leaf, const char *opt, const char *msg)
{
	struct as_profile *prof;
	struct as_build b;
	struct written w;

	begin(&b, "samples");
	SAMPLE(&b, count, leaf, {"", "", 0x1000});
	finish(&b, &prof);
	write_prof(&w, prof, &opt, opt != NULL);
	assert_int_equal(w.rc, AS_E_LIMIT);
	assert_string_equal(w.err.msg, msg);
	written_release(&w);
	as_profile_free(prof);
}

static void test_what_a_word_cannot_hold_is_refused(void **state)
{
	struct frame low = {"", "", 0x2000};

	(void)state;
	refuses(-5, low, NULL, "a stack has the count -5; the format has no negative ones");
	refuses((as_val)1 << 63, low, NULL,
		"a stack has the count 9223372036854775808, more than a word of the file holds");
	refuses((as_val)1 << 32, low, "width=32",
		"a stack has the count 4294967296, more than a word of the file holds");
	refuses(1, (struct frame){"", "", UINT64_C(1) << 32}, "width=32",
		"the address 0x100000000 does not fit into 32 bits: write with width=64");
	refuses(1, (struct frame){"/bin/a", "", UINT64_MAX - 10}, NULL,
		"the addresses in '/bin/a' do not fit into the address space of the file");
	refuses(1, (struct frame){"/bin/a\nb", "", 4}, NULL,
		"the object '/bin/a\\x0ab' has an end of line or a NUL in its name");
}

static void test_wrong_options_are_refused(void **state)
{
	static const char *const bad[] = {"width=16", "order=middle"};
	struct as_profile *prof;
	struct as_build b;
	struct written w;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 5, {"", "", 0x1000});
	finish(&b, &prof);
	for (size_t i = 0; i < AS_ARRAY_LEN(bad); i++) {
		write_prof(&w, prof, &bad[i], 1);
		assert_int_equal(w.rc, AS_E_ARG);
		written_release(&w);
	}
	as_profile_free(prof);
}

int gperf_write_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_documents_bytes_are_written),
		cmocka_unit_test(test_an_empty_profile_is_header_and_trailer),
		cmocka_unit_test(test_a_canonical_file_is_written_byte_for_byte),
		cmocka_unit_test(test_java_profiles_stay_java_profiles),
		cmocka_unit_test(test_records_are_merged_and_sorted_whatever_their_order),
		cmocka_unit_test(test_a_tree_in_any_order_gives_the_same_bytes),
		cmocka_unit_test(test_width_and_order_can_be_changed_and_back),
		cmocka_unit_test(test_parts_are_summed_and_equal_mappings_kept),
		cmocka_unit_test(test_conflicting_mappings_are_replaced_by_ours),
		cmocka_unit_test(test_objects_without_mappings_get_ranges_of_their_own),
		cmocka_unit_test(test_functions_without_address_are_numbered),
		cmocka_unit_test(test_a_period_is_that_time_in_microseconds),
		cmocka_unit_test(test_inlined_functions_share_a_slot_and_recursion_does_not),
		cmocka_unit_test(test_one_event_is_written_the_one_that_is_named),
		cmocka_unit_test(test_metadata_of_other_formats_is_reported),
		cmocka_unit_test(test_what_a_word_cannot_hold_is_refused),
		cmocka_unit_test(test_wrong_options_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
