/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which mapping holds an address? Ranges are sorted once and made disjoint, so that a lookup is
 * a binary search whatever the list looks like. Where mappings overlap, which no kernel writes,
 * the first line of the list holds, as pprof has it.
 */
#include "formats/gperf/gperf.h"

static int cmp_range(const void *a, const void *b)
{
	const struct as_gp_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->map > y->map) - (x->map < y->map);
}

static int cmp_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The ranges that cover the point where a sweep stands, the smallest map on top. */
struct heap {
	struct as_gp_range *p;
	size_t n;
};

static void heap_push(struct heap *h, struct as_gp_range r)
{
	size_t i = h->n++;

	while (i && h->p[(i - 1) / 2].map > r.map) {
		h->p[i] = h->p[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->p[i] = r;
}

static void heap_pop(struct heap *h)
{
	struct as_gp_range last = h->p[--h->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->p[child + 1].map < h->p[child].map)
			child++;
		if (h->p[child].map >= last.map)
			break;
		h->p[i] = h->p[child];
		i = child;
	}
	h->p[i] = last;
}

/* Sweep over the sorted ranges IN; every piece goes to the map on top. OUT has room. */
static size_t sweep(const struct as_gp_range *in, size_t n, const uint64_t *point,
	struct heap *heap, struct as_gp_range *out)
{
	size_t next = 0, n_out = 0;

	for (size_t i = 0; i + 1 < 2 * n; i++) {
		struct as_gp_range piece = {.start = point[i], .limit = point[i + 1]};

		while (next < n && in[next].start <= piece.start)
			heap_push(heap, in[next++]);
		while (heap->n && heap->p[0].limit <= piece.start)
			heap_pop(heap);
		if (!heap->n || piece.start == piece.limit)
			continue;
		piece.map = heap->p[0].map;
		if (n_out && out[n_out - 1].limit == piece.start && out[n_out - 1].map == piece.map)
			out[n_out - 1].limit = piece.limit;
		else
			out[n_out++] = piece;
	}
	return n_out;
}

static bool make_disjoint(struct as_gp_ranges *rs)
{
	size_t n = rs->row.n;
	size_t point_size = 2 * n * sizeof(uint64_t);
	size_t rows_size = 3 * n * sizeof(struct as_gp_range);
	uint64_t *point = as_alloc_new(rs->al, point_size);
	struct as_gp_range *rows = as_alloc_new(rs->al, rows_size);
	struct heap heap = {.p = rows};
	bool ok = point && rows && as_vec_reserve(rs->al, &rs->row, 2 * n);

	if (ok) {
		for (size_t i = 0; i < n; i++) {
			point[2 * i] = rs->row.p[i].start;
			point[2 * i + 1] = rs->row.p[i].limit;
		}
		qsort(point, 2 * n, sizeof(*point), cmp_u64);
		rs->row.n = sweep(rs->row.p, n, point, &heap, rows + n);
		memcpy(rs->row.p, rows + n, rs->row.n * sizeof(*rows));
	}
	as_alloc_free(rs->al, point, point_size);
	as_alloc_free(rs->al, rows, rows_size);
	return ok;
}

bool as_gp_ranges_make(struct as_gp_ranges *rs)
{
	size_t n = 0;

	for (size_t i = 0; i < rs->row.n; i++)
		if (rs->row.p[i].start < rs->row.p[i].limit)
			rs->row.p[n++] = rs->row.p[i];
	rs->row.n = n;
	rs->overlap = false;
	if (n)
		qsort(rs->row.p, n, sizeof(*rs->row.p), cmp_range);
	for (size_t i = 1; i < n; i++)
		rs->overlap |= rs->row.p[i].start < rs->row.p[i - 1].limit;
	return !rs->overlap || make_disjoint(rs);
}

uint32_t as_gp_ranges_find(const struct as_gp_ranges *rs, uint64_t pc)
{
	size_t lo = 0, hi = rs->row.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (rs->row.p[mid].limit <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < rs->row.n && rs->row.p[lo].start <= pc ? rs->row.p[lo].map : AS_GP_NOWHERE;
}
