/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that show who calls whom: from the operands to the profile. */

#include "cli/view_cmd.h"
#include "change/transform.h"
#include "cli/excess.h"
#include "session/choose.h"
#include "session/filtering.h"
#include "session/list/list.h"
#include "session/read.h"

/* FUNC asks for a line of a file: lines must be read. */
static bool asks_for_line(const char *func)
{
	const char *colon = strrchr(func, ':');

	return colon && colon[1] >= '0' && colon[1] <= '9';
}

static enum as_exit view_cmd_choose_events(struct as_view_run *r, const struct as_view_args *args)
{
	const struct as_profile *prof = r->in.prof;
	enum as_exit rc;

	r->size = (as_n_events(prof) + 1) * sizeof(*r->event);
	r->event = as_alloc_new(r->cli->ses.al, r->size);
	AS_DO(as_say_memory(&r->cli->ses, r->event));
	r->opts = (struct as_view_opts){
		.event = r->event, .files = r->in.file.p, .n_files = r->in.file.n};
	rc = as_session_events(
		&r->cli->ses, as_events_of(prof), args->events, r->event, &r->opts.n_events);
	for (uint32_t i = 0; !args->events && i < as_n_events(prof); i++)
		r->event[r->opts.n_events++] = i;
	r->opts.sort_event = r->opts.n_events ? r->event[0] : 0;
	if (rc == AS_EXIT_OK && args->sort)
		rc = as_session_event(
			&r->cli->ses, as_events_of(prof), args->sort, &r->opts.sort_event);
	if (rc == AS_EXIT_OK && r->opts.n_events)
		r->opts.unit = as_unit_of(prof, r->event[as_view_first(&r->opts)],
			args->unit ? args->unit : "count",
			prof->total[r->event[as_view_first(&r->opts)]]);
	if (rc == AS_EXIT_OK && as_cli_wants_unit(r->cli, args->unit) && r->opts.n_events &&
		!r->opts.unit.each)
		as_say_note(&r->cli->ses, "--unit %s: the event shown cannot be told in it",
			args->unit);
	return rc;
}

static enum as_exit view_cmd_load(
	struct as_view_run *r, const struct as_view_args *args, const char *func)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FUNC,
		.chosen = r->chosen,
		.moments = r->moments,
		.calls = r->calls && !r->is_pprof,
		.refuse = r->is_pprof || args->events || args->sort ? NULL : r->refuse,
		.markers = as_events_ask_markers(args->events, args->sort)};

	if (func && asks_for_line(func))
		opts.detail = AS_DETAIL_LINE;
	if (r->is_pprof)
		opts.detail = as_pprof_detail(&r->pprof, opts.detail);
	AS_DO(as_inputs_load(&r->cli->ses, r->files, &opts, true, &r->in));
	if (r->nameless && !as_fields_want_names(r->cli->ses.filters->fields))
		return as_inputs_filter(&r->cli->ses, &r->in);
	return as_inputs_view(&r->cli->ses, &r->in);
}

/* What costs nothing, or as much as it saves, has samples nevertheless. */
static bool view_cmd_is_void(const struct as_profile *prof)
{
	return as_is_void(prof) && !prof->sums.func.n && !prof->stacks.n;
}

void as_view_tell_void(const struct as_session *ses, const struct as_inputs *in)
{
	if (view_cmd_is_void(in->prof))
		as_say_note(ses, AS_VIEW_VOID);
}

enum as_exit as_view_begin(struct as_view_run *r, const struct as_view_args *args, const char *func)
{
	AS_DO(as_cli_unit(r->cli, args->unit, r->cli->ses.opt.view.format));
	AS_DO(view_cmd_load(r, args, func));
	if (func && view_cmd_is_void(r->in.prof))
		return as_say_end(&r->cli->ses, AS_EXIT_NO, AS_VIEW_VOID, NULL);
	if (!r->is_pprof && !r->moments) /* pprof says nothing; without moments more is said */
		as_view_tell_void(&r->cli->ses, &r->in);
	return view_cmd_choose_events(r, args);
}

enum as_exit as_view_begin_pprof(struct as_view_run *r, const struct as_view_args *args,
	const char *func, enum as_pprof_kind kind)
{
	struct as_cli *cli = r->cli;

	r->is_pprof = as_pprof_is_asked(cli);
	as_arena_init(&r->in.arena, cli->ses.al);
	if (!r->is_pprof)
		return as_view_begin(r, args, func);
	as_pprof_options(cli, kind, &r->pprof);
	if (args->sort)
		r->pprof.sample_index = args->sort;
	if (args->events)
		r->pprof.sample_index = args->events;
	if (args->unit)
		r->pprof.unit = cli->ses.tag_unit = args->unit;
	AS_DO(view_cmd_load(r, args, func));
	r->is_pprof = as_pprof_fits(r->in.prof);
	return r->is_pprof ? as_pprof_choose(cli, r->in.prof, &r->pprof)
			   : view_cmd_choose_events(r, args);
}

