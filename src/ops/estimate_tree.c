/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upwards from calls to paths, as estimate.c does it, but for who only wants to see functions: from
 * a table of who calls whom straight to the tree. A function's own cost is handed up as one, so
 * there are as many chains as that makes, not as the profile has rows, and no profile of paths.
 */
#include "base/index.h"
#include "base/sort.h"
#include "ops/calltree.h"
#include "ops/func_order.h"
#include "ops/part_of.h"
#include "ops/project_impl.h"

enum { SHARES = 100000 };

/* All calls of one row by another. */
struct site {
	as_val weight; /* by the main event */
	uint32_t caller;
	uint32_t edge; /* in COSTS */
};

/* A frame of the chain that is being built, or a caller that waits to become one. */
struct frame {
	uint32_t row;
	size_t waiting; /* of a frame of the chain: how many callers wait below its own */
};

struct climb {
	const struct as_alloc *al;
	const struct as_table *t;     /* with a row for each function, and cycles */
	const struct as_table *shown; /* with those of the tree */
	const uint32_t *row;          /* of each row of T its row there; NULL: the same */
	struct as_calltree *ct;
	struct as_index nodes; /* of CT, by parent and key */
	uint32_t e, main;
	as_val total;     /* of the main event */
	uint32_t n;       /* rows, without those of cycles */
	size_t calls;     /* pairs of rows */
	uint32_t *key_no; /* of each row that is shown: key + 1; 0 = none yet */
	struct as_call_costs costs;
	struct site *site; /* by callee */
	as_val *all;       /* weight of all calls of each row, e values */
	as_val *now;       /* what has reached the last frame of the chain */
	as_val *whole;     /* the same before a part of it was handed on */
	as_val *sum, *share;
	uint32_t *start;  /* of each row: those that call it, in ORDER; n + 1 */
	uint32_t *order;  /* sites, of each callee the most expensive first */
	uint32_t *caller; /* of each of ORDER: it is looked at often, without the rest */
	uint32_t *usual;  /* of each row: node + 1 of the chain of the first callers */
	uint8_t *on_chain;
	size_t vals, words; /* the sizes of ALL and START with what follows them */
	AS_VEC(uint32_t)
	unknown; /* whose usual chains are to be found, each before the one below */
	AS_VEC(struct frame) chain; /* from the leaf up */
	AS_VEC(struct frame) wait;
	AS_VEC(as_val) cost; /* of those that wait, e values each */
};

/* ---- who calls whom ---- */

static as_val weight(const struct climb *s, const struct site *site, uint32_t k)
{
	as_val v = s->costs.cost[(size_t)site->edge * s->e + k];

	return v > 0 ? v : 0;
}

static int site_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct climb *s = ctx;
	const struct site *x = &s->site[a], *y = &s->site[b];
	const struct as_key *p = &s->t->key[x->caller], *q = &s->t->key[y->caller];
	int cmp;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	cmp = as_func_order(s->t->prof, p->func, q->func);
	if (!cmp && p->addr != q->addr)
		cmp = p->addr < q->addr ? -1 : 1;
	return cmp ? cmp : a < b ? -1 : a > b;
}

static void group_sites(struct climb *s)
{
	const struct as_table *t = s->t;
	uint32_t edge = 0;

	for (size_t i = 0; i < s->calls; i++)
		s->start[t->callee[i] + 1]++;
	for (uint32_t r = 0; r < s->n; r++)
		s->start[r + 1] += s->start[r];
	for (uint32_t r = 0; r < s->n; r++)
		for (uint32_t i = t->first[r]; i < t->first[r + 1]; i++, edge++) {
			struct site *site = &s->site[s->start[t->callee[i]]++];

			*site = (struct site){0, r, edge};
			site->weight = weight(s, site, s->main);
			for (uint32_t k = 0; k < s->e; k++)
				s->all[(size_t)t->callee[i] * s->e + k] += weight(s, site, k);
		}
	/* Each start has become the next one's. */
	memmove(s->start + 1, s->start, s->n * sizeof(*s->start));
	s->start[0] = 0;
}

