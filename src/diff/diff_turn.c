/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compared tree the other way up, or what is below one of its functions. A row of the tree
 * stands for a path that one of the sides has, or both; so turning the tree and turning each side
 * before it is matched are the same, and it is done once.
 */
#include "diff/diff_impl.h"

#define SEVERAL UINT32_MAX

struct turn {
	const struct as_diff_sub *from;
	struct as_diff_sub *to;
	uint32_t func;
	size_t n;     /* rows of FROM */
	uint32_t *at; /* of each, its row of TO + 1: where its path ends, or itself; 0 = none */
	bool whole;   /* a path is worth its inclusive cost */
};

/* ---- who alone calls whom ---- */

enum as_code as_diff_sub_callers_of(
	struct as_diff_sub *sub, const struct as_calltree *ct, const uint32_t *func)
{
	size_t n = sub->of->key.n;

	if (ct->exact.n < ct->parent.n) {
		sub->is_unsure = true;
		return AS_OK;
	}
	AS_TRY(as_memory(as_vec_reserve(sub->fig.al, &sub->only, n + 1)));
	while (sub->only.n < n)
		sub->only.p[sub->only.n++] = 0;
	for (size_t i = 1; i < ct->parent.n; i++) {
		uint32_t above = ct->parent.p[i], *only = &sub->only.p[func[ct->key_of.p[i]]];
		bool one = above && (ct->exact.p[i] & AS_CALLTREE_ONLY);
		uint32_t caller = one ? func[ct->key_of.p[above]] + 1 : SEVERAL;

		*only = !*only || *only == caller ? caller : SEVERAL;
	}
	return AS_OK;
}

/* All of what ROW stands on is its own. */
static bool costs_as_much(const struct as_diff *d, uint32_t row, uint32_t above)
{
	size_t size = d->n_events * sizeof(as_val);

	for (size_t i = 0; i < d->run.n; i++)
		if (memcmp(d->run.p[i].incl + (size_t)row * d->n_events,
			    d->run.p[i].incl + (size_t)above * d->n_events, size) != 0)
			return false;
	return true;
}

/* As of the ways up of one profile: treeview.c. */
static bool is_exact(const struct turn *t, uint32_t row)
{
	const struct as_diff_place *p = &t->to->place.p[row], *above;

	if (!p->up)
		return t->to->way == AS_TREE_BOTTOM_UP;
	above = &t->to->place.p[p->up - 1];
	return t->to->exact.p[p->up - 1] && !t->from->is_unsure && p->func != AS_DIFF_NO_CALLER &&
	       above->func < t->from->only.n && t->from->only.p[above->func] == p->func + 1 &&
	       costs_as_much(&t->to->fig, row, p->up - 1);
}

static enum as_code note_exact(struct turn *t)
{
	struct as_diff_sub *to = t->to;

	if (to->way == AS_TREE_CALLEES || !to->of->is_estimated)
		return AS_OK;
	AS_TRY(as_memory(as_vec_reserve(to->fig.al, &to->exact, to->place.n + 1)));
	while (to->exact.n < to->place.n) {
		to->exact.p[to->exact.n] = is_exact(t, (uint32_t)to->exact.n);
		to->exact.n++;
	}
	return AS_OK;
}

bool as_diff_sub_is_exact(const struct as_diff_sub *sub, uint32_t row)
{
	return !sub->of->is_estimated || (row < sub->exact.n && sub->exact.p[row]);
}

struct as_diff_fig as_diff_sub_total(const struct as_diff_sub *sub, uint32_t event)
{
	if (!sub->is_part)
		return as_diff_total(sub->of, event);
	if (!sub->place.n)
		return (struct as_diff_fig){0};
	return as_diff_figure(&sub->fig, 0, event, true);
}

/* ---- rows ---- */

static const as_val *diff_turn_value(
	const struct turn *t, const struct as_diff_run *run, size_t row)
{
	return (t->whole ? run->incl : run->self) + row * t->from->fig.n_events;
}

static bool has_cost(const struct turn *t, const struct as_diff_run *run, size_t row)
{
	for (uint32_t e = 0; row < run->n_rows && e < t->from->fig.n_events; e++)
		if (diff_turn_value(t, run, row)[e])
			return true;
	return false;
}

/* A path to be followed up. */
static bool diff_turn_is_wanted(const struct turn *t, size_t row)
{
	const struct as_diff *d = &t->from->fig;

	if (t->whole && t->from->place.p[row].func != t->func)
		return false;
	for (size_t i = 0; i < d->run.n; i++)
		if (has_cost(t, &d->run.p[i], row))
			return true;
	return false;
}

static enum as_code diff_turn_follow(struct turn *t, size_t row)
{
	uint32_t up = 0;

	for (size_t i = row + 1; i; i = t->from->place.p[i - 1].up) {
		struct as_diff_place at = {.up = up, .func = t->from->place.p[i - 1].func};

		AS_TRY(as_diff_sub_row(t->to, &at, &up));
		up++;
	}
	t->at[row] = up;
	return AS_OK;
}

