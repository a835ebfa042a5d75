/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions, files, objects or lines: `assay top`. */
#include "browse/browse_impl.h"

#include "report/kit/show.h"
#include "report/views.h"

/* Code without names has a row for each address, maybe millions of them, of which few are looked
 * at: only the first ones are made until another is asked for. Then there are NEXT_ROWS times as
 * many as that takes, or all where it stands behind NEAR_ROWS. */
enum { MANY_CALLS = 1 << 16, FIRST_ROWS = 1000, NEXT_ROWS = 16, NEAR_ROWS = 100 * 1000 };

/* LIMIT rows, 0 = all; all as well where that takes no other table. */
static enum as_code table_fill(
	struct as_browse *b, size_t limit, struct as_top *top, struct as_err *err)
{
	const struct as_asked_view *asked = &b->ses.opt.view;
	struct as_top_opts opts = {.project = {.by = b->st.by,
					   .keep_contexts = asked->contexts >= AS_CONTEXTS_KEEP,
					   .no_cycles = asked->cycles == AS_CYCLES_NO},
		.view = {.event = &b->st.event, .n_events = 1, .sort_event = b->st.event},
		.sort_inclusive = b->st.inclusive,
		.limit = limit};
	struct as_exec exec;

	if (!as_n_events(b->prof))
		opts.view.n_events = 0;
	if (b->prof->call.n >= MANY_CALLS)
		opts.project.exec = as_session_exec(&b->ses, &exec);
	AS_TRY(as_top_make(top, b->prof, &opts, err));
	if (top->table->n_rest || !top->n_rest)
		return AS_OK;
	top->opts.limit = 0;
	return as_top_order(top, 0, err);
}

/* What there is stays until there is another. */
static enum as_exit view_table_take(struct as_browse *b, size_t limit)
{
	struct as_err err = AS_ERR_NONE;
	struct as_top top;

	if (table_fill(b, limit, &top, &err) != AS_OK) {
		as_top_release(&top);
		return as_say_failed(&b->ses, &err, NULL);
	}
	if (b->has_top)
		as_top_release(&b->top);
	b->top = top;
	b->has_top = true;
	return AS_EXIT_OK;
}

static enum as_exit table_make(struct as_browse *b)
{
	AS_DO(as_browse_need(b, b->st.by == AS_BY_FUNC     ? AS_READ_SUMS
				: b->st.by == AS_BY_OBJECT ? AS_READ_FUNCS
							   : AS_READ_LINES));
	if (b->has_top && b->top_event == b->st.event && b->top_by == b->st.by &&
		b->top_inclusive == b->st.inclusive)
		return AS_EXIT_OK;
	if (b->has_top)
		as_top_release(&b->top);
	b->has_top = false;
	b->top_event = b->st.event;
	b->top_by = b->st.by;
	b->top_inclusive = b->st.inclusive;
	return view_table_take(b, FIRST_ROWS);
}

static size_t table_rows(const struct as_browse *b)
{
	return b->has_top && as_n_events(b->prof) ? b->top.n_rows + b->top.n_rest : 0;
}

/* Row I is made, if there is the memory for it. */
static bool table_reach(struct as_browse *b, size_t i)
{
	size_t limit = i < NEAR_ROWS ? (i + 1) * NEXT_ROWS : 0;

	return i < b->top.n_rows || view_table_take(b, limit) == AS_EXIT_OK;
}

static size_t table_columns(struct as_browse *b, struct as_browse_column *column)
{
	static const struct as_browse_column all[] = {{.head = "self", .rank = 3},
		{.head = "self %"}, {.head = "incl", .rank = 4}, {.head = "incl %", .rank = 1},
		{.head = "calls", .rank = 2}, {.head = "function", .left = true, .name = true},
		{.head = "where", .left = true, .rank = 5}};
	static const char *const what[] = {
		"function", "file", "object", "line", "address", "function"};

	memcpy(column, all, sizeof(all));
	column[5].head = what[b->st.by];
	return AS_ARRAY_LEN(all);
}

static void table_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_top *top = &b->top;
	uint32_t row, ev = b->st.event;
	struct as_slice where, name;
	struct as_row_key key;
	as_val self;

	if (!table_reach(b, i))
		return;
	row = top->row[i];
	key = as_top_key(top, row);
	self = as_top_self(top, row, ev);
	where = key.file.len ? key.file : key.object;
	name = as_top_name(top, row, &b->scratch);
	as_browse_cost(b, line->cell, self, AS_SURE);
	as_browse_inclusive(b, line->cell + 2, top->table, row);
	if (top->table->has_calls[row] && top->table->calls[row])
		line->cell[4] = as_browse_count(b, top->table->calls[row]);
	line->cell[5] = as_show_clean(&b->scratch, as_shown_name(b->prof, name));
	if (b->st.by == AS_BY_LINE)
		line->cell[5] = as_arena_printf(&b->scratch, "%.*s:%" PRIu64,
			AS_SLICE_FMT(as_show_clean(&b->scratch, key.file)), key.line);
	if (b->st.by == AS_BY_LINE)
		line->cell[6] = as_show_clean(&b->scratch, as_shown_name(b->prof, key.function));
	else if (b->st.by == AS_BY_FUNC)
		line->cell[6] = as_show_where(&b->scratch, where, 0);
	if (top->table->recursive[row] && b->st.by == AS_BY_FUNC)
		line->cell[5] = as_arena_printf(&b->scratch, "%.*s%s", AS_SLICE_FMT(line->cell[5]),
			as_view_again(&b->style));
	line->tint = as_browse_heat(self, as_top_self(top, top->row[0], ev));
}

static bool table_id(struct as_browse *b, size_t i, struct as_listing_id *id)
{
	const struct as_table *t;
	uint32_t row;

	if ((b->st.by != AS_BY_FUNC && b->st.by != AS_BY_LINE) || !table_reach(b, i))
		return false;
	t = b->top.table;
	row = b->top.row[i];
	*id = as_browse_id_of(b->prof, &t->key[row], as_table_func_name(t, row));
	if (b->st.by == AS_BY_LINE)
		id->file = (struct as_slice){0};
	return as_listing_id_is_set(id);
}

/* A function: who calls it; a line: its source; else its functions alone. */
static void table_enter(struct as_browse *b, size_t i)
{
	struct as_browse_state next = b->st;
	struct as_listing_id id;

	if (!table_id(b, i, &id)) {
		as_browse_say(b, "g object=RE, or g focus=file:RE, chooses it");
		return;
	}
	next.func = as_browse_keep_id(b, &id);
	next.view = b->st.by == AS_BY_LINE ? AS_BROWSE_SOURCE : AS_BROWSE_PEEK;
	next.at = AS_BROWSE_USUAL;
	next.top = next.left = 0;
	next.search = "";
	as_browse_step(b, &next);
}

const struct as_browse_view_ops as_browse_table_view = {.name = "Functions",
	.make = table_make,
	.rows = table_rows,
	.columns = table_columns,
	.row = table_row,
	.id = table_id,
	.enter = table_enter,
	.narrows = true};
