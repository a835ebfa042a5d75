/* SPDX-License-Identifier: Apache-2.0 */
/* Self rows and call rows, summed by row of the table. */
#include "table/project_impl.h"

/* A run whose rows all belong to one row of the table. */
static bool is_uniform(const struct as_proj *p, const struct as_run *run)
{
	uint32_t f = p->fold.group[run->func.i];

	switch (p->opts->by) {
	case AS_BY_FUNC:
		return !as_proj_is_object_code(p, f);
	case AS_BY_FILE:
	case AS_BY_OBJECT:
		return true;
	case AS_BY_FILEFUNC:
		return !as_proj_is_object_code(p, f);
	case AS_BY_LINE:
	case AS_BY_ADDR:
		break;
	}
	return false;
}

/* Iterates over the rows of a run, with the row of the table of each. */
struct walk {
	struct as_rows_cur cur;
	struct as_pos pos;
	uint32_t row;  /* of the table */
	uint32_t home; /* by file: the row of the file of the function */
	bool uniform;
};

static enum as_code walk_begin(
	struct as_proj *p, struct walk *w, const struct as_rows *rows, const struct as_run *run)
{
	as_rows_begin(&w->cur, rows, run, p->row);
	w->pos = (struct as_pos){.func = run->func, .file = run->file};
	w->uniform = is_uniform(p, run);
	if (w->uniform && run->n)
		AS_TRY(as_proj_key(p, &w->pos, &w->row));
	w->home = w->row;
	if (p->opts->by == AS_BY_FILE && run->n && p->prof->call.n) {
		struct as_pos home = {.func = run->func, .file = p->prof->func.file.p[run->func.i]};

		AS_TRY(as_proj_key(p, &home, &w->home));
		/* Inlined code: the function's file, as it were, calls the other one, nobody
		 * knows how often. */
		if (w->home != w->row) {
			p->state.p[w->row].has_in |= AS_IN_EVER;
			if (p->want_pairs)
				AS_TRY(as_proj_pair(p, w->home, w->row));
		}
	}
	return AS_OK;
}

/* AS_END after the last row. */
static enum as_code walk_next(struct as_proj *p, struct walk *w)
{
	if (!as_rows_next(&w->cur))
		return AS_END;
	if (w->uniform)
		return AS_OK;
	w->pos.line = w->cur.line;
	w->pos.addr = w->cur.addr;
	return as_proj_key(p, &w->pos, &w->row);
}

static enum as_code proj_calls_self_run(struct as_proj *p, const struct as_run *run)
{
	unsigned cols = p->cols;
	enum as_code rc;
	struct walk w = {0};

	AS_TRY(walk_begin(p, &w, &p->prof->self, run));
	while ((rc = walk_next(p, &w)) == AS_OK) {
		as_vals_add(as_proj_at(p, AS_COL_SELF, w.row), p->row, w.cur.n);
		if (cols >> AS_COL_INCL & 1) {
			as_vals_add(as_proj_at(p, AS_COL_INCL, w.row), p->row, w.cur.n);
			if (w.home != w.row && p->opts->by == AS_BY_FILE)
				as_vals_add(as_proj_at(p, AS_COL_INCL, w.home), p->row, w.cur.n);
		}
	}
	return rc == AS_END ? AS_OK : rc;
}

/* Rows that were read and are still to be added, their values in p->row. */
struct ahead {
	struct as_pos pos[AS_PROJ_BATCH];
	uint32_t values[AS_PROJ_BATCH];
	uint32_t n;
};

static enum as_code add_ahead(struct as_proj *p, struct ahead *a)
{
	const as_val *v = p->row;
	uint32_t row;

	for (uint32_t i = 0; i < a->n; i++, v += as_proj_row_values(p)) {
		AS_TRY(as_proj_key(p, &a->pos[i], &row));
		as_vals_add(as_proj_at(p, AS_COL_SELF, row), v, a->values[i]);
		if (p->cols >> AS_COL_INCL & 1)
			as_vals_add(as_proj_at(p, AS_COL_INCL, row), v, a->values[i]);
	}
	a->n = 0;
	return AS_OK;
}

/* By line and address, where nearly each row is looked up in an index that is larger than any
 * cache: the memory of several is asked for before the first is needed. */
static enum as_code proj_calls_self_sites(struct as_proj *p)
{
	const struct as_rows *rows = &p->prof->self;
	struct ahead a = {.n = 0};
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		as_rows_begin(&cur, rows, run, p->row + a.n * as_proj_row_values(p));
		while (as_rows_next(&cur)) {
			a.pos[a.n] =
				(struct as_pos){run->func, run->file, cur.line, cur.addr, false};
			as_proj_expect(p, &a.pos[a.n]);
			a.values[a.n++] = cur.n;
			if (a.n == AS_PROJ_BATCH)
				AS_TRY(add_ahead(p, &a));
			cur.v = p->row + a.n * as_proj_row_values(p);
		}
	}
	return add_ahead(p, &a);
}

