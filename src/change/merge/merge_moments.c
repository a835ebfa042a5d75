/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When samples were counted. Inputs that say when they began have a clock in common; of others
 * nobody knows which was first, and their moments are left out, all of them: those of some samples
 * would be no moments of their sum.
 */
#include "change/merge/merge_impl.h"

#include "base/date.h"

/* The start of J's input on the clock of all inputs; false: it has none there. */
static bool merge_moments_start(const struct as_merge_add_job *j, int64_t *start)
{
	*start = 0;
	return as_date_to_nanos(as_str_get(j->src, j->src->epoch), start);
}

/* They cannot be put behind one another. */
static void merge_moments_drop(struct as_merge *m)
{
	struct as_moments *to = &m->b.prof->moments;

	to->left += m->b.moment.n;
	m->b.moment.n = 0;
	m->b.keep_moments = false; /* those to come are counted */
}

static enum as_code merge_moments_add(struct as_merge_add_job *j, int64_t start)
{
	struct as_moments_cur cur;

	as_moments_begin(&cur, &j->src->moments);
	while (as_moments_next(&cur)) {
		struct as_moment m = cur.at; /* what follows is the difference to that */

		if (__builtin_add_overflow(m.time, start, &m.time))
			merge_moments_drop(j->m);
		AS_TRY(as_remap_moment(&j->r, &m, (as_node){j->m->to_node.p[m.node.i]}));
	}
	return AS_OK;
}

enum as_code as_merge_moments(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;
	const struct as_profile *src = j->src;
	bool first = !m->has_facts, placed;
	int64_t start;

	m->b.prof->moments.left += src->moments.left;
	m->b.prof->moments.markers_left += src->moments.markers_left;
	if (!src->sample.node.n && !src->self.n && !src->call.n)
		return AS_OK;
	m->has_facts = true;
	m->b.keep_moments |= first && src->moments.n;
	placed = merge_moments_start(j, &start);
	if (m->unplaced || (!placed && !first) || !src->moments.n)
		merge_moments_drop(m);
	m->unplaced |= !placed;
	return src->moments.n ? merge_moments_add(j, start) : AS_OK;
}

/* The result begins with the earliest of them. */
void as_merge_place_moments(struct as_merge *m)
{
	struct as_build *b = &m->b;

	b->has_zero = true;
	if (m->unplaced || !as_date_to_nanos(as_str_get(b->prof, b->prof->epoch), &b->zero))
		b->zero = 0;
}
