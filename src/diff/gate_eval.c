/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a comparison beyond its limit? Exact figures are compared as whole numbers. Where there is
 * noise the 95 % interval of NEW - (1 + limit) * BASE decides: a gate trips if all of it is beyond
 * the limit, and says so if only the figure is.
 */
#include "change/kit/clone_name.h"
#include "diff/gate.h"

#define EXACT_MAX ((as_val)1 << 70) /* beyond, products of figures and limits need not fit */

struct looking {
	struct as_gate *g;
	const struct as_diff *d;
	const struct as_gate_node *n;
	struct as_gate_check *c;
	AS_VEC(uint32_t) row; /* those of the name */
	bool oom;
};

static void incomparable(struct looking *l, struct as_slice why)
{
	l->c->verdict = AS_GATE_INCOMPARABLE;
	l->c->why = why;
	l->oom |= !why.p;
}

static void missing(struct looking *l, const char *why)
{
	l->c->verdict = AS_GATE_TRIP;
	l->c->is_missing = true;
	l->c->why = as_slice_of(why);
}

/* ---- what is meant ---- */

static bool find_event(struct looking *l)
{
	const struct as_diff *d = l->d;

	uint32_t e;

	if (as_diff_find_event(d, l->n->event, &e)) {
		const struct as_diff_event *ev = &d->event[e];

		if (ev->lack)
			incomparable(
				l, as_arena_printf(&l->g->arena, "only %s has the event '%.*s'",
					   ev->lack & 1u << AS_BASE ? "NEW" : "BASE",
					   AS_SLICE_FMT(l->n->event)));
		else if (!ev->is_fine)
			incomparable(
				l, as_slice_of(ev->other_caches ? "the runs simulated other caches"
								: "the event cannot be normalised "
								  "that way"));
		else
			l->c->event = e;
		return !ev->lack && ev->is_fine;
	}
	for (size_t i = 0; i < d->extra.n; i++)
		if (as_slice_eq(as_diff_str(d, d->extra.p[i]), l->n->event)) {
			incomparable(l, as_slice_of("not every run has the event"));
			return false;
		}
	l->c->unknown = AS_GATE_NO_EVENT;
	incomparable(l, as_arena_printf(&l->g->arena, "no profile has the event '%.*s'",
				AS_SLICE_FMT(l->n->event)));
	return false;
}

static bool is_meant(const struct looking *l, const struct as_diff_key *k, struct as_slice name)
{
	const struct as_diff *d = l->d;
	struct as_slice object = l->n->object;

	if (object.len && !as_slice_eq(as_diff_str(d, k->object), object) &&
		!as_slice_eq(as_diff_str(d, k->latest), object))
		return false;
	return k->name.i && (as_slice_eq(as_diff_str(d, k->name), name) ||
				    as_slice_eq(as_diff_str(d, k->name), l->n->name) ||
				    (d->opts.by != AS_BY_FUNC &&
					    as_slice_eq(as_diff_str(d, k->path), l->n->name)));
}

static bool find_rows(struct looking *l)
{
	const struct as_diff *d = l->d;
	struct as_slice name = as_clone_origin(l->n->name);
	bool has[AS_SIDES] = {false, false};

	for (uint32_t r = 0; r < d->key.n; r++) {
		if (!is_meant(l, &d->key.p[r], name))
			continue;
		if (!as_vec_push(d->al, &l->row, r)) {
			l->oom = true;
			return false;
		}
		has[AS_BASE] |= as_diff_has(d, r, AS_BASE);
		has[AS_NEW] |= as_diff_has(d, r, AS_NEW);
	}
	if (!has[AS_NEW] && !has[AS_BASE])
		l->c->unknown = AS_GATE_NO_FUNCTION;
	if (!has[AS_NEW])
		missing(l, has[AS_BASE] ? "vanished: it is in BASE only" : "it is in neither side");
	else if (l->row.n > 1 && l->n->figure == AS_GATE_INCL)
		incomparable(
			l, as_arena_printf(&l->g->arena,
				   "%zu functions have this name: say which, incl(EVENT, 'NAME', "
				   "'OBJECT')",
				   l->row.n));
	if (l->row.n == 1)
		l->c->row = l->row.p[0];
	return has[AS_NEW] && l->c->verdict != AS_GATE_INCOMPARABLE;
}

