/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of numbers: most of what large JSON files hold. What stands here knows the plainest way
 * to write them and leaves all else to as_pull_item().
 */
#include "base/pull.h"

/* A plain number has fewer digits, with those that EXPONENT adds, so it fits; and there are more
 * bytes behind it in the text than it can have before its point. */
enum { PLAIN_DIGITS = 18, PLAIN_ROOM = 32 };

static const int64_t pull_numbers_ten[PLAIN_DIGITS + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000,
	10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
	100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
	1000000000000000000};

static unsigned digit_at(const char *p)
{
	return (unsigned char)(*p - '0');
}

/* The decimals at P, behind those of *V, which has EXPONENT of them in the end, rounded. NULL: none
 * stand there, or the text ends. */
static const char *pull_numbers_decimals(
	const char *p, const char *end, unsigned exponent, int64_t *v, bool *exact)
{
	const char *start = p;
	unsigned n = 0;

	for (; n < exponent && p < end && digit_at(p) <= 9; n++)
		*v = *v * 10 + digit_at(p++);
	as_assert(n <= exponent && exponent <= PLAIN_DIGITS);
	*v *= pull_numbers_ten[exponent - n];
	if (n == exponent && p < end && digit_at(p) <= 9)
		*v += digit_at(p) >= 5;
	for (; p < end && digit_at(p) <= 9; p++)
		*exact &= digit_at(p) == 0;
	return p == start || p == end ? NULL : p;
}

/* The number at P, of which a comma or bracket stands behind. NULL: it is not plain. */
static const char *pull_numbers_one(
	const char *p, const char *end, unsigned exponent, int64_t *v, bool *exact)
{
	bool negative = *p == '-';
	const char *start = p += negative, *limit = p + PLAIN_DIGITS - exponent;
	int64_t sum = digit_at(p);

	if (sum > 9)
		return NULL;
	for (p++; p < limit && digit_at(p) <= 9; p++)
		sum = sum * 10 + digit_at(p);
	if (*p == '.' && p > start)
		p = pull_numbers_decimals(p + 1, end, exponent, &sum, exact);
	else
		sum *= pull_numbers_ten[exponent];
	*v = negative ? -sum : sum;
	return p && (*p == ',' || *p == ']') ? p : NULL;
}

size_t as_pull_numbers(
	struct as_pull *j, unsigned exponent, int64_t *v, size_t max, uint64_t *rounded)
{
	const char *p = j->p, *end = j->end;
	size_t n = 0;

	if (j->why || exponent >= PLAIN_DIGITS)
		return 0;
	for (; n < max && end - p > PLAIN_ROOM; n++) {
		const char *q = p;
		bool exact = true;

		if (!j->first && *q++ != ',')
			break;
		q += *q == ' ';
		if (memcmp(q, "null", 4) == 0 && (q[4] == ',' || q[4] == ']')) {
			v[n] = AS_PULL_NULL_NUMBER;
			q += 4;
		} else if (!(q = pull_numbers_one(q, end, exponent, &v[n], &exact))) {
			break;
		}
		if (!exact && !rounded)
			break;
		if (!exact)
			++*rounded;
		j->first = false;
		p = q;
	}
	j->p = p;
	return n;
}
