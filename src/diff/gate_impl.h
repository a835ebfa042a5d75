/* SPDX-License-Identifier: Apache-2.0 */
/* What gate_eval.c and gate_metric.c share. */
#ifndef AS_DIFF_GATE_IMPL_H
#define AS_DIFF_GATE_IMPL_H

#include "diff/diff_impl.h"
#include "diff/gate.h"

/* One comparison of a gate. */
struct as_gate_look {
	struct as_gate *g;
	const struct as_diff *d;
	const struct as_gate_node *n;
	struct as_gate_check *c;
	AS_VEC(uint32_t) row; /* those of the name */
	bool oom;

	uint32_t event;                 /* where METRIC is NULL */
	const struct as_metric *metric; /* the figures are its, one of the gate's or OWN */
	struct as_metric own;
	struct as_runs side[AS_SIDES]; /* what it is in the runs of each side */
};

void as_gate_incomparable(struct as_gate_look *l, struct as_slice why);
/* Both sides have event E, and it can be scaled; if not, that is said. */
bool as_gate_has_event(struct as_gate_look *l, uint32_t e);

/* ---- gate_metric.c ---- */
/* The metric that the gate was told by the name that stands in the place of the event; false:
 * there is none. */
bool as_gate_find_metric(struct as_gate_look *l);
/* What stands there is a formula of events, or a ready metric. */
bool as_gate_parse_metric(struct as_gate_look *l);
/* The figures of the check, of l->metric and l->row. False: there are none, and that is said. */
bool as_gate_measure(struct as_gate_look *l);
/* The 95 % interval of NEW - FACTOR * BASE. */
struct as_interval as_gate_contrast(const struct as_gate_look *l, double factor);

#endif
