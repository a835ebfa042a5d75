/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What samples name. It is the same for everybody, and harmless without samples, so it goes before
 * them; what a server is known to have of the day does not go again. What was sent is asked for
 * behind them, and forgotten if anything went wrong: then all goes again.
 *
 * Many stacks or frames have a mark behind them, a row that is this attempt's alone: a body that is
 * cut off ends somewhere, so where its last row is, all are. To look for each would take a server
 * as long as to insert it.
 */
#include "base/sort.h"
#include "fleet/fleet_push_impl.h"

/* LIST: ids in a statement, of which a server takes 256 kB; FEW cost nothing. MOST: ids that are
 * kept. */
enum { LIST = 8192, FEW = 256, MOST = 1 << 21, AHEAD = 8 };

static struct as_fleet_known_at *named_known(const struct as_push *p)
{
	return &p->known->at[p->server];
}

void as_push_forget(struct as_push *p)
{
	as_push_forget_at(named_known(p), p->known->al);
}

void as_push_release_named(struct as_push *p)
{
	struct as_push_named *named[] = {&p->frames, &p->stacks, &p->series};

	for (size_t i = 0; i < AS_ARRAY_LEN(named); i++) {
		if (!named[i]->lent)
			as_vec_free(p->al, &named[i]->body.v);
		as_vec_free(p->al, &named[i]->sent);
		*named[i] = (struct as_push_named){.body.al = p->al};
	}
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
	/* who pushes only this needs to know nothing, and then each may be there twice */
	bool fresh = true, any = p->alone && list->n > FEW;
	const char *row = list->rows;

	AS_TRY(as_err_memory(p->err, any || as_fleet_ids_reserve(known, list->n)));
	for (size_t i = 0; i < list->n; i++) {
		const struct as_fleet_named *of = &list->p[i];
		struct as_push_row sent = {
			of->id, row, (size_t)(list->rows + of->end - row), of->n};

		row = list->rows + of->end;
		if (!any && i + AHEAD < list->n)
			as_fleet_ids_soon(known, list->p[i + AHEAD].id);
		if (!any && !as_fleet_ids_add(known, of->id, &fresh))
			return as_err_no_memory(p->err);
		if (!fresh)
			*old = of->id;
		else if (!as_vec_push(p->al, &to->sent, sent))
			return as_err_no_memory(p->err);
	}
	return AS_OK;
}

/* All stacks of ROWS are a body as they are, and a mark will have room behind them. */
static void named_lend(const struct as_fleet_rows *rows, struct as_push_named *to)
{
	as_assert(!to->body.v.p && rows->stacks.cap >= rows->stacks.n + AS_FLEET_STACK_MARK);
	to->body.v.p = rows->stacks.p;
	to->body.v.n = rows->stacks.n;
	to->body.v.cap = rows->stacks.cap;
	to->lent = true;
}

static enum as_code named_take_all(struct as_push *p, const struct as_fleet_rows *rows)
{
	struct as_fleet_known_at *at = named_known(p);
	struct named_list frames = {rows->frame.p, rows->frame.n, rows->frames.p};
	struct named_list stacks = {rows->stack.p, rows->stack.n, rows->stacks.p};
	struct named_list series = {rows->serie.p, rows->serie.n, rows->series.p};
	uint64_t any;

	AS_TRY(named_take(p, &at->frame, &frames, &p->frames, &any));
	if (p->alone && rows->ordered)
		named_lend(rows, &p->stacks);
	else
		AS_TRY(named_take(p, &at->stack, &stacks, &p->stacks, &p->known_stack));
	return named_take(p, &at->serie, &series, &p->series, &any);
}

/* Where sent row I of ORDER ends; what stands behind it in memory as in the order comes with it: *I
 * is then the last of them. */
static const char *named_run(const struct as_push_named *of, const uint32_t *order, size_t *i)
{
	const struct as_push_row *row = &of->sent.p[order[*i]];
	const char *end = row->row + row->size;

	for (; *i + 1 < of->sent.n && of->sent.p[order[*i + 1]].row == end; ++*i)
		end += of->sent.p[order[*i + 1]].size;
	return end;
}

/* What was taken as a body, by id, as the tables have it: a server would sort them more slowly. */
static bool named_put(struct as_push *p, struct as_push_named *of)
{
	size_t n = of->sent.n;
	uint64_t *key = NULL;
	uint32_t *order = NULL;
	bool ok = as_alloc_array(p->al, &key, n) && as_alloc_array(p->al, &order, n);
	bool sorted = true;

	for (size_t i = 0; i < n && ok; i++) {
		key[i] = of->sent.p[i].id;
		order[i] = (uint32_t)i;
		sorted &= !i || key[i - 1] <= key[i];
	}
	ok = ok && (sorted || as_sort_hashes(p->al, key, order, n));
	for (size_t i = 0; i < n && ok; i++) {
		const char *row = of->sent.p[order[i]].row;

		if (i + 2 * AHEAD < n)
			AS_PREFETCH(&of->sent.p[order[i + 2 * AHEAD]]);
		if (i + AHEAD < n)
			AS_PREFETCH(of->sent.p[order[i + AHEAD]].row);
		as_fleet_put(&of->body, row, (size_t)(named_run(of, order, &i) - row));
	}
	as_alloc_free(p->al, key, n * sizeof(*key) + 1);
	as_alloc_free(p->al, order, n * sizeof(*order) + 1);
	return ok && !of->body.failed;
}

