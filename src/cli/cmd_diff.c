/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff: what differs between two profiles, or two sets of runs; and the gate. */
#include <stdio.h>

#include "cli/load.h"
#include "report/diff_report.h"
#include "report/utf8.h"

enum { ROWS_DEFAULT = 20, MANY_CALLS = 1 << 16 };
enum { TEXT, JSON, CSV, MARKDOWN, JUNIT, ANNOTATIONS };

struct diff_args {
	unsigned normalize, by, clones, format, on_noise;
	struct as_num rows;
	const char *sort, *events;
	struct as_list fail_if;
};

static const struct as_optdef diff_opts[] = {
	AS_OPTION(diff_args, normalize, AS_OPT_WORD, 0, "normalize", "none|total|time",
		"counts as they are, scaled to BASE's total, or times what one stands for"),
	AS_OPTION(diff_args, by, AS_OPT_WORD, 'b', "by", "function|file|object|line",
		"what a row is"),
	AS_OPTION(diff_args, rows, AS_OPT_NUM, 'n', "rows", "N", "rows; 0 = all; default 20"),
	AS_OPTION(diff_args, sort, AS_OPT_STR, 's', "sort", "EVENT|inclusive",
		"order: difference of the self cost of EVENT, or of the inclusive cost"),
	AS_OPTION(diff_args, events, AS_OPT_STR, 'e', "event", "LIST",
		"only these events, in this order: Ir,Dr"),
	AS_OPTION(diff_args, clones, AS_OPT_WORD, 0, "clones", "fold|keep",
		"f.isra.0, f.part.1 ...: fold into f (the default), or keep"),
	AS_OPTION(diff_args, fail_if, AS_OPT_LIST, 0, "fail-if", "EXPR",
		"exit with 1 if EXPR holds: 'total(Ir) > +1%'; may be repeated"),
	AS_OPTION(diff_args, on_noise, AS_OPT_WORD, 0, "on-noise", "pass|trip",
		"a limit within the noise: warn (the default), or trip"),
	AS_OPTION(diff_args, format, AS_OPT_WORD, 'f', "format",
		"text|json|csv|markdown|junit|annotations",
		"form of the answer; the last two are those of --fail-if"),
	AS_OPTION_END,
};

struct sides {
	const char **path[AS_SIDES];
	size_t n[AS_SIDES];
};

struct job {
	struct as_cli *cli;
	const struct diff_args *args;
	struct sides sides;
	struct as_diff *d;
	uint32_t *event; /* those that are shown */
	uint32_t n_events;
	size_t event_size;
	struct as_gate *gate;
	struct as_gate_result *result;
};

/* ---- inputs ---- */

static enum as_exit usage(struct job *j, const char *what)
{
	as_cli_error(j->cli, what, "assay diff BASE NEW, or assay diff BASE... -- NEW...");
	return AS_EXIT_USAGE;
}

/* "BASE NEW", or "BASE... -- NEW...". */
static enum as_exit take_sides(struct job *j)
{
	struct as_cli *cli = j->cli;
	size_t n = cli->n_operands, cut = cli->n_before_dashes, n_stdin = 0;

	if (cut == SIZE_MAX || !cut) { /* "--" in front of all only ends the options */
		if (n != 2)
			return usage(j, "which are BASE, which are NEW?");
		cut = 1;
	}
	if (cut == n)
		return usage(j, "there is no NEW after '--'");
	for (size_t i = 0; i < n; i++)
		n_stdin += strcmp(cli->operand[i], "-") == 0;
	if (n_stdin > 1)
		return usage(j, "'-' stands twice among the inputs: it can be read once only");
	j->sides = (struct sides){{cli->operand, cli->operand + cut}, {cut, n - cut}};
	return AS_EXIT_OK;
}

static enum as_exit cannot_compare(struct as_cli *cli, const struct as_err *err)
{
	as_cli_fail(
		cli, err, err->code == AS_E_ARG ? "see what was measured: assay info FILE" : NULL);
	return AS_EXIT_INPUT;
}

/* The profile of one run, added to the comparison. */
static enum as_exit add_run(struct job *j, enum as_side side, const char **path)
{
	enum as_by by = j->d->opts.by;
	struct as_load_opts opts = {
		.detail = by == AS_BY_FILE || by == AS_BY_LINE ? AS_DETAIL_LINE : AS_DETAIL_FUNC};
	struct as_cli *cli = j->cli;
	struct as_inputs in;
	struct as_exec exec;
	struct as_err err;
	enum as_exit rc;

