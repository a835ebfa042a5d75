/* SPDX-License-Identifier: Apache-2.0 */
/* Reading: headers, records, trailers. Lines of the text list are in gperf_maps_test.c. */
#include "formats/gperf/gperf_testing.h"
#include "lib/fail_alloc.h"

static void assert_is_whole(const struct got *g)
{
	assert_int_equal(g->rc, AS_OK);
	assert_int_equal((int)g->prof->total[0], 8);
	assert_int_equal(
		(int)samples_at(g->prof, PROG "+0x1000 " PROG "+0x2004 " PROG "+0x3004"), 5);
	assert_int_equal((int)samples_at(g->prof, PROG "+0x1010 " PROG "+0x2014"), 2);
	assert_int_equal((int)samples_at(g->prof, LIBX "+0x1100 " PROG "+0x2004"), 1);
}

static void file_normal(struct file *f, uint32_t width, bool big)
{
	file_start(f, width, big);
	file_records(f);
	file_end(f, MAPS);
}

/* Bytes from the document's tables, not from our own helpers. */
static void test_the_documents_header_and_record_are_read(void **state)
{
	static const char le32[] = "\0\0\0\0\3\0\0\0\0\0\0\0\x10\x27\0\0\0\0\0\0"
				   "\5\0\0\0\3\0\0\0\0\0\x0a\0\0\0\x0c\0\0\0\x0e\0"
				   "\0\0\0\0\1\0\0\0\0\0\0\0";
	struct got g;

	(void)state;
	read_how(&g, le32, sizeof(le32) - 1, (struct how){0});
	assert_int_equal(g.rc, AS_OK);
	assert_string_equal(as_str_get(g.prof, g.prof->version).p, "0 32-bit little-endian");
	assert_int_equal(g.prof->event.n, 1);
	assert_string_equal(as_str_get(g.prof, g.prof->event.p[0].name).p, "samples");
	assert_int_equal(g.prof->event.p[0].period, 10000);
	assert_string_equal(as_str_get(g.prof, g.prof->event.p[0].period_unit).p, "microseconds");
	assert_int_equal((int)samples_at(g.prof, "+0xa0000 +0xbffff +0xdffff"), 5);
	assert_string_equal(as_str_get(g.prof, g.prof->part.p[0].name).p, "cpu.prof");
	assert_false(g.prof->partial);
	assert_finds(&g, AS_F_GP_NO_MAPS, 1);
	got_release(&g);
}

static void test_every_layout_is_read_to_the_same(void **state)
{
	static const char *const version[] = {"0 32-bit little-endian", "0 32-bit big-endian",
		"0 64-bit little-endian", "0 64-bit big-endian"};
	struct file f;
	struct got g;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct as_peek pk;

		file_normal(&f, i < 2 ? 4 : 8, i & 1);
		pk = (struct as_peek){.head = {f.data, f.n}, .whole = true};
		assert_int_equal(as_format_gperf.probe(&pk), AS_PROBE_SURE);
		read_file(&g, &f);
		assert_is_whole(&g);
		assert_string_equal(as_str_get(g.prof, g.prof->version).p, version[i]);
		assert_clean(&g);
		got_release(&g);
	}
}

static void test_equal_stacks_are_summed(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	for (uint64_t i = 0; i < 500; i++) {
		file_slots(&f, SLOTS(i, 3, 0x401000, 0x402005, 0x403005));
		file_slots(&f, SLOTS(1, 3, 0x401000 + i % 7, 0x402005, 0x403005));
	}
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->sample.node.n, 7);
	assert_int_equal((int)g.prof->total[0], 499 * 500 / 2 + 500);
	assert_int_equal(
		(int)samples_at(g.prof, PROG "+0x1003 " PROG "+0x2004 " PROG "+0x3004"), 71);
	assert_finds(&g, AS_F_GP_RECORD_ZERO_COUNT, 1);
	got_release(&g);
}

static void test_a_leaf_and_a_call_may_end_at_one_place(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(1, 2, 0x402004, 0x403005));
	file_slots(&f, SLOTS(2, 3, 0x401000, 0x402005, 0x403005));
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->node.parent.n, 4); /* root, 0x3004, 0x2004, 0x1000 */
	assert_int_equal((int)samples_at(g.prof, PROG "+0x2004 " PROG "+0x3004"), 1);
	got_release(&g);
}

