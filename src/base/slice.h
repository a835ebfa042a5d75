/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice is a span of bytes that somebody else owns. It may hold NUL and any
 * bytes >= 0x80; it is not terminated. Slices are passed by value.
 */
#ifndef AS_BASE_SLICE_H
#define AS_BASE_SLICE_H

#include "base/base.h"

struct as_slice {
	const char *p; /* may be NULL when len is 0 */
	size_t len;    /* bytes */
};

/* For "%.*s". A slice longer than INT_MAX is cut. */
#define AS_SLICE_FMT(s) ((int)((s).len > INT32_MAX ? INT32_MAX : (s).len)), ((s).p ? (s).p : "")

static inline struct as_slice as_slice_of(const char *text)
{
	return (struct as_slice){text, text ? strlen(text) : 0};
}

static inline bool as_slice_eq(struct as_slice a, struct as_slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static inline bool as_slice_is(struct as_slice s, const char *text)
{
	return as_slice_eq(s, as_slice_of(text));
}

static inline bool as_slice_starts(struct as_slice s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && memcmp(s.p, text, n) == 0;
}

static inline bool as_slice_ends(struct as_slice s, const char *text)
{
	size_t n = strlen(text);

	return s.len >= n && memcmp(s.p + s.len - n, text, n) == 0;
}

static inline struct as_slice as_slice_skip(struct as_slice s, size_t n)
{
	return (struct as_slice){s.p + n, s.len - n};
}

/* Whether S is one of the texts in the array WORDS. */
#define as_slice_is_one_of(s, words) as_slice_among((s), (words), AS_ARRAY_LEN(words))
bool as_slice_among(struct as_slice s, const char *const *words, size_t n);

/* A line without the '\r' that it may end in. */
static inline struct as_slice as_slice_chop(struct as_slice line)
{
	line.len -= line.len && line.p[line.len - 1] == '\r';
	return line;
}

/* Byte order of the text, as memcmp() does it: <0, 0 or >0. A prefix comes first. */
int as_slice_cmp(struct as_slice a, struct as_slice b);

/* Without blanks and tabs at the front / at both ends. */
struct as_slice as_slice_ltrim(struct as_slice s);
struct as_slice as_slice_trim(struct as_slice s);

/* Cut REST at the first SEP: *PART is what stands before it, REST what follows.
 * Without SEP all of REST is the part. False when REST was exhausted (p == NULL). */
bool as_slice_cut(struct as_slice *rest, char sep, struct as_slice *part);

/* The next run without blanks or tabs; false if there is none left. */
bool as_slice_word(struct as_slice *rest, struct as_slice *word);

/* Position of C, or len. Position of TEXT, or len. */
size_t as_slice_find(struct as_slice s, char c);
/* Bytes up to and with the last C; 0 without one. */
size_t as_slice_up_to_last(struct as_slice s, char c);
size_t as_slice_find_text(struct as_slice s, const char *text);

/* The whole slice as an unsigned number: decimal; hexadecimal without prefix; decimal or
 * "0x" hexadecimal. False if it is empty, holds other bytes or exceeds 64 bits. */
AS_NODISCARD bool as_slice_dec(struct as_slice s, uint64_t *out);
AS_NODISCARD bool as_slice_hex(struct as_slice s, uint64_t *out);
AS_NODISCARD bool as_slice_num(struct as_slice s, uint64_t *out);

/* Whether it has C. */
static inline bool as_slice_has(struct as_slice s, char c)
{
	return s.len && memchr(s.p, c, s.len);
}

/* Whether it has no other bytes than '0'; some, and they are hexadecimal digits; no control bytes
 * but blanks and ends of lines. */
bool as_slice_is_zero(struct as_slice s);
bool as_slice_is_hex(struct as_slice s);
bool as_slice_is_text(struct as_slice s);

/* The number that S begins with, moved over: decimal; hexadecimal without prefix. */
AS_NODISCARD bool as_slice_take_dec(struct as_slice *s, uint64_t *out);
AS_NODISCARD bool as_slice_take_hex(struct as_slice *s, uint64_t *out);

/* A line of S, moved over, without its '\n'; one without an end only if S is WHOLE. */
bool as_slice_line(struct as_slice *s, bool whole, struct as_slice *line);

/* A hash of the bytes, the same on every machine and in every run. */
uint64_t as_hash_bytes(const void *p, size_t len);

static inline uint64_t as_hash_mix(uint64_t a, uint64_t b)
{
	as_uval m = (as_uval)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xc2b2ae3d27d4eb4fu);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#endif
