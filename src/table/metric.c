/* SPDX-License-Identifier: Apache-2.0 */
/* Values of metrics, and the ready ones. */
#include "table/expression.h"

const struct as_ready_metric as_ready_metrics[] = {
	{"L1m", "I1mr + D1mr + D1mw", "misses of the first cache", "I1mr D1mr D1mw"},
	{"L2m", "I2mr + D2mr + D2mw", "misses of the second cache", "I2mr D2mr D2mw"},
	{"LLm", "ILmr + DLmr + DLmw", "misses of the last cache", "ILmr DLmr DLmw"},
	{"Bm", "Bim + Bcm", "branches predicted wrong", "Bim Bcm"},
	{"CEst",
		"Ir + 10 (Bim + Bcm) + 10 (I1mr + D1mr + D1mw) + 20 Ge + 100 (I2mr + D2mr + D2mw) "
		"+ 100 (ILmr + DLmr + DLmw)",
		"cycles, as KCachegrind estimates them", "Ir"},
	{"I1-miss-rate", "I1mr / Ir", "share of instructions that miss the first cache", "I1mr Ir"},
	{"D1-miss-rate", "(D1mr + D1mw) / (Dr + Dw)",
		"share of data accesses that miss the first cache", "D1mr D1mw Dr Dw"},
	{"LL-miss-rate", "(ILmr + DLmr + DLmw) / (Ir + Dr + Dw)",
		"share of all accesses that miss the last cache", "ILmr DLmr DLmw Ir Dr Dw"},
	{"branch-miss-rate", "(Bcm + Bim) / (Bc + Bi)",
		"share of branches that are predicted wrong", "Bcm Bim Bc Bi"},
	{"CPI", "cycles / instructions", "cycles for an instruction", "cycles instructions"},
	{"IPC", "instructions / cycles", "instructions in a cycle", "cycles instructions"},
	{NULL, NULL, NULL, NULL},
};

static struct as_number metric_whole(as_val n)
{
	return (struct as_number){.known = true, .whole = true, .n = n, .x = (double)n};
}

static struct as_number metric_fraction(double x)
{
	/* What is too large for a fraction is no number: infinity, and what comes of it. */
	return (struct as_number){.known = x - x == 0, .x = x - x == 0 ? x : 0};
}

/* A op B where both are known. What does not fit is a fraction. */
static struct as_number metric_combine(
	enum as_metric_kind kind, struct as_number a, struct as_number b)
{
	bool exact = a.whole && b.whole;
	as_val n = 0;

	switch (kind) {
	case AS_METRIC_ADD:
		exact = exact && !__builtin_add_overflow(a.n, b.n, &n);
		return exact ? metric_whole(n) : metric_fraction(a.x + b.x);
	case AS_METRIC_SUB:
		exact = exact && !__builtin_sub_overflow(a.n, b.n, &n);
		return exact ? metric_whole(n) : metric_fraction(a.x - b.x);
	case AS_METRIC_MUL:
		exact = exact && !__builtin_mul_overflow(a.n, b.n, &n);
		return exact ? metric_whole(n) : metric_fraction(a.x * b.x);
	default:
		if (b.x == 0)
			return (struct as_number){0};
		return metric_fraction(a.x / b.x);
	}
}

static struct as_slice metric_event(const void *ctx, uint32_t event)
{
	const struct as_profile *prof = ctx;

	return as_str_get(prof, prof->event.p[event].name);
}

enum as_code as_metric_parse(const struct as_profile *prof, const struct as_alloc *al,
	struct as_slice text, struct as_metric *out, struct as_err *err)
{
	const struct as_expression_names names = {as_n_events(prof), metric_event, prof, prof};

	return as_expression_parse(&names, al, text, out, err);
}

struct as_number as_metric_value(const struct as_metric *m, const struct as_metric_row *row)
{
	struct as_number stack[AS_METRIC_DEPTH], *top = stack;

	for (size_t i = 0; i < m->op.n; i++) {
		const struct as_metric_op *op = &m->op.p[i];

		switch (op->kind) {
		case AS_METRIC_NUMBER:
			*top++ = op->number;
			break;
		case AS_METRIC_EVENT:
			*top++ = metric_whole(row->v[op->event]);
			break;
		case AS_METRIC_TOTAL:
			*top++ = metric_whole(row->total[op->event]);
			break;
		case AS_METRIC_CALLS:
			*top++ = row->calls ? metric_whole(*row->calls) : (struct as_number){0};
			break;
		case AS_METRIC_ADD:
		case AS_METRIC_SUB:
		case AS_METRIC_MUL:
		case AS_METRIC_DIV:
			as_assert(top >= stack + 2);
			top--;
			if (top[-1].known && top[0].known)
				top[-1] = metric_combine(op->kind, top[-1], top[0]);
			else
				top[-1].known = false;
			break;
		}
	}
	as_assert(top == stack + 1);
	return stack[0];
}

int as_number_cmp(struct as_number a, struct as_number b)
{
	if (a.known != b.known)
		return a.known ? -1 : 1;
	if (!a.known)
		return 0;
	if (a.whole && b.whole)
		return a.n > b.n ? -1 : a.n < b.n;
	return a.x > b.x ? -1 : a.x < b.x;
}

void as_metric_release(struct as_metric *m)
{
	if (m->al)
		as_vec_free(m->al, &m->op);
}

bool as_derived_total(const struct as_profile *prof, const struct as_derived *d, as_val *out)
{
	struct as_slice formula = as_str_get(prof, d->formula);
	struct as_number n = {0};
	struct as_metric m = {0};

	if (!d->bare && as_slice_find(formula, '=') == formula.len &&
		as_metric_parse(prof, prof->al, formula, &m, NULL) == AS_OK)
		n = as_metric_value(&m, &(struct as_metric_row){prof->total, prof->total, NULL});
	as_metric_release(&m);
	*out = n.n;
	return n.known && n.whole;
}
