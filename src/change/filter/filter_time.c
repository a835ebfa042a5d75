/* SPDX-License-Identifier: Apache-2.0 */
/* A stretch of time: samples become the sums of the moments inside. */
#include "change/filter/filter_impl.h"

struct timing {
	struct as_filtering f;
	struct as_time_range range;
	as_val *cost;   /* of each sample of the source: what is inside, of each event */
	uint8_t *some;  /* of each sample: there is something */
	uint32_t *node; /* of each node: in the result + 1; before that, 1: it is needed */
};

/* The next moment inside, as far as it is. SAMPLE is whose it is. */
static bool timing_next(
	const struct timing *t, struct as_moments_cur *cur, struct as_moment *m, size_t *sample)
{
	while (as_moments_next(cur)) {
		*m = cur->at;
		if (as_moment_clip(m, t->range.from, t->range.to) &&
			as_moments_sample(t->f.c.src, m->part, m->node, sample))
			return true;
	}
	return false;
}

static void timing_sum(struct timing *t)
{
	const struct as_profile *src = t->f.c.src;
	struct as_moments_cur cur;
	struct as_moment m;
	size_t at;

	as_moments_begin(&cur, &src->moments);
	while (timing_next(t, &cur, &m, &at)) {
		t->cost[at * src->event.n + m.event] += m.value;
		t->some[at] = 1;
		t->node[m.node.i] = 1;
	}
	for (size_t i = src->node.parent.n; i-- > 1;)
		t->node[src->node.parent.p[i].i] |= t->node[i];
}

static enum as_code timing_push_nodes(struct timing *t)
{
	struct as_change *c = &t->f.c;
	as_place place;
	as_node node;

	t->node[0] = 1;
	for (size_t i = 1; i < c->src->node.parent.n; i++) {
		if (!t->node[i])
			continue;
		node.i = t->node[c->src->node.parent.p[i].i] - 1;
		AS_TRY(as_remap_place(&c->r, c->src->node.place.p[i], &place));
		AS_TRY(as_build_push(&c->b, node, place, &node));
		t->node[i] = node.i + 1;
	}
	return AS_OK;
}

static enum as_code timing_put(struct timing *t)
{
	struct as_change *c = &t->f.c;
	const struct as_profile *src = c->src;
	struct as_moments_cur cur;
	struct as_moment m;
	size_t at;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_node node = {t->node[src->sample.node.p[i].i] - 1};

		if (!t->some[i])
			continue;
		as_remap_cost(&c->r, t->cost + i * c->r.e, c->r.e, c->r.out);
		if (c->b.keep_order)
			c->b.order = src->sample.order.p[i];
		AS_TRY(as_build_sample(&c->b, c->r.part[src->sample.part.p[i]], node, c->r.out));
	}
	as_remap_keep_moments(&c->r);
	as_moments_begin(&cur, &src->moments);
	while (timing_next(t, &cur, &m, &at))
		AS_TRY(as_remap_moment(&c->r, &m, (as_node){t->node[m.node.i] - 1}));
	c->moments_done = true;
	return AS_OK;
}

static enum as_code timing_run(struct timing *t)
{
	struct as_change *c = &t->f.c;
	size_t n = c->src->sample.node.n;

	AS_TRY(as_filter_begin(&t->f));
	if (!as_alloc_array(c->al, &t->cost, n * c->r.e) || !as_alloc_array(c->al, &t->some, n) ||
		!as_alloc_array(c->al, &t->node, c->src->node.parent.n))
		return AS_E_NOMEM;
	timing_sum(t);
	AS_TRY(timing_push_nodes(t));
	return timing_put(t);
}

enum as_code as_filter_time(const struct as_profile *prof, struct as_time_range range,
	bool relative, struct as_profile **out, struct as_err *err)
{
	struct as_filter how = {.n = 1, .relative = relative};
	struct timing t = {.f.how = &how, .range = range};

	*out = NULL;
	AS_TRY(as_change_begin(&t.f.c, prof, NULL, err));
	return as_change_end(&t.f.c, timing_run(&t), out);
}
