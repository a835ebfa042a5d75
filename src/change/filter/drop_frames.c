/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/frames.h"

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

struct drop {
	struct as_change *c;
	uint8_t *func; /* of each function: whether it matches */
	uint8_t *node; /* of each node: the above */
	uint32_t *to;  /* of each node: it, or what it belongs to, in the result */
};

static uint8_t drop_frames_decide(const struct drop *w, uint8_t above, bool first, as_place place)
{
	const struct as_profile *src = w->c->src;
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

static enum as_code drop_frames_push_nodes(struct drop *w)
{
	struct as_change *c = w->c;
	const struct as_profile *src = c->src;
	as_place place;
	as_node node;

	for (uint32_t i = 1; i < src->node.parent.n; i++) {
		uint32_t up = src->node.parent.p[i].i;

		node.i = w->to[up];
		w->node[i] = drop_frames_decide(w, w->node[up], !up, src->node.place.p[i]);
		if (!(w->node[i] & (ENDED | INNER))) {
			AS_TRY(as_remap_place(&c->r, src->node.place.p[i], &place));
			AS_TRY(as_build_push(&c->b, node, place, &node));
		}
		w->to[i] = node.i;
	}
	return AS_OK;
}

static enum as_code drop_frames(struct as_change *c, void *ctx)
{
	struct drop *w = ctx;
	size_t nodes = c->src->node.parent.n;

	w->c = c;
	AS_TRY(as_remap_all_rows(&c->r));
	if (!as_alloc_array(c->al, &w->to, nodes) || !as_alloc_array(c->al, &w->node, nodes))
		return AS_E_NOMEM;
	AS_TRY(drop_frames_push_nodes(w));
	return as_change_samples_to(c, w->to);
}

static bool drop_frames_match_funcs(
	uint8_t *func, const struct as_profile *prof, const struct as_drop *how)
{
	bool any = false;

	for (uint32_t i = 0; i < prof->func.name.n; i++) {
		struct as_slice name = as_func_name(prof, (as_func){i});

		func[i] = name.len && how->match(how->ctx, as_filter_simple_name(name));
		any |= func[i];
	}
	return any;
}

enum as_code as_drop_frames(const struct as_profile *prof, const struct as_drop *how,
	struct as_profile **out, struct as_err *err)
{
	struct drop w = {.c = NULL};
	enum as_code rc = AS_OK;

	*out = NULL;
	AS_TRY(as_err_memory(err, as_alloc_array(prof->al, &w.func, prof->func.name.n)));
	if (drop_frames_match_funcs(w.func, prof, how))
		rc = as_change_run(prof, NULL, drop_frames, &w, out, err);
	as_alloc_free(prof->al, w.func, prof->func.name.n + 1);
	return rc;
}
