/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Self cost and calls by function, part by part.
 *
 * A function costs what comes into it by calls, or itself and what goes out of it, whichever is
 * more in the part: a thread begins in a function that nobody calls there, or at next to no cost,
 * and no function costs less than itself and its callees.
 *
 * A file of a hundred megabytes has a million calls, each to a function whose sums lie
 * somewhere in megabytes of them. So calls are decoded a batch ahead of being added up:
 * their callees' sums are on the way meanwhile.
 */
#include "table/project_impl.h"

/* Calls that are decoded and not added up; their values are in p->row. */
struct batch {
	uint32_t n, part;
	uint32_t from[AS_PROJ_BATCH];
};

/* ROW occurs in part PART. What it had of other parts is taken off what goes out of it; so in the
 * end that, its self cost and what does not come in are this part's. */
static enum as_code proj_funcs_touch(struct as_proj *p, uint32_t row, uint32_t part)
{
	as_val *out;

	if (AS_LIKELY(p->state.p[row].part == part + 1))
		return AS_OK;
	p->state.p[row].part = part + 1;
	p->state.p[row].has_in &= ~(uint32_t)AS_IN_PART;
	out = as_proj_at(p, AS_COL_OUT, row);
	for (uint32_t k = 0; k < p->e; k++)
		out[k] = as_proj_at(p, AS_COL_INCL, row)[k] - as_proj_at(p, AS_COL_SELF, row)[k];
	return as_vec_push(p->al, &p->touched, row) ? AS_OK : AS_E_NOMEM;
}

/* What a row costs in this part beyond what comes into it. */
static void add_uncalled(struct as_proj *p)
{
	for (size_t i = 0; i < p->touched.n; i++) {
		uint32_t row = p->touched.p[i];
		const as_val *self = as_proj_at(p, AS_COL_SELF, row);
		const as_val *out = as_proj_at(p, AS_COL_OUT, row);
		as_val *incl = as_proj_at(p, AS_COL_INCL, row);
		bool called = p->state.p[row].has_in & AS_IN_PART; /* else it may be below 0 */

		for (uint32_t k = 0; k < p->e; k++)
			if (!called || self[k] + out[k] > incl[k])
				incl[k] = self[k] + out[k];
	}
	p->touched.n = 0;
}

/* The row of function F if it has one by itself and that is known. */
static inline bool known_row(const struct as_proj *p, as_func f, uint32_t *row)
{
	*row = p->dense[f.i] - 1;
	return *row != UINT32_MAX;
}

/* The row of the function of RUN; false in *UNIFORM if each of its rows has its own. */
static enum as_code row_of_run(
	struct as_proj *p, const struct as_run *run, uint32_t *row, bool *uniform)
{
	uint32_t f = p->fold.group[run->func.i];
	struct as_pos pos = {.func = run->func, .file = run->file};

	*uniform = true;
	if (AS_LIKELY(known_row(p, run->func, row)))
		return AS_OK;
	if (p->fixed)
		return AS_END;
	*uniform = !as_proj_is_object_code(p, f);
	return *uniform ? as_proj_key(p, &pos, row) : AS_OK;
}

static enum as_code row_of_pos(
	struct as_proj *p, const struct as_run *run, const struct as_rows_cur *cur, uint32_t *row)
{
	struct as_pos pos = {
		.func = run->func, .file = run->file, .line = cur->line, .addr = cur->addr};

	return as_proj_key(p, &pos, row);
}

static enum as_code proj_funcs_self_run(struct as_proj *p, const struct as_run *run)
{
	struct as_rows_cur cur;
	uint32_t row = 0;
	bool uniform;

	AS_TRY(row_of_run(p, run, &row, &uniform));
	if (uniform)
		AS_TRY(proj_funcs_touch(p, row, run->part));
	as_rows_begin(&cur, &p->prof->self, run, p->row);
	while (as_rows_next(&cur)) {
		if (!uniform) {
			AS_TRY(row_of_pos(p, run, &cur, &row));
			AS_TRY(proj_funcs_touch(p, row, run->part));
		}
		as_vals_add(as_proj_at(p, AS_COL_SELF, row), p->row, cur.n);
	}
	return AS_OK;
}

static enum as_code proj_funcs_add_call(
	struct as_proj *p, uint32_t from, uint32_t to, const as_val *v, uint32_t part)
{
	struct as_proj_state *st = &p->state.p[to];

