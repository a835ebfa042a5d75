/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routes through a circle of functions. The costs of the calls in it are what passes with all that
 * goes round: each time that a function is active again, its cost counts once more in the calls
 * that lead there. What flows along a loop is taken off all calls of the loop, until there is none.
 * What then is left is as much as comes in and goes out, and no call has more than it had.
 *
 * Where calls do not add up, what is too much in one place and too little in another goes there by
 * way of the member through which most passes.
 */
#include "base/sort.h"
#include "change/kit/routes.h"

enum { NEW, ACTIVE, DONE };

struct unwind {
	struct as_routes *r;
	const struct as_route_circle *c;
	uint32_t *place;         /* of each function: its number in MEMBER + 1; the caller's */
	uint32_t *start, *out;   /* of each member: calls inside, the most expensive first */
	uint32_t *in_start, *in; /* of each member: calls of it inside */
	uint32_t *next;      /* of each member: the first of these that may still lead anywhere */
	uint32_t *up, *down; /* of each member: a call towards the hub, one from there; + 1 */
	uint32_t *queue;
	uint32_t *at;    /* of each member that is active: where in PATH */
	uint32_t *path;  /* calls */
	uint8_t *state;  /* of each member */
	as_val *excess;  /* of each member: what it has too much of, or too little */
	as_val *passing; /* scratch: what goes by way of the hub */
	uint32_t hub;
};

static uint32_t cycle_callee(const struct unwind *u, uint32_t out)
{
	return u->place[u->r->to[out]] - 1;
}

static uint32_t cycle_caller(const struct unwind *u, uint32_t out)
{
	return u->place[u->c->from[out]] - 1;
}

static bool cycle_is_inside(const struct unwind *u, uint32_t out)
{
	uint32_t to = u->r->to[out];

	return to != AS_ROUTE_SELF && to != u->c->from[out] && u->place[to];
}

static int cycle_by_cost(const void *ctx, uint32_t a, uint32_t b)
{
	const struct unwind *u = ctx;

	return as_route_by_cost(u->r, u->c->from, a, b);
}

static bool link_calls(struct unwind *u)
{
	const struct as_routes *r = u->r;
	uint32_t n = 0;

	for (uint32_t m = 0; m < u->c->n; m++) {
		uint32_t f = u->c->member[m];

		u->start[m] = n;
		for (uint32_t i = r->first[f]; i < r->first[f + 1]; i++)
			if (cycle_is_inside(u, i))
				u->out[n++] = i;
		if (!as_sort_rows(
			    u->c->al, u->out + u->start[m], n - u->start[m], cycle_by_cost, u))
			return false;
		u->next[m] = u->start[m];
	}
	u->start[u->c->n] = n;
	return true;
}

/* ---- what does not add up ---- */

static bool find_excess(struct unwind *u)
{
	as_val most = -1;
	bool any = false;

	for (uint32_t m = 0; m < u->c->n; m++)
		u->excess[m] = u->c->supply[m] - u->c->need[m];
	memset(u->passing, 0, u->c->n * sizeof(*u->passing));
	for (uint32_t i = 0; i < u->start[u->c->n]; i++) {
		as_val v = u->r->cost[u->out[i]];

		u->excess[cycle_caller(u, u->out[i])] -= v;
		u->excess[cycle_callee(u, u->out[i])] += v;
		u->passing[cycle_callee(u, u->out[i])] += v;
	}
	for (uint32_t m = 0; m < u->c->n; m++) {
		uint32_t a = u->c->member[m], b = u->c->member[u->hub];

		any |= u->excess[m] != 0;
		if (u->passing[m] < most ||
			(u->passing[m] == most && u->r->func_cmp(u->r->ctx, a, b) >= 0))
			continue;
		most = u->passing[m];
		u->hub = m;
	}
	return any;
}

/* A way from the hub to every member. */
static void find_down(struct unwind *u)
{
	uint32_t n = 0;

	u->queue[n++] = u->hub;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = u->start[u->queue[i]]; k < u->start[u->queue[i] + 1]; k++) {
			uint32_t to = cycle_callee(u, u->out[k]);

			if (to == u->hub || u->down[to])
				continue;
			u->down[to] = u->out[k] + 1;
			u->queue[n++] = to;
		}
	as_assert(n == u->c->n);
}

/* What every member lacks comes from the hub. */
static void cycle_pull(struct unwind *u)
{
	for (uint32_t m = 0; m < u->c->n; m++)
		u->passing[m] = u->excess[m] < 0 ? -u->excess[m] : 0;
	for (uint32_t i = u->c->n; i-- > 1;) {
		uint32_t m = u->queue[i], out = u->down[m] - 1;

		u->r->cost[out] += u->passing[m];
		u->passing[cycle_caller(u, out)] += u->passing[m];
	}
}

static void link_back(struct unwind *u)
{
	uint32_t n = u->c->n;

	for (uint32_t i = 0; i < u->start[n]; i++)
		u->in_start[cycle_callee(u, u->out[i]) + 1]++;
	for (uint32_t m = 0; m < n; m++)
		u->in_start[m + 1] += u->in_start[m];
	for (uint32_t i = u->start[n]; i-- > 0;) /* each end becomes the start */
		u->in[--u->in_start[cycle_callee(u, u->out[i]) + 1]] = u->out[i];
	memmove(u->in_start, u->in_start + 1, n * sizeof(*u->in_start));
	u->in_start[n] = u->start[n];
	as_assert(!u->in_start[0]);
}

