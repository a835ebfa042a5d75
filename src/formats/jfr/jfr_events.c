/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of the profile, and samples. Each type of events is an event by
 * itself, its count and its weights: no two of them are ever added up.
 */
#include "base/sort.h"
#include "formats/jfr/jfr.h"
#include "model/sums.h"

/* A type that we do not know is about something only if one of its events has a
 * stack. */
static bool jfr_events_is_told(const struct as_jfr_kind *k)
{
	return k->event != UINT32_MAX && (k->any_stack || k->rank < JFR_RANK_OTHER);
}

static int jfr_events_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_jfr_read *r = ctx;
	const struct as_jfr_kind *x = &r->kind.p[a], *y = &r->kind.p[b];

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return as_slice_cmp(x->name, y->name);
}

static enum as_code jfr_events_weight(struct as_jfr_read *r, struct as_jfr_kind *k, uint32_t i)
{
	static const char *const units[] = {[JFR_UNIT_NONE] = "count",
		[JFR_UNIT_BYTES] = "bytes",
		[JFR_UNIT_BITS] = "bits",
		[JFR_UNIT_NANOS] = "nanoseconds"};
	struct as_slice unit = as_slice_of(units[k->weight[i].unit]), name;
	bool twice = false;

	if (!k->weight[i].any)
		return AS_OK;
	for (uint32_t j = 0; j < i; j++)
		twice |= as_slice_eq(k->weight[j].name, k->weight[i].name);
	name = as_arena_printf(&r->arena, "%.*s.%.*s%s%.*s", AS_SLICE_FMT(k->name),
		AS_SLICE_FMT(k->weight[i].name), twice ? "." : "", twice ? (int)unit.len : 0,
		unit.p);
	AS_TRY(as_err_memory(r->rd->err, name.p));
	return as_build_event(r->rd->out, name, unit, &k->weight[i].event);
}

/* What is shown first stands first: the weight that is known to be what the
 * event is about, other weights, the count; where only the count is, or samples
 * are counted, the count. */
static enum as_code jfr_events_add(struct as_jfr_read *r, struct as_jfr_kind *k)
{
	const char *first = as_jfr_first_weight(k->rank);

	for (uint32_t i = 0; first && i < k->n; i++)
		if (as_slice_is(k->weight[i].name, first))
			AS_TRY(jfr_events_weight(r, k, i));
	if (!first)
		AS_TRY(as_build_event(r->rd->out, k->name, as_slice_of("count"), &k->event));
	for (uint32_t i = 0; i < k->n; i++)
		if (!first || !as_slice_is(k->weight[i].name, first))
			AS_TRY(jfr_events_weight(r, k, i));
	return as_build_event(r->rd->out, k->name, as_slice_of("count"), &k->event);
}

/* All markers are one event, the last. */
static enum as_code jfr_events_add_markers(struct as_jfr_read *r, const bool *any)
{
	for (size_t i = 0; i < r->kind.n; i++)
		if (any[i])
			AS_TRY(as_build_event(r->rd->out, as_slice_of(AS_MARKERS),
				as_slice_of("count"), &r->kind.p[i].event));
	return AS_OK;
}

static enum as_code jfr_events_add_all(struct as_jfr_read *r)
{
	uint32_t *order;
	size_t n = 0;
	bool *marked;

	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &order, r->kind.n) &&
						 as_alloc_array(r->al, &marked, r->kind.n)));
	for (uint32_t i = 0; i < r->kind.n; i++)
		r->kind.p[i].event = UINT32_MAX;
	for (size_t i = 0; i < r->row.n; i++)
		r->kind.p[r->row.p[i].kind].event = 0;
	for (uint32_t i = 0; i < r->kind.n; i++) {
		marked[i] = r->kind.p[i].is_marker && r->kind.p[i].event != UINT32_MAX;
		if (jfr_events_is_told(&r->kind.p[i]))
			order[n++] = i;
		else
			r->kind.p[i].event = UINT32_MAX;
	}
	AS_TRY(as_err_memory(r->rd->err, as_sort_rows(r->al, order, n, jfr_events_cmp, r)));
	for (size_t i = 0; i < n; i++)
		AS_TRY(jfr_events_add(r, &r->kind.p[order[i]]));
	AS_TRY(jfr_events_add_markers(r, marked));
	if (r->rd->lim.events && as_n_events(r->rd->out->prof) > r->rd->lim.events)
		return as_rd_fail(r->rd, AS_E_LIMIT, 0, 0,
			"%" PRIu32 " events; the limit is %" PRIu64, as_n_events(r->rd->out->prof),
			r->rd->lim.events);
	return AS_OK;
}

/* ---- samples ---- */

struct labels {
	as_str comm, pid, state, tid; /* keys */
};

static enum as_code jfr_events_keys(struct as_jfr_read *r, struct labels *keys)
{
	AS_TRY(as_build_str(r->rd->out, as_slice_of("comm"), &keys->comm));
	AS_TRY(as_build_str(r->rd->out, as_slice_of("pid"), &keys->pid));
	AS_TRY(as_build_str(r->rd->out, as_slice_of("state"), &keys->state));
	return as_build_str(r->rd->out, as_slice_of("tid"), &keys->tid);
}

