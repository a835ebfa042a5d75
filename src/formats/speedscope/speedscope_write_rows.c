/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the profiles of the file: of each thread and event the stacks with what they cost,
 * in order of time where that is known, else in that of the tree. docs/formats/speedscope.md.
 */
#include "formats/speedscope/speedscope_write.h"

uint64_t as_ss_write_nanos(const struct as_ss_write *w, uint32_t event)
{
	as_assert(event < w->prof->event.n);
	return as_unit_nanos(as_str_get(w->prof, w->prof->event.p[event].unit));
}

static size_t rows_key(const struct as_ss_write *w, uint32_t part, uint32_t event)
{
	return (size_t)w->of_part[part] * w->prof->event.n + event;
}

static enum as_code rows_value(struct as_ss_write *w, as_val value, int64_t *out)
{
	*out = (int64_t)value;
	w->n_large += value >= (as_val)1 << 53;
	if (value < 0)
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED,
			"costs below zero cannot be written: speedscope does not open such a file");
	if (value != *out)
		return as_err_set(w->wr->err, AS_E_LIMIT, "a cost is beyond 64 bits");
	return AS_OK;
}

/* ---- in order of time ---- */

static void rows_count_moments(struct as_ss_write *w)
{
	struct as_moments_cur cur;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur))
		w->first[rows_key(w, cur.at.part, cur.at.event) + 1] += cur.at.value != 0;
}

static enum as_code rows_put_moments(struct as_ss_write *w, size_t *next)
{
	struct as_moments_cur cur;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		struct ss_write_row one = {.node = w->to[cur.at.node.i], .time = cur.at.time};

		if (!cur.at.value)
			continue;
		AS_TRY(rows_value(w, cur.at.value, &one.value));
		w->row[next[rows_key(w, cur.at.part, cur.at.event)]++] = one;
	}
	return AS_OK;
}

/* How many times are not told by the sums of weights, in units of NANOS. */
static void rows_count_moved(struct as_ss_write *w, size_t key, int64_t nanos)
{
	const struct ss_write_row *row = w->row + w->first[key];
	size_t n = w->end[key] - w->first[key];
	as_val at = n && nanos ? row[0].time / nanos * (as_val)nanos : 0;

	for (size_t i = 0; i < n; i++) {
		bool moved = !nanos || row[i].time != at ||
			     (!w->paired[key] && i && row[i].node == row[i - 1].node);

		w->n_moved += moved ? 1u + (w->paired[key] && row[i].value) : 0;
		at += row[i].value * (as_val)nanos;
	}
}

/* Whether the last of N weights is that of SAMPLE. */
static bool rows_weighs(
	const struct ss_write_row *weight, size_t n, const struct ss_write_row *sample)
{
	return n && weight[n - 1].node == sample->node && weight[n - 1].time == sample->time;
}

/* Samples, in KEY, each of which has one of the times before it, or weighs nothing: they are put
 * down as such, and not a second time as stacks that weigh 1. */
static void rows_pair(struct as_ss_write *w, size_t key)
{
	struct ss_write_row *weight = w->row + w->first[key - 1], *row = w->row + w->first[key];
	size_t n = w->first[key] - w->first[key - 1], rows = w->first[key + 1] - w->first[key],
	       k = 0;

	if (!n || n > rows)
		return;
	/* From the end: of those at one time the last one weighs. */
	for (size_t i = rows; i-- > 0;) {
		if (row[i].value != 1)
			return;
		k += rows_weighs(weight, n - k, &row[i]);
	}
	if (k < n)
		return;
	for (size_t i = rows; i-- > 0;) {
		bool weighs = rows_weighs(weight, k, &row[i]);

		row[i].value = weighs ? weight[--k].value : 0;
	}
	w->paired[key] = 1;
	w->end[key - 1] = w->first[key - 1];
}

static void rows_pair_all(struct as_ss_write *w)
{
	uint32_t e = as_n_events(w->prof);

	for (size_t key = 1; key < w->thread.n * e; key++)
		if (key % e && as_ss_write_nanos(w, (uint32_t)(key % e - 1)) &&
			!w->paired[key - 1] &&
			as_slice_is(as_str_get(w->prof, w->prof->event.p[key % e].unit), "count"))
			rows_pair(w, key);
}

/* ---- in the order of the tree ---- */

static int speedscope_rows_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_ss_write *w = ctx;

	return as_cmp_u64(w->rank[w->to[w->prof->sample.node.p[a].i]],
		w->rank[w->to[w->prof->sample.node.p[b].i]]);
}

static void rows_count_samples(struct as_ss_write *w)
{
	const struct as_profile *prof = w->prof;
	uint32_t e = as_n_events(prof);

	for (size_t i = 0; i < prof->sample.node.n; i++)
		for (uint32_t k = 0; k < e; k++)
			w->first[rows_key(w, prof->sample.part.p[i], k) + 1] +=
				prof->sample.cost.p[i * e + k] != 0;
}

static enum as_code rows_put_samples(struct as_ss_write *w, size_t *next)
{
	const struct as_profile *prof = w->prof;
	uint32_t e = as_n_events(prof);
	uint32_t *order = as_sorted_rows(w->al, prof->sample.node.n, speedscope_rows_cmp, w);

	AS_TRY(as_err_memory(w->wr->err, order));
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct ss_write_row one = {.node = w->to[prof->sample.node.p[order[i]].i]};

		for (uint32_t k = 0; k < e; k++) {
			as_val cost = prof->sample.cost.p[(size_t)order[i] * e + k];

			if (!cost)
				continue;
			AS_TRY(rows_value(w, cost, &one.value));
			w->row[next[rows_key(w, prof->sample.part.p[order[i]], k)]++] = one;
		}
	}
	return AS_OK;
}

/* ---- all of them ---- */

/* Neighbours with one stack are one. The places of those that go are left empty at the end. */
static enum as_code rows_join(struct as_ss_write *w, size_t key)
{
	size_t n = w->first[key];

	for (size_t i = n; i < w->end[key]; i++) {
		if (n > w->first[key] && w->row[n - 1].node == w->row[i].node)
			AS_TRY(rows_value(w, (as_val)w->row[n - 1].value + w->row[i].value,
				&w->row[n - 1].value));
		else
			w->row[n++] = w->row[i];
	}
	w->end[key] = n;
	return AS_OK;
}

static enum as_code rows_fill(struct as_ss_write *w, size_t keys)
{
	size_t *next;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &next, keys)));
	if (w->timed)
		rows_count_moments(w);
	else
		rows_count_samples(w);
	for (size_t i = 0; i < keys; i++)
		w->first[i + 1] += w->first[i];
	memcpy(next, w->first, keys * sizeof(*next));
	memcpy(w->end, w->first + 1, keys * sizeof(*next));
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->row, w->first[keys])));
	return w->timed ? rows_put_moments(w, next) : rows_put_samples(w, next);
}

enum as_code as_ss_write_rows(struct as_ss_write *w)
{
	uint32_t e = as_n_events(w->prof);
	size_t keys = w->thread.n * e;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->first, keys + 1) &&
						 as_alloc_array(w->al, &w->end, keys) &&
						 as_alloc_array(w->al, &w->paired, keys)));
	AS_TRY(rows_fill(w, keys));
	if (w->timed)
		rows_pair_all(w);
	for (size_t i = 0; i < keys; i++) {
		uint32_t event = (uint32_t)(i % e) - w->paired[i];

		if (w->timed)
			rows_count_moved(w, i, (int64_t)as_ss_write_nanos(w, event));
		if (!w->paired[i])
			AS_TRY(rows_join(w, i));
	}
	return AS_OK;
}
