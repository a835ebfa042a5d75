/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/head_json.h"
#include "report/kit/show.h"
#include "report/tree_print.h"

static const as_val *cost_of(const struct as_traces_report *r, size_t i)
{
	return r->paths.ct->cost.p + (size_t)r->node[i] * r->paths.ct->e;
}

static struct as_view_func func_of(const struct as_traces_report *r, uint32_t node)
{
	return as_calltree_func(r->paths.ct, r->paths.ct->key_of.p[node]);
}

/* ---- text ---- */

static void path_cells(const struct as_traces_report *r, struct as_grid *g, uint32_t node)
{
	for (bool first = true; node; node = r->paths.ct->parent.p[node]) {
		struct as_view_func f = func_of(r, node);

		if (!first) {
			as_grid_cell(g, as_slice_of(""));
			as_grid_cell(g, as_slice_of(""));
		}
		as_grid_cell(g, as_view_name(&g->arena, f));
		as_grid_cell(g, as_view_where(&g->arena, f));
		first = false;
	}
}

enum as_code as_traces_text(
	const struct as_traces_report *r, struct as_out *out, const struct as_style *style)
{
	const struct as_paths_report *p = &r->paths;
	struct as_grid g;
	enum as_code rc;
	uint32_t event;

	if (!p->opts->n_events)
		return AS_OK;
	event = p->opts->event[as_view_first(p->opts)];
	as_grid_init(&g, p->prof->al);
	as_grid_column(&g,
		as_view_head(&g, "", as_str_get(p->prof, p->prof->event.p[event].name)) + 1, false,
		false);
	as_grid_column(&g, "%", false, AS_FIT_WHOLE);
	as_grid_column(&g, "path, the leaf first", true, AS_FIT_NAME);
	as_grid_column(&g, "where", true, AS_FIT_PLACE);
	for (size_t i = 0; i < r->shown; i++) {
		as_view_pair(&g, cost_of(r, i)[event], as_whole(p->prof)[event], p->opts, style);
		path_cells(r, &g, r->node[i]);
	}
	if (r->shown < r->n) {
		as_view_pair(&g, r->rest[event], as_whole(p->prof)[event], p->opts, style);
		as_grid_cell(&g, as_arena_printf(&g.arena, "[%zu more path%s]", r->n - r->shown,
					 r->n - r->shown == 1 ? "" : "s"));
		as_grid_cell(&g, as_slice_of(""));
	}
	rc = as_grid_print(&g, out, style);
	as_grid_release(&g);
	if (p->prof->estimated)
		as_out_printf(out, "%sestimated: these call paths were made out of calls%s\n",
			as_paint_begin(style, AS_PAINT_DIM), as_paint_end(style, AS_PAINT_DIM));
	return rc;
}

/* ---- JSON ---- */

void as_traces_json(const struct as_traces_report *r, struct as_out *out)
{
	const struct as_paths_report *p = &r->paths;
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.traces/1"));
	as_json_profile_of(&j, p->prof, p->shape, p->opts->files, p->opts->n_files);
	as_json_events(&j, p->prof, p->opts->event, p->opts->n_events);
	as_json_array(&j, "paths");
	for (size_t i = 0; i < r->shown; i++) {
		as_json_object(&j, NULL);
		as_view_json_vals(&j, "self", p->opts, cost_of(r, i));
		as_json_array(&j, "frames");
		for (uint32_t node = r->node[i]; node; node = p->ct->parent.p[node]) {
			as_json_object(&j, NULL);
			as_view_json_func(&j, func_of(r, node));
			as_json_object_end(&j);
		}
		as_json_array_end(&j);
		as_json_object_end(&j);
	}
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "paths", r->n - r->shown);
	as_view_json_vals(&j, "self", p->opts, r->rest);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

/* ---- CSV ---- */

/* The names from the root to the leaf, with semicolons, as folded stacks have them. */
static bool csv_path(const struct as_traces_report *r, struct as_csv *c, uint32_t node)
{
	const struct as_calltree *ct = r->paths.ct;
	AS_VEC(char) text = {NULL, 0, 0};
	AS_VEC(uint32_t) chain = {NULL, 0, 0};
	struct as_arena ar;
	bool fine = true;

	as_arena_init(&ar, ct->al);
	for (; node && fine; node = ct->parent.p[node])
		fine = as_vec_push(ct->al, &chain, node);
	for (size_t i = chain.n; i-- > 0 && fine;) {
		struct as_slice name = as_view_name(&ar, func_of(r, chain.p[i]));

		fine = name.p && as_vec_reserve(ct->al, &text, text.n + name.len + 1);
		if (!fine)
			break;
		memcpy(text.p + text.n, name.p, name.len);
		text.n += name.len;
		if (i)
			text.p[text.n++] = ';';
	}
	if (fine)
		as_csv_text(c, (struct as_slice){text.p, text.n});
	as_arena_release(&ar);
	as_vec_free(ct->al, &text);
	as_vec_free(ct->al, &chain);
	return fine;
}

static void csv_end(const struct as_traces_report *r, struct as_csv *c, const as_val *cost)
{
	as_view_csv_vals(c, r->paths.opts, cost);
	as_csv_text(c, as_slice_of(r->paths.prof->estimated ? "estimated" : "exact"));
	as_csv_end(c);
}

enum as_code as_traces_csv(const struct as_traces_report *r, struct as_out *out)
{
	struct as_csv c;

	as_csv_init(&c, out);
	as_csv_text(&c, as_slice_of("path"));
	as_view_csv_heads(&c, r->paths.prof, r->paths.opts, "self");
	as_csv_text(&c, as_slice_of("evidence"));
	as_csv_end(&c);
	for (size_t i = 0; i < r->shown; i++) {
		if (!csv_path(r, &c, r->node[i]))
			return AS_E_NOMEM;
		csv_end(r, &c, cost_of(r, i));
	}
	return AS_OK;
}
