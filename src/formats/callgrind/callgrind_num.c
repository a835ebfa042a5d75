/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and subpositions, in every form that somebody writes (§1.2). */
#include "formats/callgrind/callgrind.h"

void as_cg_blanks(const char **p, const char *end)
{
	while (*p < end && (**p == ' ' || **p == '\t'))
		(*p)++;
}

static int cg_num_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 32);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* *RANGE: the digits are there, but the number needs more than 64 bits. */
bool as_cg_num(const char **p, const char *end, uint64_t *v, bool *range)
{
	const char *s = *p;
	uint64_t x = 0, stop, w;

	*range = false;
	if (end - s > 8 && (s[1] | 32) != 'x') {
		w = as_cg_load_digits(s, &stop);
		if (AS_LIKELY(stop)) {
			unsigned n = (unsigned)__builtin_ctzll(stop) / 8;

			*p = s + n;
			*v = n ? as_cg_join_digits(w, n) : 0;
			return n != 0;
		}
	}
	if (end - s > 2 && s[0] == '0' && (s[1] | 32) == 'x' && cg_num_hex_digit(s[2]) >= 0) {
		for (s += 2; s < end && cg_num_hex_digit(*s) >= 0; s++) {
			*range |= x >> 60 != 0;
			x = x << 4 | (uint64_t)cg_num_hex_digit(*s);
		}
	} else {
		for (; s < end && *s >= '0' && *s <= '9'; s++) {
			*range |= __builtin_mul_overflow(x, 10u, &x);
			*range |= __builtin_add_overflow(x, (unsigned)(*s - '0'), &x);
		}
		if (s == *p)
			return false;
	}
	*p = s;
	*v = x;
	return true;
}

/* "10-12", "10+3", "10:12": KCachegrind's ranges. The start counts, the rest is skipped. */
static bool skip_range(const char **p, const char *end)
{
	const char *s = *p;
	uint64_t x;
	bool range;

	if (s >= end || (*s != '-' && *s != '+' && *s != ':'))
		return false;
	s++;
	if (!as_cg_num(&s, end, &x, &range))
		return false;
	*p = s;
	return true;
}

enum cg_sub as_cg_subpos(const char **p, const char *end, uint64_t base, uint64_t *v)
{
	const char *s = *p;
	enum cg_sub rc = CG_SUB_OK;
	uint64_t x;
	char sign;
	bool range;

	if (s >= end)
		return CG_SUB_NONE;
	sign = *s;
	if (sign == '*') {
		*v = base;
		s++;
	} else if (sign == '+' || sign == '-') {
		s++;
		if (!as_cg_num(&s, end, &x, &range))
			return CG_SUB_NONE;
		if (sign == '-' && x > base)
			rc = CG_SUB_BELOW;
		*v = sign == '+' ? base + x : base - x;
	} else {
		if (!as_cg_num(&s, end, v, &range))
			return CG_SUB_NONE;
	}
	if (skip_range(&s, end))
		rc = CG_SUB_RANGE;
	*p = s;
	return rc;
}
