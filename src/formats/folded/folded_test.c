/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/folded/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/sums_oracle.h"

extern const struct as_format as_format_folded;

#define S(text) as_slice_of(text)

static void read_with(struct mem_read *r, const char *text, const char *opt, bool strict)
{
	mem_read(r,
		&(struct mem_how){.fmt = &as_format_folded,
			.detail = AS_DETAIL_FULL,
			.strict = strict,
			.opt = opt,
			.name = "dir/x.folded"},
		S(text));
}

static void expect_written(const struct as_profile *prof, struct as_opts opts, const char *want)
{
	struct mem_written w;

	mem_write_with(&w, &as_format_folded, prof, 0, opts);
	assert_int_equal(w.rc, AS_OK);
	if (!as_slice_is(mem_bytes(&w), want))
		fail_msg("got:\n%.*s", AS_SLICE_FMT(mem_bytes(&w)));
	mem_written_free(&w);
}

/* TEXT read and written again is WANT. */
static void expect_again(const char *text, const char *want)
{
	struct mem_read r;

	read_with(&r, text, NULL, false);
	assert_int_equal(r.rc, AS_OK);
	expect_written(r.prof, (struct as_opts){NULL, 0}, want);
	mem_read_free(&r);
	if (strcmp(text, want) != 0)
		expect_again(want, want);
}

static void test_lines_are_sorted_frame_by_frame_and_equal_ones_added(void **state)
{
	(void)state;
	expect_again("b 1\na;c 2\na;b 3\na 4\nb 5\n", "a 4\na;b 3\na;c 2\nb 6\n");
	/* By bytes a blank comes before ';': by frames "a" comes before "a b". */
	expect_again("a b 1\na;z 2\n", "a;z 2\na b 1\n");
}

static void test_comments_blanks_and_line_ends_are_not_part_of_stacks(void **state)
{
	(void)state;
	expect_again("# made by hand\r\n\r\n  \r\nmain;f(int, char)  7\r\nmain;g\t8\t\r\n",
		"main;f(int, char) 7\nmain;g 8\n");
}

static void test_marks_are_known_and_written(void **state)
{
	static const char *const no[] = {"marks=no"};
	struct mem_read r;
	const char *text = "a;b_[i] 1\na;b_[i];c_[k] 2\na;d_[j] 3\na;e_[k]_[i] 4\na;f_[w] 5\n";

	(void)state;
	expect_again(text, text);
	expect_again("a; b _[j] ;\tc d\t 1\n", "a;b_[j];c d 1\n");
	read_with(&r, text, NULL, true);
	assert_int_equal(r.rc, AS_OK);
	for (size_t i = 1; i < r.prof->place.func.n; i++) {
		as_func f = r.prof->place.func.p[i];
		struct as_slice name = as_func_name(r.prof, f);
		struct as_slice in = as_object_path(r.prof, r.prof->func.object.p[f.i]);

		assert_int_equal(r.prof->place.inlined.p[i],
			as_slice_is(name, "b") || as_slice_is(name, "e"));
		assert_true(as_slice_is(in, as_slice_is(name, "c") || as_slice_is(name, "e")
						    ? "[kernel]"
					    : as_slice_is(name, "d") ? "[jit]"
								     : ""));
	}
	expect_written(
		r.prof, (struct as_opts){no, 1}, "a;b 1\na;b;c 2\na;d 3\na;e 4\na;f_[w] 5\n");
	mem_read_free(&r);
}

static void test_two_columns_are_two_events_if_all_lines_have_them(void **state)
{
	static const char *const pick[] = {"event=new"};
	struct mem_read r;

	(void)state;
	expect_again("a;b 1 2\na;c 0 5\na;d 3 0\n", "a;b 1 2\na;c 0 5\na;d 3 0\n");
	read_with(&r, "a;b 1 2\na;c 0 5\n", NULL, true);
	assert_int_equal(r.prof->event.n, 2);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[0].name), "base"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[1].name), "new"));
	assert_true(r.prof->total[0] == 1 && r.prof->total[1] == 7);
	expect_written(r.prof, (struct as_opts){pick, 1}, "a;b 2\na;c 5\n");
	mem_read_free(&r);
	/* A name may end in a number: one line without a second count decides. */
	expect_again("a;b 1 2\na;c 5\n", "a;b_1 2\na;c 5\n");
}

