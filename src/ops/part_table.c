/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/part_table.h"

#include "base/index.h"
#include "base/sort.h"

static bool same_thread(const struct as_part *a, const struct as_part *b)
{
	return a->has_pid == b->has_pid && a->pid == b->pid && a->has_tid == b->has_tid &&
	       a->tid == b->tid && a->thread.i == b->thread.i;
}

static uint64_t thread_hash(const struct as_part *p)
{
	return as_hash_mix(
		as_hash_mix(p->has_pid + 2 * p->pid, p->has_tid + 2 * p->tid), p->thread.i);
}

/* Which row each part is in. False if out of memory. */
static bool find_rows(struct as_part_table *t, const struct as_profile *prof, bool threads)
{
	struct as_index ix;
	bool fine = true;

	as_index_init(&ix, prof->al);
	for (uint32_t i = 0; fine && i < prof->part.n; i++) {
		uint64_t hash = threads ? thread_hash(&prof->part.p[i]) : i;
		uint64_t pos = AS_INDEX_START;
		uint32_t row = 0;
		bool found = false;

		while (threads && !found && as_index_find(&ix, hash, &pos, &row))
			found = same_thread(&prof->part.p[i], &prof->part.p[t->row[row].part]);
		if (!found) {
			row = (uint32_t)t->n++;
			t->row[row] = (struct as_part_row){.part = i};
			fine = !threads || as_index_add(&ix, hash, row);
		}
		t->row[row].n++;
		t->of[i] = row;
	}
	as_index_release(&ix);
	return fine;
}

static void add(struct as_part_table *t, uint32_t part, uint32_t e, const as_val *v)
{
	as_val *sum = t->self + (size_t)t->of[part] * e;

	for (uint32_t k = 0; k < e; k++)
		sum[k] += v[k];
}

static void add_costs(struct as_part_table *t, const struct as_profile *prof, as_val *v)
{
	uint32_t e = as_n_events(prof);
	struct as_rows_cur cur;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		as_rows_begin(&cur, &prof->self, &prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			add(t, prof->self.run.p[r].part, e, v);
	}
	for (size_t i = 0; i < prof->sample.node.n; i++)
		add(t, prof->sample.part.p[i], e, prof->sample.cost.p + i * e);
}

static void *get(struct as_part_table *t, size_t size)
{
	void *p = as_arena_get(&t->arena, size + 1);

	if (p)
		memset(p, 0, size);
	return p;
}

enum as_code as_part_table_make(
	struct as_part_table *t, const struct as_profile *prof, bool threads, struct as_err *err)
{
	size_t n = prof->part.n, e = as_n_events(prof);
	as_val *v;

	*t = (struct as_part_table){.n = 0};
	as_arena_init(&t->arena, prof->al);
	t->row = get(t, n * sizeof(*t->row));
	t->of = get(t, n * sizeof(*t->of));
	t->self = get(t, n * e * sizeof(*t->self));
	v = get(t, (e + 1) * sizeof(*v));
	if (!t->row || !t->of || !t->self || !v || !find_rows(t, prof, threads))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	add_costs(t, prof, v);
	return AS_OK;
}

void as_part_table_release(struct as_part_table *t)
{
	as_arena_release(&t->arena);
}

struct order {
	const struct as_part_table *t;
	const struct as_profile *prof;
	uint32_t event;
};

static int u64_cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int row_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	size_t e = as_n_events(o->prof);
	const struct as_part *p = &o->prof->part.p[o->t->row[a].part];
	const struct as_part *q = &o->prof->part.p[o->t->row[b].part];
	int c = 0;

	if (o->event < e && o->t->self[a * e + o->event] != o->t->self[b * e + o->event])
		return o->t->self[a * e + o->event] > o->t->self[b * e + o->event] ? -1 : 1;
	if ((c = u64_cmp(p->pid, q->pid)) || (c = u64_cmp(p->tid, q->tid)) ||
		(c = u64_cmp(p->number, q->number)))
		return c;
	return a < b ? -1 : 1;
}

bool as_part_table_sort(const struct as_part_table *t, const struct as_profile *prof,
	uint32_t event, uint32_t *order)
{
	struct order o = {t, prof, event};

	for (uint32_t i = 0; i < t->n; i++)
		order[i] = i;
	return as_sort_rows(prof->al, order, t->n, row_cmp, &o);
}
