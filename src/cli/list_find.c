/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what the user typed, and what he may have meant. */
#include <regex.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/list_cmd.h"
#include "ops/pattern.h"

enum { NAME_MAX_LEN = 4096, NEAR = 3 };

/* NAME ends where its text does: a longer one is looked at up to there. */
static bool matches(void *ctx, struct as_slice name)
{
	char text[NAME_MAX_LEN];

	snprintf(text, sizeof(text), "%.*s", AS_SLICE_FMT(name));
	return regexec(ctx, text, 0, NULL, 0) == 0;
}

struct near {
	char name[NEAR][128];
	unsigned distance[NEAR];
	size_t n;
};

static void add_near(struct near *near, const char *name, unsigned distance)
{
	size_t at = near->n < NEAR ? near->n++ : NEAR;

	while (at > 0 && (at == NEAR || near->distance[at - 1] > distance)) {
		if (at < NEAR) {
			memcpy(near->name[at], near->name[at - 1], sizeof(near->name[at]));
			near->distance[at] = near->distance[at - 1];
		} else if (near->distance[NEAR - 1] <= distance) {
			return;
		}
		at--;
	}
	snprintf(near->name[at], sizeof(near->name[at]), "%s", name);
	near->distance[at] = distance;
}

/* Names without arguments in which not too many letters are other ones. */
static void find_near(const struct as_listings *ls, const char *what, struct near *near)
{
	size_t len = strlen(what);
	unsigned most = (unsigned)(len / 3 < 3 ? len / 3 : 3);

	for (size_t i = 0; i < as_listings_all(ls); i++) {
		struct as_slice name = as_listings_name(ls, i);
		char text[128];
		unsigned distance;

		name.len = as_slice_find(name, '(');
		if (!name.len || name.len >= sizeof(text))
			continue;
		as_escape(text, sizeof(text), name.p, name.len);
		distance = as_edit_distance(what, text);
		if (distance <= most)
			add_near(near, text, distance);
	}
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
	char text[160], hint[512] = "did you mean ";
	struct near near = {.n = 0};
	size_t n = strlen(hint);

	snprintf(text, sizeof(text), "no function matches '%.120s'", what);
	find_near(ls, what, &near);
	for (size_t i = 0; i < near.n; i++)
		n += (size_t)snprintf(hint + n, sizeof(hint) - n, "%s'%s'",
			!i               ? ""
			: i + 1 < near.n ? ", "
					 : " or ",
			near.name[i]);
	snprintf(hint + n, sizeof(hint) - n, "?");
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
	regex_t regex;
	bool is_regex = what[0] && !as_is_row_name(as_slice_of(what)) &&
			regcomp(&regex, what, REG_EXTENDED | REG_NOSUB) == 0;
	struct as_err err;
	enum as_code rc;
	size_t n;

	as_err_clear(&err);
	rc = as_listings_find(
		ls, as_slice_of(what), is_regex ? matches : NULL, is_regex ? &regex : NULL, &err);
	if (is_regex)
		regfree(&regex);
	if (rc != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	n = as_listings_n(ls);
	if (!n)
		return nothing_found(cli, ls, what);
	if (limit && n > limit)
		as_cli_note(cli,
			"%zu functions match '%s'; shown: the %" PRIu64
			" largest; all of them: -n 0",
			n, what, limit);
	return AS_EXIT_OK;
}
