/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of paths by function, once it is made. */
#include "tree/calltree.h"

#include "base/sort.h"
#include "model/labels.h"
#include "table/project_impl.h"

void as_calltree_release(struct as_calltree *ct)
{
	as_vec_free(ct->al, &ct->key);
	as_vec_free(ct->al, &ct->row);
	as_vec_free(ct->al, &ct->recursive);
	as_vec_free(ct->al, &ct->exact);
	as_vec_free(ct->al, &ct->several);
	as_vec_free(ct->al, &ct->parent);
	as_vec_free(ct->al, &ct->key_of);
	as_vec_free(ct->al, &ct->cost);
}

void as_calltree_to_inclusive(struct as_calltree *ct)
{
	as_assert(ct->cost.n == ct->parent.n * ct->e && ct->key_of.n == ct->parent.n);
	for (size_t i = ct->inclusive ? 0 : ct->parent.n; i-- > 1;)
		as_vals_add(ct->cost.p + (size_t)ct->parent.p[i] * ct->e, ct->cost.p + i * ct->e,
			ct->e);
	ct->inclusive = true;
}

void as_calltree_to_self(struct as_calltree *ct)
{
	as_assert(ct->cost.n == ct->parent.n * ct->e);
	/* A node's own cost is still inclusive when its parent's is settled. */
	for (size_t i = 1; ct->inclusive && i < ct->parent.n; i++)
		as_proj_sub(ct->cost.p + (size_t)ct->parent.p[i] * ct->e, ct->cost.p + i * ct->e,
			ct->e);
	ct->inclusive = false;
}

struct as_slice as_calltree_name(const struct as_calltree *ct, uint32_t key)
{
	const struct as_key *k = &ct->key.p[key];
	struct as_slice name = as_func_name(ct->prof, k->func);

	as_assert(key < ct->key.n);
	return k->contexts ? as_fold_name_by(ct->how, name) : name;
}

int as_calltree_cmp(const struct as_calltree *ct, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ct->prof;
	const struct as_key *x = &ct->key.p[a], *y = &ct->key.p[b];
	int cmp = as_slice_cmp(as_calltree_name(ct, a), as_calltree_name(ct, b));

	as_assert(a < ct->key.n);
	cmp = cmp ? cmp
		  : as_str_cmp(prof, prof->object.p[x->object.i].path,
			    prof->object.p[y->object.i].path);
	cmp = cmp ? cmp : as_file_cmp(prof, x->file.i, y->file.i);
	cmp = cmp ? cmp : as_cmp_u64(x->addr, y->addr);
	return cmp ? cmp : as_cmp_u64(a, b);
}

/* ---- recursion ---- */

static uint64_t text_hash(
	const struct as_profile *prof, const struct as_key *key, struct as_slice name)
{
	struct as_slice object = as_object_path(prof, key->object);
	struct as_slice file = as_file_path(prof, key->file);

	return as_hash_mix(as_hash_bytes(name.p, name.len) + key->addr,
		as_hash_mix(as_hash_bytes(object.p, object.len), as_hash_bytes(file.p, file.len)));
}

static bool calltree_same_func(
	const struct as_calltree *ct, size_t key, const struct as_table *t, uint32_t row)
{
	const struct as_key *a = &ct->key.p[key], *b = &t->key[row];

	return a->addr == b->addr &&
	       as_slice_eq(as_calltree_name(ct, (uint32_t)key), as_table_func_name(t, row)) &&
	       as_slice_eq(
		       as_object_path(ct->prof, a->object), as_object_path(t->prof, b->object)) &&
	       as_slice_eq(as_file_path(ct->prof, a->file), as_file_path(t->prof, b->file));
}

static void mark_keys(struct as_calltree *ct, const struct as_table *t, const struct as_index *ix)
{
	for (size_t i = 0; i < ct->key.n; i++) {
		uint64_t pos = AS_INDEX_START;
		uint64_t hash =
			text_hash(ct->prof, &ct->key.p[i], as_calltree_name(ct, (uint32_t)i));
		uint32_t row;

		ct->recursive.p[i] = 0;
		while (!ct->recursive.p[i] && as_index_find(ix, hash, &pos, &row))
			ct->recursive.p[i] = calltree_same_func(ct, i, t, row);
	}
	ct->recursive.n = ct->key.n;
}

