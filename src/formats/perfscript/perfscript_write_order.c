/* SPDX-License-Identifier: Apache-2.0 */
/* An order of stacks that depends on what they say alone, and what is inlined into what. */
#include "formats/perfscript/perfscript_write.h"

static int order_cmp_places(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	struct as_pos x = as_place_pos(prof, (as_place){a}), y = as_place_pos(prof, (as_place){b});
	int c = as_slice_cmp(as_func_name(prof, x.func), as_func_name(prof, y.func));

	if (!c)
		c = as_slice_cmp(as_object_path(prof, prof->func.object.p[x.func.i]),
			as_object_path(prof, prof->func.object.p[y.func.i]));
	c = c ? c : as_cmp_u64(prof->func.addr.p[x.func.i], prof->func.addr.p[y.func.i]);
	c = c ? c : as_cmp_u64(x.addr, y.addr);
	c = c ? c : as_cmp_u64(x.line, y.line);
	c = c ? c : as_slice_cmp(as_file_path(prof, x.file), as_file_path(prof, y.file));
	return c ? c : x.inlined - y.inlined;
}

/* NODE gets all but the root, by their places. */
static void order_by_place(const struct as_profile *prof, const struct as_order *places,
	uint32_t *next, uint32_t *node)
{
	for (size_t i = 1; i < prof->node.place.n; i++)
		next[places->rank[prof->node.place.p[i].i] + 1]++;
	for (uint32_t i = 0; i < places->n; i++)
		next[i + 1] += next[i];
	for (size_t i = 1; i < prof->node.place.n; i++)
		node[next[places->rank[prof->node.place.p[i].i]]++] = (uint32_t)i;
}

/* Nodes come by their places, so children are found in that order; each gets its rank among all,
 * parents first: a node's is behind those of its siblings before it and all that is below them. */
static void order_rank(const struct as_profile *prof, const uint32_t *node, uint32_t *size,
	uint32_t *next, uint32_t *rank)
{
	size_t n = prof->node.parent.n;

	for (size_t i = n; i-- > 1;) {
		size[i]++;
		size[prof->node.parent.p[i].i] += size[i];
	}
	/* NEXT: how much of what is below each node comes before its next child */
	for (size_t i = 0; i + 1 < n; i++) {
		uint32_t at = node[i], parent = prof->node.parent.p[at].i;

		rank[at] = next[parent] + 1;
		next[parent] += size[at];
	}
	for (size_t i = 1; i < n; i++)
		rank[i] += rank[prof->node.parent.p[i].i];
}

/* A frame is marked as inlined where a reader finds into what: the next frame that is not, at the
 * same address and in the same object. */
static void order_below(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;

	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		uint32_t below = w->below[prof->node.parent.p[i].i];
		as_place at = prof->node.place.p[i], to = prof->node.place.p[below];
		bool same = below && as_place_addr(prof, at) == as_place_addr(prof, to) &&
			    prof->func.object.p[prof->place.func.p[at.i].i].i ==
				    prof->func.object.p[prof->place.func.p[to.i].i].i;

		w->below[i] = prof->place.inlined.p[at.i] && same ? below : i;
	}
}

enum as_code as_ps_write_order(struct as_ps_write *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->node.parent.n;
	struct as_order places;
	uint32_t *node = NULL, *size = NULL, *next = NULL;

	AS_TRY(as_err_memory(w->wr->err,
		as_order_init(&places, w->al, prof->place.func.n, order_cmp_places, prof) &&
			as_alloc_array(w->al, &node, n) && as_alloc_array(w->al, &size, n) &&
			as_alloc_array(w->al, &next, (n > places.n ? n : places.n) + 1) &&
			as_alloc_array(w->al, &w->rank, n) && as_alloc_array(w->al, &w->below, n)));
	order_by_place(prof, &places, next, node);
	memset(next, 0, n * sizeof(*next));
	order_rank(prof, node, size, next, w->rank);
	order_below(w);
	return AS_OK;
}
