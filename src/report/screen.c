/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

#include "base/utf8_len.h"
#include "diff/diff.h"
#include "formats/format.h"
#include "formats/run_lines.h"
#include "report/kit/show.h"
#include "report/kit/unit.h"
#include "report/top.h"

enum { ROWS_DEFAULT = 10, KEY_COLUMNS = 8, EVENTS_WIDTH = 100, FEW_SAMPLES = 400 };

/* Lines are put together here, so that they can be measured before they are printed. */
struct page {
	const struct as_screen *sc;
	const struct as_style *style;
	struct as_out *out;
	struct as_arena arena;
	const char *dot, *dots;
	uint32_t event; /* of the table */
};

/* The first event that has any cost: a program that only waited has no samples. */
static uint32_t screen_event(const struct as_profile *prof)
{
	uint32_t i = 0;

	while (i < as_n_events(prof) && !prof->total[i])
		i++;
	return i < as_n_events(prof) ? i : 0;
}

static struct as_slice screen_shown(struct page *pg, struct as_slice s)
{
	return as_show_clean(&pg->arena, s);
}

static void screen_key(struct page *pg, const char *text, enum as_paint paint)
{
	as_out_printf(pg->out, "%s%-*s%s", as_paint_begin(pg->style, paint), KEY_COLUMNS, text,
		as_paint_end(pg->style, paint));
}

/* A piece of a line, if it still fits; COLUMN is where the line has come to. */
static bool screen_piece(struct page *pg, size_t *column, const char *sep, struct as_slice s)
{
	size_t n = as_utf8_columns(s) + as_utf8_columns(as_slice_of(sep));

	if (!s.len || (pg->style->width && *column + n > pg->style->width))
		return false;
	as_out_text(pg->out, sep);
	as_out_slice(pg->out, s);
	*column += n;
	return true;
}

static struct as_slice screen_counted(
	struct page *pg, uint64_t n, const char *one, const char *many)
{
	struct as_slice v = as_show_val(&pg->arena, (as_val)n, pg->style);

	return n ? as_arena_printf(&pg->arena, "%.*s %s", AS_SLICE_FMT(v), n == 1 ? one : many)
		 : as_slice_of("");
}

/* "callgrind.out.1  callgrind (callgrind-3.19.0) . ./t 1 . pid 14036 . 347 functions" */
static void screen_title(struct page *pg)
{
	const struct as_screen *sc = pg->sc;
	const struct as_profile *prof = sc->prof;
	struct as_slice name = as_slice_of(sc->n_files ? sc->files[0] : "");
	struct as_slice format = screen_shown(pg, as_str_get(prof, prof->format));
	const struct as_part *part = prof->part.n ? &prof->part.p[0] : NULL;
	struct as_slice command = as_run_command(prof, &pg->arena);
	struct as_slice own = as_str_get(prof, part ? part->command : (as_str){0});
	size_t column;

	name = as_slice_is(name, "-") ? as_slice_of("<stdin>")
				      : screen_shown(pg, as_base_name(name));
	if (sc->n_files > 1)
		name = as_arena_printf(
			&pg->arena, "%.*s and %zu more", AS_SLICE_FMT(name), sc->n_files - 1);
	as_out_printf(pg->out, "%s%.*s%s", as_paint_begin(pg->style, AS_PAINT_HEAD),
		AS_SLICE_FMT(name), as_paint_end(pg->style, AS_PAINT_HEAD));
	column = as_utf8_columns(name);
	if (part && part->creator.i) {
		struct as_slice creator = screen_shown(pg, as_str_get(prof, part->creator));

		format = as_arena_printf(
			&pg->arena, "%.*s (%.*s)", AS_SLICE_FMT(format), AS_SLICE_FMT(creator));
	}
	screen_piece(pg, &column, "   ", format.len ? format : as_slice_of("several formats"));
	if (part)
		screen_piece(pg, &column, pg->dot, screen_shown(pg, command));
	if (part && part->has_pid && sc->n_files == 1 && (command.p == own.p || !own.len))
		screen_piece(pg, &column, pg->dot,
			as_arena_printf(&pg->arena, "pid %" PRIu64, part->pid));
	if (prof->part.n > 1)
		screen_piece(
			pg, &column, pg->dot, screen_counted(pg, prof->part.n, "part", "parts"));
	screen_piece(pg, &column, pg->dot,
		screen_counted(pg, prof->func.name.n - 1, "function", "functions"));
	screen_piece(
		pg, &column, " in ", screen_counted(pg, prof->object.n - 1, "object", "objects"));
	as_out_char(pg->out, '\n');
}

