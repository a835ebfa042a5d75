/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_read.h"

#include "base/date.h"
#include "change/transform.h"
#include "fleet/fleet_read_impl.h"

#define SECOND INT64_C(1000000000)

enum as_code as_fleet_read_new(const struct as_alloc *al, const struct as_fleet_read_opts *opts,
	struct as_fleet_read **out, struct as_err *err)
{
	struct as_fleet_read *r = as_alloc_new(al, sizeof(*r));

	*out = r;
	AS_TRY(as_err_memory(err, r));
	r->al = al;
	r->opts = *opts;
	r->err = err;
	as_pool_init(&r->pool, al);
	as_index_init(&r->series_by_id, &r->pool.al);
	as_index_init(&r->stacks_by_id, &r->pool.al);
	as_index_init(&r->frames_by_id, &r->pool.al);
	as_index_init(&r->objects, &r->pool.al);
	return AS_OK;
}

void as_fleet_read_free(struct as_fleet_read *r)
{
	if (!r)
		return;
	if (r->building)
		as_build_free(&r->b);
	as_pool_release(&r->pool);
	as_alloc_free(r->al, r, sizeof(*r));
}

enum as_code as_fleet_cut(struct as_fleet_read *r, const struct as_fleet_cur *c)
{
	return c->cut ? as_err_set(r->err, AS_E_TRUNC,
				"the store's answer is damaged: it ends in the middle of a row")
		      : AS_OK;
}

enum as_code as_fleet_read_span(struct as_fleet_read *r, int64_t begin_ns, int64_t nanos)
{
	if (!r->n_spans || begin_ns < r->begin)
		r->begin = begin_ns;
	r->n_spans++;
	r->no_duration |= nanos <= 0;
	return as_err_memory(
		r->err, as_spans_add(&r->pool.al, &r->spans, &begin_ns, nanos > 0 ? nanos : 0));
}

void as_fleet_read_signals(struct as_fleet_read *r, struct as_signals signals)
{
	r->signals = signals;
}

/* ---- sums ---- */

static enum as_code fleet_read_begin(struct as_fleet_read *r)
{
	uint32_t part;

	if (r->building)
		return AS_OK;
	AS_TRY(as_build_init(&r->b, r->al, r->err));
	r->building = true;
	AS_TRY(as_fleet_events(r));
	AS_TRY(as_build_part(&r->b, &part));
	r->b.keep_moments = r->b.has_zero = r->opts.times;
	r->b.zero = r->begin;
	return as_err_memory(r->err, as_alloc_array(&r->pool.al, &r->cost, r->event.n));
}

static struct as_fleet_serie *read_find_series(struct as_fleet_read *r, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->series_by_id, id, &pos, &i))
		if (r->series.p[i].id == id)
			return &r->series.p[i];
	return NULL;
}

static as_val fleet_read_value(struct as_fleet_cur *c, bool halves)
{
	as_val v = (int64_t)as_fleet_number(c, sizeof(int64_t));

	return halves ? v * ((as_val)1 << 32) + (as_val)as_fleet_number(c, sizeof(uint64_t)) : v;
}

static enum as_code read_serie(struct as_fleet_read *r, uint64_t id, struct as_fleet_serie **s)
{
	*s = read_find_series(r, id);
	return *s ? AS_OK
		  : as_err_set(r->err, AS_E_FORMAT,
			    "the store's answer is of the series %016" PRIx64
			    ", which it does not explain",
			    id);
}

enum as_code as_fleet_read_whole(struct as_fleet_read *r, struct as_slice answer, bool halves)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);
	struct as_fleet_serie *s;
	as_val value;

	AS_TRY(fleet_read_begin(r));
	if (!r->whole)
		AS_TRY(as_err_memory(r->err, as_alloc_array(&r->pool.al, &r->whole, r->event.n)));
	while (as_fleet_more(&c)) {
		uint64_t series = as_fleet_number(&c, sizeof(series));

		value = fleet_read_value(&c, halves);
		(void)as_fleet_take(&c, r->opts.counted ? sizeof(uint64_t) : 0);
		if (c.cut)
			break;
		AS_TRY(read_serie(r, series, &s));
		r->whole[r->event_at[s->event]] += value;
	}
	return as_fleet_cut(r, &c);
}

