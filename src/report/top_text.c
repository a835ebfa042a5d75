/* SPDX-License-Identifier: Apache-2.0 */
/* `assay top` for people. */
#include "report/top.h"

#include "formats/format.h"
#include "report/kit/show.h"
#include "report/kit/unit.h"
#include "report/views.h"

/* Besides the first event, so many are shown at the most; --event picks others, CSV shows all. */
enum { MORE_EVENTS_MAX = 40, MORE_EVENT_COLUMNS = 12, FIRST_EVENT_COLUMNS = 66 };

/* Below so many columns rows of addresses do without inclusive costs, which are those of the self
 * column there but for instructions that call. */
enum { ADDRESS_INCL_COLUMNS = 110 };

/* From so many columns on there is room for what a row and those above it cost together. */
enum { SUM_COLUMNS = 110 };

/* Rows of at least this part of the largest self cost are painted. */
enum { HOT_SHARE = 2, WARM_SHARE = 10 };

/* Where in the list of shown events the one that rows are sorted by stands. */
static uint32_t first_shown(const struct as_top *top)
{
	for (uint32_t i = 0; i < top->n_events; i++)
		if (top->event[i] == top->opts.sort_event)
			return i;
	return 0;
}

/* How many events beside the first find room. */
static uint32_t more_events(const struct as_top *top, const struct as_style *style)
{
	uint32_t more = top->n_events ? top->n_events - 1 : 0, room = MORE_EVENTS_MAX;

	if (style->width)
		room = style->width > FIRST_EVENT_COLUMNS + 24
			       ? (style->width - FIRST_EVENT_COLUMNS - 24) / MORE_EVENT_COLUMNS
			       : 0;
	if (room > MORE_EVENTS_MAX)
		room = MORE_EVENTS_MAX;
	return more < room ? more : room;
}

static const char *head(struct as_grid *g, const char *prefix, struct as_slice name)
{
	struct as_slice s = as_show_clean(&g->arena, name);

	s = as_arena_printf(&g->arena, "%s %.*s", prefix, AS_SLICE_FMT(s));
	if (!s.p)
		g->oom = true;
	return s.p ? s.p : "";
}

struct text_table {
	const struct as_top *top;
	const struct as_style *style;
	struct as_grid grid;
	uint32_t first, more; /* index of the first event in top->event; how many others */
	bool has_incl, has_calls, has_addr, has_where;
	bool hides_incl;            /* for want of room */
	bool has_sum;               /* rows are in the order of what is summed up */
	as_val sum;                 /* of the rows so far */
	as_val most;                /* self cost of the first event in a row */
	const struct as_unit *unit; /* of each shown event */
	bool *twin; /* of each row that is shown: another looks the same but for its directory */
};

/* ---- twins ---- */

/* The path that stands for a row. */
static struct as_slice path_of(struct as_row_key rk)
{
	return rk.file.len ? rk.file : rk.object;
}

static uint64_t look_hash(struct as_row_key rk)
{
	struct as_slice base = as_base_name(path_of(rk));

	return as_hash_mix(as_hash_bytes(rk.function.p, rk.function.len) + rk.line,
		as_hash_bytes(base.p, base.len));
}

static bool look_alike(struct as_row_key a, struct as_row_key b)
{
	return a.line == b.line && as_slice_eq(a.function, b.function) &&
	       as_slice_eq(as_base_name(path_of(a)), as_base_name(path_of(b))) &&
	       !as_slice_eq(path_of(a), path_of(b));
}

/* Mark row I and those before it that look like it. */
static bool mark_twins(struct text_table *tt, struct as_index *ix, size_t i)
{
	const struct as_top *top = tt->top;
	struct as_row_key rk = as_top_key(top, top->row[i]);
	uint64_t hash = look_hash(rk), pos = AS_INDEX_START;
	uint32_t other;

	if (!rk.function.len)
		return true;
	while (as_index_find(ix, hash, &pos, &other)) {
		if (look_alike(rk, as_top_key(top, top->row[other])))
			tt->twin[i] = tt->twin[other] = true;
		if (tt->twin[i])
			return true; /* those like it have been marked by one another */
	}
	return as_index_add(ix, hash, (uint32_t)i);
}

static bool find_twins(struct text_table *tt)
{
	const struct as_top *top = tt->top;
	struct as_index ix;
	bool fine = true;

	as_index_init(&ix, top->prof->al);
	tt->twin = as_alloc_new(top->prof->al, top->n_rows + 1);
	for (size_t i = 0; tt->twin && fine && i < top->n_rows; i++)
		fine = mark_twins(tt, &ix, i);
	as_index_release(&ix);
	return tt->twin && fine;
}

