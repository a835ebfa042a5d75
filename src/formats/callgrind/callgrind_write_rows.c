/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a function, file by file, taken out of the profile to be put in order. */
#include "formats/callgrind/callgrind_write.h"

enum { ONES = 32 };
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
static inline void take_row(
	struct cgw_block *b, const struct as_rows_cur *cur, uint32_t least, struct cgw_item *it)
{
	as_val *v = cur->v;
	uint32_t n = cur->n;

	it->addr = cur->addr;
	it->line = cur->line;
	it->run = (uint32_t)b->run.n - 1;
	if (!least && n <= 1) {
		it->n = 0;
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

static inline void cg_rows_stretch(
	struct as_pos *low, struct as_pos *high, uint64_t line, uint64_t addr)
{
	low->addr = addr < low->addr ? addr : low->addr;
	low->line = line < low->line ? line : low->line;
	high->addr = addr > high->addr ? addr : high->addr;
	high->line = line > high->line ? line : high->line;
}

/* The rows of one value that come next. There is room for the items. */
static uint32_t load_ones(struct cgw_block *b, struct as_rows_cur *cur)
{
	struct as_rows_one one[ONES];
	struct cgw_item *it = b->item.p + b->item.n;
	struct as_pos low = b->low, high = b->high;
	uint32_t n = as_rows_next_ones(cur, one, ONES), run = (uint32_t)b->run.n - 1;

	for (uint32_t i = 0; i < n; i++) {
		it[i] = (struct cgw_item){.addr = one[i].addr,
			.line = one[i].line,
			.value = one[i].value,
			.run = run};
		cg_rows_stretch(&low, &high, one[i].line, one[i].addr);
	}
	b->low = low;
	b->high = high;
	b->item.n += n;
	return n;
}

/* There is room for the items. */
static bool load_rows(struct cgw_block *b, struct as_rows_cur *cur, enum cgw_kind kind)
{
	static const uint32_t least[CGW_KINDS] = {
		[CGW_CALL] = AS_CALL_COST, [CGW_JUMP] = AS_JUMP_WIDTH};

	while (cur->left) {
		if (kind == CGW_SELF && load_ones(b, cur))
			continue;
		if (!as_vec_reserve(b->w->al, &b->value, b->value.n + cur->rows->width + 1))
			return false;
		cur->v = b->value.p + b->value.n;
		if (!as_rows_next_short(cur))
			break;
		take_row(b, cur, least[kind], &b->item.p[b->item.n++]);
		if (kind == CGW_CALL)
			AS_PREFETCH(&b->w->func_row[(uint32_t)cur->v[AS_CALL_FUNC]]);
		cg_rows_stretch(&b->low, &b->high, cur->line, cur->addr);
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
	uint64_t last = 0;
	bool sorted = true;
	size_t n = to - from;

	if (!as_vec_reserve(w->al, &b->key, 2 * n + 1))
		return false;
	for (size_t i = from; i < to; i++) {
		const struct as_run *run = as_cgw_run_at(w, i);
		uint64_t rank = run->file.i == own ? 0 : (uint64_t)w->files.rank[run->file.i] + 1;

		cg_rows_prefetch(w, i);
		b->key.p[i - from] = rank << RANK_SHIFT | (i - from);
		sorted &= rank >= last;
		last = rank;
	}
	if (!sorted)
		as_cgw_sort_keys(b->key.p, n, b->key.p + n, RANK_SHIFT);
	return true;
}

bool as_cgw_load(struct cgw_block *b, size_t from, size_t to)
{
	uint64_t last = 0;
	uint32_t file = 0;

	b->run.n = b->item.n = b->value.n = 0;
	b->low = (struct as_pos){.line = UINT64_MAX, .addr = UINT64_MAX};
	b->high = (struct as_pos){0};
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

/* The only value of IT goes to where there can be more. */
static bool cg_rows_spill(struct cgw_block *b, struct cgw_item *it)
{
	if (it->n)
		return true;
	if (!as_vec_push(b->w->al, &b->value, (as_val)it->value))
		return false;
	it->value = b->value.n - 1;
	it->n = 1;
	return true;
}

bool as_cgw_add_up(struct cgw_block *b, struct cgw_item *to, const struct cgw_item *from)
{
	static const uint32_t first[CGW_KINDS] = {
		[CGW_CALL] = AS_CALL_COUNT, [CGW_JUMP] = AS_JUMP_EXECUTED};
	struct cgw_item shorter = *from;
	as_val *v, *add;

	if (!to->n && !from->n && to->value <= UINT64_MAX - from->value) {
		to->value += from->value;
		return true;
	}
	if (!cg_rows_spill(b, to) || !cg_rows_spill(b, &shorter))
		return false;
	if (shorter.n > to->n) {
		struct cgw_item longer = shorter;

		shorter = *to;
		to->value = longer.value;
		to->n = longer.n;
	}
	v = b->value.p + to->value;
	add = b->value.p + shorter.value;
	for (uint32_t k = first[b->run.p[to->run].kind]; k < shorter.n; k++)
		v[k] += add[k];
	return true;
}
