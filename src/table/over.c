/* SPDX-License-Identifier: Apache-2.0 */
#include "table/over.h"

#include "base/date.h"

struct over_work {
	struct as_over *o;
	int64_t epoch;  /* added to the time of a moment */
	uint64_t *seen; /* inclusive: of each row the moment that counted for it last */
	uint64_t moment;
};

static as_val over_time(const struct over_work *w, const struct as_moment *m)
{
	return (as_val)m->time + w->epoch;
}

static bool over_is_timeless(const struct over_work *w, const struct as_moment *m)
{
	return w->o->ask.clock && over_time(w, m) == 0;
}

/* M is time that passed: its value is its duration. */
static bool over_passed(const struct as_moment *m)
{
	return m->value > 0 && m->duration == (uint64_t)m->value;
}

/* WIDTHs from 0 to TIME, rounded down. */
static as_val over_floor(as_val time, as_val width)
{
	return time / width - (time % width < 0);
}

/* How many stretches there are between the first moment and the last. */
static enum as_code over_range(struct over_work *w, struct as_err *err)
{
	struct as_over *o = w->o;
	as_val width = (as_val)o->ask.width;
	char digits[AS_VAL_TEXT];
	as_val first = 0, last = 0;
	struct as_moments_cur cur;
	bool any = false;

	as_moments_begin(&cur, &o->prof->moments);
	while (as_moments_next(&cur)) {
		const struct as_moment *m = &cur.at;
		as_val time = over_time(w, m), at = over_floor(time, width), end;

		if (over_is_timeless(w, m))
			continue;
		end = over_passed(m) ? over_floor(time + m->value - 1, width) : at;
		first = any && first < at ? first : at;
		last = any && last > end ? last : end;
		any = true;
	}
	if (last - first >= AS_OVER_MAX)
		return as_err_set(err, AS_E_ARG, "these would be %s columns, and %d are the most",
			as_val_text(last - first + 1, digits), AS_OVER_MAX);
	if (first * width < INT64_MIN || (last + 1) * width > INT64_MAX)
		return as_err_set(err, AS_E_ARG, "some of it is of a time that has no date");
	o->n = (uint32_t)(last - first) + 1;
	o->start = (int64_t)(first * width);
	return AS_OK;
}

static void over_add(struct over_work *w, uint32_t row, uint32_t column, as_val value)
{
	w->o->cost[(size_t)row * (w->o->n + 1) + column] += value;
}

/* VALUE of M, which is in COLUMN, to all rows that it counts for. */
static void over_count(
	struct over_work *w, const struct as_moment *m, uint32_t column, as_val value)
{
	const struct as_over_ask *ask = &w->o->ask;
	const struct as_profile *prof = w->o->prof;
	uint32_t row;

	if (ask->of_part) {
		over_add(w, ask->of_part[m->part], column, value);
		return;
	}
	row = ask->of_place[prof->node.place.p[m->node.i].i];
	over_add(w, row, column, value);
	if (!ask->inclusive)
		return;
	w->moment++;
	w->seen[row] = w->moment;
	for (uint32_t i = prof->node.parent.p[m->node.i].i; i; i = prof->node.parent.p[i].i) {
		row = ask->of_place[prof->node.place.p[i].i];
		if (row != ask->n_rows && w->seen[row] != w->moment)
			over_add(w, row, column, value);
		w->seen[row] = w->moment;
	}
}

/* Time that passed counts where it passed, all else where it began. */
static void over_split(struct over_work *w, const struct as_moment *m)
{
	struct as_over *o = w->o;
	as_val width = (as_val)o->ask.width, at = over_time(w, m) - o->start, left = m->value;

	if (over_is_timeless(w, m)) {
		o->timeless |= m->value != 0;
		over_count(w, m, o->n, m->value);
		return;
	}
	if (!over_passed(m)) {
		over_count(w, m, (uint32_t)(at / width), m->value);
		return;
	}
	while (left > 0) {
		as_val room = width - at % width, one = left < room ? left : room;

		over_count(w, m, (uint32_t)(at / width), one);
		left -= one;
		at += one;
	}
}

static bool over_fill(struct over_work *w)
{
	struct as_over *o = w->o;
	const struct as_alloc *al = o->prof->al;
	struct as_moments_cur cur;
	size_t rows = (size_t)o->ask.n_rows + 1;

	if (rows > SIZE_MAX / 64 / (o->n + 1) || !as_alloc_array(al, &w->seen, rows))
		return false;
	if (!as_alloc_array(al, &o->cost, rows * (o->n + 1)))
		return false;
	o->size = rows * (o->n + 1);
	as_moments_begin(&cur, &o->prof->moments);
	while (as_moments_next(&cur))
		if (cur.at.event == o->ask.event)
			over_split(w, &cur.at);
	return true;
}

enum as_code as_over_make(struct as_over *o, const struct as_profile *prof,
	const struct as_over_ask *ask, struct as_err *err)
{
	struct over_work w = {.o = o};
	enum as_code rc;

	as_assert(prof->moments.n && ask->event < prof->event.n && ask->width);
	as_assert((ask->of_place != NULL) != (ask->of_part != NULL));
	*o = (struct as_over){.prof = prof, .ask = *ask};
	if (ask->clock && !as_date_to_nanos(as_str_get(prof, prof->epoch), &w.epoch))
		w.epoch = 0;
	rc = over_range(&w, err);
	AS_THEN(rc, as_err_memory(err, over_fill(&w)));
	if (w.seen)
		as_alloc_free(prof->al, w.seen, ((size_t)ask->n_rows + 1) * sizeof(*w.seen) + 1);
	return rc;
}

void as_over_release(struct as_over *o)
{
	if (o->cost)
		as_alloc_free(o->prof->al, o->cost, o->size * sizeof(*o->cost) + 1);
	o->cost = NULL;
}
