/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a comparison in one picture. */
#include "diff/stat.h"
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "report/diff/diff_report.h"
#include "report/kit/show.h"

static const struct as_style style = {.group = true, .utf8 = true};

struct layout {
	struct as_flame *f;
	const struct as_flame_diff *p;
	struct as_flame_open *open;
	struct as_flame_box *rest; /* of each level, what was gathered */
	as_val *width;             /* of each row of the view */
	as_val min, most;          /* the largest change */
	size_t levels;
};

static const struct as_diff *flame_diff_figures(const struct as_flame_diff *p)
{
	return &p->sub->fig;
}

static uint32_t flame_diff_event_of(const struct as_flame_diff *p)
{
	return p->sub->of->sort_event;
}

static as_val flame_diff_larger(const as_val v[AS_SIDES])
{
	return v[AS_NEW] > v[AS_BASE] ? v[AS_NEW] : v[AS_BASE];
}

static as_val flame_diff_change(const as_val v[AS_SIDES])
{
	return v[AS_NEW] > v[AS_BASE] ? v[AS_NEW] - v[AS_BASE] : v[AS_BASE] - v[AS_NEW];
}

/* ---- words ---- */

/* "3.12 → 0.78 s, -2.34, -74.9 %" */
static struct as_slice flame_diff_both(
	const struct as_flame *f, struct as_arena *ar, const as_val v[AS_SIDES])
{
	const struct as_flame_diff *p = f->of;
	const struct as_diff *d = p->sub->of;
	const struct as_diff_event *ev = &d->event[flame_diff_event_of(p)];
	struct as_slice unit = as_show_clean(ar, as_diff_unit(d, ev));
	struct as_slice pair = as_diff_pair(ar, ev, v, &style);
	struct as_slice delta = as_diff_number(ar, ev, v[AS_NEW] - v[AS_BASE], true, &style);
	struct as_slice percent = as_diff_percent(ar, v[AS_BASE], v[AS_NEW]);

	if (!v[AS_BASE] || v[AS_BASE] == v[AS_NEW])
		return as_arena_printf(ar, "%.*s %.*s", AS_SLICE_FMT(pair), AS_SLICE_FMT(unit));
	return as_arena_printf(ar, "%.*s %.*s, %.*s, %.*s %%", AS_SLICE_FMT(pair),
		AS_SLICE_FMT(unit), AS_SLICE_FMT(delta), AS_SLICE_FMT(percent));
}

/* The total is that of one function, and paths to it, or from it, are estimates. */
static bool is_about(const struct as_diff_sub *sub)
{
	return sub->is_part && sub->place.n && !as_diff_sub_is_exact(sub, 0);
}

static struct as_slice diff_title(const struct as_flame *f, struct as_arena *ar)
{
	const struct as_flame_diff *p = f->of;
	const struct as_diff *d = p->sub->of;
	struct as_diff_fig total = as_diff_sub_total(p->sub, flame_diff_event_of(p));
	struct as_slice sides[AS_SIDES] = {{0}}, all = flame_diff_both(f, ar, total.value);

	for (size_t i = d->run.n; i-- > 0;)
		sides[d->run.p[i].side] =
			as_show_clean(ar, as_base_name(as_diff_str(d, d->run.p[i].file)));
	return as_arena_printf(ar, "%.*s \xe2\x86\x92 %.*s: %s%.*s", AS_SLICE_FMT(sides[AS_BASE]),
		AS_SLICE_FMT(sides[AS_NEW]), is_about(p->sub) ? "~" : "", AS_SLICE_FMT(all));
}

/* A path is as wide as the larger of both sides, whichever end of it boxes begin with. */
static struct as_slice diff_way(const struct as_flame *f, struct as_arena *ar, bool icicle)
{
	const struct as_flame_diff *p = f->of;
	struct as_slice rule = as_diff_scale_words(ar, p->sub->of, flame_diff_event_of(p));
	bool down = p->sub->way == AS_TREE_CALLEES;

	return as_arena_printf(ar,
		"%.*s; width: the larger own cost of both%s; callers are %s what they called",
		AS_SLICE_FMT(rule), down ? "" : ", path by path",
		icicle == down ? "above" : "below");
}

static uint32_t flame_diff_row_of(const struct as_flame *f, size_t box)
{
	const struct as_flame_diff *p = f->of;

	as_assert(f->box.p[box].row < p->tree->row.n);
	return p->tree->row.p[f->box.p[box].row].row;
}

static struct as_slice diff_name(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_diff *p = f->of;

	return as_diff_row_name(ar, p->sub->of, p->sub->place.p[flame_diff_row_of(f, box)].func);
}

static struct as_slice diff_where(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_diff *p = f->of;
	const struct as_diff *d = p->sub->of;
	uint32_t func = p->sub->place.p[flame_diff_row_of(f, box)].func;

	return as_show_where(ar, as_diff_str(d, d->key.p[func].path), 0);
}

