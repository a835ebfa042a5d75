/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what the user typed, and what he may have meant. */
#include <stdio.h>
#include <unistd.h>

#include "session/filtering.h"
#include "session/filters.h"
#include "session/list/list.h"
#include "session/near.h"

/* The rest of what was found, on stderr. */
static void tell_more(const struct as_session *ses, const struct as_typed *typed, const char *what,
	uint64_t limit, size_t n)
{
	if (typed->n_own && typed->n_args)
		as_say_note(ses, "%zu more %s '%s' in %s arguments only: '.*%s' finds all",
			typed->n_args, typed->n_args == 1 ? "function has" : "functions have", what,
			typed->n_args == 1 ? "its" : "their", what);
	if (limit && n > limit)
		as_say_note(ses,
			"%zu functions match '%s'; shown: the %" PRIu64
			" largest; all of them: -n 0",
			n, what, limit);
}

static bool has_names(const struct as_listings *ls)
{
	for (size_t i = 0; i < as_listings_all(ls); i++)
		if (as_listings_name(ls, i).len)
			return true;
	return false;
}

#define FIND_ADDRESSES                                                   \
	"the profile has addresses only: ask for one as top shows it, "  \
	"'[gzip+0x4330]', or say where its binaries are with --binary, " \
	"--path-map or --symfs"

/* What to ask for where no function has a name. */
static void hint_without_names(const struct as_listings *ls, char *hint, size_t size)
{
	struct as_slice file = as_base_name(as_listings_file(ls));

	if (file.len)
		snprintf(hint, size,
			"the profile has lines without functions: ask for one as lines shows it, "
			"'%.*s:LINE'",
			AS_SLICE_FMT(file));
	else
		snprintf(hint, size, FIND_ADDRESSES);
}

static enum as_exit find_tell_none(const struct as_session *ses, const char *what, const char *hint)
{
	return as_say_endf(ses, AS_EXIT_NO, hint, "no function matches '%.120s'", what);
}

static enum as_exit nothing_found(
	const struct as_session *ses, const struct as_listings *ls, const char *what)
{
	struct as_near near;
	char hint[1024];

	as_near_begin(&near, ses->al, as_slice_of(what));
	for (size_t i = 0; i < as_listings_all(ls); i++)
		as_near_try_function(&near, as_listings_name(ls, i));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	if (!as_listings_all(ls))
		snprintf(hint, sizeof(hint), "the profile has no samples");
	else if (!has_names(ls))
		hint_without_names(ls, hint, sizeof(hint));
	else if (access(what, F_OK) == 0)
		snprintf(hint, sizeof(hint),
			"that is a file: assay %s %s; profiles as one: "
			"assay merge, side by side: assay diff",
			ses->command, ses->args);
	else if (!near.n)
		snprintf(hint, sizeof(hint), "see what there is: assay top FILE -n 0");
	return find_tell_none(ses, what, hint);
}

enum as_exit as_session_typed(
	const struct as_session *ses, const char *what, struct as_typed *typed)
{
	struct as_err err = AS_ERR_NONE;

	if (as_typed_begin(typed, ses->al, as_slice_of(what), &as_regexes_re2, &err) == AS_OK)
		return AS_EXIT_OK;
	if (err.code != AS_E_LIMIT)
		return as_say_failed(ses, &err, NULL);
	return as_say_endf(ses, AS_EXIT_USAGE, "a part of the function's name will do",
		"'%.500s': %s", what, err.msg);
}

/* Code of PROF has names, or is in files. */
static bool find_has_names(const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->func.name.n; i++)
		if (prof->func.name.p[i].i)
			return true;
	return prof->file.n > 1;
}

enum as_exit as_listing_may_find(
	const struct as_session *ses, const struct as_profile *prof, const char *what)
{
	struct as_typed typed;
	enum as_exit rc;

	if (strstr(what, "0x") || find_has_names(prof) || as_is_void(prof))
		return AS_EXIT_OK;
	rc = as_session_typed(ses, what, &typed);
	as_typed_end(&typed);
	AS_DO(rc);
	return find_tell_none(ses, what, FIND_ADDRESSES);
}

enum as_exit as_listing_find(
	const struct as_session *ses, struct as_listings *ls, const char *what, uint64_t limit)
{
	struct as_typed typed;
	enum as_exit rc = as_session_typed(ses, what, &typed);
	struct as_err err = AS_ERR_NONE;
	size_t n;

	AS_THEN(rc, as_say_code(ses, as_listings_find(ls, typed.what, &typed.how, &err), &err));
	as_typed_end(&typed);
	n = as_listings_n(ls);
	AS_DO(rc);
	if (!n)
		return nothing_found(ses, ls, what);
	tell_more(ses, &typed, what, limit, n);
	return AS_EXIT_OK;
}
