/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines, function by function. A line's row belongs to one function, so what is added up of one
 * fits a cache, and no more than the best rows of all are kept of it.
 */
#include "table/project_impl.h"

enum { SLOTS_LEAST = 64, SPARE_LEAST = 4096 };

/* A line of the function that is looked at. */
struct line_row {
	as_file file;
	uint32_t calls; /* + 1: where its calls' costs stand; 0 = nothing is called there */
	uint64_t line;
};

struct lines {
	struct as_proj *p;
	/* Runs of each function, self rows first: where the next one stands, + 1. Those of calls
	 * are numbered behind those of self rows. */
	uint32_t *first, *next;
	size_t n_runs;

	AS_VEC(struct line_row) row;
	AS_VEC(as_val) self, calls; /* n_events of each */
	AS_VEC(uint32_t) slot;      /* row + 1, by a hash of file and line; 0 = free */

	uint64_t n;     /* rows of all functions */
	as_val sum;     /* what they cost by the first event */
	uint32_t event; /* that rows are compared by first */
	bool full;      /* rows that cost less than BAR are not among the best */
	as_val bar;
};

static uint32_t *lines_slot(struct lines *l, as_file file, uint64_t line)
{
	size_t mask = l->slot.n - 1, i = (size_t)(as_hash_mix(file.i, line) >> 32) & mask;

	for (; l->slot.p[i]; i = (i + 1) & mask) {
		const struct line_row *row = &l->row.p[l->slot.p[i] - 1];

		if (row->line == line && row->file.i == file.i)
			break;
	}
	return &l->slot.p[i];
}

static bool lines_more_slots(struct lines *l, size_t n)
{
	if (!as_vec_reserve(l->p->al, &l->slot, n))
		return false;
	l->slot.n = n;
	memset(l->slot.p, 0, n * sizeof(*l->slot.p));
	for (uint32_t i = 0; i < l->row.n; i++)
		*lines_slot(l, l->row.p[i].file, l->row.p[i].line) = i + 1;
	return true;
}

/* N more zeros behind those of V. */
#define LINES_ZEROS(al, v, k)                       \
	(as_vec_reserve((al), (v), (v)->n + (k)) && \
		(memset((v)->p + (v)->n, 0, (k) * sizeof(*(v)->p)), (v)->n += (k), true))

/* The row of LINE in FILE, or NULL: out of memory. */
static struct line_row *lines_row(struct lines *l, as_file file, uint64_t line)
{
	uint32_t *slot = lines_slot(l, file, line);

	if (AS_LIKELY(*slot))
		return &l->row.p[*slot - 1];
	if (!as_vec_push(l->p->al, &l->row, ((struct line_row){.file = file, .line = line})) ||
		!LINES_ZEROS(l->p->al, &l->self, l->p->e))
		return NULL;
	*slot = (uint32_t)l->row.n;
	if (l->row.n > l->slot.n / 2 && !lines_more_slots(l, l->slot.n * 2))
		return NULL;
	return &l->row.p[l->row.n - 1];
}

static bool lines_add_self(struct lines *l, const struct as_run *run)
{
	struct as_proj *p = l->p;
	struct as_rows_packed one[AS_PROJ_BATCH];
	struct as_rows_cur cur;
	struct line_row *row;

	as_rows_begin(&cur, &p->prof->self, run, p->row);
	do {
		uint32_t n = p->e > 1 ? 0 : as_rows_next_packed(&cur, one, AS_PROJ_BATCH, 0);

		for (uint32_t i = 0; i < n; i++) {
			row = lines_row(l, run->file, one[i].line);
			if (!row)
				return false;
			l->self.p[row - l->row.p] += one[i].value;
		}
		if (n)
			continue;
		if (!as_rows_next_short(&cur))
			return true;
		row = lines_row(l, run->file, cur.line);
		if (!row)
			return false;
		as_vals_add(l->self.p + (size_t)(row - l->row.p) * p->e, p->row, cur.n);
	} while (true);
}

