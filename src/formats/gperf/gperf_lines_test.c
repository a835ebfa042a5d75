/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about the run and about what was mapped: facts of the model, and back. */
#include "formats/gperf/gperf_write_testing.h"

#define RUN                                                             \
	"1fffffff0000-1fffffff1000 r-xp 00000000 00:00 0 [truncated]\n" \
	"assay: no frames of a signal handler\n"                        \
	"assay: command: /tmp/prog a%3db 100%25%0a\n"                   \
	"assay: process: 4711\n"                                        \
	"assay: started: 1488369600.000000005\n"                        \
	"assay: filter: filter_in_thread\n"                             \
	"assay: clock: wall\n"                                          \
	"000000400000-000000500000 r-xp 00000000 fe:00 7 " PROG "\n"    \
	"assay: build id: 000000400000 0123456789abcdef\n"              \
	"0000b7000000-0000b7100000 r-xp 00001000 fe:00 8 " LIBX "\n"    \
	"assay: build id: 0000b7000000 ABCDEF\n"                        \
	"assay: duration: 2.500000000\n"                                \
	"assay: cpu time: 0.125000000\n"

/* The profile whose list is TEXT. */
static void read_list(struct got *g, const char *text, size_t n)
{
	struct file f;

	file_start(&f, 8, false);
	file_slots(&f, SLOTS(1, 2, 0xb7000100, 0x402005));
	file_slots(&f, SLOTS(2, 2, 0x401010, 0x402015));
	file_slots(&f, SLOTS(5, 3, 0x401000, 0x402005, 0x403005));
	file_trailer(&f);
	file_bytes(&f, text, n);
	read_file(g, &f);
	assert_int_equal(g->rc, AS_OK);
}

static void read_text(struct got *g, const char *text)
{
	read_list(g, text, strlen(text));
}

/* The list that PROF is written with, behind its records. */
static void assert_list(const struct as_profile *prof, const char *text)
{
	struct written w;
	struct as_slice all, want = S(text);

	write_prof(&w, prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(w.losses.row.n, 0);
	all = (struct as_slice){w.sink.data.p, w.sink.data.n};
	assert_true(as_slice_ends(all, text));
	assert_int_equal(all.p[all.len - want.len - 1], 0); /* the trailer's last byte */
	written_release(&w);
}

static struct as_slice meta(const struct as_profile *prof, const char *key)
{
	return as_meta_get(prof, 0, key);
}

static struct as_slice id_of(const struct as_profile *prof, const char *path)
{
	for (uint32_t i = 1; i < prof->object.n; i++)
		if (as_slice_is(as_object_path(prof, (as_object){i}), path))
			return as_str_get(prof, prof->object.p[i].id);
	return S("no object");
}

static void test_lines_are_facts_and_are_written_as_they_were(void **state)
{
	struct got g;
	const struct as_part *part;

	(void)state;
	read_text(&g, RUN "assay: threads: 1 8 prog\nassay: of a later version: 3\n");
	assert_clean(&g);
	part = &g.prof->part.p[0];
	assert_true(as_slice_is(as_str_get(g.prof, part->command), "/tmp/prog a=b 100%\n"));
	assert_true(part->has_pid && part->pid == 4711);
	assert_true(as_slice_is(as_str_get(g.prof, part->thread), "prog"));
	assert_true(
		as_slice_is(as_str_get(g.prof, g.prof->epoch), "2017-03-01T12:00:00.000000005Z"));
	assert_true(g.prof->duration == INT64_C(2500000000));
	assert_true(as_slice_is(meta(g.prof, "assay: clock"), "wall"));
	assert_true(as_slice_is(meta(g.prof, "assay: filter"), "filter_in_thread"));
	assert_true(as_slice_is(meta(g.prof, "assay: cpu time"), "0.125000000"));
	assert_true(as_slice_is(id_of(g.prof, PROG), "0123456789abcdef"));
	assert_true(as_slice_is(id_of(g.prof, LIBX), "ABCDEF"));
	assert_int_equal((int)samples_at(g.prof, LIBX "+0x1100 " PROG "+0x2004"), 1);
	assert_list(g.prof, RUN "assay: threads: 1 8 prog\nassay: of a later version: 3\n");
	got_release(&g);
}

/* A name is the part's where one thread's samples are all there are. */
static void test_a_thread_has_a_name_if_it_is_alone(void **state)
{
	static const struct {
		const char *lines, *thread, *written;
	} cases[] = {
		{"assay: threads: 1 8 a%09b\n", "a\tb", "assay: threads: 1 8 a%09b\n"},
		{"assay: threads: 2 8 a\n", "", "assay: threads: 2 8 a\n"},
		{"assay: threads: 1 7 a\nassay: threads: 1 1 b\n", "",
			"assay: threads: 1 7 a\nassay: threads: 1 1 b\n"},
		{"assay: thread: a\n", "a", "assay: thread: a\n"},
		{"assay: threads: 1 8 \n", "", "assay: threads: 1 8 \n"},
		{"assay: threads: 1 8 a\nassay: thread: b\n", "b",
			"assay: thread: b\nassay: threads: 1 8 a\n"},
		{"assay: thread: a\nassay: threads: 1 8 a\n", "a", "assay: threads: 1 8 a\n"},
	};
	char text[512];
	struct got g;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		bool first = as_slice_starts(S(cases[i].written), "assay: thread:");
		size_t head = first ? strlen("assay: thread: b\n") : 0;

		snprintf(text, sizeof(text), MAPS "%s", cases[i].lines);
		read_text(&g, text);
		assert_true(
			as_slice_is(as_str_get(g.prof, g.prof->part.p[0].thread), cases[i].thread));
		snprintf(text, sizeof(text), "%.*s" MAPS "%s", (int)head, cases[i].written,
			cases[i].written + head);
		assert_list(g.prof, text);
		got_release(&g);
	}
}

