/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a table, largest first, in an order that no run of the program changes. */
#include "ops/project.h"

#include "base/sort.h"

struct order {
	const struct as_table *t;
	const struct as_profile *prof;
	uint32_t event;
	bool inclusive;
};

/* The sign of b - a, by EVENT first and then by the other events. */
static int values_cmp(const struct order *o, const as_val *col, uint32_t a, uint32_t b)
{
	uint32_t e = o->t->n_events;
	const as_val *va = col + (size_t)a * e, *vb = col + (size_t)b * e;

	if (o->event < e && va[o->event] != vb[o->event])
		return va[o->event] < vb[o->event] ? 1 : -1;
	for (uint32_t k = 0; k < e; k++)
		if (va[k] != vb[k])
			return va[k] < vb[k] ? 1 : -1;
	return 0;
}

static int costs_cmp(const struct order *o, uint32_t a, uint32_t b)
{
	const struct as_table *t = o->t;
	int cmp = 0;

	if (o->inclusive) {
		if (t->has_incl[a] != t->has_incl[b])
			return t->has_incl[a] ? -1 : 1;
		cmp = t->has_incl[a] ? values_cmp(o, t->incl, a, b) : 0;
	}
	return cmp ? cmp : values_cmp(o, t->self, a, b);
}

static int number_cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int object_cmp(const struct as_profile *prof, as_object a, as_object b)
{
	int cmp;

	if (a.i == b.i)
		return 0;
	cmp = as_slice_cmp(as_object_path(prof, a), as_object_path(prof, b));
	return cmp ? cmp
		   : as_slice_cmp(as_str_get(prof, prof->object.p[a.i].id),
			     as_str_get(prof, prof->object.p[b.i].id));
}

static int system_cmp(const struct as_profile *prof, as_func a, as_func b)
{
	as_str x = as_func_system(prof, a), y = as_func_system(prof, b);

	return x.i == y.i ? 0 : as_slice_cmp(as_str_get(prof, x), as_str_get(prof, y));
}

/* Two rows of a table differ in one of these. */
static int keys_cmp(const struct order *o, uint32_t a, uint32_t b)
{
	const struct as_key *ka = &o->t->key[a], *kb = &o->t->key[b];
	const struct as_profile *prof = o->prof;
	int cmp = 0;

	if (ka->is_cycle != kb->is_cycle)
		return ka->is_cycle ? -1 : 1;
	if (o->t->by == AS_BY_FUNC || o->t->by == AS_BY_FILEFUNC)
		cmp = as_slice_cmp(as_table_func_name(o->t, a), as_table_func_name(o->t, b));
	else if (ka->func.i != kb->func.i)
		cmp = as_slice_cmp(as_func_name(prof, ka->func), as_func_name(prof, kb->func));
	if (!cmp && ka->file.i != kb->file.i)
		cmp = as_slice_cmp(as_file_path(prof, ka->file), as_file_path(prof, kb->file));
	if (!cmp)
		cmp = system_cmp(prof, ka->func, kb->func);
	if (!cmp)
		cmp = object_cmp(prof, ka->object, kb->object);
	if (!cmp)
		cmp = number_cmp(ka->line, kb->line);
	return cmp ? cmp : number_cmp(ka->addr, kb->addr);
}

static int rows_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	int cmp = costs_cmp(ctx, a, b);

	if (!cmp)
		cmp = keys_cmp(ctx, a, b);
	return cmp ? cmp : number_cmp(a, b);
}

static void sift(const struct order *o, uint32_t *row, size_t at, size_t n)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		uint32_t t = row[at];

		if (child + 1 < n && rows_cmp(o, row[child], row[child + 1]) < 0)
			child++;
		if (rows_cmp(o, t, row[child]) > 0)
			return;
		row[at] = row[child];
		row[child] = t;
	}
}

/* Slower, but needs no memory. */
static void heap_sort(const struct order *o, uint32_t *row, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(o, row, i, n);
	for (size_t i = n; i-- > 1;) {
		uint32_t t = row[0];

		row[0] = row[i];
		row[i] = t;
		sift(o, row, 0, i);
	}
}

/* ROW[0 .. n) is a heap with its last in order on top: so it is the best N seen so far. */
static void keep_best(const struct order *o, uint32_t *row, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(o, row, i, n);
	for (size_t i = n; i < o->t->n; i++) {
		uint32_t t = row[i];

		if (rows_cmp(o, t, row[0]) >= 0)
			continue;
		row[i] = row[0];
		row[0] = t;
		sift(o, row, 0, n);
	}
}

void as_table_best(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order, size_t n)
{
	struct order o = {.t = table, .prof = prof, .event = event, .inclusive = inclusive};

	if (n >= table->n / 8) {
		as_table_sort(table, prof, event, inclusive, order);
		return;
	}
	for (size_t i = 0; i < table->n; i++)
		order[i] = (uint32_t)i;
	if (n)
		keep_best(&o, order, n);
	heap_sort(&o, order, n);
}

void as_table_sort(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order)
{
	struct order o = {.t = table, .prof = prof, .event = event, .inclusive = inclusive};

	for (size_t i = 0; i < table->n; i++)
		order[i] = (uint32_t)i;
	if (!as_sort_rows(table->al, order, table->n, rows_cmp, &o))
		heap_sort(&o, order, table->n);
}
