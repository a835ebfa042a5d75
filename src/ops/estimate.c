/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upwards from calls to paths: an estimate. Call rows say how much passes from one function to
 * the next, not by which route it came there; so the self cost of a place is handed up to the
 * callers of its function in proportion to what their calls cost, and on to theirs, until a
 * function is reached that nobody calls, or nobody who is not on the chain already.
 *
 * A share below a hundred thousandth of the total is not worth a chain of its own: the most
 * expensive caller gets it. So there are hardly more chains than that number and the places.
 */
#include "ops/transform.h"

#include "base/sort.h"
#include "ops/change.h"
#include "ops/func_order.h"
#include "ops/graph.h"
#include "ops/part_of.h"
#include "ops/tally.h"

enum { SHARES = 100000 };

/* A call site. Functions are the source's, places the result's. */
struct site {
	as_place place;
	as_func caller;
};

/* A frame of the chain that is being built, or a caller that waits to become one. */
struct frame {
	as_func func;
	as_place place;
	size_t waiting; /* of a frame of the chain: how many callers wait below its own */
};

struct climb {
	struct as_change c;
	uint32_t e, part;
	uint32_t main;            /* the event that decides */
	AS_VEC(struct site) site; /* by callee, the most expensive first */
	AS_VEC(as_func) callee;   /* of each site, until they are in that order */
	AS_VEC(uint32_t) order;   /* likewise: sites, as they shall stand */
	AS_VEC(uint32_t) twice;   /* likewise: sites that have become one with another */
	struct as_tally weight;   /* of each site, e values */
	size_t *start;            /* of each function: those that call it in SITE; funcs + 1 */
	as_val *all;              /* weight of all calls of each function, e values */
	uint8_t *on_chain;        /* of each function */
	uint32_t *usual;          /* of each function: node + 1 of the chain of the first callers */
	size_t size;              /* of these, which are one block */
	uint32_t *cycle;          /* of each function: the cycle that it is in; 0 = in none */
	AS_VEC(as_func) unknown; /* whose usual chains are to be found, each before the one below */
	AS_VEC(struct frame) chain; /* from the leaf up */
	AS_VEC(struct frame) wait;
	AS_VEC(as_val) cost; /* of those that wait, e values each */
	as_val *now;         /* what has reached the last frame of the chain */
	as_val *whole;       /* the same before a part of it was handed on */
	as_val *sum, *share; /* scratch; all four e values in one block */
};

static enum as_code no_memory(const struct climb *s)
{
	return as_remap_no_memory(&s->c.r);
}

/* ---- who calls whom ---- */

/* A call row, whose values are in C's scratch, out of CALLER at FROM. */
static enum as_code add_site(struct climb *s, as_func caller, const struct as_pos *from)
{
	const as_val *v = s->c.r.in;
	struct site site = {.caller = caller};
	size_t at = s->weight.low.n;
	struct as_pos to;

	AS_TRY(as_remap_pos(&s->c.r, from, &to));
	AS_TRY(as_build_place(&s->c.b, &to, &site.place));
	if (s->site.n >= UINT32_MAX - 2 || !as_vec_push(s->c.al, &s->site, site) ||
		!as_vec_push(s->c.al, &s->callee, (as_func){(uint32_t)v[AS_CALL_FUNC]}) ||
		!as_tally_room(&s->weight, s->c.al, s->e))
		return no_memory(s);
	for (uint32_t k = 0; k < s->e; k++)
		if (v[AS_CALL_COST + k] > 0 &&
			!as_tally_add(&s->weight, s->c.al, at + k, v[AS_CALL_COST + k]))
			return no_memory(s);
	return AS_OK;
}

static enum as_code load_sites(struct climb *s)
{
	const struct as_rows *rows = &s->c.src->call;
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		as_rows_begin(&cur, rows, run, s->c.r.in);
		while (as_rows_next(&cur)) {
			struct as_pos from = {run->func, run->file, cur.line, cur.addr, false};

			AS_TRY(add_site(s, run->func, &from));
		}
	}
	return AS_OK;
}

static as_val weight(const struct climb *s, size_t site, uint32_t k)
{
	return as_tally_at(&s->weight, site * s->e + k);
}