static const char *flame_diff_verdict(
	const struct as_diff *figs, uint32_t row, const struct as_diff_fig *fig)
{
	if (!as_diff_has(figs, row, AS_NEW))
		return "; gone";
	if (!as_diff_has(figs, row, AS_BASE))
		return "; added";
	return fig->verdict == AS_DIFF_NOISE    ? "; may be noise"
	       : fig->verdict == AS_DIFF_CHANCE ? "; may be chance"
						: "";
}

static struct as_slice diff_facts(const struct as_flame *f, struct as_arena *ar, size_t box)
{
	const struct as_flame_box *b = &f->box.p[box];
	const struct as_flame_diff *p = f->of;
	struct as_diff_fig fig;
	struct as_slice text;

	if (b->kind == AS_FLAME_REST)
		return as_slice_of("");
	fig = b->kind == AS_FLAME_ROOT
		      ? as_diff_sub_total(p->sub, flame_diff_event_of(p))
		      : as_diff_figure(flame_diff_figures(p), flame_diff_row_of(f, box),
				flame_diff_event_of(p), true);
	text = flame_diff_both(f, ar, fig.value);
	if (b->kind == AS_FLAME_ROOT)
		return as_arena_printf(
			ar, "%s%.*s", is_about(p->sub) ? "~" : "", AS_SLICE_FMT(text));
	return as_arena_printf(ar, "%s%.*s%s", b->estimated ? "~" : "", AS_SLICE_FMT(text),
		flame_diff_verdict(flame_diff_figures(p), flame_diff_row_of(f, box), &fig));
}

static uint32_t diff_func_no(const struct as_flame *f, size_t box)
{
	const struct as_flame_diff *p = f->of;

	return p->sub->place.p[flame_diff_row_of(f, box)].func;
}

static struct as_flame_func diff_func(const struct as_flame *f, size_t box)
{
	const struct as_diff *d = ((const struct as_flame_diff *)f->of)->sub->of;
	const struct as_diff_key *key = &d->key.p[diff_func_no(f, box)];

	return (struct as_flame_func){.name = as_diff_str(d, key->shown),
		.file = key->path_is_object ? as_slice_of("") : as_diff_str(d, key->path),
		.object = as_diff_str(d, key->path_is_object ? key->path : key->latest)};
}

static struct as_flame_event diff_event(const struct as_flame *f)
{
	const struct as_flame_diff *p = f->of;
	const struct as_diff *d = p->sub->of;
	const struct as_diff_event *ev = &d->event[flame_diff_event_of(p)];

	return (struct as_flame_event){as_diff_str(d, ev->name), as_diff_unit(d, ev), ev->decimals};
}

static void diff_sides(const struct as_flame *f, size_t box, struct as_flame_sides *s)
{
	const struct as_flame_diff *p = f->of;
	struct as_diff_fig total;

	*s = (struct as_flame_sides){.has = {true, true}, .known = true};
	if (f->box.p[box].kind == AS_FLAME_REST) {
		s->known = false;
	} else if (f->box.p[box].kind == AS_FLAME_ROOT) {
		total = as_diff_sub_total(p->sub, flame_diff_event_of(p));
		memcpy(s->value, total.value, sizeof(s->value));
	} else {
		as_diff_values(flame_diff_figures(p), flame_diff_row_of(f, box),
			flame_diff_event_of(p), true, s->value);
		s->has[AS_BASE] =
			as_diff_has(flame_diff_figures(p), flame_diff_row_of(f, box), AS_BASE);
		s->has[AS_NEW] =
			as_diff_has(flame_diff_figures(p), flame_diff_row_of(f, box), AS_NEW);
	}
}

static const struct as_flame_words diff_words = {.title = diff_title,
	.way = diff_way,
	.name = diff_name,
	.facts = diff_facts,
	.func_no = diff_func_no,
	.func = diff_func,
	.where = diff_where,
	.event = diff_event,
	.sides = diff_sides};

/* ---- boxes ---- */

static uint8_t flame_diff_colour_of(const struct layout *l, struct as_diff_fig fig)
{
	double size;

	if (fig.verdict != AS_DIFF_SURE || !l->most)
		return 0;
	size = as_sqrt((double)flame_diff_change(fig.value) / (double)l->most);
	return (uint8_t)(1 + (unsigned)((AS_FLAME_STEPS - 1) * size + 0.5) +
			 (fig.value[AS_NEW] < fig.value[AS_BASE] ? AS_FLAME_STEPS : 0));
}

/* Boxes of what was gathered on the levels from DEPTH up, which are complete. */
static enum as_code close_levels(struct layout *l, size_t depth, struct as_err *err)
{
	for (size_t d = l->levels; d-- > depth;) {
		struct as_flame_box rest = l->rest[d];

		l->rest[d] = (struct as_flame_box){.depth = (uint32_t)d + 1, .kind = AS_FLAME_REST};
		if (rest.row)
			AS_TRY(as_flame_put(l->f, l->open, rest, err));
	}
	return AS_OK;
}

static bool is_estimated(const struct as_diff_sub *sub, const struct as_diff_tree_row *row)
{
	if (row->row == AS_DIFF_REST)
		return sub->of->is_estimated && (row->depth || sub->way != AS_TREE_BOTTOM_UP);
	return !as_diff_sub_is_exact(sub, row->row);
}

