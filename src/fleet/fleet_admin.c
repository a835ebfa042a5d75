/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_admin.h"

#include <stdio.h>

#include "fleet/fleet_cur.h"
#include "fleet/fleet_tables.h"

/* ---- tables ---- */

static void admin_create_database(const struct as_fleet *f, struct as_sql *sql)
{
	as_sql_put(sql, "CREATE DATABASE IF NOT EXISTS ");
	as_sql_puts(sql, as_fleet_address_of(f)->database);
}

/* Statement N of those that make the store; false: there are no more. */
static bool admin_create(const struct as_fleet *f, bool replicated, size_t n, struct as_sql *sql)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);

	if (n < AS_PROF_TABLES)
		as_sql_create(sql, (enum as_fleet_table)n, replicated, address);
	else if (n < 2 * AS_PROF_TABLES && as_fleet_has_cluster(f))
		as_sql_create_all(sql, (enum as_fleet_table)(n - AS_PROF_TABLES), address);
	else
		return false;
	return true;
}

void as_fleet_init_text(const struct as_fleet *f, bool replicated, struct as_sql *sql)
{
	admin_create_database(f, sql);
	as_sql_put(sql, ";\n");
	for (size_t n = 0; admin_create(f, replicated, n, sql); n++)
		as_sql_put(sql, ";\n");
}

/* Takes SQL, whatever comes of it. */
static enum as_code admin_do(
	struct as_fleet *f, size_t server, struct as_sql *sql, bool anywhere, struct as_err *err)
{
	enum as_code rc = as_err_memory(err, !sql->failed);

	AS_THEN(rc, as_fleet_do(f, server, as_sql_slice(sql), anywhere, err));
	as_sql_release(sql);
	return rc;
}

static enum as_code admin_ask_at(struct as_fleet *f, size_t server, struct as_sql *sql,
	struct as_fleet_answer *answer, struct as_err *err)
{
	enum as_code rc = as_err_memory(err, !sql->failed);

	AS_THEN(rc, as_fleet_query_at(f, server, as_sql_slice(sql), answer, err));
	as_sql_release(sql);
	return rc;
}

static enum as_code admin_ask(
	struct as_fleet *f, struct as_sql *sql, struct as_fleet_answer *answer, struct as_err *err)
{
	enum as_code rc = as_err_memory(err, !sql->failed);

	AS_THEN(rc, as_fleet_query(f, as_sql_slice(sql), answer, err));
	as_sql_release(sql);
	return rc;
}

static struct as_fleet_cur admin_cur(const struct as_fleet_answer *answer)
{
	return as_fleet_cur_of((struct as_slice){answer->bytes.p, answer->bytes.n});
}

static enum as_code admin_cut(struct as_err *err)
{
	return as_err_set(err, AS_E_FORMAT, "the server's answer is not what was asked for");
}

/* The number of the shard that SERVER is in. */
static enum as_code admin_shard(
	struct as_fleet *f, size_t server, uint32_t *shard, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur cur;
	enum as_code rc;

	*shard = 1;
	if (!as_fleet_has_cluster(f))
		return AS_OK;
	as_sql_put(&sql, "SELECT toUInt32(shard_num) FROM system.clusters WHERE is_local AND "
			 "cluster = ");
	as_sql_quote(&sql, address->cluster);
	as_sql_put(&sql, " FORMAT RowBinary");
	rc = admin_ask_at(f, server, &sql, &answer, err);
	cur = admin_cur(&answer);
	if (rc == AS_OK && !as_fleet_more(&cur))
		rc = as_err_set(err, AS_E_ARG,
			"its configuration has no cluster '%.*s' with this server in it",
			AS_SLICE_FMT(address->cluster));
	if (rc == AS_OK)
		*shard = (uint32_t)as_fleet_number(&cur, 4);
	if (rc == AS_OK && cur.cut)
		rc = admin_cut(err);
	as_vec_free(sql.al, &answer.bytes);
	return rc;
}

/* What a store says of itself: a row for each server, which says it again for each init. */
static enum as_code admin_sign(
	struct as_fleet *f, size_t server, uint32_t shard, struct as_err *err)
{
	struct as_sql sql = {.al = as_fleet_alloc(f)};

