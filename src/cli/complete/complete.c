/* SPDX-License-Identifier: Apache-2.0 */
/* Completion: where in the line the word stands, and so what it can be. */
#define _POSIX_C_SOURCE 200809L
#include "cli/complete/complete.h"

#include <signal.h>
#include <unistd.h>

#include "cli/config.h"

enum { PATIENCE_S = 2, LONGEST = 4096 };

/* ---- what is offered ---- */

/* A word that would have to be escaped could not be typed back. */
static bool is_printable(struct as_slice text)
{
	char shown[LONGEST + 1];

	if (!text.len || text.len >= LONGEST / 4)
		return false;
	as_escape(shown, sizeof(shown), text.p, text.len);
	return as_slice_is(text, shown);
}

static bool complete_add(struct as_complete *c, struct as_slice text, struct as_slice about)
{
	uint64_t hash = as_hash_bytes(text.p, text.len);
	char shown[128];

	if (c->n == AS_COMPLETE_MAX || !is_printable(text))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (c->said[i] == hash)
			return false;
	c->said[c->n++] = hash;
	as_out_slice(&c->out, c->head);
	as_out_slice(&c->out, text);
	if (about.len) {
		as_escape(shown, sizeof(shown), about.p, about.len);
		as_out_printf(&c->out, "\t%s", shown);
	}
	as_out_char(&c->out, '\n');
	return true;
}

bool as_complete_offer(struct as_complete *c, struct as_slice text, struct as_slice about)
{
	return as_slice_starts(text, c->value) && complete_add(c, text, about);
}

bool as_complete_offer_part(struct as_complete *c, struct as_slice text, struct as_slice about)
{
	return as_slice_find_text(text, c->value) < text.len && complete_add(c, text, about);
}

void as_complete_behind(struct as_complete *c, char sep)
{
	const char *last = strrchr(c->value, sep);

	if (!last)
		return;
	c->head = as_arena_printf(
		&c->arena, "%.*s%.*s", AS_SLICE_FMT(c->head), (int)(last + 1 - c->value), c->value);
	c->value = last + 1;
}

/* ---- where the word stands ---- */

/* The words of a line, behind that of the program: WORD[1..N), of which AT is to be completed. */
struct line {
	char *const *word;
	int n, at;
	int command;        /* where the command stands; 0: nowhere */
	const char *option; /* the word before AT that waits for its value; NULL: none does */
	size_t operands;    /* before AT */
	int program;        /* where a command line of its own begins; 0: nowhere */
	bool dashes;        /* "--" came before AT */
};

/* What stands before the word. */
static void line_walk(struct line *l, const struct as_cmd *cmd)
{
	for (int k = 1; k < l->at && !l->program; k++) {
		const char *word = l->word[k];

		if (k == l->command)
			continue;
		if (l->dashes || word[0] != '-' || !word[1]) {
			l->operands++;
			l->program = cmd->stops ? k : 0;
		} else if (strcmp(word, "--") == 0) {
			l->dashes = !cmd->splits && !cmd->marks;
		} else if (as_cmd_takes_next(cmd, word)) {
			l->option = ++k == l->at ? word : NULL;
		}
	}
}

/* Read the rest of the line, for what it says of how to read files, and find one of them. Errors
 * of the line are not told here: the command tells them when it runs. */
static void find_file(struct as_complete *c, const struct line *l)
{
	struct as_parse ps = {0};
	void *args = as_arena_new(&c->arena, c->cmd->args_size + 1);
	char **rest;
	int n = 0;

	if (!args || !as_arena_array(&c->arena, &rest, (size_t)l->n) ||
		!as_arena_array(&c->arena, &ps.operand, (size_t)l->n))
		return;
	for (int k = 1; k < l->n; k++)
		if (k != l->command && k != l->at && !(l->option && k + 1 == l->at))
			rest[n++] = l->word[k];
	as_cli_bind(c->cli, c->cmd, args, &ps);
	(void)!as_options_parse(&ps, n, rest);
	c->cli->cmd = c->cmd;
	(void)as_config_apply(c->cli, &ps);
	for (size_t i = 0; i < ps.n_operands && !c->file; i++)
		if (as_complete_is_profile(c, ps.operand[i]))
			c->file = as_complete_path(c, ps.operand[i]);
}

/* ---- the answer ---- */

static void offer_option(struct as_complete *c, const struct as_optdef *def)
{
	as_complete_offer(c, as_arena_printf(&c->arena, "--%s", def->name), as_slice_of(def->help));
}

/* NAME: without dashes, up to a "=" or the end; a LETTER where it is one. */
static void each_option(struct as_complete *c, struct as_slice name, char letter,
	void (*what)(struct as_complete *c, const struct as_optdef *def))
{
	for (const struct as_optdef *d = c->cmd->opts; d && d->name; d++)
		if (!name.p || as_slice_is(name, d->name) || (letter && d->letter == letter))
			what(c, d);
	for (const struct as_group *g = as_groups; g->title; g++)
		for (const struct as_optdef *d = g->defs; d->name; d++)
			if ((!g->bit || (c->cmd->groups & g->bit)) &&
				(!name.p || as_slice_is(name, d->name) ||
					(letter && d->letter == letter)))
				what(c, d);
}

