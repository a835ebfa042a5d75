/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upwards from calls to paths for who only wants to see functions: from a table of who calls whom
 * straight to the tree, event by event, each by the routes that its own costs tell.
 */
#include "base/pool.h"
#include "change/kit/func_order.h"
#include "change/kit/routes.h"
#include "table/project_impl.h"
#include "tree/calltree_node.h"

struct estimate {
	const struct as_alloc *al;    /* for scratch */
	const struct as_table *t;     /* with a row for each function, and cycles */
	const struct as_table *shown; /* with those of the tree */
	const uint32_t *row;          /* of each row of T its row there; NULL: the same */
	struct as_calltree *ct;
	struct as_routes r;    /* of the rows, without those of cycles */
	struct as_index nodes; /* of CT, by parent and key */
	uint32_t e, event;     /* events, and the one that is handed up */
	uint32_t *key_no;      /* of each row that is shown: key + 1; 0 = none yet */
	uint8_t *bits;         /* of each row: AS_CALLTREE_* */
	struct as_call_costs costs;
};

static enum as_code estimate_key_of(struct estimate *m, uint32_t row, uint32_t *key)
{
	uint32_t shown = m->row ? m->row[row] : row, *no = &m->key_no[shown];
	struct as_calltree *ct = m->ct;

	if (!*no) {
		struct as_key k = m->shown->key[shown];

		k.cycle = 0;
		if (!as_vec_push(ct->al, &ct->key, k) || !as_vec_push(ct->al, &ct->row, shown) ||
			!as_vec_push(ct->al, &ct->several, 0))
			return AS_E_NOMEM;
		*no = (uint32_t)ct->key.n;
	}
	*key = *no - 1;
	return AS_OK;
}

static enum as_code estimate_tree_add_node(
	void *ctx, uint32_t parent, uint32_t out, uint32_t func, uint32_t *node)
{
	struct estimate *m = ctx;
	uint32_t key;

	(void)out;
	AS_TRY(estimate_key_of(m, func, &key));
	/* Routes of one event, which stay apart, come to each node once. */
	if (m->e == 1 && !m->row)
		AS_TRY(as_calltree_push(m->ct, parent, key, node));
	else
		AS_TRY(as_calltree_node(m->ct, &m->nodes, parent, key, node));
	m->ct->exact.p[*node] &= m->bits[func];
	return AS_OK;
}

static enum as_code estimate_tree_add_self(void *ctx, uint32_t node, uint32_t out, as_val cost)
{
	struct estimate *m = ctx;

	(void)out;
	m->ct->cost.p[(size_t)node * m->e + m->event] += cost;
	return AS_OK;
}

static int estimate_tree_func_cmp(void *ctx, uint32_t a, uint32_t b)
{
	const struct estimate *m = ctx;
	const struct as_key *x = &m->t->key[a], *y = &m->t->key[b];
	int cmp = as_func_order(m->t->prof, x->func, y->func);

	return cmp ? cmp : as_cmp_u64(x->addr, y->addr);
}

static int estimate_tree_out_cmp(void *ctx, uint32_t a, uint32_t b)
{
	(void)ctx;
	return as_cmp_u64(a, b);
}

/* ---- all of it ---- */

static enum as_code estimate_tree_make_room(struct estimate *m)
{
	uint32_t n = (uint32_t)(m->t->n - m->t->n_cycles);

	if (!as_routes_room(&m->r, n, m->t->first[n] + (size_t)n) ||
		!as_alloc_array(m->al, &m->bits, m->t->n) ||
		!as_alloc_array(m->al, &m->key_no, m->shown->n))
		return AS_E_NOMEM;
	for (uint32_t r = 0; m->row && r < n; r++)
		as_assert(m->row[r] < m->shown->n);
	memset(m->bits, 1, m->t->n); /* used as scratch: marks the rows whose calls are asked for */
	AS_TRY(as_table_call_costs(m->t, m->bits, &m->costs));
	return as_calltree_evidence(m->t, m->bits);
}

/* The outputs of each function: its own cost, and its calls. */
static enum as_code estimate_tree_load_event(void *ctx, uint32_t event)
{
	struct estimate *m = ctx;
	const struct as_table *t = m->t;
	uint32_t n = 0;

	as_assert(event < m->e);
	m->event = event;

	for (uint32_t r = 0; r < m->r.n; r++) {
		size_t at = (size_t)t->first[r] * m->e + m->event;

		m->r.first[r] = n;
		m->r.cycle[r] = t->key[r].cycle;
		m->r.to[n] = AS_ROUTE_SELF;
		m->r.cost[n++] = t->self[(size_t)r * m->e + m->event];
		for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++, at += m->e) {
			m->r.to[n] = t->callee[i];
			m->r.cost[n++] = m->costs.cost[at];
		}
	}
	as_assert(n == t->first[m->r.n] + m->r.n); /* what there is room for */
	m->r.first[m->r.n] = n;
	return AS_OK;
}

/* Which keys stand for several functions. The bits of nodes are those of functions so far. */
static void note_several(struct estimate *m)
{
	memset(m->key_no, 0, m->shown->n * sizeof(*m->key_no));
	for (uint32_t r = 0; r < m->r.n; r++)
		m->key_no[m->row ? m->row[r] : r]++;
	for (size_t i = 0; i < m->ct->key.n; i++)
		m->ct->several.p[i] = m->key_no[m->ct->row.p[i]] > 1;
	for (size_t i = 0; i < m->ct->exact.n; i++)
		m->ct->exact.p[i] &=
			(uint8_t) ~(AS_CALLTREE_INCL | AS_CALLTREE_SELF | AS_CALLTREE_WHOLE);
}

static enum as_code estimate_tree_event(struct estimate *m)
{
	uint32_t root;

	m->r = (struct as_routes){.al = m->al,
		.n_events = m->e,
		.total = m->t->total,
		.load = estimate_tree_load_event,
		.func_cmp = estimate_tree_func_cmp,
		.out_cmp = estimate_tree_out_cmp,
		.node = estimate_tree_add_node,
		.self = estimate_tree_add_self,
		.ctx = m};
	AS_TRY(estimate_tree_make_room(m));
	AS_TRY(as_calltree_push(m->ct, 0, 0, &root));
	AS_TRY(as_routes_make(&m->r));
	as_assert(m->ct->exact.n == m->ct->parent.n && m->ct->row.n == m->ct->key.n);
	as_assert(m->ct->key.n <= m->shown->n);
	note_several(m);
	return AS_OK;
}

enum as_code as_calltree_estimate(struct as_calltree *ct, const struct as_table *calls,
	const struct as_table *shown, const uint32_t *row, struct as_err *err)
{
	struct as_pool pool;
	struct estimate m = {.al = &pool.al,
		.t = calls,
		.shown = shown,
		.row = row,
		.ct = ct,
		.e = calls->n_events};
	enum as_code rc;

	as_assert(row || calls == shown);
	*ct = (struct as_calltree){.al = calls->al,
		.prof = calls->prof,
		.e = calls->n_events,
		.how = shown->how,
		.estimated = true};
	as_pool_init(&pool, calls->al);
	as_index_init(&m.nodes, m.al);
	rc = estimate_tree_event(&m);
	if (m.costs.al)
		as_call_costs_release(&m.costs);
	as_pool_release(&pool);
	return as_calltree_said(rc, err);
}
