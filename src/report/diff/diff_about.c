/* SPDX-License-Identifier: Apache-2.0 */
/* What stands above the rows of a comparison and below them, as text and Markdown. */
#include "report/diff/diff_print.h"

#include "base/utf8_len.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"

#define ABOUT_ESTIMATED "which way cost took was made out of calls"

enum { LABEL = 8, LISTED = 8, LISTED_NAME = 40, AND_MORE = 14, MOVED_TOLD = 3 };

/* ---- what is compared ---- */

static void about_label(struct as_diff_print *p, const char *word)
{
	as_out_printf(p->out, "%s%-6s%s  ", as_paint_begin(p->style, AS_PAINT_HEAD), word,
		as_paint_end(p->style, AS_PAINT_HEAD));
}

/* A line, if there is something to say. */
static void about_say(struct as_diff_print *p, const char *word, struct as_slice text)
{
	if (!text.len)
		return;
	if (as_sheet_is(&p->sheet, AS_FORM_MARKDOWN)) {
		as_out_printf(p->out, "%s: %.*s.\n", word, AS_SLICE_FMT(text));
		return;
	}
	about_label(p, word);
	as_out_slice(p->out, text);
	as_out_char(p->out, '\n');
}

static void about_side(struct as_diff_print *p, enum as_side side)
{
	size_t n = 0;

	about_label(p, side == AS_BASE ? "base" : "new");
	for (size_t i = 0; i < p->d->run.n; i++) {
		const struct as_diff_run *run = &p->d->run.p[i];

		if (run->side != side)
			continue;
		if (n < 3)
			as_out_printf(p->out, "%s%.*s", n ? ", " : "",
				AS_SLICE_FMT(
					as_show_clean(&p->arena, as_diff_str(p->d, run->file))));
		n++;
	}
	if (n > 3)
		as_out_printf(p->out, " and %zu more", n - 3);
	if (n > 1)
		as_out_printf(p->out, "  (%zu runs, their mean)", n);
	as_out_char(p->out, '\n');
}

const char *as_diff_doubt(const struct as_style *style, enum as_verdict verdict)
{
	if (verdict == AS_DIFF_NOISE)
		return style->utf8 ? "\u2248 " : "~ ";
	return verdict == AS_DIFF_CHANCE ? "? " : "";
}

static void about_total(struct as_diff_print *p, uint32_t e)
{
	const struct as_diff_event *ev = &p->d->event[e];
	struct as_diff_fig fig = as_diff_total(p->d, e);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];
	struct as_slice unit = as_show_clean(&p->arena, as_diff_unit(p->d, ev));
	struct as_slice delta = as_diff_number(&p->arena, ev, new_ - base, true, p->style);
	struct as_slice percent = as_diff_percent(&p->arena, base, new_);

	about_label(p, "total");
	as_out_printf(p->out, "%.*s %.*s",
		AS_SLICE_FMT(as_diff_pair(&p->arena, ev, fig.value, p->style)), AS_SLICE_FMT(unit));
	if (ev->norm == AS_NORM_TOTAL && !p->d->is_filtered)
		as_out_text(p->out, ", the same by the rule");
	else
		as_out_printf(p->out, ", %.*s, %.*s %%: %s%s", AS_SLICE_FMT(delta),
			AS_SLICE_FMT(percent), as_diff_doubt(p->style, fig.verdict),
			as_diff_word(ev, base, new_));
	as_out_char(p->out, '\n');
}

/* ---- how it is compared ---- */

/* The mean total of a side, as its periods have it, in nanoseconds. */
static struct as_slice about_total_by_period(struct as_diff_print *p, enum as_side side)
{
	as_val sum = 0;

	for (size_t i = 0; i < p->d->run.n; i++)
		if (p->d->run.p[i].side == side)
			sum += p->d->run.p[i].by_time[p->event];
	return as_diff_decimal(&p->arena, sum / p->d->n_side[side], 9, 3, false,
		&(struct as_style){.group = true});
}