static void test_columns_can_be_told(void **state)
{
	struct mem_read r;

	(void)state;
	read_with(&r, "a;b 1 2\na;c 5\n", "columns=2", false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[AS_F_FO_ONE_COUNT], 1);
	assert_int_equal(r.findings.row.p[0].line, 2);
	assert_true(r.prof->total[0] == 1 && r.prof->total[1] == 2);
	mem_read_free(&r);
	read_with(&r, "a;b 1 2\n", "columns=1", true);
	assert_true(r.prof->event.n == 1 && r.prof->total[0] == 2);
	mem_read_free(&r);
	read_with(&r, "a;b 1\n", "columns=3", false);
	assert_int_equal(r.rc, AS_E_ARG);
	mem_read_free(&r);
}

static void test_fractions_are_rounded_and_told_or_scaled(void **state)
{
	static const struct {
		const char *text, *opt;
		int64_t total;
		uint64_t found;
	} t[] = {
		{"a;b 12.\na;c 3.000\n", NULL, 15, 0},
		{"a;b 2.5\n", NULL, 3, 1},
		{"a;b 2.49\na;c 0.5\n", NULL, 3, 2},
		{"a;b -2.5\n", NULL, -3, 1},
		{"a;b 2.5\na;c 0.125\n", "scale=1000", 2625, 0},
		{"a;b 0.0015\n", "scale=1000", 2, 1},
		{"a;b 0.10000000000000000000000000000000000001\n", "scale=10", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++) {
		struct mem_read r;

		read_with(&r, t[i].text, t[i].opt, false);
		assert_int_equal(r.rc, AS_OK);
		assert_true(r.prof->total[0] == t[i].total);
		assert_int_equal(r.findings.count[AS_F_FO_COUNT_FRACTION], t[i].found);
		mem_read_free(&r);
	}
}

static void test_scales_that_are_none_are_refused(void **state)
{
	static const char *const bad[] = {
		"scale=0", "scale=3", "scale=15", "scale=10000000000", "scale=x", "scale=-1"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(bad); i++) {
		struct mem_read r;

		read_with(&r, "a;b 1\n", bad[i], false);
		assert_int_equal(r.rc, AS_E_ARG);
		mem_read_free(&r);
	}
}

/* A bad line is left out, told with its number, and the rest is kept. */
static void test_bad_lines_are_told(void **state)
{
	static const struct {
		const char *text;
		enum as_finding_id id;
		uint64_t line;
		int64_t total;
	} t[] = {
		{"a;b 1\na;c\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\na;c x\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\na;c 0x12\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\na;c 1e3\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\na;c .5\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\na;c -\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\n77\na;d 2\n", AS_F_FO_NO_COUNT, 2, 3},
		{"a;b 1\n 77\na;d 2\n", AS_F_FO_NO_STACK, 2, 80},
		{"a;b 1\n# c\na;;c 77\n", AS_F_FO_FRAME_EMPTY, 3, 78},
		{"a;b 1\na;c 18446744073709551616\na;d 2\n", AS_F_COUNT_RANGE, 2, 3},
		{"a;b 1\na;c -9223372036854775809\na;d 2\n", AS_F_COUNT_RANGE, 2, 3},
		{"a;b 1\na;c 2", AS_F_FO_LINE_END, 2, 3},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++) {
		struct mem_read r;

		read_with(&r, t[i].text, NULL, false);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.findings.row.n, 1);
		assert_int_equal(r.findings.row.p[0].id, t[i].id);
		assert_int_equal(r.findings.row.p[0].line, t[i].line);
		assert_true(r.prof->total[0] == t[i].total);
		mem_read_free(&r);
		read_with(&r, t[i].text, NULL, true);
		assert_int_equal(
			r.rc, as_finding_severity(t[i].id) == AS_ERROR ? AS_E_FORMAT : AS_OK);
		mem_read_free(&r);
	}
}