/* ---- headers ---- */

struct head_case {
	uint64_t head[7];
	size_t n;
	enum as_code rc;
	enum as_finding_id finding;
	const char *msg;
	uint64_t off;
	enum as_probe probe;
};

static void test_headers_are_accepted_or_refused_with_a_reason(void **state)
{
	static const struct head_case cases[] = {
		{{0, 4, 0, 10000, 0, 77}, 6, AS_OK, AS_F_GP_HEADER_WORDS, NULL, 0, AS_PROBE_LIKELY},
		{{0, 5, 0, 10000, 0, 0, 1}, 7, AS_OK, AS_F_GP_HEADER_WORDS, NULL, 0,
			AS_PROBE_LIKELY},
		{{0, 3, 1, 10000, 0}, 5, AS_OK, AS_F_GP_VERSION, NULL, 0, AS_PROBE_SURE},
		{{0, 3, 7, 10000, 0}, 5, AS_OK, AS_F_GP_VERSION, NULL, 0, AS_PROBE_LIKELY},
		{{0, 3, 0, 0, 0}, 5, AS_OK, AS_F_GP_PERIOD_ZERO, NULL, 0, AS_PROBE_LIKELY},
		{{0, 3, 0, 10000, 9}, 5, AS_OK, AS_F_GP_PADDING, NULL, 0, AS_PROBE_LIKELY},
		{{0, 2, 0, 10000}, 4, AS_E_FORMAT, AS_F_GP_HEADER_SHORT,
			"the header must have at least 3 words, found 2", 8, AS_PROBE_WEAK},
		{{1, 3, 0, 10000, 0}, 5, AS_E_FORMAT, AS_F_COUNT,
			"the header count must be 0, found 1", 0, AS_PROBE_WEAK},
		{{0, 1 << 20, 0, 10000, 0}, 5, AS_E_FORMAT, AS_F_COUNT,
			"expected the header 0, 3, 0, PERIOD, 0 of a gperftools CPU profile", 0,
			AS_PROBE_NO},
	};
	struct file f;
	struct got g;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		const struct head_case *c = &cases[i];
		struct as_peek pk;

		file_begin(&f, 8, false);
		file_slots(&f, c->head, c->n);
		file_records(&f);
		file_end(&f, MAPS);
		pk = (struct as_peek){.head = {f.data, f.n}, .whole = true};
		assert_int_equal(as_format_gperf.probe(&pk), c->probe);
		read_file(&g, &f);
		assert_int_equal(g.rc, c->rc);
		if (c->finding != AS_F_COUNT)
			assert_finds(&g, c->finding, 1);
		if (c->rc == AS_OK) {
			assert_is_whole(&g);
			assert_int_equal(g.findings.row.n, 1);
		} else {
			assert_string_equal(g.err.msg, c->msg);
			assert_int_equal(g.err.off, c->off);
		}
		got_release(&g);
	}
}

static void test_a_file_that_ends_in_the_header_is_truncated(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_normal(&f, 8, false);
	f.n = 32;
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_E_TRUNC);
	assert_string_equal(g.err.msg, "the input ends inside the header, after 32 of 40 bytes");
	got_release(&g);
}

static void test_an_empty_file_says_that_the_program_did_not_end(void **state)
{
	struct got g;

	(void)state;
	read_how(&g, "", 0, (struct how){0});
	assert_int_equal(g.rc, AS_E_TRUNC);
	assert_non_null(strstr(g.err.msg, "the program did not end normally"));
	assert_finds(&g, AS_F_EMPTY_FILE, 1);
	got_release(&g);
}

/* ---- records ---- */

static void test_a_record_without_samples_is_reported_and_costs_nothing(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, true);
	file_slots(&f, SLOTS(0, 2, 0x401000, 0x402005));
	file_records(&f);
	read_ended(&g, &f, MAPS);
	assert_is_whole(&g);
	assert_finds(&g, AS_F_GP_RECORD_ZERO_COUNT, 1);
	assert_int_equal(g.findings.row.p[0].off, 40);
	assert_int_equal(g.prof->sample.node.n, 3);
	got_release(&g);
}

