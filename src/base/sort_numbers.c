/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting numbers of 64 bits, few or many of them: several times faster than comparing rows. */
#include "base/sort.h"

enum { FEW = 24, RUNS = 4, RADIX_BITS = 8, RADIX = 1 << RADIX_BITS };

static void numbers_insertion(uint64_t *v, size_t n)
{
	for (size_t i = 1, j; i < n; i++) {
		uint64_t x = v[i];

		for (j = i; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* One pass over BITS from SHIFT on. False, with nothing done, if all keys agree in them. */
static bool numbers_pass(
	const uint64_t *from, uint64_t *to, size_t n, unsigned shift, unsigned bits)
{
	uint32_t next[RADIX], at = 0;
	size_t radix = (size_t)1 << bits;
	uint64_t mask = radix - 1;

	memset(next, 0, radix * sizeof(*next));
	for (size_t i = 0; i < n; i++)
		next[from[i] >> shift & mask]++;
	if (next[from[0] >> shift & mask] == n)
		return false;
	for (size_t k = 0; k < radix; k++) {
		uint32_t here = next[k];

		next[k] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[next[from[i] >> shift & mask]++] = from[i];
	return true;
}

/* The keys [A, B) and [B, END), both ascending, as one. */
static void numbers_merge(const uint64_t *a, const uint64_t *b, const uint64_t *end, uint64_t *to)
{
	const uint64_t *a_end = b;

	while (a < a_end || b < end)
		*to++ = b == end || (a < a_end && *a < *b) ? *a++ : *b++;
}

/* V is RUNS ascending stretches, which begin at AT; at its end there is one more place. */
static void numbers_merge_all(uint64_t *v, size_t n, uint64_t *tmp, size_t *at, unsigned runs)
{
	uint64_t *from = v, *to = tmp;

	while (runs > 1) {
		uint64_t *done = to;
		unsigned k = 0;

		at[runs] = at[runs + 1] = n;
		for (unsigned i = 0; i < runs; i += 2, k++) {
			numbers_merge(from + at[i], from + at[i + 1], from + at[i + 2], to + at[i]);
			at[k] = at[i];
		}
		runs = k;
		to = from;
		from = done;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

void as_sort_numbers(uint64_t *v, size_t n, uint64_t *tmp, unsigned skip)
{
	uint64_t *from = v, *to = tmp, differ = 0;
	unsigned bits, digit, passes, runs = 1;
	size_t at[RUNS + 2] = {0};

	if (n <= FEW) {
		numbers_insertion(v, n);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		differ |= v[i] ^ v[0];
		if (v[i] < v[i - 1] && ++runs <= RUNS)
			at[runs - 1] = i;
	}
	if (runs <= RUNS) {
		numbers_merge_all(v, n, tmp, at, runs);
		return;
	}
	differ >>= skip;
	bits = differ ? 64 - (unsigned)__builtin_clzll(differ) : 1;
	passes = (bits + RADIX_BITS - 1) / RADIX_BITS;
	digit = (bits + passes - 1) / passes;
	for (; passes; passes--, skip += digit)
		if (numbers_pass(from, to, n, skip, digit)) {
			uint64_t *done = to;

			to = from;
			from = done;
		}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
