/* SPDX-License-Identifier: Apache-2.0 */
/* From a function and files to lines and instructions. */
#include "session/list/list.h"

#include "base/sort.h"
#include "change/transform.h"
#include "session/filtering.h"

enum { FUNCTIONS_DEFAULT = 10 };

struct listing_run {
	const struct as_session *ses;
	const struct as_listing_args *args;
	struct as_inputs *in;
	struct as_list_opts opts;
	struct as_listings *ls;
	bool lines, insns; /* which are wanted */
	struct as_sources sources;
	struct as_objects objects;
	as_listing_use *use;
	bool hottest; /* the hottest functions are wanted, and what cannot be had is left out */
	void *ctx;

	struct as_arena arena;
	size_t n;    /* functions that are shown */
	size_t *hot; /* which of those that were found; NULL: the first */
	struct as_list_item *item;
	struct as_listing *line, *insn; /* of each */
	struct as_code_list *code;
};

static enum as_exit open_listings(struct listing_run *r, const char *what)
{
	const struct as_asked_view *view = &r->ses->opt.view;
	struct as_listing_opts opts = {.keep_contexts = view->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = view->cycles == AS_CYCLES_NO,
		.places = r->opts.places,
		.rows = r->hottest,
		.best = r->hottest ? r->args->functions.value : 0,
		.event = r->opts.view.n_events ? r->opts.view.event[0] : 0};
	struct as_err err = AS_ERR_NONE;

	if (!r->hottest)
		AS_DO(as_listing_may_find(r->ses, r->in->prof, what));
	AS_DO(as_say_code(r->ses, as_listings_open(&r->ls, r->in->prof, &opts, &err), &err));
	if (r->hottest)
		return as_say_code(
			r->ses, as_listings_find(r->ls, as_slice_of(what), NULL, &err), &err);
	return as_listing_find(r->ses, r->ls, what,
		r->args->functions.given ? r->args->functions.value : FUNCTIONS_DEFAULT);
}

static bool list_run_has_addresses(const struct as_listing *l)
{
	for (size_t i = 0; i < l->row.n; i++)
		if (l->row.p[i].addr)
			return true;
	return false;
}

static enum as_exit no_addresses(struct listing_run *r)
{
	return as_say_endf(r->ses, AS_EXIT_UNSUPPORTED,
		"Callgrind writes them with --dump-instr=yes; by line: assay list FUNC FILE",
		"%.300s: the profile has no addresses of instructions", r->in->file.p[0]);
}

static size_t found_at(const struct listing_run *r, size_t i)
{
	return r->hot ? r->hot[i] : i;
}

/* Make the listing by address again: what lies inside an instruction belongs to it. */
static enum as_exit list_run_snap(struct listing_run *r, size_t i)
{
	const struct as_code_list *code = r->item[i].code;
	size_t n = code ? code->insn.n : 0;
	struct as_list_span *span;
	enum as_exit rc = AS_EXIT_OK;
	struct as_err err = AS_ERR_NONE;

	if (!n)
		return AS_EXIT_OK;
	AS_DO(as_say_memory(r->ses, as_arena_array(&r->arena, &span, n)));
	for (size_t k = 0; k < n; k++)
		span[k] = (struct as_list_span){
			code->insn.p[k].addr, code->insn.p[k].addr + code->insn.p[k].size};
	as_listing_release(&r->insn[i]);
	as_listings_snap(r->ls, span, n);
	if (as_listing_make(r->ls, found_at(r, i), &r->insn[i], &err) != AS_OK)
		rc = as_say_failed(r->ses, &err, NULL);
	as_listings_snap(r->ls, NULL, 0);
	return rc;
}

static enum as_exit make_item(struct listing_run *r, size_t i)
{
	struct as_list_item *item = &r->item[i];
	struct as_err err = AS_ERR_NONE;

	if (r->lines) {
		item->lines = &r->line[i];
		as_listings_by_addr(r->ls, false);
		AS_DO(as_say_code(
			r->ses, as_listing_make(r->ls, found_at(r, i), item->lines, &err), &err));
	}
	if (!r->insns)
		return AS_EXIT_OK;
	item->insns = &r->insn[i];
	as_listings_by_addr(r->ls, true);
	AS_DO(as_say_code(r->ses, as_listing_make(r->ls, found_at(r, i), item->insns, &err), &err));
	if (!list_run_has_addresses(item->insns))
		return r->hottest ? AS_EXIT_OK : no_addresses(r);
	AS_DO(as_say_code(r->ses, as_objects_code(&r->objects, item, &r->code[i]), NULL));
	return list_run_snap(r, i);
}

