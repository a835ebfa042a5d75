/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a function, file by file, taken out of the profile to be put in order. */
#include "formats/callgrind/callgrind_write.h"

enum { RUN_AHEAD = 24, ROWS_AHEAD = 8, RANK_SHIFT = 32 };

/* Functions are not written in the order in which they were read, so their rows can be anywhere
 * in the profile's memory. */
static inline __attribute__((always_inline)) void cg_rows_prefetch(const struct cgw *w, size_t i)
{
	struct cgw_run r;

	if (i + RUN_AHEAD >= w->n_run_order)
		return;
	AS_PREFETCH(as_cgw_run_at(w, i + RUN_AHEAD));
	r = as_cgw_run(w, w->run_order[i + ROWS_AHEAD]);
	AS_PREFETCH(r.rows->chunk.p[r.run->chunk].p + r.run->off);
	AS_PREFETCH(&w->func_row[r.run->func.i]);
}

/* Take the row of CUR, whose values stand at the end of b->value. LEAST of them are looked at. */
static inline void take_row(struct cgw_block *b, const struct as_rows_cur *cur, uint32_t least,
	struct as_rows_packed *it)
{
	as_val *v = cur->v;
	uint32_t n = cur->n;

	*it = (struct as_rows_packed){
		.addr = cur->addr, .line = cur->line, .tag = (uint32_t)b->run.n - 1};
	if (!least && n <= 1) {
		it->value = n ? (uint64_t)v[0] : 0;
		if (AS_LIKELY(!n || (as_uval)v[0] <= UINT64_MAX))
			return;
	}
	for (; n < least; n++)
		v[n] = 0;
	it->value = b->value.n;
	it->n = n;
	b->value.n += n;
}

/* There is room for the items. */
static bool load_rows(struct cgw_block *b, struct as_rows_cur *cur, enum cgw_kind kind)
{
	static const uint32_t least[CGW_KINDS] = {
		[CGW_CALL] = AS_CALL_COST, [CGW_JUMP] = AS_JUMP_WIDTH};

	while (cur->left) {
		struct as_rows_packed *it = &b->item.p[b->item.n];
		uint32_t n = 0;

		if (kind == CGW_SELF)
			n = as_rows_next_packed(cur, it, UINT32_MAX, (uint32_t)b->run.n - 1);
		b->item.n += n;
		if (n)
			continue;
		if (!as_vec_reserve(b->w->al, &b->value, b->value.n + cur->rows->width + 1))
			return false;
		cur->v = b->value.p + b->value.n;
		if (!as_rows_next_short(cur))
			break;
		take_row(b, cur, least[kind], it);
		b->item.n++;
		if (kind == CGW_CALL)
			AS_PREFETCH(&b->w->func_row[(uint32_t)cur->v[AS_CALL_FUNC]]);
	}
	return true;
}

static bool load_run(struct cgw_block *b, uint32_t r, uint32_t file)
{
	struct cgw_run row = as_cgw_run(b->w, r);
	struct as_rows_cur cur;

	row.file = file;
	row.first = (uint32_t)b->item.n;
	if (row.run->n > UINT32_MAX - b->item.n || !as_vec_push(b->w->al, &b->run, row) ||
		!as_vec_reserve(b->w->al, &b->item, b->item.n + (size_t)row.run->n))
		return false;
	as_rows_begin(&cur, row.rows, row.run, NULL);
	return load_rows(b, &cur, row.kind);
}

/* Runs [FROM, TO) in the order of their files, as keys: the file's rank, then the run. */
static bool order_by_file(struct cgw_block *b, size_t from, size_t to)
{
	const struct cgw *w = b->w;
	uint32_t own = w->func_row[b->func.i].file.i;
	size_t n = to - from;

	if (!as_vec_reserve(w->al, &b->key, 2 * n + 1))
		return false;
	for (size_t i = from; i < to; i++) {
		const struct as_run *run = as_cgw_run_at(w, i);
		uint64_t rank = run->file.i == own ? 0 : (uint64_t)w->files.rank[run->file.i] + 1;

		cg_rows_prefetch(w, i);
		b->key.p[i - from] = rank << RANK_SHIFT | (i - from);
	}
	as_sort_numbers(b->key.p, n, b->key.p + n, RANK_SHIFT);
	return true;
}

bool as_cgw_load(struct cgw_block *b, size_t from, size_t to)
{
	uint64_t last = 0;
	uint32_t file = 0;

	b->run.n = b->item.n = b->value.n = 0;
	if (to - from >= UINT32_MAX || !order_by_file(b, from, to))
		return false;
	for (size_t i = 0; i < to - from; i++) {
		uint64_t rank = b->key.p[i] >> RANK_SHIFT;

		file += rank != last;
		last = rank;
		if (!load_run(b, b->w->run_order[from + (uint32_t)b->key.p[i]], file))
			return false;
	}
	return true;
}

bool as_cgw_spill(struct cgw_block *b, struct as_rows_packed *it)
{
	uint32_t n = it->n & ~AS_ROWS_PACKED;
	as_val *v;

	if (it->n && n == it->n)
		return true;
	n += !n;
	if (!as_vec_reserve(b->w->al, &b->value, b->value.n + n))
		return false;
	v = b->value.p + b->value.n;
	if (it->n)
		as_rows_unpack(it, v);
	else
		v[0] = (as_val)it->value;
	it->value = b->value.n;
	it->n = n;
	b->value.n += n;
	return true;
}

bool as_cgw_add_up(
	struct cgw_block *b, struct as_rows_packed *to, const struct as_rows_packed *from)
{
	static const uint32_t first[CGW_KINDS] = {
		[CGW_CALL] = AS_CALL_COUNT, [CGW_JUMP] = AS_JUMP_EXECUTED};
	struct as_rows_packed shorter = *from;
	as_val *v, *add;

	if (!to->n && !from->n && to->value <= UINT64_MAX - from->value) {
		to->value += from->value;
		return true;
	}
	if (!as_cgw_spill(b, to) || !as_cgw_spill(b, &shorter))
		return false;
	if (shorter.n > to->n) {
		struct as_rows_packed longer = shorter;

		shorter = *to;
		to->value = longer.value;
		to->n = longer.n;
	}
	v = b->value.p + to->value;
	add = b->value.p + shorter.value;
	for (uint32_t k = first[b->run.p[to->tag].kind]; k < shorter.n; k++)
		v[k] += add[k];
	return true;
}