/* Two builds of one path in one list are two objects, also when the mappings are ours. */
static void test_builds_of_a_path_are_kept_apart(void **state)
{
	const char *list = "00400000-00500000 r-xp 00000000 fe:00 7 " PROG "\n"
			   "assay: build id: 000000400000 aa\n"
			   "b7000000-b7100000 r-xp 00000000 fe:00 8 " PROG "\n"
			   "assay: build id: 0000b7000000 bb\n";
	struct written w;
	struct got g, again;

	(void)state;
	read_text(&g, list);
	assert_clean(&g);
	assert_list(g.prof, list);
	for (uint32_t i = 1; i < g.prof->object.n; i++)
		g.prof->object.p[i].addr_kind = AS_ADDR_VIRTUAL; /* no mapping fits now */
	write_prof(&w, g.prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "build-ids"), 0);
	read_how(&again, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_int_equal(again.rc, AS_OK);
	assert_clean(&again);
	assert_int_equal(again.prof->object.n, 3);
	for (uint32_t i = 1; i < 3; i++) {
		assert_true(as_slice_is(as_object_path(again.prof, (as_object){i}), PROG));
		assert_int_equal(again.prof->object.p[i].addr_kind, AS_ADDR_VIRTUAL);
	}
	assert_true(again.prof->object.p[1].id.i != again.prof->object.p[2].id.i);
	got_release(&again);
	written_release(&w);
	got_release(&g);
}

static void test_what_a_line_cannot_say_is_reported(void **state)
{
	struct as_profile *prof;
	struct as_slice all;
	struct as_build b;
	struct written w;
	size_t at;

	(void)state;
	begin(&b, "samples");
	SAMPLE(&b, 5, {PROG, "", 0x1000});
	assert_int_equal(as_build_str(&b, S("not hexadecimal"), &b.prof->object.p[1].id), AS_OK);
	assert_int_equal(as_build_str(&b, S("1969-12-31T23:59:59Z"), &b.prof->epoch), AS_OK);
	b.prof->duration = -1;
	finish(&b, &prof);
	write_prof(&w, prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(lost(&w, "build-ids"), 1);
	assert_int_equal(lost(&w, "epoch"), 1);
	assert_int_equal(lost(&w, "duration"), 1);
	all = (struct as_slice){w.sink.data.p, w.sink.data.n};
	at = as_slice_find_text(all, "assay: ");
	assert_true(as_slice_is(as_slice_skip(all, at), "assay: virtual addresses in " PROG "\n"));
	written_release(&w);
	as_profile_free(prof);
}

/* What is wrong is told with its place, and is no fact. */
static void test_a_wrong_line_is_found_at_its_byte(void **state)
{
	static const struct {
		const char *line;
		size_t at; /* in the line */
	} cases[] = {
		{"assay: process: -1", 16},
		{"assay: process: 18446744073709551616", 16},
		{"assay: process:12", 14},
		{"assay: command: %", 16},
		{"assay: command: %0", 16},
		{"assay: command: %zz", 16},
		{"assay: started: 9223372037.0", 16},
		{"assay: duration: 1.", 17},
		{"assay: cpu time: .5", 17},
		{"assay: threads: 1 8", 16},
		{"assay: threads: 1 8 %", 16},
		{"assay: clock: CPU", 14},
		{"assay: filter: none", 15},
		{"assay: build id: b7000000", 17},
		{"assay: build id: b7000001 aa", 17},
		{"assay: build id: b7000000 ", 17},
		{"assay: build id: b7000000 aa bb", 17},
	};
	uint64_t list = (5 + 4 + 4 + 5 + 3) * 8 + strlen(MAPS);
	char text[512];
	struct got g;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		snprintf(text, sizeof(text), MAPS "%s\n", cases[i].line);
		read_text(&g, text);
		assert_finds(&g, AS_F_GP_LINE_WRONG, 1);
		assert_int_equal(g.findings.row.n, 1);
		assert_int_equal(g.findings.row.p[0].off, list + cases[i].at);
		assert_int_equal(g.prof->meta.n, 0);
		assert_false(g.prof->part.p[0].has_pid);
		assert_int_equal(g.prof->part.p[0].command.i + g.prof->epoch.i, 0);
		assert_int_equal(id_of(g.prof, LIBX).len, 0);
		assert_list(g.prof, MAPS);
		got_release(&g);
	}
}

