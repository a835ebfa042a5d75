/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_when.h"

/* A moment as LIKE, of the next N of ALL equal parts of AMOUNT, of which SEEN have been. */
static enum as_code perf_when_share(struct as_perf_track *t, const struct as_moment *like,
	uint64_t amount, uint64_t seen, uint64_t n, uint64_t all)
{
	struct as_moment m = *like;

	m.value = (int64_t)((as_uval)amount * (seen + n) / all - (as_uval)amount * seen / all);
	return m.value ? as_build_moment(t->out, &m) : AS_OK;
}

/* Where samples do not say how much they stand for, each is one. */
static enum as_code perf_when_walk(struct as_perf_track *t, uint64_t *seen)
{
	for (size_t i = 0; i < t->when.n; i++) {
		const struct as_perf_when *w = &t->when.p[i];
		const struct as_perf_sample *s;
		struct as_moment like = {.time = (int64_t)w->at};
		uint64_t n;

		if (w->row >= t->sample.n)
			continue;
		s = &t->sample.p[w->row];
		n = s->count ? w->n : 1;
		like.part = s->part;
		like.node = s->node;
		like.event = t->event + s->column;
		if (s->given && s->given <= INT64_MAX)
			AS_TRY(perf_when_share(t, &like, s->given, seen[w->row], n,
				s->count ? (uint64_t)s->count : s->n));
		seen[w->row] += n;
	}
	return AS_OK;
}

enum as_code as_perf_when_put(struct as_perf_track *t)
{
	uint64_t *seen;
	enum as_code rc;

	if (!t->when.n)
		return AS_OK;
	AS_TRY(as_err_memory(t->err, as_alloc_array(t->al, &seen, t->sample.n)));
	rc = perf_when_walk(t, seen);
	as_alloc_free(t->al, seen, t->sample.n * sizeof(*seen) + 1);
	return rc;
}

enum as_code as_perf_when_put_row(
	struct as_perf_track *t, uint32_t row, const struct as_moment *like, uint64_t n)
{
	struct as_moment m = *like;
	uint64_t all = 0, seen = 0;

	for (size_t i = 0; i < t->when.n; i++)
		all += t->when.p[i].row == row ? t->when.p[i].n : 0;
	m.time = (int64_t)t->last_time;
	if (!all && t->out->keep_moments) /* it was told at the end */
		return perf_when_share(t, &m, n, 0, 1, 1);
	for (size_t i = 0; i < t->when.n && all; i++) {
		const struct as_perf_when *w = &t->when.p[i];

		m.time = (int64_t)w->at;
		if (w->row != row)
			continue;
		AS_TRY(perf_when_share(t, &m, n, seen, w->n, all));
		seen += w->n;
	}
	return AS_OK;
}

void as_perf_when_begin(struct as_perf_track *t, uint64_t start)
{
	for (size_t i = 0; i < t->when.n; i++)
		start = t->when.p[i].at < start ? t->when.p[i].at : start;
	for (size_t i = 0; t->switches && i < t->switches->when.n; i++)
		start = t->switches->when.p[i].since < start ? t->switches->when.p[i].since : start;
	t->out->has_zero = true;
	t->out->zero = (int64_t)start;
}
