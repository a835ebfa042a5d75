/* SPDX-License-Identifier: Apache-2.0 */
/* Details agree, writing is stable, and several threads write the same as one. */
#include "formats/callgrind/callgrind_testing.h"
#include "formats/callgrind/callgrind_write.h"
#include "lib/fail_alloc.h"

#include <errno.h>
#include <stdlib.h>

/* ---- details agree, and writing is stable ---- */

static const char mixed[] =
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./x a\npart: "
	"1\n\n"
	"desc: I1 cache: \ndesc: Trigger: Program termination\n\npositions: instr line\n"
	"event: Ir : Instruction Fetch\nevents: Ir Dr\nsummary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\n"
	"fn=(1) main\n0x10 1 10 1\n+4 +1 5\nfi=(2) i.h\n+2 7 3 3\nfe=(1)\ncob=(2) /lib/l.so\n"
	"cfi=(3) ???\ncfn=(2) puts\ncalls=2 0x900 0 \n* -6 20\njcnd=1/2 +8 +1 \n* "
	"*\n\nob=(2)\nfl=(3)\n"
	"fn=(2)\n0x900 0 20\n\ntotals: 38 4\n";

static void test_all_details_have_the_same_sums(void **state)
{
	struct mem_read d[AS_DETAIL_FULL + 1];

	(void)state;
	for (int i = 0; i <= AS_DETAIL_FULL; i++) {
		open_doc(&d[i], mixed, strlen(mixed), (enum as_detail)i, false);
		assert_int_equal(d[i].rc, AS_OK);
		assert_int_equal(total(&d[i], 0), 38);
		assert_int_equal(total(&d[i], 1), 4);
		assert_int_equal(self_of(&d[i], find(&d[i], NULL, "main"), 0), 18);
		expect_call(&d[i], "main", "puts", 2, 20);
	}
	assert_int_equal(d[AS_DETAIL_FUNC].prof->self.n, 2);
	assert_int_equal(d[AS_DETAIL_FUNC].prof->jump.n, 0);
	assert_int_equal(d[AS_DETAIL_FILE].prof->self.n, 3);
	assert_int_equal(d[AS_DETAIL_LINE].prof->self.n, 4);
	assert_int_equal(d[AS_DETAIL_FULL].prof->jump.n, 1);
	for (int i = 0; i <= AS_DETAIL_FULL; i++)
		mem_read_free(&d[i]);
}

/* A sample of the costs 3, 4 ... at f, of N events with these names, which its part HAS, or
 * doesn't say. */
