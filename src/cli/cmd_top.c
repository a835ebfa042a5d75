/* SPDX-License-Identifier: Apache-2.0 */
/* assay top: the table of what is hot. */
#include "cli/cmd_top.h"

#include "cli/load.h"
#include "report/parts.h"
#include "report/top.h"
#include "report/unit.h"

enum {
	ROWS_DEFAULT = 20,
	MANY_CALLS = 1 << 16, /* fewer take less time than making a thread for them */
};

/* What `lines`, `files` and `objects` have, too. */
#define COMMON_OPTIONS                                                                           \
	AS_OPTION(as_top_args, rows, AS_OPT_NUM, 'n', "rows", "N", "rows; 0 = all; default 20"), \
		AS_OPTION(as_top_args, sort, AS_OPT_STR, 's', "sort", "EVENT|inclusive|METRIC",  \
			"order: self cost of EVENT, inclusive cost, or a metric"),               \
		AS_OPTION(as_top_args, cumulative, AS_OPT_FLAG, 0, "cumulative", NULL,           \
			"order by inclusive cost, and metrics of it"),                           \
		AS_OPTION(as_top_args, metrics, AS_OPT_LIST, 'm', "metric", "[NAME=]EXPR",       \
			"a column more: miss=D1mr/Dr, CEst; may be repeated"),                   \
		AS_OPTION(as_top_args, unit, AS_OPT_STR, 'u', "unit", "UNIT",                    \
			"of costs: auto, time, s, ms, us, ns, bytes, MiB ...; default count"),   \
		AS_OPTION(as_top_args, events, AS_OPT_STR, 'e', "event", "LIST",                 \
			"only these events, in this order: Ir,Dr"),                              \
		AS_OPTION_END

static const struct as_optdef top_opts[] = {
	AS_OPTION(as_top_args, by, AS_OPT_WORD, 'b', "by",
		"function|file|object|line|address|part|thread", "what a row is"),
	COMMON_OPTIONS,
};

const struct as_optdef as_top_by_opts[] = {COMMON_OPTIONS};

/* "EVENT", "inclusive" or "inclusive:EVENT". */
static enum as_exit choose_order(struct as_cli *cli, const struct as_profile *prof,
	const char *sort, struct as_top_opts *opts)
{
	if (!sort || strcmp(sort, "self") == 0)
		return AS_EXIT_OK;
	opts->sort_inclusive =
		strcmp(sort, "inclusive") == 0 || as_slice_starts(as_slice_of(sort), "inclusive:");
	if (opts->sort_inclusive && !sort[strlen("inclusive")])
		return AS_EXIT_OK;
	if (opts->sort_inclusive)
		sort += strlen("inclusive:");
	return as_cli_event(cli, prof, sort, &opts->sort_event);
}

/* Those that were asked for, in OPTS; and which of them SORT names. */
static enum as_exit find_metrics(struct as_cli *cli, const struct as_profile *prof,
	const struct as_top_args *args, struct as_metric *metric, struct as_top_opts *opts)
{
	struct as_err err;

	as_err_clear(&err);
	opts->metric = metric;
	opts->metric_incl = args->cumulative;
	for (size_t i = 0; i < args->metrics.n; i++) {
		enum as_code rc = as_metric_parse(prof, cli->al, as_slice_of(args->metrics.p[i]),
			&metric[opts->n_metrics++], &err);

		if (rc == AS_E_ARG) {
			as_cli_error(
				cli, err.msg, "an expression of events: 100 D1mr/Dr, percent(Ir)");
			return AS_EXIT_USAGE;
		}
		if (rc != AS_OK)
			return as_cli_fail(cli, &err, NULL);
		if (args->sort && as_slice_is(metric[i].name, args->sort))
			opts->sort_metric = (uint32_t)i + 1;
	}
	return AS_EXIT_OK;
}

static enum as_exit print(struct as_cli *cli, struct as_top *top)
{
	struct as_out *out;

