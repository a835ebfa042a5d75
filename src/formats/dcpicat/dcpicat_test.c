/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dcpicat/dcpicat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_dcpicat;

#define S(text) as_slice_of(text)

/* The example of the manual page, with the totals of the rows that are shown there. */
#define HEAD                                           \
	"name                 xemacs\n"                \
	"image                19970328081403c0c18b\n"  \
	"label                foo\n"                   \
	"path                 /usr/local/bin/xemacs\n" \
	"epoch                199805191724\n"          \
	"platform             walnut\n"                \
	"text_start           0x000120000000\n"        \
	"text_size            0x000000800000\n"
#define EVENTS                                         \
	"event                47 cycles:63488:10000\n" \
	"event                29 imiss:4096:5000\n"
#define ROWS                               \
	"0x00012006cbb8      29      27\n" \
	"0x00012006cbd0      10       0\n" \
	"0x00012006cbd4       1       0\n" \
	"0x00012006cbd8       2       0\n" \
	"0x00012006cbe0       3       2\n" \
	"0x00012006cbe8       2       0\n"

static void read_text(struct mem_read *r, const char *text, bool strict)
{
	mem_read(r,
		&(struct mem_how){.fmt = &as_format_dcpicat,
			.detail = AS_DETAIL_FULL,
			.strict = strict,
			.name = "dir/x.dcpicat"},
		S(text));
}

/* "ADDR:COST,COST ...", all events of all rows. */
static void expect_rows(const struct as_profile *prof, const char *want)
{
	char text[2048] = "", num[AS_VAL_TEXT];
	struct as_rows_cur cur;
	size_t n = 0;
	as_val v[8];

	assert_in_range(prof->event.n, 1, 8);
	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur)) {
			n += (size_t)snprintf(
				text + n, sizeof(text) - n, "%s%" PRIx64, n ? " " : "", cur.addr);
			for (size_t k = 0; k < prof->event.n; k++)
				n += (size_t)snprintf(text + n, sizeof(text) - n, "%c%s",
					k ? ',' : ':', as_val_text(v[k], num));
			assert_true(n < sizeof(text) - 100);
		}
	}
	assert_string_equal(text, want);
}

static void expect_written(
	const struct as_profile *prof, const char *want, const char *lost, uint64_t amount)
{
	struct mem_written w;

	mem_write(&w, &as_format_dcpicat, prof);
	assert_int_equal(w.rc, AS_OK);
	assert_true(as_vec_push(prof->al, &w.mem.data, '\0'));
	assert_string_equal(w.mem.data.p, want);
	assert_int_equal(w.losses.row.n, lost != NULL);
	if (lost)
		assert_int_equal(mem_lost(&w, lost), amount);
	mem_written_free(&w);
}

static void expect_refused(const struct as_profile *prof, enum as_code code, const char *msg)
{
	struct mem_written w;

	mem_write(&w, &as_format_dcpicat, prof);
	assert_int_equal(w.rc, code);
	assert_string_equal(w.err.msg, msg);
	mem_written_free(&w);
}

static void test_the_example_of_the_manual_page_is_read(void **state)
{
	struct mem_read r;
	const struct as_object_row *o;

	(void)state;
	read_text(&r, HEAD EVENTS ROWS, true);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, 0);
	expect_rows(r.prof, "12006cbb8:29,27 12006cbd0:10,0 12006cbd4:1,0 12006cbd8:2,0 "
			    "12006cbe0:3,2 12006cbe8:2,0");
	assert_true(r.prof->total[0] == 47 && r.prof->total[1] == 29);
	o = &r.prof->object.p[1];
	assert_true(as_slice_is(as_str_get(r.prof, o->path), "/usr/local/bin/xemacs"));
	assert_true(as_slice_is(as_str_get(r.prof, o->id), "19970328081403c0c18b"));
	assert_int_equal(o->text_start, 0x120000000);
	assert_int_equal(o->text_size, 0x800000);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->epoch), "1998-05-19T17:24Z"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->event.p[1].name), "imiss"));
	assert_int_equal(r.prof->event.p[1].period, 4096);
	assert_true(as_slice_is(as_meta_get(r.prof, 0, "label"), "foo"));
	mem_read_free(&r);
}

