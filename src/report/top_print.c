/* SPDX-License-Identifier: Apache-2.0 */
/* `assay top` for people, and for programs: all events, as counts. */
#include "formats/format.h"
#include "report/kit/show.h"
#include "report/top.h"

/* Below so many columns rows of addresses do without inclusive costs, which are those of the self
 * column there but for instructions that call. */
enum { ADDRESS_INCL_COLUMNS = 110 };

/* From so many columns on there is room for what a row and those above it cost together; and for
 * instructions. */
enum { SUM_COLUMNS = 110, ADDRESS_SUM_COLUMNS = 140, INSN_COLUMNS = 90 };

/* Slots: what a row is; its costs; the instruction of one by address; costs over time. */
enum { FUNCTION, NAME, FILE_PATH, LINE, OBJECT, ADDRESS, WHERE, MORE, CYCLE, MEMBER, COSTS };
enum { SELF = COSTS, SUM, INCL, MOST, METRICS, CALLS, AGAIN, SITE };
enum { AT = SITE, INSN, OVER_LINE, OVER, TIMELESS };

static const struct as_over_slots over_slots = {OVER_LINE, METRICS, OVER, TIMELESS};

static const struct as_column columns[] = {
	{AS_COL_COSTS, AS_IN_TEXT, SELF, "self"},
	{AS_COL_SHARE, AS_IN_TEXT, SUM, "sum %"},
	{AS_COL_COSTS, AS_IN_TEXT, INCL, "incl"},
	{AS_COL_OTHERS, AS_IN_TEXT, SELF, "self"},
	{AS_COL_WORD, AS_IN_TEXT, OVER_LINE, "over time"},
	{AS_COL_METRICS, AS_IN_TEXT, METRICS, NULL},
	{AS_COL_COUNT, AS_IN_TEXT, CALLS, "calls"},
	{AS_COL_NAME, AS_IN_TEXT | AS_IN_CSV, NAME, "function"},
	{AS_COL_NAME, AS_IN_JSON, FUNCTION, "function"},
	{AS_COL_PLACE, AS_IN_ALL, FILE_PATH, "file"},
	{AS_COL_ID, AS_IN_DATA, LINE, "line"},
	{AS_COL_PLACE, AS_IN_ALL, OBJECT, "object"},
	{AS_COL_ADDR, AS_IN_DATA, ADDRESS, "address"},
	{AS_COL_PLACE, AS_IN_TEXT, ADDRESS, "address"},
	{AS_COL_TEXT, AS_IN_TEXT, INSN, "instruction"},
	{AS_COL_PLACE, AS_IN_TEXT, WHERE, "where"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "rows"},
	{AS_COL_ID, AS_IN_JSON, CYCLE, "cycle"},
	{AS_COL_FUNC, AS_IN_JSON, MEMBER, ""},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_JSON, MOST, "inclusive_at_most"},
	{AS_COL_METRICS, AS_IN_JSON, METRICS, "metrics"},
	{AS_COL_METRICS, AS_IN_CSV, METRICS, NULL},
	{AS_COL_COUNT, AS_IN_DATA, CALLS, "calls"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{AS_COL_TEXT, AS_IN_DATA, AT, "at"},
	{AS_COL_TEXT, AS_IN_DATA, INSN, "instruction"},
	{AS_COL_LIST, AS_IN_JSON, OVER, "over"},
	{AS_COL_COUNT, AS_IN_JSON, TIMELESS, "no_time"},
	{0},
};

struct printer {
	struct as_sheet sheet;
	struct as_top *top;
	struct as_number *metric; /* of the row */
	struct as_over_view over;
	/* Text has: */
	as_val sum;  /* self cost of the first event in the rows so far */
	as_val most; /* and in the row with the most of it */
	bool *twin;  /* of each row that is shown: another looks the same but for its directory */
};

/* ---- twins ---- */

/* The path that stands for a row. */
static struct as_slice top_path_of(struct as_row_key rk)
{
	return rk.file.len ? rk.file : rk.object;
}

static uint64_t top_look_hash(struct as_row_key rk)
{
	struct as_slice base = as_base_name(top_path_of(rk));

	return as_hash_mix(as_hash_bytes(rk.function.p, rk.function.len) + rk.line,
		as_hash_bytes(base.p, base.len));
}

static bool top_look_alike(struct as_row_key a, struct as_row_key b)
{
	return a.line == b.line && as_slice_eq(a.function, b.function) &&
	       as_slice_eq(as_base_name(top_path_of(a)), as_base_name(top_path_of(b))) &&
	       !as_slice_eq(top_path_of(a), top_path_of(b));
}

