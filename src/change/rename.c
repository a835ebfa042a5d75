/* SPDX-License-Identifier: Apache-2.0 */
/* A profile whose functions have, for good, the names that a view would show. */
#include "change/kit/change.h"
#include "change/transform.h"

/* The functions in the result, made before the facts ask for them. */
static enum as_code make_funcs(struct as_change *c, struct as_shown *shown)
{
	const struct as_profile *src = c->src;

	for (uint32_t f = 1; f < src->func.name.n; f++) {
		struct as_slice whole = as_func_name(src, (as_func){f});
		struct as_slice name = as_shown_find(shown, whole);
		struct as_func_row row;
		as_func func;

		if (as_slice_eq(name, whole))
			continue;
		AS_TRY(as_remap_func_row(&c->r, (as_func){f}, &row));
		AS_TRY(as_build_str(&c->b, name, &row.name));
		AS_TRY(as_build_func_row(&c->b, &row, &func));
		c->r.func[f] = func.i + 1;
	}
	return AS_OK;
}

enum as_code as_rename(const struct as_profile *prof, const struct as_renamer *how,
	struct as_profile **out, struct as_err *err)
{
	struct as_shown shown;
	struct as_change c;
	enum as_code rc;

	*out = NULL;
	as_shown_init(&shown, prof->al, how);
	rc = as_show_names_of(&shown, prof, err);
	if (rc == AS_OK && !as_shown_complete(&shown))
		rc = as_err_no_memory(err);
	if (rc == AS_OK)
		rc = as_change_begin(&c, prof, err);
	if (rc == AS_OK) {
		rc = make_funcs(&c, &shown);
		if (rc == AS_OK)
			rc = as_change_facts(&c);
		rc = as_change_end(&c, rc, out);
	}
	as_shown_release(&shown);
	return rc;
}
