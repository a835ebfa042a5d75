/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two walks. From callees to callers: what passes on each call, which is its cost, unless calls
 * claim more than what they call costs; and what begins in each function. Then from callers to
 * callees: what comes into a function, by one route or several, is paired with what goes out, so
 * that each route goes on with the share of it that it has. Sums of rows and of columns stay what
 * they are: shares that are too small to be told apart, and what is left by rounding, are dealt out
 * from one side to the other in turn.
 */
#include "change/kit/routes.h"

#include "base/pool.h"
#include "base/sort.h"

/* So many places of a function for each output and round, and no more rounds than that: the place
 * that a round ends at is divided. */
enum { PLACES = 8, ROUNDS = 64 };
/* A share below that part of the total is not told apart. */
enum { SHARES = 50000 };

/* A function on a route. */
struct place {
	uint32_t node; /* the caller's */
	uint32_t next; /* of the same function, or of those that are free; 0 = none */
	as_val cost;
};

struct router {
	struct as_routes *r;
	const struct as_alloc *al;
	uint32_t *from;          /* of each output: whose it is */
	uint32_t *in_first, *in; /* of each function: outputs that lead there; n + 1 */
	uint32_t *unit, *mate;   /* of each function: the first of its circle; the next of it, 0 */
	uint32_t *waits, *order; /* of each function: what comes before it; all in order */
	uint32_t *place_of;      /* scratch of as_routes_unwind() */
	uint32_t *head, *tail;   /* of each function: its places, in PLACE */
	uint32_t n_order, free;
	as_val *begin;              /* of each function: what nobody called */
	as_val own;                 /* what all functions cost themselves */
	AS_VEC(struct place) place; /* the first is none */
	AS_VEC(uint32_t) row;       /* places of a function */
	AS_VEC(uint32_t) out;       /* its outputs that have a cost, the largest first */
	AS_VEC(uint32_t) few;       /* members, or inputs */
	AS_VEC(uint32_t) taken;     /* of each row: how many shares of SHARE are its */
	AS_VEC(as_val) share;       /* of each row those that are large, of the first outputs */
	AS_VEC(as_val) left;        /* of each output: what the large shares leave */
	AS_VEC(as_val) now;         /* of each output: the share of one row */
	AS_VEC(as_val) sum;
};

/* ---- who is one with whom, and who calls whom ---- */

static bool routes_make_room(struct router *w)
{
	const struct as_alloc *al = w->al;
	size_t n = w->r->n, outs = w->r->first[n];

	return as_vec_push(al, &w->place, ((struct place){0})) &&
	       as_alloc_array(al, &w->from, outs) && as_alloc_array(al, &w->in, outs) &&
	       as_alloc_array(al, &w->in_first, n + 2) && as_alloc_array(al, &w->unit, n) &&
	       as_alloc_array(al, &w->mate, n) && as_alloc_array(al, &w->waits, n) &&
	       as_alloc_array(al, &w->order, n) && as_alloc_array(al, &w->place_of, n) &&
	       as_alloc_array(al, &w->head, n) && as_alloc_array(al, &w->tail, n) &&
	       as_alloc_array(al, &w->begin, n);
}

static bool is_call(const struct router *w, uint32_t out)
{
	return w->r->to[out] != AS_ROUTE_SELF;
}

static void link_inputs(struct router *w)
{
	const struct as_routes *r = w->r;

	for (uint32_t f = 0; f < r->n; f++)
		for (uint32_t i = r->first[f]; i < r->first[f + 1]; i++) {
			w->from[i] = f;
			if (!is_call(w, i)) {
				w->own += r->cost[i];
				continue;
			}
			if (r->cost[i] < 0 || r->to[i] == f)
				r->cost[i] = 0;
			w->in_first[r->to[i] + 2]++;
		}
	for (uint32_t f = 0; f < r->n; f++)
		w->in_first[f + 1] += w->in_first[f];
	for (uint32_t i = 0; i < r->first[r->n]; i++)
		if (is_call(w, i))
			w->in[w->in_first[r->to[i] + 1]++] = i;
}

