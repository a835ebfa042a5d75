/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/flow.h"

#include "change/kit/graph.h"

as_val as_flow_part_of(as_val v, uint64_t share, uint64_t *carry)
{
	const uint64_t low = AS_FLOW_ALL - 1;
	as_uval u = (as_uval)v, rest;

	if (share == AS_FLOW_ALL)
		return v;
	if (v < 0)
		return -as_flow_part(-v, share);
	rest = (u & low) * share + *carry;
	*carry = (uint64_t)rest & low;
	return (as_val)((u >> 62) * share + (rest >> 62));
}

as_val as_flow_part(as_val v, uint64_t share)
{
	uint64_t carry = AS_FLOW_ALL / 2;

	return as_flow_part_of(v, share, &carry);
}

/* The share that PART and the rest in CARRY are of WHOLE; none of them is negative. It is
 * AS_FLOW_ALL only for all of it, and 0 only for nothing. What rounding leaves over is carried on,
 * or a chain of functions would add it up. */
static uint64_t flow_share_of(as_val part, uint64_t carry, as_val whole)
{
	as_uval p = part > 0 ? (as_uval)part : 0, w = whole > 0 ? (as_uval)whole : 0, rest = carry;
	uint64_t share;

	if (p > w || (p == w && carry >= AS_FLOW_ALL / 2))
		return w ? AS_FLOW_ALL : 0;
	if (!p && carry <= AS_FLOW_ALL / 2)
		return 0;
	while (w >> 64) {
		p >>= 1;
		w >>= 1;
		rest = AS_FLOW_ALL / 2;
	}
	share = (uint64_t)(((p << 62) + rest - AS_FLOW_ALL / 2) / w);
	if (share >= AS_FLOW_ALL)
		return AS_FLOW_ALL - 1;
	return share ? share : 1;
}

static as_val flow_positive(as_val v)
{
	return v > 0 ? v : 0;
}

/* ---- who is one with whom ---- */

static enum as_code note_pairs(struct as_flow *w, struct as_pairs *pairs)
{
	const struct as_rows *rows = &w->prof->call;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		uint32_t from = rows->run.p[i].func.i, to;

		as_rows_begin(&cur, rows, &rows->run.p[i], w->row);
		while (as_rows_next(&cur)) {
			to = (uint32_t)w->row[AS_CALL_FUNC];
			if (w->caller[to] != from + 1)
				w->caller[to] = w->caller[to] ? UINT32_MAX : from + 1;
			if (from == to || as_flow_cuts(w, from) || as_flow_cuts(w, to))
				continue;
			AS_TRY(as_memory(as_pairs_add(w->f->c.al, pairs, from, to)));
		}
	}
	return AS_OK;
}

/* COMP holds numbers of cycles; it becomes the first function of each. FIRST is scratch. */
static void link_members(struct as_flow *w, uint32_t *first)
{
	for (uint32_t f = w->n; f-- > 0;)
		if (w->comp[f])
			first[w->comp[f]] = f;
	for (uint32_t f = w->n; f-- > 0;) {
		w->comp[f] = w->comp[f] ? first[w->comp[f]] : f;
		if (w->comp[f] != f) {
			w->next[f] = w->next[w->comp[f]];
			w->next[w->comp[f]] = f;
		}
	}
}

static enum as_code flow_find_cycles(struct as_flow *w)
{
	const struct as_alloc *al = w->f->c.al;
	struct as_pairs pairs = {0};
	struct as_graph g;
	uint32_t n_cycles;

	AS_TRY(note_pairs(w, &pairs));
	AS_TRY(as_graph_build_loose(&g, al, &pairs, w->n, true));
	AS_TRY(as_graph_cycles(&g, al, w->comp, &n_cycles));
	as_graph_release(&g, al);
	link_members(w, w->order);
	return AS_OK;
}

static void link_runs(const struct as_rows *rows, uint32_t *first, uint32_t *next)
{
	for (size_t i = rows->run.n; i-- > 0;) {
		uint32_t f = rows->run.p[i].func.i;

		next[i] = first[f];
		first[f] = (uint32_t)i + 1;
	}
}

/* ---- what comes in, and what it costs ---- */