	cli->operand = path; /* each run is read by itself */
	cli->n_operands = 1;
	as_err_clear(&err);
	rc = as_inputs_load(cli, &opts, true, &in);
	if (rc == AS_EXIT_OK)
		rc = as_inputs_name(cli, &in);
	if (rc == AS_EXIT_OK)
		rc = as_inputs_context_paths(cli, &in, cli->opt.contexts == AS_CONTEXTS_PATHS);
	if (rc == AS_EXIT_OK) {
		j->d->opts.exec = in.prof->call.n >= MANY_CALLS ? as_cli_exec(cli, &exec) : NULL;
		if (as_diff_add(j->d, side, in.prof, as_slice_of(*path), &err) != AS_OK)
			rc = cannot_compare(cli, &err);
	}
	as_inputs_release(&in);
	return rc;
}

static enum as_exit add_runs(struct job *j)
{
	enum as_exit rc = AS_EXIT_OK;

	for (unsigned side = 0; side < AS_SIDES; side++)
		for (size_t i = 0; i < j->sides.n[side] && rc == AS_EXIT_OK; i++)
			rc = add_run(j, (enum as_side)side, &j->sides.path[side][i]);
	return rc;
}

/* ---- events ---- */

static enum as_exit find_event(struct job *j, struct as_slice name, uint32_t *event)
{
	const struct as_diff *d = j->d;
	char what[160], hint[400] = "they have:";
	size_t n = strlen(hint);

	for (*event = 0; *event < d->n_events; (*event)++)
		if (as_slice_eq(as_diff_str(d, d->event[*event].name), name))
			return AS_EXIT_OK;
	for (uint32_t e = 0; e < d->n_events && n + 64 < sizeof(hint); e++) {
		struct as_slice s = as_diff_str(d, d->event[e].name);

		hint[n++] = ' ';
		as_escape(hint + n, sizeof(hint) - n, s.p, s.len < 40 ? s.len : 40);
		n += strlen(hint + n);
	}
	snprintf(what, sizeof(what), "the profiles have no event '%.*s'",
		(int)(name.len < 100 ? name.len : 100), name.p);
	as_cli_error(j->cli, what, hint);
	return AS_EXIT_USAGE;
}

static enum as_exit choose_events(struct job *j)
{
	struct as_slice rest = as_slice_of(j->args->events), one;

	j->event_size = (j->d->n_events + 1) * sizeof(*j->event);
	j->event = as_alloc_new(j->cli->al, j->event_size);
	if (!j->event)
		return as_cli_no_memory(j->cli);
	while (j->args->events && as_slice_cut(&rest, ',', &one)) {
		enum as_exit rc;

		if (j->n_events == j->d->n_events) {
			as_cli_error(j->cli, "option '--event' names an event twice",
				"name each event once");
			return AS_EXIT_USAGE;
		}
		rc = find_event(j, one, &j->event[j->n_events]);
		if (rc != AS_EXIT_OK)
			return rc;
		j->n_events++;
	}
	return AS_EXIT_OK;
}

/* The event that rows are sorted by, once it is known which can be compared. */
static enum as_exit choose_order(struct job *j, uint32_t *event, bool *inclusive)
{
	const char *sort = j->args->sort;

	*event = j->n_events ? j->event[0] : UINT32_MAX;
	*inclusive = false;
	if (!sort || strcmp(sort, "self") == 0)
		return AS_EXIT_OK;
	*inclusive =
		strcmp(sort, "inclusive") == 0 || as_slice_starts(as_slice_of(sort), "inclusive:");
	if (*inclusive && !sort[strlen("inclusive")])
		return AS_EXIT_OK;
	if (*inclusive)
		sort += strlen("inclusive:");
	return find_event(j, as_slice_of(sort), event);
}

/* Without --event programs get all events, people the one that rows are sorted by. */
static void default_events(struct job *j, uint32_t sort_event)
{
	if (j->n_events)
		return;
	if (j->args->format != JSON + 1 && j->args->format != CSV + 1) {
		j->event[j->n_events++] = sort_event;
		return;
	}
	for (uint32_t e = 0; e < j->d->n_events; e++)
		j->event[j->n_events++] = e;
}

