/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upwards from calls to paths: a profile of the routes that calls leave open (routes.h). What a
 * function costs stays at the places where it is, and a frame stands where its call is made.
 */
#include "change/transform.h"

#include "change/kit/change.h"
#include "change/kit/func_order.h"
#include "change/kit/graph.h"
#include "change/kit/routes.h"

struct estimate {
	struct as_change *c;
	struct as_routes r;
	uint32_t event; /* the one that is handed up */
	uint32_t *at;   /* of each function: its next output while they are walked */
	uint32_t *part; /* of each output; places and parts are the result's */
	as_place *place;
	as_val *zero; /* a value per event, to become what one sample costs */
};

/* ---- what functions cost, and by whom ---- */

/* FN with every row, whose values are in c.r.in: of self cost, then of calls. */
static enum as_code each_row(
	struct estimate *m, enum as_code (*fn)(struct estimate *m, const struct as_run *run,
				    const struct as_rows_cur *cur, bool is_call))
{
	const struct as_rows *all[] = {&m->c->src->self, &m->c->src->call};
	struct as_rows_cur cur;

	memcpy(m->at, m->r.first, m->r.n * sizeof(*m->at));
	for (int i = 0; i < 2; i++)
		for (size_t r = 0; r < all[i]->run.n; r++) {
			const struct as_run *run = &all[i]->run.p[r];

			as_rows_begin(&cur, all[i], run, m->c->r.in);
			while (as_rows_next(&cur))
				AS_TRY(fn(m, run, &cur, i));
		}
	for (uint32_t f = 0; f < m->r.n; f++)
		as_assert(m->at[f] == m->r.first[f + 1]);
	return AS_OK;
}

static void count_rows(const struct as_rows *rows, uint32_t *first)
{
	for (size_t r = 0; r < rows->run.n; r++)
		first[rows->run.p[r].func.i + 1] += rows->run.p[r].n;
}

static enum as_code estimate_make_room(struct estimate *m)
{
	const struct as_profile *src = m->c->src;
	const struct as_alloc *al = m->c->al;
	size_t outs = src->self.n + src->call.n, n = src->func.name.n;

	if (outs >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	if (!as_routes_room(&m->r, (uint32_t)n, outs) || !as_alloc_array(al, &m->at, n) ||
		!as_alloc_array(al, &m->part, outs) || !as_alloc_array(al, &m->place, outs) ||
		!as_alloc_array(al, &m->zero, m->c->r.e))
		return AS_E_NOMEM;
	count_rows(&src->self, m->r.first);
	count_rows(&src->call, m->r.first);
	for (size_t f = 0; f < n; f++)
		m->r.first[f + 1] += m->r.first[f];
	as_assert(m->r.first[n] == outs);
	return AS_OK;
}

static enum as_code note_place(
	struct estimate *m, const struct as_run *run, const struct as_rows_cur *cur, bool is_call)
{
	struct as_pos from = {run->func, run->file, cur->line, cur->addr, false}, to;
	uint32_t out = m->at[run->func.i]++;

	m->r.to[out] = is_call ? (uint32_t)m->c->r.in[AS_CALL_FUNC] : AS_ROUTE_SELF;
	m->part[out] = m->c->r.part[run->part];
	AS_TRY(as_remap_pos(&m->c->r, &from, &to));
	return as_build_place(&m->c->b, &to, &m->place[out]);
}

static enum as_code note_cost(
	struct estimate *m, const struct as_run *run, const struct as_rows_cur *cur, bool is_call)
{
	uint32_t first = is_call ? AS_CALL_COST : 0;

	m->r.cost[m->at[run->func.i]++] =
		first + m->event < cur->n ? m->c->r.in[first + m->event] : 0;
	return AS_OK;
}

static enum as_code estimate_load_event(void *ctx, uint32_t event)
{
	struct estimate *m = ctx;