	as_sql_put(&sql, "INSERT INTO prof_meta (version, shard, server) VALUES (");
	as_sql_u64(&sql, AS_FLEET_VERSION);
	as_sql_put(&sql, ", ");
	as_sql_u64(&sql, shard);
	as_sql_put(&sql, ", ");
	as_sql_quote(&sql, as_fleet_address_of(f)->server[server]);
	as_sql_put(&sql, ")");
	return admin_do(f, server, &sql, false, err);
}

/* A store that is there and of another version is left alone. */
static enum as_code admin_version(
	struct as_fleet *f, size_t server, const char *table, struct as_err *err)
{
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur cur;
	enum as_code rc;

	as_sql_put(&sql, "SELECT DISTINCT version FROM ");
	as_sql_put(&sql, table);
	as_sql_put(&sql, " FORMAT RowBinary");
	rc = admin_ask_at(f, server, &sql, &answer, err);
	for (cur = admin_cur(&answer); rc == AS_OK && as_fleet_more(&cur);) {
		uint64_t version = as_fleet_number(&cur, 4);

		if (version != AS_FLEET_VERSION)
			rc = as_err_set(err, AS_E_UNSUPPORTED,
				"the store is of version %" PRIu64
				"; this assay writes and reads %d",
				version, AS_FLEET_VERSION);
	}
	if (rc == AS_OK && cur.cut)
		rc = admin_cut(err);
	as_vec_free(sql.al, &answer.bytes);
	return rc;
}

static enum as_code admin_init_at(
	struct as_fleet *f, size_t server, bool replicated, struct as_err *err)
{
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	enum as_code rc;
	uint32_t shard;

	admin_create_database(f, &sql);
	AS_TRY(admin_do(f, server, &sql, true, err));
	AS_TRY(admin_shard(f, server, &shard, err));
	as_sql_create(&sql, AS_PROF_META, replicated, as_fleet_address_of(f));
	AS_TRY(admin_do(f, server, &sql, false, err));
	AS_TRY(admin_version(f, server, as_fleet_own(AS_PROF_META), err));
	for (size_t n = 0; admin_create(f, replicated, n, &sql); n++) {
		rc = admin_do(f, server, &sql, false, err);
		if (rc != AS_OK)
			return rc;
	}
	return admin_sign(f, server, shard, err);
}

enum as_code as_fleet_init(struct as_fleet *f, bool replicated, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	struct as_fleet_shards shards;

	if (address->n_servers > 1 && !as_fleet_has_cluster(f) && !replicated)
		return as_err_set(err, AS_E_ARG,
			"several servers are either a cluster, '?cluster=NAME', or --replicated");
	for (size_t i = 0; i < address->n_servers; i++)
		AS_TRY(admin_init_at(f, i, replicated, err));
	return as_fleet_ready(f, true, &shards, err);
}

enum as_code as_fleet_drop(struct as_fleet *f, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);

	for (size_t i = 0; i < address->n_servers; i++)
		for (size_t n = 2 * AS_PROF_TABLES; n-- > 0;) {
			struct as_sql sql = {.al = as_fleet_alloc(f)};
			enum as_fleet_table table = (enum as_fleet_table)(n % AS_PROF_TABLES);

			as_sql_put(&sql, "DROP TABLE IF EXISTS ");
			as_sql_put(&sql,
				n < AS_PROF_TABLES ? as_fleet_own(table) : as_fleet_all(table));
			AS_TRY(admin_do(f, i, &sql, false, err));
		}
	return AS_OK;
}

/* ---- is it there ---- */

static struct as_fleet_question admin_question(
	const struct as_sql *sql, struct as_fleet_answer *answer)
{
	return (struct as_fleet_question){as_sql_slice(sql), answer};
}

