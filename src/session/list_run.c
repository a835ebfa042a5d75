/* SPDX-License-Identifier: Apache-2.0 */
/* From a function and files to lines and instructions. */
#include "session/list.h"

#include "base/sort.h"
#include "change/transform.h"
#include "session/filtering.h"

enum { FUNCTIONS_DEFAULT = 10 };

struct listing_run {
	const struct as_session *ses;
	const struct as_listing_args *args;
	struct as_inputs *in;
	struct as_list_opts opts;
	bool places;                       /* the profile had only places */
	struct as_listings *lines, *insns; /* NULL: not wanted */
	struct as_sources sources;
	struct as_objects objects;
	as_listing_use *use;
	void *ctx;

	size_t n;    /* functions that are shown */
	size_t *hot; /* which of those that were found; NULL: the first */
	struct as_list_item *item;
	struct as_listing *line, *insn; /* of each */
	struct as_code_list *code;
};

static enum as_exit open_listings(
	struct listing_run *r, bool by_addr, const char *what, struct as_listings **out)
{
	const struct as_common *opt = &r->ses->opt;
	struct as_listing_opts opts = {.by_addr = by_addr,
		.keep_contexts = opt->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = opt->cycles == AS_CYCLES_NO,
		.places = r->opts.places,
		.event = r->opts.view.n_events ? r->opts.view.event[0] : 0};
	struct as_session own = *r->ses;
	struct as_err err;

	as_err_clear(&err);
	if (as_listings_open(out, r->in->prof, &opts, &err) != AS_OK)
		return as_say_failed(r->ses, &err, NULL);
	if (r->hot)
		return as_listings_find(*out, as_slice_of(what), NULL, &err) == AS_OK
			       ? AS_EXIT_OK
			       : as_say_failed(r->ses, &err, NULL);
	own.opt.quiet |= by_addr && r->lines; /* said once */
	return as_listing_find(&own, *out, what,
		r->args->functions.given ? r->args->functions.value : FUNCTIONS_DEFAULT);
}

static bool has_addresses(const struct as_listing *l)
{
	for (size_t i = 0; i < l->row.n; i++)
		if (l->row.p[i].addr)
			return true;
	return false;
}

static enum as_exit no_addresses(struct listing_run *r)
{
	char text[512];

	snprintf(text, sizeof(text), "%.300s: the profile has no addresses of instructions",
		r->in->file.p[0]);
	return as_say_end(r->ses, AS_EXIT_UNSUPPORTED, text,
		"Callgrind writes them with --dump-instr=yes; by line: assay list FUNC FILE");
}

static size_t found_at(const struct listing_run *r, size_t i)
{
	return r->hot ? r->hot[i] : i;
}

/* Make the listing by address again: what lies inside an instruction belongs to it. */
static enum as_exit snap(struct listing_run *r, size_t i)
{
	const struct as_code_list *code = r->item[i].code;
	size_t n = code ? code->insn.n : 0, size = n * sizeof(struct as_list_span);
	struct as_list_span *span;
	enum as_exit rc = AS_EXIT_OK;
	struct as_err err;

	if (!n)
		return AS_EXIT_OK;
	span = as_alloc_new(r->ses->al, size);
	if (!span)
		return as_say_no_memory(r->ses);
	for (size_t k = 0; k < n; k++)
		span[k] = (struct as_list_span){
			code->insn.p[k].addr, code->insn.p[k].addr + code->insn.p[k].size};
	as_listing_release(&r->insn[i]);
	as_listings_snap(r->insns, span, n);
	as_err_clear(&err);
	if (as_listing_make(r->insns, found_at(r, i), &r->insn[i], &err) != AS_OK)
		rc = as_say_failed(r->ses, &err, NULL);
	as_listings_snap(r->insns, NULL, 0);
	as_alloc_free(r->ses->al, span, size);
	return rc;
}

static enum as_exit make_item(struct listing_run *r, size_t i)
{
	struct as_list_item *item = &r->item[i];
	struct as_err err;

