/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of paths by function. */
#include "ops/calltree.h"

#include "base/sort.h"
#include "ops/project_impl.h"
#include "ops/tree.h"

/* While the tree is made. */
struct maker {
	struct as_calltree *ct;
	struct as_proj p;      /* keys */
	struct as_index index; /* of nodes, by parent and key */
	uint32_t *of_place;    /* key + 1 of each place; 0 = not yet */
	uint32_t *to;          /* node + 1 of each node of the profile; 0 = none */
	uint8_t *live;
	const struct as_calltree_root *below;
};

static enum as_code node_key(struct maker *m, size_t node, uint32_t *key)
{
	as_place place = m->ct->prof->node.place.p[node];
	struct as_pos pos;

	if (!m->of_place[place.i]) {
		pos = as_place_pos(m->ct->prof, place);
		AS_TRY(as_proj_key(&m->p, &pos, key));
		m->of_place[place.i] = *key + 1;
	}
	*key = m->of_place[place.i] - 1;
	return AS_OK;
}

static enum as_code push_node(struct as_calltree *ct, uint32_t parent, uint32_t key)
{
	size_t at = ct->cost.n;

	if (ct->parent.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	if (!as_vec_push(ct->al, &ct->parent, parent) || !as_vec_push(ct->al, &ct->key_of, key) ||
		!as_vec_reserve(ct->al, &ct->cost, at + ct->e))
		return AS_E_NOMEM;
	for (uint32_t k = 0; k < ct->e; k++)
		ct->cost.p[at + k] = 0;
	ct->cost.n = at + ct->e;
	return AS_OK;
}

static enum as_code child_of(struct maker *m, uint32_t parent, uint32_t key, uint32_t *node)
{
	struct as_calltree *ct = m->ct;
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent, key);

	while (as_index_find(&m->index, hash, &pos, node))
		if (ct->parent.p[*node] == parent && ct->key_of.p[*node] == key)
			return AS_OK;
	*node = (uint32_t)ct->parent.n;
	AS_TRY(push_node(ct, parent, key));
	return as_index_add(&m->index, hash, *node) ? AS_OK : AS_E_NOMEM;
}

static bool is_root(const struct maker *m, uint32_t key)
{
	const struct as_key *k = &m->p.key.p[key];

	return !m->below || (k->func.i == m->below->func.i && k->addr == m->below->addr);
}

static enum as_code add_node(struct maker *m, size_t node)
{
	uint32_t parent = m->ct->prof->node.parent.p[node].i, key, to;

	AS_TRY(node_key(m, node, &key));
	if (node && parent && m->to[parent])
		AS_TRY(child_of(m, m->to[parent] - 1, key, &to));
	else if (is_root(m, key))
		AS_TRY(child_of(m, 0, key, &to));
	else
		return AS_OK;
	m->to[node] = to + 1;
	return AS_OK;
}

static enum as_code add_all(struct maker *m)
{
	const struct as_profile *prof = m->ct->prof;

	AS_TRY(push_node(m->ct, 0, 0));
	for (size_t i = 0; i < prof->node.parent.n; i++)
		if (m->live[i])
			AS_TRY(add_node(m, i));
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t to = m->to[prof->sample.node.p[i].i];

		if (to)
			as_proj_add(m->ct->cost.p + (size_t)(to - 1) * m->ct->e,
				prof->sample.cost.p + i * m->ct->e, m->ct->e);
	}
	return AS_OK;
}

static int cmp_key(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_calltree *ct = ctx;
	const struct as_profile *prof = ct->prof;
	const struct as_key *x = &ct->key.p[a], *y = &ct->key.p[b];
	int cmp = as_slice_cmp(as_calltree_name(ct, a), as_calltree_name(ct, b));

	if (!cmp)
		cmp = as_slice_cmp(
			as_object_path(prof, x->object), as_object_path(prof, y->object));
	if (!cmp)
		cmp = as_slice_cmp(as_file_path(prof, x->file), as_file_path(prof, y->file));
	if (!cmp && x->addr != y->addr)
		cmp = x->addr < y->addr ? -1 : 1;
	return cmp;
}