static bool lines_add_calls(struct lines *l, const struct as_run *run)
{
	struct as_proj *p = l->p;
	struct as_rows_cur cur;

	as_rows_begin(&cur, &p->prof->call, run, p->row);
	while (as_rows_next_short(&cur)) {
		struct line_row *row = lines_row(l, run->file, cur.line);

		if (!row)
			return false;
		if (cur.n <= AS_CALL_COST || as_proj_comes_back(p, run->func))
			continue;
		if (!row->calls) {
			if (!LINES_ZEROS(p->al, &l->calls, p->e))
				return false;
			row->calls = (uint32_t)(l->calls.n / p->e);
		}
		as_vals_add(l->calls.p + (size_t)(row->calls - 1) * p->e, p->row + AS_CALL_COST,
			cur.n - AS_CALL_COST);
	}
	return true;
}

/* What a row of P's costs by the event that is compared first. */
static as_val lines_cost(const struct lines *l, size_t row)
{
	const struct as_proj *p = l->p;
	bool incl = p->opts->best_inclusive && p->cols >> AS_COL_INCL & 1;

	return p->col[incl ? AS_COL_INCL : AS_COL_SELF].p[row * p->e + l->event];
}

/* Keep the rows of P's that KEEP marks, N of them. */
static void lines_keep(struct as_proj *p, const uint8_t *keep, size_t n)
{
	size_t to = 0, width = p->e * sizeof(as_val);

	for (size_t r = 0; r < p->key.n; r++) {
		if (!keep[r])
			continue;
		p->key.p[to] = p->key.p[r];
		for (unsigned c = 0; c < AS_COL_COUNT && to != r; c++)
			if (p->cols >> c & 1)
				memcpy(as_proj_at(p, c, (uint32_t)to),
					as_proj_at(p, c, (uint32_t)r), width);
		to++;
	}
	as_assert(to == n);
	for (unsigned c = 0; c < AS_COL_COUNT; c++) {
		if (!(p->cols >> c & 1))
			continue;
		memset(p->col[c].p + n * p->e, 0, (p->col[c].n - n * p->e) * sizeof(as_val));
		p->col[c].n = n * p->e;
	}
	p->key.n = n;
}

/* Leave the best rows of P's only. */
static bool lines_cut(struct lines *l)
{
	struct as_proj *p = l->p;
	size_t n = p->key.n, best = p->opts->best;
	uint32_t *order = as_alloc_new(p->al, n * sizeof(*order));
	uint8_t *flags = as_alloc_new(p->al, 2 * n);
	struct as_table t = {.al = p->al,
		.prof = p->prof,
		.by = AS_BY_LINE,
		.how = p->fold.how,
		.n_events = p->e,
		.n = n,
		.key = p->key.p,
		.self = p->col[AS_COL_SELF].p,
		.incl = p->col[AS_COL_INCL].p,
		.has_incl = flags};
	bool fine = order && flags;

	if (fine) {
		memset(flags, (int)(p->cols >> AS_COL_INCL & 1), n);
		as_table_best(
			&t, p->prof, p->opts->best_event, p->opts->best_inclusive, order, best);
		for (size_t i = 0; i < best; i++)
			flags[n + order[i]] = 1;
		l->bar = lines_cost(l, order[best - 1]);
		l->full = true;
		lines_keep(p, flags + n, best);
	}
	as_alloc_free(p->al, order, n * sizeof(*order));
	as_alloc_free(p->al, flags, 2 * n);
	return fine;
}

/* Row I of the function of RUN becomes one of P's. */
static enum as_code lines_put(struct lines *l, const struct as_run *run, size_t i)
{
	const struct line_row *row = &l->row.p[i];
	const as_val *self = l->self.p + i * l->p->e;
	struct as_pos pos = {.func = run->func, .file = row->file, .line = row->line};
	struct as_key key = as_proj_site(l->p, &pos);
	uint32_t to;

	AS_TRY(as_proj_row(l->p, &key, &to));
	as_vals_add(as_proj_at(l->p, AS_COL_SELF, to), self, l->p->e);
	if (!(l->p->cols >> AS_COL_INCL & 1))
		return AS_OK;
	as_vals_add(as_proj_at(l->p, AS_COL_INCL, to), self, l->p->e);
	if (row->calls)
		as_vals_add(as_proj_at(l->p, AS_COL_INCL, to),
			l->calls.p + (size_t)(row->calls - 1) * l->p->e, l->p->e);
	return AS_OK;
}

