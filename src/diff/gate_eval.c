/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a comparison beyond its limit? Exact figures are compared as whole numbers. Where there is
 * noise the 95 % interval of NEW - (1 + limit) * BASE decides: a gate trips if all of it is beyond
 * the limit, and says so if only the figure is.
 */
#include "change/kit/clone_name.h"
#include "diff/gate_impl.h"

#define EXACT_MAX ((as_val)1 << 70) /* beyond, products of figures and limits need not fit */

void as_gate_incomparable(struct as_gate_look *l, struct as_slice why)
{
	l->c->verdict = AS_GATE_INCOMPARABLE;
	l->c->why = why;
	l->oom |= !why.p;
}

static void gate_missing(struct as_gate_look *l, const char *why)
{
	l->c->verdict = AS_GATE_TRIP;
	l->c->is_missing = true;
	l->c->why = as_slice_of(why);
}

/* ---- what is meant ---- */

bool as_gate_has_event(struct as_gate_look *l, uint32_t e)
{
	const struct as_diff_event *ev = &l->d->event[e];

	if (ev->lack)
		as_gate_incomparable(
			l, as_arena_printf(&l->g->arena, "only %s has the event '%.*s'",
				   ev->lack & 1u << AS_BASE ? "NEW" : "BASE",
				   AS_SLICE_FMT(as_diff_str(l->d, ev->name))));
	else if (!ev->is_fine)
		as_gate_incomparable(l,
			as_slice_of(ev->other_caches ? "the runs simulated other caches"
						     : "the event cannot be normalised that way"));
	return !ev->lack && ev->is_fine;
}

/* What stands in the place of the event: a metric that has that name, an event, or a formula. */
static bool gate_find_event(struct as_gate_look *l)
{
	const struct as_diff *d = l->d;

	if (as_gate_find_metric(l))
		return true;
	if (as_diff_find_event(d, l->n->event, &l->event))
		return as_gate_has_event(l, l->event);
	for (size_t i = 0; i < d->extra.n; i++)
		if (as_slice_eq(as_diff_str(d, d->extra.p[i]), l->n->event)) {
			as_gate_incomparable(l, as_slice_of("not every run has the event"));
			return false;
		}
	if (as_gate_parse_metric(l))
		return true;
	l->c->unknown = AS_GATE_NO_EVENT;
	as_gate_incomparable(l, as_arena_printf(&l->g->arena, "no profile has the event '%.*s'",
					AS_SLICE_FMT(l->n->event)));
	return false;
}

static bool gate_is_meant(
	const struct as_gate_look *l, const struct as_diff_key *k, struct as_slice name)
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

