/* SPDX-License-Identifier: Apache-2.0 */
/* The defaults: from lines of text to what they mean. */
#define _POSIX_C_SOURCE 200809L
#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/env.h"
#include "session/near.h"

static const struct {
	const char *name;
	enum as_config_use use;
} uses[] = {
	{"color", AS_CONFIG_ALWAYS},
	{"editor", AS_CONFIG_ALWAYS},
	{"jobs", AS_CONFIG_ALWAYS},
	{"max-download", AS_CONFIG_ALWAYS},
	{"max-memory", AS_CONFIG_ALWAYS},
	{"no-keys", AS_CONFIG_ALWAYS},
	{"no-pager", AS_CONFIG_ALWAYS},
	{"no-symbol-cache", AS_CONFIG_ALWAYS},
	{"theme", AS_CONFIG_ALWAYS},
	{"timeout", AS_CONFIG_ALWAYS},
	{"verbose", AS_CONFIG_ALWAYS},
	{"by", AS_CONFIG_PAGE},
	{"context", AS_CONFIG_PAGE},
	{"depth", AS_CONFIG_PAGE},
	{"functions", AS_CONFIG_PAGE},
	{"height", AS_CONFIG_PAGE},
	{"min", AS_CONFIG_PAGE},
	{"names", AS_CONFIG_PAGE},
	{"rows", AS_CONFIG_PAGE},
	{"sort", AS_CONFIG_PAGE},
	{"syntax", AS_CONFIG_PAGE},
	{"unit", AS_CONFIG_PAGE},
	{"width", AS_CONFIG_PAGE},
	{"db", AS_CONFIG_TOLD},
	{"debug-dir", AS_CONFIG_TOLD},
	{"debuginfod", AS_CONFIG_TOLD},
	{"frequency", AS_CONFIG_TOLD},
	{"path-map", AS_CONFIG_TOLD},
	{"source-path", AS_CONFIG_TOLD},
	{"symfs", AS_CONFIG_TOLD},
};

static enum as_config_use config_use_of(const char *name)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(uses); i++)
		if (strcmp(uses[i].name, name) == 0)
			return uses[i].use;
	return AS_CONFIG_NEVER;
}

struct as_slice as_config_text(struct as_arena *arena, const struct as_config_line *line)
{
	return line->text ? as_arena_printf(arena, "%s = %s", line->name, line->text)
			  : as_arena_printf(arena, "%s", line->name);
}

struct as_slice as_config_place(struct as_arena *arena, const struct as_config_line *line)
{
	return line->line ? as_arena_printf(arena, "%s:%" PRIu64, line->from, line->line)
			  : as_arena_printf(arena, "$%s", line->from);
}

/* ---- is it right? ---- */

/* The first option NAME of DEFS. */
static const struct as_optdef *config_option(const struct as_optdef *defs, const char *name)
{
	for (; defs && defs->name; defs++)
		if (strcmp(defs->name, name) == 0)
			return defs;
	return NULL;
}

static const struct as_optdef *config_option_of(const struct as_cmd *cmd, const char *name)
{
	const struct as_optdef *found = config_option(cmd->opts, name);

	for (const struct as_group *g = as_groups; g->title && !found; g++)
		if (!g->bit || (cmd->groups & g->bit))
			found = config_option(g->defs, name);
	return found;
}

/* Whether CMD takes the line; USAGE says why not. */
static bool config_fits(struct as_config *config, const struct as_cmd *cmd,
	const struct as_config_line *line, struct as_usage *usage)
{
	struct as_cli *scratch = as_arena_new(&config->arena, sizeof(*scratch));
	void *args = as_arena_new(&config->arena, cmd->args_size + 1);
	struct as_parse ps = {0};
	bool ok;

	if (!scratch || !args)
		return true;
	as_cli_bind(scratch, cmd, args, &ps);
	ok = as_options_default(&ps, line->name, line->text);
	*usage = ps.usage;
	return ok;
}

static void config_wrong(
	struct as_config *config, struct as_config_line *line, const char *what, const char *hint)
{
	line->wrong = as_arena_dup(&config->arena, as_slice_of(what)).p;
	line->hint = as_arena_dup(&config->arena, as_slice_of(hint)).p;
}

