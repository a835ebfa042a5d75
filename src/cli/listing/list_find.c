/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what the user typed, and what he may have meant. */
#include <stdio.h>
#include <unistd.h>

#include "change/filter/pattern.h"
#include "cli/filtering.h"
#include "cli/listing/list_cmd.h"
#include "cli/near.h"
#include "regex/regex.h"
#include "symbols/names/demangle.h"

static bool matches(void *ctx, struct as_slice name)
{
	return as_regex_match(ctx, name);
}

/* The name as a view shows it, and what of it is the function's own. */
struct shown_as {
	struct as_arena arena;
	struct as_slice what;
	size_t n_own, n_args; /* functions with WHAT in their own name; in their arguments only */
};

static bool is_shown_as(void *ctx, struct as_slice name)
{
	struct shown_as *shown = ctx;

	return as_is_called(&shown->arena, name, shown->what);
}

static bool has_in_own_name(void *ctx, struct as_slice name)
{
	struct shown_as *shown = ctx;
	struct as_slice own = as_name_at_level(&shown->arena, name, AS_NAMES_NOTEMPLATES);

	if (!own.p)
		own = name;
	if (as_slice_find_text(own, shown->what.p) < own.len) {
		shown->n_own++;
		return true;
	}
	shown->n_args += as_slice_find_text(name, shown->what.p) < name.len;
	return false;
}

/* The rest of what was found, on stderr. */
static void tell_more(struct as_cli *cli, const struct shown_as *shown, const char *what,
	uint64_t limit, size_t n)
{
	if (shown->n_own && shown->n_args)
		as_cli_note(cli, "%zu more %s '%s' in %s arguments only: '.*%s' finds all",
			shown->n_args, shown->n_args == 1 ? "function has" : "functions have", what,
			shown->n_args == 1 ? "its" : "their", what);
	if (limit && n > limit)
		as_cli_note(cli,
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

static enum as_exit nothing_found(
	struct as_cli *cli, const struct as_listings *ls, const char *what)
{
	char text[160], hint[1024];
	struct as_near near;

	snprintf(text, sizeof(text), "no function matches '%.120s'", what);
	as_near_begin(&near, cli->al, as_slice_of(what));
	for (size_t i = 0; i < as_listings_all(ls); i++)
		as_near_try_function(&near, as_listings_name(ls, i));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	if (!has_names(ls))
		snprintf(hint, sizeof(hint),
			"the profile has addresses only: ask for one as top shows it, "
			"'[gzip+0x4330]', or say where its binaries are with --binary, "
			"--path-map or --symfs");
	else if (access(what, F_OK) == 0)
		snprintf(hint, sizeof(hint),
			"that is a file: assay %s %s; profiles as one: "
			"assay merge, side by side: assay diff",
			cli->cmd->name, cli->cmd->args);
	else if (!near.n)
		snprintf(hint, sizeof(hint), "see what there is: assay top FILE -n 0");
	as_cli_error(cli, text, hint);
	return AS_EXIT_NO;
}

enum as_exit as_listing_find(
	struct as_cli *cli, struct as_listings *ls, const char *what, uint64_t limit)
{
	struct shown_as shown = {.what = as_slice_of(what)};
	struct as_listing_how how = {.called = is_shown_as,
		.called_ctx = &shown,
		.own = what[0] ? has_in_own_name : NULL,
		.own_ctx = &shown};
	struct as_regex *regex = NULL;
	enum as_exit found = AS_EXIT_OK;
	struct as_err err;
	enum as_code rc;
	size_t n;

	if (what[0] && !as_is_row_name(shown.what))
		found = as_cli_name_regex(cli, what, &regex);
	if (found != AS_EXIT_OK)
		return found;
	how.match = regex ? matches : NULL;
	how.match_ctx = regex;
	as_err_clear(&err);
	as_arena_init(&shown.arena, cli->al);
	rc = as_listings_find(ls, as_slice_of(what), &how, &err);
	as_arena_release(&shown.arena);
	as_regex_free(regex);
	if (rc != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	n = as_listings_n(ls);
	if (!n)
		return nothing_found(cli, ls, what);
	tell_more(cli, &shown, what, limit, n);
	return AS_EXIT_OK;
}
