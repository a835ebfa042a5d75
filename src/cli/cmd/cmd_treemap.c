/* SPDX-License-Identifier: Apache-2.0 */
/* assay treemap: where the cost is, as areas. */
#include "cli/answer.h"
#include "cli/view_cmd.h"
#include "picture/treemap.h"

enum { SIZE_MIN = 100, SIZE_MAX_ASKED = 20000 };

struct treemap_args {
	struct as_view_args view;
	struct as_num width, height;
	const char *output;
	unsigned format;
	bool overwrite;
};

static const struct as_optdef treemap_opts[] = {
	AS_OPTION(treemap_args, output, 'o', "output", "FILE",
		"write to FILE, .svg or .html; '-' is stdout, the default"),
	AS_OPTION(treemap_args, overwrite, 'y', "overwrite", NULL, "replace an existing FILE"),
	AS_OPTION(treemap_args, format, 'f', "format", "svg|html",
		"form of the picture; default: as FILE is named, else svg"),
	AS_OPTION(treemap_args, width, 'w', "width", "N", "pixels of the map; default 1200"),
	AS_OPTION(treemap_args, height, 0, "height", "N", "pixels of the map; default 800"),
	AS_VIEW_OPTIONS(treemap_args),
	AS_OPTION_END,
};

static bool treemap_fits(const struct as_num *n)
{
	return !n->given || (n->value >= SIZE_MIN && n->value <= SIZE_MAX_ASKED);
}

static enum as_exit write_map(
	struct as_cli *cli, const struct treemap_args *args, const struct as_treemap *map)
{
	struct as_answer answer;
	enum as_exit rc = as_answer_begin(&answer, cli, args->output, args->overwrite);

	if (rc == AS_EXIT_OK &&
		as_treemap_svg(map, args->format == AS_PICTURE_HTML, answer.out) != AS_OK)
		rc = as_say_no_memory(&cli->ses);
	return as_answer_end(&answer, rc);
}

static enum as_exit treemap_draw(
	struct as_view_run *r, const struct treemap_args *args, const struct as_treemap_opts *opts)
{
	struct as_treemap map;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;
	enum as_code code;

	code = as_treemap_make(&map, opts, &err);
	if (code == AS_OK) {
		rc = write_map(r->cli, args, &map);
	} else if (code == AS_E_ARG) {
		as_say_error(&r->cli->ses, err.msg, "the numbers: assay top FILE");
		rc = AS_EXIT_UNSUPPORTED;
	} else {
		rc = as_say_failed(&r->cli->ses, &err, NULL);
	}
	as_treemap_release(&map);
	return rc;
}

static enum as_exit treemap_show(struct as_view_run *r, const struct treemap_args *args)
{
	struct as_treemap_opts opts = {.view = &r->opts,
		.event = r->opts.sort_event,
		.width = args->width.given ? (unsigned)args->width.value : AS_TREEMAP_WIDTH,
		.height = args->height.given ? (unsigned)args->height.value : AS_TREEMAP_HEIGHT};
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = r->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = true,
		.best = as_treemap_rows(&opts),
		.want_rest = true};
	struct as_table *table;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	if (!r->opts.n_events)
		return as_say_end(&r->cli->ses, AS_EXIT_UNSUPPORTED,
			"the profile has no events, so there is nothing to draw",
			"what is in it: assay info FILE");
	AS_DO(as_say_code(&r->cli->ses, as_project(r->in.prof, &project, &table, &err), &err));
	opts.table = table;
	rc = treemap_draw(r, args, &opts);
	as_table_free(table);
	return rc;
}

/* What can be told before anything is read. */
static enum as_exit treemap_check(struct as_cli *cli, struct treemap_args *args)
{
	bool to_file = args->output && strcmp(args->output, "-") != 0;
	enum as_exit rc = AS_EXIT_OK;

	if (!treemap_fits(&args->width) || !treemap_fits(&args->height))
		return as_say_usage(
			&cli->ses, "a map is 100 to 20000 pixels wide and high", "as in -w 1600");
	if (to_file)
		rc = as_answer_picture(cli, args->output, false, &args->format);
	return rc == AS_EXIT_OK ? as_answer_check(cli, args->output, args->overwrite) : rc;
}

static enum as_exit treemap_run(struct as_cli *cli, const void *argp)
{
	struct treemap_args args = *(const struct treemap_args *)argp;
	struct as_view_run r = {.cli = cli, .files = as_cli_files(cli)};
	enum as_exit rc;

	AS_DO(treemap_check(cli, &args));
	rc = as_view_begin(&r, &args.view, NULL);
	AS_THEN(rc, treemap_show(&r, &args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_treemap = {
	AS_COMMAND(treemap, "FILE...", 1, AS_OPERANDS_ANY, treemap_run),
	AS_OWN_OPTIONS(treemap_opts, treemap_args),
	.brief = "objects, files and functions as areas: SVG or HTML",
	.about =
		"Each function is as large as its own cost, in the box of its file, in the box of "
		"its\n"
		"object. Exact for every profile, as no calls are needed. Several files are merged "
		"first.\n",
	.examples = "assay treemap cpu.prof -o t.svg\twhere the time is\n"
		    "assay treemap callgrind.out.1 --sort D1mr -o t.svg\twhere misses are",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
