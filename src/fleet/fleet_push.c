/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fleet/fleet_push_impl.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

#include "fleet/fleet_cur.h"
#include "io/threads.h"

enum { AT_SVC = 2 };       /* in a row of samples */
enum { LARGE = 64 << 10 }; /* bytes that are worth a connection more, and samples a thread */

/* ---- statements ---- */

struct push_body {
	enum as_fleet_table table;
	struct as_slice rows;
};

static enum as_code push_insert_some(
	struct as_push *p, const struct push_body *body, struct as_sql *sql, size_t n)
{
	struct as_fleet_insertion in[AS_FLEET_AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		sql[i].al = p->al;
		as_sql_insert(&sql[i], body[i].table);
		if (sql[i].failed)
			return as_err_no_memory(p->err);
		in[i].sql = as_sql_slice(&sql[i]);
		in[i].rows = body[i].rows;
		/* no replica may have the commit and not yet what it is of */
		in[i].replicas = body[i].table == AS_PROF_SAMPLES ? p->opts->shards->replicas : 0;
	}
	return as_fleet_insert(p->f, p->server, in, n, p->err);
}

/* Those of N bodies that are not empty: large ones at the same time, so that a server has work for
 * several processors; else one after the other. */
static enum as_code push_insert(struct as_push *p, const struct push_body *body, size_t n)
{
	struct push_body some[AS_FLEET_AT_ONCE];
	struct as_sql sql[AS_FLEET_AT_ONCE] = {0};
	enum as_code rc = AS_OK;
	size_t n_some = 0, bytes = 0, at_once;

	as_assert(n <= AS_FLEET_AT_ONCE);
	for (size_t i = 0; i < n; i++)
		if (body[i].rows.len) {
			some[n_some++] = body[i];
			bytes += body[i].rows.len;
		}
	at_once = bytes >= LARGE ? n_some : 1;
	for (size_t i = 0; i < n_some && rc == AS_OK; i += at_once)
		rc = push_insert_some(p, &some[i], &sql[i], at_once);
	for (size_t i = 0; i < n_some; i++)
		as_sql_release(&sql[i]);
	return rc;
}

enum as_code as_push_ask(
	struct as_push *p, struct as_sql *sql, bool here, struct as_fleet_answer *answer)
{
	enum as_code rc;

	as_sql_put(sql, " FORMAT RowBinary");
	rc = as_err_memory(p->err, !sql->failed);
	if (rc == AS_OK && here)
		rc = as_fleet_query_at(p->f, p->server, as_sql_slice(sql), answer, p->err);
	else if (rc == AS_OK)
		rc = as_fleet_query(p->f, as_sql_slice(sql), answer, p->err);
	as_sql_release(sql);
	return rc;
}

static struct as_fleet_cur push_cur(const struct as_fleet_answer *answer)
{
	return as_fleet_cur_of((struct as_slice){answer->bytes.p, answer->bytes.n});
}

static enum as_code push_odd(const struct as_push *p)
{
	return as_err_set(p->err, AS_E_IO, "the server's answer is not what was asked for");
}

enum as_code as_push_ask_numbers(
	struct as_push *p, struct as_sql *sql, bool here, uint64_t *v, size_t n)
{
	struct as_fleet_answer answer = {0};
	enum as_code rc = as_push_ask(p, sql, here, &answer);
	struct as_fleet_cur cur = push_cur(&answer);

	for (size_t i = 0; rc == AS_OK && i < n; i++)
		v[i] = as_fleet_number(&cur, 8);
	if (rc == AS_OK && (cur.cut || as_fleet_more(&cur)))
		rc = push_odd(p);
	as_vec_free(p->al, &answer.bytes);
	return rc;
}

void as_push_of_day(const struct as_push *p, struct as_sql *sql)
{
	as_sql_put(sql, " WHERE day = ");
	as_sql_day(sql, p->day);
}

void as_push_of_services(const struct as_push *p, struct as_sql *sql)
{
	for (size_t i = 0; i < p->svc.n; i++) {
		as_sql_put(sql, i ? ", " : " AND svc IN (");
		as_sql_u64(sql, p->svc.p[i]);
	}
	as_sql_put(sql, p->svc.n ? ")" : "");
}

/* " AND COLUMN >= first AND COLUMN <= last" */
static void push_times(const struct as_push *p, struct as_sql *sql, const char *column)
{
	as_sql_put(sql, " AND ");
	as_sql_put(sql, column);
	as_sql_put(sql, " >= ");
	as_sql_u64(sql, p->t0);
	as_sql_put(sql, " AND ");
	as_sql_put(sql, column);
	as_sql_put(sql, " <= ");
	as_sql_u64(sql, p->t1);
}

