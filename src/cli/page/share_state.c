/* SPDX-License-Identifier: Apache-2.0 */
/* Options to the state that the page begins with: the words of its URL's fragment. docs/page.md
 * lists them. */
#include <stdio.h>

#include "cli/page/share_page.h"

struct word {
	const char *key;
	const struct as_list *list;
};

static void put(struct as_out *out, bool *some, const char *key, const char *value)
{
	if (value)
		as_page_word(out, some, key, as_slice_of(value));
}

static void put_words(const struct as_share *s, struct as_out *out, bool has_base)
{
	const struct as_common *opt = &s->cli->opt;
	const struct word words[] = {{"focus", &opt->focus}, {"ignore", &opt->ignore},
		{"hide", &opt->hide}, {"show", &opt->show}, {"show-from", &opt->show_from},
		{"prune-from", &opt->prune_from}, {"label", &opt->label},
		{"tagfocus", &opt->tagfocus}, {"tagignore", &opt->tagignore},
		{"thread", &opt->thread}, {"part", &opt->part}};
	bool some = false;

	put(out, &some, "view", s->args->view);
	put(out, &some, "event", s->args->sort);
	put(out, &some, "unit", s->args->unit);
	for (size_t k = 0; k < AS_ARRAY_LEN(words) && !s->args->only; k++)
		for (size_t i = 0; i < words[k].list->n; i++)
			put(out, &some, words[k].key, words[k].list->p[i]);
	if (opt->relative && !s->args->only)
		put(out, &some, "relative", "1");
	if (has_base)
		put(out, &some, "diff", "1");
}

static bool has_patterns(const struct as_common *opt)
{
	return opt->focus.n || opt->ignore.n || opt->hide.n || opt->show.n || opt->show_from.n ||
	       opt->prune_from.n;
}

/* What the page has no filters for: it knows no names but those that are put into it. */
static const char *not_in_page(const struct as_cli *cli)
{
	const struct as_common *opt = &cli->opt;

	if (opt->names > 1 + AS_NAMES_FULL && has_patterns(opt))
		return "names that --names makes shorter";
	if (opt->tagshow.n || opt->taghide.n)
		return "--tagshow or --taghide";
	if (opt->tagroot.n || opt->tagleaf.n)
		return "--tagroot or --tagleaf";
	if (opt->object.n)
		return "--object";
	if (opt->thread.n > 1 || opt->part.n > 1)
		return "more than one --thread or --part";
	return NULL;
}

/* The views of the page: viewer/src/views.ts has them. */
static enum as_exit check_view(struct as_cli *cli, const char *view)
{
	static const char *const known[] = {"overview", "flame", "table", "tree", "sandwich",
		"source", "asm", "graph", "treemap", "threads"};
	char what[160], shown[64];

	for (size_t i = 0; view && i < AS_ARRAY_LEN(known); i++)
		if (strcmp(view, known[i]) == 0)
			return AS_EXIT_OK;
	if (!view)
		return AS_EXIT_OK;
	as_escape(shown, sizeof(shown), view, strlen(view));
	snprintf(what, sizeof(what), "the page has no view '%s'", shown);
	as_cli_error(cli, what,
		"it has: overview flame table tree sandwich source asm graph treemap threads");
	return AS_EXIT_USAGE;
}

enum as_exit as_share_check(struct as_cli *cli, const struct as_share_args *args)
{
	const char *what = args->only ? NULL : not_in_page(cli);
	enum as_exit rc = check_view(cli, args->view);
	char text[160];

	if (rc != AS_EXIT_OK || !what)
		return rc;
	snprintf(text, sizeof(text), "the page has no filter for %s", what);
	as_cli_error(cli, text, "with --only, all filters choose what is put into the page");
	return AS_EXIT_USAGE;
}

enum as_exit as_share_state(struct as_share *s, bool has_base)
{
	struct as_out out;
	struct as_err err;

	as_err_clear(&err);
	if (as_out_open(&out, s->cli->al, &s->state.sink, &err) != AS_OK)
		return as_cli_no_memory(s->cli);
	put_words(s, &out, has_base);
	return as_out_finish(&out) == AS_OK ? AS_EXIT_OK : as_cli_no_memory(s->cli);
}