/* "1.25" */
static struct as_slice screen_seconds(struct page *pg, as_val nanos)
{
	return as_diff_decimal(&pg->arena, nanos, 9, 2, false, &(struct as_style){0});
}

/* Nanoseconds that TOTAL of EVENT stands for; 0: it is no time, or too much of it. */
static as_val screen_nanos(const struct as_profile *prof, uint32_t event, as_val total)
{
	struct as_unit unit = as_unit_of(prof, event, "s", 0);

	return total < 0 || total >> 62 || unit.each >> 32 ? 0 : total * (as_val)unit.each;
}

/* Samples that stand for time say for how much. */
static struct as_slice event_time(struct page *pg, uint32_t event, as_val total)
{
	as_val nanos = screen_nanos(pg->sc->prof, event, total);

	if (nanos < 5000000) /* less than half of what is shown */
		return as_slice_of("");
	return as_arena_printf(&pg->arena, " = %.*s s", AS_SLICE_FMT(screen_seconds(pg, nanos)));
}

/* How long, and which share of that time the samples are: 200 % are two processors. */
static void screen_recorded(struct page *pg)
{
	const struct as_profile *prof = pg->sc->prof;
	as_val busy = 0;

	for (uint32_t i = 0; i < as_n_events(prof) && !busy; i++)
		if (prof->event.p[i].period || as_slice_is(as_event_name(prof, i), "cpu"))
			busy = screen_nanos(prof, i, prof->total[i]);
	as_out_printf(
		pg->out, "   recorded in %.*s s", AS_SLICE_FMT(screen_seconds(pg, prof->duration)));
	busy = busy * 100 / prof->duration;
	if (busy > 0 && busy < 1000000)
		as_out_printf(pg->out, " (%u %%)", (unsigned)busy);
}

static void screen_events(struct page *pg)
{
	const struct as_profile *prof = pg->sc->prof;
	size_t column = KEY_COLUMNS, room = 14;
	uint32_t i;

	screen_key(pg, "events", AS_PAINT_NONE);
	for (i = 0; i < as_n_events(prof); i++) {
		struct as_slice name = screen_shown(pg, as_event_name(prof, i));
		struct as_slice v = as_show_rough(&pg->arena, prof->total[i]);
		struct as_slice time = event_time(pg, i, prof->total[i]);
		struct as_slice s = as_arena_printf(&pg->arena, "%.*s %.*s%.*s", AS_SLICE_FMT(name),
			AS_SLICE_FMT(v), AS_SLICE_FMT(time));

		if (i && column + as_utf8_columns(s) + room >
				 (pg->style->width ? pg->style->width : EVENTS_WIDTH))
			break;
		as_out_printf(pg->out, "%s%.*s", i ? "   " : "", AS_SLICE_FMT(s));
		column += as_utf8_columns(s) + 3;
	}
	if (i < as_n_events(prof))
		as_out_printf(pg->out, "   %s %" PRIu32 " events", pg->dots, as_n_events(prof));
	else if (prof->duration > 0)
		screen_recorded(pg);
	as_out_char(pg->out, '\n');
}

/* ---- is it sound ---- */

/* The sum over all parts of what their headers declare for the first event; false if one
 * does not, or it agrees with the costs: then readers do not keep it. */
