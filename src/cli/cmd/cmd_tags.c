/* SPDX-License-Identifier: Apache-2.0 */
/* assay tags: the labels of samples and what they cost. */
#include "cli/view_cmd.h"
#include "compat/pprof/pprof_text.h"
#include "report/answers.h"

enum { ROWS_DEFAULT = 20 };

struct tags_args {
	struct as_view_args view;
	struct as_num rows;
};

static const struct as_optdef tags_opts[] = {
	AS_OPTION(tags_args, rows, 'n', "rows", "N",
		"values of each label; 0 = all; default 20, of CSV all"),
	AS_VIEW_OPTIONS(tags_args),
	AS_OPTION_END,
};

static enum as_exit tags_answer(struct as_view_run *r, const struct tags_args *args)
{
	const struct as_label_how how = {.by = AS_BY_VALUE};
	uint64_t limit = as_cli_rows(r->cli, &args->rows, ROWS_DEFAULT);
	struct as_label_table table;
	struct as_sheet_to to;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	rc = as_say_code(&r->cli->ses, as_label_table_make(&table, r->in.prof, &how, &err), &err);
	if (rc == AS_EXIT_OK && !table.row.n)
		as_say_note(&r->cli->ses, "no sample has a label");
	AS_THEN(rc, as_cli_sheet(r->cli, &to));
	AS_THEN(rc, as_say_code(&r->cli->ses, as_tags_print(&table, &r->opts, limit, &to), NULL));
	as_label_table_release(&table);
	return rc;
}

static enum as_exit tags_run(struct as_cli *cli, const void *argp)
{
	const struct tags_args *args = argp;
	struct as_view_run r = {.cli = cli, .files = as_cli_files(cli)};
	enum as_exit rc = as_view_begin_pprof(&r, &args->view, NULL, AS_PPROF_TAGS);

	AS_THEN(rc, r.is_pprof ? as_pprof_print(cli, r.in.prof, &r.pprof, as_pprof_tags)
			       : tags_answer(&r, args));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_tags = {
	AS_COMMAND(tags, "FILE...", 1, AS_OPERANDS_ANY, tags_run),
	AS_OWN_OPTIONS(tags_opts, tags_args),
	.brief = "the labels of samples: their values, what they cost",
	.about =
		"The values of a label, those not shown and [none], what has no such label, add up "
		"to "
		"the\n"
		"total. A sample with several values of one label counts for all of them together. "
		"Several\n"
		"files are merged first.\n",
	.examples =
		"assay tags cpu.pb.gz\tall labels, the most expensive value first\n"
		"assay tags heap.pb.gz -n 0 -e inuse_space\tall values, of one event\n"
		"assay tags cpu.pb.gz --tagfocus thread=worker\tof the samples with that label\n"
		"assay tags cpu.pb.gz -f json\tfor programs",
	.groups = AS_VIEW_GROUPS,
};
