/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/stat.h"

#define Z_MAX 38.0 /* beyond it a chance is no double any more */

/* Byar's limits of a Poisson mean when COUNT was seen; exact to a percent from 1 on. */
static double lower_limit(double count, double z)
{
	double root;

	if (!(count > 0))
		return 0;
	root = 1 - 1 / (9 * count) - z / (3 * as_sqrt(count));
	return root > 0 ? count * root * root * root : 0;
}

static double upper_limit(double count, double z)
{
	double n = count + 1, root = 1 - 1 / (9 * n) + z / (3 * as_sqrt(n));

	return n * root * root * root;
}

/* MOVER: the distances of each rate to its own limits, put together at right angles. */
static void stat_difference(
	struct as_counted base, struct as_counted new_, double z, double *lo, double *hi)
{
	double d = new_.count * new_.scale - base.count * base.scale;
	double base_down = (base.count - lower_limit(base.count, z)) * base.scale;
	double base_up = (upper_limit(base.count, z) - base.count) * base.scale;
	double new_down = (new_.count - lower_limit(new_.count, z)) * new_.scale;
	double new_up = (upper_limit(new_.count, z) - new_.count) * new_.scale;

	*lo = d - as_sqrt(new_down * new_down + base_up * base_up);
	*hi = d + as_sqrt(new_up * new_up + base_down * base_down);
}

/* How far 0 is outside of the interval, on the side where it is; below 0 if it is inside. */
static double outside_by(struct as_counted base, struct as_counted new_, double z)
{
	double lo, hi;

	stat_difference(base, new_, z, &lo, &hi);
	return lo > -hi ? lo : -hi;
}

static bool holds_zero(struct as_counted base, struct as_counted new_, double z)
{
	return outside_by(base, new_, z) <= 0;
}

/* The Z at which 0 is at the end of the interval; it is outside at OUT and inside at IN. The
 * distance is nearly straight in Z: false position, with the Illinois rule for what bends. */
static double just_holds_zero(struct as_counted base, struct as_counted new_, double out, double in)
{
	double f_out = outside_by(base, new_, out), f_in = outside_by(base, new_, in);
	double z = in, last;
	int side = 0;

	for (int i = 0; i < 60; i++) {
		double f;

		last = z;
		z = f_out > f_in ? (out * f_in - in * f_out) / (f_in - f_out) : 0.5 * (out + in);
		f = outside_by(base, new_, z);
		if (f > 0) {
			f_in = side > 0 ? f_in / 2 : f_in;
			out = z;
			f_out = f;
			side = 1;
		} else {
			f_out = side < 0 ? f_out / 2 : f_out;
			in = z;
			f_in = f;
			side = -1;
		}
		if (i && z - last < 1e-12 && last - z < 1e-12)
			break;
	}
	return z;
}

struct as_interval as_stat_poisson(struct as_counted base, struct as_counted new_)
{
	struct as_interval in = {.p = 1};

	stat_difference(base, new_, AS_Z95, &in.lo, &in.hi);
	if (in.lo <= 0 && in.hi >= 0)
		return in;
	if (holds_zero(base, new_, Z_MAX))
		in.p = as_normal_tails(just_holds_zero(base, new_, AS_Z95, Z_MAX));
	else
		in.p = 0;
	return in;
}

bool as_stat_can_tell(struct as_counted base, struct as_counted new_)
{
	double n = base.count + new_.count;
	struct as_counted all_base = {n, base.scale}, all_new = {n, new_.scale};
	struct as_counted no_base = {0, base.scale}, no_new = {0, new_.scale};

	return !holds_zero(all_base, no_new, AS_Z95) || !holds_zero(no_base, all_new, AS_Z95);
}

struct as_interval as_stat_welch(struct as_runs base, struct as_runs new_)
{
	double d = new_.mean - base.mean, vb = base.var / base.n, vn = new_.var / new_.n;
	double se = as_sqrt(vb + vn), df, t;
	struct as_interval in = {.lo = d, .hi = d, .p = d < 0 || d > 0 ? 0 : 1};

	as_assert(base.n > 1 && new_.n > 1);
	if (!(se > 0))
		return in;
	df = (vb + vn) * (vb + vn) / (vb * vb / (base.n - 1) + vn * vn / (new_.n - 1));
	t = as_student_limit(0.05, df);
	in.lo = d - t * se;
	in.hi = d + t * se;
	in.p = as_student_tails((d < 0 ? -d : d) / se, df);
	return in;
}

struct as_interval as_stat_wider(struct as_interval a, struct as_interval b)
{
	return (struct as_interval){.lo = a.lo < b.lo ? a.lo : b.lo,
		.hi = a.hi > b.hi ? a.hi : b.hi,
		.p = a.p > b.p ? a.p : b.p};
}

void as_stat_holm(const double *p, const uint32_t *order, size_t n, double level, uint8_t *holds)
{
	bool holding = true;

	for (size_t i = 0; i < n; i++) {
		holding = holding && p[order[i]] <= level / (double)(n - i);
		holds[order[i]] = holding;
	}
}