/* What is odd about the totals. The same work takes the same time, at whatever rate it is
 * sampled. */
static struct as_slice about_odd(struct as_diff_print *p)
{
	const struct as_diff_event *ev = &p->d->event[p->event];
	struct as_diff_fig fig = as_diff_total(p->d, p->event);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];

	if (ev->is_off_rate)
		return as_arena_printf(&p->arena,
			"by their periods BASE took %.*s s and NEW %.*s s, but shares hardly "
			"differ: a recorder that missed its rate? %s",
			AS_SLICE_FMT(about_total_by_period(p, AS_BASE)),
			AS_SLICE_FMT(about_total_by_period(p, AS_NEW)),
			ev->norm == AS_NORM_TIME    ? "compare shares: --normalize total"
			: ev->norm == AS_NORM_TOTAL ? "--normalize time believes the periods"
						    : "");
	if (ev->norm == AS_NORM_TIME && ev->noise != AS_NOISE_NONE && base > 0 && new_ > 0 &&
		(base > new_ * 2 || new_ > base * 2))
		return as_slice_of("the totals are far apart: if both sides did the same work, "
				   "compare shares: --normalize total");
	return as_slice_of("");
}

/* What the filters left of the wholes. */
static struct as_slice about_filters(struct as_diff_print *p)
{
	struct as_diff_pick all = {.event = p->event, .whole = true};
	struct as_diff_fig part = as_diff_total(p->d, p->event), whole = as_diff_sum(p->d, &all);
	struct as_slice share[AS_SIDES];

	if (!p->d->is_filtered)
		return as_slice_of("");
	for (unsigned side = 0; side < AS_SIDES; side++)
		share[side] = as_show_percent(&p->arena, part.value[side], whole.value[side]);
	return as_arena_printf(&p->arena, "what was chosen is %.*s %% of BASE, %.*s %% of NEW",
		AS_SLICE_FMT(share[AS_BASE]), AS_SLICE_FMT(share[AS_NEW]));
}

static struct as_slice about_object(struct as_diff_print *p, as_str object)
{
	if (!object.i)
		return as_slice_of("[no object]");
	return as_show_clean(&p->arena, as_diff_str(p->d, object));
}

/* Which objects have another name on each side. */
static struct as_slice about_moved(struct as_diff_print *p)
{
	size_t n = p->d->moved.n, told = n < MOVED_TOLD ? n : MOVED_TOLD;
	struct as_slice text = as_slice_of("");

	for (size_t i = 0; i < told; i++) {
		const struct as_diff_moved *m = &p->d->moved.p[i];

		text = as_arena_printf(&p->arena, "%.*s%s%.*s %s %.*s: %" PRIu64 " function%s",
			AS_SLICE_FMT(text), i ? ", " : "",
			AS_SLICE_FMT(about_object(p, m->object[AS_BASE])),
			p->style->utf8 ? "\u2192" : "->",
			AS_SLICE_FMT(about_object(p, m->object[AS_NEW])), m->n,
			m->n == 1 ? "" : "s");
	}
	if (n > told)
		text = as_arena_printf(
			&p->arena, "%.*s, and %zu more", AS_SLICE_FMT(text), n - told);
	if (!n)
		return text;
	return as_arena_printf(&p->arena, "%.*s, matched by name alone", AS_SLICE_FMT(text));
}

/* How noise is told; exact counts have none. */
static struct as_slice about_noise(struct as_diff_print *p)
{
	const struct as_diff *d = p->v->sub ? &p->v->sub->fig : p->d;
	enum as_noise noise = d->event[d->sort_event].noise;

