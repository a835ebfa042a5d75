/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics in the place of an event. They are computed run by run, of counts as they are; a side is
 * the mean of its runs, and several runs on each side are judged by Welch. What a quotient of
 * samples is worth is not known from their counts, so no gate is judged by one.
 */
#include "diff/gate_impl.h"

#define LARGEST 1e25       /* that fits as a figure */
#define LARGEST_FIXED 1e38 /* of 127 bits */

static struct as_slice gate_event_name(const void *ctx, uint32_t event)
{
	const struct as_diff *d = ctx;

	return as_diff_str(d, d->event[event].name);
}

struct as_expression_names as_gate_names(const struct as_diff *d)
{
	return (struct as_expression_names){d->n_events, gate_event_name, d, NULL};
}

bool as_gate_find_metric(struct as_gate_look *l)
{
	for (size_t i = 0; i < l->g->n_metrics; i++)
		if (as_slice_eq(l->g->metric[i].name, l->n->event)) {
			l->metric = &l->g->metric[i];
			return true;
		}
	return false;
}

static bool gate_is_event(const struct as_metric_op *op)
{
	return op->kind == AS_METRIC_EVENT || op->kind == AS_METRIC_TOTAL;
}

bool as_gate_parse_metric(struct as_gate_look *l)
{
	struct as_expression_names names = as_gate_names(l->d);
	enum as_code rc = as_expression_parse(&names, l->d->al, l->n->event, &l->own, NULL);
	bool any = false;

	l->oom |= rc == AS_E_NOMEM;
	for (size_t i = 0; rc == AS_OK && i < l->own.op.n; i++)
		any |= gate_is_event(&l->own.op.p[i]);
	if (any)
		l->metric = &l->own;
	return any;
}

/* The events can be put together. */
static bool gate_can_measure(struct as_gate_look *l)
{
	for (size_t i = 0; i < l->metric->op.n; i++) {
		const struct as_metric_op *op = &l->metric->op.p[i];
		const struct as_diff_event *ev = &l->d->event[op->event];

		if (op->kind == AS_METRIC_CALLS)
			as_gate_incomparable(l, as_slice_of("a comparison does not count calls"));
		if (!gate_is_event(op))
			continue;
		if (!as_gate_has_event(l, op->event))
			return false;
		if (op->kind == AS_METRIC_EVENT && l->n->figure == AS_GATE_INCL &&
			!as_diff_figure(l->d, l->row.p[0], op->event, true).known)
			as_gate_incomparable(
				l, as_slice_of("the profiles do not say its inclusive cost"));
		else if (ev->is_sampled)
			as_gate_incomparable(
				l, as_arena_printf(&l->g->arena,
					   "'%.*s' is sampled: the noise of a metric is not known",
					   AS_SLICE_FMT(as_diff_str(l->d, ev->name))));
		else if (ev->norm != AS_NORM_NONE)
			as_gate_incomparable(
				l, as_slice_of("a metric is computed of counts as they are: "
					       "--normalize none"));
	}
	if (l->n->is_time)
		as_gate_incomparable(l, as_slice_of("a metric is no time"));
	return l->c->verdict != AS_GATE_INCOMPARABLE;
}

static as_val gate_raw(const struct as_gate_look *l, const struct as_diff_run *run, uint32_t e)
{
	as_val sum = 0;

	if (l->n->figure == AS_GATE_TOTAL)
		return run->total[e];
	for (size_t i = 0; i < l->row.n; i++)
		sum += as_diff_raw(l->d, run, l->row.p[i], e, l->n->figure == AS_GATE_INCL);
	return sum;
}

/* COUNTS has room for all events. */
static struct as_number gate_value(
	const struct as_gate_look *l, const struct as_diff_run *run, as_val *counts)
{
	for (size_t i = 0; i < l->metric->op.n; i++) {
		const struct as_metric_op *op = &l->metric->op.p[i];

		if (op->kind == AS_METRIC_EVENT)
			counts[op->event] = gate_raw(l, run, op->event);
	}
	return as_metric_value(l->metric, &(struct as_metric_row){counts, run->total, NULL});
}

/* The mean of a side; not known if that of a run is not. Runs that are all alike have no variance,
 * and no rounding makes one. */