static enum as_code order_sites(struct climb *s)
{
	for (uint32_t i = 0; i < s->calls; i++)
		s->order[i] = i;
	for (uint32_t r = 0; r < s->n; r++)
		if (!as_sort_rows(s->al, s->order + s->start[r], s->start[r + 1] - s->start[r],
			    site_cmp, s))
			return AS_E_NOMEM;
	for (uint32_t i = 0; i < s->calls; i++)
		s->caller[i] = s->site[s->order[i]].caller;
	return AS_OK;
}

static const struct site *site_at(const struct climb *s, uint32_t i)
{
	return &s->site[s->order[i]];
}

/* The most expensive call of ROW by one that is not on the chain. */
static bool first_caller(const struct climb *s, uint32_t row, uint32_t *at)
{
	for (*at = s->start[row]; *at < s->start[row + 1]; (*at)++)
		if (!s->on_chain[s->caller[*at]])
			return true;
	return false;
}

/* ---- the tree ---- */

static enum as_code key_of(struct climb *s, uint32_t row, uint32_t *key)
{
	uint32_t shown = s->row ? s->row[row] : row, *no = &s->key_no[shown];
	struct as_calltree *ct = s->ct;

	if (!*no) {
		struct as_key k = s->shown->key[shown];

		k.cycle = 0;
		if (!as_vec_push(s->al, &ct->key, k) || !as_vec_push(s->al, &ct->row, shown))
			return AS_E_NOMEM;
		*no = (uint32_t)ct->key.n;
	}
	*key = *no - 1;
	return AS_OK;
}

static enum as_code push_node(struct as_calltree *ct, struct as_index *nodes, uint32_t parent,
	uint32_t key, uint32_t *node)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent, key);
	size_t at = ct->cost.n;

	while (as_index_find(nodes, hash, &pos, node))
		if (ct->parent.p[*node] == parent && ct->key_of.p[*node] == key)
			return AS_OK;
	if (ct->parent.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	*node = (uint32_t)ct->parent.n;
	if (!as_vec_push(ct->al, &ct->parent, parent) || !as_vec_push(ct->al, &ct->key_of, key) ||
		!as_vec_reserve(ct->al, &ct->cost, at + ct->e) ||
		(*node && !as_index_add(nodes, hash, *node)))
		return AS_E_NOMEM;
	memset(ct->cost.p + at, 0, ct->e * sizeof(*ct->cost.p));
	ct->cost.n = at + ct->e;
	return AS_OK;
}

/* ROW below NODE. */
static enum as_code push_row(struct climb *s, uint32_t *node, uint32_t row)
{
	uint32_t key;

	AS_TRY(key_of(s, row, &key));
	return push_node(s->ct, &s->nodes, *node, key, node);
}

static void add_cost(struct climb *s, uint32_t node, const as_val *cost)
{
	as_proj_add(s->ct->cost.p + (size_t)node * s->e, cost, s->e);
}

/* ---- chains ---- */

static enum as_code enter(struct climb *s, uint32_t row)
{
	struct frame f = {row, s->wait.n};

	s->on_chain[row] = 1;
	return as_vec_push(s->al, &s->chain, f) ? AS_OK : AS_E_NOMEM;
}

static void leave(struct climb *s)
{
	s->on_chain[s->chain.p[--s->chain.n].row] = 0;
}

/* Climb from ROW to the first callers as long as they are in one cycle with it. A chain that has
 * left a cycle does not come back, so all above is the usual chain of the caller outside, *NEXT,
 * if there is one. */
static enum as_code climb_cycle(struct climb *s, uint32_t row, const struct site **next)
{
	uint32_t r = row, at, cycle = s->t->key[row].cycle;

