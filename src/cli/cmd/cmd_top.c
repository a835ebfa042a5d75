/* SPDX-License-Identifier: Apache-2.0 */
/* assay top: the table of what is hot. */
#include "cli/cmd/cmd_top.h"

#include "base/duration.h"
#include "cli/excess.h"
#include "compat/pprof/pprof_text.h"
#include "model/whose.h"
#include "report/answers.h"
#include "report/kit/unit.h"
#include "report/parts.h"
#include "report/top.h"
#include "session/begin.h"
#include "session/filtering.h"
#include "session/list/list.h"
#include "session/load.h"

/* What a row is: an enum as_by, or one of these. */
enum { BY_PART = AS_BY_FILEFUNC + 1, BY_THREAD, BY_PROCESS, BY_LABEL };

#define WIDER "wider columns: --over 1h"

enum {
	WORD_UNIT = 10, /* among those of --by */
	WORD_STATE,
	ROWS_DEFAULT = 20,
	MANY_CALLS = 1 << 16, /* fewer take less time than making a thread for them */
};

/* What `lines`, `files` and `objects` have, too. */
#define COMMON_OPTIONS                                                                           \
	AS_OPTION(as_top_args, rows, 'n', "rows", "N", "rows; 0 = all; default 20, of CSV all"), \
		AS_OPTION(as_top_args, sort, 's', "sort", "EVENT|inclusive|METRIC",              \
			"order: self cost of EVENT, inclusive cost, or a metric"),               \
		AS_OPTION(as_top_args, cumulative, 0, "cumulative", NULL,                        \
			"order by inclusive cost, and metrics of it"),                           \
		AS_OPTION(as_top_args, metrics, 'm', "metric", "[NAME=]EXPR",                    \
			"a column more: miss=D1mr/Dr, CEst; may be repeated"),                   \
		AS_OPTION(as_top_args, unit, 'u', "unit", "UNIT",                                \
			"of costs: auto, time, s, ms, us, ns, bytes, MiB ...; default count"),   \
		AS_OPTION(as_top_args, events, 'e', "event", "LIST",                             \
			"only these events, in this order: Ir,Dr"),                              \
		AS_OPTION(as_top_args, over, 0, "over", "TIME",                                  \
			"a column for each stretch of time of one event: 5m, 250ms, 1d"),        \
		AS_OPTION_END

static const struct as_optdef top_opts[] = {
	AS_OPTION(as_top_args, by, 'b', "by",
		"function|filefunction|file|object|line|address|part|thread|process|unit|state|"
		"label|"
		"label:KEY",
		"what a row is"),
	COMMON_OPTIONS,
};

const struct as_optdef as_top_by_opts[] = {COMMON_OPTIONS};

/* Those that were asked for, in OPTS; and which of them SORT names. */
static enum as_exit find_metrics(struct as_cli *cli, const struct as_profile *prof,
	const struct as_top_args *args, struct as_metric *metric, struct as_top_opts *opts)
{
	struct as_err err = AS_ERR_NONE;

	opts->metric = metric;
	opts->metric_incl = args->cumulative;
	for (size_t i = 0; i < args->metrics.n; i++) {
		enum as_code rc = as_metric_parse(prof, cli->ses.al,
			as_slice_of(args->metrics.p[i]), &metric[opts->n_metrics++], &err);

		if (rc == AS_E_ARG)
			return as_say_usage(&cli->ses, err.msg,
				"an expression of events: 100 D1mr/Dr, percent(Ir)");
		AS_DO(as_say_code(&cli->ses, rc, &err));
		if (args->sort && as_slice_is(metric[i].name, args->sort))
			opts->sort_metric = (uint32_t)i + 1;
	}
	return AS_EXIT_OK;
}

static enum as_exit top_print(struct as_cli *cli, struct as_top *top)
{
	struct as_sheet_to to;
	enum as_code rc;

	AS_DO(as_cli_sheet(cli, &to));
	if (to.form == AS_FORM_CSV)
		as_cli_tell_rest(cli, top->n_rest, "row{|s}", "-n 0");
	rc = as_top_print(top, &to);
	if (rc == AS_OK && to.form == AS_FORM_TEXT)
		rc = as_top_cycles_text(top, &to);
	return as_say_code(&cli->ses, rc, NULL);
}

