/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "session/filtering.h"

#include <stdio.h>

#include "base/duration.h"
#include "session/filters.h"
#include "session/load.h"

/* ---- the command line ---- */

/* The column in characters, from 1; a byte that continues a character is none of its own. */
static size_t column_of(const char *text, size_t bytes)
{
	size_t n = 1;

	for (size_t i = 0; i < bytes && text[i]; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

static enum as_exit wrong_pattern(
	const struct as_session *ses, const struct as_filters_wrong *w, const struct as_err *err)
{
	const char *option = as_word_text(w->word.kind), *text = w->word.text.p;
	char what[1200];

	if (err->code == AS_E_UNSUPPORTED) {
		return as_say_endf(ses, AS_EXIT_UNSUPPORTED,
			"parts can be chosen without it: --thread, --part", "--%s: %s", option,
			err->msg);
	}
	if (err->code == AS_E_ARG)
		snprintf(what, sizeof(what), "--%s '%.500s': %s, at character %zu", option, text,
			err->msg, column_of(text, w->place));
	else
		snprintf(what, sizeof(what), "--%s '%.500s': %s", option, text, err->msg);
	return as_say_usage(ses, what,
		"a regular expression as RE2 has them; \\ makes ( ) [ ] . * + ? | "
		"{ } ^ $ letters");
}

static enum as_exit filtering_wrong_word(
	const struct as_session *ses, const struct as_filters_wrong *w, const struct as_err *err)
{
	if (err->code == AS_E_NOMEM)
		return as_say_no_memory(ses);
	if (w->place != SIZE_MAX)
		return wrong_pattern(ses, w, err);
	if (w->word.kind == AS_WORD_OBJECT)
		return as_say_usage(ses,
			"--object takes the name of an object, not of something else",
			"samples by function or file: --focus fn:RE, --focus file:RE");
	return as_say_endf(ses, AS_EXIT_USAGE, "see which there are: assay tags FILE",
		"--%s '%.200s': %s", as_word_text(w->word.kind), w->word.text.p, err->msg);
}

#define TIME_WORDS "so long after the beginning: 2.5s, 300ms, 1m"

/* TEXT, which may be NULL: then *NS stays. */
static enum as_exit filtering_read_time(
	const struct as_session *ses, const char *option, const char *text, int64_t *ns)
{
	if (!text || as_duration_ns(as_slice_of(text), ns))
		return AS_EXIT_OK;
	return as_say_endf(
		ses, AS_EXIT_USAGE, TIME_WORDS, "--%s '%.100s' is no time", option, text);
}

static enum as_exit filtering_ask_time(const struct as_session *ses, struct as_filters_ask *ask)
{
	const struct as_asked_filter *opt = &ses->opt.filter;

	ask->by_time = opt->from || opt->to;
	ask->time = (struct as_time_range){INT64_MIN, INT64_MAX};
	AS_DO(filtering_read_time(ses, "from", opt->from, &ask->time.from));
	AS_DO(filtering_read_time(ses, "to", opt->to, &ask->time.to));
	if (ask->time.from >= ask->time.to)
		return as_say_usage(ses, "--from is not before --to", TIME_WORDS);
	return AS_EXIT_OK;
}

enum as_exit as_filters_open(struct as_session *ses)
{
	const struct as_asked *opt = &ses->opt;
	struct as_filter_word word[(AS_WORDS + 1) * AS_LIST_MAX];
	struct as_filters_ask ask = {.word = word,
		.keep_contexts = opt->view.contexts >= AS_CONTEXTS_KEEP,
		.relative = opt->filter.relative,
		.compat = opt->read.compat,
		.regex = as_regexes_re2};
	struct as_filters_wrong wrong;
	struct as_err err = AS_ERR_NONE;

	for (enum as_word k = 0; k < AS_WORDS; k++)
		for (size_t i = 0; i < opt->filter.word[k].n; i++)
			word[ask.n++] =
				(struct as_filter_word){k, as_slice_of(opt->filter.word[k].p[i])};
	for (size_t i = 0; i < opt->filter.image.n; i++)
		word[ask.n++] = (struct as_filter_word){
			AS_WORD_OBJECT, as_slice_of(opt->filter.image.p[i])};
	AS_DO(filtering_ask_time(ses, &ask));
	if (as_filters_new(ses->al, &ask, &ses->filters, &wrong, &err) == AS_OK)
		return AS_EXIT_OK;
	return filtering_wrong_word(ses, &wrong, &err);
}

void as_filters_close(struct as_session *ses)
{
	as_filters_free(ses->filters);
	ses->filters = NULL;
}

bool as_filters_any(const struct as_session *ses)
{
	return ses->filters->item.n || ses->filters->by_part || ses->filters->ask.by_time;
}

/* ---- filtering ---- */

static enum as_exit no_part(const struct as_session *ses)
{
	static const struct {
		enum as_word word;
		const char *what;
	} kinds[] = {
		{AS_WORD_LABEL, "no sample has the label"},
		{AS_WORD_PROCESS, "no sample is of process"},
		{AS_WORD_UNIT, "no sample has the label unit"},
		{AS_WORD_THREAD, "no part of the profile is of thread"},
		{AS_WORD_PART, "the profile has no part"},
	};
	size_t n = 0, at = 0;
	char what[512];

	for (size_t i = AS_ARRAY_LEN(kinds); i-- > 0;)
		if (ses->opt.filter.word[kinds[i].word].n) {
			n++;
			at = i;
		}
	if (n > 1)
		snprintf(what, sizeof(what),
			"nothing is left: --thread, --part, --process, --unit and --label have no "
			"part in common");
	else
		snprintf(what, sizeof(what), "nothing is left: %s '%.200s'", kinds[at].what,
			ses->opt.filter.word[kinds[at].word].p[0]);
	return as_say_end(ses, AS_EXIT_NO, what, "see which there are: assay info FILE");
}

/* As it was typed: those of --image are the last words. */
static const char *filtering_option(const struct as_session *ses, const struct as_filter_item *it)
{
	size_t n = 0;

	for (enum as_word k = 0; k < AS_WORDS; k++)
		n += ses->opt.filter.word[k].n;
	return it->word < n ? as_word_text(it->kind) : "image";
}

/* "--focus 'x' matches no function, file or object" */
static const char *filtering_unmatched(
	const struct as_session *ses, const struct as_filter_item *it, char what[512])
{
	snprintf(what, 512, "--%s '%.200s' matches no %s", filtering_option(ses, it), it->text.p,
		it->fields ? as_match_fields_text(it->fields) : "label");
	return what;
}

static enum as_exit filtering_nothing_left(
	const struct as_session *ses, const struct as_filters_left *left)
{
	static const char all[] = "nothing is left: no sample is one that all filters choose",
			  tags[] = "nothing is left: no sample is one that --tagfocus and "
				   "--tagignore choose";
	bool by_label = left->left == AS_LEFT_NO_LABEL;
	const char *hint = "try them one by one";
	char why[512], what[640];

	snprintf(what, sizeof(what), "%s", by_label ? tags : all);
	if (left->blame)
		snprintf(what, sizeof(what), "nothing is left: %s",
			filtering_unmatched(ses, left->blame, why));
	if (by_label)
		hint = "see what there is: assay tags FILE";
	else if (left->blame && left->blame->kind == AS_WORD_OBJECT)
		hint = "see which there are: assay objects FILE; a binary to take names from: "
		       "--binary PATH";
	else if (left->blame)
		hint = "see what there is: assay top FILE, assay objects FILE";
	return as_say_end(ses, AS_EXIT_NO, what, hint);
}

static enum as_exit filtering_no_time(const struct as_session *ses, const char *side)
{
	if (side) {
		as_say_note(ses, "%s: the filters leave nothing", side);
		return AS_EXIT_OK;
	}
	return as_say_end(ses, AS_EXIT_NO,
		"nothing is left: no sample is of the time that --from and --to choose",
		"see when there are some: assay timeline FILE");
}

/* SIDE: the name of a side of a comparison, of which it is fine if nothing is left; else NULL.
 * WAS_VOID: there was nothing before. */
static enum as_exit filtering_tell(const struct as_session *ses, const struct as_filters_left *left,
	const char *side, bool was_void)
{
	const struct as_filters *f = ses->filters;
	char what[512];

	if (left->left == AS_LEFT_NO_TIME)
		return filtering_no_time(ses, side);
	if (left->left == AS_LEFT_NO_PART && !side)
		return no_part(ses);
	if (left->left == AS_LEFT_NO_LABEL)
		return filtering_nothing_left(ses, left);
	for (size_t i = 0; i < f->item.n; i++) {
		const struct as_filter_item *it = &f->item.p[i];

		if (it->matched || it->kind <= AS_WORD_TAGLEAF || (it->fields && was_void))
			continue;
		if (it->fields && left->left == AS_LEFT_NOTHING && !side)
			break; /* it is to blame */
		filtering_unmatched(ses, it, what);
		as_say_note(ses, "%s%s%s", it->fields && side ? side : "",
			it->fields && side ? ": " : "", what);
	}
	if (was_void || left->left == AS_LEFT_SOME)
		return AS_EXIT_OK;
	if (!side)
		return filtering_nothing_left(ses, left);
	as_say_note(ses, "%s: the filters leave nothing", side);
	return AS_EXIT_OK;
}

/* The answer itself says what is an estimate. */
static bool tells_estimates(const struct as_session *ses)
{
	return ses->opt.view.format != AS_FORMAT_CSV; /* as_save_run() does, too */
}

/* *GOT is what is left of PROF, to be freed; NULL: nothing was chosen by. */
static enum as_exit filtering_choose(const struct as_session *ses, const struct as_profile *prof,
	struct as_losses *l, const char *side, struct as_profile **got)
{
	struct as_filters_left left;
	enum as_exit rc;
	struct as_err err = AS_ERR_NONE;

	*got = NULL;
	if (as_filters_run(ses->filters, prof, &left, l, &err) != AS_OK)
		return as_say_failed(ses, &err,
			err.code == AS_E_UNSUPPORTED
				? "--from and --to are of formats that say when: assay formats -v"
				: NULL);
	*got = left.prof;
	if (!left.prof)
		return AS_EXIT_OK;
	rc = filtering_tell(ses, &left, side, as_was_void(prof));
	if (rc == AS_EXIT_OK && left.estimated && !tells_estimates(ses))
		as_say_note(ses, "estimated: which way cost took was made out of calls");
	return rc;
}

/* What precedes the choice: frames that go, and labels as frames. */
static enum as_exit filtering_make_frames(const struct as_session *ses, struct as_profile **prof)
{
	const struct as_filters *f = ses->filters;
	struct as_err remark, err;

	as_err_clear(&err);
	AS_DO(as_say_code(
		ses, as_filters_frames(ses->filters, prof, ses->tag_unit, &remark, &err), &err));
	if (remark.code != AS_OK)
		as_say_warning(ses, "%s", remark.msg);
	for (size_t i = 0; i < f->item.n; i++)
		if (f->item.p[i].kind <= AS_WORD_TAGLEAF && !f->item.p[i].matched)
			as_say_note(ses, "--%s: no sample has a label '%.*s'",
				as_word_text(f->item.p[i].kind), AS_SLICE_FMT(f->item.p[i].key));
	return AS_EXIT_OK;
}

static enum as_exit filtering_filter(const struct as_session *ses, struct as_profile **prof,
	struct as_losses *l, const char *side)
{
	struct as_profile *got;
	enum as_exit rc;

	AS_DO(filtering_make_frames(ses, prof));
	rc = filtering_choose(ses, *prof, l, side, &got);
	as_profile_replace(prof, got);
	return rc;
}

enum as_exit as_session_filter_try(
	const struct as_session *ses, const struct as_profile *prof, const char *side, bool *empty)
{
	struct as_profile *got;
	enum as_exit rc = filtering_choose(ses, prof, NULL, side, &got);

	*empty = got && as_is_void(got);
	as_profile_free(got);
	return rc;
}

enum as_exit as_session_filter(
	const struct as_session *ses, struct as_profile **prof, struct as_losses *l)
{
	as_assert(ses->filters);
	return filtering_filter(ses, prof, l, NULL);
}

enum as_exit as_inputs_filter(const struct as_session *ses, struct as_inputs *in)
{
	if (in->prof->sums.func.n) /* of chosen samples, or none are chosen: as_inputs_load() */
		return AS_EXIT_OK;
	return filtering_filter(ses, &in->prof, &in->losses, NULL);
}

enum as_exit as_inputs_filter_side(const struct as_session *ses, struct as_inputs *in, bool *empty)
{
	enum as_exit rc = filtering_filter(ses, &in->prof, &in->losses, in->file.p[0]);

	*empty = rc == AS_EXIT_OK && as_filters_choose(ses->filters) && as_is_void(in->prof);
	return rc;
}
