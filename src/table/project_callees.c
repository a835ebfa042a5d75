/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who calls whom where there are too many pairs to give each of them its costs: only what comes
 * into a row and what goes out of it is summed, and the calls are walked once more for the costs
 * of those that somebody asks for.
 */
#include "table/project_impl.h"

static void add_sums(struct as_proj *p, void *ctx, uint32_t from, uint32_t to)
{
	const as_val *v = p->row + AS_CALL_COST;
	struct as_table *t = ctx;

	for (uint32_t k = 0; k < p->e; k++)
		t->has_negative |= v[k] < 0;
	if (from == to)
		return;
	as_vals_add(t->out + (size_t)from * p->e, v, p->e);
	as_vals_add(t->in + (size_t)to * p->e, v, p->e);
}

enum as_code as_proj_make_callees(struct as_proj *p, struct as_table *t)
{
	uint32_t n = (uint32_t)p->key.n, rows = n + (t->by == AS_BY_FUNC ? p->n_cycles : 0);
	size_t size = (size_t)rows * p->e * sizeof(as_val);

	AS_TRY(as_graph_build(&p->graph, p->al, &p->pairs, n));
	as_pairs_release(&p->pairs, p->al);
	p->slot = as_alloc_new(p->al, n * sizeof(*p->slot) + 1);
	t->first = as_arena_get(&t->arena, ((size_t)rows + 1) * sizeof(*t->first));
	t->in = as_arena_get(&t->arena, size + 1);
	t->out = as_arena_get(&t->arena, size + 1);
	AS_TRY(as_memory(p->slot && t->first && t->in && t->out));
	for (uint32_t r = 0; r <= rows; r++)
		t->first[r] = p->graph.start[r < n ? r : n];
	as_assert(t->first[rows] == p->graph.m && !p->edge); /* there is one graph for both */
	t->callee = p->graph.to;
	memset(t->in, 0, size);
	memset(t->out, 0, size);
	return as_proj_each_call(p, add_sums, t);
}

/* ---- costs ---- */

/* What is kept: the projection, and the options that it refers to. */
struct kept {
	struct as_proj p;
	struct as_project_opts opts;
};

bool as_proj_keep(const struct as_proj *p, struct as_table *t)
{
	struct kept *kept = as_alloc_new(p->al, sizeof(*kept));

	if (!kept)
		return false;
	kept->p = *p;
	kept->opts = *p->opts;
	kept->p.opts = &kept->opts;
	as_vec_free(p->al, &kept->p.state); /* no row will be made */
	as_vec_free(p->al, &kept->p.touched);
	t->proj = &kept->p;
	return true;
}

void as_proj_drop(struct as_table *t)
{
	struct kept *kept = (struct kept *)t->proj;

	if (!kept)
		return;
	as_proj_release(&kept->p);
	as_alloc_free(t->al, kept, sizeof(*kept));
}

struct coster {
	const uint8_t *row;
	struct as_call_costs *c;
};

static void proj_callees_add_cost(struct as_proj *p, void *ctx, uint32_t from, uint32_t to)
{
	const struct coster *k = ctx;
	size_t at;

	if (!k->row[from])
		return;
	at = k->c->at[from] + as_proj_edge_at(p, from, to) - p->graph.start[from];
	as_vals_add(k->c->cost + at * p->e, p->row + AS_CALL_COST, p->e);
}

enum as_code as_table_call_costs(
	const struct as_table *t, const uint8_t *row, struct as_call_costs *c)
{
	struct coster k = {row, c};
	struct as_proj *p = t->proj;
	enum as_code rc;

	as_assert(!p->key.p);
	*c = (struct as_call_costs){.al = t->al, .rows = t->n};
	c->at = as_alloc_new(c->al, t->n * sizeof(*c->at) + 1);
	AS_TRY(as_memory(c->at));
	for (size_t r = 0; r < t->n; r++) {
		c->at[r] = c->n;
		c->n += row[r] ? t->first[r + 1] - t->first[r] : 0;
	}
	c->n *= p->e;
	c->cost = as_alloc_new(c->al, c->n * sizeof(*c->cost) + 1);
	AS_TRY(as_memory(c->cost));
	p->key.p = t->key; /* borrowed from the table */
	p->key.n = t->n;
	rc = as_proj_each_call(p, proj_callees_add_cost, &k);
	as_assert(p->key.n == t->n); /* the profile has changed */
	p->key.p = NULL;
	p->key.n = 0;
	return rc;
}

void as_call_costs_release(struct as_call_costs *c)
{
	as_alloc_free(c->al, c->at, c->rows * sizeof(*c->at) + 1);
	as_alloc_free(c->al, c->cost, c->n * sizeof(*c->cost) + 1);
}

bool as_table_folds(const struct as_table *t)
{
	const struct as_fold *fold = &t->proj->fold;

	for (uint32_t f = 0; f < fold->n; f++)
		if (fold->group[f] != f)
			return true;
	return false;
}

enum as_code as_table_rows_in(const struct as_table *t, const struct as_table *finer, uint32_t *row)
{
	struct as_proj *p = t->proj;
	enum as_code rc = AS_OK;

	as_assert(t->prof == finer->prof && !p->key.p);
	p->key.p = t->key; /* borrowed from the table */
	p->key.n = t->n;
	for (size_t r = 0; rc == AS_OK && r < finer->n - finer->n_cycles; r++) {
		struct as_pos pos = {.func = finer->key[r].func, .addr = finer->key[r].addr};

		rc = as_proj_key(p, &pos, &row[r]);
	}
	as_assert(p->key.n == t->n);
	p->key.p = NULL;
	p->key.n = 0;
	return rc;
}
