/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames, known by their text. It is looked at once, a word at a time: that finds its end and
 * makes its hash.
 */
#include "formats/folded/folded_read.h"

/* "f_[i]" to "f", for MARK 'i'. Blanks around a name are no part of it. */
static bool cut_mark(struct as_slice *name, char mark)
{
	size_t n = name->len;

	if (n <= 4 || name->p[n - 4] != '_' || name->p[n - 3] != '[' || name->p[n - 2] != mark ||
		name->p[n - 1] != ']')
		return false;
	name->len -= 4;
	*name = as_slice_trim(*name);
	return true;
}

static enum as_code folded_frames_object(
	struct as_folded_reader *r, const char *path, as_object *object)
{
	if (object->i)
		return AS_OK;
	return as_build_object(r->rd->out, as_slice_of(path), (struct as_slice){NULL, 0}, object);
}

static enum as_code add_frame(
	struct as_folded_reader *r, struct as_slice text, uint64_t hash, uint32_t to)
{
	struct as_folded_frame head = {(uint32_t)text.len, to};
	size_t at = r->frame.n, words = 1 + text.len / 8 + (text.len % 8 != 0);
	uint64_t *p;

	if (text.len > UINT32_MAX || at + words > UINT32_MAX - 1)
		return as_err_set(r->rd->err, AS_E_LIMIT, "the names of frames take 32 GiB");
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->frame, at + words) &&
						 as_index_add(&r->frames, hash, (uint32_t)at)));
	r->frame.n = at + words;
	p = r->frame.p + at;
	p[words - 1] = 0;
	memcpy(p, &head, sizeof(head));
	if (text.len)
		memcpy(p + 1, text.p, text.len);
	return AS_OK;
}

/* The function NAME, and where in it POS is if the name says so. */
static enum as_code find_code(
	const struct as_folded_reader *r, struct as_slice name, as_object in, struct as_pos *pos)
{
	struct as_build *b = r->rd->out;
	struct as_folded_python py;

	if (!as_folded_python(name, &py))
		return as_build_func(b, name, in, (as_file){0}, 0, &pos->func);
	AS_TRY(as_build_file(b, py.path, &pos->file));
	pos->line = r->rd->detail == AS_DETAIL_FUNC ? 0 : py.line;
	return as_build_func(b, py.name, in, pos->file, 0, &pos->func);
}

static AS_NOINLINE enum as_code new_frame(
	struct as_folded_reader *r, struct as_slice text, uint64_t hash, uint32_t *to)
{
	struct as_build *b = r->rd->out;
	struct as_slice name = as_slice_trim(text);
	struct as_pos pos = {.inlined = cut_mark(&name, 'i')};
	as_object in = {0};
	as_place place;

	if (cut_mark(&name, 'k')) {
		AS_TRY(folded_frames_object(r, AS_FOLDED_KERNEL, &r->kernel));
		in = r->kernel;
	} else if (cut_mark(&name, 'j')) {
		AS_TRY(folded_frames_object(r, AS_FOLDED_JIT, &r->jit));
		in = r->jit;
	}
	if (!name.len)
		AS_TRY(as_folded_find(r, AS_F_FO_FRAME_EMPTY, text, "a frame has no name"));
	else
		AS_TRY(find_code(r, name, in, &pos));
	if (r->rd->sums) {
		AS_TRY(as_err_memory(r->rd->err, as_sums_room(&r->sums, pos.func)));
		*to = pos.func.i << 1 | pos.inlined; /* 32 GiB of names are fewer than 2^31 */
	} else {
		AS_TRY(as_build_place(b, &pos, &place));
		*to = place.i;
	}
	return add_frame(r, text, hash, *to);
}

