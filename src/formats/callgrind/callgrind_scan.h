/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and subpositions of the plain form, without a branch per digit: most are
 * short and of unpredictable length, so a loop over their digits would guess wrong
 * at the end of each. Everything here may read AS_IN_SLACK bytes past a window.
 */
#ifndef AS_FORMATS_CALLGRIND_SCAN_H
#define AS_FORMATS_CALLGRIND_SCAN_H

#include "base/base.h"

#define CG_DIGITS_SAFE 19u /* a number of so many decimal digits fits 64 bits */

/* Decimal digits eight at a time: the bytes are digits up to the lowest one whose high bit comes
 * out set. On other machines the plain loop does it. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CG_SWAR 1
#define CG_ZEROS UINT64_C(0x3030303030303030) /* "00000000" */
static inline uint64_t as_cg_load_digits(const char *p, uint64_t *not_digit)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	w ^= CG_ZEROS;
	*not_digit = ((w + UINT64_C(0x7676767676767676)) | w) & UINT64_C(0x8080808080808080);
	return w;
}

/* The number of N digits, 1 to 8, in the low bytes of W as as_cg_load_digits() has them. */
static inline uint64_t as_cg_join_digits(uint64_t w, unsigned n)
{
	w <<= 64 - 8 * n;
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
}
#else
#define CG_SWAR 0
#endif

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

/* A decimal number of 1 to 19 digits at P; past it, or NULL. Eight bytes are readable. */
static inline const char *as_cg_fast_dec(const char *p, uint64_t *v)
{
#if CG_SWAR
	uint64_t stop, w = as_cg_load_digits(p, &stop);
	unsigned n;

	if (AS_UNLIKELY(!stop))
		return as_cg_loop_dec(p, v);
	n = (unsigned)__builtin_ctzll(stop) / 8;
	if (AS_UNLIKELY(!n))
		return NULL;
	*v = as_cg_join_digits(w, n);
	return p + n;
#else
	return as_cg_loop_dec(p, v);
#endif
}

const char *as_cg_fast_hex(const char *p, uint64_t *v);

/* A subposition without ranges; NULL if it is not of the plain form. */
static inline __attribute__((always_inline)) const char *as_cg_fast_sub(
	const char *p, uint64_t base, uint64_t *v)
{
	uint64_t x = 0;

	switch (*p) {
	case '*':
		*v = base;
		return p + 1;
	case '+':
		p = as_cg_fast_dec(p + 1, &x);
		*v = base + x;
		return p;
	case '-':
		p = as_cg_fast_dec(p + 1, &x);
		*v = base - x;
		return x <= base ? p : NULL;
	case '0':
		return p[1] == 'x' ? as_cg_fast_hex(p + 2, v) : as_cg_fast_dec(p, v);
	default:
		return as_cg_fast_dec(p, v);
	}
}

/* Past a subposition whose value is of no interest, or NULL. */
static inline __attribute__((always_inline)) const char *as_cg_skip_sub(const char *p)
{
	bool star = *p == '*';
	uint64_t v;

	if (*p == '0' && p[1] == 'x')
		return as_cg_fast_hex(p + 2, &v);
	p += star | (*p == '+') | (*p == '-');
#if CG_SWAR
	{
		uint64_t stop;
		unsigned n;

		(void)as_cg_load_digits(p, &stop);
		if (AS_UNLIKELY(!stop))
			return as_cg_loop_dec(p, &v);
		n = (unsigned)__builtin_ctzll(stop) / 8;
		return star == (n == 0) ? p + n : NULL;
	}
#else
	return star ? p : as_cg_loop_dec(p, &v);
#endif
}

#if CG_SWAR
/* What a position of the plain form looks like, by its first byte: a token of LOW to LOW + SPAN
 * bytes, or none. */
static const struct cg_shape {
	uint8_t low, span;
} as_cg_shape[256] = {
	['0'] = {1, 15},
	['1'] = {1, 15},
	['2'] = {1, 15},
	['3'] = {1, 15},
	['4'] = {1, 15},
	['5'] = {1, 15},
	['6'] = {1, 15},
	['7'] = {1, 15},
	['8'] = {1, 15},
	['9'] = {1, 15},
	['+'] = {2, 14},
	['-'] = {2, 14},
	['*'] = {1, 0},
};

/* "+3 17": a position of no interest and a count. Past the line, or NULL: it is not of the form
 * that nearly all lines of one event have. */
static inline __attribute__((always_inline)) const char *as_cg_short_line(
	const char *p, uint64_t *count)
{
	struct cg_shape shape = as_cg_shape[(unsigned char)*p];
	uint64_t stop, w;
	unsigned n;

	(void)as_cg_load_digits(p, &stop);
	stop &= ~UINT64_C(0xff); /* a sign, or a digit */
	n = (unsigned)__builtin_ctzll(stop | UINT64_C(1) << 63) / 8;
	if (AS_UNLIKELY(n - shape.low > shape.span) || AS_UNLIKELY(p[n] != ' '))
		return NULL;
	p += n + 1;
	w = as_cg_load_digits(p, &stop);
	n = (unsigned)__builtin_ctzll(stop | UINT64_C(1) << 63) / 8;
	if (AS_UNLIKELY(!n) || AS_UNLIKELY(p[n] != '\n'))
		return NULL;
	*count = as_cg_join_digits(w, n);
	return p + n + 1;
}
#endif

static inline bool as_cg_starts_cost(char c)
{
	return (unsigned)(unsigned char)c - '0' <= 9 || c == '+' || c == '-' || c == '*';
}

#endif
