/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of rows, what is noise in them, and the order. */
#include "base/sort.h"
#include "diff/diff_impl.h"

#define LEVEL 0.05

/* What a figure is made of, run by run. */
struct cell {
	const struct as_diff *d;
	struct as_diff_pick pick;
	uint32_t row; /* the row where the pick has one */
};

static struct cell one_row(const struct as_diff *d, uint32_t row, uint32_t event, bool inclusive)
{
	return (struct cell){d, {.n = 1, .event = event, .inclusive = inclusive}, row};
}

static as_val diff_judge_raw(const struct cell *c, const struct as_diff_run *run)
{
	const struct as_diff_pick *p = &c->pick;
	as_val sum = 0;

	if (!p->n)
		return p->whole ? run->whole[p->event] : run->total[p->event];
	if (!p->row)
		return as_diff_raw(c->d, run, c->row, p->event, p->inclusive);
	for (size_t i = 0; i < p->n; i++)
		sum += as_diff_raw(c->d, run, p->row[i], p->event, p->inclusive);
	return sum;
}

/* What one count of RUN stands for, in the event's unit. */
static double scale_of(const struct cell *c, const struct as_diff_run *run)
{
	const struct as_diff_event *ev = &c->d->event[c->pick.event];

	if (ev->norm == AS_NORM_TOTAL)
		return run->ratio[c->pick.event];
	return (double)run->mul[c->pick.event] / (double)as_diff_ten_to(ev->decimals);
}

static as_val diff_judge_divide(as_val v, unsigned n)
{
	as_val half = n / 2;

	return v < 0 ? -((-v + half) / n) : (v + half) / n;
}

static as_val diff_judge_rounded(double v)
{
	return v < 0 ? -(as_val)(-v + 0.5) : (as_val)(v + 0.5);
}

/* The mean of a side as a figure. */
static as_val diff_judge_figure(const struct cell *c, enum as_side side)
{
	const struct as_diff *d = c->d;
	const struct as_diff_event *ev = &d->event[c->pick.event];
	double ratio_sum = 0;
	as_val sum = 0;

	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (run->side != side)
			continue;
		if (ev->norm == AS_NORM_TOTAL)
			ratio_sum += (double)diff_judge_raw(c, run) * run->ratio[c->pick.event];
		else
			sum += diff_judge_raw(c, run) * run->mul[c->pick.event];
	}
	if (ev->norm == AS_NORM_TOTAL)
		return diff_judge_rounded(
			ratio_sum / d->n_side[side] * (double)as_diff_ten_to(ev->decimals));
	return diff_judge_divide(sum, d->n_side[side]);
}

/* The mean of a side as so many samples of one weight: of the same rate and variance. */
static struct as_counted diff_judge_counted(const struct cell *c, enum as_side side)
{
	const struct as_diff *d = c->d;
	double n = d->n_side[side], rate = 0, var = 0, scales = 0;

	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];
		double scale = scale_of(c, run), v = (double)diff_judge_raw(c, run);
		double sample = scale * run->weight[c->pick.event];

		if (run->side != side)
			continue;
		rate += v * scale / n;
		var += v * scale * sample / (n * n);
		scales += sample / (n * n);
	}
	if (!(rate > 0) || !(var > 0))
		return (struct as_counted){0, scales};
	return (struct as_counted){rate * rate / var, var / rate};
}

static struct as_runs diff_judge_runs(const struct cell *c, enum as_side side)
{
	const struct as_diff *d = c->d;
	struct as_runs r = {.n = d->n_side[side]};

	for (size_t i = 0; i < d->run.n; i++)
		if (d->run.p[i].side == side)
			r.mean += (double)diff_judge_raw(c, &d->run.p[i]) *
				  scale_of(c, &d->run.p[i]) / r.n;
	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];
		double off = (double)diff_judge_raw(c, run) * scale_of(c, run) - r.mean;

		if (run->side == side)
			r.var += off * off / (r.n - 1);
	}
	return r;
}

/* Where every run gives the same, no rounding may make a variance. */
static bool runs_alike(const struct cell *c, enum as_side side)
{
	const struct as_diff *d = c->d;
	const struct as_diff_run *first = NULL;

	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (run->side != side)
			continue;
		if (!first)
			first = run;
		if (diff_judge_raw(c, run) != diff_judge_raw(c, first) ||
			run->mul[c->pick.event] != first->mul[c->pick.event])
			return false;
	}
	return true;
}

