/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which function calls which, and the cycles of that, while another thread adds up what the calls
 * cost: half of the work on a file with a million of them. Only where every function has its row
 * already: then the two threads share nothing that changes.
 */
#include "table/project_impl.h"

/* Calls whose callees are known and whose rows are on the way. */
struct ahead {
	uint32_t n;
	uint32_t from[AS_PROJ_BATCH], to[AS_PROJ_BATCH];
};

struct pairing {
	struct as_proj *p;
	struct ahead ahead;
	uint32_t *last; /* + 1, of each row: the row whose pair with it was noted last */
	as_val *row;    /* the values of a call */
};

static enum as_code proj_pairs_note(struct pairing *pg)
{
	const struct as_proj *p = pg->p;
	struct ahead *a = &pg->ahead;

	for (uint32_t i = 0; i < a->n; i++) {
		a->to[i] = p->dense[a->to[i]] - 1;
		if (a->to[i] == UINT32_MAX)
			return AS_END;
		AS_PREFETCH(&pg->last[a->to[i]]);
	}
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t from = a->from[i], to = a->to[i];

		if (from == to || pg->last[to] == from + 1)
			continue;
		pg->last[to] = from + 1;
		AS_TRY(as_memory(as_pairs_add(p->al, &pg->p->pairs, from, to)));
	}
	a->n = 0;
	return AS_OK;
}

static enum as_code pairs_of_run(struct pairing *pg, const struct as_run *run)
{
	const struct as_proj *p = pg->p;
	uint32_t from = p->dense[run->func.i] - 1;
	struct as_rows_cur cur;

	if (from == UINT32_MAX)
		return AS_END;
	as_rows_begin(&cur, &p->prof->call, run, pg->row);
	while (as_rows_next_short(&cur)) {
		uint32_t to = (uint32_t)pg->row[AS_CALL_FUNC];

		AS_PREFETCH(&p->dense[to]);
		pg->ahead.from[pg->ahead.n] = from;
		pg->ahead.to[pg->ahead.n] = to;
		if (++pg->ahead.n == AS_PROJ_BATCH)
			AS_TRY(proj_pairs_note(pg));
	}
	return AS_OK;
}

static enum as_code proj_pairs_find(struct pairing *pg, const uint32_t *order)
{
	struct as_proj *p = pg->p;

	for (size_t r = 0; r < p->prof->call.run.n; r++)
		AS_TRY(pairs_of_run(pg, &p->prof->call.run.p[order[r]]));
	AS_TRY(proj_pairs_note(pg));
	return as_proj_find_cycles(p);
}

enum as_code as_proj_pairs(struct as_proj *p, const uint32_t *order)
{
	size_t n = p->key.n * sizeof(uint32_t), values = as_proj_row_values(p) * sizeof(as_val);
	struct pairing pg = {.p = p};
	enum as_code rc = AS_E_NOMEM;

	as_assert(p->fixed);
	pg.last = as_alloc_new(p->al, n);
	pg.row = as_alloc_new(p->al, values);
	if (pg.last && pg.row)
		rc = proj_pairs_find(&pg, order);
	as_alloc_free(p->al, pg.last, n);
	as_alloc_free(p->al, pg.row, values);
	return rc;
}
