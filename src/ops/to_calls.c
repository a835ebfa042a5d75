/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Downwards from paths to calls. Naive addition of every pair of frames would count a recursive
 * function's cost at every level; so on each path only the outermost entry into a function
 * counts as a call of it. The inner ones become calls of no cost: they show where the cycles
 * are, which whoever sums the calls that go out must collapse.
 */
#include "ops/transform.h"

#include "base/sort.h"
#include "ops/change.h"
#include "ops/compact.h"
#include "ops/tree.h"

/* Scratch, all in one block. */
struct tree {
	as_val *none;    /* e zeros */
	as_val *sum;     /* of each node: cost of its subtree in one part, e values */
	uint32_t *key;   /* of each node: its function */
	uint32_t *stamp; /* of each node: the part + 1 that it has samples of below */
	uint32_t *touched;
	size_t n_touched;
	uint8_t *live, *outer;
	size_t size;
};

static bool tree_init(struct as_change *c, struct tree *t)
{
	size_t n = c->src->node.parent.n;
	size_t each = c->r.e * sizeof(as_val) + 3 * sizeof(uint32_t) + 2;

	if (n > SIZE_MAX / 2 / each)
		return false;
	t->size = n * each + c->r.e * sizeof(as_val);
	t->none = as_alloc_new(c->al, t->size);
	if (!t->none)
		return false;
	t->sum = t->none + c->r.e;
	t->key = (uint32_t *)(t->sum + n * c->r.e);
	t->stamp = t->key + n;
	t->touched = t->stamp + n;
	t->live = (uint8_t *)(t->touched + n);
	t->outer = t->live + n;
	return true;
}

static int later_first(const void *ctx, uint32_t a, uint32_t b)
{
	(void)ctx;
	return a > b ? -1 : a < b;
}

/* Bring the touched nodes into descending order. */
static bool order_touched(struct as_change *c, struct tree *t, uint32_t part)
{
	size_t n = c->src->node.parent.n;

	if (t->n_touched < n / 16)
		return as_sort_rows(c->al, t->touched, t->n_touched, later_first, NULL);
	t->n_touched = 0;
	for (size_t i = n; i-- > 1;)
		if (t->stamp[i] == part + 1)
			t->touched[t->n_touched++] = (uint32_t)i;
	return true;
}

/* Add the samples [FROM, TO) of PART to their nodes and note all nodes above them. */
static void load_part(struct as_change *c, struct tree *t, size_t from, size_t to, uint32_t part)
{
	const struct as_profile *src = c->src;
	uint32_t e = c->r.e;

	t->n_touched = 0;
	for (size_t i = from; i < to; i++) {
		as_node node = src->sample.node.p[i];

		for (uint32_t k = 0; k < e; k++)
			t->sum[(size_t)node.i * e + k] += src->sample.cost.p[i * e + k];
		for (; node.i && t->stamp[node.i] != part + 1; node = src->node.parent.p[node.i]) {
			t->stamp[node.i] = part + 1;
			t->touched[t->n_touched++] = node.i;
		}
	}
}

static enum as_code put_call(struct as_change *c, uint32_t part, uint32_t node, const as_val *cost)
{
	const struct as_profile *src = c->src;
	as_place caller = src->node.place.p[src->node.parent.p[node].i];
	struct as_pos from = as_place_pos(src, caller), site;
	struct as_call call = {0};

	AS_TRY(as_remap_pos(&c->r, &from, &site));
	AS_TRY(as_remap_func(&c->r, src->place.func.p[src->node.place.p[node].i], &call.callee));
	as_remap_cost(&c->r, cost, c->r.e, c->r.out);
	return as_build_call(
		&c->b, c->r.part[part], &site, &call, c->r.out, as_n_events(c->b.prof));
}

/* Children come after their parents, so the touched nodes are emptied from the last one on. */
static enum as_code put_part(struct as_change *c, struct tree *t, uint32_t part)
{
	const struct as_profile *src = c->src;
	uint32_t e = c->r.e;

	for (size_t i = 0; i < t->n_touched; i++) {
		uint32_t node = t->touched[i], parent = src->node.parent.p[node].i;
		as_val *sum = t->sum + (size_t)node * e;

		if (parent)
			AS_TRY(put_call(c, part, node, t->outer[node] ? sum : t->none));
		for (uint32_t k = 0; k < e; k++) {
			t->sum[(size_t)parent * e + k] += sum[k];
			sum[k] = 0;
		}
	}
	memset(t->sum, 0, e * sizeof(as_val));
	return AS_OK;
}

static enum as_code put_calls(struct as_change *c, struct tree *t)
{
	const struct as_profile *src = c->src;
	size_t n = src->sample.node.n, to;

	as_tree_live(src, t->live);
	for (size_t i = 0; i < src->node.parent.n; i++)
		t->key[i] = src->place.func.p[src->node.place.p[i].i].i;
	if (!as_tree_outermost(src, t->live, t->key, src->func.name.n, t->outer))
		return as_remap_no_memory(&c->r);
	for (size_t from = 0; from < n; from = to) {
		uint32_t part = src->sample.part.p[from];

		for (to = from; to < n && src->sample.part.p[to] == part; to++)
			;
		load_part(c, t, from, to, part);
		if (!order_touched(c, t, part))
			return as_remap_no_memory(&c->r);
		AS_TRY(put_part(c, t, part));
	}
	return as_rows_compact(&c->b.prof->call, AS_KEYS_CALL) ? AS_OK : as_remap_no_memory(&c->r);
}

static enum as_code to_calls(struct as_change *c)
{
	struct tree t;
	enum as_code rc;

	AS_TRY(as_remap_self_rows(&c->r));
	AS_TRY(as_remap_call_rows(&c->r));
	AS_TRY(as_remap_jump_rows(&c->r));
	AS_TRY(as_change_sample_self(c));
	if (!c->src->sample.node.n)
		return AS_OK;
	if (!tree_init(c, &t))
		return as_remap_no_memory(&c->r);
	rc = put_calls(c, &t);
	as_alloc_free(c->al, t.none, t.size);
	return rc;
}

enum as_code as_to_calls(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	struct as_change c;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, err));
	AS_TRY(as_change_end(&c, to_calls(&c), out));
	as_lose(l, AS_CAPBIT_PATHS, as_deep_samples(prof));
	return AS_OK;
}
