/* SPDX-License-Identifier: Apache-2.0 */
#include "table/timeline.h"

#include "base/sort.h"
#include "model/whose.h"

struct lining {
	struct as_timeline *t;
	AS_VEC(struct as_timeline_row) row;
	struct as_index ix;
};

/* Whether part I, which W says whose it is, belongs into the row of part K. */
static bool timeline_is_same(
	const struct as_profile *prof, const struct as_whose *w, uint32_t i, uint32_t k)
{
	const struct as_whose o = as_part_whose(prof, k);

	if (w->has_pid != o.has_pid || w->pid != o.pid || w->has_tid != o.has_tid)
		return false;
	if (w->has_tid)
		return w->tid == o.tid;
	return as_slice_eq(w->thread, o.thread) && prof->part.p[i].name.i == prof->part.p[k].name.i;
}

/* The row of each part, before rows are in order: one for a thread of a process, or for what the
 * source tells apart. */
static bool timeline_find_rows(struct lining *l)
{
	const struct as_profile *prof = l->t->prof;
	uint32_t row;

	for (uint32_t i = 0; i < prof->part.n; i++) {
		const struct as_whose w = as_part_whose(prof, i);
		uint64_t at = AS_INDEX_START, hash = as_hash_mix(w.pid, w.has_tid ? w.tid : 0);
		bool found = false;

		while (!found && as_index_find(&l->ix, hash, &at, &row))
			found = timeline_is_same(prof, &w, i, l->row.p[row].part);
		if (!found) {
			row = (uint32_t)l->row.n;
			if (!as_vec_push(prof->al, &l->row, (struct as_timeline_row){.part = i}) ||
				!as_index_add(&l->ix, hash, row))
				return false;
		}
		l->row.p[row].n_parts++;
		l->t->row_of[i] = row;
	}
	return true;
}

static void timeline_sum_rows(struct lining *l, as_val *self)
{
	const struct as_profile *prof = l->t->prof;
	size_t e = prof->event.n;

	for (size_t i = 0; i < prof->sample.node.n; i++)
		as_vals_add(self + l->t->row_of[prof->sample.part.p[i]] * e,
			prof->sample.cost.p + i * e, e);
	for (size_t i = 0; i < l->row.n; i++)
		l->row.p[i].total = self[i * e + l->t->event];
}

static int timeline_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_timeline_row *row = ctx;

	if (row[a].total != row[b].total)
		return row[a].total > row[b].total ? -1 : 1;
	return as_cmp_u64(row[a].part, row[b].part);
}

static bool timeline_costs_something(const struct as_timeline *t, const as_val *self)
{
	for (size_t k = 0; k < t->prof->event.n; k++)
		if (self[k])
			return true;
	return false;
}

/* SELF and the rows, in order, without those of nothing; row_of becomes that in T, from 1. */
static bool timeline_order_rows(struct lining *l, const as_val *self)
{
	struct as_timeline *t = l->t;
	const struct as_alloc *al = t->prof->al;
	size_t n = l->row.n, e = t->prof->event.n;
	uint32_t *order = as_sorted_rows(al, n, timeline_cmp, l->row.p), *to;
	bool ok = order && as_alloc_array(al, &t->self, n * e);

	t->n_self = n * e;
	if (ok && as_alloc_array(al, &to, n)) {
		for (size_t i = 0; i < n && ok; i++) {
			const as_val *from = self + order[i] * e;

			if (!timeline_costs_something(t, from))
				continue;
			memcpy(t->self + t->row.n * e, from, e * sizeof(*from));
			ok = as_vec_push(al, &t->row, l->row.p[order[i]]);
			to[order[i]] = (uint32_t)t->row.n;
		}
		for (size_t i = 0; i < t->prof->part.n; i++)
			t->row_of[i] = to[t->row_of[i]];
		as_alloc_free(al, to, n * sizeof(*to) + 1);
	} else {
		ok = false;
	}
	if (order)
		as_alloc_free(al, order, n * sizeof(*order) + 1);
	return ok;
}

