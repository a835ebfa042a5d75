/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost lines of the plain form, cut into their numbers all at once: where the blanks and the end
 * of the line are is known after one comparison of its bytes, and no number waits for the one
 * before it. Lines that are longer, and machines without SSE2, are left to callgrind_scan.h.
 */
#ifndef AS_FORMATS_CALLGRIND_CUT_H
#define AS_FORMATS_CALLGRIND_CUT_H

#include "formats/callgrind/callgrind_scan.h"

#if defined(__SSE2__) && CG_SWAR
#define CG_CUT 1
#include <emmintrin.h>

enum { CG_CUT_MAX = 32 }; /* bytes of a line and its end */

/* Bit I stands for byte I of what is looked at. */
struct cg_cut {
	uint32_t feed, blank; /* line feeds; blanks */
	uint32_t other;       /* what is neither of them nor a digit */
};

static inline uint32_t as_cg_cut_mask(__m128i low, __m128i high)
{
	return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}

static inline __m128i as_cg_cut_digits(__m128i v)
{
	__m128i d = _mm_sub_epi8(v, _mm_set1_epi8('0'));

	return _mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d);
}

/* The CG_CUT_MAX bytes at P. */
static inline __attribute__((always_inline)) struct cg_cut as_cg_cut(const char *p)
{
	const __m128i lf = _mm_set1_epi8('\n'), space = _mm_set1_epi8(' ');
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
	uint32_t digit = as_cg_cut_mask(as_cg_cut_digits(a), as_cg_cut_digits(b));
	struct cg_cut cut;

	cut.feed = as_cg_cut_mask(_mm_cmpeq_epi8(a, lf), _mm_cmpeq_epi8(b, lf));
	cut.blank = as_cg_cut_mask(_mm_cmpeq_epi8(a, space), _mm_cmpeq_epi8(b, space));
	cut.other = ~(digit | cut.feed | cut.blank);
	return cut;
}

/* The number of the lowest bit; there is one. */
static inline uint32_t as_cg_cut_at(uint32_t bits)
{
	return (uint32_t)__builtin_ctz(bits);
}

/* Bytes FROM to END are a position of the plain form. Its value is of no interest. */
static inline __attribute__((always_inline)) bool as_cg_cut_is_pos(
	const char *p, uint32_t from, uint32_t end)
{
	struct cg_shape shape = as_cg_shape[(unsigned char)p[from]];

	return shape.low && end - from - shape.low <= shape.span;
}

/* The count of at most eight digits that bytes FROM to END are. */
static inline __attribute__((always_inline)) bool as_cg_cut_count(
	const char *p, uint32_t from, uint32_t end, uint64_t *count)
{
	uint64_t stop, w = as_cg_load_digits(p + from, &stop);

	if (AS_UNLIKELY(end - from - 1 >= 8))
		return false;
	*count = as_cg_join_digits(w, end - from);
	return true;
}

#else
#define CG_CUT 0
#endif

#endif
