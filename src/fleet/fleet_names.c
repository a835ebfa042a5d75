/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_names.h"

#include <stdio.h>

#include "fleet/fleet_cur.h"
#include "fleet/fleet_hash.h"
#include "fleet/fleet_read.h"
#include "fleet/fleet_rows_impl.h"
#include "fleet/fleet_sql.h"

#define LABEL "frame"
enum { HEX = 16 }; /* digits of an id */

static struct as_slice names_slice(const struct as_fleet_answer *answer)
{
	return (struct as_slice){answer->bytes.p, answer->bytes.n};
}

/* " FROM frames WHERE day = DAY" */
static void names_from(const struct as_fleet *f, struct as_sql *sql, uint32_t day)
{
	as_sql_put(sql, " FROM ");
	as_sql_put(sql, as_fleet_read(as_fleet_address_of(f), AS_PROF_FRAMES));
	as_sql_put(sql, " WHERE day = ");
	as_sql_day(sql, day);
}

static enum as_code names_query(
	struct as_fleet *f, struct as_sql *sql, struct as_fleet_answer *answer, struct as_err *err)
{
	enum as_code rc;

	as_sql_put(sql, " FORMAT RowBinary");
	rc = sql->failed ? as_err_no_memory(err)
			 : as_fleet_query(f, as_sql_slice(sql), answer, err);
	as_sql_release(sql);
	return rc;
}

enum as_code as_fleet_frame_days(
	struct as_fleet *f, struct as_fleet_answer *days, struct as_err *err)
{
	struct as_sql sql = {.al = as_fleet_alloc(f)};

	as_sql_put(&sql, "SELECT day FROM ");
	as_sql_put(&sql, as_fleet_read(as_fleet_address_of(f), AS_PROF_FRAMES));
	as_sql_put(&sql, " GROUP BY day ORDER BY day");
	return names_query(f, &sql, days, err);
}

/* ---- frames as a profile ---- */

struct names_answers {
	struct as_fleet_bytes series, stacks, sums;
};

/* A series, SERIE, a stack and a sample for the frame ID of the service HOME. */
static void names_add(struct names_answers *to, uint64_t serie, uint64_t home, uint64_t id)
{
	struct as_slice none = {NULL, 0};
	char hex[2 * HEX + 1];

	snprintf(hex, sizeof(hex), "%016" PRIx64 "%016" PRIx64, home, id);
	as_fleet_put_number(&to->series, serie, sizeof(serie));
	as_fleet_put_number(&to->series, 0, sizeof(id)); /* svc */
	as_fleet_put_string(&to->series, as_slice_of("frames"));
	as_fleet_put_string(&to->series, none);
	as_fleet_put_number(&to->series, 0, sizeof(uint64_t)); /* period */
	as_fleet_put_string(&to->series, none);
	as_fleet_put_string(&to->series, none);
	as_fleet_put_number(&to->series, 0, 2 * sizeof(uint32_t)); /* idx, col */
	as_fleet_put_number(&to->series, 0, sizeof(uint32_t));     /* depth */
	as_fleet_put_number(&to->series, 0, 1);                    /* flags */
	as_fleet_put_string(&to->series, none);                    /* service, host */
	as_fleet_put_string(&to->series, none);
	as_fleet_put_length(&to->series, 1);
	as_fleet_put_string(&to->series, as_slice_of(LABEL));
	as_fleet_put_length(&to->series, 1);
	as_fleet_put_string(&to->series, as_slice_of(hex));
	as_fleet_put_length(&to->series, 1);
	as_fleet_put_number(&to->series, 0, sizeof(int64_t));
	as_fleet_put_length(&to->series, 1);
	as_fleet_put_string(&to->series, none);
	as_fleet_put_number(&to->stacks, id, sizeof(id));
	as_fleet_put_length(&to->stacks, 1);
	as_fleet_put_number(&to->stacks, id, sizeof(id));
	as_fleet_put_number(&to->sums, serie, sizeof(serie));
	as_fleet_put_number(&to->sums, id, sizeof(id));
	as_fleet_put_number(&to->sums, 1, sizeof(int64_t));
}