/* Mark row I and those before it that look like it. */
static bool top_mark_twins(struct printer *x, struct as_index *ix, size_t i)
{
	const struct as_top *top = x->top;
	struct as_row_key rk = as_top_key(top, top->row[i]);
	uint64_t hash = top_look_hash(rk), pos = AS_INDEX_START;
	uint32_t other;

	if (!rk.function.len)
		return true;
	while (as_index_find(ix, hash, &pos, &other)) {
		if (top_look_alike(rk, as_top_key(top, top->row[other])))
			x->twin[i] = x->twin[other] = true;
		if (x->twin[i])
			return true; /* those like it have been marked by one another */
	}
	return as_index_add(ix, hash, (uint32_t)i);
}

static bool top_find_twins(struct printer *x)
{
	const struct as_top *top = x->top;
	struct as_index ix;
	bool ok = true;

	as_index_init(&ix, top->prof->al);
	x->twin = as_alloc_new(top->prof->al, top->n_rows + 1);
	for (size_t i = 0; x->twin && ok && i < top->n_rows; i++)
		ok = top_mark_twins(x, &ix, i);
	as_index_release(&ix);
	return x->twin && ok;
}

/* ---- rows of text ---- */

/* The slot of the name in text. */
static unsigned top_name_slot(const struct printer *x)
{
	enum as_by by = x->top->table->by;

	return by == AS_BY_FILE ? FILE_PATH : by == AS_BY_OBJECT ? OBJECT : NAME;
}

static void top_text_costs(struct printer *x, uint32_t row)
{
	struct as_sheet *s = &x->sheet;
	const as_val *most = as_table_most(x->top->table, row);
	as_val self;

	if (!s->opts->n_events)
		return;
	self = as_top_self(x->top, row, s->event);
	as_grid_paint_row(&s->grid, as_paint_heat(self, x->most));
	x->sum += self;
	as_sheet_count(s, SUM, true, x->sum);
	if (most && most[s->event] > as_top_incl(x->top, row, s->event)) {
		as_sheet_costs(s, INCL, most);
		as_sheet_mark(s, INCL, AS_COST_AT_MOST);
	}
}

/* File and line if they are known, else the object, unless its offset, "libc.so.6+0x1234", is shown
 * anyway. */
static void top_text_where(struct printer *x, size_t i, struct as_row_key rk)
{
	struct as_sheet *s = &x->sheet;
	struct as_arena *ar = &s->grid.arena;
	bool by_addr = x->top->table->by == AS_BY_ADDR;
	struct as_slice object = as_show_where(ar, rk.object, 0);
	struct as_slice where = by_addr ? rk.file : top_path_of(rk);

	if (by_addr)
		as_sheet_text(s, ADDRESS,
			as_arena_printf(ar, "%.*s%s0x%" PRIx64, AS_SLICE_FMT(object),
				object.len ? "+" : "", rk.addr));
	if (by_addr || !x->twin[i])
		where = as_show_where(ar, where, rk.line);
	else if (rk.line)
		where = as_arena_printf(
			ar, "%.*s:%" PRIu64, AS_SLICE_FMT(as_show_clean(ar, where)), rk.line);
	as_sheet_text(s, WHERE, where);
}

/* "smooth+0x4f" of SITE, whose function is called NAME. */
static struct as_slice top_site_text(
	struct as_arena *ar, const struct as_top_site *site, struct as_slice name)
{
	if (!site->function.len)
		return as_slice_of("");
	return as_arena_printf(ar, "%.*s+0x%" PRIx64, AS_SLICE_FMT(name), site->offset);
}

/* Behind the name its offset; of inlined code the function that it is in. */
static void top_text_site(struct printer *x, size_t i)
{
	const struct as_top_site *site = &x->top->site[i];
	struct as_sheet *s = &x->sheet;
	struct as_arena *ar = &s->grid.arena;
	struct as_slice at = top_site_text(ar, site, as_slice_of("")), name;
	bool narrow = s->to.style->width && s->to.style->width < ADDRESS_SUM_COLUMNS;

	as_sheet_text(s, INSN, site->insn);
	if (site->function.len && !site->is_own) {
		name = as_show_beside(ar, x->top->prof, site->function);
		at = narrow ? as_slice_of("")
			    : as_arena_printf(
				      ar, " (%.*s%.*s)", AS_SLICE_FMT(name), AS_SLICE_FMT(at));
	}
	s->name.trail = at.p && at.len ? at.p : NULL;
}

