/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a store has what was pushed: each batch as its commit says it, and all that is named. */
#include "base/sort.h"
#include "fleet/fleet_admin.h"
#include "fleet/fleet_cur.h"

struct verify_commit {
	uint64_t batch, attempt, rows, total, mass;
};

struct verify_attempt {
	uint64_t attempt, rows, total, mass;
	bool committed;
};

struct verify {
	struct as_fleet *f;
	const struct as_alloc *al;
	struct as_fleet_verdict *v;
	struct as_err *err;
	uint32_t day;
	AS_VEC(struct verify_commit) commit;   /* by batch, then by attempt */
	AS_VEC(struct verify_attempt) attempt; /* by attempt */
};

/* "SELECT WHAT FROM table WHERE day = ..." */
static void verify_of_day(
	const struct verify *v, struct as_sql *sql, const char *what, enum as_fleet_table table)
{
	as_sql_put(sql, "SELECT ");
	as_sql_put(sql, what);
	as_sql_put(sql, " FROM ");
	as_sql_put(sql, as_fleet_read(as_fleet_address_of(v->f), table));
	as_sql_put(sql, " WHERE day = ");
	as_sql_day(sql, v->day);
}

static enum as_code verify_ask(
	const struct verify *v, struct as_sql *sql, struct as_fleet_answer *answer)
{
	enum as_code rc;

	as_sql_put(sql, " FORMAT RowBinary");
	rc = as_err_memory(v->err, !sql->failed);
	AS_THEN(rc, as_fleet_query(v->f, as_sql_slice(sql), answer, v->err));
	as_sql_release(sql);
	return rc;
}

/* All rows of the answer, each of so many NUMBERS of eight bytes, go to TAKE. */
static enum as_code verify_rows(struct verify *v, struct as_sql *sql, size_t numbers,
	bool (*take)(struct verify *v, const uint64_t *number))
{
	struct as_fleet_answer answer = {0};
	enum as_code rc = verify_ask(v, sql, &answer);
	struct as_fleet_cur cur =
		as_fleet_cur_of((struct as_slice){answer.bytes.p, answer.bytes.n});
	uint64_t number[5];

	as_assert(numbers <= AS_ARRAY_LEN(number));
	while (rc == AS_OK && as_fleet_more(&cur)) {
		for (size_t i = 0; i < numbers; i++)
			number[i] = as_fleet_number(&cur, 8);
		if (!cur.cut)
			rc = as_err_memory(v->err, take(v, number));
	}
	if (rc == AS_OK && cur.cut)
		rc = as_err_set(
			v->err, AS_E_FORMAT, "the server's answer is not what was asked for");
	as_vec_free(v->al, &answer.bytes);
	return rc;
}

static bool verify_take_commit(struct verify *v, const uint64_t *n)
{
	struct verify_commit c = {n[0], n[1], n[2], n[3], n[4]};

	return as_vec_push(v->al, &v->commit, c);
}

static bool verify_take_attempt(struct verify *v, const uint64_t *n)
{
	struct verify_attempt a = {n[0], n[1], n[2], n[3], false};

	return as_vec_push(v->al, &v->attempt, a);
}

/* ---- commits and what they are of ---- */

/* A batch counts by the lowest of its attempts. One that has no rows is no attempt's. */
static void verify_commit_one(struct verify *v, const struct verify_commit *c, bool again)
{
	size_t i = as_rows_below(v->attempt.p, v->attempt.n, attempt, c->attempt);
	struct verify_attempt none = {0}, *a = &none;

	if (i < v->attempt.n && v->attempt.p[i].attempt == c->attempt)
		a = &v->attempt.p[i];
	a->committed = true;
	if (again) {
		v->v->again++;
		return;
	}
	v->v->batches++;
	v->v->samples += c->rows;
	if (a->rows == c->rows && a->total == c->total && a->mass == c->mass)
		return;
	if (!v->v->wrong++) {
		v->v->first_wrong = c->batch;
		v->v->first_day = v->day;
	}
}

static enum as_code verify_sums(struct verify *v)
{
	struct as_sql sql = {.al = v->al};