	*next = NULL;
	AS_TRY(enter(s, row));
	while (first_caller(s, r, &at)) {
		const struct site *site = site_at(s, at);

		r = site->caller;
		if (!cycle || s->t->key[r].cycle != cycle) {
			*next = site;
			return AS_OK;
		}
		AS_TRY(enter(s, r));
	}
	return AS_OK;
}

/* The usual chain of ROW, unless that of NEXT must be found first. */
static enum as_code join_usual(struct climb *s, uint32_t row, const struct site *next)
{
	uint32_t node = 0;

	if (next && !s->usual[next->caller])
		return as_vec_push(s->al, &s->unknown, next->caller) ? AS_OK : AS_E_NOMEM;
	if (next) {
		node = s->usual[next->caller] - 1;
		AS_TRY(push_row(s, &node, next->caller));
	}
	for (size_t i = s->chain.n; i-- > 1;)
		AS_TRY(push_row(s, &node, s->chain.p[i].row));
	s->usual[row] = node + 1;
	return AS_OK;
}

/* The chain above ROW when it is always the most expensive caller that counts. */
static enum as_code usual_chain(struct climb *s, uint32_t row, uint32_t *node)
{
	const struct site *next;

	if (!s->usual[row] && !as_vec_push(s->al, &s->unknown, row))
		return AS_E_NOMEM;
	while (s->unknown.n) {
		uint32_t r = s->unknown.p[s->unknown.n - 1];

		if (s->usual[r]) {
			s->unknown.n--;
			continue;
		}
		AS_TRY(climb_cycle(s, r, &next));
		AS_TRY(join_usual(s, r, next));
		while (s->chain.n)
			leave(s);
	}
	*node = s->usual[row] - 1;
	return AS_OK;
}

/* COST is worth a chain of its own. Events are handed up together, so one decides for all. */
static bool is_large(const struct climb *s, as_val cost)
{
	cost = cost < 0 ? -cost : cost;
	return cost > 0 && cost >= s->total / SHARES;
}

static enum as_code wait(struct climb *s, const struct site *site, const as_val *cost)
{
	struct frame f = {.row = site->caller};

	if (!as_vec_push(s->al, &s->wait, f) || !as_vec_reserve(s->al, &s->cost, s->cost.n + s->e))
		return AS_E_NOMEM;
	memcpy(s->cost.p + s->cost.n, cost, s->e * sizeof(*cost));
	s->cost.n += s->e;
	return AS_OK;
}

/* What the calls of ROW cost that come into question. */
static void sum_weights(struct climb *s, uint32_t row)
{
	memcpy(s->sum, s->all + (size_t)row * s->e, s->e * sizeof(*s->sum));
	for (uint32_t i = s->start[row]; i < s->start[row + 1]; i++)
		for (uint32_t k = 0; s->on_chain[s->caller[i]] && k < s->e; k++)
			s->sum[k] -= weight(s, site_at(s, i), k);
}

/* Share NOW, which has reached ROW, among its callers; the first one, FIRST, gets what is left
 * over by rounding and by shares that are too small. */
static enum as_code share_out(struct climb *s, uint32_t row, uint32_t first)
{
	uint32_t main = s->main;

	memcpy(s->whole, s->now, s->e * sizeof(*s->now));
	if (!is_large(s, s->whole[main]))
		return wait(s, site_at(s, first), s->now);
	sum_weights(s, row);
	for (uint32_t i = first + 1; i < s->start[row + 1]; i++) {
		const struct site *site = site_at(s, i);

		if (s->on_chain[s->caller[i]])
			continue;
		s->share[main] = as_part_of(s->whole[main], site->weight, s->sum[main]);
		if (!is_large(s, s->share[main]))
			break; /* they only get smaller */
		for (uint32_t k = 0; k < s->e; k++) {
			s->share[k] = as_part_of(s->whole[k], weight(s, site, k), s->sum[k]);
			s->now[k] -= s->share[k];
		}
		AS_TRY(wait(s, site, s->share));
	}
	return wait(s, site_at(s, first), s->now);
}