/* NUL, control characters, no UTF-8, and 60 kB: the model has the bytes, the file is text. */
static void test_hostile_text_is_one_line(void **state)
{
	static char text[1 << 16];
	static const char head[] = "assay: command: ", odd[] = "\0\x01\xff\xfe\x1b[31m%0a%00";
	size_t n = sizeof(head) - 1;
	struct as_slice command;
	struct written w;
	struct got g, again;

	(void)state;
	memcpy(text, head, n);
	memcpy(text + n, odd, sizeof(odd) - 1);
	n += sizeof(odd) - 1;
	memset(text + n, 'x', 60000);
	n += 60000;
	text[n++] = '\n';
	read_list(&g, text, n);
	command = as_str_get(g.prof, g.prof->part.p[0].command);
	assert_int_equal(command.len, sizeof(odd) - 1 - 4 + 60000);
	assert_memory_equal(command.p, "\0\x01\xff\xfe\x1b[31m\n\0xxx", 14);
	write_prof(&w, g.prof, NULL, 0);
	assert_int_equal(w.rc, AS_OK);
	read_how(&again, w.sink.data.p, w.sink.data.n, (struct how){.strict = true});
	assert_int_equal(again.rc, AS_OK);
	assert_finds(&again, AS_F_GP_LINE_WRONG, 0);
	assert_true(as_slice_eq(as_str_get(again.prof, again.prof->part.p[0].command), command));
	got_release(&again);
	written_release(&w);
	got_release(&g);
}

/* A recorder that was killed leaves room for lines; it says nothing. */
static void test_room_for_lines_is_no_line(void **state)
{
	struct got g;

	(void)state;
	read_text(&g, "assay: clock: cpu\n#......\n" MAPS "\n\n\n");
	assert_clean(&g);
	assert_int_equal(g.prof->meta.n, 1);
	got_release(&g);
	read_text(&g, MAPS "#....x\n\n");
	assert_int_equal(g.prof->meta.n, 2);
	assert_list(g.prof, MAPS "#....x\n\n");
	got_release(&g);
}

/* Of several profiles in one file, what holds for all of them. */
static void test_times_of_several_profiles(void **state)
{
	static const char *const first[] = {
		"assay: started: 20.0\nassay: duration: 1.5\n", "assay: started: 20.0\n"};
	struct file f;
	struct got g;

	(void)state;
	for (int i = 0; i < 2; i++) {
		file_start(&f, 8, false);
		file_end(&f, first[i]);
		file_header(&f);
		read_ended(
			&g, &f, "assay: started: 10.25\nassay: duration: 2.0\nassay: process: 7\n");
		assert_int_equal(g.prof->part.n, 2);
		assert_false(g.prof->part.p[0].has_pid);
		assert_true(g.prof->part.p[1].has_pid);
		assert_true(
			as_slice_is(as_str_get(g.prof, g.prof->epoch), "1970-01-01T00:00:10.25Z"));
		assert_true(g.prof->duration == (i ? 0 : INT64_C(3500000000)));
		got_release(&g);
	}
}

/* Processes of one recording: what they took side by side has passed once. */
static void test_times_of_processes_side_by_side(void **state)
{
	static const struct {
		const char *first, *second;
		int64_t duration;
	} cases[] = {
		{"assay: started: 20.0\nassay: duration: 1.5\n",
			"assay: started: 20.5\nassay: duration: 2.25\n", INT64_C(2750000000)},
		{"assay: started: 20.5\nassay: duration: 0.5\n",
			"assay: started: 20.0\nassay: duration: 2.0\n", INT64_C(2000000000)},
		{"assay: started: 20.0\nassay: duration: 1.5\n", "assay: duration: 2.0\n",
			INT64_C(3500000000)},
	};
	struct file f;
	struct got g;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		file_start(&f, 8, false);
		file_end(&f, cases[i].first);
		file_header(&f);
		read_ended(&g, &f, cases[i].second);
		assert_true(g.prof->duration == cases[i].duration);
		got_release(&g);
	}
}

int gperf_lines_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_are_facts_and_are_written_as_they_were),
		cmocka_unit_test(test_a_thread_has_a_name_if_it_is_alone),
		cmocka_unit_test(test_builds_of_a_path_are_kept_apart),
		cmocka_unit_test(test_what_a_line_cannot_say_is_reported),
		cmocka_unit_test(test_a_wrong_line_is_found_at_its_byte),
		cmocka_unit_test(test_hostile_text_is_one_line),
		cmocka_unit_test(test_room_for_lines_is_no_line),
		cmocka_unit_test(test_times_of_several_profiles),
		cmocka_unit_test(test_times_of_processes_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
