/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: `assay top --by thread`; and events. */
#include "browse/browse_impl.h"

#include "model/whose.h"
#include "report/kit/show.h"

/* ---- threads ---- */

static enum as_exit threads_make(struct as_browse *b)
{
	struct as_label_how how = {.by = AS_BY_THREAD};
	struct as_top_opts opts = {
		.view = {.event = &b->parts_event, .n_events = 1, .sort_event = b->st.event}};
	struct as_err err = AS_ERR_NONE;

	AS_DO(as_browse_need(b, AS_READ_FUNCS));
	if (!as_n_events(b->prof)) {
		as_browse_say(b, "the profile has no events");
		return AS_EXIT_NO;
	}
	if (b->has_parts && b->parts_event == b->st.event)
		return AS_EXIT_OK;
	if (b->has_parts)
		as_parts_release(&b->parts);
	b->has_parts = true;
	b->parts_event = b->st.event;
	if (as_parts_make(&b->parts, b->prof, &how, &opts, &err) == AS_OK)
		return AS_EXIT_OK;
	as_parts_release(&b->parts);
	b->has_parts = false;
	return as_say_failed(&b->ses, &err, NULL);
}

static size_t parts_threads_rows(const struct as_browse *b)
{
	return b->has_parts ? b->parts.n_rows : 0;
}

static size_t threads_columns(struct as_browse *b, struct as_browse_column *column)
{
	static const struct as_browse_column all[] = {{.head = "self", .rank = 1}, {.head = "%"},
		{.head = "pid", .rank = 3}, {.head = "tid", .rank = 2},
		{.head = "thread", .left = true, .name = true},
		{.head = "process", .left = true, .rank = 4}};

	(void)b;
	memcpy(column, all, sizeof(all));
	return AS_ARRAY_LEN(all);
}

static struct as_whose threads_whose(const struct as_browse *b, size_t i)
{
	const struct as_label_table *t = &b->parts.table;

	return as_part_whose(b->prof, t->row.p[b->parts.row[i]].part);
}

static void threads_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	as_val self = as_label_self(&b->parts.table, b->parts.row[i])[b->st.event];
	struct as_whose w = threads_whose(b, i);

	as_browse_cost(b, line->cell, self, AS_SURE);
	if (w.has_pid)
		line->cell[2] = as_arena_printf(&b->scratch, "%" PRIu64, w.pid);
	if (w.has_tid)
		line->cell[3] = as_arena_printf(&b->scratch, "%" PRIu64, w.tid);
	line->cell[4] = w.thread.len    ? as_show_clean(&b->scratch, w.thread)
			: w.has_tid     ? as_arena_printf(&b->scratch, "thread %" PRIu64, w.tid)
			: w.process.len ? as_show_clean(&b->scratch, w.process)
					: as_slice_of("[thread not known]");
	line->cell[5] = as_show_clean(&b->scratch, w.process);
	line->tint =
		as_browse_heat(self, as_label_self(&b->parts.table, b->parts.row[0])[b->st.event]);
}

/* Its samples alone, by function. */
static void threads_enter(struct as_browse *b, size_t i)
{
	struct as_whose w = threads_whose(b, i);
	struct as_browse_word *word = as_arena_new(&b->arena, sizeof(*word));
	struct as_browse_state next = b->st;
	struct as_slice text = w.has_tid ? as_arena_printf(&b->arena, "%" PRIu64, w.tid) : w.thread;

	if (!word || !text.len) {
		as_browse_say(b, "nothing tells this thread from others");
		return;
	}
	*word = (struct as_browse_word){AS_WORD_THREAD, as_browse_keep(b, text), b->st.words};
	next.words = word;
	next.view = AS_BROWSE_TABLE;
	next.at = next.top = 0;
	next.search = "";
	as_browse_step(b, &next);
}

const struct as_browse_view_ops as_browse_threads_view = {.name = "Threads",
	.make = threads_make,
	.rows = parts_threads_rows,
	.columns = threads_columns,
	.row = threads_row,
	.enter = threads_enter,
	.narrows = true};

/* ---- events ---- */

static enum as_exit events_make(struct as_browse *b)
{
	return as_browse_need(b, AS_READ_SUMS);
}

static size_t events_rows(const struct as_browse *b)
{
	return b->prof ? as_n_events(b->prof) : 0;
}

static size_t events_columns(struct as_browse *b, struct as_browse_column *column)
{
	static const struct as_browse_column all[] = {{.head = "total"},
		{.head = "event", .left = true, .name = true},
		{.head = "unit", .left = true, .rank = 1}};

	(void)b;
	memcpy(column, all, sizeof(all));
	return AS_ARRAY_LEN(all);
}

static void events_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_event *ev = &b->prof->event.p[i];

	line->cell[0] = as_browse_count(b, b->prof->total[i]);
	line->cell[1] = as_show_clean(&b->scratch, as_event_name(b->prof, (uint32_t)i));
	line->cell[2] = as_show_clean(&b->scratch, as_str_get(b->prof, ev->unit));
	line->lead = i == b->st.event ? "* " : "  ";
	line->tint = i == b->st.event ? AS_TINT_HEAD : AS_TINT_PLAIN;
}

/* Back to where one was, by that event. */
static void events_enter(struct as_browse *b, size_t i)
{
	struct as_browse_state next = b->st;

	next.event = (uint32_t)i;
	next.view = b->now ? b->history.p[b->now - 1].view : AS_BROWSE_TABLE;
	if (next.view == AS_BROWSE_EVENTS)
		next.view = AS_BROWSE_TABLE;
	next.at = next.top = 0;
	next.search = "";
	as_browse_step(b, &next);
}

const struct as_browse_view_ops as_browse_events_view = {.name = "Events",
	.make = events_make,
	.rows = events_rows,
	.columns = events_columns,
	.row = events_row,
	.enter = events_enter,
	.narrows = true};