/* Of one callee: those of one place side by side. */
static int place_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct climb *s = ctx;
	const struct site *x = &s->site.p[a], *y = &s->site.p[b];

	if (x->caller.i != y->caller.i)
		return x->caller.i < y->caller.i ? -1 : 1;
	return x->place.i == y->place.i ? 0 : x->place.i < y->place.i ? -1 : 1;
}

/* Where they are, whatever the order in which they were found. */
static int site_order(const struct climb *s, const struct site *x, const struct site *y)
{
	const struct as_profile *to = s->c.b.prof;
	struct as_pos p = as_place_pos(to, x->place), q = as_place_pos(to, y->place);
	int cmp = as_func_order(s->c.src, x->caller, y->caller);

	if (!cmp && p.file.i != q.file.i)
		cmp = as_slice_cmp(as_file_path(to, p.file), as_file_path(to, q.file));
	if (!cmp && p.line != q.line)
		cmp = p.line < q.line ? -1 : 1;
	return cmp ? cmp : p.addr < q.addr ? -1 : p.addr > q.addr;
}

/* Of one callee: the most expensive first by the main event; so the chains are the same whether
 * there are other events or not. */
static int site_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct climb *s = ctx;
	int cmp;

	if (s->e && weight(s, a, s->main) != weight(s, b, s->main))
		return weight(s, a, s->main) > weight(s, b, s->main) ? -1 : 1;
	cmp = site_order(s, &s->site.p[a], &s->site.p[b]);
	return cmp ? cmp : a < b ? -1 : a > b;
}

/* The sites of each callee together in ORDER, as they were found. */
static void group_sites(struct climb *s)
{
	size_t funcs = s->c.src->func.name.n, n = s->site.n;

	for (size_t i = 0; i < n; i++) {
		uint32_t callee = s->callee.p[i].i;

		s->start[callee + 1]++;
		for (uint32_t k = 0; k < s->e; k++)
			s->all[(size_t)callee * s->e + k] += weight(s, i, k);
	}
	for (size_t f = 0; f < funcs; f++)
		s->start[f + 1] += s->start[f];
	for (size_t i = n; i-- > 0;) /* each end becomes the start */
		s->order.p[--s->start[s->callee.p[i].i + 1]] = (uint32_t)i;
	memmove(s->start, s->start + 1, funcs * sizeof(*s->start));
	s->start[funcs] = n;
}

/* Of the sites of a callee, the N of ORDER, those of one place become the first of them, the others
 * go to TWICE; what is left stands by its cost. */
static enum as_code order_callee(struct climb *s, uint32_t *order, size_t *n)
{
	size_t out = 0;

	if (!as_sort_rows(s->c.al, order, *n, place_cmp, s))
		return no_memory(s);
	for (size_t i = 0; i < *n; i++) {
		uint32_t site = order[i];

		if (!out || place_cmp(s, order[out - 1], site)) {
			order[out++] = site;
			continue;
		}
		for (uint32_t k = 0; k < s->e; k++)
			if (!as_tally_add(&s->weight, s->c.al, (size_t)order[out - 1] * s->e + k,
				    weight(s, site, k)))
				return no_memory(s);
		if (!as_vec_push(s->c.al, &s->twice, site))
			return no_memory(s);
	}
	*n = out;
	return as_sort_rows(s->c.al, order, out, site_cmp, s) ? AS_OK : no_memory(s);
}

/* Site i becomes site order[i]: round each circle of those that change places. */
static void move_sites(struct climb *s)
{
	uint32_t *order = s->order.p;

	for (uint32_t i = 0; i < s->order.n; i++) {
		uint32_t to = i;

		while (order[to] != i) {
			uint32_t from = order[to];
			struct site site = s->site.p[to];

			s->site.p[to] = s->site.p[from];
			s->site.p[from] = site;
			for (uint32_t k = 0; k < s->e; k++)
				as_tally_swap(
					&s->weight, (size_t)to * s->e + k, (size_t)from * s->e + k);
			order[to] = to;
			to = from;
		}
		order[to] = to;
	}
}

static enum as_code order_sites(struct climb *s)
{
	size_t funcs = s->c.src->func.name.n, out = 0;

