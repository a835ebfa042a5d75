/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must agree. Samples of different weight cannot be added, nor costs of different units,
 * nor counts of an image that is laid out differently: such inputs are refused, whatever the
 * order in which they come.
 */
#include "change/merge/merge_impl.h"

/* 'a.prof', or what it is called when nobody gave it a name. */
static struct as_slice merge_check_quoted(struct as_merge *m, struct as_slice name)
{
	struct as_slice text = as_slice_of("an input without a name");

	if (name.len)
		text = as_arena_printf(&m->b.prof->arena, "'%.*s'", AS_SLICE_FMT(name));
	return text.p ? text : name;
}

static struct as_slice input_name(struct as_merge *m, const struct as_profile *src)
{
	if (!src->part.n)
		return merge_check_quoted(m, (struct as_slice){NULL, 0});
	return merge_check_quoted(m, as_str_get(src, src->part.p[0].name));
}

static struct as_slice merge_check_ours(struct as_merge *m, as_str name)
{
	return merge_check_quoted(m, as_str_get(m->b.prof, name));
}

static enum as_code check_period(struct as_merge *m, const struct as_profile *src,
	const struct as_event *ev, const struct as_merge_event *have)
{
	struct as_slice unit = as_str_get(src, ev->period_unit);
	struct as_slice our_unit = as_str_get(m->b.prof, have->period_unit);
	as_val nanos = (as_val)as_unit_nanos(unit) * ev->period;

	if (!ev->period || !have->period ||
		(ev->period == have->period && as_slice_eq(unit, our_unit)) ||
		(nanos && nanos == (as_val)as_unit_nanos(our_unit) * have->period))
		return AS_OK;
	return as_err_set(m->err, AS_E_ARG,
		"'%.*s' has a period of %" PRIu64 " %.*s in %.*s and of %" PRIu64
		" %.*s in %.*s: samples of different weight cannot be added",
		AS_SLICE_FMT(as_str_get(src, ev->name)), have->period, AS_SLICE_FMT(our_unit),
		AS_SLICE_FMT(merge_check_ours(m, have->period_from)), ev->period,
		AS_SLICE_FMT(unit), AS_SLICE_FMT(input_name(m, src)));
}

/* Whether costs in UNIT can be those of event I times a whole number, or the other way round. Of an
 * input that does not say its unit nobody knows which it is. */
static bool merge_check_scales(const struct as_merge *m, uint32_t i, struct as_slice unit)
{
	struct as_slice ours = as_str_get(m->b.prof, m->b.prof->event.p[i].unit);

	return !as_slice_eq(unit, ours) && !m->event.p[i].no_unit &&
	       (as_merge_units(unit, ours) || as_merge_units(ours, unit));
}

static enum as_code check_event(
	struct as_merge *m, const struct as_profile *src, const struct as_event *ev)
{
	struct as_slice name = as_str_get(src, ev->name), unit = as_str_get(src, ev->unit), ours;
	const struct as_profile *dst = m->b.prof;
	uint32_t i;

	if (!as_profile_event(dst, name, &i) || merge_check_scales(m, i, unit))
		return AS_OK;
	ours = as_str_get(dst, dst->event.p[i].unit);
	if (!unit.len && m->event.p[i].several)
		return as_err_set(m->err, AS_E_ARG,
			"'%.*s' has no unit in %.*s, but had several before", AS_SLICE_FMT(name),
			AS_SLICE_FMT(input_name(m, src)));
	if (unit.len && ours.len && !as_slice_eq(unit, ours))
		return as_err_set(m->err, AS_E_ARG,
			"'%.*s' is counted in %.*s in %.*s, but was in %.*s before",
			AS_SLICE_FMT(name), AS_SLICE_FMT(unit), AS_SLICE_FMT(input_name(m, src)),
			AS_SLICE_FMT(ours));
	return check_period(m, src, ev, &m->event.p[i]);
}

static enum as_code check_object(
	struct as_merge *m, const struct as_profile *src, const struct as_object_row *o)
{
	const struct as_object_row *have;
	as_str path, id;
	uint32_t i;

	if (!o->text_start && !o->text_size)
		return AS_OK;
	AS_TRY(as_build_str(&m->b, as_str_get(src, o->path), &path));
	AS_TRY(as_build_str(&m->b, as_str_get(src, o->id), &id));
	i = as_merge_find_object(m, path, id, o->addr_kind);
	have = &m->b.prof->object.p[i];
	if (!i || (!have->text_start && !have->text_size) ||
		(have->text_start == o->text_start && have->text_size == o->text_size))
		return AS_OK;
	return as_err_set(m->err, AS_E_ARG,
		"the text of '%.*s' is 0x%" PRIx64 " bytes at 0x%" PRIx64
		" in %.*s, but was 0x%" PRIx64 " bytes at 0x%" PRIx64
		" before: their counts cannot be added",
		AS_SLICE_FMT(as_str_get(src, o->path)), o->text_size, o->text_start,
		AS_SLICE_FMT(input_name(m, src)), have->text_size, have->text_start);
}

/* DCPI: counts of one image on two kinds of machine are not the same thing. */
static enum as_code check_platform(struct as_merge *m, const struct as_profile *src, uint32_t part)
{
	struct as_slice text = as_meta_get(src, part, "platform");

	if (!text.p || !m->platform.i || as_slice_eq(text, as_str_get(m->b.prof, m->platform)))
		return AS_OK;
	return as_err_set(m->err, AS_E_ARG, "the platform is '%.*s' in %.*s, but '%.*s' in %.*s",
		AS_SLICE_FMT(text), AS_SLICE_FMT(input_name(m, src)),
		AS_SLICE_FMT(as_str_get(m->b.prof, m->platform)),
		AS_SLICE_FMT(merge_check_ours(m, m->platform_from)));
}

enum as_code as_merge_check(struct as_merge *m, const struct as_profile *src)
{
	for (size_t i = 0; i < src->event.n; i++)
		AS_TRY(check_event(m, src, &src->event.p[i]));
	for (size_t i = 1; i < src->object.n; i++)
		AS_TRY(check_object(m, src, &src->object.p[i]));
	if (as_format_of(src)->platform)
		for (uint32_t i = 0; i < src->part.n; i++)
			AS_TRY(check_platform(m, src, i));
	return AS_OK;
}