	v->commit.n = v->attempt.n = 0;
	verify_of_day(v, &sql, "batch, attempt, rows, total, mass", AS_PROF_BATCHES);
	as_sql_put(&sql, " ORDER BY batch, attempt");
	AS_TRY(verify_rows(v, &sql, 5, verify_take_commit));
	verify_of_day(v, &sql, "attempt, toUInt64(count()), sum(value), toUInt64(sum(abs(value)))",
		AS_PROF_SAMPLES);
	as_sql_put(&sql, " GROUP BY attempt ORDER BY attempt");
	AS_TRY(verify_rows(v, &sql, 4, verify_take_attempt));
	for (size_t i = 0; i < v->commit.n; i++)
		verify_commit_one(v, &v->commit.p[i],
			i > 0 && v->commit.p[i - 1].batch == v->commit.p[i].batch);
	for (size_t i = 0; i < v->attempt.n; i++)
		if (!v->attempt.p[i].committed) {
			v->v->left++;
			v->v->left_rows += v->attempt.p[i].rows;
		}
	return AS_OK;
}

/* ---- what is named ---- */

static bool verify_take_stacks(struct verify *v, const uint64_t *n)
{
	v->v->no_stack += n[0];
	v->v->no_series += n[1];
	return true;
}

static bool verify_take_frames(struct verify *v, const uint64_t *n)
{
	v->v->no_frame += n[0];
	return true;
}

/* " [GLOBAL] NOT IN (SELECT WHAT FROM table WHERE day)"; a cluster's shards are sent the list. */
static void verify_not_in(
	const struct verify *v, struct as_sql *sql, const char *what, enum as_fleet_table table)
{
	as_sql_put(sql, as_fleet_has_cluster(v->f) ? " GLOBAL NOT IN (" : " NOT IN (");
	verify_of_day(v, sql, what, table);
	as_sql_put(sql, ")");
}

static enum as_code verify_names(struct verify *v)
{
	struct as_sql sql = {.al = v->al};

	as_sql_put(&sql, "SELECT uniqExactIf(stack, lone), uniqExactIf(series, odd) FROM (SELECT "
			 "stack, series, stack");
	verify_not_in(v, &sql, "stack", AS_PROF_STACKS);
	as_sql_put(&sql, " AS lone, series");
	verify_not_in(v, &sql, "series", AS_PROF_SERIES);
	as_sql_put(&sql, " AS odd FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(v->f), AS_PROF_SAMPLES));
	as_sql_put(&sql, " WHERE day = ");
	as_sql_day(&sql, v->day);
	as_sql_put(&sql,
		as_fleet_has_cluster(v->f) ? " AND attempt GLOBAL IN (" : " AND attempt IN (");
	verify_of_day(v, &sql, "min(attempt)", AS_PROF_BATCHES);
	as_sql_put(&sql, " GROUP BY batch)) AS a");
	AS_TRY(verify_rows(v, &sql, 2, verify_take_stacks));
	as_sql_put(&sql, "SELECT uniqExact(f) FROM (");
	verify_of_day(v, &sql, "arrayJoin(frames) AS f", AS_PROF_STACKS);
	as_sql_put(&sql, ") AS a WHERE f != 0 AND f NOT IN (");
	verify_of_day(v, &sql, "frame", AS_PROF_FRAMES);
	as_sql_put(&sql, ")");
	return verify_rows(v, &sql, 1, verify_take_frames);
}

enum as_code as_fleet_verify(struct as_fleet *f, struct as_fleet_verdict *verdict,
	void (*told)(void *ctx, uint32_t day), void *ctx, struct as_err *err)
{
	struct verify v = {.f = f, .al = as_fleet_alloc(f), .v = verdict, .err = err};
	struct as_fleet_status st;
	enum as_code rc = as_fleet_status(f, &st, err);

	*verdict = (struct as_fleet_verdict){0};
	for (size_t i = 0; rc == AS_OK && i < st.day.n; i++) {
		v.day = st.day.p[i].day;
		rc = verify_sums(&v);
		AS_THEN(rc, verify_names(&v));
		if (rc == AS_OK && told)
			told(ctx, v.day);
	}
	as_fleet_status_release(&st);
	as_vec_free(v.al, &v.commit);
	as_vec_free(v.al, &v.attempt);
	return rc;
}
