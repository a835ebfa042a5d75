/* SPDX-License-Identifier: Apache-2.0 */
/* What stands above the rows of a comparison and below them, as text and Markdown. */
#include "report/diff/diff_print.h"

#include "report/kit/name_fit.h"
#include "report/kit/show.h"
#include "report/kit/utf8.h"

/* ---- above the table ---- */

static const char *about_arrow(const struct as_diff_print *p)
{
	return p->style->utf8 ? "\u2192" : "->";
}

static void about_label(struct as_diff_print *p, const char *word)
{
	as_out_printf(p->out, "%s%-6s%s  ", as_paint_begin(p->style, AS_PAINT_HEAD), word,
		as_paint_end(p->style, AS_PAINT_HEAD));
}

enum { LABEL = 8, LISTED = 8, LISTED_NAME = 40, AND_MORE = 14 };

/* Names in a line, of N: on a terminal as many as find room, else LISTED. */
struct about_list {
	size_t n, listed, used; /* columns */
};

static struct as_slice about_listed_name(struct as_diff_print *p, struct as_slice name)
{
	return as_name_fit(&p->arena, name, p->style->width ? LISTED_NAME : 0, p->style->utf8);
}

static void about_list_begin(struct as_diff_print *p, struct about_list *list, const char *label,
	struct as_slice text, size_t n)
{
	*list = (struct about_list){.n = n, .used = LABEL + as_utf8_columns(text)};
	about_label(p, label);
	as_out_slice(p->out, text);
}

static bool about_list_put(struct as_diff_print *p, struct about_list *list, struct as_slice text)
{
	size_t width = p->style->width, used = list->used + 2 + as_utf8_columns(text);
	bool last = list->listed + 1 == list->n;

	if (list->listed == LISTED ||
		(list->listed && width && used + (last ? 0 : AND_MORE) > width))
		return false;
	as_out_printf(p->out, "%s %.*s", list->listed ? "," : "", AS_SLICE_FMT(text));
	list->used = used;
	list->listed++;
	return true;
}

static void about_list_end(struct as_diff_print *p, const struct about_list *list)
{
	if (list->n > list->listed)
		as_out_printf(p->out, " and %zu more", list->n - list->listed);
	as_out_char(p->out, '\n');
}

static void about_say(struct as_diff_print *p, const char *word, struct as_slice s)
{
	about_label(p, word);
	as_out_slice(p->out, s);
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
	struct as_slice a = as_diff_number(&p->arena, ev, base, false, p->style);
	struct as_slice b = as_diff_number(&p->arena, ev, new_, false, p->style);
	struct as_slice delta = as_diff_number(&p->arena, ev, new_ - base, true, p->style);
	struct as_slice percent = as_diff_percent(&p->arena, base, new_);

	about_label(p, "total");
	as_out_printf(p->out, "%.*s %s %.*s %.*s", AS_SLICE_FMT(a), about_arrow(p), AS_SLICE_FMT(b),
		AS_SLICE_FMT(unit));
	if (ev->norm == AS_NORM_TOTAL && !p->d->is_filtered)
		as_out_text(p->out, ", the same by the rule");
	else
		as_out_printf(p->out, ", %.*s, %.*s %%: %s%s", AS_SLICE_FMT(delta),
			AS_SLICE_FMT(percent), as_diff_doubt(p->style, fig.verdict),
			as_diff_word(ev, base, new_));
	as_out_char(p->out, '\n');
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
	const struct as_diff *judged = p->v->sub ? &p->v->sub->fig : p->d;
	struct as_slice noise = as_diff_noise_line(&p->arena, judged);
	struct as_slice part = as_diff_filter_line(&p->arena, p->d, p->event);
	struct as_slice odd = as_diff_totals_line(&p->arena, p->d, p->event);
	struct as_slice moved = as_diff_moved_line(&p->arena, p->d, about_arrow(p));

	about_side(p, AS_BASE);
	about_side(p, AS_NEW);
	for (uint32_t i = 0; i < p->v->n_events; i++)
		if (p->d->event[p->v->event[i]].is_fine)
			about_total(p, p->v->event[i]);
	about_say(p, "scale", as_diff_rule(&p->arena, p->d, p->event));
	if (part.len)
		about_say(p, "filter", part);
	if (noise.len)
		about_say(p, "noise", noise);
	if (moved.len)
		about_say(p, "object", moved);
	if (p->d->n_clones)
		about_say(p, "names",
			as_arena_printf(&p->arena,
				"%" PRIu64 " with .isra, .part, .constprop, .cold, .llvm or a "
				"hash are those of their functions",
				p->d->n_clones));
	if (p->d->is_estimated)
		about_say(p, "note",
			as_slice_of("estimated: which way cost took was made out of calls"));
	if (odd.len)
		about_say(p, "note", odd);
	about_not_compared(p);
	as_out_char(p->out, '\n');
}

/* ---- below it ---- */

