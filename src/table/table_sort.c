/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a table, largest first, in an order that no run of the program changes. */
#include "table/project.h"

#include "base/sort.h"
#include "model/labels.h"

enum { MANY = 4096 };

struct order {
	const struct as_table *t;
	const struct as_profile *prof;
	uint32_t event;
	bool inclusive;
	uint32_t *rank; /* of each function: its place by name, equal for equal ones; or NULL */
};

/* Inclusive cost as it is sorted by: of members of cycles what it may be. */
static const as_val *incl_of(const struct as_table *t, uint32_t row)
{
	const as_val *most = as_table_most(t, row);

	return most ? most : as_at(t->incl, (size_t)row * t->n_events);
}

static int costs_cmp(const struct order *o, uint32_t a, uint32_t b)
{
	const struct as_table *t = o->t;
	int cmp = 0;

	if (o->inclusive) {
		if (t->has_incl[a] != t->has_incl[b])
			return t->has_incl[a] ? -1 : 1;
		cmp = t->has_incl[a]
			      ? as_costs_cmp(incl_of(t, a), incl_of(t, b), t->n_events, o->event)
			      : 0;
	}
	return cmp ? cmp
		   : as_costs_cmp(as_at(t->self, (size_t)a * t->n_events),
			     as_at(t->self, (size_t)b * t->n_events), t->n_events, o->event);
}

static int name_cmp(const struct order *o, as_func a, as_func b)
{
	if (a.i == b.i)
		return 0;
	if (o->rank)
		return as_cmp_u64(o->rank[a.i], o->rank[b.i]);
	return as_slice_cmp(as_func_name(o->prof, a), as_func_name(o->prof, b));
}

/* Two rows of a table differ in one of these. */
static int keys_cmp(const struct order *o, uint32_t a, uint32_t b)
{
	const struct as_key *ka = &o->t->key[a], *kb = &o->t->key[b];
	const struct as_profile *prof = o->prof;
	int cmp = 0;

	if (ka->is_cycle != kb->is_cycle)
		return ka->is_cycle ? -1 : 1;
	if (o->t->by == AS_BY_FUNC || o->t->by == AS_BY_FILEFUNC || ka->contexts || kb->contexts)
		cmp = as_slice_cmp(as_table_func_name(o->t, a), as_table_func_name(o->t, b));
	else
		cmp = name_cmp(o, ka->func, kb->func);
	cmp = cmp ? cmp : as_file_cmp(prof, ka->file.i, kb->file.i);
	cmp = cmp ? cmp
		  : as_str_cmp(
			    prof, as_func_system(prof, ka->func), as_func_system(prof, kb->func));
	cmp = cmp ? cmp : as_object_cmp(prof, ka->object.i, kb->object.i);
	cmp = cmp ? cmp : as_cmp_u64(ka->line, kb->line);
	cmp = cmp ? cmp : as_cmp_u64(ka->addr, kb->addr);
	cmp = cmp ? cmp : as_cmp_u64(prof->func.addr.p[ka->func.i], prof->func.addr.p[kb->func.i]);
	return cmp ? cmp
		   : as_file_cmp(prof, prof->func.file.p[ka->func.i].i,
			     prof->func.file.p[kb->func.i].i);
}

static int rows_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	int cmp = costs_cmp(ctx, a, b);

	cmp = cmp ? cmp : keys_cmp(ctx, a, b);
	return cmp ? cmp : as_cmp_u64(a, b);
}

static void table_sort_sift(const struct order *o, uint32_t *row, size_t at, size_t n)
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
		table_sort_sift(o, row, i, n);
	for (size_t i = n; i-- > 1;) {
		uint32_t t = row[0];

		row[0] = row[i];
		row[i] = t;
		table_sort_sift(o, row, 0, i);
	}
}

/* ROW[0 .. n) is a heap with its last in order on top: so it is the best N seen so far. */
static void keep_best(const struct order *o, uint32_t *row, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		table_sort_sift(o, row, i, n);
	for (size_t i = n; i < o->t->n; i++) {
		uint32_t t = row[i];

		if (rows_cmp(o, t, row[0]) >= 0)
			continue;
		row[i] = row[0];
		row[0] = t;
		table_sort_sift(o, row, 0, n);
	}
}

