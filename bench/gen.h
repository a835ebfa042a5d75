/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the generators share: a seeded random source, sizes on the command
 * line, and a buffered output that can also only count.
 *
 * Everything is a pure function of the options: the same options give the
 * same bytes on every machine, so that figures can be compared.
 */
#ifndef BENCH_GEN_H
#define BENCH_GEN_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A product of two 64-bit numbers, for exact shares. */
__extension__ typedef unsigned __int128 u128;

static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "not valid");
	exit(1);
}

static inline void *need(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die("memory");
	return p;
}

/* splitmix64: one multiplication chain per number, and any two seeds are independent. */
struct rng {
	uint64_t state;
};

static inline uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline uint64_t mix2(uint64_t a, uint64_t b)
{
	return mix(mix(a + UINT64_C(0x9e3779b97f4a7c15)) + b);
}

static inline uint64_t rng_next(struct rng *r)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	return mix(r->state);
}

/* A number below N. The bias of the multiplication does not matter here. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

/* True in PERMILLE of 1000 cases. */
static inline bool rng_chance(struct rng *r, uint32_t permille)
{
	return rng_below(r, 1000) < permille;
}

/* In [0, 1). */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/*
 * A distribution as its quantiles, straight lines between them. Good enough
 * for the shapes that were measured, and without libm exact everywhere.
 */
struct quantile {
	double p, value;
};

static inline double quantile_at(const struct quantile *q, size_t n, double p)
{
	size_t i = 1;

	while (i + 1 < n && p >= q[i].p)
		i++;
	return q[i - 1].value +
	       (q[i].value - q[i - 1].value) * (p - q[i - 1].p) / (q[i].p - q[i - 1].p);
}

/* Frames of one stack: mean 19. */
static const struct quantile depths[] = {
	{0.00, 4},
	{0.10, 8},
	{0.50, 16},
	{0.90, 30},
	{0.99, 54},
	{1.00, 110},
};

/* Of N functions the one that is called at SITE of F; some are called far more often. */
static inline uint32_t callee_of(uint64_t seed, uint32_t f, uint32_t site, uint32_t n)
{
	double u = (double)(mix2(seed, (uint64_t)f * 64 + site) >> 11) * 0x1p-53;

	return (uint32_t)(((uint64_t)(u * u * u * n) * 2741 + 17) % n);
}

/* "100m" is 100,000,000 bytes: decimal, as file sizes are quoted. */
static inline uint64_t parse_size(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	double unit = 1;

	if (*end == 'k' || *end == 'K')
		unit = 1e3;
	else if (*end == 'm' || *end == 'M')
		unit = 1e6;
	else if (*end == 'g' || *end == 'G')
		unit = 1e9;
	if (end == text || (*end && (unit <= 1 || end[1])) || v * unit < 1000 || v * unit > 64e9) {
		errno = 0;
		die(text);
	}
	return (uint64_t)(v * unit);
}

static inline uint64_t parse_num(const char *text)
{
	char *end;
	unsigned long long v = strtoull(text, &end, 10);

	if (end == text || *end) {
		errno = 0;
		die(text);
	}
	return v;
}

/* Output through one big buffer; FILE NULL only counts. */
struct sink {
	FILE *file;
	uint64_t written; /* bytes, with what is still in the buffer */
	size_t fill;
	char buf[1 << 18];
};

static inline void sink_flush(struct sink *s)
{
	if (s->file && s->fill && fwrite(s->buf, 1, s->fill, s->file) != s->fill)
		die("write");
	s->fill = 0;
}

/* Room for N bytes, N far below the buffer's size. */
static inline char *sink_room(struct sink *s, size_t n)
{
	if (s->fill + n > sizeof(s->buf))
		sink_flush(s);
	return s->buf + s->fill;
}

static inline void sink_took(struct sink *s, size_t n)
{
	s->fill += n;
	s->written += n;
}

static inline void sink_bytes(struct sink *s, const void *p, size_t n)
{
	memcpy(sink_room(s, n), p, n);
	sink_took(s, n);
}

static inline void sink_text(struct sink *s, const char *text)
{
	sink_bytes(s, text, strlen(text));
}

static inline void sink_char(struct sink *s, char c)
{
	*sink_room(s, 1) = c;
	sink_took(s, 1);
}

static inline void sink_dec(struct sink *s, uint64_t v)
{
	char tmp[20];
	size_t at = sizeof(tmp);

	do {
		tmp[--at] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	sink_bytes(s, tmp + at, sizeof(tmp) - at);
}

static inline void sink_hex(struct sink *s, uint64_t v)
{
	char tmp[16];
	size_t at = sizeof(tmp);

	do {
		tmp[--at] = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	sink_bytes(s, tmp + at, sizeof(tmp) - at);
}

/* Little-endian, whatever this machine is. */
static inline void sink_le(struct sink *s, uint64_t v, size_t bytes)
{
	char *p = sink_room(s, bytes);

	for (size_t i = 0; i < bytes; i++)
		p[i] = (char)(unsigned char)(v >> (8 * i));
	sink_took(s, bytes);
}

/* Facts about what was written, one a line on stderr: the expected answers of a benchmark. */
static inline void fact(const char *key, uint64_t v)
{
	fprintf(stderr, "%s %" PRIu64 "\n", key, v);
}

#endif