/* "SELECT shard" of all that there are in the cluster, less those that answer. */
static void admin_put_shards(const struct as_fleet *f, struct as_sql *sql)
{
	as_sql_put(sql,
		"SELECT s, max(there) FROM (SELECT toUInt32(shard_num) AS s, toUInt8(0) AS there "
		"FROM system.clusters WHERE cluster = ");
	as_sql_quote(sql, as_fleet_address_of(f)->cluster);
	as_sql_put(sql, " UNION ALL SELECT shard AS s, toUInt8(1) AS there FROM all_meta) AS a "
			"GROUP BY s ORDER BY s FORMAT RowBinary");
}

static enum as_code admin_take_shards(
	struct as_fleet_shards *shards, const struct as_fleet_answer *answer, struct as_err *err)
{
	struct as_fleet_cur cur = admin_cur(answer);
	int n = 0;

	while (as_fleet_more(&cur)) {
		uint32_t shard = (uint32_t)as_fleet_number(&cur, 4);
		bool there = as_fleet_number(&cur, 1);

		shards->n++;
		shards->n_missing += !there;
		if (!there && n >= 0 && (size_t)n < sizeof(shards->missing))
			n += snprintf(shards->missing + n, sizeof(shards->missing) - (size_t)n,
				"%s%" PRIu32, n ? ", " : "", shard);
	}
	return cur.cut ? admin_cut(err) : AS_OK;
}

/* One row of numbers, each of eight bytes. */
static enum as_code admin_take_numbers(
	const struct as_fleet_answer *answer, uint64_t *v, size_t n, struct as_err *err)
{
	struct as_fleet_cur cur = admin_cur(answer);

	for (size_t i = 0; i < n; i++)
		v[i] = as_fleet_number(&cur, 8);
	return cur.cut || as_fleet_more(&cur) ? admin_cut(err) : AS_OK;
}

static enum as_code admin_numbers(
	struct as_fleet *f, struct as_sql *sql, uint64_t *v, size_t n, struct as_err *err)
{
	struct as_fleet_answer answer = {0};
	enum as_code rc = admin_ask(f, sql, &answer, err);

	AS_THEN(rc, admin_take_numbers(&answer, v, n, err));
	as_vec_free(sql->al, &answer.bytes);
	return rc;
}

static enum as_code admin_replicas(
	struct as_fleet *f, struct as_fleet_shards *shards, struct as_err *err)
{
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	uint64_t v[2];

	as_sql_put(&sql, "SELECT toUInt64(count()), toUInt64(max(total_replicas)) FROM "
			 "system.replicas WHERE table = "
			 "'prof_samples' AND database = ");
	as_sql_quote(&sql, as_fleet_address_of(f)->database);
	as_sql_put(&sql, " FORMAT RowBinary");
	AS_TRY(admin_numbers(f, &sql, v, 2, err));
	shards->replicated = v[0] > 0;
	shards->replicas = (uint32_t)v[1];
	return AS_OK;
}

/* V: how many rows of meta there are, the lowest and the highest version; and SHARDS, if there is a
 * cluster. */
static enum as_code admin_meta(
	struct as_fleet *f, uint64_t v[3], struct as_fleet_shards *shards, struct as_err *err)
{
	const struct as_alloc *al = as_fleet_alloc(f);
	struct as_sql meta = {.al = al}, all = {.al = al};
	struct as_fleet_answer answer[2] = {0};
	struct as_fleet_question q[2];
	enum as_code rc;

	as_sql_put(&meta, "SELECT toUInt64(count()), toUInt64(min(version)), "
			  "toUInt64(max(version)) FROM ");
	as_sql_put(&meta, as_fleet_read(as_fleet_address_of(f), AS_PROF_META));
	as_sql_put(&meta, " FORMAT RowBinary");
	admin_put_shards(f, &all);
	q[0] = admin_question(&meta, &answer[0]);
	q[1] = admin_question(&all, &answer[1]);
	rc = as_err_memory(err, !meta.failed && !all.failed);
	AS_THEN(rc, as_fleet_query_all(f, q, as_fleet_has_cluster(f) ? 2 : 1, err));
	AS_THEN(rc, admin_take_numbers(&answer[0], v, 3, err));
	if (rc == AS_OK && as_fleet_has_cluster(f)) {
		shards->n = 0;
		rc = admin_take_shards(shards, &answer[1], err);
	}
	as_sql_release(&meta);
	as_sql_release(&all);
	as_vec_free(al, &answer[0].bytes);
	as_vec_free(al, &answer[1].bytes);
	return rc;
}

