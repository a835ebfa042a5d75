/* SPDX-License-Identifier: Apache-2.0 */
/* assay flame: call paths as a picture, in a file or in the terminal. */
#include "cli/answer.h"
#include "cli/diff/diff_cmd.h"
#include "cli/view_cmd.h"
#include "picture/flame.h"

enum { COLUMNS_DEFAULT = 80, LEVELS_DEFAULT = 1000 };
enum { STRIPS_DEFAULT = 20, BOXES_MAX = 20000 }; /* of a chart */
enum { COLOR_WORDS = 4 };                        /* before those of every command's --color */

struct flame_args {
	struct as_view_args view;
	struct as_num depth, width, rows;
	const char *min, *output;
	struct as_list diff;
	unsigned format, color, normalize;
	bool overwrite, icicle, bottom_up, chart;
};

static const struct as_optdef flame_opts[] = {
	AS_OPTION(flame_args, output, 'o', "output", "FILE",
		"write to FILE, .svg or .html; '-' is stdout"),
	AS_OPTION(flame_args, overwrite, 'y', "overwrite", NULL, "replace an existing FILE"),
	AS_OPTION(flame_args, format, 'f', "format", "svg|html|text",
		"form of the picture; default: by FILE, text in a terminal, else svg"),
	AS_OPTION(flame_args, icicle, 0, "icicle", NULL,
		"the first callers on top, not at the bottom"),
	AS_OPTION(flame_args, bottom_up, 0, "bottom-up", NULL,
		"begin where the cost is, with its callers on it"),
	AS_OPTION(flame_args, chart, 0, "chart", NULL,
		"stacks in order of time, a strip for each thread"),
	AS_OPTION(flame_args, rows, 'n', "rows", "N", "of --chart: threads; 0 = all; default 20"),
	AS_OPTION_FILES(flame_args, diff, "diff", "BASE",
		"what differs from BASE, by colour; may be repeated: runs"),
	AS_OPTION(flame_args, normalize, 0, "normalize", "none|total|time",
		"of --diff: counts as they are, scaled to BASE's total, or times"),
	AS_OPTION(flame_args, color, 0, "color", "object|file|function|self|auto|always|never",
		"what colours mean; or whether the terminal shows any"),
	AS_OPTION(flame_args, min, 'm', "min", "COST",
		"gather what costs less: 0.5%, 1000; default: a pixel, or a column"),
	AS_OPTION(flame_args, depth, 'd', "depth", "N", "levels; 0 = all; default 1000"),
	AS_OPTION(flame_args, width, 'w', "width", "N",
		"pixels, or columns; default: the window, or the terminal"),
	AS_VIEW_OPTIONS(flame_args),
	AS_OPTION_END,
};

struct flame_run {
	struct as_cli *cli;
	struct as_view_run view;
	const struct flame_args *args;
	unsigned format;
	struct as_flame_style how;
};

/* ---- options ---- */

static bool to_stdout(const struct flame_args *args)
{
	return !args->output || strcmp(args->output, "-") == 0;
}

static enum as_exit flame_choose_format(struct flame_run *r)
{
	r->format = r->args->format;
	if (!r->format && to_stdout(r->args))
		r->format =
			r->cli->ses.out_tty && !r->args->chart ? AS_PICTURE_TEXT : AS_PICTURE_SVG;
	return as_answer_picture(r->cli, r->args->output, true, &r->format);
}

static enum as_exit choose_width(struct flame_run *r)
{
	const struct as_num *width = &r->args->width;

	r->how.width = r->format != AS_PICTURE_TEXT                ? AS_FLAME_WIDTH
		       : to_stdout(r->args) && r->cli->style.width ? r->cli->style.width
								   : COLUMNS_DEFAULT;
	r->how.fits = !width->given;
	if (!width->given)
		return AS_EXIT_OK;
	if (width->value > AS_FLAME_WIDTH_MAX ||
		width->value <
			(r->format == AS_PICTURE_TEXT ? AS_FLAME_COLUMNS_MIN : AS_FLAME_WIDTH_MIN))
		return as_say_usage(&r->cli->ses,
			"option '--width': a picture is 200 to 20000 pixels wide",
			"or 10 to 20000 columns: -f text");
	r->how.width = (unsigned)width->value;
	return AS_EXIT_OK;
}

