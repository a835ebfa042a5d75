/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How small a box may be so that there are not too many. Costs are counted by their size, as a
 * floating point number would have it: exponent and ten bits. One pass, and no sorting.
 */
#include "picture/flame.h"

enum { BITS = 10, BUCKETS = (128 - BITS) << BITS };

static unsigned flame_least_bits_of(as_val v)
{
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;

	return high  ? 128 - (unsigned)__builtin_clzll(high)
	       : low ? 64 - (unsigned)__builtin_clzll(low)
		     : 0;
}

/* The larger V, the higher; those below 2^(BITS + 1) have one each. */
static size_t bucket_of(as_val v)
{
	unsigned n = flame_least_bits_of(v), down = n > BITS + 1 ? n - BITS - 1 : 0;

	return ((size_t)down << BITS) + (size_t)(v >> down);
}

/* The least value in it. */
static as_val least_in(size_t bucket)
{
	size_t down = bucket >> BITS;

	as_assert(bucket < BUCKETS);
	if (down < 2)
		return (as_val)bucket;
	return (as_val)((bucket & ((1u << BITS) - 1)) + (1u << BITS)) << (down - 1);
}

static as_val flame_least_cut(const uint32_t *count, size_t n)
{
	size_t bucket = BUCKETS, sum = 0;

	while (bucket > 1 && sum + count[bucket - 1] <= n)
		sum += count[--bucket];
	return bucket > 1 ? least_in(bucket) : 0;
}

enum as_code as_flame_least_of(const struct as_alloc *al, const as_val *v, size_t m, size_t stride,
	size_t n, as_val *least)
{
	uint32_t *count;

	as_assert(stride);
	*least = 0;
	if (m <= n)
		return AS_OK;
	count = as_alloc_new(al, BUCKETS * sizeof(*count));
	AS_TRY(as_memory(count));
	for (size_t i = 0; i < m; i++)
		if (v[i * stride] > 0)
			count[bucket_of(v[i * stride])]++;
	*least = flame_least_cut(count, n);
	as_alloc_free(al, count, BUCKETS * sizeof(*count));
	return AS_OK;
}

/* ---- views ---- */

static bool flame_least_is_wanted(
	const struct as_calltree *ct, size_t node, const struct as_calltree_root *of)
{
	const struct as_key *k = &ct->key.p[ct->key_of.p[node]];

	return !of || (k->func.i == of->func.i && k->addr == of->addr);
}

/* Ways up are boxes of their own on each level, and those of a level cost no more than what gets
 * there: as many as reach a cost are at most the sum of all levels in parts of it. Ways up from one
 * function begin where it is called from outside of itself; what it calls again is in them. */
static enum as_code least_up(
	struct as_calltree *ct, const struct as_tree_opts *opts, size_t n, as_val *least)
{
	const uint32_t inside = UINT32_C(1) << 31;
	uint32_t *depth = as_alloc_new(ct->al, ct->parent.n * sizeof(*depth) + 1);
	as_val sum = 0;
	uint64_t steps = 0;

	AS_TRY(as_memory(depth));
	for (size_t i = 1; i < ct->parent.n; i++) {
		as_val cost = ct->cost.p[i * ct->e + opts->event];

		depth[i] = depth[ct->parent.p[i]] + 1;
		if (depth[i] & inside || !flame_least_is_wanted(ct, i, opts->of))
			continue;
		if (cost > 0) {
			sum += cost * depth[i];
			steps += depth[i];
		}
		if (opts->way == AS_TREE_CALLERS)
			depth[i] |= inside;
	}
	as_alloc_free(ct->al, depth, ct->parent.n * sizeof(*depth) + 1);
	*least = steps <= n / 2 ? 0 : sum / (as_val)(n / 2 + 1) + 1;
	return AS_OK;
}

enum as_code as_flame_least(
	struct as_calltree *ct, const struct as_tree_opts *opts, size_t n, as_val *least)
{
	as_assert(!ct->e || opts->event < ct->e);
	*least = 0;
	if (opts->way == AS_TREE_BOTTOM_UP)
		as_calltree_to_self(ct);
	else
		as_calltree_to_inclusive(ct);
	if (!ct->e || (opts->way == AS_TREE_CALLEES && ct->parent.n <= n))
		return AS_OK;
	if (opts->way != AS_TREE_CALLEES)
		return least_up(ct, opts, n, least);
	/* Below each box there may be one of the kind REST. */
	return as_flame_least_of(
		ct->al, ct->cost.p + ct->e + opts->event, ct->parent.n - 1, ct->e, n / 2, least);
}
