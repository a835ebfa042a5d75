/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that are addresses: Callgrind's, of functions that nothing names. Within one build they
 * say where a function begins, to another build nothing: there they are code without a name.
 */
#include "change/kit/change.h"
#include "change/kit/context.h"
#include "change/transform.h"

/* "0x0000000000777d10", with contexts behind it. */
static bool is_address(const struct as_profile *prof, as_func f, uint64_t *addr)
{
	struct as_slice name = as_fold_context(prof, as_func_name(prof, f));

	return as_slice_starts(name, "0x") && as_slice_hex(as_slice_skip(name, 2), addr);
}

/* The functions in the result, made before the facts ask for them. */
static enum as_code make_funcs(struct as_remap *r, const struct as_profile *prof)
{
	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		struct as_func_row row;
		uint64_t addr;
		as_func func;

		if (!is_address(prof, (as_func){f}, &addr))
			continue;
		AS_TRY(as_remap_func_row(r, (as_func){f}, &row));
		row.name = row.system = (as_str){0};
		row.addr = addr;
		row.whole = true;
		AS_TRY(as_build_func_row(r->b, &row, &func));
		r->func[f] = func.i + 1;
	}
	return AS_OK;
}

static bool has_addresses(const struct as_profile *prof)
{
	uint64_t addr;

	for (uint32_t f = 1; f < prof->func.name.n; f++)
		if (is_address(prof, (as_func){f}, &addr))
			return true;
	return false;
}

enum as_code as_unname(const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct as_change c;
	enum as_code rc;

	*out = NULL;
	if (!has_addresses(prof))
		return AS_OK;
	AS_TRY(as_change_begin(&c, prof, err));
	rc = make_funcs(&c.r, prof);
	if (rc == AS_OK)
		rc = as_change_facts(&c);
	return as_change_end(&c, rc, out);
}