enum as_code as_calltree_mark_recursive(struct as_calltree *ct, const struct as_table *calls)
{
	struct as_index ix;
	bool ok = as_vec_reserve(ct->al, &ct->recursive, ct->key.n + 1);

	as_assert(!ct->row.n || ct->row.n == ct->key.n);
	for (size_t i = 0; ok && i < ct->row.n; i++) {
		as_assert(ct->row.p[i] < calls->n);
		ct->recursive.p[i] = calls->recursive[ct->row.p[i]];
	}
	if (ok && ct->row.n) {
		ct->recursive.n = ct->row.n;
		return AS_OK;
	}
	as_index_init(&ix, ct->al);
	for (uint32_t r = 0; ok && r < calls->n; r++)
		if (calls->recursive[r] && !calls->key[r].is_cycle)
			ok = as_index_add(&ix,
				text_hash(
					calls->prof, &calls->key[r], as_table_func_name(calls, r)),
				r);
	if (ok)
		mark_keys(ct, calls, &ix);
	as_index_release(&ix);
	return ok ? AS_OK : AS_E_NOMEM;
}

/* ---- paths ---- */

struct by_cost {
	const struct as_calltree *ct;
	uint32_t event;
	const uint32_t *rank; /* of each key: its place by name */
};

static int calltree_cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	return as_calltree_cmp(ctx, a, b);
}

/* By name from the leaf up. */
static int cmp_path(const struct by_cost *o, uint32_t a, uint32_t b)
{
	const struct as_calltree *ct = o->ct;

	while (a && b && a != b) {
		uint32_t x = o->rank[ct->key_of.p[a]], y = o->rank[ct->key_of.p[b]];

		if (x != y)
			return x < y ? -1 : 1;
		a = ct->parent.p[a];
		b = ct->parent.p[b];
	}
	return a == b ? 0 : a ? 1 : -1;
}

static int cmp_end(const void *ctx, uint32_t a, uint32_t b)
{
	const struct by_cost *o = ctx;
	const struct as_calltree *ct = o->ct;
	const as_val *x = ct->cost.p + (size_t)a * ct->e, *y = ct->cost.p + (size_t)b * ct->e;
	int cmp = as_costs_cmp(x, y, ct->e, o->event);

	return cmp ? cmp : cmp_path(o, a, b);
}

static enum as_code sort_ends(struct by_cost *o, uint32_t *node, size_t n)
{
	const struct as_calltree *ct = o->ct;
	struct as_order order = {0};
	bool ok = as_order_init(&order, ct->al, ct->key.n, calltree_cmp_key, ct);

	o->rank = order.rank;
	ok = ok && as_sort_rows(ct->al, node, n, cmp_end, o);
	as_order_release(&order, ct->al);
	return ok ? AS_OK : AS_E_NOMEM;
}

enum as_code as_calltree_ends(
	const struct as_calltree *ct, uint32_t event, uint32_t **node, size_t *n, size_t *size)
{
	struct by_cost o = {ct, event, NULL};

	as_assert(!ct->e || event < ct->e);
	*n = 0;
	*size = 0;
	*node = NULL;
	for (size_t i = 0; i < ct->parent.n; i++)
		*n += as_calltree_costs(ct, i);
	*node = as_alloc_new(ct->al, *n * sizeof(**node) + 1);
	AS_TRY(as_memory(*node));
	*size = *n * sizeof(**node) + 1;
	*n = 0;
	for (size_t i = 0; i < ct->parent.n; i++)
		if (as_calltree_costs(ct, i))
			(*node)[(*n)++] = (uint32_t)i;
	as_assert(*n * sizeof(**node) + 1 == *size);
	return sort_ends(&o, *node, *n);
}