void as_table_best(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order, size_t n)
{
	struct order o = {.t = table, .prof = prof, .event = event, .inclusive = inclusive};

	as_assert(n <= table->n);
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

/* ---- many lines or addresses, also those of code without names ---- */

/* Too many to compare two by two: they are put in the order of their keys, and then, without losing
 * that among equals, by one cost after the other, each cost as two numbers. */
static bool is_many(const struct order *o)
{
	const struct as_table *t = o->t;
	bool by_place = t->by == AS_BY_LINE || t->by == AS_BY_ADDR;

	if (t->n < MANY || t->n < o->prof->func.name.n || t->n_cycles)
		return false;
	for (size_t i = 0; i < t->n && !by_place; i++)
		if (t->key[i].contexts)
			return false;
	return by_place || t->by == AS_BY_FUNC;
}

static int table_sort_func_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	return as_slice_cmp(as_func_name(ctx, (as_func){a}), as_func_name(ctx, (as_func){b}));
}

/* False if out of memory, as all below. */
static bool rank_names(struct order *o)
{
	const struct as_alloc *al = o->t->al;
	size_t n = o->prof->func.name.n;
	uint32_t *by_name = as_alloc_new(al, n * sizeof(*by_name));
	bool fine = by_name != NULL;

	o->rank = as_alloc_new(al, n * sizeof(*o->rank));
	fine = fine && o->rank;
	for (uint32_t i = 0; fine && i < n; i++)
		by_name[i] = i;
	fine = fine && as_sort_rows(al, by_name, n, table_sort_func_cmp, o->prof);
	for (uint32_t i = 1, rank = 0; fine && i < n; i++) {
		rank += table_sort_func_cmp(o->prof, by_name[i - 1], by_name[i]) != 0;
		as_assert(rank <= i);
		o->rank[by_name[i]] = rank;
	}
	as_alloc_free(al, by_name, n * sizeof(*by_name));
	return fine;
}

static int only_keys_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	return keys_cmp(ctx, a, b);
}

static int only_costs_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	return costs_cmp(ctx, a, b);
}

static size_t end_of_equals(const uint64_t *number, size_t from, size_t n)
{
	size_t end = from + 1;

	while (end < n && number[end] == number[from])
		end++;
	return end;
}

/* By function, and then those of each, which mostly stand as they should. NUMBER is scratch. */
static bool sort_by_keys(const struct order *o, uint64_t *number, uint32_t *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		number[i] = o->rank[o->t->key[row[i]].func.i];
	if (!as_sort_keys(o->t->al, number, row, n))
		return false;
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_equals(number, i, n);
		if (!as_sort_rows(o->t->al, row + i, end - i, only_keys_cmp, o))
			return false;
	}
	return true;
}

/* What is compared NTH: inclusive costs first where they are asked for, the event before the
 * others, the high half of a value before the low one. Rises where rows come later. */
static uint64_t number_of(const struct order *o, uint32_t row, uint32_t nth)
{
	const struct as_table *t = o->t;
	uint32_t k = nth / 2 % (t->n_events + 1);
	bool incl = o->inclusive && nth < 2 * (t->n_events + 1);
	as_val v;

	if (incl && !t->has_incl[row])
		return UINT64_MAX;
	k = k ? k - 1 : o->event < t->n_events ? o->event : 0;
	v = incl ? incl_of(t, row)[k] : t->self[(size_t)row * t->n_events + k];
	return nth % 2 ? ~(uint64_t)v : INT64_MAX - (uint64_t)(v >> 64);
}

/* By the NTH number and those after it. */
static bool sort_by_costs(
	const struct order *o, uint64_t *number, uint32_t *row, size_t n, uint32_t nth)
{
	if (n < MANY)
		return as_sort_rows(o->t->al, row, n, only_costs_cmp, o);
	if (!o->t->n_events || nth == 2 * (o->t->n_events + 1) * (1 + o->inclusive))
		return true;
	for (size_t i = 0; i < n; i++)
		number[i] = number_of(o, row[i], nth);
	if (!as_sort_keys(o->t->al, number, row, n))
		return false;
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of_equals(number, i, n);
		if (!sort_by_costs(o, number + i, row + i, end - i, nth + 1))
			return false;
	}
	return true;
}

static bool sort_many(struct order *o, uint32_t *row, size_t n)
{
	const struct as_alloc *al = o->t->al;
	uint64_t *number = al->resize(al->ctx, NULL, 0, n * sizeof(*number));
	bool fine = number && rank_names(o) && sort_by_keys(o, number, row, n) &&
		    sort_by_costs(o, number, row, n, 0);

	as_alloc_free(al, number, n * sizeof(*number));
	as_alloc_free(al, o->rank, o->prof->func.name.n * sizeof(*o->rank));
	o->rank = NULL;
	return fine;
}

void as_table_sort(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order)
{
	struct order o = {.t = table, .prof = prof, .event = event, .inclusive = inclusive};
	size_t n = table->n;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (!(is_many(&o) ? sort_many(&o, order, n)
			  : as_sort_rows(table->al, order, n, rows_cmp, &o)))
		heap_sort(&o, order, n);
}