/* By file and object: the calls that leave the row. */
static enum as_code call_of_group(struct as_proj *p, const struct walk *w)
{
	uint32_t n = w->cur.n > AS_CALL_COST ? w->cur.n - AS_CALL_COST : 0, to;
	const as_val *cost = p->row + AS_CALL_COST;

	AS_TRY(as_proj_callee(p, p->row, &to));
	if (w->home != w->row && p->opts->by == AS_BY_FILE)
		as_vals_add(as_proj_at(p, AS_COL_INCL, w->home), cost, n);
	if (w->row == to) {
		p->state.p[to].has_in |= AS_IN_SELF;
		return p->want_self ? as_proj_pair(p, to, to) : AS_OK;
	}
	p->state.p[to].has_in |= AS_IN_EVER;
	p->state.p[to].called += p->row[AS_CALL_COUNT];
	as_vals_add(as_proj_at(p, AS_COL_INCL, w->row), cost, n);
	return p->want_pairs ? as_proj_pair(p, w->row, to) : AS_OK;
}

/* By address: the callee is inlined, its code is the row's own. */
static bool proj_calls_is_here(const struct as_proj *p, const struct walk *w)
{
	const as_object *object = p->prof->func.object.p;

	return p->opts->by == AS_BY_ADDR && w->cur.addr &&
	       p->row[AS_CALL_ADDR] == (as_val)w->cur.addr &&
	       object[(uint32_t)p->row[AS_CALL_FUNC]].i == object[w->pos.func.i].i;
}

bool as_proj_comes_back(const struct as_proj *p, as_func from)
{
	uint32_t caller = p->fold.group[from.i];
	uint32_t callee = p->fold.group[(uint32_t)p->row[AS_CALL_FUNC]];
	const uint32_t *cycle = p->func_cycle;

	return caller == callee || (cycle && cycle[caller] && cycle[caller] == cycle[callee]);
}

/* By line, address and filefunc: the calls made there, but not those back into the same function or
 * cycle: their cost is already that of the call that came in. */
static enum as_code call_of_line(struct as_proj *p, const struct walk *w)
{
	uint32_t n = w->cur.n > AS_CALL_COST ? w->cur.n - AS_CALL_COST : 0, to;

	if (!as_proj_comes_back(p, w->pos.func) && !proj_calls_is_here(p, w))
		as_vals_add(as_proj_at(p, AS_COL_INCL, w->row), p->row + AS_CALL_COST, n);
	if (!p->want_pairs)
		return AS_OK;
	AS_TRY(as_proj_callee(p, p->row, &to));
	return as_proj_pair(p, w->row, to);
}

static enum as_code proj_calls_call_run(struct as_proj *p, const struct as_run *run)
{
	enum as_code rc;
	struct walk w = {0};

	AS_TRY(walk_begin(p, &w, &p->prof->call, run));
	while ((rc = walk_next(p, &w)) == AS_OK) {
		switch (p->opts->by) {
		case AS_BY_FILE:
		case AS_BY_OBJECT:
			rc = call_of_group(p, &w);
			break;
		case AS_BY_LINE:
		case AS_BY_ADDR:
		case AS_BY_FILEFUNC:
			rc = call_of_line(p, &w);
			break;
		case AS_BY_FUNC: /* project_funcs.c */
			break;
		}
		if (rc != AS_OK)
			break;
	}
	return rc == AS_END ? AS_OK : rc;
}

enum as_code as_proj_func_cycles(struct as_proj *p)
{
	const struct as_rows *rows = &p->prof->call;
	uint32_t n = p->fold.n, n_cycles;
	uint32_t *last = as_alloc_new(p->al, n * sizeof(*last));
	struct as_rows_cur cur;
	struct as_graph g;
	enum as_code rc = last ? AS_OK : AS_E_NOMEM;

	for (size_t r = 0; r < rows->run.n && rc == AS_OK; r++) {
		uint32_t from = p->fold.group[rows->run.p[r].func.i];

		as_rows_begin(&cur, rows, &rows->run.p[r], p->row);
		while (rc == AS_OK && as_rows_next(&cur)) {
			uint32_t to = p->fold.group[(uint32_t)p->row[AS_CALL_FUNC]];

			if (last[to] == from + 1)
				continue;
			last[to] = from + 1;
			if (!as_pairs_add(p->al, &p->pairs, from, to))
				rc = AS_E_NOMEM;
		}
	}
	as_alloc_free(p->al, last, n * sizeof(*last));
	AS_TRY(rc);
	p->func_cycle = as_alloc_new(p->al, n * sizeof(*p->func_cycle));
	AS_TRY(as_memory(p->func_cycle));
	AS_TRY(as_graph_build_loose(&g, p->al, &p->pairs, n, true));
	rc = as_graph_cycles(&g, p->al, p->func_cycle, &n_cycles);
	as_graph_release(&g, p->al);
	return rc;
}

