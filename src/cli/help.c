/* SPDX-License-Identifier: Apache-2.0 */
/* -h, --help and --version, made from the tables. */
#include "browse/browse.h"
#include "cli/cli.h"

#include "base/build_config.h"
#include "io/http.h"
#include "page/page.h"
#include "regex/regex.h"
#include "report/kit/json.h"
#include "serve/serve.h"
#include "symbols/disasm.h"
#include "symbols/elf/elf_file.h"
#include "symbols/names/demangle.h"

enum { ABOUT_COLUMN = 26, NAMES_WIDTH = 80 };

static void help_heading(struct as_cli *cli, struct as_out *out, const char *text)
{
	as_out_printf(out, "%s%s%s\n", as_paint_begin(&cli->style, AS_PAINT_HEAD), text,
		as_paint_end(&cli->style, AS_PAINT_HEAD));
}

/* "LEFT      RIGHT", RIGHT on a line of its own when LEFT is too long. */
static void two_columns(struct as_out *out, const char *left, const char *right)
{
	int n = (int)strlen(left);

	if (n + 2 > ABOUT_COLUMN)
		as_out_printf(out, "  %s\n  %*s%s\n", left, ABOUT_COLUMN, "", right);
	else
		as_out_printf(out, "  %-*s%s\n", ABOUT_COLUMN, left, right);
}

static void print_option(struct as_out *out, const struct as_optdef *d)
{
	char left[128], letter[8] = "    ";

	if (d->letter)
		snprintf(letter, sizeof(letter), "-%c, ", d->letter);
	snprintf(left, sizeof(left), "%s--%s%s%s", letter, d->name, d->arg ? " " : "",
		d->arg ? d->arg : "");
	two_columns(out, left, d->help);
}

static void print_options(struct as_out *out, const struct as_optdef *defs)
{
	for (; defs && defs->name; defs++)
		print_option(out, defs);
}

static bool has_own(const struct as_cmd *cmd, const char *name)
{
	for (const struct as_optdef *d = cmd->opts; d && d->name; d++)
		if (strcmp(d->name, name) == 0)
			return true;
	return false;
}

/* Those of a group that CMD does not mean something else by. */
static void help_print_group(
	struct as_out *out, const struct as_cmd *cmd, const struct as_optdef *defs)
{
	for (; defs->name; defs++)
		if (!has_own(cmd, defs->name))
			print_option(out, defs);
}

static void print_examples(struct as_cli *cli, const struct as_cmd *cmd, struct as_out *out)
{
	struct as_slice rest = as_slice_of(cmd->examples), line, left;

	if (!cmd->examples)
		return;
	help_heading(cli, out, "Examples");
	while (as_slice_cut(&rest, '\n', &line)) {
		struct as_slice about = line;

		if (!as_slice_cut(&about, '\t', &left))
			continue;
		as_out_printf(out, "  %-44.*s  %.*s\n", AS_SLICE_FMT(left), AS_SLICE_FMT(about));
	}
	as_out_char(out, '\n');
}

static void print_usage(struct as_out *out, const struct as_cmd *cmd)
{
	as_out_printf(out, "Usage: assay %s [OPTION...] %s\n", cmd->name, cmd->args);
	as_out_printf(out, "%s\n\n", cmd->brief);
}

/* Options that many commands have, by their names alone: one screen has to do. */
static void print_names(struct as_out *out, const struct as_optdef *defs, int *column)
{
	for (; defs && defs->name; defs++) {
		int n = (int)strlen(defs->name) + 4;

		if (*column + n > NAMES_WIDTH) {
			as_out_text(out, "\n     ");
			*column = 5;
		}
		as_out_printf(out, " --%s,", defs->name);
		*column += n;
	}
}

static void print_shared(struct as_out *out, const struct as_cmd *cmd)
{
	int column = 5;

	as_out_text(out, "  and");
	for (const struct as_group *g = as_groups; g->title; g++)
		if (g->bit && g->brief && *g->brief && (cmd->groups & g->bit)) {
			as_out_printf(out, " %s,", g->brief);
			column += (int)strlen(g->brief) + 2;
		}
	for (const struct as_group *g = as_groups; g->title; g++)
		if (g->bit && g->brief && !*g->brief && (cmd->groups & g->bit))
			print_names(out, g->defs, &column);
	as_out_printf(out, "%s%s --no-pager, -q, -v;\n      all about them: --help\n",
		column > NAMES_WIDTH - 32 ? "\n     " : "",
		has_own(cmd, "color") ? "" : " --color,");
}

