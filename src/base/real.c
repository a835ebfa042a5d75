/* SPDX-License-Identifier: Apache-2.0 */
#include "base/real.h"

#define LN2_HI 6.93147180369123816490e-01 /* its low bits are 0: k * LN2_HI is exact */
#define LN2_LO 1.90821492927058770002e-10
#define SQRT_HALF 0.70710678118654752440

enum { EXP_BITS = 52, EXP_BIAS = 1023, EXP_MASK = 0x7ff };

static uint64_t real_bits_of(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof(u));
	return u;
}

static double real_of(uint64_t u)
{
	double x;

	memcpy(&x, &u, sizeof(x));
	return x;
}

double as_sqrt(double x)
{
	double r;

	if (!(x > 0))
		return 0;
	/* Half the exponent is right to six percent; each step doubles the digits: 2e-3, 2e-6,
	 * 2e-12, 2e-24. */
	r = real_of((real_bits_of(x) >> 1) + ((uint64_t)EXP_BIAS << (EXP_BITS - 1)));
	for (int i = 0; i < 4; i++)
		r = 0.5 * (r + x / r);
	return r;
}

double as_exp(double x)
{
	double k, r, sum = 1, term = 1;
	int n;

	if (x < -700)
		return 0;
	if (x > 700)
		x = 700;
	n = (int)(x / LN2_HI + (x < 0 ? -0.5 : 0.5));
	k = n;
	r = (x - k * LN2_HI) - k * LN2_LO;
	for (int i = 1; i < 20; i++) {
		term *= r / i;
		sum += term;
	}
	return sum * real_of((uint64_t)(n + EXP_BIAS) << EXP_BITS);
}

double as_log(double x)
{
	uint64_t u = real_bits_of(x);
	int n = (int)(u >> EXP_BITS & EXP_MASK) - EXP_BIAS + 1;
	double m, s, s2, power, sum = 0;

	if (!(x > 0))
		return -700;
	m = real_of((u & ~((uint64_t)EXP_MASK << EXP_BITS)) | (uint64_t)(EXP_BIAS - 1)
								      << EXP_BITS); /* 0.5 ... 1 */
	if (m < SQRT_HALF) {
		m *= 2;
		n--;
	}
	s = (m - 1) / (m + 1);
	s2 = s * s;
	power = 2 * s;
	for (int i = 1; i < 26; i += 2) {
		sum += power / i;
		power *= s2;
	}
	return n * LN2_HI + (n * LN2_LO + sum);
}