	if (as_cli_out(cli, &out) != AS_OK)
		return as_cli_no_memory(cli);
	if (cli->opt.format == AS_FORMAT_JSON)
		as_top_json(top, out);
	else if (cli->opt.format == AS_FORMAT_CSV)
		as_top_csv(top, out);
	else if (as_top_text(top, out, &cli->style) != AS_OK ||
		 as_top_cycles_text(top, out, &cli->style) != AS_OK)
		return as_cli_no_memory(cli);
	return AS_EXIT_OK;
}

static enum as_exit print_parts(struct as_cli *cli, const struct as_parts *parts)
{
	struct as_out *out;

	if (as_cli_out(cli, &out) != AS_OK)
		return as_cli_no_memory(cli);
	if (cli->opt.format == AS_FORMAT_JSON)
		as_parts_json(parts, out);
	else if (cli->opt.format == AS_FORMAT_CSV)
		as_parts_csv(parts, out);
	else if (as_parts_text(parts, out, &cli->style) != AS_OK)
		return as_cli_no_memory(cli);
	return AS_EXIT_OK;
}

/* By part or thread: inclusive cost is the same as self cost. */
static enum as_exit show_parts(
	struct as_cli *cli, const struct as_inputs *in, const struct as_top_opts *top, bool threads)
{
	struct as_parts_opts opts = {.threads = threads,
		.event = top->event,
		.n_events = top->n_events,
		.sort_event = top->sort_event,
		.metric = top->metric,
		.n_metrics = top->n_metrics,
		.unit = top->unit,
		.limit = top->limit,
		.files = in->file.p,
		.n_files = in->file.n};
	struct as_parts parts;
	enum as_exit rc;
	struct as_err err;

	as_err_clear(&err);
	if (as_parts_make(&parts, in->prof, &opts, &err) == AS_OK)
		rc = print_parts(cli, &parts);
	else
		rc = as_cli_fail(cli, &err, NULL);
	as_parts_release(&parts);
	return rc;
}

static enum as_exit show_top(
	struct as_cli *cli, const struct as_profile *prof, const struct as_top_opts *opts)
{
	struct as_top top;
	struct as_err err;
	enum as_exit rc;

	as_err_clear(&err);
	if (as_top_make(&top, prof, opts, &err) == AS_OK)
		rc = print(cli, &top);
	else
		rc = as_cli_fail(cli, &err, NULL);
	as_top_release(&top);
	return rc;
}

/* The events, order and metrics that were asked for. EVENT and METRIC have room for all of them. */
static enum as_exit choose(struct as_cli *cli, const struct as_profile *prof,
	const struct as_top_args *args, uint32_t *event, struct as_top_opts *opts)
{
	enum as_exit rc = as_cli_events(cli, prof, args->events, event, &opts->n_events);

	opts->event = event;
	opts->sort_event = opts->n_events ? event[0] : 0;
	for (uint32_t i = 0; !args->events && i < as_n_events(prof); i++)
		event[opts->n_events++] = i;
	if (rc == AS_EXIT_OK && !opts->sort_metric)
		rc = choose_order(cli, prof, args->sort, opts);
	opts->sort_inclusive |= args->cumulative;
	return rc;
}

static enum as_exit show(
	struct as_cli *cli, const struct as_top_args *args, unsigned by, struct as_inputs *in)
{
	const struct as_profile *prof = in->prof;
	size_t size = (as_n_events(prof) + 1) * sizeof(uint32_t);
	uint32_t *event = as_alloc_new(cli->al, size);
	struct as_top_opts opts = {
		.project = {.by = by <= AS_BY_ADDR ? (enum as_by)by : AS_BY_FUNC,
			.keep_contexts = cli->opt.contexts >= AS_CONTEXTS_KEEP,
			.no_cycles = cli->opt.cycles == AS_CYCLES_NO},
		.unit = args->unit,
		.limit = args->rows.given ? args->rows.value : ROWS_DEFAULT,
		.files = in->file.p,
		.n_files = in->file.n,
	};
	struct as_metric metric[AS_LIST_MAX];
	struct as_exec exec;
	enum as_exit rc;

