/* SPDX-License-Identifier: Apache-2.0 */
/* assay timeline: when each thread was busy. */
#include "cli/answer.h"
#include "cli/view_cmd.h"
#include "picture/timeline_svg.h"

enum { BUCKETS_DEFAULT = 60, BUCKETS_MAX = 100000, ROWS_DEFAULT = 20 };
enum { BUCKETS_DRAWN = AS_TIMELINE_PIXELS / 4 };

struct timeline_args {
	struct as_view_args view;
	struct as_num rows, buckets;
	const char *output;
	bool overwrite;
};

static const struct as_optdef timeline_opts[] = {
	AS_OPTION(timeline_args, output, 'o', "output", "FILE",
		"draw it, into FILE, .svg; '-' is stdout"),
	AS_OPTION(timeline_args, overwrite, 'y', "overwrite", NULL, "replace an existing FILE"),
	AS_OPTION(timeline_args, buckets, 'b', "buckets", "N",
		"stretches of time of equal length; default 60, of SVG 230"),
	AS_OPTION(
		timeline_args, rows, 'n', "rows", "N", "threads; 0 = all; default 20, of CSV all"),
	AS_VIEW_OPTIONS(timeline_args),
	AS_OPTION_END,
};

static bool timeline_is_drawn(const struct as_cli *cli, const struct timeline_args *args)
{
	return args->output || cli->ses.opt.view.format == AS_FORMAT_SVG;
}

static enum as_exit timeline_draw(const struct as_view_run *r, const struct timeline_args *args,
	const struct as_timeline_report *report)
{
	struct as_answer answer;
	enum as_exit rc = as_answer_begin(&answer, r->cli, args->output, args->overwrite);

	AS_THEN(rc, as_say_code(&r->cli->ses, as_timeline_svg(report, answer.out), NULL));
	return as_answer_end(&answer, rc);
}

static enum as_exit timeline_print(
	const struct as_view_run *r, const struct as_timeline_report *report)
{
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(r->cli, &to));
	return as_say_code(&r->cli->ses, as_timeline_print(report, &to), NULL);
}

static enum as_exit timeline_answer(struct as_view_run *r, const struct timeline_args *args)
{
	bool is_drawn = timeline_is_drawn(r->cli, args);
	uint32_t n = args->buckets.given ? (uint32_t)args->buckets.value
		     : is_drawn          ? BUCKETS_DRAWN
					 : BUCKETS_DEFAULT;
	struct as_timeline t = {0};
	struct as_timeline_report report = {.opts = &r->opts,
		.timeline = &t,
		.limit = as_cli_rows(r->cli, &args->rows, ROWS_DEFAULT)};
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(as_view_wants_moments(r));
	if (as_timeline_make(&t, r->in.prof, r->opts.sort_event, n, &err) != AS_OK)
		rc = as_say_failed(&r->cli->ses, &err, NULL);
	else
		rc = is_drawn ? timeline_draw(r, args, &report) : timeline_print(r, &report);
	as_timeline_release(&t);
	return rc;
}

/* What can be told before anything is read. */
static enum as_exit timeline_check(struct as_cli *cli, const struct timeline_args *args)
{
	unsigned format = cli->ses.opt.view.format;

	if (args->buckets.given && (!args->buckets.value || args->buckets.value > BUCKETS_MAX))
		return as_say_usage(&cli->ses, "--buckets is 1 to 100000", NULL);
	if (timeline_is_drawn(cli, args) && args->buckets.given &&
		args->buckets.value > AS_TIMELINE_PIXELS)
		return as_say_usage(&cli->ses,
			"--buckets of a picture is 1 to 920: no more can be seen",
			"more numbers: -f csv");
	if (!args->output)
		return AS_EXIT_OK;
	if (format && format != AS_FORMAT_SVG)
		return as_say_usage(&cli->ses, "option '-o' is of a picture",
			"numbers go to stdout: -f csv > FILE");
	if (!format && strcmp(args->output, "-") != 0 &&
		!as_slice_ends(as_slice_of(args->output), ".svg"))
		return as_say_usage(&cli->ses, "option '-o': expected a file .svg",
			"or say that it is one: -f svg; numbers go to stdout: -f csv > FILE");
	return as_answer_check(cli, args->output, args->overwrite);
}

static enum as_exit timeline_run(struct as_cli *cli, const void *argp)
{
	const struct timeline_args *args = argp;
	struct as_view_run r = {.cli = cli,
		.files = as_cli_files(cli),
		.moments = true,
		.nameless = true,
		.refuse = as_lacks_moments};
	enum as_exit rc;

	AS_DO(timeline_check(cli, args));
	as_arena_init(&r.in.arena, cli->ses.al);
	rc = as_view_begin(&r, &args->view, NULL);
	AS_THEN(rc, timeline_answer(&r, args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_timeline = {
	AS_COMMAND(timeline, "FILE...", 1, AS_OPERANDS_ANY, timeline_run),
	AS_OWN_OPTIONS(timeline_opts, timeline_args),
	.brief = "when each thread was busy: a line of its cost over time",
	.about = "Of profiles that say when their samples were counted. All lines have one scale.\n"
		 "CSV has a row for each thread and stretch of time; times are nanoseconds after\n"
		 "the beginning. A stretch that looks odd: assay top FILE --from 2.5s --to 4s\n",
	.examples = "assay timeline uftrace.data\twhich thread ran, and when\n"
		    "assay timeline uftrace.data -b 200 -e calls\tfiner, of another event\n"
		    "assay timeline uftrace.data --from 20ms --to 60ms\tof that time alone\n"
		    "assay timeline perf.data -o lanes.svg\ta picture of it\n"
		    "assay timeline uftrace.data -f csv\tfor a spreadsheet",
	.groups = (AS_VIEW_GROUPS & ~AS_GROUP_TABLE) | AS_GROUP_DRAWN,
};
