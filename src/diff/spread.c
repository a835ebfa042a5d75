/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/spread.h"

#include "base/sort.h"

enum { MILLION = 1000000 };

struct spread_job {
	const struct as_diff *d;
	const struct as_spread_opts *opts;
	struct as_spread *sp;
	double *whole;  /* of each row of D: the sum of all sets, scaled */
	bool *has_cost; /* and whether any set has some */
};

static as_val spread_count(const struct as_diff *d, size_t set, uint32_t row, uint32_t event)
{
	const struct as_diff_run *run = &d->run.p[set];

	return row < run->n_rows ? run->self[(size_t)row * d->n_events + event] : 0;
}

/* ---- scales ---- */

static void spread_scales(struct spread_job *j)
{
	size_t n = j->sp->n_sets, some = 0;
	double mean = 0;

	for (size_t i = 0; i < n; i++) {
		j->sp->scale[i] = j->opts->factor ? j->opts->factor[i] : 1;
		mean += j->sp->scale[i] * (double)j->d->run.p[i].total[j->opts->event];
		some += j->d->run.p[i].total[j->opts->event] > 0;
	}
	/* A set without any cost stays what it is, and is none that others are scaled to. */
	mean = some ? mean / (double)some : 0;
	for (size_t i = 0; i < n; i++) {
		double total = (double)j->d->run.p[i].total[j->opts->event];

		if (j->opts->normalize && total > 0)
			j->sp->scale[i] = mean / total;
		j->sp->scaled |= j->sp->scale[i] != 1;
	}
}

bool as_spread_can_scale(const struct as_diff *d, uint32_t event, size_t *set)
{
	for (size_t i = 0; i < d->run.n; i++)
		for (uint32_t r = 0; d->run.p[i].total[event] <= 0 && r < d->run.p[i].n_rows; r++)
			if (spread_count(d, i, r, event)) {
				*set = i;
				return false;
			}
	return true;
}

/* ---- figures ---- */

static struct as_number spread_fraction(bool known, double x)
{
	return (struct as_number){.known = known, .x = known ? x : 0};
}

/* Sums of one row, set by set; or of several, which the caller has added up. */
static struct as_number spread_value(const struct as_spread *sp, size_t set, as_val count)
{
	if (!sp->scaled)
		return (struct as_number){
			.known = true, .whole = true, .n = count, .x = (double)count};
	return spread_fraction(true, sp->scale[set] * (double)count);
}

/* COUNT has a value for each set. */
static struct as_spread_stat spread_stat(const struct as_spread *sp, const as_val *count)
{
	size_t n = sp->n_sets;
	struct as_spread_stat st = {.sum = spread_value(sp, 0, 0)};
	double squares = 0, range;

	for (size_t i = 0; i < n; i++) {
		struct as_number v = spread_value(sp, i, count[i]);

		st.sum.n += v.n;
		st.sum.x += v.x;
		if (!i || as_number_cmp(v, st.min) > 0) /* the larger one comes first */
			st.min = v;
		if (!i || as_number_cmp(v, st.max) < 0)
			st.max = v;
	}
	if (st.sum.whole)
		st.sum.x = (double)st.sum.n;
	st.mean = spread_fraction(n > 0, st.sum.x / (double)(n ? n : 1));
	for (size_t i = 0; i < n; i++) {
		double off = sp->scaled ? spread_value(sp, i, count[i]).x - st.mean.x
					: (double)((as_val)n * count[i] - st.sum.n) / (double)n;

		squares += off * off;
	}
	st.stddev = spread_fraction(n > 1, as_sqrt(squares / (double)(n > 1 ? n - 1 : 1)));
	range = sp->scaled ? st.max.x - st.min.x : (double)(st.max.n - st.min.n);
	st.range = spread_fraction(st.sum.x > 0, 100 * range / (st.sum.x > 0 ? st.sum.x : 1));
	return st;
}

static struct as_spread_stat spread_of_total(struct as_spread_stat st, double total)
{
	st.share = spread_fraction(total != 0, 100 * st.sum.x / (total != 0 ? total : 1));
	return st;
}

static struct as_spread_stat spread_of_row(const struct spread_job *j, uint32_t row, as_val *count)
{
	struct as_spread_stat st;
	size_t present = 0;

	for (size_t i = 0; i < j->sp->n_sets; i++) {
		const struct as_diff_run *run = &j->d->run.p[i];

		count[i] = spread_count(j->d, i, row, j->opts->event);
		present += row < run->n_rows && (run->has[row] & AS_DIFF_HAS);
	}
	st = spread_of_total(spread_stat(j->sp, count), j->sp->total.sum.x);
	st.present = present;
	return st;
}

/* ---- which rows, and in which order ---- */

static int spread_cmp_names(const struct as_diff *d, uint32_t a, uint32_t b)
{
	const struct as_diff_key *x = &d->key.p[a], *y = &d->key.p[b];
	int c = as_slice_cmp(as_diff_str(d, x->name), as_diff_str(d, y->name));

	c = c ? c : as_slice_cmp(as_diff_str(d, x->object), as_diff_str(d, y->object));
	c = c ? c : as_slice_cmp(as_diff_str(d, x->path), as_diff_str(d, y->path));
	c = c ? c : as_slice_cmp(as_diff_str(d, x->build), as_diff_str(d, y->build));
	return c ? c : as_cmp_u64(x->line, y->line);
}

/* Largest sum first. */
static int spread_by_sum(const void *ctx, uint32_t a, uint32_t b)
{
	const struct spread_job *j = ctx;

	if (j->whole[a] != j->whole[b])
		return j->whole[a] > j->whole[b] ? -1 : 1;
	return spread_cmp_names(j->d, a, b);
}