/* INSIDE: of each row of FROM, whether it is FUNC or below that. */
static enum as_code follow_all(struct turn *t, uint8_t *inside)
{
	for (size_t i = 0; i < t->n; i++) {
		uint32_t up = t->from->place.p[i].up;
		bool below = up && inside[up - 1];

		inside[i] = t->whole && (below || t->from->place.p[i].func == t->func);
		if (!below && diff_turn_is_wanted(t, i))
			AS_TRY(diff_turn_follow(t, i));
	}
	return AS_OK;
}

/* Where a path ends and others go on, that is a row of its own. */
static enum as_code end_paths(struct turn *t, uint8_t *parent)
{
	size_t n = t->to->place.n;

	for (size_t i = 0; i < n; i++)
		if (t->to->place.p[i].up)
			parent[t->to->place.p[i].up - 1] = 1;
	for (size_t i = 0; i < t->n; i++) {
		struct as_diff_place at = {.up = t->at[i], .func = AS_DIFF_NO_CALLER};

		if (!at.up || !parent[at.up - 1])
			continue;
		AS_TRY(as_diff_sub_row(t->to, &at, &t->at[i]));
		t->at[i]++;
	}
	return AS_OK;
}

static enum as_code turn_rows(struct turn *t)
{
	const struct as_alloc *al = t->from->fig.al;
	uint8_t *inside = as_alloc_new(al, t->n + 1), *parent;
	enum as_code rc = inside ? follow_all(t, inside) : AS_E_NOMEM;
	size_t n = t->to->place.n;

	as_alloc_free(al, inside, t->n + 1);
	AS_TRY(rc);
	parent = as_alloc_new(al, n + 1);
	rc = parent ? end_paths(t, parent) : AS_E_NOMEM;
	as_alloc_free(al, parent, n + 1);
	return rc;
}

/* Those of FUNC, and what is below them. */
static enum as_code part_rows(struct turn *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct as_diff_place *p = &t->from->place.p[i];
		struct as_diff_place at = {.up = p->up ? t->at[p->up - 1] : 0, .func = p->func};

		if (!at.up && p->func != t->func)
			continue;
		AS_TRY(as_diff_sub_row(t->to, &at, &t->at[i]));
		t->at[i]++;
	}
	return AS_OK;
}

/* ---- values ---- */

static void diff_turn_add_values(
	const struct turn *t, struct as_diff_run *to, const struct as_diff_run *from)
{
	uint32_t e = t->from->fig.n_events;

	for (size_t i = 0; i < t->n && i < from->n_rows; i++) {
		bool has = t->to->way == AS_TREE_CALLEES ? from->has[i] != 0 : has_cost(t, from, i);

		if (!t->at[i] || !has)
			continue;
		as_vals_add(to->self + (size_t)(t->at[i] - 1) * e, diff_turn_value(t, from, i), e);
		to->has[t->at[i] - 1] = AS_DIFF_HAS | AS_DIFF_INCL;
	}
	for (size_t i = to->n_rows; i-- > 0;) {
		uint32_t up = t->to->place.p[i].up;

		as_vals_add(to->incl + i * e, to->self + i * e, e);
		if (!up)
			continue;
		as_vals_add(to->incl + (size_t)(up - 1) * e, to->incl + i * e, e);
		to->has[up - 1] |= to->has[i];
	}
}

static enum as_code turn_runs(struct turn *t)
{
	const struct as_diff *from = &t->from->fig;
	struct as_diff *d = &t->to->fig;

	d->n_events = from->n_events;
	d->event = from->event;
	for (size_t i = 0; i < from->run.n; i++) {
		struct as_diff_run run = from->run.p[i];

		if (!as_diff_run_values(d, &run) || !as_vec_push(d->al, &d->run, run)) {
			as_diff_free_values(d, &run);
			return AS_E_NOMEM;
		}
		diff_turn_add_values(t, &run, &from->run.p[i]);
	}
	return AS_OK;
}

enum as_code as_diff_sub_turn(struct as_diff_sub *sub, uint32_t func, struct as_err *err)
{
	const struct as_alloc *al = sub->fig.al;
	struct as_diff_sub to;
	struct turn t = {.from = sub,
		.to = &to,
		.func = func,
		.n = sub->place.n,
		.whole = sub->way == AS_TREE_CALLERS};
	enum as_code rc = AS_E_NOMEM;

	as_assert(sub->way == AS_TREE_BOTTOM_UP || func < sub->of->key.n);
	as_diff_sub_init(&to, sub->of);
	to.way = sub->way;
	to.is_part = to.way != AS_TREE_BOTTOM_UP;
	t.at = as_alloc_new(al, t.n * sizeof(*t.at) + 1);
	if (t.at)
		rc = to.way == AS_TREE_CALLEES ? part_rows(&t) : turn_rows(&t);
	AS_THEN(rc, turn_runs(&t));
	AS_THEN(rc, note_exact(&t));
	as_alloc_free(al, t.at, t.n * sizeof(*t.at) + 1);
	if (rc != AS_OK) {
		as_diff_sub_release(&to);
		return as_err_set(err, rc,
			rc == AS_E_LIMIT ? "the two sides have more than 2^32 rows"
					 : "out of memory");
	}
	as_diff_sub_release(sub);
	*sub = to;
	return AS_OK;
}
