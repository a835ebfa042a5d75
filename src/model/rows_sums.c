/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of sums, which calls at function detail are. A file of a hundred megabytes has a million
 * of them, and how long their numbers are cannot be guessed: so the lengths stand before the
 * numbers, and neither writing nor reading one takes a branch that depends on them.
 */
#include "model/rows_impl.h"

enum { FIRST = 4, WORD = 8 };

static inline size_t sizes_len(uint32_t n)
{
	return (n + 1) / 2;
}

bool as_rows_run_sums(struct as_rows *rows, uint32_t part, as_func func, as_file file, uint32_t n)
{
	struct as_run run = {.part = part, .func = func, .file = file, .sums = n};

	return as_rows_run_like(rows, &run);
}

static inline void rows_sums_put_word(uint8_t *p, uint64_t v)
{
#if AS_LITTLE_ENDIAN
	memcpy(p, &v, sizeof(v));
#else
	for (unsigned i = 0; i < WORD; i++)
		p[i] = (uint8_t)(v >> 8 * i);
#endif
}

/* The lowest SIZE bytes of the word at P; WORD bytes are readable. */
static inline uint64_t get_sized(const uint8_t *p, unsigned size)
{
	static const uint64_t mask[WORD + 1] = {0, 0xff, 0xffff, 0xffffff, UINT32_MAX,
		UINT64_C(0xffffffffff), UINT64_C(0xffffffffffff), UINT64_C(0xffffffffffffff),
		UINT64_MAX};
	uint64_t v = 0;

#if AS_LITTLE_ENDIAN
	memcpy(&v, p, sizeof(v));
#else
	for (unsigned i = 0; i < WORD; i++)
		v |= (uint64_t)p[i] << 8 * i;
#endif
	return v & mask[size];
}

static inline unsigned size_of(uint64_t v)
{
	return v ? WORD - (unsigned)__builtin_clzll(v) / 8 : 0;
}

bool as_rows_add_sum(struct as_rows *rows, uint32_t first, const uint64_t *v)
{
	uint32_t n = rows->run.p[rows->run.n - 1].sums;
	uint8_t *p = as_rows_room(rows, FIRST + sizes_len(n) + (size_t)n * WORD), *sizes, *out;

	if (!p)
		return false;
	memcpy(p, &first, sizeof(first));
	sizes = p + FIRST;
	out = sizes + sizes_len(n);
	for (uint32_t i = 0; i < n; i += 2) {
		unsigned low = size_of(v[i]), high = 0;

		rows_sums_put_word(out, v[i]);
		out += low;
		if (i + 1 < n) {
			high = size_of(v[i + 1]);
			rows_sums_put_word(out, v[i + 1]);
			out += high;
		}
		*sizes++ = (uint8_t)(low | high << 4);
	}
	as_rows_close(rows, out, 0, 0);
	return true;
}

static inline unsigned size_at(const uint8_t *sizes, uint32_t i)
{
	return sizes[i / 2] >> (i & 1) * 4 & 15;
}

/* The next row, or NULL. */
static inline const uint8_t *next_at(struct as_rows_cur *cur)
{
	if (!cur->left)
		return NULL;
	cur->left--;
	if (AS_UNLIKELY(cur->p == cur->end))
		as_rows_enter(cur, cur->chunk + 1, 0);
	return cur->p;
}

bool as_rows_next_sum(struct as_rows_cur *cur)
{
	const uint8_t *p = next_at(cur), *sizes;
	as_val *v = cur->v;
	uint32_t first;

	if (!p)
		return false;
	memcpy(&first, p, sizeof(first));
	sizes = p + FIRST;
	p = sizes + sizes_len(cur->sums);
	v[0] = first;
	v[1] = v[2] = 0;
	for (uint32_t i = 0; i < cur->sums; i++) {
		unsigned size = size_at(sizes, i);

		v[3 + i] = (as_val)get_sized(p, size);
		p += size;
	}
	cur->n = 3 + cur->sums;
	cur->p = p;
	return true;
}

/* Past the row at P, without looking at its values. */
static const uint8_t *skip_sum(const uint8_t *p, uint32_t n)
{
	const uint8_t *sizes = p + FIRST;

	p = sizes + sizes_len(n);
	for (uint32_t i = 0; i < n; i++)
		p += size_at(sizes, i);
	return p;
}

static bool all_are_sums(const struct as_rows *rows)
{
	for (size_t r = 0; r < rows->run.n; r++)
		if (!rows->run.p[r].sums)
			return false;
	return true;
}

static void rename_first(struct as_rows *rows, const struct as_run *run, const uint32_t *map)
{
	struct as_rows_cur cur;
	const uint8_t *p;

	as_rows_begin(&cur, rows, run, NULL);
	while ((p = next_at(&cur))) {
		struct as_rows_chunk *chunk = &rows->chunk.p[cur.chunk];
		uint32_t first;

		memcpy(&first, p, sizeof(first));
		memcpy(chunk->p + (p - chunk->p), &map[first], sizeof(first));
		cur.p = skip_sum(p, run->sums);
	}
}

bool as_rows_take_sums(struct as_rows *to, struct as_rows *from, const uint32_t *map)
{
	uint32_t before = (uint32_t)to->chunk.n;

	if (!all_are_sums(from) || to->chunk.n + from->chunk.n > UINT32_MAX ||
		!as_vec_reserve(to->al, &to->chunk, to->chunk.n + from->chunk.n) ||
		!as_vec_reserve(to->al, &to->run, to->run.n + from->run.n))
		return false;
	for (size_t r = 0; r < from->run.n; r++) {
		struct as_run run = from->run.p[r];

		if (!run.n)
			continue;
		rename_first(from, &run, map);
		run.chunk += before;
		to->run.p[to->run.n++] = run;
	}
	for (size_t c = 0; c < from->chunk.n; c++)
		to->chunk.p[to->chunk.n++] = from->chunk.p[c];
	to->n += from->n;
	from->n = from->chunk.n = from->run.n = 0;
	return true;
}
