/* SPDX-License-Identifier: Apache-2.0 */
#include "table/recursion.h"

#include "base/index.h"
#include "base/pool.h"
#include "base/sort.h"
#include "change/kit/context.h"
#include "change/kit/graph.h"
#include "change/kit/tree.h"

struct finder {
	struct as_cycles *c;
	const struct as_table *t;
	const struct as_alloc *al;
	const struct as_cycles_opts *opts;
	uint32_t *comp; /* of each row: cycle of several + 1 ... then of one; 0 = none */
	uint32_t n_several;
	size_t size; /* of COMP */
};

/* ---- components ---- */

static bool note_edges(struct finder *f, struct as_pairs *pairs)
{
	for (size_t i = 0; i < f->t->n_edges; i++) {
		const struct as_edge *e = &f->t->edge[i];

		if (e->from != e->to && !as_pairs_add(f->al, pairs, e->from, e->to))
			return false;
	}
	return true;
}

static enum as_code find_components(struct finder *f)
{
	struct as_pairs pairs = {.group = {NULL, 0, 0}};
	struct as_graph g;
	enum as_code rc;

	f->size = f->t->n * sizeof(*f->comp) + 1;
	f->comp = as_alloc_new(f->al, f->size);
	if (!f->comp || !note_edges(f, &pairs)) {
		as_pairs_release(&pairs, f->al);
		return AS_E_NOMEM;
	}
	rc = as_graph_build_loose(&g, f->al, &pairs, (uint32_t)f->t->n, true);
	as_pairs_release(&pairs, f->al);
	AS_TRY(rc);
	rc = as_graph_cycles(&g, f->al, f->comp, &f->n_several);
	as_graph_release(&g, f->al);
	return rc;
}

static bool push_cycle(struct finder *f, uint32_t number)
{
	struct as_cycle cycle = {.number = number, .cost = f->c->value.n};
	size_t n = 2 * (size_t)f->t->n_events;

	if (!as_vec_reserve(f->al, &f->c->value, f->c->value.n + n + 1))
		return false;
	memset(f->c->value.p + f->c->value.n, 0, n * sizeof(as_val));
	f->c->value.n += n;
	return as_vec_push(f->al, &f->c->cycle, cycle);
}

/* The cycles of several functions, then those of one. */
static bool number_cycles(struct finder *f)
{
	for (uint32_t i = 1; i <= f->n_several; i++)
		if (!push_cycle(f, i))
			return false;
	for (size_t i = 0; i < f->t->n_edges; i++) {
		const struct as_edge *e = &f->t->edge[i];

		if (e->from != e->to || f->comp[e->from])
			continue;
		if (!push_cycle(f, 0))
			return false;
		f->comp[e->from] = (uint32_t)f->c->cycle.n;
	}
	return true;
}

/* ---- members ---- */

static int recursion_cmp_member(const void *ctx, uint32_t a, uint32_t b)
{
	const struct finder *f = ctx;
	const struct as_table *t = f->t;
	const as_val *vx = t->self + (size_t)a * t->n_events;
	const as_val *vy = t->self + (size_t)b * t->n_events;

	if (f->comp[a] != f->comp[b])
		return f->comp[a] < f->comp[b] ? -1 : 1;
	if (t->n_events && vx[f->opts->event] != vy[f->opts->event])
		return vx[f->opts->event] > vy[f->opts->event] ? -1 : 1;
	return as_table_cmp_text(t, a, b);
}

static bool collect_members(struct finder *f)
{
	struct as_cycles *c = f->c;
	uint32_t e = f->t->n_events;

	for (uint32_t r = 0; r < f->t->n; r++)
		if (f->comp[r] && !as_vec_push(f->al, &c->member, r))
			return false;
	if (!as_sort_rows(f->al, c->member.p, c->member.n, recursion_cmp_member, f))
		return false;
	for (uint32_t i = 0; i < c->member.n; i++) {
		uint32_t r = c->member.p[i];
		struct as_cycle *cycle = &c->cycle.p[f->comp[r] - 1];

		cycle->member = cycle->n_members++ ? cycle->member : i;
		cycle->has_calls = f->t->has_calls[r];
		cycle->calls += f->t->calls[r];
		as_vals_add(c->value.p + cycle->cost, f->t->self + (size_t)r * e, e);
	}
	for (size_t i = 0; i < c->cycle.n; i++)
		as_assert(c->cycle.p[i].n_members);
	return true;
}

/* Calls inside of a cycle do not count as calls of it. */
static void leave_out_inner_calls(struct finder *f)
{
	for (size_t i = 0; i < f->t->n_edges; i++) {
		const struct as_edge *e = &f->t->edge[i];

		if (f->comp[e->from] && f->comp[e->from] == f->comp[e->to])
			f->c->cycle.p[f->comp[e->from] - 1].calls -= e->count;
	}
}

/* ---- inclusive cost ---- */

/* Of calls: a member's is its own cost and the calls that leave the cycle. */
static void sum_members(struct finder *f)
{
	uint32_t e = f->t->n_events;

	for (size_t i = 0; i < f->c->member.n; i++) {
		uint32_t r = f->c->member.p[i];
		size_t at = f->c->cycle.p[f->comp[r] - 1].cost + e;

		as_vals_add(f->c->value.p + at, f->t->incl + (size_t)r * e, e);
	}
}

