/* SPDX-License-Identifier: Apache-2.0 */
/* When samples were counted: a time and a value each, beside one another. */
#include "base/sort.h"
#include "formats/off_tell.h"
#include "formats/otlp/otlp_write.h"

/* How many moments each event of each sample has, behind the sum of those before it. */
static enum as_code moments_count(struct as_otlp_write *w, uint64_t *durations)
{
	size_t e = w->prof->event.n, n = w->prof->sample.node.n * e, row = 0;
	struct as_moments_cur cur;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		*durations += cur.at.duration != 0 && !as_off_is_event(w->prof, cur.at.event);
		if (as_moments_sample(w->prof, cur.at.part, cur.at.node, &row))
			w->first[row * e + cur.at.event + 1]++;
	}
	for (size_t i = 0; i < n; i++)
		w->first[i + 1] += w->first[i];
	return AS_OK;
}

static void moments_fill(struct as_otlp_write *w, uint32_t *next)
{
	size_t e = w->prof->event.n, row = 0;
	struct as_moments_cur cur;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		uint32_t *to;

		if (!as_moments_sample(w->prof, cur.at.part, cur.at.node, &row))
			continue;
		to = &next[row * e + cur.at.event];
		w->moment_time[*to] = (uint64_t)(w->time + cur.at.time);
		w->moment_value[(*to)++] = (uint64_t)cur.at.value;
	}
}

enum as_code as_otlp_plan_moments(struct as_otlp_write *w)
{
	size_t n = w->prof->sample.node.n * w->prof->event.n, all = w->prof->moments.n;
	uint64_t durations = 0;
	uint32_t *next = NULL;

	if (!all)
		return AS_OK;
	if (all > UINT32_MAX - 1)
		return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 moments");
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->first, n + 1) &&
						 as_alloc_array(w->al, &next, n + 1) &&
						 as_alloc_array(w->al, &w->moment_time, all) &&
						 as_alloc_array(w->al, &w->moment_value, all)));
	AS_TRY(moments_count(w, &durations));
	memcpy(next, w->first, (n + 1) * sizeof(*next));
	moments_fill(w, next);
	as_losses_add(w->wr->losses, "moment-durations", durations,
		"duration{ of a moment|s of moments}");
	return AS_OK;
}

static int write_moments_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const uint64_t *time = ctx;

	return as_cmp_u64(time[a], time[b]);
}

/* Those of several samples, in order of time. */
static bool moments_sort(struct as_otlp_write *w)
{
	struct as_order order;
	uint64_t *copy;
	size_t n = w->times.n;

	if (!as_order_init(&order, w->al, n, write_moments_cmp, w->times.p) ||
		!as_alloc_array(w->al, &copy, 2 * n))
		return false;
	for (size_t i = 0; i < n; i++) {
		copy[i] = w->times.p[order.at[i]];
		copy[n + i] = w->list.p[order.at[i]];
	}
	memcpy(w->times.p, copy, n * sizeof(*copy));
	memcpy(w->list.p, copy + n, n * sizeof(*copy));
	as_alloc_free(w->al, copy, 2 * n * sizeof(*copy) + 1);
	as_order_release(&order, w->al);
	return true;
}

void as_otlp_moments_of(struct as_otlp_write *w, size_t at, size_t end, uint32_t event)
{
	size_t e = w->prof->event.n;

	w->times.n = w->list.n = 0;
	for (size_t i = at; w->first && i < end; i++) {
		const struct as_plan_sample *s = &w->plan.sample.p[w->plan.sample_order.at[i]];
		const uint32_t *first = &w->first[s->row * e + event];
		uint32_t n = first[1] - first[0];

		if (!as_vec_append(w->al, &w->times, w->moment_time + *first, n) ||
			!as_vec_append(w->al, &w->list, w->moment_value + *first, n))
			w->no_memory = true;
	}
	if (w->no_memory)
		w->times.n = w->list.n = 0;
	if (end > at + 1 && w->times.n && !moments_sort(w))
		w->no_memory = true;
}
