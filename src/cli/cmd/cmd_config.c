/* SPDX-License-Identifier: Apache-2.0 */
/* assay config: which defaults there are, and whence. */
#include "cli/config.h"
#include "cli/view_cmd.h"

static const char *const use_text[] = {[AS_CONFIG_NEVER] = "refused",
	[AS_CONFIG_ALWAYS] = "always",
	[AS_CONFIG_PAGE] = "text on a terminal",
	[AS_CONFIG_TOLD] = "always, and told"};

enum { OPTION, VALUE, COMMAND, USE, FROM, LINE, WRONG };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_DATA, OPTION, "option"},
	{AS_COL_WORD, AS_IN_DATA, VALUE, "value"},
	{AS_COL_WORD, AS_IN_DATA, COMMAND, "command"},
	{AS_COL_WORD, AS_IN_DATA, USE, "used"},
	{AS_COL_WORD, AS_IN_DATA, FROM, "from"},
	{AS_COL_COUNT, AS_IN_DATA, LINE, "line"},
	{AS_COL_WORD, AS_IN_DATA, WRONG, "wrong"},
	{0},
};

static const char *use_of(const struct as_config_line *line)
{
	return line->wrong ? use_text[AS_CONFIG_NEVER] : use_text[line->use];
}

static void config_print_line(
	struct as_out *out, struct as_arena *arena, const struct as_config_line *line)
{
	as_out_plain(out, as_config_place(arena, line));
	as_out_text(out, ": ");
	if (line->command && line->name[0] != '[')
		as_out_printf(out, "[%s] ", line->command);
	as_out_plain(out, as_config_text(arena, line));
	as_out_printf(out, "\n    used: %s%s", use_of(line), line->wrong ? ": " : "");
	as_out_plain(out, as_slice_of(line->wrong ? line->wrong : ""));
	as_out_text(out, line->wrong && line->hint[0] ? "; " : "");
	as_out_plain(out, as_slice_of(line->wrong ? line->hint : ""));
	as_out_char(out, '\n');
}

static void config_print_text(
	struct as_out *out, struct as_arena *arena, const struct as_config *config)
{
	as_out_text(out, "file: ");
	as_out_plain(out, as_slice_of(config->path ? config->path : "none, as there is no home"));
	as_out_text(out, config->path && !config->there ? ", which is not there\n" : "\n");
	for (size_t i = 0; i < config->line.n; i++)
		config_print_line(out, arena, &config->line.p[i]);
	if (!config->line.n)
		as_out_text(out, "no defaults are set\n");
}

static enum as_code config_data(
	const struct as_alloc *al, const struct as_sheet_to *to, const struct as_config *config)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, al, columns);
	as_sheet_begin(&s, "assay.config/1", NULL);
	if (as_sheet_is(&s, AS_FORM_JSON)) {
		as_json_text_or_null(
			&s.json, "file", as_slice_of(config->path ? config->path : ""));
		as_json_bool(&s.json, "there", config->there);
	}
	as_sheet_rows(&s, "defaults");
	for (size_t i = 0; i < config->line.n; i++) {
		const struct as_config_line *l = &config->line.p[i];

		as_sheet_text(&s, OPTION, as_slice_of(l->name));
		as_sheet_text_or_null(&s, VALUE, as_slice_of(l->text ? l->text : ""));
		as_sheet_text_or_null(&s, COMMAND, as_slice_of(l->command ? l->command : ""));
		as_sheet_text(&s, USE, as_slice_of(use_of(l)));
		as_sheet_text(&s, FROM, as_slice_of(l->from));

		as_sheet_count(&s, LINE, l->line != 0, (as_val)l->line);
		as_sheet_text_or_null(&s, WRONG, as_slice_of(l->wrong ? l->wrong : ""));
		as_sheet_row(&s, NULL);
	}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}

static enum as_exit config_run(struct as_cli *cli, const void *argp)
{
	static const struct as_config none = {.path = NULL};
	const struct as_config *config = cli->config ? cli->config : &none;
	struct as_sheet_to to;
	struct as_arena arena;
	enum as_code rc = AS_OK;

	(void)argp;
	AS_DO(as_cli_sheet(cli, &to));
	as_arena_init(&arena, cli->ses.al);
	if (to.form == AS_FORM_TEXT)
		config_print_text(to.out, &arena, config);
	else
		rc = config_data(cli->ses.al, &to, config);
	AS_THEN(rc, as_arena_code(&arena));
	as_arena_release(&arena);
	AS_DO(as_say_code(&cli->ses, rc, NULL));
	for (size_t i = 0; i < config->line.n; i++)
		if (config->line.p[i].wrong)
			return AS_EXIT_NO;
	return AS_EXIT_OK;
}

const struct as_cmd as_cmd_config = {
	AS_COMMAND(config, "", 0, 0, config_run),
	.brief = "which defaults of options are set, where, and when they are used",
	.about = "Defaults stand in the file ~/.config/assay/config, an option on each line, and "
		 "in\n"
		 "ASSAY_OPTIONS. The exit status is 1 if one of them is wrong: no other command\n"
		 "runs then, but with --no-config.\n",
	.examples = "assay config\twhat is set, and which file says so\n"
		    "assay config -f json\tfor programs\n"
		    "assay top FILE --no-config\twithout any defaults",
	.groups = AS_GROUP_FORMAT,
	.plain = true,
};
