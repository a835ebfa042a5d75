/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles collapsed. Where rows call each other in a circle, the calls inside would count the
 * same cost again and again, so a member has its own cost and the calls that leave the circle,
 * and a row of its own stands for the whole circle.
 */
#include "table/project_impl.h"

enum as_code as_proj_find_cycles(struct as_proj *p)
{
	struct as_graph g;
	enum as_code rc;

	if (p->cycle)
		return AS_OK;
	p->n_cycle = (uint32_t)p->key.n;
	p->cycle = as_alloc_new(p->al, p->n_cycle * sizeof(*p->cycle) + 1);
	AS_TRY(as_memory(p->cycle));
	AS_TRY(as_graph_build_loose(&g, p->al, &p->pairs, p->n_cycle, !p->want_self));
	rc = as_graph_cycles(&g, p->al, p->cycle, &p->n_cycles);
	as_graph_release(&g, p->al);
	return rc;
}

enum as_code as_proj_cycles(struct as_proj *p)
{
	enum as_by by = p->opts->by;
	size_t width = p->e * sizeof(as_val);

	if (!p->prof->call.n || p->opts->no_cycles || as_by_is_site(by))
		return AS_OK;
	AS_TRY(as_proj_find_cycles(p));
	if (by != AS_BY_FUNC || !p->n_cycles)
		return AS_OK;
	p->cycle_called = as_alloc_new(p->al, (size_t)p->n_cycles * sizeof(*p->cycle_called) + 1);
	AS_TRY(as_memory(p->cycle_called));
	for (uint32_t r = 0; r < p->n_cycle; r++) {
		p->key.p[r].cycle = p->cycle[r] & 0x3fffffff;
		if (!p->cycle[r] || !width)
			continue;
		/* No more passes through a row than comes in by all calls of it. */
		memcpy(as_proj_at(p, AS_COL_OUT, r), as_proj_at(p, AS_COL_INCL, r), width);
		memcpy(as_proj_at(p, AS_COL_INCL, r), as_proj_at(p, AS_COL_SELF, r), width);
	}
	return as_proj_calls_leaving(p);
}

/* Row A costs more than row B, by the first event in which they differ. */
static bool is_larger(struct as_proj *p, uint32_t a, uint32_t b)
{
	const as_val *va = as_proj_at(p, AS_COL_SELF, a), *vb = as_proj_at(p, AS_COL_SELF, b);

	for (uint32_t k = 0; k < p->e; k++)
		if (va[k] != vb[k])
			return va[k] > vb[k];
	return false;
}

/* No more passes through a member than through its circle. */
static void cap_member(struct as_proj *p, uint32_t r, uint32_t circle)
{
	const as_val *all = as_proj_at(p, AS_COL_INCL, circle);
	const as_val *own = as_proj_at(p, AS_COL_INCL, r);
	as_val *most = as_proj_at(p, AS_COL_OUT, r);

	for (uint32_t k = 0; k < p->e; k++) {
		most[k] = most[k] < all[k] ? most[k] : all[k];
		most[k] = most[k] > own[k] ? most[k] : own[k];
	}
}

enum as_code as_proj_cycle_rows(struct as_proj *p)
{
	uint32_t first = (uint32_t)p->key.n, row, *largest;
	size_t size = (size_t)p->n_cycles * sizeof(*largest) + 1;

	if (p->opts->by != AS_BY_FUNC || !p->n_cycles)
		return AS_OK;
	as_assert(p->n_cycle <= first);
	AS_TRY(as_memory(as_proj_room(p, p->key.n + p->n_cycles)));
	for (uint32_t c = 1; c <= p->n_cycles; c++)
		AS_TRY(as_proj_row(
			p, &(struct as_key){.cycle = c & 0x3fffffff, .is_cycle = 1}, &row));
	largest = as_alloc_new(p->al, size); /* row + 1 */
	AS_TRY(as_memory(largest));
	for (uint32_t r = 0; r < p->n_cycle; r++) {
		uint32_t c = p->cycle[r];

		if (!c)
			continue;
		row = first + c - 1;
		as_vals_add(as_proj_at(p, AS_COL_SELF, row), as_proj_at(p, AS_COL_SELF, r), p->e);
		as_vals_add(as_proj_at(p, AS_COL_INCL, row), as_proj_at(p, AS_COL_INCL, r), p->e);
		if (!largest[c - 1] || is_larger(p, r, largest[c - 1] - 1))
			largest[c - 1] = r + 1;
	}
	for (uint32_t r = 0; r < p->n_cycle; r++)
		if (p->cycle[r])
			cap_member(p, r, first + p->cycle[r] - 1);
	for (uint32_t c = 0; c < p->n_cycles; c++) {
		struct as_key *k = &p->key.p[first + c];

		as_assert(largest[c]);
		*k = p->key.p[largest[c] - 1];
		k->is_cycle = 1;
		p->state.p[first + c].called = p->cycle_called[c];
	}
	as_alloc_free(p->al, largest, size);
	return AS_OK;
}
