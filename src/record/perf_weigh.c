/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_weigh.h"

#include "record/perf_when.h"

/* Samples to be added to those of a life, at equal distances. */
struct due {
	uint64_t extra;
	uint64_t seen;      /* samples of the life so far */
	uint64_t unsampled; /* those of a life that has none */
};

struct weigh {
	struct as_perf_track *t;
	const struct as_perf_counted *counted;
	struct as_perf_weighed *out;
	struct due *due;
	uint64_t lost; /* not yet in [lost] */
};

/* Whose end the kernel did not tell are one: the rest of the total is theirs. */
static void merge_living(struct weigh *w)
{
	struct as_perf_life *life = w->t->life.p;
	uint64_t ended = 0;

	for (size_t i = 1; i < w->t->life.n; i++)
		if (life[i].counted)
			ended += life[i].ns;
		else
			life[0].n_samples += life[i].n_samples;
	life[0].ns = w->counted->total_ns > ended ? w->counted->total_ns - ended : 0;
}

static size_t life_of(const struct as_perf_track *t, const struct as_perf_sample *s)
{
	as_assert(s->life < t->life.n);
	return t->life.p[s->life].counted ? s->life : 0;
}

/* How much CPU time of a life no sample stands for. */
static uint64_t perf_weigh_missing(const struct weigh *w, size_t i)
{
	const struct as_perf_life *life = &w->t->life.p[i];
	uint64_t sampled = life->n_samples * w->counted->period_ns;

	as_assert(i < w->t->life.n);
	if (i && !life->counted)
		return 0; /* it is part of life 0 */
	return life->ns > sampled ? life->ns - sampled : 0;
}

static void perf_weigh_give(struct weigh *w, size_t i, uint64_t extra)
{
	uint64_t lost = extra < w->lost ? extra : w->lost;

	/* they were taken, but there was no room for them */
	w->lost -= lost;
	w->out->lost += lost;
	extra -= lost;
	if (w->t->life.p[i].n_samples && w->counted->spread) {
		w->due[i].extra = extra;
		w->out->spread += extra;
	} else {
		w->due[i].unsampled = extra;
		w->out->unsampled += extra;
	}
}

/*
 * The samples that the total lacks go to the lives that lack them, in proportion. What is less
 * than a period is carried on to the next life, so that short threads add up to whole samples.
 */
static void find_due(struct weigh *w)
{
	uint64_t period = w->counted->period_ns, sampled = w->t->n_samples * period;
	as_uval lack = 0, all = 0, carry = period / 2;

	for (size_t i = 0; i < w->t->life.n; i++)
		all += perf_weigh_missing(w, i);
	if (w->counted->total_ns > sampled)
		lack = w->counted->total_ns - sampled;
	for (size_t i = 0; i < w->t->life.n && lack && all; i++) {
		carry += perf_weigh_missing(w, i) * lack / all;
		perf_weigh_give(w, i, (uint64_t)(carry / period));
		carry %= period;
	}
}

/*
 * How many of the samples are kept. What is more than chance makes them (four times the root of
 * their number) is no chance: the kernel counts no more for a program that got rights of its own.
 */
static uint64_t perf_weigh_kept(const struct weigh *w)
{
	uint64_t n = w->t->n_samples, wanted, more;

	if (!w->counted->thin || !w->counted->period_ns || !w->counted->total_ns)
		return n;
	wanted = (w->counted->total_ns + w->counted->period_ns / 2) / w->counted->period_ns;
	more = n > wanted ? n - wanted : 0;
	return more && more <= 16 * n / more ? wanted : n;
}

/* The share of the next N of ALL equal parts of AMOUNT, after SEEN parts. */
static uint64_t perf_weigh_share(uint64_t amount, uint64_t seen, uint64_t n, uint64_t all)
{
	return (uint64_t)((as_uval)amount * (seen + n) / all - (as_uval)amount * seen / all);
}

static enum as_code perf_weigh_put(
	struct as_perf_track *t, uint32_t part, as_node node, uint32_t column, as_val count)
{
	as_val cost[AS_PERF_EVENTS_MAX + 1] = {0}; /* and what threads did not run */

	as_assert(column < AS_PERF_EVENTS_MAX);
	cost[column] = count;
	return as_build_sample(t->out, part, node, cost);
}