	if (!as_vec_fit(s->c.al, &s->order, s->site.n + 1))
		return no_memory(s);
	s->order.n = s->site.n;
	group_sites(s);
	for (size_t f = 0; f < funcs; f++) {
		size_t n = s->start[f + 1] - s->start[f];

		AS_TRY(order_callee(s, s->order.p + s->start[f], &n));
		memmove(s->order.p + out, s->order.p + s->start[f], n * sizeof(*s->order.p));
		s->start[f] = out;
		out += n;
	}
	s->start[funcs] = out;
	if (s->twice.n)
		memcpy(s->order.p + out, s->twice.p, s->twice.n * sizeof(*s->order.p));
	move_sites(s);
	as_vec_free(s->c.al, &s->order);
	as_vec_free(s->c.al, &s->callee);
	as_vec_free(s->c.al, &s->twice);
	return AS_OK;
}

static enum as_code find_cycles(struct climb *s)
{
	uint32_t funcs = (uint32_t)s->c.src->func.name.n, n;
	struct as_pairs pairs = {0};
	struct as_graph g = {0};
	enum as_code rc = AS_OK;

	s->cycle = as_alloc_new(s->c.al, funcs * sizeof(*s->cycle));
	for (size_t i = 0; s->cycle && rc == AS_OK && i < s->site.n; i++)
		if (!as_pairs_add(s->c.al, &pairs, s->site.p[i].caller.i, s->callee.p[i].i))
			rc = AS_E_NOMEM;
	if (s->cycle && rc == AS_OK)
		rc = as_graph_build_loose(&g, s->c.al, &pairs, funcs, true);
	if (s->cycle && rc == AS_OK)
		rc = as_graph_cycles(&g, s->c.al, s->cycle, &n);
	as_pairs_release(&pairs, s->c.al);
	as_graph_release(&g, s->c.al);
	return s->cycle && rc == AS_OK ? AS_OK : no_memory(s);
}

/* The most expensive call of FUNC by a function that is not on the chain. */
static bool first_caller(const struct climb *s, as_func func, size_t *at)
{
	for (*at = s->start[func.i]; *at < s->start[func.i + 1]; (*at)++)
		if (!s->on_chain[s->site.p[*at].caller.i])
			return true;
	return false;
}

/* ---- chains ---- */

static enum as_code enter(struct climb *s, as_func func, as_place place)
{
	struct frame f = {.func = func, .place = place, .waiting = s->wait.n};

	s->on_chain[func.i] = 1;
	return as_vec_push(s->c.al, &s->chain, f) ? AS_OK : no_memory(s);
}

static void leave(struct climb *s)
{
	s->on_chain[s->chain.p[--s->chain.n].func.i] = 0;
}

/* The node of the chain from its top down. */
static enum as_code push_chain(struct climb *s, as_node *node)
{
	node->i = 0;
	for (size_t i = s->chain.n; i-- > 0;)
		AS_TRY(as_build_push(&s->c.b, *node, s->chain.p[i].place, node));
	return AS_OK;
}

static enum as_code add_sample(struct climb *s, as_node node, const as_val *cost)
{
	as_remap_cost(&s->c.r, cost, s->e, s->c.r.out);
	return as_build_sample(&s->c.b, s->part, node, s->c.r.out);
}

/*
 * Climb from FUNC to the first callers as long as they are in one cycle with it. A chain that has
 * left a cycle does not come back, so all above is the usual chain of the caller outside, *NEXT,
 * if there is one. The chain of most functions is one frame longer than their first caller's.
 */
static enum as_code climb_cycle(struct climb *s, as_func func, const struct site **next)
{
	as_func f = func;
	size_t at;

	*next = NULL;
	AS_TRY(enter(s, func, (as_place){0}));
	while (first_caller(s, f, &at)) {
		const struct site *site = &s->site.p[at];

		f = site->caller;
		if (!s->cycle[f.i] || s->cycle[f.i] != s->cycle[func.i]) {
			*next = site;
			return AS_OK;
		}
		AS_TRY(enter(s, f, site->place));
	}
	return AS_OK;
}

/* The usual chain of FUNC, unless that of NEXT must be found first. */
static enum as_code join_usual(struct climb *s, as_func func, const struct site *next)
{
	as_node node = {0};