static enum as_exit print_parts(struct as_cli *cli, const struct as_parts *parts)
{
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(cli, &to));
	if (to.form == AS_FORM_CSV)
		as_cli_tell_rest(cli, parts->n_all - parts->n_rows, "row{|s}", "-n 0");
	return as_say_code(&cli->ses, as_parts_print(parts, &to), NULL);
}

/* No sample has a label of that key: name some of those that there are. */
static enum as_exit no_label(struct as_cli *cli, const struct as_profile *prof, const char *key)
{
	char hint[256] = "the samples of this profile have no labels";
	as_str seen[8];
	size_t n_seen = 0, n = 0;

	for (size_t i = 0; i < prof->label.n && n_seen < AS_ARRAY_LEN(seen); i++) {
		struct as_slice name = as_str_get(prof, prof->label.p[i].key);
		bool known = prof->label.p[i].opaque;

		for (size_t k = 0; k < n_seen && !known; k++)
			known = seen[k].i == prof->label.p[i].key.i;
		if (known || n + name.len + 16 > sizeof(hint))
			continue;
		seen[n_seen++] = prof->label.p[i].key;
		n += (size_t)snprintf(hint + n, sizeof(hint) - n, "%s%.*s",
			n ? ", " : "there are: ", AS_SLICE_FMT(name));
	}
	return as_say_endf(&cli->ses, AS_EXIT_NO, hint, "no sample has a label '%.200s'", key);
}

static bool has_label(const struct as_profile *prof, const char *key)
{
	for (size_t i = 0; i < prof->label.n; i++)
		if (!prof->label.p[i].opaque &&
			as_slice_is(as_str_get(prof, prof->label.p[i].key), key))
			return true;
	return false;
}

static bool has_process(const struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++) {
		struct as_whose w = as_part_whose(prof, i);

		if (w.has_pid || w.process.len)
			return true;
	}
	return false;
}

/* By part, thread, process or label: inclusive cost is the same as self cost. */
static enum as_exit show_parts(struct as_cli *cli, const struct as_inputs *in,
	const struct as_top_opts *opts, struct as_label_how how, uint64_t width)
{
	struct as_over over = {0};
	struct as_parts parts;
	enum as_exit rc;
	struct as_err err = AS_ERR_NONE;

	if (how.key.p && !has_label(in->prof, how.key.p))
		return no_label(cli, in->prof, how.key.p);
	if (how.by == AS_BY_PROCESS && !has_process(in->prof))
		return as_say_end(&cli->ses, AS_EXIT_NO, "no sample says which process it is of",
			"what there is: assay tags FILE");
	if (as_parts_make(&parts, in->prof, &how, opts, &err) == AS_OK &&
		(!width ||
			as_parts_over(&parts, width, as_begin_is_clock(in), &over, &err) == AS_OK))
		rc = print_parts(cli, &parts);
	else
		rc = as_say_failed(&cli->ses, &err, WIDER);
	as_over_release(&over);
	as_parts_release(&parts);
	return rc;
}

static enum as_exit show_top(struct as_cli *cli, const struct as_inputs *in,
	const struct as_top_opts *opts, uint64_t width)
{
	struct as_over over = {0};
	struct as_top top;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	if (as_top_make(&top, in->prof, opts, &err) == AS_OK &&
		(!width || as_top_over(&top, width, as_begin_is_clock(in), &over, &err) == AS_OK)) {
		as_cli_warn_of_excess(cli, &(struct as_excess){.table = top.table,
						   .row = top.row,
						   .n = top.n_rows,
						   .event = top.view.event,
						   .n_events = top.view.n_events,
						   .no_cycles = opts->project.no_cycles,
						   .files = opts->view.files,
						   .n_files = opts->view.n_files});
		rc = opts->project.by == AS_BY_ADDR ? as_sites_find(&cli->ses, in, &top)
						    : AS_EXIT_OK;
		AS_THEN(rc, top_print(cli, &top));
	} else {
		rc = as_say_failed(&cli->ses, &err, WIDER);
	}
	as_over_release(&over);
	as_top_release(&top);
	return rc;
}