/* All of a function, of which RUN is one, is added up: its rows are offered to P. */
static enum as_code lines_offer(struct lines *l, const struct as_run *run)
{
	const struct as_project_opts *opts = l->p->opts;
	size_t spare = opts->best > SPARE_LEAST ? opts->best : SPARE_LEAST, e = l->p->e;

	for (size_t i = 0; i < l->row.n; i++) {
		as_val cost = l->self.p[i * e + l->event];
		uint32_t calls = opts->best_inclusive ? l->row.p[i].calls : 0;

		l->sum += l->self.p[i * e];
		if (calls)
			cost += l->calls.p[(calls - 1) * e + l->event];
		if (l->full && cost < l->bar)
			continue;
		AS_TRY(lines_put(l, run, i));
		if (l->p->key.n - spare == opts->best && !lines_cut(l))
			return AS_E_NOMEM;
	}
	l->n += l->row.n;
	l->row.n = l->self.n = l->calls.n = 0;
	return lines_more_slots(l, SLOTS_LEAST) ? AS_OK : AS_E_NOMEM;
}

static const struct as_run *lines_nth_run(const struct lines *l, uint32_t at)
{
	const struct as_profile *prof = l->p->prof;

	return at < prof->self.run.n ? &prof->self.run.p[at]
				     : &prof->call.run.p[at - prof->self.run.n];
}

static enum as_code lines_of_all(struct lines *l)
{
	const struct as_proj *p = l->p;

	for (size_t i = l->n_runs; i-- > 0;) {
		uint32_t *first = &l->first[p->fold.group[lines_nth_run(l, (uint32_t)i)->func.i]];

		l->next[i] = *first;
		*first = (uint32_t)i + 1;
	}
	for (uint32_t f = 0; f < p->fold.n; f++) {
		const struct as_run *run = NULL;

		for (uint32_t at = l->first[f]; at; at = l->next[at - 1]) {
			run = lines_nth_run(l, at - 1);
			if (!(at <= p->prof->self.run.n ? lines_add_self(l, run)
							: lines_add_calls(l, run)))
				return AS_E_NOMEM;
		}
		if (run)
			AS_TRY(lines_offer(l, run));
	}
	return AS_OK;
}

static bool lines_are_all(const struct as_proj *p)
{
	const struct as_profile *prof = p->prof;
	const struct as_project_opts *opts = p->opts;

	return opts->by == AS_BY_LINE && opts->best && p->e && !prof->sample.node.n &&
	       !prof->sums.func.n && !p->want_self && !opts->want_places && !opts->want_rest &&
	       prof->self.run.n + prof->call.run.n < UINT32_MAX;
}

enum as_code as_proj_lines(struct as_proj *p, struct as_table *t)
{
	const struct as_profile *prof = p->prof;
	struct lines l = {.p = p, .n_runs = prof->self.run.n + prof->call.run.n};
	enum as_code rc = AS_E_NOMEM;

	if (!lines_are_all(p))
		return AS_END;
	if (prof->call.n && !p->opts->no_cycles)
		AS_TRY(as_proj_func_cycles(p));
	l.event = p->opts->best_event < p->e ? p->opts->best_event : 0;
	l.first = as_alloc_new(p->al, p->fold.n * sizeof(*l.first));
	l.next = as_alloc_new(p->al, l.n_runs * sizeof(*l.next) + 1);
	if (l.first && l.next && lines_more_slots(&l, SLOTS_LEAST))
		rc = lines_of_all(&l);
	as_alloc_free(p->al, l.first, p->fold.n * sizeof(*l.first));
	as_alloc_free(p->al, l.next, l.n_runs * sizeof(*l.next) + 1);
	as_vec_free(p->al, &l.row);
	as_vec_free(p->al, &l.self);
	as_vec_free(p->al, &l.calls);
	as_vec_free(p->al, &l.slot);
	as_assert(rc != AS_OK || l.sum == prof->total[0]);
	t->n_rest = rc == AS_OK ? l.n - p->key.n : 0;
	return rc;
}
