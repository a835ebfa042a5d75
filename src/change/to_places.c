/* SPDX-License-Identifier: Apache-2.0 */
/* Downwards to places: self rows, or samples of one frame. */
#include "change/transform.h"

#include "change/kit/change.h"

static enum as_code to_places(struct as_change *c)
{
	AS_TRY(as_remap_self_rows(&c->r));
	return as_change_sample_self(c);
}

enum as_code as_to_places(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	struct as_change c;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, err));
	AS_TRY(as_change_end(&c, to_places(&c), out));
	as_lose(l, AS_CAPBIT_PATHS, as_deep_samples(prof));
	as_lose(l, AS_CAPBIT_CALLS, prof->call.n);
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	return AS_OK;
}

/* The last frame of each sample as a path of its own. */
static enum as_code sample_leaves(struct as_change *c)
{
	const struct as_profile *src = c->src;
	as_node node;
	as_place place;

	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_node from = src->sample.node.p[i];

		node.i = 0;
		if (from.i) {
			AS_TRY(as_remap_place(&c->r, src->node.place.p[from.i], &place));
			AS_TRY(as_build_push(&c->b, node, place, &node));
		}
		as_remap_cost(&c->r, src->sample.cost.p + i * c->r.e, c->r.e, c->r.out);
		AS_TRY(as_build_sample(&c->b, c->r.part[src->sample.part.p[i]], node, c->r.out));
	}
	return AS_OK;
}

static enum as_code to_leaves(struct as_change *c)
{
	AS_TRY(as_change_self_leaves(c));
	return sample_leaves(c);
}

enum as_code as_to_leaves(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	struct as_change c;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, err));
	AS_TRY(as_change_end(&c, to_leaves(&c), out));
	as_lose(l, AS_CAPBIT_PATHS, as_deep_samples(prof));
	as_lose(l, AS_CAPBIT_CALLS, prof->call.n);
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	return AS_OK;
}