static bool screen_declared(const struct as_profile *prof, as_val *sum)
{
	*sum = 0;
	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];
		uint32_t k = 0;

		while (k < p->n_events && p->event[k] != 0)
			k++;
		if (!p->summary || k >= p->n_summary)
			return false;
		*sum += p->summary[k];
	}
	return prof->part.n > 0 && *sum != prof->total[0];
}

static uint64_t screen_count(const struct as_screen *sc, enum as_severity severity)
{
	uint64_t n = 0;

	for (size_t i = 0; i < sc->n_findings; i++)
		n += sc->findings[i]->n[severity];
	return n;
}

/* "assay check", which is among the next steps, lists the warnings. */
static void check_ok(struct page *pg)
{
	const struct as_profile *prof = pg->sc->prof;
	uint64_t n = screen_count(pg->sc, AS_WARN);
	struct as_slice name, total, odd = screen_counted(pg, n, "warning", "warnings");
	as_val said;

	if (!n)
		odd = as_slice_of("nothing odd");
	if (!as_n_events(prof)) {
		as_out_printf(pg->out, "ok: %.*s, and no events\n", AS_SLICE_FMT(odd));
		return;
	}
	name = screen_shown(pg, as_event_name(prof, 0));
	total = as_show_val(&pg->arena, prof->total[0], pg->style);
	as_out_printf(pg->out, "ok: %.*s; costs sum to %.*s %.*s", AS_SLICE_FMT(odd),
		AS_SLICE_FMT(total), AS_SLICE_FMT(name));
	if (screen_declared(prof, &said)) {
		total = as_show_val(&pg->arena, said, pg->style);
		as_out_printf(pg->out, " (its header says %.*s)", AS_SLICE_FMT(total));
	}
	as_out_char(pg->out, '\n');
}

static const struct as_finding *screen_first_error(const struct as_screen *sc, uint64_t *n)
{
	const struct as_finding *first = NULL;

	*n = screen_count(sc, AS_ERROR);
	for (size_t i = 0; i < sc->n_findings; i++) {
		const struct as_findings *f = sc->findings[i];

		for (size_t k = 0; k < f->row.n && !first; k++)
			if (f->row.p[k].severity == AS_ERROR)
				first = &f->row.p[k];
	}
	return first;
}

/* Functions whose inclusive cost is more than all there is are odd; raw sums may be. */
static void check_sums(struct page *pg, const struct as_table *table)
{
	bool raw = !(pg->sc->prof->shape & AS_SHAPE_CALLS) || pg->sc->no_cycles;
	size_t above = 0;

	for (size_t i = 0; !raw && table->n_events && i < table->n; i++)
		above += as_table_is_above(table, i, 0);
	screen_key(pg, "check", above ? AS_PAINT_BAD : AS_PAINT_GOOD);
	if (above)
		as_out_printf(pg->out,
			"odd: %.*s inclusive costs above the total: its calls cost more\n",
			AS_SLICE_FMT(screen_counted(pg, above, "function has", "functions have")));
	else
		check_ok(pg);
}

static void screen_check(struct page *pg, const struct as_top *top)
{
	const struct as_finding *first;
	struct as_slice count, msg;
	uint64_t n;

	first = screen_first_error(pg->sc, &n);
	if (!n && !pg->sc->prof->partial) {
		check_sums(pg, top->table);
		return;
	}
	screen_key(pg, "check", AS_PAINT_BAD);
	if (pg->sc->prof->partial)
		as_out_text(pg->out, "not whole, the figures are those of what could be read: ");
	count = screen_counted(pg, n, "error", "errors");
	as_out_slice(pg->out, count);
	msg = first ? screen_shown(pg, first->msg) : as_slice_of("");
	as_out_printf(pg->out, "%s%.*s\n", msg.len && count.len ? ": " : "", AS_SLICE_FMT(msg));
}

/* ---- notes ---- */

static struct as_out *screen_note(struct page *pg)
{
	screen_key(pg, "note", AS_PAINT_NONE);
	return pg->out;
}

