/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_sql.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static void assert_sql(struct as_sql *sql, const char *want)
{
	assert_false(sql->failed);
	if (!as_slice_is(as_sql_slice(sql), want))
		fail_msg("%.*s\nis not\n%s", AS_SLICE_FMT(as_sql_slice(sql)), want);
	sql->text.n = 0;
}

static void test_text_cannot_leave_its_quotes(void **state)
{
	static const char bytes[] = "a'b\\c\n\0\x7f\xc3\xa9;--";
	struct as_sql sql = {.al = &as_alloc_libc};

	(void)state;
	as_sql_quote(&sql, (struct as_slice){bytes, sizeof(bytes) - 1});
	assert_sql(&sql, "'a\\x27b\\x5Cc\\x0A\\x00\\x7F\xc3\xa9;--'");
	as_sql_quote(&sql, (struct as_slice){0});
	assert_sql(&sql, "''");
	as_sql_percent(&sql, as_slice_of("a Z&9=%\xc3"));
	assert_sql(&sql, "a%20Z%269%3D%25%C3");
	as_sql_release(&sql);
}

static void test_numbers_and_days(void **state)
{
	struct as_sql sql = {.al = &as_alloc_libc};

	(void)state;
	as_sql_u64(&sql, UINT64_MAX);
	assert_sql(&sql, "18446744073709551615");
	as_sql_day(&sql, 0);
	assert_sql(&sql, "'1970-01-01'");
	as_sql_day(&sql, 20784);
	assert_sql(&sql, "'2026-11-27'");
	as_sql_day(&sql, UINT16_MAX);
	assert_sql(&sql, "'2149-06-06'");
	as_sql_release(&sql);
}

static void test_an_insert_names_its_columns(void **state)
{
	struct as_sql sql = {.al = &as_alloc_libc};

	(void)state;
	as_sql_insert(&sql, AS_PROF_SAMPLES);
	assert_sql(&sql, "INSERT INTO prof_samples (day, svc, ts, series, stack, value, attempt) "
			 "FORMAT RowBinary");
	as_sql_insert(&sql, AS_PROF_STACKS);
	assert_sql(&sql, "INSERT INTO prof_stacks (day, home, stack, frames) FORMAT RowBinary");
	as_sql_release(&sql);
}

static void test_tables_are_plain_replicated_or_of_a_cluster(void **state)
{
	struct as_fleet_address address = {
		.database = {"db", 2}, .cluster = {"big", 3}, .n_servers = 1};
	struct as_sql sql = {.al = &as_alloc_libc};

	(void)state;
	as_sql_create(&sql, AS_PROF_STACKS, false, &address);
	assert_sql(&sql,
		"CREATE TABLE IF NOT EXISTS prof_stacks (day Date, home UInt64, stack "
		"UInt64, frames Array(UInt64)) ENGINE = ReplacingMergeTree PARTITION BY day ORDER "
		"BY (home, stack) SETTINGS index_granularity = 1024");
	as_sql_create(&sql, AS_PROF_META, true, &address);
	assert_sql(&sql,
		"CREATE TABLE IF NOT EXISTS prof_meta (version UInt32, shard UInt32, server "
		"String) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/db/"
		"prof_meta', '{replica}') ORDER BY (shard, server) SETTINGS index_granularity = "
		"8192");
	as_sql_create(&sql, AS_PROF_FRAMES, true, &address);
	assert_true(
		as_slice_find_text(as_sql_slice(&sql), "'{replica}', ver) PARTITION") < sql.text.n);
	sql.text.n = 0;
	as_sql_create_all(&sql, AS_PROF_STACKS, &address);
	assert_sql(&sql, "CREATE TABLE IF NOT EXISTS all_stacks AS prof_stacks ENGINE = "
			 "Distributed('big', 'db', 'prof_stacks')");
	assert_string_equal(as_fleet_read(&address, AS_PROF_SERIES), "all_series");
	address.cluster.len = 0;
	assert_string_equal(as_fleet_read(&address, AS_PROF_SERIES), "prof_series");
	as_sql_release(&sql);
}

static void test_without_memory_a_statement_says_so(void **state)
{
	(void)state;
	for (uint64_t fail_at = 1;; fail_at++) {
		struct fail_alloc fa;
		struct as_sql sql;

		fail_alloc_init(&fa, fail_at);
		sql = (struct as_sql){.al = &fa.al};
		as_sql_create(&sql, AS_PROF_FRAMES, false, &(struct as_fleet_address){0});
		as_sql_release(&sql);
		assert_int_equal(fa.held, 0);
		if (!sql.failed)
			return;
	}
}

int fleet_sql_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_cannot_leave_its_quotes),
		cmocka_unit_test(test_numbers_and_days),
		cmocka_unit_test(test_an_insert_names_its_columns),
		cmocka_unit_test(test_tables_are_plain_replicated_or_of_a_cluster),
		cmocka_unit_test(test_without_memory_a_statement_says_so),
	};

	return cmocka_run_group_tests_name("fleet_sql", tests, NULL, NULL);
}
