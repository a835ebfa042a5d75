/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff: what differs between two profiles, or two sets of runs; and the gate. */
#include "cli/diff/diff_cmd.h"

enum { ROWS_DEFAULT = 20, CONTEXT_DEFAULT = 2 };

static const struct as_optdef diff_opts[] = {
	AS_OPTION(as_diff_args, normalize, 0, "normalize", "none|total|time",
		"counts as they are, scaled to BASE's total, or times what one stands for"),
	AS_OPTION(as_diff_args, view, 0, "view", "top|tree|list|peek",
		"a table (the default), call paths, source, or callers and callees"),
	AS_OPTION(as_diff_args, function, 0, "function", "FUNC",
		"list, peek: of FUNC; default: those with the largest differences"),
	AS_OPTION(as_diff_args, by, 'b', "by", "function|file|object|line", "what a row is"),
	AS_OPTION(as_diff_args, rows, 'n', "rows", "N",
		"rows; 0 = all; default 20, of CSV all; list, peek: functions, default 3"),
	AS_OPTION(as_diff_args, bottom_up, 0, "bottom-up", NULL,
		"--view tree: from where the cost is, up to its callers"),
	AS_OPTION(as_diff_args, depth, 'd', "depth", "N", "tree: levels; 0 = all; default 1000"),
	AS_OPTION(as_diff_args, min, 'm', "min", "SHARE",
		"tree: leave out what less than SHARE of all change is in; default 1%"),
	AS_OPTION(as_diff_args, context, 'C', "context", "N",
		"list: lines around lines with cost; default 2"),
	AS_OPTION(as_diff_args, source_path, 0, "source-path", "DIR",
		"list: look for source files in DIR, too; may be repeated"),
	AS_OPTION(as_diff_args, sort, 's', "sort", "EVENT|inclusive",
		"order: difference of the self cost of EVENT, or of the inclusive cost"),
	AS_OPTION(as_diff_args, events, 'e', "event", "LIST",
		"only these events, in this order: Ir,Dr"),
	AS_OPTION(as_diff_args, drop_negative, 0, "drop-negative", NULL,
		"no rows of what became less; the last line has them"),
	AS_OPTION(as_diff_args, clones, 0, "clones", "fold|keep",
		"f.isra.0, f.part.1 ...: fold into f (the default), or keep"),
	AS_OPTION(as_diff_args, base, 0, "base", "KEY=VALUE[,...]",
		"BASE is what FILE, a database, has of this: epoch=, since=, until=, host="),
	AS_OPTION(as_diff_args, fail_if, 0, "fail-if", "EXPR",
		"exit with 1 if EXPR holds: 'total(Ir) > +1%'; may be repeated"),
	AS_OPTION(as_diff_args, metrics, 0, "metric", "[NAME=]EXPR",
		"what EXPRs of --fail-if may name like an event: miss=100 D1mr/Dr; may be "
		"repeated"),
	AS_OPTION(as_diff_args, on_noise, 0, "on-noise", "pass|trip",
		"a limit within the noise: warn (the default), or trip"),
	AS_OPTION(as_diff_args, format, 'f', "format", "text|json|csv|markdown|junit|annotations",
		"form of the answer; the last two are those of --fail-if"),
	AS_OPTION_END,
};

/* ---- answer ---- */

_Static_assert(AS_DIFF_MARKDOWN == AS_FORM_MARKDOWN + 1, "the words begin with a sheet's forms");

static enum as_form form_of(const struct as_diff_job *j)
{
	return j->args->format ? (enum as_form)(j->args->format - 1) : AS_FORM_TEXT;
}

/* Rows of a tree that --min and --depth left out; text has them summed up. */
static void diff_tell_left_out(const struct as_diff_job *j)
{
	uint64_t n = 0;

	for (size_t i = 0; i < j->c.tree.row.n; i++)
		if (j->c.tree.row.p[i].row == AS_DIFF_REST)
			n += j->c.tree.row.p[i].n;
	if (j->args->format == AS_DIFF_CSV)
		as_cli_tell_below(j->cli, n);
}

static enum as_exit diff_print(struct as_diff_job *j)
{
	struct as_diff_view v = as_compare_view(&j->c);
	struct as_diff_source source = as_diff_sources_open(j);
	struct as_out *out;
	enum as_code rc;

	v.limit = j->args->rows.given              ? j->args->rows.value
		  : j->args->format == AS_DIFF_CSV ? 0
						   : ROWS_DEFAULT;
	v.n_less = j->n_less;
	v.gate = j->result;
	v.n_gates = j->args->fail_if.n;
	v.source = &source;
	v.context = j->args->context.given ? j->args->context.value : CONTEXT_DEFAULT;
	if (v.d->is_estimated && j->args->format == AS_DIFF_CSV)
		as_say_note(&j->cli->ses, "estimated: which way cost took was made out of calls");
	diff_tell_left_out(j);
	AS_DO(as_cli_out(j->cli, &out));
	if (j->args->format == AS_DIFF_JUNIT)
		rc = as_gate_junit(&v, out);
	else if (j->args->format == AS_DIFF_ANNOTATIONS)
		rc = as_gate_annotations(&v, out);
	else
		rc = as_diff_print(&v, &(struct as_sheet_to){form_of(j), out, &j->cli->style});
	return as_say_code(&j->cli->ses, rc, NULL);
}

static enum as_exit diff_run(struct as_cli *cli, const void *args)
{
	struct as_diff_job j = {.cli = cli, .args = args};
	enum as_exit rc = as_diff_take_sides(&j);

	AS_THEN(rc, as_diff_job_make(&j));
	AS_THEN(rc, diff_print(&j));
	AS_THEN(rc, as_diff_verdict(&j));
	as_diff_job_release(&j);
	return rc;
}

const struct as_cmd as_cmd_diff = {
	AS_COMMAND(diff, "BASE NEW | BASE... -- NEW... | FILE --base KEY=VALUE", 1, AS_OPERANDS_ANY,
		diff_run),
	AS_OWN_OPTIONS(diff_opts, as_diff_args),
	.brief = "what differs between two profiles, or two sets of runs; a gate for CI",
	.about = "Rows are sorted by the size of their difference, NEW - BASE. They and the last "
		 "line, what\n"
		 "is not shown, add up to the totals. What may be noise is marked: samples are "
		 "judged by\n"
		 "their counts, several runs on each side by their variance; one run of exact "
		 "counts has\n"
		 "none. --fail-if makes it a gate: exit status 1 if a condition holds, 3 if it "
		 "cannot be\n"
		 "judged.\n",
	.examples = "assay diff old.prof new.prof\twhat became slower or faster\n"
		    "assay diff old*.prof -- new*.prof\tseveral runs on each side\n"
		    "assay diff a.prof b.prof --normalize total\tcompare shares\n"
		    "assay diff base.cg new.cg --fail-if 'total(Ir) > +1%'\ta gate\n"
		    "assay diff base.cg new.cg --drop-negative\tonly what became more\n"
		    "assay diff base.cg new.cg -f markdown\ta table for a review\n"
		    "assay diff db: --base epoch=202611231045\tan epoch of a database, and now\n"
		    "assay diff old.prof new.prof --view tree\twhich call paths it is on",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
	.splits = true,
};
