/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the tree of calls. docs/formats/cpuprofile.md §1. */
#include "formats/v8.h"

bool as_v8_find(const struct as_v8 *v, uint64_t id, uint32_t *row)
{
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&v->ids, as_hash_mix(id, 0), &at, row))
		if (v->node.p[*row].id == id)
			return true;
	return false;
}

bool as_v8_number(struct as_v8 *v, struct as_pull *j, uint64_t *out)
{
	struct as_slice text;
	bool negative;

	if (!as_pull_number(j, &text))
		return false;
	if (!as_pull_integer(text, out, &negative) || negative) {
		v->odd.range++;
		*out = 0;
	}
	return true;
}

/* A line or column from 0 on, of which -1 is none; from 1 on here. */
static bool node_place(struct as_v8 *v, struct as_pull *j, uint64_t *out)
{
	struct as_slice text;
	uint64_t n;
	bool negative;

	if (!as_pull_number(j, &text))
		return false;
	*out = as_pull_integer(text, &n, &negative) && !negative && n < UINT64_MAX ? n + !v->old
										   : 0;
	return true;
}

static enum as_code node_text(struct as_v8 *v, struct as_pull *j, as_str *out)
{
	struct as_slice text;

	if (as_pull_peek(j) != AS_PULL_TEXT) {
		as_pull_skip(j);
		return AS_OK;
	}
	return as_pull_text(j, &text) ? as_build_str(v->rd->out, text, out) : AS_OK;
}

static enum as_code node_frame_member(
	struct as_v8 *v, struct as_pull *j, struct as_slice key, struct v8_node *n, bool *done)
{
	*done = true;
	if (as_slice_is(key, "functionName"))
		return node_text(v, j, &n->name);
	if (as_slice_is(key, "url"))
		return node_text(v, j, &n->url);
	if (as_slice_is(key, "lineNumber"))
		node_place(v, j, &n->line);
	else if (as_slice_is(key, "columnNumber"))
		node_place(v, j, &n->column);
	else
		*done = false;
	return AS_OK;
}

static enum as_code node_frame(struct as_v8 *v, struct as_pull *j, struct v8_node *n)
{
	struct as_slice key;
	bool done;

	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		AS_TRY(node_frame_member(v, j, key, n, &done));
		if (!done)
			as_pull_skip(j);
	}
	return AS_OK;
}

static enum as_code node_ticks(struct as_v8 *v, struct as_pull *j, struct v8_node *n)
{
	struct as_slice key;

	n->first_tick = (uint32_t)v->tick.n;
	as_pull_array(j);
	while (as_pull_item(j)) {
		struct v8_tick one = {0, 0};

		as_pull_object(j);
		while (as_pull_key(j, &key)) {
			if (as_slice_is(key, "line"))
				as_v8_number(v, j, &one.line);
			else if (as_slice_is(key, "ticks"))
				as_v8_number(v, j, &one.ticks);
			else
				as_pull_skip(j);
		}
		if (one.ticks > UINT64_MAX - n->ticks)
			one.ticks = 0;
		n->ticks += one.ticks;
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->tick, one)));
	}
	n->n_ticks = (uint32_t)v->tick.n - n->first_tick;
	return AS_OK;
}

/* Ids of the nodes that this one calls. */
static enum as_code node_children(struct as_v8 *v, struct as_pull *j, uint32_t row)
{
	struct v8_edge one = {.parent = row};

	as_pull_array(j);
	while (as_pull_item(j) && as_v8_number(v, j, &one.child))
		AS_TRY(as_err_memory(v->rd->err, as_vec_push(v->al, &v->edge, one)));
	return AS_OK;
}

static enum as_code node_member(
	struct as_v8 *v, struct as_pull *j, struct as_slice key, struct v8_node *n)
{
	bool done;