static enum as_code jfr_events_part(
	struct as_jfr_read *r, const struct labels *keys, struct as_jfr_row *row)
{
	struct as_label label[4];
	uint32_t n = 0;

	if (row->comm.i)
		label[n++] = (struct as_label){.key = keys->comm, .text = row->comm};
	if (r->has_pid)
		label[n++] = (struct as_label){.key = keys->pid, .number = (int64_t)r->pid};
	if (row->state.i)
		label[n++] = (struct as_label){.key = keys->state, .text = row->state};
	if (row->tid)
		label[n++] = (struct as_label){.key = keys->tid, .number = (int64_t)row->tid};
	return as_build_labelled(r->rd->out, label, n, &row->part);
}

static void jfr_events_add_row(
	const struct as_jfr_read *r, const struct as_jfr_row *row, as_val *cost)
{
	const struct as_jfr_kind *k = &r->kind.p[row->kind];

	cost[k->event] += row->count;
	for (uint32_t i = 0; i < row->n; i++)
		if (k->weight[i].any)
			cost[k->weight[i].event] += r->value.p[row->first + i];
}

/* ---- moments ---- */

static enum as_code jfr_events_moment(struct as_jfr_read *r, const struct as_jfr_moment *of)
{
	const struct as_jfr_row *row = &r->row.p[of->row];
	const struct as_jfr_kind *k = &r->kind.p[row->kind];
	struct as_moment m = {.time = of->time,
		.duration = of->duration,
		.value = 1,
		.part = row->part,
		.event = k->event,
		.node = row->node};

	if (k->event == UINT32_MAX)
		return AS_OK;
	AS_TRY(as_build_moment(r->rd->out, &m));
	for (uint32_t i = 0; i < row->n; i++) {
		as_val v = r->moment_value.p[of->first + i];

		m.value = (int64_t)v;
		m.event = k->weight[i].event;
		if (v && v == m.value)
			AS_TRY(as_build_moment(r->rd->out, &m));
	}
	return AS_OK;
}

static enum as_code jfr_events_moments(struct as_jfr_read *r)
{
	struct as_build *b = r->rd->out;

	b->has_zero = r->has_start;
	b->zero = r->start;
	for (size_t i = 0; i < r->moment.n; i++)
		AS_TRY(jfr_events_moment(r, &r->moment.p[i]));
	for (size_t i = 0; !b->keep_moments && i < r->row.n; i++)
		if (r->kind.p[r->row.p[i].kind].event != UINT32_MAX)
			b->prof->moments.left += r->row.p[i].moments;
	return AS_OK;
}

/* ---- all of them ---- */

/* What ROW, which is number I, adds to sums. A function that is inlined into itself does not call
 * itself. */
static void jfr_events_sum(const struct as_jfr_read *r, const struct as_sums *sums, size_t i)
{
	const struct as_profile *prof = r->rd->out->prof;
	const struct as_jfr_row *row = &r->row.p[i];
	const struct as_jfr_stack *stack = row->node.i ? &r->stack.p[row->node.i] : NULL;
	const as_place *place = stack ? r->frame.p + stack->first : NULL;
	uint32_t n = stack ? stack->n : 1;
	as_func func = {0}, before = {0};

	as_assert(i < r->row.n);
	for (uint32_t k = 0; k < n; k++, before = func) {
		as_val *incl;

		func = stack ? prof->place.func.p[place[k].i] : func;
		if (k && func.i == before.i && prof->place.inlined.p[place[k].i])
			continue;
		incl = as_sums_meet(sums, func, i + 1);
		if (incl)
			jfr_events_add_row(r, row, incl);
	}
	jfr_events_add_row(r, row, as_sums_of(sums, func) + 1);
}

static enum as_code jfr_events_put_all(struct as_jfr_read *r, const struct as_sums *sums)
{
	struct labels keys;
	as_val *cost;

	AS_TRY(jfr_events_keys(r, &keys));
	AS_TRY(as_err_memory(r->rd->err, as_alloc_array(r->al, &cost, sums->e)));
	for (size_t i = 0; i < r->row.n; i++) {
		struct as_jfr_row *row = &r->row.p[i];

		if (r->kind.p[row->kind].event == UINT32_MAX)
			continue;
		AS_TRY(jfr_events_part(r, &keys, row));
		if (r->rd->sums) {
			jfr_events_sum(r, sums, i);
			continue;
		}
		jfr_events_add_row(r, row, cost);
		AS_TRY(as_build_sample(r->rd->out, row->part, row->node, cost));
		memset(cost, 0, sums->e * sizeof(*cost));
	}
	return r->rd->sums ? as_sums_put(sums, r->rd->out) : AS_OK;
}

enum as_code as_jfr_put_samples(struct as_jfr_read *r)
{
	struct as_sums sums = {.al = r->al};
	as_func last;

	AS_TRY(jfr_events_add_all(r));
	AS_TRY(as_build_part_all_events(r->rd->out, r->part));
	sums.e = as_n_events(r->rd->out->prof);
	last.i = (uint32_t)r->rd->out->prof->func.name.n - 1;
	if (r->rd->sums)
		AS_TRY(as_err_memory(r->rd->err, as_sums_room(&sums, last)));
	AS_TRY(jfr_events_put_all(r, &sums));
	return jfr_events_moments(r);
}