static enum as_code rank_keys(struct as_calltree *ct)
{
	size_t size = ct->key.n * sizeof(*ct->rank) + 1;
	uint32_t *order = as_alloc_new(ct->al, size);
	enum as_code rc = AS_E_NOMEM;

	ct->rank = as_alloc_new(ct->al, size);
	for (size_t i = 0; order && i < ct->key.n; i++)
		order[i] = (uint32_t)i;
	if (order && ct->rank && as_sort_rows(ct->al, order, ct->key.n, cmp_key, ct)) {
		for (size_t i = 0; i < ct->key.n; i++)
			ct->rank[order[i]] = (uint32_t)i;
		rc = AS_OK;
	}
	as_alloc_free(ct->al, order, order ? size : 0);
	return rc;
}

static enum as_code take_keys(struct maker *m)
{
	struct as_calltree *ct = m->ct;

	ct->how = m->p.fold.how;
	for (size_t i = 0; i < m->p.key.n; i++)
		if (!as_vec_push(ct->al, &ct->key, m->p.key.p[i]))
			return AS_E_NOMEM;
	return rank_keys(ct);
}

static enum as_code make(struct maker *m)
{
	const struct as_profile *prof = m->ct->prof;

	m->of_place = as_alloc_new(m->ct->al, prof->place.func.n * sizeof(*m->of_place) + 1);
	m->to = as_alloc_new(m->ct->al, prof->node.parent.n * sizeof(*m->to) + 1);
	m->live = as_alloc_new(m->ct->al, prof->node.parent.n + 1);
	if (!m->of_place || !m->to || !m->live)
		return AS_E_NOMEM;
	as_tree_live(prof, m->live);
	AS_TRY(add_all(m));
	return take_keys(m);
}

enum as_code as_calltree_make(struct as_calltree *ct, const struct as_profile *prof,
	const struct as_calltree_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.fold_clones = opts->fold_clones,
		.whole_objects = opts->whole_objects};
	struct maker m = {.ct = ct, .below = opts->below};
	enum as_code rc;

	*ct = (struct as_calltree){
		.al = prof->al, .prof = prof, .e = as_n_events(prof), .estimated = prof->estimated};
	as_index_init(&m.index, ct->al);
	rc = as_proj_init(&m.p, prof, &project);
	if (rc == AS_OK)
		rc = make(&m);
	as_alloc_free(
		ct->al, m.of_place, m.of_place ? prof->place.func.n * sizeof(*m.of_place) + 1 : 0);
	as_alloc_free(ct->al, m.to, m.to ? prof->node.parent.n * sizeof(*m.to) + 1 : 0);
	as_alloc_free(ct->al, m.live, m.live ? prof->node.parent.n + 1 : 0);
	as_index_release(&m.index);
	as_proj_release(&m.p);
	if (rc == AS_E_LIMIT)
		return as_err_set(err, rc, "more than 2^32 call paths");
	return rc == AS_OK ? AS_OK : as_err_set(err, rc, "out of memory");
}

void as_calltree_release(struct as_calltree *ct)
{
	if (ct->rank)
		as_alloc_free(ct->al, ct->rank, ct->key.n * sizeof(*ct->rank) + 1);
	as_vec_free(ct->al, &ct->key);
	as_vec_free(ct->al, &ct->recursive);
	as_vec_free(ct->al, &ct->exact);
	as_vec_free(ct->al, &ct->only_caller);
	as_vec_free(ct->al, &ct->passes);
	as_vec_free(ct->al, &ct->caller);
	as_vec_free(ct->al, &ct->parent);
	as_vec_free(ct->al, &ct->key_of);
	as_vec_free(ct->al, &ct->cost);
}