	AS_TRY(proj_funcs_touch(p, to, part));
	st->called += v[AS_CALL_COUNT];
	if (from == to) {
		st->has_in |= AS_IN_SELF;
		return p->want_self ? as_proj_pair(p, to, to) : AS_OK;
	}
	st->has_in |= AS_IN_EVER | AS_IN_PART;
	as_vals_add(as_proj_at(p, AS_COL_INCL, to), v + AS_CALL_COST, p->e);
	as_vals_add(as_proj_at(p, AS_COL_OUT, from), v + AS_CALL_COST, p->e);
	return p->want_pairs ? as_proj_pair(p, from, to) : AS_OK;
}

static enum as_code add_batch(struct as_proj *p, struct batch *b)
{
	size_t width = as_proj_row_values(p);
	uint32_t to[AS_PROJ_BATCH];
	const as_val *v = p->row;

	for (uint32_t i = 0; i < b->n; i++, v += width) {
		if (!known_row(p, (as_func){(uint32_t)v[AS_CALL_FUNC]}, &to[i])) {
			if (p->fixed)
				return AS_END;
			AS_TRY(as_proj_callee(p, v, &to[i]));
		}
		AS_PREFETCH(&p->state.p[to[i]]);
		AS_PREFETCH(as_proj_at(p, AS_COL_INCL, to[i]));
	}
	v = p->row;
	for (uint32_t i = 0; i < b->n; i++, v += width)
		AS_TRY(proj_funcs_add_call(p, b->from[i], to[i], v, b->part));
	b->n = 0;
	return AS_OK;
}

static enum as_code proj_funcs_call_run(
	struct as_proj *p, const struct as_run *run, struct batch *b)
{
	size_t width = as_proj_row_values(p);
	struct as_rows_cur cur;
	uint32_t row = 0;
	bool uniform;

	AS_TRY(row_of_run(p, run, &row, &uniform));
	if (uniform)
		AS_TRY(proj_funcs_touch(p, row, run->part));
	as_rows_begin(&cur, &p->prof->call, run, p->row);
	for (;;) {
		const as_val *v = cur.v = p->row + b->n * width;

		if (!as_rows_next(&cur))
			return AS_OK;
		if (!uniform) {
			AS_TRY(row_of_pos(p, run, &cur, &row));
			AS_TRY(proj_funcs_touch(p, row, run->part));
		}
		AS_PREFETCH(&p->dense[(uint32_t)v[AS_CALL_FUNC]]);
		b->from[b->n] = row;
		if (++b->n == AS_PROJ_BATCH)
			AS_TRY(add_batch(p, b));
	}
}

/* The numbers of the runs, sorted by part; START has an entry more than there are parts. */
static void order_runs(const struct as_rows *rows, size_t n_parts, uint32_t *order, size_t *start)
{
	memset(start, 0, (n_parts + 1) * sizeof(*start));
	for (size_t r = 0; r < rows->run.n; r++)
		start[rows->run.p[r].part + 1]++;
	for (size_t i = 0; i < n_parts; i++)
		start[i + 1] += start[i];
	for (size_t r = 0; r < rows->run.n; r++)
		order[start[rows->run.p[r].part]++] = (uint32_t)r;
	for (size_t i = n_parts; i > 0; i--)
		start[i] = start[i - 1];
	start[0] = 0;
	as_assert(start[n_parts] == rows->run.n);
}

enum { AHEAD = 8 };

/* What leads to the row of run ORDER[AT] is fetched. (In a function of its own it would be taken
 * for one without effect.) */
#define FETCH(p, run, order, at, end) \
	((at) < (end) ? AS_PREFETCH(&(p)->dense[(run)[(order)[at]].func.i]) : (void)0)

/* The runs of part PART are those of ORDER from START[PART] on. */
static enum as_code proj_funcs_sum_part(
	struct as_proj *p, uint32_t part, uint32_t *const order[2], size_t *const start[2])
{
	const struct as_run *self = p->prof->self.run.p, *call = p->prof->call.run.p;
	struct batch b = {.part = part};

	for (size_t r = start[0][part]; r < start[0][part + 1]; r++) {
		FETCH(p, self, order[0], r + AHEAD, start[0][part + 1]);
		AS_TRY(proj_funcs_self_run(p, &self[order[0][r]]));
	}
	for (size_t r = start[1][part]; r < start[1][part + 1]; r++) {
		FETCH(p, call, order[1], r + AHEAD, start[1][part + 1]);
		AS_TRY(proj_funcs_call_run(p, &call[order[1][r]], &b));
	}
	AS_TRY(add_batch(p, &b));
	add_uncalled(p);
	return AS_OK;
}