static struct as_interval of_counts(const struct cell *c, double factor)
{
	struct as_counted base = diff_judge_counted(c, AS_BASE);

	base.scale *= factor;
	return as_stat_poisson(base, diff_judge_counted(c, AS_NEW));
}

static struct as_interval of_runs(const struct cell *c, double factor)
{
	struct as_runs base = diff_judge_runs(c, AS_BASE), new_ = diff_judge_runs(c, AS_NEW);

	base.mean *= factor;
	base.var *= factor * factor;
	if (c->d->event[c->pick.event].norm != AS_NORM_TOTAL) {
		base.var = runs_alike(c, AS_BASE) ? 0 : base.var;
		new_.var = runs_alike(c, AS_NEW) ? 0 : new_.var;
	}
	return as_stat_welch(base, new_);
}

/* Of NEW - FACTOR * BASE. Runs of samples may be alike by chance: what they differ by is never
 * told more exactly than their counts tell it. */
static struct as_interval diff_judge_interval(const struct cell *c, double factor)
{
	const struct as_diff_event *ev = &c->d->event[c->pick.event];

	if (ev->noise == AS_NOISE_POISSON)
		return of_counts(c, factor);
	if (!ev->is_sampled)
		return of_runs(c, factor);
	return as_stat_wider(of_counts(c, factor), of_runs(c, factor));
}

static bool diff_judge_incl_known(const struct as_diff *d, uint32_t row)
{
	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (row < run->n_rows && (run->has[row] & AS_DIFF_HAS) &&
			!(run->has[row] & AS_DIFF_INCL))
			return false;
	}
	return true;
}

static struct as_diff_fig diff_judge_make(const struct cell *c)
{
	const struct as_diff_event *ev = &c->d->event[c->pick.event];
	struct as_diff_fig fig = {.known = true, .p = 1};
	double unit = (double)as_diff_ten_to(ev->decimals);
	struct as_interval in;

	fig.value[AS_BASE] = diff_judge_figure(c, AS_BASE);
	fig.value[AS_NEW] = diff_judge_figure(c, AS_NEW);
	if (ev->noise != AS_NOISE_NONE) {
		in = diff_judge_interval(c, 1);
		fig.lo = diff_judge_rounded(in.lo * unit);
		fig.hi = diff_judge_rounded(in.hi * unit);
		fig.p = in.p;
		fig.verdict = in.p < LEVEL ? AS_DIFF_CHANCE : AS_DIFF_NOISE;
		if (fig.lo == fig.hi && fig.value[AS_BASE] == fig.value[AS_NEW])
			fig.verdict = AS_DIFF_SAME; /* all runs are alike */
	} else {
		fig.verdict = fig.value[AS_BASE] == fig.value[AS_NEW] ? AS_DIFF_SAME : AS_DIFF_SURE;
	}
	return fig;
}

struct as_diff_fig as_diff_figure(
	const struct as_diff *d, uint32_t row, uint32_t event, bool inclusive)
{
	struct cell c = one_row(d, row, event, inclusive);
	struct as_diff_fig fig;

	as_assert(row < d->key.n && event < d->n_events);
	if (!d->event[event].is_fine || (inclusive && !diff_judge_incl_known(d, row)))
		return (struct as_diff_fig){0};
	fig = diff_judge_make(&c);
	if (d->verdict && event == d->sort_event && inclusive == d->sort_inclusive)
		fig.verdict = (enum as_verdict)d->verdict[row];
	return fig;
}

void as_diff_values(const struct as_diff *d, uint32_t row, uint32_t event, bool inclusive,
	as_val value[AS_SIDES])
{
	struct cell c = one_row(d, row, event, inclusive);
	bool known = d->event[event].is_fine && (!inclusive || diff_judge_incl_known(d, row));

	as_assert(row < d->key.n && event < d->n_events);
	for (unsigned side = 0; side < AS_SIDES; side++)
		value[side] = known ? diff_judge_figure(&c, (enum as_side)side) : 0;
}

struct as_diff_fig as_diff_total(const struct as_diff *d, uint32_t event)
{
	struct as_diff_pick pick = {.event = event};

	return as_diff_sum(d, &pick);
}

struct as_interval as_diff_contrast(
	const struct as_diff *d, const struct as_diff_pick *pick, double factor)
{
	struct cell c = {d, *pick, 0};

	as_assert(pick->event < d->n_events && d->event[pick->event].noise != AS_NOISE_NONE);
	return diff_judge_interval(&c, factor);
}

