/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and sentences of a comparison. */
#include "report/diff/diff_print.h"
#include "report/kit/show.h"

static struct as_slice period_text(
	struct as_arena *ar, const struct as_diff *d, uint32_t e, enum as_side side)
{
	const struct as_diff_run *first = NULL;

	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (run->side != side)
			continue;
		if (first && (first->period[e] != run->period[e] ||
				     first->period_unit[e].i != run->period_unit[e].i))
			return as_slice_of("several periods");
		first = run;
	}
	if (!first || !first->period[e])
		return as_slice_of("an unknown period");
	return as_arena_printf(ar, "%" PRIu64 " %.*s", first->period[e],
		AS_SLICE_FMT(as_diff_str(d, first->period_unit[e])));
}

struct as_slice as_diff_rule(struct as_arena *ar, const struct as_diff *d, uint32_t e)
{
	const struct as_diff_event *ev = &d->event[e];
	struct as_slice name = as_show_clean(ar, as_diff_str(d, ev->name)), base, new_;

	switch (ev->norm) {
	case AS_NORM_TIME:
		if (!ev->period || ev->is_weighted)
			return as_arena_printf(
				ar, "time: %.*s is what its samples stand for", AS_SLICE_FMT(name));
		base = period_text(ar, d, e, AS_BASE);
		new_ = period_text(ar, d, e, AS_NEW);
		return as_arena_printf(ar, "time: one of %.*s stands for %.*s in BASE, %.*s in NEW",
			AS_SLICE_FMT(name), AS_SLICE_FMT(base), AS_SLICE_FMT(new_));
	case AS_NORM_TOTAL:
		return as_arena_printf(ar,
			"total: every run is scaled to BASE's total of %.*s, so only shares differ",
			AS_SLICE_FMT(name));
	default:
		return as_arena_printf(ar, "none: %.*s as %s", AS_SLICE_FMT(name),
			ev->is_sampled ? "sampled, not scaled" : "counted");
	}
}

struct as_slice as_diff_scale_words(struct as_arena *ar, const struct as_diff *d, uint32_t e)
{
	switch (d->event[e].norm) {
	case AS_NORM_TIME:
		return as_arena_printf(
			ar, "compared as %.*s", AS_SLICE_FMT(as_diff_rule(ar, d, e)));
	case AS_NORM_TOTAL:
		return as_slice_of("scaled to the base's total: only shares differ");
	default:
		return as_slice_of(d->event[e].is_sampled ? "compared as sampled, not scaled"
							  : "compared as counted");
	}
}

struct as_slice as_diff_row_name(struct as_arena *ar, const struct as_diff *d, uint32_t row)
{
	const struct as_diff_key *k = &d->key.p[row];
	struct as_slice name = as_diff_str(d, k->shown), object = as_diff_str(d, k->latest);

	as_assert(row < d->key.n);
	if (d->opts.by == AS_BY_FILE || d->opts.by == AS_BY_OBJECT)
		name = as_diff_str(d, k->path);
	if (name.len)
		return as_show_clean(ar, name);
	if (!object.len)
		return as_slice_of("[unknown]");
	return as_arena_printf(ar, "[%.*s]", AS_SLICE_FMT(as_show_clean(ar, object)));
}

size_t as_diff_shown(const struct as_diff_view *v)
{
	size_t n = v->d->key.n - v->n_less;

	if (v->page)
		return v->n_page;
	return v->limit && v->limit < n ? v->limit : n;
}

uint32_t as_diff_shown_row(const struct as_diff_view *v, size_t i)
{
	return v->page ? v->page[i] : v->d->order[i];
}

void as_diff_rest(const struct as_diff_view *v, uint32_t event, as_val rest[AS_SIDES])
{
	as_val value[AS_SIDES];

	memcpy(rest, as_diff_total(v->d, event).value, sizeof(value));
	for (size_t i = 0; i < as_diff_shown(v); i++) {
		as_diff_values(v->d, as_diff_shown_row(v, i), event, false, value);
		for (unsigned side = 0; side < AS_SIDES; side++)
			rest[side] -= value[side];
	}
}

struct as_diff_row_key as_diff_key_of(const struct as_diff *d, uint32_t row)
{
	const struct as_diff_key *k = &d->key.p[row];
	struct as_slice path = as_diff_str(d, k->path), object = as_diff_str(d, k->latest);
	bool has_file = d->opts.by != AS_BY_OBJECT && k->name.i;
	struct as_diff_row_key rk = {.object = object};

	as_assert(row < d->key.n);
	if (d->opts.by == AS_BY_FUNC || d->opts.by == AS_BY_LINE)
		rk.function = as_diff_str(d, k->shown);
	if (d->opts.by == AS_BY_OBJECT)
		rk.object = path;
	/* Without a file the path is the object's. */
	if (has_file && !k->path_is_object)
		rk.file = path;
	return rk;
}