void as_push_of_home(const struct as_push *p, struct as_sql *sql)
{
	as_push_of_day(p, sql);
	as_sql_put(sql, " AND home = ");
	as_sql_u64(sql, p->home);
}

/* " WHERE" batches of these times. */
static void push_of_batches(const struct as_push *p, struct as_sql *sql)
{
	as_push_of_day(p, sql);
	as_sql_put(sql, " AND service = ");
	as_sql_quote(sql, p->service);
	push_times(p, sql, "t0");
}

static void push_attempts(const struct as_push *p, struct as_sql *sql)
{
	const char *before = " AND attempt IN (";

	for (size_t i = 0; i < p->batch.n; i++) {
		as_sql_put(sql, before);
		as_sql_u64(sql, p->batch.p[i].attempt);
		before = ", ";
	}
	as_sql_put(sql, ")");
}

/* By what stands first in the order of the table, so that the server looks at little more. */
void as_push_from_samples(const struct as_push *p, struct as_sql *sql)
{
	as_sql_put(sql, " FROM prof_samples");
	as_push_of_day(p, sql);
	as_push_of_services(p, sql);
	push_times(p, sql, "ts");
	push_attempts(p, sql);
}

enum as_code as_push_not_whole(const struct as_push *p, const char *what)
{
	return as_err_set(p->err, AS_E_IO, "the server has other %s than it was sent", what);
}

/* ---- what is sent ---- */

/* N rows, the first of them at FROM, each with the attempt of B behind it. */
static void push_put_samples(
	struct as_push *p, const struct as_push_batch *b, const char *from, uint64_t n)
{
	struct as_fleet_bytes *to = &p->bytes;
	size_t size = to->v.n + n * AS_FLEET_ROW_ATTEMPT;
	char *end;

	if (!as_vec_reserve(p->al, &to->v, size)) {
		to->failed = true;
		return;
	}
	end = to->v.p + to->v.n;
	for (uint64_t i = 0; i < n; i++, from += AS_FLEET_ROW) {
		memcpy(end, from, AS_FLEET_ROW);
		end = as_fleet_le(end + AS_FLEET_ROW, b->attempt, sizeof(b->attempt));
	}
	to->v.n = size;
}

/* Where the samples go on that are not sent yet. */
struct push_at {
	size_t batch;
	uint64_t row;
};

/* The next ones, as many as one INSERT may have, to p->bytes. */
static void push_take_samples(struct as_push *p, struct push_at *at)
{
	uint64_t n = 0, now;

	p->bytes.v.n = 0;
	for (; at->batch < p->batch.n && n < AS_PUSH_ROWS; n += now) {
		const struct as_push_batch *b = &p->batch.p[at->batch];

		now = b->batch->n_samples - at->row;
		now = now < AS_PUSH_ROWS - n ? now : AS_PUSH_ROWS - n;
		push_put_samples(p, b, b->batch->samples.p + at->row * AS_FLEET_ROW, now);
		at->row += now;
		if (at->row == b->batch->n_samples)
			*at = (struct push_at){at->batch + 1, 0};
	}
}

static struct as_slice push_bytes(const struct as_fleet_bytes *bytes)
{
	return (struct as_slice){bytes->v.p, bytes->v.n};
}

/* The first bodies on their way. */
struct push_making {
	struct as_push *p;
	struct push_at at; /* behind the samples that are in theirs */
	enum as_code named;
};

static void push_make(void *arg, unsigned i)
{
	struct push_making *m = arg;

	if (i)
		push_take_samples(m->p, &m->at);
	else
		m->named = as_push_named(m->p);
}

/* What samples name, and samples, as bodies: of many each takes a while. */
static enum as_code push_make_all(struct push_making *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->p->batch.n; i++)
		n += m->p->batch.p[i].batch->n_samples;
	as_threads_run(n < LARGE ? 1 : 2, push_make, m, 2);
	AS_TRY(m->named);
	return as_err_memory(m->p->err, !m->p->bytes.failed);
}

static enum as_code push_rows(struct as_push *p)
{
	struct push_making m = {.p = p};
	struct push_body body[] = {{.table = AS_PROF_FRAMES}, {.table = AS_PROF_STACKS},
		{.table = AS_PROF_SERIES}, {.table = AS_PROF_SAMPLES}};
	size_t last = AS_ARRAY_LEN(body) - 1;