/* ORDER is lent: of each circle the first member + 1. */
static void link_circles(struct router *w)
{
	for (uint32_t f = w->r->n; f-- > 0;) {
		uint32_t c = w->r->cycle[f];

		w->unit[f] = f;
		if (!c)
			continue;
		w->mate[f] = w->order[c - 1];
		w->order[c - 1] = f + 1;
	}
	for (uint32_t f = 0; f < w->r->n; f++)
		if (w->r->cycle[f])
			w->unit[f] = w->order[w->r->cycle[f] - 1] - 1;
}

/* Functions, those of a circle as its first one: callers before callees. */
static void put_in_order(struct router *w)
{
	const struct as_routes *r = w->r;
	uint32_t units = 0;

	for (uint32_t i = 0; i < r->first[r->n]; i++)
		if (is_call(w, i) && w->unit[r->to[i]] != w->unit[w->from[i]])
			w->waits[w->unit[r->to[i]]]++;
	w->n_order = 0;
	for (uint32_t f = 0; f < r->n; f++) {
		units += w->unit[f] == f;
		if (w->unit[f] == f && !w->waits[f])
			w->order[w->n_order++] = f;
	}
	for (uint32_t k = 0; k < w->n_order; k++)
		for (uint32_t f = w->order[k] + 1; f; f = w->mate[f - 1])
			for (uint32_t i = r->first[f - 1]; i < r->first[f]; i++) {
				uint32_t to = is_call(w, i) ? w->unit[r->to[i]] : w->order[k];

				if (to != w->order[k] && --w->waits[to] == 0)
					w->order[w->n_order++] = to;
			}
	as_assert(w->n_order == units); /* nobody is left waiting in a circle */
}

/* ---- what passes ---- */

/* COST * W / SUM towards zero, without leaving 128 bits. */
static as_val routes_share_of(as_val cost, as_val w, as_val sum)
{
	as_val c = cost < 0 ? -cost : cost, share;

	while (sum >> 62) {
		sum >>= 1;
		w >>= 1;
	}
	if (sum <= 0)
		return 0;
	if (w >= 0 && !((c | w) >> 63)) { /* nearly always: one division will do */
		as_uval all = (as_uval)c * (as_uval)w, by = (as_uval)sum;

		share = (as_val)(all >> 64 ? all / by : (uint64_t)all / (uint64_t)by);
	} else {
		share = c / sum * w + c % sum * w / sum;
	}
	return cost < 0 ? -share : share;
}

int as_route_by_cost(const struct as_routes *r, const uint32_t *from, uint32_t a, uint32_t b)
{
	uint32_t x = r->to[a], y = r->to[b];
	int cmp;

	if (r->cost[a] != r->cost[b])
		return r->cost[a] > r->cost[b] ? -1 : 1;
	if (from[a] != from[b]) {
		cmp = r->func_cmp(r->ctx, from[a], from[b]);
		return cmp ? cmp : as_cmp_u64(from[a], from[b]);
	}
	if (x == AS_ROUTE_SELF || y == AS_ROUTE_SELF)
		cmp = (y == AS_ROUTE_SELF) - (x == AS_ROUTE_SELF);
	else
		cmp = r->func_cmp(r->ctx, x, y);
	return cmp ? cmp : r->out_cmp(r->ctx, a, b);
}

static int routes_by_cost(const void *ctx, uint32_t a, uint32_t b)
{
	const struct router *w = ctx;

	return as_route_by_cost(w->r, w->from, a, b);
}

/* The calls of FEW share COST, which is less than they claim, SUM. */
static bool share_claims(struct router *w, as_val cost, as_val sum)
{
	as_val left = cost;

	if (!as_sort_rows(w->al, w->few.p, w->few.n, routes_by_cost, w))
		return false;
	for (size_t i = 0; i < w->few.n; i++) {
		as_val *v = &w->r->cost[w->few.p[i]];

		*v = routes_share_of(cost, *v, sum);
		left -= *v;
	}
	w->r->cost[w->few.p[0]] += left;
	return true;
}

