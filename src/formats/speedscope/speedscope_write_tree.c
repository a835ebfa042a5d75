/* SPDX-License-Identifier: Apache-2.0 */
/* Frames by name, file and line, and the tree of paths of them. docs/formats/speedscope.md. */
#include "formats/nameless.h"
#include "formats/speedscope/speedscope_write.h"

/* ---- frames ---- */

static enum as_code tree_frame(struct as_ss_write *w, as_place place, uint32_t *row)
{
	struct as_pos pos = as_place_pos(w->prof, place);
	as_file file = w->prof->func.file.p[pos.func.i];
	struct ss_write_frame one = {.name = as_func_name(w->prof, pos.func)};
	uint64_t hash, at = AS_INDEX_START;

	one.file = as_file_path(w->prof, file.i && !w->lines ? file : pos.file.i ? pos.file : file);
	one.line = w->lines ? pos.line : 0;
	one.column = w->lines ? as_place_get_more(w->prof, place).column : 0;
	if (!one.name.len)
		one.name = as_nameless(w->prof, &w->arena, pos.func, pos.addr);
	AS_TRY(as_err_memory(w->wr->err, one.name.p));
	hash = as_hash_mix(as_hash_bytes(one.name.p, one.name.len),
		as_hash_bytes(one.file.p, one.file.len) + one.line + one.column);
	while (as_index_find(&w->frames, hash, &at, row)) {
		const struct ss_write_frame *f = &w->frame.p[*row];

		if (as_slice_eq(f->name, one.name) && as_slice_eq(f->file, one.file) &&
			f->line == one.line && f->column == one.column)
			return AS_OK;
	}
	*row = (uint32_t)w->frame.n;
	return as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->frame, one) && as_index_add(&w->frames, hash, *row));
}

static int tree_cmp_frames(const void *ctx, uint32_t a, uint32_t b)
{
	const struct ss_write_frame *x = (const struct ss_write_frame *)ctx + a;
	const struct ss_write_frame *y = (const struct ss_write_frame *)ctx + b;
	int c = as_slice_cmp(x->name, y->name);

	c = c ? c : as_slice_cmp(x->file, y->file);
	c = c ? c : as_cmp_u64(x->line, y->line);
	return c ? c : as_cmp_u64(x->column, y->column);
}

/* ---- paths ---- */

static enum as_code tree_child(
	struct as_ss_write *w, uint32_t parent, uint32_t frame, uint32_t *node)
{
	uint64_t hash = as_hash_mix(parent, frame), at = AS_INDEX_START;
	struct ss_node one = {parent, frame};

	while (as_index_find(&w->nodes, hash, &at, node))
		if (w->node.p[*node].parent == parent && w->node.p[*node].frame == frame)
			return AS_OK;
	*node = (uint32_t)w->node.n;
	return as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->node, one) && as_index_add(&w->nodes, hash, *node));
}

static enum as_code tree_nodes(struct as_ss_write *w)
{
	const struct as_profile *prof = w->prof;
	struct ss_node root = {0, 0};
	uint32_t frame;

	AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->node, root)));
	for (size_t i = 1; i < prof->node.parent.n; i++) {
		as_place place = prof->node.place.p[i];

		if (!w->of_place[place.i]) {
			AS_TRY(tree_frame(w, place, &frame));
			w->of_place[place.i] = frame + 1;
		}
		AS_TRY(tree_child(
			w, w->to[prof->node.parent.p[i].i], w->of_place[place.i] - 1, &w->to[i]));
	}
	return AS_OK;
}

/* NEXT and CHILD: for each node its first child and its next sibling, by the order of frames. */
static bool tree_link(struct as_ss_write *w, uint32_t *child, uint32_t *next)
{
	size_t n = w->node.n, frames = w->frame.n;
	uint32_t *count, *order;

	if (!as_alloc_array(w->al, &count, frames + 1) || !as_alloc_array(w->al, &order, n))
		return false;
	for (size_t i = 1; i < n; i++)
		count[w->frame_order.rank[w->node.p[i].frame] + 1]++;
	for (size_t i = 0; i < frames; i++)
		count[i + 1] += count[i];
	for (size_t i = 1; i < n; i++)
		order[count[w->frame_order.rank[w->node.p[i].frame]]++] = (uint32_t)i;
	for (size_t i = n - 1; i-- > 0;) { /* the last of the order first, so that it ends last */
		uint32_t one = order[i], parent = w->node.p[one].parent;

		next[one] = child[parent];
		child[parent] = one;
	}
	return true;
}

/* Depth first. */
static enum as_code tree_rank(struct as_ss_write *w)
{
	uint32_t *child = NULL, *next = NULL, at = 0, rank = 0;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &child, w->node.n) &&
						 as_alloc_array(w->al, &next, w->node.n) &&
						 as_alloc_array(w->al, &w->rank, w->node.n) &&
						 tree_link(w, child, next)));
	for (;;) {
		w->rank[at] = rank++;
		if (child[at]) {
			at = child[at];
			continue;
		}
		while (at && !next[at])
			at = w->node.p[at].parent;
		if (!at)
			return AS_OK;
		at = next[at];
	}
}

enum as_code as_ss_write_tree(struct as_ss_write *w)
{
	const struct as_profile *prof = w->prof;

	AS_TRY(as_err_memory(
		w->wr->err, as_alloc_array(w->al, &w->of_place, prof->place.func.n) &&
				    as_alloc_array(w->al, &w->to, prof->node.parent.n)));
	AS_TRY(tree_nodes(w));
	AS_TRY(as_err_memory(w->wr->err,
		as_order_init(&w->frame_order, w->al, w->frame.n, tree_cmp_frames, w->frame.p)));
	for (size_t i = 1; i < prof->place.func.n && !w->lines; i++) {
		w->n_lines += w->of_place[i] && prof->place.line.p[i];
		w->n_columns += w->of_place[i] && prof->place.column.n && prof->place.column.p[i];
	}
	return tree_rank(w);
}