void as_view_end(struct as_view_run *r)
{
	as_alloc_free(r->cli->ses.al, r->event, r->event ? r->size : 0);
	as_inputs_release(&r->in);
}

enum as_exit as_view_wants_calls(struct as_view_run *r)
{
	const struct as_profile *prof = r->in.prof;

	if (prof->call.n || prof->sample.node.n || !prof->self.n)
		return AS_EXIT_OK;
	return as_say_endf(&r->cli->ses, AS_EXIT_UNSUPPORTED, AS_READ_PLACES_WAY,
		"%.300s: " AS_READ_PLACES, r->in.file.p[0]);
}

enum as_exit as_view_wants_moments(struct as_view_run *r)
{
	return as_inputs_want_moments(&r->cli->ses, &r->in);
}

enum as_exit as_view_find(struct as_view_run *r, const struct as_profile *prof,
	const struct as_listing_opts *opts, const char *what, uint64_t limit,
	struct as_listings **ls, size_t *n)
{
	struct as_err err = AS_ERR_NONE;

	*ls = NULL;
	AS_DO(as_listing_may_find(&r->cli->ses, prof, what));
	AS_DO(as_say_code(&r->cli->ses, as_listings_open(ls, prof, opts, &err), &err));
	AS_DO(as_listing_find(&r->cli->ses, *ls, what, limit));
	*n = as_listings_n(*ls);
	if (limit && *n > limit)
		*n = (size_t)limit;
	return AS_EXIT_OK;
}

/* The events of the list, and behind them that which rows are sorted by if it is none of these. */
static enum as_exit pick_events(struct as_view_run *r)
{
	struct as_view_opts *o = &r->opts;
	uint32_t n = o->n_events, at = 0;
	struct as_profile *some;
	struct as_err err = AS_ERR_NONE;

	while (at < n && r->event[at] != o->sort_event)
		at++;
	if (at == n)
		r->event[n++] = o->sort_event; /* there is room for one more than the profile has */
	as_assert(n * sizeof(*r->event) <= r->size);
	AS_DO(as_say_code(
		&r->cli->ses, as_pick_events(r->in.prof, r->event, n, &some, &err), &err));
	as_profile_replace(&r->in.prof, some);
	for (uint32_t i = 0; i < n; i++)
		r->event[i] = i;
	o->sort_event = at;
	return AS_EXIT_OK;
}

enum as_exit as_view_pick_events(struct as_view_run *r, bool one)
{
	if (!r->in.prof->call.n || as_n_events(r->in.prof) < 2)
		return AS_EXIT_OK;
	if (one) {
		r->event[0] = r->opts.sort_event;
		r->opts.n_events = 1;
	}
	return pick_events(r);
}

enum as_exit as_view_paths_make(struct as_path_source *p, struct as_view_run *r, bool trees)
{
	struct as_err err = AS_ERR_NONE;

	return as_say_code(&r->cli->ses, as_path_source_make(p, r->in.prof, trees, &err), &err);
}

static void warn_of_excess(void *ctx, const struct as_table *calls)
{
	as_view_warn_of_excess(ctx, calls);
}

enum as_exit as_view_calltree(struct as_view_run *r, struct as_path_source *p,
	const struct as_tree_opts *view, const struct as_calltree_root *of, struct as_calltree *ct)
{
	const struct as_asked_view *asked = &r->cli->ses.opt.view;
	struct as_path_tree_opts opts = {.keep_contexts = asked->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = asked->cycles == AS_CYCLES_NO,
		.way = view->way,
		.of = of,
		.min = view->min,
		.event = view->event,
		.see_calls = warn_of_excess,
		.ctx = r};
	struct as_err err = AS_ERR_NONE;

	return as_say_code(&r->cli->ses, as_path_source_tree(p, &opts, ct, &err), &err);
}

/* ---- the least cost that is shown ---- */

enum as_exit as_view_min(struct as_cli *cli, const char *text, as_val total, as_val *min)
{
	if (as_min_of(as_slice_of(text ? text : "0.5%"), total, min))
		return AS_EXIT_OK;
	return as_say_usage(&cli->ses, "option '--min': expected a share of the total or a cost",
		"as in --min 0.5% or --min 1000");
}

enum as_exit as_view_check_min(struct as_cli *cli, const char *text)
{
	as_val min;

	return as_view_min(cli, text, 1, &min);
}

enum as_exit as_cli_sheet(struct as_cli *cli, struct as_sheet_to *to)
{
	*to = (struct as_sheet_to){.style = &cli->style,
		.form = cli->ses.opt.view.format == AS_FORMAT_JSON  ? AS_FORM_JSON
			: cli->ses.opt.view.format == AS_FORMAT_CSV ? AS_FORM_CSV
								    : AS_FORM_TEXT};
	return as_cli_out(cli, &to->out);
}