/* What comes from outside into UNIT, which costs ALL, is settled; and, in *BEGIN, what nobody
 * called. */
static bool settle_inputs(struct router *w, uint32_t unit, as_val all, as_val *begin)
{
	as_val in = 0;

	w->few.n = 0;
	for (uint32_t f = unit + 1; f; f = w->mate[f - 1])
		for (uint32_t i = w->in_first[f - 1]; i < w->in_first[f]; i++) {
			if (w->unit[w->from[w->in[i]]] == unit || !w->r->cost[w->in[i]])
				continue;
			in += w->r->cost[w->in[i]];
			if (!as_vec_push(w->al, &w->few, w->in[i]))
				return false;
		}
	*begin = in && in > all ? 0 : all - in;
	return !in || in <= all || share_claims(w, all, in);
}

/* Of the function F: what it keeps or hands on out of its circle, and what comes from there. */
static void sum_around(const struct router *w, uint32_t f, as_val *need, as_val *supply)
{
	const struct as_routes *r = w->r;

	*need = *supply = 0;
	for (uint32_t i = r->first[f]; i < r->first[f + 1]; i++)
		if (!is_call(w, i) || w->unit[r->to[i]] != w->unit[f])
			*need += r->cost[i];
	for (uint32_t i = w->in_first[f]; i < w->in_first[f + 1]; i++)
		if (w->unit[w->from[w->in[i]]] != w->unit[f])
			*supply += r->cost[w->in[i]];
}

/* What calls inside of the circle bring to F, less what they take away. */
static as_val goes_round(const struct router *w, uint32_t f)
{
	const struct as_routes *r = w->r;
	as_val sum = 0;

	for (uint32_t i = r->first[f]; i < r->first[f + 1]; i++)
		if (is_call(w, i) && w->unit[r->to[i]] == w->unit[f])
			sum -= r->cost[i];
	for (uint32_t i = w->in_first[f]; i < w->in_first[f + 1]; i++)
		if (w->unit[w->from[w->in[i]]] == w->unit[f])
			sum += r->cost[w->in[i]];
	return sum;
}

/* ALL of a circle that nobody called begins where more goes out than comes in. */
static void begin_in(struct router *w, const uint32_t *member, uint32_t n, const as_val *need,
	const as_val *supply, as_val all)
{
	as_val sum = 0, left = all;
	uint32_t most = member[0];

	for (uint32_t m = 0; m < n; m++) {
		as_val v = need[m] - supply[m] - goes_round(w, member[m]);

		w->begin[member[m]] = v > 0 ? v : 0;
		sum += w->begin[member[m]];
		v = w->begin[member[m]] - w->begin[most];
		if (v > 0 || (!v && w->r->func_cmp(w->r->ctx, member[m], most) < 0))
			most = member[m];
	}
	for (uint32_t m = 0; m < n; m++) {
		as_val *v = &w->begin[member[m]];

		*v = routes_share_of(all, *v, sum);
		left -= *v;
	}
	w->begin[most] += left;
}

static int routes_by_name(const void *ctx, uint32_t a, uint32_t b)
{
	const struct router *w = ctx;
	int cmp = w->r->func_cmp(w->r->ctx, a, b);

	return cmp ? cmp : as_cmp_u64(a, b);
}

static enum as_code settle_circle(struct router *w, uint32_t unit)
{
	const struct as_alloc *al = w->al;
	struct as_route_circle c = {.al = al, .from = w->from, .place = w->place_of};
	as_val all = 0, begin;
	uint32_t n = 0;

