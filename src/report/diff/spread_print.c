/* SPDX-License-Identifier: Apache-2.0 */

#include "report/diff/diff_report.h"
#include "report/kit/show.h"

enum { RANGE, SUM, SHARE, SETS, MEAN, STDDEV, MIN, MAX, PRESENT, KIND, NAME, WHERE, PATH, OBJECT };

static const struct as_column columns[] = {
	{AS_COL_NUMBER, AS_IN_PAGE, RANGE, "range %"},
	{AS_COL_NUMBER, AS_IN_PAGE, SUM, "sum"},
	{AS_COL_NUMBER, AS_IN_PAGE, SHARE, "sum %"},
	{AS_COL_NUMBER, AS_IN_PAGE, SETS, "N"},
	{AS_COL_NUMBER, AS_IN_PAGE, MEAN, "mean"},
	{AS_COL_NUMBER, AS_IN_PAGE, STDDEV, "std dev"},
	{AS_COL_NUMBER, AS_IN_PAGE, MIN, "min"},
	{AS_COL_NUMBER, AS_IN_PAGE, MAX, "max"},
	{AS_COL_NAME, AS_IN_PAGE, NAME, "function"},
	{AS_COL_PLACE, AS_IN_TEXT, WHERE, "where"},
	{AS_COL_WORD, AS_IN_CSV, KIND, "kind"},
	{AS_COL_TEXT, AS_IN_DATA, NAME, "function"},
	{AS_COL_TEXT, AS_IN_DATA, PATH, "file"},
	{AS_COL_TEXT, AS_IN_DATA, OBJECT, "object"},
	{AS_COL_NUMBER, AS_IN_DATA, RANGE, "range_percent"},
	{AS_COL_NUMBER, AS_IN_DATA, SUM, "sum"},
	{AS_COL_NUMBER, AS_IN_DATA, SHARE, "sum_percent"},
	{AS_COL_NUMBER, AS_IN_DATA, SETS, "n"},
	{AS_COL_NUMBER, AS_IN_DATA, MEAN, "mean"},
	{AS_COL_NUMBER, AS_IN_DATA, STDDEV, "stddev"},
	{AS_COL_NUMBER, AS_IN_DATA, MIN, "min"},
	{AS_COL_NUMBER, AS_IN_DATA, MAX, "max"},
	{AS_COL_COUNT, AS_IN_DATA, PRESENT, "present"},
	{0},
};

enum { COLUMNS = AS_ARRAY_LEN(columns), FILES_MAX = 3 };

struct spread_print {
	const struct as_spread_view *v;
	struct as_sheet sheet;
	struct as_column column[COLUMNS];
};

/* What a set adds up to as it is counted in the table. */
static struct as_number spread_total_of(const struct as_spread_view *v, size_t set)
{
	as_val count = v->d->run.p[set].total[v->opts->event];
	double x = v->sp->scale[set] * (double)count;

	return (struct as_number){.known = true, .whole = !v->sp->scaled, .n = count, .x = x};
}

/* ---- the sets ---- */

static struct as_slice spread_event(const struct as_spread_view *v)
{
	return as_diff_str(v->d, v->d->event[v->opts->event].name);
}

