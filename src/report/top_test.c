/* SPDX-License-Identifier: Apache-2.0 */
/* The top table over a profile made by hand: it adds up, in text, JSON and CSV. */
#include "report/top.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/build.h"
#include "report/sheet/sheet.h"

/*
 * Self costs (Ir, Dr): main 20 5; work, in "we,ird.c", 70 0; the address 0x10 of lib.so 7 1;
 * an absolute address 0xabc 3 0. Total 100 6. No calls, so inclusive cost is not known.
 */
static struct as_profile *places(void)
{
	struct as_profile *prof;
	struct as_build b;
	struct as_pos pos = {0};
	as_object app, lib;
	as_file weird;
	as_val v[2];
	uint32_t ev, part;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("Ir"), as_slice_of(""), &ev), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("Dr"), as_slice_of("count"), &ev), AS_OK);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/bin/app"), as_slice_of(""), &app), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/lib/lib.so"), as_slice_of(""), &lib), AS_OK);
	assert_int_equal(as_build_file(&b, as_slice_of("we,ird.c"), &weird), AS_OK);
#define SELF(name, obj, fl, at, ir, dr)                                                       \
	do {                                                                                  \
		assert_int_equal(                                                             \
			as_build_func(&b, as_slice_of(name), obj, fl, at, &pos.func), AS_OK); \
		pos.file = (fl);                                                              \
		pos.addr = (at);                                                              \
		v[0] = (ir);                                                                  \
		v[1] = (dr);                                                                  \
		assert_int_equal(as_build_self(&b, part, &pos, v, 2), AS_OK);                 \
	} while (0)
	SELF("main", app, (as_file){0}, 0, 20, 5);
	SELF("work\"\x01", app, weird, 0, 70, 0);
	SELF("", lib, (as_file){0}, 0x10, 7, 1);
	SELF("", (as_object){0}, (as_file){0}, 0xabc, 3, 0);
#undef SELF
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void check(const struct as_top_opts *opts, enum as_form form, const char *want)
{
	static const struct as_style style = {.utf8 = true};
	struct as_profile *prof = places();
	struct as_sink_mem sink;
	struct as_out out;
	struct as_err err;
	struct as_top top;

	as_err_clear(&err);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, &err), AS_OK);
	assert_int_equal(as_top_make(&top, prof, opts, &err), AS_OK);
	assert_int_equal(as_top_print(&top, &(struct as_sheet_to){form, &out, &style}), AS_OK);
	as_top_release(&top);
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_true(as_vec_push(&as_alloc_libc, &sink.data, 0));
	assert_string_equal(sink.data.p, want);
	as_sink_mem_release(&sink);
	as_profile_free(prof);
}

static void test_text_shows_addresses_of_what_has_no_name(void **state)
{
	const struct as_top_opts opts = {0};

	(void)state;
	check(&opts, AS_FORM_TEXT,
		"self Ir     %  self Dr  function       where\n"
		"     70  70.0        0  work\"\\x01      we,ird.c\n"
		"     20  20.0        5  main           app\n"
		"      7   7.0        1  [lib.so+0x10]  lib.so\n"
		"      3   3.0        0  [0xabc]\n");
}

/* Code of DCPI's: one function without a name or an address, whose rows have addresses. */
static void test_rows_of_code_without_names_show_the_rows_own_place(void **state)
{
	static const struct as_style style = {.utf8 = true};
	static const char *const want[] = {"self c      %  function  where\n"
					   "     9  100.0  [lib.so]  lib.so\n",
		"self c     %  function       address      where\n"
		"     5  55.6  [lib.so+0x20]  lib.so+0x20\n"
		"     4  44.4  [lib.so+0x10]  lib.so+0x10\n"};
	struct as_profile *prof;
	struct as_build b;
	struct as_pos pos = {.addr = 0x10};
	as_object lib;
	as_val v = 4;
	uint32_t i;

	(void)state;
	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("c"), as_slice_of(""), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	assert_int_equal(
		as_build_object(&b, as_slice_of("/lib/lib.so"), as_slice_of(""), &lib), AS_OK);
	assert_int_equal(
		as_build_func(&b, as_slice_of(""), lib, (as_file){0}, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	pos.addr = 0x20;
	v = 5;
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	for (i = 0; i < 2; i++) {
		struct as_top_opts opts = {.project = {.by = i ? AS_BY_ADDR : AS_BY_LINE}};
		struct as_sink_mem sink;
		struct as_out out;
		struct as_top top;

		as_sink_mem_init(&sink, &as_alloc_libc);
		assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, NULL), AS_OK);
		assert_int_equal(as_top_make(&top, prof, &opts, NULL), AS_OK);
		assert_int_equal(
			as_top_print(&top, &(struct as_sheet_to){AS_FORM_TEXT, &out, &style}),
			AS_OK);
		as_top_release(&top);
		assert_int_equal(as_out_finish(&out), AS_OK);
		assert_true(as_vec_push(&as_alloc_libc, &sink.data, 0));
		assert_string_equal(sink.data.p, want[i]);
		as_sink_mem_release(&sink);
	}
	as_profile_free(prof);
}

