/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON writer, byte for byte against documents written by hand. */
#include "report/kit/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct job {
	struct as_sink_mem sink;
	struct as_out out;
	struct as_err err;
	struct as_json j;
};

static void begin(struct job *job)
{
	as_err_clear(&job->err);
	as_sink_mem_init(&job->sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&job->out, &as_alloc_libc, &job->sink.sink, &job->err), AS_OK);
	as_json_init(&job->j, &job->out);
}

static void end(struct job *job, const char *want)
{
	assert_int_equal(as_out_finish(&job->out), AS_OK);
	assert_true(as_vec_push(&as_alloc_libc, &job->sink.data, 0));
	assert_string_equal(job->sink.data.p, want);
	as_sink_mem_release(&job->sink);
}

static void test_levels_one_and_two_stand_on_lines_deeper_ones_on_one(void **state)
{
	struct job job;

	(void)state;
	begin(&job);
	as_json_object(&job.j, NULL);
	as_json_text(&job.j, "schema", as_slice_of("assay.test/1"));
	as_json_array(&job.j, "rows");
	as_json_object(&job.j, NULL);
	as_json_val(&job.j, "a", 1);
	as_json_array(&job.j, "b");
	as_json_val(&job.j, NULL, -2);
	as_json_bool(&job.j, NULL, true);
	as_json_null(&job.j, NULL);
	as_json_array_end(&job.j);
	as_json_object_end(&job.j);
	as_json_object(&job.j, NULL);
	as_json_object_end(&job.j);
	as_json_array_end(&job.j);
	as_json_array(&job.j, "none");
	as_json_array_end(&job.j);
	as_json_object_end(&job.j);
	as_json_finish(&job.j);
	end(&job, "{\n"
		  "  \"schema\": \"assay.test/1\",\n"
		  "  \"rows\": [\n"
		  "    {\"a\": 1, \"b\": [-2, true, null]},\n"
		  "    {}\n"
		  "  ],\n"
		  "  \"none\": []\n"
		  "}\n");
}

static void check_string(struct as_slice s, const char *want)
{
	struct job job;

	begin(&job);
	as_json_text(&job.j, NULL, s);
	end(&job, want);
}

#define BYTES(text) ((struct as_slice){(text), sizeof(text) - 1})

static void test_strings_are_escaped_as_rfc_8259_demands(void **state)
{
	(void)state;
	check_string(BYTES("plain"), "\"plain\"");
	check_string(BYTES("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
	check_string(BYTES("tab\tnl\nnul\0del\x7f"), "\"tab\\u0009nl\\u000anul\\u0000del\\u007f\"");
	check_string(BYTES("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x92\xa9"),
		"\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x92\xa9\"");
}

/* Unicode, table 3-7: what is not well-formed is shown byte by byte. */
static void test_bytes_that_are_not_utf8_become_x_and_two_digits(void **state)
{
	(void)state;
	check_string(BYTES("a\xff"
			   "b"),
		"\"a\\\\xffb\"");
	check_string(BYTES("\xc0\x80"), "\"\\\\xc0\\\\x80\"");
	check_string(BYTES("\xe0\x9f\xbf"), "\"\\\\xe0\\\\x9f\\\\xbf\"");
	check_string(BYTES("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\"");
	check_string(BYTES("\xf4\x90\x80\x80"), "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"");
	check_string(BYTES("\xe2\x82"), "\"\\\\xe2\\\\x82\"");
}

static void test_integers_are_exact_at_all_sizes(void **state)
{
	const as_val most = (as_val)(((as_uval)1 << 127) - 1);
	as_val list[] = {0, -1, (as_val)INT64_MAX + 1, most, -most - 1};
	struct job job;

	(void)state;
	begin(&job);
	as_json_vals(&job.j, NULL, list, AS_ARRAY_LEN(list));
	end(&job, "[0, -1, 9223372036854775808, 170141183460469231731687303715884105727, "
		  "-170141183460469231731687303715884105728]");
}

static void test_integers_beyond_2_53_can_be_strings(void **state)
{
	const as_val v[] = {((as_val)1 << 53) + 1, -((as_val)1 << 53)};
	struct job job;

	(void)state;
	begin(&job);
	assert_false(job.j.large_as_text);
	job.j.large_as_text = true;
	as_json_array(&job.j, NULL);
	as_json_val(&job.j, NULL, (as_val)1 << 53);
	as_json_val(&job.j, NULL, -((as_val)1 << 53) - 1);
	as_json_val(&job.j, NULL, UINT64_MAX);
	as_json_vals(&job.j, NULL, v, 2);
	as_json_array_end(&job.j);
	end(&job, "[\n  9007199254740992,\n  \"-9007199254740993\",\n"
		  "  \"18446744073709551615\",\n"
		  "  [\"9007199254740993\", -9007199254740992]\n]");
}

static void test_figures_that_doubles_lack_can_be_strings(void **state)
{
	static const char *const digits[] = {"9007199254740992", "9007199254740993",
		"-9007199254740993", "123456789012345", "12345678901234.5", "-123456789012345.6",
		"0.000000000123456", "17179869184.000000001", "0", "98765432109876543"};
	struct job job;

	(void)state;
	for (unsigned as_text = 0; as_text < 2; as_text++) {
		begin(&job);
		job.j.large_as_text = as_text;
		as_json_array(&job.j, NULL);
		as_json_array(&job.j, NULL);
		as_json_array(&job.j, NULL);
		for (size_t i = 0; i < AS_ARRAY_LEN(digits); i++)
			as_json_digits(&job.j, NULL, as_slice_of(digits[i]));
		as_json_array_end(&job.j);
		as_json_array_end(&job.j);
		as_json_array_end(&job.j);
		end(&job, as_text ? "[\n  [\n    [9007199254740992, \"9007199254740993\", "
				    "\"-9007199254740993\", 123456789012345, 12345678901234.5, "
				    "\"-123456789012345.6\", 0.000000000123456, "
				    "\"17179869184.000000001\", 0, \"98765432109876543\"]\n  ]\n]"
				  : "[\n  [\n    [9007199254740992, 9007199254740993, "
				    "-9007199254740993, 123456789012345, 12345678901234.5, "
				    "-123456789012345.6, 0.000000000123456, "
				    "17179869184.000000001, 0, 98765432109876543]\n  ]\n]");
	}
}

static void test_addresses_are_strings_and_unknown_text_is_null(void **state)
{
	struct job job;

	(void)state;
	begin(&job);
	as_json_object(&job.j, NULL);
	as_json_addr(&job.j, "a", 0x7fffffffffffffff);
	as_json_addr(&job.j, "z", 0);
	as_json_text_or_null(&job.j, "t", as_slice_of(""));
	as_json_text_or_null(&job.j, "u", as_slice_of("x"));
	as_json_object_end(&job.j);
	end(&job, "{\n  \"a\": \"0x7fffffffffffffff\",\n  \"z\": \"0x0\",\n  \"t\": null,\n"
		  "  \"u\": \"x\"\n}");
}

int json_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels_one_and_two_stand_on_lines_deeper_ones_on_one),
		cmocka_unit_test(test_strings_are_escaped_as_rfc_8259_demands),
		cmocka_unit_test(test_bytes_that_are_not_utf8_become_x_and_two_digits),
		cmocka_unit_test(test_integers_are_exact_at_all_sizes),
		cmocka_unit_test(test_integers_beyond_2_53_can_be_strings),
		cmocka_unit_test(test_figures_that_doubles_lack_can_be_strings),
		cmocka_unit_test(test_addresses_are_strings_and_unknown_text_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
