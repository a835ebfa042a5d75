/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/graph_dot.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void becomes(const char *text, size_t len, const char *wanted)
{
	struct as_sink_mem sink;
	struct as_out out;
	struct as_err err;

	as_err_clear(&err);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, &err), AS_OK);
	as_dot_text(&out, (struct as_slice){text, len});
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_int_equal(sink.data.n, strlen(wanted));
	assert_memory_equal(sink.data.p, wanted, sink.data.n);
	as_sink_mem_release(&sink);
}

#define BECOMES(text, wanted) becomes(text, sizeof(text) - 1, wanted)

static void test_plain_text_stays(void **state)
{
	(void)state;
	BECOMES("", "");
	BECOMES("operator&&(int&, char)", "operator&&(int&, char)");
	BECOMES("<b>{x|y}</b>", "<b>{x|y}</b>");
	BECOMES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

static void test_quotes_and_escapes_are_defused(void **state)
{
	(void)state;
	BECOMES("a\"b", "a\\\"b");
	BECOMES("\\N\\", "\\\\N\\\\");
	BECOMES("\\\"", "\\\\\\\"");
}

static void test_entities_are_defused(void **state)
{
	(void)state;
	BECOMES("&lt;", "&amp;lt;");
	BECOMES("&#65;&#x41;", "&amp;#65;&amp;#x41;");
	BECOMES("&;", "&;");
	BECOMES("&lt", "&lt");
	BECOMES("&a b;", "&a b;");
}

static void test_what_moves_a_cursor_is_told(void **state)
{
	(void)state;
	BECOMES("a\nb\r\t\x7f", "a\\\\x0ab\\\\x0d\\\\x09\\\\x7f");
	BECOMES("a\0b", "a\\\\x00b");
	BECOMES("\xff", "\\\\xff");
	BECOMES("\xe2\x82", "\\\\xe2\\\\x82");            /* cut off */
	BECOMES("\xc0\x80", "\\\\xc0\\\\x80");            /* overlong */
	BECOMES("\xed\xa0\x80", "\\\\xed\\\\xa0\\\\x80"); /* half of a pair */
}

int graph_dot_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_text_stays),
		cmocka_unit_test(test_quotes_and_escapes_are_defused),
		cmocka_unit_test(test_entities_are_defused),
		cmocka_unit_test(test_what_moves_a_cursor_is_told),
	};

	return cmocka_run_group_tests_name("graph_dot", tests, NULL, NULL);
}