	for (uint32_t f = unit + 1; f; f = w->mate[f - 1])
		n++;
	if (!as_vec_reserve(al, &w->sum, 2 * (size_t)n) || !as_vec_reserve(al, &w->row, n))
		return AS_E_NOMEM;
	n = 0;
	for (uint32_t f = unit + 1; f; f = w->mate[f - 1])
		w->row.p[n++] = f - 1;
	for (uint32_t m = 0; m < n; m++) {
		sum_around(w, w->row.p[m], &w->sum.p[m], &w->sum.p[n + m]);
		all += w->sum.p[m];
	}
	AS_TRY(as_memory(settle_inputs(w, unit, all, &begin) &&
			 as_sort_rows(al, w->row.p, n, routes_by_name, w)));
	for (uint32_t m = 0; m < n; m++)
		sum_around(w, w->row.p[m], &w->sum.p[m], &w->sum.p[n + m]);
	if (begin)
		begin_in(w, w->row.p, n, w->sum.p, w->sum.p + n, begin);
	for (uint32_t m = 0; m < n; m++)
		w->sum.p[n + m] += w->begin[w->row.p[m]];
	c.member = w->row.p;
	c.n = n;
	c.need = w->sum.p;
	c.supply = w->sum.p + n;
	return as_routes_unwind(w->r, &c);
}

static enum as_code settle_calls(struct router *w)
{
	for (uint32_t k = w->n_order; k-- > 0;) {
		uint32_t f = w->order[k];
		as_val all, in;

		if (w->r->cycle[f]) {
			AS_TRY(settle_circle(w, f));
			continue;
		}
		sum_around(w, f, &all, &in);
		AS_TRY(as_memory(settle_inputs(w, f, all, &w->begin[f])));
	}
	return AS_OK;
}

/* ---- routes ---- */

/* FUNC is reached at NODE with COST. */
static enum as_code add_place(struct router *w, uint32_t func, uint32_t node, as_val cost)
{
	uint32_t at = w->free;

	if (at)
		w->free = w->place.p[at].next;
	else if (w->place.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	else if (!as_vec_push(w->al, &w->place, ((struct place){0})))
		return AS_E_NOMEM;
	else
		at = (uint32_t)w->place.n - 1;
	w->place.p[at] = (struct place){.node = node, .cost = cost};
	if (w->head[func])
		w->place.p[w->tail[func]].next = at;
	else
		w->head[func] = at;
	w->tail[func] = at;
	return AS_OK;
}

/* COST of what is at NODE goes out by OUT. */
static enum as_code routes_send(struct router *w, uint32_t node, uint32_t out, as_val cost)
{
	struct as_routes *r = w->r;

	if (!cost)
		return AS_OK;
	if (!is_call(w, out))
		return r->self(r->ctx, node, out, cost);
	AS_TRY(r->node(r->ctx, node, out, r->to[out], &node));
	return add_place(w, r->to[out], node, cost);
}

/* The places of F and its outputs; false in *FITS if a cost is negative. */
static enum as_code routes_gather(struct router *w, uint32_t f, bool *fits)
{
	const struct as_routes *r = w->r;

	w->row.n = w->out.n = 0;
	*fits = true;
	for (uint32_t at = w->head[f]; at; at = w->place.p[at].next) {
		*fits &= w->place.p[at].cost >= 0;
		AS_TRY(as_memory(as_vec_push(w->al, &w->row, at)));
	}
	for (uint32_t i = r->first[f]; i < r->first[f + 1]; i++) {
		*fits &= r->cost[i] >= 0;
		if (r->cost[i] && !as_vec_push(w->al, &w->out, i))
			return AS_E_NOMEM;
	}
	return as_sort_rows(w->al, w->out.p, w->out.n, routes_by_cost, w) ? AS_OK : AS_E_NOMEM;
}

/* Sums are kept where some are below 0, too: the first row and the first output have what the
 * others leave. */
static enum as_code send_odd(struct router *w)
{
	as_val first = w->place.p[w->row.p[0]].cost;
	uint32_t node;

