/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison from its sides to what is shown of it. */
#include <stdio.h>

#include "cli/diff/diff_cmd.h"
#include "cli/excess.h"
#include "report/views.h"
#include "session/choose.h"
#include "session/database.h"
#include "session/filtering.h"
#include "session/list/list.h"
#include "session/naming.h"
#include "session/near.h"
#include "session/store/asking.h"

enum { FUNCS_DEFAULT = 3, MIN_DEFAULT = 10000, BASE_MAX = 256 };

/* "epoch=202611231045,host=box" in place of what was said of NEW. *TEXT is cut into its words. */
static bool diff_base_words(struct as_asked_database *opt, char *text)
{
	opt->epoch = opt->since = opt->until = NULL;
	opt->base = true;
	for (char *word = text, *next; word; word = next) {
		char *value = strchr(word, '=');

		next = strchr(word, ',');
		if (next)
			*next++ = 0;
		if (!value || (next && value >= next))
			return false;
		*value++ = 0;
		if (strcmp(word, "epoch") == 0)
			opt->epoch = value;
		else if (strcmp(word, "since") == 0)
			opt->since = value;
		else if (strcmp(word, "until") == 0)
			opt->until = value;
		else if (strcmp(word, "host") == 0)
			opt->host = value;
		else
			return false;
	}
	return true;
}

/* The same files on both sides. */
static enum as_exit diff_take_base(struct as_diff_job *j)
{
	struct as_asked_database opt = j->cli->ses.opt.database;
	char text[BASE_MAX];

	if (j->cli->n_operands != 1)
		return as_say_usage(&j->cli->ses, "with --base, FILE stands for both sides",
			"assay diff FILE --base epoch=NAME");
	if (!as_fleet_input_is(j->cli->operand[0]) &&
		!as_database_is(&j->cli->ses, j->cli->operand[0]))
		return as_say_usage(&j->cli->ses, "with --base, FILE is a database",
			"two files: assay diff BASE NEW");
	snprintf(text, sizeof(text), "%s", j->args->base);
	if (strlen(j->args->base) >= sizeof(text) || !diff_base_words(&opt, text))
		return as_say_usage(&j->cli->ses,
			"option '--base' takes epoch=, since=, until= and host=",
			"as in --base epoch=202611231045");
	snprintf(j->base_name, sizeof(j->base_name), "%.150s, %.140s", j->cli->operand[0],
		j->args->base);
	j->side[AS_BASE] = j->side[AS_NEW] = (struct as_files){j->cli->operand, 1};
	return AS_EXIT_OK;
}

/* What is asked of the files of SIDE. WORDS has room for what the answer borrows. */
static struct as_session diff_session(
	const struct as_diff_job *j, enum as_side side, char words[BASE_MAX])
{
	struct as_session ses = j->cli->ses;

	if (side == AS_BASE && j->args->base) {
		snprintf(words, BASE_MAX, "%s", j->args->base);
		as_assert(diff_base_words(&ses.opt.database, words));
	}
	return ses;
}

enum as_exit as_diff_take_sides(struct as_diff_job *j)
{
	static const char hint[] = "assay diff BASE NEW, or assay diff BASE... -- NEW...";
	struct as_cli *cli = j->cli;
	size_t n = cli->n_operands, cut = cli->n_before_dashes, n_stdin = 0;

	if (j->args->base)
		return diff_take_base(j);
	if (n < 2)
		return as_say_usage(&j->cli->ses,
			"'diff' needs more: assay diff BASE NEW | BASE... -- NEW...",
			"see how it is used: assay diff -h");
	if (cut == SIZE_MAX || !cut) { /* "--" in front of all only ends the options */
		if (n != 2)
			return as_say_usage(&j->cli->ses, "which are BASE, which are NEW?", hint);
		cut = 1;
	}
	if (cut == n)
		return as_say_usage(&j->cli->ses, "there is no NEW after '--'", hint);
	for (size_t i = 0; i < n; i++)
		n_stdin += strcmp(cli->operand[i], "-") == 0;
	if (n_stdin > 1)
		return as_say_usage(&j->cli->ses,
			"'-' stands twice among the inputs: it can be read once only", hint);
	as_assert(cut < n);
	j->side[AS_BASE] = (struct as_files){cli->operand, cut};
	j->side[AS_NEW] = (struct as_files){cli->operand + cut, n - cut};
	return AS_EXIT_OK;
}