/* Of what is cut off all is chosen, whatever comes in and whatever it costs. */
static void sum_costs(struct as_flow *w)
{
	const struct as_rows *self = &w->prof->self, *call = &w->prof->call;
	struct as_rows_cur cur;

	for (size_t i = 0; i < self->run.n; i++) {
		as_val *all = w->all + (size_t)w->comp[self->run.p[i].func.i] * w->e;

		if (as_flow_cuts(w, self->run.p[i].func.i))
			continue;
		as_rows_begin(&cur, self, &self->run.p[i], w->row);
		while (as_rows_next(&cur))
			for (uint32_t k = 0; k < cur.n; k++)
				all[k] += flow_positive(w->row[k]);
	}
	for (size_t i = 0; i < call->run.n; i++) {
		uint32_t from = w->comp[call->run.p[i].func.i];
		bool cut = as_flow_cuts(w, from);

		as_rows_begin(&cur, call, &call->run.p[i], w->row);
		while (as_rows_next(&cur)) {
			uint32_t to = w->comp[(uint32_t)w->row[AS_CALL_FUNC]];

			if (from == to || (cut && as_flow_cuts(w, to)))
				continue;
			for (uint32_t k = 0; k < w->e; k++) {
				as_val cost = flow_positive(w->row[AS_CALL_COST + k]);

				w->all[(size_t)from * w->e + k] += cost;
				w->in[(size_t)to * w->e + k] += cost;
			}
			w->waits[to] += !as_flow_cuts(w, to);
		}
	}
}

/* ---- shares ---- */

/* Hand on what of FROM's cost is under what is chosen; who then waits for nobody else is next. */
static void hand_down(struct as_flow *w, uint32_t from, const struct as_run *run)
{
	const uint64_t *under = w->under + (size_t)from * w->e;
	bool chosen = as_flow_chosen(w, run);
	struct as_rows_cur cur;

	as_rows_begin(&cur, &w->prof->call, run, w->row);
	while (as_rows_next(&cur)) {
		uint32_t to = w->comp[(uint32_t)w->row[AS_CALL_FUNC]];
		as_val *sum = w->sum + (size_t)to * w->e;

		if (from == to || as_flow_cuts(w, to))
			continue;
		w->may[to] |= chosen || w->may[from];
		for (uint32_t k = 0; k < w->e; k++)
			sum[k] += as_flow_part_of(flow_positive(w->row[AS_CALL_COST + k]),
				chosen ? AS_FLOW_ALL : under[k], &w->carry[(size_t)to * w->e + k]);
		if (--w->waits[to] == 0)
			w->order[w->n_order++] = to;
	}
}

static void find_under(struct as_flow *w)
{
	uint32_t comps = 0;

	for (uint32_t f = 0; f < w->n; f++) {
		comps += w->comp[f] == f;
		if (w->comp[f] == f && !w->waits[f])
			w->order[w->n_order++] = f;
	}
	for (uint32_t i = 0; i < w->n_order; i++) {
		uint32_t comp = w->order[i], f = comp;
		size_t at = (size_t)comp * w->e;

		for (uint32_t k = 0; k < w->e; k++) {
			as_val all =
				w->in[at + k] > w->all[at + k] ? w->in[at + k] : w->all[at + k];

			w->under[at + k] = as_flow_cuts(w, comp) ? AS_FLOW_ALL
								 : flow_share_of(w->sum[at + k],
									   w->carry[at + k], all);
		}
		do
			for (uint32_t r = w->call_run[f]; r; r = w->call_next[r - 1])
				hand_down(w, comp, &w->prof->call.run.p[r - 1]);
		while ((f = w->next[f]) != 0);
	}
	as_assert(w->n_order == comps); /* nobody is left waiting in a circle */
}