static enum as_exit compare(struct job *j)
{
	struct as_err err;
	uint32_t event = 0;
	bool inclusive;
	enum as_exit rc = choose_events(j);

	as_err_clear(&err);
	if (rc == AS_EXIT_OK)
		rc = choose_order(j, &event, &inclusive);
	if (rc != AS_EXIT_OK)
		return rc;
	if (as_diff_scale(j->d, (enum as_norm)j->args->normalize, event, &err) != AS_OK)
		return cannot_compare(j->cli, &err);
	for (uint32_t e = 0; event == UINT32_MAX && e < j->d->n_events; e++)
		if (j->d->event[e].is_fine)
			event = e;
	if (as_diff_sort(j->d, event, inclusive, &err) != AS_OK)
		return as_cli_no_memory(j->cli);
	default_events(j, event);
	return AS_EXIT_OK;
}

/* ---- gate ---- */

/* The expression, and below it an arrow to what is wrong. */
static enum as_exit malformed(struct as_cli *cli, const char *text, const struct as_err *err)
{
	char what[sizeof(err->msg) + 64], before[512];
	size_t off = err->off == AS_OFF_NONE ? 0 : (size_t)err->off;

	if (err->code == AS_E_NOMEM)
		return as_cli_no_memory(cli);
	snprintf(what, sizeof(what), "--fail-if, at byte %zu: %s", off + 1, err->msg);
	as_cli_error(cli, what, text);
	as_escape(before, sizeof(before), text, off);
	fprintf(stderr, "       %*s^\n", (int)as_utf8_columns(as_slice_of(before)), "");
	return AS_EXIT_USAGE;
}

static enum as_exit parse_gates(struct job *j)
{
	const struct as_list *list = &j->args->fail_if;
	struct as_err err;

	if (!list->n) {
		if (j->args->format <= MARKDOWN + 1)
			return AS_EXIT_OK;
		as_cli_error(j->cli, "this format is that of a gate", "add --fail-if EXPR");
		return AS_EXIT_USAGE;
	}
	j->gate = as_alloc_new(j->cli->al, list->n * sizeof(*j->gate));
	j->result = as_alloc_new(j->cli->al, list->n * sizeof(*j->result));
	if (!j->gate || !j->result)
		return as_cli_no_memory(j->cli);
	for (size_t i = 0; i < list->n; i++)
		as_arena_init(&j->gate[i].arena, j->cli->al);
	for (size_t i = 0; i < list->n; i++) {
		as_err_clear(&err);
		if (as_gate_parse(&j->gate[i], j->cli->al, as_slice_of(list->p[i]), &err) != AS_OK)
			return malformed(j->cli, list->p[i], &err);
	}
	return AS_EXIT_OK;
}

static enum as_exit eval_gates(struct job *j)
{
	for (size_t i = 0; i < j->args->fail_if.n; i++)
		if (as_gate_eval(&j->gate[i], j->d, &j->result[i]) != AS_OK)
			return as_cli_no_memory(j->cli);
	return AS_EXIT_OK;
}

static void cannot_judge(struct job *j, const struct as_gate_result *r)
{
	struct as_slice why = as_slice_of("");
	char what[256];

	for (size_t k = r->n; k-- > 0;)
		if (r->check[k].verdict == AS_GATE_INCOMPARABLE)
			why = r->check[k].why;
	snprintf(what, sizeof(what), "a condition cannot be judged: %.*s", AS_SLICE_FMT(why));
	as_cli_error(j->cli, what, r->gate->text.p);
}

/* What the gates say together, and a word on stderr for each that nobody should overlook. */
static enum as_exit verdict(struct job *j)
{
	bool trips = false, fails = false;

	for (size_t i = 0; i < j->args->fail_if.n; i++) {
		const char *text = j->args->fail_if.p[i];

		switch (j->result[i].verdict) {
		case AS_GATE_PASS:
			break;
		case AS_GATE_NOISE:
			as_cli_warn(j->cli, "'%s': the limit is within the noise: %s", text,
				j->args->on_noise == 2 ? "trips" : "passes, but is not proven");
			trips |= j->args->on_noise == 2;
			break;
		case AS_GATE_TRIP:
			trips = true;
			break;
		case AS_GATE_INCOMPARABLE:
			cannot_judge(j, &j->result[i]);
			fails = true;
			break;
		}
	}
	return fails ? AS_EXIT_INPUT : trips ? AS_EXIT_NO : AS_EXIT_OK;
}

