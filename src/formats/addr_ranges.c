/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which mapping holds an address? Ranges are made disjoint once and sorted, so that a lookup is
 * a binary search whatever the list looks like. Where mappings overlap, which no kernel writes,
 * the first line of the list holds, as pprof has it.
 */
#include "formats/addr_ranges.h"

#include "base/sort.h"

int as_addr_cmp(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int ranges_cmp_map(const void *a, const void *b)
{
	const struct as_addr_range *x = a, *y = b;

	return (x->map > y->map) - (x->map < y->map);
}

/* The address space as it is painted, range by range: pieces between the points where some range
 * begins or ends. */
struct canvas {
	uint64_t *point; /* sorted */
	uint32_t *map;   /* of the piece from each point on; AS_ADDR_NOWHERE: it is bare */
	uint32_t *bare;  /* where to look for the first piece from this one on that is bare */
	size_t n;
};

static uint32_t canvas_bare(const struct canvas *c, uint32_t i)
{
	for (; c->bare[i] != i; i = c->bare[i])
		c->bare[i] = c->bare[c->bare[i]];
	return i;
}

/* R takes what is bare of it. False if that is not all. */
static bool canvas_paint(struct canvas *c, const struct as_addr_range *r)
{
	uint32_t from = (uint32_t)as_numbers_below(c->point, c->n, r->start), n = 0;
	uint32_t to = (uint32_t)as_numbers_below(c->point, c->n, r->limit);

	for (uint32_t i = from; (i = canvas_bare(c, i)) < to; n++) {
		c->map[i] = r->map;
		c->bare[i] = i + 1;
	}
	return n == to - from;
}

/* The painted pieces, those of one map that touch each other as one. */
static size_t canvas_ranges(const struct canvas *c, struct as_addr_range *out)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < c->n; i++) {
		struct as_addr_range piece = {c->point[i], c->point[i + 1], c->map[i]};

		if (piece.map == AS_ADDR_NOWHERE || piece.start == piece.limit)
			continue;
		if (n && out[n - 1].limit == piece.start && out[n - 1].map == piece.map)
			out[n - 1].limit = piece.limit;
		else
			out[n++] = piece;
	}
	return n;
}

bool as_addr_ranges_make(struct as_addr_ranges *rs)
{
	struct canvas c = {.n = 2 * rs->row.n};
	size_t size = c.n * (sizeof(*c.point) + sizeof(*c.map) + sizeof(*c.bare)) + sizeof(*c.bare);

	rs->overlap = false;
	c.point = as_alloc_new(rs->al, size);
	if (!c.point || !as_vec_reserve(rs->al, &rs->row, c.n + 1)) {
		as_alloc_free(rs->al, c.point, size);
		return false;
	}
	c.map = (uint32_t *)(c.point + c.n);
	c.bare = c.map + c.n;
	for (uint32_t i = 0; i < c.n; i++) {
		c.point[i] = i % 2 ? rs->row.p[i / 2].limit : rs->row.p[i / 2].start;
		c.map[i] = AS_ADDR_NOWHERE;
		c.bare[i + 1] = i + 1;
	}
	if (c.n) {
		qsort(c.point, c.n, sizeof(*c.point), as_addr_cmp);
		qsort(rs->row.p, rs->row.n, sizeof(*rs->row.p), ranges_cmp_map);
	}
	for (size_t i = 0; i < rs->row.n; i++)
		if (rs->row.p[i].start < rs->row.p[i].limit)
			rs->overlap |= !canvas_paint(&c, &rs->row.p[i]);
	rs->row.n = canvas_ranges(&c, rs->row.p);
	as_alloc_free(rs->al, c.point, size);
	return true;
}

uint32_t as_addr_ranges_find(const struct as_addr_ranges *rs, uint64_t pc)
{
	size_t lo = as_rows_up_to(rs->row.p, rs->row.n, limit, pc);

	return lo < rs->row.n && rs->row.p[lo].start <= pc ? rs->row.p[lo].map : AS_ADDR_NOWHERE;
}
