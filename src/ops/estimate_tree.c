/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upwards from calls to paths, as estimate.c does it, but for who only wants to see functions: from
 * a table of who calls whom straight to the tree. A function's own cost is handed up as one, so
 * there are as many chains as that makes, not as the profile has rows, and no profile of paths.
 */
#include "base/sort.h"
#include "ops/calltree_node.h"
#include "ops/func_order.h"
#include "ops/part_of.h"
#include "ops/project_impl.h"

enum { SHARES = 100000 };
#define NEVER ((as_val)1 << 126)

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
	uint32_t *order;  /* sites, of each callee the most expensive first; all if IN_ORDER */
	uint32_t *caller; /* of each of ORDER: it is looked at often, without the rest */
	uint32_t *usual;  /* of each row: node + 1 of the chain of the first callers */
	as_val *split; /* of each row: what is less goes up its usual chain as one; 0 = unknown */
	uint8_t *on_chain, *in_order;
	size_t vals, words; /* the sizes of ALL and START with what follows them */
	AS_VEC(uint32_t)
	unknown; /* whose usual chains are to be found, each before the one below */
	AS_VEC(struct frame) chain; /* from the leaf up */
	size_t base;                /* where the usual chain that is looked for begins in it */
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

static void note_callers(struct climb *s, uint32_t row)
{
	for (uint32_t i = s->start[row]; i < s->start[row + 1]; i++)
		s->caller[i] = s->site[s->order[i]].caller;
}

/* Most rows are never asked for more than the first one. */
static void find_first(struct climb *s, uint32_t row)
{
	uint32_t first = s->start[row];

	for (uint32_t i = first; i < s->start[row + 1]; i++)
		s->order[i] = i;
	for (uint32_t i = first + 1; i < s->start[row + 1]; i++)
		if (site_cmp(s, i, s->order[first]) < 0) {
			s->order[i] = s->order[first];
			s->order[first] = i;
		}
	note_callers(s, row);
}

static enum as_code order_sites(struct climb *s, uint32_t row)
{
	uint32_t first = s->start[row];

	if (s->in_order[row])
		return AS_OK;
	if (!as_sort_rows(s->al, s->order + first, s->start[row + 1] - first, site_cmp, s))
		return AS_E_NOMEM;
	note_callers(s, row);
	s->in_order[row] = 1;
	return AS_OK;
}

static const struct site *site_at(const struct climb *s, uint32_t i)
{
	return &s->site[s->order[i]];
}

/* The most expensive call of ROW by one that is not on the chain; UINT32_MAX: there is none. */
static enum as_code first_caller(struct climb *s, uint32_t row, uint32_t *at)
{
	uint32_t i = s->start[row], end = s->start[row + 1];

	if (i < end && s->on_chain[s->caller[i]])
		AS_TRY(order_sites(s, row));
	while (i < end && s->on_chain[s->caller[i]])
		i++;
	*at = i < end ? i : UINT32_MAX;
	return AS_OK;
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

/* ROW below NODE. */
static enum as_code push_row(struct climb *s, uint32_t *node, uint32_t row)
{
	uint32_t key;

	AS_TRY(key_of(s, row, &key));
	return as_calltree_node(s->ct, &s->nodes, *node, key, node);
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

/* Of all that comes to ROW, whose first caller is FIRST, the least that has a share for another
 * one, which is large enough. */
static as_val splits_from(struct climb *s, uint32_t row, uint32_t first)
{
	as_val least = s->total / SHARES > 1 ? s->total / SHARES : 1, second = 0;
	as_val sum = s->all[(size_t)row * s->e + s->main];

	for (uint32_t i = s->start[row]; i < s->start[row + 1]; i++) {
		as_val w = site_at(s, i)->weight;

		if (s->on_chain[s->caller[i]])
			sum -= w;
		else if (i != first && w > second)
			second = w;
	}
	if (!second)
		return NEVER;
	/* The other way round of as_part_of(), where it is exact. */
	return sum >> 62 || least >> 62 ? 1 : (least * sum + second - 1) / second;
}

/* Climb from ROW to the first callers as long as they are in one cycle with it. A chain that has
 * left a cycle does not come back, so all above is the usual chain of the caller outside, *NEXT,
 * if there is one. SPLIT is the least that is shared out on the way; NULL: not asked for. */
static enum as_code climb_cycle(
	struct climb *s, uint32_t row, const struct site **next, as_val *split)
{
	uint32_t r = row, at, cycle = s->t->key[row].cycle;

