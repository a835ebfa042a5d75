/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: what the lines or instructions of a function cost. */
#include "lib/lib_impl.h"

#include "listing/listing.h"
#include "table/project.h"

struct assay_listing {
	const struct as_alloc *al;
	struct as_listing l;
	struct assay_value *value; /* self and inclusive of each row, then of each call */
	size_t n_values;
};

static bool listing_values(struct assay_listing *list)
{
	const struct as_listing *l = &list->l;
	size_t n = l->row.n * l->n_events;

	as_assert(l->row_self.n == n && l->row_incl.n == n);
	as_assert(l->call_cost.n == l->call.n * l->n_events);
	list->n_values = 2 * n + l->call.n * l->n_events;
	if (!as_alloc_array(list->al, &list->value, list->n_values))
		return false;
	as_lib_values(list->value, l->row_self.p, n);
	as_lib_values(list->value + n, l->row_incl.p, n);
	as_lib_values(list->value + 2 * n, l->call_cost.p, l->call.n * l->n_events);
	return true;
}

static enum as_code listing_new(
	struct as_listings *ls, size_t i, struct assay_listing **out, struct as_err *err)
{
	const struct as_alloc *al = as_listings_table(ls)->al;
	struct assay_listing *list = as_alloc_new(al, sizeof(*list));
	enum as_code rc;

	AS_TRY(as_err_memory(err, list));
	list->al = al;
	rc = as_listing_make(ls, i, &list->l, err);
	if (rc == AS_OK && !listing_values(list))
		rc = as_err_no_memory(err);
	if (rc == AS_OK)
		*out = list;
	else
		assay_listing_free(list);
	return rc;
}

enum assay_code assay_list(
	struct assay_found *found, size_t i, struct assay_listing **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || i >= assay_found_count(found))
		return as_lib_misuse(err, "no such function was found, or no place for its lines");
	as_err_clear(&e);
	rc = listing_new(as_lib_found(found), i, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_listing_free(struct assay_listing *list)
{
	if (!list)
		return;
	if (list->value)
		as_alloc_free(list->al, list->value, list->n_values * sizeof(*list->value) + 1);
	as_listing_release(&list->l);
	as_alloc_free(list->al, list, sizeof(*list));
}

size_t assay_listing_lines(const struct assay_listing *list)
{
	return list ? list->l.row.n : 0;
}

enum assay_code assay_listing_line(
	const struct assay_listing *list, size_t i, struct assay_line *out)
{
	const struct as_list_row *row;
	struct assay_line own;

	if (!list || i >= list->l.row.n)
		return ASSAY_E_ARG;
	row = &list->l.row.p[i];
	own = (struct assay_line){.function = row->func.i,
		.file = row->file.i,
		.line = row->line,
		.address = row->addr,
		.depth = row->depth,
		.call = row->call,
		.n_calls = row->n_calls,
		.jump = row->jump,
		.n_jumps = row->n_jumps,
		.self = list->value + i * list->l.n_events};
	if (list->l.row_has_incl)
		own.inclusive = own.self + list->l.row.n * list->l.n_events;
	return as_lib_give(out, &own, sizeof(own));
}

static struct assay_position listing_at(const struct assay_listing *list, uint32_t row)
{
	const struct as_list_row *r = &list->l.row.p[row];

	as_assert(row < list->l.row.n);
	return (struct assay_position){r->func.i, r->file.i, r->line, r->addr};
}

enum assay_code assay_listing_call(
	const struct assay_listing *list, size_t i, struct assay_fact *out)
{
	const struct as_list_call *call;
	struct assay_fact own;
	uint32_t e;

	if (!list || i >= list->l.call.n)
		return ASSAY_E_ARG;
	call = &list->l.call.p[i];
	e = list->l.n_events;
	own = (struct assay_fact){.kind = ASSAY_CALL,
		.at = listing_at(list, call->row),
		.to = {.function = call->callee.i},
		.count = as_lib_value(call->has_count ? call->count : 0),
		.costs = list->value + (2 * list->l.row.n + i) * e,
		.n_costs = e};
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_listing_jump(
	const struct assay_listing *list, size_t i, struct assay_fact *out)
{
	const struct as_list_jump *jump;
	struct assay_fact own;

	if (!list || i >= list->l.jump.n)
		return ASSAY_E_ARG;
	jump = &list->l.jump.p[i];
	own = (struct assay_fact){.kind = ASSAY_JUMP,
		.at = listing_at(list, jump->row),
		.to = {jump->func.i, jump->file.i, jump->line, jump->addr},
		.count = as_lib_value(jump->executed),
		.followed = as_lib_value(jump->followed),
		.conditional = jump->conditional};
	if (!own.to.function)
		own.to.function = own.at.function;
	return as_lib_give(out, &own, sizeof(own));
}