	if (noise == AS_NOISE_NONE)
		return as_slice_of("");
	return as_arena_printf(&p->arena,
		"%s: of %zu row%s %zu %s 95 %% interval, by chance alone about %zu would; %zu "
		"hold%s with all judged together",
		noise == AS_NOISE_POISSON ? "samples" : "runs", d->n_tested,
		d->n_tested == 1 ? "" : "s", d->n_beyond,
		d->n_beyond == 1 ? "differs beyond its" : "differ beyond their",
		(d->n_tested + 10) / 20, d->n_sure, d->n_sure == 1 ? "s" : "");
}

static void about_not_compared(struct as_diff_print *p)
{
	for (uint32_t e = 0; e < p->d->n_events; e++) {
		const struct as_diff_event *ev = &p->d->event[e];

		if (ev->lack)
			about_say(p, "note",
				as_arena_printf(&p->arena, "only %s has the event %.*s",
					ev->lack & 1u << AS_BASE ? "NEW" : "BASE",
					AS_SLICE_FMT(as_diff_str(p->d, ev->name))));
	}
	for (uint32_t e = 0; e < p->d->n_events; e++)
		if (p->d->event[e].other_caches)
			about_say(p, "note",
				as_arena_printf(&p->arena, "%.*s: the runs simulated other caches",
					AS_SLICE_FMT(as_diff_str(p->d, p->d->event[e].name))));
	for (size_t i = 0; i < p->d->extra.n; i++)
		about_say(p, "note",
			as_arena_printf(&p->arena, "not every run has the event %.*s",
				AS_SLICE_FMT(as_diff_str(p->d, p->d->extra.p[i]))));
}

void as_diff_text_head(struct as_diff_print *p)
{
	about_side(p, AS_BASE);
	about_side(p, AS_NEW);
	for (uint32_t i = 0; i < p->v->n_events; i++)
		if (p->d->event[p->v->event[i]].is_fine)
			about_total(p, p->v->event[i]);
	about_say(p, "scale", as_diff_rule(&p->arena, p->d, p->event));
	about_say(p, "filter", about_filters(p));
	about_say(p, "noise", about_noise(p));
	about_say(p, "object", about_moved(p));
	if (p->d->n_clones)
		about_say(p, "names",
			as_arena_printf(&p->arena,
				"%" PRIu64 " with .isra, .part, .constprop, .cold, .llvm or a hash "
				"are those of their functions",
				p->d->n_clones));
	if (p->d->is_estimated)
		about_say(p, "note", as_slice_of("estimated: " ABOUT_ESTIMATED));
	about_say(p, "note", about_odd(p));
	about_not_compared(p);
	as_out_char(p->out, '\n');
}

void as_diff_md_end(struct as_diff_print *p)
{
	as_out_char(p->out, '\n');
	about_say(p, "Scale", as_diff_rule(&p->arena, p->d, p->event));
	about_say(p, "Filter", about_filters(p));
	about_say(p, "Object", about_moved(p));
	about_say(p, "Note", about_odd(p));
	if (p->d->is_estimated)
		about_say(p, "Estimated", as_slice_of(ABOUT_ESTIMATED));
	about_say(p, "Noise", about_noise(p));
}

/* ---- what one side lacks ---- */

static struct as_slice about_name(struct as_diff_print *p, uint32_t func)
{
	struct as_slice name = func == AS_DIFF_NO_CALLER ? as_slice_of("[no caller]")
							 : as_diff_row_name(&p->arena, p->d, func);

	return as_name_fit(&p->arena, name, p->style->width ? LISTED_NAME : 0, p->style->utf8);
}

/* "f:12"; of a subtree where it stands: "g below f". */
static struct as_slice about_row(struct as_diff_print *p, uint32_t row)
{
	const struct as_diff_place *place;

	if (p->v->kind == AS_DIFF_TABLE) {
		uint64_t line = p->d->key.p[row].line;

		return !line ? about_name(p, row)
			     : as_arena_printf(&p->arena, "%.*s:%" PRIu64,
				       AS_SLICE_FMT(about_name(p, row)), line);
	}
	place = &p->v->sub->place.p[row];
	if (!place->up)
		return about_name(p, place->func);
	return as_arena_printf(&p->arena, "%.*s %s %.*s", AS_SLICE_FMT(about_name(p, place->func)),
		as_diff_is_up(p->v) ? "above" : "below",
		AS_SLICE_FMT(about_name(p, p->v->sub->place.p[place->up - 1].func)));
}

