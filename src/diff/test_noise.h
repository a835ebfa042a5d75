/* SPDX-License-Identifier: Apache-2.0 */
/* Noise for the tests of this folder, the same in every run. */
#ifndef AS_DIFF_TEST_NOISE_H
#define AS_DIFF_TEST_NOISE_H

#include "base/slice.h"
#include "diff/stat.h"

struct source {
	uint64_t state;
};

static inline double uniform(struct source *s)
{
	s->state += UINT64_C(0x9e3779b97f4a7c15);
	return (double)(as_hash_mix(s->state, UINT64_C(0x5851f42d4c957f2d)) >> 11) /
	       9007199254740992.0;
}

/* The sum of two normal halves, by Box and Muller's rejection. */
static inline double normal(struct source *s)
{
	double x, y, r;

	do {
		x = 2 * uniform(s) - 1;
		y = 2 * uniform(s) - 1;
		r = x * x + y * y;
	} while (r >= 1 || !(r > 0));
	return x * as_sqrt(-2 * as_log(r) / r);
}

/* A Poisson number: multiplied uniforms, piece by piece for large means. */
static inline double poisson(struct source *s, double mean)
{
	double n = 0;

	while (mean > 30) {
		n += poisson(s, 30);
		mean -= 30;
	}
	for (double p = uniform(s), limit = as_exp(-mean); p > limit; p *= uniform(s))
		n++;
	return n;
}

#endif