static enum as_code flame_diff_put_rows(struct layout *l, struct as_err *err)
{
	const struct as_diff_tree_view *t = l->p->tree;
	uint32_t skip = UINT32_MAX; /* rows deeper than that are part of what was gathered */

	for (size_t i = 0; i < t->row.n; i++) {
		const struct as_diff_tree_row *row = &t->row.p[i];
		struct as_flame_box box = {.depth = row->depth + 1,
			.row = i,
			.cost = l->width[i],
			.kind = AS_FLAME_FUNC,
			.estimated = is_estimated(l->p->sub, row)};

		if (row->depth > skip)
			continue;
		skip = UINT32_MAX;
		AS_TRY(close_levels(l, (size_t)row->depth + 1, err));
		if (row->row == AS_DIFF_REST || l->width[i] < l->min) {
			l->rest[row->depth].cost += l->width[i];
			l->rest[row->depth].row += row->row == AS_DIFF_REST ? row->n : 1;
			l->rest[row->depth].estimated |= box.estimated;
			skip = row->depth;
			continue;
		}
		if (l->p->sub->place.p[row->row].func == AS_DIFF_NO_CALLER)
			box.kind = AS_FLAME_ENTRY;
		box.colour =
			flame_diff_colour_of(l, as_diff_figure(flame_diff_figures(l->p), row->row,
							flame_diff_event_of(l->p), true));
		AS_TRY(as_flame_put(l->f, l->open, box, err));
	}
	return close_levels(l, 0, err);
}

/* From the leaves down: the own cost of a row on the side where it is larger, and what it called.
 * ABOVE[d]: the sum of the rows of depth d that have no row below them yet. */
static as_val sum_widths(struct layout *l, as_val *above)
{
	const struct as_diff_tree_view *t = l->p->tree;
	uint32_t event = flame_diff_event_of(l->p);

	for (size_t i = t->row.n; i-- > 0;) {
		const struct as_diff_tree_row *row = &t->row.p[i];
		as_val v[AS_SIDES];

		if (row->row == AS_DIFF_REST) {
			l->width[i] = flame_diff_larger(as_diff_tree_rest(t, row, event));
		} else {
			as_diff_values(flame_diff_figures(l->p), row->row, event, true, v);
			l->most = flame_diff_change(v) > l->most ? flame_diff_change(v) : l->most;
			as_diff_values(flame_diff_figures(l->p), row->row, event, false, v);
			l->width[i] = flame_diff_larger(v) + above[row->depth + 1];
			above[row->depth + 1] = 0;
		}
		above[row->depth] += l->width[i];
	}
	return above[0];
}

static enum as_code flame_diff_lay_out(struct layout *l, as_val *above, struct as_err *err)
{
	struct as_diff_fig total = as_diff_sub_total(l->p->sub, flame_diff_event_of(l->p));

	l->f->width = l->f->total = sum_widths(l, above);
	l->most =
		flame_diff_change(total.value) > l->most ? flame_diff_change(total.value) : l->most;
	l->min = l->p->min ? l->p->min : l->p->pixels ? l->f->width / l->p->pixels : 0;
	if (l->p->boxes)
		AS_TRY(as_flame_least_of(
			l->f->al, l->width, l->p->tree->row.n, 1, l->p->boxes / 2, &l->min));
	AS_TRY(as_flame_begin(l->f, l->open, err));
	l->f->box.p[0].colour = flame_diff_colour_of(l, total);
	for (size_t d = 0; d < l->levels; d++)
		l->rest[d] = (struct as_flame_box){.depth = (uint32_t)d + 1, .kind = AS_FLAME_REST};
	return flame_diff_put_rows(l, err);
}

enum as_code as_flame_of_diff(struct as_flame *f, const struct as_flame_diff *p, struct as_err *err)
{
	const struct as_alloc *al = p->tree->al;
	struct layout l = {.f = f, .p = p, .levels = 1};
	struct as_arena ar;
	as_val *above;
	enum as_code rc = AS_E_NOMEM;

	as_assert(flame_diff_event_of(p) < p->sub->of->n_events);
	*f = (struct as_flame){.al = al,
		.words = &diff_words,
		.of = p,
		.levels = p->depth,
		.partial = p->sub->of->is_partial};
	for (size_t i = 0; i < p->tree->row.n; i++)
		if (p->tree->row.p[i].depth >= l.levels)
			l.levels = (size_t)p->tree->row.p[i].depth + 1;
	as_arena_init(&ar, al);
	l.open = as_arena_get(&ar, (l.levels + 2) * sizeof(*l.open));
	l.rest = as_arena_get(&ar, l.levels * sizeof(*l.rest));
	l.width = as_arena_get(&ar, (p->tree->row.n + 1) * sizeof(*l.width));
	above = as_arena_get(&ar, (l.levels + 1) * sizeof(*above));
	if (l.open && l.rest && l.width && above) {
		memset(above, 0, (l.levels + 1) * sizeof(*above));
		rc = flame_diff_lay_out(&l, above, err);
	}
	as_arena_release(&ar);
	return rc == AS_E_NOMEM ? as_err_no_memory(err) : rc;
}