enum as_code as_fleet_ready(
	struct as_fleet *f, bool replicas, struct as_fleet_shards *shards, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	bool apart = address->n_servers > 1 && !as_fleet_has_cluster(f);
	uint64_t v[3];

	*shards = (struct as_fleet_shards){.n = 1};
	AS_TRY(admin_meta(f, v, shards, err));
	if (!v[0])
		return as_err_set(err, AS_E_ARG,
			"the store was not finished: assay store init makes it again");
	if (v[1] != AS_FLEET_VERSION || v[2] != AS_FLEET_VERSION)
		return as_err_set(err, AS_E_UNSUPPORTED,
			"the store is of version %" PRIu64 "; this assay writes and reads %d",
			v[1] != AS_FLEET_VERSION ? v[1] : v[2], AS_FLEET_VERSION);
	if (replicas || apart)
		AS_TRY(admin_replicas(f, shards, err));
	if (apart && !shards->replicated)
		return as_err_set(err, AS_E_ARG,
			"several servers are either a cluster, '?cluster=NAME', or replicated");
	if (shards->n_missing && !as_fleet_is_partial(f))
		return as_err_set(err, AS_E_IO, "shards without a store: %s", shards->missing);
	return AS_OK;
}

/* ---- what is in it ---- */

/* The row of DAY, which stands in order. */
static struct as_fleet_day *admin_day(struct as_fleet_status *st, uint32_t day)
{
	size_t i = st->day.n;

	while (i > 0 && st->day.p[i - 1].day > day)
		i--;
	if (i > 0 && st->day.p[i - 1].day == day)
		return &st->day.p[i - 1];
	if (!as_vec_push(st->al, &st->day, (struct as_fleet_day){0}))
		return NULL;
	memmove(&st->day.p[i + 1], &st->day.p[i], (st->day.n - 1 - i) * sizeof(*st->day.p));
	st->day.p[i] = (struct as_fleet_day){.day = day};
	return &st->day.p[i];
}

static enum as_code admin_days(struct as_fleet *f, struct as_fleet_status *st, struct as_err *err)
{
	struct as_sql sql = {.al = st->al};
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur cur;
	enum as_code rc;

	as_sql_put(&sql, "SELECT day, uniqExact(h), toUInt64(count()), sum(r), sum(m), sum(l) FROM "
			 "(SELECT day, batch, any(host) AS h, any(rows) AS r, any(mass) AS m, "
			 "argMin(lost, attempt) AS l FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(f), AS_PROF_BATCHES));
	as_sql_put(&sql, " GROUP BY day, batch) AS a GROUP BY day ORDER BY day FORMAT RowBinary");
	rc = admin_ask(f, &sql, &answer, err);
	for (cur = admin_cur(&answer); rc == AS_OK && as_fleet_more(&cur);) {
		struct as_fleet_day day = {.day = (uint32_t)as_fleet_number(&cur, 2)};

		day.hosts = as_fleet_number(&cur, 8);
		day.batches = as_fleet_number(&cur, 8);
		day.samples = as_fleet_number(&cur, 8);
		day.mass = as_fleet_number(&cur, 8);
		day.lost = as_fleet_number(&cur, 8);
		rc = as_err_memory(err, as_vec_push(st->al, &st->day, day));
	}
	if (rc == AS_OK && cur.cut)
		rc = admin_cut(err);
	as_vec_free(st->al, &answer.bytes);
	return rc;
}

/* Parts are told by the server that has them. Those of a day are of a partition that is called
 * YYYYMMDD or 'YYYY-MM-DD', as versions have it: their rows say which day. */
static enum as_code admin_parts_at(
	struct as_fleet *f, size_t server, struct as_fleet_status *st, struct as_err *err)
{
	struct as_sql sql = {.al = st->al};
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur cur;
	enum as_code rc;

