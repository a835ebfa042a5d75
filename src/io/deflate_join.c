/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of deflate ends at a bit, and a bit in the head of its last block says that it is the
 * last. Neither place is known but by going through all codes: without what they stand for, that
 * takes a tenth of the time that it took to compress.
 */
#include "io/deflate_join.h"

#include <string.h>

enum { LITERALS = 288, DISTANCES = 32, ORDER = 19, MATCHES = 257, END = 256 };
enum { LONGEST = 285, NOT_USED = 286 };
/* Of a code: how many bits it takes, with those behind it; and what kind it is. */
enum { CODE_BITS = 31, CODE_MATCH = 32, CODE_END = 64 };

struct stream {
	const unsigned char *first, *p, *end;
	uint64_t v;          /* the next N bits */
	unsigned n, missing; /* bytes that were asked for beyond the end */
	struct as_deflate_scan *scan;
	uint64_t code_mask, distance_mask;
};

/* ---- bits ---- */

/* At least 56 of them; behind the end they are 0. */
static inline void join_fill(struct stream *s)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (AS_LIKELY(s->end - s->p >= 8)) {
		uint64_t v;

		memcpy(&v, s->p, sizeof(v)); /* those above N are put there once more */
		s->v |= v << s->n;
		s->p += (63 - s->n) / 8;
		s->n |= 56;
		return;
	}
#endif
	while (s->n < 56) {
		if (AS_LIKELY(s->p < s->end))
			s->v |= (uint64_t)*s->p++ << s->n;
		else
			s->missing++;
		s->n += 8;
	}
}

static inline void join_drop(struct stream *s, unsigned n)
{
	s->v >>= n;
	s->n -= n;
}

static unsigned join_bits(struct stream *s, unsigned n)
{
	unsigned v;

	join_fill(s);
	v = (unsigned)(s->v & ((UINT64_C(1) << n) - 1));
	join_drop(s, n);
	return v;
}

/* The place of the next bit. */
static uint64_t join_at(const struct stream *s)
{
	return 8 * ((uint64_t)(s->p - s->first) + s->missing) - s->n;
}

/* ---- codes ---- */

static unsigned join_reversed(unsigned v, unsigned n)
{
	unsigned r = 0;

	for (unsigned i = 0; i < n; i++)
		r |= (v >> i & 1) << (n - 1 - i);
	return r;
}

/* TABLE[bits that come next] = what the symbol says, by the lengths of the codes of N symbols.
 * Returns the mask of the bits that decide, 0 if these are no codes. */
static uint64_t join_table(
	uint16_t *table, const uint8_t *length, unsigned n, uint16_t (*what)(unsigned symbol))
{
	unsigned count[AS_DEFLATE_CODE_MAX + 1] = {0}, next[AS_DEFLATE_CODE_MAX + 2] = {0};
	unsigned most = 1;

	for (unsigned i = 0; i < n; i++) {
		count[length[i]]++;
		most = length[i] > most ? length[i] : most;
	}
	count[0] = 0;
	for (unsigned i = 1; i <= AS_DEFLATE_CODE_MAX; i++) {
		next[i + 1] = (next[i] + count[i]) << 1;
		if (next[i] + count[i] > 1u << i)
			return 0;
	}
	memset(table, 0, sizeof(*table) << most);
	for (unsigned i = 0; i < n; i++) {
		unsigned bits = length[i], step = 1u << bits;

		for (unsigned k = bits ? join_reversed(next[bits]++, bits) : step << most;
			k < 1u << most; k += step)
			table[k] = (uint16_t)(what(i) + bits);
	}
	return (UINT64_C(1) << most) - 1;
}

static uint16_t join_code(unsigned symbol)
{
	unsigned k = symbol - MATCHES;

	if (symbol < MATCHES)
		return symbol == END ? CODE_END : 0;
	if (symbol >= LONGEST)
		return symbol == LONGEST ? CODE_MATCH : 0;
	return (uint16_t)(CODE_MATCH + (k < 8 ? 0 : (k - 4) / 4));
}

static uint16_t join_distance(unsigned symbol)
{
	return (uint16_t)(symbol < 4 ? 0 : (symbol - 2) / 2);
}

static uint16_t join_length(unsigned symbol)
{
	return (uint16_t)(symbol << 8);
}

/* ---- blocks ---- */

