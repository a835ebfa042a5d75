/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fleet/fleet_push.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

#include "fleet/fleet_cur.h"
#include "fleet/fleet_hash.h"

/* Of samples in one INSERT: above 1,048,576 a server makes more than one part of it, which is not
 * all or nothing. */
enum { ROWS_AT_ONCE = 1000000 };
enum { AT_SVC = 2, AT_TS = 10 }; /* in a row of samples */

struct push {
	struct as_fleet *f;
	const struct as_alloc *al;
	const struct as_fleet_rows *rows;
	const struct as_fleet_batch *batch;
	const struct as_fleet_push_opts *opts;
	struct as_err *err;
	size_t server;
	uint64_t attempt;
	bool dims[AS_FLEET_SERVERS]; /* frames, stacks and series were sent there */
	struct as_fleet_bytes bytes;
};

/* ---- statements ---- */

static enum as_code push_insert(struct push *p, enum as_fleet_table table, struct as_slice rows)
{
	struct as_sql sql = {.al = p->al};
	/* no replica may have the commit and not yet what it is of */
	uint32_t quorum = table == AS_PROF_SAMPLES ? p->opts->shards->replicas : 0;
	enum as_code rc;

	as_sql_insert(&sql, table);
	rc = as_err_memory(p->err, !sql.failed);
	if (rc == AS_OK)
		rc = as_fleet_insert(p->f, p->server, as_sql_slice(&sql), rows, quorum, p->err);
	as_sql_release(&sql);
	return rc;
}

/* One row of N numbers of eight bytes. HERE: of the server that is pushed to, not of any. */
static enum as_code push_ask(struct push *p, struct as_sql *sql, bool here, uint64_t *v, size_t n)
{
	struct as_fleet_answer answer = {0};
	struct as_fleet_cur cur;
	enum as_code rc;

	as_sql_put(sql, " FORMAT RowBinary");
	rc = as_err_memory(p->err, !sql->failed);
	if (rc == AS_OK && here)
		rc = as_fleet_query_at(p->f, p->server, as_sql_slice(sql), &answer, p->err);
	else if (rc == AS_OK)
		rc = as_fleet_query(p->f, as_sql_slice(sql), &answer, p->err);
	cur = as_fleet_cur_of((struct as_slice){answer.bytes.p, answer.bytes.n});
	for (size_t i = 0; rc == AS_OK && i < n; i++)
		v[i] = as_fleet_number(&cur, 8);
	if (rc == AS_OK && (cur.cut || as_fleet_more(&cur)))
		rc = as_err_set(p->err, AS_E_IO, "the server's answer is not what was asked for");
	as_vec_free(p->al, &answer.bytes);
	as_sql_release(sql);
	return rc;
}

static void push_of_day(const struct push *p, struct as_sql *sql)
{
	as_sql_put(sql, " WHERE day = ");
	as_sql_day(sql, p->rows->day);
}

static uint64_t push_number(const char *row, size_t at, size_t size)
{
	uint64_t v = 0;

	for (size_t i = size; i > 0; i--)
		v = v << 8 | (unsigned char)row[at + i - 1];
	return v;
}

/* " FROM prof_samples WHERE" this attempt: where it stands in the order of the table, so that the
 * server looks at little more. */
static void push_from_samples(const struct push *p, struct as_sql *sql)
{
	const char *row = p->batch->samples.p, *before = NULL;
	const char *comma = " AND svc IN (";

	as_sql_put(sql, " FROM prof_samples");
	push_of_day(p, sql);
	for (uint64_t i = 0; i < p->batch->n_samples; i++, row += AS_FLEET_ROW) {
		if (before && memcmp(before + AT_SVC, row + AT_SVC, 8) == 0)
			continue;
		as_sql_put(sql, comma);
		as_sql_u64(sql, push_number(row, AT_SVC, 8));
		comma = ", ";
		before = row;
	}
	as_sql_put(sql, before ? ") AND ts = " : " AND ts = ");
	as_sql_u64(sql, p->rows->t0);
	as_sql_put(sql, " AND attempt = ");
	as_sql_u64(sql, p->attempt);
}

