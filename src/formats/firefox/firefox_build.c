/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks become paths. docs/formats/firefox.md §4. */
#include "formats/firefox/firefox.h"

/* ---- tables ---- */

/* What a thread does not have by itself is shared. */
static enum as_code build_share(struct fx *fx, struct fx_thread *t)
{
	struct fx_process *p = &fx->process.p[t->process];
	struct fx_tables *own = t->tables, *shared;

	if (!p->shared)
		AS_TRY(as_fx_new_tables(fx, t->process, &p->shared));
	shared = p->shared;
	if (!own || (!as_fx_n(&own->col[FX_STACK_FRAME]) && !own->string.n)) {
		t->tables = shared;
		return AS_OK;
	}
	if (!own->string.n) {
		own->string.p = shared->string.p;
		own->string.n = shared->string.n;
	}
	for (size_t k = 0; k < FX_N_TABLE_COLS; k++)
		if (!as_fx_n(&own->col[k]))
			own->col[k] = shared->col[k];
	return AS_OK;
}

/* The row of the stack below; FX_NO_ROW = it is a root. */
static uint32_t build_prefix(struct fx *fx, const struct fx_tables *t, uint32_t row)
{
	uint32_t to = as_fx_row(&t->col[FX_STACK_PREFIX], row);
	uint32_t offset = as_fx_row(&t->col[FX_STACK_OFFSET], row);

	if (offset != FX_NO_ROW)
		to = !offset ? FX_NO_ROW : offset <= row ? row - offset : row;
	if (to == FX_NO_ROW || to < row)
		return to;
	fx->odd.row++; /* there would be no end */
	return FX_NO_ROW;
}

static bool build_is_gecko(const struct fx_tables *t)
{
	return as_fx_n(&t->col[FX_FRAME_LOCATION]) > 0;
}

/* FRAME is code inlined into that of BELOW: it has its address and its symbol. */
static bool build_is_inlined(const struct fx_tables *t, uint32_t frame, uint32_t below)
{
	const struct fx_col *address = &t->col[FX_FRAME_ADDRESS];
	const struct fx_col *native = &t->col[FX_FRAME_NATIVE];

	return as_fx_at(&t->col[FX_FRAME_DEPTH], frame) > 0 && below != FX_NO_ROW &&
	       as_fx_at(address, frame) == as_fx_at(address, below) &&
	       as_fx_at(native, frame) == as_fx_at(native, below);
}

/* Node and leaf of ROW, of which its prefix has them. */
static enum as_code build_node(struct fx *fx, struct fx_tables *t, uint32_t row, uint32_t *depth)
{
	uint32_t prefix = build_prefix(fx, t, row), n = (uint32_t)as_fx_n(&t->col[FX_FRAME_FUNC]);
	uint32_t frame = as_fx_row(&t->col[FX_STACK_FRAME], row), below = FX_NO_ROW;
	bool gecko = build_is_gecko(t), inlined;
	as_node parent = {0};
	as_place place;

	n = gecko ? (uint32_t)as_fx_n(&t->col[FX_FRAME_LOCATION]) : n;
	if (prefix != FX_NO_ROW) {
		parent = t->node[prefix];
		below = as_fx_row(&t->col[FX_STACK_FRAME], prefix);
		depth[row] = depth[prefix] + 1;
	}
	if (fx->rd->lim.depth && depth[row] >= fx->rd->lim.depth)
		return as_rd_fail(fx->rd, AS_E_LIMIT, AS_OFF_NONE, 0,
			"a stack is deeper than %" PRIu64 " frames", fx->rd->lim.depth);
	t->node[row] = t->leaf[row] = parent;
	if (frame >= n) {
		fx->odd.row++;
		return AS_OK;
	}
	inlined = !gecko && build_is_inlined(t, frame, below);
	AS_TRY(as_fx_place(fx, t, frame, inlined, &place));
	AS_TRY(as_build_push(fx->rd->out, parent, place, &t->node[row]));
	t->leaf[row] = t->node[row];
	if (!gecko)
		return AS_OK;
	AS_TRY(as_fx_place(fx, t, frame, true, &place));
	return as_build_push(fx->rd->out, parent, place, &t->leaf[row]);
}

/* The stacks that samples name. */
static enum as_code build_mark(struct fx *fx, const struct fx_thread *thread)
{
	struct fx_tables *t = thread->tables;
	uint32_t n = (uint32_t)as_fx_n(&t->col[FX_STACK_FRAME]);

	if (!t->used)
		AS_TRY(as_err_memory(fx->rd->err, as_alloc_array(fx->al, &t->used, n)));
	for (size_t k = 0; k < FX_N_KINDS; k++) {
		const struct fx_samples *s = thread->samples[k];
		size_t rows = s ? as_fx_n(&s->stack) : 0;

		for (size_t r = 0; r < rows; r++) {
			uint32_t row = as_fx_row(&s->stack, r);

			if (row < n)
				t->used[row] = 1;
		}
	}
	return AS_OK;
}

/* And what these stand on. */
static void build_mark_below(struct fx *fx, struct fx_tables *t, uint32_t n)
{
	uint64_t bad = fx->odd.row;

	for (uint32_t row = n; row-- > 0;) {
		uint32_t prefix = t->used[row] ? build_prefix(fx, t, row) : FX_NO_ROW;

		if (prefix != FX_NO_ROW)
			t->used[prefix] = 1;
	}
	fx->odd.row = bad; /* it is counted when the node is made */
}

static enum as_code build_tables(struct fx *fx, struct fx_tables *t)
{
	uint32_t n = (uint32_t)as_fx_n(&t->col[FX_STACK_FRAME]), *depth = NULL;
	size_t frames = as_fx_n(&t->col[FX_FRAME_FUNC]);

	if (t->built)
		return AS_OK;
	t->built = true;
	frames = build_is_gecko(t) ? as_fx_n(&t->col[FX_FRAME_LOCATION]) : frames;
	AS_TRY(as_err_memory(fx->rd->err, as_alloc_array(fx->al, &t->node, n) &&
						  as_alloc_array(fx->al, &t->leaf, n) &&
						  as_alloc_array(fx->al, &t->place[0], frames) &&
						  as_alloc_array(fx->al, &t->place[1], frames) &&
						  as_alloc_array(fx->al, &t->sum, n + 1) &&
						  as_alloc_array(fx->al, &depth, n)));
	build_mark_below(fx, t, n);
	for (uint32_t row = 0; row < n; row++)
		if (t->used[row])
			AS_TRY(build_node(fx, t, row, depth));
	as_alloc_free(fx->al, depth, n * sizeof(*depth) + 1);
	return AS_OK;
}

enum as_code as_fx_build(struct fx *fx)
{
	for (size_t i = 0; i < fx->thread.n; i++) {
		AS_TRY(build_share(fx, &fx->thread.p[i]));
		AS_TRY(build_mark(fx, &fx->thread.p[i]));
	}
	for (size_t i = 0; i < fx->thread.n; i++)
		AS_TRY(build_tables(fx, fx->thread.p[i].tables));
	return as_fx_count(fx);
}
