/* SPDX-License-Identifier: Apache-2.0 */
/* Downwards to places: self rows, or samples of one frame. */
#include "change/kit/change.h"
#include "change/transform.h"

static enum as_code places_self_rows(struct as_change *c, void *none)
{
	(void)none;
	AS_TRY(as_remap_rows(&c->r, &c->src->self));
	return as_change_sample_self(c);
}

/* Self rows, and the last frame of each sample, as paths of their own. */
static enum as_code places_leaves(struct as_change *c, void *none)
{
	const struct as_profile *src = c->src;
	as_place place;

	(void)none;
	AS_TRY(as_change_self_leaves(c));
	for (size_t i = 0; i < src->sample.node.n; i++) {
		as_node node = {0}, from = src->sample.node.p[i];

		if (from.i) {
			AS_TRY(as_remap_place(&c->r, src->node.place.p[from.i], &place));
			AS_TRY(as_build_push(&c->b, node, place, &node));
		}
		AS_TRY(as_change_sample(c, i, node));
	}
	return AS_OK;
}

static enum as_code places_make(const struct as_profile *prof,
	enum as_code (*work)(struct as_change *c, void *none), struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	AS_TRY(as_change_run(prof, NULL, work, NULL, out, err));
	as_lose(l, AS_CAPBIT_PATHS, as_deep_samples(prof));
	as_lose(l, AS_CAPBIT_CALLS, prof->call.n);
	as_lose(l, AS_CAPBIT_JUMPS, prof->jump.n);
	return AS_OK;
}

enum as_code as_to_places(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	return places_make(prof, places_self_rows, out, l, err);
}

enum as_code as_to_leaves(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	return places_make(prof, places_leaves, out, l, err);
}
