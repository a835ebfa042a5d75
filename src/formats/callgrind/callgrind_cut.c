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

/* The bytes of V that are all ones, or whose high bit is set, of four times sixteen. */
static inline uint64_t bits_sse2(const __m128i *v)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 4; i++)
		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(v[i]) << 16 * i;
	return bits;
}

static inline uint64_t equal_sse2(const __m128i *v, char c)
{
	__m128i same[4];

	for (unsigned i = 0; i < 4; i++)
		same[i] = _mm_cmpeq_epi8(v[i], _mm_set1_epi8(c));
	return bits_sse2(same);
}

struct cg_cut as_cg_cut_sse2(const char *p, uint32_t n_pos)
{
	__m128i v[4], digit[4], letter[4];
	struct cg_kinds k;

	for (unsigned i = 0; i < 4; i++) {
		__m128i d;

		v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
		d = _mm_sub_epi8(v[i], _mm_set1_epi8('0'));
		digit[i] = _mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d);
		letter[i] = _mm_slli_epi16(v[i], 1);
	}
	k = (struct cg_kinds){
		.digit = bits_sse2(digit),
		.letter = bits_sse2(letter),
		.blank = equal_sse2(v, ' '),
		.feed = equal_sse2(v, '\n'),
		.star = equal_sse2(v, '*'),
		.sign = equal_sse2(v, '+') | equal_sse2(v, '-'),
	};
	return cut_of_kinds(&k, n_pos);
}

#define CG_AVX2 __attribute__((target("avx2,popcnt")))

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

/* The bytes of V whose bits are set, added up, eight of them in each word. */
static inline CG_AVX2 __m256i chosen_avx2(__m256i v, uint32_t bits)
{
	const __m256i each = _mm256_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
	const __m256i spread =
		_mm256_setr_epi64x(0, (int64_t)CG_EACH, 2 * (int64_t)CG_EACH, 3 * (int64_t)CG_EACH);
	__m256i chosen = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), spread);

	chosen = _mm256_cmpeq_epi8(_mm256_and_si256(chosen, each), each);
	return _mm256_sad_epu8(_mm256_and_si256(v, chosen), _mm256_setzero_si256());
}

/* Of all numbers in ENDS, which are short, the bits of those that begin behind a blank; none if a
 * line has two blanks. */
static inline uint64_t counts_of(uint64_t ends, uint64_t blank)
{
	uint64_t start = blank << 1, end = (start + ~ends) & ends;

	return end & blank ? 0 : end - start;
}

/* Are 16 bits in a row set? */
static inline bool cut_is_long(uint64_t bits)
{
	bits &= bits >> 1;
	bits &= bits >> 2;
	bits &= bits >> 4;
	return bits & bits >> 8;
}

/* Digits that stand as far from the ends of their numbers are added up, then multiplied. */
static CG_AVX2 uint32_t sum_avx2(const char *p, struct cg_cut *cut, uint64_t *sum)
{
	enum { DIGITS = 9 }; /* their power of ten fits 32 bits */
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p), words;
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
	uint64_t letter = bits_avx2(_mm256_slli_epi16(a, 1), _mm256_slli_epi16(b, 1));
	uint64_t feeds = cut->feeds, all = feeds ? UINT64_MAX >> __builtin_clzll(feeds) : 0;
	uint64_t ends = cut->ends & all, blank = ends & ~feeds, word[4];
	uint64_t counts = counts_of(ends, blank), at = feeds >> 1 & counts;
	uint32_t power = 1;

	if (!feeds || letter & all || cut_is_long(all & ~ends) || (blank && !counts))
		return 0;
	a = _mm256_and_si256(a, _mm256_set1_epi8(15));
	b = _mm256_and_si256(b, _mm256_set1_epi8(15));
	words = _mm256_setzero_si256();
	for (unsigned i = 0; at && i < DIGITS; i++, at = at >> 1 & counts) {
		__m256i here = _mm256_add_epi64(
			chosen_avx2(a, (uint32_t)at), chosen_avx2(b, (uint32_t)(at >> 32)));

		words = _mm256_add_epi64(words, _mm256_mul_epu32(here, _mm256_set1_epi64x(power)));
		power *= 10;
	}
	if (at)
		return 0;
	_mm256_storeu_si256((__m256i *)(void *)word, words);
	*sum += word[0] + word[1] + word[2] + word[3];
	*cut = (struct cg_cut){.at = 64 - (uint32_t)__builtin_clzll(feeds)};
	return (uint32_t)__builtin_popcountll(feeds);
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

as_cg_cut_fn *as_cg_cut_fast(void)
{
	return has_avx2() ? cut_avx2 : as_cg_cut_sse2;
}

as_cg_sum_fn *as_cg_sum_fast(void)
{
	return has_avx2() ? sum_avx2 : NULL;
}
#else
as_cg_cut_fn *as_cg_cut_fast(void)
{
	return as_cg_cut;
}

as_cg_sum_fn *as_cg_sum_fast(void)
{
	return NULL;
}
#endif
