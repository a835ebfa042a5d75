/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: merging, and bringing a profile into another shape. */
#include "lib/lib_impl.h"

#include "change/transform.h"

struct assay_merger {
	const struct as_alloc *al;
	struct as_merge *m; /* NULL once it has ended */
	struct as_losses *losses;
	struct as_err err;
	struct assay_error last;
};

enum assay_code assay_merger_new(const struct assay_merge_options *opts, struct assay_merger **out)
{
	struct assay_merge_options o;
	struct assay_merger *m;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !as_lib_take(&o, sizeof(o), opts))
		return ASSAY_E_ARG;
	m = as_alloc_new(as_lib_alloc(o.allocator), sizeof(*m));
	if (!m)
		return ASSAY_E_NOMEM;
	m->al = as_lib_alloc(o.allocator);
	m->losses = as_lib_losses(o.losses);
	as_err_clear(&m->err);
	(void)as_lib_end(AS_OK, &m->err, &m->last);
	rc = as_merge_new(
		m->al, &(struct as_merge_opts){.keep_parts = o.keep_parts}, &m->m, &m->err);
	if (rc != AS_OK) {
		assay_merger_free(m);
		return (enum assay_code)rc;
	}
	*out = m;
	return ASSAY_OK;
}

void assay_merger_free(struct assay_merger *m)
{
	if (!m)
		return;
	as_merge_free(m->m);
	as_alloc_free(m->al, m, sizeof(*m));
}

const struct assay_error *assay_merger_error(const struct assay_merger *m)
{
	return m ? &m->last : NULL;
}

static enum assay_code lib_merge_end(struct assay_merger *m, enum as_code rc)
{
	return rc == AS_OK ? ASSAY_OK : as_lib_end(rc, &m->err, &m->last);
}

static enum as_code lib_merge_ended(struct assay_merger *m)
{
	return as_err_set(
		&m->err, AS_E_ARG, "the merger has ended: it was finished, or has failed before");
}

enum assay_code assay_merger_add(struct assay_merger *m, const struct assay_profile *prof)
{
	enum as_code rc;

	if (!m || !prof)
		return ASSAY_E_ARG;
	if (!m->m)
		return lib_merge_end(m, lib_merge_ended(m));
	rc = as_merge_add(m->m, as_lib_profile(prof), m->losses);
	if (rc == AS_OK && m->losses && m->losses->no_memory)
		rc = as_err_no_memory(&m->err);
	if (rc != AS_OK && rc != AS_E_ARG) {
		as_merge_free(m->m);
		m->m = NULL;
	}
	return lib_merge_end(m, rc);
}

enum assay_code assay_merger_finish(struct assay_merger *m, struct assay_profile **out)
{
	struct as_profile *prof = NULL;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!m || !out)
		return ASSAY_E_ARG;
	if (!m->m)
		return lib_merge_end(m, lib_merge_ended(m));
	rc = as_merge_finish(m->m, &prof);
	m->m = NULL;
	*out = as_lib_give_profile(prof);
	return lib_merge_end(m, rc);
}

/* ---- another shape ---- */

typedef enum as_code change_fn(const struct as_profile *prof, struct as_profile **out,
	struct as_losses *l, struct as_err *err);

struct change {
	const struct assay_profile *prof;
	struct assay_losses *losses;
	struct assay_profile **out;
};

static enum assay_code lib_merge_change(
	const struct change *c, change_fn *fn, struct assay_error *err)
{
	struct as_profile *prof = NULL;
	struct as_err e;
	enum as_code rc;

	if (c->out)
		*c->out = NULL;
	if (!c->prof || !c->out)
		return as_lib_misuse(err, "no profile, or no place for the new one");
	as_err_clear(&e);
	rc = fn(as_lib_profile(c->prof), &prof, as_lib_losses(c->losses), &e);
	if (rc == AS_OK && c->losses && c->losses->l.no_memory) {
		as_profile_free(prof);
		prof = NULL;
		rc = as_err_no_memory(&e);
	}
	*c->out = as_lib_give_profile(prof);
	return as_lib_end(rc, &e, err);
}

enum assay_code assay_to_calls(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err)
{
	return lib_merge_change(&(struct change){prof, losses, out}, as_to_calls, err);
}

enum assay_code assay_to_places(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err)
{
	return lib_merge_change(&(struct change){prof, losses, out}, as_to_places, err);
}

enum assay_code assay_estimate_paths(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err)
{
	return lib_merge_change(&(struct change){prof, losses, out}, as_estimate_paths, err);
}

enum assay_code assay_context_paths(const struct assay_profile *prof, struct assay_losses *losses,
	struct assay_profile **out, struct assay_error *err)
{
	return lib_merge_change(&(struct change){prof, losses, out}, as_context_paths, err);
}