/* ---- columns and cells ---- */

static void columns(struct text_table *tt)
{
	const struct as_top *top = tt->top;
	struct as_grid *g = &tt->grid;
	enum as_by by = top->table->by;
	uint32_t shown = 0;

	if (top->n_events) {
		struct as_slice name = as_event_name(top->prof, top->event[tt->first]);

		as_grid_column(g, head(g, "self", name), false, AS_FIT_WHOLE);
		as_grid_column(g, "%", false, AS_FIT_WHOLE);
		if (tt->has_sum)
			as_grid_column(g, "sum %", false, AS_FIT_WHOLE);
		if (tt->has_incl) {
			as_grid_column(g, head(g, "incl", name), false, AS_FIT_WHOLE);
			as_grid_column(g, "%", false, AS_FIT_WHOLE);
		}
	}
	for (uint32_t i = 0; i < top->n_events && shown < tt->more; i++) {
		if (i == tt->first)
			continue;
		as_grid_column(g, head(g, "self", as_event_name(top->prof, top->event[i])), false,
			AS_FIT_WHOLE);
		shown++;
	}
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_grid_column(g,
			head(g, top->opts.metric_incl ? "incl" : "self", top->opts.metric[k].name),
			false, AS_FIT_WHOLE);
	if (tt->has_calls)
		as_grid_column(g, "calls", false, AS_FIT_WHOLE);
	if (by == AS_BY_FILE || by == AS_BY_OBJECT)
		as_grid_column(g, as_by_text(by), true, AS_FIT_PLACE);
	else
		as_grid_column(g, "function", true, AS_FIT_NAME);
	if (tt->has_addr)
		as_grid_column(g, "address", true, AS_FIT_PLACE);
	if (tt->has_where)
		as_grid_column(g, "where", true, AS_FIT_PLACE);
}

static bool is_function(enum as_by by)
{
	return by == AS_BY_FUNC || by == AS_BY_FILEFUNC;
}

/* Code without a name: by address that of the row; by line the function's own, if it has one. */
static struct as_slice place_name(struct text_table *tt, const struct as_key *key)
{
	const struct as_profile *prof = tt->top->prof;
	struct as_arena *ar = &tt->grid.arena;
	bool by_addr = tt->top->table->by == AS_BY_ADDR;
	uint64_t own = prof->func.addr.p[key->func.i];
	struct as_slice path = as_object_path(prof, key->object);

	if (own || by_addr || !path.len)
		return as_show_func(ar, prof, as_func_name(prof, key->func), key->object,
			by_addr ? key->addr : own);
	return as_arena_printf(ar, "[%.*s]", AS_SLICE_FMT(as_show_where(ar, path, 0)));
}

static struct as_slice row_name(struct text_table *tt, uint32_t row)
{
	const struct as_top *top = tt->top;
	struct as_arena *ar = &tt->grid.arena;
	const struct as_key *key = &top->table->key[row];
	struct as_row_key rk = as_top_key(top, row);

	switch (top->table->by) {
	case AS_BY_FILE:
		return rk.file.len ? as_show_clean(ar, rk.file) : as_slice_of("[unknown]");
	case AS_BY_OBJECT:
		return rk.object.len ? as_show_clean(ar, rk.object) : as_slice_of("[unknown]");
	case AS_BY_FUNC:
	case AS_BY_FILEFUNC:
		break;
	case AS_BY_LINE:
	case AS_BY_ADDR:
		return rk.function.len ? as_show_clean(ar, rk.function) : place_name(tt, key);
	}
	return as_show_func(ar, top->prof, rk.function, key->object, key->addr);
}

/* "libc.so.6+0x1234" */
static struct as_slice row_address(struct text_table *tt, size_t i)
{
	struct as_arena *ar = &tt->grid.arena;
	struct as_row_key rk = as_top_key(tt->top, tt->top->row[i]);
	struct as_slice object = as_show_where(ar, rk.object, 0);

	return as_arena_printf(
		ar, "%.*s%s0x%" PRIx64, AS_SLICE_FMT(object), object.len ? "+" : "", rk.addr);
}

/* File and line if they are known, else the object, unless its offset is shown anyway. */
static struct as_slice row_where(struct text_table *tt, size_t i)
{
	struct as_arena *ar = &tt->grid.arena;
	struct as_row_key rk = as_top_key(tt->top, tt->top->row[i]);
	struct as_slice where = path_of(rk);

