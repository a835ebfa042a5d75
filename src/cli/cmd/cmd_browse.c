/* SPDX-License-Identifier: Apache-2.0 */
/* assay browse: a profile in a terminal. */
#include <unistd.h>

#include "browse/browse.h"
#include "browse/keys.h"
#include "cli/cli.h"
#include "cli/env.h"

enum { THEME_DARK = 2, THEME_LIGHT };

struct browse_args {
	const char *sort, *base, *editor;
	unsigned theme;
	bool cumulative, keys;
};

static const struct as_optdef browse_opts[] = {
	AS_OPTION(browse_args, base, 0, "base", "FILE",
		"compare with FILE, as in: assay browse BASE NEW"),
	AS_OPTION(browse_args, sort, 's', "sort", "EVENT|inclusive",
		"begin with this event, or in this order"),
	AS_OPTION(browse_args, cumulative, 0, "cumulative", NULL,
		"begin in the order of inclusive cost"),
	AS_OPTION(browse_args, theme, 0, "theme", "auto|dark|light",
		"colours for this ground; auto: what COLORFGBG says, else dark"),
	AS_OPTION(browse_args, editor, 0, "editor", "PROGRAM",
		"gets +LINE FILE; default: what VISUAL or EDITOR says, else vi"),
	AS_OPTION(browse_args, keys, 0, "keys", NULL, "print the table of keys"),
	AS_OPTION_END,
};

/* ---- the terminal ---- */

/* "15;0" is white on black; the last number is the ground. */
static bool browse_is_light(unsigned theme)
{
	const char *ground = as_env("COLORFGBG");
	const char *last = ground ? strrchr(ground, ';') : NULL;
	uint64_t n;

	if (theme >= THEME_DARK)
		return theme == THEME_LIGHT;
	return last && as_slice_dec(as_slice_of(last + 1), &n) && (n == 7 || n == 15);
}

static enum as_browse_colours browse_colours(const struct as_cli *cli)
{
	const char *depth = as_env("COLORTERM");
	bool direct = depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0);

	if (!cli->style.color)
		return AS_COLOURS_NONE;
	return direct ? AS_COLOURS_TRUE : AS_COLOURS_256;
}

/* "xterm-256color" is "xterm-direct" where 16 million colours are known of it. */
static const char *browse_direct(const char *term, char *text, size_t size)
{
	size_t n = strcspn(term, "-");

	snprintf(text, size, "%.*s-direct", (int)(n < size - 8 ? n : size - 8), term);
	return text;
}

/* ---- the options that a command needs to give the same answer ---- */

static struct as_slice browse_option(
	struct as_arena *ar, struct as_slice text, const char *name, const char *value)
{
	text = as_arena_printf(ar, "%.*s --%s", AS_SLICE_FMT(text), name);
	return value ? as_arena_printf(ar, "%.*s '%s'", AS_SLICE_FMT(text), value) : text;
}

static struct as_slice browse_option_of(
	struct as_arena *ar, struct as_slice text, const struct as_optdef *d, const void *at)
{
	const struct as_num *num = at;
	const struct as_list *list = at;
	const char *const *str = at;
	const unsigned *word = at;
	const char *arg = d->arg;

	switch (d->kind) {
	case AS_OPT_FLAG:
		return *(const bool *)at ? browse_option(ar, text, d->name, NULL) : text;
	case AS_OPT_STR:
		return *str ? browse_option(ar, text, d->name, *str) : text;
	case AS_OPT_NUM:
		return num->given ? as_arena_printf(ar, "%.*s --%s %" PRIu64, AS_SLICE_FMT(text),
					    d->name, num->value)
				  : text;
	case AS_OPT_WORD:
		for (unsigned i = 1; arg && i < *word; i++)
			arg = strchr(arg, '|') ? strchr(arg, '|') + 1 : NULL;
		return *word && arg ? as_arena_printf(ar, "%.*s --%s %.*s", AS_SLICE_FMT(text),
					      d->name, (int)strcspn(arg, "|"), arg)
				    : text;
	default:
		for (size_t i = 0; i < list->n; i++)
			text = browse_option(ar, text, d->name, list->p[i]);
		return text;
	}
}