void as_calltree_to_inclusive(struct as_calltree *ct)
{
	for (size_t i = ct->inclusive ? 0 : ct->parent.n; i-- > 1;)
		as_proj_add(ct->cost.p + (size_t)ct->parent.p[i] * ct->e, ct->cost.p + i * ct->e,
			ct->e);
	ct->inclusive = true;
}

void as_calltree_to_self(struct as_calltree *ct)
{
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

	return k->contexts ? as_fold_name_by(ct->how, name) : name;
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

static bool same_func(
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
			ct->recursive.p[i] = same_func(ct, i, t, row);
	}
	ct->recursive.n = ct->key.n;
}

bool as_calltree_rows(const struct as_calltree *ct, const struct as_table *t, uint32_t *row_of)
{
	struct as_index ix;
	bool fine = true;

	as_index_init(&ix, ct->al);
	for (uint32_t r = 0; fine && r < t->n; r++)
		if (!t->key[r].is_cycle)
			fine = as_index_add(
				&ix, text_hash(t->prof, &t->key[r], as_table_func_name(t, r)), r);
	for (uint32_t i = 0; fine && i < ct->key.n; i++) {
		uint64_t pos = AS_INDEX_START;
		uint64_t hash = text_hash(ct->prof, &ct->key.p[i], as_calltree_name(ct, i));
		uint32_t row, n = 0;

		row_of[i] = 0;
		while (as_index_find(&ix, hash, &pos, &row))
			if (same_func(ct, i, t, row) && n++ == 0)
				row_of[i] = row + 1;
		if (n > 1)
			row_of[i] = 0;
	}
	as_index_release(&ix);
	return fine;
}

enum as_code as_calltree_mark_recursive(struct as_calltree *ct, const struct as_table *calls)
{
	struct as_index ix;
	bool fine = as_vec_reserve(ct->al, &ct->recursive, ct->key.n + 1);

	as_index_init(&ix, ct->al);
	for (uint32_t r = 0; fine && r < calls->n; r++)
		if (calls->recursive[r] && !calls->key[r].is_cycle)
			fine = as_index_add(&ix,
				text_hash(
					calls->prof, &calls->key[r], as_table_func_name(calls, r)),
				r);
	if (fine)
		mark_keys(ct, calls, &ix);
	as_index_release(&ix);
	return fine ? AS_OK : AS_E_NOMEM;
}

/* ---- paths ---- */

struct by_cost {
	const struct as_calltree *ct;
	uint32_t event;
};

/* By name from the leaf up. */
static int cmp_path(const struct as_calltree *ct, uint32_t a, uint32_t b)
{
	while (a && b && a != b) {
		uint32_t x = ct->rank[ct->key_of.p[a]], y = ct->rank[ct->key_of.p[b]];

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

	if (x[o->event] != y[o->event])
		return x[o->event] > y[o->event] ? -1 : 1;
	for (uint32_t k = 0; k < ct->e; k++)
		if (x[k] != y[k])
			return x[k] > y[k] ? -1 : 1;
	return cmp_path(ct, a, b);
}

static bool any_cost(const struct as_calltree *ct, size_t node)
{
	for (uint32_t k = 0; k < ct->e; k++)
		if (ct->cost.p[node * ct->e + k])
			return true;
	return false;
}

enum as_code as_calltree_ends(
	const struct as_calltree *ct, uint32_t event, uint32_t **node, size_t *n, size_t *size)
{
	struct by_cost o = {ct, event};

	*n = 0;
	*size = 0;
	*node = NULL;
	for (size_t i = 0; i < ct->parent.n; i++)
		*n += any_cost(ct, i);
	*node = as_alloc_new(ct->al, *n * sizeof(**node) + 1);
	if (!*node)
		return AS_E_NOMEM;
	*size = *n * sizeof(**node) + 1;
	*n = 0;
	for (size_t i = 0; i < ct->parent.n; i++)
		if (any_cost(ct, i))
			(*node)[(*n)++] = (uint32_t)i;
	return as_sort_rows(ct->al, *node, *n, cmp_end, &o) ? AS_OK : AS_E_NOMEM;
}
