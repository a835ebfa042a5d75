/* SPDX-License-Identifier: Apache-2.0 */
/* pprof's profile.proto: bytes made by hand, read, and written again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/pprof/pprof.h"

extern const struct as_format as_format_pprof, as_format_dump;

enum { MAX = 4096 };

/* A file in the making. */
struct file {
	char data[MAX];
	size_t n;
};

static void put(struct file *f, const void *p, size_t n)
{
	assert_true(f->n + n <= sizeof(f->data));
	memcpy(f->data + f->n, p, n);
	f->n += n;
}

#define PUT(f, bytes) put((f), (bytes), sizeof(bytes) - 1)

/* "samples/count", and the strings 3 "f", 4 "a.c", 5 "key", 6 "text" */
#define TYPE "\x0a\x04\x08\x01\x10\x02"
#define STRINGS                           \
	"\x32\x00\x32\x07samples\x32\x05" \
	"count\x32\x01"                   \
	"f\x32\x03"                       \
	"a.c\x32\x03key\x32\x04text"
#define LOCATION "\x22\x08\x08\x01\x22\x04\x08\x01\x10\x09" /* 1: line 9 of function 1 */
#define FUNCTION "\x2a\x06\x08\x01\x10\x03\x20\x04"         /* 1: f in a.c */

struct got {
	enum as_code rc;
	struct as_profile *prof;
	struct as_findings findings;
	struct as_err err;
};

static void read_as(struct got *g, const struct file *f, enum as_detail detail, bool strict)
{
	struct as_src_mem sm;
	struct as_build b;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &g->err,
		.findings = &g->findings,
		.detail = detail,
		.strict = strict,
		.lim = {.depth = 64, .events = 4},
		.name = "dir/x.pb"};

	*g = (struct got){0};
	as_err_clear(&g->err);
	as_findings_init(&g->findings, &as_alloc_libc);
	as_src_mem_init(&sm, (struct as_slice){f->data, f->n}, "x.pb");
	assert_int_equal(as_in_open(&in, &as_alloc_libc, &sm.src, &g->err), AS_OK);
	assert_int_equal(as_build_init(&b, NULL, &g->err), AS_OK);
	g->rc = as_format_read(&as_format_pprof, &rd);
	if (g->rc == AS_OK)
		assert_int_equal(as_build_finish(&b, &g->prof), AS_OK);
	else
		as_build_free(&b);
	as_in_close(&in);
}

static void release(struct got *g)
{
	as_profile_free(g->prof);
	as_findings_release(&g->findings);
}

static void write_how(
	const struct as_format *fmt, const struct as_profile *prof, bool small, struct file *f)
{
	struct as_sink_mem sm;
	struct as_out out;
	struct as_wr wr = {.out = &out, .small = small};

	as_sink_mem_init(&sm, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sm.sink, NULL), AS_OK);
	assert_int_equal(as_format_write(fmt, &wr, prof), AS_OK);
	assert_int_equal(as_out_finish(&out), AS_OK);
	f->n = 0;
	put(f, sm.data.p, sm.data.n);
	as_sink_mem_release(&sm);
}

static void write_as(const struct as_format *fmt, const struct as_profile *prof, struct file *f)
{
	write_how(fmt, prof, false, f);
}

/* F is read, and is the dump WANT behind its first line. */
static void check_dump(const struct file *f, const char *want)
{
	struct file text;
	struct got g;

	read_as(&g, f, AS_DETAIL_FULL, true);
	if (g.rc != AS_OK)
		fail_msg("%s", g.err.msg);
	write_as(&as_format_dump, g.prof, &text);
	put(&text, "", 1);
	assert_string_equal(strchr(text.data, '\n') + 1, want);
	release(&g);
}

/* F is refused with CODE and MSG at OFF, strict or not. */
static void check_refused(const struct file *f, enum as_code code, uint64_t off, const char *msg)
{
	struct got g;

	for (int strict = 0; strict < 2; strict++) {
		read_as(&g, f, AS_DETAIL_FULL, strict);
		assert_int_equal(g.rc, code);
		assert_string_equal(g.err.msg, msg);
		assert_int_equal(g.err.off, off);
		release(&g);
	}
}