static const struct as_number *spread_key(
	const struct as_spread_stat *st, enum as_spread_order order)
{
	switch (order) {
	case AS_SPREAD_SUM:
		return &st->sum;
	case AS_SPREAD_STDDEV:
		return &st->stddev;
	case AS_SPREAD_MEAN:
		return &st->mean;
	case AS_SPREAD_MIN:
		return &st->min;
	case AS_SPREAD_MAX:
		return &st->max;
	default:
		return &st->range;
	}
}

/* Places in sp->row, which is by sum: what is equal stays so. */
static int spread_by_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct spread_job *j = ctx;
	const struct as_number *x = spread_key(&j->sp->stat[a], j->opts->order);
	const struct as_number *y = spread_key(&j->sp->stat[b], j->opts->order);

	return as_number_cmp(*x, *y);
}

/* *ROW: the rows by their sums; the first *N of them are those that are left. */
static enum as_code spread_choose(struct spread_job *j, uint32_t **row, size_t *n)
{
	double total = j->sp->total.sum.x, sum = 0;
	uint32_t *order = as_sorted_rows(j->d->al, j->d->key.n, spread_by_sum, j);
	size_t kept = 0;

	*row = order;
	AS_TRY(as_memory(order));
	for (size_t i = 0; i < j->d->key.n; i++) {
		uint32_t r = order[i];

		if (j->has_cost[r])
			order[j->sp->n_all++] = r;
	}
	while (kept < j->sp->n_all) {
		double share = j->whole[order[kept]] * MILLION;

		if (j->opts->keep_ppm && sum * MILLION >= total * j->opts->keep_ppm)
			break;
		if (j->opts->min_ppm && share < total * j->opts->min_ppm)
			break;
		sum += j->whole[order[kept++]];
	}
	*n = kept;
	return AS_OK;
}

static enum as_code spread_sort(struct spread_job *j, const uint32_t *row, size_t n)
{
	struct as_spread *sp = j->sp;
	struct as_spread_stat *stat;
	uint32_t *order = as_sorted_rows(j->d->al, n, spread_by_key, j);
	size_t shown = j->opts->limit && j->opts->limit < n ? j->opts->limit : n;
	bool ok = order && as_arena_array(&sp->arena, &sp->row, shown) &&
		  as_arena_array(&sp->arena, &stat, shown);

	for (size_t i = 0; ok && i < shown; i++) {
		sp->row[i] = row[order[i]];
		stat[i] = sp->stat[order[i]];
	}
	as_alloc_free(j->d->al, order, n * sizeof(*order) + 1);
	AS_TRY(as_memory(ok));
	sp->stat = stat;
	sp->n = shown;
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code spread_rows(struct spread_job *j, as_val *count)
{
	struct as_spread *sp = j->sp;
	uint32_t *row;
	size_t n;
	enum as_code rc = spread_choose(j, &row, &n);

	if (rc == AS_OK && !as_arena_array(&sp->arena, &sp->stat, n))
		rc = AS_E_NOMEM;
	for (size_t i = 0; rc == AS_OK && i < n; i++)
		sp->stat[i] = spread_of_row(j, row[i], count);
	AS_THEN(rc, spread_sort(j, row, n));
	as_alloc_free(j->d->al, row, j->d->key.n * sizeof(*row) + 1);
	return rc;
}

/* What is not shown, as one: by set what the shown ones leave of its total. */
static void spread_rest(struct spread_job *j, as_val *count)
{
	struct as_spread *sp = j->sp;

	for (size_t i = 0; i < sp->n_sets; i++) {
		count[i] = j->d->run.p[i].total[j->opts->event];
		for (size_t k = 0; k < sp->n; k++)
			count[i] -= spread_count(j->d, i, sp->row[k], j->opts->event);
	}
	sp->rest = spread_of_total(spread_stat(sp, count), sp->total.sum.x);
	sp->rest.present = sp->n_sets;
}

static void spread_sums(struct spread_job *j, as_val *count)
{
	for (size_t i = 0; i < j->sp->n_sets; i++) {
		count[i] = j->d->run.p[i].total[j->opts->event];
		for (uint32_t r = 0; r < j->d->run.p[i].n_rows; r++) {
			as_val v = spread_count(j->d, i, r, j->opts->event);

			j->has_cost[r] |= v != 0;
			j->whole[r] += j->sp->scale[i] * (double)v;
		}
	}
	j->sp->total = spread_stat(j->sp, count);
	j->sp->total = spread_of_total(j->sp->total, j->sp->total.sum.x);
	j->sp->total.present = j->sp->n_sets;
}

enum as_code as_spread_make(
	struct as_spread *sp, const struct as_diff *d, const struct as_spread_opts *opts)
{
	struct spread_job j = {.d = d, .opts = opts, .sp = sp};
	as_val *count;

	as_assert(opts->event < d->n_events);
	*sp = (struct as_spread){.n_sets = d->run.n};
	as_arena_init(&sp->arena, d->al);
	if (!as_arena_array(&sp->arena, &sp->scale, sp->n_sets) ||
		!as_arena_array(&sp->arena, &count, sp->n_sets) ||
		!as_arena_array(&sp->arena, &j.has_cost, d->key.n) ||
		!as_arena_array(&sp->arena, &j.whole, d->key.n))
		return AS_E_NOMEM;
	spread_scales(&j);
	spread_sums(&j, count);
	AS_TRY(spread_rows(&j, count));
	spread_rest(&j, count);
	return AS_OK;
}

void as_spread_release(struct as_spread *sp)
{
	as_arena_release(&sp->arena);
}
