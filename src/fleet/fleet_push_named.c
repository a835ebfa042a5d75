/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What samples name. It is the same for everybody, and harmless without samples, so it goes before
 * them; what a server is known to have of the day does not go again. What was sent is asked for
 * behind them, and forgotten if anything went wrong: then all goes again.
 */
#include "fleet/fleet_push_impl.h"

/* LIST: ids in a statement, of which a server takes 256 kB. It takes as long to read one of them as
 * to look for the stacks of MANY samples, and FEW cost nothing. MOST: ids that are kept. */
enum { LIST = 8192, FEW = 256, MANY = 16, MOST = 1 << 21, AHEAD = 8 };

static struct as_fleet_known_at *named_known(const struct as_push *p)
{
	return &p->opts->known->at[p->server];
}

void as_push_forget(struct as_push *p)
{
	as_push_forget_at(named_known(p), p->opts->known->al);
}

/* ---- sending ---- */

struct named_list {
	const struct as_fleet_named *p;
	size_t n;
	const char *rows;
};

/* Of the rows of LIST those that are not KNOWN; *OLD: one of the others. */
static enum as_code named_take(struct as_push *p, struct as_fleet_ids *known,
	const struct named_list *list, struct as_push_named *to, uint64_t *old)
{
	size_t begin = 0, end = 0; /* of rows that go together */
	bool fresh;

	AS_TRY(as_err_memory(p->err, as_fleet_ids_reserve(known, list->n)));
	for (size_t i = 0; i < list->n; i++) {
		if (i + AHEAD < list->n)
			as_fleet_ids_soon(known, list->p[i + AHEAD].id);
		if (!as_fleet_ids_add(known, list->p[i].id, &fresh))
			return as_err_no_memory(p->err);
		if (fresh) {
			end = list->p[i].end;
			to->body.failed |= !as_vec_push(p->al, &to->sent, list->p[i]);
			continue;
		}
		*old = list->p[i].id;
		as_fleet_put(&to->body, list->rows + begin, end - begin);
		begin = end = list->p[i].end;
	}
	as_fleet_put(&to->body, list->rows + begin, end - begin);
	return as_err_memory(p->err, !to->body.failed);
}

static enum as_code named_take_all(struct as_push *p, const struct as_fleet_rows *rows)
{
	struct as_fleet_known_at *at = named_known(p);
	struct named_list frames = {rows->frame.p, rows->frame.n, rows->frames.p};
	struct named_list stacks = {rows->stack.p, rows->stack.n, rows->stacks.p};
	struct named_list series = {rows->serie.p, rows->serie.n, rows->series.p};
	uint64_t any;

	AS_TRY(named_take(p, &at->frame, &frames, &p->frames, &any));
	AS_TRY(named_take(p, &at->stack, &stacks, &p->stacks, &p->known_stack));
	return named_take(p, &at->serie, &series, &p->series, &any);
}

static enum as_code named_insert(
	struct as_push *p, enum as_fleet_table table, const struct as_push_named *of)
{
	return of->body.v.n
		       ? as_push_insert(p, table, (struct as_slice){of->body.v.p, of->body.v.n})
		       : AS_OK;
}

enum as_code as_push_named(struct as_push *p)
{
	struct as_fleet_known_at *at = named_known(p);
	struct as_push_named *named[] = {&p->frames, &p->stacks, &p->series};
	const struct as_fleet_rows *before = NULL;

	if (at->day != p->day || at->home != p->home || at->stack.n > MOST || at->frame.n > MOST ||
		at->serie.n > MOST)
		as_push_forget(p);
	at->day = p->day;
	at->home = p->home;
	at->frame.al = at->stack.al = at->serie.al = p->opts->known->al;
	for (size_t i = 0; i < AS_ARRAY_LEN(named); i++)
		named[i]->sent.n = named[i]->body.v.n = 0;
	p->known_stack = 0;
	for (size_t i = 0; i < p->batch.n; i++) {
		const struct as_fleet_rows *rows = p->batch.p[i].rows;

		if (rows != before)
			AS_TRY(named_take_all(p, rows));
		before = rows;
	}
	AS_TRY(named_insert(p, AS_PROF_FRAMES, &p->frames));
	AS_TRY(named_insert(p, AS_PROF_STACKS, &p->stacks));
	return named_insert(p, AS_PROF_SERIES, &p->series);
}

/* ---- is it there? ---- */