	if (!event)
		return as_cli_no_memory(cli);
	if (prof->call.n >= MANY_CALLS)
		opts.project.exec = as_cli_exec(cli, &exec);
	rc = find_metrics(cli, prof, args, metric, &opts);
	if (rc == AS_EXIT_OK)
		rc = choose(cli, prof, args, event, &opts);
	if (rc == AS_EXIT_OK)
		rc = by > AS_BY_ADDR ? show_parts(cli, in, &opts, by == AS_TOP_BY_THREAD)
				     : show_top(cli, prof, &opts);
	for (uint32_t k = 0; k < opts.n_metrics; k++)
		as_metric_release(&metric[k]);
	as_alloc_free(cli->al, event, size);
	return rc;
}

enum as_exit as_top_run(struct as_cli *cli, const struct as_top_args *args, unsigned by)
{
	static const enum as_detail detail[] = {[AS_BY_FUNC] = AS_DETAIL_FUNC,
		[AS_BY_FILE] = AS_DETAIL_LINE,
		[AS_BY_OBJECT] = AS_DETAIL_FUNC,
		[AS_BY_LINE] = AS_DETAIL_LINE,
		[AS_BY_ADDR] = AS_DETAIL_FULL,
		[AS_TOP_BY_PART] = AS_DETAIL_FUNC,
		[AS_TOP_BY_THREAD] = AS_DETAIL_FUNC};
	struct as_load_opts opts = {.detail = detail[by]};
	struct as_top_pprof tp;
	struct as_inputs in;
	enum as_exit rc = as_top_pprof_begin(cli, args, by, &tp);

	if (rc != AS_EXIT_OK)
		return rc;
	if (tp.asked)
		opts.detail = as_pprof_detail(&tp.opts, opts.detail);
	if (args->unit && !tp.asked && !as_unit_is_known(args->unit)) {
		as_cli_error(cli, "option '--unit' names no unit that is known",
			"count, auto, time, s, ms, us, ns, min, h, bytes, B, KiB, MiB, GiB");
		return AS_EXIT_USAGE;
	}
	rc = as_inputs_load(cli, &opts, true, &in);

	if (rc == AS_EXIT_OK)
		rc = as_inputs_view(cli, &in);
	if (rc == AS_EXIT_OK)
		rc = tp.asked && as_pprof_fits(in.prof) ? as_top_as_pprof(cli, in.prof, &tp.opts)
							: show(cli, args, by, &in);
	as_inputs_release(&in);
	return rc;
}

static enum as_exit top_run(struct as_cli *cli, const void *argp)
{
	const struct as_top_args *args = argp;

	return as_top_run(cli, args, args->by ? args->by - 1 : AS_BY_FUNC);
}

const struct as_cmd as_cmd_top = {
	.name = "top",
	.args = "FILE...",
	.brief = "what is hot: a table by function, file, object, line or address",
	.about = "Rows are sorted by self cost. The rows and the last line, what is not shown, add "
		 "up\n"
		 "to the profile's total. Several files are merged first.\n",
	.examples = "assay top callgrind.out.1234\ttwenty hottest functions\n"
		    "assay top cpu.prof --sort inclusive\twith all that they call\n"
		    "assay top FILE --by line -n 0\tevery line\n"
		    "assay top FILE -e Ir,D1mr -s D1mr\tby cache misses\n"
		    "assay top FILE -m miss=D1mr/Dr -s miss\tby the share of misses\n"
		    "assay top a.prof b.prof -f json\ttwo profiles as one, for programs",
	.groups = AS_TOP_GROUPS | AS_GROUP_PPROF,
	.min = 1,
	.max = AS_OPERANDS_ANY,
	.opts = top_opts,
	.args_size = sizeof(struct as_top_args),
	.run = top_run,
};