	for (size_t c = 1; c < w->out.n; c++) {
		as_val v = w->r->cost[w->out.p[c]];

		first -= v;
		AS_TRY(routes_send(w, w->place.p[w->row.p[0]].node, w->out.p[c], v));
	}
	node = w->place.p[w->row.p[0]].node;
	AS_TRY(routes_send(w, node, w->out.p[0], first));
	for (size_t i = 1; i < w->row.n; i++) {
		const struct place *p = &w->place.p[w->row.p[i]];

		AS_TRY(routes_send(w, p->node, w->out.p[0], p->cost));
	}
	return AS_OK;
}

/* What of each row goes by the first outputs in shares that are large enough; ALL is the sum. */
static bool find_large(struct router *w, as_val all)
{
	w->share.n = w->taken.n = 0;
	for (size_t i = 0; i < w->row.n; i++) {
		as_val cost = w->place.p[w->row.p[i]].cost;
		uint32_t n = 0;

		for (size_t c = 0; c < w->out.n && cost >= w->r->least; c++, n++) {
			as_val v = routes_share_of(cost, w->r->cost[w->out.p[c]], all);

			if (v < w->r->least)
				break;
			if (!as_vec_push(w->al, &w->share, v))
				return false;
			w->left.p[c] -= v;
		}
		if (!as_vec_push(w->al, &w->taken, n))
			return false;
	}
	return true;
}

/* What is left of rows and outputs goes from one to the other as they come. Where there are more
 * rows than outputs, the outputs come round again and again, each with a part of what is left of
 * it: so neighbours, which have a part of their route in common, reach all of them. */
struct deal {
	size_t c;
	as_val here; /* left of output C in this round */
	uint32_t round, rounds;
};

static as_val of_round(const struct router *w, const struct deal *d)
{
	as_val all = w->now.p[w->out.n + d->c], part = all / d->rounds;

	return d->round + 1 < d->rounds ? part : all - part * (d->rounds - 1);
}

static void next_output(const struct router *w, struct deal *d)
{
	while (!d->here) {
		if (++d->c == w->out.n) {
			d->c = 0;
			d->round++;
		}
		d->here = of_round(w, d);
	}
}

static enum as_code send_row(
	struct router *w, uint32_t row, const as_val *share, uint32_t n, struct deal *d)
{
	as_val left = w->place.p[row].cost;
	uint32_t node = w->place.p[row].node;
	size_t lo = w->out.n, hi = 0;

	for (uint32_t c = 0; c < n; c++) {
		w->now.p[c] += share[c];
		left -= share[c];
	}
	while (left) {
		as_val v;

		next_output(w, d);
		v = d->here < left ? d->here : left;
		w->now.p[d->c] += v;
		d->here -= v;
		left -= v;
		lo = d->c < lo ? d->c : lo;
		hi = d->c + 1 > hi ? d->c + 1 : hi;
	}
	lo = n ? 0 : lo;
	hi = n > hi ? n : hi;
	for (size_t c = lo; c < hi; c++) {
		as_val v = w->now.p[c];

		w->now.p[c] = 0;
		AS_TRY(routes_send(w, node, w->out.p[c], v));
	}
	return AS_OK;
}

static enum as_code send_shares(struct router *w)
{
	const struct as_alloc *al = w->al;
	size_t n = w->out.n, at = 0;
	struct deal d = {.rounds = 1};
	as_val all = 0;

	AS_TRY(as_memory(as_vec_reserve(al, &w->left, n) && as_vec_reserve(al, &w->now, 2 * n)));
	for (size_t c = 0; c < n; c++) {
		all += w->left.p[c] = w->r->cost[w->out.p[c]];
		w->now.p[c] = 0;
	}
	AS_TRY(as_memory(find_large(w, all)));
	memcpy(w->now.p + n, w->left.p, n * sizeof(as_val));
	if (w->row.n / n > PLACES)
		d.rounds =
			w->row.n / n / PLACES < ROUNDS ? (uint32_t)(w->row.n / n / PLACES) : ROUNDS;
	d.here = of_round(w, &d);
	for (size_t i = 0; i < w->row.n; i++) {
		AS_TRY(send_row(w, w->row.p[i], w->share.p + at, w->taken.p[i], &d));
		at += w->taken.p[i];
	}
	as_assert(at == w->share.n);
	return AS_OK;
}

/* What comes to F, by whatever routes, goes on. */
static enum as_code go_on(struct router *w, uint32_t f)
{
	uint32_t node;
	bool fits;