	if (tt->has_addr)
		return as_show_where(ar, rk.file, rk.line);
	if (!tt->twin[i])
		return as_show_where(ar, where, rk.line);
	where = as_show_clean(ar, where);
	return rk.line ? as_arena_printf(ar, "%.*s:%" PRIu64, AS_SLICE_FMT(where), rk.line) : where;
}

/* A cost of the shown event number I. */
static void cost(struct text_table *tt, uint32_t i, as_val v)
{
	as_grid_cell(&tt->grid, as_show_in(&tt->grid.arena, v, &tt->unit[i], tt->style));
}

static void pair(struct text_table *tt, as_val v, as_val total)
{
	cost(tt, tt->first, v);
	as_grid_cell(&tt->grid, as_show_percent(&tt->grid.arena, v, total));
}

static void nothing(struct text_table *tt)
{
	as_grid_cell(&tt->grid, as_slice_of("-"));
}

/* By the largest self cost that is shown. */
static enum as_paint heat(const struct text_table *tt, as_val self)
{
	if (self <= 0 || self < tt->most / WARM_SHARE)
		return AS_PAINT_NONE;
	return self >= tt->most / HOT_SHARE ? AS_PAINT_HOT : AS_PAINT_WARM;
}

static void cells(struct text_table *tt, size_t i_row)
{
	const struct as_top *top = tt->top;
	const struct as_table *table = top->table;
	struct as_arena *ar = &tt->grid.arena;
	uint32_t row = top->row[i_row], shown = 0;
	uint32_t ev = top->n_events ? top->event[tt->first] : 0;

	if (top->n_events) {
		as_grid_paint_row(&tt->grid, heat(tt, as_top_self(top, row, ev)));
		pair(tt, as_top_self(top, row, ev), as_whole(top->prof)[ev]);
		tt->sum += as_top_self(top, row, ev);
	}
	if (tt->has_sum)
		as_grid_cell(&tt->grid, as_show_percent(ar, tt->sum, as_whole(top->prof)[ev]));
	if (top->n_events && tt->has_incl) {
		const as_val *most = as_table_most(table, row);

		if (most && most[ev] > as_top_incl(top, row, ev)) {
			as_view_at_most(&tt->grid, most[ev], as_whole(top->prof)[ev],
				&tt->unit[tt->first], tt->style);
		} else if (table->has_incl[row]) {
			pair(tt, as_top_incl(top, row, ev), as_whole(top->prof)[ev]);
		} else {
			nothing(tt);
			nothing(tt);
		}
	}
	for (uint32_t i = 0; i < top->n_events && shown < tt->more; i++) {
		if (i == tt->first)
			continue;
		cost(tt, i, as_top_self(top, row, top->event[i]));
		shown++;
	}
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_grid_cell(&tt->grid, as_show_number(ar, as_top_metric(top, row, k), tt->style));
	if (tt->has_calls && table->has_calls[row])
		as_grid_cell(&tt->grid, as_show_val(ar, table->calls[row], tt->style));
	else if (tt->has_calls)
		nothing(tt);
	as_grid_marked(&tt->grid, (struct as_grid_cell){.text = row_name(tt, row),
					  .trail = is_function(table->by) && table->recursive[row]
							   ? as_view_again(tt->style)
							   : NULL});
	if (tt->has_addr)
		as_grid_cell(&tt->grid, row_address(tt, i_row));
	if (tt->has_where)
		as_grid_cell(&tt->grid, row_where(tt, i_row));
}

/* A row of sums: SELF has a value per event of the table. */
static void rest_cells(struct text_table *tt, const as_val *self, struct as_slice name)
{
	const struct as_top *top = tt->top;
	struct as_arena *ar = &tt->grid.arena;
	uint32_t shown = 0;

	if (top->n_events)
		pair(tt, self[tt->first], as_whole(top->prof)[top->event[tt->first]]);
	for (int i = 0; i < (top->n_events && tt->has_incl ? 2 : 0) + tt->has_sum; i++)
		as_grid_cell(&tt->grid, as_slice_of(""));
	for (uint32_t i = 0; i < top->n_events && shown < tt->more; i++) {
		if (i == tt->first)
			continue;
		cost(tt, i, self[i]);
		shown++;
	}
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_grid_cell(&tt->grid,
			top->opts.metric_incl || self != top->rest_self
				? as_slice_of("")
				: as_show_number(ar, as_top_rest_metric(top, k), tt->style));
	if (tt->has_calls)
		as_grid_cell(&tt->grid, as_slice_of(""));
	as_grid_cell(&tt->grid, name);
	for (int i = 0; i < tt->has_addr + tt->has_where; i++)
		as_grid_cell(&tt->grid, as_slice_of(""));
}

