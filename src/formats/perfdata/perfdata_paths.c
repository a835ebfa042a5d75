/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paths of samples. They are kept as lists of places until all are there: in the order of a
 * walk through their tree they make it without anything being looked up. Where they would take too
 * much memory, or moments ask for nodes at once, nodes are looked up one by one.
 */
#include "formats/perfdata/perfdata.h"

#include "formats/stack_order.h"

static uint64_t paths_hash(const uint32_t *w, size_t n)
{
	uint64_t a = n;

	for (size_t i = 0; i < n; i++) {
		a = (a ^ w[i]) * UINT64_C(0x9e3779b97f4a7c15);
		a ^= a >> 32;
	}
	return as_hash_mix(a, n);
}

/* The places behind all paths that there are, the outermost first. How many. */
static uint32_t paths_write(struct as_pd *pd)
{
	uint32_t *w = pd->step.p + pd->step.n, n = (uint32_t)pd->place.n;

	for (uint32_t i = 0; i < n; i++)
		w[i] = pd->place.p[i].i;
	w[n] = 0;
	return n;
}

static bool paths_find(const struct as_pd *pd, uint64_t hash, uint32_t n, uint32_t *row)
{
	const uint32_t *w = pd->step.p + pd->step.n;
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&pd->paths, hash, &at, row)) {
		const struct pd_path *p = &pd->path.p[*row];

		if (p->n == n && memcmp(pd->step.p + p->first, w, n * sizeof(*w)) == 0)
			return true;
	}
	return false;
}

/* ---- the tree ---- */

/* The nodes of P, from where it leaves BEFORE, whose nodes are known. */
static enum as_code paths_grow(struct as_pd *pd, const uint32_t *before, struct pd_path *p)
{
	const uint32_t *w = pd->step.p + p->first;
	struct as_build *b = pd->rd->out;
	as_node *known;

	AS_TRY(as_err_memory(pd->rd->err, as_vec_reserve(pd->al, &pd->node, p->n)));
	known = pd->node.p;
	for (; *w && *w == *before; w++, before++)
		p->node = *known++;
	for (; *w; w++) {
		as_place place = {*w};

		AS_TRY(pd->looked_up ? as_build_push(b, p->node, place, &p->node)
				     : as_build_append(b, p->node, place, &p->node));
		*known++ = p->node;
	}
	return AS_OK;
}

static enum as_code paths_grow_all(struct as_pd *pd, const struct as_stack_item *item, size_t n)
{
	static const uint32_t none = 0;
	const uint32_t *before = &none;

	for (size_t i = 0; i < n; i++) {
		struct pd_path *p = &pd->path.p[item[i].row];

		AS_TRY(paths_grow(pd, before, p));
		before = pd->step.p + p->first;
	}
	return AS_OK;
}

/* Nodes for all paths that have none. */
static enum as_code paths_settle(struct as_pd *pd)
{
	size_t n = pd->path.n - pd->n_settled;
	struct as_stack_item *item;
	enum as_code rc;

	AS_TRY(as_err_memory(pd->rd->err, as_alloc_array(pd->al, &item, n)));
	for (size_t i = 0; i < n; i++) {
		uint32_t row = (uint32_t)(pd->n_settled + i);

		item[i] = (struct as_stack_item){.root = pd->path.p[row].first, .row = row};
	}
	as_stack_order((struct as_stack_words){pd->step.p, 1, 0}, item, n);
	rc = paths_grow_all(pd, item, n);
	as_alloc_free(pd->al, item, n * sizeof(*item) + 1);
	pd->n_settled = pd->path.n;
	return rc;
}

/* What is forgotten is found as nodes again. */
static enum as_code paths_forget(struct as_pd *pd)
{
	pd->looked_up = true;
	AS_TRY(paths_settle(pd));
	pd->step.n = 0;
	as_index_release(&pd->paths);
	as_index_init(&pd->paths, pd->al);
	return AS_OK;
}

/* ---- one path ---- */

enum as_code as_pd_need_path(struct as_pd *pd, uint32_t *row)
{
	struct pd_path one = {0};
	uint64_t hash;

	*row = 0;
	if (pd->stacks)
		return AS_OK;
	if (pd->step.n > pd->steps_max)
		AS_TRY(paths_forget(pd));
	if (!as_vec_reserve(pd->al, &pd->step, pd->step.n + pd->place.n + 2))
		return as_err_no_memory(pd->rd->err);
	one.first = (uint32_t)pd->step.n;
	one.n = paths_write(pd);
	hash = paths_hash(pd->step.p + one.first, one.n);
	if (paths_find(pd, hash, one.n, row))
		return AS_OK;
	*row = (uint32_t)pd->path.n;
	pd->step.n += one.n + (size_t)1;
	return as_err_memory(pd->rd->err,
		as_vec_push(pd->al, &pd->path, one) && as_index_add(&pd->paths, hash, *row));
}

enum as_code as_pd_need_node(struct as_pd *pd, uint32_t path)
{
	static const uint32_t none = 0;
	struct pd_path *p = &pd->path.p[path];

	as_assert(path < pd->path.n);
	if (p->node.i)
		return AS_OK;
	pd->looked_up = true;
	pd->n_settled += path == pd->n_settled;
	return paths_grow(pd, &none, p);
}

enum as_code as_pd_grow_tree(struct as_pd *pd)
{
	struct as_build *b = pd->rd->out;

	as_index_release(&pd->paths);
	pd->looked_up |= b->prof->node.parent.n > 1;
	AS_TRY(paths_settle(pd));
	b->depth_first |= !pd->looked_up;
	as_vec_free(pd->al, &pd->step);
	return AS_OK;
}
