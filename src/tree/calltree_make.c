/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the profile's tree of paths to that by function. Nodes of one function below one node become
 * one: its group. A group is taken from the stack, and the children of all its nodes, which are
 * easily found as subtrees are stretches, are told apart by a place for each function. So nothing
 * is searched for, and what is used together lies together.
 */
#include "base/pool.h"
#include "change/kit/tree.h"
#include "table/project_impl.h"
#include "tree/calltree_node.h"

#define NONE UINT32_MAX

struct group {
	uint32_t node;  /* of the new tree */
	uint32_t first; /* node of the profile; the others by NEXT */
	int64_t sum;    /* what it costs, if that is asked for */
};

struct maker {
	struct as_calltree *ct;
	const struct as_alloc *al; /* for scratch */
	const struct as_calltree_opts *opts;
	struct as_proj p;           /* keys */
	size_t n;                   /* nodes of the profile */
	uint32_t *of_place;         /* key + 1 of each place; 0 = not yet */
	uint8_t *live;              /* of each node of the profile, as all up to INCL */
	uint32_t *end;              /* the first node behind its subtree; the root is alone */
	uint32_t *next;             /* in its group, if it is in one */
	uint32_t *to;               /* node of the new tree + 1; 0 = none */
	int64_t *incl;              /* what it costs with its subtree; NULL: not asked for */
	uint32_t *group_of;         /* of each key: its place in LEVEL + 1; 0 = none */
	size_t keys;                /* room there */
	AS_VEC(struct group) level; /* children of the group that was taken last */
	AS_VEC(struct group) stack;
};

static uint32_t key_at(const struct maker *m, size_t node)
{
	return m->of_place[m->ct->prof->node.place.p[node].i] - 1;
}

/* Keys of all places that lead to a sample. */
static enum as_code tree_make_find_keys(struct maker *m)
{
	const struct as_profile *prof = m->ct->prof;

	for (size_t i = 0; i < m->n; i++) {
		as_place place = prof->node.place.p[i];
		struct as_pos pos;
		uint32_t key;

		if (!m->live[i] || m->of_place[place.i])
			continue;
		pos = as_place_pos(prof, place);
		AS_TRY(as_proj_key(&m->p, &pos, &key));
		m->of_place[place.i] = key + 1;
	}
	m->keys = m->p.key.n;
	return as_alloc_array(m->al, &m->group_of, m->keys) ? AS_OK : AS_E_NOMEM;
}

static void find_ends(struct maker *m)
{
	const as_node *parent = m->ct->prof->node.parent.p;

	for (size_t i = m->n; i-- > 1;) {
		uint32_t *above = &m->end[parent[i].i];

		m->end[i] = m->end[i] ? m->end[i] : (uint32_t)i + 1;
		*above = *above ? *above : m->end[i]; /* the last child comes first */
	}
	as_assert(m->n < 2 || m->end[1] > 1);
	m->end[0] = 1;
}

static as_val sample_cost(const struct maker *m, size_t i)
{
	return m->ct->prof->sample.cost.p[i * m->ct->e + m->opts->event];
}

/* All costs together, whatever their signs are, are a number of 64 bits. */
static bool costs_fit(const struct maker *m)
{
	as_val sum = 0;

	for (size_t i = 0; i < m->ct->prof->sample.node.n; i++)
		sum += sample_cost(m, i) < 0 ? -sample_cost(m, i) : sample_cost(m, i);
	return sum <= INT64_MAX;
}

/* What is small must not be known: costs that do not fit are not asked for. */
static enum as_code find_costs(struct maker *m)
{
	const struct as_profile *prof = m->ct->prof;

	if (!m->opts->min || !m->ct->e || !costs_fit(m))
		return AS_OK;
	as_assert(m->opts->event < m->ct->e);
	AS_TRY(as_memory(as_alloc_array(m->al, &m->incl, m->n)));
	for (size_t i = 0; i < prof->sample.node.n; i++)
		m->incl[prof->sample.node.p[i].i] += (int64_t)sample_cost(m, i);
	for (size_t i = m->n; i-- > 1;)
		if (prof->node.parent.p[i].i)
			m->incl[prof->node.parent.p[i].i] += m->incl[i];
	return AS_OK;
}

/* NODE of the profile becomes a child of PARENT. */
static enum as_code tree_make_add_node(struct maker *m, uint32_t parent, uint32_t node)
{
	uint32_t key = key_at(m, node), *place = &m->group_of[key];
	struct group *g;