static bool named_is_marked(const struct as_push_named *of)
{
	return of->lent || of->sent.n > FEW;
}

/* From idx on: a function of the name 'mark', and nothing else. */
static void named_put_mark_frame(struct as_fleet_bytes *to)
{
	enum { START = 8, ENTRY = 8, LINE_COL_ADDR = 3 * 8, KIND_VER = 1 + 4 };
	static const char none[LINE_COL_ADDR + KIND_VER];

	as_fleet_put(to, none, sizeof(uint16_t));
	as_fleet_put_string(to, as_slice_of("mark"));
	as_fleet_put(to, none, 1 + START); /* system */
	as_fleet_put(to, none, 1 + ENTRY); /* file */
	as_fleet_put(to, none, 3);         /* module, buildid, site */
	as_fleet_put(to, none, sizeof(none));
}

/* Nothing is behind it in the order of TABLE, frames or stacks. */
static void named_put_mark(
	const struct as_push *p, enum as_fleet_table table, struct as_fleet_bytes *to)
{
	as_fleet_put_number(to, p->day, sizeof(uint16_t));
	as_fleet_put_number(to, AS_FLEET_MARKS, sizeof(uint64_t));
	as_fleet_put_number(to, p->batch.p[0].attempt, sizeof(uint64_t));
	if (table == AS_PROF_STACKS)
		as_fleet_put_length(to, 0);
	else
		named_put_mark_frame(to);
}

static enum as_code named_body(
	struct as_push *p, enum as_fleet_table table, struct as_push_named *of)
{
	AS_TRY(as_err_memory(p->err, of->lent || named_put(p, of)));
	if (named_is_marked(of) && table != AS_PROF_SERIES)
		named_put_mark(p, table, &of->body);
	return as_err_memory(p->err, !of->body.failed);
}

enum as_code as_push_named(struct as_push *p)
{
	struct as_fleet_known_at *at = named_known(p);
	const struct as_fleet_rows *before = NULL;

	if (at->day != p->day || at->home != p->home || at->stack.n > MOST || at->frame.n > MOST ||
		at->serie.n > MOST)
		as_push_forget(p);
	at->day = p->day;
	at->home = p->home;
	at->frame.al = at->stack.al = at->serie.al = p->known->al;
	as_push_release_named(p);
	p->known_stack = 0;
	for (size_t i = 0; i < p->batch.n; i++) {
		const struct as_fleet_rows *rows = p->batch.p[i].rows;

		if (rows != before)
			AS_TRY(named_take_all(p, rows));
		before = rows;
	}
	AS_TRY(named_body(p, AS_PROF_FRAMES, &p->frames));
	AS_TRY(named_body(p, AS_PROF_STACKS, &p->stacks));
	return named_body(p, AS_PROF_SERIES, &p->series);
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

/* Whether the mark of TABLE is there; COLUMN has its id. */
static enum as_code named_check_mark(
	struct as_push *p, enum as_fleet_table table, const char *column, const char *what)
{
	struct as_sql sql = {.al = p->al};
	uint64_t n;

	as_sql_put(&sql, "SELECT toUInt64(count()) FROM ");
	as_sql_put(&sql, as_fleet_own(table));
	as_push_of_day(p, &sql);
	as_sql_put(&sql, " AND home = ");
	as_sql_u64(&sql, AS_FLEET_MARKS);
	as_sql_put(&sql, " AND ");
	as_sql_put(&sql, column);
	as_sql_put(&sql, " = ");
	as_sql_u64(&sql, p->batch.p[0].attempt);
	AS_TRY(as_push_ask_numbers(p, &sql, true, &n, 1));
	return n ? AS_OK : as_push_not_whole(p, what);
}

enum as_code as_push_check_named(struct as_push *p)
{
	AS_TRY(named_check_list(p, &p->series, "SELECT uniqExact(series) FROM prof_series",
		"series", "series", true));
	if (named_is_marked(&p->stacks))
		AS_TRY(named_check_mark(p, AS_PROF_STACKS, "stack", "stacks"));
	else
		AS_TRY(named_check_list(p, &p->stacks, "SELECT uniqExact(stack) FROM prof_stacks",
			"stack", "stacks", false));
	if (named_is_marked(&p->frames))
		return named_check_mark(p, AS_PROF_FRAMES, "frame", "frames");
	/* of frames that have got names meanwhile the rows of what is inlined in them are of a
	 * later version, and do not count */
	return named_check_list(p, &p->frames, "SELECT uniqExact(frame, idx) FROM prof_frames",
		"(ver = 0 OR idx = 0) AND frame", "frames", false);
}
