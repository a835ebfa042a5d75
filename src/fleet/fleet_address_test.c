/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_address.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define assert_slice(s, want) assert_true(as_slice_is((s), (want)))

static void test_a_path_is_a_name_or_a_url_and_a_query(void **state)
{
	struct as_fleet_path p;

	(void)state;
	assert_true(as_fleet_named("store:fleet?service=api&since=1h", &p));
	assert_slice(p.name, "fleet");
	assert_slice(p.url, "");
	assert_slice(p.query, "service=api&since=1h");
	assert_true(as_fleet_named("store:", &p));
	assert_slice(p.name, "");
	assert_slice(p.query, "");
	assert_true(as_fleet_named("store:?host=a", &p));
	assert_slice(p.name, "");
	assert_slice(p.query, "host=a");
	assert_true(as_fleet_named("store:HTTP://h:1/db?host=a?b", &p));
	assert_slice(p.name, "");
	assert_slice(p.url, "HTTP://h:1/db");
	assert_slice(p.query, "host=a?b");
	assert_false(as_fleet_named("stores:x", &p));
	assert_false(as_fleet_named("", &p));
}

static void test_a_url_names_servers_database_and_cluster(void **state)
{
	struct as_fleet_address a;
	struct as_err err = AS_ERR_NONE;

	(void)state;
	assert_int_equal(
		as_fleet_address(
			as_slice_of("https://a.b-c:1,[::1]:8443,d/prof_1?cluster=big-1"), &a, &err),
		AS_OK);
	assert_true(a.tls);
	assert_int_equal(a.n_servers, 3);
	assert_slice(a.server[0], "a.b-c:1");
	assert_slice(a.server[1], "[::1]:8443");
	assert_slice(a.server[2], "d");
	assert_slice(a.database, "prof_1");
	assert_slice(a.cluster, "big-1");
	assert_int_equal(as_fleet_address(as_slice_of("http://h/db"), &a, &err), AS_OK);
	assert_false(a.tls);
	assert_slice(a.cluster, "");
}

static void test_other_urls_are_refused(void **state)
{
	static const char *const wrong[] = {"", "h:8123/db", "ftp://h/db", "http://h", "http://h/",
		"http:///db", "http://h,/db", "http://h:0/db", "http://h:65536/db", "http://h:x/db",
		"http://h/db?cluster=", "http://h/db?cluster=a'b", "http://[::1/db", "http://]/db",
		"http://[a%b]/db", "http://h%41/db", "http://h/db#x"};
	struct as_fleet_address a;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(wrong); i++) {
		struct as_err err = AS_ERR_NONE;

		if (as_fleet_address(as_slice_of(wrong[i]), &a, &err) != AS_E_ARG)
			fail_msg("'%s' is taken", wrong[i]);
		assert_true(err.msg[0]);
	}
}

static void test_a_password_is_refused_and_not_shown(void **state)
{
	static const char *const with[] = {
		"http://u:secret@h/db", "https://secret@h/db", "http://h/db?password=secret@"};
	struct as_fleet_address a;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(with); i++) {
		struct as_err err = AS_ERR_NONE;

		assert_int_equal(as_fleet_address(as_slice_of(with[i]), &a, &err), AS_E_ARG);
		assert_null(strstr(err.msg, "secret"));
		assert_non_null(strstr(err.msg, "password"));
	}
}

static void test_more_servers_than_there_may_be_are_refused(void **state)
{
	char url[600] = "http://h";
	struct as_fleet_address a;
	struct as_err err = AS_ERR_NONE;
	size_t n = strlen(url);

	(void)state;
	for (int i = 1; i < AS_FLEET_SERVERS; i++) {
		memcpy(url + n, ",h", 2);
		n += 2;
	}
	memcpy(url + n, "/db", 4);
	assert_int_equal(as_fleet_address(as_slice_of(url), &a, &err), AS_OK);
	assert_int_equal(a.n_servers, AS_FLEET_SERVERS);
	memcpy(url + n, ",h/db", 6);
	assert_int_equal(as_fleet_address(as_slice_of(url), &a, &err), AS_E_ARG);
}

static void test_a_name_has_a_variable(void **state)
{
	char var[64];

	(void)state;
	assert_true(as_fleet_variable(as_slice_of("eu-west.1"), var, sizeof(var)));
	assert_string_equal(var, "ASSAY_STORE_EU_WEST_1");
	assert_true(as_fleet_variable(as_slice_of(""), var, sizeof(var)));
	assert_string_equal(var, "ASSAY_STORE");
	assert_false(as_fleet_variable(as_slice_of("a b"), var, sizeof(var)));
	assert_false(as_fleet_variable(as_slice_of("a"), var, 13));
	assert_true(as_fleet_variable(as_slice_of("a"), var, 14));
}

static void test_a_file_lists_names_and_urls(void **state)
{
	struct as_slice text = as_slice_of(
				"# stores\n\na  http://a/db # ours\r\nb\nb\thttp://b/db"),
			url;

	(void)state;
	assert_true(as_fleet_listed(text, as_slice_of("a"), &url));
	assert_slice(url, "http://a/db");
	assert_true(as_fleet_listed(text, as_slice_of("b"), &url));
	assert_slice(url, "http://b/db");
	assert_false(as_fleet_listed(text, as_slice_of("stores"), &url));
	assert_false(as_fleet_listed(text, as_slice_of(""), &url));
}

int fleet_address_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_path_is_a_name_or_a_url_and_a_query),
		cmocka_unit_test(test_a_url_names_servers_database_and_cluster),
		cmocka_unit_test(test_other_urls_are_refused),
		cmocka_unit_test(test_a_password_is_refused_and_not_shown),
		cmocka_unit_test(test_more_servers_than_there_may_be_are_refused),
		cmocka_unit_test(test_a_name_has_a_variable),
		cmocka_unit_test(test_a_file_lists_names_and_urls),
	};

	return cmocka_run_group_tests_name("fleet_address", tests, NULL, NULL);
}