static void config_unknown(
	struct as_config *config, struct as_config_line *line, const struct as_cmd *cmd)
{
	const char *names[AS_ARRAY_LEN(uses) + 1] = {"pager"};
	char what[256], hint[128];
	size_t n = 1;

	for (size_t i = 0; i < AS_ARRAY_LEN(uses); i++)
		if (!cmd || config_option_of(cmd, uses[i].name))
			names[n++] = uses[i].name;
	as_nearest_hint(hint, sizeof(hint), "", as_nearest(line->name, names, n), "");
	if (cmd)
		snprintf(what, sizeof(what), "'%s' has no option '%.100s'", cmd->name, line->name);
	else
		snprintf(what, sizeof(what), "no command has an option '%.100s'", line->name);
	config_wrong(config, line, what, hint);
}

/* One that some command takes is right for all. */
static void config_check(struct as_config *config, struct as_config_line *line)
{
	const struct as_cmd *cmd = line->command ? as_cmd_by_name(line->command) : NULL;
	struct as_usage usage = {.what = ""};
	bool known = false, fits = false;

	if (!line->command && strcmp(line->name, "pager") == 0) {
		line->use = AS_CONFIG_ALWAYS;
		if (!line->text)
			config_wrong(
				config, line, "'pager' needs a command", "as in pager = less -R");
		return;
	}
	for (size_t i = 0; as_cmds[i] && !fits; i++)
		if ((!cmd || as_cmds[i] == cmd) && config_option_of(as_cmds[i], line->name)) {
			known = true;
			fits = config_fits(config, as_cmds[i], line, &usage);
		}
	line->use = config_use_of(line->name);
	if (!known)
		config_unknown(config, line, cmd);
	else if (line->use == AS_CONFIG_NEVER)
		config_wrong(config, line,
			as_arena_printf(&config->arena,
				"'%s' cannot have a default: it changes what the answer says",
				line->name)
				.p,
			"say it on the command line");
	else if (!fits)
		config_wrong(config, line, usage.what,
			strncmp(usage.hint, "did you", 7) == 0 ? usage.hint : "");
}

/* ---- lines ---- */

/* "~/" in front of a folder is the home: no shell does it here. */
static const char *config_home(struct as_config *config, const char *text)
{
	const char *home = as_env_path("HOME"), *eq = strchr(text, '=');
	struct as_slice whole = {NULL, 0};

	if (home && strncmp(text, "~/", 2) == 0)
		whole = as_arena_printf(&config->arena, "%s%s", home, text + 1);
	else if (home && eq && strncmp(eq, "=~/", 3) == 0)
		whole = as_arena_printf(
			&config->arena, "%.*s=%s%s", (int)(eq - text), text, home, eq + 2);
	return whole.p ? whole.p : text;
}

static struct as_config_line *config_add(
	struct as_config *config, const struct as_config_line *line)
{
	if (!as_vec_push(config->arena.al, &config->line, *line)) {
		config->failed = true;
		return NULL;
	}
	return &config->line.p[config->line.n - 1];
}

/* "name = value" or "name", which may have dashes. */
static void config_add_option(
	struct as_config *config, struct as_config_line line, struct as_slice text)
{
	struct as_slice name, value;
	struct as_config_line *added;

	text = as_slice_skip(text, as_slice_starts(text, "--") ? 2 : 0);
	name = (struct as_slice){text.p, as_slice_find(text, '=')};
	value = as_slice_trim(as_slice_skip(text, name.len + (name.len < text.len)));
	line.name = as_arena_dup(&config->arena, as_slice_trim(name)).p;
	if (name.len < text.len)
		line.text = as_arena_dup(&config->arena, value).p;
	if (!line.name || (name.len < text.len && !line.text)) {
		config->failed = true;
		return;
	}
	if (line.text)
		line.text = config_home(config, line.text);
	added = config_add(config, &line);
	if (added)
		config_check(config, added);
}

static void config_add_section(
	struct as_config *config, struct as_config_line *line, struct as_slice text)
{
	char what[200], hint[80] = "";
	const char *near;
	struct as_config_line *added;