/* F is read with the finding ID, of the text MSG at OFF, and refused with it when strict. */
static void check_finding(
	const struct file *f, const char *id, as_val total, uint64_t off, const char *msg)
{
	struct got g;

	read_as(&g, f, AS_DETAIL_FULL, false);
	assert_int_equal(g.rc, AS_OK);
	assert_true(g.findings.row.n > 0);
	assert_string_equal(as_finding_name(g.findings.row.p[0].id), id);
	assert_int_equal(g.findings.row.p[0].off, off);
	assert_true(as_slice_is(g.findings.row.p[0].msg, msg));
	assert_true(g.prof->total[0] == total);
	release(&g);
	read_as(&g, f, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_E_FORMAT);
	assert_string_equal(g.err.msg, msg);
	release(&g);
}

static void test_sample_of_one_line(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION STRINGS);
	check_dump(&f, "shape paths\nevent \"samples\" unit=\"count\"\npart 0\n"
		       "part 0 events \"samples\"\n"
		       "sample 0 fn=\"f\" fl=\"a.c\" line=9: 7\ntotal 7\n");
}

/* Two samples of one function: line 9 of its own file, line 77 of another one. What is written
 * has one function, and a line without number for those who do not know our fields. */
static void test_a_function_with_lines_in_two_files_is_one(void **state)
{
	static const char want[] =
		"shape paths\nevent \"samples\" unit=\"count\"\npart 0\n"
		"part 0 events \"samples\"\n"
		"sample 0 fn=\"f\" fl=\"a.c\" line=9: 7\n"
		"sample 0 fn=\"f\" fl=\"a.c\" at=\"text\" line=77: 8\ntotal 15\n";
	struct file f = {.n = 0}, again;
	unsigned functions = 0;
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x12\x04\x08\x02\x10\x08" LOCATION
		     "\x22\x0c\x08\x02\x22\x08\x08\x01\xe8\x5d\x06\xf0\x5d\x4d" FUNCTION STRINGS);
	check_dump(&f, want);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	write_as(&as_format_pprof, g.prof, &again);
	check_dump(&again, want);
	for (size_t i = 0; i + 6 < again.n; i++)
		functions += again.data[i] == 0x2a && again.data[i + 2] == 8;
	assert_int_equal(functions, 1);
	release(&g);
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x22\x0c\x08\x01\x22\x08\x08\x01\xe8\x5d\x7f\xf0\x5d"
		     "\x4d" FUNCTION STRINGS);
	check_finding(&f, "pb-string-range", 7, 14,
		"location 1, line 1: string 127 does not exist; the table has 7");
}

/* Two addresses of one function that has no name and begins at 0x1000: 0x1010 and 0x1000. */
static void test_functions_without_names_are_known_by_their_beginnings(void **state)
{
	static const char want[] = "shape paths\nevent \"samples\" unit=\"count\"\npart 0\n"
				   "part 0 events \"samples\"\n"
				   "sample 0 addr=0x1000: 8\n"
				   "sample 0 fn=0x1000 addr=0x1010: 7\ntotal 15\n";
	struct file f = {.n = 0}, again;
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x12\x04\x08\x02\x10\x08"
		     "\x22\x08\x08\x01\x18\x90\x20\xe8\x5d\x11"
		     "\x22\x08\x08\x02\x18\x80\x20\xe8\x5d\x01" STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->func.name.n, 2);
	assert_true(as_func_is_whole(g.prof, (as_func){1}));
	assert_int_equal(g.prof->func.addr.p[1], 0x1000);
	check_dump(&f, want);
	write_as(&as_format_pprof, g.prof, &again);
	check_dump(&again, want);
	release(&g);
}

static void test_strings_first_and_values_packed(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, STRINGS FUNCTION LOCATION "\x12\x06\x0a\x01\x01\x12\x01\x07" TYPE);
	check_dump(&f, "shape paths\nevent \"samples\" unit=\"count\"\npart 0\n"
		       "part 0 events \"samples\"\n"
		       "sample 0 fn=\"f\" fl=\"a.c\" line=9: 7\ntotal 7\n");
}

static void test_negative_value_and_labels(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x1b\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
		     "\x1a\x04\x08\x05\x10\x06\x1a\x06\x08\x05\x18\x09\x20\x02" LOCATION FUNCTION
			     STRINGS);
	check_dump(&f, "shape paths\nevent \"samples\" unit=\"count\"\npart 0\n"
		       "part 0 events \"samples\"\npart 1\npart 1 events \"samples\"\n"
		       "part 1 label \"key\" text=\"text\"\n"
		       "part 1 label \"key\" number=9 unit=\"count\"\n"
		       "sample 1 fn=\"f\" fl=\"a.c\" line=9: -1\ntotal -1\n");
}

