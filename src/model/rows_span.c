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
	/* Values of one byte use a quarter of the room: their readers may look behind them. */
	RECORD_MAX = AS_SPAN_GAP + 8 + AS_VARINT_MAX + 4 * AS_SPAN_MAX,
	FEW = 2, /* so few rows take less space when they are stored one by one */
};

/* What is known of the counts of a record once they have been looked at. */
struct facts {
	uint32_t any; /* all of them or-ed */
	uint32_t rows;
	uint64_t sum;
	uint32_t most; /* the largest */
};

static uint32_t load_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#if defined(__SSE2__)

static uint32_t or_lanes(__m128i v)
{
	v = _mm_or_si128(v, _mm_srli_si128(v, 8));
	v = _mm_or_si128(v, _mm_srli_si128(v, 4));
	return (uint32_t)_mm_cvtsi128_si32(v);
}

static uint32_t add_bytes(__m128i v)
{
	v = _mm_sad_epu8(v, _mm_setzero_si128());
	return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(v, _mm_srli_si128(v, 8)));
}

static uint8_t max_byte(__m128i v)
{
	v = _mm_max_epu8(v, _mm_srli_si128(v, 8));
	v = _mm_max_epu8(v, _mm_srli_si128(v, 4));
	v = _mm_max_epu8(v, _mm_srli_si128(v, 2));
	v = _mm_max_epu8(v, _mm_srli_si128(v, 1));
	return (uint8_t)_mm_cvtsi128_si32(v);
}

struct lanes {
	__m128i any, sum, none, most; /* or-ed; added up; how many are zero; largest */
};

/* Four counts from LE32 on; zeros for those from LEFT on. */
static inline __m128i rows_span_some(const uint8_t *le32, int left)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)le32);

	return _mm_and_si128(v, _mm_cmplt_epi32(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(left)));
}

/* A group of sixteen. */
static inline void pack_group(
	struct lanes *l, uint8_t *out, __m128i a, __m128i b, __m128i c, __m128i d)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i v = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));

	l->any = _mm_or_si128(l->any, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
	l->sum = _mm_add_epi64(l->sum, _mm_sad_epu8(v, zero));
	l->none = _mm_sub_epi8(l->none, _mm_cmpeq_epi8(v, zero));
	l->most = _mm_max_epu8(l->most, v);
	_mm_storeu_si128((__m128i *)(void *)out, v);
}

/* N <= AS_SPAN_MAX counts to OUT, a byte each, and what they are like, if all fit. OUT has room for
 * whole groups, and whole groups can be read. */
static struct facts pack_bytes(uint8_t *out, const uint8_t *le32, size_t n)
{
	struct lanes l;
	size_t g = 0;
	int left;

	l.any = l.sum = l.none = l.most = _mm_setzero_si128();
	for (; g + GROUP <= n; g += GROUP, le32 += 4 * GROUP)
		pack_group(&l, out + g, rows_span_some(le32, 4), rows_span_some(le32 + 16, 4),
			rows_span_some(le32 + 32, 4), rows_span_some(le32 + 48, 4));
	left = (int)(n - g);
	if (left) {
		pack_group(&l, out + g, rows_span_some(le32, left),
			rows_span_some(le32 + 16, left - 4), rows_span_some(le32 + 32, left - 8),
			rows_span_some(le32 + 48, left - 12));
		g += GROUP;
	}
	l.sum = _mm_add_epi64(l.sum, _mm_srli_si128(l.sum, 8));
	return (struct facts){or_lanes(l.any), (uint32_t)g - add_bytes(l.none),
		(uint32_t)_mm_cvtsi128_si32(l.sum), max_byte(l.most)};
}

/* The same for counts of fifteen bits, two bytes each. */
static struct facts pack_shorts(uint8_t *out, const uint8_t *le32, size_t n)
{
	const __m128i zero = _mm_setzero_si128();
	struct facts f = {0};
	__m128i sum = zero, none = zero, most = zero;
	size_t g;

	for (g = 0; g < n; g += GROUP / 2, le32 += 4 * GROUP / 2) {
		__m128i a = rows_span_some(le32, (int)(n - g)),
			b = rows_span_some(le32 + 16, (int)(n - g) - 4);
		__m128i v = _mm_packs_epi32(a, b);

		sum = _mm_add_epi32(sum, _mm_add_epi32(a, b));
		none = _mm_sub_epi16(none, _mm_cmpeq_epi16(v, zero));
		most = _mm_max_epi16(most, v);
		_mm_storeu_si128((__m128i *)(void *)(out + g * sizeof(uint16_t)), v);
	}
	sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 8));
	sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 4));
	most = _mm_max_epi16(most, _mm_srli_si128(most, 8));
	most = _mm_max_epi16(most, _mm_srli_si128(most, 4));
	most = _mm_max_epi16(most, _mm_srli_si128(most, 2));
	f.rows = (uint32_t)g - add_bytes(none);
	f.sum = (uint32_t)_mm_cvtsi128_si32(sum);
	f.most = (uint16_t)_mm_cvtsi128_si32(most);
	return f;
}

/* N bytes, added up; fifteen more can be read. */
static uint64_t rows_span_sum_bytes(const uint8_t *p, uint32_t n)
{
	__m128i sum = _mm_setzero_si128();

	for (uint32_t i = 0; i < n; i += GROUP) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i at = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
		int left = n - i < GROUP ? (int)(n - i) : GROUP;

		v = _mm_and_si128(v, _mm_cmplt_epi8(at, _mm_set1_epi8((char)left)));
		sum = _mm_add_epi64(sum, _mm_sad_epu8(v, _mm_setzero_si128()));
	}
	sum = _mm_add_epi64(sum, _mm_srli_si128(sum, 8));
	return (uint32_t)_mm_cvtsi128_si32(sum);
}

