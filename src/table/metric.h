/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers that are computed out of the events of a row: "D1mr / Dr", "Ir + 10 Bm",
 * "percent(Dr)". docs/metrics.md has the language.
 */
#ifndef AS_TABLE_METRIC_H
#define AS_TABLE_METRIC_H

#include "base/err.h"
#include "model/profile.h"

/* A result. Sums, differences and products of counts are whole and exact; what was divided is a
 * fraction of double precision; what was divided by zero is not known. */
struct as_number {
	bool known, whole;
	as_val n; /* if whole */
	double x;
};

enum { AS_METRIC_DEPTH = 64 }; /* of the stack */

enum as_metric_kind {
	AS_METRIC_NUMBER,
	AS_METRIC_EVENT,
	AS_METRIC_TOTAL, /* of the profile */
	AS_METRIC_CALLS,
	AS_METRIC_ADD,
	AS_METRIC_SUB,
	AS_METRIC_MUL,
	AS_METRIC_DIV,
};

/* Postfix: operators take the last two results. */
struct as_metric_op {
	enum as_metric_kind kind;
	uint32_t event;
	struct as_number number;
};

struct as_metric {
	const struct as_alloc *al;
	struct as_slice name, formula; /* borrowed from the text that was parsed, or static */
	AS_VEC(struct as_metric_op) op;
	uint32_t depth; /* of the stack that it needs */
};

/*
 * TEXT is "NAME=EXPRESSION", an expression (table/expression.h), the name of an event, of one that
 * the profile computes, or of a ready metric. OUT ends in as_metric_release(), also on failure.
 * Errors: AS_E_ARG, the message says what is wrong at which column of TEXT; AS_E_NOMEM.
 */
enum as_code as_metric_parse(const struct as_profile *prof, const struct as_alloc *al,
	struct as_slice text, struct as_metric *out, struct as_err *err) AS_NODISCARD;
void as_metric_release(struct as_metric *m);

/* What metrics are computed of. */
struct as_metric_row {
	const as_val *v, *total; /* of the row, of the profile; n_events each */
	const as_val *calls;     /* times that the row was called; NULL: not known */
};
struct as_number as_metric_value(const struct as_metric *m, const struct as_metric_row *row);

/* Larger first, what is not known last: < 0 if A comes before B. */
int as_number_cmp(struct as_number a, struct as_number b);

/* Metrics with names of their own, for events that are known. */
struct as_ready_metric {
	const char *name, *formula, *title;
	const char
		*needs; /* events; others that its formula names count as 0 if they are missing */
};
extern const struct as_ready_metric as_ready_metrics[]; /* ended by name == NULL */

/* The total of D over the profile, a sum of events with whole factors. False if its formula is
 * none, names an event that is not there, or is made of itself; OUT is then undefined. */
AS_NODISCARD bool as_derived_total(
	const struct as_profile *prof, const struct as_derived *d, as_val *out);

#endif