static void test_room_of_a_growing_file_is_one_finding(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(0, 4, GP_ROOM, 0, 0, 0));
	file_records(&f);
	file_slots(&f, SLOTS(0, 1, GP_ROOM));
	file_slots(&f, SLOTS(0, 2, GP_ROOM, 0x402005));
	read_ended(&g, &f, MAPS);
	assert_is_whole(&g);
	assert_finds(&g, AS_F_GP_ROOM, 1);
	assert_finds(&g, AS_F_GP_RECORD_ZERO_COUNT, 0);
	assert_int_equal(g.findings.row.p[0].off, 40);
	assert_true(as_slice_starts(g.findings.row.p[0].msg, "3 records are room"));
	assert_int_equal(g.prof->sample.node.n, 3);
	got_release(&g);
}

/* A sample at that address, or a record without samples whose leaf is another. */
static void test_records_that_are_no_room(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(3, 2, GP_ROOM, 0x402005));
	file_slots(&f, SLOTS(0, 2, 0x402005, GP_ROOM));
	read_ended(&g, &f, MAPS);
	assert_finds(&g, AS_F_GP_ROOM, 0);
	assert_finds(&g, AS_F_GP_RECORD_ZERO_COUNT, 1);
	assert_int_equal((int)g.prof->total[0], 3);
	got_release(&g);
}

static void test_samples_without_a_stack_are_counted(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(4, 0));
	file_records(&f);
	file_slots(&f, SLOTS(1, 0));
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)g.prof->total[0], 13);
	assert_int_equal((int)samples_at(g.prof, ""), 5);
	assert_finds(&g, AS_F_GP_RECORD_ZERO_DEPTH, 2);
	got_release(&g);
}

static void test_address_zero_is_kept_and_never_becomes_minus_one(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(3, 1, 0));
	file_slots(&f, SLOTS(2, 3, 0x401000, 0, 0x403005));
	file_slots(&f, SLOTS(1, 2, 1, 1));
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)g.prof->total[0], 6);
	assert_int_equal((int)samples_at(g.prof, "[null]+0x0"), 3);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000 [null]+0x0 " PROG "+0x3004"), 2);
	assert_int_equal((int)samples_at(g.prof, "+0x1 [null]+0x1"), 1);
	assert_finds(&g, AS_F_GP_PC_ZERO, 1);
	assert_int_equal(g.findings.row.p[0].off, 40);
	got_release(&g);
}

static void test_counts_beyond_63_bits_are_refused(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_slots(&f, SLOTS(UINT64_C(1) << 63, 1, 0x401234));
	file_records(&f);
	file_slots(&f, SLOTS(INT64_MAX, 1, 0x401234));
	file_slots(&f, SLOTS(INT64_MAX, 1, 0x401234));
	file_slots(&f, SLOTS(INT64_MAX, 1, 0x401234));
	file_slots(&f, SLOTS(5, 1, 0x401234));
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_true(g.prof->partial);
	assert_finds(&g, AS_F_COUNT_RANGE, 1);
	assert_true(samples_at(g.prof, PROG "+0x1234") == (as_val)3 * INT64_MAX + 5);
	got_release(&g);
	read_how(&g, f.data, f.n, (struct how){.strict = true});
	assert_int_equal(g.rc, AS_E_FORMAT);
	assert_int_equal(g.err.off, 40);
	got_release(&g);
}

static void test_a_sum_that_is_a_multiple_of_2_to_the_64_is_not_lost(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	for (int i = 0; i < 4; i++)
		file_slots(&f, SLOTS(UINT64_C(1) << 62, 2, 0x401234, 0x402005));
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_true(g.prof->total[0] == (as_val)1 << 64);
	assert_true(samples_at(g.prof, PROG "+0x1234 " PROG "+0x2004") == (as_val)1 << 64);
	got_release(&g);
}

static void test_a_depth_that_cannot_be_is_refused_and_the_list_found_again(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_records(&f);
	file_slots(&f, SLOTS(1, UINT64_C(1) << 40, 0x401000, 0x402005));
	read_ended(&g, &f, MAPS);
	assert_is_whole(&g);
	assert_true(g.prof->partial);
	assert_finds(&g, AS_F_GP_RECORD_DEPTH, 1);
	got_release(&g);
}