/* The runs in the order of their parts, and where each part begins: [0] of self cost, [1] of
 * calls. */
struct plan {
	struct as_proj *p;
	uint32_t *order[2];
	size_t *start[2];
	enum as_code rc[2]; /* of what two threads do */
};

static enum as_code sum_parts(struct plan *plan)
{
	for (uint32_t part = 0; part < plan->p->prof->part.n; part++)
		AS_TRY(proj_funcs_sum_part(plan->p, part, plan->order, plan->start));
	return AS_OK;
}

static void one_of_two(void *arg, unsigned i)
{
	struct plan *plan = arg;

	plan->rc[i] = i ? as_proj_pairs(plan->p, plan->order[1]) : sum_parts(plan);
}

/* Every function gets the row that it would get if parts were summed one after the other: false
 * in *ALL if it takes more than the self cost of the first part to know that. */
static enum as_code all_rows(struct plan *plan, bool *all)
{
	struct as_proj *p = plan->p;
	const struct as_run *self = p->prof->self.run.p;
	uint32_t row;

	*all = false;
	for (size_t r = 0; r < plan->start[0][1]; r++)
		AS_TRY(row_of_run(p, &self[plan->order[0][r]], &row, all));
	*all = true;
	for (uint32_t f = 1; f < p->fold.n; f++)
		*all &= p->dense[f] != 0;
	return AS_OK;
}

/* Forget all sums, but not the rows. */
static void proj_funcs_undo(struct as_proj *p)
{
	for (unsigned c = 0; c < AS_COL_COUNT; c++)
		if (p->col[c].n)
			memset(p->col[c].p, 0, p->col[c].n * sizeof(as_val));
	p->touched.n = 0;
	memset(p->state.p, 0, p->state.n * sizeof(*p->state.p));
	as_pairs_release(&p->pairs, p->al);
	as_alloc_free(p->al, p->cycle, p->n_cycle * sizeof(*p->cycle) + 1);
	p->cycle = NULL;
	p->n_cycle = p->n_cycles = 0;
}

/* AS_END if the work cannot be divided between two threads. */
static enum as_code by_two(struct plan *plan)
{
	struct as_proj *p = plan->p;
	struct as_exec *exec = p->opts->exec;
	bool all;

	if (!as_exec_is_team(exec) || !p->want_pairs || p->want_self || !p->prof->part.n)
		return AS_END;
	AS_TRY(all_rows(plan, &all));
	if (!all)
		return AS_END;
	p->fixed = true;
	p->want_pairs = false; /* of those who add up */
	exec->run(exec, one_of_two, plan, 2);
	p->fixed = false;
	p->want_pairs = true;
	if (plan->rc[0] != AS_END && plan->rc[1] != AS_END)
		return plan->rc[0] != AS_OK ? plan->rc[0] : plan->rc[1];
	proj_funcs_undo(p);
	return AS_END;
}

enum as_code as_proj_funcs(struct as_proj *p)
{
	const struct as_rows *self = &p->prof->self, *call = &p->prof->call;
	size_t n_parts = p->prof->part.n;
	size_t size =
		(self->run.n + call->run.n) * sizeof(uint32_t) + 2 * (n_parts + 1) * sizeof(size_t);
	struct plan plan = {.p = p};
	enum as_code rc;

	AS_TRY(as_memory(as_vec_reserve(p->al, &p->pairs.to, p->prof->call.n) &&
			 as_vec_reserve(p->al, &p->pairs.group, p->prof->call.run.n)));
	plan.start[0] = as_alloc_new(p->al, size);
	AS_TRY(as_memory(plan.start[0]));
	plan.start[1] = plan.start[0] + n_parts + 1;
	plan.order[0] = (uint32_t *)(plan.start[1] + n_parts + 1);
	plan.order[1] = plan.order[0] + self->run.n;
	as_assert((char *)(plan.order[1] + call->run.n) == (char *)plan.start[0] + size);
	order_runs(self, n_parts, plan.order[0], plan.start[0]);
	order_runs(call, n_parts, plan.order[1], plan.start[1]);
	rc = by_two(&plan);
	if (rc == AS_END)
		rc = sum_parts(&plan);
	as_alloc_free(p->al, plan.start[0], size);
	return rc;
}