/* What is not shown, and what filters left out, so that every column adds up to the whole. */
static void last_rows(struct text_table *tt)
{
	const struct as_top *top = tt->top;
	const struct as_profile *prof = top->prof;
	struct as_arena *ar = &tt->grid.arena;
	bool any = false;
	as_val *out;

	if (top->n_rest)
		rest_cells(tt, top->rest_self,
			as_arena_printf(ar, "[%" PRIu64 " more %s]", top->n_rest,
				top->n_rest == 1 ? "row" : "rows"));
	if (!prof->whole)
		return;
	out = as_arena_get(ar, (top->n_events + 1) * sizeof(*out));
	if (!out) {
		tt->grid.oom = true;
		return;
	}
	for (uint32_t i = 0; i < top->n_events; i++) {
		out[i] = prof->whole[top->event[i]] - prof->total[top->event[i]];
		any |= out[i] != 0;
	}
	if (any)
		rest_cells(tt, out, as_slice_of("[filtered out]"));
}

/* What a wider terminal would show. */
static void put_hidden(struct text_table *tt, struct as_out *out)
{
	const struct as_top *top = tt->top;
	uint32_t shown = 0;

	if (tt->more + 1 >= top->n_events && !tt->hides_incl)
		return;
	as_out_printf(out, "%sno room for:", as_paint_begin(tt->style, AS_PAINT_DIM));
	if (tt->hides_incl)
		as_out_text(out, " incl");
	for (uint32_t i = 0; i < top->n_events; i++)
		if (i != tt->first && shown++ >= tt->more)
			as_out_printf(out, " %.*s",
				AS_SLICE_FMT(as_show_clean(
					&tt->grid.arena, as_event_name(top->prof, top->event[i]))));
	as_out_printf(out, " (%s-f csv has all)%s\n",
		tt->more + 1 < top->n_events ? "-e EVENT chooses, " : "",
		as_paint_end(tt->style, AS_PAINT_DIM));
}

/* Of all shown events. NULL if out of memory. */
static const struct as_unit *find_units(struct text_table *tt)
{
	const struct as_top *top = tt->top;
	struct as_unit *unit = as_arena_get(&tt->grid.arena, (top->n_events + 1) * sizeof(*unit));

	for (uint32_t i = 0; unit && i < top->n_events; i++)
		unit[i] = as_unit_of(top->prof, top->event[i],
			top->opts.unit ? top->opts.unit : "count",
			top->table->total[top->event[i]]);
	return unit;
}

enum as_code as_top_text(const struct as_top *top, struct as_out *out, const struct as_style *style)
{
	const struct as_table *table = top->table;
	struct text_table tt = {
		.top = top,
		.style = style,
		.first = first_shown(top),
		.more = more_events(top, style),
		.has_sum = style->width >= SUM_COLUMNS && top->n_events &&
			   table->by != AS_BY_ADDR && !top->opts.sort_inclusive &&
			   !top->opts.sort_metric,
		.has_addr = table->by == AS_BY_ADDR,
		.has_where = table->by != AS_BY_FILE && table->by != AS_BY_OBJECT,
	};
	enum as_code rc;

	for (size_t i = 0; i < top->n_rows; i++) {
		tt.has_incl |= table->has_incl[top->row[i]];
		tt.has_calls |= table->has_calls[top->row[i]];
		if (top->n_events && as_top_self(top, top->row[i], top->event[tt.first]) > tt.most)
			tt.most = as_top_self(top, top->row[i], top->event[tt.first]);
	}
	tt.hides_incl =
		tt.has_incl && tt.has_addr && style->width && style->width < ADDRESS_INCL_COLUMNS;
	tt.has_incl &= !tt.hides_incl;
	as_grid_init(&tt.grid, top->prof->al);
	columns(&tt);
	tt.unit = find_units(&tt);
	if (!tt.unit || !find_twins(&tt))
		tt.grid.oom = true;
	for (size_t i = 0; !tt.grid.oom && i < top->n_rows; i++)
		cells(&tt, i);
	if (!tt.grid.oom)
		last_rows(&tt);
	rc = as_grid_print(&tt.grid, out, style);
	put_hidden(&tt, out);
	if (top->prof->estimated)
		as_out_text(out, "estimated: which way cost took was made out of calls\n");
	as_grid_release(&tt.grid);
	as_alloc_free(top->prof->al, tt.twin, top->n_rows + 1);
	return rc;
}
