/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of what a function costs passes through chosen functions, as far as calls tell.
 * Calls say how much goes from one function to the next, not by which way it came; so
 * what comes into a function goes on in the same proportions, whoever called. Functions that call
 * each other in a circle are one. Shares of all and of nothing are exact, whatever lies between.
 */
#ifndef AS_CHANGE_FILTER_FLOW_H
#define AS_CHANGE_FILTER_FLOW_H

#include "change/filter/filter_impl.h"

#define AS_FLOW_ALL (UINT64_C(1) << 62) /* a share of one */

struct as_flow {
	const struct as_filtering *f;
	const struct as_profile *prof;
	unsigned bit;  /* of the kind: what is chosen */
	bool at_end;   /* only what is spent in chosen functions counts, not what they call */
	uint32_t n, e; /* functions, events */
	uint32_t main; /* the first event that the profile has any of */

	uint32_t *comp;   /* of each function: the first of those that it is one with */
	uint32_t *next;   /* of each function: the next of those, 0 = none */
	uint32_t *caller; /* of each function: who calls it + 1, 0 = nobody, UINT32_MAX = several */
	uint32_t *self_run; /* of each function: its first run of self cost + 1, 0 = none */
	uint32_t *call_run; /* likewise of calls */
	uint32_t *waits;    /* of each comp: calls that come into it and are not seen yet */
	uint32_t *order;    /* comps, callers before callees */
	uint32_t *self_next, *call_next; /* of each run: the next of its function + 1 */
	uint32_t n_order;

	uint8_t *may; /* of each comp: what is chosen calls it, directly or not, at whatever cost:
			 a call of what is active already may cost nothing */
	uint64_t *under;  /* of each comp, e shares: of its cost that comes from what is chosen */
	uint64_t *passes; /* likewise: of its cost that goes into what is chosen, there or below */
	as_val *in,
		*all; /* of each comp: what comes in by calls; what it costs with all it calls */
	as_val *sum, *row; /* scratch */
	uint64_t *carry;   /* of each comp, e: what SUM has left over; so it is the same in whatever
			      rows the calls are told */
};

/* F->c and the bits of KIND are there; W is of F's scratch. */
enum as_code as_flow_make(struct as_flow *w, const struct as_filtering *f, enum as_filter_kind kind)
	AS_NODISCARD;

/* SHARE of V, to the nearest whole number. */
as_val as_flow_part(as_val v, uint64_t share);
/* The same for one of several values, with shares of their own, whose parts are to add up: CARRY,
 * at first half of AS_FLOW_ALL, is what the others have left over. The sum does not depend on the
 * order of values, nor on how many they are. */
as_val as_flow_part_of(as_val v, uint64_t share, uint64_t *carry);

/* The rows of RUN lie in chosen code. */
static inline bool as_flow_chosen(const struct as_flow *w, const struct as_run *run)
{
	unsigned bits = w->f->func[run->func.i];

	if (!w->at_end)
		bits |= w->f->file[run->file.i] | (run->inl.i ? w->f->func[run->inl.i] : 0);
	return bits & w->bit;
}

/* Nothing that comes into F changes its shares. */
static inline bool as_flow_cuts(const struct as_flow *w, uint32_t f)
{
	return !w->at_end && (w->f->func[f] & w->bit);
}

#endif