	as_assert(event < m->c->r.e);
	m->event = event;
	return each_row(m, note_cost);
}

static enum as_code estimate_find_cycles(struct estimate *m)
{
	const struct as_alloc *al = m->c->al;
	struct as_pairs pairs = {0};
	struct as_graph g;
	uint32_t n;

	for (uint32_t f = 0; f < m->r.n; f++)
		for (uint32_t i = m->r.first[f]; i < m->r.first[f + 1]; i++)
			if (m->r.to[i] != AS_ROUTE_SELF && !as_pairs_add(al, &pairs, f, m->r.to[i]))
				return AS_E_NOMEM;
	AS_TRY(as_graph_build_loose(&g, al, &pairs, m->r.n, true));
	AS_TRY(as_graph_cycles(&g, al, m->r.cycle, &n));
	as_graph_release(&g, al);
	return AS_OK;
}

/* ---- paths ---- */

/* The node of a frame is that of the calls which lead there. */
static enum as_code estimate_add_node(
	void *ctx, uint32_t parent, uint32_t out, uint32_t func, uint32_t *node)
{
	struct estimate *m = ctx;
	as_node made = {0};

	(void)func;
	if (out != AS_ROUTE_BEGIN)
		AS_TRY(as_build_push(&m->c->b, (as_node){parent}, m->place[out], &made));
	*node = made.i;
	return AS_OK;
}

static enum as_code estimate_add_self(void *ctx, uint32_t node, uint32_t out, as_val cost)
{
	struct estimate *m = ctx;
	as_node leaf;

	AS_TRY(as_build_push(&m->c->b, (as_node){node}, m->place[out], &leaf));
	m->zero[m->event] = cost;
	as_remap_cost(&m->c->r, m->zero, m->c->r.e, m->c->r.out);
	m->zero[m->event] = 0;
	return as_build_sample(&m->c->b, m->part[out], leaf, m->c->r.out);
}

static int estimate_func_cmp(void *ctx, uint32_t a, uint32_t b)
{
	const struct estimate *m = ctx;

	return as_func_order(m->c->src, (as_func){a}, (as_func){b});
}

/* Where they are, whatever the order in which they were found. */
static int estimate_out_cmp(void *ctx, uint32_t a, uint32_t b)
{
	const struct estimate *m = ctx;
	const struct as_profile *to = m->c->b.prof;
	struct as_pos p = as_place_pos(to, m->place[a]), q = as_place_pos(to, m->place[b]);
	int cmp = as_file_cmp(to, p.file.i, q.file.i);

	cmp = cmp ? cmp : as_cmp_u64(p.line, q.line);
	cmp = cmp ? cmp : as_cmp_u64(p.addr, q.addr);
	cmp = cmp ? cmp : as_cmp_u64(m->part[a], m->part[b]);
	return cmp ? cmp : as_cmp_u64(a, b);
}

/* ---- all of it ---- */

static enum as_code estimate_all(struct as_change *c, void *none)
{
	struct estimate m = {.c = c};

	(void)none;
	m.r = (struct as_routes){.al = c->al,
		.n_events = c->r.e,
		.total = c->src->total,
		.load = estimate_load_event,
		.func_cmp = estimate_func_cmp,
		.out_cmp = estimate_out_cmp,
		.node = estimate_add_node,
		.self = estimate_add_self,
		.ctx = &m};
	AS_TRY(estimate_make_room(&m));
	AS_TRY(as_change_samples(c));
	AS_TRY(each_row(&m, note_place));
	AS_TRY(estimate_find_cycles(&m));
	c->b.prof->estimated |= c->src->call.n != 0;
	return as_routes_make(&m.r);
}

enum as_code as_estimate_paths(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	AS_TRY(as_change_run(prof, NULL, estimate_all, NULL, out, err));
	as_lose(l, AS_CAPBIT_CALLS, prof->call.n);
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	return AS_OK;
}