static void test_a_stack_deeper_than_the_limit_is_an_error(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_normal(&f, 8, false);
	read_how(&g, f.data, f.n, (struct how){.depth = 2});
	assert_int_equal(g.rc, AS_E_LIMIT);
	assert_string_equal(g.err.msg, "a stack of 3 frames is deeper than the limit of 2");
	got_release(&g);
}

static void test_a_stack_at_the_recorders_limit_is_reported(void **state)
{
	uint64_t slots[256] = {1, 254};
	struct file f;
	struct got g;

	(void)state;
	for (uint64_t i = 2; i < 256; i++)
		slots[i] = 0x400000 + i * 16;
	file_start(&f, 8, false);
	file_slots(&f, slots, 256);
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_finds(&g, AS_F_GP_DEPTH_LIMIT, 1);
	assert_int_equal(g.prof->node.parent.n, 255);
	got_release(&g);
}

/* ---- ends ---- */

static void test_records_may_end_without_trailer(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_records(&f);
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)g.prof->total[0], 8);
	assert_true(g.prof->partial);
	assert_finds(&g, AS_F_GP_NO_TRAILER, 1);
	got_release(&g);
}

static void test_text_after_records_without_trailer_is_found(void **state)
{
	static const char *const text[] = {MAPS, "  build=/x\n" MAPS,
		"  00400000-00500000: " PROG "\n  b7000000-b7100000: " LIBX " (@1000)\n"};
	struct file f;
	struct got g;

	(void)state;
	for (size_t i = 0; i < 2 * AS_ARRAY_LEN(text); i++) {
		file_start(&f, i & 1 ? 4 : 8, false);
		file_records(&f);
		file_text(&f, text[i / 2]);
		read_file(&g, &f);
		assert_is_whole(&g);
		assert_finds(&g, AS_F_GP_NO_TRAILER, 1);
		assert_false(g.prof->partial);
		got_release(&g);
	}
}

static void test_a_cut_record_is_left_out(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	file_records(&f);
	f.n -= 8;
	read_file(&g, &f);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal((int)g.prof->total[0], 7);
	assert_true(g.prof->partial);
	assert_finds(&g, AS_F_GP_RECORD_CUT, 1);
	got_release(&g);
	f.n -= 16; /* only the count of the third record is left */
	read_file(&g, &f);
	assert_int_equal((int)g.prof->total[0], 7);
	assert_finds(&g, AS_F_GP_RECORD_CUT, 1);
	got_release(&g);
}

/* Cut anywhere: whole records only, and the reason is given. */
static void test_a_file_cut_at_any_byte_keeps_its_whole_records(void **state)
{
	static const struct {
		size_t slots;
		int total;
	} ends[] = {{5, 0}, {10, 5}, {14, 7}, {18, 8}};
	struct file f;
	struct got g;

	(void)state;
	for (uint32_t width = 4; width <= 8; width += 4) {
		file_normal(&f, width, width == 4);
		for (size_t n = f.n; n-- > 0;) {
			int want = 0;

			read_how(&g, f.data, n, (struct how){0});
			for (size_t i = 0; i < AS_ARRAY_LEN(ends); i++)
				if (n >= ends[i].slots * width)
					want = ends[i].total;
			if (n < (size_t)GP_HEAD_SLOTS * width) {
				assert_int_not_equal(g.rc, AS_OK);
				assert_true(g.err.msg[0] != 0);
			} else {
				assert_int_equal(g.rc, AS_OK);
				assert_int_equal((int)g.prof->total[0], want);
				if (n < 21 * (size_t)width)
					assert_true(g.prof->partial && g.findings.row.n > 0);
			}
			got_release(&g);
		}
	}
}

static void test_profiles_in_one_file_are_parts_with_their_own_maps(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_normal(&f, 8, false);
	f.n--; /* the first list does not end in an end of line */
	file_header(&f);
	file_slots(&f, SLOTS(4, 1, 0x701000));
	read_ended(&g, &f, "00700000-00800000 r-xp 00000000 00:00 1234 " PROG "\n");
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->part.n, 2);
	assert_int_equal(g.prof->part.p[1].number, 2);
	assert_int_equal((int)g.prof->total[0], 12);
	assert_int_equal((int)samples_at(g.prof, PROG "+0x1000"), 4);
	assert_finds(&g, AS_F_GP_CONCATENATED, 1);
	assert_false(g.prof->partial);
	got_release(&g);
}

