/* SPDX-License-Identifier: Apache-2.0 */
/* Options to the state that the page begins with: the words of its URL's fragment. docs/page.md
 * lists them. */

#include "page/share_page.h"

static void share_state_put(struct as_out *out, bool *some, const char *key, const char *value)
{
	if (value)
		as_page_word(out, some, key, as_slice_of(value));
}

static void share_state_put_words(const struct as_share *s, struct as_out *out, bool has_base)
{
	const struct as_asked_filter *filter = &s->ses.opt.filter;
	static const enum as_word known[] = {AS_WORD_FOCUS, AS_WORD_IGNORE, AS_WORD_HIDE,
		AS_WORD_SHOW, AS_WORD_SHOW_FROM, AS_WORD_PRUNE_FROM, AS_WORD_LABEL,
		AS_WORD_TAGFOCUS, AS_WORD_TAGIGNORE, AS_WORD_THREAD, AS_WORD_PART};
	bool some = false;

	share_state_put(out, &some, "view", s->args->view);
	share_state_put(out, &some, "event", s->args->sort);
	share_state_put(out, &some, "unit", s->args->unit);
	for (size_t k = 0; k < AS_ARRAY_LEN(known) && !s->args->only; k++)
		for (size_t i = 0; i < filter->word[known[k]].n; i++)
			share_state_put(
				out, &some, as_word_text(known[k]), filter->word[known[k]].p[i]);
	if (!s->args->only) {
		share_state_put(out, &some, "from", filter->from);
		share_state_put(out, &some, "to", filter->to);
	}
	if (filter->relative && !s->args->only)
		share_state_put(out, &some, "relative", "1");
	if (has_base)
		share_state_put(out, &some, "diff", "1");
}

static bool has_patterns(const struct as_asked_filter *filter)
{
	for (enum as_word k = AS_WORD_FOCUS; k < AS_WORD_OBJECT; k++)
		if (filter->word[k].n)
			return true;
	return false;
}

/* What the page has no filters for: it knows no names but those that are put into it. */
static const char *not_in_page(const struct as_session *ses)
{
	const struct as_asked_filter *filter = &ses->opt.filter;

	if (ses->opt.name.level > 1 + AS_NAMES_FULL && has_patterns(filter))
		return "names that --names makes shorter";
	if (filter->word[AS_WORD_TAGSHOW].n || filter->word[AS_WORD_TAGHIDE].n)
		return "--tagshow or --taghide";
	if (filter->word[AS_WORD_TAGROOT].n || filter->word[AS_WORD_TAGLEAF].n)
		return "--tagroot or --tagleaf";
	if (filter->word[AS_WORD_OBJECT].n)
		return "--object";
	if (filter->word[AS_WORD_PROCESS].n || filter->word[AS_WORD_UNIT].n)
		return "--process or --unit";
	if (filter->word[AS_WORD_THREAD].n > 1 || filter->word[AS_WORD_PART].n > 1)
		return "more than one --thread or --part";
	return NULL;
}

/* The views of the page: viewer/src/views.ts has them. */
static enum as_exit check_view(const struct as_session *ses, const char *view)
{
	static const char *const known[] = {"overview", "flame", "table", "tree", "sandwich",
		"source", "asm", "graph", "treemap", "threads", "time"};
	char shown[64];

	if (!view || as_slice_is_one_of(as_slice_of(view), known))
		return AS_EXIT_OK;
	as_escape(shown, sizeof(shown), view, strlen(view));
	return as_say_endf(ses, AS_EXIT_USAGE,
		"it has: overview flame table tree sandwich source asm graph treemap threads time",
		"the page has no view '%s'", shown);
}

enum as_exit as_share_check(const struct as_session *ses, const struct as_share_args *args)
{
	const char *what = args->only ? NULL : not_in_page(ses);
	enum as_exit rc = check_view(ses, args->view);

	if (rc != AS_EXIT_OK || !what)
		return rc;
	return as_say_endf(ses, AS_EXIT_USAGE,
		"with --only, all filters choose what is put into the page",
		"the page has no filter for %s", what);
}

enum as_exit as_share_state(struct as_share *s, bool has_base)
{
	struct as_out out;
	struct as_err err = AS_ERR_NONE;

	AS_DO(as_say_code(&s->ses, as_out_open(&out, s->ses.al, &s->state.sink, &err), NULL));
	share_state_put_words(s, &out, has_base);
	return as_say_code(&s->ses, as_out_finish(&out), NULL);
}