static void test_missing_location_is_named(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x12\x04\x08\x09\x10\x01" LOCATION FUNCTION STRINGS);
	check_finding(&f, "pb-location-missing", 8, 14, "sample 2: location id 9 does not exist");
}

static void test_other_things_that_do_not_exist(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION STRINGS);
	check_finding(&f, "pb-function-missing", 7, 14,
		"location 1, line 1: function id 1 does not exist");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x22\x04\x08\x01\x10\x05" STRINGS);
	check_finding(&f, "pb-mapping-missing", 7, 14, "location 1: mapping id 5 does not exist");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION "\x2a\x04\x08\x01\x10\x33" STRINGS);
	check_finding(&f, "pb-string-range", 7, 24,
		"function 1: string 51 does not exist; the table has 7");
}

static void test_values_and_types_do_not_agree(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x12\x06\x08\x01\x10\x01\x10\x02" LOCATION FUNCTION
			STRINGS);
	check_finding(&f, "pb-value-count", 7, 14,
		"sample 2: it has 2 values for 1 sample type; it was left out");
}

static void test_ids_are_unique_and_not_zero(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION
		     "\x2a\x04\x08\x01\x10\x02" STRINGS);
	check_finding(&f, "pb-id-twice", 7, 32,
		"function 2: its id 1 is that of a function before; that one holds");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION "\x22\x02\x18\x10" STRINGS);
	check_finding(&f, "pb-id-zero", 7, 32, "location 2: it has the id 0, which means none");
}

static void check_warning(const struct file *f, enum as_finding_id id, const char *name)
{
	struct got g;

	read_as(&g, f, AS_DETAIL_FULL, false);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.findings.count[id], 1);
	assert_string_equal(as_finding_name(id), name);
	assert_true(g.prof->total[0] == 7);
	release(&g);
}

/* profile.proto: default_sample_type; "if unset, clients should default to the last" one. */
static void test_the_default_type_is_the_first_event(void **state)
{
	static const struct {
		const char *field, *first;
		size_t len;
		as_val total;
		uint32_t column;
	} ex[] = {
		{"", "text", 0, 9, 2},            /* the last one */
		{"\x70\x05", "key", 2, 8, 1},     /* the one that is named */
		{"\x70\x01", "samples", 2, 7, 0}, /* the first */
		{"\x70\x03", "text", 2, 9, 2},    /* "f" is none: the last, as pprof takes it */
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct file f = {.n = 0}, again;
		struct got g, h;

		PUT(&f, TYPE "\x0a\x04\x08\x05\x10\x02\x0a\x04\x08\x06\x10\x02"
			     "\x12\x08\x0a\x01\x01\x12\x03\x07\x08\x09" LOCATION FUNCTION STRINGS);
		put(&f, ex[i].field, ex[i].len);
		read_as(&g, &f, AS_DETAIL_FULL, true);
		assert_int_equal(g.rc, AS_OK);
		assert_true(as_slice_is(as_str_get(g.prof, g.prof->event.p[0].name), ex[i].first));
		assert_true(g.prof->total[0] == ex[i].total);
		for (uint32_t k = 0; k < 3; k++) /* the source's columns, in its order */
			assert_true(g.prof->total[as_event_in_column(g.prof, k)] == 7 + k);
		assert_int_equal(g.prof->first_column, ex[i].column);
		write_as(&as_format_pprof, g.prof, &again);
		read_as(&h, &again, AS_DETAIL_FULL, true);
		assert_int_equal(h.prof->first_column, ex[i].column);
		assert_true(h.prof->total[0] == ex[i].total);
		release(&g);
		release(&h);
	}
}

static void test_what_is_odd_about_types_and_strings(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE TYPE "\x12\x06\x08\x01\x10\x01\x10\x07" LOCATION FUNCTION STRINGS);
	check_warning(&f, AS_F_PB_TYPE_TWICE, "pb-type-twice");
	f.n = 0;
	PUT(&f, "\x0a\x06\x08\x01\x10\x02\x18\x01\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION
			STRINGS);
	check_warning(&f, AS_F_PB_FIELD_DROPPED, "pb-field-dropped");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION "\x32\x01x" STRINGS);
	check_warning(&f, AS_F_PB_STRING_FIRST, "pb-string-first");
}