	as_err_clear(&err);
	if (r->lines) {
		item->lines = &r->line[i];
		if (as_listing_make(r->lines, found_at(r, i), item->lines, &err) != AS_OK)
			return as_say_failed(r->ses, &err, NULL);
	}
	if (!r->insns)
		return AS_EXIT_OK;
	item->insns = &r->insn[i];
	if (as_listing_make(r->insns, found_at(r, i), item->insns, &err) != AS_OK)
		return as_say_failed(r->ses, &err, NULL);
	if (!has_addresses(item->insns))
		return r->hot ? AS_EXIT_OK : no_addresses(r);
	if (as_objects_code(&r->objects, item, &r->code[i]) != AS_OK)
		return as_say_no_memory(r->ses);
	return snap(r, i);
}

static enum as_exit list_use(struct listing_run *r)
{
	struct as_listings *ls = r->lines ? r->lines : r->insns;
	struct as_list_source source = as_sources_for_report(&r->sources);
	struct as_list_print p = {.prof = r->in->prof,
		.listings = ls,
		.opts = &r->opts,
		.source = &source,
		.code = r->args->code,
		.n_rest = as_listings_n(ls) - r->n};

	return r->use(r->ctx, &p, r->item, r->n);
}

/* ---- the hottest ---- */

static int cmp_inclusive(const void *ctx, uint32_t a, uint32_t b)
{
	const struct listing_run *r = ctx;
	const struct as_listings *ls = r->lines;
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
	const struct as_alloc *al = r->ses->al;
	size_t n = as_listings_n(r->lines);
	uint32_t *order = as_alloc_new(al, (n + 1) * sizeof(*order));
	uint8_t *taken = as_alloc_new(al, n + 1);
	bool ok = order && taken && r->hot;

	for (size_t i = 0; i < n && ok; i++)
		order[i] = (uint32_t)i;
	if (as_n_events(r->in->prof))
		ok = ok && as_sort_rows(al, order, n, cmp_inclusive, r);
	if (ok)
		take_in_turn(r, order, taken);
	as_alloc_free(al, order, order ? (n + 1) * sizeof(*order) : 0);
	as_alloc_free(al, taken, taken ? n + 1 : 0);
	return ok ? AS_EXIT_OK : as_say_no_memory(r->ses);
}

static enum as_exit list_make(struct listing_run *r)
{
	const struct as_alloc *al = r->ses->al;
	struct as_listings *ls = r->lines ? r->lines : r->insns;
	uint64_t limit = r->args->functions.given ? r->args->functions.value : FUNCTIONS_DEFAULT;
	size_t n = as_listings_n(ls);
	enum as_exit rc = AS_EXIT_OK;

	r->n = limit && n > limit ? (size_t)limit : n;
	if (r->hot)
		rc = choose_hot(r);
	n = r->n + 1;
	r->item = as_alloc_new(al, n * sizeof(*r->item));
	r->line = as_alloc_new(al, n * sizeof(*r->line));
	r->insn = as_alloc_new(al, n * sizeof(*r->insn));
	r->code = as_alloc_new(al, n * sizeof(*r->code));
	if (!r->item || !r->line || !r->insn || !r->code)
		r->n = 0;
	for (size_t i = 0; i < r->n && rc == AS_EXIT_OK; i++)
		rc = make_item(r, i);
	if ((!r->n && !r->hot) || /* something was found */
		(rc == AS_EXIT_OK && r->insns && r->n &&
			as_objects_lines(&r->objects, r->item, r->n, r->code) != AS_OK))
		rc = as_say_no_memory(r->ses);
	if (rc == AS_EXIT_OK)
		rc = list_use(r);
	for (size_t i = 0; r->item && i < r->n; i++) {
		if (r->item[i].lines)
			as_listing_release(r->item[i].lines);
		if (r->item[i].insns)
			as_listing_release(r->item[i].insns);
		if (r->code)
			as_code_list_release(&r->code[i]);
	}
	as_alloc_free(al, r->item, r->item ? n * sizeof(*r->item) : 0);
	as_alloc_free(al, r->line, r->line ? n * sizeof(*r->line) : 0);
	as_alloc_free(al, r->insn, r->insn ? n * sizeof(*r->insn) : 0);
	as_alloc_free(al, r->code, r->code ? n * sizeof(*r->code) : 0);
	return rc;
}

static enum as_exit listings(struct listing_run *r, const char *what)
{
	enum as_exit rc = AS_EXIT_OK;