static enum as_exit list_use(struct listing_run *r)
{
	struct as_list_source source = as_sources_for_report(&r->sources);
	struct as_list_print p = {.prof = r->in->prof,
		.listings = r->ls,
		.opts = &r->opts,
		.source = &source,
		.code = r->args->code,
		.n_rest = as_listings_n(r->ls) - r->n};

	return r->use(r->ctx, &p, r->item, r->n);
}

/* ---- the hottest ---- */

static int cmp_inclusive(const void *ctx, uint32_t a, uint32_t b)
{
	const struct listing_run *r = ctx;
	const struct as_listings *ls = r->ls;
	const struct as_table *t = as_listings_table(ls);
	uint32_t x = as_listings_row(ls, a), y = as_listings_row(ls, b);
	as_val cx = t->has_incl[x] ? t->incl[(size_t)x * t->n_events] : 0;
	as_val cy = t->has_incl[y] ? t->incl[(size_t)y * t->n_events] : 0;

	return cx > cy ? -1 : cx < cy;
}

/* R->hot becomes r->n of the N functions that were found, ORDER by inclusive cost. */
static void take_in_turn(struct listing_run *r, const uint32_t *order, uint8_t *taken)
{
	size_t n = 0;

	for (size_t i = 0; n < r->n; i++) {
		size_t both[] = {i, order[i]}; /* found: by own cost */

		for (size_t k = 0; k < 2 && n < r->n; k++)
			if (!taken[both[k]]) {
				taken[both[k]] = 1;
				r->hot[n++] = both[k];
			}
	}
}

static enum as_exit choose_hot(struct listing_run *r)
{
	size_t n = as_listings_n(r->ls);
	uint32_t *order;
	uint8_t *taken;

	as_assert(r->n <= n);
	if (!as_arena_array(&r->arena, &order, n) || !as_arena_array(&r->arena, &taken, n) ||
		!as_arena_array(&r->arena, &r->hot, r->n))
		return as_say_no_memory(r->ses);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (as_n_events(r->in->prof) && !as_sort_rows(r->ses->al, order, n, cmp_inclusive, r))
		return as_say_no_memory(r->ses);
	take_in_turn(r, order, taken);
	return AS_EXIT_OK;
}

static enum as_exit list_make(struct listing_run *r)
{
	uint64_t limit = r->args->functions.given ? r->args->functions.value : FUNCTIONS_DEFAULT;
	size_t n = as_listings_n(r->ls);

	n = limit && n > limit ? (size_t)limit : n;
	if (!as_arena_array(&r->arena, &r->item, n) || !as_arena_array(&r->arena, &r->line, n) ||
		!as_arena_array(&r->arena, &r->insn, n) || !as_arena_array(&r->arena, &r->code, n))
		return as_say_no_memory(r->ses);
	r->n = n;
	if (r->hottest)
		AS_DO(choose_hot(r));
	for (size_t i = 0; i < n; i++)
		AS_DO(make_item(r, i));
	if (r->insns && n && as_objects_lines(&r->objects, r->item, n, r->code) != AS_OK)
		return as_say_no_memory(r->ses);
	return list_use(r);
}

static enum as_exit list_open(struct listing_run *r, const char *what)
{
	r->lines = !r->args->code;
	r->insns = r->args->code || r->args->asm_too;
	AS_DO(open_listings(r, what));
	if (!as_objects_init(&r->objects, r->ses, r->in) ||
		!as_sources_init(&r->sources, r->ses, r->in, r->args))
		return as_say_no_memory(r->ses);
	r->objects.opts.recorded = r->sources.recorded;
	r->objects.intel = r->args->syntax == AS_SYNTAX_INTEL;
	r->objects.places = r->in->places;
	r->objects.page = r->args->page;
	return list_make(r);
}