static void top_text_row(struct printer *x, size_t i)
{
	const struct as_table *t = x->top->table;
	uint32_t row = x->top->row[i];
	struct as_sheet *s = &x->sheet;
	struct as_slice name = as_top_name(x->top, row, &s->grid.arena);

	top_text_costs(x, row);
	as_sheet_text(s, top_name_slot(x), name.p && !name.len ? as_slice_of("[unknown]") : name);
	if ((t->by == AS_BY_FUNC || t->by == AS_BY_FILEFUNC) && t->recursive[row])
		s->name.trail = as_view_again(s->to.style);
	if (x->top->site)
		top_text_site(x, i);
	top_text_where(x, i, as_top_key(x->top, row));
}

/* ---- rows ---- */

/* Rows by address have both, known or not. */
static void top_data_site(struct printer *x, size_t i)
{
	static const struct as_top_site unknown;
	const struct as_top_site *site = x->top->site ? &x->top->site[i] : &unknown;
	struct as_sheet *s = &x->sheet;

	as_sheet_text_or_null(s, AT, top_site_text(&s->grid.arena, site, site->function));
	as_sheet_text_or_null(s, INSN, site->insn);
}

static void top_data_row(struct printer *x, size_t i)
{
	uint32_t row = x->top->row[i];
	const struct as_table *t = x->top->table;
	struct as_row_key rk = as_top_key(x->top, row);
	struct as_sheet *s = &x->sheet;

	if (as_sheet_is(s, AS_FORM_CSV) && top_name_slot(x) == NAME)
		as_sheet_text(s, NAME, as_top_name(x->top, row, &s->grid.arena));
	as_sheet_text_or_null(s, FUNCTION, rk.function);
	as_sheet_text_or_null(s, FILE_PATH, rk.file);
	as_sheet_count(s, LINE, rk.line != 0, (as_val)rk.line);
	as_sheet_text_or_null(s, OBJECT, rk.object);
	as_sheet_count(s, ADDRESS, rk.has_addr, (as_val)rk.addr);
	if (as_table_most(t, row))
		as_sheet_costs(s, MOST, as_table_most(t, row));
	as_sheet_count(s, AGAIN, true, t->recursive[row]);
	if (t->by == AS_BY_ADDR)
		top_data_site(x, i);
}

static void top_put_row(struct printer *x, size_t i)
{
	const struct as_top *top = x->top;
	const struct as_table *t = top->table;
	uint32_t row = top->row[i];
	size_t at = (size_t)row * t->n_events;
	struct as_sheet *s = &x->sheet;

	as_sheet_costs(s, SELF, as_at(t->self, at));
	as_sheet_costs(s, INCL, t->has_incl[row] ? as_at(t->incl, at) : NULL);
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		x->metric[k] = as_top_metric(top, row, k);
	if (!top->over)
		as_sheet_metrics(s, METRICS, x->metric);
	as_over_view_row(&x->over, s, &over_slots, (uint32_t)i);
	as_sheet_count(s, CALLS, t->has_calls[row], t->calls[row]);
	if (as_sheet_is(s, AS_FORM_TEXT))
		top_text_row(x, i);
	else
		top_data_row(x, i);
	as_sheet_row(s, NULL);
}

static void top_put_rest(struct printer *x)
{
	const struct as_top *top = x->top;
	struct as_sheet *s = &x->sheet;
	bool text = as_sheet_is(s, AS_FORM_TEXT);

	if (text && !top->n_rest)
		return;
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		x->metric[k] = as_top_rest_metric(top, k);
	as_over_view_row(&x->over, s, &over_slots, (uint32_t)top->n_rows);
	if (!top->over && (!text || !top->opts.metric_incl))
		as_sheet_metrics(s, METRICS, x->metric);
	as_sheet_rest(s, (struct as_sheet_rest){MORE, SELF, top_name_slot(x)}, top->n_rest,
		" row{|s}", top->rest_all);
}

/* A row for what filters left out, so that every column of text adds up to the whole. */
static void top_put_filtered_out(struct printer *x)
{
	struct as_sheet *s = &x->sheet;
	const as_val *left = as_sheet_is(s, AS_FORM_TEXT) ? as_sheet_filtered_out(s) : NULL;
	bool any = false;

	for (uint32_t k = 0; left && k < x->top->view.n_events; k++)
		any |= left[x->top->view.event[k]] != 0;
	if (!any)
		return;
	as_sheet_title(s, top_name_slot(x), as_slice_of("[filtered out]"));
	as_sheet_costs(s, SELF, left);
	as_sheet_row(s, NULL);
}

