/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of paths by function, stacks that will become such, and what the costs are a share of. A
 * path is of one input, so what the paths of each add up to is added.
 */
#include "change/merge/merge_impl.h"

/* Rows that are there already get zeros for events that are new. */
static bool merge_sums_widen(struct as_merge *m, uint32_t width)
{
	struct as_merge_sums *s = &m->sums;
	size_t n = 2 * s->func.n;

	as_assert(width >= s->e);
	if (width > s->e && n) {
		if (n > SIZE_MAX / 32 / width || !as_vec_reserve(m->own, &s->cost, n * width))
			return false;
		as_merge_spread(s->cost.p, n, s->e, width);
		s->cost.n = n * width;
	}
	s->e = width;
	return true;
}

/* Each function that there is now may get a row. */
static bool sums_know_funcs(struct as_merge *m)
{
	struct as_merge_sums *s = &m->sums;
	size_t have = s->of_func.n, n = m->b.prof->func.name.n;

	if (!as_vec_reserve(m->own, &s->of_func, n))
		return false;
	if (have < n)
		memset(s->of_func.p + have, 0, (n - have) * sizeof(*s->of_func.p));
	s->of_func.n = n;
	return true;
}

/* Values in a line of a cache; and as many as are asked for ahead. */
enum { LINE_VALUES = 64 / sizeof(as_val), AHEAD_VALUES = 4 * LINE_VALUES };

/* Ask for the memory of the rows of FUNC. */
static void sums_expect(const struct as_merge_sums *s, const as_func *func, uint32_t n)
{
	uint32_t more = 2 * s->e, ahead = more < AHEAD_VALUES ? more : AHEAD_VALUES;

	for (uint32_t i = 0; i < n; i++)
		AS_PREFETCH(&s->of_func.p[func[i].i]);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = s->of_func.p[func[i].i];

		for (uint32_t k = 0; row && k < ahead; k += LINE_VALUES)
			AS_PREFETCH(&s->cost.p[(size_t)(row - 1) * more + k]);
	}
}

/* The row of FUNC, made with zeros if there is none; NULL if out of memory. */
static as_val *sums_row(struct as_merge *m, as_func func, uint32_t *row)
{
	struct as_merge_sums *s = &m->sums;
	size_t at = s->cost.n, more = 2 * s->e;

	*row = s->of_func.p[func.i];
	if (!*row) {
		if (!as_vec_reserve(m->own, &s->cost, at + more + 1) ||
			!as_vec_push(m->own, &s->func, func) ||
			!as_vec_push(m->own, &s->recursive, 0))
			return NULL;
		memset(s->cost.p + at, 0, more * sizeof(*s->cost.p));
		s->cost.n = at + more;
		*row = s->of_func.p[func.i] = (uint32_t)s->func.n;
	}
	return s->cost.p + --*row * more;
}

/* Row I of the input, whose function is FUNC. */
static enum as_code add_sum(struct as_merge_add_job *j, size_t i, as_func func)
{
	const struct as_profile *src = j->src;
	const as_val *from = src->sums.cost.p + i * 2 * j->r.e;
	struct as_merge *m = j->m;
	uint32_t row = 0;
	as_val *to = sums_row(m, func, &row);

	AS_TRY(as_err_memory(m->err, to));
	for (uint32_t k = 0; k < j->r.e; k++) {
		to[j->r.event[k]] += as_remap_value(&j->r, k, from[k]);
		to[m->sums.e + j->r.event[k]] += as_remap_value(&j->r, k, from[j->r.e + k]);
	}
	m->sums.recursive.p[row] |= src->sums.recursive.p[i];
	return AS_OK;
}

/* The rows from FIRST on: N, or AS_STRINGS_MANY. */
static enum as_code merge_sums_some(struct as_merge_add_job *j, size_t first, size_t n)
{
	as_func func[AS_STRINGS_MANY];
	uint32_t some = n < AS_STRINGS_MANY ? (uint32_t)n : AS_STRINGS_MANY;

	AS_TRY(as_remap_funcs(&j->r, j->src->sums.func.p + first, some, func));
	AS_TRY(as_err_memory(j->m->err, sums_know_funcs(j->m)));
	sums_expect(&j->m->sums, func, some);
	for (uint32_t i = 0; i < some; i++)
		AS_TRY(add_sum(j, first + i, func[i]));
	return AS_OK;
}

static enum as_code add_whole(struct as_merge_add_job *j)
{
	const as_val *from = as_whole(j->src);
	struct as_merge *m = j->m;

