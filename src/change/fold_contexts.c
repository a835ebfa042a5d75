/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that only Callgrind's contexts tell apart ("f'2", "f'main") become the function. */
#include "change/kit/change.h"
#include "change/kit/context.h"
#include "change/transform.h"

static struct as_slice folded(const struct as_profile *prof, uint32_t f)
{
	return as_fold_context(prof, as_func_name(prof, (as_func){f}));
}

uint64_t as_count_contexts(const struct as_profile *prof)
{
	uint64_t n = 0;

	for (uint32_t f = 1; f < prof->func.name.n; f++)
		n += folded(prof, f).len != as_func_name(prof, (as_func){f}).len;
	return n;
}

/* The functions in the result, made before the facts ask for them. */
static enum as_code make_funcs(struct as_remap *r, const struct as_profile *prof)
{
	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct as_slice name = folded(prof, f);
		struct as_func_row row;
		as_func func;

		if (name.len == as_func_name(prof, (as_func){f}).len)
			continue;
		AS_TRY(as_remap_func_row(r, (as_func){f}, &row));
		AS_TRY(as_build_str(r->b, name, &row.name));
		AS_TRY(as_build_func_row(r->b, &row, &func));
		r->func[f] = func.i + 1;
	}
	return AS_OK;
}

enum as_code as_fold_contexts(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct as_change c;
	enum as_code rc;

	*out = NULL;
	if (!as_count_contexts(prof))
		return AS_OK;
	AS_TRY(as_change_begin(&c, prof, err));
	rc = make_funcs(&c.r, prof);
	if (rc == AS_OK)
		rc = as_change_facts(&c);
	return as_change_end(&c, rc, out);
}
