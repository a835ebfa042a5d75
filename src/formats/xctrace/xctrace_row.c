/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, and rows of them, which are samples. docs/formats/xctrace.md §1. */
#include "formats/xctrace/xctrace.h"

/* ---- tables ---- */

void as_xc_node_begin(struct as_xc *xc)
{
	xc->table.col.n = 0;
	xc->table.name = as_slice_of("");
	xc->table.has_schema = xc->table.has_stack = xc->table.begun = false;
	xc->table.run = xc->table.n_left = 0;
	xc->table.next = (struct xc_col){.role = XC_AS_OTHER};
}

/* "//trace-toc[1]/run[2]/data[1]/table[11]" */
void as_xc_node_xpath(struct as_xc *xc, struct as_slice xpath)
{
	size_t at = as_slice_find_text(xpath, "run[");

	if (at == xpath.len)
		return;
	xpath = as_slice_skip(xpath, at + 4);
	if (!as_slice_take_dec(&xpath, &xc->table.run))
		xc->table.run = 0;
}

enum as_code as_xc_node_end(struct as_xc *xc)
{
	if (!xc->table.n_left)
		return AS_OK;
	return as_rd_find(xc->rd, AS_F_XC_TABLE, AS_OFF_NONE, 0,
		"table '%.*s' has no stacks: %" PRIu64 " row%s left out",
		AS_SLICE_FMT(xc->table.name), xc->table.n_left,
		xc->table.n_left == 1 ? " was" : "s were");
}

enum as_code as_xc_schema_name(struct as_xc *xc, struct as_slice name)
{
	xc->table.has_schema = true;
	xc->table.name = as_arena_dup(&xc->arena, name);
	return as_err_memory(xc->rd->err, xc->table.name.p);
}

enum as_code as_xc_col_fact(struct as_xc *xc, enum xc_kind kind, struct as_slice text)
{
	static const char *const words[XC_ROLES] = {
		NULL, "time", "thread", "process", "weight", "stack"};

	if (kind == XC_TYPE) {
		xc->table.next.type = as_arena_dup(&xc->arena, text);
		return as_err_memory(xc->rd->err, xc->table.next.type.p);
	}
	for (unsigned i = XC_AS_TIME; i < XC_ROLES; i++)
		if (as_slice_is(text, words[i]))
			xc->table.next.role = (enum xc_role)i;
	xc->table.has_stack |= xc->table.next.role == XC_AS_STACK;
	return AS_OK;
}

enum as_code as_xc_col_end(struct as_xc *xc)
{
	bool ok = as_vec_push(xc->al, &xc->table.col, xc->table.next);

	xc->table.next = (struct xc_col){.role = XC_AS_OTHER};
	return as_err_memory(xc->rd->err, ok);
}

/* ---- events ---- */

/* Of a table of another kind than the first one's they say which: those of both are of the same
 * run, and nobody adds them up. */
static enum as_code row_event(struct as_xc *xc, const char *name, const char *unit, uint32_t *event)
{
	struct as_slice whole = as_slice_of(name);

	if (!as_slice_eq(xc->table.name, xc->first_schema)) {
		whole = as_arena_printf(&xc->arena, "%.*s:%s", AS_SLICE_FMT(xc->table.name), name);
		AS_TRY(as_err_memory(xc->rd->err, whole.p));
	}
	return as_tally_event(&xc->tally, whole, as_slice_of(unit), event);
}

static enum as_code row_weight_event(struct as_xc *xc, struct xc_value weight, uint32_t *event)
{
	struct as_slice type = xc->weight_type;

	if (weight.kind == XC_WEIGHT || as_slice_is(type, "weight"))
		return row_event(xc, "time", "nanoseconds", event);
	if (weight.kind == XC_CYCLES || as_slice_is(type, "cycle-weight"))
		return row_event(xc, "cycles", "count", event);
	return row_event(xc, "weight", "count", event);
}