static struct as_number gate_side(struct as_gate_look *l, enum as_side side, as_val *counts)
{
	const struct as_diff *d = l->d;
	struct as_runs *runs = &l->side[side];
	struct as_number mean = {0};
	double squares = 0;

	*runs = (struct as_runs){.n = 0};
	for (size_t i = 0; i < d->run.n; i++) {
		struct as_number v;
		double off;

		if (d->run.p[i].side != side)
			continue;
		v = gate_value(l, &d->run.p[i], counts);
		if (!v.known)
			return v;
		if (!runs->n++)
			mean = v;
		off = v.x - mean.x;
		if (off == 0)
			continue;
		mean = (struct as_number){.known = true, .x = mean.x + off / runs->n};
		squares += off * (v.x - mean.x);
	}
	as_assert(runs->n == d->n_side[side]);
	runs->mean = mean.x;
	runs->var = runs->n > 1 ? squares / (runs->n - 1) : 0;
	return mean;
}

static as_val gate_fixed(double x, unsigned decimals)
{
	while (decimals--)
		x *= 10;
	if (x > LARGEST_FIXED || x < -LARGEST_FIXED)
		x = x < 0 ? -LARGEST_FIXED : LARGEST_FIXED;
	return x < 0 ? -(as_val)(-x + 0.5) : (as_val)(x + 0.5);
}

static double gate_size(struct as_number n)
{
	return n.x < 0 ? -n.x : n.x;
}

struct as_interval as_gate_contrast(const struct as_gate_look *l, double factor)
{
	struct as_runs base = l->side[AS_BASE];

	base.mean *= factor;
	base.var *= factor * factor;
	return as_stat_welch(base, l->side[AS_NEW]);
}

/* The values of both sides as figures of EV. */
static void gate_fill(
	struct as_gate_look *l, struct as_diff_event *ev, const struct as_number value[AS_SIDES])
{
	struct as_diff_fig *fig = &l->c->fig;
	struct as_interval in;

	if (!value[AS_BASE].whole || !value[AS_NEW].whole)
		ev->decimals = AS_GATE_DIGITS;
	*fig = (struct as_diff_fig){.known = true, .p = 1};
	for (unsigned side = 0; side < AS_SIDES; side++)
		fig->value[side] = value[side].whole && !ev->decimals
					   ? value[side].n
					   : gate_fixed(value[side].x, ev->decimals);
	fig->verdict = fig->value[AS_BASE] == fig->value[AS_NEW] ? AS_DIFF_SAME : AS_DIFF_SURE;
	if (l->d->n_side[AS_BASE] < 2 || l->d->n_side[AS_NEW] < 2)
		return;
	ev->noise = AS_NOISE_WELCH;
	in = as_gate_contrast(l, 1);
	fig->lo = gate_fixed(in.lo, ev->decimals);
	fig->hi = gate_fixed(in.hi, ev->decimals);
	fig->p = in.p;
	if (in.lo < in.hi && in.lo <= 0 && in.hi >= 0)
		fig->verdict = AS_DIFF_NOISE;
}

bool as_gate_measure(struct as_gate_look *l)
{
	static const char *const word[AS_SIDES] = {"BASE", "NEW"};
	as_val *counts = as_arena_get(&l->g->arena, (l->d->n_events + 1) * sizeof(*counts));
	struct as_diff_event *ev = as_arena_get(&l->g->arena, sizeof(*ev));
	struct as_slice name = as_arena_dup(&l->g->arena, l->n->event);
	struct as_number value[AS_SIDES];

	l->oom |= !counts || !ev || !name.p;
	if (l->oom || !gate_can_measure(l))
		return false;
	for (unsigned side = 0; side < AS_SIDES; side++) {
		value[side] = gate_side(l, (enum as_side)side, counts);
		if (value[side].known && gate_size(value[side]) < LARGEST)
			continue;
		as_gate_incomparable(l, as_arena_printf(&l->g->arena,
						"in %s the metric has no value: it divides by 0, "
						"or is too large",
						word[side]));
		return false;
	}
	*ev = (struct as_diff_event){.is_fine = true, .shown = name.p};
	l->c->ev = ev;
	gate_fill(l, ev, value);
	return true;
}
