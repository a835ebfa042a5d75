/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: filters. */
#include "lib/lib_impl.h"

#include "change/filter/filter.h"

_Static_assert((int)ASSAY_FILTER_FOCUS == (int)AS_FILTER_FOCUS, "kinds differ");
_Static_assert((int)ASSAY_FILTER_IGNORE == (int)AS_FILTER_IGNORE, "kinds differ");
_Static_assert((int)ASSAY_FILTER_HIDE == (int)AS_FILTER_HIDE, "kinds differ");
_Static_assert((int)ASSAY_FILTER_SHOW == (int)AS_FILTER_SHOW, "kinds differ");
_Static_assert((int)ASSAY_FILTER_SHOW_FROM == (int)AS_FILTER_SHOW_FROM, "kinds differ");
_Static_assert((int)ASSAY_FILTER_PRUNE_FROM == (int)AS_FILTER_PRUNE_FROM, "kinds differ");
_Static_assert((int)ASSAY_FILTER_OBJECT == (int)AS_FILTER_OBJECT, "kinds differ");
_Static_assert((int)ASSAY_MATCH_FUNCTION == (int)AS_MATCH_FUNC, "fields differ");
_Static_assert((int)ASSAY_MATCH_FILE == (int)AS_MATCH_FILE, "fields differ");
_Static_assert((int)ASSAY_MATCH_OBJECT == (int)AS_MATCH_OBJECT, "fields differ");

enum { FIELDS = ASSAY_MATCH_FUNCTION | ASSAY_MATCH_FILE | ASSAY_MATCH_OBJECT };

/* What is made of the caller's options. */
struct filtering {
	struct assay_filter_options o;
	struct assay_matcher *given; /* of each matcher */
	struct as_matcher *matcher;
	bool *matched;
	uint8_t *keep; /* of each part */
};

static bool lib_filter_ask(const void *ctx, struct as_slice text)
{
	const struct assay_matcher *m = ctx;

	return m->match(m->ctx, as_lib_slice(text));
}

static enum as_code lib_filter_take_matchers(struct filtering *f, struct as_err *err)
{
	for (size_t i = 0; i < f->o.n_matchers; i++) {
		struct assay_matcher *m = &f->given[i];

		if (!f->o.matchers[i] || !as_lib_take(m, sizeof(*m), f->o.matchers[i]) ||
			!m->match || !m->fields || (m->fields & ~(unsigned)FIELDS) ||
			(unsigned)m->kind > ASSAY_FILTER_OBJECT)
			return as_err_set(err, AS_E_ARG,
				"a matcher has no size, function or field, or asks for what this "
				"version does not know");
		f->matcher[i] = (struct as_matcher){.kind = (enum as_filter_kind)m->kind,
			.fields = m->fields,
			.match = lib_filter_ask,
			.ctx = m};
	}
	return AS_OK;
}

static enum as_code lib_filter_run(struct filtering *f, const struct as_profile *prof,
	struct as_profile **out, struct as_err *err)
{
	struct as_filter how = {.matcher = f->matcher,
		.n = f->o.n_matchers,
		.keep_part = f->o.keep_parts ? f->keep : NULL,
		.keep_contexts = f->o.keep_contexts,
		.relative = f->o.relative};
	struct as_filtered made;

	AS_TRY(lib_filter_take_matchers(f, err));
	memset(f->matched, 0, f->o.n_matchers * sizeof(*f->matched));
	for (size_t i = 0; f->o.keep_parts && i < prof->part.n; i++)
		f->keep[i] = f->o.keep_parts[i];
	AS_TRY(as_filter(prof, &how, f->matched, &made, as_lib_losses(f->o.losses), err));
	if (f->o.losses && f->o.losses->l.no_memory) {
		as_profile_free(made.prof);
		return as_err_no_memory(err);
	}
	for (size_t i = 0; f->o.matched && i < f->o.n_matchers; i++)
		f->o.matched[i] = f->matched[i];
	*out = made.prof;
	return AS_OK;
}

static enum as_code lib_filter(const struct as_profile *prof,
	const struct assay_filter_options *opts, struct as_profile **out, struct as_err *err)
{
	struct filtering f;
	struct as_arena ar;
	enum as_code rc = AS_E_NOMEM;
	size_t n;

	if (!as_lib_take(&f.o, sizeof(f.o), opts) || (f.o.n_matchers && !f.o.matchers) ||
		f.o.n_matchers > SIZE_MAX / 256)
		return as_err_set(err, AS_E_ARG,
			"the options have no size, ask for what this version does not know, or "
			"count matchers that are not there");
	n = f.o.n_matchers + 1;
	as_arena_init(&ar, prof->al);
	f.given = as_arena_get(&ar, n * sizeof(*f.given));
	f.matcher = as_arena_get(&ar, n * sizeof(*f.matcher));
	f.matched = as_arena_get(&ar, n * sizeof(*f.matched));
	f.keep = as_arena_get(&ar, prof->part.n + 1);
	if (f.given && f.matcher && f.matched && f.keep)
		rc = lib_filter_run(&f, prof, out, err);
	else
		(void)as_err_no_memory(err);
	as_arena_release(&ar);
	return rc;
}

enum as_code as_lib_copy(const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	const struct as_filter all = {.keep_contexts = true};
	struct as_filtered copy;

	AS_TRY(as_filter(prof, &all, NULL, &copy, NULL, err));
	*out = copy.prof;
	return AS_OK;
}

enum assay_code assay_filter(const struct assay_profile *profile,
	const struct assay_filter_options *opts, struct assay_profile **out,
	struct assay_error *err)
{
	struct as_profile *prof = NULL;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!profile || !out)
		return as_lib_misuse(err, "no profile, or no place for the new one");
	as_err_clear(&e);
	rc = lib_filter(as_lib_profile(profile), opts, &prof, &e);
	*out = as_lib_give_profile(prof);
	return as_lib_end(rc, &e, err);
}
