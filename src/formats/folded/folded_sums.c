/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks to sums of functions. A line counts for a function once, however often the function is
 * on it: its number is remembered with the sums.
 */
#include "formats/folded/folded_read.h"

static inline as_val *tally_of(const struct as_folded_reader *r, uint32_t func)
{
	return r->tally.p + (size_t)func * (1 + 2 * r->columns);
}

static inline void enter(const struct as_folded_reader *r, uint32_t func, const as_val *count)
{
	as_val *v = tally_of(r, func);

	if (AS_UNLIKELY((uint64_t)v[0] >> 1 == r->line)) {
		v[0] |= 1;
		return;
	}
	v[0] = (as_val)(r->line << 1 | ((uint64_t)v[0] & 1));
	for (unsigned i = 0; i < r->columns; i++)
		v[1 + r->columns + i] += count[i];
}

enum as_code as_folded_add_sums(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	size_t at = as_folded_keep_common(r, stack), end;
	uint32_t func = 0;
	as_val *self;

	for (size_t i = 0; i < r->level.n; i++) {
		func = r->level.p[i].to;
		enter(r, func, count);
	}
	for (; stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &func));
		if (!as_folded_push_level(r, end, func))
			return as_folded_no_memory(r);
		enter(r, func, count);
	}
	if (!stack.len) /* a path of one unknown frame */
		enter(r, func, count);
	self = tally_of(r, func) + 1;
	for (unsigned i = 0; i < r->columns; i++)
		self[i] += count[i];
	return AS_OK;
}

enum as_code as_folded_put_sums(struct as_folded_reader *r)
{
	size_t n = r->tally.n / (1 + 2 * r->columns);

	for (uint32_t f = 0; f < n; f++) {
		const as_val *v = tally_of(r, f);

		if (v[0])
			AS_TRY(as_build_sum(r->rd->out, (as_func){f}, v + 1, (uint64_t)v[0] & 1));
	}
	return AS_OK;
}
