/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/page/chosen.h"

#include <stdio.h>

#include "session/store/asking.h"

bool as_chosen_can(const char *path, const char *base)
{
	return path && as_fleet_input_is(path) && (!base || as_fleet_input_is(base));
}

enum as_exit as_share_to_memory(struct as_share *s, struct as_sink_mem *page)
{
	struct as_out out;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(as_say_code(&s->ses, as_out_open(&out, s->ses.al, &page->sink, &err), NULL));
	rc = as_share_write(s, &out);
	if (as_out_finish(&out) != AS_OK && rc == AS_EXIT_OK)
		rc = as_say_no_memory(&s->ses);
	return rc;
}

/* ---- what goes wrong ---- */

static void chosen_hear(void *ctx, enum as_say how, const char *text, const char *hint)
{
	struct as_chosen *c = ctx;
	char line[sizeof(c->wrong)];

	if (how != AS_SAY_ERROR || c->wrong[0])
		return;
	snprintf(line, sizeof(line), "%s%s%s", text, hint && hint[0] ? "; " : "", hint ? hint : "");
	as_escape(c->wrong, sizeof(c->wrong), line, strlen(line));
}

static void chosen_failed(struct as_chosen *c, const struct as_err *err)
{
	chosen_hear(c, AS_SAY_ERROR, err->msg, NULL);
}

/* ---- the controls ---- */

/* Without what there is to choose from, if the store is AWAY, they can be typed into. */
static enum as_exit chosen_form(
	struct as_chosen *c, struct as_choice *choice, bool away, struct as_sink_mem *html)
{
	const char *path = as_choice_path(choice, AS_CHOICE_NEW);
	struct as_fleet_lists lists = {0};
	struct as_out out;
	struct as_err err = AS_ERR_NONE;

	if (!path || as_out_open(&out, c->ses.al, &html->sink, &err) != AS_OK)
		return as_say_no_memory(&c->ses);
	if (!away)
		(void)as_fleet_input_lists(&c->ses, path, &lists);
	as_choice_form(choice, &lists, as_slice_of(c->wrong), &out);
	as_fleet_lists_release(&lists);
	return as_say_code(&c->ses, as_out_finish(&out), NULL);
}

/* --host, --since and --until are where the controls have them. */
static enum as_code chosen_options(struct as_chosen *c, struct as_err *err)
{
	struct as_asked_database *opt = &c->ses.opt.database;

	AS_TRY(as_choice_default(&c->first, "since", opt->since, false, err));
	AS_TRY(as_choice_default(&c->first, "until", opt->until, false, err));
	AS_TRY(as_choice_default(&c->first, "host", opt->host, true, err));
	opt->since = opt->until = opt->host = NULL;
	return AS_OK;
}

enum as_exit as_chosen_begin(struct as_chosen *c, struct as_cli *cli,
	const struct as_share_args *args, const char *path, const char *base)
{
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	*c = (struct as_chosen){.ses = cli->ses, .args = args};
	c->ses.say = chosen_hear;
	c->ses.say_ctx = c;
	as_sink_mem_init(&c->controls, cli->ses.al);
	rc = as_choice_of(&c->first, cli->ses.al, path, base, &err);
	AS_THEN(rc, chosen_options(c, &err));
	AS_DO(as_say_code(&cli->ses, rc, &err));
	return chosen_form(c, &c->first, false, &c->controls);
}

void as_chosen_release(struct as_chosen *c)
{
	as_choice_release(&c->first);
	as_sink_mem_release(&c->controls);
}

/* ---- another page ---- */

static bool chosen_words(
	struct as_chosen *c, struct as_choice *choice, const struct as_serve_word *word, size_t n)
{
	struct as_err err = AS_ERR_NONE;
	enum as_code rc = as_choice_anew(choice, &c->first, &err);

	for (size_t i = 0; rc == AS_OK && i < n; i++)
		rc = as_choice_add(
			choice, as_slice_of(word[i].key), as_slice_of(word[i].value), &err);
	if (rc != AS_OK)
		chosen_failed(c, &err);
	return rc == AS_OK;
}

/* What CHOICE is of the store into S, which has been planned. */
static enum as_exit chosen_read(struct as_chosen *c, struct as_choice *choice, struct as_share *s)
{
	const char *path = as_choice_path(choice, AS_CHOICE_NEW);
	const char *base = as_choice_path(choice, AS_CHOICE_BASE);
	struct as_files none = {NULL, 0};

	AS_DO(as_say_memory(&c->ses, path && base));
	AS_DO(as_share_read(s, (struct as_files){&path, 1},
		choice->compares ? (struct as_files){&base, 1} : none));
	if (s->count.source.n || s->count.binary.n || s->left_out.file.n)
		as_share_tell(s, "the page");
	return AS_EXIT_OK;
}

static enum as_exit chosen_write(struct as_chosen *c, struct as_choice *choice, bool away,
	struct as_share *s, struct as_sink_mem *page)
{
	struct as_sink_mem controls;
	enum as_exit rc;

	as_sink_mem_init(&controls, c->ses.al);
	rc = chosen_form(c, choice, away, &controls);
	s->controls = (struct as_slice){controls.data.p, controls.data.n};
	AS_THEN(rc, as_share_to_memory(s, page));
	as_sink_mem_release(&controls);
	return rc;
}

/* The page of CHOICE, without a profile unless it ASKS. */
static enum as_exit chosen_try(struct as_chosen *c, struct as_choice *choice, bool asks, bool away,
	struct as_sink_mem *page)
{
	struct as_files none = {NULL, 0};
	struct as_share s;
	enum as_exit rc = as_share_plan(&s, &c->ses, c->args);

	AS_THEN(rc, asks ? chosen_read(c, choice, &s) : as_share_read(&s, none, none));
	AS_THEN(rc, chosen_write(c, choice, away, &s, page));
	as_share_release(&s);
	return rc;
}

bool as_chosen_page(
	void *chosen, const struct as_serve_word *word, size_t n, struct as_sink_mem *page)
{
	struct as_chosen *c = chosen;
	struct as_choice choice;
	enum as_exit rc;
	bool asks;

	c->wrong[0] = '\0';
	asks = chosen_words(c, &choice, word, n);
	rc = chosen_try(c, &choice, asks, false, page);
	if (rc != AS_EXIT_OK && asks) {
		page->data.n = 0;
		rc = chosen_try(c, &choice, false, rc == AS_EXIT_INPUT, page);
	}
	as_choice_release(&choice);
	return rc == AS_EXIT_OK;
}
