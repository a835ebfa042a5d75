/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/change.h"

#include "base/pool.h"
#include "base/sort.h"
#include "change/kit/compact.h"

/* The rows of all runs of one function and file, decoded. */
struct batch {
	const struct as_alloc *al;
	uint32_t width, n_keys;
	AS_VEC(uint64_t) line;
	AS_VEC(uint64_t) addr;
	AS_VEC(as_val) v;
	AS_VEC(uint32_t) order;
	bool ascends; /* they are in order, and no two are one */
	struct as_counts *counts;
};

static int run_cmp(const struct as_run *a, const struct as_run *b)
{
	int cmp = as_cmp_u64(a->part, b->part);

	cmp = cmp ? cmp : as_cmp_u64(a->func.i, b->func.i);
	cmp = cmp ? cmp : as_cmp_u64(a->file.i, b->file.i);
	return cmp ? cmp : as_cmp_u64(a->inl.i, b->inl.i);
}

static int runs_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_run *run = ctx;

	return run_cmp(&run[a], &run[b]);
}

static int batch_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct batch *t = ctx;
	int cmp = as_cmp_u64(t->line.p[a], t->line.p[b]);

	cmp = cmp ? cmp : as_cmp_u64(t->addr.p[a], t->addr.p[b]);
	for (uint32_t k = 0; !cmp && k < t->n_keys; k++) {
		as_val va = t->v.p[(size_t)a * t->width + k];
		as_val vb = t->v.p[(size_t)b * t->width + k];

		cmp = va < vb ? -1 : va > vb;
	}
	return cmp;
}

static bool compact_load_run(struct batch *t, const struct as_rows *rows, const struct as_run *run)
{
	struct as_rows_cur cur;
	size_t n = t->line.n;

	if (run->n > UINT32_MAX - n || run->n > SIZE_MAX / 64 / (t->width + 1))
		return false;
	if (!as_vec_reserve(t->al, &t->line, n + run->n + 1) ||
		!as_vec_reserve(t->al, &t->addr, n + run->n + 1) ||
		!as_vec_reserve(t->al, &t->order, n + run->n + 1) ||
		!as_vec_reserve(t->al, &t->v, (n + run->n) * t->width + 1))
		return false;
	as_rows_begin(&cur, rows, run, t->v.p + n * t->width);
	for (; as_rows_next(&cur); n++) {
		t->line.p[n] = cur.line;
		t->addr.p[n] = cur.addr;
		t->order.p[n] = (uint32_t)n;
		t->ascends &= !n || cur.line > t->line.p[n - 1] ||
			      (cur.line == t->line.p[n - 1] && cur.addr > t->addr.p[n - 1]);
		cur.v += t->width;
	}
	as_assert(n == t->line.n + run->n);
	t->line.n = t->addr.n = t->order.n = n;
	return true;
}

static bool compact_flush(struct batch *t, struct as_rows *to)
{
	size_t n = t->line.n;
	uint32_t width = t->width;

	if (!t->ascends && !as_sort_rows(t->al, t->order.p, n, batch_cmp, t))
		return false;
	for (size_t i = 0; i < n;) {
		uint32_t first = t->order.p[i++];
		as_val *v = t->v.p + (size_t)first * width;

		for (; !t->ascends && i < n && batch_cmp(t, first, t->order.p[i]) == 0; i++)
			for (uint32_t k = t->n_keys; k < width; k++)
				v[k] += t->v.p[(size_t)t->order.p[i] * width + k];
		if (!as_rows_add(to, t->line.p[first], t->addr.p[first], v, width))
			return false;
	}
	t->line.n = t->addr.n = t->order.n = 0;
	t->ascends = true;
	return true;
}

static bool compact_rewrite(const struct as_rows *rows, const struct as_run *run,
	const uint32_t *order, struct batch *t, struct as_rows *to)
{
	size_t n = rows->run.n, end;

	for (size_t i = 0; i < n; i = end) {
		const struct as_run *like = &run[order[i]];

		end = i + 1;
		if (!like->n)
			continue;
		while (end < n && run_cmp(like, &run[order[end]]) == 0)
			end++;
		if (!as_rows_run(to, like->part, like->func, like->file, like->inl))
			return false;
		if (!t->n_keys && as_counts_begin(t->counts, run, order + i, end - i)) {
			if (!as_counts_put(t->counts, to))
				return false;
			continue;
		}
		for (; i < end; i++)
			if (!compact_load_run(t, rows, &run[order[i]]))
				return false;
		if (!compact_flush(t, to))
			return false;
	}
	return true;
}

/* Whether the rows of RUN ascend by line and address; V is scratch. */
static bool compact_run_ascends(const struct as_rows *rows, const struct as_run *run, as_val *v)
{
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t line = 0, next = 0; /* no row of LINE may be below */

	as_rows_begin(&cur, rows, run, v);
	while (as_rows_next_view(&cur, &view)) {
		uint64_t at_line = view.n ? 0 : cur.line, addr = view.n ? view.addr : cur.addr;
		uint64_t last = addr;

		if (view.n > 1)
			last += (view.n - 1) * view.stride;
		if (at_line < line || (at_line == line && addr < next) || last < addr ||
			(view.n > 1 && !view.stride) || last == UINT64_MAX)
			return false;
		line = at_line;
		next = last + 1;
	}
	return true;
}

/* Whether there is nothing to do: each run is one function and file, and all is in order. */
static bool compact_is_done(const struct as_rows *rows)
{
	as_val *v;
	size_t r;

	if (!as_alloc_array(rows->al, &v, rows->width))
		return false;
	for (r = 0; r < rows->run.n; r++)
		if ((r && run_cmp(&rows->run.p[r - 1], &rows->run.p[r]) >= 0) ||
			!compact_run_ascends(rows, &rows->run.p[r], v))
			break;
	as_alloc_free(rows->al, v, rows->width * sizeof(*v) + 1);
	return r == rows->run.n;
}

bool as_rows_compact_to(
	struct as_rows *to, const struct as_rows *from, const struct as_run *run, uint32_t n_keys)
{
	struct as_pool pool;
	struct batch t = {.al = &pool.al, .width = from->width, .n_keys = n_keys, .ascends = true};
	uint32_t *order = NULL;
	bool ok;

	as_assert(n_keys <= from->width);
	as_pool_init(&pool, from->al);
	if (from->run.n < UINT32_MAX)
		order = as_sorted_rows(&pool.al, from->run.n, runs_cmp, run);
	t.counts = as_counts_new(&pool.al, from);
	ok = order && t.counts && compact_rewrite(from, run, order, &t, to);
	as_pool_release(&pool);
	as_assert(!ok || to->n <= from->n);
	return ok;
}

bool as_rows_compact(struct as_rows *rows, uint32_t n_keys)
{
	struct as_rows to;
	bool ok;

	if (!n_keys && compact_is_done(rows))
		return true;
	as_rows_init(&to, rows->al, rows->width);
	ok = as_rows_compact_to(&to, rows, rows->run.p, n_keys);
	as_rows_release(ok ? rows : &to);
	if (ok)
		*rows = to;
	return ok;
}

bool as_rows_compact_all(struct as_profile *prof)
{
	return as_rows_compact(&prof->self, AS_KEYS_SELF) &&
	       as_rows_compact(&prof->call, AS_KEYS_CALL) &&
	       as_rows_compact(&prof->jump, AS_KEYS_JUMP);
}