	if (!r->args->code)
		rc = open_listings(r, false, what, &r->lines);
	if (rc == AS_EXIT_OK && (r->args->code || r->args->asm_too))
		rc = open_listings(r, true, what, &r->insns);
	if (!as_objects_init(&r->objects, r->ses, r->in) && rc == AS_EXIT_OK)
		rc = as_say_no_memory(r->ses);
	if (rc == AS_EXIT_OK && !as_sources_init(&r->sources, r->ses, r->in, r->args))
		rc = as_say_no_memory(r->ses);
	r->objects.opts.recorded = r->sources.recorded;
	r->objects.intel = r->args->syntax == AS_SYNTAX_INTEL;
	r->objects.places = r->places;
	r->objects.page = r->args->page;
	if (rc == AS_EXIT_OK)
		rc = list_make(r);
	if (r->sources.ses)
		as_sources_release(&r->sources);
	as_objects_release(&r->objects);
	as_listings_free(r->lines);
	as_listings_free(r->insns);
	return rc;
}

static enum as_exit with_events(struct listing_run *r, const char *what)
{
	const struct as_profile *prof = r->in->prof;
	const struct as_alloc *al = r->ses->al;
	size_t size = (as_n_events(prof) + 1) * sizeof(uint32_t);
	uint32_t *event = as_alloc_new(al, size);
	enum as_exit rc;

	if (!event)
		return as_say_no_memory(r->ses);
	r->opts = (struct as_list_opts){
		.view = {.event = event, .files = r->in->file.p, .n_files = r->in->file.n},
		.chosen = r->args->events,
		.context = r->args->context.value,
		.has_context = r->args->context.given,
		.places = r->places};
	rc = as_session_events(
		r->ses, as_events_of(prof), r->args->events, event, &r->opts.view.n_events);
	for (uint32_t i = 0; !r->args->events && i < as_n_events(prof); i++)
		event[r->opts.view.n_events++] = i;
	if (rc == AS_EXIT_OK)
		rc = listings(r, what);
	as_alloc_free(al, event, size);
	return rc;
}

/* A row of self cost would go to the innermost function only; as a path of one frame, which names
 * make longer, it also says into what that was inlined. */
static enum as_exit places_to_paths(struct listing_run *r)
{
	struct as_profile *paths;
	struct as_err err;

	if (r->in->prof->shape != AS_SHAPE_PLACES || r->in->prof->jump.n ||
		!as_session_wants_names(r->ses) || !as_wants_symbols(r->in->prof))
		return AS_EXIT_OK;
	as_err_clear(&err);
	if (as_to_leaves(r->in->prof, &paths, NULL, &err) != AS_OK)
		return as_say_failed(r->ses, &err, NULL);
	as_profile_free(r->in->prof);
	r->in->prof = paths;
	r->places = true;
	return AS_EXIT_OK;
}

enum as_exit as_listing_hot(const struct as_session *ses, const struct as_listing_args *args,
	struct as_inputs *in, as_listing_use *use, void *ctx)
{
	struct listing_run r = {.ses = ses, .args = args, .in = in, .use = use, .ctx = ctx};
	size_t size = ((size_t)args->functions.value + 1) * sizeof(*r.hot);
	enum as_exit rc;

	r.hot = as_alloc_new(ses->al, size);
	if (!r.hot)
		return as_say_no_memory(ses);
	rc = with_events(&r, "");
	as_alloc_free(ses->al, r.hot, size);
	return rc;
}

static enum as_exit list_load(struct listing_run *r, const struct as_files files)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	const struct as_session *ses = r->ses;
	struct as_inputs *in = r->in;

	AS_DO(as_inputs_load(ses, files, &opts, true, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.contexts == AS_CONTEXTS_PATHS));
	AS_DO(places_to_paths(r));
	AS_DO(as_inputs_name(ses, in));
	AS_DO(as_inputs_show_names(ses, in));
	return as_inputs_filter(ses, in);
}

enum as_exit as_listing_ask(const struct as_session *ses, const struct as_listing_args *args,
	const char *func, struct as_files files, as_listing_use *use, void *ctx)
{
	struct as_inputs in;
	struct listing_run r = {.ses = ses, .args = args, .in = &in, .use = use, .ctx = ctx};
	enum as_exit rc = list_load(&r, files);

	if (rc == AS_EXIT_OK)
		rc = with_events(&r, func);
	as_inputs_release(&in);
	return rc;
}