	m->has_whole |= j->src->whole != NULL;
	while (m->whole.n < m->b.prof->event.n)
		AS_TRY(as_err_memory(m->err, as_vec_push(m->own, &m->whole, 0)));
	for (uint32_t k = 0; k < j->r.e; k++)
		m->whole.p[j->r.event[k]] += as_remap_value(&j->r, k, from[k]);
	return AS_OK;
}

/* ---- stacks ---- */

/* The kind of the result that kind FROM of the input is. */
static bool merge_stack_kind(
	struct as_merge_add_job *j, const struct as_stack_kind *from, uint32_t *kind)
{
	const uint32_t none = AS_STACK_NO_EVENT;
	struct as_stacks *to = &j->m->b.prof->stacks;
	uint32_t value = from->value == none ? none : j->r.event[from->value];
	uint32_t times = from->times == none ? none : j->r.event[from->times];

	for (*kind = 0; *kind < to->kind.n; ++*kind)
		if (to->kind.p[*kind].value == value && to->kind.p[*kind].times == times)
			return true;
	return as_stacks_kind(to, value, times);
}

/* A row of the input, its places the innermost first. */
static enum as_code merge_stack(
	struct as_merge_add_job *j, const struct as_stacks_cur *cur, uint32_t kind, as_place *path)
{
	uint32_t event = j->src->stacks.kind.p[cur->kind].value;
	uint64_t value = cur->value;

	if (j->r.times && event != AS_STACK_NO_EVENT &&
		__builtin_mul_overflow(value, (uint64_t)j->r.times[event], &value))
		return as_err_set(j->m->err, AS_E_LIMIT,
			"a stack's cost has more than 64 bits in the smallest unit");
	for (uint32_t i = 0; i < cur->n; i++)
		AS_TRY(as_remap_place(&j->r, cur->place[i], &path[cur->n - 1 - i]));
	return as_err_memory(j->m->err, as_stacks_add(&j->m->b.prof->stacks, kind, path, cur->n,
						value, (uint32_t)cur->times));
}

static enum as_code merge_stacks(struct as_merge_add_job *j)
{
	const struct as_stacks *from = &j->src->stacks;
	const struct as_alloc *al = &j->pool.al;
	struct as_stacks_cur cur;
	as_place *room, *path;
	uint32_t *kind;

	if (!as_stacks_any(from))
		return AS_OK;
	if (from->all.n)
		return as_err_set(
			j->m->err, AS_E_UNSUPPORTED, "wide rows of stacks are of one file");
	if (!as_alloc_array(al, &room, from->deepest) ||
		!as_alloc_array(al, &path, from->deepest) ||
		!as_alloc_array(al, &kind, from->kind.n))
		return as_err_no_memory(j->m->err);
	for (size_t i = 0; i < from->kind.n; i++)
		AS_TRY(as_err_memory(j->m->err, merge_stack_kind(j, &from->kind.p[i], &kind[i])));
	as_stacks_begin(&cur, from, room);
	while (as_stacks_next(&cur))
		AS_TRY(merge_stack(j, &cur, kind[cur.kind], path));
	return AS_OK;
}

enum as_code as_merge_sums(struct as_merge_add_job *j)
{
	struct as_merge *m = j->m;

	AS_TRY(add_whole(j));
	AS_TRY(as_err_memory(m->err, merge_sums_widen(m, as_n_events(m->b.prof))));
	for (size_t i = 0; i < j->src->sums.func.n; i += AS_STRINGS_MANY)
		AS_TRY(merge_sums_some(j, i, j->src->sums.func.n - i));
	if (AS_HAS_STACKS)
		AS_TRY(merge_stacks(j));
	if ((m->sums.func.n || as_stacks_any(&m->b.prof->stacks)) && m->node.n)
		return as_err_set(
			m->err, AS_E_UNSUPPORTED, "sums of paths and paths cannot be added");
	return AS_OK;
}

enum as_code as_merge_place_sums(struct as_merge *m)
{
	const struct as_merge_sums *s = &m->sums;
	struct as_profile *dst = m->b.prof;

	if (m->has_whole) {
		dst->whole = as_build_values(&m->b, m->whole.p, (uint32_t)m->whole.n);
		AS_TRY(as_err_memory(m->err, dst->whole));
	}
	for (size_t i = 0; i < s->func.n; i++)
		AS_TRY(as_build_sum(
			&m->b, s->func.p[i], s->cost.p + i * 2 * s->e, s->recursive.p[i] != 0));
	return AS_OK;
}