	if (next && !s->usual[next->caller.i])
		return as_vec_push(s->c.al, &s->unknown, next->caller) ? AS_OK : no_memory(s);
	if (next) {
		node.i = s->usual[next->caller.i] - 1;
		AS_TRY(as_build_push(&s->c.b, node, next->place, &node));
	}
	for (size_t i = s->chain.n; i-- > 1;)
		AS_TRY(as_build_push(&s->c.b, node, s->chain.p[i].place, &node));
	s->usual[func.i] = node.i + 1;
	return AS_OK;
}

/* The chain above FUNC when it is always the most expensive caller that counts. */
static enum as_code usual_chain(struct climb *s, as_func func, as_node *node)
{
	const struct site *next;
	enum as_code rc = AS_OK;

	if (!s->usual[func.i] && !as_vec_push(s->c.al, &s->unknown, func))
		return no_memory(s);
	while (rc == AS_OK && s->unknown.n) {
		as_func f = s->unknown.p[s->unknown.n - 1];

		if (s->usual[f.i]) {
			s->unknown.n--;
			continue;
		}
		rc = climb_cycle(s, f, &next);
		if (rc == AS_OK)
			rc = join_usual(s, f, next);
		while (s->chain.n)
			leave(s);
	}
	node->i = s->usual[func.i] - 1;
	return rc;
}

/* COST is worth a chain of its own. Events are handed up together, so one decides for all. */
static bool is_large(const struct climb *s, as_val cost)
{
	as_val total = s->e ? s->c.src->total[s->main] : 0;

	cost = cost < 0 ? -cost : cost;
	total = total < 0 ? -total : total;
	return cost > 0 && cost >= total / SHARES;
}

static enum as_code wait(struct climb *s, const struct site *site, const as_val *cost)
{
	struct frame f = {.func = site->caller, .place = site->place};

	if (!as_vec_push(s->c.al, &s->wait, f) ||
		!as_vec_reserve(s->c.al, &s->cost, s->cost.n + s->e + 1))
		return no_memory(s);
	memcpy(s->cost.p + s->cost.n, cost, s->e * sizeof(*cost));
	s->cost.n += s->e;
	return AS_OK;
}

/* What the calls of FUNC cost that come into question. */
static void sum_weights(struct climb *s, as_func func)
{
	memcpy(s->sum, s->all + (size_t)func.i * s->e, s->e * sizeof(*s->sum));
	for (size_t i = s->start[func.i]; i < s->start[func.i + 1]; i++)
		for (uint32_t k = 0; s->on_chain[s->site.p[i].caller.i] && k < s->e; k++)
			s->sum[k] -= weight(s, i, k);
}

/* Share NOW, which has reached FUNC, among its callers; the first one, FIRST, gets what is left
 * over by rounding and by shares that are too small. */
static enum as_code share_out(struct climb *s, as_func func, size_t first)
{
	uint32_t main = s->main;

	if (!s->e || !is_large(s, s->whole[main]))
		return wait(s, &s->site.p[first], s->now);
	sum_weights(s, func);
	for (size_t i = first + 1; i < s->start[func.i + 1]; i++) {
		const struct site *site = &s->site.p[i];

		if (s->on_chain[site->caller.i])
			continue;
		s->share[main] = as_part_of(s->whole[main], weight(s, i, main), s->sum[main]);
		if (!is_large(s, s->share[main]))
			break; /* they only get smaller */
		for (uint32_t k = 0; k < s->e; k++) {
			s->share[k] = as_part_of(s->whole[k], weight(s, i, k), s->sum[k]);
			s->now[k] -= s->share[k];
		}
		AS_TRY(wait(s, site, s->share));
	}
	return wait(s, &s->site.p[first], s->now);
}

/* The cost NOW has reached the last frame of the chain. */
static enum as_code climb_on(struct climb *s)
{
	as_func func = s->chain.p[s->chain.n - 1].func;
	as_node node;
	size_t first;

	if (first_caller(s, func, &first)) {
		memcpy(s->whole, s->now, s->e * sizeof(*s->now));
		return share_out(s, func, first);
	}
	AS_TRY(push_chain(s, &node));
	return add_sample(s, node, s->now);
}