enum as_code as_fleet_read_sums(struct as_fleet_read *r, struct as_slice answer, bool halves)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);
	struct as_fleet_serie *s;
	uint64_t series, stack;
	uint32_t part, event;
	as_val value;

	AS_TRY(fleet_read_begin(r));
	while (as_fleet_more(&c)) {
		series = as_fleet_number(&c, sizeof(series));
		stack = as_fleet_number(&c, sizeof(stack));
		if (r->opts.times)
			r->time = (int64_t)as_fleet_number(&c, sizeof(uint32_t)) * SECOND;
		value = fleet_read_value(&c, halves);
		(void)as_fleet_take(&c, r->opts.counted ? sizeof(uint64_t) : 0);
		if (c.cut)
			break;
		AS_TRY(read_serie(r, series, &s));
		AS_TRY(as_fleet_part(r, s, &part));
		event = r->event_at[s->event];
		r->cost[event] = value;
		AS_TRY(as_fleet_cost(r, stack, part, r->cost));
		r->cost[event] = 0;
	}
	return as_fleet_cut(r, &c);
}

/* ---- the whole ---- */

static enum as_code read_one_signal(
	struct as_fleet_read *r, const char *key, as_uval v, enum as_meta_of of)
{
	char text[AS_VAL_TEXT];

	return as_build_meta_of(
		&r->b, 0, as_slice_of(key), as_slice_of(as_val_text((as_val)v, text)), of);
}

static enum as_code read_signals(struct as_fleet_read *r)
{
	const struct as_signals *s = &r->signals;

	if (!s->known)
		return AS_OK;
	AS_TRY(read_one_signal(r, AS_META_SAMPLES, s->samples, AS_META_OF_SUM));
	AS_TRY(read_one_signal(r, AS_META_SIGNALS, s->signals, AS_META_OF_SUM));
	AS_TRY(read_one_signal(r, AS_META_SQUARES, s->squares, AS_META_OF_SUM));
	return s->unsignalled
		       ? read_one_signal(r, AS_META_UNSIGNALLED, s->unsignalled, AS_META_OF_COUNT)
		       : AS_OK;
}

static enum as_code read_facts(struct as_fleet_read *r)
{
	struct as_profile *prof = r->b.prof;
	char text[AS_DATE_NANOS];

	prof->estimated = r->flags & AS_SERIES_GUESSED;
	prof->partial = r->opts.partial || r->flags & AS_SERIES_PARTIAL;
	prof->path_depth = r->depth;
	if (r->whole) {
		prof->whole = as_build_values(&r->b, r->whole, (uint32_t)r->event.n);
		AS_TRY(as_err_memory(r->err, prof->whole));
	}
	AS_TRY(read_signals(r));
	if (!r->n_spans)
		return AS_OK;
	prof->duration = r->no_duration ? 0 : as_spans_length(&r->spans);
	return as_build_str(
		&r->b, as_slice_of(as_date_nanos_text(r->begin, "T", "Z", text)), &prof->epoch);
}

static enum as_code read_build(struct as_fleet_read *r, struct as_profile **out)
{
	AS_TRY(fleet_read_begin(r));
	AS_TRY(read_facts(r));
	r->building = false;
	return as_build_finish(&r->b, out);
}

/* What merging makes one is one: an object without an id, and the one of its path with an id. */
static enum as_code read_settle(const struct as_alloc *al, const struct as_profile *prof,
	struct as_profile **out, struct as_losses *l, struct as_err *err)
{
	struct as_merge_opts opts = {0};
	struct as_merge *merge;
	enum as_code rc;

	AS_TRY(as_merge_new(al, &opts, &merge, err));
	rc = as_merge_add(merge, prof, l);
	if (rc == AS_OK)
		return as_merge_finish(merge, out);
	as_merge_free(merge);
	return rc;
}

bool as_fleet_read_is_whole(const struct as_fleet_read *r)
{
	return !r->gaps.stacks && !r->gaps.frames;
}

enum as_code as_fleet_read_finish(struct as_fleet_read *r, struct as_profile **out,
	struct as_fleet_gaps *gaps, struct as_losses *l)
{
	const struct as_alloc *al = r->al;
	struct as_err *err = r->err;
	struct as_profile *prof = NULL;
	enum as_code rc = read_build(r, &prof);

	*out = NULL;
	*gaps = r->gaps;
	for (size_t i = 0; i < r->event.n; i++)
		as_losses_add(l, "period", r->event.p[i].period && r->event.p[i].no_period,
			"sampling period{|s}: not all inputs say theirs");
	as_fleet_read_free(r);
	AS_THEN(rc, read_settle(al, prof, out, l, err));
	as_profile_free(prof);
	return rc;
}