	AS_TRY(push_make_all(&m));
	body[0].rows = push_bytes(&p->frames.body);
	body[1].rows = push_bytes(&p->stacks.body);
	body[2].rows = push_bytes(&p->series.body);
	body[last].rows = push_bytes(&p->bytes);
	AS_TRY(push_insert(p, body, AS_ARRAY_LEN(body)));
	while (m.at.batch < p->batch.n) {
		push_take_samples(p, &m.at);
		AS_TRY(as_err_memory(p->err, !p->bytes.failed));
		body[last].rows = push_bytes(&p->bytes);
		AS_TRY(push_insert(p, &body[last], 1));
	}
	return AS_OK;
}

static void push_put_commit(struct as_push *p, const struct as_push_batch *b)
{
	const struct as_fleet_rows *rows = b->rows;
	const struct as_signals *signals = &rows->signals;
	bool first = b->batch == rows->batch.p;

	as_fleet_put_number(&p->bytes, rows->day, 2);
	as_fleet_put_number(&p->bytes, b->batch->id, 8);
	as_fleet_put_number(&p->bytes, b->attempt, 8);
	as_fleet_put_string(&p->bytes, rows->service);
	as_fleet_put_string(&p->bytes, rows->host);
	as_fleet_put_number(&p->bytes, rows->t0, 4);
	as_fleet_put_number(&p->bytes, rows->t1, 4);
	as_fleet_put_number(&p->bytes, (uint64_t)rows->begin_ns, 8);
	as_fleet_put_number(&p->bytes, (uint64_t)rows->nanos, 8);
	as_fleet_put_number(&p->bytes, b->batch->n_samples, 8);
	as_fleet_put_number(&p->bytes, (uint64_t)b->batch->total, 8);
	as_fleet_put_number(&p->bytes, b->batch->mass, 8);
	as_fleet_put_number(&p->bytes, first ? rows->lost : 0, 8);
	as_fleet_put_string(&p->bytes, p->opts->note);
	as_fleet_put_number(&p->bytes, signals->known, 1);
	as_fleet_put_number(&p->bytes, first ? (uint64_t)signals->samples : 0, 8);
	as_fleet_put_number(&p->bytes, first ? (uint64_t)signals->signals : 0, 8);
	as_fleet_put_number(&p->bytes, first ? (uint64_t)signals->squares : 0, 8);
	as_fleet_put_number(&p->bytes, first ? (uint64_t)signals->unsignalled : 0, 8);
}

static enum as_code push_commit(struct as_push *p)
{
	struct push_body body = {.table = AS_PROF_BATCHES};

	p->bytes.v.n = 0;
	for (size_t i = 0; i < p->batch.n; i++)
		push_put_commit(p, &p->batch.p[i]);
	AS_TRY(as_err_memory(p->err, !p->bytes.failed));
	body.rows = push_bytes(&p->bytes);
	return push_insert(p, &body, 1);
}

/* ---- is it there? ---- */

/* "attempt, rows, sum" of those that have samples, and a row of 0: how often the server has a stack
 * that it is known to have. */
static enum as_code push_take_sums(
	struct as_push *p, const struct as_fleet_answer *answer, bool *known)
{
	struct as_fleet_cur cur = push_cur(answer);
	uint64_t attempt, n, sum;

	while (as_fleet_more(&cur)) {
		attempt = as_fleet_number(&cur, 8);
		n = as_fleet_number(&cur, 8);
		sum = as_fleet_number(&cur, 8);
		*known |= !attempt && n;
		for (size_t i = 0; i < p->batch.n; i++) {
			struct as_push_batch *b = &p->batch.p[i];

			if (b->attempt == attempt)
				b->found = n == b->batch->n_samples &&
					   sum == (uint64_t)b->batch->total;
		}
	}
	return cur.cut ? push_odd(p) : AS_OK;
}

/* A server takes a body that was cut off between two rows for a whole one, and says so. */
static enum as_code push_check(struct as_push *p)
{
	struct as_sql sql = {.al = p->al};
	struct as_fleet_answer answer = {0};
	bool known = !p->known_stack;
	enum as_code rc;

