/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_says.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* As 18.16 and 26.7 write them. */
static const char old_parts[] =
	"Code: 252, e.displayText() = DB::Exception: Too many parts (301). Merges are processing "
	"significantly slower than inserts., e.what() = DB::Exception\n";
static const char new_table[] =
	"Code: 60. DB::Exception: Table default.x does not exist. (UNKNOWN_TABLE) (version "
	"26.7.2.1 (official build))\n";

static enum as_fleet_fault said(const char *body, long status, struct as_err *err, const char **way)
{
	struct as_fleet_says says;
	enum as_fleet_fault fault;

	as_err_clear(err);
	as_fleet_says(as_slice_of(body), &says);
	assert_int_equal(as_fleet_said(&says, status, way, &fault, err), AS_E_IO);
	return fault;
}

static void test_what_old_and_new_servers_say_is_read(void **state)
{
	struct as_fleet_says says;

	(void)state;
	as_fleet_says(as_slice_of(old_parts), &says);
	assert_int_equal(says.code, 252);
	assert_true(as_slice_is(says.text, "Too many parts (301). Merges are processing "
					   "significantly slower than inserts."));
	as_fleet_says(as_slice_of(new_table), &says);
	assert_int_equal(says.code, 60);
	assert_true(as_slice_is(says.text, "Table default.x does not exist. (UNKNOWN_TABLE)"));
	as_fleet_says(as_slice_of("Code: 279, e.displayText() = DB::NetException: All connection "
				  "tries failed. Log: \n\nCode: 32, e.displayText() = DB::NetExce"
				  "ption: Refused (h:1), e.what() = DB::NetException\n"),
		&says);
	assert_int_equal(says.code, 279);
	assert_true(as_slice_is(says.text, "Refused (h:1)"));
	as_fleet_says(as_slice_of("<html>\r\nBad gateway"), &says);
	assert_int_equal(says.code, 0);
	assert_true(as_slice_is(says.text, "<html>"));
	as_fleet_says(as_slice_of("Code: 7 x, DB::Exception: y"), &says);
	assert_int_equal(says.code, 0);
	as_fleet_says((struct as_slice){0}, &says);
	assert_int_equal(says.code, 0);
	assert_int_equal(says.text.len, 0);
}

static void test_an_error_behind_rows_is_seen(void **state)
{
	char body[400] = "\0\1\2 rows \0";
	size_t n = 11, len = strlen(old_parts);
	struct as_fleet_says says;

	(void)state;
	assert_false(as_fleet_says_late((struct as_slice){body, n}, &says));
	assert_false(as_fleet_says_late((struct as_slice){0}, &says));
	memcpy(body + n, old_parts, len);
	assert_true(as_fleet_says_late((struct as_slice){body, n + len}, &says));
	assert_int_equal(says.code, 252);
	assert_true(as_slice_starts(says.text, "Too many parts"));
	/* a name of a function that says so is no error: numbers are behind it */
	body[n + len] = '\0';
	assert_false(as_fleet_says_late((struct as_slice){body, n + len + 1}, &says));
}

static void test_what_may_go_better_later_is_known(void **state)
{
	static const unsigned busy[] = {202, 203, 209, 210, 242, 252, 285, 999};
	static const unsigned refused[] = {36, 60, 62, 81, 164, 193, 279, 497, 516};
	struct as_err err;
	const char *way;
	char body[80];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(busy); i++) {
		snprintf(body, sizeof(body), "Code: %u. DB::Exception: x", busy[i]);
		assert_int_equal(said(body, 500, &err, &way), AS_FLEET_BUSY);
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(refused); i++) {
		snprintf(body, sizeof(body), "Code: %u. DB::Exception: x", refused[i]);
		assert_int_equal(said(body, 500, &err, &way), AS_FLEET_REFUSED);
	}
	assert_int_equal(said("Code: 319. DB::Exception: x", 500, &err, &way), AS_FLEET_AWAY);
	assert_int_equal(said("busy", 503, &err, &way), AS_FLEET_BUSY);
	assert_int_equal(said("no", 400, &err, &way), AS_FLEET_REFUSED);
	assert_int_equal(said("moved", 301, &err, &way), AS_FLEET_REFUSED);
}

static void test_words_say_what_and_what_to_do(void **state)
{
	struct as_err err;
	const char *way;

	(void)state;
	said(new_table, 404, &err, &way);
	assert_string_equal(err.msg, "there is no store in this database: the server says 60: "
				     "Table default.x does not exist. (UNKNOWN_TABLE)");
	assert_non_null(strstr(way, "assay store init"));
	said("Code: 516. DB::Exception: x", 403, &err, &way);
	assert_int_equal(err.sys_errno, EACCES);
	assert_non_null(strstr(way, "ASSAY_STORE_PASSWORD"));
	said("", 401, &err, &way);
	assert_int_equal(err.sys_errno, EACCES);
	assert_string_equal(err.msg, "the server answers 401");
	said("\033[31mred", 400, &err, &way);
	assert_string_equal(err.msg, "the server answers 400: \\x1b[31mred");
}

int fleet_says_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_old_and_new_servers_say_is_read),
		cmocka_unit_test(test_an_error_behind_rows_is_seen),
		cmocka_unit_test(test_what_may_go_better_later_is_known),
		cmocka_unit_test(test_words_say_what_and_what_to_do),
	};

	return cmocka_run_group_tests_name("fleet_says", tests, NULL, NULL);
}
