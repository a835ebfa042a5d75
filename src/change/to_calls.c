/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Downwards from paths to calls. Naive addition of every pair of frames would count a recursive
 * function's cost at every level; so on each path only the outermost entry into a function
 * counts as a call of it. The inner ones become calls of no cost: they show where the cycles
 * are, which whoever sums the calls that go out must collapse.
 */
#include "change/transform.h"

#include "base/sort.h"
#include "change/kit/change.h"
#include "change/kit/tree.h"

/* A call site and whom it calls, of the source. */
struct entry {
	as_place site;
	as_func callee;
	bool inlined; /* the callee's code is at the site */
};

struct paths {
	struct as_change *c;
	uint32_t e;
	/* of each node: */
	as_val *sum;     /* cost of its subtree in one part, e values */
	uint32_t *key;   /* its function, then its entry */
	uint32_t *stamp; /* the part + 1 that it has samples of below */
	uint32_t *touched;
	uint8_t *live, *outer;
	size_t n_touched;
	/* entries */
	AS_VEC(struct entry) entry;
	struct as_index index;
	as_val *cost;    /* in one part, e values each */
	uint32_t *order; /* by place and callee */
	uint32_t *seen;  /* the part + 1 that they were last seen in */
};

static bool to_calls_make_scratch(struct paths *t)
{
	const struct as_alloc *al = t->c->al;
	size_t n = t->c->src->node.parent.n;

	return n < SIZE_MAX / 64 / (t->e + 1) && as_alloc_array(al, &t->sum, n * t->e) &&
	       as_alloc_array(al, &t->key, n) && as_alloc_array(al, &t->stamp, n) &&
	       as_alloc_array(al, &t->touched, n) && as_alloc_array(al, &t->live, n) &&
	       as_alloc_array(al, &t->outer, n);
}

/* ---- entries ---- */

static enum as_code find_entry(struct paths *t, struct entry en, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(en.site.i, en.callee.i);

	while (as_index_find(&t->index, hash, &pos, out))
		if (t->entry.p[*out].site.i == en.site.i &&
			t->entry.p[*out].callee.i == en.callee.i &&
			t->entry.p[*out].inlined == en.inlined)
			return AS_OK;
	*out = (uint32_t)t->entry.n;
	return as_memory(
		as_vec_push(t->c->al, &t->entry, en) && as_index_add(&t->index, hash, *out));
}

static int entry_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct paths *t = ctx;
	const struct as_profile *src = t->c->src;
	struct as_pos x = as_place_pos(src, t->entry.p[a].site);
	struct as_pos y = as_place_pos(src, t->entry.p[b].site);
	int cmp = as_cmp_u64(x.func.i, y.func.i);

	cmp = cmp ? cmp : as_cmp_u64(x.file.i, y.file.i);
	cmp = cmp ? cmp : as_cmp_u64(x.line, y.line);
	cmp = cmp ? cmp : as_cmp_u64(x.addr, y.addr);
	cmp = cmp ? cmp : as_cmp_u64(t->entry.p[a].callee.i, t->entry.p[b].callee.i);
	return cmp ? cmp : t->entry.p[a].inlined - t->entry.p[b].inlined;
}

/* Number the entries, and say of each node which it is; the first frame of a path is none. */
static enum as_code find_entries(struct paths *t)
{
	const struct as_profile *src = t->c->src;

	for (size_t i = 1; i < src->node.parent.n; i++) {
		uint32_t parent = src->node.parent.p[i].i;
		struct entry en;

		if (!parent || !t->live[i])
			continue;
		en.site = src->node.place.p[parent];
		en.callee = src->place.func.p[src->node.place.p[i].i];
		en.inlined = src->place.inlined.p[src->node.place.p[i].i];
		AS_TRY(find_entry(t, en, &t->key[i]));
	}
	return AS_OK;
}

static enum as_code make_entries(struct paths *t)
{
	const struct as_alloc *al = t->c->al;
	size_t n;

	AS_TRY(find_entries(t));
	n = t->entry.n;
	if (n > SIZE_MAX / 32 / (t->e + 1) || !as_alloc_array(al, &t->cost, n * t->e) ||
		!as_alloc_array(al, &t->seen, n))
		return AS_E_NOMEM;
	t->order = as_sorted_rows(al, n, entry_cmp, t);
	return t->order ? AS_OK : AS_E_NOMEM;
}

/* ---- a part ---- */

static int later_first(const void *ctx, uint32_t a, uint32_t b)
{
	(void)ctx;
	return a > b ? -1 : a < b;
}