/* ---- compare ---- */

static as_val power_of_ten(unsigned n)
{
	as_val v = 1;

	while (n--)
		v *= 10;
	return v;
}

static double limit_of(const struct as_gate_node *n)
{
	return (double)n->number / (double)power_of_ten(n->decimals);
}

static bool holds(enum as_gate_op op, int cmp)
{
	switch (op) {
	case AS_GATE_GT:
		return cmp > 0;
	case AS_GATE_GE:
		return cmp >= 0;
	case AS_GATE_LT:
		return cmp < 0;
	case AS_GATE_LE:
		break;
	}
	return cmp <= 0;
}

static int sign_of(as_val v)
{
	return v < 0 ? -1 : v > 0;
}

static as_val magnitude(as_val v)
{
	return v < 0 ? -v : v;
}

/* The sign of CHANGE - NUMBER percent of BASE; both are 0: no change at all. */
static int compare_percent(as_val change, as_val base, as_val number, unsigned decimals)
{
	if (!base && !change)
		return sign_of(-number);
	if (magnitude(change) < EXACT_MAX && magnitude(base) < EXACT_MAX)
		return sign_of(change * 100 * power_of_ten(decimals) - number * base);
	return (double)change * 100 * (double)power_of_ten(decimals) > (double)number * (double)base
		       ? 1
		       : -1;
}

/* The sign of figure V less the limit. */
static int compare_value(as_val v, const struct as_diff_event *ev, const struct as_gate_node *n)
{
	unsigned a = ev->decimals, b = n->decimals, most = a > b ? a : b;

	if (magnitude(v) < EXACT_MAX && magnitude(n->number) < EXACT_MAX)
		return sign_of(v * power_of_ten(most - a) - n->number * power_of_ten(most - b));
	return (double)v / (double)power_of_ten(a) > limit_of(n) ? 1 : -1;
}

static bool is_beyond(const struct looking *l)
{
	const struct as_gate_node *n = l->n;
	const struct as_diff_event *ev = &l->d->event[l->c->event];
	as_val base = l->c->fig.value[AS_BASE], new_ = l->c->fig.value[AS_NEW];
	as_val change = n->two_sided ? magnitude(new_ - base) : new_ - base;

	if (n->limit == AS_GATE_PERCENT)
		return holds(n->op, compare_percent(change, base, n->number, n->decimals));
	return holds(n->op, compare_value(n->limit == AS_GATE_VALUE ? new_ : change, ev, n));
}

/* Is all of the interval on the far side of LIMIT? */
static bool all_beyond(struct as_interval in, double limit, enum as_gate_op op)
{
	if (op == AS_GATE_GT || op == AS_GATE_GE)
		return op == AS_GATE_GT ? in.lo > limit : in.lo >= limit;
	return op == AS_GATE_LT ? in.hi < limit : in.hi <= limit;
}

static bool is_clear(const struct looking *l, const struct as_diff_pick *pick)
{
	const struct as_gate_node *n = l->n;
	double limit = limit_of(n);
	enum as_gate_op below = n->op == AS_GATE_GT ? AS_GATE_LT : AS_GATE_LE;
	struct as_interval in;

	if (n->limit == AS_GATE_PERCENT) {
		in = as_diff_contrast(l->d, pick, 1 + limit / 100);
		if (all_beyond(in, 0, n->op) || !n->two_sided)
			return all_beyond(in, 0, n->op);
		in = as_diff_contrast(l->d, pick, 1 - limit / 100);
		return all_beyond(in, 0, below);
	}
	in = as_diff_contrast(l->d, pick, n->limit == AS_GATE_VALUE ? 0 : 1);
	if (all_beyond(in, limit, n->op))
		return true;
	return n->two_sided && all_beyond(in, -limit, below);
}

