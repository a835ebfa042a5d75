/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by a number: a byte at a time, the lowest first, and no pass for a byte that all have
 * in common, as addresses have several. */
#include "formats/gperf/gperf.h"

enum { BYTES = sizeof(uint64_t), VALUES = 256 };

static inline unsigned byte_of(uint64_t key, unsigned byte)
{
	return (unsigned)(key >> (8 * byte)) & (VALUES - 1);
}

/* COUNT[b][v] = how many keys have V as their byte B. */
static void count_bytes(const struct as_gp_key *key, size_t n, size_t count[BYTES][VALUES])
{
	memset(count, 0, BYTES * sizeof(count[0]));
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < BYTES; b++)
			count[b][byte_of(key[i].key, b)]++;
}

/* COUNT becomes where the keys of each value go. */
static void sort_byte(
	const struct as_gp_key *from, struct as_gp_key *to, size_t n, unsigned byte, size_t *count)
{
	size_t at = 0;

	for (unsigned v = 0; v < VALUES; v++) {
		size_t here = count[v];

		count[v] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[byte_of(from[i].key, byte)]++] = from[i];
}

bool as_gp_sort(const struct as_alloc *al, struct as_gp_key *key, size_t n)
{
	size_t count[BYTES][VALUES], size = n * sizeof(*key);
	struct as_gp_key *tmp, *from = key, *to;

	if (n < 2)
		return true;
	tmp = to = al->resize(al->ctx, NULL, 0, size);
	if (!tmp)
		return false;
	count_bytes(key, n, count);
	for (unsigned b = 0; b < BYTES; b++) {
		struct as_gp_key *t = from;

		if (count[b][byte_of(key[0].key, b)] == n)
			continue;
		sort_byte(from, to, n, b, count[b]);
		from = to;
		to = t;
	}
	if (from != key)
		memcpy(key, from, size);
	as_alloc_free(al, tmp, size);
	return true;
}
