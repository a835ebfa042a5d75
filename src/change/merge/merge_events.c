/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events. Inputs may have one in several units of time: each unit is an event for itself, until all
 * inputs are there and the smallest unit is known. Then the result is copied, and in the copy they
 * are one in that unit: the others are whole numbers of it, so nothing is rounded.
 */
#include "change/merge/merge_impl.h"

static const char no_period[] = "sampling period{|s}: not all inputs say theirs";

static enum as_code settle_period(
	struct as_merge_add_job *j, const struct as_event *ev, struct as_merge_event *have)
{
	struct as_merge *m = j->m;
	struct as_slice ours = as_str_get(m->b.prof, have->period_unit);

	if (!ev->period) {
		if (have->period && !have->no_period)
			as_losses_add(j->l, "period", 1, no_period);
		have->no_period = true;
		return AS_OK;
	}
	/* Of one time in two units the finer one stays, whatever the order. */
	if (have->period && as_merge_units(ours, as_str_get(j->src, ev->period_unit)) <= 1)
		return AS_OK;
	if (have->no_period && !have->period)
		as_losses_add(j->l, "period", 1, no_period);
	have->period = ev->period;
	AS_TRY(as_remap_str(&j->r, ev->period_unit, &have->period_unit));
	return j->src->part.n ? as_remap_str(&j->r, j->src->part.p[0].name, &have->period_from)
			      : as_build_str(&m->b, (struct as_slice){NULL, 0}, &have->period_from);
}

/*
 * For how much of the time an event was counted, together: as if each input had been counted all
 * the time, by its own share of it. Of inputs that were not counted differently that is their own.
 */
static uint32_t settle_active(struct as_merge_event *have, const struct as_event *ev, as_val total)
{
	enum { ALL = 10000 };
	as_val part;

	if (ev->active > have->active)
		have->active = ev->active;
	if (total > 0) {
		have->counted += total;
		have->whole += total * ALL * ALL / (ev->active ? ev->active : ALL);
	}
	if (have->whole <= 0)
		return have->active;
	part = (have->counted * ALL * ALL + have->whole / 2) / have->whole;
	return part >= ALL ? 0 : part < 1 ? 1 : (uint32_t)part;
}

/* An input has it in column K. */
static void merge_events_place(struct as_merge_event *have, uint32_t k)
{
	have->first = k < have->first ? k : have->first;
	have->last = k > have->last ? k : have->last;
}

static enum as_code settle_event(struct as_merge_add_job *j, uint32_t k)
{
	struct as_merge *m = j->m;
	const struct as_event *ev = &j->src->event.p[k];
	uint32_t to = j->r.event[k];
	struct as_event *row = &m->b.prof->event.p[to];
	struct as_merge_event *have = &m->event.p[to];
	as_str title;

	row->active = settle_active(have, ev, as_remap_value(&j->r, k, j->src->total[k]));
	have->no_unit |= !ev->unit.i;
	row->estimated |= ev->estimated;
	merge_events_place(have, k);
	if (have->of)
		merge_events_place(&m->event.p[have->of - 1], k);
	AS_TRY(as_remap_str(&j->r, ev->title, &title));
	if (as_merge_settle_text(&m->b, &row->title, title))
		as_losses_add(j->l, "event-titles", 1,
			"long name{ of an event that differs|s of events that differ}");
	if (!row->unit.i)
		AS_TRY(as_remap_str(&j->r, ev->unit, &row->unit));
	AS_TRY(settle_period(j, ev, have));
	row->period = have->no_period ? 0 : have->period;
	row->period_unit = have->no_period ? (as_str){0} : have->period_unit;
	return AS_OK;
}

/* ---- units ---- */

static bool merge_events_is_of(const struct as_merge *m, uint32_t i, uint32_t plain)
{
	return i == plain || m->event.p[i].of == plain + 1;
}