static void test_a_header_among_records_begins_the_next_profile(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 4, true);
	file_slots(&f, SLOTS(4, 1, 0x401000));
	file_slots(&f, SLOTS(0, 3, 0, 1000, 0));
	file_records(&f);
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->part.n, 2);
	assert_int_equal((int)g.prof->total[0], 12);
	assert_finds(&g, AS_F_GP_NO_TRAILER, 1);
	assert_finds(&g, AS_F_GP_PERIOD_DIFFERS, 1);
	assert_int_equal(g.prof->event.p[0].period, 10000);
	got_release(&g);
}

static void test_an_empty_profile_is_well_formed(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	file_start(&f, 8, false);
	read_ended(&g, &f, MAPS);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->sample.node.n, 0);
	assert_int_equal(g.prof->map.n, 2);
	assert_finds(&g, AS_F_NO_SAMPLES, 1);
	assert_int_equal(g.findings.row.n, 1);
	got_release(&g);
}

/* ---- memory ---- */

static void test_running_out_of_memory_is_a_return_value(void **state)
{
	struct fail_alloc fail;
	struct file f;
	struct got g;
	size_t n;

	(void)state;
	file_normal(&f, 8, false);
	file_header(&f);
	file_records(&f);
	file_end(&f, "build=/x\n" MAPS);
	for (n = 0; n < 1000; n++) {
		struct written w;

		fail_alloc_init(&fail, n + 1);
		read_how(&g, f.data, f.n, (struct how){.al = &fail.al});
		if (g.rc != AS_OK) {
			assert_int_equal(g.rc, AS_E_NOMEM);
			got_release(&g);
			continue;
		}
		write_prof(&w, g.prof, NULL, 0);
		got_release(&g);
		assert_true(w.rc == AS_OK || w.rc == AS_E_NOMEM);
		written_release(&w);
		if (w.rc == AS_OK)
			break;
	}
	assert_in_range(n, 20, 900);
}

int gperf_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_documents_header_and_record_are_read),
		cmocka_unit_test(test_every_layout_is_read_to_the_same),
		cmocka_unit_test(test_equal_stacks_are_summed),
		cmocka_unit_test(test_a_leaf_and_a_call_may_end_at_one_place),
		cmocka_unit_test(test_headers_are_accepted_or_refused_with_a_reason),
		cmocka_unit_test(test_a_file_that_ends_in_the_header_is_truncated),
		cmocka_unit_test(test_an_empty_file_says_that_the_program_did_not_end),
		cmocka_unit_test(test_a_record_without_samples_is_reported_and_costs_nothing),
		cmocka_unit_test(test_room_of_a_growing_file_is_one_finding),
		cmocka_unit_test(test_records_that_are_no_room),
		cmocka_unit_test(test_samples_without_a_stack_are_counted),
		cmocka_unit_test(test_address_zero_is_kept_and_never_becomes_minus_one),
		cmocka_unit_test(test_counts_beyond_63_bits_are_refused),
		cmocka_unit_test(test_a_sum_that_is_a_multiple_of_2_to_the_64_is_not_lost),
		cmocka_unit_test(test_a_depth_that_cannot_be_is_refused_and_the_list_found_again),
		cmocka_unit_test(test_a_stack_deeper_than_the_limit_is_an_error),
		cmocka_unit_test(test_a_stack_at_the_recorders_limit_is_reported),
		cmocka_unit_test(test_records_may_end_without_trailer),
		cmocka_unit_test(test_text_after_records_without_trailer_is_found),
		cmocka_unit_test(test_a_cut_record_is_left_out),
		cmocka_unit_test(test_a_file_cut_at_any_byte_keeps_its_whole_records),
		cmocka_unit_test(test_profiles_in_one_file_are_parts_with_their_own_maps),
		cmocka_unit_test(test_a_header_among_records_begins_the_next_profile),
		cmocka_unit_test(test_an_empty_profile_is_well_formed),
		cmocka_unit_test(test_running_out_of_memory_is_a_return_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