/* Those of the groups; filters that are steps are told by the browser. */
static const char *browse_options(struct as_cli *cli, unsigned groups, struct as_arena *ar)
{
	struct as_slice text = as_slice_of("");
	enum as_word kind;

	for (const struct as_group *g = as_groups; g->title; g++) {
		if (!(g->bit & groups))
			continue;
		for (const struct as_optdef *d = g->defs; d->name; d++) {
			bool step = d->kind == AS_OPT_LIST && (g->bit & AS_GROUP_FILTER) &&
				    (strcmp(d->name, "image") == 0 ||
					    (as_word_find(as_slice_of(d->name), &kind) &&
						    kind >= AS_WORD_TAGFOCUS));

			if (!step)
				text = browse_option_of(
					ar, text, d, (const char *)cli + g->at + d->offset);
		}
	}
	return text.p;
}

/* ---- asking ---- */

static enum as_exit browse_check(struct as_cli *cli, const struct as_browse_ask *ask)
{
	bool piped = ask->base && strcmp(ask->base, "-") == 0;

	for (size_t i = 0; i < ask->n_files; i++)
		piped |= strcmp(ask->file[i], "-") == 0;
	if (piped)
		return as_say_usage(&cli->ses, "keys come from standard input, so no profile can",
			"write it to a file first");
	if (!ask->n_files)
		return as_say_usage(&cli->ses, "'browse' needs a file: assay browse FILE", NULL);
	if (ask->n_files > 1)
		return as_say_usage(&cli->ses, "one file, or BASE and NEW",
			"several as one: assay merge -o ALL.pb.gz FILE..., assay browse ALL.pb.gz");
	if (!cli->ses.out_tty || !isatty(STDIN_FILENO))
		return as_say_end(&cli->ses, AS_EXIT_UNSUPPORTED,
			"there is no terminal to browse on",
			"as text: assay top FILE, assay tree FILE, assay show FILE");
	return AS_EXIT_OK;
}

enum as_exit as_browse_cmd(struct as_cli *cli, struct as_browse_ask *ask, unsigned theme)
{
	const char *term = as_env("TERM"), *editor = as_env("VISUAL");
	struct as_arena ar;
	char direct[64];
	enum as_exit rc;

	AS_DO(browse_check(cli, ask));
	as_arena_init(&ar, cli->ses.al);
	ask->ses = &cli->ses;
	ask->in = stdin;
	ask->out = stdout;
	ask->term = term ? term : "dumb";
	ask->term_direct = browse_direct(ask->term, direct, sizeof(direct));
	ask->colours = browse_colours(cli);
	ask->light = browse_is_light(theme);
	ask->utf8 = cli->style.utf8;
	ask->options = browse_options(cli, cli->cmd->groups & ~(unsigned)AS_GROUP_FORMAT, &ar);
	if (!editor)
		editor = as_env("EDITOR");
	if (!ask->editor)
		ask->editor = editor ? editor : "vi";
	rc = ask->options ? as_browse_run(ask) : as_say_no_memory(&cli->ses);
	ask->term_direct = NULL;
	as_arena_release(&ar);
	return rc;
}

static enum as_exit browse_print_keys(struct as_cli *cli)
{
	struct as_out *out;

	AS_DO(as_cli_out(cli, &out));
	as_browse_keys_markdown(out);
	return AS_EXIT_OK;
}

static enum as_exit browse_run(struct as_cli *cli, const void *argp)
{
	const struct browse_args *args = argp;
	struct as_browse_ask ask = {.file = cli->operand,
		.n_files = cli->n_operands,
		.base = args->base,
		.editor = args->editor};

	ask.event = as_cli_order(args->sort, &ask.cumulative);
	ask.cumulative |= args->cumulative;
	if (args->keys)
		return browse_print_keys(cli);
	if (!ask.base && ask.n_files == 2) {
		ask.base = ask.file[0];
		ask.file++;
		ask.n_files--;
	}
	return as_browse_cmd(cli, &ask, args->theme);
}

const struct as_cmd as_cmd_browse = {
	AS_COMMAND(browse, "FILE | BASE NEW", 0, AS_OPERANDS_ANY, browse_run),
	AS_OWN_OPTIONS(browse_opts, browse_args),
	.brief = "a profile in the terminal: functions, callers, tree, flame graph, source",
	.about =
		"Keys and mouse go from the table of functions to callers and callees, the tree, "
		"the\n"
		"flame graph, source, instructions and threads; filters and searches are steps, "
		"and z\n"
		"undoes each. ? tells the keys, y the command that gives the same answer, q ends.\n"
		"BASE and NEW are compared, as 'assay diff' does.\n",
	.examples = "assay browse callgrind.out.1234\tEnter looks closer, Esc goes back\n"
		    "assay browse old.prof new.prof\twhat differs\n"
		    "assay browse db: --since 2h\twhat a machine did\n"
		    "assay browse FILE --focus malloc\tbegin with a filter\n"
		    "assay browse --keys\tthe table of keys",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