/* SELECT, of each of the ids that were sent, in COLUMN: as many rows as these have. */
static enum as_code named_check_list(struct as_push *p, const struct as_push_named *of,
	const char *select, const char *column, const char *what, bool of_services)
{
	for (size_t i = 0; i < of->sent.n;) {
		size_t end = of->sent.n - i < LIST ? of->sent.n : i + LIST;
		struct as_sql sql = {.al = p->al};
		uint64_t rows = 0, n;

		as_sql_put(&sql, select);
		if (of_services) {
			as_push_of_day(p, &sql);
			as_push_of_services(p, &sql);
		} else {
			as_push_of_home(p, &sql);
		}
		as_sql_put(&sql, " AND ");
		as_sql_put(&sql, column);
		for (const char *before = " IN ("; i < end; i++, before = ", ") {
			as_sql_put(&sql, before);
			as_sql_u64(&sql, of->sent.p[i].id);
			rows += of->sent.p[i].n;
		}
		as_sql_put(&sql, ")");
		AS_TRY(as_push_ask_numbers(p, &sql, true, &n, 1));
		if (n != rows)
			return as_push_not_whole(p, what);
	}
	return AS_OK;
}

/* How many stacks the samples name, and the sum of their ids. */
static enum as_code named_stacks(struct as_push *p, uint64_t v[2])
{
	struct as_fleet_ids seen = {.al = p->al};
	const struct as_fleet_rows *before = NULL;
	bool ok = true, fresh;

	v[0] = v[1] = 0;
	if (!p->known_stack) { /* all were sent, each once */
		v[0] = p->stacks.sent.n;
		for (size_t i = 0; i < p->stacks.sent.n; i++)
			v[1] += p->stacks.sent.p[i].id;
		return AS_OK;
	}
	for (size_t i = 0; i < p->batch.n; i++) {
		const struct as_fleet_rows *rows = p->batch.p[i].rows;

		for (size_t k = 0; k < rows->stack.n && rows != before && ok; k++) {
			ok = as_fleet_ids_add(&seen, rows->stack.p[k].id, &fresh);
			v[0] += ok && fresh;
			v[1] += ok && fresh ? rows->stack.p[k].id : 0;
		}
		before = rows;
	}
	as_fleet_ids_release(&seen);
	return as_err_memory(p->err, ok);
}

/* SELECT of all stacks that the samples name. */
static enum as_code named_ask_stacks(struct as_push *p, const char *select, uint64_t *v, size_t n)
{
	struct as_sql sql = {.al = p->al};

	as_sql_put(&sql, select);
	as_sql_put(&sql, " FROM prof_stacks");
	as_push_of_home(p, &sql);
	as_sql_put(&sql, " AND stack IN (SELECT stack");
	as_push_from_samples(p, &sql);
	as_sql_put(&sql, ")");
	return as_push_ask_numbers(p, &sql, true, v, n);
}

/* Rows that are there twice, as others have sent them, too, have to be told apart, which takes a
 * server as long as all else. */
static enum as_code named_check_stacks(struct as_push *p)
{
	uint64_t v[2], want[2];

	AS_TRY(named_stacks(p, want));
	AS_TRY(named_ask_stacks(p, "SELECT toUInt64(count()), toUInt64(sum(stack))", v, 2));
	if (v[0] == want[0] && v[1] == want[1])
		return AS_OK;
	AS_TRY(named_ask_stacks(p, "SELECT uniqExact(stack)", v, 1));
	return v[0] == want[0] ? AS_OK : as_push_not_whole(p, "stacks");
}

enum as_code as_push_check_named(struct as_push *p)
{
	uint64_t samples = 0;

	/* of frames that have got names meanwhile the rows of what is inlined in them are of a
	 * later version, and do not count */
	AS_TRY(named_check_list(p, &p->frames, "SELECT uniqExact(frame, idx) FROM prof_frames",
		"(ver = 0 OR idx = 0) AND frame", "frames", false));
	AS_TRY(named_check_list(p, &p->series, "SELECT uniqExact(series) FROM prof_series",
		"series", "series", true));
	for (size_t i = 0; i < p->batch.n; i++)
		samples += p->batch.p[i].batch->n_samples;
	if (p->stacks.sent.n > FEW && p->stacks.sent.n > samples / MANY)
		return named_check_stacks(p);
	return named_check_list(p, &p->stacks, "SELECT uniqExact(stack) FROM prof_stacks", "stack",
		"stacks", false);
}
