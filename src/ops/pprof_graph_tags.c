/* SPDX-License-Identifier: Apache-2.0 */
/* What labels of samples cost at each node of pprof's graph. */
#include "base/sort.h"
#include "ops/pprof_graph_impl.h"

static bool has_tags(const struct as_pg_maker *mk, uint32_t part)
{
	const struct as_pg_tags *tags = mk->opts->tags;

	return tags && tags->first[part] < tags->first[part + 1];
}

static bool find(struct as_pg_maker *mk, uint32_t node, uint32_t tag, struct as_pg_tagged **out)
{
	struct as_pg *pg = mk->pg;
	uint64_t hash = as_hash_mix(node, tag), pos = AS_INDEX_START;
	struct as_pg_tagged fresh = {.node = node, .tag = tag};
	uint32_t row;

	while (as_index_find(&mk->tagged, hash, &pos, &row)) {
		*out = &pg->tagged.p[row];
		if ((*out)->node == node && (*out)->tag == tag)
			return true;
	}
	row = (uint32_t)pg->tagged.n;
	if (!as_vec_push(pg->al, &pg->tagged, fresh) || !as_index_add(&mk->tagged, hash, row))
		return false;
	*out = &pg->tagged.p[row];
	return true;
}

bool as_pg_add_tags(struct as_pg_maker *mk, uint32_t part, const struct as_pg_tagged *what)
{
	const struct as_pg_tags *tags = mk->opts->tags;
	struct as_pg_tagged *t;

	if (!has_tags(mk, part))
		return true;
	for (uint32_t i = tags->first[part]; i < tags->first[part + 1]; i++) {
		if (!find(mk, what->node, tags->tag[i], &t))
			return false;
		t->flat += what->flat;
		t->cum += what->cum;
		t->flat_div += what->flat_div;
		t->cum_div += what->cum_div;
	}
	return true;
}

void as_pg_forget_tags(struct as_pg_maker *mk)
{
	mk->pg->tagged.n = 0;
	as_index_release(&mk->tagged);
	as_index_init(&mk->tagged, mk->pg->al);
}

void as_pg_drop_tags(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n = 0;

	for (size_t i = 0; i < pg->tagged.n; i++) {
		const struct as_pg_tagged *t = &pg->tagged.p[i];

		if (as_pg_absolute(t->flat) >= pg->node_cutoff ||
			as_pg_absolute(t->cum) >= pg->node_cutoff)
			pg->tagged.p[n++] = *t;
	}
	pg->tagged.n = n;
}

/* How many of the first nodes there is room for, with their tags. */
bool as_pg_room_with_tags(struct as_pg_maker *mk, const uint32_t *order, size_t n, size_t *most)
{
	enum { SHOWN = 4 }; /* tags of a node that count */
	size_t size = mk->all.n * sizeof(uint32_t) + 1, used = 0;
	uint32_t *count = as_alloc_new(mk->pg->al, size);

	if (!count)
		return false;
	memset(count, 0, mk->all.n * sizeof(*count));
	for (size_t i = 0; i < mk->pg->tagged.n; i++)
		count[mk->pg->tagged.p[i].node] += mk->pg->tagged.p[i].flat != 0;
	for (size_t i = 0; i < n; i++) {
		used += 1 + (count[order[i]] < SHOWN ? count[order[i]] : SHOWN);
		if (used >= *most) {
			*most = i + 1;
			break;
		}
	}
	as_alloc_free(mk->pg->al, count, size);
	return true;
}

static int cmp_tagged(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_pg_tagged *t = ctx, *a = &t[i], *b = &t[j];

	return a->node != b->node ? (a->node < b->node ? -1 : 1) : a->tag < b->tag ? -1 : 1;
}

/* Node by node; each knows its own. */
bool as_pg_finish_tags(struct as_pg_maker *mk, const uint32_t *fresh)
{
	struct as_pg *pg = mk->pg;
	size_t n = 0, size = pg->tagged.n * (sizeof(struct as_pg_tagged) + sizeof(uint32_t)) + 1;
	struct as_pg_tagged *old;
	uint32_t *order;
	bool fine;

	if (!pg->tagged.n)
		return true;
	old = as_alloc_new(pg->al, size);
	if (!old)
		return false;
	order = (uint32_t *)(old + pg->tagged.n);
	for (size_t i = 0; i < pg->tagged.n; i++) {
		struct as_pg_tagged t = pg->tagged.p[i];

		if (!mk->keep[t.node])
			continue;
		t.node = fresh[t.node];
		old[n] = t;
		order[n] = (uint32_t)n;
		n++;
	}
	fine = as_sort_rows(pg->al, order, n, cmp_tagged, old);
	pg->tagged.n = fine ? n : 0;
	for (size_t i = 0; fine && i < n; i++) {
		struct as_pg_node *node = &pg->node.p[old[order[i]].node];

		pg->tagged.p[i] = old[order[i]];
		if (!node->n_tags++)
			node->tag = (uint32_t)i;
	}
	as_alloc_free(pg->al, old, size);
	return fine;
}
