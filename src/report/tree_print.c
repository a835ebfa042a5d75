/* SPDX-License-Identifier: Apache-2.0 */
#include "report/tree_print.h"

#include "report/kit/head_json.h"
#include "report/kit/show.h"

static const char *way_text(enum as_tree_way way)
{
	static const char *const text[] = {"callees", "callers", "bottom-up"};

	return text[way];
}

static const as_val *incl_of(const struct as_tree_view *v, const struct as_tree_row *row)
{
	return v->value.p + row->cost;
}

static const as_val *self_of(const struct as_tree_view *v, const struct as_tree_row *row)
{
	return v->way == AS_TREE_CALLEES ? v->value.p + row->cost + v->ct->e : NULL;
}

/* ---- text ---- */

struct printer {
	const struct as_tree_report *r;
	const struct as_tree_view *v;
	const struct as_style *style;
	struct as_grid grid;
	uint32_t event;
	as_val total;
	bool any_estimate; /* is shown */
	bool too_deep;     /* a row stands for what is not shown as it is too deep */
};

static void columns(struct printer *p)
{
	struct as_grid *g = &p->grid;
	struct as_slice name =
		as_str_get(p->r->paths.prof, p->r->paths.prof->event.p[p->event].name);

	as_grid_column(g, as_view_head(g, p->v->way == AS_TREE_BOTTOM_UP ? "self" : "incl", name),
		false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	if (p->v->way == AS_TREE_CALLEES) {
		as_grid_column(g, as_view_head(g, "self", name), false, AS_FIT_WHOLE);
		as_grid_column(g, "%", false, AS_FIT_WHOLE);
	}
	as_grid_column(g, "function", true, AS_FIT_NAME);
	as_grid_column(g, "where", true, AS_FIT_PLACE);
}

static struct as_slice row_name(struct printer *p, const struct as_tree_row *row)
{
	struct as_arena *ar = &p->grid.arena;

	if (row->kind == AS_TREE_NO_CALLER)
		return as_slice_of("[no caller]");
	if (row->kind == AS_TREE_REST)
		return as_arena_printf(ar, "[%" PRIu64 " more]", row->n);
	return as_view_name(ar, as_calltree_func(p->v->ct, row->key));
}

/* An estimate has a mark. */
static void put_pair(struct printer *p, as_val v, bool estimated)
{
	struct as_arena *ar = &p->grid.arena;
	struct as_slice text = as_show_in(ar, v, &p->r->paths.opts->unit, p->style);

	if (estimated) {
		text = as_arena_printf(ar, "~%.*s", AS_SLICE_FMT(text));
		p->any_estimate = true;
	}
	as_grid_cell(&p->grid, text);
	as_grid_cell(&p->grid, as_show_percent(ar, v, p->total));
}

static void print_row(struct printer *p, const struct as_tree_row *row)
{
	const as_val *self = self_of(p->v, row);

	p->too_deep |= p->r->bounded && row->kind == AS_TREE_REST && row->depth == AS_VIEW_LEVELS;
	put_pair(p, incl_of(p->v, row)[p->event], row->evidence == AS_TREE_ESTIMATED);
	if (self)
		put_pair(p, self[p->event], row->evidence != AS_TREE_EXACT && !row->idle);
	as_grid_marked(&p->grid, (struct as_grid_cell){.text = row_name(p, row),
					 .indent = as_view_indent(row->depth),
					 .trail = row->again ? as_view_again(p->style) : NULL});
	as_grid_cell(&p->grid,
		row->kind == AS_TREE_FUNC
			? as_view_where(&p->grid.arena, as_calltree_func(p->v->ct, row->key))
			: as_slice_of(""));
}

enum as_code as_tree_text(
	const struct as_tree_report *r, struct as_out *out, const struct as_style *style)
{
	struct printer p = {.r = r, .style = style};
	enum as_code rc = AS_OK;

	if (!r->paths.opts->n_events)
		return AS_OK;
	p.event = r->paths.opts->event[as_view_first(r->paths.opts)];
	p.total = as_whole(r->paths.prof)[p.event];
	for (size_t i = 0; i < r->n_views && rc == AS_OK; i++) {
		p.v = &r->view[i];
		if (i)
			as_out_char(out, '\n');
		as_grid_init(&p.grid, r->paths.prof->al);
		columns(&p);
		for (size_t k = 0; k < p.v->row.n; k++)
			print_row(&p, &p.v->row.p[k]);
		rc = as_grid_print(&p.grid, out, style);
		as_grid_release(&p.grid);
	}
	if (p.too_deep)
		as_out_printf(out,
			"%swhat is deeper than %d levels is summed up: all of it by --depth 0%s\n",
			as_paint_begin(style, AS_PAINT_DIM), AS_VIEW_LEVELS,
			as_paint_end(style, AS_PAINT_DIM));
	if (p.any_estimate)
		as_out_printf(out,
			"%sestimated, where ~ is: these call paths were made out of calls; exact: "
			"assay peek%s\n",
			as_paint_begin(style, AS_PAINT_DIM), as_paint_end(style, AS_PAINT_DIM));
	return rc;
}

/* ---- JSON and CSV ---- */

static const char *kind_text(enum as_tree_kind kind)
{
	static const char *const text[] = {"function", "rest", "no caller"};

	return text[kind];
}

static const char *evidence_text(enum as_tree_evidence evidence)
{
	static const char *const text[] = {"exact", "inclusive", "estimated"};

	return text[evidence];
}

static void json_row(
	const struct as_tree_report *r, const struct as_tree_view *v, struct as_json *j, size_t i)
{
	static const struct as_key none = {0};
	const struct as_tree_row *row = &v->row.p[i];
	struct as_view_func f = {.prof = r->paths.prof, .key = &none};
	const as_val *self = self_of(v, row);

	if (row->kind == AS_TREE_FUNC)
		f = as_calltree_func(v->ct, row->key);
	as_json_object(j, NULL);
	as_json_u64(j, "depth", row->depth);
	as_json_text(j, "kind", as_slice_of(kind_text(row->kind)));
	as_view_json_func(j, f);
	as_view_json_vals(j, "inclusive", r->paths.opts, incl_of(v, row));
	if (self)
		as_view_json_vals(j, "self", r->paths.opts, self);
	else
		as_json_null(j, "self");
	as_json_bool(j, "recursive", row->again);
	as_json_u64(j, "rows", row->kind == AS_TREE_REST ? row->n : 1);
	as_json_text(j, "evidence", as_slice_of(evidence_text(row->evidence)));
	as_json_object_end(j);
}

void as_tree_json(const struct as_tree_report *r, struct as_out *out)
{
	const struct as_paths_report *p = &r->paths;
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.tree/1"));
	as_json_profile_of(&j, p->prof, p->shape, p->opts->files, p->opts->n_files);
	as_json_text(&j, "way", as_slice_of(way_text(r->view[0].way)));
	as_json_events(&j, p->prof, p->opts->event, p->opts->n_events);
	as_json_array(&j, "rows");
	for (size_t i = 0; i < r->n_views; i++)
		for (size_t k = 0; k < r->view[i].row.n; k++)
			json_row(r, &r->view[i], &j, k);
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "functions", r->n_more);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

static void csv_row(
	const struct as_tree_report *r, const struct as_tree_view *v, struct as_csv *c, size_t i)
{
	static const struct as_key none = {0};
	const struct as_tree_row *row = &v->row.p[i];
	struct as_view_func f = {.prof = r->paths.prof, .key = &none};
	char text[64];

	as_csv_val(c, (as_val)row->depth);
	if (row->kind == AS_TREE_FUNC)
		f = as_calltree_func(v->ct, row->key);
	else if (row->kind == AS_TREE_REST)
		snprintf(text, sizeof(text), "[%" PRIu64 " more]", row->n);
	else
		snprintf(text, sizeof(text), "[no caller]");
	if (row->kind != AS_TREE_FUNC)
		f.name = as_slice_of(text);
	as_view_csv_func(c, f);
	as_view_csv_vals(c, r->paths.opts, self_of(v, row));
	as_view_csv_vals(c, r->paths.opts, incl_of(v, row));
	as_csv_text(c, as_slice_of(evidence_text(row->evidence)));
	as_csv_end(c);
}

void as_tree_csv(const struct as_tree_report *r, struct as_out *out)
{
	struct as_csv c;

	as_csv_init(&c, out);
	as_csv_text(&c, as_slice_of("depth"));
	as_view_csv_func_head(&c);
	as_view_csv_heads(&c, r->paths.prof, r->paths.opts, "self");
	as_view_csv_heads(&c, r->paths.prof, r->paths.opts, "inclusive");
	as_csv_text(&c, as_slice_of("evidence"));
	as_csv_end(&c);
	for (size_t i = 0; i < r->n_views; i++)
		for (size_t k = 0; k < r->view[i].row.n; k++)
			csv_row(r, &r->view[i], &c, k);
}