/* The cost NOW has reached the last frame of the chain. */
static enum as_code climb_on(struct climb *s)
{
	uint32_t row = s->chain.p[s->chain.n - 1].row, first, node = 0;

	if (first_caller(s, row, &first))
		return share_out(s, row, first);
	for (size_t i = s->chain.n; i-- > 0;)
		AS_TRY(push_row(s, &node, s->chain.p[i].row));
	add_cost(s, node, s->now);
	return AS_OK;
}

static enum as_code climb(struct climb *s, uint32_t row)
{
	AS_TRY(enter(s, row));
	AS_TRY(climb_on(s));
	while (s->chain.n) {
		if (s->wait.n == s->chain.p[s->chain.n - 1].waiting) {
			leave(s);
			continue;
		}
		row = s->wait.p[--s->wait.n].row;
		s->cost.n -= s->e;
		memcpy(s->now, s->cost.p + s->cost.n, s->e * sizeof(*s->now));
		AS_TRY(enter(s, row));
		AS_TRY(climb_on(s));
	}
	return AS_OK;
}

static enum as_code add_self(struct climb *s, uint32_t row)
{
	const as_val *self = s->t->self + (size_t)row * s->e;
	uint32_t node;

	if (is_large(s, self[s->main])) {
		memcpy(s->now, self, s->e * sizeof(*self));
		return climb(s, row);
	}
	AS_TRY(usual_chain(s, row, &node));
	AS_TRY(push_row(s, &node, row));
	add_cost(s, node, self);
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code make_room(struct climb *s)
{
	s->calls = s->t->first[s->n];
	s->vals = ((size_t)s->n + 4) * s->e;
	s->words = 2 * (size_t)s->n + 1 + 2 * s->calls;
	s->all = as_alloc_new(s->al, s->vals * sizeof(*s->all));
	s->start = as_alloc_new(s->al, s->words * sizeof(*s->start));
	s->site = as_alloc_new(s->al, s->calls * sizeof(*s->site) + 1);
	s->on_chain = as_alloc_new(s->al, s->t->n + 1);
	if (!s->all || !s->start || !s->site || !s->on_chain)
		return AS_E_NOMEM;
	s->now = s->all + (size_t)s->n * s->e;
	s->whole = s->now + s->e;
	s->sum = s->whole + s->e;
	s->share = s->sum + s->e;
	s->usual = s->start + s->n + 1;
	s->order = s->usual + s->n;
	s->caller = s->order + s->calls;
	memset(s->on_chain, 1, s->t->n); /* lent: whose calls are asked for */
	AS_TRY(as_table_call_costs(s->t, s->on_chain, &s->costs));
	memset(s->on_chain, 0, s->t->n);
	return AS_OK;
}

static void release(struct climb *s)
{
	const struct as_alloc *al = s->al;

	as_alloc_free(al, s->all, s->all ? s->vals * sizeof(*s->all) : 0);
	as_alloc_free(al, s->start, s->start ? s->words * sizeof(*s->start) : 0);
	as_alloc_free(al, s->site, s->site ? s->calls * sizeof(*s->site) + 1 : 0);
	as_alloc_free(al, s->on_chain, s->on_chain ? s->t->n + 1 : 0);
	as_alloc_free(al, s->key_no, s->key_no ? s->shown->n * sizeof(*s->key_no) + 1 : 0);
	if (s->costs.al)
		as_call_costs_release(&s->costs);
	as_index_release(&s->nodes);
	as_vec_free(al, &s->unknown);
	as_vec_free(al, &s->chain);
	as_vec_free(al, &s->wait);
	as_vec_free(al, &s->cost);
}

static enum as_code estimate(struct climb *s)
{
	uint32_t root;