	for (size_t i = 0; i < p->batch.n; i++)
		p->batch.p[i].found = !p->batch.p[i].batch->n_samples;
	as_sql_put(&sql, "SELECT attempt, toUInt64(count()), toInt64(sum(value))");
	as_push_from_samples(p, &sql);
	as_sql_put(&sql, " GROUP BY attempt");
	if (!known) {
		as_sql_put(&sql, " UNION ALL SELECT toUInt64(0), toUInt64(count()), toInt64(0) "
				 "FROM prof_stacks");
		as_push_of_home(p, &sql);
		as_sql_put(&sql, " AND stack = ");
		as_sql_u64(&sql, p->known_stack);
	}
	rc = as_push_ask(p, &sql, true, &answer);
	if (rc == AS_OK)
		rc = push_take_sums(p, &answer, &known);
	as_vec_free(p->al, &answer.bytes);
	if (rc == AS_OK && !known)
		rc = as_push_not_whole(p, "stacks");
	for (size_t i = 0; rc == AS_OK && i < p->batch.n; i++)
		if (!p->batch.p[i].found)
			rc = as_push_not_whole(p, "samples");
	return rc == AS_OK ? as_push_check_named(p) : rc;
}

/* It may be there twice: a line that breaks before the answer is opened again by the library. */
static enum as_code push_check_commit(struct as_push *p)
{
	struct as_sql sql = {.al = p->al};
	uint64_t n;

	as_sql_put(&sql, "SELECT uniqExact(batch, attempt) FROM prof_batches");
	push_of_batches(p, &sql);
	push_attempts(p, &sql);
	AS_TRY(as_push_ask_numbers(p, &sql, true, &n, 1));
	return n == p->batch.n ? AS_OK : as_push_not_whole(p, "commits");
}

static void push_take_there(struct as_push *p, const struct as_fleet_answer *answer)
{
	struct as_fleet_cur cur = push_cur(answer);

	while (as_fleet_more(&cur)) {
		uint64_t id = as_fleet_number(&cur, 8);

		for (size_t i = 0; i < p->batch.n && !cur.cut; i++)
			p->batch.p[i].there |= p->batch.p[i].batch->id == id;
	}
}

