/* SPDX-License-Identifier: Apache-2.0 */
/* assay stats: how much functions vary over several sets of profiles. */
#include <stdlib.h>

#include "cli/cli.h"
#include "report/diff/diff_report.h"
#include "session/choose.h"
#include "session/compare.h"
#include "session/filtering.h"
#include "session/naming.h"

enum { ROWS_DEFAULT = 20, NORMALIZE_TOTAL = 2 };

struct stats_args {
	unsigned by, normalize, order, format;
	struct as_num rows;
	const char *event, *keep, *min, *factor;
};

static const struct as_optdef stats_opts[] = {
	AS_OPTION(stats_args, by, 'b', "by", "function|file|object", "what a row is"),
	AS_OPTION(stats_args, rows, 'n', "rows", "N", "rows; 0 = all; default 20, of CSV all"),
	AS_OPTION(stats_args, order, 's', "sort", "range|sum|stddev|mean|min|max",
		"order; default range"),
	AS_OPTION(stats_args, event, 'e', "event", "EVENT",
		"of this event; default: the first of the first set"),
	AS_OPTION(stats_args, keep, 'k', "keep", "SHARE",
		"of the rows by sum, just enough to have SHARE of all: 99%"),
	AS_OPTION(stats_args, min, 'm', "min", "SHARE",
		"leave out rows with less than SHARE of all: 0.5%"),
	AS_OPTION(stats_args, normalize, 0, "normalize", "none|total",
		"counts as they are, or every set scaled to the mean total"),
	AS_OPTION(stats_args, factor, 0, "factor", "LIST",
		"multiply the counts of each set: 1,0.5,2"),
	AS_OPTION(
		stats_args, format, 'f', "format", "text|json|csv|markdown", "form of the answer"),
	AS_OPTION_END,
};

struct stats_job {
	struct as_cli *cli;
	const struct stats_args *args;
	struct as_spread_files *set;
	size_t n_sets, n_room;
	struct as_compare c;
	struct as_spread_opts opts;
	double *factor; /* of each set, or NULL */
};

/* ---- what is asked ---- */

/* Every operand is a set, or what stands between two "--". */
static enum as_exit stats_take_sets(struct stats_job *j)
{
	static const char hint[] = "assay stats SET SET..., or assay stats FILE... -- FILE...";
	struct as_cli *cli = j->cli;
	size_t n_dashes = 0, n_stdin = 0, from = 0;

	for (size_t i = 0; i < cli->n_operands; i++) {
		n_dashes += strcmp(cli->operand[i], "--") == 0;
		n_stdin += strcmp(cli->operand[i], "-") == 0;
	}
	if (n_stdin > 1)
		return as_say_usage(&j->cli->ses,
			"'-' stands twice among the inputs: it can be read once only", hint);
	j->n_room = cli->n_operands + 1;
	AS_DO(as_say_memory(&cli->ses, as_alloc_array(cli->ses.al, &j->set, j->n_room)));
	for (size_t i = 0; i <= cli->n_operands; i++) {
		bool end = i == cli->n_operands || strcmp(cli->operand[i], "--") == 0;

		if (n_dashes && end && i == from)
			return as_say_usage(&j->cli->ses,
				"a set has no files: there are two '--' in a row, or "
				"one stands at the end",
				hint);
		if (n_dashes ? !end : i == cli->n_operands)
			continue;
		j->set[j->n_sets++] =
			(struct as_spread_files){cli->operand + from, n_dashes ? i - from : 1};
		from = i + 1;
	}
	if (j->n_sets < 2)
		return as_say_usage(
			&j->cli->ses, "one set does not vary: there must be two or more", hint);
	return AS_EXIT_OK;
}

static enum as_exit stats_share(
	struct stats_job *j, const char *text, const char *what, uint32_t *ppm)
{
	if (text && !as_share_ppm(as_slice_of(text), ppm))
		return as_say_usage(&j->cli->ses, what, "as in 99% or 0.5%");
	return AS_EXIT_OK;
}

/* "1,0.5,2", one for each set. */
static enum as_exit stats_factors(struct stats_job *j)
{
	const char *p = j->args->factor;
	size_t n = 0;
	char *end;