static enum as_exit flame_check_chart(const struct flame_run *r)
{
	const struct flame_args *args = r->args;

	if (args->rows.given && !args->chart)
		return as_say_usage(
			&r->cli->ses, "--rows is of --chart", "the least cost of a box: --min");
	if (args->normalize && !args->diff.n)
		return as_say_usage(
			&r->cli->ses, "--normalize is of --diff", "two profiles: --diff BASE");
	if (args->chart && (args->diff.n || args->bottom_up || args->min))
		return as_say_usage(&r->cli->ses,
			"--diff, --bottom-up and --min do not go with --chart",
			"a part of the time: --from 2s --to 3s");
	if (args->chart && r->format == AS_PICTURE_TEXT)
		return as_say_usage(&r->cli->ses, "a chart is SVG or HTML, not text",
			"in a terminal: assay timeline FILE");
	return AS_EXIT_OK;
}

static enum as_exit flame_take_options(struct flame_run *r)
{
	unsigned color = r->args->color;
	enum as_exit rc = flame_choose_format(r);

	AS_THEN(rc, flame_check_chart(r));
	if (color > COLOR_WORDS)
		as_term_apply(r->cli, color - COLOR_WORDS);
	r->how.icicle = r->args->icicle || r->args->chart;
	r->how.html = r->format == AS_PICTURE_HTML;
	AS_THEN(rc, choose_width(r));
	AS_THEN(rc, as_view_check_min(r->cli, r->args->min));
	return rc == AS_EXIT_OK ? as_answer_check(r->cli, r->args->output, r->args->overwrite) : rc;
}

/* By default by object, or where all are of one, or of none that is known, by function. */
static enum as_code flame_give_colours(const struct flame_run *r, struct as_flame *f)
{
	const struct flame_args *args = r->args;

	if (args->diff.n)
		return as_flame_colours(f, AS_FLAME_BY_CHANGE);
	if (args->color && args->color <= COLOR_WORDS)
		return as_flame_colours(f, (enum as_flame_by)(args->color - 1));
	AS_TRY(as_flame_colours(f, AS_FLAME_BY_OBJECT));
	return f->group.n > 1 ? AS_OK : as_flame_colours(f, AS_FLAME_BY_FUNC);
}

/* What is narrower than a pixel, or a column, is gathered. */
static enum as_exit choose_min(const struct flame_run *r, as_val total, as_val *min)
{
	as_val width = r->how.width;

	as_assert(width > 0);
	*min = (total + width - 1) / width;
	return r->args->min ? as_view_min(r->cli, r->args->min, total, min) : AS_EXIT_OK;
}

/* A recursion without end is not worth a picture of a million pixels. */
static uint32_t levels_of(const struct flame_args *args)
{
	if (!args->depth.given)
		return LEVELS_DEFAULT;
	return args->depth.value > UINT32_MAX ? 0 : (uint32_t)args->depth.value;
}

/* ---- the picture ---- */

static enum as_exit flame_cannot_draw(struct flame_run *r, const struct as_err *err)
{
	if (err->code != AS_E_ARG)
		return as_say_failed(&r->cli->ses, err, NULL);
	return as_say_end(&r->cli->ses, AS_EXIT_UNSUPPORTED, err->msg,
		"two profiles are compared by --diff BASE; the numbers: assay tree FILE");
}

static enum as_exit flame_draw(struct flame_run *r, struct as_flame *f)
{
	struct as_cli *cli = r->cli;
	struct as_answer answer;
	enum as_exit rc;

	AS_DO(as_say_code(&cli->ses, flame_give_colours(r, f), NULL));
	rc = as_answer_begin(&answer, cli, r->args->output, r->args->overwrite);
	if (rc == AS_EXIT_OK && r->format == AS_PICTURE_TEXT) {
		struct as_style style = cli->style;

		style.color &= to_stdout(r->args) || cli->color == AS_COLOR_ALWAYS;
		if (as_flame_text(f, &r->how, answer.out, &style) != AS_OK)
			rc = as_say_no_memory(&cli->ses);
	} else if (rc == AS_EXIT_OK && as_flame_svg(f, &r->how, answer.out) != AS_OK) {
		rc = as_say_no_memory(&cli->ses);
	}
	return as_answer_end(&answer, rc);
}

