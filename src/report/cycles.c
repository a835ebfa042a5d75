/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles: functions that call each other in a circle. They are shown beside the table, not in
 * it, because their cost is that of their members over again.
 */
#include "base/sort.h"
#include "report/kit/json.h"
#include "report/kit/show.h"
#include "report/top.h"
#include "report/views.h"

enum { SHOWN = 5, NAMES = 4 };

/* The largest self cost first, by the event that the table is of. */
static int cmp_member(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_top *top = ctx;
	const struct as_table *t = top->table;
	struct as_row_key x = as_top_key(top, a), y = as_top_key(top, b);
	size_t event = top->n_events ? top->event[0] : 0;
	int cmp;

	if (t->n_events) {
		as_val v = t->self[a * (size_t)t->n_events + event];
		as_val w = t->self[b * (size_t)t->n_events + event];

		if (v != w)
			return v > w ? -1 : 1;
	}
	cmp = as_slice_cmp(x.function, y.function);
	if (!cmp)
		cmp = as_slice_cmp(x.file, y.file);
	if (!cmp)
		cmp = as_slice_cmp(x.object, y.object);
	if (!cmp && t->key[a].addr != t->key[b].addr)
		cmp = t->key[a].addr < t->key[b].addr ? -1 : 1;
	return cmp;
}

/* The members of the cycle of ROW; NULL if out of memory. They are the arena's. */
static uint32_t *members(struct as_top *top, uint32_t row, size_t *n)
{
	const struct as_table *t = top->table;
	uint32_t *m, cycle = t->key[row].cycle;

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		*n += t->key[i].cycle == cycle && !t->key[i].is_cycle;
	m = as_arena_get(&top->arena, *n * sizeof(*m) + 1);
	*n = 0;
	for (size_t i = 0; m && i < t->n; i++)
		if (t->key[i].cycle == cycle && !t->key[i].is_cycle)
			m[(*n)++] = (uint32_t)i;
	return m && as_sort_rows(top->prof->al, m, *n, cmp_member, top) ? m : NULL;
}

static void json_costs(
	const struct as_top *top, struct as_json *j, const char *key, uint32_t row, const as_val *v)
{
	as_json_array(j, key);
	for (uint32_t i = 0; i < top->n_events; i++)
		as_json_val(j, NULL, v[(size_t)row * top->table->n_events + top->event[i]]);
	as_json_array_end(j);
}

static struct as_view_func member_at(const struct as_top *top, uint32_t row)
{
	return (struct as_view_func){
		top->prof, as_top_key(top, row).function, &top->table->key[row]};
}

static void json_cycle(struct as_top *top, struct as_json *j, uint32_t row)
{
	const struct as_table *t = top->table;
	size_t n;
	uint32_t *m = members(top, row, &n);

	as_json_object(j, NULL);
	as_json_u64(j, "cycle", t->key[row].cycle);
	json_costs(top, j, "self", row, t->self);
	json_costs(top, j, "inclusive", row, t->incl);
	as_json_val(j, "calls", t->calls[row]);
	as_json_array(j, "members");
	for (size_t i = 0; m && i < n; i++) {
		as_json_object(j, NULL);
		as_view_json_func(j, member_at(top, m[i]));
		as_json_object_end(j);
	}
	as_json_array_end(j);
	as_json_object_end(j);
}

void as_top_cycles_json(struct as_top *top, struct as_json *j)
{
	as_json_array(j, "cycles");
	for (size_t i = 0; i < top->n_cycles; i++)
		json_cycle(top, j, top->cycle[i]);
	as_json_array_end(j);
}

/* "a, b, c and 3 more" */
static struct as_slice member_names(struct as_top *top, struct as_grid *g, uint32_t row)
{
	struct as_slice text = {"", 0};
	size_t n;
	uint32_t *m = members(top, row, &n);

	for (size_t i = 0; m && i < n && i < NAMES; i++) {
		struct as_slice name = as_view_name(&g->arena, member_at(top, m[i]));

		text = as_arena_printf(&g->arena, "%.*s%s%.*s", AS_SLICE_FMT(text), i ? ", " : "",
			AS_SLICE_FMT(name));
	}
	if (n > NAMES)
		text = as_arena_printf(
			&g->arena, "%.*s and %zu more", AS_SLICE_FMT(text), n - NAMES);
	return text;
}

static void text_row(
	struct as_top *top, struct as_grid *g, uint32_t row, const struct as_style *style)
{
	const struct as_table *t = top->table;
	as_val total = as_whole(top->prof)[top->event[0]];
	as_val self = as_top_self(top, row, top->event[0]);
	as_val incl = as_top_incl(top, row, top->event[0]);

	as_grid_cell(g, as_arena_printf(&g->arena, "<cycle %u>", t->key[row].cycle));
	as_grid_cell(g, as_show_val(&g->arena, self, style));
	as_grid_cell(g, as_show_percent(&g->arena, self, total));
	as_grid_cell(g, as_show_val(&g->arena, incl, style));
	as_grid_cell(g, as_show_percent(&g->arena, incl, total));
	as_grid_cell(g, as_show_val(&g->arena, t->calls[row], style));
	as_grid_cell(g, member_names(top, g, row));
}

enum as_code as_top_cycles_text(
	struct as_top *top, struct as_out *out, const struct as_style *style)
{
	static const char *const head[] = {
		"calling in a circle", "self", "%", "incl", "%", "calls", "members"};
	size_t shown = top->n_cycles < SHOWN ? top->n_cycles : SHOWN;
	struct as_grid g;
	enum as_code rc;

	if (!shown || !top->n_events)
		return AS_OK;
	as_grid_init(&g, top->prof->al);
	for (size_t i = 0; i < AS_ARRAY_LEN(head); i++)
		as_grid_column(&g, head[i], i == 0 || i == 6, i == 6);
	for (size_t i = 0; i < shown; i++)
		text_row(top, &g, top->cycle[i], style);
	as_out_char(out, '\n');
	rc = as_grid_print(&g, out, style);
	if (top->n_cycles > shown)
		as_out_printf(out, "%zu more cycle%s\n", top->n_cycles - shown,
			top->n_cycles - shown == 1 ? "" : "s");
	as_grid_release(&g);
	return rc;
}
