/* SPDX-License-Identifier: Apache-2.0 */
/* From counts to figures that can be compared: each event by a rule. */
#include "diff/diff_impl.h"

enum { NANO_DIGITS = 9, MEAN_DIGITS = 3 };

/* Nanoseconds of a unit of time; 0 = it is none. */
static uint64_t diff_scale_nanoseconds(struct as_slice unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"nanoseconds", 1}, {"ns", 1}, {"microseconds", 1000}, {"us", 1000},
		{"milliseconds", 1000000}, {"ms", 1000000}, {"seconds", 1000000000},
		{"s", 1000000000}};

	for (size_t i = 0; i < AS_ARRAY_LEN(units); i++)
		if (as_slice_is(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/* More of these is slower. Names differ in case, and in what follows. */
static bool is_work_name(struct as_slice name)
{
	static const char *const work[] = {"ir", "instructions", "instr", "inst_retired", "cycles",
		"cy", "cycle", "cest", "systime", "syscputime", "time", "cpu", "wall", "cpu-clock",
		"task-clock", "cpu-cycles", "ref-cycles"};
	char low[32];
	size_t n = name.len < sizeof(low) - 1 ? name.len : sizeof(low) - 1;

	for (size_t i = 0; i < n; i++)
		low[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 32 : name.p[i]);
	low[n] = 0;
	for (size_t i = 0; i < n; i++)
		if (strchr(" _(:", low[i]) && strcmp(low, "inst_retired") != 0)
			low[i] = 0;
	return as_slice_is_one_of(as_slice_of(low), work);
}

static struct as_slice diff_scale_text_of(const struct as_diff *d, as_str s)
{
	return as_diff_str(d, s);
}

/* Every run says the period, and in what. */
static bool periods_known(const struct as_diff *d, uint32_t e)
{
	for (size_t i = 0; i < d->run.n; i++)
		if (!d->run.p[i].period[e] ||
			(d->run.p[i].period_unit[e].i != d->event[e].period_unit.i &&
				(!diff_scale_nanoseconds(
					 diff_scale_text_of(d, d->run.p[i].period_unit[e])) ||
					!diff_scale_nanoseconds(
						diff_scale_text_of(d, d->event[e].period_unit)))))
			return false;
	return d->run.n > 0;
}

static bool totals_positive(const struct as_diff *d, uint32_t e)
{
	for (size_t i = 0; i < d->run.n; i++)
		if (d->run.p[i].whole[e] <= 0)
			return false;
	return true;
}

static enum as_norm diff_scale_choose(const struct as_diff *d, uint32_t e, enum as_norm norm)
{
	if (norm != AS_NORM_AUTO)
		return norm;
	if (!d->event[e].is_sampled)
		return AS_NORM_NONE;
	if (periods_known(d, e) && !d->event[e].is_off_rate)
		return AS_NORM_TIME;
	return totals_positive(d, e) ? AS_NORM_TOTAL : AS_NORM_NONE;
}

static bool diff_scale_can(const struct as_diff *d, uint32_t e)
{
	const struct as_diff_event *ev = &d->event[e];

	if (ev->lack || ev->other_caches)
		return false;
	if (ev->norm == AS_NORM_TIME)
		return periods_known(d, e) ||
		       diff_scale_nanoseconds(diff_scale_text_of(d, ev->unit));
	return ev->norm != AS_NORM_TOTAL || totals_positive(d, e);
}

/* ---- factors ---- */

/* The values of RUN are what the samples stand for, not counts of samples: "cpu" in nanoseconds,
 * a sample for every 10 ms. */
static bool is_weighted(const struct as_diff *d, const struct as_diff_run *run, uint32_t e)
{
	if (!run->period[e] || !run->unit[e].i)
		return false;
	return run->unit[e].i == run->period_unit[e].i ||
	       (diff_scale_nanoseconds(diff_scale_text_of(d, run->unit[e])) &&
		       diff_scale_nanoseconds(diff_scale_text_of(d, run->period_unit[e])));
}

/* What a sample adds to a value. */
static double weight_of(const struct as_diff *d, const struct as_diff_run *run, uint32_t e)
{
	double period = (double)run->period[e];

	if (!is_weighted(d, run, e))
		return 1;
	if (run->unit[e].i == run->period_unit[e].i)
		return period;
	return period * (double)diff_scale_nanoseconds(diff_scale_text_of(d, run->period_unit[e])) /
	       (double)diff_scale_nanoseconds(diff_scale_text_of(d, run->unit[e]));
}

/* Means and intervals are no whole numbers. */
static bool has_fractions(const struct as_diff *d, uint32_t e)
{
	return d->event[e].is_sampled || d->n_side[AS_BASE] > 1 || d->n_side[AS_NEW] > 1;
}

/* Samples as time, or as the events that they stand for; a unit of time as itself. */
static void time_factors(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];
	uint64_t own = diff_scale_nanoseconds(diff_scale_text_of(d, ev->unit));
	bool is_time = own || diff_scale_nanoseconds(diff_scale_text_of(d, ev->period_unit));

	ev->decimals = is_time ? NANO_DIGITS : has_fractions(d, e) ? MEAN_DIGITS : 0;
	ev->shown = is_time ? "s" : NULL;
	ev->shown_str = ev->period_unit;
	for (size_t i = 0; i < d->run.n; i++) {
		struct as_diff_run *run = &d->run.p[i];
		uint64_t ns = diff_scale_nanoseconds(diff_scale_text_of(d, run->period_unit[e]));

		if (own)
			run->mul[e] = own;
		else if (is_weighted(d, run, e))
			run->mul[e] = as_diff_ten_to(ev->decimals);
		else if (is_time)
			run->mul[e] = (as_val)run->period[e] * ns;
		else
			run->mul[e] = (as_val)run->period[e] * as_diff_ten_to(ev->decimals);
	}
}

static void total_factors(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];
	double mean = 0;

	for (size_t i = 0; i < d->run.n; i++)
		if (d->run.p[i].side == AS_BASE)
			mean += (double)d->run.p[i].whole[e] / d->n_side[AS_BASE];
	ev->decimals = MEAN_DIGITS;
	for (size_t i = 0; i < d->run.n; i++)
		d->run.p[i].ratio[e] = mean / (double)d->run.p[i].whole[e];
}

