/* SPDX-License-Identifier: Apache-2.0 */
/* What all transformations of one profile into another share. */
#ifndef AS_CHANGE_KIT_CHANGE_H
#define AS_CHANGE_KIT_CHANGE_H

#include "change/kit/remap.h"
#include "formats/format.h"

/* A transformation under way. */
struct as_change {
	const struct as_alloc *al;
	const struct as_profile *src;
	struct as_build b;
	struct as_remap r;
};

/* Copy everything but facts. On failure nothing is left to release. */
enum as_code as_change_begin(struct as_change *c, const struct as_profile *src, struct as_err *err)
	AS_NODISCARD;
/* The same, but parts whose PART is 0 are left out, and labels whose LABEL is; both may be NULL. */
enum as_code as_change_begin_parts(struct as_change *c, const struct as_profile *src,
	const uint8_t *part, const uint8_t *label, struct as_err *err) AS_NODISCARD;
/* The same, with N of the events of SRC only, in that order. EVENT must live as long as C. */
enum as_code as_change_begin_events(struct as_change *c, const struct as_profile *src,
	const uint32_t *event, uint32_t n, struct as_err *err) AS_NODISCARD;
/* RC is how the work went: gives the result, or releases everything. */
enum as_code as_change_end(struct as_change *c, enum as_code rc, struct as_profile **out)
	AS_NODISCARD;

/* What is added next stands in the source where sample I does. */
static inline void as_change_stand(struct as_change *c, size_t i)
{
	if (c->b.keep_order)
		c->b.order = c->src->sample.order.p[i];
}

/* Samples with their whole paths. */
enum as_code as_change_samples(struct as_change *c) AS_NODISCARD;
/* All that was counted, where the functions of the result stand for those of the source. */
enum as_code as_change_facts(struct as_change *c) AS_NODISCARD;
/* Self rows as paths of one frame. */
enum as_code as_change_self_leaves(struct as_change *c) AS_NODISCARD;
/* Samples as self rows of their last frames. */
enum as_code as_change_sample_self(struct as_change *c) AS_NODISCARD;

/* Samples of more than one frame. */
uint64_t as_deep_samples(const struct as_profile *prof);

/* as_losses_add() with the words of a capability: AS_CAPBIT_*. */
static inline void as_lose(struct as_losses *l, unsigned capbit, uint64_t amount)
{
	as_losses_add(l, as_cap_kind(capbit), amount, as_cap_words(capbit));
}

#endif
