/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 64 bytes are compared at once; where the numbers are, and up to where all is plain, follows
 * from a few operations on the bits that come out.
 */
#include "formats/callgrind/callgrind_cut.h"

#include "formats/callgrind/callgrind_scan.h"

/* What the bytes are. LETTER is '@' and those behind it: what may be in a hexadecimal number, and
 * some more. */
struct cg_kinds {
	uint64_t digit, letter, blank, feed, star, sign;
};

/* Of the numbers that begin at the bits of START all bytes, of others none. The carry of a sum
 * runs from a bit to the end of its number. */
static inline uint64_t to_their_ends(uint64_t start, uint64_t ends)
{
	return ((start + ~ends) & ends) - start;
}

static inline __attribute__((always_inline)) struct cg_cut cut_of_kinds(
	const struct cg_kinds *k, uint32_t n_pos)
{
	uint64_t ends = k->blank | k->feed, start = k->feed << 1 | 1, begins = 0, bad = 0, full;

	for (uint32_t i = 0; i < n_pos; i++) {
		uint64_t end = (start + ~ends) & ends;

		begins |= start;
		if (i + 1 < n_pos)
			bad |= end & k->feed;
		start = (end & k->blank) << 1;
	}
	full = k->digit | k->star;
	full |= k->letter & to_their_ends(k->letter >> 1 & k->digit & begins, ends);
	bad |= ~(ends | full | k->sign) | (ends & ~(full << 1)) | (k->digit & k->star << 1) |
	       (~k->digit & k->sign << 1) | ((k->star | k->sign) & ~begins);
	bad = (bad & -bad) - 1; /* what is before the first of them */
	return (struct cg_cut){.ends = ends & bad, .feeds = k->feed & bad};
}

#define CG_EACH UINT64_C(0x0101010101010101)
#define CG_HIGH (CG_EACH * 0x80)

/* A bit of each of eight bytes whose high bit is set. */
static inline uint64_t high_bits(uint64_t w)
{
	return ((w & CG_HIGH) >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* The bytes of W that are C. */
static inline uint64_t equal_bits(uint64_t w, char c)
{
	w ^= CG_EACH * (unsigned char)c;
	return high_bits(~(((w & ~CG_HIGH) + ~CG_HIGH) | w));
}

/* On any machine. */
static struct cg_kinds cut_kinds_any(const char *p)
{
	struct cg_kinds k = {0};

	for (unsigned i = 0; i < CG_CUT; i += 8) {
		uint64_t w = as_cg_load(p + i), d = w ^ CG_ZEROS;

		d = ((d & ~CG_HIGH) + CG_EACH * (0x80 - 10)) | d;
		k.digit |= high_bits(~d) << i;
		k.letter |= high_bits(w << 1) << i;
		k.blank |= equal_bits(w, ' ') << i;
		k.feed |= equal_bits(w, '\n') << i;
		k.star |= equal_bits(w, '*') << i;
		k.sign |= (equal_bits(w, '+') | equal_bits(w, '-')) << i;
	}
	return k;
}

struct cg_cut as_cg_cut(const char *p, uint32_t n_pos)
{
	struct cg_kinds k = cut_kinds_any(p);

	return cut_of_kinds(&k, n_pos);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define CG_AVX2 __attribute__((target("avx2")))

/* The bytes of A and B that are all ones. */
static inline CG_AVX2 uint64_t bits_avx2(__m256i a, __m256i b)
{
	uint64_t high = (uint32_t)_mm256_movemask_epi8(b);

	return (uint32_t)_mm256_movemask_epi8(a) | high << 32;
}

static inline CG_AVX2 __m256i equal_avx2(__m256i v, char c)
{
	return _mm256_cmpeq_epi8(v, _mm256_set1_epi8(c));
}

static inline CG_AVX2 __m256i digit_avx2(__m256i v)
{
	__m256i d = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));

	return _mm256_cmpeq_epi8(_mm256_min_epu8(d, _mm256_set1_epi8(9)), d);
}

static inline CG_AVX2 __m256i sign_avx2(__m256i v)
{
	return _mm256_or_si256(equal_avx2(v, '+'), equal_avx2(v, '-'));
}

static CG_AVX2 struct cg_cut cut_avx2(const char *p, uint32_t n_pos)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
	struct cg_kinds k = {
		.digit = bits_avx2(digit_avx2(a), digit_avx2(b)),
		.letter = bits_avx2(_mm256_slli_epi16(a, 1), _mm256_slli_epi16(b, 1)),
		.blank = bits_avx2(equal_avx2(a, ' '), equal_avx2(b, ' ')),
		.feed = bits_avx2(equal_avx2(a, '\n'), equal_avx2(b, '\n')),
		.star = bits_avx2(equal_avx2(a, '*'), equal_avx2(b, '*')),
		.sign = bits_avx2(sign_avx2(a), sign_avx2(b)),
	};

	return cut_of_kinds(&k, n_pos);
}

as_cg_cut_fn *as_cg_cut_fast(void)
{
	return __builtin_cpu_supports("avx2") ? cut_avx2 : as_cg_cut;
}
#else
as_cg_cut_fn *as_cg_cut_fast(void)
{
	return as_cg_cut;
}
#endif