/* And what it has too much of goes there. */
static void cycle_push(struct unwind *u)
{
	uint32_t n = 0;

	link_back(u);
	u->queue[n++] = u->hub;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t m = u->queue[i];

		for (uint32_t k = u->in_start[m]; k < u->in_start[m + 1]; k++) {
			uint32_t from = cycle_caller(u, u->in[k]);

			if (from == u->hub || u->up[from])
				continue;
			u->up[from] = u->in[k] + 1;
			u->queue[n++] = from;
		}
	}
	as_assert(n == u->c->n);
	for (uint32_t m = 0; m < u->c->n; m++)
		u->passing[m] = u->excess[m] > 0 ? u->excess[m] : 0;
	while (n-- > 1) {
		uint32_t m = u->queue[n], out = u->up[m] - 1;

		u->r->cost[out] += u->passing[m];
		u->passing[cycle_callee(u, out)] += u->passing[m];
	}
}

/* ---- loops ---- */

/* The path ends in a call to one of its members: take what goes round off all calls of the loop,
 * and go back to before the first of them that then has nothing. */
static void undo_loop(struct unwind *u, uint32_t first, uint32_t *n)
{
	as_val least = u->r->cost[u->path[first]];
	uint32_t keep = *n;

	for (uint32_t i = first; i < *n; i++)
		if (u->r->cost[u->path[i]] < least)
			least = u->r->cost[u->path[i]];
	as_assert(least > 0); /* else this loop would not end */
	for (uint32_t i = *n; i-- > first;) {
		u->r->cost[u->path[i]] -= least;
		if (!u->r->cost[u->path[i]])
			keep = i;
	}
	/* The last call is none of the path. */
	for (uint32_t i = keep; i + 1 < *n; i++)
		u->state[cycle_callee(u, u->path[i])] = NEW;
	*n = keep;
}

static void walk_from(struct unwind *u, uint32_t root)
{
	uint32_t n = 0;

	u->state[root] = ACTIVE;
	u->at[root] = 0;
	for (;;) {
		uint32_t m = n ? cycle_callee(u, u->path[n - 1]) : root, *next = &u->next[m], out,
			 to;

		while (*next < u->start[m + 1] &&
			(!u->r->cost[u->out[*next]] ||
				u->state[cycle_callee(u, u->out[*next])] == DONE))
			++*next;
		if (*next == u->start[m + 1]) {
			u->state[m] = DONE;
			if (!n--)
				return;
			continue;
		}
		out = u->out[*next];
		to = cycle_callee(u, out);
		u->path[n++] = out;
		if (u->state[to] == ACTIVE) {
			undo_loop(u, u->at[to], &n);
		} else {
			u->state[to] = ACTIVE;
			u->at[to] = n;
		}
	}
}

/* ---- all of it ---- */

static bool cycle_make_room(struct unwind *u, uint32_t calls)
{
	const struct as_alloc *al = u->c->al;
	size_t n = u->c->n;

	return as_alloc_array(al, &u->start, n + 1) && as_alloc_array(al, &u->next, n) &&
	       as_alloc_array(al, &u->up, n) && as_alloc_array(al, &u->down, n) &&
	       as_alloc_array(al, &u->queue, n) && as_alloc_array(al, &u->at, n) &&
	       as_alloc_array(al, &u->path, n + 1) && as_alloc_array(al, &u->in_start, n + 1) &&
	       as_alloc_array(al, &u->out, calls) && as_alloc_array(al, &u->in, calls) &&
	       as_alloc_array(al, &u->excess, n) && as_alloc_array(al, &u->passing, n) &&
	       as_alloc_array(al, &u->state, n);
}

static enum as_code cycle_unwind(struct unwind *u)
{
	uint32_t calls = 0;

	for (uint32_t m = 0; m < u->c->n; m++)
		calls += u->r->first[u->c->member[m] + 1] - u->r->first[u->c->member[m]];
	AS_TRY(as_memory(cycle_make_room(u, calls) && link_calls(u)));
	if (find_excess(u)) {
		find_down(u);
		cycle_pull(u);
		cycle_push(u);
	}
	for (uint32_t m = 0; m < u->c->n; m++)
		if (u->state[m] == NEW)
			walk_from(u, m);
	return AS_OK;
}

enum as_code as_routes_unwind(struct as_routes *r, const struct as_route_circle *c)
{
	struct unwind u = {.r = r, .c = c, .place = c->place};
	as_val excess = 0;
	enum as_code rc;

	for (uint32_t m = 0; m < c->n; m++) {
		as_assert(!u.place[c->member[m]]);
		u.place[c->member[m]] = m + 1;
		excess += c->supply[m] - c->need[m];
	}
	as_assert(!excess);
	rc = cycle_unwind(&u);
	for (uint32_t m = 0; m < c->n; m++)
		u.place[c->member[m]] = 0;
	return rc;
}
