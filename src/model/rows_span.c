/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many rows at once: counts at equal distances. The counts are looked at and packed sixteen at a
 * time and without a branch that depends on them, because the stretches are short (some twenty
 * counts between two branches of the program that was sampled) and a branch that is guessed wrong
 * costs as much as sixteen counts do.
 */
#include "model/rows_impl.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
	GROUP = 16, /* counts that are handled side by side */
	RECORD_MAX = 4 + 8 + AS_VARINT_MAX + 4 * AS_SPAN_MAX,
	FEW = 2, /* that many rows take less space one by one */
};

/* What is known of the counts of a record once they have been looked at. */
struct facts {
	uint32_t any; /* all of them or-ed */
	uint32_t rows;
	uint64_t sum;
};

static uint32_t load_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t sum_le32(const uint8_t *le32, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += load_le32(le32 + 4 * i);
	return sum;
}

#if defined(__SSE2__)

static uint32_t add_lanes(__m128i v)
{
	v = _mm_add_epi32(v, _mm_srli_si128(v, 8));
	v = _mm_add_epi32(v, _mm_srli_si128(v, 4));
	return (uint32_t)_mm_cvtsi128_si32(v);
}

static uint32_t or_lanes(__m128i v)
{
	v = _mm_or_si128(v, _mm_srli_si128(v, 8));
	v = _mm_or_si128(v, _mm_srli_si128(v, 4));
	return (uint32_t)_mm_cvtsi128_si32(v);
}

struct lanes {
	__m128i at, end;        /* numbers of the next four counts; how many there are */
	__m128i any, sum, none; /* or-ed; added up; how many are zero */
};

static inline __m128i look(struct lanes *l, const uint8_t *le32)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)le32);

	v = _mm_and_si128(v, _mm_cmplt_epi32(l->at, l->end));
	l->any = _mm_or_si128(l->any, v);
	l->sum = _mm_add_epi32(l->sum, v);
	l->none = _mm_sub_epi32(l->none, _mm_cmpeq_epi32(v, zero));
	l->at = _mm_add_epi32(l->at, _mm_set1_epi32(4));
	return v;
}

/* The low byte of N <= AS_SPAN_MAX counts to OUT, and what the counts are like. OUT has room for
 * whole groups, and whole groups can be read. */
static struct facts pack_bytes(uint8_t *out, const uint8_t *le32, size_t n)
{
	struct lanes l = {.at = _mm_setr_epi32(0, 1, 2, 3), .end = _mm_set1_epi32((int)n)};
	size_t g;

	l.any = l.sum = l.none = _mm_setzero_si128();
	for (g = 0; g < n; g += GROUP, le32 += 4 * GROUP) {
		__m128i a = look(&l, le32), b = look(&l, le32 + 16);
		__m128i c = look(&l, le32 + 32), d = look(&l, le32 + 48);

		_mm_storeu_si128((__m128i *)(void *)(out + g),
			_mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
	}
	return (struct facts){or_lanes(l.any), (uint32_t)g - add_lanes(l.none), add_lanes(l.sum)};
}

#else

static struct facts pack_bytes(uint8_t *out, const uint8_t *le32, size_t n)
{
	uint32_t any = 0, rows = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t v = load_le32(le32 + 4 * i);

		any |= v;
		rows += v != 0;
		sum += v;
		out[i] = (uint8_t)v;
	}
	return (struct facts){any, rows, sum};
}

#endif

/* Counts that do not fit into a byte. Returns the bytes of one. */
static uint32_t pack_wide(uint8_t *out, const uint8_t *le32, size_t n, uint32_t any)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t v = load_le32(le32 + 4 * i);
		uint16_t w = (uint16_t)v;

		if (any <= UINT16_MAX)
			memcpy(out + i * sizeof(w), &w, sizeof(w));
		else
			memcpy(out + i * sizeof(v), &v, sizeof(v));
	}
	return any <= UINT16_MAX ? sizeof(uint16_t) : sizeof(uint32_t);
}

static uint8_t *put_head(uint8_t *p, uint64_t gap, uint64_t stride)
{
	uint32_t near = (uint32_t)gap;

	*p = AS_SPAN_HEAD;
	if (AS_LIKELY(near == gap)) {
		p[3] = 1;
		memcpy(p + 4, &near, sizeof(near));
		p += 4 + sizeof(near);
	} else {
		p[3] = 1 | AS_SPAN_FAR;
		memcpy(p + 4, &gap, sizeof(gap));
		p += 4 + sizeof(gap);
	}
	return as_put_varint(p, stride);
}

bool as_rows_add_count(struct as_rows *rows, uint64_t addr, uint32_t count)
{
	uint8_t *p;

	if (!count)
		return true;
	p = as_rows_room(rows, 1 + 3 * AS_VARINT_MAX);
	if (!p)
		return false;
	*p++ = 2; /* one value, not negative */
	p = as_put_varint(p, as_zigzag(0 - rows->last_line));
	p = as_put_varint(p, as_zigzag(addr - rows->last_addr));
	p = as_put_varint(p, count);
	as_rows_close(rows, p, 0, addr);
	rows->counted.rows++;
	rows->counted.sum += count;
	return true;
}

static bool add_one_by_one(struct as_rows *rows, const struct as_rows_span *span)
{
	for (size_t i = 0; i < span->n; i++)
		if (!as_rows_add_count(
			    rows, span->addr + i * span->stride, load_le32(span->le32 + 4 * i)))
			return false;
	return true;
}

/* One record of at most AS_SPAN_MAX counts; none when all are zero. */
static bool add_block(struct as_rows *rows, const struct as_rows_span *span)
{
	uint8_t *p = as_rows_room(rows, RECORD_MAX), *counts;
	size_t n = span->n;
	uint32_t size = 1;
	struct facts f;

	if (!p)
		return false;
	counts = put_head(p, span->addr - rows->last_addr, span->stride);
	f = pack_bytes(counts, span->le32, n);
	if (AS_UNLIKELY(f.any >= UINT32_MAX / AS_SPAN_MAX))
		f.sum = sum_le32(span->le32, n);
	if (f.rows <= FEW)
		return add_one_by_one(rows, span);
	if (AS_UNLIKELY(f.any > UINT8_MAX))
		size = pack_wide(counts, span->le32, n, f.any);
	while (load_le32(span->le32 + 4 * (n - 1)) == 0)
		n--;
	p[1] = (uint8_t)n;
	p[2] = (uint8_t)f.rows;
	p[3] = (uint8_t)((p[3] & AS_SPAN_FAR) | size);
	as_rows_close(rows, counts + n * size, 0, span->addr + (n - 1) * span->stride);
	rows->run.p[rows->run.n - 1].n += f.rows - 1;
	rows->n += f.rows - 1;
	rows->counted.rows += f.rows;
	rows->counted.sum += f.sum;
	return true;
}

bool as_rows_add_span(struct as_rows *rows, const struct as_rows_span *span)
{
	struct as_rows_span block = *span;

	if (span->n <= FEW)
		return add_one_by_one(rows, span);
	for (size_t left = span->n; left; left -= block.n) {
		block.n = left < AS_SPAN_MAX ? left : AS_SPAN_MAX;
		if (!add_block(rows, &block))
			return false;
		block.addr += block.n * block.stride;
		block.le32 += block.n * sizeof(uint32_t);
	}
	return true;
}
