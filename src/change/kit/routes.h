/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From calls to the routes on which a cost may have come: an estimate that contradicts no call.
 * Calls say how much passes from one function to the next, not by which route it came there; so
 * what comes into a function goes on in the same proportions, whoever called. All that calls tell
 * for sure is kept to the unit:
 *	on all routes together, a function has its own cost, and a call between functions that are
 *	not in one circle has the cost of the call;
 *	what a function costs beyond the calls of it came from nobody: there a route begins. So the
 *	beginnings add up to the total.
 * In a circle of functions a route goes through each once. Which calls it takes is found out of
 * their costs: what goes round and round is taken off.
 *
 * Calls that claim more than what they call costs share what there is.
 */
#ifndef AS_CHANGE_KIT_ROUTES_H
#define AS_CHANGE_KIT_ROUTES_H

#include "base/alloc.h"
#include "base/err.h"

#define AS_ROUTE_SELF UINT32_MAX  /* in TO: the function's own cost */
#define AS_ROUTE_BEGIN UINT32_MAX /* in place of an output: nobody called */

/* What functions cost, by outputs: of their own, several if they shall be told apart, and by the
 * calls of others, likewise. */
struct as_routes {
	const struct as_alloc *al; /* a pool's */
	uint32_t n;                /* functions */
	uint32_t *first;           /* of each its first output; n + 1 */
	uint32_t *to;        /* of each output the function that is called, or AS_ROUTE_SELF */
	uint32_t *cycle;     /* of each function the number of its circle; 0 = none */
	uint32_t n_events;   /* each is handed up by its own costs, one after the other */
	const as_val *total; /* of each */
	as_val *cost;        /* of each output; calls become what passes there */
	as_val least;        /* a share below is not told apart; > 0; as_routes_make() finds it */
	/* The order of functions, and of the outputs of one function, where costs are equal. */
	int (*func_cmp)(void *ctx, uint32_t a, uint32_t b);
	int (*out_cmp)(void *ctx, uint32_t a, uint32_t b);
	/* COST becomes that of EVENT. */
	enum as_code (*load)(void *ctx, uint32_t event);
	/* FUNC is reached by output OUT from the function at PARENT, or is where a route begins:
	 * PARENT is 0. NODE is told from then on. Parents come first; a child may come twice. */
	enum as_code (*node)(
		void *ctx, uint32_t parent, uint32_t out, uint32_t func, uint32_t *node);
	/* COST of its own of the function at NODE. */
	enum as_code (*self)(void *ctx, uint32_t node, uint32_t out, as_val cost);
	void *ctx;
};

/* Make the arrays, zeroed, for N functions with so many outputs. */
AS_NODISCARD bool as_routes_room(struct as_routes *r, uint32_t n, size_t outs);
enum as_code as_routes_make(struct as_routes *r) AS_NODISCARD;

/* ---- private to routes*.c ---- */

/* The calls inside a circle of functions, whose costs become what passes on routes without a
 * loop: MEMBER has N functions; of each of them, SUPPLY comes in from outside and NEED is what it
 * keeps or hands on to the outside; both have the same sum. FROM: of each output whose it is. The
 * order of MEMBER decides where costs are equal. */
struct as_route_circle {
	const struct as_alloc *al; /* a pool's */
	const uint32_t *member;
	uint32_t n;
	const uint32_t *from;
	const as_val *supply, *need; /* of each of MEMBER */
	uint32_t *place;             /* scratch: of each function, 0 before and afterwards */
};
/* Which of two outputs comes first: the most expensive one; then by functions. */
int as_route_by_cost(const struct as_routes *r, const uint32_t *from, uint32_t a, uint32_t b);
enum as_code as_routes_unwind(struct as_routes *r, const struct as_route_circle *c) AS_NODISCARD;

#endif
