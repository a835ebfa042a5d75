/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlined frames into the function whose code they are. What a location stands for is its innermost
 * frame that has samples or calls: that one stays, at its file and line, as the outermost function.
 */
#include "change/kit/change.h"
#include "change/transform.h"

/* What the walk knows of a node. */
struct folded {
	uint32_t to;    /* it in the result, where it is NEEDED */
	uint32_t above; /* in the result, what its location hangs from */
	as_place outer; /* the outermost frame of its location */
	bool needed;    /* it has samples, or calls */
};

struct fold {
	struct as_change *c;
	struct folded *node;
};

static bool is_inlined(const struct as_profile *prof, size_t node)
{
	return prof->node.parent.p[node].i && prof->place.inlined.p[prof->node.place.p[node].i];
}

static void find_needed(struct fold *x)
{
	const struct as_profile *src = x->c->src;

	for (size_t i = 1; i < src->node.parent.n; i++)
		if (!is_inlined(src, i))
			x->node[src->node.parent.p[i].i].needed = true;
	for (size_t i = 0; i < src->sample.node.n; i++)
		x->node[src->sample.node.p[i].i].needed = true;
}

/* The place FROM as one of the function of OUTER. */
static enum as_code fold_place(struct fold *x, as_place from, as_place outer, as_place *out)
{
	const struct as_profile *src = x->c->src;
	struct as_place_more more = as_place_get_more(src, from);
	struct as_pos pos = as_place_pos(src, from), to;

	if (!more.extra.i)
		more.extra = as_place_get_more(src, outer).extra;
	pos.func = src->place.func.p[outer.i];
	pos.inlined = false;
	AS_TRY(as_remap_str(&x->c->r, more.extra, &more.extra));
	AS_TRY(as_remap_pos(&x->c->r, &pos, &to));
	return as_build_place_more(&x->c->b, &to, &more, out);
}

static enum as_code fold_inlined_push_nodes(struct fold *x)
{
	const struct as_profile *src = x->c->src;

	for (size_t i = 1; i < src->node.parent.n; i++) {
		const struct folded *up = &x->node[src->node.parent.p[i].i];
		struct folded *n = &x->node[i];
		as_place from = src->node.place.p[i], place;
		bool inlined = is_inlined(src, i);
		as_node node;

		n->above = inlined ? up->above : up->to;
		n->outer = inlined ? up->outer : from;
		if (!n->needed)
			continue;
		AS_TRY(inlined ? fold_place(x, from, n->outer, &place)
			       : as_remap_place(&x->c->r, from, &place));
		AS_TRY(as_build_push(&x->c->b, (as_node){n->above}, place, &node));
		n->to = node.i;
	}
	return AS_OK;
}

static enum as_code fold_all(struct as_change *c, void *none)
{
	struct fold x = {.c = c};
	const struct as_profile *src = c->src;

	(void)none;
	AS_TRY(as_remap_all_rows(&c->r));
	AS_TRY(as_memory(as_alloc_array(c->al, &x.node, src->node.parent.n)));
	find_needed(&x);
	AS_TRY(fold_inlined_push_nodes(&x));
	for (size_t i = 0; i < src->sample.node.n; i++)
		AS_TRY(as_change_sample(c, i, (as_node){x.node[src->sample.node.p[i].i].to}));
	return AS_OK;
}

bool as_has_inlined(const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->node.parent.n; i++)
		if (is_inlined(prof, i))
			return true;
	return false;
}

enum as_code as_fold_inlined(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	*out = NULL;
	if (!as_has_inlined(prof))
		return AS_OK;
	return as_change_run(prof, NULL, fold_all, NULL, out, err);
}
