/* SPDX-License-Identifier: Apache-2.0 */
#include "session/choose.h"

#include "symbols/names/demangle.h"

static bool typed_is_shown(void *ctx, struct as_slice name)
{
	static const enum as_name_level levels[] = {
		AS_NAMES_NOARGS, AS_NAMES_NOTEMPLATES, AS_NAMES_SHORT};
	struct as_typed *t = ctx;

	for (size_t i = 0; i < AS_ARRAY_LEN(levels); i++)
		if (as_slice_eq(as_name_at_level(&t->arena, name, levels[i]), t->what))
			return true;
	return false;
}

static bool typed_is_in_own_name(void *ctx, struct as_slice name)
{
	struct as_typed *t = ctx;
	struct as_slice own = as_name_at_level(&t->arena, name, AS_NAMES_NOTEMPLATES);

	if (!own.p)
		own = name;
	if (as_slice_find_text(own, t->what.p) < own.len) {
		t->n_own++;
		return true;
	}
	t->n_args += as_slice_find_text(name, t->what.p) < name.len;
	return false;
}

static bool typed_matches(void *ctx, struct as_slice name)
{
	const struct as_typed *t = ctx;

	return t->regex.match(t->re, name);
}

enum as_code as_typed_begin(struct as_typed *t, const struct as_alloc *al, struct as_slice what,
	const struct as_regexes *regex, struct as_err *err)
{
	enum as_code rc;
	size_t place;

	*t = (struct as_typed){.what = what, .regex = *regex};
	as_arena_init(&t->arena, al);
	t->how = (struct as_listing_how){
		.called = typed_is_shown, .called_ctx = t, .own_ctx = t, .match_ctx = t};
	if (!what.len)
		return AS_OK;
	t->how.own = typed_is_in_own_name;
	if (as_is_row_name(what))
		return AS_OK;
	rc = regex->make(regex->ctx, what, false, &t->re, &place, err);
	if (rc == AS_OK)
		t->how.match = typed_matches;
	return rc == AS_E_ARG || rc == AS_E_UNSUPPORTED ? AS_OK : rc;
}

void as_typed_end(struct as_typed *t)
{
	if (t->re && t->regex.release)
		t->regex.release(t->re);
	as_arena_release(&t->arena);
}
