/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/filters.h"

#include <stdio.h>

#include "change/filter/pattern.h"
#include "cli/load.h"
#include "cli/naming.h"
#include "cli/tag_filters.h"
#include "regex/regex.h"
#include "report/pprof_value.h"

struct pattern {
	const char *option, *text; /* as they were given */
	struct as_regex *re;
};

struct as_filters {
	size_t n;
	struct pattern *pattern;
	struct as_matcher *matcher; /* of each */
	bool *matched;
	size_t size; /* of the three, one block */
};

enum { KINDS = AS_FILTER_OBJECT + 1 };

static void list_kinds(const struct as_common *opt, const struct as_list *kind[KINDS])
{
	kind[AS_FILTER_FOCUS] = &opt->focus;
	kind[AS_FILTER_IGNORE] = &opt->ignore;
	kind[AS_FILTER_HIDE] = &opt->hide;
	kind[AS_FILTER_SHOW] = &opt->show;
	kind[AS_FILTER_SHOW_FROM] = &opt->show_from;
	kind[AS_FILTER_PRUNE_FROM] = &opt->prune_from;
	kind[AS_FILTER_OBJECT] = &opt->object;
}

/* ---- patterns ---- */

static bool match_regex(const void *ctx, struct as_slice text)
{
	return as_regex_match(ctx, text);
}

