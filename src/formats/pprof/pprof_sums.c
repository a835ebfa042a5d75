/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples to sums of functions, for a caller who makes a table of functions only. The tree of
 * paths takes twice the memory of the file.
 */
#include "formats/pprof/pprof.h"

static bool pb_sums_is_named(const struct as_pb_read *r, const struct as_pb_line *line)
{
	uint32_t row = line->func ? as_pb_row(&r->funcs, line->func) : 0;
	uint64_t name = row ? r->func.p[row - 1].name : 0;

	return name && name < r->str.n && r->str.p[name].len;
}

/* Code without a name is told apart by its addresses, and may be given a name yet. */
bool as_pb_sums_will_do(const struct as_pb_read *r)
{
	if (!r->rd->sums)
		return false;
	for (size_t i = 0; i < r->loc.n; i++)
		if (!r->loc.p[i].n)
			return false;
	for (size_t i = 0; i < r->line.n; i++)
		if (!pb_sums_is_named(r, &r->line.p[i]))
			return false;
	return true;
}

enum as_code as_pb_begin_sums(struct as_pb_read *r)
{
	size_t n = r->loc.n;

	r->sums.al = r->al;
	r->sums.e = as_n_events(r->rd->out->prof);
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->class, n)));
	if (n)
		memset(r->class.p, 0, n * sizeof(*r->class.p));
	r->class.n = n;
	/* Functions that were read for samples are on some path; growing would copy sums. */
	n = r->rd->sections ? (r->func.n + 1) * (1 + 2 * r->sums.e) : 0;
	AS_TRY(as_err_memory(r->rd->err, as_vec_reserve(r->al, &r->sums.tally, n)));
	/* That of a location which does not exist, and of a sample without any. */
	return as_err_memory(r->rd->err, as_sums_room(&r->sums, (as_func){0}));
}

/* The functions of location ROW, where others keep places. Its class has them: one function
 * alone stands in it. */
static AS_NOINLINE enum as_code new_location(struct as_pb_read *r, uint32_t row)
{
	const struct as_pb_loc *loc = &r->loc.p[row];
	struct as_pb_class *c = &r->class.p[row];

	AS_TRY(as_pb_make_places(r, row));
	for (size_t i = loc->place; i < r->place.n; i++)
		AS_TRY(as_err_memory(
			r->rd->err, as_sums_room(&r->sums, (as_func){r->place.p[i].i})));
	*c = (struct as_pb_class){loc->n == 1 ? r->place.p[loc->place].i : loc->place, loc->n};
	return AS_OK;
}

/* Of C, the function number I from the outside in. */
static inline as_func func_of(const struct as_pb_read *r, struct as_pb_class c, uint32_t i)
{
	return (as_func){c.n == 1 ? c.first : r->place.p[c.first + i].i};
}

static inline enum as_code enter_location(struct as_pb_read *r, uint32_t row, uint64_t path)
{
	struct as_pb_class c = r->class.p[row];

	if (AS_UNLIKELY(!c.n)) {
		AS_TRY(new_location(r, row));
		c = r->class.p[row];
	}
	/* A function that is inlined into itself does not call itself. */
	for (uint32_t i = 0; i < c.n; i++)
		if (!i || func_of(r, c, i).i != func_of(r, c, i - 1).i)
			as_sums_enter(&r->sums, func_of(r, c, i), path, r->cost);
	return AS_OK;
}

/* The innermost function of the stack. */
static as_func pb_sums_leaf(const struct as_pb_read *r)
{
	uint32_t first = r->stack.n ? r->stack.p[0] : 1;
	struct as_pb_class c;

	if (first < 2)
		return (as_func){0};
	c = r->class.p[first - 2];
	return func_of(r, c, c.n - 1);
}

enum as_code as_pb_add_sums(struct as_pb_read *r, uint64_t path)
{
	memset(r->cost, 0, r->sums.e * sizeof(*r->cost));
	for (size_t k = 0; k < r->type.n; k++)
		r->cost[r->event.p[k]] += r->values.p[k];
	if (!r->stack.n)
		as_sums_enter(&r->sums, (as_func){0}, path, r->cost);
	for (size_t i = 0; i < r->stack.n; i++) {
		if (AS_LIKELY(r->stack.p[i] > 1))
			AS_TRY(enter_location(r, r->stack.p[i] - 2, path));
		else
			as_sums_enter(&r->sums, (as_func){0}, path, r->cost);
	}
	as_sums_leaf(&r->sums, pb_sums_leaf(r), r->cost);
	return AS_OK;
}