/* The same run may have two tables of a kind: then samples may be in both. */
static enum as_code row_is_first(struct as_xc *xc)
{
	struct as_slice name = xc->table.name;
	uint64_t hash = as_hash_mix(as_hash_bytes(name.p, name.len), xc->table.run);
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	xc->table.begun = true;
	if (!xc->first_schema.p)
		xc->first_schema = name;
	AS_TRY(row_event(xc, "samples", "count", &xc->table.samples));
	if (as_index_find(&xc->tables, hash, &at, &row))
		return as_rd_find(xc->rd, AS_F_XC_TWICE, AS_OFF_NONE, 0,
			"run %" PRIu64 " has several tables '%.*s'", xc->table.run,
			AS_SLICE_FMT(name));
	return as_err_memory(xc->rd->err, as_index_add(&xc->tables, hash, 0));
}

/* ---- rows ---- */

void as_xc_row_begin(struct as_xc *xc)
{
	memset(xc->cell, 0, sizeof(xc->cell));
	xc->weight_type = as_slice_of("");
	xc->column = 0;
}

/* A value without a schema is what its element says. */
static enum xc_role row_role(const struct as_xc *xc, struct xc_value value)
{
	if (xc->table.has_schema)
		return xc->column < xc->table.col.n ? xc->table.col.p[xc->column].role
						    : XC_AS_OTHER;
	switch (value.kind) {
	case XC_TIME:
		return XC_AS_TIME;
	case XC_THREAD:
		return XC_AS_THREAD;
	case XC_PROCESS:
		return XC_AS_PROCESS;
	case XC_WEIGHT:
	case XC_CYCLES:
		return XC_AS_WEIGHT;
	case XC_STACK:
		return XC_AS_STACK;
	default:
		return XC_AS_OTHER;
	}
}

void as_xc_row_cell(struct as_xc *xc, struct xc_value value)
{
	enum xc_role role = row_role(xc, value);

	if (role != XC_AS_OTHER)
		xc->cell[role] = value;
	if (role == XC_AS_WEIGHT && xc->table.has_schema)
		xc->weight_type = xc->table.col.p[xc->column].type;
	xc->column++;
}

static bool row_is_number(struct xc_value value)
{
	return value.kind >= XC_NUMBER && value.kind <= XC_PID;
}

/* The thread, else the process that it is of; those of several runs are apart. */
static enum as_code row_thread(struct as_xc *xc, uint32_t *thread)
{
	struct xc_value is = xc->cell[XC_AS_THREAD], process = xc->cell[XC_AS_PROCESS];
	struct as_tally_thread one = {.name = as_slice_of("")};

	if (is.kind == XC_THREAD)
		one = xc->thread.p[is.v];
	if (!one.has_pid && process.kind == XC_PROCESS) {
		one.process = xc->process.p[process.v].name;
		one.pid = xc->process.p[process.v].pid;
		one.has_pid = xc->process.p[process.v].has_pid;
	}
	if (xc->table.run > 1)
		one.number = one.number ? one.number : xc->table.run;
	return as_tally_thread(&xc->tally, &one, thread);
}

static enum as_code row_add(struct as_xc *xc)
{
	struct xc_value weight = xc->cell[XC_AS_WEIGHT], time = xc->cell[XC_AS_TIME];
	struct xc_value stack = xc->cell[XC_AS_STACK];
	struct as_tally_when when = {.time = (int64_t)time.v};
	as_node node = {stack.kind == XC_STACK ? (uint32_t)stack.v : 0};
	bool timed = row_is_number(time) && time.v <= INT64_MAX;
	uint32_t thread, event;

	xc->n_rows++;
	AS_TRY(row_thread(xc, &thread));
	AS_TRY(as_tally_add(&xc->tally, thread, xc->table.samples, node, 1, timed ? &when : NULL));
	if (!row_is_number(weight)) {
		xc->n_no_weight++;
		return AS_OK;
	}
	AS_TRY(row_weight_event(xc, weight, &event));
	return as_tally_add(
		&xc->tally, thread, event, node, (as_val)weight.v, timed ? &when : NULL);
}

enum as_code as_xc_row_end(struct as_xc *xc)
{
	if (xc->table.has_schema && !xc->table.has_stack) {
		xc->table.n_left++;
		return AS_OK;
	}
	if (!xc->table.begun)
		AS_TRY(row_is_first(xc));
	return row_add(xc);
}