	if (!p)
		return AS_EXIT_OK;
	if (j->args->normalize == NORMALIZE_TOTAL)
		return as_say_usage(&j->cli->ses, "--normalize total finds the factors itself",
			"give --factor or --normalize");
	AS_DO(as_say_memory(&j->cli->ses, as_alloc_array(j->cli->ses.al, &j->factor, j->n_sets)));
	for (; *p && n < j->n_sets; n++) {
		double x = strtod(p, &end);

		if (end == p || (*end && *end != ',') || !(x > 0) || x > 1e9)
			break;
		j->factor[n] = x;
		p = *end ? end + 1 : end;
	}
	if (*p || n != j->n_sets)
		return as_say_usage(&j->cli->ses,
			"option '--factor' takes a positive number for each set",
			"for three sets: --factor 1,0.5,2");
	j->opts.factor = j->factor;
	return AS_EXIT_OK;
}

static enum as_exit stats_check(struct stats_job *j)
{
	const struct stats_args *a = j->args;

	AS_DO(stats_share(j, a->keep, "option '--keep': expected a share", &j->opts.keep_ppm));
	AS_DO(stats_share(j, a->min, "option '--min': expected a share", &j->opts.min_ppm));
	AS_DO(stats_factors(j));
	j->opts.normalize = a->normalize == NORMALIZE_TOTAL;
	j->opts.order = a->order ? (enum as_spread_order)(a->order - 1) : AS_SPREAD_RANGE;
	return AS_EXIT_OK;
}

/* ---- the sets ---- */

static enum as_exit stats_read_set(
	struct stats_job *j, const struct as_spread_files *set, struct as_inputs *in, bool *is_void)
{
	struct as_session *ses = &j->cli->ses;
	struct as_load_opts opts = {
		.detail = j->c.ask.by == AS_BY_FILE ? AS_DETAIL_LINE : AS_DETAIL_FUNC,
		.chosen = true};

	AS_DO(as_inputs_load(ses, (struct as_files){set->path, set->n}, &opts, true, in));
	AS_DO(as_inputs_name(ses, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.view.contexts == AS_CONTEXTS_PATHS));
	return as_inputs_filter_side(ses, in, is_void);
}

static enum as_exit stats_add_set(struct stats_job *j, const struct as_spread_files *set)
{
	struct as_compare_run run = {.side = AS_BASE, .name = as_slice_of(set->path[0])};
	struct as_inputs in;
	struct as_exec exec;
	enum as_exit rc = stats_read_set(j, set, &in, &run.is_void);

	if (rc == AS_EXIT_OK) {
		run.prof = in.prof;
		run.exec = as_session_exec(&j->cli->ses, &exec);
		if (as_compare_add(&j->c, &run) != AS_OK) {
			as_say_failed(&j->cli->ses, &j->c.err, NULL);
			rc = AS_EXIT_INPUT;
		}
	}
	as_inputs_release(&in);
	return rc;
}

static enum as_exit stats_compare(struct stats_job *j)
{
	static const enum as_by by[] = {AS_BY_FUNC, AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT};
	const struct as_session *ses = &j->cli->ses;
	struct as_compare_ask ask = {.kind = AS_DIFF_TABLE,
		.by = by[j->args->by],
		.keep_contexts = ses->opt.view.contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = ses->opt.view.cycles == AS_CYCLES_NO,
		.any_platform = true, /* machines are what one may want to see the variation of */
		.n_runs = (unsigned)j->n_sets};
	struct as_renamer shown;

	as_assert(j->args->by < AS_ARRAY_LEN(by));
	AS_DO(as_say_code(ses, as_compare_begin(&j->c, ses->al, &ask), NULL));
	for (size_t i = 0; i < j->n_sets; i++)
		AS_DO(stats_add_set(j, &j->set[i]));
	if (j->c.n_void == j->n_sets)
		return as_say_end(ses, AS_EXIT_NO,
			"nothing is left: the filters choose no sample of any set",
			"see what there is: assay top FILE, assay info FILE");
	if (as_session_names_how(ses, j->args->format <= 1, &shown) &&
		as_diff_show_names(j->c.d, &shown, &j->c.err) != AS_OK)
		return as_say_failed(ses, &j->c.err, NULL);
	return AS_EXIT_OK;
}