static void test_what_was_read_is_written_byte_for_byte(void **state)
{
	static const char *const texts[] = {
		HEAD EVENTS ROWS,
		HEAD "event                0 cycles:63488:10000\n",
		HEAD "event                5 retired:pm0:63488:10000\n0x00012006cbb8       5\n",
		/* several images, paths, and counts wider than their columns */
		HEAD EVENTS ROWS
		"name                 vmunix\nimage                beef\n"
		"path                 /vmunix\npath                 /old/vmunix\n"
		"epoch                199805191724\nplatform             oak\n"
		"text_start           0xfffffc0000230000\ntext_size            0x000000400000\n"
		"event                123456789 cycles:63488:10000\n"
		"0xfffffc0000230010 123456789\n",
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++) {
		struct mem_read r;

		read_text(&r, texts[i], true);
		assert_int_equal(r.rc, AS_OK);
		expect_written(r.prof, texts[i], NULL, 0);
		mem_read_free(&r);
	}
}

static void test_blocks_of_one_image_become_one(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		HEAD "event 47 cycles:63488:10000\n0x12006cbb8 29\n0x12006cbd0 18\n" HEAD
		     "event 29 imiss:4096:10000\n0x12006cbb8 27\n0x12006cbe0 2\n",
		true);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->object.n, 2);
	expect_written(r.prof,
		HEAD "event                47 cycles:63488:10000\n"
		     "event                29 imiss:4096:10000\n"
		     "0x00012006cbb8      29      27\n"
		     "0x00012006cbd0      18       0\n"
		     "0x00012006cbe0       0       2\n",
		NULL, 0);
	mem_read_free(&r);
}

struct example {
	const char *text;
	enum as_code rc;
	enum as_finding_id id; /* AS_F_COUNT: none */
	const char *rows;
};

static void test_what_is_odd_is_found(void **state)
{
	static const struct example ex[] = {
		{HEAD "event 6 c:1:1\n0x10 4\n0x14 2\n", AS_OK, AS_F_COUNT, "10:4 14:2"},
		{HEAD "event 6 c:1:1\r\n0x10 4\r\n0x14 2\r\n", AS_OK, AS_F_COUNT, "10:4 14:2"},
		{HEAD "event 6 c:1:1\n\n0x10 4\n\n0x14 2\n", AS_OK, AS_F_COUNT, "10:4 14:2"},
		{HEAD "event 7 c:1:1\n0x10 4\n0x14 2\n", AS_OK, AS_F_DC_EVENT_TOTAL, "10:4 14:2"},
		{HEAD "event 6 c:1:1\n0x14 2\n0x10 4\n", AS_OK, AS_F_DC_ROW_ORDER, "14:2 10:4"},
		{HEAD "event 6 c:0:1\n0x10 6\n", AS_OK, AS_F_DC_PERIOD_ZERO, "10:6"},
		{HEAD "event 6 c:1:1\n0x10 6\n0x14 -2\n", AS_OK, AS_F_DC_LINE_MALFORMED, "10:6"},
		{HEAD "event 6 c:1:1\n0x10 6\n0x14\n", AS_OK, AS_F_DC_LINE_MALFORMED, "10:6"},
		{HEAD "event 6 c:1:1\n0x10 6\n0x14 1 1\n", AS_OK, AS_F_DC_LINE_MALFORMED, "10:6"},
		{HEAD "event 6 c:1:1\n0x10 6\n0xzz 1\n", AS_OK, AS_F_DC_LINE_MALFORMED, "10:6"},
		{HEAD "event 6 c:1:1\n0x10 6\n what\n", AS_OK, AS_F_DC_LINE_MALFORMED, "10:6"},
		{HEAD "event 6 c:1:1\nevent x\n0x10 6\n", AS_OK, AS_F_DC_VALUE_BAD, "10:6"},
		{HEAD "event 1 c:1:1\nevent 5 c:1:1\n0x10 1 5\n", AS_OK, AS_F_DC_KEY_DUPLICATE,
			"10:6"},
		{"name x\nepoch May\nimage 1\ntext_start 0x0\nevent 6 c:1:1\n0x10 6\n", AS_OK,
			AS_F_DC_EPOCH_BAD, "10:6"},
		{"name x\nimage 1\ntext_start 12\nevent 6 c:1:1\n", AS_OK, AS_F_DC_VALUE_BAD, ""},
		{"name x\ntext_start 0x0\nevent 6 c:1:1\n0x10 6\n", AS_E_NOTPROFILE, AS_F_COUNT,
			NULL},
		{"name x\nimage 1\nevent 6 c:1:1\n0x10 6\n", AS_OK, AS_F_DC_KEY_MISSING, "10:6"},
		{HEAD "0x10 6\n", AS_E_NOTPROFILE, AS_F_COUNT, NULL},
		{HEAD, AS_E_NOTPROFILE, AS_F_COUNT, NULL},
		{HEAD "event 6 c:1:1\n0x10 6\nname y\nevent 2 c:1:1\n0x14 2\n", AS_OK,
			AS_F_DC_KEY_MISSING, "10:6 14:2"},
		{"", AS_E_TRUNC, AS_F_COUNT, NULL},
		{"0x10 6\n", AS_E_NOTPROFILE, AS_F_COUNT, NULL},
		{"text\n", AS_E_NOTPROFILE, AS_F_COUNT, NULL},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct mem_read r;

		read_text(&r, ex[i].text, false);
		assert_int_equal(r.rc, ex[i].rc);
		if (ex[i].rows)
			expect_rows(r.prof, ex[i].rows);
		if (ex[i].id != AS_F_COUNT)
			assert_true(r.findings.count[ex[i].id] > 0);
		else
			assert_int_equal(r.findings.row.n, 0);
		mem_read_free(&r);
	}
}