/* The events, order and metrics that were asked for. EVENT and METRIC have room for all of them. */
static enum as_exit top_choose(struct as_cli *cli, const struct as_profile *prof,
	const struct as_top_args *args, uint32_t *event, struct as_top_opts *opts)
{
	enum as_exit rc = as_session_events(
		&cli->ses, as_events_of(prof), args->events, event, &opts->view.n_events);

	opts->view.event = event;
	opts->view.sort_event = opts->view.n_events ? event[0] : 0;
	for (uint32_t i = 0; !args->events && i < as_n_events(prof); i++)
		event[opts->view.n_events++] = i;
	if (rc == AS_EXIT_OK && !opts->sort_metric) {
		const char *sort = as_cli_order(args->sort, &opts->sort_inclusive);

		if (sort)
			rc = as_session_event(
				&cli->ses, as_events_of(prof), sort, &opts->view.sort_event);
	}
	opts->sort_inclusive |= args->cumulative;
	return rc;
}

/* To people: what scripts read stays as it is. */
static void tell_off(struct as_cli *cli, const struct as_profile *prof)
{
	uint64_t n;
	unsigned points = cli->ses.out_tty ? as_screen_off(prof, &n) : 0;

	if (points)
		as_say_note(&cli->ses,
			"few samples: a share may be off by some %u point%s; record longer", points,
			points == 1 ? "" : "s");
}

/* What was asked for, and this profile cannot do. */
static void tell_what_cannot_be(
	struct as_cli *cli, const struct as_profile *prof, const struct as_top_opts *opts)
{
	bool told = !as_cli_wants_unit(cli, opts->unit) || !opts->view.n_events;

	for (uint32_t i = 0; i < opts->view.n_events && !told; i++)
		told = as_unit_of(prof, opts->view.event[i], opts->unit, 0).each != 0;
	if (!told)
		as_say_note(&cli->ses, "--unit %s: none of the events shown can be told in it",
			opts->unit);
	if (opts->sort_inclusive && !prof->call.n && !prof->sample.node.n && !prof->sums.func.n)
		as_say_note(&cli->ses, "the profile does not tell who called whom, so there are no "
				       "inclusive costs: rows are sorted by self cost");
}

static struct as_label_how parts_of(unsigned by, const struct as_top_args *args)
{
	static const enum as_label_by parts[] = {
		AS_BY_PART, AS_BY_THREAD, AS_BY_PROCESS, AS_BY_LABEL};
	struct as_label_how how = {.by = parts[by - BY_PART]};

	as_assert(by - BY_PART < AS_ARRAY_LEN(parts));
	if (args->by.key)
		how.key = as_slice_of(args->by.key);
	else if (args->by.word == WORD_UNIT)
		how.key = as_slice_of("unit");
	else if (args->by.word == WORD_STATE)
		how.key = as_slice_of(AS_STATE);
	return how;
}

/* What there is over time is of one event, the one that rows are sorted by. */
static enum as_exit top_over(struct as_cli *cli, const struct as_inputs *in, uint64_t *width,
	uint32_t *event, struct as_top_opts *opts)
{
	if (!*width)
		return AS_EXIT_OK;
	AS_DO(as_begin_tell(&cli->ses, in, width));
	AS_DO(as_inputs_want_moments(&cli->ses, in));
	event[0] = opts->view.sort_event;
	opts->view.n_events = 1;
	opts->project.want_places = true;
	return AS_EXIT_OK;
}