static struct as_profile *with_events(const char *const *name, uint32_t n, bool has)
{
	struct as_pos pos = {.line = 7};
	struct as_profile *prof;
	struct as_build b;
	uint32_t list[8], part;
	as_val cost[8];

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	for (uint32_t i = 0; i < n; i++) {
		cost[i] = 3 + i;
		assert_int_equal(
			as_build_event(&b, as_slice_of(name[i]), as_slice_of(""), &list[i]), AS_OK);
	}
	if (has)
		assert_int_equal(as_build_part_events(&b, part, list, n), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of("f"), (as_object){0}, (as_file){0}, 0, &pos.func),
		AS_OK);
	assert_int_equal(as_build_self(&b, part, &pos, cost, n), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void test_event_names_that_are_no_words_move_no_column(void **state)
{
	static const char *const names[][4] = {
		{"", "cpu", "z", "y"},      /* it was "events:  cpu ..." */
		{"cpu", "z", "y", ""},      /* the last one was lost */
		{"cpu", "", "event2", "x"}, /* the name that it gets is taken */
		{"a b", "a_b", "a\tb", "a_b_"},
		{"=", ":", "a=b", "\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct as_profile *prof = with_events(names[i], 4, true);
		char *text = written(prof, NULL, 0);
		struct mem_read d;

		open_text(&d, text);
		expect_clean(&d);
		assert_int_equal(d.prof->event.n, 4);
		assert_int_equal(d.prof->derived.n, 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(total(&d, k), 3 + k);
		mem_read_free(&d);
		as_profile_free(prof);
		test_free(text);
	}
}

static void test_a_part_that_names_no_events_has_all(void **state)
{
	static const char *const names[] = {"a", "b"};
	struct as_profile *prof = with_events(names, 2, false);
	char *text = written(prof, NULL, 0);
	struct mem_read d;

	(void)state;
	open_text(&d, text);
	expect_clean(&d);
	assert_int_equal(total(&d, 0), 3);
	assert_int_equal(total(&d, 1), 4);
	mem_read_free(&d);
	as_profile_free(prof);
	test_free(text);
}

/* Where the only jump goes to: "object file name". */
static void expect_jump_to(const struct as_profile *prof, const char *want)
{
	struct as_rows_cur cur;
	as_val v[AS_JUMP_WIDTH];
	as_func f;
	char got[64];

	assert_int_equal(prof->jump.n, 1);
	as_rows_begin(&cur, &prof->jump, &prof->jump.run.p[0], v);
	assert_true(as_rows_next(&cur));
	f.i = (uint32_t)v[AS_JUMP_FUNC];
	snprintf(got, sizeof(got), "%.*s %.*s %.*s",
		AS_SLICE_FMT(as_object_path(prof, prof->func.object.p[f.i])),
		AS_SLICE_FMT(as_file_path(prof, prof->func.file.p[f.i])),
		AS_SLICE_FMT(as_func_name(prof, f)));
	assert_string_equal(got, want);
}

static void test_a_jump_into_another_object_and_file_is_written_as_such(void **state)
{
	static const char text[] =
		"events: I\nob=(1) o\nfl=(1) a.c\nfn=(1) main\n1 5\n\nob=(2) l\nfl=(2) b.c\n"
		"fn=(2) f\n2 7\n\npart: 2\nevents: I\nob=(1)\nfl=(1)\nfn=(1)\njfi=(3) i.h\n"
		"jfn=(2)\njump=4 9\n1\n1 5\n";
	static const char *const full[] = {"compress-strings=no"};
	struct mem_read d;

	(void)state;
	for (size_t n = 0; n <= 1; n++) {
		char *one, *two;

		open_text(&d, text);
		expect_jump_to(d.prof, "l b.c f");
		one = written(d.prof, full, n);
		assert_non_null(strstr(one, "# job=l\n# jfl=b.c\njfn="));
		mem_read_free(&d);
		open_text(&d, one);
		assert_int_equal(d.prof->func.name.n, 3);
		expect_jump_to(d.prof, "l b.c f");
		two = written(d.prof, full, n);
		assert_string_equal(one, two);
		mem_read_free(&d);
		test_free(one);
		test_free(two);
	}
}

static enum as_addr_kind kind_of(const struct mem_read *d, const char *path)
{
	for (size_t i = 1; i < d->prof->object.n; i++)
		if (as_slice_is(as_object_path(d->prof, (as_object){(uint32_t)i}), path))
			return d->prof->object.p[i].addr_kind;
	fail_msg("no object %s", path);
	return AS_ADDR_UNKNOWN;
}

static void test_addresses_that_are_file_offsets_are_told_from_virtual_ones(void **state)
{
	static const char text[] =
		"desc: assay.addresses: file offsets in b\ndesc: Trigger: x\npositions: instr\n"
		"events: I\nob=a\nfn=f\n0x10 5\nob=b\nfn=g\n0x10 7\n";
	struct mem_read d;
	char *one, *two;

	(void)state;
	open_text(&d, text);
	assert_int_equal(kind_of(&d, "a"), AS_ADDR_UNKNOWN);
	assert_int_equal(kind_of(&d, "b"), AS_ADDR_FILE_OFFSET);
	assert_int_equal(d.prof->meta.n, 1);
	one = written(d.prof, NULL, 0);
	assert_non_null(
		strstr(one, "\ndesc: Trigger: x\ndesc: assay.addresses: file offsets in b\n\n"));
	mem_read_free(&d);
	open_text(&d, one);
	assert_int_equal(kind_of(&d, "a"), AS_ADDR_UNKNOWN);
	assert_int_equal(kind_of(&d, "b"), AS_ADDR_FILE_OFFSET);
	two = written(d.prof, NULL, 0);
	assert_string_equal(one, two);
	mem_read_free(&d);
	test_free(one);
	test_free(two);
}

/* Two objects of one path: what one of them has for addresses cannot be said. */
static void test_two_kinds_of_addresses_of_one_path_are_a_loss(void **state)
{
	static const char text[] = "positions: instr\nevents: I\nob=a\nfn=f\n0x10 5\nob=b\n"
				   "fn=g\n0x10 7\n";
	struct mem_written w;
	struct mem_read d;

	(void)state;
	open_text(&d, text);
	d.prof->object.p[1].addr_kind = AS_ADDR_FILE_OFFSET;
	d.prof->object.p[2].path = d.prof->object.p[1].path;
	mem_write_with(&w, &as_format_callgrind, d.prof, 0, (struct as_opts){NULL, 0});
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(w.losses.row.n, 1);
	assert_string_equal(w.losses.row.p[0].kind, "addresses");
	assert_int_equal(w.losses.row.p[0].amount, 1);
	mem_written_free(&w);
	mem_read_free(&d);
}

static void test_a_file_is_written_as_it_was_meant(void **state)
{
	static const char want[] =
		"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./x a\n"
		"part: 1\ndesc: I1 cache:\ndesc: Trigger: Program termination\n\n"
		"positions: instr line\nevent: Ir : Instruction Fetch\nevents: Ir Dr\n"
		"summary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\nfn=(1) main\n0x10 1 10 1\n+4 +1 5\n"
		"cob=(2) /lib/l.so\ncfi=(2) ???\ncfn=(2) puts\ncalls=2 +2284 -2\n+2 -1 20\n"
		"jcnd=1/2 0x1e 8\n0x16 7\nfi=(3) i.h\n0x16 7 3 3\nfe=(1)\n\n"
		"ob=(2)\nfl=(2)\nfn=(2)\n0x900 0 20\n\ntotals: 38 4\n";
	struct mem_read d;
	char *text, *again;

	(void)state;
	open_text(&d, mixed);
	text = written(d.prof, NULL, 0);
	assert_string_equal(text, want);
	mem_read_free(&d);
	open_text(&d, text);
	again = written(d.prof, NULL, 0);
	assert_string_equal(text, again);
	test_free(text);
	test_free(again);
	mem_read_free(&d);
}

static void test_uncompressed_writing_reads_back_equal(void **state)
{
	static const char *const plain[] = {"compress-strings=no", "compress-pos=no"};
	struct mem_read d;
	char *text, *a, *b;

	(void)state;
	open_text(&d, mixed);
	a = written(d.prof, NULL, 0);
	text = written(d.prof, plain, 2);
	assert_null(strstr(text, "=("));
	assert_null(strstr(text, "\n+"));
	assert_null(strstr(text, "\n*"));
	mem_read_free(&d);
	open_text(&d, text);
	b = written(d.prof, NULL, 0);
	assert_string_equal(a, b);
	test_free(a);
	test_free(b);
	test_free(text);
	mem_read_free(&d);
}

/* No events, so calls are all there is; equal functions make their rows be written anew. */
static void test_calls_without_events_are_kept_at_all_details(void **state)
{
	static const char text[] =
		"events:\nfl=(1) a\nfn=(1) f\ncfn=(2) g\ncalls=3 5\n7\nfn=(3) g\nfl=(1)\nfn=(2)\n";
	struct mem_read d;

	(void)state;
	for (int i = 0; i <= AS_DETAIL_FULL; i++) {
		open_doc(&d, text, strlen(text), (enum as_detail)i, false);
		expect_call(&d, "f", "g", 3, 0);
		mem_read_free(&d);
	}
}

/* ---- several threads ---- */

/* Text of all that blocks can hold, at random. */
struct scribe {
	char *p;
	size_t n, cap;
	uint32_t seed;
	const char *positions;
};

static uint32_t chance(struct scribe *s, uint32_t n)
{
	s->seed = s->seed * 1664525 + 1013904223;
	return (s->seed >> 8) % n;
}

static void AS_PRINTF(2, 3) say(struct scribe *s, const char *fmt, ...)
{
	va_list ap;

	assert_true(s->cap - s->n > 200);
	va_start(ap, fmt);
	s->n += (size_t)vsnprintf(s->p + s->n, s->cap - s->n, fmt, ap);
	va_end(ap);
}

static void say_place(struct scribe *s)
{
	if (strstr(s->positions, "instr"))
		say(s, "0x%x ", 0x1000 + chance(s, 60));
	if (strstr(s->positions, "line"))
		say(s, "%u ", chance(s, 20) ? 1 + chance(s, 30) : 20000 + chance(s, 30000));
}

static void say_row(struct scribe *s)
{
	say_place(s);
	switch (chance(s, 10)) {
	case 0:
		say(s, "\n");
		break;
	case 1:
		say(s, "%d %d\n", -(int)chance(s, 50), (int)chance(s, 50) - 25);
		break;
	case 2:
	case 3:
		say(s, "0 %u\n", chance(s, 3));
		break;
	case 4:
		say(s, "36028797018963969 7\n");
		break;
	default:
		say(s, "%u\n", chance(s, 2) ? chance(s, 10) : chance(s, 1 << 20));
	}
}

static void say_call_or_jump(struct scribe *s)
{
	uint32_t f = chance(s, 40);

	switch (chance(s, 3)) {
	case 0:
		say(s, "jcnd=%u/%u ", chance(s, 5), 5 + chance(s, 5));
		say_place(s);
		say(s, "\n");
		say_place(s);
		say(s, "\n");
		return;
	case 1:
		say(s, "cob=o%u\n", f % 3);
		say(s, "cfi=d/f%u.c\n", f % 7);
		break;
	default:
		f = f / 21 * 21; /* all in the same */
		say(s, "cob=o%u\ncfi=d/f%u.c\n", f % 3, f % 7);
	}
	say(s, "cfn=fn%u\ncalls=%u ", f, chance(s, 4));
	say_place(s);
	say(s, "\n");
	say_row(s);
}

static void say_func(struct scribe *s, uint32_t f, bool inlined)
{
	uint32_t n = chance(s, 10) ? chance(s, 12) : 100; /* giants among them */

	say(s, "ob=o%u\nfl=d/f%u.c\nfn=fn%u\n", f % 3, f % 7, f);
	for (uint32_t i = 0; i < n; i++) {
		if (chance(s, 6) == 0)
			say(s, "fi=g%u.h\n", chance(s, 4));
		else if (chance(s, 6) == 0)
			say(s, "fe=d/f%u.c\n", f % 7);
		if (inlined && chance(s, 6) == 0)
			say(s, "cfni=fn%u\n", chance(s, 40));
		if (chance(s, 4) == 0)
			say_call_or_jump(s);
		else
			say_row(s);
	}
}

static void open_random(
	struct mem_read *d, const char *positions, uint32_t parts, const struct as_alloc *al)
{
	struct mem_how how = {
		.fmt = &as_format_callgrind, .al = al, .detail = AS_DETAIL_FULL, .name = "x"};
	struct scribe s = {.cap = 1 << 19, .seed = parts + (uint32_t)strlen(positions)};

	s.positions = positions;
	s.p = test_malloc(s.cap);
	say(&s, "version: 1\ncreator: c\n");
	for (uint32_t part = 1; part <= parts; part++) {
		say(&s, "part: %u\nthread: 1\npositions: %s\nevents: Ir Dr\n", part, positions);
		for (uint32_t f = 0; f < 40; f++)
			say_func(&s, f, part == 2);
	}
	mem_read(d, &how, (struct as_slice){s.p, s.n});
	assert_int_equal(d->rc, AS_OK);
	test_free(s.p);
}

/* What several threads can do, in an order that one of them would not. */
static void run_backwards(
	struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	(void)ex;
	while (n)
		task(arg, --n);
}

static void run_forwards(
	struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	(void)ex;
	for (unsigned i = 0; i < n; i++)
		task(arg, i);
}

static void write_in_batches(struct mem_written *w, const struct as_profile *prof,
	const struct as_wr *how, uint32_t rows)
{
	struct as_out out;
	struct as_wr wr = *how;
	enum as_code end;

	wr.out = &out;
	wr.err = &w->err;
	wr.losses = &w->losses;
	as_err_clear(&w->err);
	as_losses_init(&w->losses, prof->al);
	as_sink_mem_init(&w->mem, prof->al);
	w->rc = as_out_open(&out, prof->al, &w->mem.sink, &w->err);
	if (w->rc != AS_OK)
		return;
	w->rc = as_cgw_write(&wr, prof, rows);
	end = as_out_finish(&out);
	if (w->rc == AS_OK)
		w->rc = end;
}

/* PROF comes out as one thread writes it, however it is cut; RC is the result. */
static void expect_same_in_batches(
	const struct as_profile *prof, const char *const *opt, enum as_code rc)
{
	static const uint32_t rows[] = {1, 3, 20, 400};
	struct as_exec back = {.run = run_backwards, .jobs = 1};
	struct as_exec forth = {.run = run_forwards, .jobs = 3};
	struct as_wr wr = {.opts = {opt, opt ? 1 : 0}};
	struct mem_written want, got;

	write_in_batches(&want, prof, &wr, 1);
	assert_int_equal(want.rc, rc);
	for (size_t i = 0; i < 2 * AS_ARRAY_LEN(rows); i++) {
		wr.exec = i % 2 ? &back : &forth;
		write_in_batches(&got, prof, &wr, rows[i / 2]);
		assert_int_equal(got.rc, rc);
		assert_string_equal(got.err.msg, want.err.msg);
		assert_true(mem_same_bytes(&got, &want));
		mem_written_free(&got);
	}
	mem_written_free(&want);
}

static void test_batches_give_the_same_bytes(void **state)
{
	static const char *const opts[] = {
		"compress-pos=no", "compress-strings=no", "full-rows=yes", "event=Dr", "event=Ir"};
	static const char *const positions[] = {"line", "instr", "instr line"};
	struct mem_read d, again;
	char *text, *twice;

	(void)state;
	for (uint32_t parts = 1; parts < 4; parts++) {
		open_random(&d, positions[parts - 1], parts, NULL);
		expect_same_in_batches(d.prof, NULL, AS_OK);
		for (size_t i = 0; i < AS_ARRAY_LEN(opts); i++)
			expect_same_in_batches(d.prof, &opts[i], AS_OK);
		text = written(d.prof, NULL, 0);
		open_text(&again, text);
		twice = written(again.prof, NULL, 0);
		if (parts != 2) /* inlined functions of one name are told apart in memory only */
			assert_string_equal(text, twice);
		for (unsigned k = 0; k < 2; k++)
			assert_true(total(&d, k) == total(&again, k));
		test_free(text);
		test_free(twice);
		mem_read_free(&again);
		mem_read_free(&d);
	}
}

/* Equal places add up to more than 64 bits, below a total that fits; before and behind it there
 * are functions that are well. */
static void test_a_cost_too_large_ends_all_batches_alike(void **state)
{
	static const char text[] =
		"events: Ir\nfn=a\n1 5\nfn=b\n2 6\nfn=c\n3 1\n+1 18446744073709551615\n"
		"* 18446744073709551615\n9 4\nfn=d\n1 -9223372036854775808\n"
		"2 -9223372036854775808\n3 -9223372036854775808\nfn=e\n1 1\n";
	struct mem_read d;

	(void)state;
	open_text(&d, text);
	expect_same_in_batches(d.prof, NULL, AS_E_LIMIT);
	mem_read_free(&d);
}

static void test_sums_of_rows_may_pass_64_bits_in_between(void **state)
{
	static const char text[] =
		"events: Ir\nfn=a\n1 18446744073709551615\n1 3\n1 -4\n2 5\n2 -9\n";
	struct mem_read d;
	char *out;

	(void)state;
	open_text(&d, text);
	out = written(d.prof, NULL, 0);
	assert_non_null(strstr(out, "\n1 18446744073709551614\n+1 -4\n"));
	test_free(out);
	mem_read_free(&d);
}

static void test_running_out_of_memory_in_a_batch_is_an_error(void **state)
{
	struct as_exec back = {.run = run_backwards, .jobs = 1};
	struct as_wr wr = {.exec = &back};
	struct fail_alloc fa;
	struct mem_written w;
	struct mem_read d;
	uint64_t n = 0;

	(void)state;
	fail_alloc_init(&fa, 0);
	open_random(&d, "instr line", 2, &fa.al);
	do {
		size_t held = fa.held;

		fail_alloc_after(&fa, n += 1 + n / 16);
		write_in_batches(&w, d.prof, &wr, 20);
		/* The sink's own is an error of writing. */
		assert_true(w.rc == AS_OK || w.rc == AS_E_NOMEM || w.err.sys_errno == ENOMEM);
		fail_alloc_never(&fa);
		mem_written_free(&w);
		assert_int_equal(fa.held, held);
	} while (w.rc != AS_OK);
	assert_true(n > 100);
	mem_read_free(&d);
	assert_int_equal(fa.held, 0);
	assert_false(fa.wrong_size);
}

/* Bytes that the format cannot hold are replaced and told, in names of inlined functions too. */
static void test_inlined_names_are_written_as_other_names_are(void **state)
{
	static const char text[] =
		"events: A\nfl=a.c\nfn=f\n1 2\ncfni=in\0ner\n2 3\ncfni=in\0ert\n3 4\n";
	struct mem_written w;
	struct mem_read d;

	open_doc(&d, text, sizeof(text) - 1, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_OK);
	mem_write(&w, &as_format_callgrind, d.prof);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(w.losses.row.n, 1);
	assert_int_equal(w.losses.row.p[0].amount, 2);
	assert_true(as_vec_push(&as_alloc_libc, &w.mem.data, 0));
	assert_non_null(strstr(w.mem.data.p, "cfni=in?ner\n"));
	assert_non_null(strstr(w.mem.data.p, "cfni=in?ert\n"));
	mem_written_free(&w);
	mem_read_free(&d);
	(void)state;
}

/* Rows of one line come from several stretches of a file, with one cost, some, none, long ones. */
static void test_rows_of_one_place_are_one_whatever_costs_they_have(void **state)
{
	static const char text[] =
		"events: A B C\nfl=a.c\nfn=f\n9 1\n5 1\n6 0 130 0\n7 20000 0 9\n8 1 2 3\nfi=b.c\n"
		"5 1 1152921504606846976 127\n4 72057594037927936 128\nfe=a.c\n5 2\n6 1 0 7\n7\n"
		"8 0 1152921504606846975\nfi=b.c\n4 128\n3 0 0 9\n2 0 0 0\n1 99 100 101\n";
	static const char want[] =
		"fn=(1) f\n5 3\n+1 1 130 7\n+1 20000 0 9\n+1 1 1152921504606846977 3\n+1 1\n"
		"fi=(2) b.c\n-8 99 100 101\n+1 0\n+1 0 0 9\n+1 72057594037928064 128\n"
		"+1 1 1152921504606846976 127\nfe=(1)\n";
	struct mem_written w;
	struct mem_read d;

	open_doc(&d, text, sizeof(text) - 1, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_OK);
	mem_write(&w, &as_format_callgrind, d.prof);
	assert_true(as_vec_push(&as_alloc_libc, &w.mem.data, 0));
	assert_non_null(strstr(w.mem.data.p, want));
	mem_written_free(&w);
	mem_read_free(&d);
	(void)state;
}

int callgrind_write_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inlined_names_are_written_as_other_names_are),
		cmocka_unit_test(test_all_details_have_the_same_sums),
		cmocka_unit_test(test_event_names_that_are_no_words_move_no_column),
		cmocka_unit_test(test_a_part_that_names_no_events_has_all),
		cmocka_unit_test(test_calls_without_events_are_kept_at_all_details),
		cmocka_unit_test(test_a_file_is_written_as_it_was_meant),
		cmocka_unit_test(test_a_jump_into_another_object_and_file_is_written_as_such),
		cmocka_unit_test(test_addresses_that_are_file_offsets_are_told_from_virtual_ones),
		cmocka_unit_test(test_two_kinds_of_addresses_of_one_path_are_a_loss),
		cmocka_unit_test(test_uncompressed_writing_reads_back_equal),
		cmocka_unit_test(test_batches_give_the_same_bytes),
		cmocka_unit_test(test_a_cost_too_large_ends_all_batches_alike),
		cmocka_unit_test(test_sums_of_rows_may_pass_64_bits_in_between),
		cmocka_unit_test(test_running_out_of_memory_in_a_batch_is_an_error),
		cmocka_unit_test(test_rows_of_one_place_are_one_whatever_costs_they_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