static enum as_code climb(struct climb *s, as_func func, as_place place)
{
	AS_TRY(enter(s, func, place));
	AS_TRY(climb_on(s));
	while (s->chain.n) {
		struct frame f;

		if (s->wait.n == s->chain.p[s->chain.n - 1].waiting) {
			leave(s);
			continue;
		}
		f = s->wait.p[--s->wait.n];
		s->cost.n -= s->e;
		memcpy(s->now, s->cost.p + s->cost.n, s->e * sizeof(*s->now));
		AS_TRY(enter(s, f.func, f.place));
		AS_TRY(climb_on(s));
	}
	return AS_OK;
}

/* A self row: its cost is in NOW. */
static enum as_code add_self(struct climb *s, as_func func, as_place place)
{
	as_node node;

	if (s->e && is_large(s, s->now[s->main]))
		return climb(s, func, place);
	AS_TRY(usual_chain(s, func, &node));
	AS_TRY(as_build_push(&s->c.b, node, place, &node));
	return add_sample(s, node, s->now);
}

static enum as_code add_all_self(struct climb *s)
{
	const struct as_rows *rows = &s->c.src->self;
	struct as_rows_cur cur;
	as_place place;

	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		s->part = s->c.r.part[run->part];
		as_rows_begin(&cur, rows, run, s->c.r.in);
		while (as_rows_next(&cur)) {
			struct as_pos from = {run->func, run->file, cur.line, cur.addr, false}, to;

			AS_TRY(as_remap_pos(&s->c.r, &from, &to));
			AS_TRY(as_build_place(&s->c.b, &to, &place));
			memcpy(s->now, s->c.r.in, s->e * sizeof(*s->now));
			AS_TRY(add_self(s, run->func, place));
		}
	}
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code make_scratch(struct climb *s)
{
	size_t funcs = s->c.src->func.name.n;
	size_t each = s->e * sizeof(as_val) + sizeof(*s->start) + sizeof(*s->usual) + 1;

	if (funcs > SIZE_MAX / 2 / each)
		return no_memory(s);
	s->size = (funcs + 4) * s->e * sizeof(as_val) + (funcs + 1) * sizeof(*s->start) +
		  funcs * (sizeof(*s->usual) + 1);
	s->all = as_alloc_new(s->c.al, s->size);
	if (!s->all)
		return no_memory(s);
	s->now = s->all + funcs * s->e;
	s->whole = s->now + s->e;
	s->sum = s->whole + s->e;
	s->share = s->sum + s->e;
	s->start = (size_t *)(s->share + s->e);
	s->usual = (uint32_t *)(s->start + funcs + 1);
	s->on_chain = (uint8_t *)(s->usual + funcs);
	return AS_OK;
}

static void release(struct climb *s)
{
	const struct as_alloc *al = s->c.al;

	as_alloc_free(al, s->all, s->size);
	as_alloc_free(al, s->cycle, s->c.src->func.name.n * sizeof(*s->cycle));
	as_vec_free(al, &s->unknown);
	as_vec_free(al, &s->site);
	as_vec_free(al, &s->callee);
	as_vec_free(al, &s->order);
	as_vec_free(al, &s->twice);
	as_tally_release(&s->weight, al);
	as_vec_free(al, &s->chain);
	as_vec_free(al, &s->wait);
	as_vec_free(al, &s->cost);
}

static enum as_code estimate(struct climb *s)
{
	AS_TRY(make_scratch(s));
	AS_TRY(as_change_samples(&s->c));
	AS_TRY(load_sites(s));
	AS_TRY(find_cycles(s));
	AS_TRY(order_sites(s));
	s->c.b.prof->estimated |= s->c.src->call.n != 0;
	return add_all_self(s);
}

enum as_code as_estimate_paths(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	uint32_t main = 0;

	while (main + 1 < as_n_events(prof) && !prof->total[main])
		main++;
	return as_estimate_paths_by(prof, main, out, l, err);
}

enum as_code as_estimate_paths_by(const struct as_profile *prof, uint32_t event,
	struct as_profile **out, struct as_losses *l, struct as_err *err)
{
	struct climb s = {.e = as_n_events(prof), .main = event};
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_change_begin(&s.c, prof, err));
	rc = estimate(&s);
	release(&s);
	AS_TRY(as_change_end(&s.c, rc, out));
	as_lose(l, AS_CAPBIT_CALLS, prof->call.n);
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	return AS_OK;
}