static void test_no_truncation_goes_unnoticed(void **state)
{
	static const char text[] = HEAD EVENTS ROWS;

	(void)state;
	for (size_t n = 0; n + 1 < sizeof(text) - 1; n++) {
		char cut[sizeof(text)];
		struct mem_read r;

		memcpy(cut, text, n);
		cut[n] = 0;
		read_text(&r, cut, false);
		assert_true(r.rc != AS_OK || r.findings.n[AS_ERROR] > 0);
		mem_read_free(&r);
		read_text(&r, cut, true);
		assert_int_not_equal(r.rc, AS_OK);
		mem_read_free(&r);
	}
}

static void test_a_last_line_without_end_is_believed_if_the_sums_are_right(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, HEAD "event 29 c:1:1\n0x10 2\n0x14 27", false);
	assert_int_equal(r.findings.row.n, 0);
	expect_rows(r.prof, "10:2 14:27");
	mem_read_free(&r);
	read_text(&r, HEAD "event 29 c:1:1\n0x10 2\n0x14 2", false);
	assert_int_equal(r.findings.count[AS_F_TRUNCATED], 1);
	assert_true(r.prof->partial);
	expect_rows(r.prof, "10:2");
	mem_read_free(&r);
}

static void test_the_probe(void **state)
{
	static const struct {
		const char *text;
		enum as_probe want;
	} ex[] = {
		{HEAD EVENTS ROWS, AS_PROBE_MAGIC},
		{"image 1\nevent 6 c:1:1\n", AS_PROBE_LIKELY},
		{HEAD, AS_PROBE_NO},
		{"name x\nimage 1\nevent cycles\n", AS_PROBE_NO},
		{"version pdb-0.07\nimage 1\nevent cycles\nsamples\n", AS_PROBE_NO},
		{"", AS_PROBE_NO},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_peek pk = {S(ex[i].text), true};

		assert_int_equal(as_format_dcpicat.probe(&pk), ex[i].want);
	}
}

