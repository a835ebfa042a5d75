/* SPDX-License-Identifier: Apache-2.0 */
#include "report/cycles_print.h"

#include "report/kit/head_json.h"
#include "report/kit/show.h"

static const as_val *self_of(const struct as_cycles_report *r, const struct as_cycle *c)
{
	return r->cycles->value.p + c->cost;
}

static const as_val *incl_of(const struct as_cycles_report *r, const struct as_cycle *c)
{
	return r->cycles->has_incl ? self_of(r, c) + r->cycles->table->n_events : NULL;
}

static uint32_t member_of(const struct as_cycles_report *r, const struct as_cycle *c, size_t i)
{
	return r->cycles->member.p[c->member + i];
}

/* ---- text ---- */

struct printer {
	const struct as_cycles_report *r;
	const struct as_style *style;
	struct as_grid grid;
	uint32_t event;
	as_val total;
	bool has_calls;
};

static void costs(struct printer *p, const as_val *incl, const as_val *self)
{
	if (incl) {
		as_view_pair(&p->grid, incl[p->event], p->total, p->r->opts, p->style);
	} else {
		as_grid_cell(&p->grid, as_slice_of("-"));
		as_grid_cell(&p->grid, as_slice_of("-"));
	}
	as_view_pair(&p->grid, self[p->event], p->total, p->r->opts, p->style);
}

static void calls(struct printer *p, bool known, as_val n)
{
	if (p->has_calls)
		as_grid_cell(&p->grid,
			known ? as_show_val(&p->grid.arena, n, p->style) : as_slice_of("-"));
}

static void function_name(struct printer *p, uint32_t row, size_t indent, const char *trail)
{
	struct as_arena *ar = &p->grid.arena;
	struct as_view_func f = as_view_row(p->r->cycles->table, row);

	as_grid_marked(
		&p->grid, (struct as_grid_cell){
				  .text = as_view_name(ar, f), .indent = indent, .trail = trail});
	as_grid_cell(&p->grid, as_view_where(ar, f));
}

static void member_row(struct printer *p, uint32_t row)
{
	const struct as_table *t = p->r->cycles->table;
	size_t at = (size_t)row * t->n_events;

	costs(p, t->has_incl[row] ? t->incl + at : NULL, t->self + at);
	calls(p, t->has_calls[row], t->calls[row]);
	function_name(p, row, 2, NULL);
}

static void cycle_rows(struct printer *p, const struct as_cycle *c)
{
	costs(p, incl_of(p->r, c), self_of(p->r, c));
	calls(p, c->has_calls, c->calls);
	if (!c->number) {
		function_name(p, member_of(p->r, c, 0), 0, as_view_again(p->style));
		return;
	}
	as_grid_cell(&p->grid,
		as_arena_printf(&p->grid.arena, "<cycle %" PRIu32 "> of %" PRIu32 " functions",
			c->number, c->n_members));
	as_grid_cell(&p->grid, as_slice_of(""));
	for (size_t i = 0; i < c->n_members; i++)
		member_row(p, member_of(p->r, c, i));
}

static void rest_row(struct printer *p)
{
	as_grid_cell(&p->grid, as_slice_of(""));
	as_grid_cell(&p->grid, as_slice_of(""));
	as_view_pair(&p->grid, p->r->rest[p->event], p->total, p->r->opts, p->style);
	if (p->has_calls)
		as_grid_cell(&p->grid, as_slice_of(""));
	as_grid_cell(&p->grid,
		as_arena_printf(&p->grid.arena, "[%zu more]", p->r->cycles->cycle.n - p->r->shown));
	as_grid_cell(&p->grid, as_slice_of(""));
}