/* Hosts of a store are runs of its side. */
static enum as_exit diff_take_hosts(struct as_diff_job *j)
{
	char words[BASE_MAX];

	for (enum as_side side = 0; side < AS_SIDES; side++) {
		struct as_session ses = diff_session(j, side, words);

		AS_DO(as_fleet_input_runs(&ses, j->side[side], &j->hosts_text, &j->hosts[side]));
		j->side[side] = (struct as_files){j->hosts[side].path.p, j->hosts[side].path.n};
	}
	return AS_EXIT_OK;
}

/* ---- what is asked ---- */

static enum as_exit diff_check(struct as_diff_job *j, enum as_diff_kind kind)
{
	const struct as_diff_args *a = j->args;
	uint32_t ppm;

	if (kind != AS_DIFF_TABLE && a->by > 1)
		return as_say_usage(&j->cli->ses, "option '--by' is for --view top",
			"the other views are by function");
	if (kind != AS_DIFF_TABLE && a->drop_negative)
		return as_say_usage(&j->cli->ses, "option '--drop-negative' is for --view top",
			"other views show what became less below what became more");
	if (kind != AS_DIFF_TREE && (a->depth.given || a->min || a->bottom_up))
		return as_say_usage(&j->cli->ses,
			"options '--depth', '--min' and '--bottom-up' are for --view tree",
			"add --view tree");
	if (kind != AS_DIFF_LIST && (a->context.given || a->source_path.n))
		return as_say_usage(&j->cli->ses,
			"options '--context' and '--source-path' are for --view list",
			"add --view list");
	if (kind != AS_DIFF_LIST && kind != AS_DIFF_PEEK && a->function)
		return as_say_usage(&j->cli->ses,
			"option '--function' is for --view list and --view peek",
			"for a part of the tree: --show-from FUNC");
	if (a->min && !as_share_ppm(as_slice_of(a->min), &ppm))
		return as_say_usage(
			&j->cli->ses, "option '--min': expected a share", "as in --min 0.5%");
	return AS_EXIT_OK;
}

static struct as_compare_ask diff_ask(const struct as_diff_job *j)
{
	static const enum as_by by[] = {
		AS_BY_FUNC, AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT, AS_BY_LINE};
	const struct as_diff_args *a = j->args;
	struct as_compare_ask ask = {
		.kind = a->view ? (enum as_diff_kind)(a->view - 1) : AS_DIFF_TABLE,
		.by = by[a->by],
		.norm = (enum as_norm)a->normalize,
		.keep_contexts = j->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
		.keep_clones = a->clones == 2,
		.no_cycles = j->cli->ses.opt.view.cycles == AS_CYCLES_NO,
		.events = a->events ? as_slice_of(a->events) : (struct as_slice){0},
		.all_events = a->format == AS_DIFF_JSON || a->format == AS_DIFF_CSV,
		.way = a->bottom_up ? AS_TREE_BOTTOM_UP : AS_TREE_CALLEES,
		.n_runs = (unsigned)(j->side[AS_BASE].n + j->side[AS_NEW].n)};
	const char *sort;

	as_assert(a->by < AS_ARRAY_LEN(by));
	sort = as_cli_order(a->sort, &ask.inclusive);
	if (sort)
		ask.sort = as_slice_of(sort);
	return ask;
}

/* ---- what went wrong ---- */

/* A function that one side lacks has vanished, one that neither has is a mistake. */
static enum as_exit diff_nothing(struct as_diff_job *j, const char *what, const char *hint)
{
	as_say_error(&j->cli->ses, what, hint);
	return j->args->fail_if.n ? AS_EXIT_INPUT : AS_EXIT_NO;
}

