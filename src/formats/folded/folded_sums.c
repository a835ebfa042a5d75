/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks to sums of functions. */
#include "formats/folded/folded_read.h"

/* Level I is on the path; a function that is inlined into itself does not call itself. */
static inline void folded_sums_enter(
	const struct as_folded_reader *r, size_t i, const as_val *count)
{
	uint32_t to = r->level.p[i].to;

	if (!i || !(to & 1) || to >> 1 != r->level.p[i - 1].to >> 1)
		as_sums_enter(&r->sums, (as_func){to >> 1}, r->line, count);
}

enum as_code as_folded_add_sums(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	size_t at = as_folded_keep_common(r, stack), end;
	as_func leaf = {0};
	uint32_t to;

	for (; stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &to));
		AS_TRY(as_err_memory(r->rd->err, as_folded_push_level(r, end, to, 0)));
	}
	for (size_t i = 0; i < r->level.n; i++)
		folded_sums_enter(r, i, count);
	if (r->level.n)
		leaf.i = r->level.p[r->level.n - 1].to >> 1;
	else /* a path of one unknown frame */
		as_sums_enter(&r->sums, leaf, r->line, count);
	as_sums_leaf(&r->sums, leaf, count);
	return AS_OK;
}