static bool timeline_make_rows(struct lining *l)
{
	const struct as_alloc *al = l->t->prof->al;
	size_t n;
	as_val *self;
	bool ok;

	if (!timeline_find_rows(l))
		return false;
	n = l->row.n * l->t->prof->event.n;
	if (!as_alloc_array(al, &self, n))
		return false;
	timeline_sum_rows(l, self);
	ok = timeline_order_rows(l, self);
	as_alloc_free(al, self, n * sizeof(*self) + 1);
	return ok;
}

/* ---- buckets ---- */

void as_timeline_put(const struct as_timeline *t, as_val *bucket, const struct as_moment *m)
{
	uint64_t at = ((uint64_t)m->time - (uint64_t)t->start) / t->width;

	if (at >= t->n_buckets) /* at the very end */
		bucket[t->n_buckets - 1] += m->value;
	for (; at < t->n_buckets; at++) {
		int64_t from = (int64_t)((uint64_t)t->start + at * t->width);
		struct as_moment part = *m;

		if (!as_moment_clip(&part, from, (int64_t)((uint64_t)from + t->width)))
			break;
		bucket[at] += part.value;
		if (m->duration != (uint64_t)m->value || m->value <= 0)
			break;
	}
}

static void timeline_fill(struct lining *l)
{
	struct as_timeline *t = l->t;
	struct as_moments_cur cur;

	as_moments_begin(&cur, &t->prof->moments);
	while (as_moments_next(&cur))
		if (cur.at.event == t->event && l->t->row_of[cur.at.part])
			as_timeline_put(t,
				t->bucket + (size_t)(l->t->row_of[cur.at.part] - 1) * t->n_buckets,
				&cur.at);
	for (size_t i = 0; i < t->row.n * t->n_buckets; i++)
		t->most = t->bucket[i] > t->most ? t->bucket[i] : t->most;
}

static bool timeline_make_all(struct lining *l)
{
	struct as_timeline *t = l->t;
	const struct as_moments *m = &t->prof->moments;
	uint64_t span;

	if (!as_alloc_array(t->prof->al, &t->row_of, t->prof->part.n) || !timeline_make_rows(l))
		return false;
	t->start = m->block.p[0].first;
	span = (uint64_t)m->last - (uint64_t)t->start;
	t->width = span / t->n_buckets + (span % t->n_buckets != 0);
	t->width += !t->width;
	if (t->row.n > SIZE_MAX / 64 / t->n_buckets ||
		!as_alloc_array(t->prof->al, &t->bucket, t->row.n * t->n_buckets))
		return false;
	timeline_fill(l);
	return true;
}

enum as_code as_timeline_make(struct as_timeline *t, const struct as_profile *prof, uint32_t event,
	uint32_t n_buckets, struct as_err *err)
{
	struct lining l = {.t = t};
	bool ok;

	as_assert(prof->moments.n && n_buckets && event < prof->event.n);
	*t = (struct as_timeline){.prof = prof, .event = event, .n_buckets = n_buckets};
	as_index_init(&l.ix, prof->al);
	ok = timeline_make_all(&l);
	as_index_release(&l.ix);
	as_vec_free(prof->al, &l.row);
	return as_err_memory(err, ok);
}

void as_timeline_release(struct as_timeline *t)
{
	const struct as_alloc *al;

	if (!t->prof)
		return;
	al = t->prof->al;
	if (t->row_of)
		as_alloc_free(al, t->row_of, t->prof->part.n * sizeof(*t->row_of) + 1);
	if (t->bucket)
		as_alloc_free(al, t->bucket, t->row.n * t->n_buckets * sizeof(*t->bucket) + 1);
	as_alloc_free(al, t->self, t->self ? t->n_self * sizeof(*t->self) + 1 : 0);
	as_vec_free(al, &t->row);
}