/* ---- answer ---- */

static enum as_code print_text(
	const struct as_diff_view *v, struct as_out *out, const struct as_style *style)
{
	if (v->n_gates) {
		AS_TRY(as_gate_text(v, out, style));
		as_out_char(out, '\n');
	}
	return as_diff_text(v, out, style);
}

static enum as_exit print(struct job *j)
{
	struct as_diff_view v = {.d = j->d,
		.event = j->event,
		.n_events = j->n_events,
		.limit = j->args->rows.given ? j->args->rows.value : ROWS_DEFAULT,
		.gate = j->result,
		.n_gates = j->args->fail_if.n};
	unsigned format = j->args->format ? j->args->format - 1 : TEXT;
	struct as_out *out;
	enum as_code rc;

	if (as_cli_out(j->cli, &out) != AS_OK)
		return as_cli_no_memory(j->cli);
	switch (format) {
	case JSON:
		rc = as_diff_json(&v, out);
		break;
	case CSV:
		rc = as_diff_csv(&v, out);
		break;
	case MARKDOWN:
		rc = as_diff_markdown(&v, out);
		break;
	case JUNIT:
		rc = as_gate_junit(&v, out);
		break;
	case ANNOTATIONS:
		rc = as_gate_annotations(&v, out);
		break;
	default:
		rc = print_text(&v, out, &j->cli->style);
	}
	return rc == AS_OK ? AS_EXIT_OK : as_cli_no_memory(j->cli);
}

static void release(struct job *j)
{
	size_t n = j->args->fail_if.n;

	as_diff_free(j->d);
	as_alloc_free(j->cli->al, j->event, j->event ? j->event_size : 0);
	for (size_t i = 0; j->gate && i < n; i++)
		as_gate_free(&j->gate[i]);
	as_alloc_free(j->cli->al, j->gate, j->gate ? n * sizeof(*j->gate) : 0);
	as_alloc_free(j->cli->al, j->result, j->result ? n * sizeof(*j->result) : 0);
}

static enum as_exit run_job(struct job *j)
{
	static const enum as_by by[] = {
		AS_BY_FUNC, AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT, AS_BY_LINE};
	struct as_diff_opts opts = {.by = by[j->args->by],
		.keep_contexts = j->cli->opt.contexts >= AS_CONTEXTS_KEEP,
		.keep_clones = j->args->clones == 2,
		.no_cycles = j->cli->opt.cycles == AS_CYCLES_NO};
	struct as_err err;
	enum as_exit rc = take_sides(j);

	as_err_clear(&err);
	if (rc == AS_EXIT_OK)
		rc = parse_gates(j);
	if (rc != AS_EXIT_OK)
		return rc;
	opts.n_runs = (unsigned)(j->sides.n[AS_BASE] + j->sides.n[AS_NEW]);
	if (as_diff_begin(&j->d, j->cli->al, &opts, &err) != AS_OK)
		return as_cli_no_memory(j->cli);
	rc = add_runs(j);
	if (rc == AS_EXIT_OK)
		rc = compare(j);
	if (rc == AS_EXIT_OK)
		rc = eval_gates(j);
	if (rc == AS_EXIT_OK)
		rc = print(j);
	return rc == AS_EXIT_OK ? verdict(j) : rc;
}

static enum as_exit diff_run(struct as_cli *cli, const void *args)
{
	struct job j = {.cli = cli, .args = args};
	enum as_exit rc = run_job(&j);

	release(&j);
	return rc;
}

const struct as_cmd as_cmd_diff = {
	.name = "diff",
	.args = "BASE NEW | BASE... -- NEW...",
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
		    "assay diff base.cg new.cg -f markdown\ta table for a review",
	.groups = AS_GROUP_READ | AS_GROUP_VIEW | AS_GROUP_SYMBOLS,
	.min = 2,
	.max = AS_OPERANDS_ANY,
	.splits = true,
	.opts = diff_opts,
	.args_size = sizeof(struct diff_args),
	.run = diff_run,
};