/* ---- what is sent ---- */

/* The rows from FIRST on, each with the attempt behind it. */
static enum as_code push_samples_from(struct push *p, uint64_t first)
{
	const char *row = p->batch->samples.p + first * AS_FLEET_ROW;
	uint64_t n = p->batch->n_samples - first;

	if (n > ROWS_AT_ONCE)
		n = ROWS_AT_ONCE;
	p->bytes.v.n = 0;
	for (uint64_t i = 0; i < n; i++, row += AS_FLEET_ROW) {
		as_fleet_put(&p->bytes, row, AS_FLEET_ROW);
		as_fleet_put_number(&p->bytes, p->attempt, 8);
	}
	AS_TRY(as_err_memory(p->err, !p->bytes.failed));
	return push_insert(p, AS_PROF_SAMPLES, (struct as_slice){p->bytes.v.p, p->bytes.v.n});
}

/* What samples name goes first: it is the same for everybody, and harmless without them. */
static enum as_code push_dims(struct push *p)
{
	const struct as_fleet_rows *rows = p->rows;

	if (p->dims[p->server])
		return AS_OK;
	if (rows->n_frames)
		AS_TRY(push_insert(
			p, AS_PROF_FRAMES, (struct as_slice){rows->frames.p, rows->frames.n}));
	if (rows->n_stacks)
		AS_TRY(push_insert(
			p, AS_PROF_STACKS, (struct as_slice){rows->stacks.p, rows->stacks.n}));
	if (rows->n_series)
		AS_TRY(push_insert(
			p, AS_PROF_SERIES, (struct as_slice){rows->series.p, rows->series.n}));
	p->dims[p->server] = true;
	return AS_OK;
}

static enum as_code push_commit(struct push *p)
{
	const struct as_fleet_rows *rows = p->rows;
	bool first = p->batch == rows->batch.p;

	p->bytes.v.n = 0;
	as_fleet_put_number(&p->bytes, rows->day, 2);
	as_fleet_put_number(&p->bytes, p->batch->id, 8);
	as_fleet_put_number(&p->bytes, p->attempt, 8);
	as_fleet_put_string(&p->bytes, rows->service);
	as_fleet_put_string(&p->bytes, rows->host);
	as_fleet_put_number(&p->bytes, rows->t0, 4);
	as_fleet_put_number(&p->bytes, rows->t1, 4);
	as_fleet_put_number(&p->bytes, (uint64_t)rows->begin_ns, 8);
	as_fleet_put_number(&p->bytes, (uint64_t)rows->nanos, 8);
	as_fleet_put_number(&p->bytes, p->batch->n_samples, 8);
	as_fleet_put_number(&p->bytes, (uint64_t)p->batch->total, 8);
	as_fleet_put_number(&p->bytes, p->batch->mass, 8);
	as_fleet_put_number(&p->bytes, first ? rows->lost : 0, 8);
	as_fleet_put_string(&p->bytes, p->opts->note);
	AS_TRY(as_err_memory(p->err, !p->bytes.failed));
	return push_insert(p, AS_PROF_BATCHES, (struct as_slice){p->bytes.v.p, p->bytes.v.n});
}

/* ---- is it there? ---- */

static enum as_code push_not_whole(const struct push *p, const char *what)
{
	return as_err_set(p->err, AS_E_IO, "the server has other %s than it was sent", what);
}

/* "(SELECT WHAT FROM prof_samples WHERE ...)" */
static void push_in_samples(const struct push *p, struct as_sql *sql, const char *what)
{
	as_sql_put(sql, "(SELECT ");
	as_sql_put(sql, what);
	push_from_samples(p, sql);
	as_sql_put(sql, ")");
}

