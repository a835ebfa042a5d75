/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the call paths that calls are made into are an estimate. They are none where every
 * function is called by one other at most, none by itself through others, and where what is called
 * costs as much as its calls say: then each has one path, and all its cost is there.
 */
#include "change/filter/filter_impl.h"

struct callers {
	const struct as_profile *prof;
	uint32_t n, e;
	uint32_t *caller; /* of each function: the one that calls it + 1, 0 = none */
	as_val *balance;  /* of each function, e values: what calls of it cost, less its own cost
			     and that of calls it makes */
	as_val *row;      /* scratch */
};

static void filter_exact_add(as_val *sum, const as_val *v, uint32_t n, int sign)
{
	for (uint32_t k = 0; k < n; k++)
		sum[k] += sign * v[k];
}

/* False if one is called by two, or by itself. */
static bool filter_exact_note_calls(struct callers *c)
{
	const struct as_rows *rows = &c->prof->call;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		uint32_t from = rows->run.p[i].func.i;

		as_rows_begin(&cur, rows, &rows->run.p[i], c->row);
		while (as_rows_next(&cur)) {
			uint32_t to = (uint32_t)c->row[AS_CALL_FUNC];

			if (from == to || (c->caller[to] && c->caller[to] != from + 1))
				return false;
			c->caller[to] = from + 1;
			filter_exact_add(
				c->balance + (size_t)to * c->e, c->row + AS_CALL_COST, c->e, 1);
			filter_exact_add(
				c->balance + (size_t)from * c->e, c->row + AS_CALL_COST, c->e, -1);
		}
	}
	return true;
}

static bool is_balanced(struct callers *c)
{
	const struct as_rows *rows = &c->prof->self;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		as_val *sum = c->balance + (size_t)rows->run.p[i].func.i * c->e;

		as_rows_begin(&cur, rows, &rows->run.p[i], c->row);
		while (as_rows_next(&cur))
			filter_exact_add(sum, c->row, cur.n, -1);
	}
	for (uint32_t f = 0; f < c->n; f++)
		for (uint32_t k = 0; c->caller[f] && k < c->e; k++)
			if (c->balance[(size_t)f * c->e + k])
				return false;
	return true;
}

/* Whether the callers of every function lead to one that nobody calls. A way that ended well is not
 * gone again: its functions have no caller any more. */
static bool all_have_roots(struct callers *c)
{
	for (uint32_t f = 0; f < c->n; f++) {
		uint32_t at, next, steps = 0;

		for (at = f; c->caller[at]; at = c->caller[at] - 1)
			if (steps++ > c->n)
				return false;
		for (at = f; c->caller[at]; at = next) {
			next = c->caller[at] - 1;
			c->caller[at] = 0;
		}
	}
	return true;
}

enum as_code as_filter_calls_are_paths(const struct as_profile *prof, bool *yes)
{
	struct callers c = {.prof = prof, .n = (uint32_t)prof->func.name.n, .e = as_n_events(prof)};
	struct as_pool pool;
	bool ok;

	as_pool_init(&pool, prof->al);
	ok = as_alloc_array(&pool.al, &c.balance, (size_t)c.n * c.e) &&
	     as_alloc_array(&pool.al, &c.row, c.e + AS_CALL_COST) &&
	     as_alloc_array(&pool.al, &c.caller, c.n);
	*yes = ok && filter_exact_note_calls(&c) && is_balanced(&c) && all_have_roots(&c);
	as_pool_release(&pool);
	return ok ? AS_OK : AS_E_NOMEM;
}