static enum as_exit diff_no_func(struct as_diff_job *j)
{
	const struct as_diff *d = j->c.d;
	char what[256], hint[1024];
	struct as_near near;

	snprintf(what, sizeof(what), "no function of either side matches '%.200s'",
		j->args->function);
	as_near_begin(&near, j->cli->ses.al, j->c.wrong);
	for (uint32_t r = 0; r < d->key.n; r++)
		as_near_try_function(&near, as_diff_str(d, d->key.p[r].name));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	return diff_nothing(
		j, what, hint[0] ? hint : "see what there is: assay diff BASE NEW -n 0");
}

static enum as_exit diff_job_failed(struct as_diff_job *j)
{
	struct as_compare *c = &j->c;

	switch (c->fault) {
	case AS_COMPARE_VOID:
		return diff_nothing(j, "nothing is left: the filters choose no sample of any run",
			"see what there is: assay top FILE, assay info FILE");
	case AS_COMPARE_NO_EVENT:
		return as_session_no_event(
			&j->cli->ses, (struct as_events){.diff = c->d}, c->wrong);
	case AS_COMPARE_TWICE:
		return as_session_event_twice(&j->cli->ses);
	case AS_COMPARE_NO_FUNC:
		return diff_no_func(j);
	default:
		break;
	}
	if (c->err.code == AS_E_UNSUPPORTED)
		return as_say_failed(&j->cli->ses, &c->err,
			"the table and the list can do without: --view list");
	as_say_failed(&j->cli->ses, &c->err,
		c->err.code == AS_E_ARG ? "see what was measured: assay info FILE" : NULL);
	return AS_EXIT_INPUT;
}

/* ---- runs ---- */

/* Of the run that was added last. */
static void diff_warn_of_excess(const struct as_diff_job *j, const char *file)
{
	const struct as_diff *d = j->c.d;
	const struct as_diff_run *run = &d->run.p[d->run.n - 1];
	uint32_t e = d->n_events;
	size_t n = 0;

	as_assert(d->run.n);
	for (uint32_t r = 0; r < run->n_rows && !d->opts.no_cycles; r++) {
		uint32_t k = 0;

		while (k < e &&
			(run->whole[k] < 0 || run->incl[(size_t)r * e + k] <= run->whole[k]))
			k++;
		n += run->has[r] & AS_DIFF_INCL && k < e;
	}
	as_cli_say_excess(j->cli, d->opts.by, n, file);
}

static enum as_exit diff_read_run(const struct as_diff_job *j, const struct as_session *ses,
	const char *const *path, struct as_inputs *in, struct as_compare_run *run)
{
	const struct as_compare_ask *ask = &j->c.ask;
	bool lines = ask->by == AS_BY_FILE || ask->by == AS_BY_LINE || ask->kind == AS_DIFF_LIST;
	struct as_load_opts opts = {
		.detail = lines ? AS_DETAIL_LINE : AS_DETAIL_FUNC, .chosen = true};

	AS_DO(as_inputs_load(ses, (struct as_files){path, 1}, &opts, true, in));
	run->clump = as_diff_clump(in->prof);
	AS_DO(as_inputs_name(ses, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.view.contexts == AS_CONTEXTS_PATHS));
	return as_inputs_filter_side(ses, in, &run->is_void);
}

/* The profile of one run, added to the comparison. */
static enum as_exit diff_job_add_run(
	struct as_diff_job *j, enum as_side side, const char *const *path)
{
	struct as_compare_run run = {.side = side, .name = as_slice_of(*path)};
	char words[BASE_MAX];
	struct as_session ses = diff_session(j, side, words);
	struct as_inputs in;
	struct as_exec exec;
	enum as_exit rc = diff_read_run(j, &ses, path, &in, &run);

	if (side == AS_BASE && j->base_name[0])
		run.name = as_slice_of(j->base_name);
	if (rc == AS_EXIT_OK) {
		run.prof = in.prof;
		run.exec = as_session_exec(&j->cli->ses, &exec);
		if (as_compare_add(&j->c, &run) != AS_OK)
			rc = diff_job_failed(j);
		else if (in.prof->shape & AS_SHAPE_CALLS)
			diff_warn_of_excess(j, *path);
	}
	as_inputs_release(&in);
	return rc;
}