/* The same of the stacks that the samples name. */
static void push_in_stacks(const struct push *p, struct as_sql *sql, const char *what)
{
	as_sql_put(sql, "(SELECT ");
	as_sql_put(sql, what);
	as_sql_put(sql, " FROM prof_stacks");
	push_of_day(p, sql);
	as_sql_put(sql, " AND stack IN ");
	push_in_samples(p, sql, "stack");
	as_sql_put(sql, ")");
}

/* Of frames that have got names meanwhile the rows of what is inlined in them are of a later
 * version, and do not count. */
static enum as_code push_check_frames(struct push *p)
{
	struct as_sql sql = {.al = p->al};
	uint64_t named, v[2];

	as_sql_put(&sql, "SELECT uniqExact(f) FROM ");
	push_in_stacks(p, &sql, "arrayJoin(frames) AS f");
	as_sql_put(&sql, " AS a WHERE f != 0");
	AS_TRY(push_ask(p, &sql, true, &named, 1));
	as_sql_put(&sql, "SELECT uniqExact(frame), uniqExact(frame, idx) FROM prof_frames");
	push_of_day(p, &sql);
	as_sql_put(&sql, " AND (ver = 0 OR idx = 0) AND frame IN ");
	push_in_stacks(p, &sql, "arrayJoin(frames)");
	AS_TRY(push_ask(p, &sql, true, v, AS_ARRAY_LEN(v)));
	if (v[0] != named || (p->rows->batch.n == 1 && v[1] != p->rows->n_frames))
		return push_not_whole(p, "frames");
	return AS_OK;
}

static enum as_code push_check_named(struct push *p, uint64_t stacks, uint64_t series)
{
	struct as_sql sql = {.al = p->al};
	uint64_t n;

	as_sql_put(&sql, "SELECT uniqExact(stack) FROM prof_stacks");
	push_of_day(p, &sql);
	as_sql_put(&sql, " AND stack IN ");
	push_in_samples(p, &sql, "stack");
	AS_TRY(push_ask(p, &sql, true, &n, 1));
	if (n != stacks)
		return push_not_whole(p, "stacks");
	as_sql_put(&sql, "SELECT uniqExact(svc, series) FROM prof_series");
	push_of_day(p, &sql);
	as_sql_put(&sql, " AND (svc, series) IN ");
	push_in_samples(p, &sql, "svc, series");
	AS_TRY(push_ask(p, &sql, true, &n, 1));
	return n == series ? AS_OK : push_not_whole(p, "series");
}

/* A server takes a body that was cut off between two rows for a whole one, and says so. */
static enum as_code push_check(struct push *p)
{
	struct as_sql sql = {.al = p->al};
	uint64_t v[4];

	as_sql_put(&sql, "SELECT toUInt64(count()), toInt64(sum(value)), uniqExact(stack), "
			 "uniqExact(svc, series)");
	push_from_samples(p, &sql);
	AS_TRY(push_ask(p, &sql, true, v, AS_ARRAY_LEN(v)));
	if (v[0] != p->batch->n_samples || v[1] != (uint64_t)p->batch->total)
		return push_not_whole(p, "samples");
	AS_TRY(push_check_named(p, v[2], v[3]));
	return push_check_frames(p);
}

static void push_of_batch(const struct push *p, struct as_sql *sql, const char *table)
{
	as_sql_put(sql, "SELECT toUInt64(count()) FROM ");
	as_sql_put(sql, table);
	push_of_day(p, sql);
	as_sql_put(sql, " AND t0 = ");
	as_sql_u64(sql, p->rows->t0);
	as_sql_put(sql, " AND batch = ");
	as_sql_u64(sql, p->batch->id);
}

/* It may be there twice: a line that breaks before the answer is opened again by the library. */
static enum as_code push_check_commit(struct push *p)
{
	struct as_sql sql = {.al = p->al};
	uint64_t n;