	AS_TRY(routes_gather(w, f, &fits));
	if (!w->row.n && w->out.n) { /* what is below 0 makes up for the rest */
		AS_TRY(w->r->node(w->r->ctx, 0, AS_ROUTE_BEGIN, f, &node));
		AS_TRY(add_place(w, f, node, 0));
		AS_TRY(routes_gather(w, f, &fits));
	}
	if (!w->out.n)
		return AS_OK;
	if (!fits)
		AS_TRY(send_odd(w));
	else
		AS_TRY(send_shares(w));
	w->place.p[w->tail[f]].next = w->free;
	w->free = w->head[f];
	w->head[f] = 0;
	return AS_OK;
}

static int by_begin(const void *ctx, uint32_t a, uint32_t b)
{
	const struct router *w = ctx;
	int cmp;

	if (w->begin[a] != w->begin[b])
		return w->begin[a] > w->begin[b] ? -1 : 1;
	cmp = w->r->func_cmp(w->r->ctx, a, b);
	return cmp ? cmp : as_cmp_u64(a, b);
}

/* Functions that nothing passes to come first, the largest before the others; who is next is
 * told by costs and names alone. */
static enum as_code send_all(struct router *w)
{
	struct as_routes *r = w->r;
	uint32_t n = 0;

	memset(w->waits, 0, r->n * sizeof(*w->waits));
	for (uint32_t i = 0; i < r->first[r->n]; i++)
		if (is_call(w, i) && r->cost[i])
			w->waits[r->to[i]]++;
	for (uint32_t f = 0; f < r->n; f++)
		if (!w->waits[f])
			w->order[n++] = f;
	AS_TRY(as_memory(as_sort_rows(w->al, w->order, n, by_begin, w)));
	for (uint32_t k = 0; k < n; k++) {
		uint32_t f = w->order[k], node;

		if (w->begin[f]) {
			AS_TRY(r->node(r->ctx, 0, AS_ROUTE_BEGIN, f, &node));
			AS_TRY(add_place(w, f, node, w->begin[f]));
		}
		AS_TRY(go_on(w, f));
		for (size_t c = 0; c < w->out.n; c++)
			if (is_call(w, w->out.p[c]) && --w->waits[r->to[w->out.p[c]]] == 0)
				w->order[n++] = r->to[w->out.p[c]];
	}
	as_assert(n == r->n); /* what goes round was taken off */
	return AS_OK;
}

/* What begins somewhere is all that there is. */
static bool routes_begin_all(const struct router *w)
{
	as_val sum = 0;

	for (uint32_t f = 0; f < w->r->n; f++)
		sum += w->begin[f];
	return sum == w->own;
}

static enum as_code routes_route(struct router *w)
{
	AS_TRY(as_memory(routes_make_room(w)));
	link_inputs(w);
	link_circles(w);
	put_in_order(w);
	AS_TRY(settle_calls(w));
	as_assert(routes_begin_all(w));
	return send_all(w);
}

bool as_routes_room(struct as_routes *r, uint32_t n, size_t outs)
{
	r->n = n;
	return as_alloc_array(r->al, &r->first, (size_t)n + 1) &&
	       as_alloc_array(r->al, &r->to, outs) && as_alloc_array(r->al, &r->cycle, n) &&
	       as_alloc_array(r->al, &r->cost, outs);
}

enum as_code as_routes_make(struct as_routes *r)
{
	enum as_code rc = AS_OK;

	for (uint32_t k = 0; rc == AS_OK && k < r->n_events; k++) {
		as_val total = r->total[k];
		struct as_pool pool;
		struct router w = {.r = r, .al = &pool.al};

		r->least = (total < 0 ? -total : total) / SHARES + 1;
		rc = r->load(r->ctx, k);
		as_pool_init(&pool, r->al);
		AS_THEN(rc, routes_route(&w));
		as_pool_release(&pool);
	}
	return rc;
}