/* Cycles stand beside the table, not in it: their cost is that of their members over again. */
static void top_put_cycle(struct printer *x, uint32_t row)
{
	const struct as_table *t = x->top->table;
	size_t at = (size_t)row * t->n_events, n;
	const uint32_t *member = as_top_members(x->top, row, SIZE_MAX, &n);
	struct as_sheet *s = &x->sheet;

	s->grid.arena.failed |= !member;
	as_sheet_count(s, CYCLE, true, t->key[row].cycle);
	as_sheet_costs(s, SELF, t->self + at);
	as_sheet_costs(s, INCL, t->incl + at);
	as_sheet_count(s, CALLS, true, t->calls[row]);
	as_sheet_row_begin(s, NULL);
	as_sheet_list(s, "members");
	for (size_t i = 0; member && i < n; i++) {
		as_sheet_func(s, MEMBER, as_view_row(t, member[i]));
		as_sheet_row(s, NULL);
	}
	as_sheet_list_end(s);
	as_sheet_row_end(s);
}

/* What JSON has below its rows. */
static void top_put_json(struct printer *x)
{
	const struct as_top *top = x->top;
	struct as_sheet *s = &x->sheet;

	if (!top->no_cycles) {
		as_sheet_list(s, "cycles");
		for (size_t i = 0; i < top->n_cycles; i++)
			top_put_cycle(x, top->cycle[i]);
		as_sheet_list_end(s);
	}
	if (!top->found)
		return;
	as_json_val(&s->json, "found", top->found->n);
	as_json_val(&s->json, "all", top->found->all);
	as_json_vals(&s->json, "found_self", top->found->self, top->view.n_events);
	as_json_val(&s->json, "above", top->found->above);
}

/* ---- the sheet ---- */

/* Which columns text has, and what it needs to know of all rows before the first. */
static void top_begin_text(struct printer *x)
{
	const struct as_top *top = x->top;
	const struct as_table *t = top->table;
	struct as_sheet *s = &x->sheet;
	bool has_incl = false, has_calls = false, has_insn = false, by_addr = t->by == AS_BY_ADDR;
	bool has_sum = s->to.style->width >= (by_addr ? ADDRESS_SUM_COLUMNS : SUM_COLUMNS) &&
		       top->view.n_events && !top->opts.sort_inclusive && !top->opts.sort_metric &&
		       !top->over;

	for (size_t i = 0; i < top->n_rows; i++) {
		as_val self = top->view.n_events ? as_top_self(top, top->row[i], s->event) : 0;

		has_incl |= t->has_incl[top->row[i]];
		has_calls |= t->has_calls[top->row[i]];
		has_insn |= top->site && top->site[i].insn.len;
		x->most = self > x->most ? self : x->most;
	}
	as_sheet_fit_events(s);
	if (has_insn)
		as_sheet_fit_column(s, INSN, "instruction", INSN_COLUMNS);
	if (has_incl && by_addr)
		as_sheet_fit_column(
			s, INCL, "incl", has_insn ? ADDRESS_SUM_COLUMNS : ADDRESS_INCL_COLUMNS);
	as_sheet_hide(s, AS_IN_TEXT, INCL, !has_incl || (top->over && !top->opts.sort_inclusive));
	as_sheet_hide(s, AS_IN_TEXT, CALLS, !has_calls);
	as_sheet_hide(s, AS_IN_TEXT, SUM, !has_sum);
	as_sheet_hide(s, AS_IN_TEXT, OVER_LINE, !top->over);
	as_sheet_hide(s, AS_IN_TEXT, INSN, !has_insn);
	as_sheet_hide(s, AS_IN_TEXT, NAME, top_name_slot(x) != NAME);
	as_sheet_hide(s, AS_IN_TEXT, FILE_PATH, top_name_slot(x) != FILE_PATH);
	as_sheet_hide(s, AS_IN_TEXT, OBJECT, top_name_slot(x) != OBJECT);
	as_sheet_hide(s, AS_IN_TEXT, ADDRESS, !by_addr);
	as_sheet_hide(s, AS_IN_TEXT, WHERE, top_name_slot(x) != NAME);
	s->grid.arena.failed |= !top_find_twins(x);
}

static void top_put_sheet(struct printer *x)
{
	struct as_sheet *s = &x->sheet;

	as_sheet_begin(s, "assay.top/1", NULL);
	as_sheet_word(s, "by", as_slice_of(as_view_by(x->top->table->by)));
	as_over_view_json(&x->over, s);
	as_sheet_rows(s, "rows");
	for (size_t i = 0; !s->grid.arena.failed && i < x->top->n_rows; i++)
		top_put_row(x, i);
	as_sheet_list_end(s);
	if (!s->grid.arena.failed)
		top_put_rest(x);
	top_put_filtered_out(x);
	if (as_sheet_is(s, AS_FORM_JSON))
		top_put_json(x);
}

