/* SPDX-License-Identifier: Apache-2.0 */
/* From what a profile is to what a format can carry. */
#include "ops/transform.h"

#include "ops/change.h"

/* Self rows become paths of one frame, beside the paths that are there. */
static enum as_code to_paths(struct as_change *c)
{
	AS_TRY(as_change_self_leaves(c));
	return as_change_samples(c);
}

static enum as_code all_paths(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct as_change c;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, err));
	return as_change_end(&c, to_paths(&c), out);
}

static bool carries(const struct as_format *fmt, uint64_t cap)
{
	return fmt->caps & cap;
}

static enum as_code shape(const struct as_profile *prof, const struct as_format *fmt, bool estimate,
	struct as_profile **out, struct as_err *err)
{
	bool paths = carries(fmt, AS_CAP(PATHS)), calls = carries(fmt, AS_CAP(CALLS));
	bool has_paths = prof->shape & AS_SHAPE_PATHS, has_calls = prof->shape & AS_SHAPE_CALLS;

	*out = NULL;
	if (!paths && has_paths)
		return calls ? as_to_calls(prof, out, NULL, err)
			     : as_to_places(prof, out, NULL, err);
	if (!calls && has_calls && !paths)
		return as_to_places(prof, out, NULL, err);
	if (calls || !paths)
		return AS_OK;
	/* A format of paths only: everything must be one. */
	if (has_calls && estimate)
		return as_estimate_paths(prof, out, NULL, err);
	if (has_calls || (prof->shape & AS_SHAPE_PLACES))
		return all_paths(prof, out, err);
	return AS_OK;
}

/* All parts become one. */
static enum as_code collapse(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	struct as_merge *m;
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_merge_new(prof->al, &(struct as_merge_opts){.keep_parts = false}, &m, err));
	rc = as_merge_add(m, prof, NULL);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

enum as_code as_adapt(const struct as_profile *prof, const struct as_format *fmt, bool estimate,
	struct as_profile **out, struct as_losses *l, struct as_err *err)
{
	struct as_profile *shaped, *one;
	enum as_code rc;

	*out = NULL;
	AS_TRY(shape(prof, fmt, estimate, &shaped, err));
	if (prof->part.n > 1 && !carries(fmt, AS_CAP(PARTS))) {
		rc = collapse(shaped ? shaped : prof, &one, err);
		as_profile_free(shaped);
		AS_TRY(rc);
		shaped = one;
	}
	if (l && !as_losses_by_caps(l, prof, fmt)) {
		as_profile_free(shaped);
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	}
	*out = shaped;
	return AS_OK;
}