/* How much of the first event lies in code that has no name. */
static void screen_note_names(struct page *pg, const struct as_top *top)
{
	const struct as_table *table = top->table;
	struct as_slice percent;
	as_val nameless = 0, begun = 0;
	bool has_addr = false;

	if (!table->n_events)
		return;
	for (size_t i = 0; i < table->n; i++) {
		as_func func = table->key[i].func;

		if (table->key[i].is_cycle || as_func_name(top->prof, func).len ||
			as_path_is_gap(as_object_path(top->prof, table->key[i].object)))
			continue;
		nameless += table->self[i * table->n_events];
		has_addr |= table->key[i].addr != 0;
		if (as_func_is_whole(top->prof, func))
			begun += table->self[i * table->n_events];
	}
	if (nameless <= 0)
		return;
	percent = as_show_percent(&pg->arena, nameless, table->total[0]);
	as_out_printf(screen_note(pg), "%.*s %% of the cost lies in code without names%s\n",
		AS_SLICE_FMT(percent),
		begun == nameless ? ": functions are called by where they begin"
		: has_addr        ? ": only addresses"
				  : "");
}

unsigned as_screen_off(const struct as_profile *prof, uint64_t *n)
{
	double observations = as_diff_observations(prof);
	unsigned points = 50;

	*n = (uint64_t)(observations + .5);
	if (observations <= 0 || observations >= FEW_SAMPLES)
		return 0;
	while (points > 1 && (2 * points - 1) * (2 * points - 1) * observations > 100 * 100)
		points--;
	return points;
}

/* Samples that came with one signal are one. */
static void note_few(struct page *pg)
{
	uint64_t n;
	unsigned points = as_screen_off(pg->sc->prof, &n);
	bool clumped = as_diff_clump(pg->sc->prof) > 1;

	if (!points)
		return;
	as_out_printf(screen_note(pg),
		"only %s: a share may be off by some %u point%s; record longer\n",
		as_arena_dup(&pg->arena,
			screen_counted(pg, n, clumped ? "signal with samples" : "sample",
				clumped ? "signals with samples" : "samples"))
			.p,
		points, points == 1 ? "" : "s");
}

/* Sampled, and not once: a short run is no empty program. */
static void note_empty(struct page *pg)
{
	const struct as_profile *prof = pg->sc->prof;

	if (!as_n_events(prof) || !prof->event.p[0].period || prof->total[0] ||
		prof->sample.node.n || prof->self.chunk.n)
		return;
	as_out_text(screen_note(pg),
		"there are no samples: what ran took less time than lies between two, or waited\n");
}

static uint64_t screen_said(struct page *pg, const char *key)
{
	const struct as_profile *prof = pg->sc->prof;
	uint64_t v = 0, sum = 0;

	for (uint32_t i = 0; i < prof->part.n; i++)
		if (as_slice_dec(as_meta_get(prof, i, key), &v))
			sum += v;
	return sum;
}

/* What a recorder of machines knows to be in no sample, or in none that says whose it is. */
static void note_lost(struct page *pg)
{
	uint64_t lost = screen_said(pg, "assay: samples lost");
	double unwatched = (double)screen_said(pg, "assay: nanoseconds unwatched") * 1e-9;

	if (lost)
		as_out_printf(screen_note(pg),
			"%" PRIu64 " of %" PRIu64 " samples were lost: [lost]\n", lost,
			screen_said(pg, "assay: samples counted"));
	if (unwatched > 0)
		as_out_printf(screen_note(pg),
			"processors may have run for %.2f s before they were watched: that is in "
			"no sample\n",
			unwatched);
}

