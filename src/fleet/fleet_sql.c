/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_sql.h"

#include "base/date.h"
#include "fleet/fleet_tables.h"

void as_sql_release(struct as_sql *sql)
{
	as_vec_free(sql->al, &sql->text);
}

void as_sql_puts(struct as_sql *sql, struct as_slice words)
{
	if (!sql->failed && words.len)
		sql->failed = !as_vec_append(sql->al, &sql->text, words.p, words.len);
}

void as_sql_put(struct as_sql *sql, const char *words)
{
	as_sql_puts(sql, as_slice_of(words));
}

static void sql_char(struct as_sql *sql, char c)
{
	as_sql_puts(sql, (struct as_slice){&c, 1});
}

static void sql_hex(struct as_sql *sql, const char *front, char c)
{
	static const char digit[] = "0123456789ABCDEF";

	as_sql_put(sql, front);
	sql_char(sql, digit[(unsigned char)c >> 4]);
	sql_char(sql, digit[(unsigned char)c & 15]);
}

void as_sql_quote(struct as_sql *sql, struct as_slice text)
{
	sql_char(sql, '\'');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];

		if ((unsigned char)c < ' ' || c == 0x7f || c == '\'' || c == '\\')
			sql_hex(sql, "\\x", c);
		else
			sql_char(sql, c);
	}
	sql_char(sql, '\'');
}

void as_sql_u64(struct as_sql *sql, uint64_t v)
{
	char text[AS_VAL_TEXT];

	as_sql_put(sql, as_val_text((as_val)v, text));
}

void as_sql_day(struct as_sql *sql, uint32_t day)
{
	char text[AS_DATE_NANOS];

	as_date_nanos_text((int64_t)day * 86400 * 1000000000, "T", "Z", text);
	as_sql_quote(sql, (struct as_slice){text, strlen("YYYY-MM-DD")});
}

void as_sql_percent(struct as_sql *sql, struct as_slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
			sql_char(sql, c);
		else
			sql_hex(sql, "%", c);
	}
}

/* ---- the tables ---- */

struct sql_column {
	const char *name, *type;
};

#define SQL_COLUMN(name, type) {#name, type},
#define SQL_COLUMNS(list)           \
	(const struct sql_column[]) \
	{                           \
		list(SQL_COLUMN)    \
		{                   \
			NULL, NULL  \
		}                   \
	}
#define SQL_META(X) X(version, "UInt32") X(shard, "UInt32") X(server, "String")

struct sql_table {
	const char *own, *all;
	const struct sql_column *column; /* ended by one without a name */
	const char *engine, *inner;      /* INNER: what is in its parentheses */
	const char *order;
	bool by_day;
	const char *granularity;
};

static const struct sql_table sql_tables[AS_PROF_TABLES] = {
	[AS_PROF_BATCHES] = {"prof_batches", "all_batches", SQL_COLUMNS(AS_FLEET_BATCHES),
		"MergeTree", NULL, "service, t0, batch", true, "8192"},
	[AS_PROF_SAMPLES] = {"prof_samples", "all_samples", SQL_COLUMNS(AS_FLEET_SAMPLES),
		"MergeTree", NULL, "svc, ts, series, stack", true, "8192"},
	[AS_PROF_STACKS] = {"prof_stacks", "all_stacks", SQL_COLUMNS(AS_FLEET_STACKS),
		"ReplacingMergeTree", NULL, "home, stack", true, "1024"},
	[AS_PROF_FRAMES] = {"prof_frames", "all_frames", SQL_COLUMNS(AS_FLEET_FRAMES),
		"ReplacingMergeTree", "ver", "home, frame, idx", true, "1024"},
	[AS_PROF_SERIES] = {"prof_series", "all_series", SQL_COLUMNS(AS_FLEET_SERIES),
		"ReplacingMergeTree", NULL, "svc, series", true, "1024"},
	[AS_PROF_META] = {"prof_meta", "all_meta", SQL_COLUMNS(SQL_META), "ReplacingMergeTree",
		NULL, "shard, server", false, "8192"},
};

const char *as_fleet_own(enum as_fleet_table table)
{
	return sql_tables[table].own;
}

const char *as_fleet_all(enum as_fleet_table table)
{
	return sql_tables[table].all;
}

const char *as_fleet_read(const struct as_fleet_address *address, enum as_fleet_table table)
{
	return address->cluster.len ? sql_tables[table].all : sql_tables[table].own;
}

void as_sql_insert(struct as_sql *sql, enum as_fleet_table table)
{
	as_sql_put(sql, "INSERT INTO ");
	as_sql_put(sql, sql_tables[table].own);
	for (const struct sql_column *c = sql_tables[table].column; c->name; c++) {
		as_sql_put(sql, c == sql_tables[table].column ? " (" : ", ");
		as_sql_put(sql, c->name);
	}
	as_sql_put(sql, ") FORMAT RowBinary");
}

/* Replicas find each other by a path in ZooKeeper, which a server makes of its macros. */
static void sql_replicated(struct as_sql *sql, const struct sql_table *t, struct as_slice database)
{
	as_sql_put(sql, "Replicated");
	as_sql_put(sql, t->engine);
	as_sql_put(sql, "('/clickhouse/tables/{shard}/");
	as_sql_puts(sql, database);
	as_sql_put(sql, "/");
	as_sql_put(sql, t->own);
	as_sql_put(sql, "', '{replica}'");
	if (t->inner) {
		as_sql_put(sql, ", ");
		as_sql_put(sql, t->inner);
	}
	as_sql_put(sql, ")");
}

static void sql_plain_engine(struct as_sql *sql, const struct sql_table *t)
{
	as_sql_put(sql, t->engine);
	if (!t->inner)
		return;
	as_sql_put(sql, "(");
	as_sql_put(sql, t->inner);
	as_sql_put(sql, ")");
}

void as_sql_create(struct as_sql *sql, enum as_fleet_table table, bool replicated,
	const struct as_fleet_address *address)
{
	const struct sql_table *t = &sql_tables[table];

	as_sql_put(sql, "CREATE TABLE IF NOT EXISTS ");
	as_sql_put(sql, t->own);
	for (const struct sql_column *c = t->column; c->name; c++) {
		as_sql_put(sql, c == t->column ? " (" : ", ");
		as_sql_put(sql, c->name);
		as_sql_put(sql, " ");
		as_sql_put(sql, c->type);
	}
	as_sql_put(sql, ") ENGINE = ");
	if (replicated)
		sql_replicated(sql, t, address->database);
	else
		sql_plain_engine(sql, t);
	if (t->by_day)
		as_sql_put(sql, " PARTITION BY day");
	as_sql_put(sql, " ORDER BY (");
	as_sql_put(sql, t->order);
	as_sql_put(sql, ") SETTINGS index_granularity = ");
	as_sql_put(sql, t->granularity);
}

void as_sql_create_all(
	struct as_sql *sql, enum as_fleet_table table, const struct as_fleet_address *address)
{
	const struct sql_table *t = &sql_tables[table];

	as_sql_put(sql, "CREATE TABLE IF NOT EXISTS ");
	as_sql_put(sql, t->all);
	as_sql_put(sql, " AS ");
	as_sql_put(sql, t->own);
	as_sql_put(sql, " ENGINE = Distributed(");
	as_sql_quote(sql, address->cluster);
	as_sql_put(sql, ", ");
	as_sql_quote(sql, address->database);
	as_sql_put(sql, ", ");
	as_sql_quote(sql, as_slice_of(t->own));
	as_sql_put(sql, ")");
}