static void test_damage_is_named_with_its_place(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x22\x04\x08\x01\x22\x09" STRINGS);
	check_refused(&f, AS_E_FORMAT, 16, "location 1: a field is longer than what is left");
	f.n = 0;
	PUT(&f, TYPE "\x12\x05\x08\x01\x15\x01\x01" LOCATION FUNCTION STRINGS);
	check_refused(&f, AS_E_FORMAT, 10, "sample 1: a number of fixed size goes beyond the end");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x13\x07" LOCATION FUNCTION STRINGS);
	check_refused(&f, AS_E_FORMAT, 10, "sample 1: a field has a wire type that does not exist");
	f.n = 0;
	PUT(&f, TYPE
		"\x12\x0e\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" LOCATION FUNCTION
			STRINGS);
	check_refused(&f, AS_E_FORMAT, 10, "sample 1: a number has more than ten bytes");
	f.n = 0;
	PUT(&f, TYPE "\x12\x06\x08\x01\x10\x07\x1a\x20" LOCATION FUNCTION STRINGS);
	check_refused(&f, AS_E_FORMAT, 12, "sample 1: a field is longer than what is left");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x2a\x05\x08\x01\x12\x01"
		     "f" STRINGS);
	check_refused(&f, AS_E_FORMAT, 16,
		"function 1: field 2 has the wire type 2, which is not its own");
}

static void test_cut_file(void **state)
{
	struct file f = {.n = 0};
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10");
	check_refused(&f, AS_E_TRUNC, 6, "a field is longer than what is left");
	f.n = 0;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION STRINGS "\x12\x04\x08");
	read_as(&g, &f, AS_DETAIL_FULL, false);
	assert_int_equal(g.rc, AS_OK);
	assert_true(g.prof->partial && g.prof->total[0] == 7);
	assert_int_equal(g.findings.count[AS_F_TRUNCATED], 1);
	release(&g);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_E_TRUNC);
	release(&g);
}

static void test_two_profiles_are_refused(void **state)
{
	struct file f = {.n = 0};

	(void)state;
	PUT(&f, TYPE "\x48\x05" TYPE "\x48\x06");
	check_refused(&f, AS_E_FORMAT, 14,
		"a second start time: two profiles stand one behind the other in this file, and "
		"what is of which cannot be told; split it");
}

#define PROFILE TYPE "\x12\x02\x10\x07\x32\x00"

static void test_two_profiles_without_times_are_refused_at_the_second(void **state)
{
	struct file f = {.n = 0}, g = {.n = 0}, one = {.n = 0};
	struct got got;

	(void)state;
	PUT(&f, PROFILE PROFILE);
	check_refused(&f, AS_E_FORMAT, sizeof(PROFILE) - 1,
		"sample types once more: two profiles stand one behind the other in this file, "
		"and what is of which cannot be told; split it");
	/* Strings first, in both. */
	PUT(&g, "\x32\x00" TYPE "\x12\x02\x10\x07\x32\x00" TYPE "\x12\x02\x10\x07");
	check_refused(&g, AS_E_FORMAT, 2 + sizeof(PROFILE) - 1,
		"sample types once more: two profiles stand one behind the other in this file, "
		"and what is of which cannot be told; split it");
	/* One profile, of two types and with an empty string too many, in an odd order. */
	PUT(&one, TYPE "\x32\x00\x32\x00" TYPE "\x12\x04\x12\x02\x07\x08");
	read_as(&got, &one, AS_DETAIL_FULL, false);
	assert_int_equal(got.rc, AS_OK);
	release(&got);
}

static void test_samples_that_are_all_wrong_are_no_empty_profile(void **state)
{
	struct file f = {.n = 0};
	struct got g;

	(void)state;
	PUT(&f, TYPE TYPE "\x12\x02\x10\x07\x12\x02\x10\x08" STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, false);
	assert_int_equal(g.rc, AS_E_FORMAT);
	assert_string_equal(
		g.err.msg, "none of the 2 samples has as many values as there are sample types, 2");
	release(&g);
}