as_val as_diff_period_ns(const struct as_diff *d, const struct as_diff_run *run, uint32_t e)
{
	return (as_val)run->period[e] *
	       diff_scale_nanoseconds(diff_scale_text_of(d, run->period_unit[e]));
}

void as_diff_factors(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];

	ev->is_weighted = false;
	for (size_t i = 0; i < d->run.n; i++) {
		d->run.p[i].weight[e] = weight_of(d, &d->run.p[i], e) * d->run.p[i].clump;
		ev->is_weighted |= is_weighted(d, &d->run.p[i], e);
	}

	ev->shown = NULL;
	ev->shown_str = (as_str){0};
	if (ev->norm == AS_NORM_TIME) {
		time_factors(d, e);
		return;
	}
	if (ev->norm == AS_NORM_TOTAL) {
		total_factors(d, e);
		return;
	}
	ev->decimals = has_fractions(d, e) ? MEAN_DIGITS : 0;
	for (size_t i = 0; i < d->run.n; i++)
		d->run.p[i].mul[e] = as_diff_ten_to(ev->decimals);
}

static bool diff_scale_fits(as_val v, as_val mul, size_t n)
{
	as_uval u = v < 0 ? -(as_uval)v : (as_uval)v;

	return u <= (((as_uval)1 << 126) / n) / (as_uval)mul;
}

bool as_diff_fits(const struct as_diff *d, uint32_t e)
{
	if (d->event[e].norm == AS_NORM_TOTAL)
		return true;
	for (size_t i = 0; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];
		size_t n = d->run.n;

		as_assert(run->mul[e] > 0);
		if (!diff_scale_fits(run->total[e], run->mul[e], n) ||
			!diff_scale_fits(run->whole[e], run->mul[e], n))
			return false;
		for (uint32_t r = 0; r < run->n_rows; r++)
			if (!diff_scale_fits(as_diff_raw(d, run, r, e, false), run->mul[e], n) ||
				!diff_scale_fits(as_diff_raw(d, run, r, e, true), run->mul[e], n))
				return false;
	}
	return true;
}

static bool all_fit_by_time(struct as_diff *d, uint32_t e)
{
	as_diff_factors(d, e);
	return as_diff_fits(d, e);
}

/* Profiles that are differences have such costs: nobody has counted these as samples. */
static bool diff_scale_is_below_0(const struct as_diff *d, uint32_t e)
{
	for (size_t i = 0; i < d->run.n; i++)
		for (size_t k = e; k < d->run.p[i].n_rows * d->n_events; k += d->n_events)
			if (d->run.p[i].self[k] < 0)
				return true;
	return false;
}

