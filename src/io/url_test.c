/* SPDX-License-Identifier: Apache-2.0 */
#include "io/url.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void assert_shown(const char *url, const char *want)
{
	struct as_arena arena;

	as_arena_init(&arena, &as_alloc_libc);
	assert_string_equal(as_url_shown(&arena, url).p, want);
	as_arena_release(&arena);
}

static void test_only_http_is_a_url(void **state)
{
	(void)state;
	assert_true(as_url_is("http://h"));
	assert_true(as_url_is("HTTPS://h"));
	assert_false(as_url_is("file:///etc/passwd"));
	assert_false(as_url_is("http:/h"));
	assert_false(as_url_is("./http://h"));
	assert_false(as_url_is(""));
}

static void test_user_and_password_are_not_shown(void **state)
{
	(void)state;
	assert_shown("http://h:6060/debug/pprof/heap", "http://h:6060/debug/pprof/heap");
	assert_shown("http://user:secret@h:6060/p", "http://h:6060/p");
	assert_shown("https://secret@h/p@q", "https://h/p@q");
	assert_shown("http://user:se@cret@h/p", "http://h/p");
	assert_shown("http://user:secret@[::1]:8080/p", "http://[::1]:8080/p");
	assert_shown("http://[::1]", "http://[::1]");
	assert_shown("http://h/p#secret", "http://h/p");
	assert_shown("http://user:secret@h", "http://h");
	assert_shown("http://user:se/cret@h/p", "http://*");
	assert_shown("http://", "http://");
}

static void test_of_a_query_only_harmless_values_are_shown(void **state)
{
	(void)state;
	assert_shown("http://h/p?seconds=30", "http://h/p?seconds=30");
	assert_shown("http://h/p?seconds=30&token=secret&debug=1",
		"http://h/p?seconds=30&token=*&debug=1");
	assert_shown("http://h/p?secret", "http://h/p?*");
	assert_shown("http://h/p?a=&b", "http://h/p?a=&*");
	assert_shown("http://h/p?seconds=secret", "http://h/p?seconds=*");
	assert_shown("http://u:p@h?token=a@b", "http://h?token=*");
}

static void assert_server(const char *url, const char *want)
{
	assert_true(as_slice_is(as_url_server(as_slice_of(url)), want));
}

static void test_a_server_is_scheme_host_and_port(void **state)
{
	(void)state;
	assert_server("http://h:6060/p?q=/", "http://h:6060");
	assert_server("https://h", "https://h");
	assert_server("http://h?q", "http://h");
}

static void test_how_long_it_measures_is_a_number(void **state)
{
	(void)state;
	assert_int_equal(as_url_seconds("http://h/p?seconds=30"), 30);
	assert_int_equal(as_url_seconds("http://h/p?debug=0&seconds=5#x"), 5);
	assert_int_equal(as_url_seconds("http://h/p?seconds=abc"), 0);
	assert_int_equal(as_url_seconds("http://h/seconds=7"), 0);
	assert_int_equal(as_url_seconds("http://h/p?milliseconds=7"), 0);
	assert_int_equal(as_url_seconds("http://h/p?seconds=99999999999999999999999"), 0);
	assert_int_equal(as_url_seconds("http://h/p"), 0);
}

int url_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_http_is_a_url),
		cmocka_unit_test(test_user_and_password_are_not_shown),
		cmocka_unit_test(test_of_a_query_only_harmless_values_are_shown),
		cmocka_unit_test(test_a_server_is_scheme_host_and_port),
		cmocka_unit_test(test_how_long_it_measures_is_a_number),
	};

	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