static void list_release(struct listing_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->item[i].lines)
			as_listing_release(r->item[i].lines);
		if (r->item[i].insns)
			as_listing_release(r->item[i].insns);
		as_code_list_release(&r->code[i]);
	}
	if (r->sources.ses)
		as_sources_release(&r->sources);
	if (r->objects.ses)
		as_objects_release(&r->objects);
	as_listings_free(r->ls);
	as_arena_release(&r->arena);
}

static enum as_exit list_events(struct listing_run *r)
{
	const struct as_profile *prof = r->in->prof;
	uint32_t *event;

	AS_DO(as_say_memory(r->ses, as_arena_array(&r->arena, &event, as_n_events(prof))));
	r->opts = (struct as_list_opts){
		.view = {.event = event, .files = r->in->file.p, .n_files = r->in->file.n},
		.chosen = r->args->events,
		.context = r->args->context.value,
		.has_context = r->args->context.given,
		.places = r->in->places};
	for (uint32_t i = 0; !r->args->events && i < as_n_events(prof); i++)
		event[r->opts.view.n_events++] = i;
	if (!r->args->events)
		return AS_EXIT_OK;
	return as_session_events(
		r->ses, as_events_of(prof), r->args->events, event, &r->opts.view.n_events);
}

static enum as_exit list_run(struct listing_run *r, const char *what)
{
	enum as_exit rc;

	as_arena_init(&r->arena, r->ses->al);
	rc = list_events(r);
	AS_THEN(rc, list_open(r, what));
	list_release(r);
	return rc;
}

/* Whether there is anything that could name code of PROF. */
static bool list_run_may_name(const struct as_session *ses, const struct as_profile *prof)
{
	struct as_symbol_opts opts;
	struct as_arena arena;
	bool may;

	as_arena_init(&arena, ses->al);
	as_session_symbol_opts(ses, &arena, &opts);
	may = as_may_symbolize(prof, &opts);
	as_arena_release(&arena);
	return may;
}

/* A row of self cost would go to the innermost function only; as a path of one frame, which names
 * make longer, it also says into what that was inlined. Where nothing names any, it stays a row. */
static enum as_exit places_to_paths(const struct as_session *ses, struct as_inputs *in)
{
	struct as_profile *paths;
	struct as_err err = AS_ERR_NONE;

	if (in->prof->shape != AS_SHAPE_PLACES || in->prof->jump.n ||
		!as_session_wants_names(ses) || !as_wants_symbols(in->prof))
		return AS_EXIT_OK;
	in->places = true;
	if (!list_run_may_name(ses, in->prof))
		return AS_EXIT_OK;
	AS_DO(as_say_code(ses, as_to_leaves(in->prof, &paths, NULL, &err), &err));
	as_profile_replace(&in->prof, paths);
	return AS_EXIT_OK;
}

enum as_exit as_listing_hot(const struct as_session *ses, const struct as_listing_args *args,
	struct as_inputs *in, as_listing_use *use, void *ctx)
{
	struct listing_run r = {
		.ses = ses, .args = args, .in = in, .use = use, .ctx = ctx, .hottest = true};

	as_assert(use);
	return list_run(&r, "");
}

enum as_exit as_listing_load(
	const struct as_session *ses, struct as_files files, bool chosen, struct as_inputs *in)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL, .chosen = chosen};

	AS_DO(as_inputs_load(ses, files, &opts, true, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.view.contexts == AS_CONTEXTS_PATHS));
	AS_DO(places_to_paths(ses, in));
	AS_DO(as_inputs_name(ses, in));
	return as_inputs_show_names(ses, in);
}

enum as_exit as_listing_show(const struct as_session *ses, const struct as_listing_args *args,
	const char *func, struct as_inputs *in, as_listing_use *use, void *ctx)
{
	struct listing_run r = {.ses = ses, .args = args, .in = in, .use = use, .ctx = ctx};

	as_assert(use);
	return list_run(&r, func);
}

enum as_exit as_listing_ask(const struct as_session *ses, const struct as_listing_args *args,
	const char *func, struct as_files files, as_listing_use *use, void *ctx)
{
	struct as_inputs in;
	enum as_exit rc = as_listing_load(ses, files, true, &in);

	AS_THEN(rc, as_inputs_filter(ses, &in));
	AS_THEN(rc, as_listing_show(ses, args, func, &in, use, ctx));
	as_inputs_release(&in);
	return rc;
}
