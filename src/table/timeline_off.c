/* SPDX-License-Identifier: Apache-2.0 */
#include "model/whose.h"
#include "table/timeline.h"

const char *as_off_text(enum as_off off)
{
	static const char *const text[AS_OFF_STATES] = {
		"waiting", "runnable", "blocked", "stopped"};

	return text[off];
}

/* A source that knows no more than that it did not run says that it waited. */
static enum as_off timeline_off_of(const struct as_profile *prof, size_t part)
{
	const struct as_whose w = as_part_whose(prof, part);

	for (enum as_off off = AS_OFF_RUNNABLE; off < AS_OFF_STATES; off++)
		if (as_slice_is(w.state, as_off_text(off)))
			return off;
	return AS_OFF_WAITING;
}

static void timeline_off_fill(struct as_timeline_off *o, uint32_t event)
{
	const struct as_timeline *t = o->of;
	struct as_moments_cur cur;

	as_moments_begin(&cur, &t->prof->moments);
	while (as_moments_next(&cur)) {
		uint32_t row = t->row_of[cur.at.part];

		if (cur.at.event == event && row)
			as_timeline_put(t,
				o->bucket + ((size_t)(row - 1) * AS_OFF_STATES +
						    timeline_off_of(t->prof, cur.at.part)) *
						    t->n_buckets,
				&cur.at);
	}
}

bool as_timeline_off_make(struct as_timeline_off *o, const struct as_timeline *t)
{
	uint32_t event;

	*o = (struct as_timeline_off){.of = t};
	if (!as_profile_event(t->prof, as_slice_of(AS_OFF_CPU), &event))
		return true;
	o->n = t->row.n * AS_OFF_STATES * t->n_buckets;
	if (t->row.n > SIZE_MAX / 256 / t->n_buckets ||
		!as_alloc_array(t->prof->al, &o->bucket, o->n))
		return false;
	timeline_off_fill(o, event);
	return true;
}

void as_timeline_off_release(struct as_timeline_off *o)
{
	if (o->bucket)
		as_alloc_free(o->of->prof->al, o->bucket, o->n * sizeof(*o->bucket) + 1);
}