static void test_text_with_a_limit_adds_up_with_its_last_line(void **state)
{
	const struct as_top_opts opts = {.limit = 1};

	(void)state;
	check(&opts, AS_FORM_TEXT,
		"self Ir     %  self Dr  function       where\n"
		"     70  70.0        0  work\"\\x01      we,ird.c\n"
		"     30  30.0        6  [3 more rows]\n");
}

static void test_json_has_the_fields_of_the_contract_in_their_order(void **state)
{
	static const uint32_t dr[] = {1};
	static const char *const files[] = {"x.prof"};
	const struct as_top_opts opts = {
		.view = {.event = dr, .n_events = 1, .sort_event = 1, .files = files, .n_files = 1},
		.limit = 2};

	(void)state;
	check(&opts, AS_FORM_JSON,
		"{\n"
		"  \"schema\": \"assay.top/1\",\n"
		"  \"profile\": {\n"
		"    \"format\": null,\n"
		"    \"files\": [\"x.prof\"],\n"
		"    \"shape\": \"places\",\n"
		"    \"estimated\": false,\n"
		"    \"path_depth\": null\n"
		"  },\n"
		"  \"by\": \"function\",\n"
		"  \"events\": [\n"
		"    {\"name\": \"Dr\", \"unit\": \"count\", \"total\": 6}\n"
		"  ],\n"
		"  \"rows\": [\n"
		"    {\"function\": \"main\", \"file\": null, \"line\": null, \"object\": "
		"\"/bin/app\", "
		"\"address\": null, \"self\": [5], \"inclusive\": null, \"calls\": null, "
		"\"recursive\": false},\n"
		"    {\"function\": null, \"file\": null, \"line\": null, \"object\": "
		"\"/lib/lib.so\", "
		"\"address\": \"0x10\", \"self\": [1], \"inclusive\": null, \"calls\": null, "
		"\"recursive\": false}\n"
		"  ],\n"
		"  \"rest\": {\n"
		"    \"rows\": 2,\n"
		"    \"self\": [0]\n"
		"  },\n"
		"  \"cycles\": []\n"
		"}\n");
}

static void test_csv_quotes_what_needs_it_and_has_rows_only(void **state)
{
	const struct as_top_opts opts = {.limit = 1};

	(void)state;
	check(&opts, AS_FORM_CSV,
		"function,file,line,object,address,self Ir,self Dr,inclusive Ir,inclusive "
		"Dr,calls\n"
		"\"work\"\"\\x01\",\"we,ird.c\",,/bin/app,,70,0,,,\n");
}

static void test_by_object_nothing_is_counted_twice(void **state)
{
	const struct as_top_opts opts = {.project = {.by = AS_BY_OBJECT}};

	(void)state;
	check(&opts, AS_FORM_TEXT,
		"self Ir     %  self Dr  object\n"
		"     90  90.0        5  /bin/app\n"
		"      7   7.0        1  /lib/lib.so\n"
		"      3   3.0        0  [unknown]\n");
}

int top_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_shows_addresses_of_what_has_no_name),
		cmocka_unit_test(test_rows_of_code_without_names_show_the_rows_own_place),
		cmocka_unit_test(test_text_with_a_limit_adds_up_with_its_last_line),
		cmocka_unit_test(test_json_has_the_fields_of_the_contract_in_their_order),
		cmocka_unit_test(test_csv_quotes_what_needs_it_and_has_rows_only),
		cmocka_unit_test(test_by_object_nothing_is_counted_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