struct as_diff_fig as_diff_sum(const struct as_diff *d, const struct as_diff_pick *pick)
{
	struct cell c = {d, *pick, 0};
	struct as_diff_fig fig;

	as_assert(pick->event < d->n_events);
	if (!d->event[pick->event].is_fine)
		return (struct as_diff_fig){0};
	fig = diff_judge_make(&c);
	if (!pick->n && (pick->whole || !d->is_filtered) &&
		d->event[pick->event].norm ==
			AS_NORM_TOTAL) { /* by the rule, and so it says nothing */
		fig.verdict = AS_DIFF_SAME;
		fig.lo = fig.hi = 0;
		fig.p = 1;
	} else if (fig.verdict == AS_DIFF_CHANCE) {
		fig.verdict = AS_DIFF_SURE; /* it is one, not one of many */
	}
	return fig;
}

/* ---- order ---- */

struct sorting {
	const struct as_diff *d;
	const as_val *delta, *size; /* |difference|; the larger side */
};

/* Texts are there once: the same number is the same text. */
static int diff_judge_cmp_text(const struct as_diff *d, as_str a, as_str b)
{
	return a.i == b.i ? 0 : as_slice_cmp(as_diff_str(d, a), as_diff_str(d, b));
}

int as_diff_cmp_names(
	const struct as_diff *d, const struct as_diff_key *a, const struct as_diff_key *b)
{
	int cmp = diff_judge_cmp_text(d, a->name, b->name);

	cmp = cmp ? cmp : diff_judge_cmp_text(d, a->object, b->object);
	return cmp ? cmp : diff_judge_cmp_text(d, a->path, b->path);
}

static int diff_judge_cmp_rows(const void *ctx, uint32_t a, uint32_t b)
{
	const struct sorting *s = ctx;
	const struct as_diff_key *x = &s->d->key.p[a], *y = &s->d->key.p[b];
	int cmp;

	if (s->delta[a] != s->delta[b])
		return s->delta[a] < s->delta[b] ? 1 : -1;
	if (s->size[a] != s->size[b])
		return s->size[a] < s->size[b] ? 1 : -1;
	cmp = as_diff_cmp_names(s->d, x, y);
	cmp = cmp ? cmp : x->line < y->line ? -1 : x->line > y->line;
	return cmp;
}

static int cmp_p(const void *ctx, uint32_t a, uint32_t b)
{
	const double *p = ctx;

	return p[a] < p[b] ? -1 : p[a] > p[b];
}

/* Could a difference of this row be told from noise, if all that was counted were on one side? */
static bool can_tell(const struct cell *c)
{
	if (!c->d->event[c->pick.event].is_sampled)
		return diff_judge_figure(c, AS_BASE) || diff_judge_figure(c, AS_NEW);
	return as_stat_can_tell(diff_judge_counted(c, AS_BASE), diff_judge_counted(c, AS_NEW));
}

/* Judge all rows that can be told from noise together. d->order is scratch. */
static enum as_code diff_judge_judge(struct as_diff *d, uint8_t *verdict, uint8_t *holds)
{
	bool noisy =
		d->event[d->sort_event].is_fine && d->event[d->sort_event].noise != AS_NOISE_NONE;
	size_t n = 0;

	d->n_beyond = d->n_sure = 0;
	for (uint32_t r = 0; r < d->key.n; r++) {
		struct cell c = one_row(d, r, d->sort_event, d->sort_inclusive);
		struct as_diff_fig fig = as_diff_figure(d, r, d->sort_event, d->sort_inclusive);

		verdict[r] = (uint8_t)fig.verdict;
		d->p[r] = fig.p;
		if (!noisy || !fig.known || !can_tell(&c))
			continue;
		d->order[n++] = r;
		d->n_beyond += fig.verdict == AS_DIFF_CHANCE;
	}
	d->n_tested = n;
	AS_TRY(as_memory(as_sort_rows(d->al, d->order, n, cmp_p, d->p)));
	as_stat_holm(d->p, d->order, n, LEVEL, holds);
	for (size_t i = 0; i < n; i++) {
		if (!holds[d->order[i]])
			continue;
		verdict[d->order[i]] = AS_DIFF_SURE;
		d->n_sure++;
	}
	return AS_OK;
}