static void screen_notes(struct page *pg, const struct as_top *top)
{
	const struct as_profile *prof = pg->sc->prof;
	const char *text = NULL;

	if (prof->path_depth) {
		as_out_text(screen_note(pg), "stacks end after ");
		as_out_u64(pg->out, prof->path_depth);
		as_out_text(pg->out, prof->path_depth == 1 ? " frame" : " frames");
		as_out_text(pg->out, ": older callers are cut\n");
	}
	if (prof->estimated)
		text = prof->shape & AS_SHAPE_PATHS
			       ? "whole stacks were estimated from call pairs"
			       : "which way cost took was estimated from call pairs";
	else if (prof->shape & AS_SHAPE_CALLS && !(prof->shape & AS_SHAPE_PATHS))
		text = "it keeps call pairs, not whole stacks: stacks made of it are estimates";
	else if (prof->shape & AS_SHAPE_PLACES && !(prof->shape & AS_SHAPE_PATHS))
		text = "it keeps no calls: inclusive cost is not known";
	if (text)
		as_out_printf(screen_note(pg), "%s\n", text);
	screen_note_names(pg, top);
	note_lost(pg);
	note_empty(pg);
	note_few(pg);
}

static void screen_next(struct page *pg)
{
	struct as_slice name =
		screen_shown(pg, as_slice_of(pg->sc->n_files ? pg->sc->files[0] : ""));
	const char *file = "FILE";
	size_t column = KEY_COLUMNS;
	/* Row 0 stands for "unknown": without other files there are no lines to look at. */
	const char *const step[] = {("assay top %s -e " AS_OFF_CPU " --by state"),
		pg->sc->prof->file.n > 1 ? "assay top %s --by line" : "assay top %s --by object",
		"assay flame %s", "assay open %s", "assay check %s", "assay convert %s -o OUT"};
	uint32_t event;
	size_t begin = as_profile_event(pg->sc->prof, as_slice_of(AS_OFF_CPU), &event) ? 0 : 1;

	if (as_slice_starts(name, "-") && name.len > 1)
		name = as_arena_printf(&pg->arena, "./%.*s", AS_SLICE_FMT(name));
	if (name.len && name.len <= 16 && as_slice_find(name, ' ') == name.len)
		file = as_arena_dup(&pg->arena, name).p;
	as_out_char(pg->out, '\n');
	screen_key(pg, "next", AS_PAINT_NONE);
	for (size_t i = begin; i < AS_ARRAY_LEN(step); i++) {
		const char *percent = strstr(step[i], "%s");
		struct as_slice s = as_arena_printf(&pg->arena, "%.*s%s%s",
			(int)(percent - step[i]), step[i], file ? file : "FILE", percent + 2);

		if (!screen_piece(pg, &column, i > begin ? pg->dot : "", s))
			break;
	}
	as_out_char(pg->out, '\n');
}

static enum as_code page_print(struct page *pg, struct as_err *err)
{
	const struct as_screen *sc = pg->sc;
	struct as_top_opts opts = {
		.project = {.by = AS_BY_FUNC,
			.keep_contexts = sc->keep_contexts,
			.no_cycles = sc->no_cycles},
		.view = {.event = &pg->event,
			.sort_event = pg->event,
			.n_events = as_n_events(sc->prof) ? 1 : 0},
		.limit = sc->rows ? sc->rows : ROWS_DEFAULT,
	};
	struct as_top top;
	enum as_code rc = as_top_make(&top, sc->prof, &opts, err);

	if (rc == AS_OK) {
		screen_title(pg);
		screen_events(pg);
		screen_check(pg, &top);
		screen_notes(pg, &top);
		as_out_char(pg->out, '\n');
		rc = as_top_print(&top, &(struct as_sheet_to){AS_FORM_TEXT, pg->out, pg->style});
		screen_next(pg);
		AS_THEN(rc, as_arena_end(&pg->arena));
	}
	as_top_release(&top);
	return rc;
}

enum as_code as_screen_text(const struct as_screen *sc, struct as_out *out,
	const struct as_style *style, struct as_err *err)
{
	struct page pg = {
		.sc = sc,
		.style = style,
		.out = out,
		.dot = style->utf8 ? " \u00b7 " : " - ",
		.dots = style->utf8 ? "\u2026" : "...",
		.event = screen_event(sc->prof),
	};
	enum as_code rc;

	as_arena_init(&pg.arena, sc->prof->al);
	rc = page_print(&pg, err);
	as_arena_release(&pg.arena);
	return rc;
}
