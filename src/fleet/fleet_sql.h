/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements of ClickHouse, as text. What comes from outside is quoted, always: as_sql_quote() is
 * the only way for it.
 */
#ifndef AS_FLEET_FLEET_SQL_H
#define AS_FLEET_FLEET_SQL_H

#include "base/alloc.h"
#include "base/slice.h"
#include "fleet/fleet_address.h"

/* A text that grows; failure is sticky. All zero but AL is the empty one. */
struct as_sql {
	const struct as_alloc *al;
	AS_VEC(char) text;
	bool failed; /* out of memory */
};

void as_sql_release(struct as_sql *sql);
static inline struct as_slice as_sql_slice(const struct as_sql *sql)
{
	return (struct as_slice){sql->text.p, sql->text.n};
}

/* Words of ours, as they are. */
void as_sql_put(struct as_sql *sql, const char *words);
void as_sql_puts(struct as_sql *sql, struct as_slice words);
/* 'TEXT' with what would end it, or move a cursor, escaped. */
void as_sql_quote(struct as_sql *sql, struct as_slice text);
void as_sql_u64(struct as_sql *sql, uint64_t v);
/* 'YYYY-MM-DD' of days since 1970: by text, for a server may lie in another zone. */
void as_sql_day(struct as_sql *sql, uint32_t day);
/* TEXT for the query of a URL: all but letters and digits is %XX. */
void as_sql_percent(struct as_sql *sql, struct as_slice text);

/* ---- the tables: their columns are in fleet_tables.h ---- */

enum as_fleet_table {
	AS_PROF_BATCHES,
	AS_PROF_SAMPLES,
	AS_PROF_STACKS,
	AS_PROF_FRAMES,
	AS_PROF_SERIES,
	AS_PROF_META,
	AS_PROF_TABLES
};

/* "prof_samples", which a server writes and has itself; "all_samples", which reads those of all
 * shards; what is to be read of a store at ADDRESS. */
const char *as_fleet_own(enum as_fleet_table table);
const char *as_fleet_all(enum as_fleet_table table);
const char *as_fleet_read(const struct as_fleet_address *address, enum as_fleet_table table);

/* "INSERT INTO prof_X (its columns) FORMAT RowBinary". */
void as_sql_insert(struct as_sql *sql, enum as_fleet_table table);
/* CREATE TABLE IF NOT EXISTS, of the server's own; REPLICATED: by its macros shard and replica. */
void as_sql_create(struct as_sql *sql, enum as_fleet_table table, bool replicated,
	const struct as_fleet_address *address);
/* Of the one that reads all shards of the cluster. */
void as_sql_create_all(
	struct as_sql *sql, enum as_fleet_table table, const struct as_fleet_address *address);

#endif