#else

static uint64_t rows_span_sum_bytes(const uint8_t *p, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static struct facts pack_bytes(uint8_t *out, const uint8_t *le32, size_t n)
{
	struct facts f = {0};

	for (size_t i = 0; i < n; i++) {
		uint32_t v = load_le32(le32 + 4 * i);

		f.any |= v;
		f.rows += v != 0;
		f.sum += v;
		f.most = v > f.most ? v : f.most;
		out[i] = (uint8_t)v;
	}
	return f;
}

#endif

/* Counts of any size, SIZE bytes each: 2 or 4. */
static struct facts pack_wide(uint8_t *out, const uint8_t *le32, size_t n, uint32_t size)
{
	struct facts f = {0};

	for (size_t i = 0; i < n; i++) {
		uint32_t v = load_le32(le32 + 4 * i);
		uint16_t w = (uint16_t)v;

		f.rows += v != 0;
		f.sum += v;
		f.most = v > f.most ? v : f.most;
		if (size == sizeof(w))
			memcpy(out + i * sizeof(w), &w, sizeof(w));
		else
			memcpy(out + i * sizeof(v), &v, sizeof(v));
	}
	return f;
}

/* Pack them in as few bytes each as the largest needs, which are SIZE. */
static struct facts rows_span_pack(uint8_t *out, const uint8_t *le32, size_t n, uint32_t *size)
{
	struct facts f = pack_bytes(out, le32, n);

	*size = 1;
	if (AS_LIKELY(f.any <= UINT8_MAX))
		return f;
	*size = f.any <= UINT16_MAX ? sizeof(uint16_t) : sizeof(uint32_t);
#if defined(__SSE2__)
	if (f.any <= INT16_MAX)
		return pack_shorts(out, le32, n);
#endif
	return pack_wide(out, le32, n, *size);
}

static uint8_t *rows_span_put_head(uint8_t *p, uint64_t gap, uint64_t stride)
{
	uint32_t near = (uint32_t)gap;

	*p = AS_SPAN_HEAD;
	if (AS_LIKELY(near == gap)) {
		p[3] = 1;
		memcpy(p + AS_SPAN_GAP, &near, sizeof(near));
		p += AS_SPAN_GAP + sizeof(near);
	} else {
		p[3] = 1 | AS_SPAN_FAR;
		memcpy(p + AS_SPAN_GAP, &gap, sizeof(gap));
		p += AS_SPAN_GAP + sizeof(gap);
	}
	return as_put_varint(p, stride);
}

uint64_t as_view_sum(const struct as_rows_view *view)
{
	uint64_t sum = 0;

	if (view->size == 1)
		return rows_span_sum_bytes(view->p, view->n);
	for (uint32_t i = 0; i < view->n; i++)
		sum += as_view_value(view, i);
	return sum;
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

/* The record at P, whose values are in place, is that of VIEW. */
static inline void rows_span_close(
	struct as_rows *rows, uint8_t *p, const struct as_rows_view *view, uint64_t sum)
{
	uint16_t most = view->most < UINT16_MAX ? (uint16_t)view->most : UINT16_MAX;

	p[1] = (uint8_t)view->n;
	p[2] = (uint8_t)view->rows;
	p[3] = (uint8_t)((p[3] & AS_SPAN_FAR) | view->size);
	memcpy(p + 4, &most, sizeof(most));
	as_rows_close(rows, view->p + (size_t)view->n * view->size, 0,
		view->addr + (view->n - 1) * view->stride);
	rows->run.p[rows->run.n - 1].n += view->rows - 1; /* at most run_max: as_rows_room() */
	rows->n += view->rows - 1;
	rows->counted.rows += view->rows;
	rows->counted.sum += sum;
}

bool as_rows_add_view(struct as_rows *rows, const struct as_rows_view *view)
{
	uint8_t *p = as_rows_room(rows, RECORD_MAX), *values;
	struct as_rows_view own = *view;

	if (!p)
		return false;
	values = rows_span_put_head(p, view->addr - rows->last_addr, view->stride);
	memcpy(values, view->p, (size_t)view->n * view->size);
	own.p = values;
	rows_span_close(rows, p, &own, as_view_sum(view));
	return true;
}

/* One record of at most AS_SPAN_MAX counts; none when all are zero. */
static bool rows_span_add_block(struct as_rows *rows, const struct as_rows_span *span)
{
	uint8_t *p = as_rows_room(rows, RECORD_MAX), *counts;
	struct as_rows_view view;
	size_t n = span->n;
	uint32_t size;
	struct facts f;

	if (!p)
		return false;
	counts = rows_span_put_head(p, span->addr - rows->last_addr, span->stride);
	f = rows_span_pack(counts, span->le32, n, &size);
	if (f.rows <= FEW)
		return add_one_by_one(rows, span);
	while (load_le32(span->le32 + 4 * (n - 1)) == 0)
		n--;
	view = (struct as_rows_view){
		span->addr, span->stride, counts, (uint32_t)n, f.rows, size, f.most};
	rows_span_close(rows, p, &view, f.sum);
	return true;
}

bool as_rows_add_span(struct as_rows *rows, const struct as_rows_span *span)
{
	struct as_rows_span block = *span;

	if (span->n <= FEW)
		return add_one_by_one(rows, span);
	for (size_t left = span->n; left; left -= block.n) {
		block.n = left < AS_SPAN_MAX ? left : AS_SPAN_MAX;
		if (!rows_span_add_block(rows, &block))
			return false;
		block.addr += block.n * block.stride;
		block.le32 += block.n * sizeof(uint32_t);
	}
	return true;
}