static void diff_scale_describe(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];

	ev->is_sampled &= !diff_scale_is_below_0(d, e);
	ev->is_work = diff_scale_nanoseconds(diff_scale_text_of(d, ev->unit)) ||
		      diff_scale_nanoseconds(diff_scale_text_of(d, ev->period_unit)) ||
		      is_work_name(diff_scale_text_of(d, ev->name));
	if (d->n_side[AS_BASE] > 1 && d->n_side[AS_NEW] > 1)
		ev->noise = AS_NOISE_WELCH;
	else
		ev->noise = ev->is_sampled ? AS_NOISE_POISSON : AS_NOISE_NONE;
}

static enum as_code diff_scale_why_not(const struct as_diff *d, uint32_t e, struct as_err *err)
{
	const struct as_diff_event *ev = &d->event[e];
	struct as_slice name = as_diff_str(d, ev->name);

	if (ev->lack)
		return as_err_set(err, AS_E_ARG, "only %s has the event '%.*s'",
			ev->lack & 1u << AS_BASE ? "NEW" : "BASE", AS_SLICE_FMT(name));
	if (ev->other_caches)
		return as_err_set(err, AS_E_ARG,
			"'%.*s' was counted for other caches in another run: see its 'desc' lines",
			AS_SLICE_FMT(name));
	if (ev->norm == AS_NORM_TIME)
		return as_err_set(err, AS_E_ARG,
			"'%.*s' cannot be normalised by time: not every run says for how much "
			"one count stands",
			AS_SLICE_FMT(name));
	return as_err_set(err, AS_E_ARG,
		"'%.*s' cannot be normalised by total: a run's total is not above 0",
		AS_SLICE_FMT(name));
}

/* Whatever is asked for: who asks for time is told. */
static void look_at_rates(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];

	ev->is_off_rate = false;
	ev->norm = AS_NORM_TIME;
	if (!ev->lack && !ev->other_caches && ev->is_sampled && periods_known(d, e) &&
		totals_positive(d, e) && all_fit_by_time(d, e))
		ev->is_off_rate = as_diff_is_off_rate(d, e);
}

/* "Ir, Dr" of N names; ends where there is no room. */
static void list_names(char *text, size_t size, const struct as_diff *d, size_t n,
	as_str (*name)(const struct as_diff *d, size_t i))
{
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n && at + 40 < size; i++) {
		struct as_slice one = as_diff_str(d, name(d, i));

		at += (size_t)snprintf(text + at, size - at, "%s%.*s", i ? ", " : "",
			(int)(one.len < 32 ? one.len : 32), one.p);
	}
}

static as_str diff_scale_first_name(const struct as_diff *d, size_t i)
{
	return d->event[i].name;
}

static as_str extra_name(const struct as_diff *d, size_t i)
{
	return d->extra.p[i];
}

static enum as_code nothing_in_common(const struct as_diff *d, struct as_err *err)
{
	char base[80], other[80];

	list_names(base, sizeof(base), d, d->n_events, diff_scale_first_name);
	list_names(other, sizeof(other), d, d->extra.n, extra_name);
	return as_err_set(err, AS_E_ARG,
		"the two sides have no event in common: BASE has %s, NEW has %s",
		*base ? base : "none", *other ? other : "none");
}

enum as_code as_diff_scale(struct as_diff *d, enum as_norm norm, uint32_t event, struct as_err *err)
{
	uint32_t first = UINT32_MAX, shared = UINT32_MAX;

	as_assert(d->n_side[AS_BASE] && d->n_side[AS_NEW]);
	d->is_auto = norm == AS_NORM_AUTO;
	for (uint32_t e = d->n_events; e-- > 0;) {
		diff_scale_describe(d, e);
		look_at_rates(d, e);
		d->event[e].norm = diff_scale_choose(d, e, norm);
		if (!d->event[e].lack)
			shared = e;
		if (!diff_scale_can(d, e))
			continue;
		first = e;
		as_diff_factors(d, e);
		if (!as_diff_fits(d, e))
			return as_err_set(err, AS_E_LIMIT, "costs of '%.*s' exceed 127 bits",
				AS_SLICE_FMT(as_diff_str(d, d->event[e].name)));
		d->event[e].is_fine = true;
	}
	as_assert(event == UINT32_MAX || event < d->n_events);
	if (event != UINT32_MAX)
		return d->event[event].is_fine ? AS_OK : diff_scale_why_not(d, event, err);
	if (first != UINT32_MAX)
		return AS_OK;
	if (shared != UINT32_MAX)
		return diff_scale_why_not(d, shared, err);
	return nothing_in_common(d, err);
}
