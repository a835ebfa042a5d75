/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that call themselves, directly or round a circle: the strongly connected components
 * of the calls, and single functions with a call to themselves.
 *
 * Inclusive cost is what comes in from outside, once
 *	calls	self cost and the calls that leave the cycle
 *	paths	the paths that go through it, each counted once
 */
#ifndef AS_TABLE_RECURSION_H
#define AS_TABLE_RECURSION_H

#include "table/project.h"

struct as_cycle {
	uint32_t number; /* from 1, as in as_key.cycle; 0: one function that calls itself */
	uint32_t member, n_members; /* of as_cycles.member */
	bool has_calls;
	as_val calls; /* into it from outside */
	size_t cost;  /* of as_cycles.value: n_events of self cost, then of inclusive cost */
};

struct as_cycles {
	const struct as_alloc *al;
	const struct as_table *table;  /* borrowed */
	AS_VEC(struct as_cycle) cycle; /* largest inclusive cost first */
	AS_VEC(uint32_t) member;       /* rows of the table, the largest self cost first */
	AS_VEC(as_val) value;
	bool has_incl; /* not where calls and paths are mixed */
};

/* TABLE is by function, with edges and with cycles. Always ends in as_cycles_release(). */
struct as_cycles_opts {
	uint32_t event;     /* that sorts */
	bool keep_contexts; /* as the table was made */
};
enum as_code as_cycles_make(struct as_cycles *c, const struct as_table *table,
	const struct as_cycles_opts *opts, struct as_err *err) AS_NODISCARD;
void as_cycles_release(struct as_cycles *c);

#endif
