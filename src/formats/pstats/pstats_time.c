/* SPDX-License-Identifier: Apache-2.0 */
/* Seconds to nanoseconds, in whole numbers. docs/formats/pstats.md §3. */
#include "formats/pstats/pstats.h"

enum {
	DOUBLE_BIAS = 1075, /* of the exponent of a mantissa that is a whole number */
	DOUBLE_LAST = 8,    /* so many of a double's last places are what sums and products make */
	NANOS = 1000000000,
	NANOS_PART = 1024, /* less than such a part of a nanosecond is no clock's */
};

/* M * 2^-SHIFT, m < 2^83, to the next whole number. */
static enum py_exact time_round(as_uval m, unsigned shift, int64_t *nanos)
{
	as_uval one = (as_uval)1 << shift, up = (m + one / 2) >> shift, off;

	off = m > up << shift ? m - (up << shift) : (up << shift) - m;
	if (up > INT64_MAX)
		return PY_NO_TIME;
	*nanos = (int64_t)up;
	return off <= (as_uval)DOUBLE_LAST * NANOS || off * NANOS_PART <= one ? PY_EXACT
									      : PY_ROUNDED;
}

enum py_exact as_py_nanos(uint64_t bits, int64_t *nanos)
{
	int exponent = (int)(bits >> 52 & 0x7ff);
	as_uval m = bits & (UINT64_MAX >> 12);
	enum py_exact exact;

	*nanos = 0;
	if (exponent == 0x7ff)
		return PY_NO_TIME;
	if (exponent)
		m |= (as_uval)1 << 52;
	else
		exponent = 1;
	exponent -= DOUBLE_BIAS;
	if (!m)
		return PY_EXACT;
	m *= NANOS;
	if (exponent >= 0)
		exact = exponent > 10 ? PY_NO_TIME : time_round(m << exponent, 0, nanos);
	else
		exact = exponent < -100 ? PY_ROUNDED : time_round(m, (unsigned)-exponent, nanos);
	if (bits >> 63)
		*nanos = -*nanos;
	return exact;
}