static void test_the_largest_and_smallest_counts_are_kept(void **state)
{
	const char *text = "a 18446744073709551615\nb -9223372036854775808\n";
	struct mem_written w;
	struct mem_read r;

	(void)state;
	expect_again(text, text);
	/* Their sum in one stack is too large to be written. */
	read_with(&r, "a 18446744073709551615\na 1\n", NULL, false);
	mem_write(&w, &as_format_folded, r.prof);
	assert_int_equal(w.rc, AS_E_LIMIT);
	mem_written_free(&w);
	mem_read_free(&r);
}

static void test_other_text_is_not_taken_for_folded_stacks(void **state)
{
	static const struct {
		const char *text;
		enum as_probe band;
	} t[] = {
		{"a;b 1\n", AS_PROBE_LIKELY}, {"a;b 1", AS_PROBE_LIKELY},
		{"main 1\nmain;f 3\n", AS_PROBE_LIKELY}, {"# x\na;b 1\n", AS_PROBE_LIKELY},
		{"a;b 1\nx\na;c 2\n", AS_PROBE_WEAK}, {"main 12\n", AS_PROBE_WEAK},
		{AS_FOLDED_NOTHING, AS_PROBE_MAGIC}, {"", AS_PROBE_NO},
		{"# only a comment\n", AS_PROBE_NO},
		{"#!/bin/sh\nx=1; echo 2\ny=2; echo \"$x\"\n", AS_PROBE_NO},
		{"events: Ir\nfn=main\n16 20\n17 30\n", AS_PROBE_NO},
		{"int main(void)\n{\n\treturn 0;\n}\n", AS_PROBE_NO},
		{"for (i = 0; i < 10; i++)\n\tx += i;\n", AS_PROBE_NO},
		{"date;value\n2024-01-01;12\n2024-01-02;13\n", AS_PROBE_NO},
		{"Chapter 1\n\nIt was a dark night; the rain fell.\n", AS_PROBE_NO},
		{"{\"a\": [1, 2, 3]}\n", AS_PROBE_NO},
		{"a;b\0c 1\n", AS_PROBE_LIKELY}, /* ends at the NUL: "a;b" without a count */
	};

	(void)state;
	for (size_t i = 0; i + 1 < AS_ARRAY_LEN(t); i++) {
		struct as_peek pk = {.head = S(t[i].text), .whole = true};

		if (as_format_folded.probe(&pk) != t[i].band)
			fail_msg("%s: %d", t[i].text, (int)as_format_folded.probe(&pk));
	}
	assert_int_equal(
		as_format_folded.probe(&(struct as_peek){.head = {"a;b\0c 1\n", 8}, .whole = true}),
		AS_PROBE_NO);
}

static void test_what_is_something_else_is_refused_even_if_named(void **state)
{
	struct mem_read r;

	(void)state;
	read_with(&r, "Chapter 1\n\nIt was a dark night.\n", NULL, false);
	assert_int_equal(r.rc, AS_E_NOTPROFILE);
	mem_read_free(&r);
	read_with(&r, "", NULL, false);
	assert_int_equal(r.rc, AS_E_TRUNC);
	mem_read_free(&r);
}

/* The first name is longer than what a probe is shown. */
static void test_a_long_name_comes_first(void **state)
{
	enum { LONG = AS_PEEK_MAX + 100 };
	static const char fill[] = "ax<"; /* "x" is a number of a field to pprof */

	(void)state;
	for (const char *c = fill; *c; c++) {
		char *text = malloc(LONG + 16);
		struct as_peek pk = {.head = {text, AS_PEEK_MAX}};
		const struct as_format *fmt;
		struct mem_read r;
		struct as_err err;

		assert_non_null(text);
		memset(text, *c, LONG);
		memcpy(text + LONG, "f;g 3\n", 7);
		as_err_clear(&err);
		assert_int_equal(as_probe_formats(&pk, "", &fmt, &err), AS_OK);
		assert_ptr_equal(fmt, &as_format_folded);
		read_with(&r, text, NULL, false);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.prof->total[0], 3);
		mem_read_free(&r);
		free(text);
	}
}

