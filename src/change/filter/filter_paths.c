/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters on call paths. What a sample becomes depends on its own node and those above it, so one
 * walk from the parents down to the children decides for all of them. A frame that goes is its
 * parent's node in the result, and so its cost is the parent's.
 */
#include "change/filter/filter_impl.h"

/* What the walk knows of a node, beside the bits FOCUS and IGNORE that it or one above matches. */
enum {
	STAYS = 1 << 2,   /* its frame is in the result */
	STARTED = 1 << 3, /* it, or one above, is where show_from begins */
	PRUNED = 1 << 4,  /* likewise prune_from */
	INSIDE = 1 << 5,  /* inlined, and a frame that it is part of stays */
	NEEDED = 1 << 6,  /* a sample of the result is there or below */
};

struct walk {
	struct as_filtering *f;
	uint8_t *place; /* of each place: the kinds that match */
	uint8_t *node;  /* of each node: the above */
	uint32_t *end;  /* of each node: where a sample that is there ends, in the source */
	uint32_t *to;   /* of each node: it, or what it belongs to, in the result */
};

static unsigned leaf_bits(const struct walk *w, uint32_t node)
{
	return node ? w->place[w->f->c.src->node.place.p[node].i] : 0;
}

static void match_places(struct walk *w)
{
	const struct as_profile *src = w->f->c.src;
	struct as_filter_code code = {0};

	for (size_t i = 0; i < src->place.func.n; i++) {
		as_func func = src->place.func.p[i];
		unsigned bits = as_filter_bits(w->f, func, src->place.file.p[i]);

		if (as_filter_is_by_address(w->f, func)) {
			if (code.func.i != func.i)
				as_filter_name_code(w->f, func, &code);
			bits |= as_filter_address_bits(w->f, &code, src->place.addr.p[i]);
		}
		w->place[i] = (uint8_t)bits;
	}
}

static void filter_paths_decide(struct walk *w)
{
	const struct as_profile *src = w->f->c.src;
	const unsigned seen = AS_FILTER_BIT(FOCUS) | AS_FILTER_BIT(IGNORE);

	w->node[0] = w->f->wanted & AS_FILTER_BIT(SHOW_FROM) ? 0 : STARTED;
	for (uint32_t i = 1; i < src->node.parent.n; i++) {
		uint32_t up = src->node.parent.p[i].i, place = src->node.place.p[i].i;
		unsigned bits = w->place[place], above = w->node[up];
		unsigned now = (above & (seen | STARTED | PRUNED)) | (bits & seen);
		bool shows = as_filter_shows(w->f, bits);

		if (shows && (bits & AS_FILTER_BIT(SHOW_FROM)))
			now |= STARTED;
		if (src->place.inlined.p[place] && (above & (STAYS | INSIDE)))
			now |= INSIDE;
		w->end[i] = w->end[up];
		if (shows && (now & STARTED)) {
			now |= STAYS;
			if ((bits & AS_FILTER_BIT(PRUNE_FROM)) || !(now & PRUNED))
				w->end[i] = i;
			if (bits & AS_FILTER_BIT(PRUNE_FROM))
				now |= PRUNED;
		}
		w->node[i] = (uint8_t)now;
	}
}

/* What has no stack matches nothing and loses no frame: it goes only where a match is asked for. */
static bool filter_paths_keeps(const struct walk *w, size_t sample)
{
	const unsigned match = AS_FILTER_BIT(SHOW) | AS_FILTER_BIT(SHOW_FROM);
	const struct as_profile *src = w->f->c.src;
	uint32_t node = src->sample.node.p[sample].i;

	if (w->f->c.r.part[src->sample.part.p[sample]] == AS_REMAP_NONE)
		return false;
	if (!as_filter_selects(w->f, w->node[node], leaf_bits(w, node)))
		return false;
	return node ? w->end[node] != 0 : !(w->f->wanted & match);
}

/* The nodes that samples of the result end at, and all above. */
static void mark_needed(struct walk *w)
{
	const struct as_profile *src = w->f->c.src;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		uint32_t node = src->sample.node.p[i].i;

		if (filter_paths_keeps(w, i))
			w->node[w->end[node]] |= NEEDED;
	}
	for (size_t i = src->node.parent.n; i-- > 1;)
		w->node[src->node.parent.p[i].i] |= w->node[i] & NEEDED;
}

/* What was inlined into frames that are gone is a function of its own. */
static enum as_code filter_paths_place_of(struct walk *w, uint32_t node, as_place *out)
{
	struct as_change *c = &w->f->c;
	as_place from = c->src->node.place.p[node];
	struct as_pos pos, to;

	if (!c->src->place.inlined.p[from.i] || (w->node[node] & INSIDE))
		return as_remap_place(&c->r, from, out);
	pos = as_place_pos(c->src, from);
	AS_TRY(as_remap_pos(&c->r, &pos, &to));
	to.inlined = false;
	return as_build_place(&c->b, &to, out);
}

static enum as_code filter_paths_push_nodes(struct walk *w)
{
	struct as_change *c = &w->f->c;
	as_place place;
	as_node node;

	for (uint32_t i = 1; i < c->src->node.parent.n; i++) {
		if (!(w->node[i] & NEEDED))
			continue;
		node.i = w->to[c->src->node.parent.p[i].i];
		if (w->node[i] & STAYS) {
			AS_TRY(filter_paths_place_of(w, i, &place));
			AS_TRY(as_build_push(&c->b, node, place, &node));
		}
		w->to[i] = node.i;
	}
	return AS_OK;
}

enum as_code as_filter_samples(struct as_filtering *f)
{
	const struct as_profile *src = f->c.src;
	const struct as_alloc *al = f->c.al;
	size_t nodes = src->node.parent.n;
	struct walk w = {.f = f};

	if (!src->sample.node.n)
		return AS_OK;
	if (!as_alloc_array(al, &w.end, nodes) || !as_alloc_array(al, &w.to, nodes) ||
		!as_alloc_array(al, &w.node, nodes) ||
		!as_alloc_array(al, &w.place, src->place.func.n))
		return AS_E_NOMEM;
	match_places(&w);
	filter_paths_decide(&w);
	mark_needed(&w);
	AS_TRY(filter_paths_push_nodes(&w));
	for (size_t i = 0; i < src->sample.node.n; i++)
		if (filter_paths_keeps(&w, i))
			AS_TRY(as_change_sample(
				&f->c, i, (as_node){w.to[w.end[src->sample.node.p[i].i]]}));
	return AS_OK;
}
