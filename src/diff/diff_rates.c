/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can periods be believed? A timer fires when the kernel ticks: 1000 samples a second that were
 * asked of a kernel that ticks at 250 Hz are 250, and nothing in the profile says so. By its
 * period the program then looks four times as fast, in each of its functions.
 *
 * What tells the two apart is that a recorder that misses its rate changes nothing but the scale:
 * by shares nothing differs. So, where periods differ, and the totals by them, both readings are
 * tried, and the one that leaves less to explain is taken.
 */
#include "diff/diff_impl.h"

/* Totals that differ by less than one in so many do not matter: kernels tick at 100, 250, 300 or
 * 1000 Hz, and no two rates that they make of one are closer. */
enum { MATTERS = 10 };

static bool periods_differ(const struct as_diff *d, uint32_t e)
{
	const struct as_diff_run *first = &d->run.p[0];

	for (size_t i = 1; i < d->run.n; i++) {
		const struct as_diff_run *run = &d->run.p[i];

		if (as_diff_period_ns(d, run, e) != as_diff_period_ns(d, first, e))
			return true;
	}
	return false;
}

static bool totals_differ(const struct as_diff *d, uint32_t e)
{
	struct as_diff_pick whole = {.event = e, .whole = true};
	struct as_diff_fig fig = as_diff_sum(d, &whole);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];
	as_val less = base < new_ ? base : new_, delta = base < new_ ? new_ - base : base - new_;

	return fig.verdict == AS_DIFF_SURE && less > 0 && delta > less / MATTERS;
}

/* Rows, and the total, that differ beyond their own intervals. */
static size_t beyond_noise(const struct as_diff *d, uint32_t e)
{
	struct as_diff_pick whole = {.event = e, .whole = true};
	size_t n = as_diff_sum(d, &whole).verdict == AS_DIFF_SURE;

	for (uint32_t r = 0; r < d->key.n; r++)
		n += as_diff_figure(d, r, e, false).verdict == AS_DIFF_CHANCE;
	return n;
}

bool as_diff_is_off_rate(struct as_diff *d, uint32_t e)
{
	struct as_diff_event *ev = &d->event[e];
	enum as_norm norm = ev->norm;
	bool fine = ev->is_fine, off = false;
	size_t by_time, by_share;

	if (!as_diff_period_ns(d, &d->run.p[0], e) || !periods_differ(d, e))
		return false;
	ev->is_fine = true;
	ev->norm = AS_NORM_TIME;
	as_diff_factors(d, e);
	for (size_t i = 0; i < d->run.n; i++)
		d->run.p[i].by_time[e] = d->run.p[i].whole[e] * d->run.p[i].mul[e];
	if (totals_differ(d, e)) {
		by_time = beyond_noise(d, e);
		ev->norm = AS_NORM_TOTAL;
		as_diff_factors(d, e);
		by_share = beyond_noise(d, e);
		off = by_share < (by_time + 1) / 2;
	}
	ev->norm = norm;
	ev->is_fine = fine;
	return off;
}
