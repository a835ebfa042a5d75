/* SPDX-License-Identifier: Apache-2.0 */
/* Rows one by one; stretches of rows are added in rows_span.c. */
#include "model/rows_impl.h"

enum {
	CHUNK_MIN = 4 * 1024,
	CHUNK_MAX = 256 * 1024,
};

void as_rows_init(struct as_rows *rows, const struct as_alloc *al, uint32_t width)
{
	*rows = (struct as_rows){.al = al, .width = width, .run_max = UINT32_MAX};
}

void as_rows_release(struct as_rows *rows)
{
	for (size_t i = 0; i < rows->chunk.n; i++)
		as_alloc_free(rows->al, rows->chunk.p[i].p, rows->chunk.p[i].cap);
	as_vec_free(rows->al, &rows->chunk);
	as_vec_free(rows->al, &rows->run);
}

bool as_rows_copy(struct as_rows *to, const struct as_rows *from, const struct as_run *run)
{
	as_assert(!to->run.n && !to->chunk.n && to->width == from->width);
	if (!as_vec_reserve(to->al, &to->run, from->run.n))
		return false;
	for (size_t i = 0; i < from->run.n; i++)
		if (run[i].n)
			to->run.p[to->run.n++] = run[i];
	for (size_t i = 0; i < from->chunk.n; i++) {
		struct as_rows_chunk chunk = from->chunk.p[i];

		chunk.p = to->al->resize(to->al->ctx, NULL, 0, chunk.cap);
		if (!chunk.p || !as_vec_push(to->al, &to->chunk, chunk)) {
			as_alloc_free(to->al, chunk.p, chunk.cap);
			return false;
		}
		memcpy(chunk.p, from->chunk.p[i].p, chunk.n);
	}
	to->n = from->n;
	to->last_line = from->last_line;
	to->last_addr = from->last_addr;
	to->counted = from->counted;
	return true;
}

static bool same_run(const struct as_run *a, const struct as_run *b)
{
	return a->part == b->part && a->func.i == b->func.i && a->file.i == b->file.i &&
	       a->inl.i == b->inl.i && a->sums == b->sums;
}

bool as_rows_run_like(struct as_rows *rows, const struct as_run *like)
{
	struct as_rows_chunk *last = rows->chunk.n ? &rows->chunk.p[rows->chunk.n - 1] : NULL;
	struct as_run run = *like;

	if (rows->run.n) {
		struct as_run *prev = &rows->run.p[rows->run.n - 1];

		if (same_run(prev, like))
			return true;
		if (prev->n == 0)
			rows->run.n--;
	}
	if (last) {
		run.chunk = (uint32_t)(rows->chunk.n - 1);
		run.off = last->n;
	}
	rows->last_line = rows->last_addr = 0;
	return as_vec_push(rows->al, &rows->run, run);
}

bool as_rows_run(struct as_rows *rows, uint32_t part, as_func func, as_file file, as_func inl)
{
	struct as_run run = {.part = part, .func = func, .file = file, .inl = inl};

	return as_rows_run_like(rows, &run);
}

static uint8_t *rows_grow(struct as_rows *rows, size_t size)
{
	struct as_rows_chunk fresh = {0};
	size_t cap = CHUNK_MIN;

	if (rows->chunk.n)
		cap = (size_t)rows->chunk.p[rows->chunk.n - 1].cap * 2;
	if (cap > CHUNK_MAX)
		cap = CHUNK_MAX;
	if (cap < size)
		cap = size;
	if (cap > UINT32_MAX || rows->chunk.n >= UINT32_MAX)
		return NULL;
	fresh.p = rows->al->resize(rows->al->ctx, NULL, 0, cap);
	fresh.cap = (uint32_t)cap;
	if (!fresh.p)
		return NULL;
	if (!as_vec_push(rows->al, &rows->chunk, fresh)) {
		as_alloc_free(rows->al, fresh.p, cap);
		return NULL;
	}
	return fresh.p;
}

/* The current run is full: another one like it. */
static bool next_run(struct as_rows *rows)
{
	struct as_run run = rows->run.p[rows->run.n - 1];

	run.n = 0;
	run.chunk = (uint32_t)(rows->chunk.n - 1);
	run.off = rows->chunk.p[run.chunk].n;
	rows->last_line = rows->last_addr = 0;
	return as_vec_push(rows->al, &rows->run, run);
}

