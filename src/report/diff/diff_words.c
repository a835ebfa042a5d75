/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and sentences of a comparison. */
#include "report/diff/diff_report.h"
#include "report/kit/show.h"

enum { MOVED_TOLD = 3 };

static void *watch_resize(void *ctx, void *p, size_t old, size_t size)
{
	struct as_watch *w = ctx;
	void *got = w->to->resize(w->to->ctx, p, old, size);

	w->failed |= size && !got;
	return got;
}

void as_watch_init(struct as_watch *w, const struct as_alloc *to)
{
	*w = (struct as_watch){.al = {watch_resize, w}, .to = to};
}

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
	struct as_slice rule;

	switch (d->event[e].norm) {
	case AS_NORM_TIME:
		rule = as_diff_rule(ar, d, e);
		return rule.p ? as_arena_printf(ar, "compared as %.*s", AS_SLICE_FMT(rule)) : rule;
	case AS_NORM_TOTAL:
		return as_slice_of("scaled to the base's total: only shares differ");
	default:
		return as_slice_of(d->event[e].is_sampled ? "compared as sampled, not scaled"
							  : "compared as counted");
	}
}

/* The mean total of a side, as its periods have it, in nanoseconds. */
static as_val total_by_period(const struct as_diff *d, uint32_t e, enum as_side side)
{
	as_val sum = 0;

	for (size_t i = 0; i < d->run.n; i++)
		if (d->run.p[i].side == side)
			sum += d->run.p[i].by_time[e];
	return sum / d->n_side[side];
}

static struct as_slice off_rate(struct as_arena *ar, const struct as_diff *d, uint32_t e)
{
	static const struct as_style plain = {.group = true};
	struct as_slice s[AS_SIDES];

	for (unsigned side = 0; side < AS_SIDES; side++) {
		s[side] = as_diff_decimal(ar, total_by_period(d, e, side), 9, 3, false, &plain);
		if (!s[side].p)
			return s[side];
	}
	return as_arena_printf(ar,
		"by their periods BASE took %.*s s and NEW %.*s s, but shares hardly differ: a "
		"recorder that missed its rate? %s",
		AS_SLICE_FMT(s[AS_BASE]), AS_SLICE_FMT(s[AS_NEW]),
		d->event[e].norm == AS_NORM_TIME    ? "compare shares: --normalize total"
		: d->event[e].norm == AS_NORM_TOTAL ? "--normalize time believes the periods"
						    : "");
}

/* The same work takes as long, however often it is looked at. */
struct as_slice as_diff_totals_line(struct as_arena *ar, const struct as_diff *d, uint32_t e)
{
	const struct as_diff_event *ev = &d->event[e];
	struct as_diff_fig fig = as_diff_total(d, e);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];

	if (ev->is_off_rate)
		return off_rate(ar, d, e);
	if (ev->norm == AS_NORM_TIME && ev->noise != AS_NOISE_NONE && base > 0 && new_ > 0 &&
		(base > new_ * 2 || new_ > base * 2))
		return as_slice_of("the totals are far apart: if both sides did the same work, "
				   "compare shares: --normalize total");
	return as_slice_of("");
}

struct as_slice as_diff_filter_line(struct as_arena *ar, const struct as_diff *d, uint32_t e)
{
	struct as_diff_pick all = {.event = e, .whole = true};
	struct as_diff_fig part = as_diff_total(d, e), whole = as_diff_sum(d, &all);
	struct as_slice share[AS_SIDES];

	if (!d->is_filtered)
		return as_slice_of("");
	for (unsigned side = 0; side < AS_SIDES; side++) {
		share[side] = as_show_percent(ar, part.value[side], whole.value[side]);
		if (!share[side].p)
			return share[side];
	}
	return as_arena_printf(ar, "what was chosen is %.*s %% of BASE, %.*s %% of NEW",
		AS_SLICE_FMT(share[AS_BASE]), AS_SLICE_FMT(share[AS_NEW]));
}

static struct as_slice moved_object(
	struct as_arena *ar, const struct as_diff *d, const struct as_diff_moved *m, unsigned side)
{
	if (!m->object[side].i)
		return as_slice_of("[no object]");
	return as_show_clean(ar, as_diff_str(d, m->object[side]));
}

struct as_slice as_diff_moved_line(struct as_arena *ar, const struct as_diff *d, const char *arrow)
{
	struct as_slice text = as_slice_of("");