/* Rows, the largest first; of those of a table SIDE has N, and the other none. */
struct about_rows {
	const struct as_diff *of;
	const uint32_t *row;
	size_t n_rows, n;
	enum as_side side;
};

static struct about_rows about_rows(const struct as_diff_print *p, enum as_side side)
{
	const struct as_diff_view *v = p->v;
	enum as_side lacks = side == AS_BASE ? AS_NEW : AS_BASE;
	size_t n = side == AS_BASE ? p->d->n_vanished : p->d->n_appeared;

	if (v->kind == AS_DIFF_TABLE)
		return (struct about_rows){p->d, p->d->order, p->d->key.n, n, side};
	if (v->kind != AS_DIFF_TREE)
		return (struct about_rows){.side = side};
	n = v->tree->one_sided[lacks].n;
	return (struct about_rows){&v->sub->fig, v->tree->one_sided[lacks].p, n, n, side};
}

static bool about_is_both(const struct about_rows *rows, size_t i)
{
	return as_diff_has(rows->of, rows->row[i], rows->side == AS_BASE ? AS_NEW : AS_BASE);
}

/* Names in a line that has USED columns: on a terminal as many as find room, else LISTED. */
static void about_list(struct as_diff_print *p, const struct about_rows *rows, size_t used)
{
	size_t listed = 0, width = p->style->width;

	for (size_t i = 0; i < rows->n_rows && listed < LISTED; i++) {
		struct as_slice text;

		if (about_is_both(rows, i))
			continue;
		text = about_row(p, rows->row[i]);
		used += 2 + as_utf8_columns(text);
		if (listed && width && used + (listed + 1 == rows->n ? 0 : AND_MORE) > width)
			break;
		as_out_printf(p->out, "%s %.*s", listed++ ? "," : "", AS_SLICE_FMT(text));
	}
	if (rows->n > listed)
		as_out_printf(p->out, " and %zu more", rows->n - listed);
	as_out_char(p->out, '\n');
}

/* This is always said, however few rows are shown. */
static void about_one_sided(struct as_diff_print *p, const struct about_rows *rows)
{
	bool tree = p->v->kind == AS_DIFF_TREE;
	const struct as_diff_event *ev = &p->d->event[p->event];
	struct as_slice text;
	as_val sum = 0, value[AS_SIDES];

	if (!rows->n)
		return;
	for (size_t i = 0; i < rows->n_rows; i++)
		if (!about_is_both(rows, i)) {
			as_diff_values(rows->of, rows->row[i], p->event, tree, value);
			sum += value[rows->side];
		}
	text = as_diff_number(&p->arena, ev, sum, false, p->style);
	text = as_arena_printf(&p->arena, "%zu%s%s%s, %.*s %.*s:", rows->n,
		tree ? " call path" : "", tree && rows->n != 1 ? "s" : "",
		!tree                 ? ""
		: as_diff_is_up(p->v) ? " with all above"
				      : " with all below",
		AS_SLICE_FMT(text), AS_SLICE_FMT(as_show_clean(&p->arena, as_diff_unit(p->d, ev))));
	about_label(p, rows->side == AS_BASE ? "gone" : "added");
	as_out_slice(p->out, text);
	about_list(p, rows, LABEL + as_utf8_columns(text));
}

void as_diff_text_one_sided(struct as_diff_print *p)
{
	struct about_rows gone = about_rows(p, AS_BASE), added = about_rows(p, AS_NEW);

	if (gone.n || added.n)
		as_out_char(p->out, '\n');
	about_one_sided(p, &gone);
	about_one_sided(p, &added);
}
