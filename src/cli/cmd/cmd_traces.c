/* SPDX-License-Identifier: Apache-2.0 */
/* assay traces: every distinct call path. */

#include "cli/view_cmd.h"
#include "compat/pprof/pprof_text.h"
#include "report/answers.h"

enum { ROWS_DEFAULT = 20 };

struct traces_args {
	struct as_view_args view;
	struct as_num rows;
	bool estimate;
};

static const struct as_optdef traces_opts[] = {
	AS_OPTION(traces_args, rows, 'n', "rows", "N", "paths; 0 = all; default 20, of CSV all"),
	AS_VIEW_OPTIONS(traces_args),
	AS_OPTION(traces_args, estimate, 0, "estimate-paths", NULL,
		"make call paths out of calls, an estimate"),
	AS_OPTION_END,
};

static enum as_exit traces_show(struct as_view_run *r, const struct traces_args *args,
	const struct as_path_source *paths, const struct as_calltree *ct)
{
	struct as_traces_report report = {.paths = {paths->prof, paths->shape, &r->opts, ct}};
	struct as_sheet_to to;
	uint32_t *node;
	size_t size;
	enum as_exit rc = as_say_code(&r->cli->ses,
		as_calltree_ends(ct, r->opts.sort_event, &node, &report.n, &size), NULL);

	report.node = node;
	report.shown = as_sheet_limit(as_cli_rows(r->cli, &args->rows, ROWS_DEFAULT), report.n);
	AS_THEN(rc, as_cli_sheet(r->cli, &to));
	if (rc == AS_EXIT_OK && to.form == AS_FORM_CSV)
		as_cli_tell_rest(r->cli, report.n - report.shown, "path{|s}", "-n 0");
	AS_THEN(rc, as_say_code(&r->cli->ses, as_traces_print(&report, &to), NULL));
	as_alloc_free(ct->al, node, node ? size : 0);
	return rc;
}

static enum as_exit traces_answer(struct as_view_run *r, const struct traces_args *args)
{
	struct as_calltree_opts opts = {
		.keep_contexts = r->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP};
	struct as_path_source paths;
	struct as_calltree ct;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = as_view_paths_make(&paths, r, false);

	if (rc == AS_EXIT_OK) {
		rc = as_say_code(
			&r->cli->ses, as_calltree_make(&ct, paths.prof, &opts, &err), &err);
		AS_THEN(rc, traces_show(r, args, &paths, &ct));
		as_calltree_release(&ct);
	}
	as_path_source_release(&paths);
	return rc;
}

static bool traces_has_calls(const struct as_profile *prof)
{
	return prof->call.n;
}

/* Paths that are an estimate are made only if that is asked for. */
static enum as_exit wants_paths(struct as_view_run *r, bool estimate)
{
	if (!traces_has_calls(r->in.prof) || estimate)
		return as_view_wants_calls(r);
	return as_say_endf(&r->cli->ses, AS_EXIT_UNSUPPORTED,
		"estimate them with --estimate-paths; who calls a function: assay peek FUNC FILE",
		"%.300s: the profile has calls, not call paths", r->in.file.p[0]);
}

static enum as_exit traces_run(struct as_cli *cli, const void *argp)
{
	const struct traces_args *args = argp;
	struct as_view_run r = {.cli = cli,
		.files = as_cli_files(cli),
		.chosen = true,
		.calls = true,
		.refuse = args->estimate ? NULL : traces_has_calls};
	enum as_exit rc = as_view_begin_pprof(&r, &args->view, NULL, AS_PPROF_TRACES);

	if (rc == AS_EXIT_OK && r.is_pprof) {
		rc = as_pprof_print(cli, r.in.prof, &r.pprof, as_pprof_traces);
		as_view_end(&r);
		return rc;
	}
	AS_THEN(rc, wants_paths(&r, args->estimate));
	AS_THEN(rc, traces_answer(&r, args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_traces = {
	AS_COMMAND(traces, "FILE...", 1, AS_OPERANDS_ANY, traces_run),
	AS_OWN_OPTIONS(traces_opts, traces_args),
	.brief = "every distinct call path with its cost, hottest first",
	.about = "A path is shown from the leaf up, as pprof shows it. Paths through the same "
		 "functions are\n"
		 "one. The rows and the last line, what is not shown, add up to the total. Several "
		 "files are\n"
		 "merged first.\n",
	.examples = "assay traces cpu.prof\tthe twenty hottest paths\n"
		    "assay traces cpu.prof -n 0 -f csv\tall of them, a line each\n"
		    "assay traces callgrind.out.1 --estimate-paths\tout of calls, an estimate\n"
		    "assay traces cpu.prof -f json\tfor programs",
	.groups = AS_VIEW_GROUPS,
};
