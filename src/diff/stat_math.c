/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions, to about 13 digits. */
#include "diff/stat.h"

#define HALF_LOG_2PI 0.91893853320467274178

/* By Lanczos, g = 7. */
double as_lgamma(double x)
{
	static const double c[] = {0.99999999999980993, 676.5203681218851, -1259.1392167224028,
		771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
		9.9843695780195716e-6, 1.5056327351493116e-7};
	double sum = c[0], t;

	x -= 1;
	for (unsigned i = 1; i < AS_ARRAY_LEN(c); i++)
		sum += c[i] / (x + i);
	t = x + 7.5;
	return HALF_LOG_2PI + (x + 0.5) * as_log(t) - t + as_log(sum);
}

/* The continued fraction of the incomplete beta function, by Lentz. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / d;
	h = d;
	for (int m = 1; m < 400; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= d * c;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		step = d * c;
		h *= step;
		if (step - 1 < 1e-15 && step - 1 > -1e-15)
			break;
	}
	return h;
}

/* The regularised incomplete beta function, 0 < x < 1. */
static double incomplete_beta(double a, double b, double x)
{
	double front = as_exp(
		as_lgamma(a + b) - as_lgamma(a) - as_lgamma(b) + a * as_log(x) + b * as_log(1 - x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double as_student_tails(double t, double df)
{
	double x = df / (df + t * t);

	if (!(t > 0))
		return 1;
	if (!(x > 0))
		return 0;
	return x < 1 ? incomplete_beta(df / 2, 0.5, x) : 1;
}

double as_student_limit(double tails, double df)
{
	double lo = 0, hi = 1;

	while (as_student_tails(hi, df) > tails && hi < 1e12)
		hi *= 2;
	for (int i = 0; i < 100; i++) {
		double mid = 0.5 * (lo + hi);

		if (as_student_tails(mid, df) > tails)
			lo = mid;
		else
			hi = mid;
	}
	return 0.5 * (lo + hi);
}

/* A series near 0, a continued fraction in the tail. */
double as_normal_tails(double z)
{
	double density, sum, term, f = 0;

	if (!(z > 0))
		return 1;
	density = as_exp(-0.5 * z * z - HALF_LOG_2PI);
	if (z < 3) {
		sum = term = z;
		for (int i = 3; i < 200; i += 2) {
			term *= z * z / i;
			sum += term;
		}
		return 1 - 2 * density * sum;
	}
	for (int i = 120; i > 0; i--)
		f = i / (z + f);
	return 2 * density / (z + f);
}