enum as_code as_proj_calls(struct as_proj *p)
{
	const struct as_profile *prof = p->prof;
	bool by_place = as_by_is_site(p->opts->by);

	if (by_place && prof->call.n && !p->opts->no_cycles)
		AS_TRY(as_proj_func_cycles(p));
	p->want_pairs = p->want_self || (!by_place && !p->opts->no_cycles);
	if (p->opts->by == AS_BY_FUNC && prof->call.n)
		return as_proj_funcs(p);
	p->depth_now = UINT8_MAX; /* who has the cost is the innermost */
	if (p->opts->by == AS_BY_LINE || p->opts->by == AS_BY_ADDR)
		AS_TRY(proj_calls_self_sites(p));
	else
		for (size_t r = 0; r < prof->self.run.n; r++)
			AS_TRY(proj_calls_self_run(p, &prof->self.run.p[r]));
	p->depth_now = 0;
	for (size_t r = 0; r < prof->call.run.n; r++)
		AS_TRY(proj_calls_call_run(p, &prof->call.run.p[r]));
	return AS_OK;
}

/* A cycle's members: the calls that leave the cycle; those that do not are none of the cycle's
 * being called. */
static enum as_code add_leaving(struct as_proj *p, const struct walk *w)
{
	uint32_t from = p->cycle[w->row], to;

	if (!from)
		return AS_OK;
	AS_TRY(as_proj_callee(p, p->row, &to));
	if (from == p->cycle[to])
		p->cycle_called[from - 1] -= p->row[AS_CALL_COUNT];
	else
		as_vals_add(as_proj_at(p, AS_COL_INCL, w->row), p->row + AS_CALL_COST, p->e);
	return AS_OK;
}

static enum as_code proj_calls_add_edge(struct as_proj *p, const struct walk *w)
{
	struct as_edge *edge;
	uint32_t to;

	AS_TRY(as_proj_callee(p, p->row, &to));
	edge = as_proj_edge(p, w->row, to);
	edge->count += p->row[AS_CALL_COUNT];
	as_vals_add(edge->cost, p->row + AS_CALL_COST, p->e);
	if (w->home != w->row && p->opts->by == AS_BY_FILE)
		as_vals_add(as_proj_edge(p, w->home, w->row)->cost, p->row + AS_CALL_COST, p->e);
	return AS_OK;
}

static enum as_code proj_calls_each_call(struct as_proj *p, const struct as_run *run,
	enum as_code (*fn)(struct as_proj *p, const struct walk *w))
{
	struct walk w = {0};
	enum as_code rc;

	AS_TRY(walk_begin(p, &w, &p->prof->call, run));
	while ((rc = walk_next(p, &w)) == AS_OK)
		AS_TRY(fn(p, &w));
	return rc == AS_END ? AS_OK : rc;
}

enum as_code as_proj_calls_leaving(struct as_proj *p)
{
	const struct as_rows *rows = &p->prof->call;

	for (uint32_t r = 0; r < p->n_cycle; r++)
		if (p->cycle[r])
			p->cycle_called[p->cycle[r] - 1] += p->state.p[r].called;
	for (size_t r = 0; r < rows->run.n; r++) {
		uint32_t row = p->dense[rows->run.p[r].func.i];

		if (!row || p->cycle[row - 1]) /* most functions are in no cycle */
			AS_TRY(proj_calls_each_call(p, &rows->run.p[r], add_leaving));
	}
	return AS_OK;
}

enum as_code as_proj_each_call(struct as_proj *p,
	void (*fn)(struct as_proj *p, void *ctx, uint32_t from, uint32_t to), void *ctx)
{
	const struct as_rows *calls = &p->prof->call;
	enum as_code rc = AS_END;
	uint32_t to;

	for (size_t r = 0; r < calls->run.n; r++) {
		struct walk w = {0};

		AS_TRY(walk_begin(p, &w, calls, &calls->run.p[r]));
		while ((rc = walk_next(p, &w)) == AS_OK) {
			AS_TRY(as_proj_callee(p, p->row, &to));
			fn(p, ctx, w.row, to);
		}
		if (rc != AS_END)
			return rc;
	}
	return AS_OK;
}

enum as_code as_proj_call_edges(struct as_proj *p)
{
	const struct as_rows *rows = &p->prof->self, *calls = &p->prof->call;

	for (size_t r = 0; r < calls->run.n; r++)
		AS_TRY(proj_calls_each_call(p, &calls->run.p[r], proj_calls_add_edge));
	if (p->opts->by != AS_BY_FILE || !p->prof->call.n)
		return AS_OK;
	for (size_t r = 0; r < rows->run.n; r++) {
		struct walk w = {0};

		AS_TRY(walk_begin(p, &w, rows, &rows->run.p[r]));
		while (w.home != w.row && as_rows_next(&w.cur))
			as_vals_add(as_proj_edge(p, w.home, w.row)->cost, p->row, w.cur.n);
	}
	return AS_OK;
}
