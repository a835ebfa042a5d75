/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the numbers of a row say. The raw ones are what was counted; where the file says how it
 * was sampled there is a second set, scaled up row by row, as pprof does it: an estimate.
 * docs/formats/legacy.md, "Estimates".
 */
#include "base/real.h"
#include "formats/legacy/legacy.h"

#define COUNT "count"
#define BYTES "bytes"
#define BEYOND 9223372036854775808.0 /* 2^63 */

enum { ALLOC_OBJECTS, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE };

static const struct as_lg_column four[] = {{"alloc_objects", .unit = COUNT},
	{"alloc_space", .unit = BYTES}, {"inuse_objects", .unit = COUNT},
	{"inuse_space", .unit = BYTES}};
static const struct as_lg_column four_raw[] = {{"sampled_alloc_objects", .unit = COUNT},
	{"sampled_alloc_space", .unit = BYTES}, {"sampled_inuse_objects", .unit = COUNT},
	{"sampled_inuse_space", .unit = BYTES}};
static const struct as_lg_column two[] = {{"objects", .unit = COUNT}, {"space", .unit = BYTES}};
static const struct as_lg_column two_raw[] = {
	{"sampled_objects", .unit = COUNT}, {"sampled_space", .unit = BYTES}};

static void add_column(struct as_lg_read *l, struct as_lg_column column, bool estimated)
{
	column.estimated = estimated;
	l->column[l->n_columns++] = column;
}

static void add_columns(
	struct as_lg_read *l, const struct as_lg_column *column, uint32_t n, bool estimated)
{
	for (uint32_t i = 0; i < n; i++)
		add_column(l, column[i], estimated);
}

static bool heap_is_sampled(const struct as_lg_read *l)
{
	return l->rate > 1;
}

/* Java's are what is in use, and always sampled. */
static void heap_columns(struct as_lg_read *l)
{
	const struct as_lg_column *base = l->java        ? four + INUSE_OBJECTS
					  : l->has_alloc ? four
							 : two;
	const struct as_lg_column *raw = l->java        ? four_raw + INUSE_OBJECTS
					 : l->has_alloc ? four_raw
							: two_raw;
	uint32_t n = l->has_alloc ? 4 : 2;

	add_columns(l, base, n, heap_is_sampled(l));
	l->shown = n - 1;
	if (heap_is_sampled(l))
		add_columns(l, raw, n, false);
}

/* Whether the delays can be told as time: Java's are one already. */
static bool has_delay(const struct as_lg_read *l)
{
	return l->java || l->hz;
}

static void contention_columns(struct as_lg_read *l)
{
	bool sampled = l->period > 1;

	add_column(l, (struct as_lg_column){"contentions", .unit = COUNT}, sampled);
	if (l->java)
		add_column(l,
			(struct as_lg_column){
				"delay", .unit = l->resolution.p ? l->resolution.p : ""},
			sampled);
	else if (l->hz)
		add_column(l, (struct as_lg_column){"delay", .unit = "nanoseconds"}, sampled);
	l->shown = l->n_columns - 1;
	if (sampled)
		add_column(l, (struct as_lg_column){"sampled_contentions", .unit = COUNT}, false);
	if (l->java && sampled)
		add_column(l,
			(struct as_lg_column){
				"sampled_delay", .unit = l->resolution.p ? l->resolution.p : ""},
			false);
	else if (!l->java)
		add_column(l,
			(struct as_lg_column){sampled ? "sampled_delay_cycles" : "delay_cycles",
				.unit = "cycles"},
			false);
	if (!has_delay(l))
		l->shown = l->n_columns - 1;
}

static struct as_slice column_name(const struct as_lg_read *l, uint32_t k)
{
	return l->column[k].name ? as_slice_of(l->column[k].name) : l->column[k].text;
}

static enum as_code put_event(struct as_lg_read *l, uint32_t k)
{
	const struct as_lg_column *c = &l->column[k];

	AS_TRY(as_build_event(l->rd->out, column_name(l, k), as_slice_of(c->unit), &l->event[k]));
	l->rd->out->prof->event.p[l->event[k]].estimated = c->estimated;
	return AS_OK;
}

static enum as_code put_meta(struct as_lg_read *l, const char *key, struct as_slice text)
{
	return as_build_meta(l->rd->out, l->part, as_slice_of(key), text);
}