/* ---- what the view shows ---- */

static enum as_exit diff_find_funcs(struct as_diff_job *j)
{
	struct as_typed typed;
	enum as_exit rc = as_session_typed(&j->cli->ses, j->args->function, &typed);

	typed.how.own = NULL; /* a part of a name is one wherever it stands */
	if (rc == AS_EXIT_OK && as_compare_of_name(&j->c, typed.what, &typed.how) != AS_OK)
		rc = diff_job_failed(j);
	as_typed_end(&typed);
	return rc;
}

static enum as_exit diff_choose_funcs(struct as_diff_job *j)
{
	uint64_t limit = j->args->rows.given ? j->args->rows.value : FUNCS_DEFAULT;

	if (j->args->function)
		AS_DO(diff_find_funcs(j));
	else if (as_compare_differing(&j->c) != AS_OK)
		return diff_job_failed(j);
	if (limit && j->c.func.n > limit) {
		as_say_note(&j->cli->ses,
			"%zu functions %s; shown: the %" PRIu64
			" with the largest differences; all of them: -n 0",
			j->c.func.n, j->args->function ? "match" : "differ", limit);
		j->c.func.n = (size_t)limit;
	}
	return AS_EXIT_OK;
}

static enum as_exit diff_make_tree(struct as_diff_job *j)
{
	const struct as_diff_args *a = j->args;
	/* A table for programs has all rows. */
	struct as_diff_tree_opts opts = {.min_ppm = a->format == AS_DIFF_CSV ? 0 : MIN_DEFAULT};

	if (a->min && !as_share_ppm(as_slice_of(a->min), &opts.min_ppm))
		return AS_EXIT_USAGE; /* not reached: diff_check() has read it */
	if (!a->depth.given)
		opts.depth = AS_VIEW_LEVELS;
	else if (a->depth.value <= UINT32_MAX)
		opts.depth = (uint32_t)a->depth.value;
	return as_compare_tree(&j->c, &opts) == AS_OK ? AS_EXIT_OK : diff_job_failed(j);
}

enum as_exit as_diff_job_make(struct as_diff_job *j)
{
	struct as_compare_ask ask;
	struct as_renamer shown;

	as_arena_init(&j->hosts_text, j->cli->ses.al);
	AS_DO(diff_take_hosts(j));
	ask = diff_ask(j);
	AS_DO(diff_check(j, ask.kind));
	AS_DO(as_diff_parse_gates(j));
	AS_DO(as_say_code(&j->cli->ses, as_compare_begin(&j->c, j->cli->ses.al, &ask), NULL));
	for (unsigned side = 0; side < AS_SIDES; side++)
		for (size_t i = 0; i < j->side[side].n; i++)
			AS_DO(diff_job_add_run(j, (enum as_side)side, &j->side[side].path[i]));
	if (as_session_names_how(&j->cli->ses, j->args->format <= AS_DIFF_TEXT, &shown) &&
		as_diff_show_names(j->c.d, &shown, &j->c.err) != AS_OK)
		return diff_job_failed(j);
	if (as_compare_finish(&j->c) != AS_OK)
		return diff_job_failed(j);
	if (j->args->drop_negative && as_diff_less_last(j->c.d, &j->n_less, &j->c.err) != AS_OK)
		return diff_job_failed(j);
	if (ask.kind == AS_DIFF_TREE)
		AS_DO(diff_make_tree(j));
	else if (ask.kind != AS_DIFF_TABLE)
		AS_DO(diff_choose_funcs(j));
	return as_diff_eval_gates(j);
}

void as_diff_job_release(struct as_diff_job *j)
{
	as_diff_sources_close(j);
	as_diff_release_gates(j);
	as_compare_release(&j->c);
	for (size_t i = 0; i < AS_SIDES; i++)
		as_vec_free(j->cli->ses.al, &j->hosts[i].path);
	if (j->hosts_text.al)
		as_arena_release(&j->hosts_text);
}