	as_assert(key < m->keys);
	m->next[node] = NONE;
	if (*place) {
		g = &m->level.p[*place - 1];
		m->next[node] = g->first;
		g->first = node;
	} else {
		struct group fresh = {.first = node};

		AS_TRY(as_calltree_push(m->ct, parent, key, &fresh.node));
		AS_TRY(as_memory(as_vec_push(m->al, &m->level, fresh)));
		*place = (uint32_t)m->level.n;
		g = &m->level.p[m->level.n - 1];
	}
	g->sum += m->incl ? m->incl[node] : 0;
	m->to[node] = g->node + 1;
	return AS_OK;
}

/* What stands below the nodes of G is part of it. */
static void take_below(struct maker *m, const struct group *g)
{
	for (uint32_t node = g->first; node != NONE; node = m->next[node])
		for (uint32_t i = node + 1; i < m->end[node]; i++)
			m->to[i] = g->node + 1;
}

/* LEVEL, which stands on PARENT, goes to the stack. */
static enum as_code tree_make_push_level(struct maker *m, uint32_t parent)
{
	for (size_t i = 0; i < m->level.n; i++) {
		const struct group *g = &m->level.p[i];
		bool small = m->incl && (g->sum < 0 ? -g->sum : g->sum) < m->opts->min;

		m->group_of[m->ct->key_of.p[g->node]] = 0;
		if (parent && small)
			take_below(m, g);
		else if (!as_vec_push(m->al, &m->stack, *g))
			return AS_E_NOMEM;
	}
	m->level.n = 0;
	return AS_OK;
}

/* What stands on the root: the outermost nodes of one function, or all beginnings. */
static enum as_code add_roots(struct maker *m)
{
	uint32_t root;

	AS_TRY(as_calltree_push(m->ct, 0, 0, &root));
	for (uint32_t i = 0; i < m->n;) {
		bool here = m->live[i] && as_calltree_is(&m->p.key.p[key_at(m, i)], m->opts->below);

		if (here)
			AS_TRY(tree_make_add_node(m, 0, i));
		i = here || !m->opts->below ? m->end[i] : i + 1;
	}
	return tree_make_push_level(m, 0);
}

static enum as_code add_children(struct maker *m, const struct group *g)
{
	for (uint32_t node = g->first; node != NONE; node = m->next[node])
		for (uint32_t i = node + 1; i < m->end[node]; i = m->end[i])
			if (m->live[i])
				AS_TRY(tree_make_add_node(m, g->node, i));
	return tree_make_push_level(m, g->node);
}

static enum as_code tree_make_add_all(struct maker *m)
{
	const struct as_profile *prof = m->ct->prof;

	AS_TRY(add_roots(m));
	while (m->stack.n) {
		struct group g = m->stack.p[--m->stack.n];

		AS_TRY(add_children(m, &g));
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t to = m->to[prof->sample.node.p[i].i];

		if (to)
			as_vals_add(m->ct->cost.p + (size_t)(to - 1) * m->ct->e,
				as_at(prof->sample.cost.p, i * m->ct->e), m->ct->e);
	}
	return AS_OK;
}

static enum as_code tree_make_make(struct maker *m)
{
	struct as_calltree *ct = m->ct;
	const struct as_profile *prof = ct->prof;

	if (!as_alloc_array(m->al, &m->of_place, prof->place.func.n) ||
		!as_alloc_array(m->al, &m->live, m->n) || !as_alloc_array(m->al, &m->end, m->n) ||
		!as_alloc_array(m->al, &m->next, m->n) || !as_alloc_array(m->al, &m->to, m->n))
		return AS_E_NOMEM;
	AS_TRY(find_costs(m));
	as_tree_live(prof, m->live);
	AS_TRY(tree_make_find_keys(m));
	find_ends(m);
	AS_TRY(tree_make_add_all(m));
	as_assert(ct->parent.n <= m->n + 1); /* each stands for some, but for the root */
	as_assert(ct->cost.n == ct->parent.n * ct->e);
	as_assert(ct->key_of.n == ct->parent.n && !m->level.n);
	ct->how = m->p.fold.how;
	return as_vec_append(ct->al, &ct->key, m->p.key.p, m->p.key.n) ? AS_OK : AS_E_NOMEM;
}

enum as_code as_calltree_make(struct as_calltree *ct, const struct as_profile *prof,
	const struct as_calltree_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.fold_clones = opts->fold_clones,
		.whole_objects = opts->whole_objects};
	struct as_pool pool;
	struct maker m = {.ct = ct, .al = &pool.al, .opts = opts, .n = prof->node.parent.n};
	enum as_code rc;

	*ct = (struct as_calltree){.al = prof->al, .prof = prof, .e = as_n_events(prof)};
	as_pool_init(&pool, prof->al);
	rc = as_proj_init(&m.p, prof, &project);
	AS_THEN(rc, tree_make_make(&m));
	ct->estimated = prof->estimated;
	as_proj_release(&m.p);
	as_pool_release(&pool);
	return as_calltree_said(rc, err);
}