struct walk {
	const struct as_alloc *al; /* of this all */
	struct as_fold fold;
	struct as_index index; /* of the table's rows */
	uint8_t *live, *outer; /* of each node */
	uint32_t *key;         /* of each node: its cycle + 1; 0 = none */
	as_val *sum;           /* of each node: inclusive cost of one event */
};

static bool index_rows(struct finder *f, struct walk *w)
{
	for (uint32_t r = 0; r < f->t->n; r++)
		if (f->comp[r] && !as_index_add(&w->index,
					  as_hash_mix(f->t->key[r].func.i, f->t->key[r].addr), r))
			return false;
	return true;
}

static uint32_t cycle_of(const struct finder *f, const struct walk *w, as_place place)
{
	const struct as_profile *prof = f->t->prof;
	uint32_t func = w->fold.group[prof->place.func.p[place.i].i], row;
	uint64_t addr = prof->func.addr.p[func], pos = AS_INDEX_START;

	if (!prof->func.name.p[func].i && !addr && prof->func.object.p[func].i)
		addr = prof->place.addr.p[place.i]; /* nameless code of an object: by address */
	while (as_index_find(&w->index, as_hash_mix(func, addr), &pos, &row))
		if (f->t->key[row].func.i == func && f->t->key[row].addr == addr)
			return f->comp[row];
	return 0;
}

static void sum_event(struct finder *f, const struct walk *w, uint32_t k)
{
	const struct as_profile *prof = f->t->prof;
	uint32_t e = f->t->n_events;
	size_t n = prof->node.parent.n;

	memset(w->sum, 0, n * sizeof(*w->sum));
	for (size_t i = 0; i < prof->sample.node.n; i++)
		w->sum[prof->sample.node.p[i].i] += prof->sample.cost.p[i * e + k];
	for (size_t i = n; i-- > 1;) {
		w->sum[prof->node.parent.p[i].i] += w->sum[i];
		if (w->outer[i] && w->key[i])
			f->c->value.p[f->c->cycle.p[w->key[i] - 1].cost + e + k] += w->sum[i];
	}
}

static bool walk_paths(struct finder *f, struct walk *w)
{
	const struct as_profile *prof = f->t->prof;
	size_t n = prof->node.parent.n;

	if (!as_fold_init(&w->fold, prof, f->opts->keep_contexts, false) || !index_rows(f, w))
		return false;
	if (!as_alloc_array(w->al, &w->live, n) || !as_alloc_array(w->al, &w->outer, n) ||
		!as_alloc_array(w->al, &w->key, n) || !as_alloc_array(w->al, &w->sum, n))
		return false;
	as_tree_live(prof, w->live);
	for (size_t i = 1; i < n; i++)
		w->key[i] = cycle_of(f, w, prof->node.place.p[i]);
	if (!as_tree_outermost(prof, w->live, w->key, f->c->cycle.n + 1, w->outer))
		return false;
	for (uint32_t k = 0; k < f->t->n_events; k++)
		sum_event(f, w, k);
	return true;
}

static bool sum_paths(struct finder *f)
{
	struct as_pool pool;
	struct walk w = {.al = &pool.al};
	bool fine;

	as_pool_init(&pool, f->al);
	as_index_init(&w.index, w.al);
	fine = walk_paths(f, &w);
	as_fold_release(&w.fold);
	as_pool_release(&pool);
	return fine;
}

/* ---- all of it ---- */

static int recursion_cmp_cycle(const void *ctx, uint32_t a, uint32_t b)
{
	const struct finder *f = ctx;
	const struct as_cycle *x = &f->c->cycle.p[a], *y = &f->c->cycle.p[b];
	uint32_t e = f->t->n_events;
	const as_val *cx = f->c->value.p + x->cost + e, *cy = f->c->value.p + y->cost + e;
	int cmp = as_costs_cmp(cx, cy, e, f->opts->event);

	return cmp ? cmp
		   : as_slice_cmp(as_table_func_name(f->t, f->c->member.p[x->member]),
			     as_table_func_name(f->t, f->c->member.p[y->member]));
}

static enum as_code recursion_find(struct finder *f)
{
	const struct as_profile *prof = f->t->prof;

	AS_TRY(find_components(f));
	AS_TRY(as_memory(number_cycles(f) && collect_members(f)));
	leave_out_inner_calls(f);
	f->c->has_incl = !prof->call.n || !prof->sample.node.n;
	if (prof->call.n)
		sum_members(f);
	else if (prof->sample.node.n && !sum_paths(f))
		return AS_E_NOMEM;
	return as_memory(
		as_sort_array(f->al, f->c->cycle.p, f->c->cycle.n, recursion_cmp_cycle, f));
}

enum as_code as_cycles_make(struct as_cycles *c, const struct as_table *table,
	const struct as_cycles_opts *opts, struct as_err *err)
{
	struct finder f = {.c = c, .t = table, .al = table->prof->al, .opts = opts};
	enum as_code rc;

	as_assert(!table->n_events || opts->event < table->n_events);
	*c = (struct as_cycles){.al = f.al, .table = table};
	rc = recursion_find(&f);
	as_alloc_free(f.al, f.comp, f.size);
	return rc == AS_OK ? AS_OK : as_err_no_memory(err);
}

void as_cycles_release(struct as_cycles *c)
{
	as_vec_free(c->al, &c->cycle);
	as_vec_free(c->al, &c->member);
	as_vec_free(c->al, &c->value);
}