/* ---- the answer ---- */

static enum as_exit stats_can_scale(struct stats_job *j)
{
	size_t set;

	if (!j->opts.normalize || as_spread_can_scale(j->c.d, j->opts.event, &set))
		return AS_EXIT_OK;
	return as_say_endf(&j->cli->ses, AS_EXIT_INPUT, "see what was measured: assay info FILE",
		"set %zu cannot be normalised by total: its total is not above 0", set + 1);
}

static enum as_exit stats_choose_event(struct stats_job *j)
{
	const struct as_session *ses = &j->cli->ses;
	const struct as_diff *d = j->c.d;
	struct as_events of = {.diff = d};

	if (!d->n_events)
		return as_say_end(ses, AS_EXIT_NO, "the first set has no event", NULL);
	if (j->args->event)
		AS_DO(as_session_event(ses, of, j->args->event, &j->opts.event));
	for (size_t i = 0; i < d->run.n; i++)
		if (d->run.p[i].lacks[j->opts.event])
			as_say_note(ses, "set %zu has no event '%.*s': it counts as nothing", i + 1,
				AS_SLICE_FMT(as_events_name(of, j->opts.event)));
	return stats_can_scale(j);
}

static enum as_exit stats_print(struct stats_job *j)
{
	struct as_sheet_to to = {.style = &j->cli->style,
		.form = j->args->format ? (enum as_form)(j->args->format - 1) : AS_FORM_TEXT};
	struct as_spread sp;
	struct as_spread_view v = {.d = j->c.d, .sp = &sp, .opts = &j->opts, .set = j->set};
	enum as_exit rc;

	j->opts.limit = (size_t)(j->args->rows.given      ? j->args->rows.value
				 : to.form == AS_FORM_CSV ? 0
							  : ROWS_DEFAULT);
	rc = as_say_code(&j->cli->ses, as_spread_make(&sp, j->c.d, &j->opts), NULL);
	AS_THEN(rc, as_cli_out(j->cli, &to.out));
	AS_THEN(rc, as_say_code(&j->cli->ses, as_spread_print(&v, &to), NULL));
	as_spread_release(&sp);
	return rc;
}

static enum as_exit stats_run(struct as_cli *cli, const void *args)
{
	struct stats_job j = {.cli = cli, .args = args};
	enum as_exit rc = stats_take_sets(&j);

	AS_THEN(rc, stats_check(&j));
	AS_THEN(rc, stats_compare(&j));
	AS_THEN(rc, stats_choose_event(&j));
	AS_THEN(rc, stats_print(&j));
	as_compare_release(&j.c);
	as_alloc_free(cli->ses.al, j.set, j.n_room * sizeof(*j.set) + 1);
	as_alloc_free(cli->ses.al, j.factor, j.n_sets * sizeof(*j.factor) + 1);
	return rc;
}

const struct as_cmd as_cmd_stats = {
	AS_COMMAND(stats, "SET SET... | FILE... -- FILE... [-- FILE...]...", 2, AS_OPERANDS_ANY,
		stats_run),
	AS_OWN_OPTIONS(stats_opts, stats_args),
	.brief = "how much functions vary over several sets of profiles",
	.about = "A set is a file, or all files between two '--', which are merged. Of each "
		 "function:\n"
		 "the sum over all sets and its share, the mean, the standard deviation (by N - "
		 "1), the\n"
		 "minimum, the maximum, and the range, which is what the maximum is above the "
		 "minimum,\n"
		 "as a share of the sum. Rows are sorted by the range. What a set does not have is "
		 "0\n"
		 "there. The rows and the line of those not shown add up to the total.\n",
	.examples = "assay stats run1.prof run2.prof run3.prof\twhat differs from run to run\n"
		    "assay stats mon/* -- tue/* -- wed/*\tsets of several files\n"
		    "assay stats *.prof --by object --keep 99%\tby image, without the smallest\n"
		    "assay stats a.prof b.prof --normalize total\tof shares, not of counts\n"
		    "assay stats *.prof -e cycles -f csv\tfor programs",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
	.marks = true,
};