	as_sql_put(&sql,
		"SELECT toUInt16(toDate(replaceAll(replaceAll(partition, '\\'', ''), '\"', ''))), "
		"toUInt64(count()), toUInt64(sum(bytes)) FROM (SELECT partition, "
		"bytes_on_disk AS bytes FROM system.parts WHERE active AND table LIKE 'prof\\\\_%' "
		"AND table != 'prof_meta' AND database = ");
	as_sql_quote(&sql, as_fleet_address_of(f)->database);
	as_sql_put(&sql, ") AS a GROUP BY partition FORMAT RowBinary");
	rc = admin_ask_at(f, server, &sql, &answer, err);
	for (cur = admin_cur(&answer); rc == AS_OK && as_fleet_more(&cur);) {
		struct as_fleet_day *day = admin_day(st, (uint32_t)as_fleet_number(&cur, 2));

		rc = as_err_memory(err, day != NULL);
		if (!day)
			break;
		day->parts += as_fleet_number(&cur, 8);
		day->bytes += as_fleet_number(&cur, 8);
	}
	if (rc == AS_OK && cur.cut)
		rc = admin_cut(err);
	as_vec_free(st->al, &answer.bytes);
	return rc;
}

static enum as_code admin_hosts(struct as_fleet *f, struct as_fleet_status *st, struct as_err *err)
{
	struct as_sql sql = {.al = st->al};
	struct as_fleet_cur cur;
	enum as_code rc;

	as_sql_put(&sql,
		"SELECT host, service, toUInt64(count()), sum(r), sum(l), max(t) FROM "
		"(SELECT host, service, batch, any(rows) AS r, argMin(lost, attempt) AS l, "
		"max(t1) AS t FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(f), AS_PROF_BATCHES));
	as_sql_put(&sql, " GROUP BY host, service, batch) AS a GROUP BY host, service ORDER BY "
			 "host, service FORMAT RowBinary");
	rc = admin_ask(f, &sql, &st->hosts, err);
	for (cur = admin_cur(&st->hosts); rc == AS_OK && as_fleet_more(&cur);) {
		struct as_fleet_host host = {.host = as_fleet_string(&cur)};

		host.service = as_fleet_string(&cur);
		host.batches = as_fleet_number(&cur, 8);
		host.samples = as_fleet_number(&cur, 8);
		host.lost = as_fleet_number(&cur, 8);
		host.last = (uint32_t)as_fleet_number(&cur, 4);
		rc = as_err_memory(err, as_vec_push(st->al, &st->host, host));
	}
	return rc == AS_OK && cur.cut ? admin_cut(err) : rc;
}

enum as_code as_fleet_status(struct as_fleet *f, struct as_fleet_status *st, struct as_err *err)
{
	*st = (struct as_fleet_status){.al = as_fleet_alloc(f)};
	AS_TRY(as_fleet_ready(f, true, &st->shards, err));
	AS_TRY(admin_days(f, st, err));
	for (size_t i = 0; i < as_fleet_address_of(f)->n_servers; i++)
		AS_TRY(admin_parts_at(f, i, st, err));
	AS_TRY(admin_hosts(f, st, err));
	return AS_OK;
}

void as_fleet_status_release(struct as_fleet_status *st)
{
	as_vec_free(st->al, &st->day);
	as_vec_free(st->al, &st->host);
	as_vec_free(st->al, &st->hosts.bytes);
}

enum as_code as_fleet_retain(struct as_fleet *f, uint32_t first, uint64_t *days, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	struct as_fleet_status st;
	enum as_code rc = as_fleet_status(f, &st, err);

	*days = 0;
	for (size_t i = 0; rc == AS_OK && i < st.day.n && st.day.p[i].day < first; i++, ++*days)
		for (size_t n = 0; rc == AS_OK && n < AS_PROF_META * address->n_servers; n++) {
			struct as_sql sql = {.al = st.al};

			as_sql_put(&sql, "ALTER TABLE ");
			as_sql_put(&sql, as_fleet_own((enum as_fleet_table)(n % AS_PROF_META)));
			as_sql_put(&sql, " DROP PARTITION ");
			as_sql_day(&sql, st.day.p[i].day);
			rc = admin_do(f, n / AS_PROF_META, &sql, false, err);
		}
	as_fleet_status_release(&st);
	return rc;
}
