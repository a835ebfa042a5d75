/* SPDX-License-Identifier: Apache-2.0 */
/* A function between its callers and its callees: `assay peek`. */
#include "browse/browse_impl.h"

#include "report/kit/show.h"
#include "report/views.h"

static size_t peek_view_entry(const struct as_neighbours *nb, uint32_t event)
{
	return nb->has_entry && nb->table->n_events && nb->entry[event] != 0;
}

static enum as_exit peek_view_make(struct as_browse *b)
{
	struct as_neighbours_opts opts = {.event = b->st.event,
		.keep_contexts = b->ses.opt.view.contexts >= AS_CONTEXTS_KEEP};
	struct as_err err = AS_ERR_NONE;

	if (!as_listing_id_is_set(&b->st.func)) {
		as_browse_say(b, "of which function? choose a row first");
		return AS_EXIT_NO;
	}
	AS_DO(as_browse_need(b, AS_READ_FUNCS));
	AS_DO(as_browse_listings(b));
	if (!as_browse_find_row(b, &b->st.func, &opts.row)) {
		as_browse_say(b, "the function is not in what the filters leave");
		return AS_EXIT_NO;
	}
	if (b->has_peek)
		as_neighbours_release(&b->peek);
	b->has_peek = true;
	if (as_neighbours_make(&b->peek, as_listings_table(b->listings), &opts, &err) != AS_OK) {
		as_neighbours_release(&b->peek);
		b->has_peek = false;
		return as_say_failed(&b->ses, &err, NULL);
	}
	if (b->st.at == AS_BROWSE_USUAL)
		b->st.at = b->peek.caller.n + peek_view_entry(&b->peek, b->st.event);
	if (!b->peek.known)
		as_browse_say(b, "the profile does not tell who calls whom");
	return AS_EXIT_OK;
}

static size_t peek_view_rows(const struct as_browse *b)
{
	const struct as_neighbours *nb = &b->peek;

	if (!b->has_peek)
		return 0;
	return nb->caller.n + peek_view_entry(nb, b->st.event) + 1 + nb->callee.n;
}

/* Which neighbour row I is; NULL: the function itself, or where paths begin (*BEGINS). */
static const struct as_neighbour *peek_view_at(const struct as_browse *b, size_t i, bool *begins)
{
	const struct as_neighbours *nb = &b->peek;
	size_t entry = peek_view_entry(nb, b->st.event);

	*begins = false;
	if (i < nb->caller.n)
		return &nb->caller.p[i];
	i -= nb->caller.n;
	*begins = i < entry;
	if (i < entry + 1)
		return NULL;
	return &nb->callee.p[i - entry - 1];
}

static size_t peek_view_columns(struct as_browse *b, struct as_browse_column *column)
{
	static const struct as_browse_column all[] = {{.head = "cost", .rank = 3}, {.head = "%"},
		{.head = "self", .rank = 4}, {.head = "self %", .rank = 2},
		{.head = "calls", .rank = 1}, {.head = "function", .left = true, .name = true},
		{.head = "where", .left = true, .rank = 5}};

	(void)b;
	memcpy(column, all, sizeof(all));
	return AS_ARRAY_LEN(all);
}

static void peek_view_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_table *t = b->peek.table;
	uint32_t ev = b->st.event, row = b->peek.row;
	bool begins;
	const struct as_neighbour *n = peek_view_at(b, i, &begins);
	as_val calls = t->has_calls[row] ? t->calls[row] : 0;

	if (begins) {
		as_browse_cost(b, line->cell, b->peek.entry[ev], AS_SURE);
		line->cell[5] = as_slice_of("[nobody: paths begin here]");
		line->lead = "< ";
		line->tint = AS_TINT_DIM;
		return;
	}
	if (n) {
		row = n->row;
		calls = n->count;
		as_browse_cost(b, line->cell, n->cost[ev], AS_SURE);
		if (n->inner) /* it passes through again and again */
			line->cell[1] = as_slice_of("-");
	} else if (t->n_events) {
		as_browse_inclusive(b, line->cell, t, row);
		as_browse_cost(b, line->cell + 2, t->self[(size_t)row * t->n_events + ev], AS_SURE);
	}
	if (calls)
		line->cell[4] = as_browse_count(b, calls);
	line->cell[5] = as_view_name(&b->scratch, as_view_row(b->peek.table, row));
	line->cell[6] = as_view_where(&b->scratch, as_view_row(t, row));
	line->lead = !n ? "* " : i < b->peek.caller.n ? "< " : "> ";
	line->tint = !n ? AS_TINT_HEAD : n->inner ? AS_TINT_DIM : AS_TINT_PLAIN;
}

static bool peek_view_id(struct as_browse *b, size_t i, struct as_listing_id *id)
{
	const struct as_table *t = b->peek.table;
	bool begins;
	const struct as_neighbour *n = peek_view_at(b, i, &begins);
	uint32_t row = n ? n->row : b->peek.row;

	if (begins)
		return false;
	*id = as_browse_id_of(b->prof, &t->key[row], as_table_func_name(t, row));
	return true;
}

/* To the neighbour; from the function itself to its source. */
static void peek_view_enter(struct as_browse *b, size_t i)
{
	struct as_browse_state next = b->st;
	struct as_listing_id id;
	bool begins;

	if (!peek_view_id(b, i, &id))
		return;
	if (!peek_view_at(b, i, &begins))
		next.view = AS_BROWSE_SOURCE;
	next.func = as_browse_keep_id(b, &id);
	next.at = AS_BROWSE_USUAL;
	next.top = next.left = 0;
	next.search = "";
	as_browse_step(b, &next);
}

const struct as_browse_view_ops as_browse_peek_view = {.name = "Callers",
	.make = peek_view_make,
	.rows = peek_view_rows,
	.columns = peek_view_columns,
	.row = peek_view_row,
	.id = peek_view_id,
	.enter = peek_view_enter,
	.narrows = true};
