/* SPDX-License-Identifier: Apache-2.0 */
/* assay cycles: what calls itself, directly or round a circle. */
#include "cli/excess.h"
#include "cli/view_cmd.h"
#include "report/answers.h"

enum { ROWS_DEFAULT = 20 };

struct cycles_args {
	struct as_view_args view;
	struct as_num rows;
};

static const struct as_optdef cycles_opts[] = {
	AS_OPTION(cycles_args, rows, 'n', "rows", "N", "cycles; 0 = all; default 20, of CSV all"),
	AS_VIEW_OPTIONS(cycles_args),
	AS_OPTION_END,
};

static enum as_exit cycles_show(
	struct as_view_run *r, const struct cycles_args *args, const struct as_cycles *c)
{
	uint64_t limit = as_cli_rows(r->cli, &args->rows, ROWS_DEFAULT);
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(r->cli, &to));
	return as_say_code(&r->cli->ses, as_cycles_print(c, &r->opts, limit, &to), NULL);
}

static enum as_exit cycles_answer(struct as_view_run *r, const struct cycles_args *args)
{
	bool keep = r->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP;
	struct as_project_opts project = {
		.by = AS_BY_FUNC, .keep_contexts = keep, .want_edges = true};
	struct as_cycles_opts opts = {.event = r->opts.sort_event, .keep_contexts = keep};
	struct as_table *table;
	struct as_cycles c;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(as_say_code(&r->cli->ses, as_project(r->in.prof, &project, &table, &err), &err));
	as_view_warn_of_excess(r, table);
	rc = as_say_code(&r->cli->ses, as_cycles_make(&c, table, &opts, &err), &err);
	AS_THEN(rc, cycles_show(r, args, &c));
	as_cycles_release(&c);
	as_table_free(table);
	return rc;
}

static enum as_exit cycles_run(struct as_cli *cli, const void *argp)
{
	const struct cycles_args *args = argp;
	struct as_view_run r = {
		.cli = cli, .files = as_cli_files(cli), .chosen = true, .calls = true};
	enum as_exit rc = as_view_begin(&r, &args->view, NULL);

	AS_THEN(rc, as_view_wants_calls(&r));
	AS_THEN(rc, cycles_answer(&r, args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_cycles = {
	AS_COMMAND(cycles, "FILE...", 1, AS_OPERANDS_ANY, cycles_run),
	AS_OWN_OPTIONS(cycles_opts, cycles_args),
	.brief = "functions that call themselves, directly or round a circle, and their true cost",
	.about = "The cost of a cycle is that of all its members, and of what they call outside: "
		 "what comes\n"
		 "in from outside, counted once. Several files are merged first.\n",
	.examples = "assay cycles callgrind.out.1234\twhat is recursive\n"
		    "assay cycles cpu.prof -n 0\tall cycles\n"
		    "assay cycles FILE -f json\tfor programs",
	.groups = AS_VIEW_GROUPS,
};
