/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_space.h"

#include "base/sort.h"

/* The first mapping that ends behind ADDR. */
static size_t space_first_behind(const struct as_perf_space *space, uint64_t addr)
{
	return as_rows_up_to(space->p, space->n, range.limit, addr);
}

const struct as_perf_mapping *as_perf_space_find(const struct as_perf_space *space, uint64_t addr)
{
	size_t i = space_first_behind(space, addr);

	return i < space->n && space->p[i].range.start <= addr ? &space->p[i] : NULL;
}

/* Takes [start, limit) out of what is mapped; returns where it would stand, room for one more. */
static bool space_make_gap(const struct as_alloc *al, struct as_perf_space *space,
	const struct as_perf_range *r, size_t *at, bool *replaced)
{
	size_t i = space_first_behind(space, r->start), end;
	struct as_perf_mapping *m;

	if (!as_vec_reserve(al, space, space->n + 2))
		return false;
	m = space->p;
	for (end = i; end < space->n && m[end].range.start < r->limit; end++)
		*replaced |= m[end].reported;
	if (i < space->n && m[i].range.start < r->start) {
		if (m[i].range.limit > r->limit) { /* cut in two */
			memmove(&m[i + 1], &m[i], (space->n - i) * sizeof(*m));
			space->n++;
		}
		m[i].range.limit = r->start;
		i++;
	}
	for (end = i; end < space->n && m[end].range.limit <= r->limit; end++)
		;
	if (end < space->n && m[end].range.start < r->limit) {
		m[end].range.offset += r->limit - m[end].range.start;
		m[end].range.start = r->limit;
	}
	memmove(&m[i + 1], &m[end], (space->n - end) * sizeof(*m));
	space->n = space->n - (end - i) + 1;
	*at = i;
	return true;
}

bool as_perf_space_put(const struct as_alloc *al, struct as_perf_space *space,
	const struct as_perf_mapping *m, bool *replaced)
{
	size_t at;

	as_assert(m->range.start < m->range.limit);
	if (!space_make_gap(al, space, &m->range, &at, replaced))
		return false;
	space->p[at] = *m;
	return true;
}

bool as_perf_space_copy(
	const struct as_alloc *al, struct as_perf_space *to, const struct as_perf_space *from)
{
	to->n = 0;
	if (!as_vec_reserve(al, to, from->n))
		return false;
	for (size_t i = 0; i < from->n; i++) {
		to->p[i] = from->p[i];
		to->p[i].listed = false;
	}
	to->n = from->n;
	return true;
}