static enum as_exit top_show(struct as_cli *cli, const struct as_top_args *args, unsigned by,
	uint64_t width, struct as_inputs *in)
{
	const struct as_profile *prof = in->prof;
	size_t size = (as_n_events(prof) + 1) * sizeof(uint32_t);
	uint32_t *event = as_alloc_new(cli->ses.al, size);
	struct as_top_opts opts = {
		.project = {.by = by < BY_PART ? (enum as_by)by : AS_BY_FUNC,
			.keep_contexts = cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
			.no_cycles = cli->ses.opt.view.cycles == AS_CYCLES_NO},
		.unit = args->unit,
		.limit = as_cli_rows(cli, &args->rows, ROWS_DEFAULT),
		.view = {.files = in->file.p, .n_files = in->file.n},
	};
	struct as_metric metric[AS_LIST_MAX];
	struct as_exec exec;
	enum as_exit rc;

	AS_DO(as_say_memory(&cli->ses, event));
	if (prof->call.n >= MANY_CALLS)
		opts.project.exec = as_session_exec(&cli->ses, &exec);
	rc = find_metrics(cli, prof, args, metric, &opts);
	AS_THEN(rc, top_choose(cli, prof, args, event, &opts));
	if (rc == AS_EXIT_OK) {
		tell_what_cannot_be(cli, prof, &opts);
		tell_off(cli, prof);
	}
	AS_THEN(rc, top_over(cli, in, &width, event, &opts));
	AS_THEN(rc, by >= BY_PART ? show_parts(cli, in, &opts, parts_of(by, args), width)
				  : show_top(cli, in, &opts, width));
	for (uint32_t k = 0; k < opts.n_metrics; k++)
		as_metric_release(&metric[k]);
	as_alloc_free(cli->ses.al, event, size);
	return rc;
}

/* ---- --compat=pprof: the text that pprof -text prints ---- */

struct top_pprof {
	bool asked; /* the answer is pprof's text, if the profile fits */
	struct as_pprof_opts opts;
};

/* pprof has no rows by object, part or thread. */
static bool top_pprof_has(unsigned by)
{
	return by == AS_BY_FUNC || by == AS_BY_FILEFUNC || by == AS_BY_FILE || by == AS_BY_LINE ||
	       by == AS_BY_ADDR;
}

/* Before anything is read. */
static void top_pprof_begin(
	struct as_cli *cli, const struct as_top_args *args, unsigned by, struct top_pprof *tp)
{
	static const enum as_pg_by granularity[] = {[AS_BY_FUNC] = AS_PG_FUNCS,
		[AS_BY_FILE] = AS_PG_FILES,
		[AS_BY_LINE] = AS_PG_LINES,
		[AS_BY_ADDR] = AS_PG_ADDRS,
		[AS_BY_FILEFUNC] = AS_PG_FILEFUNCS};
	const char *sort = args->sort;

	tp->asked = as_pprof_is_asked(cli) && top_pprof_has(by);
	if (!tp->asked)
		return;
	as_pprof_options(cli, AS_PPROF_TEXT, &tp->opts);
	tp->opts.by = granularity[by];
	if (args->rows.given) {
		tp->opts.has_node_count = true;
		tp->opts.node_count = args->rows.value;
	}
	if (args->cumulative || (sort && as_slice_starts(as_slice_of(sort), "inclusive")))
		tp->opts.by_cum = true;
	else if (sort && strcmp(sort, "self") != 0)
		tp->opts.sample_index = sort;
	if (args->events)
		tp->opts.sample_index = args->events;
	if (args->unit)
		tp->opts.unit = cli->ses.tag_unit = args->unit;
}

static enum as_exit top_as_pprof(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts)
{
	AS_DO(as_pprof_choose(cli, prof, opts));
	return as_pprof_print(cli, prof, opts, as_pprof_text);
}

/* ---- the command ---- */

/* Nothing but the table of functions is made of one profile, so its paths need not be kept. */
static bool sums_will_do(const struct as_cli *cli, unsigned by)
{
	const struct as_asked *opt = &cli->ses.opt;

	return by == AS_BY_FUNC && cli->n_operands == 1 && !opt->read.all_parts &&
	       !opt->read.compat && opt->view.contexts != AS_CONTEXTS_PATHS;
}

/* Of --over; 0: it was not given. */
static enum as_exit top_width(struct as_cli *cli, const struct as_top_args *args,
	const struct top_pprof *tp, uint64_t *width)
{
	int64_t ns = 0;

	*width = 0;
	if (!args->over)
		return AS_EXIT_OK;
	if (!as_duration_ns(as_slice_of(args->over), &ns) || !ns)
		return as_say_usage(&cli->ses, "option '--over': expected a time",
			"as in --over 5m, --over 250ms");
	if (args->metrics.n || tp->asked)
		return as_say_usage(&cli->ses,
			tp->asked ? "pprof has no table over time" : "--over takes no --metric",
			NULL);
	*width = (uint64_t)ns;
	return AS_EXIT_OK;
}

