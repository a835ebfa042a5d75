/* SPDX-License-Identifier: Apache-2.0 */
#include "model/sums.h"

bool as_sums_room(struct as_sums *s, as_func func)
{
	size_t n = ((size_t)func.i + 1) * (1 + 2 * s->e), have = s->tally.n;

	if (n <= have)
		return true;
	if (!as_vec_reserve(s->al, &s->tally, n))
		return false;
	memset(s->tally.p + have, 0, (n - have) * sizeof(*s->tally.p));
	s->tally.n = n;
	return true;
}

enum as_code as_sums_put(const struct as_sums *s, struct as_build *b)
{
	size_t n = s->tally.n / (1 + 2 * s->e);
	struct as_profile *prof = b->prof;

	if (!as_vec_reserve(prof->al, &prof->sums.func, n) ||
		!as_vec_reserve(prof->al, &prof->sums.recursive, n) ||
		!as_vec_reserve(prof->al, &prof->sums.cost, 2 * s->e * n))
		return as_err_no_memory(b->err);
	for (uint32_t f = 0; f < n; f++) {
		const as_val *v = as_sums_of(s, (as_func){f});

		if (v[0])
			AS_TRY(as_build_sum(b, (as_func){f}, v + 1, (uint64_t)v[0] & 1));
	}
	return AS_OK;
}