uint8_t *as_rows_make_room(struct as_rows *rows, size_t size)
{
	struct as_rows_chunk *last = rows->chunk.n ? &rows->chunk.p[rows->chunk.n - 1] : NULL;

	if (as_rows_run_is_full(rows) && !next_run(rows))
		return NULL;
	return last && last->cap - last->n >= size ? last->p + last->n : rows_grow(rows, size);
}

static uint8_t *put_wide(uint8_t *p, as_uval v)
{
	while (v >> 63) {
		*p++ = (uint8_t)((uint64_t)v | 0x80);
		v >>= 7;
	}
	return as_put_varint(p, (uint64_t)v);
}

static uint64_t rows_unzigzag(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

/* A sum that does not fit leaves its row out, so the sum no longer stands for all of them. */
static inline void rows_count(struct as_rows_sum *counted, uint64_t v)
{
	if (AS_UNLIKELY(v > UINT64_MAX - counted->sum))
		return;
	counted->sum += v;
	counted->rows++;
}

bool as_rows_add_u64(
	struct as_rows *rows, uint64_t line, uint64_t addr, const uint64_t *v, uint32_t n)
{
	uint8_t *p;

	while (n && v[n - 1] == 0)
		n--;
	p = as_rows_room(rows, (size_t)(n + 3) * AS_VARINT_MAX);
	if (!p)
		return false;
	if (n == 1) {
		p = as_put_row(p, line - rows->last_line, addr - rows->last_addr, v[0]);
	} else {
		p = as_put_varint(p, (uint64_t)n * 2);
		p = as_put_varint(p, as_zigzag(line - rows->last_line));
		p = as_put_varint(p, as_zigzag(addr - rows->last_addr));
		for (uint32_t i = 0; i < n; i++)
			p = as_put_varint(p, v[i]);
	}
	as_rows_close(rows, p, line, addr);
	if (rows->width == 1)
		rows_count(&rows->counted, n ? v[0] : 0);
	return true;
}

bool as_rows_add(struct as_rows *rows, uint64_t line, uint64_t addr, const as_val *v, uint32_t n)
{
	uint64_t one = n ? (uint64_t)v[0] : 0;
	as_uval all = 0;
	bool negative;
	uint8_t *p;

	while (n && v[n - 1] == 0)
		n--;
	if (n <= 1 && (!n || v[0] == (as_val)one))
		return as_rows_add_u64(rows, line, addr, &one, n);
	for (uint32_t i = 0; i < n; i++)
		all |= (as_uval)v[i];
	negative = (as_val)all < 0;
	p = as_rows_room(rows, (size_t)(n + 3) * AS_VARINT_MAX);
	if (!p)
		return false;
	p = as_put_varint(p, (uint64_t)n * 2 + negative);
	p = as_put_varint(p, as_zigzag(line - rows->last_line));
	p = as_put_varint(p, as_zigzag(addr - rows->last_addr));
	for (uint32_t i = 0; all < 0x80 && i < n; i++)
		*p++ = (uint8_t)v[i];
	for (uint32_t i = 0; all >= 0x80 && i < n; i++)
		p = put_wide(
			p, negative ? (as_uval)v[i] << 1 ^ (as_uval)(v[i] >> 127) : (as_uval)v[i]);
	as_rows_close(rows, p, line, addr);
	return true;
}

struct as_rows_mark as_rows_mark(const struct as_rows *rows)
{
	return (struct as_rows_mark){
		.n_run = rows->run.n,
		.n_chunk = rows->chunk.n,
		.run = rows->run.n ? rows->run.p[rows->run.n - 1] : (struct as_run){0},
		.used = rows->chunk.n ? rows->chunk.p[rows->chunk.n - 1].n : 0,
		.n = rows->n,
		.last_line = rows->last_line,
		.last_addr = rows->last_addr,
		.counted = rows->counted,
	};
}

void as_rows_rewind(struct as_rows *rows, const struct as_rows_mark *mark)
{
	while (rows->chunk.n > mark->n_chunk) {
		struct as_rows_chunk *last = &rows->chunk.p[--rows->chunk.n];

		as_alloc_free(rows->al, last->p, last->cap);
	}
	if (mark->n_chunk)
		rows->chunk.p[mark->n_chunk - 1].n = mark->used;
	rows->run.n = mark->n_run;
	if (mark->n_run)
		rows->run.p[mark->n_run - 1] = mark->run;
	rows->n = mark->n;
	rows->last_line = mark->last_line;
	rows->last_addr = mark->last_addr;
	rows->counted = mark->counted;
}

static inline const uint8_t *get_long(const uint8_t *p, as_uval *v)
{
	as_uval x = 0;
	unsigned shift = 0;

	for (; *p >= 0x80; shift += 7)
		x |= (as_uval)(*p++ & 0x7f) << shift;
	*v = x | (as_uval)*p++ << shift;
	return p;
}

static inline bool is_span(const uint8_t *p)
{
	return *p == AS_SPAN_HEAD;
}

static inline const uint8_t *rows_get(const uint8_t *p, uint64_t *v)
{
	const uint8_t *next;
	as_uval wide;

	if (AS_LIKELY(*p < 0x80)) {
		*v = *p;
		return p + 1;
	}
	next = as_varint_get(p, v);
	if (AS_LIKELY(next))
		return next;
	next = get_long(p, &wide);
	*v = (uint64_t)wide;
	return next;
}

static inline const uint8_t *get_wide(const uint8_t *p, as_uval *v)
{
	const uint8_t *next;
	uint64_t narrow;

	if (AS_LIKELY(*p < 0x80)) {
		*v = *p;
		return p + 1;
	}
	next = as_varint_get(p, &narrow);
	if (AS_UNLIKELY(!next))
		return get_long(p, v);
	*v = narrow;
	return next;
}

void as_rows_begin(
	struct as_rows_cur *cur, const struct as_rows *rows, const struct as_run *run, as_val *v)
{
	*cur = (struct as_rows_cur){.rows = rows, .left = run->n, .sums = run->sums};
	cur->v = v;
	if (run->n)
		as_rows_enter(cur, run->chunk, run->off);
}

/* Take N values of the stretch, of which the last is a row. */
static void span_take(struct as_rows_cur *cur, uint32_t n)
{
	struct as_rows_view *span = &cur->span;

	cur->addr = span->addr + (n - 1) * span->stride;
	span->p += (size_t)n * span->size;
	span->addr += n * span->stride;
	span->n -= n;
}

/* The next value that is not zero; there is one, for the last is none. */
static void span_next(struct as_rows_cur *cur)
{
	uint32_t i = 0, v;

	do
		v = as_view_value(&cur->span, i++);
	while (!v);
	cur->v[0] = v;
	cur->span.rows--;
	span_take(cur, i);
}

/* Take the head of a stretch, at P. */
static void span_begin(struct as_rows_cur *cur, const uint8_t *p)
{
	uint64_t gap;

	p = rows_get(as_span_head(p, &cur->span, &gap), &cur->span.stride);
	cur->span.addr = cur->addr + gap;
	cur->span.p = p;
	cur->p = p + (size_t)cur->span.n * cur->span.size;
	cur->line = 0;
	cur->n = 1;
	for (uint32_t i = 1; i < cur->rows->width; i++)
		cur->v[i] = 0;
}

static inline as_val signed_value(uint64_t head, as_uval x)
{
	return head & 1 ? (as_val)(x >> 1 ^ -(x & 1)) : (as_val)x;
}

/* Where the lowest set bits of S are, and all below. */
static inline uint64_t up_to_lowest(uint64_t s)
{
	return s ^ (s - 1);
}

/* A row of one value in eight bytes, which is what most are, without a branch per number. NULL
 * if it is not one. */
static inline __attribute__((always_inline)) const uint8_t *short_row(
	const uint8_t *p, uint64_t *line, uint64_t *addr, as_val *v)
{
#if AS_VARINT_WORDS
	uint64_t w, l, a, c;

	memcpy(&w, p, sizeof(w));
	l = ~w & AS_VARINT_GO; /* where a number ends: the head, */
	l &= l - 1;            /* the line, */
	a = l & (l - 1);       /* the address, */
	c = a & (a - 1);       /* the value */
	if (AS_UNLIKELY((uint8_t)w != 2) || AS_UNLIKELY(!c))
		return NULL;
	*line += rows_unzigzag(as_varint_pack((w & up_to_lowest(l)) >> 8));
	*addr += rows_unzigzag(as_varint_pack((w & up_to_lowest(a)) >> (__builtin_ctzll(l) + 1)));
	*v = (as_val)as_varint_pack((w & up_to_lowest(c)) >> (__builtin_ctzll(a) + 1));
	return p + (unsigned)__builtin_ctzll(c) / 8 + 1;
#else
	(void)p;
	(void)line;
	(void)addr;
	(void)v;
	return NULL;
#endif
}

static const uint8_t *long_row(struct as_rows_cur *cur, const uint8_t *p)
{
	uint64_t head, d;

	p = rows_get(p, &head);
	p = rows_get(p, &d);
	cur->line += rows_unzigzag(d);
	p = rows_get(p, &d);
	cur->addr += rows_unzigzag(d);
	cur->n = (uint32_t)(head >> 1);
	for (uint32_t i = 0; i < cur->n; i++) {
		as_uval x;

		p = get_wide(p, &x);
		cur->v[i] = signed_value(head, x);
	}
	return p;
}

static inline __attribute__((always_inline)) bool rows_next_row(struct as_rows_cur *cur)
{
	const uint8_t *p;

	if (cur->sums)
		return as_rows_next_sum(cur);
	if (!cur->left)
		return false;
	cur->left--;
	if (cur->span.n) {
		span_next(cur);
		return true;
	}
	if (cur->p == cur->end)
		as_rows_enter(cur, cur->chunk + 1, 0);
	if (AS_UNLIKELY(is_span(cur->p))) {
		span_begin(cur, cur->p);
		span_next(cur);
		return true;
	}
	cur->n = 1;
	p = short_row(cur->p, &cur->line, &cur->addr, cur->v);
	cur->p = p ? p : long_row(cur, cur->p);
	return true;
}

bool as_rows_next_short(struct as_rows_cur *cur)
{
	return rows_next_row(cur);
}

#if AS_VARINT_WORDS
#define ROWS_EACH UINT64_C(0x0101010101010101)

/* Past N varints at P; N is not 0. */
static inline const uint8_t *rows_skip_words(const uint8_t *p, uint32_t n)
{
	uint64_t w, sums;

	/* The bytes of SUMS say how many numbers end up to there. */
	for (;; p += sizeof(w), n -= (uint32_t)(sums >> 56)) {
		memcpy(&w, p, sizeof(w));
		sums = ((~w & AS_VARINT_GO) >> 7) * ROWS_EACH;
		if (n <= sums >> 56)
			break;
	}
	w = sums ^ n * ROWS_EACH;
	w = (w - ROWS_EACH) & ~w & AS_VARINT_GO; /* the lowest is where they are N first */
	return p + (unsigned)__builtin_ctzll(w) / 8 + 1;
}
#endif

/* A row whose values stay where they are, unless there is one only. NULL if it is none. */
static inline __attribute__((always_inline)) const uint8_t *packed_row(
	const uint8_t *p, uint64_t *line, uint64_t *addr, struct as_rows_packed *row)
{
#if AS_VARINT_WORDS
	uint64_t w, l, a, c;
	const uint8_t *next;

	memcpy(&w, p, sizeof(w));
	l = ~w & AS_VARINT_GO; /* as in short_row() */
	l &= l - 1;
	a = l & (l - 1);
	c = a & (a - 1);
	if (AS_UNLIKELY(w & 0x81) || AS_UNLIKELY(!(c | (a && (uint8_t)w != 2))))
		return NULL;
	next = p + (unsigned)__builtin_ctzll(a) / 8 + 1;
	*line += rows_unzigzag(as_varint_pack((w & up_to_lowest(l)) >> 8));
	if (AS_LIKELY(next[-2] < 0x80)) /* what nearly all are that follow another */
		*addr += rows_unzigzag(next[-1]);
	else
		*addr += rows_unzigzag(
			as_varint_pack((w & up_to_lowest(a)) >> (__builtin_ctzll(l) + 1)));
	row->line = *line;
	row->addr = *addr;
	row->n = 0;
	row->value = 0;
	if ((uint8_t)w == 2) {
		row->value = as_varint_pack((w & up_to_lowest(c)) >> (__builtin_ctzll(a) + 1));
		next = p + (unsigned)__builtin_ctzll(c) / 8 + 1;
	} else if ((uint8_t)w) {
		row->n = (uint8_t)w >> 1 | AS_ROWS_PACKED;
		row->packed = next;
		next = rows_skip_words(next, (uint8_t)w >> 1);
	}
	return next;
#else
	(void)p;
	(void)line;
	(void)addr;
	(void)row;
	return NULL;
#endif
}

void as_rows_unpack(const struct as_rows_packed *row, as_val *v)
{
	const uint8_t *p = row->packed;

	for (uint32_t i = 0; i < (row->n & ~AS_ROWS_PACKED); i++) {
		as_uval x;

		p = get_wide(p, &x);
		v[i] = (as_val)x;
	}
}

uint32_t as_rows_next_packed(
	struct as_rows_cur *cur, struct as_rows_packed *row, uint32_t max, uint32_t tag)
{
	uint64_t line = cur->line, addr = cur->addr;
	const uint8_t *p = cur->p, *next;
	uint32_t n = 0;

	if (cur->sums || cur->span.n)
		return 0;
	if (max > cur->left)
		max = (uint32_t)cur->left;
	for (; n < max; p = next, n++) {
		if (AS_UNLIKELY(p == cur->end)) {
			as_rows_enter(cur, cur->chunk + 1, 0);
			p = cur->p;
		}
		next = packed_row(p, &line, &addr, &row[n]);
		if (AS_UNLIKELY(!next))
			break;
		row[n].tag = tag;
	}
	cur->p = p;
	cur->line = line;
	cur->addr = addr;
	cur->left -= n;
	return n;
}

static inline __attribute__((always_inline)) bool next_full_row(struct as_rows_cur *cur)
{
	if (!rows_next_row(cur))
		return false;
	if (cur->n < cur->rows->width)
		memset(cur->v + cur->n, 0, (cur->rows->width - cur->n) * sizeof(*cur->v));
	return true;
}

bool as_rows_next(struct as_rows_cur *cur)
{
	return next_full_row(cur);
}

bool as_rows_next_view(struct as_rows_cur *cur, struct as_rows_view *view)
{
	if (!cur->span.n) {
		view->n = 0;
		if (!cur->left)
			return false;
		if (cur->sums)
			return next_full_row(cur);
		if (cur->p == cur->end)
			as_rows_enter(cur, cur->chunk + 1, 0);
		if (!is_span(cur->p))
			return next_full_row(cur);
		span_begin(cur, cur->p);
	}
	*view = cur->span;
	cur->left -= view->rows;
	span_take(cur, view->n);
	return true;
}

static const uint8_t *rows_skip(const uint8_t *p)
{
	while (*p++ & 0x80)
		;
	return p;
}

static const uint8_t *add_span(const uint8_t *p, as_val *total)
{
	struct as_rows_view view;
	uint64_t gap;

	view.p = rows_skip(as_span_head(p, &view, &gap));
	total[0] += as_view_sum(&view);
	return view.p + (size_t)view.n * view.size;
}

static const uint8_t *add_row(const uint8_t *p, as_val *total)
{
	uint64_t head, n;
	as_uval x;

	p = rows_skip(rows_skip(rows_get(p, &head)));
	n = head >> 1;
	for (uint64_t i = 0; i < n; i++) {
		p = get_wide(p, &x);
		total[i] += signed_value(head, x);
	}
	return p;
}

/* The first value of a row. */
static const uint8_t *add_first(const uint8_t *p, as_val *total)
{
	uint64_t head, line = 0, addr = 0;
	const uint8_t *next;
	as_val v;
	as_uval x;

	next = short_row(p, &line, &addr, &v);
	if (AS_LIKELY(next)) {
		*total += v;
		return next;
	}
	p = rows_skip(rows_skip(rows_get(p, &head)));
	if (head < 2)
		return p;
	p = get_wide(p, &x);
	*total += signed_value(head, x);
	for (uint64_t i = 1; i < head >> 1; i++)
		p = rows_skip(p);
	return p;
}

as_val as_rows_first(const struct as_rows *rows, const struct as_run *run)
{
	struct as_rows_cur cur;
	struct as_rows_view view;
	as_val sum = 0;
	uint64_t gap;

	as_rows_begin(&cur, rows, run, NULL);
	while (cur.left) {
		if (cur.p == cur.end)
			as_rows_enter(&cur, cur.chunk + 1, 0);
		if (is_span(cur.p)) {
			(void)as_span_head(cur.p, &view, &gap);
			cur.p = add_span(cur.p, &sum);
			cur.left -= view.rows;
		} else {
			cur.p = add_first(cur.p, &sum);
			cur.left--;
		}
	}
	return sum;
}

void as_rows_total(const struct as_rows *rows, as_val *total)
{
	if (rows->n && rows->counted.rows == rows->n) {
		total[0] += rows->counted.sum;
		return;
	}
	for (size_t c = 0; c < rows->chunk.n; c++) {
		const uint8_t *p = rows->chunk.p[c].p, *end = p + rows->chunk.p[c].n;

		while (p < end)
			p = is_span(p) ? add_span(p, total) : add_row(p, total);
	}
}