/* Characters, from 1: a byte that goes on with one is none of its own. */
static size_t column_of(const char *text, size_t bytes)
{
	size_t n = 1;

	for (size_t i = 0; i < bytes && text[i]; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

enum as_exit as_filters_wrong_pattern(struct as_cli *cli, const char *option, const char *text,
	const struct as_err *err, size_t place)
{
	char what[1200];

	if (err->code == AS_E_UNSUPPORTED) {
		snprintf(what, sizeof(what), "--%s: %s", option, err->msg);
		as_cli_error(cli, what, "parts can be chosen without it: --thread, --part");
		return AS_EXIT_UNSUPPORTED;
	}
	if (err->code == AS_E_NOMEM)
		return as_cli_no_memory(cli);
	if (err->code == AS_E_ARG)
		snprintf(what, sizeof(what), "--%s '%.500s': %s, at character %zu", option, text,
			err->msg, column_of(text, place));
	else
		snprintf(what, sizeof(what), "--%s '%.500s': %s", option, text, err->msg);
	as_cli_error(cli, what,
		"a regular expression as RE2 has them; \\ makes ( ) [ ] . * + ? | "
		"{ } ^ $ letters");
	return AS_EXIT_USAGE;
}

static enum as_exit compile(struct as_cli *cli, struct pattern *p, struct as_matcher *m)
{
	struct as_pattern pattern;
	size_t place = 0, cut;
	struct as_regex_opts opts = {.place = &place};
	struct as_err err;

	if (!as_pattern_read(&pattern, m->kind, as_slice_of(p->text), !cli->opt.compat)) {
		as_cli_error(cli, "--object takes the name of an object, not of something else",
			"samples by function or file: --focus fn:RE, --focus file:RE");
		return AS_EXIT_USAGE;
	}
	opts.ignore_case = !cli->opt.compat && pattern.ignore_case;
	cut = pattern.text.p == pattern.buf ? 0 : (size_t)(pattern.text.p - p->text);
	as_err_clear(&err);
	if (as_regex_new(pattern.text, &opts, &p->re, &err) != AS_OK)
		return as_filters_wrong_pattern(cli, p->option, p->text, &err, place + cut);
	m->fields = pattern.fields;
	m->match = match_regex;
	m->ctx = p->re;
	return AS_EXIT_OK;
}

enum as_exit as_cli_name_regex(struct as_cli *cli, const char *what, struct as_regex **out)
{
	struct as_regex_opts opts = {0};
	struct as_err err;
	char text[1200];

	as_err_clear(&err);
	*out = NULL;
	if (as_regex_new(as_slice_of(what), &opts, out, &err) == AS_OK || err.code == AS_E_ARG ||
		err.code == AS_E_UNSUPPORTED)
		return AS_EXIT_OK;
	if (err.code != AS_E_LIMIT)
		return as_cli_fail(cli, &err, NULL);
	snprintf(text, sizeof(text), "'%.500s': %s", what, err.msg);
	as_cli_error(cli, text, "a part of the function's name will do");
	return AS_EXIT_USAGE;
}

/* ---- the command line ---- */

static enum as_exit compile_all(
	struct as_cli *cli, struct as_filters *f, const struct as_list *const kind[KINDS])
{
	enum as_exit rc = AS_EXIT_OK;

	for (int k = 0; k < KINDS; k++)
		for (size_t i = 0; i < kind[k]->n && rc == AS_EXIT_OK; i++) {
			struct pattern *p = &f->pattern[f->n];
			struct as_matcher *m = &f->matcher[f->n++];

			p->option = as_filter_kind_text((enum as_filter_kind)k);
			p->text = kind[k]->p[i];
			m->kind = (enum as_filter_kind)k;
			rc = compile(cli, p, m);
		}
	return rc;
}

enum as_exit as_filters_open(struct as_cli *cli)
{
	struct as_filters *f;
	const struct as_list *kind[KINDS];
	size_t n = 0;

	enum as_exit rc;

	if (!(cli->cmd->groups & AS_GROUP_FILTER))
		return AS_EXIT_OK;
	rc = as_cli_check_tag_frames(cli);
	if (rc == AS_EXIT_OK)
		rc = as_tag_filters_open(cli);
	if (rc != AS_EXIT_OK)
		return rc;
	list_kinds(&cli->opt, kind);
	for (int k = 0; k < KINDS; k++)
		n += kind[k]->n;
	if (!n)
		return AS_EXIT_OK;
	f = as_alloc_new(cli->al, sizeof(*f));
	if (!f)
		return as_cli_no_memory(cli);
	cli->filters = f;
	f->size = n * (sizeof(*f->pattern) + sizeof(*f->matcher) + sizeof(*f->matched));
	f->pattern = as_alloc_new(cli->al, f->size);
	if (!f->pattern)
		return as_cli_no_memory(cli);
	f->matcher = (struct as_matcher *)(f->pattern + n);
	f->matched = (bool *)(f->matcher + n);
	return compile_all(cli, f, kind);
}

void as_filters_close(struct as_cli *cli)
{
	struct as_filters *f = cli->filters;

	as_alloc_free(cli->al, cli->whole, cli->n_whole * sizeof(*cli->whole));
	cli->whole = NULL;
	as_tag_filters_close(cli);
	if (!f)
		return;
	for (size_t i = 0; f->pattern && i < f->n; i++)
		as_regex_free(f->pattern[i].re);
	as_alloc_free(cli->al, f->pattern, f->size);
	as_alloc_free(cli->al, f, sizeof(*f));
	cli->filters = NULL;
}

static bool asks_for_parts(const struct as_cli *cli)
{
	const struct as_common *opt = &cli->opt;

	return opt->thread.n || opt->part.n || opt->label.n || as_tag_filters_given(cli);
}

static bool chooses(const struct as_cli *cli)
{
	return cli->filters || asks_for_parts(cli);
}

bool as_filters_any(const struct as_cli *cli)
{
	return chooses(cli) || cli->opt.tagroot.n || cli->opt.tagleaf.n;
}

enum as_detail as_filters_detail(const struct as_cli *cli, enum as_detail detail)
{
	const struct as_filters *f = cli->filters;

	for (size_t i = 0; f && i < f->n; i++)
		if ((f->matcher[i].fields & AS_MATCH_FILE) && detail < AS_DETAIL_LINE)
			return AS_DETAIL_LINE; /* lines of other files are told apart */
	return detail;
}

bool as_filters_want_names(const struct as_cli *cli)
{
	const struct as_filters *f = cli->filters;

	for (size_t i = 0; f && i < f->n; i++)
		if (f->matcher[i].fields != AS_MATCH_OBJECT)
			return true;
	return false;
}

/* ---- filtering ---- */

static enum as_exit no_part(struct as_cli *cli)
{
	const struct as_common *opt = &cli->opt;
	char what[512];

	if ((opt->thread.n > 0) + (opt->part.n > 0) + (opt->label.n > 0) > 1)
		snprintf(what, sizeof(what),
			"nothing is left: --thread, --part and --label have no part in common");
	else if (opt->label.n)
		snprintf(what, sizeof(what), "nothing is left: no sample has the label '%.200s'",
			opt->label.p[0]);
	else if (opt->thread.n)
		snprintf(what, sizeof(what),
			"nothing is left: no part of the profile is of thread '%.200s'",
			opt->thread.p[0]);
	else
		snprintf(what, sizeof(what), "nothing is left: the profile has no part '%.200s'",
			opt->part.p[0]);
	as_cli_error(cli, what, "see which there are: assay info FILE");
	return AS_EXIT_NO;
}

static bool is_empty(const struct as_profile *prof)
{
	return !prof->self.n && !prof->call.n && !prof->sample.node.n;
}

/* Patterns that matched nothing: one that asks for a match is why nothing is left. */
static enum as_exit tell(struct as_cli *cli, const struct as_profile *prof)
{
	const struct as_filters *f = cli->filters;
	char what[512];

	for (size_t i = 0; f && i < f->n; i++) {
		const struct pattern *p = &f->pattern[i];

		if (f->matched[i])
			continue;
		snprintf(what, sizeof(what), "--%s '%.200s' matches no %s", p->option, p->text,
			as_match_fields_text(f->matcher[i].fields));
		if (!is_empty(prof)) {
			as_cli_note(cli, "%s", what);
			continue;
		}
		memmove(what + strlen("nothing is left: "), what, strlen(what) + 1);
		memcpy(what, "nothing is left: ", strlen("nothing is left: "));
		as_cli_error(cli, what,
			f->matcher[i].kind == AS_FILTER_OBJECT
				? "see which there are: assay objects FILE; a binary to take "
				  "names from: --binary PATH"
				: "see what there is: assay top FILE, assay objects FILE");
		return AS_EXIT_NO;
	}
	if (!is_empty(prof))
		return AS_EXIT_OK;
	as_cli_error(cli, "nothing is left: no sample is one that all filters choose",
		"try them one by one");
	return AS_EXIT_NO;
}

/* The same of one side of a comparison, NAME: nothing is wrong if nothing is left of it. */
static void tell_side(struct as_cli *cli, const struct as_profile *prof, const char *name)
{
	const struct as_filters *f = cli->filters;

	for (size_t i = 0; f && i < f->n; i++)
		if (!f->matched[i])
			as_cli_note(cli, "%s: --%s '%.200s' matches no %s", name,
				f->pattern[i].option, f->pattern[i].text,
				as_match_fields_text(f->matcher[i].fields));
	if (is_empty(prof))
		as_cli_note(cli, "%s: the filters leave nothing", name);
}

/* The answer itself says what is an estimate. */
static bool tells_estimates(const struct as_cli *cli)
{
	return cli->opt.format != AS_FORMAT_CSV; /* as_save_run() does, too */
}

/* What is filtered, and how. */
struct job {
	struct as_cli *cli;
	struct as_filter how;
	const struct as_profile *prof;
	struct as_losses *losses;
	const char *side;       /* the name of a side of a comparison; else NULL */
	struct as_profile *got; /* what is left; NULL: nothing was chosen by */
};

static enum as_exit run(struct job *j)
{
	struct as_cli *cli = j->cli;
	struct as_filters *f = cli->filters;
	struct as_filtered out;
	enum as_exit rc;
	struct as_err err;
	bool empty = is_empty(j->prof);

	if (f) {
		j->how.matcher = f->matcher;
		j->how.n = f->n;
		memset(f->matched, 0, f->n * sizeof(*f->matched));
	}
	as_err_clear(&err);
	if (as_filter(j->prof, &j->how, f ? f->matched : NULL, &out, j->losses, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	rc = empty || j->side ? AS_EXIT_OK : tell(cli, out.prof);
	if (j->side && !empty)
		tell_side(cli, out.prof, j->side);
	if (rc == AS_EXIT_OK && out.estimated && !tells_estimates(cli))
		as_cli_note(cli, "estimated: which way cost took was made out of calls");
	j->got = out.prof;
	return rc;
}

static bool note_whole(struct as_cli *cli, const struct as_profile *prof)
{
	uint32_t n = as_n_events(prof);

	if (!cli->opt.compat || cli->opt.relative || !n || cli->whole)
		return true;
	cli->whole = as_alloc_new(cli->al, n * sizeof(*cli->whole));
	if (!cli->whole)
		return false;
	cli->n_whole = n;
	for (uint32_t k = 0; k < n; k++) {
		const struct as_pprof_column column = {.event = k, .each = 1};

		/* Without a period it fits. */
		(void)as_pprof_sum(prof, &column, &cli->whole[k]);
	}
	return true;
}

/* KEEP has room for a byte of each part, and behind these of each label. */
static enum as_exit filter_with(struct job *j, uint8_t *keep)
{
	struct as_cli *cli = j->cli;
	const struct as_common *opt = &cli->opt;
	struct as_part_choice choice = {.thread = {opt->thread.p, opt->thread.n},
		.part = {opt->part.p, opt->part.n},
		.label = {opt->label.p, opt->label.n}};
	bool any = as_choose_parts(j->prof, &choice, keep);
	uint8_t *label = keep + j->prof->part.n;
	enum as_exit rc = AS_EXIT_OK;

	if (asks_for_parts(cli))
		j->how.keep_part = keep;
	if (!any && !j->side && (cli->opt.thread.n || cli->opt.part.n || cli->opt.label.n))
		return no_part(cli);
	if (as_tag_filters_given(cli)) {
		j->how.keep_label = label;
		rc = as_tag_filters_choose(cli, j->prof, keep, label);
	}
	return rc == AS_EXIT_OK ? run(j) : rc;
}

static enum as_exit choose(struct job *j)
{
	const struct as_common *opt = &j->cli->opt;
	size_t n = j->prof->part.n + j->prof->label.n + 1;
	uint8_t *keep;
	enum as_exit rc;

	if (!chooses(j->cli))
		return AS_EXIT_OK;
	j->how = (struct as_filter){.keep_contexts = opt->contexts >= AS_CONTEXTS_KEEP,
		.relative = opt->relative,
		.show_named = opt->compat != 0};
	keep = as_alloc_new(j->cli->al, n);
	if (!keep || !note_whole(j->cli, j->prof)) {
		as_alloc_free(j->cli->al, keep, keep ? n : 0);
		return as_cli_no_memory(j->cli);
	}
	rc = filter_with(j, keep);
	as_alloc_free(j->cli->al, keep, n);
	return rc;
}

static enum as_exit filter(
	struct as_cli *cli, struct as_profile **prof, struct as_losses *l, const char *side)
{
	struct job j = {.cli = cli, .losses = l, .side = side};
	enum as_exit rc = as_cli_drop_frames(cli, prof);

	if (rc == AS_EXIT_OK)
		rc = as_cli_tag_frames(cli, prof);
	if (rc != AS_EXIT_OK)
		return rc;
	j.prof = *prof;
	rc = choose(&j);
	if (j.got) {
		as_profile_free(*prof);
		*prof = j.got;
	}
	return rc;
}

enum as_exit as_cli_filter_try(
	struct as_cli *cli, const struct as_profile *prof, const char *side, bool *empty)
{
	struct job j = {.cli = cli, .prof = prof, .side = side};
	enum as_exit rc = choose(&j);

	*empty = j.got && is_empty(j.got);
	as_profile_free(j.got);
	return rc;
}

enum as_exit as_cli_filter(struct as_cli *cli, struct as_profile **prof, struct as_losses *l)
{
	return filter(cli, prof, l, NULL);
}

enum as_exit as_inputs_filter(struct as_cli *cli, struct as_inputs *in)
{
	return filter(cli, &in->prof, &in->losses, NULL);
}

enum as_exit as_inputs_filter_side(struct as_cli *cli, struct as_inputs *in, bool *empty)
{
	enum as_exit rc = filter(cli, &in->prof, &in->losses, in->file.p[0]);

	*empty = rc == AS_EXIT_OK && chooses(cli) && is_empty(in->prof);
	return rc;
}
