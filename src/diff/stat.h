/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it takes to tell a difference from noise. docs/diff.md states the formulas.
 *
 * No OS and no libm: the few functions of analysis that are needed are here.
 */
#ifndef AS_DIFF_STAT_H
#define AS_DIFF_STAT_H

#include "base/base.h"
#include "base/real.h"

/* An interval, and the chance of a difference as large as was seen if there is none. */
struct as_interval {
	double lo, hi;
	double p; /* two-sided, 0 ... 1 */
};

/* Counts of samples, of which each stands for SCALE: the rate is COUNT * SCALE. */
struct as_counted {
	double count, scale;
};

/* Runs of which each gave a figure. */
struct as_runs {
	double mean;
	double var; /* sample variance, with N - 1 */
	unsigned n; /* >= 2 */
};

/* The 95 % interval of NEW - BASE for two Poisson rates: the limits of each by Byar's formula,
 * put together by MOVER. p is 1 - the level at which the interval reaches 0; it is worked out
 * only where it is below 0.05, and is 1 else. */
struct as_interval as_stat_poisson(struct as_counted base, struct as_counted new_);
/* The same rates differ if all the counts are on one side: fewer can never be told from chance. */
bool as_stat_can_tell(struct as_counted base, struct as_counted new_);

/* The 95 % interval of the difference of two means by Welch's t. Without any variance the
 * interval is the difference itself, and p is 0 or 1. */
struct as_interval as_stat_welch(struct as_runs base, struct as_runs new_);

/* What holds by both A and B. */
struct as_interval as_stat_wider(struct as_interval a, struct as_interval b);

/* P[i] of N chances: HOLDS[i] = true where it holds with all of them judged together, by Holm's
 * rule at LEVEL. ORDER has the numbers of P from the smallest to the largest. */
void as_stat_holm(const double *p, const uint32_t *order, size_t n, double level, uint8_t *holds);

/* ---- analysis ---- */
double as_lgamma(double x); /* x >= 0.5 */
/* P(|Z| > z) of the normal distribution, z >= 0. */
double as_normal_tails(double z);
/* P(|T| > t) of Student's with DF degrees of freedom, t >= 0, and its inverse. */
double as_student_tails(double t, double df);
double as_student_limit(double tails, double df);

#define AS_Z95 1.959963984540054

#endif