static inline uint64_t word_at(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* The first N bytes of a word in memory, 0 < N <= 8; the others become 0. */
static inline uint64_t first_bytes(uint64_t w, size_t n)
{
#if AS_LITTLE_ENDIAN
	return w & (UINT64_MAX >> (64 - 8 * n));
#else
	uint64_t some = 0;

	memcpy(&some, &w, n);
	return some;
#endif
}

#define ONES UINT64_C(0x0101010101010101)

/* A bit for each byte that is ';': of the bytes in front of the first one none is set. */
static inline uint64_t folded_frames_semicolons(uint64_t w)
{
	w ^= ONES * (unsigned char)';';
	return (w - ONES) & ~w & (ONES << 7);
}

/* How many bytes of the word at P stand before the first ';', if BITS say that there is one. */
static inline size_t before_semicolon(const char *p, uint64_t bits)
{
#if AS_LITTLE_ENDIAN
	(void)p;
	return bits ? (size_t)__builtin_ctzll(bits) / 8 : 8;
#else
	size_t n = 0;

	while (bits && n < 8 && p[n] != ';')
		n++;
	return bits ? n : 8;
#endif
}

/* The bytes of REST up to the first ';', and their hash. */
static inline size_t folded_frames_scan(struct as_slice rest, uint64_t *hash)
{
	const char *p = rest.p, *end = rest.p + rest.len;
	uint64_t h = 0;

	for (;; p += 8) {
		uint64_t w = word_at(p), bits = folded_frames_semicolons(w);
		size_t n;

		if (AS_LIKELY(!bits && end - p >= 8)) {
			h = as_hash_mix(h, w);
			continue;
		}
		n = before_semicolon(p, bits);
		if (n > (size_t)(end - p))
			n = (size_t)(end - p);
		*hash = n ? as_hash_mix(h, first_bytes(w, n)) : h;
		return (size_t)(p - rest.p) + n;
	}
}

/* OWN is filled up with zeros. */
static inline bool same_text(const uint64_t *own, const char *text, size_t n)
{
	for (; n >= 8; n -= 8, text += 8)
		if (*own++ != word_at(text))
			return false;
	return !n || *own == first_bytes(word_at(text), n);
}

static AS_NOINLINE enum as_code folded_frames_too_deep(
	struct as_folded_reader *r, struct as_slice stack)
{
	return as_rd_fail(r->rd, AS_E_LIMIT, r->base_off + (uint64_t)(stack.p - r->base), r->line,
		"the stack is deeper than %" PRIu64 " frames", r->rd->lim.depth);
}

enum as_code as_folded_frame_at(
	struct as_folded_reader *r, struct as_slice stack, size_t at, size_t *end, uint32_t *to)
{
	uint64_t hash, pos = AS_INDEX_START;
	struct as_slice text = as_slice_skip(stack, at);
	uint32_t i;

	if (AS_UNLIKELY(r->level.n >= r->rd->lim.depth))
		return folded_frames_too_deep(r, stack);
	text.len = folded_frames_scan(text, &hash);
	*end = at + text.len;
	while (as_index_find(&r->frames, hash, &pos, &i)) {
		const uint64_t *p = r->frame.p + i;
		struct as_folded_frame f;

		memcpy(&f, p, sizeof(f));
		if (AS_LIKELY(f.len == text.len && same_text(p + 1, text.p, text.len))) {
			*to = f.to;
			return AS_OK;
		}
	}
	return new_frame(r, text, hash, to);
}

/* ---- what a stack has in common with the last one ---- */

static size_t folded_frames_common(struct as_slice a, struct as_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len, i = 0;

	while (i + 8 <= n && word_at(a.p + i) == word_at(b.p + i))
		i += 8;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

size_t as_folded_keep_common(struct as_folded_reader *r, struct as_slice stack)
{
	size_t same = folded_frames_common(r->last, stack);

	r->last = stack;
	if (!stack.len)
		r->level.n = 0;
	while (r->level.n) {
		size_t end = r->level.p[r->level.n - 1].end;

		if (end <= same && (end == stack.len || stack.p[end] == ';'))
			return end + 1;
		r->level.n--;
	}
	return 0;
}
