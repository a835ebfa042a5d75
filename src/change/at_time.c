/* SPDX-License-Identifier: Apache-2.0 */
/* A profile that is of one time as a whole. */
#include "base/date.h"
#include "change/kit/change.h"
#include "change/transform.h"

struct at_time {
	int64_t begin;
	uint64_t length;
};

/* The samples of the result are still as they were added. */
static enum as_code at_time_moments(struct as_change *c, const struct at_time *at)
{
	const struct as_profile *to = c->b.prof;
	uint32_t e = as_n_events(to);

	c->b.keep_moments = c->b.has_zero = c->moments_done = true;
	c->b.zero = at->begin;
	for (size_t i = 0; i < to->sample.node.n; i++)
		for (uint32_t k = 0; k < e; k++) {
			struct as_moment m = {.time = at->begin,
				.part = to->sample.part.p[i],
				.node = to->sample.node.p[i],
				.event = k};

			AS_TRY(as_build_moment_of(&c->b, &m, to->sample.cost.p[i * e + k]));
		}
	return AS_OK;
}

static enum as_code at_time_make(struct as_change *c, void *ctx)
{
	const struct at_time *at = ctx;
	char text[AS_DATE_NANOS];

	as_date_nanos_text(at->begin, "T", "Z", text);
	AS_TRY(as_build_str(&c->b, as_slice_of(text), &c->b.prof->epoch));
	if (at->length)
		c->b.prof->duration = (int64_t)at->length;
	AS_TRY(as_change_self_leaves(c));
	AS_TRY(as_change_samples(c));
	return at_time_moments(c, at);
}

enum as_code as_at_time(const struct as_profile *prof, int64_t begin, uint64_t length,
	struct as_profile **out, struct as_err *err)
{
	struct at_time at = {begin, length};

	as_assert(!prof->call.n && !prof->sums.func.n && !prof->stacks.n);
	return as_change_run(prof, NULL, at_time_make, &at, out, err);
}