static void count_sides(struct as_diff *d)
{
	d->n_appeared = d->n_vanished = 0;
	for (uint32_t r = 0; r < d->key.n; r++) {
		d->n_appeared += !as_diff_has(d, r, AS_BASE);
		d->n_vanished += !as_diff_has(d, r, AS_NEW);
	}
}

static enum as_code diff_judge_sort_rows(struct as_diff *d)
{
	size_t n = d->key.n, size = n * sizeof(as_val) + 1;
	as_val *delta = as_alloc_new(d->al, size), *larger = as_alloc_new(d->al, size);
	struct sorting s = {d, delta, larger};
	bool fine = delta && larger;

	for (uint32_t r = 0; fine && r < n; r++) {
		as_val v[AS_SIDES], base, new_;

		as_diff_values(d, r, d->sort_event, d->sort_inclusive, v);
		base = v[AS_BASE];
		new_ = v[AS_NEW];
		d->order[r] = r;
		delta[r] = as_diff_size(new_ - base);
		larger[r] = as_diff_size(base) > as_diff_size(new_) ? as_diff_size(base)
								    : as_diff_size(new_);
	}
	fine = fine && as_sort_rows(d->al, d->order, n, diff_judge_cmp_rows, &s);
	as_alloc_free(d->al, delta, size);
	as_alloc_free(d->al, larger, size);
	return fine ? AS_OK : AS_E_NOMEM;
}

enum as_code as_diff_judge(struct as_diff *d, uint32_t event, bool inclusive)
{
	size_t n = d->key.n;
	uint8_t *holds = as_alloc_new(d->al, n + 1), *verdict = as_alloc_new(d->al, n + 1);
	enum as_code rc = AS_E_NOMEM;

	as_assert(event < d->n_events);
	if (!d->order)
		d->order = as_alloc_new(d->al, n * sizeof(*d->order) + 1);
	if (!d->p)
		d->p = as_alloc_new(d->al, n * sizeof(*d->p) + 1);
	as_alloc_free(d->al, d->verdict, n + 1);
	d->verdict = NULL; /* until it is known, figures have the row's own */
	d->sort_event = event;
	d->sort_inclusive = inclusive;
	count_sides(d);
	if (d->order && d->p && holds && verdict)
		rc = diff_judge_judge(d, verdict, holds);
	as_alloc_free(d->al, holds, n + 1);
	d->verdict = verdict;
	return rc;
}

enum as_code as_diff_sort(struct as_diff *d, uint32_t event, bool inclusive, struct as_err *err)
{
	enum as_code rc = as_diff_judge(d, event, inclusive);

	AS_THEN(rc, diff_judge_sort_rows(d));
	return rc == AS_OK ? AS_OK : as_err_no_memory(err);
}

enum as_code as_diff_scale_and_sort(
	struct as_diff *d, enum as_norm norm, uint32_t event, bool inclusive, struct as_err *err)
{
	AS_TRY(as_diff_scale(d, norm, event, err));
	for (uint32_t e = 0; event == UINT32_MAX && e < d->n_events; e++)
		if (d->event[e].is_fine)
			event = e;
	return as_diff_sort(d, event, inclusive, err);
}

bool as_diff_differs(const struct as_diff *d, uint32_t row)
{
	struct as_diff_fig fig = as_diff_figure(d, row, d->sort_event, d->sort_inclusive);

	return fig.known && fig.value[AS_BASE] != fig.value[AS_NEW];
}

enum as_code as_diff_less_last(struct as_diff *d, size_t *n, struct as_err *err)
{
	size_t kept = 0, size = d->key.n * sizeof(uint32_t) + 1;
	uint32_t *less = as_alloc_new(d->al, size);

	*n = 0;
	AS_TRY(as_err_memory(err, less));
	for (size_t i = 0; i < d->key.n; i++) {
		uint32_t row = d->order[i];
		as_val v[AS_SIDES];

		as_diff_values(d, row, d->sort_event, d->sort_inclusive, v);
		if (v[AS_NEW] < v[AS_BASE])
			less[(*n)++] = row;
		else
			d->order[kept++] = row;
	}
	if (*n)
		memcpy(d->order + kept, less, *n * sizeof(*less));
	as_alloc_free(d->al, less, size);
	return AS_OK;
}

const char *as_diff_word(const struct as_diff_event *ev, as_val base, as_val new_)
{
	if (base == new_)
		return "same";
	if (ev->is_work)
		return new_ > base ? "slower" : "faster";
	return new_ > base ? "more" : "less";
}