static void compare(struct looking *l)
{
	const struct as_diff_event *ev = &l->d->event[l->c->event];
	struct as_diff_pick pick = {.row = l->row.p,
		.n = l->row.n,
		.event = l->c->event,
		.inclusive = l->n->figure == AS_GATE_INCL};

	l->c->fig = pick.inclusive ? as_diff_figure(l->d, l->row.p[0], l->c->event, true)
				   : as_diff_sum(l->d, &pick);
	if (!l->c->fig.known) {
		incomparable(l, as_slice_of("the profiles do not say its inclusive cost"));
		return;
	}
	if (l->n->limit == AS_GATE_PERCENT && l->c->fig.value[AS_BASE] < 0) {
		incomparable(l, as_slice_of("BASE is below 0: there is no percentage of it"));
		return;
	}
	if (!is_beyond(l))
		return;
	/* Runs that are all alike have no noise: their interval is a point. */
	if (ev->noise == AS_NOISE_NONE || l->c->fig.lo == l->c->fig.hi || is_clear(l, &pick))
		l->c->verdict = AS_GATE_TRIP;
	else
		l->c->verdict = AS_GATE_NOISE;
}

static void look(struct looking *l)
{
	const struct as_diff_event *ev;

	if (l->d->is_partial) {
		incomparable(l, as_slice_of("an input is damaged: its figures are not whole"));
		return;
	}
	if (l->d->is_void[AS_BASE] || l->d->is_void[AS_NEW]) {
		incomparable(l,
			as_slice_of(l->d->is_void[AS_NEW] ? "the filters leave nothing of NEW"
							  : "the filters leave nothing of BASE"));
		return;
	}
	if (!find_event(l) || (l->n->figure != AS_GATE_TOTAL && !find_rows(l)))
		return;
	ev = &l->d->event[l->c->event];
	if (ev->is_off_rate && l->d->is_auto)
		incomparable(l,
			as_slice_of("the periods differ, and the totals by them: --normalize time "
				    "or total says what is meant"));
	else if (l->n->figure == AS_GATE_TOTAL && ev->norm == AS_NORM_TOTAL && !l->d->is_filtered)
		incomparable(l, as_slice_of("normalised by total, all totals are the same"));
	else if (l->n->is_time && !ev->shown)
		incomparable(l, as_slice_of("the event is no time: --normalize time makes it one"));
	else
		compare(l);
}

/* "and" is as bad as its better side, "or" as its worse one. Nodes stand behind those that they
 * join. */
static void combine(const struct as_gate_node *n, uint8_t *value, size_t i)
{
	uint8_t a = value[n->left], b = value[n->right];

	value[i] = (n->kind == AS_GATE_AND) == (a < b) ? a : b;
}

enum as_code as_gate_eval(struct as_gate *g, const struct as_diff *d, struct as_gate_result *result)
{
	size_t n = g->node.n;
	uint8_t *value = as_arena_get(&g->arena, n + 1);
	bool is_missing = false, is_incomparable = false, oom = false;

	*result = (struct as_gate_result){.gate = g};
	result->check = as_arena_get(&g->arena, (n + 1) * sizeof(*result->check));
	if (!result->check || !value)
		return AS_E_NOMEM;
	for (size_t i = 0; i < n; i++) {
		struct as_gate_check *c = &result->check[result->n];
		struct looking l = {.g = g, .d = d, .n = &g->node.p[i], .c = c};

		if (l.n->kind != AS_GATE_COMPARE) {
			combine(l.n, value, i);
			continue;
		}
		*c = (struct as_gate_check){.node = l.n, .event = UINT32_MAX, .row = UINT32_MAX};
		look(&l);
		as_vec_free(d->al, &l.row);
		value[i] = (uint8_t)c->verdict;
		is_missing |= c->is_missing;
		is_incomparable |= c->verdict == AS_GATE_INCOMPARABLE;
		oom |= l.oom;
		result->n++;
	}
	result->verdict = (enum as_gate_verdict)value[n - 1];
	if (is_missing)
		result->verdict = AS_GATE_TRIP;
	if (is_incomparable)
		result->verdict = AS_GATE_INCOMPARABLE;
	return oom ? AS_E_NOMEM : AS_OK;
}