static void columns(struct printer *p)
{
	struct as_grid *g = &p->grid;
	struct as_slice name = as_str_get(p->r->prof, p->r->prof->event.p[p->event].name);

	as_grid_column(g, as_view_head(g, "incl", name), false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	as_grid_column(g, as_view_head(g, "self", name), false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	if (p->has_calls)
		as_grid_column(g, "calls", false, AS_FIT_WHOLE);
	as_grid_column(g, "cycle", true, AS_FIT_NAME);
	as_grid_column(g, "where", true, AS_FIT_PLACE);
}

enum as_code as_cycles_text(
	const struct as_cycles_report *r, struct as_out *out, const struct as_style *style)
{
	struct printer p = {.r = r, .style = style, .has_calls = r->prof->call.n != 0};
	enum as_code rc;

	if (!r->cycles->cycle.n) {
		as_out_text(out, "no function calls itself, directly or round a circle\n");
		return AS_OK;
	}
	if (!r->opts->n_events)
		return AS_OK;
	p.event = r->opts->event[as_view_first(r->opts)];
	p.total = as_whole(r->prof)[p.event];
	as_grid_init(&p.grid, r->prof->al);
	columns(&p);
	for (size_t i = 0; i < r->shown; i++)
		cycle_rows(&p, &r->cycles->cycle.p[i]);
	if (r->shown < r->cycles->cycle.n)
		rest_row(&p);
	rc = as_grid_print(&p.grid, out, style);
	as_grid_release(&p.grid);
	return rc;
}

/* ---- JSON ---- */

static void json_member(const struct as_cycles_report *r, struct as_json *j, uint32_t row)
{
	const struct as_table *t = r->cycles->table;
	size_t at = (size_t)row * t->n_events;

	as_json_object(j, NULL);
	as_view_json_func(j, as_view_row(t, row));
	as_view_json_vals(j, "self", r->opts, t->self + at);
	as_view_json_vals(j, "inclusive", r->opts, t->has_incl[row] ? t->incl + at : NULL);
	as_view_json_calls(j, t->has_calls[row], t->calls[row]);
	as_json_object_end(j);
}

static void json_cycle(
	const struct as_cycles_report *r, struct as_json *j, const struct as_cycle *c)
{
	as_json_object(j, NULL);
	if (c->number)
		as_json_u64(j, "cycle", c->number);
	else
		as_json_null(j, "cycle");
	as_view_json_vals(j, "self", r->opts, self_of(r, c));
	as_view_json_vals(j, "inclusive", r->opts, incl_of(r, c));
	as_view_json_calls(j, c->has_calls, c->calls);
	as_json_array(j, "members");
	for (size_t i = 0; i < c->n_members; i++)
		json_member(r, j, member_of(r, c, i));
	as_json_array_end(j);
	as_json_object_end(j);
}

void as_cycles_json(const struct as_cycles_report *r, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.cycles/1"));
	as_json_profile(&j, r->prof, r->opts->files, r->opts->n_files);
	as_json_events(&j, r->prof, r->opts->event, r->opts->n_events);
	as_json_array(&j, "cycles");
	for (size_t i = 0; i < r->shown; i++)
		json_cycle(r, &j, &r->cycles->cycle.p[i]);
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "cycles", r->cycles->cycle.n - r->shown);
	as_view_json_vals(&j, "self", r->opts, r->rest);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

/* ---- CSV ---- */

static void csv_row(
	const struct as_cycles_report *r, struct as_csv *c, const as_val *self, const as_val *incl)
{
	as_view_csv_vals(c, r->opts, self);
	as_view_csv_vals(c, r->opts, incl);
}

static void csv_calls(struct as_csv *c, bool known, as_val n)
{
	if (known)
		as_csv_val(c, n);
	else
		as_csv_empty(c);
	as_csv_end(c);
}

/* A line of each member, after one of the cycle; ROW is its number in the answer. */
static void csv_cycle(const struct as_cycles_report *r, struct as_csv *c,
	const struct as_cycle *cycle, size_t row)
{
	const struct as_table *t = r->cycles->table;

	as_csv_text(c, as_slice_of("cycle"));
	as_csv_val(c, (as_val)row);
	for (int i = 0; i < 4; i++)
		as_csv_empty(c);
	csv_row(r, c, self_of(r, cycle), incl_of(r, cycle));
	csv_calls(c, cycle->has_calls, cycle->calls);
	for (size_t i = 0; i < cycle->n_members; i++) {
		uint32_t m = member_of(r, cycle, i);
		size_t at = (size_t)m * t->n_events;

		as_csv_text(c, as_slice_of("member"));
		as_csv_val(c, (as_val)row);
		as_view_csv_func(c, as_view_row(t, m));
		csv_row(r, c, t->self + at, t->has_incl[m] ? t->incl + at : NULL);
		csv_calls(c, t->has_calls[m], t->calls[m]);
	}
}

void as_cycles_csv(const struct as_cycles_report *r, struct as_out *out)
{
	struct as_csv c;

	as_csv_init(&c, out);
	as_csv_text(&c, as_slice_of("kind"));
	as_csv_text(&c, as_slice_of("row"));
	as_view_csv_func_head(&c);
	as_view_csv_heads(&c, r->prof, r->opts, "self");
	as_view_csv_heads(&c, r->prof, r->opts, "inclusive");
	as_csv_text(&c, as_slice_of("calls"));
	as_csv_end(&c);
	for (size_t i = 0; i < r->shown; i++)
		csv_cycle(r, &c, &r->cycles->cycle.p[i], i + 1);
}