/* "f:12"; of a subtree where it stands: "g below f". */
static struct as_slice about_row(struct as_diff_print *p, uint32_t row)
{
	struct as_arena *ar = &p->arena;
	const struct as_diff_place *place;
	struct as_slice name, up;

	if (p->v->kind == AS_DIFF_TABLE) {
		name = about_listed_name(p, as_diff_row_name(ar, p->d, row));
		if (!name.p || !p->d->key.p[row].line)
			return name;
		return as_arena_printf(
			ar, "%.*s:%" PRIu64, AS_SLICE_FMT(name), p->d->key.p[row].line);
	}
	place = &p->v->sub->place.p[row];
	name = about_listed_name(p, as_diff_place_name(ar, p->d, place));
	if (!place->up || !name.p)
		return name;
	up = about_listed_name(p, as_diff_place_name(ar, p->d, &p->v->sub->place.p[place->up - 1]));
	return as_arena_printf(ar, "%.*s %s %.*s", AS_SLICE_FMT(name),
		p->v->sub->way != AS_TREE_CALLEES ? "above" : "below", AS_SLICE_FMT(up));
}

/* Rows that one side LACKS are among these, the largest first. */
struct about_rows {
	const struct as_diff *of;
	const uint32_t *row;
	size_t n;
};

static struct about_rows about_rows(const struct as_diff_print *p, enum as_side lacks)
{
	const struct as_diff_view *v = p->v;

	if (v->kind == AS_DIFF_TABLE)
		return (struct about_rows){p->d, p->d->order, p->d->key.n};
	return (struct about_rows){
		&v->sub->fig, v->tree->one_sided[lacks].p, v->tree->one_sided[lacks].n};
}

/* What is on one side only, by cost: always said, wherever the rows end. */
static void about_one_sided(
	struct as_diff_print *p, enum as_side lacks, const char *label, size_t n)
{
	struct about_rows rows = about_rows(p, lacks);
	bool tree = p->v->kind == AS_DIFF_TREE;
	const struct as_diff_event *ev = &p->d->event[p->event];
	struct about_list list;
	struct as_slice text;
	as_val sum = 0, value[AS_SIDES];

	for (size_t i = 0; i < rows.n; i++)
		if (!as_diff_has(rows.of, rows.row[i], lacks)) {
			as_diff_values(rows.of, rows.row[i], p->event, tree, value);
			sum += value[lacks == AS_BASE ? AS_NEW : AS_BASE];
		}
	text = as_diff_number(&p->arena, ev, sum, false, p->style);
	text = as_arena_printf(&p->arena, "%zu%s%s%s, %.*s %.*s:", n, tree ? " call path" : "",
		tree && n != 1 ? "s" : "",
		!tree                               ? ""
		: p->v->sub->way != AS_TREE_CALLEES ? " with all above"
						    : " with all below",
		AS_SLICE_FMT(text), AS_SLICE_FMT(as_show_clean(&p->arena, as_diff_unit(p->d, ev))));
	about_list_begin(p, &list, label, text, n);
	for (size_t i = 0; i < rows.n; i++)
		if (!as_diff_has(rows.of, rows.row[i], lacks) &&
			!about_list_put(p, &list, about_row(p, rows.row[i])))
			break;
	about_list_end(p, &list);
}

void as_diff_text_one_sided(struct as_diff_print *p)
{
	const struct as_diff_tree_view *tree = p->v->tree;
	size_t gone = p->d->n_vanished, added = p->d->n_appeared;

	if (p->v->kind == AS_DIFF_TREE) {
		gone = tree->one_sided[AS_NEW].n;
		added = tree->one_sided[AS_BASE].n;
	} else if (p->v->kind != AS_DIFF_TABLE) {
		return;
	}
	if (gone || added)
		as_out_char(p->out, '\n');
	if (gone)
		about_one_sided(p, AS_NEW, "gone", gone);
	if (added)
		about_one_sided(p, AS_BASE, "added", added);
}

/* ---- Markdown ---- */

static void about_md_line(struct as_diff_print *p, const char *label, struct as_slice text)
{
	if (text.len)
		as_out_printf(p->out, "%s: %.*s.\n", label, AS_SLICE_FMT(text));
}

void as_diff_md_end(struct as_diff_print *p)
{
	struct as_arena *ar = &p->arena;

	as_out_char(p->out, '\n');
	about_md_line(p, "Scale", as_diff_rule(ar, p->d, p->event));
	about_md_line(p, "Filter", as_diff_filter_line(ar, p->d, p->event));
	about_md_line(p, "Object", as_diff_moved_line(ar, p->d, "\u2192"));
	about_md_line(p, "Note", as_diff_totals_line(ar, p->d, p->event));
	if (p->d->is_estimated)
		about_md_line(
			p, "Estimated", as_slice_of("which way cost took was made out of calls"));
	about_md_line(p, "Noise", as_diff_noise_line(ar, p->v->sub ? &p->v->sub->fig : p->d));
}
