/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions under which a comparison fails, for machines that build software.
 *
 *	expr    = term { ("or" | "||") term }
 *	term    = factor { ("and" | "&&") factor }
 *	factor  = "(" expr ")" | compare
 *	compare = figure op limit | "|" figure "|" op limit
 *	figure  = "total(" EVENT ")" | ("self" | "incl") "(" EVENT "," NAME [ "," OBJECT ] ")"
 *	op      = ">" | ">=" | "<" | "<="
 *	limit   = [ "+" | "-" ] NUMBER [ "%" | "k" | "M" | "G" | "s" | "ms" | "us" | "ns" ]
 *
 * A limit with a sign or "%" is compared with the change, NEW - BASE; another with NEW itself;
 * between bars always with the size of the change. EVENT may be a metric, or a formula in quotes
 * (table/expression.h). EVENT, NAME and OBJECT stand in '...' or
 * "..."; an event of letters, digits, '_', '.', ':' and '-' needs no quotes.
 */
#ifndef AS_DIFF_GATE_H
#define AS_DIFF_GATE_H

#include "diff/diff.h"
#include "table/expression.h"

enum as_gate_verdict {
	AS_GATE_PASS,
	AS_GATE_NOISE, /* beyond the limit, but the 95 % interval holds the limit */
	AS_GATE_TRIP,
	AS_GATE_INCOMPARABLE,
};

enum as_gate_kind { AS_GATE_AND, AS_GATE_OR, AS_GATE_COMPARE };
enum as_gate_op { AS_GATE_GT, AS_GATE_GE, AS_GATE_LT, AS_GATE_LE };
enum as_gate_figure { AS_GATE_TOTAL, AS_GATE_SELF, AS_GATE_INCL };
enum as_gate_limit { AS_GATE_VALUE, AS_GATE_CHANGE, AS_GATE_PERCENT };

struct as_gate_node {
	enum as_gate_kind kind;
	uint32_t left, right; /* nodes */

	/* AS_GATE_COMPARE */
	struct as_slice text; /* of the comparison */
	enum as_gate_figure figure;
	struct as_slice event, name, object;
	bool two_sided;
	enum as_gate_op op;
	enum as_gate_limit limit;
	as_val number;     /* times 10^-decimals */
	unsigned decimals; /* <= AS_GATE_DIGITS */
	bool is_time;      /* in seconds */
};

enum { AS_GATE_DIGITS = 9 };

struct as_gate {
	struct as_arena arena;
	struct as_slice text;
	AS_VEC(struct as_gate_node) node; /* the last one is the root */
	/* Metrics that it may name like events, by as_gate_names(): the caller's to set before
	 * as_gate_eval(); borrowed. */
	const struct as_metric *metric;
	size_t n_metrics;
};

/* Parse TEXT, which is copied. AS_E_ARG: err->off is the offset of what is wrong. Ends in
 * as_gate_free(), also on failure. */
enum as_code as_gate_parse(struct as_gate *g, const struct as_alloc *al, struct as_slice text,
	struct as_err *err) AS_NODISCARD;
void as_gate_free(struct as_gate *g);

/* What of a comparison no profile has. */
enum as_gate_unknown { AS_GATE_KNOWN, AS_GATE_NO_FUNCTION, AS_GATE_NO_EVENT };

/* One comparison, looked at. */
struct as_gate_check {
	const struct as_gate_node *node;
	enum as_gate_verdict verdict;
	enum as_gate_unknown unknown;
	bool is_missing;     /* the function is not in NEW: trips whatever the rest says */
	struct as_slice why; /* a clause: "vanished: it is in BASE only"; "" = the figures say it */
	struct as_diff_fig fig;         /* meaningful where known is set */
	const struct as_diff_event *ev; /* what the figures are of; NULL: there are none */
	uint32_t row;                   /* of the function; UINT32_MAX: none, or several */
};

struct as_gate_result {
	const struct as_gate *gate;
	enum as_gate_verdict verdict;
	struct as_gate_check *check; /* in the order of the text */
	size_t n;
};

/* What metrics of a gate over D may name; they borrow D. */
struct as_expression_names as_gate_names(const struct as_diff *d);

/* D is scaled. RESULT lives in the gate's arena. */
enum as_code as_gate_eval(struct as_gate *g, const struct as_diff *d, struct as_gate_result *result)
	AS_NODISCARD;

#endif