enum as_code as_top_print(struct as_top *top, const struct as_sheet_to *to)
{
	const struct as_top_opts *o = &top->opts;
	struct printer x = {.top = top};
	struct as_sheet *s = &x.sheet;
	enum as_code rc;

	as_assert(top->table && top->n_rows <= top->table->n);
	as_sheet_init(s, to, top->prof, &top->view, columns);
	as_sheet_units(s, o->unit);
	x.metric = as_sheet_with_metrics(s, o->metric, o->n_metrics, o->metric_incl);
	as_sheet_hide(s, AS_IN_DATA, AT, top->table->by != AS_BY_ADDR);
	as_sheet_hide(s, AS_IN_DATA, INSN, top->table->by != AS_BY_ADDR);
	if (as_sheet_is(s, AS_FORM_TEXT))
		top_begin_text(&x);
	as_over_view_begin(&x.over, s, top->over);
	top_put_sheet(&x);
	rc = as_sheet_finish(s);
	AS_THEN(rc, as_over_view_note(&x.over, to));
	if (as_sheet_is(s, AS_FORM_TEXT) && top->prof->estimated)
		as_out_printf(to->out, "%sestimated: which way cost took was made out of calls\n",
			as_sheet_gap(to));
	as_alloc_free(top->prof->al, x.twin, top->n_rows + 1);
	return rc;
}

/* ---- cycles in text ---- */

enum { CYCLES_SHOWN = 5, CYCLE_NAMES = 4 };

enum { TITLE, OWN, ALL, TIMES, NAMES };

static const struct as_column cycle_columns[] = {
	{AS_COL_TEXT, AS_IN_TEXT, TITLE, "calling in a circle"},
	{AS_COL_COUNT, AS_IN_TEXT, OWN, "self"},
	{AS_COL_SHARE, AS_IN_TEXT, OWN, "%"},
	{AS_COL_COUNT, AS_IN_TEXT, ALL, "incl"},
	{AS_COL_SHARE, AS_IN_TEXT, ALL, "%"},
	{AS_COL_COUNT, AS_IN_TEXT, TIMES, "calls"},
	{AS_COL_NAME, AS_IN_TEXT, NAMES, "members"},
	{0},
};

/* "a, b, c and 3 more" */
static struct as_slice top_member_names(struct as_top *top, struct as_arena *ar, uint32_t row)
{
	struct as_slice text = {"", 0};
	size_t n;
	const uint32_t *member = as_top_members(top, row, CYCLE_NAMES, &n);

	for (size_t i = 0; member && i < n && i < CYCLE_NAMES; i++) {
		struct as_slice name = as_view_name(ar, as_view_row(top->table, member[i]));

		text = as_arena_printf(
			ar, "%.*s%s%.*s", AS_SLICE_FMT(text), i ? ", " : "", AS_SLICE_FMT(name));
	}
	if (n > CYCLE_NAMES)
		text = as_arena_printf(
			ar, "%.*s and %zu more", AS_SLICE_FMT(text), n - CYCLE_NAMES);
	return text;
}

enum as_code as_top_cycles_text(struct as_top *top, const struct as_sheet_to *to)
{
	const struct as_view_opts opts = {.event = top->view.event, .n_events = top->view.n_events};
	size_t shown = as_sheet_limit(CYCLES_SHOWN, top->n_cycles);
	struct as_sheet s;
	enum as_code rc;

	if (!shown || !top->view.n_events)
		return AS_OK;
	as_sheet_init(&s, to, top->prof, &opts, cycle_columns);
	as_out_char(to->out, '\n');
	as_sheet_rows(&s, NULL);
	for (size_t i = 0; i < shown; i++) {
		uint32_t row = top->cycle[i];

		as_sheet_text(&s, TITLE,
			as_arena_printf(&s.grid.arena, "<cycle %u>", top->table->key[row].cycle));
		as_sheet_count(&s, OWN, true, as_top_self(top, row, top->view.event[0]));
		as_sheet_count(&s, ALL, true, as_top_incl(top, row, top->view.event[0]));
		as_sheet_count(&s, TIMES, true, top->table->calls[row]);
		as_sheet_text(&s, NAMES, top_member_names(top, &s.grid.arena, row));
		as_sheet_row(&s, NULL);
	}
	rc = as_sheet_finish(&s);
	if (top->n_cycles > shown)
		as_out_printf(to->out, "%s%zu more cycle%s\n", as_sheet_gap(to),
			top->n_cycles - shown, top->n_cycles - shown == 1 ? "" : "s");
	return rc;
}
