/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: filters by words, the program's options. */
#include "lib/lib_impl.h"

#include "session/filters.h"

struct choosing {
	struct assay_words_options o;
	struct as_filter_word *word;
	struct as_filters *f;
	struct as_profile *framed; /* with labels as frames; NULL: there are none */
	struct as_err *err;
};

static enum as_code words_options(struct choosing *c, const struct assay_words_options *given)
{
	if (!as_lib_take(&c->o, sizeof(c->o), given) || (c->o.n_words && !c->o.words) ||
		c->o.n_words > SIZE_MAX / 256)
		return as_err_set(c->err, AS_E_ARG,
			"the options have no size, ask for what this version does not know, or "
			"count words that are not there");
	return AS_OK;
}

/* "focus=^main$" */
static enum as_code words_read(struct choosing *c, size_t i)
{
	struct as_slice text = as_slice_of(c->o.words[i] ? c->o.words[i] : ""), key;

	(void)as_slice_cut(&text, '=', &key);
	if (!text.p || !as_word_find(key, &c->word[i].kind))
		return as_err_set(c->err, AS_E_ARG, "there is no filter '%.60s'",
			c->o.words[i] ? c->o.words[i] : "");
	c->word[i].text = text;
	return AS_OK;
}

static enum as_code words_make(struct choosing *c, const struct as_alloc *al)
{
	struct as_filters_ask ask = {.word = c->word,
		.n = c->o.n_words,
		.keep_contexts = c->o.keep_contexts,
		.relative = c->o.relative,
		.regex = as_regexes_re2};
	struct as_filters_wrong wrong;
	enum as_code rc;
	struct as_err why;

	for (size_t i = 0; i < c->o.n_words; i++)
		AS_TRY(words_read(c, i));
	as_err_clear(&why);
	rc = as_filters_new(al, &ask, &c->f, &wrong, &why);
	if (rc == AS_OK)
		return AS_OK;
	if (rc == AS_E_NOMEM)
		return as_err_no_memory(c->err);
	return as_err_set(c->err, rc, "%s=%.*s: %s", as_word_text(wrong.word.kind),
		AS_SLICE_FMT(wrong.word.text), why.msg);
}

/* A profile of its own, since filters put labels into stacks in its place. */
static enum as_code words_frames(struct choosing *c, const struct as_profile *prof)
{
	struct as_err remark;
	bool any = !as_filters_choose(c->f);

	for (size_t i = 0; i < c->f->item.n; i++)
		any |= c->f->item.p[i].kind <= AS_WORD_TAGLEAF;
	if (!any)
		return AS_OK;
	AS_TRY(as_lib_copy(prof, &c->framed, c->err));
	return as_filters_frames(c->f, &c->framed, c->o.unit, &remark, c->err);
}

static void words_tell(struct choosing *c, enum as_left left)
{
	for (size_t i = 0; c->o.matched && i < c->o.n_words; i++)
		c->o.matched[i] = c->word[i].kind >= AS_WORD_THREAD &&
				  c->word[i].kind <= AS_WORD_LABEL && left != AS_LEFT_NO_PART;
	for (size_t i = 0; c->o.matched && i < c->f->item.n; i++)
		c->o.matched[c->f->item.p[i].word] |= c->f->item.p[i].matched;
}

static enum as_code words_choose(
	struct choosing *c, const struct as_profile *prof, struct as_profile **out)
{
	struct as_filters_left left = {0};
	enum as_code rc = words_make(c, prof->al);

	AS_THEN(rc, words_frames(c, prof));
	AS_THEN(rc, as_filters_run(c->f, c->framed ? c->framed : prof, &left,
			    as_lib_losses(c->o.losses), c->err));
	if (rc == AS_OK && c->o.losses && c->o.losses->l.no_memory)
		rc = as_err_no_memory(c->err);
	if (rc == AS_OK) {
		words_tell(c, left.left);
		*out = left.prof ? left.prof : c->framed;
	}
	if (*out != left.prof)
		as_profile_free(left.prof);
	if (*out != c->framed)
		as_profile_free(c->framed);
	as_filters_free(c->f);
	return rc;
}

static enum as_code words_filter(const struct as_profile *prof,
	const struct assay_words_options *given, struct as_profile **out, struct as_err *err)
{
	struct choosing c = {.err = err};
	enum as_code rc;

	AS_TRY(words_options(&c, given));
	AS_TRY(as_err_memory(err, as_alloc_array(prof->al, &c.word, c.o.n_words)));
	rc = words_choose(&c, prof, out);
	as_alloc_free(prof->al, c.word, c.o.n_words * sizeof(*c.word) + 1);
	return rc;
}

enum assay_code assay_filter_words(const struct assay_profile *prof,
	const struct assay_words_options *opts, struct assay_profile **out, struct assay_error *err)
{
	struct as_profile *chosen = NULL;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!prof || !out)
		return as_lib_misuse(err, "no profile, or no place for the new one");
	as_err_clear(&e);
	rc = words_filter(as_lib_profile(prof), opts, &chosen, &e);
	*out = as_lib_give_profile(chosen);
	return as_lib_end(rc, &e, err);
}