/* A profile of Callgrind's kind: names, lines, two functions at one address. */
static struct as_profile *made(as_val cost, uint64_t addr)
{
	struct as_pos pos = {.line = 3, .addr = addr};
	struct as_profile *prof;
	struct as_build b;
	as_object object;
	uint32_t n;
	as_val one = 1;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, S("Ir"), S(""), &n), AS_OK);
	assert_int_equal(as_build_part(&b, &n), AS_OK);
	assert_int_equal(as_build_object(&b, S("/bin/x"), S(""), &object), AS_OK);
	assert_int_equal(as_build_func(&b, S("f"), object, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	assert_int_equal(as_build_func(&b, S("g"), object, (as_file){0}, 0, &pos.func), AS_OK);
	pos.addr = 0x10;
	assert_int_equal(as_build_self(&b, 0, &pos, &one, 1), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

#define MADE_HEAD                               \
	"name                 x\n"              \
	"image                0\n"              \
	"path                 /bin/x\n"         \
	"epoch                unknown\n"        \
	"platform             unknown\n"        \
	"text_start           0x000000000000\n" \
	"text_size            0x000000000000\n"

static void test_other_profiles_are_written_by_address(void **state)
{
	struct as_profile *prof;

	(void)state;
	prof = made(5, 0x20);
	expect_written(prof,
		MADE_HEAD "event                6 Ir:0:10000\n0x000000000010       1\n"
			  "0x000000000020       5\n",
		NULL, 0);
	as_profile_free(prof);
	prof = made(5, 0x10);
	expect_written(prof,
		MADE_HEAD "event                6 Ir:0:10000\n0x000000000010       6\n", NULL, 0);
	as_profile_free(prof);
	prof = made(5, 0);
	expect_written(prof,
		MADE_HEAD "event                1 Ir:0:10000\n0x000000000010       1\n",
		"unaddressed", 5);
	as_profile_free(prof);
}

static void test_what_the_text_cannot_say_is_refused(void **state)
{
	struct as_profile *prof;

	(void)state;
	prof = made(-5, 0x20);
	expect_refused(
		prof, AS_E_LIMIT, "address 0x20 has the cost -5: a count cannot be negative");
	as_profile_free(prof);
	prof = made((as_val)UINT64_MAX + 1, 0x20);
	expect_refused(prof, AS_E_LIMIT,
		"address 0x20 has the cost 18446744073709551616: a count has 64 bits");
	as_profile_free(prof);
	prof = made(5, 0x20);
	assert_true(as_strings_add(&prof->strings, S("/bin\nx"), &prof->object.p[1].path));
	expect_refused(prof, AS_E_UNSUPPORTED, "a line cannot be 'name' 'bin\\x0ax'");
	as_profile_free(prof);
	prof = made(5, 0x20);
	assert_true(as_strings_add(
		&prof->strings, (struct as_slice){"c\0d", 3}, &prof->event.p[0].name));
	expect_refused(prof, AS_E_UNSUPPORTED, "no event can be called 'c'");
	as_profile_free(prof);
	prof = made(5, 0x20);
	assert_true(as_strings_add(&prof->strings, S(" c"), &prof->event.p[0].name));
	expect_refused(prof, AS_E_UNSUPPORTED, "no event can be called ' c'");
	prof->event.n = 0;
	expect_refused(prof, AS_E_UNSUPPORTED,
		"a profile without events: dcpicat's text has at least one");
	as_profile_free(prof);
}

static void test_a_total_that_is_too_large_is_refused(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_pos pos = {.addr = 0x20};
	as_val v = UINT64_MAX;
	as_object object;
	uint32_t i;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, S("c"), S(""), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	assert_int_equal(as_build_object(&b, S("/bin/x"), S("1"), &object), AS_OK);
	assert_int_equal(as_build_func(&b, S(""), object, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	pos.addr = 0x30;
	v = 2;
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	expect_refused(prof, AS_E_LIMIT,
		"the costs of event 'c' add up to 18446744073709551617: a total has 64 bits");
	as_profile_free(prof);
}

static void test_every_image_without_virtual_addresses_is_told(void **state)
{
	static const enum as_addr_kind kind[] = {
		AS_ADDR_FILE_OFFSET, AS_ADDR_ABSOLUTE, AS_ADDR_FILE_OFFSET, AS_ADDR_VIRTUAL};
	struct as_pos pos = {.addr = 0x20};
	struct as_profile *prof;
	struct mem_written w;
	struct as_build b;
	as_object object;
	as_val one = 1;
	uint32_t i;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, S("c"), S(""), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	for (size_t k = 0; k < AS_ARRAY_LEN(kind); k++) {
		char path[] = {'/', (char)('a' + k), 0};

		assert_int_equal(as_build_object(&b, S(path), S(""), &object), AS_OK);
		b.prof->object.p[object.i].addr_kind = kind[k];
		assert_int_equal(
			as_build_func(&b, S(""), object, (as_file){0}, 0, &pos.func), AS_OK);
		if (k != 2) /* no sample, no block */
			assert_int_equal(as_build_self(&b, 0, &pos, &one, 1), AS_OK);
	}
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	mem_write(&w, &as_format_dcpicat, prof);
	assert_int_equal(w.rc, AS_OK);
	assert_int_equal(mem_lost(&w, "addresses"), 2);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
	static const char example[] = HEAD EVENTS ROWS;
	static const char unordered[] =
		HEAD "event 3 c:1:1\n0x20 2\n0x10 1\nname y\nimage 2\nevent 1 d:1:1\n0x30 1\n";
	static const struct as_slice texts[] = {
		{example, sizeof(example) - 1},
		{unordered, sizeof(unordered) - 1},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++)
		mem_starve(&as_format_dcpicat, texts[i]);
}

int dcpicat_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_example_of_the_manual_page_is_read),
		cmocka_unit_test(test_what_was_read_is_written_byte_for_byte),
		cmocka_unit_test(test_blocks_of_one_image_become_one),
		cmocka_unit_test(test_what_is_odd_is_found),
		cmocka_unit_test(test_no_truncation_goes_unnoticed),
		cmocka_unit_test(test_a_last_line_without_end_is_believed_if_the_sums_are_right),
		cmocka_unit_test(test_the_probe),
		cmocka_unit_test(test_other_profiles_are_written_by_address),
		cmocka_unit_test(test_what_the_text_cannot_say_is_refused),
		cmocka_unit_test(test_a_total_that_is_too_large_is_refused),
		cmocka_unit_test(test_every_image_without_virtual_addresses_is_told),
		cmocka_unit_test(test_running_out_of_memory_is_told_and_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
