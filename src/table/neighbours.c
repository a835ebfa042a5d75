/* SPDX-License-Identifier: Apache-2.0 */
#include "table/neighbours.h"

#include "base/sort.h"
#include "change/kit/context.h"

/* ---- edges ---- */

static bool neighbours_is_inner(const struct as_table *t, uint32_t a, uint32_t b)
{
	return a == b || (t->key[a].cycle && t->key[a].cycle == t->key[b].cycle);
}

/* The first edge that leads from ROW or a later one. */
static size_t first_from(const struct as_table *t, uint32_t row)
{
	size_t low = 0, high = t->n_edges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->edge[mid].from < row)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct as_neighbour neighbours_over(
	const struct as_neighbours *nb, const struct as_edge *e, uint32_t row)
{
	return (struct as_neighbour){.row = row,
		.inner = neighbours_is_inner(nb->table, nb->row, row),
		.cost = e->cost,
		.count = e->count};
}

static bool neighbours_collect(struct as_neighbours *nb)
{
	const struct as_table *t = nb->table;

	for (size_t i = first_from(t, nb->row); i < t->n_edges && t->edge[i].from == nb->row; i++)
		if (!as_vec_push(
			    nb->al, &nb->callee, neighbours_over(nb, &t->edge[i], t->edge[i].to)))
			return false;
	for (size_t i = 1; i < t->n_edges; i++)
		as_assert(t->edge[i - 1].from <= t->edge[i].from);
	for (size_t i = 0; i < t->n_edges; i++)
		if (t->edge[i].to == nb->row &&
			!as_vec_push(nb->al, &nb->caller,
				neighbours_over(nb, &t->edge[i], t->edge[i].from)))
			return false;
	return true;
}

/* ---- the most expensive first ---- */

struct order {
	const struct as_table *t;
	const struct as_neighbour *nb;
	uint32_t event;
};

static int cmp_neighbour(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	const struct as_neighbour *x = &o->nb[a], *y = &o->nb[b];
	int cmp = as_costs_cmp(x->cost, y->cost, o->t->n_events, o->event);

	cmp = cmp ? cmp : as_costs_cmp(&x->count, &y->count, 1, 0);
	return cmp ? cmp : as_table_cmp_text(o->t, x->row, y->row);
}

static bool neighbours_sort(
	const struct as_alloc *al, struct order *o, struct as_neighbour *nb, size_t n)
{
	o->nb = nb;
	return as_sort_array(al, nb, n, cmp_neighbour, o);
}

/* ---- what nobody calls ---- */

/* Whether the place of a frame belongs to the function. */
static bool neighbours_is_ours(
	const struct as_neighbours *nb, const struct as_fold *fold, as_place place)
{
	const struct as_profile *prof = nb->table->prof;
	const struct as_key *key = &nb->table->key[nb->row];
	uint32_t f = fold->group[prof->place.func.p[place.i].i];
	uint64_t addr = prof->func.addr.p[f];

	if (f != key->func.i)
		return false;
	if (!prof->func.name.p[f].i && !addr && prof->func.object.p[f].i)
		addr = prof->place.addr.p[place.i]; /* nameless code of an object: by address */
	return addr == key->addr;
}

/* The cost of the paths that begin with the function. */
static bool path_entries(struct as_neighbours *nb, bool keep)
{
	const struct as_profile *prof = nb->table->prof;
	size_t n = prof->node.parent.n;
	uint8_t *ours = as_alloc_new(nb->al, n + 1); /* of each node: its path begins so */
	uint32_t e = nb->table->n_events;
	struct as_fold fold;
	bool fine = as_fold_init(&fold, prof, keep, false) && ours;

	for (size_t i = 0; fine && i < n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		ours[i] = parent ? ours[parent]
				 : neighbours_is_ours(nb, &fold, prof->node.place.p[i]);
	}
	for (size_t i = 0; fine && i < prof->sample.node.n; i++)
		for (uint32_t k = 0; ours[prof->sample.node.p[i].i] && k < e; k++)
			nb->entry[k] += prof->sample.cost.p[i * e + k];
	as_fold_release(&fold);
	as_alloc_free(nb->al, ours, n + 1);
	return fine;
}

/* The inclusive cost less the calls: of parts in which nobody calls it. */
static void call_entries(struct as_neighbours *nb)
{
	const struct as_table *t = nb->table;
	uint32_t e = t->n_events;

	nb->has_entry = t->has_incl[nb->row] && !t->key[nb->row].cycle;
	if (!nb->has_entry)
		return;
	for (uint32_t k = 0; k < e; k++)
		nb->entry[k] = t->incl[(size_t)nb->row * e + k];
	for (size_t i = 0; i < nb->caller.n; i++)
		for (uint32_t k = 0; !nb->caller.p[i].inner && k < e; k++)
			nb->entry[k] -= nb->caller.p[i].cost[k];
}

enum as_code as_neighbours_make(struct as_neighbours *nb, const struct as_table *table,
	const struct as_neighbours_opts *opts, struct as_err *err)
{
	const struct as_profile *prof = table->prof;
	struct order o = {.t = table, .event = opts->event};

	*nb = (struct as_neighbours){.al = prof->al, .table = table, .row = opts->row};
	as_assert(opts->row < table->n);
	nb->known = prof->call.n || prof->sample.node.n;
	nb->entry = as_alloc_new(nb->al, table->n_events * sizeof(as_val) + 1);
	if (!nb->entry || !neighbours_collect(nb) ||
		!neighbours_sort(nb->al, &o, nb->caller.p, nb->caller.n) ||
		!neighbours_sort(nb->al, &o, nb->callee.p, nb->callee.n))
		return as_err_no_memory(err);
	if (!prof->sample.node.n) {
		call_entries(nb);
	} else if (!prof->call.n) {
		nb->has_entry = true;
		AS_TRY(as_err_memory(err, path_entries(nb, opts->keep_contexts)));
	}
	return AS_OK;
}

void as_neighbours_release(struct as_neighbours *nb)
{
	as_vec_free(nb->al, &nb->caller);
	as_vec_free(nb->al, &nb->callee);
	as_alloc_free(nb->al, nb->entry, nb->table->n_events * sizeof(as_val) + 1);
	nb->entry = NULL;
}