void as_help_short(struct as_cli *cli, const struct as_cmd *cmd, struct as_out *out)
{
	print_usage(out, cmd);
	print_examples(cli, cmd, out);
	help_heading(cli, out, "Options");
	print_options(out, cmd->opts);
	for (const struct as_group *g = as_groups; g->title; g++)
		if (g->bit && !g->brief && (cmd->groups & g->bit))
			help_print_group(out, cmd, g->defs);
	print_shared(out, cmd);
}

void as_help_full(struct as_cli *cli, const struct as_cmd *cmd, struct as_out *out)
{
	print_usage(out, cmd);
	if (cmd->about)
		as_out_printf(out, "%s\n", cmd->about);
	print_examples(cli, cmd, out);
	if (cmd->opts) {
		help_heading(cli, out, "Options");
		print_options(out, cmd->opts);
		as_out_char(out, '\n');
	}
	for (const struct as_group *g = as_groups; g->title; g++) {
		if (g->bit && !(cmd->groups & g->bit))
			continue;
		help_heading(cli, out, g->title);
		help_print_group(out, cmd, g->defs);
		as_out_char(out, '\n');
	}
	help_heading(cli, out, "Exit status");
	as_out_text(out,
		"  0 fine   1 the answer is \"no\"   2 usage   3 input unreadable or damaged\n"
		"  4 unsupported, or refused by --strict   5 no rights   6 output failed\n"
		"  7 a part of a store is missing, as it may be: partial=1\n");
}

void as_help_overview(struct as_cli *cli, struct as_out *out)
{
	as_out_text(out, "assay reads, checks, merges, converts and shows CPU profiles.\n\n");
	help_heading(cli, out, "Begin with");
	as_out_text(out,
		"  assay FILE                              what it is, is it sound, what is hot\n"
		"  assay top FILE --by line -n 30          the hottest lines\n"
		"  assay check FILE                        every deviation from the format\n"
		"  assay convert cpu.prof -o callgrind.out into another format\n"
		"  cat FILE | assay top -                  '-' is standard input, gz and zst "
		"too\n\n");
	help_heading(cli, out, "Commands");
	for (size_t i = 0; as_cmds[i]; i++)
		as_out_printf(out, "  %-11s%s\n", as_cmds[i]->name, as_cmds[i]->brief);
	as_out_text(out, "\nassay COMMAND -h shows how a command is used; assay --version, what "
			 "was built in.\n");
}

/* What was built in, by another's name, and which version it is: "" if it is not there. */
struct help_feature {
	const char *name, *version;
};

enum { FEATURES = 11 };

static const char no_version[] = "without version";

static const char *built_in(bool there)
{
	return there ? no_version : "";
}

/* The texts may be in CAPSTONE. */
static void help_features(struct help_feature out[FEATURES], char capstone[32])
{
	unsigned version = as_disasm_version();
	const struct help_feature all[FEATURES] = {
		{"zlib", as_zlib_version()},
		{"zstd", as_zstd_version()},
		{"expat", as_expat_version()},
		{"elfutils", as_elf_version()},
		{"capstone", capstone},
		{"libiberty", built_in(as_demangle_is_built())},
		{"re2", built_in(as_regex_there())},
		{"page", built_in(as_page_html().len != 0)},
		{"libmicrohttpd", as_serve_version()},
		{"libcurl", as_http_version()},
		{"ncursesw", as_browse_version()},
	};

	capstone[0] = 0;
	if (version)
		(void)snprintf(capstone, 32, "%u.%u", version >> 8, version & 255);
	memcpy(out, all, sizeof(all));
}

static void version_json(struct as_out *out, const struct help_feature *feature)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.version/1"));
	as_json_text(&j, "version", as_slice_of(AS_VERSION));
	as_json_object(&j, "features");
	for (size_t i = 0; i < FEATURES; i++)
		as_json_text_or_null(&j, feature[i].name, as_slice_of(feature[i].version));
	as_json_object_end(&j);
	as_json_array(&j, "formats");
	for (size_t i = 0; as_formats[i]; i++)
		as_json_text(&j, NULL, as_slice_of(as_formats[i]->name));
	as_json_array_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

void as_help_version(struct as_out *out, bool json)
{
	struct help_feature feature[FEATURES];
	char capstone[32];

	help_features(feature, capstone);
	if (json) {
		version_json(out, feature);
		return;
	}
	as_out_printf(out, "assay %s\nfeatures:", AS_VERSION);
	for (size_t i = 0; i < FEATURES; i++) {
		const char *version = feature[i].version;

		as_out_printf(out, "%s%s %s", i ? "," : "", *version ? "" : " no", feature[i].name);
		if (*version && version != no_version)
			as_out_printf(out, " %s", version);
	}
	as_out_char(out, '\n');
	as_out_text(out, "formats:");
	for (size_t i = 0; as_formats[i]; i++)
		as_out_printf(out, "%s %s", i ? "," : "", as_formats[i]->name);
	as_out_char(out, '\n');
}