	*next = NULL;
	s->base = s->chain.n;
	AS_TRY(enter(s, row));
	for (;;) {
		const struct site *site;
		as_val least;

		AS_TRY(first_caller(s, r, &at));
		if (at == UINT32_MAX)
			return AS_OK;
		site = site_at(s, at);
		least = split ? splits_from(s, r, at) : 0;
		if (split && least < *split)
			*split = least;
		r = site->caller;
		if (!cycle || s->t->key[r].cycle != cycle) {
			*next = site;
			return AS_OK;
		}
		AS_TRY(enter(s, r));
	}
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
	for (size_t i = s->chain.n; i-- > s->base + 1;)
		AS_TRY(push_row(s, &node, s->chain.p[i].row));
	s->usual[row] = node + 1;
	return AS_OK;
}

static void leave_all(struct climb *s)
{
	while (s->chain.n > s->base)
		leave(s);
}

/* The chain above ROW when it is always the most expensive caller that counts. None of its cycle
 * is on the chain. */
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
		AS_TRY(climb_cycle(s, r, &next, NULL));
		AS_TRY(join_usual(s, r, next));
		leave_all(s);
	}
	*node = s->usual[row] - 1;
	return AS_OK;
}

/* The least cost that would be shared out on the usual chain of ROW. It makes no node: which come
 * first is told by the costs that get there. */
static enum as_code least_split(struct climb *s, uint32_t row, as_val *split)
{
	if (!s->split[row] && !as_vec_push(s->al, &s->unknown, row))
		return AS_E_NOMEM;
	while (s->unknown.n) {
		uint32_t r = s->unknown.p[s->unknown.n - 1];
		const struct site *next;
		as_val least = NEVER;

		if (s->split[r]) {
			s->unknown.n--;
			continue;
		}
		AS_TRY(climb_cycle(s, r, &next, &least));
		leave_all(s);
		if (next && !s->split[next->caller]) {
			if (!as_vec_push(s->al, &s->unknown, next->caller))
				return AS_E_NOMEM;
			continue;
		}
		s->split[r] =
			next && s->split[next->caller] < least ? s->split[next->caller] : least;
	}
	*split = s->split[row];
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
	AS_TRY(order_sites(s, row));
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

/* COST comes to ROW, above the chain: whether it goes up to the root as one, and so is added at
 * once. On chains of its own cycle ROW has another usual chain, or none. */
static enum as_code join(struct climb *s, uint32_t row, const as_val *cost, bool *joins)
{
	uint32_t cycle = s->t->key[row].cycle, node;
	as_val main = cost[s->main] < 0 ? -cost[s->main] : cost[s->main], split;

	*joins = false;
	if (cycle && s->chain.n && s->t->key[s->chain.p[s->chain.n - 1].row].cycle == cycle)
		return AS_OK;
	AS_TRY(least_split(s, row, &split));
	if (main >= split)
		return AS_OK;
	*joins = true;
	AS_TRY(usual_chain(s, row, &node));
	AS_TRY(push_row(s, &node, row));
	for (size_t i = s->chain.n; i-- > 0;)
		AS_TRY(push_row(s, &node, s->chain.p[i].row));
	add_cost(s, node, cost);
	return AS_OK;
}

/* The cost NOW has reached the last frame of the chain. */
static enum as_code climb_on(struct climb *s)
{
	uint32_t row = s->chain.p[s->chain.n - 1].row, first, node = 0;

	AS_TRY(first_caller(s, row, &first));
	if (first != UINT32_MAX)
		return share_out(s, row, first);
	for (size_t i = s->chain.n; i-- > 0;)
		AS_TRY(push_row(s, &node, s->chain.p[i].row));
	add_cost(s, node, s->now);
	return AS_OK;
}

static enum as_code climb(struct climb *s, uint32_t row)
{
	bool joins;

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
		AS_TRY(join(s, row, s->now, &joins));
		if (joins)
			continue;
		AS_TRY(enter(s, row));
		AS_TRY(climb_on(s));
	}
	return AS_OK;
}

static enum as_code add_self(struct climb *s, uint32_t row)
{
	const as_val *self = s->t->self + (size_t)row * s->e;
	bool joins;

	AS_TRY(join(s, row, self, &joins));
	if (joins)
		return AS_OK;
	memcpy(s->now, self, s->e * sizeof(*self));
	return climb(s, row);
}

/* ---- all of it ---- */

static enum as_code make_room(struct climb *s)
{
	s->calls = s->t->first[s->n];
	s->vals = ((size_t)s->n + 4) * s->e + s->n;
	s->words = 2 * (size_t)s->n + 1 + 2 * s->calls;
	s->all = as_alloc_new(s->al, s->vals * sizeof(*s->all));
	s->start = as_alloc_new(s->al, s->words * sizeof(*s->start));
	s->site = as_alloc_new(s->al, s->calls * sizeof(*s->site) + 1);
	s->on_chain = as_alloc_new(s->al, 2 * s->t->n + 1);
	if (!s->all || !s->start || !s->site || !s->on_chain)
		return AS_E_NOMEM;
	s->in_order = s->on_chain + s->t->n;
	s->now = s->all + (size_t)s->n * s->e;
	s->whole = s->now + s->e;
	s->sum = s->whole + s->e;
	s->share = s->sum + s->e;
	s->split = s->share + s->e;
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
	as_alloc_free(al, s->on_chain, s->on_chain ? 2 * s->t->n + 1 : 0);
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
	for (uint32_t r = 0; r < s->n; r++)
		find_first(s, r);
	AS_TRY(as_calltree_node(s->ct, &s->nodes, 0, 0, &root));
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