static enum as_code perf_weigh_emit(struct weigh *w)
{
	struct as_perf_track *t = w->t;
	uint64_t keep = perf_weigh_kept(w), seen = 0;

	for (size_t i = 0; i < t->sample.n; i++) {
		struct as_perf_sample *s = &t->sample.p[i];
		struct due *due = &w->due[life_of(t, s)];
		uint64_t stay = perf_weigh_share(keep, seen, s->n, t->n_samples);
		as_val count = (as_val)(s->count * stay / s->n);

		count += (as_val)perf_weigh_share(
			due->extra, due->seen, s->n, t->life.p[life_of(t, s)].n_samples);
		due->seen += s->n;
		seen += s->n;
		if (s->part == AS_PERF_NO_PART || t->part.p[s->part].left_out || !stay)
			continue;
		s->given = (uint64_t)count;
		w->out->samples += w->counted->period_ns ? (uint64_t)count : s->n;
		as_assert(s->part < t->part.n && s->node.i < t->out->prof->node.parent.n);
		AS_TRY(perf_weigh_put(t, s->part, s->node, s->column, count));
	}
	as_assert(seen == t->n_samples);
	return as_perf_when_put(t);
}

/* At the end of each thread; of those that live, at the end. */
static enum as_code perf_weigh_note_unsampled(struct weigh *w)
{
	for (size_t i = 0; i < w->t->life.n; i++)
		if (w->due[i].unsampled)
			AS_TRY(as_perf_when_note(w->t, AS_PERF_WHEN_UNSAMPLED,
				i ? w->t->life.p[i].end : w->t->last_time, w->due[i].unsampled));
	return AS_OK;
}

static enum as_code emit_pseudo(
	struct weigh *w, enum as_perf_pseudo which, uint32_t column, uint64_t n)
{
	uint32_t part = 0, when = which == AS_PSEUDO_LOST ? AS_PERF_WHEN_LOST(column)
							  : AS_PERF_WHEN_UNSAMPLED;
	struct as_moment like;
	as_node node = {0};
	as_place place;

	if (!n)
		return AS_OK;
	if (!w->t->out->prof->part.n || w->t->machine) { /* of the machine, and no process */
		AS_TRY(as_build_part(w->t->out, &part));
		AS_TRY(as_perf_part_events(w->t, part));
	}
	w->out->samples += n;
	AS_TRY(as_perf_track_pseudo(w->t, which, &place));
	AS_TRY(as_build_push(w->t->out, node, place, &node));
	AS_TRY(perf_weigh_put(w->t, part, node, column, (as_val)n));
	like = (struct as_moment){.part = part, .node = node, .event = w->t->event + column};
	return as_perf_when_put_row(w->t, when, &like, n);
}

/* Of several events: those that were lost are of the event that the kernel named. Where samples say
 * how much they stand for, of those that were lost nobody knows. */
static enum as_code emit_lost_columns(struct weigh *w)
{
	const struct as_perf_columns *columns = w->t->columns;

	for (uint32_t i = 0; i < columns->n; i++)
		if (columns->row[i].period)
			AS_TRY(emit_pseudo(w, AS_PSEUDO_LOST, i, w->t->tally[i].lost));
	return AS_OK;
}

enum as_code as_perf_weigh(
	struct as_perf_track *t, const struct as_perf_counted *counted, struct as_perf_weighed *out)
{
	struct weigh w = {t, counted, out, NULL, t->lost};
	size_t size = t->life.n * sizeof(*w.due);
	enum as_code rc;

	memset(out, 0, sizeof(*out));
	w.due = as_alloc_new(t->al, size);
	AS_TRY(as_err_memory(t->err, w.due));
	merge_living(&w);
	if (counted->period_ns && counted->total_ns)
		find_due(&w);
	else
		out->lost = t->lost;
	rc = perf_weigh_emit(&w);
	AS_THEN(rc, perf_weigh_note_unsampled(&w));
	as_alloc_free(t->al, w.due, size);
	if (rc == AS_OK && t->columns)
		return emit_lost_columns(&w);
	if (rc != AS_OK || !counted->period_ns)
		return rc;
	AS_TRY(emit_pseudo(&w, AS_PSEUDO_UNSAMPLED, 0, out->unsampled));
	return emit_pseudo(&w, AS_PSEUDO_LOST, 0, out->lost);
}