/* A stack deeper than what is looked for at once, and one deeper than the limit. */
static void test_deep_stacks_are_read_up_to_the_limit(void **state)
{
	enum { DEEP = 1 << 16 };
	char *text = malloc(2 * DEEP + 16);
	struct mem_read r;

	(void)state;
	assert_non_null(text);
	for (int frames = 31; frames <= 97; frames++) {
		for (int i = 0; i < frames; i++)
			memcpy(text + 2 * (size_t)i, "f;", 2);
		memcpy(text + 2 * (size_t)frames - 1, " 1\n", 4);
		read_with(&r, text, NULL, true);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.prof->node.parent.n, frames + 1);
		assert_int_equal(r.prof->func.name.n, 2);
		mem_read_free(&r);
	}
	memcpy(text, "x 1\n", 4);
	for (int i = 0; i <= DEEP - 2; i++)
		memcpy(text + 4 + 2 * (size_t)i, "f;", 2);
	memcpy(text + 2 + 2 * DEEP, "f;g 1\n", 7);
	read_with(&r, text, NULL, false);
	assert_int_equal(r.rc, AS_E_LIMIT);
	assert_int_equal(r.err.line, 2);
	mem_read_free(&r);
	free(text);
}

/* Frames of one line that the next one begins with, cut everywhere. */
static void test_common_beginnings_do_not_mix_stacks_up(void **state)
{
	const char *text = "aa;bb;cc 1\naa;bb;ccc 2\naa;bb 3\naa;b 4\naa;bb;cc;dd 5\na 6\n"
			   "aa;bb;cc 7\n";

	(void)state;
	expect_again(text, "a 6\naa;b 4\naa;bb 3\naa;bb;cc 8\naa;bb;cc;dd 5\naa;bb;ccc 2\n");
}