/* RC and ERR say how F was made, which is drawn and ends. */
static enum as_exit flame_show_made(
	struct flame_run *r, struct as_flame *f, enum as_code rc, const struct as_err *err)
{
	enum as_exit end = rc == AS_OK ? flame_draw(r, f) : flame_cannot_draw(r, err);

	as_flame_release(f);
	return end;
}

static enum as_exit draw_view(
	struct flame_run *r, const struct as_path_source *paths, const struct as_tree_view *view)
{
	struct as_flame_paths of = {.view = view,
		.prof = paths->prof,
		.opts = &r->view.opts,
		.event = r->view.opts.sort_event,
		.depth = levels_of(r->args)};
	struct as_flame f;
	struct as_err err = AS_ERR_NONE;

	return flame_show_made(r, &f, as_flame_of_paths(&f, &of, &err), &err);
}

static enum as_exit show_view(struct flame_run *r, const struct as_path_source *paths,
	struct as_calltree *ct, const struct as_tree_opts *opts)
{
	struct as_tree_view view;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	rc = as_say_code(&r->cli->ses, as_tree_view_make(&view, ct, opts, &err), &err);
	AS_THEN(rc, draw_view(r, paths, &view));
	as_tree_view_release(&view);
	return rc;
}

static enum as_exit show_paths(struct flame_run *r)
{
	struct as_tree_opts opts = {.event = r->view.opts.sort_event,
		.way = r->args->bottom_up ? AS_TREE_BOTTOM_UP : AS_TREE_CALLEES,
		.depth = levels_of(r->args)};
	struct as_calltree ct = {.al = r->cli->ses.al};
	struct as_path_source paths;
	enum as_exit rc = as_view_paths_make(&paths, &r->view, true);

	AS_THEN(rc, choose_min(r, paths.prof->total[opts.event], &opts.min));
	AS_THEN(rc, as_view_calltree(&r->view, &paths, &opts, NULL, &ct));
	AS_THEN(rc, show_view(r, &paths, &ct, &opts));
	as_calltree_release(&ct);
	as_path_source_release(&paths);
	return rc;
}

static enum as_exit show_places(struct flame_run *r)
{
	const struct as_profile *prof = r->view.in.prof;
	struct as_project_opts project = {.by = AS_BY_FUNC, .want_rest = true};
	struct as_flame_places of = {.opts = &r->view.opts, .event = r->view.opts.sort_event};
	struct as_flame f = {.al = r->cli->ses.al};
	struct as_table *table;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(choose_min(r, prof->total[of.event], &of.min));
	if (of.min > 0 && prof->total[of.event] / of.min < SIZE_MAX)
		project.best = (size_t)(prof->total[of.event] / of.min) + 1;
	AS_DO(as_say_code(&r->cli->ses, as_project(prof, &project, &table, &err), &err));
	of.table = table;
	rc = flame_show_made(r, &f, as_flame_of_places(&f, &of, &err), &err);
	as_table_free(table);
	return rc;
}

/* ---- a chart ---- */

static enum as_exit draw_chart(struct flame_run *r, const struct as_chart *c)
{
	struct as_flame f;
	struct as_err err = AS_ERR_NONE;

	return flame_show_made(r, &f, as_flame_of_chart(&f, c, &r->view.opts, &err), &err);
}

static enum as_exit show_chart(struct flame_run *r)
{
	const struct as_profile *prof = r->view.in.prof;
	const struct as_num *rows = &r->args->rows;
	struct as_chart_opts opts = {.event = r->view.opts.sort_event,
		.keep_contexts = r->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
		.strips = rows->given ? rows->value : STRIPS_DEFAULT,
		.depth = levels_of(r->args),
		.pixels = r->how.width,
		.boxes = BOXES_MAX,
		.each = as_unit_of(prof, r->view.opts.sort_event, "ns", 1).each};
	struct as_chart c;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = as_view_wants_moments(&r->view);