as_str as_merge_unit(const struct as_merge *m, const struct as_profile *prof, uint32_t event)
{
	uint32_t plain = m->event.p[event].of ? m->event.p[event].of - 1 : event;
	as_str best = prof->event.p[plain].unit;

	for (uint32_t i = 0; m->event.p[plain].several && i < m->event.n; i++)
		if (merge_events_is_of(m, i, plain) &&
			as_merge_units(
				as_str_get(prof, best), as_str_get(prof, prof->event.p[i].unit)))
			best = prof->event.p[i].unit;
	return best;
}

/* What event K of the input is called in the result: as it is, unless that one is in another unit.
 * Then it is an event for itself, under a name that is not seen. */
static enum as_code merge_events_name(struct as_merge_add_job *j, uint32_t k, struct as_slice *name)
{
	struct as_merge *m = j->m;
	struct as_profile *dst = m->b.prof;
	struct as_slice unit = as_str_get(j->src, j->src->event.p[k].unit), ours;
	uint32_t plain;

	*name = as_str_get(j->src, j->src->event.p[k].name);
	if (!as_profile_event(dst, *name, &plain))
		return AS_OK;
	if (m->event.p[plain].of)
		return as_err_set(
			m->err, AS_E_ARG, "an event has the name '%.*s'", AS_SLICE_FMT(*name));
	ours = as_str_get(dst, dst->event.p[plain].unit);
	if (!unit.len || !ours.len || as_slice_eq(unit, ours))
		return AS_OK;
	m->event.p[plain].several = true;
	for (uint32_t i = 0; i < m->event.n; i++)
		if (merge_events_is_of(m, i, plain) &&
			as_slice_eq(as_str_get(dst, dst->event.p[i].unit), unit)) {
			*name = as_str_get(dst, dst->event.p[i].name);
			return AS_OK;
		}
	*name = as_arena_printf(&dst->arena, "%.*s\n%.*s", AS_SLICE_FMT(*name), AS_SLICE_FMT(unit));
	return as_err_memory(m->err, name->p);
}

/* When what was merged is copied: they become one. */
static void merge_events_join(
	struct as_merge_add_job *j, uint32_t k, struct as_slice *name, as_val *times)
{
	const struct as_merge *m = j->m->origin;
	const struct as_event *ev = j->src->event.p;
	uint32_t of = m->event.p[k].of;

	*name = as_str_get(j->src, ev[of ? of - 1 : k].name);
	if (of || m->event.p[k].several)
		*times = as_merge_units(as_str_get(j->src, ev[k].unit),
			as_str_get(j->src, as_merge_unit(m, j->src, k)));
}

static enum as_code merge_events_names(struct as_merge_add_job *j)
{
	struct as_slice *name;
	as_val *times;

	AS_TRY(as_err_memory(j->m->err, as_alloc_array(&j->pool.al, &name, j->r.e) &&
						as_alloc_array(&j->pool.al, &times, j->r.e)));
	for (uint32_t k = 0; k < j->r.e; k++) {
		times[k] = 1;
		if (j->m->origin)
			merge_events_join(j, k, &name[k], &times[k]);
		else
			AS_TRY(merge_events_name(j, k, &name[k]));
		if (times[k] != 1)
			j->r.times = times;
	}
	j->r.event_name = name;
	return AS_OK;
}

/* The event I is new, and K of the input. */
static enum as_code merge_events_new(struct as_merge_add_job *j, uint32_t k)
{
	struct as_merge_event one = {.first = UINT32_MAX};
	struct as_slice name = as_str_get(j->src, j->src->event.p[k].name);
	uint32_t plain;

	if (!as_slice_eq(name, j->r.event_name[k]) && as_profile_event(j->m->b.prof, name, &plain))
		one.of = plain + 1;
	return as_err_memory(j->m->err, as_vec_push(j->m->own, &j->m->event, one));
}

enum as_code as_merge_events(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;

	AS_TRY(merge_events_names(j));
	AS_TRY(as_remap_events(&j->r));
	for (uint32_t k = 0; k < j->r.e; k++)
		if (j->r.event[k] == m->event.n)
			AS_TRY(merge_events_new(j, k));
	as_assert(m->event.n == m->b.prof->event.n);
	for (uint32_t k = 0; k < j->r.e; k++)
		AS_TRY(settle_event(j, k));
	return AS_OK;
}