static enum as_code names_read(const struct as_alloc *al, const struct names_answers *from,
	struct as_slice frames, struct as_profile **out, struct as_err *err)
{
	struct as_fleet_read_opts opts = {.labels = true};
	struct as_fleet_gaps gaps;
	struct as_fleet_read *r;
	enum as_code rc;

	AS_TRY(as_fleet_read_new(al, &opts, &r, err));
	rc = as_fleet_read_series(r, (struct as_slice){from->series.v.p, from->series.v.n});
	AS_THEN(rc, as_fleet_read_stacks(r, (struct as_slice){from->stacks.v.p, from->stacks.v.n}));
	AS_THEN(rc, as_fleet_read_frames(r, frames));
	AS_THEN(rc,
		as_fleet_read_sums(r, (struct as_slice){from->sums.v.p, from->sums.v.n}, false));
	if (rc == AS_OK)
		return as_fleet_read_finish(r, out, &gaps, NULL);
	as_fleet_read_free(r);
	return rc;
}

static enum as_code names_profile(const struct as_alloc *al, struct as_slice ids,
	struct as_slice frames, struct as_profile **out, struct as_err *err)
{
	struct names_answers made = {.series.al = al, .stacks.al = al, .sums.al = al};
	struct as_fleet_cur c = as_fleet_cur_of(ids);
	enum as_code rc;

	for (uint64_t serie = 1; as_fleet_more(&c); serie++) {
		uint64_t home = as_fleet_number(&c, sizeof(home));

		names_add(&made, serie, home, as_fleet_number(&c, sizeof(uint64_t)));
	}
	rc = as_err_memory(err, !made.series.failed && !made.stacks.failed && !made.sums.failed);
	AS_THEN(rc, names_read(al, &made, frames, out, err));
	as_vec_free(al, &made.series.v);
	as_vec_free(al, &made.stacks.v);
	as_vec_free(al, &made.sums.v);
	return rc;
}

enum as_code as_fleet_nameless(
	struct as_fleet *f, uint32_t day, struct as_profile **out, struct as_err *err)
{
	const struct as_alloc *al = as_fleet_alloc(f);
	struct as_fleet_answer ids = {0}, frames = {0};
	struct as_sql sql = {.al = al};
	enum as_code rc;

	*out = NULL;
	as_sql_put(&sql, "SELECT home, frame");
	names_from(f, &sql, day);
	/* Of those that count, as_fleet_read_frames() says which, none has a name. */
	as_sql_put(&sql, " GROUP BY home, frame HAVING NOT has(groupArrayIf(ver, func != ''), "
			 "maxIf(ver, idx = 0))");
	rc = names_query(f, &sql, &ids, err);
	if (rc == AS_OK && ids.bytes.n) {
		as_sql_put(&sql, "SELECT frame, idx, func, system, start, file, entry, module, "
				 "buildid, site, line, col, addr, kind, ver");
		names_from(f, &sql, day);
		as_sql_put(&sql, " AND func = ''");
		rc = names_query(f, &sql, &frames, err);
	}
	if (rc == AS_OK && ids.bytes.n)
		rc = names_profile(al, names_slice(&ids), names_slice(&frames), out, err);
	as_vec_free(al, &ids.bytes);
	as_vec_free(al, &frames.bytes);
	return rc;
}

/* ---- and back ---- */

/* The frame that the samples of PART are of, and its service. */
static bool names_frame(const struct as_profile *prof, uint32_t part, uint64_t *home, uint64_t *id)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, part, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct as_slice hex = as_str_get(prof, label[i].text);

		if (as_slice_is(as_str_get(prof, label[i].key), LABEL) && hex.len == 2 * HEX)
			return as_slice_hex((struct as_slice){hex.p, HEX}, home) &&
			       as_slice_hex(as_slice_skip(hex, HEX), id);
	}
	return false;
}

static enum as_code names_rows(
	struct as_fleet_job *j, uint32_t ver, uint64_t *n_named, struct as_err *err)
{
	const struct as_profile *prof = j->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_node node = prof->sample.node.p[i];
		uint64_t id;

		if (node.i && names_frame(prof, prof->sample.part.p[i], &j->out->home, &id) &&
			as_func_name(prof, prof->place.func.p[prof->node.place.p[node.i].i]).len) {
			as_fleet_rename_frame(j, id, node, ver);
			++*n_named;
		}
	}
	return as_err_memory(err, !j->row.failed && !j->frames.failed);
}