/* Bring the touched nodes into descending order. */
static bool order_touched(struct paths *t, uint32_t part)
{
	size_t n = t->c->src->node.parent.n;

	as_assert(t->n_touched <= n);
	if (t->n_touched < n / 16)
		return as_sort_rows(t->c->al, t->touched, t->n_touched, later_first, NULL);
	t->n_touched = 0;
	for (size_t i = n; i-- > 1;)
		if (t->stamp[i] == part + 1)
			t->touched[t->n_touched++] = (uint32_t)i;
	return true;
}

/* Add the samples [FROM, TO) of PART to their nodes and note all nodes above them. */
static void load_part(struct paths *t, size_t from, size_t to, uint32_t part)
{
	const struct as_profile *src = t->c->src;
	uint32_t e = t->e;

	t->n_touched = 0;
	for (size_t i = from; i < to; i++) {
		as_node node = src->sample.node.p[i];

		as_vals_add(t->sum + (size_t)node.i * e, src->sample.cost.p + i * e, e);
		for (; node.i && t->stamp[node.i] != part + 1; node = src->node.parent.p[node.i]) {
			t->stamp[node.i] = part + 1;
			t->touched[t->n_touched++] = node.i;
		}
	}
}

/* Children come after their parents, so the touched nodes are emptied from the last one on. */
static void to_calls_sum_part(struct paths *t, uint32_t part)
{
	const struct as_profile *src = t->c->src;
	uint32_t e = t->e;

	for (size_t i = 0; i < t->n_touched; i++) {
		uint32_t node = t->touched[i], parent = src->node.parent.p[node].i;
		as_val *sum = t->sum + (size_t)node * e;

		if (parent)
			t->seen[t->key[node]] = part + 1;
		for (uint32_t k = 0; k < e; k++) {
			if (parent && t->outer[node])
				t->cost[(size_t)t->key[node] * e + k] += sum[k];
			t->sum[(size_t)parent * e + k] += sum[k];
			sum[k] = 0;
		}
	}
	memset(t->sum, 0, e * sizeof(as_val));
}

static enum as_code to_calls_put_part(struct paths *t, uint32_t part)
{
	struct as_change *c = t->c;

	for (size_t i = 0; i < t->entry.n; i++) {
		const struct entry *en = &t->entry.p[t->order[i]];
		as_val *cost = t->cost + (size_t)t->order[i] * t->e;
		struct as_pos from = as_place_pos(c->src, en->site), site;
		struct as_call call = {0};

		if (t->seen[t->order[i]] != part + 1)
			continue;
		AS_TRY(as_remap_pos(&c->r, &from, &site));
		AS_TRY(as_remap_func(&c->r, en->callee, &call.callee));
		call.addr = en->inlined ? site.addr : 0;
		as_remap_cost(&c->r, cost, t->e, c->r.out);
		AS_TRY(as_build_call(
			&c->b, c->r.part[part], &site, &call, c->r.out, as_n_events(c->b.prof)));
		memset(cost, 0, t->e * sizeof(*cost));
	}
	return AS_OK;
}

static enum as_code put_calls(struct paths *t)
{
	const struct as_profile *src = t->c->src;
	size_t n = src->sample.node.n, to;

	AS_TRY(as_memory(to_calls_make_scratch(t)));
	as_tree_live(src, t->live);
	for (size_t i = 0; i < src->node.parent.n; i++)
		t->key[i] = src->place.func.p[src->node.place.p[i].i].i;
	AS_TRY(as_memory(as_tree_outermost(src, t->live, t->key, src->func.name.n, t->outer)));
	AS_TRY(make_entries(t));
	for (size_t from = 0; from < n; from = to) {
		uint32_t part = src->sample.part.p[from];

		/* Stamps tell parts apart, so none may come again. */
		as_assert(!from || src->sample.part.p[from - 1] < part);
		for (to = from; to < n && src->sample.part.p[to] == part; to++)
			;
		load_part(t, from, to, part);
		AS_TRY(as_memory(order_touched(t, part)));
		to_calls_sum_part(t, part);
		AS_TRY(to_calls_put_part(t, part));
	}
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code to_calls(struct as_change *c, void *none)
{
	struct paths t = {.c = c, .e = c->r.e};

	(void)none;
	AS_TRY(as_remap_all_rows(&c->r));
	AS_TRY(as_change_sample_self(c));
	if (!c->src->sample.node.n)
		return AS_OK;
	as_index_init(&t.index, c->al);
	return put_calls(&t);
}

enum as_code as_to_calls(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err)
{
	AS_TRY(as_change_run(prof, NULL, to_calls, NULL, out, err));
	as_lose(l, AS_CAPBIT_PATHS, as_deep_samples(prof));
	return AS_OK;
}