/* The period as pprof's reader of profile.proto keeps one that is no time. */
static enum as_code put_period(struct as_lg_read *l)
{
	bool heap = l->head.kind == AS_LG_HEAP || l->head.kind == AS_LG_JEMALLOC ||
		    l->head.kind == AS_LG_JAVA_HEAP;
	uint64_t period = heap ? l->rate : l->head.kind == AS_LG_CONTENTION ? l->period : 1;
	char text[24];

	if (!period)
		return AS_OK;
	snprintf(text, sizeof(text), "%" PRIu64, period);
	AS_TRY(put_meta(l, "period_type", heap ? as_slice_of("space") : column_name(l, 0)));
	AS_TRY(put_meta(l, "period_unit", as_slice_of(heap ? BYTES : COUNT)));
	return put_meta(l, "period", as_slice_of(text));
}

enum as_code as_lg_columns(struct as_lg_read *l)
{
	struct as_build *b = l->rd->out;

	switch (l->head.kind) {
	case AS_LG_CONTENTION:
		contention_columns(l);
		break;
	case AS_LG_THREAD:
		add_column(l, (struct as_lg_column){"thread", .unit = COUNT}, false);
		break;
	case AS_LG_COUNT:
		add_column(l, (struct as_lg_column){.text = l->head.name, .unit = COUNT}, false);
		break;
	default:
		heap_columns(l);
	}
	AS_TRY(put_event(l, l->shown));
	for (uint32_t k = 0; k < l->n_columns; k++)
		if (k != l->shown)
			AS_TRY(put_event(l, k));
	b->prof->first_column = l->shown;
	l->stacks.n_values = l->n_columns;
	AS_TRY(as_build_part_all_events(b, l->part));
	return put_period(l);
}

/* X without what is behind the point. */
static bool values_whole(double x, uint64_t *out)
{
	if (!(x < BEYOND))
		return false;
	*out = (uint64_t)x;
	return true;
}

/* Sampled once in RATE bytes, by Poisson: of COUNT objects of SIZE bytes in all so many stand for
 * one. */
static bool unsample_heap(uint64_t rate, uint64_t count, uint64_t size, uint64_t out[2])
{
	double each;

	out[0] = out[1] = 0;
	if (!count || !size)
		return true;
	each = 1 / (1 - as_exp(-((double)size / (double)count) / (double)rate));
	return values_whole((double)count * each, &out[0]) &&
	       values_whole((double)size * each, &out[1]);
}

/* N numbers, pairs of objects and bytes. */
static bool heap_values(
	const struct as_lg_read *l, const uint64_t *raw, uint32_t n, uint64_t *value)
{
	memcpy(value, raw, n * sizeof(*raw));
	if (!heap_is_sampled(l))
		return true;
	memcpy(value + n, raw, n * sizeof(*raw));
	for (uint32_t i = 0; i < n; i += 2)
		if (!unsample_heap(l->rate, raw[i], raw[i + 1], value + i))
			return false;
	return true;
}

static bool contention_values(
	const struct as_lg_read *l, uint64_t delay, uint64_t count, uint64_t *value)
{
	uint64_t period = l->period > 1 ? l->period : 1;
	as_uval all = (as_uval)count * period, time = (as_uval)delay * period;
	bool ok = all <= INT64_MAX && time <= (l->java ? (as_uval)INT64_MAX : ~(as_uval)0);

	*value++ = (uint64_t)all;
	if (l->java)
		*value++ = (uint64_t)time;
	else if (l->hz)
		ok &= values_whole((double)delay * (double)period / ((double)l->hz / 1e9), value++);
	if (l->period > 1)
		*value++ = count;
	if (!l->java || l->period > 1)
		*value = delay;
	return ok;
}

bool as_lg_values(const struct as_lg_read *l, const uint64_t *v, uint64_t *value)
{
	const uint64_t alloc_first[] = {v[2], v[3], v[0], v[1]}, java[] = {v[1], v[0]};
	bool ok = true;

	for (uint32_t i = 0; i < LG_NUMBERS; i++)
		ok &= v[i] <= INT64_MAX;
	switch (l->head.kind) {
	case AS_LG_CONTENTION:
		return contention_values(l, v[0], v[1], value) && ok;
	case AS_LG_THREAD:
	case AS_LG_COUNT:
		*value = v[0];
		return ok;
	case AS_LG_JAVA_HEAP:
		return heap_values(l, java, 2, value) && ok;
	default:
		if (l->has_alloc)
			return heap_values(l, alloc_first, 4, value) && ok;
		return heap_values(l, v, 2, value) && ok;
	}
}