	push_of_batch(p, &sql, as_fleet_own(AS_PROF_BATCHES));
	as_sql_put(&sql, " AND attempt = ");
	as_sql_u64(&sql, p->attempt);
	AS_TRY(push_ask(p, &sql, true, &n, 1));
	return n ? AS_OK : push_not_whole(p, "commits");
}

/* It may be on a shard that does not answer: then it is pushed, and once more is as once. */
static bool push_is_there(struct push *p)
{
	struct as_sql sql = {.al = p->al};
	struct as_err err = AS_ERR_NONE, *kept = p->err;
	uint64_t n = 0;
	enum as_code rc;

	push_of_batch(p, &sql, as_fleet_read(as_fleet_address_of(p->f), AS_PROF_BATCHES));
	p->err = &err;
	rc = push_ask(p, &sql, false, &n, 1);
	p->err = kept;
	return rc == AS_OK && n > 0;
}

/* ---- a batch ---- */

static enum as_code push_try(struct push *p)
{
	if (getrandom(&p->attempt, sizeof(p->attempt), 0) != (ssize_t)sizeof(p->attempt))
		return as_err_sys(p->err, errno, "no random numbers");
	if (p->opts->shards->replicated && !p->opts->shards->replicas)
		return as_err_set(p->err, AS_E_IO, "ZooKeeper does not answer");
	AS_TRY(push_dims(p));
	for (uint64_t at = 0; at < p->batch->n_samples; at += ROWS_AT_ONCE)
		AS_TRY(push_samples_from(p, at));
	AS_TRY(push_check(p));
	AS_TRY(push_commit(p));
	return push_check_commit(p);
}

static enum as_code push_batch(struct push *p, struct as_fleet_pushed *pushed)
{
	size_t n_servers = as_fleet_address_of(p->f)->n_servers;
	uint64_t deadline = as_fleet_deadline(p->f);
	enum as_code rc;

	if (push_is_there(p)) {
		pushed->there++;
		return AS_OK;
	}
	for (unsigned n = 0;; n++) {
		rc = push_try(p);
		if (rc == AS_OK)
			break;
		if (rc != AS_E_IO || as_fleet_fault(p->f) == AS_FLEET_REFUSED ||
			!as_fleet_pause(p->f, n, deadline))
			return rc;
		pushed->tries++;
		if (p->opts->again)
			p->opts->again(p->opts->ctx, p->err);
		p->dims[p->server] = false;
		p->server = (p->server + 1) % n_servers;
	}
	pushed->batches++;
	pushed->samples += p->batch->n_samples;
	return AS_OK;
}

enum as_code as_fleet_push(struct as_fleet *f, const struct as_fleet_rows *rows,
	const struct as_fleet_push_opts *opts, struct as_fleet_pushed *pushed, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	struct push p = {.f = f, .al = as_fleet_alloc(f), .rows = rows, .opts = opts, .err = err};
	enum as_code rc = AS_OK;

	/* what a host's samples name is much the same each time, and so on one server only */
	p.server = (as_hash_bytes(rows->host.p, rows->host.len) >> 32) % address->n_servers;
	p.bytes.al = p.al;
	for (size_t i = 0; rc == AS_OK && i < rows->batch.n; i++) {
		p.batch = &rows->batch.p[i];
		rc = push_batch(&p, pushed);
	}
	as_vec_free(p.al, &p.bytes.v);
	return rc;
}

enum as_code as_fleet_skew(struct as_fleet *f, int64_t *seconds, struct as_err *err)
{
	struct push p = {.f = f, .al = as_fleet_alloc(f), .err = err};
	struct as_sql sql = {.al = p.al};
	uint64_t there;

	as_sql_put(&sql, "SELECT toUInt64(toUInt32(now()))");
	AS_TRY(push_ask(&p, &sql, false, &there, 1));
	*seconds = (int64_t)time(NULL) - (int64_t)there;
	return AS_OK;
}