static void spread_json_sets(struct spread_print *p)
{
	const struct as_spread_view *v = p->v;
	struct as_json *j = &p->sheet.json;

	as_json_text(j, "event", spread_event(v));
	as_json_text(j, "by", as_slice_of(as_view_by(v->d->opts.by)));
	as_json_bool(j, "normalized", v->opts->normalize);
	as_json_array(j, "sets");
	for (size_t i = 0; i < v->sp->n_sets; i++) {
		as_json_object(j, NULL);
		as_json_array(j, "files");
		for (size_t k = 0; k < v->set[i].n; k++)
			as_json_text(j, NULL, as_slice_of(v->set[i].path[k]));
		as_json_array_end(j);
		as_json_val(j, "counted", v->d->run.p[i].total[v->opts->event]);
		as_json_double(j, "factor", v->sp->scale[i]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

/* "set 1   47  a.dcpi, b.dcpi" */
static void spread_head(struct spread_print *p, const char *before)
{
	const struct as_spread_view *v = p->v;
	const struct as_style *style = p->sheet.to.style;
	struct as_arena *ar = &p->sheet.grid.arena;
	struct as_out *out = p->sheet.to.out;

	for (size_t i = 0; i < v->sp->n_sets; i++) {
		struct as_slice total = as_show_decimal(ar, spread_total_of(v, i), style);

		as_out_printf(out, "%sset %zu  %.*s %.*s", before, i + 1, AS_SLICE_FMT(total),
			AS_SLICE_FMT(as_show_clean(ar, spread_event(v))));
		if (v->sp->scale[i] != 1)
			as_out_printf(out, " (x %.6g)", v->sp->scale[i]);
		for (size_t k = 0; k < v->set[i].n && k < FILES_MAX; k++)
			as_out_printf(out, "%s%.*s", k ? ", " : "  ",
				AS_SLICE_FMT(as_show_clean(ar, as_slice_of(v->set[i].path[k]))));
		if (v->set[i].n > FILES_MAX)
			as_out_printf(out, " and %zu more", v->set[i].n - FILES_MAX);
		as_out_char(out, '\n');
	}
}

/* ---- rows ---- */

static void spread_put_stat(struct spread_print *p, const struct as_spread_stat *st)
{
	struct as_sheet *s = &p->sheet;

	as_sheet_number(s, RANGE, st->range);
	as_sheet_number(s, SUM, st->sum);
	as_sheet_number(s, SHARE, st->share);
	as_sheet_number(s, SETS, (struct as_number){true, true, (as_val)p->v->sp->n_sets, 0});
	as_sheet_number(s, MEAN, st->mean);
	as_sheet_number(s, STDDEV, st->stddev);
	as_sheet_number(s, MIN, st->min);
	as_sheet_number(s, MAX, st->max);
	as_sheet_count(s, PRESENT, true, (as_val)st->present);
}

static void spread_put_row(struct spread_print *p, size_t i)
{
	const struct as_diff *d = p->v->d;
	uint32_t row = p->v->sp->row[i];
	const struct as_diff_key *key = &d->key.p[row];
	struct as_sheet *s = &p->sheet;
	struct as_arena *ar = &s->grid.arena;
	struct as_diff_row_key of = as_diff_key_of(d, row);

	spread_put_stat(p, &p->v->sp->stat[i]);
	if (as_sheet_is_page(&p->sheet)) {
		as_sheet_text(s, NAME, as_diff_row_name(ar, d, row));
		as_sheet_text(s, WHERE, as_show_where(ar, as_diff_str(d, key->path), 0));
	} else {
		as_sheet_text_or_null(s, NAME, of.function);
		as_sheet_text_or_null(s, PATH, of.file);
		as_sheet_text_or_null(s, OBJECT, of.object);
	}
	as_sheet_text(s, KIND, as_slice_of("row"));
	as_sheet_row(s, NULL);
}

/* What is no row: text names it TITLE, JSON has it as the member KEY. */
static void spread_put_other(struct spread_print *p, const struct as_spread_stat *st,
	struct as_slice title, const char *key)
{
	spread_put_stat(p, st);
	if (as_sheet_is_page(&p->sheet))
		as_sheet_title(&p->sheet, NAME, title);
	as_sheet_text(&p->sheet, KIND, as_slice_of(key));
	as_sheet_paint(&p->sheet, AS_PAINT_DIM);
	as_sheet_row(&p->sheet, key);
}

static void spread_put_rows(struct spread_print *p)
{
	const struct as_spread *sp = p->v->sp;
	bool page = as_sheet_is_page(&p->sheet), md = as_sheet_is(&p->sheet, AS_FORM_MARKDOWN);
	struct as_arena *ar = &p->sheet.grid.arena;

	for (size_t i = 0; i < sp->n; i++)
		spread_put_row(p, i);
	as_sheet_list_end(&p->sheet);
	if (as_sheet_is(&p->sheet, AS_FORM_JSON))
		as_json_val(&p->sheet.json, "rows_left_out", sp->n_all - sp->n);
	if (sp->n < sp->n_all || !page)
		spread_put_other(p, &sp->rest,
			as_arena_printf(ar, md ? "%zu more" : "[%zu more]", sp->n_all - sp->n),
			"rest");
	spread_put_other(p, &sp->total, as_slice_of(md ? "**total**" : "[total]"), "total");
}

static void spread_choose_columns(struct spread_print *p)
{
	enum as_by by = p->v->d->opts.by;
	bool by_place = by == AS_BY_FILE || by == AS_BY_OBJECT;

	memcpy(p->column, columns, sizeof(columns));
	for (struct as_column *c = p->column; c->kind; c++)
		if (c->kind == AS_COL_NAME && by_place) {
			c->kind = AS_COL_PLACE;
			c->key = as_view_by(by);
		}
	as_sheet_hide(&p->sheet, AS_IN_TEXT, WHERE, by_place);
}

enum as_code as_spread_print(const struct as_spread_view *v, const struct as_sheet_to *to)
{
	struct spread_print p = {.v = v};
	struct as_sheet *s = &p.sheet;

	as_assert(v->sp->n_sets == v->d->run.n);
	as_sheet_init_plain(s, to, v->d->al, p.column);
	spread_choose_columns(&p);
	as_sheet_begin(s, "assay.stats/1", NULL);
	if (as_sheet_is(s, AS_FORM_JSON))
		spread_json_sets(&p);
	if (as_sheet_is(s, AS_FORM_TEXT)) {
		spread_head(&p, "");
		as_out_char(to->out, '\n');
	}
	as_sheet_rows(s, "rows");
	spread_put_rows(&p);
	as_sheet_table_end(s);
	if (as_sheet_is(s, AS_FORM_MARKDOWN)) {
		as_out_char(to->out, '\n');
		spread_head(&p, "- ");
	}
	return as_sheet_finish(s);
}