	line->name = as_arena_dup(&config->arena, text).p;
	text = as_slice_trim(
		(struct as_slice){text.p + 1, text.len - 1 - as_slice_ends(text, "]")});
	line->command = as_arena_dup(&config->arena, text).p;
	if (!line->command || !line->name) {
		config->failed = true;
		return;
	}
	if (as_cmd_by_name(line->command) && as_slice_ends(as_slice_of(line->name), "]"))
		return;
	near = as_cmd_near(line->command);
	snprintf(what, sizeof(what), "there is no command '%.100s'", line->command);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean '[%s]'?", near);
	added = config_add(config, line);
	if (added)
		config_wrong(config, added, what, hint);
}

/* LINE as a whole cannot be read. */
static void config_wrong_line(
	struct as_config *config, struct as_config_line line, const char *what)
{
	struct as_config_line *added;

	line.name = "";
	added = config_add(config, &line);
	if (added)
		config_wrong(config, added, what, "");
}

static void config_read_file(struct as_config *config, FILE *file)
{
	struct as_config_line line = {.from = config->path};
	char *text = NULL;
	size_t size = 0;
	ssize_t n;

	while ((n = getline(&text, &size, file)) >= 0) {
		struct as_slice one = {text, (size_t)n - (n && text[n - 1] == '\n')};

		one = as_slice_trim(as_slice_chop(one));
		line.line++;
		if (!one.len || one.p[0] == '#' || one.p[0] == ';')
			continue;
		if (as_slice_has(one, 0))
			config_wrong_line(config, line, "the line holds a null byte");
		else if (one.p[0] == '[')
			config_add_section(config, &line, one);
		else
			config_add_option(config, line, one);
	}
	free(text);
}

static const char *config_path(struct as_config *config)
{
	const char *xdg = as_env_path("XDG_CONFIG_HOME"), *home = as_env_path("HOME");

	if (xdg)
		return as_arena_printf(&config->arena, "%s/assay/config", xdg).p;
	return home ? as_arena_printf(&config->arena, "%s/.config/assay/config", home).p : NULL;
}

/* What stands in a folder that is not ours to look into, as that of who ran su, is none of ours. */
static bool config_is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != EACCES);
}

static void config_load_file(struct as_config *config)
{
	FILE *file;
	struct as_config_line line = {.line = 1};

	config->path = line.from = config_path(config);
	config->there = config->path && config_is_there(config->path);
	file = config->there ? fopen(config->path, "re") : NULL;
	errno = 0;
	if (file)
		config_read_file(config, file);
	if (config->there && (!file || ferror(file)))
		config_wrong_line(config, line, "the file cannot be read");
	if (file)
		fclose(file);
}

/* ---- the environment ---- */

/* The next word of REST, which quotes and backslashes may hold together. */
static bool config_word(struct as_arena *arena, const char **rest, struct as_slice *word)
{
	char *to, quote = 0;
	const char *p = *rest;

	while (*p == ' ' || *p == '\t' || *p == '\n')
		p++;
	if (!*p || !as_arena_array(arena, &to, strlen(p) + 1))
		return false;
	word->p = to;
	for (; *p && (quote || (*p != ' ' && *p != '\t' && *p != '\n')); p++) {
		if (*p == '\\' && p[1] && quote != '\'')
			*to++ = *++p;
		else if (*p == quote)
			quote = 0;
		else if (!quote && (*p == '"' || *p == '\''))
			quote = *p;
		else
			*to++ = *p;
	}
	word->len = (size_t)(to - word->p);
	*rest = p;
	return true;
}

static bool config_takes_value(const char *name)
{
	for (size_t i = 0; as_cmds[i]; i++) {
		const struct as_optdef *def = config_option_of(as_cmds[i], name);

		if (def)
			return def->kind != AS_OPT_FLAG;
	}
	return false;
}

/* Words as on a command line: long options, "--names=short" or "--names short". */
static void config_load_env(struct as_config *config, const char *rest)
{
	struct as_config_line line = {.from = "ASSAY_OPTIONS"};
	struct as_slice word, value;

	while (config_word(&config->arena, &rest, &word)) {
		struct as_slice text = word;

		if (!as_slice_starts(word, "--") || word.len == 2) {
			struct as_config_line *added;

			line.name = as_arena_dup(&config->arena, word).p;
			added = line.name ? config_add(config, &line) : NULL;
			if (added)
				config_wrong(config, added,
					as_arena_printf(
						&config->arena, "'%s' is no long option", line.name)
						.p,
					"as in ASSAY_OPTIONS='--names=short --color=never'");
			continue;
		}
		text = as_slice_skip(text, 2);
		if (!as_slice_has(text, '=')) {
			const char *name = as_arena_dup(&config->arena, text).p;

			if (name && config_takes_value(name) &&
				config_word(&config->arena, &rest, &value))
				text = as_arena_printf(
					&config->arena, "%s=%.*s", name, AS_SLICE_FMT(value));
		}
		config_add_option(config, line, text);
	}
	config->n_env = config->line.n;
}