static void test_limits(void **state)
{
	struct file f = {.n = 0};
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x45\x0a\x41");
	for (int i = 0; i < 65; i++)
		PUT(&f, "\x01");
	PUT(&f, "\x10\x01" LOCATION FUNCTION STRINGS);
	check_refused(&f, AS_E_LIMIT, 8, "sample 1: it has 65 frames; the limit is 64");
	f.n = 0;
	PUT(&f, TYPE TYPE TYPE TYPE TYPE STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, false);
	assert_int_equal(g.rc, AS_E_LIMIT);
	release(&g);
}

/* Stacks that part inside of a location: its outer function is one node all the same. */
static void test_locations_share_their_outer_functions(void **state)
{
	struct file f = {.n = 0};
	struct got g;

	(void)state;
	/* Location 2 has f inlined into g at the address 0, location 3 is g alone. */
	PUT(&f, TYPE "\x12\x06\x0a\x02\x01\x02\x10\x01\x12\x06\x0a\x02\x01\x03\x10\x02"
		     "\x12\x04\x08\x02\x10\x04" LOCATION
		     "\x22\x0e\x08\x02\x22\x04\x08\x01\x10\x05\x22\x04\x08\x02\x10\x06"
		     "\x22\x08\x08\x03\x22\x04\x08\x02\x10\x06" FUNCTION
		     "\x2a\x04\x08\x02\x10\x06" STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	/* text; text, f; text, f, f; text, f */
	assert_int_equal(g.prof->node.parent.n, 1 + 4);
	assert_int_equal(g.prof->sample.node.n, 3);
	assert_true(g.prof->total[0] == 7);
	release(&g);
}

/* At the detail of functions, lines do not tell stacks apart: they are one sample. */
static void test_detail_of_functions(void **state)
{
	struct file f = {.n = 0};
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07\x12\x04\x08\x02\x10\x01" LOCATION
		     "\x22\x08\x08\x02\x22\x04\x08\x01\x10\x0a" FUNCTION STRINGS);
	read_as(&g, &f, AS_DETAIL_FUNC, true);
	assert_int_equal(g.rc, AS_OK);
	assert_int_equal(g.prof->sample.node.n, 1);
	assert_true(g.prof->total[0] == 8);
	release(&g);
}