static as_node push(struct as_build *b, as_node parent, const char *name, const char *object)
{
	struct as_pos pos = {.line = 0};
	as_object o = {0};
	as_place place;
	as_node node;

	if (object)
		assert_int_equal(
			as_build_object(b, S(object), (struct as_slice){NULL, 0}, &o), AS_OK);
	assert_int_equal(as_build_func(b, S(name), o, (as_file){0}, 0, &pos.func), AS_OK);
	if (!name[0])
		pos.addr = 0x1234;
	assert_int_equal(as_build_place(b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(b, parent, place, &node), AS_OK);
	return node;
}

/* Names that would not be read as they are become others, and that is counted. */
static void test_names_that_would_be_misread_are_changed_and_told(void **state)
{
	static const struct {
		const char *name, *object, *text;
		uint64_t changed;
	} t[] = {
		{"a;b", NULL, "r;a:b", 1},
		{" a\tb\n", NULL, "r;a b?", 1},
		{"f 12", NULL, "r;f_12", 1},
		{"f  12", NULL, "r;f _12", 1},
		{"f -1.5", NULL, "r;f_-1.5", 1},
		{"#f", NULL, "r;#f", 0},
		{"f(int, int)", NULL, "r;f(int, int)", 0},
		{" ", NULL, "r;[unknown]", 1},
		{"", NULL, "r;[0x1234]", 0},
		{"", "/lib/libc.so.6", "r;[libc.so.6+0x1234]", 0},
		{"k", "[kernel.kallsyms]", "r;k_[k]", 0},
		{"k", "/boot/vmlinux-6.1", "r;k_[k]", 0},
		{"j", "/tmp/perf-77.map", "r;j_[j]", 0},
		{"j", "/x/jitted-77-1.so", "r;j_[j]", 0},
		{"v", "[vdso]", "r;v", 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++) {
		struct as_profile *prof;
		struct mem_written w;
		struct as_build b;
		char want[64];
		uint32_t part, event;
		as_val one = 1;

		assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
		assert_int_equal(as_build_part(&b, &part), AS_OK);
		assert_int_equal(as_build_event(&b, S("samples"), S(""), &event), AS_OK);
		assert_int_equal(
			as_build_sample(&b, part,
				push(&b, push(&b, (as_node){0}, "r", NULL), t[i].name, t[i].object),
				&one),
			AS_OK);
		assert_int_equal(as_build_finish(&b, &prof), AS_OK);
		mem_write(&w, &as_format_folded, prof);
		assert_int_equal(w.rc, AS_OK);
		snprintf(want, sizeof(want), "%s 1\n", t[i].text);
		if (!as_slice_is(mem_bytes(&w), want))
			fail_msg("%s: got %.*s", t[i].name, AS_SLICE_FMT(mem_bytes(&w)));
		assert_int_equal(mem_lost(&w, "names"), t[i].changed);
		assert_int_equal(mem_lost(&w, "objects"), t[i].object != NULL);
		mem_written_free(&w);
		as_profile_free(prof);
	}
}

static void test_a_root_that_looks_like_a_comment_is_changed(void **state)
{
	struct as_profile *prof;
	struct mem_written w;
	struct as_build b;
	uint32_t part, event;
	as_val one = 1;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	assert_int_equal(as_build_event(&b, S("samples"), S(""), &event), AS_OK);
	assert_int_equal(
		as_build_sample(&b, part, push(&b, (as_node){0}, "#x", NULL), &one), AS_OK);
	assert_int_equal(as_build_sample(&b, part, (as_node){0}, &one), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	mem_write(&w, &as_format_folded, prof);
	assert_true(as_slice_is(mem_bytes(&w), "[unknown] 1\n_x 1\n"));
	assert_int_equal(mem_lost(&w, "names"), 1);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_a_profile_without_samples_is_a_line_that_says_so(void **state)
{
	struct mem_read r;

	(void)state;
	expect_again(AS_FOLDED_NOTHING, AS_FOLDED_NOTHING);
	read_with(&r, AS_FOLDED_NOTHING, NULL, true);
	assert_int_equal(r.findings.count[AS_F_NO_SAMPLES], 1);
	mem_read_free(&r);
}

/* ---- sums ---- */

static void read_sums(struct mem_read *r, struct as_slice text, const char *opt)
{
	mem_read(r, &(struct mem_how){.fmt = &as_format_folded, .sums = true, .opt = opt}, text);
	assert_int_equal(r->rc, AS_OK);
}

static void expect_sum(
	const struct as_profile *prof, const char *name, long self, long incl, bool recursive)
{
	for (size_t i = 0; i < prof->sums.func.n; i++) {
		const as_val *v = prof->sums.cost.p + 2 * prof->event.n * i;

		if (!as_slice_is(as_func_name(prof, prof->sums.func.p[i]), name))
			continue;
		assert_true(v[0] == self && v[prof->event.n] == incl);
		assert_int_equal(prof->sums.recursive.p[i], recursive);
		return;
	}
	fail_msg("no row '%s'", name);
}

static void test_sums_count_a_line_once_for_a_function(void **state)
{
	struct mem_read r;

	(void)state;
	read_sums(&r, S("main;f;g 3\nmain;f;f_[i];h 4\nmain 5\n 7\nmain;f;f;h 1\n"), NULL);
	assert_int_equal(r.prof->sums.func.n, 5);
	assert_int_equal(r.prof->shape, AS_SHAPE_PATHS);
	assert_true(r.prof->total[0] == 20); /* f_[i] in f is no recursion, f in f is */
	expect_sum(r.prof, "main", 5, 13, false);
	expect_sum(r.prof, "f", 0, 8, true);
	expect_sum(r.prof, "g", 3, 3, false);
	expect_sum(r.prof, "h", 5, 5, false);
	expect_sum(r.prof, "", 7, 7, false);
	mem_read_free(&r);
}

static void test_sums_of_two_columns_are_kept_apart(void **state)
{
	struct mem_read r;

	(void)state;
	read_sums(&r, S("a;b 1 10\na;c -2 20\n"), "columns=2");
	expect_sum(r.prof, "a", 0, -1, false);
	assert_true(r.prof->sums.cost.p[3] == 30); /* of a, inclusive, the second event */
	mem_read_free(&r);
}

/* Names of all lengths, so that their ends are at all places of a word; lines that share their
 * beginning; recursion. */
static size_t random_stacks(char *text, size_t size, uint64_t *state)
{
	size_t n = 0;

	for (unsigned line = 0; line < 60; line++) {
		unsigned depth = 1 + (unsigned)(as_hash_mix(++*state, 1) % 12);

		for (unsigned d = 0; d < depth && n + 64 < size; d++) {
			uint64_t h = as_hash_mix(++*state, d);
			unsigned len = 1 + (unsigned)(h >> 20) % 27;

			if (d)
				text[n++] = ';';
			for (unsigned i = 0; i < len; i++)
				text[n++] = (char)('a' + (i + 1 == len ? h % 3 : 0));
			n += (size_t)snprintf(text + n, size - n, "%s",
				h >> 60 == 1   ? "_[k]"
				: h >> 60 == 2 ? "_[i]"
				: h >> 60 == 3 ? "\xc3\xbc "
				: h >> 60 == 4 ? " (a.py:7)"
				: h >> 60 == 5 ? " (a.py:9)_[i]"
					       : "");
		}
		n += (size_t)snprintf(text + n, size - n, " %u\n", line % 5);
	}
	return n;
}

static void test_sums_are_those_of_the_paths(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		char text[32768];
		struct as_slice all = {text, random_stacks(text, sizeof(text), &seed)};
		struct mem_read paths, sums;

		mem_read(&paths, &(struct mem_how){.fmt = &as_format_folded}, all);
		assert_int_equal(paths.rc, AS_OK);
		read_sums(&sums, all, NULL);
		assert_true(sums_are_right(paths.prof, sums.prof));
		assert_int_equal(paths.findings.row.n, sums.findings.row.n);
		mem_read_free(&paths);
		mem_read_free(&sums);
	}
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	struct as_slice text = S("a;b_[i];c_[k] 1 2\na;b d 3 4\n# x\na;;#e 1 1\n 1 1\nf 1 3 4\n");

	(void)state;
	mem_starve(&as_format_folded, text);
	mem_starve_sums(&as_format_folded, text);
}

int folded_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_are_sorted_frame_by_frame_and_equal_ones_added),
		cmocka_unit_test(test_comments_blanks_and_line_ends_are_not_part_of_stacks),
		cmocka_unit_test(test_marks_are_known_and_written),
		cmocka_unit_test(test_two_columns_are_two_events_if_all_lines_have_them),
		cmocka_unit_test(test_columns_can_be_told),
		cmocka_unit_test(test_fractions_are_rounded_and_told_or_scaled),
		cmocka_unit_test(test_scales_that_are_none_are_refused),
		cmocka_unit_test(test_bad_lines_are_told),
		cmocka_unit_test(test_the_largest_and_smallest_counts_are_kept),
		cmocka_unit_test(test_other_text_is_not_taken_for_folded_stacks),
		cmocka_unit_test(test_what_is_something_else_is_refused_even_if_named),
		cmocka_unit_test(test_a_long_name_comes_first),
		cmocka_unit_test(test_deep_stacks_are_read_up_to_the_limit),
		cmocka_unit_test(test_common_beginnings_do_not_mix_stacks_up),
		cmocka_unit_test(test_names_that_would_be_misread_are_changed_and_told),
		cmocka_unit_test(test_a_root_that_looks_like_a_comment_is_changed),
		cmocka_unit_test(test_a_profile_without_samples_is_a_line_that_says_so),
		cmocka_unit_test(test_sums_count_a_line_once_for_a_function),
		cmocka_unit_test(test_sums_of_two_columns_are_kept_apart),
		cmocka_unit_test(test_sums_are_those_of_the_paths),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("folded", tests, NULL, NULL);
}