static void offer_options(struct as_complete *c, const struct line *l)
{
	each_option(c, (struct as_slice){0}, 0, offer_option);
	as_complete_offer(c, as_slice_of("--help"), as_slice_of("all about the command"));
	if (!l->command)
		as_complete_offer(c, as_slice_of("--version"),
			as_slice_of("the version, and what was built in"));
}

/* The value of the option WORD: of "--name", "--name=", "-x" or "-qx". */
static void offer_value(struct as_complete *c, const char *word)
{
	size_t len = strlen(word);

	if (word[1] == '-')
		each_option(c, (struct as_slice){word + 2, strcspn(word + 2, "=")}, 0,
			as_complete_value);
	else
		each_option(c, as_slice_of(""), word[len - 1], as_complete_value);
}

/* An option, with its value where that is in the same word. */
static void complete_option(struct as_complete *c, const struct line *l)
{
	const char *word = c->value, *eq = strchr(word, '=');
	char letter[3] = {'-', word[1], 0};

	if (word[1] == '-' && eq) {
		c->head = (struct as_slice){word, (size_t)(eq + 1 - word)};
		c->value = eq + 1;
		offer_value(c, word);
	} else if (word[1] && word[1] != '-' && word[2] && as_cmd_takes_next(c->cmd, letter)) {
		c->head = (struct as_slice){word, 2};
		c->value = word + 2;
		offer_value(c, letter);
	} else {
		offer_options(c, l);
	}
}

static void complete_word(struct as_complete *c, const struct line *l)
{
	if (l->option) {
		offer_value(c, l->option);
	} else if (c->value[0] == '-' && !l->dashes) {
		complete_option(c, l);
	} else {
		if (!l->command && !l->operands && !l->dashes)
			as_complete_commands(c);
		as_complete_operand(c, l->operands);
	}
}

static enum as_exit complete_print(struct as_complete *c, const struct line *l)
{
	struct as_out *out;

	if (as_out_finish(&c->out) != AS_OK || as_arena_code(&c->arena) != AS_OK ||
		as_cli_out(c->cli, &out) != AS_EXIT_OK)
		return AS_EXIT_NO;
	if (l->program)
		as_out_printf(out, "command %d\n", l->program - 1);
	else
		as_out_text(out, c->paths && c->n ? "paths\n" : "words\n");
	as_out_bytes(out, c->mem.data.p, c->mem.data.n);
	return as_cli_out_close(c->cli, AS_EXIT_OK);
}

/* ---- asking ---- */

/* Nobody waits any longer. */
static void complete_give_up(int signo)
{
	(void)signo;
	_exit(AS_EXIT_NO);
}

void as_complete_hurry(void)
{
	signal(SIGALRM, complete_give_up);
	(void)alarm(PATIENCE_S);
}

static bool complete_line_of(int argc, char *const *argv, struct line *l)
{
	uint64_t at;

	if (argc < 1 || !as_slice_dec(as_slice_of(argv[0]), &at) || at >= (uint64_t)argc)
		return false;
	*l = (struct line){.word = argv, .n = argc, .at = (int)at + 1};
	return true;
}

static enum as_exit complete_run(struct as_complete *c, struct line *l)
{
	struct as_err err = AS_ERR_NONE;
	int at;
	enum as_exit rc;

	c->cmd = as_cmd_find(l->at, l->word, &at);
	l->command = c->cmd ? at : 0;
	if (!c->cmd)
		c->cmd = as_cmd_by_name("show");
	c->value = l->at < l->n ? l->word[l->at] : "";
	line_walk(l, c->cmd);
	/* The first operand of a command line of its own is the program. */
	if (c->cmd->stops && !l->program && !l->option && (l->dashes || c->value[0] != '-'))
		l->program = l->at;
	find_file(c, l);
	as_sink_mem_init(&c->mem, c->cli->ses.al);
	rc = as_out_open(&c->out, c->cli->ses.al, &c->mem.sink, &err) == AS_OK ? AS_EXIT_OK
									       : AS_EXIT_NO;
	if (rc == AS_EXIT_OK) {
		if (!l->program)
			complete_word(c, l);
		rc = complete_print(c, l);
	}
	as_sink_mem_release(&c->mem);
	return rc;
}

enum as_exit as_complete(struct as_cli *cli, int argc, char *const *argv)
{
	struct as_complete c = {.cli = cli};
	struct line line;
	enum as_exit rc;

	if (!complete_line_of(argc, argv, &line))
		return AS_EXIT_USAGE;
	cli->ses.say = NULL;
	cli->err_tty = false;
	as_arena_init(&c.arena, cli->ses.al);
	rc = complete_run(&c, &line);
	as_arena_release(&c.arena);
	return rc;
}
