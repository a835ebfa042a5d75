/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/drop_frames.h"

#include "change/filter/filter.h"
#include "change/kit/change.h"

/* What the walk knows of a node. pprof decides by locations: a location is a frame with all that
 * is inlined into it. */
enum {
	MATCHED = 1, /* it matches, or a frame above it of the same location does */
	INNER = 2,   /* what matched was inlined: it goes in any case */
	USER = 4,    /* there is a location above its own of which nothing matches */
	ENDED = 8,   /* it goes, and all below it */
};

struct walk {
	struct as_change c;
	uint8_t *func; /* of each function: whether it matches */
	uint8_t *node; /* of each node: the above */
	uint32_t *to;  /* of each node: it, or what it belongs to, in the result */
	size_t size;   /* of TO and NODE, one block */
};

static uint8_t decide(const struct walk *w, uint8_t above, bool first, as_place place)
{
	const struct as_profile *src = w->c.src;
	uint8_t now = above & (USER | ENDED);

	if (first || !src->place.inlined.p[place.i]) {
		if (!first && !(above & MATCHED))
			now |= USER;
		if ((above & INNER) && (above & USER))
			now |= ENDED;
		if (w->func[src->place.func.p[place.i].i])
			now |= now & USER ? MATCHED | ENDED : MATCHED;
		return now;
	}
	now |= above & (MATCHED | INNER);
	if (!(now & MATCHED) && w->func[src->place.func.p[place.i].i])
		now |= MATCHED | INNER;
	return now;
}

static enum as_code push_nodes(struct walk *w)
{
	struct as_change *c = &w->c;
	const struct as_profile *src = c->src;
	as_place place;
	as_node node;

	w->node[0] = 0;
	w->to[0] = 0;
	for (uint32_t i = 1; i < src->node.parent.n; i++) {
		uint32_t up = src->node.parent.p[i].i;

		node.i = w->to[up];
		w->node[i] = decide(w, w->node[up], !up, src->node.place.p[i]);
		if (!(w->node[i] & (ENDED | INNER))) {
			AS_TRY(as_remap_place(&c->r, src->node.place.p[i], &place));
			AS_TRY(as_build_push(&c->b, node, place, &node));
		}
		w->to[i] = node.i;
	}
	return AS_OK;
}

static enum as_code add_samples(struct walk *w)
{
	struct as_remap *r = &w->c.r;
	const struct as_profile *src = w->c.src;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_remap_cost(r, src->sample.cost.p + i * r->e, r->e, r->out);
		as_change_stand(&w->c, i);
		AS_TRY(as_build_sample(&w->c.b, r->part[src->sample.part.p[i]],
			(as_node){w->to[src->sample.node.p[i].i]}, r->out));
	}
	return AS_OK;
}

static enum as_code drop(struct walk *w)
{
	size_t nodes = w->c.src->node.parent.n;
	enum as_code rc;

	w->size = nodes * (sizeof(uint32_t) + 1) + 1;
	w->to = as_alloc_new(w->c.al, w->size);
	if (!w->to)
		return as_err_no_memory(w->c.r.b->err);
	w->node = (uint8_t *)(w->to + nodes);
	rc = push_nodes(w);
	if (rc == AS_OK)
		rc = add_samples(w);
	as_alloc_free(w->c.al, w->to, w->size);
	return rc;
}

static bool match_funcs(struct walk *w, const struct as_profile *prof, const struct as_drop *how)
{
	bool any = false;

	for (uint32_t i = 0; i < prof->func.name.n; i++) {
		struct as_slice name = as_func_name(prof, (as_func){i});

		w->func[i] = name.len && how->match(how->ctx, as_filter_simple_name(name));
		any |= w->func[i];
	}
	return any;
}

static enum as_code copy(
	struct walk *w, const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	enum as_code rc;

	AS_TRY(as_change_begin(&w->c, prof, err));
	rc = as_remap_self_rows(&w->c.r);
	if (rc == AS_OK)
		rc = as_remap_call_rows(&w->c.r);
	if (rc == AS_OK)
		rc = as_remap_jump_rows(&w->c.r);
	if (rc == AS_OK)
		rc = drop(w);
	return as_change_end(&w->c, rc, out);
}

enum as_code as_drop_frames(const struct as_profile *prof, const struct as_drop *how,
	struct as_profile **out, struct as_err *err)
{
	size_t funcs = prof->func.name.n + 1;
	struct walk w = {.func = as_alloc_new(prof->al, funcs)};
	enum as_code rc = AS_OK;

	*out = NULL;
	if (!w.func)
		return as_err_no_memory(err);
	if (match_funcs(&w, prof, how))
		rc = copy(&w, prof, out, err);
	as_alloc_free(prof->al, w.func, funcs);
	return rc;
}