/* It may be on a shard that does not answer: then it is pushed, and once more is as once. */
static void push_look(struct as_push *p)
{
	struct as_sql sql = {.al = p->al};
	struct as_fleet_answer answer = {0};
	struct as_err err = AS_ERR_NONE, *kept = p->err;
	const char *before = " AND batch IN (";

	as_sql_put(&sql, "SELECT batch FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(p->f), AS_PROF_BATCHES));
	push_of_batches(p, &sql);
	for (size_t i = 0; i < p->batch.n; i++) {
		as_sql_put(&sql, before);
		as_sql_u64(&sql, p->batch.p[i].batch->id);
		before = ", ";
	}
	as_sql_put(&sql, ") GROUP BY batch");
	p->err = &err;
	if (as_push_ask(p, &sql, false, &answer) == AS_OK)
		push_take_there(p, &answer);
	p->err = kept;
	as_vec_free(p->al, &answer.bytes);
}

/* ---- batches ---- */

static bool push_add_svc(struct as_push *p, const char *row)
{
	struct as_fleet_cur cur = as_fleet_cur_of((struct as_slice){row + AT_SVC, 8});
	uint64_t svc = as_fleet_number(&cur, 8);

	for (size_t i = 0; i < p->svc.n; i++)
		if (p->svc.p[i] == svc)
			return true;
	return as_vec_push(p->al, &p->svc, svc);
}

/* All services of B, whose samples are in their order. */
static bool push_add_svcs(struct as_push *p, const struct as_fleet_batch *b)
{
	const char *row = b->samples.p, *before = NULL;
	bool ok = true;

	for (uint64_t i = 0; i < b->n_samples && ok; i++, row += AS_FLEET_ROW) {
		if (before && memcmp(before + AT_SVC, row + AT_SVC, 8) == 0)
			continue;
		ok = push_add_svc(p, row);
		before = row;
	}
	return ok;
}

static bool push_add_rows(struct as_push *p, const struct as_fleet_rows *rows)
{
	bool ok = true;

	p->t0 = !p->batch.n || rows->t0 < p->t0 ? rows->t0 : p->t0;
	p->t1 = !p->batch.n || rows->t0 > p->t1 ? rows->t0 : p->t1;
	for (size_t i = 0; i < rows->batch.n && ok; i++) {
		struct as_push_batch b = {.rows = rows, .batch = &rows->batch.p[i]};

		for (size_t k = 0; k < p->batch.n; k++)
			b.there |= p->batch.p[k].batch->id == b.batch->id;
		ok = as_vec_push(p->al, &p->batch, b) && push_add_svcs(p, b.batch);
	}
	return ok;
}

/* Those that are there are left out. */
static void push_leave_out(struct as_push *p, struct as_fleet_pushed *pushed)
{
	size_t n = 0;

	for (size_t i = 0; i < p->batch.n; i++)
		if (p->batch.p[i].there)
			pushed->there++;
		else
			p->batch.p[n++] = p->batch.p[i];
	p->batch.n = n;
}

static enum as_code push_try(struct as_push *p)
{
	for (size_t i = 0; i < p->batch.n; i++) {
		uint64_t *attempt = &p->batch.p[i].attempt;

		if (getrandom(attempt, sizeof(*attempt), 0) != (ssize_t)sizeof(*attempt))
			return as_err_sys(p->err, errno, "no random numbers");
	}
	if (p->opts->shards->replicated && !p->opts->shards->replicas)
		return as_err_set(p->err, AS_E_IO, "ZooKeeper does not answer");
	AS_TRY(push_rows(p));
	AS_TRY(push_check(p));
	AS_TRY(push_commit(p));
	return push_check_commit(p);
}

static enum as_code push_until_there(struct as_push *p, struct as_fleet_pushed *pushed)
{
	size_t n_servers = as_fleet_address_of(p->f)->n_servers;
	uint64_t deadline = as_fleet_deadline(p->f);
	enum as_code rc;

	for (unsigned n = 0;; n++) {
		rc = push_try(p);
		if (rc == AS_OK)
			return AS_OK;
		as_push_forget(p);
		if (rc != AS_E_IO || as_fleet_fault(p->f) == AS_FLEET_REFUSED ||
			!as_fleet_pause(p->f, n, deadline))
			return rc;
		pushed->tries++;
		if (p->opts->again)
			p->opts->again(p->opts->ctx, p->err);
		p->server = (p->server + 1) % n_servers;
	}
}

static enum as_code push_group_all(struct as_push *p, const struct as_fleet_rows *rows, size_t n,
	struct as_fleet_pushed *pushed)
{
	for (size_t i = 0; i < n; i++)
		AS_TRY(as_err_memory(p->err, push_add_rows(p, &rows[i])));
	push_look(p);
	push_leave_out(p, pushed);
	if (!p->batch.n)
		return AS_OK;
	AS_TRY(push_until_there(p, pushed));
	pushed->batches += p->batch.n;
	for (size_t i = 0; i < p->batch.n; i++)
		pushed->samples += p->batch.p[i].batch->n_samples;
	return AS_OK;
}

/* ---- a push ---- */

bool as_fleet_push_fits(
	const struct as_fleet *f, const struct as_fleet_rows *a, const struct as_fleet_rows *b)
{
	return a->day == b->day && a->home == b->home &&
	       (as_fleet_address_of(f)->n_servers == 1 || as_slice_eq(a->host, b->host));
}

enum as_code as_fleet_push(struct as_fleet *f, const struct as_fleet_rows *rows, size_t n,
	const struct as_fleet_push_opts *opts, struct as_fleet_pushed *pushed, struct as_err *err)
{
	const struct as_fleet_address *address = as_fleet_address_of(f);
	const struct as_alloc *al = as_fleet_alloc(f);
	struct as_fleet_known none = {.al = al};
	struct as_push p = {.f = f,
		.al = al,
		.opts = opts,
		.err = err,
		.known = opts->known ? opts->known : &none,
		.alone = !opts->known && n == 1,
		.day = rows->day,
		.home = rows->home,
		.service = rows->service};
	enum as_code rc;

	/* what a host's samples name is much the same each time, and so on one server only */
	p.server = (as_hash_bytes(rows->host.p, rows->host.len) >> 32) % address->n_servers;
	p.bytes.al = al;
	rc = push_group_all(&p, rows, n, pushed);
	as_vec_free(al, &p.bytes.v);
	as_vec_free(al, &p.batch);
	as_vec_free(al, &p.svc);
	as_fleet_known_release(&none);
	as_push_release_named(&p);
	return rc;
}

enum as_code as_fleet_skew(struct as_fleet *f, int64_t *seconds, struct as_err *err)
{
	struct as_push p = {.f = f, .al = as_fleet_alloc(f), .err = err};
	struct as_sql sql = {.al = p.al};
	uint64_t there;

	as_sql_put(&sql, "SELECT toUInt64(toUInt32(now()))");
	AS_TRY(as_push_ask_numbers(&p, &sql, false, &there, 1));
	*seconds = (int64_t)time(NULL) - (int64_t)there;
	return AS_OK;
}