void as_config_load(struct as_config *config, struct as_cli *cli)
{
	const char *env = as_env("ASSAY_OPTIONS");

	*config = (struct as_config){.failed = false};
	as_arena_init(&config->arena, cli->ses.al);
	if (env)
		config_load_env(config, env);
	config_load_file(config);
	cli->config = config;
}

void as_config_release(struct as_config *config)
{
	as_vec_free(config->arena.al, &config->line);
	as_arena_release(&config->arena);
}

/* ---- what it does ---- */

/* People see the answer itself, as text. */
static bool config_is_page(const struct as_cli *cli, const struct as_parse *ps)
{
	return cli->ses.out_tty && !as_options_given(ps, "format") &&
	       !as_options_given(ps, "output");
}

static void config_apply_line(
	struct as_cli *cli, struct as_parse *ps, const struct as_config_line *line, bool page)
{
	struct as_arena arena;
	bool took;

	if (line->use == AS_CONFIG_PAGE && !page)
		return;
	if (strcmp(line->name, "pager") == 0) {
		cli->pager = cli->pager ? cli->pager : line->text;
		return;
	}
	took = !as_options_given(ps, line->name) || as_options_is_list(ps, line->name);
	/* A value that other commands take is none of this one. */
	took = took && as_options_has(ps, line->name) &&
	       as_options_default(ps, line->name, line->text);
	if (!took || line->use != AS_CONFIG_TOLD || cli->ses.out_tty)
		return;
	as_arena_init(&arena, cli->ses.al);
	as_say_note(&cli->ses, "from %s: %s", as_config_place(&arena, line).p,
		as_config_text(&arena, line).p);
	as_arena_release(&arena);
}

/* Of the lines [FROM, TO) those of COMMAND. Of several that say the same the last counts, but lists
 * are taken in order. */
static void config_apply_some(struct as_cli *cli, struct as_parse *ps, size_t from, size_t to,
	const char *command, bool page)
{
	const struct as_config *config = cli->config;

	for (int lists = 0; lists < 2; lists++)
		for (size_t i = from; i < to; i++) {
			const struct as_config_line *line =
				&config->line.p[lists ? i : to - 1 - (i - from)];
			bool same = command ? line->command && strcmp(line->command, command) == 0
					    : !line->command;

			if (same && as_options_is_list(ps, line->name) == (lists != 0))
				config_apply_line(cli, ps, line, page);
		}
}

static enum as_exit config_say_wrong(struct as_cli *cli, const struct as_config_line *line)
{
	struct as_arena arena;
	struct as_slice what, hint;
	enum as_exit rc;

	as_arena_init(&arena, cli->ses.al);
	what = as_arena_printf(&arena, "%s: %s", as_config_place(&arena, line).p, line->wrong);
	hint = as_arena_printf(
		&arena, "%s%swithout defaults: --no-config", line->hint, line->hint[0] ? "; " : "");
	rc = what.p && hint.p ? as_say_usage(&cli->ses, what.p, hint.p)
			      : as_say_no_memory(&cli->ses);
	as_arena_release(&arena);
	return rc;
}

enum as_exit as_config_apply(struct as_cli *cli, struct as_parse *ps)
{
	const struct as_config *config = cli->config;
	bool page;

	if (!config || cli->no_config)
		return AS_EXIT_OK;
	if (config->failed || as_arena_code(&config->arena) != AS_OK)
		return as_say_no_memory(&cli->ses);
	for (size_t i = 0; i < config->line.n; i++)
		if (config->line.p[i].wrong)
			return config_say_wrong(cli, &config->line.p[i]);
	page = config_is_page(cli, ps);
	config_apply_some(cli, ps, 0, config->n_env, NULL, page);
	config_apply_some(cli, ps, config->n_env, config->line.n, cli->cmd->name, page);
	config_apply_some(cli, ps, config->n_env, config->line.n, NULL, page);
	return AS_EXIT_OK;
}