	AS_DO(rc);
	rc = as_chart_make(&c, prof, &opts, &err) == AS_OK ? draw_chart(r, &c)
							   : flame_cannot_draw(r, &err);
	as_chart_release(&c);
	return rc;
}

static enum as_exit flame_show(struct flame_run *r)
{
	const struct as_profile *prof = r->view.in.prof;

	if (!r->view.opts.n_events)
		return as_say_end(&r->cli->ses, AS_EXIT_UNSUPPORTED,
			"the profile has no events, so there is nothing to draw",
			"what is in it: assay info FILE");
	if (r->args->chart)
		return show_chart(r);
	if (!prof->call.n && !prof->sample.node.n && prof->self.n)
		return show_places(r);
	AS_DO(as_view_pick_events(&r->view, true));
	return show_paths(r);
}

/* ---- a comparison ---- */

static enum as_exit draw_diff(struct flame_run *r, const struct as_diff_job *j)
{
	struct as_flame_diff of = {.tree = &j->c.tree,
		.sub = &j->c.sub,
		.pixels = r->how.width,
		.depth = levels_of(r->args)};
	struct as_flame f;
	struct as_err err = AS_ERR_NONE;

	return flame_show_made(r, &f, as_flame_of_diff(&f, &of, &err), &err);
}

/* All rows of the tree: what is too small for the picture is gathered there. */
static enum as_exit show_diff(struct flame_run *r)
{
	const struct flame_args *args = r->args;
	struct as_diff_args diff = {.view = 1 + AS_DIFF_TREE,
		.min = "0%",
		.depth = {.given = true, .value = levels_of(args)},
		.normalize = args->normalize,
		.events = args->view.events ? args->view.events : args->view.sort,
		.bottom_up = args->bottom_up,
		.format = AS_DIFF_TEXT};
	struct as_diff_job j = {.cli = r->cli, .args = &diff};
	enum as_exit rc;

	if (args->min || args->view.unit || (args->color && args->color <= COLOR_WORDS))
		return as_say_usage(&r->cli->ses, "--min, --unit and colours do not go with --diff",
			"what differs is shown by colour, and the unit is the comparison's");
	j.side[AS_BASE] = (struct as_files){args->diff.p, args->diff.n};
	j.side[AS_NEW] = r->view.files;
	rc = as_diff_job_make(&j);
	AS_THEN(rc, draw_diff(r, &j));
	as_diff_job_release(&j);
	return rc;
}

static enum as_exit flame_run(struct as_cli *cli, const void *argp)
{
	struct flame_run r = {.cli = cli,
		.args = argp,
		.view = {.cli = cli, .files = as_cli_files(cli), .chosen = true}};
	enum as_exit rc;

	AS_DO(flame_take_options(&r));
	if (r.args->diff.n)
		return show_diff(&r);
	r.view.moments = r.args->chart;
	r.view.refuse = r.args->chart ? as_lacks_moments : NULL;
	rc = as_view_begin(&r.view, &r.args->view, NULL);
	AS_THEN(rc, flame_show(&r));
	as_view_end(&r.view);
	return rc;
}

const struct as_cmd as_cmd_flame = {
	AS_COMMAND(flame, "FILE...", 1, AS_OPERANDS_ANY, flame_run),
	AS_OWN_OPTIONS(flame_opts, flame_args),
	.brief = "a flame graph: SVG, HTML, or drawn in the terminal",
	.about =
		"Boxes are calls, as wide as what they cost, each on the one that called it. "
		"Callgrind's\n"
		"profiles know calls, not whole paths: paths are estimated then, and marked. Click "
		"zooms,\n"
		"'/' searches, '?' lists the keys. Several files are merged first.\n",
	.examples = "assay flame cpu.prof\tin the terminal\n"
		    "assay flame cpu.prof -o flame.svg\ta picture to click in\n"
		    "assay flame callgrind.out.1 -o f.html --icicle\tthe first callers on top\n"
		    "assay flame cpu.prof --bottom-up --focus malloc\twho allocates\n"
		    "assay flame cpu.prof --color self -o f.svg\tred is where the time goes\n"
		    "assay flame perf.data --chart -o f.svg\twhat ran when, in each thread\n"
		    "assay flame new.prof --diff old.prof -o f.svg\torange costs more, blue less",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