static void test_writing_is_canonical(void **state)
{
	struct file one = {.n = 0}, two = {.n = 0}, out, again;
	struct got g;

	(void)state;
	PUT(&one, TYPE "\x12\x04\x08\x01\x10\x07\x12\x04\x08\x02\x10\x01" LOCATION
		       "\x22\x08\x08\x02\x22\x04\x08\x01\x10\x0a" FUNCTION STRINGS);
	PUT(&two, STRINGS "\x22\x09\x08\xac\x02\x22\x04\x08\x01\x10\x0a" TYPE FUNCTION
			  "\x12\x05\x08\xac\x02\x10\x01\x12\x04\x08\x01\x10\x07" LOCATION);
	read_as(&g, &one, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	write_as(&as_format_pprof, g.prof, &out);
	release(&g);
	read_as(&g, &two, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	write_as(&as_format_pprof, g.prof, &again);
	release(&g);
	assert_int_equal(out.n, again.n);
	assert_memory_equal(out.data, again.data, out.n);
}

/* Two stacks, each with two labels. */
static void test_another_order_is_the_same_profile(void **state)
{
	struct file f = {.n = 0}, usual, small, again;
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x0a\x08\x01\x10\x01\x1a\x04\x08\x05\x10\x06"
		     "\x12\x0a\x08\x02\x10\x02\x1a\x04\x08\x05\x10\x06"
		     "\x12\x0a\x08\x01\x10\x03\x1a\x04\x08\x05\x10\x03"
		     "\x12\x0a\x08\x02\x10\x04\x1a\x04\x08\x05\x10\x03" LOCATION
		     "\x22\x08\x08\x02\x22\x04\x08\x01\x10\x0a" FUNCTION STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	write_as(&as_format_pprof, g.prof, &usual);
	write_how(&as_format_pprof, g.prof, true, &small);
	release(&g);
	assert_int_equal(small.n, usual.n);
	assert_memory_not_equal(small.data, usual.data, usual.n);
	read_as(&g, &small, AS_DETAIL_FULL, true);
	assert_int_equal(g.rc, AS_OK);
	assert_true(g.prof->total[0] == 10);
	write_as(&as_format_pprof, g.prof, &again);
	release(&g);
	assert_int_equal(again.n, usual.n);
	assert_memory_equal(again.data, usual.data, usual.n);
}

static void test_bytes_that_are_written(void **state)
{
	static const char want[] =
		TYPE "\x12\x04\x08\x01\x10\x07" LOCATION "\x2a\x06\x08\x01\x10\x03\x20\x04"
		     "\x32\x00\x32\x07samples\x32\x05"
		     "count\x32\x01"
		     "f\x32\x03"
		     "a.c";
	struct file f = {.n = 0}, out;
	struct got g;

	(void)state;
	PUT(&f, TYPE "\x12\x04\x08\x01\x10\x07" LOCATION FUNCTION STRINGS);
	read_as(&g, &f, AS_DETAIL_FULL, true);
	write_as(&as_format_pprof, g.prof, &out);
	release(&g);
	assert_int_equal(out.n, sizeof(want) - 1);
	assert_memory_equal(out.data, want, out.n);
}

static void test_times(void **state)
{
	static const struct {
		int64_t nanos;
		const char *text;
	} t[] = {
		{1, "1970-01-01T00:00:00.000000001Z"},
		{1488369600500000000, "2017-03-01T12:00:00.5Z"},
		{951782400000000000, "2000-02-29T00:00:00Z"},
		{-1, "1969-12-31T23:59:59.999999999Z"},
		{INT64_MAX, "2262-04-11T23:47:16.854775807Z"},
		{INT64_MIN, "1677-09-21T00:12:43.145224192Z"},
	};
	char text[AS_DATE_NANOS];
	int64_t nanos;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(t); i++) {
		assert_string_equal(as_date_nanos_text(t[i].nanos, "T", "Z", text), t[i].text);
		assert_true(as_date_to_nanos(as_slice_of(t[i].text), &nanos));
		assert_true(nanos == t[i].nanos);
	}
	assert_false(as_date_to_nanos(as_slice_of("yesterday"), &nanos));
	assert_false(as_date_to_nanos(as_slice_of("2900-01-01T00:00:00Z"), &nanos));
}

static enum as_probe probe(const char *bytes, size_t n)
{
	struct as_peek pk = {.head = {bytes, n}, .whole = true};

	return as_format_pprof.probe(&pk);
}

static void test_probe(void **state)
{
	static const char good[] = TYPE LOCATION STRINGS, cut[] = TYPE LOCATION "\x12\x99";
	static const char text[] = "\n\nevents: Ir\nfn=main\n1 2\n", words[] = "jj and some words";

	(void)state;
	assert_int_equal(probe(good, sizeof(good) - 1), AS_PROBE_SURE);
	assert_int_equal(probe(cut, sizeof(cut) - 1), AS_PROBE_LIKELY);
	assert_int_equal(probe(text, sizeof(text) - 1), AS_PROBE_NO);
	assert_int_equal(probe(words, sizeof(words) - 1), AS_PROBE_NO);
	assert_int_equal(probe("", 0), AS_PROBE_NO);
	assert_int_equal(
		probe("xxxxxxxxxx", 10), AS_PROBE_NO); /* fields of number 15, all of them */
}

int pprof_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample_of_one_line),
		cmocka_unit_test(test_a_function_with_lines_in_two_files_is_one),
		cmocka_unit_test(test_functions_without_names_are_known_by_their_beginnings),
		cmocka_unit_test(test_strings_first_and_values_packed),
		cmocka_unit_test(test_negative_value_and_labels),
		cmocka_unit_test(test_missing_location_is_named),
		cmocka_unit_test(test_other_things_that_do_not_exist),
		cmocka_unit_test(test_values_and_types_do_not_agree),
		cmocka_unit_test(test_ids_are_unique_and_not_zero),
		cmocka_unit_test(test_the_default_type_is_the_first_event),
		cmocka_unit_test(test_what_is_odd_about_types_and_strings),
		cmocka_unit_test(test_damage_is_named_with_its_place),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_two_profiles_are_refused),
		cmocka_unit_test(test_two_profiles_without_times_are_refused_at_the_second),
		cmocka_unit_test(test_samples_that_are_all_wrong_are_no_empty_profile),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_locations_share_their_outer_functions),
		cmocka_unit_test(test_detail_of_functions),
		cmocka_unit_test(test_writing_is_canonical),
		cmocka_unit_test(test_another_order_is_the_same_profile),
		cmocka_unit_test(test_bytes_that_are_written),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