	AS_TRY(make_room(s));
	group_sites(s);
	AS_TRY(order_sites(s));
	AS_TRY(push_node(s->ct, &s->nodes, 0, 0, &root));
	for (uint32_t r = 0; r < s->n; r++)
		AS_TRY(add_self(s, r));
	return AS_OK;
}

enum as_code as_calltree_estimate(struct as_calltree *ct, const struct as_table *calls,
	const struct as_table *shown, const uint32_t *row, uint32_t event, struct as_err *err)
{
	struct climb s = {.al = calls->al, .t = calls, .shown = shown, .row = row, .ct = ct};
	enum as_code rc = AS_E_NOMEM;

	*ct = (struct as_calltree){.al = calls->al,
		.prof = calls->prof,
		.e = calls->n_events,
		.how = shown->how,
		.estimated = true};
	as_index_init(&s.nodes, s.al);
	s.e = calls->n_events;
	s.main = event;
	s.total = calls->total[event] < 0 ? -calls->total[event] : calls->total[event];
	s.n = (uint32_t)(calls->n - calls->n_cycles);
	s.key_no = as_alloc_new(s.al, shown->n * sizeof(*s.key_no) + 1);
	if (s.key_no)
		rc = estimate(&s);
	release(&s);
	if (rc == AS_E_LIMIT)
		return as_err_set(err, rc, "more than 2^32 call paths");
	return rc == AS_OK ? AS_OK : as_err_set(err, rc, "out of memory");
}

/* ---- parts of it ---- */

static bool copy_keys(struct as_calltree *ct, const struct as_calltree *all)
{
	size_t n = all->key.n;

	if (!as_vec_fit(ct->al, &ct->key, n + 1) || !as_vec_fit(ct->al, &ct->row, n + 1))
		return false;
	if (n)
		memcpy(ct->key.p, all->key.p, n * sizeof(*ct->key.p));
	if (n)
		memcpy(ct->row.p, all->row.p, n * sizeof(*ct->row.p));
	ct->key.n = ct->row.n = n;
	return true;
}

static bool is_root(
	const struct as_calltree *ct, uint32_t node, const struct as_calltree_root *below)
{
	const struct as_key *k = &ct->key.p[ct->key_of.p[node]];

	return !below || (k->func.i == below->func.i && k->addr == below->addr);
}

/* TO: of each node of ALL the one of CT + 1. */
static enum as_code copy_nodes(struct as_calltree *ct, const struct as_calltree *all,
	const struct as_calltree_root *below, struct as_index *nodes, uint32_t *to)
{
	uint32_t node;

	AS_TRY(push_node(ct, nodes, 0, 0, &node));
	for (uint32_t i = 1; i < all->parent.n; i++) {
		uint32_t above = to[all->parent.p[i]];

		if (!above && !is_root(all, i, below))
			continue;
		AS_TRY(push_node(ct, nodes, above ? above - 1 : 0, all->key_of.p[i], &node));
		to[i] = node + 1;
		as_proj_add(
			ct->cost.p + (size_t)node * ct->e, all->cost.p + (size_t)i * ct->e, ct->e);
	}
	return AS_OK;
}

enum as_code as_calltree_part(struct as_calltree *ct, const struct as_calltree *all,
	const struct as_calltree_root *below, struct as_err *err)
{
	size_t size = all->parent.n * sizeof(uint32_t) + 1;
	uint32_t *to = as_alloc_new(all->al, size);
	enum as_code rc = AS_E_NOMEM;
	struct as_index nodes;

	*ct = (struct as_calltree){.al = all->al,
		.prof = all->prof,
		.e = all->e,
		.how = all->how,
		.estimated = all->estimated};
	as_index_init(&nodes, ct->al);
	if (to && copy_keys(ct, all))
		rc = copy_nodes(ct, all, below, &nodes, to);
	as_index_release(&nodes);
	as_alloc_free(all->al, to, to ? size : 0);
	return rc == AS_OK ? AS_OK : as_err_set(err, rc, "out of memory");
}
