/* SPDX-License-Identifier: Apache-2.0 */
#include "table/name_shares.h"

#include <stdlib.h>

static void name_shares_add_cost(struct as_name_shares *s, as_func f, as_val cost)
{
	struct as_name_share *row = &s->row[s->prof->func.object.p[f.i].i];

	row->self += cost;
	s->whole += cost;
	if (!as_func_is_nameless(s->prof, f))
		return;
	row->nameless += cost;
	s->nameless += cost;
	if (!as_func_is_whole(s->prof, f))
		return;
	row->begun += cost;
	s->begun += cost;
}

/* Runs of sums are read row by row: V is room for one. */
static as_val name_shares_of_run(const struct as_rows *rows, const struct as_run *run, as_val *v)
{
	struct as_rows_cur cur;
	as_val sum = 0;

	if (!run->sums)
		return as_rows_first(rows, run);
	as_rows_begin(&cur, rows, run, v);
	while (as_rows_next(&cur))
		sum += v[0];
	return sum;
}

static bool name_shares_add_rows(struct as_name_shares *s)
{
	const struct as_rows *rows = &s->prof->self;
	size_t size = ((size_t)rows->width + 1) * sizeof(as_val);
	as_val *v = as_alloc_new(s->prof->al, size);

	if (!v)
		return false;
	for (size_t i = 0; i < rows->run.n; i++)
		name_shares_add_cost(
			s, rows->run.p[i].func, name_shares_of_run(rows, &rows->run.p[i], v));
	as_alloc_free(s->prof->al, v, size);
	return true;
}

static void name_shares_add_samples(struct as_name_shares *s)
{
	const struct as_profile *prof = s->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_place leaf = prof->node.place.p[prof->sample.node.p[i].i];

		name_shares_add_cost(
			s, prof->place.func.p[leaf.i], prof->sample.cost.p[i * prof->event.n]);
	}
}

static void name_shares_add_sums(struct as_name_shares *s)
{
	const struct as_profile *prof = s->prof;

	for (size_t i = 0; i < prof->sums.func.n; i++)
		name_shares_add_cost(
			s, prof->sums.func.p[i], prof->sums.cost.p[2 * i * prof->event.n]);
}

/* The first event is one of the two numbers of a kind of cost, or of a wide row the first. */
static void name_shares_add_stacks(struct as_name_shares *s)
{
	const struct as_profile *prof = s->prof;
	const struct as_stacks *stacks = &prof->stacks;
	struct as_stacks_cur cur;
	as_place room;

	as_stacks_begin(&cur, stacks, &room);
	while (as_stacks_next_leaf(&cur)) {
		const struct as_stack_kind *kind = &stacks->kind.p[cur.kind];
		as_func func = prof->place.func.p[cur.n ? cur.place->i : 0];

		if (stacks->all.n)
			name_shares_add_cost(s, func, (as_val)cur.cost[0]);
		else if (!kind->value || !kind->times)
			name_shares_add_cost(s, func, !kind->value ? cur.value : cur.times);
	}
}

static int cmp_share(const void *a, const void *b)
{
	const struct as_name_share *x = a, *y = b;

	if (x->nameless != y->nameless)
		return x->nameless < y->nameless ? 1 : -1;
	return (x->object.i > y->object.i) - (x->object.i < y->object.i);
}

enum as_code as_name_shares_make(struct as_name_shares *s, const struct as_profile *prof,
	const struct as_symbol_report *report)
{
	size_t n = 0;

	*s = (struct as_name_shares){.prof = prof,
		.size = prof->object.n * sizeof(*s->row),
		.asked = report->object.n > 0};
	s->row = as_alloc_new(prof->al, s->size);
	AS_TRY(as_memory(s->row));
	if (as_n_events(prof)) {
		AS_TRY(as_memory(name_shares_add_rows(s)));
		name_shares_add_samples(s);
		name_shares_add_sums(s);
		if (as_stacks_any(&prof->stacks))
			name_shares_add_stacks(s);
	}
	for (size_t i = 0; i < report->object.n; i++) {
		as_assert(report->object.p[i].object.i < prof->object.n);
		s->row[report->object.p[i].object.i].report = &report->object.p[i];
	}
	for (uint32_t i = 0; i < prof->object.n; i++) {
		struct as_name_share row = s->row[i];

		row.object.i = i;
		row.whole = s->whole;
		if (row.nameless || row.report)
			s->row[n++] = row;
	}
	s->n = n;
	qsort(s->row, n, sizeof(*s->row), cmp_share);
	return AS_OK;
}

void as_name_shares_release(struct as_name_shares *s)
{
	as_alloc_free(s->prof->al, s->row, s->size);
	s->row = NULL;
}