/* Above the names that frames of DAY have already, be they of a clock that is ahead. */
static enum as_code names_version(
	struct as_fleet *f, uint32_t day, uint32_t now, uint32_t *ver, struct as_err *err)
{
	struct as_fleet_answer answer = {0};
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	struct as_fleet_cur c;
	uint64_t last;
	enum as_code rc;

	as_sql_put(&sql, "SELECT toUInt64(max(ver))");
	names_from(f, &sql, day);
	rc = names_query(f, &sql, &answer, err);
	c = as_fleet_cur_of(names_slice(&answer));
	last = as_fleet_number(&c, sizeof(last));
	as_vec_free(sql.al, &answer.bytes);
	*ver = now > last ? now : (uint32_t)(last + 1);
	if (rc == AS_OK && (c.cut || last >= UINT32_MAX))
		rc = as_err_set(err, AS_E_FORMAT, "the store's answer is damaged: a version");
	return rc;
}

/* *THERE: all that was written as VER. A server's word for it is not enough. */
static enum as_code names_look(struct as_fleet *f, uint32_t day, uint32_t ver, uint64_t n_rows,
	bool *there, struct as_err *err)
{
	struct as_fleet_answer answer = {0};
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	struct as_fleet_cur c;
	enum as_code rc;

	as_sql_put(&sql, "SELECT toUInt64(uniqExact(home, frame, idx))");
	names_from(f, &sql, day);
	as_sql_put(&sql, " AND ver = ");
	as_sql_u64(&sql, ver);
	rc = names_query(f, &sql, &answer, err);
	c = as_fleet_cur_of(names_slice(&answer));
	*there = rc == AS_OK && as_fleet_number(&c, sizeof(uint64_t)) >= n_rows && !c.cut;
	as_vec_free(sql.al, &answer.bytes);
	return rc;
}

/* The rows are the same each time, so it does no harm if they come twice. */
static enum as_code names_send(struct as_fleet *f, const struct as_fleet_rows *rows, uint32_t ver,
	struct as_slice frames, struct as_err *err)
{
	size_t n_servers = as_fleet_address_of(f)->n_servers;
	uint64_t deadline = as_fleet_deadline(f);
	struct as_sql sql = {.al = as_fleet_alloc(f)};
	struct as_fleet_insertion in = {.rows = frames};
	enum as_code rc;
	bool there = false;

	as_sql_insert(&sql, AS_PROF_FRAMES);
	in.sql = as_sql_slice(&sql);
	rc = as_err_memory(err, !sql.failed);
	for (unsigned n = 0; rc == AS_OK; n++) {
		rc = as_fleet_insert(f, n % n_servers, &in, 1, err);
		if (rc != AS_OK && (rc != AS_E_IO || as_fleet_fault(f) == AS_FLEET_REFUSED))
			break;
		AS_THEN(rc, names_look(f, rows->day, ver, rows->n_frames, &there, err));
		if (rc == AS_OK && there)
			break;
		AS_THEN(rc, as_err_set(err, AS_E_IO, "the store has lost names that it took"));
		if (!as_fleet_pause(f, n, deadline))
			break;
		rc = AS_OK;
	}
	as_sql_release(&sql);
	return rc;
}

enum as_code as_fleet_write_names(struct as_fleet *f, uint32_t day, uint32_t now,
	const struct as_profile *prof, uint64_t *n_named, struct as_err *err)
{
	const struct as_alloc *al = as_fleet_alloc(f);
	struct as_fleet_rows out = {.al = al, .day = day};
	struct as_fleet_job j = {.prof = prof, .out = &out, .frames.al = al};
	uint32_t ver;
	enum as_code rc;

	*n_named = 0;
	as_pool_init(&j.pool, al);
	j.row.al = &j.pool.al;
	rc = names_version(f, day, now, &ver, err);
	AS_THEN(rc, names_rows(&j, ver, n_named, err));
	if (rc == AS_OK && j.frames.v.n)
		rc = names_send(f, &out, ver, (struct as_slice){j.frames.v.p, j.frames.v.n}, err);
	as_vec_free(al, &j.frames.v);
	as_pool_release(&j.pool);
	return rc;
}