static bool gate_find_rows(struct as_gate_look *l)
{
	const struct as_diff *d = l->d;
	struct as_slice name = as_clone_origin(l->n->name);
	bool has[AS_SIDES] = {false, false};

	for (uint32_t r = 0; r < d->key.n; r++) {
		if (!gate_is_meant(l, &d->key.p[r], name))
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
		gate_missing(
			l, has[AS_BASE] ? "vanished: it is in BASE only" : "it is in neither side");
	else if (l->row.n > 1 && l->n->figure == AS_GATE_INCL)
		as_gate_incomparable(
			l, as_arena_printf(&l->g->arena,
				   "%zu functions have this name: say which, incl(EVENT, 'NAME', "
				   "'OBJECT')",
				   l->row.n));
	if (l->row.n == 1)
		l->c->row = l->row.p[0];
	return has[AS_NEW] && l->c->verdict != AS_GATE_INCOMPARABLE;
}

/* ---- compare ---- */

static double gate_limit_of(const struct as_gate_node *n)
{
	return (double)n->number / (double)as_diff_ten_to(n->decimals);
}

static bool gate_holds(enum as_gate_op op, int cmp)
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

static int gate_sign_of(as_val v)
{
	return v < 0 ? -1 : v > 0;
}

/* The sign of CHANGE - NUMBER percent of BASE; both are 0: no change at all. */
static int gate_compare_percent(as_val change, as_val base, as_val number, unsigned decimals)
{
	if (!base && !change)
		return gate_sign_of(-number);
	if (as_diff_size(change) < EXACT_MAX && as_diff_size(base) < EXACT_MAX)
		return gate_sign_of(change * 100 * as_diff_ten_to(decimals) - number * base);
	return (double)change * 100 * (double)as_diff_ten_to(decimals) >
			       (double)number * (double)base
		       ? 1
		       : -1;
}

/* The sign of figure V less the limit. */
static int gate_compare_value(
	as_val v, const struct as_diff_event *ev, const struct as_gate_node *n)
{
	unsigned a = ev->decimals, b = n->decimals, most = a > b ? a : b;

	if (as_diff_size(v) < EXACT_MAX && as_diff_size(n->number) < EXACT_MAX)
		return gate_sign_of(
			v * as_diff_ten_to(most - a) - n->number * as_diff_ten_to(most - b));
	return (double)v / (double)as_diff_ten_to(a) > gate_limit_of(n) ? 1 : -1;
}

static bool gate_is_beyond(const struct as_gate_look *l)
{
	const struct as_gate_node *n = l->n;
	const struct as_diff_event *ev = l->c->ev;
	as_val base = l->c->fig.value[AS_BASE], new_ = l->c->fig.value[AS_NEW];
	as_val change = n->two_sided ? as_diff_size(new_ - base) : new_ - base;

	if (n->limit == AS_GATE_PERCENT)
		return gate_holds(
			n->op, gate_compare_percent(change, base, n->number, n->decimals));
	return gate_holds(
		n->op, gate_compare_value(n->limit == AS_GATE_VALUE ? new_ : change, ev, n));
}

/* Is all of the interval on the far side of LIMIT? */
static bool gate_all_beyond(struct as_interval in, double limit, enum as_gate_op op)
{
	if (op == AS_GATE_GT || op == AS_GATE_GE)
		return op == AS_GATE_GT ? in.lo > limit : in.lo >= limit;
	return op == AS_GATE_LT ? in.hi < limit : in.hi <= limit;
}

/* The 95 % interval of NEW - FACTOR * BASE. */
static struct as_interval gate_contrast(const struct as_gate_look *l, double factor)
{
	struct as_diff_pick pick = {.row = l->row.p,
		.n = l->row.n,
		.event = l->event,
		.inclusive = l->n->figure == AS_GATE_INCL};

	return l->metric ? as_gate_contrast(l, factor) : as_diff_contrast(l->d, &pick, factor);
}

static bool gate_is_clear(const struct as_gate_look *l)
{
	const struct as_gate_node *n = l->n;
	double limit = gate_limit_of(n);
	enum as_gate_op below = n->op == AS_GATE_GT ? AS_GATE_LT : AS_GATE_LE;
	struct as_interval in;

	if (n->limit == AS_GATE_PERCENT) {
		in = gate_contrast(l, 1 + limit / 100);
		if (gate_all_beyond(in, 0, n->op) || !n->two_sided)
			return gate_all_beyond(in, 0, n->op);
		in = gate_contrast(l, 1 - limit / 100);
		return gate_all_beyond(in, 0, below);
	}
	in = gate_contrast(l, n->limit == AS_GATE_VALUE ? 0 : 1);
	if (gate_all_beyond(in, limit, n->op))
		return true;
	return n->two_sided && gate_all_beyond(in, -limit, below);
}

/* The figures of the check, of l->event and l->row. False: there are none, and that is said. */
static bool gate_measure_event(struct as_gate_look *l)
{
	struct as_diff_pick pick = {.row = l->row.p, .n = l->row.n, .event = l->event};

	l->c->ev = &l->d->event[l->event];
	l->c->fig = l->n->figure == AS_GATE_INCL ? as_diff_figure(l->d, l->row.p[0], l->event, true)
						 : as_diff_sum(l->d, &pick);
	if (!l->c->fig.known)
		as_gate_incomparable(l, as_slice_of("the profiles do not say its inclusive cost"));
	return l->c->fig.known;
}

static void gate_compare(struct as_gate_look *l)
{
	if (l->metric ? !as_gate_measure(l) : !gate_measure_event(l))
		return;
	if (l->n->limit == AS_GATE_PERCENT && l->c->fig.value[AS_BASE] < 0) {
		as_gate_incomparable(
			l, as_slice_of("BASE is below 0: there is no percentage of it"));
		return;
	}
	if (!gate_is_beyond(l))
		return;
	/* Runs that are all alike have no noise: their interval is a point. */
	if (l->c->ev->noise == AS_NOISE_NONE || l->c->fig.lo == l->c->fig.hi || gate_is_clear(l))
		l->c->verdict = AS_GATE_TRIP;
	else
		l->c->verdict = AS_GATE_NOISE;
}

/* What stands against judging by the event. */
static const char *gate_objection(const struct as_gate_look *l)
{
	const struct as_diff_event *ev = &l->d->event[l->event];

	if (ev->is_off_rate && l->d->is_auto)
		return "the periods differ, and the totals by them: --normalize time or total says "
		       "what is meant";
	if (l->n->figure == AS_GATE_TOTAL && ev->norm == AS_NORM_TOTAL && !l->d->is_filtered)
		return "normalised by total, all totals are the same";
	if (l->n->is_time && !ev->shown)
		return "the event is no time: --normalize time makes it one";
	if (ev->shown && !l->n->is_time && l->n->limit != AS_GATE_PERCENT && l->n->number)
		return "the event is compared as time: the limit needs a unit, as in 5s; "
		       "--normalize none compares counts";
	return NULL;
}

static void gate_look(struct as_gate_look *l)
{
	const char *why = NULL;

	if (l->d->is_partial)
		why = "an input is not whole: damaged, or a part of its store is missing";
	else if (l->d->is_void[AS_NEW])
		why = "the filters leave nothing of NEW";
	else if (l->d->is_void[AS_BASE])
		why = "the filters leave nothing of BASE";
	else if (!gate_find_event(l) || (l->n->figure != AS_GATE_TOTAL && !gate_find_rows(l)))
		return;
	else if (!l->metric)
		why = gate_objection(l);
	if (why)
		as_gate_incomparable(l, as_slice_of(why));
	else
		gate_compare(l);
}

/* "and" is as bad as its better side, "or" as its worse one. Nodes stand behind those that they
 * join. */
static void gate_combine(const struct as_gate_node *n, uint8_t *value, size_t i)
{
	uint8_t a = value[n->left], b = value[n->right];

	as_assert(n->left < i && n->right < i);
	value[i] = (n->kind == AS_GATE_AND) == (a < b) ? a : b;
}

enum as_code as_gate_eval(struct as_gate *g, const struct as_diff *d, struct as_gate_result *result)
{
	size_t n = g->node.n;
	uint8_t *value = as_arena_get(&g->arena, n + 1);
	bool is_missing = false, is_incomparable = false, oom = false;

	as_assert(n > 0);
	*result = (struct as_gate_result){.gate = g};
	result->check = as_arena_get(&g->arena, (n + 1) * sizeof(*result->check));
	AS_TRY(as_memory(result->check && value));
	for (size_t i = 0; i < n; i++) {
		struct as_gate_check *c = &result->check[result->n];
		struct as_gate_look l = {.g = g, .d = d, .n = &g->node.p[i], .c = c};

		if (l.n->kind != AS_GATE_COMPARE) {
			gate_combine(l.n, value, i);
			continue;
		}
		*c = (struct as_gate_check){.node = l.n, .row = UINT32_MAX};
		gate_look(&l);
		as_vec_free(d->al, &l.row);
		as_metric_release(&l.own);
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