/* Add to SUM what of function F's cost goes into what is chosen. */
static void flow_gather(struct as_flow *w, uint32_t f, as_val *sum, uint64_t *carry)
{
	uint32_t from = w->comp[f];
	struct as_rows_cur cur;

	for (uint32_t r = w->self_run[f]; r; r = w->self_next[r - 1]) {
		const struct as_run *run = &w->prof->self.run.p[r - 1];

		if (!as_flow_chosen(w, run))
			continue;
		as_rows_begin(&cur, &w->prof->self, run, w->row);
		while (as_rows_next(&cur))
			for (uint32_t k = 0; k < cur.n; k++)
				sum[k] += flow_positive(w->row[k]);
	}
	for (uint32_t r = w->call_run[f]; r; r = w->call_next[r - 1]) {
		const struct as_run *run = &w->prof->call.run.p[r - 1];
		bool all = !w->at_end && as_flow_chosen(w, run);

		as_rows_begin(&cur, &w->prof->call, run, w->row);
		while (as_rows_next(&cur)) {
			uint32_t to = w->comp[(uint32_t)w->row[AS_CALL_FUNC]];

			for (uint32_t k = 0; from != to && k < w->e; k++)
				sum[k] += as_flow_part_of(flow_positive(w->row[AS_CALL_COST + k]),
					all ? AS_FLOW_ALL : w->passes[(size_t)to * w->e + k],
					&carry[k]);
		}
	}
}

/* Callees come before callers, but for those that are cut off from theirs: they are all chosen. */
static void find_passes(struct as_flow *w)
{
	for (uint32_t f = 0; f < w->n; f++)
		for (uint32_t k = 0; k < w->e && as_flow_cuts(w, f); k++)
			w->passes[(size_t)f * w->e + k] = AS_FLOW_ALL;
	for (uint32_t i = w->n_order; i-- > 0;) {
		uint32_t comp = w->order[i], f = comp;
		size_t at = (size_t)comp * w->e;

		if (as_flow_cuts(w, comp))
			continue;
		memset(w->sum, 0, w->e * sizeof(*w->sum));
		for (uint32_t k = 0; k < w->e; k++)
			w->carry[at + k] = AS_FLOW_ALL / 2;
		do
			flow_gather(w, f, w->sum, w->carry + at);
		while ((f = w->next[f]) != 0);
		for (uint32_t k = 0; k < w->e; k++)
			w->passes[at + k] =
				flow_share_of(w->sum[k], w->carry[at + k], w->all[at + k]);
	}
}

/* ---- all of it ---- */

static bool make_tables(struct as_flow *w)
{
	const struct as_alloc *al = w->f->c.al;
	size_t n = w->n, each = n * w->e;

	if (!as_alloc_array(al, &w->comp, n) || !as_alloc_array(al, &w->next, n) ||
		!as_alloc_array(al, &w->caller, n) || !as_alloc_array(al, &w->self_run, n) ||
		!as_alloc_array(al, &w->call_run, n) || !as_alloc_array(al, &w->waits, n) ||
		!as_alloc_array(al, &w->order, n + 1) ||
		!as_alloc_array(al, &w->self_next, w->prof->self.run.n) ||
		!as_alloc_array(al, &w->call_next, w->prof->call.run.n) ||
		!as_alloc_array(al, &w->may, n) || !as_alloc_array(al, &w->in, each) ||
		!as_alloc_array(al, &w->all, each) || !as_alloc_array(al, &w->sum, each) ||
		!as_alloc_array(al, &w->row, w->e + AS_CALL_COST) ||
		!as_alloc_array(al, &w->under, each) || !as_alloc_array(al, &w->passes, each) ||
		!as_alloc_array(al, &w->carry, each))
		return false;
	for (size_t i = 0; i < each; i++)
		w->carry[i] = AS_FLOW_ALL / 2;
	return true;
}

enum as_code as_flow_make(struct as_flow *w, const struct as_filtering *f, enum as_filter_kind kind)
{
	const struct as_profile *prof = f->c.src;

	*w = (struct as_flow){.f = f, .prof = prof, .bit = 1u << kind};
	w->at_end = kind == AS_FILTER_OBJECT;
	w->n = (uint32_t)prof->func.name.n;
	w->e = as_n_events(prof);
	while (w->main + 1 < w->e && !prof->total[w->main])
		w->main++;
	AS_TRY(as_memory(make_tables(w)));
	link_runs(&prof->self, w->self_run, w->self_next);
	link_runs(&prof->call, w->call_run, w->call_next);
	AS_TRY(flow_find_cycles(w));
	sum_costs(w);
	find_under(w);
	find_passes(w);
	return AS_OK;
}
