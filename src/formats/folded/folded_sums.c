/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks to sums of functions. */
#include "formats/folded/folded_read.h"

enum as_code as_folded_add_sums(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	size_t at = as_folded_keep_common(r, stack), end;
	uint32_t func = 0;

	for (size_t i = 0; i < r->level.n; i++) {
		func = r->level.p[i].to;
		as_sums_enter(&r->sums, (as_func){func}, r->line, count);
	}
	for (; stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &func));
		if (!as_folded_push_level(r, end, func, 0))
			return as_err_no_memory(r->rd->err);
		as_sums_enter(&r->sums, (as_func){func}, r->line, count);
	}
	if (!stack.len) /* a path of one unknown frame */
		as_sums_enter(&r->sums, (as_func){func}, r->line, count);
	as_sums_leaf(&r->sums, (as_func){func}, count);
	return AS_OK;
}