	for (size_t i = 0; text.p && i < d->moved.n && i < MOVED_TOLD; i++) {
		const struct as_diff_moved *m = &d->moved.p[i];

		text = as_arena_printf(ar, "%.*s%s%.*s %s %.*s: %" PRIu64 " function%s",
			AS_SLICE_FMT(text), i ? ", " : "",
			AS_SLICE_FMT(moved_object(ar, d, m, AS_BASE)), arrow,
			AS_SLICE_FMT(moved_object(ar, d, m, AS_NEW)), m->n, m->n == 1 ? "" : "s");
	}
	if (text.p && d->moved.n > MOVED_TOLD)
		text = as_arena_printf(
			ar, "%.*s, and %zu more", AS_SLICE_FMT(text), d->moved.n - MOVED_TOLD);
	if (!text.len)
		return text;
	return as_arena_printf(ar, "%.*s, matched by name alone", AS_SLICE_FMT(text));
}

struct as_slice as_diff_noise_line(struct as_arena *ar, const struct as_diff *d)
{
	const struct as_diff_event *ev = &d->event[d->sort_event];
	size_t chance = (d->n_tested + 10) / 20;

	if (ev->noise == AS_NOISE_NONE)
		return as_slice_of("");
	return as_arena_printf(ar,
		"%s: of %zu row%s %zu %s 95 %% interval, by chance alone about %zu would; %zu "
		"hold%s with all judged together",
		ev->noise == AS_NOISE_POISSON ? "samples" : "runs", d->n_tested,
		d->n_tested == 1 ? "" : "s", d->n_beyond,
		d->n_beyond == 1 ? "differs beyond its" : "differ beyond their", chance, d->n_sure,
		d->n_sure == 1 ? "s" : "");
}

struct as_slice as_diff_row_name(struct as_arena *ar, const struct as_diff *d, uint32_t row)
{
	const struct as_diff_key *k = &d->key.p[row];
	struct as_slice name = as_diff_str(d, k->shown), object = as_diff_str(d, k->latest);

	if (d->opts.by == AS_BY_FILE || d->opts.by == AS_BY_OBJECT)
		name = as_diff_str(d, k->path);
	if (name.len)
		return as_show_clean(ar, name);
	object = as_show_clean(ar, object);
	if (!object.p || !object.len)
		return object.p ? as_slice_of("[unknown]") : object;
	return as_arena_printf(ar, "[%.*s]", AS_SLICE_FMT(object));
}

struct as_slice as_diff_place_name(
	struct as_arena *ar, const struct as_diff *d, const struct as_diff_place *p)
{
	if (p->func == AS_DIFF_NO_CALLER)
		return as_slice_of("[no caller]");
	return as_diff_row_name(ar, d, p->func);
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

struct as_diff_rest as_diff_rest(const struct as_diff_view *v, uint32_t event)
{
	struct as_diff_fig total = as_diff_total(v->d, event);
	struct as_diff_rest rest = {.n = v->d->key.n - as_diff_shown(v)};

	for (unsigned side = 0; side < AS_SIDES; side++)
		rest.value[side] = total.value[side];
	for (size_t i = 0; i < as_diff_shown(v); i++) {
		as_val value[AS_SIDES];

		as_diff_values(v->d, as_diff_shown_row(v, i), event, false, value);
		for (unsigned side = 0; side < AS_SIDES; side++)
			rest.value[side] -= value[side];
	}
	return rest;
}

const char *as_diff_by(const struct as_diff *d)
{
	static const char *const text[] = {
		[AS_BY_FUNC] = "function",
		[AS_BY_FILE] = "file",
		[AS_BY_OBJECT] = "object",
		[AS_BY_LINE] = "line",
	};

	return text[d->opts.by];
}

const char *as_diff_in_text(const struct as_diff *d, uint32_t row)
{
	if (!as_diff_has(d, row, AS_BASE))
		return "new";
	return as_diff_has(d, row, AS_NEW) ? "both" : "base";
}

struct as_diff_row_key as_diff_key_of(const struct as_diff *d, uint32_t row)
{
	const struct as_diff_key *k = &d->key.p[row];
	struct as_slice path = as_diff_str(d, k->path), object = as_diff_str(d, k->latest);
	bool has_file = d->opts.by != AS_BY_OBJECT && k->name.i;
	struct as_diff_row_key rk = {.object = object};

	if (d->opts.by == AS_BY_FUNC || d->opts.by == AS_BY_LINE)
		rk.function = as_diff_str(d, k->shown);
	if (d->opts.by == AS_BY_OBJECT)
		rk.object = path;
	/* Without a file the path is the object's. */
	if (has_file && !k->path_is_object)
		rk.file = path;
	return rk;
}