/* How long the codes of a block are, N of them, by codes of their own. */
static bool join_lengths(struct stream *s, uint8_t *length, unsigned n)
{
	uint64_t mask = s->code_mask;

	for (unsigned i = 0; i < n;) {
		unsigned code, symbol, times, of;

		join_fill(s);
		code = s->scan->code[s->v & mask];
		if (!code)
			return false;
		join_drop(s, code & CODE_BITS);
		symbol = code >> 8;
		if (symbol < 16) {
			length[i++] = (uint8_t)symbol;
			continue;
		}
		if (symbol == 16 && !i)
			return false;
		of = symbol == 16 ? length[i - 1] : 0;
		times = symbol == 16   ? 3 + join_bits(s, 2)
			: symbol == 17 ? 3 + join_bits(s, 3)
				       : 11 + join_bits(s, 7);
		if (times > n - i)
			return false;
		for (; times; times--)
			length[i++] = (uint8_t)of;
	}
	return true;
}

static bool join_tables(struct stream *s, const uint8_t *length, unsigned literals, unsigned n)
{
	s->code_mask = join_table(s->scan->code, length, literals, join_code);
	s->distance_mask =
		join_table(s->scan->distance, length + literals, n - literals, join_distance);
	return s->code_mask && s->distance_mask;
}

static bool join_own_codes(struct stream *s)
{
	static const uint8_t order[ORDER] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	uint8_t length[LITERALS + DISTANCES] = {0}, lengths[ORDER] = {0};
	unsigned literals = 257 + join_bits(s, 5), distances = 1 + join_bits(s, 5);
	unsigned n = 4 + join_bits(s, 4);

	if (literals > NOT_USED)
		return false;
	for (unsigned i = 0; i < n; i++)
		lengths[order[i]] = (uint8_t)join_bits(s, 3);
	s->code_mask = join_table(s->scan->code, lengths, ORDER, join_length);
	return s->code_mask && join_lengths(s, length, literals + distances) &&
	       join_tables(s, length, literals, literals + distances);
}

static bool join_usual_codes(struct stream *s)
{
	uint8_t length[LITERALS + DISTANCES];

	for (unsigned i = 0; i < LITERALS + DISTANCES; i++)
		length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < LITERALS ? 8 : 5;
	return join_tables(s, length, LITERALS, LITERALS + DISTANCES);
}

/* To the end of a block. */
static bool join_skip_codes(struct stream *s)
{
	const uint16_t *codes = s->scan->code, *distances = s->scan->distance;

	while (!s->missing || s->n > 8 * s->missing) {
		unsigned code, n = 0;

		join_fill(s);
		do { /* 15 bits each at the most */
			code = codes[s->v & s->code_mask];
			join_drop(s, code & CODE_BITS);
		} while (code && code < CODE_MATCH && ++n < 3);
		if (code & CODE_END)
			return true;
		if (!code)
			return false;
		if (!(code & CODE_MATCH))
			continue;
		join_fill(s);
		code = distances[s->v & s->distance_mask];
		if (!code)
			return false;
		join_drop(s, code & CODE_BITS);
	}
	return false;
}

static bool join_skip_stored(struct stream *s)
{
	unsigned n, check;

	join_drop(s, s->n % 8);
	n = join_bits(s, 16);
	check = join_bits(s, 16);
	if ((n ^ check) != 0xffff || s->n / 8 < s->missing)
		return false;
	s->p -= s->n / 8 - s->missing;
	s->v = s->n = s->missing = 0;
	if (n > (size_t)(s->end - s->p))
		return false;
	s->p += n;
	return true;
}

static bool join_skip_block(struct stream *s, bool *last)
{
	unsigned kind;

	*last = join_bits(s, 1);
	kind = join_bits(s, 2);
	return kind == 0   ? join_skip_stored(s)
	       : kind == 1 ? join_usual_codes(s) && join_skip_codes(s)
	       : kind == 2 ? join_own_codes(s) && join_skip_codes(s)
			   : false;
}

bool as_deflate_go_on(struct as_deflate_scan *scan, unsigned char *p, size_t *n)
{
	static const unsigned char rest[] = {0, 0, 0xff, 0xff}; /* of a stored block of no bytes */
	struct stream s = {.first = p, .p = p, .end = p + *n, .scan = scan};
	uint64_t head, end;
	bool last;

	do {
		head = join_at(&s);
		if (!join_skip_block(&s, &last))
			return false;
	} while (!last);
	end = join_at(&s);
	if ((end + 7) / 8 != *n)
		return false;
	p[head / 8] &= (unsigned char)~(1u << head % 8);
	/* Three bits of a head, all 0, and more up to the next byte: as those that fill the last
	 * one. */
	if (8 * (uint64_t)*n - end < 3)
		p[(*n)++] = 0;
	memcpy(p + *n, rest, sizeof(rest));
	*n += sizeof(rest);
	return true;
}
