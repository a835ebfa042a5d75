/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of the plain form, without a branch per digit: most are
 * short and of unpredictable length, so a loop over their digits would guess wrong
 * at the end of each. Everything here may read AS_IN_SLACK bytes past a window.
 */
#ifndef AS_FORMATS_CALLGRIND_SCAN_H
#define AS_FORMATS_CALLGRIND_SCAN_H

#include "base/base.h"

#define CG_DIGITS_SAFE 19u /* a number of so many decimal digits fits 64 bits */

#define CG_ZEROS UINT64_C(0x3030303030303030) /* "00000000" */

/* Eight bytes, the first one lowest. */
static inline uint64_t as_cg_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* Decimal digits eight at a time: the bytes are digits up to the lowest one whose high bit comes
 * out set. */
static inline uint64_t as_cg_load_digits(const char *p, uint64_t *not_digit)
{
	uint64_t w = as_cg_load(p) ^ CG_ZEROS;

	*not_digit = ((w + UINT64_C(0x7676767676767676)) | w) & UINT64_C(0x8080808080808080);
	return w;
}

/* The number of N digits, 1 to 8, in the low bytes of W as as_cg_load_digits() has them. */
static inline uint64_t as_cg_join_digits(uint64_t w, unsigned n)
{
	w <<= 64 - 8 * n;
	w = (w * (10 * (UINT64_C(1) << 8) + 1) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * (100 * (UINT64_C(1) << 16) + 1) >> 16) & UINT64_C(0x0000ffff0000ffff);
	return w * (10000 * (UINT64_C(1) << 32) + 1) >> 32;
}

/* The loop for numbers of any length. Also what the test compares the fast way with. */
static inline const char *as_cg_loop_dec(const char *p, uint64_t *v)
{
	const char *start = p;
	uint64_t x = 0;
	unsigned d;

	for (; (d = (unsigned)(unsigned char)*p - '0') <= 9; p++)
		x = x * 10 + d;
	*v = x;
	return (size_t)(p - start) - 1 < CG_DIGITS_SAFE ? p : NULL;
}

/* The page has a function once, and not wherever it is called. */
#ifdef __wasm__
#define CG_SCAN_INLINE inline AS_NOINLINE
#else
#define CG_SCAN_INLINE inline
#endif

/* A decimal number of 1 to 19 digits at P; past it, or NULL. Eight bytes are readable. */
static CG_SCAN_INLINE const char *as_cg_fast_dec(const char *p, uint64_t *v)
{
	uint64_t stop, w = as_cg_load_digits(p, &stop);
	unsigned n;

	if (AS_UNLIKELY(!stop))
		return as_cg_loop_dec(p, v);
	n = (unsigned)__builtin_ctzll(stop) / 8;
	if (AS_UNLIKELY(!n))
		return NULL;
	*v = as_cg_join_digits(w, n);
	return p + n;
}

static inline bool as_cg_starts_cost(char c)
{
	return (unsigned)(unsigned char)c - '0' <= 9 || c == '+' || c == '-' || c == '*';
}

#endif