enum as_exit as_top_run(struct as_cli *cli, const struct as_top_args *args, unsigned by)
{
	static const enum as_detail detail[] = {[AS_BY_FUNC] = AS_DETAIL_FUNC,
		[AS_BY_FILE] = AS_DETAIL_FILE,
		[AS_BY_OBJECT] = AS_DETAIL_FUNC,
		[AS_BY_LINE] = AS_DETAIL_LINE,
		[AS_BY_ADDR] = AS_DETAIL_FULL,
		[AS_BY_FILEFUNC] = AS_DETAIL_FILE,
		[BY_PART] = AS_DETAIL_FUNC,
		[BY_THREAD] = AS_DETAIL_FUNC,
		[BY_PROCESS] = AS_DETAIL_FUNC,
		[BY_LABEL] = AS_DETAIL_FUNC};
	struct as_load_opts opts = {
		.detail = detail[by], .sums = sums_will_do(cli, by), .chosen = by < BY_PART};
	struct top_pprof tp;
	struct as_inputs in;
	uint64_t width;
	enum as_exit rc = AS_EXIT_OK;

	as_assert(by < AS_ARRAY_LEN(detail));
	top_pprof_begin(cli, args, by, &tp);
	AS_DO(top_width(cli, args, &tp, &width));
	opts.moments = width != 0;
	opts.table = !tp.asked && (by == AS_BY_FUNC || by == AS_BY_OBJECT);
	opts.markers = as_events_ask_markers(args->events, args->sort);
	opts.begins = width;
	if (!tp.asked)
		rc = as_cli_unit(cli, args->unit, cli->ses.opt.view.format);
	AS_DO(rc);
	if (tp.asked)
		opts.detail = as_pprof_detail(&tp.opts, opts.detail);
	rc = as_inputs_load(&cli->ses, as_cli_files(cli), &opts, true, &in);

	AS_THEN(rc, as_inputs_view(&cli->ses, &in));
	if (rc == AS_EXIT_OK && !tp.asked && !width)
		as_view_tell_void(&cli->ses, &in);
	AS_THEN(rc, tp.asked && as_pprof_fits(in.prof) ? top_as_pprof(cli, in.prof, &tp.opts)
						       : top_show(cli, args, by, width, &in));
	as_inputs_release(&in);
	return rc;
}

static enum as_exit top_run(struct as_cli *cli, const void *argp)
{
	/* In the order of the words. */
	static const unsigned by[] = {AS_BY_FUNC, AS_BY_FUNC, AS_BY_FILEFUNC, AS_BY_FILE,
		AS_BY_OBJECT, AS_BY_LINE, AS_BY_ADDR, BY_PART, BY_THREAD,
		BY_PROCESS, [WORD_UNIT] = BY_LABEL, BY_LABEL, BY_LABEL, BY_LABEL};
	const struct as_top_args *args = argp;

	as_assert(args->by.word < AS_ARRAY_LEN(by));
	return as_top_run(cli, args, by[args->by.word]);
}

const struct as_cmd as_cmd_top = {
	AS_COMMAND(top, "FILE...", 1, AS_OPERANDS_ANY, top_run),
	AS_OWN_OPTIONS(top_opts, as_top_args),
	.brief = "what is hot: a table by function, file, object, line, address, process, thread "
		 "or label",
	.about = "Rows are sorted by self cost. The rows and the last line, what is not shown, add "
		 "up\n"
		 "to the profile's total. Several files are merged first.\n",
	.examples = "assay top callgrind.out.1234\ttwenty hottest functions\n"
		    "assay top cpu.prof --sort inclusive\twith all that they call\n"
		    "assay top FILE --by line -n 0\tevery line\n"
		    "assay top cpu.pb.gz --by label:request\tby a label of the samples\n"
		    "assay top FILE -e Ir,D1mr -s D1mr\tby cache misses\n"
		    "assay top FILE -m miss=D1mr/Dr -s miss\tby the share of misses\n"
		    "assay top db: --since 2h --over 5m\tof a database: what changed, and when\n"
		    "assay top a.prof b.prof -f json\ttwo profiles as one, for programs",
	.groups = AS_VIEW_GROUPS,
};
