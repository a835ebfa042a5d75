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
	struct as_change c;
	struct folded *node;
};

static bool is_inlined(const struct as_profile *prof, size_t node)
{
	return prof->node.parent.p[node].i && prof->place.inlined.p[prof->node.place.p[node].i];
}

static void find_needed(struct fold *x)
{
	const struct as_profile *src = x->c.src;

	for (size_t i = 1; i < src->node.parent.n; i++)
		if (!is_inlined(src, i))
			x->node[src->node.parent.p[i].i].needed = true;
	for (size_t i = 0; i < src->sample.node.n; i++)
		x->node[src->sample.node.p[i].i].needed = true;
}

/* The place FROM as one of the function of OUTER. */
static enum as_code fold_place(struct fold *x, as_place from, as_place outer, as_place *out)
{
	const struct as_profile *src = x->c.src;
	struct as_place_more more = as_place_get_more(src, from);
	struct as_pos pos = as_place_pos(src, from), to;

	if (!more.extra.i)
		more.extra = as_place_get_more(src, outer).extra;
	pos.func = src->place.func.p[outer.i];
	pos.inlined = false;
	AS_TRY(as_remap_str(&x->c.r, more.extra, &more.extra));
	AS_TRY(as_remap_pos(&x->c.r, &pos, &to));
	return as_build_place_more(&x->c.b, &to, &more, out);
}

static enum as_code push_nodes(struct fold *x)
{
	const struct as_profile *src = x->c.src;

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
			       : as_remap_place(&x->c.r, from, &place));
		AS_TRY(as_build_push(&x->c.b, (as_node){n->above}, place, &node));
		n->to = node.i;
	}
	return AS_OK;
}

static enum as_code add_samples(struct fold *x)
{
	struct as_remap *r = &x->c.r;
	const struct as_profile *src = x->c.src;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_remap_cost(r, src->sample.cost.p + i * r->e, r->e, r->out);
		as_change_stand(&x->c, i);
		AS_TRY(as_build_sample(&x->c.b, r->part[src->sample.part.p[i]],
			(as_node){x->node[src->sample.node.p[i].i].to}, r->out));
	}
	return AS_OK;
}

static enum as_code fold_paths(struct fold *x)
{
	size_t size = x->c.src->node.parent.n * sizeof(*x->node);
	enum as_code rc;

	x->node = as_alloc_new(x->c.al, size);
	if (!x->node)
		return as_err_no_memory(x->c.r.b->err);
	find_needed(x);
	rc = push_nodes(x);
	if (rc == AS_OK)
		rc = add_samples(x);
	as_alloc_free(x->c.al, x->node, size);
	return rc;
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
	struct fold x;
	enum as_code rc;

	*out = NULL;
	if (!as_has_inlined(prof))
		return AS_OK;
	AS_TRY(as_change_begin(&x.c, prof, err));
	rc = as_remap_self_rows(&x.c.r);
	if (rc == AS_OK)
		rc = as_remap_call_rows(&x.c.r);
	if (rc == AS_OK)
		rc = as_remap_jump_rows(&x.c.r);
	if (rc == AS_OK)
		rc = fold_paths(&x);
	return as_change_end(&x.c, rc, out);
}