	if (as_slice_is(key, "callFrame"))
		return node_frame(v, j, n);
	if (as_slice_is(key, "positionTicks"))
		return node_ticks(v, j, n);
	v->old |= as_slice_is(key, "functionName");
	AS_TRY(node_frame_member(v, j, key, n, &done));
	if (done)
		return AS_OK;
	if (as_slice_is(key, "id"))
		as_v8_number(v, j, &n->id);
	else if (as_slice_is(key, "hitCount"))
		as_v8_number(v, j, &n->hits);
	else if (as_slice_is(key, "parent"))
		n->has_parent_id = as_v8_number(v, j, &n->parent_id);
	else if (as_slice_is(key, "selfSize"))
		v->has_sizes |= as_v8_number(v, j, &n->size);
	else
		as_pull_skip(j);
	return AS_OK;
}

static enum as_code node_add(struct as_v8 *v, const struct v8_node *one, uint32_t *row)
{
	*row = (uint32_t)v->node.n;
	if (v->node.n >= UINT32_MAX - 1)
		return as_rd_fail(v->rd, AS_E_LIMIT, AS_OFF_NONE, 0, "more than 2^32 nodes");
	return as_err_memory(v->rd->err, as_vec_push(v->al, &v->node, *one));
}

/* Its id is known now. */
static enum as_code node_done(struct as_v8 *v, uint32_t row)
{
	uint64_t id = v->node.p[row].id;
	uint32_t other;

	as_assert(row < v->node.n);
	if (as_v8_find(v, id, &other)) {
		v->odd.twice++;
		return AS_OK;
	}
	return as_err_memory(v->rd->err, as_index_add(&v->ids, as_hash_mix(id, 0), row));
}

/* The last one, of which the text has half. */
static void node_drop(struct as_v8 *v, uint32_t row)
{
	v->node.n = row;
	while (v->edge.n && v->edge.p[v->edge.n - 1].parent == row)
		v->edge.n--;
}

enum as_code as_v8_nodes(struct as_v8 *v, struct as_pull *j)
{
	struct v8_node none = {.parent = AS_V8_NONE};
	struct as_slice key;
	uint32_t row;

	as_pull_array(j);
	while (as_pull_item(j)) {
		AS_TRY(node_add(v, &none, &row));
		as_pull_object(j);
		while (as_pull_key(j, &key)) {
			if (as_slice_is(key, "children"))
				AS_TRY(node_children(v, j, row));
			else
				AS_TRY(node_member(v, j, key, &v->node.p[row]));
		}
		if (!j->why)
			AS_TRY(node_done(v, row));
		else
			node_drop(v, row);
	}
	v->half_nodes |= j->why != NULL;
	return AS_OK;
}

/* The next node in the list of children of ROW, or behind that list. */
static enum as_code node_enter(struct as_v8 *v, struct as_pull *j, uint32_t *row, bool *inside)
{
	struct v8_node none = {.parent = *row};

	*inside = true;
	if (!as_pull_item(j))
		return AS_OK;
	as_pull_object(j);
	return node_add(v, &none, row);
}

/* The next member of ROW, or behind it: then ROW is the node around it. */
static enum as_code node_step(struct as_v8 *v, struct as_pull *j, uint32_t *row, bool *inside)
{
	struct as_slice key;

	if (!as_pull_key(j, &key)) {
		if (!j->why)
			AS_TRY(node_done(v, *row));
		*row = v->node.p[*row].parent;
		*inside = false;
		return AS_OK;
	}
	if (!as_slice_is(key, "children"))
		return node_member(v, j, key, &v->node.p[*row]);
	as_pull_array(j);
	*inside = false;
	return AS_OK;
}

/* The tree as it stands: no recursion, however deep it is. */
enum as_code as_v8_head(struct as_v8 *v, struct as_pull *j)
{
	struct v8_node none = {.parent = AS_V8_NONE};
	bool inside = true; /* a node; else in a list of children */
	uint32_t row;

	AS_TRY(node_add(v, &none, &row));
	as_pull_object(j);
	while (!j->why && row != AS_V8_NONE)
		AS_TRY(inside ? node_step(v, j, &row, &inside) : node_enter(v, j, &row, &inside));
	/* Those around it have all but some of their children. */
	if (j->why && inside)
		v->node.p[row].hits = v->node.p[row].size = 0;
	v->half_nodes |= j->why != NULL;
	return AS_OK;
}
