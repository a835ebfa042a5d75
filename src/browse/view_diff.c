/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two files: `assay diff`. */
#include "browse/browse_impl.h"

#include "diff/stat.h"
#include "report/kit/show.h"
#include "session/filtering.h"

struct as_browse_diff {
	struct as_inputs base; /* as it was read */
	bool has_base, has_c;
	enum as_browse_depth depth; /* of BASE */
	struct as_compare c;
	/* what C was made for */
	const struct as_profile *of;
	enum as_by by;
	uint32_t event; /* of C */
	uint32_t of_event;
	bool inclusive;
};

void as_browse_free_diff(struct as_browse *b)
{
	struct as_browse_diff *df = b->diff;

	if (!df)
		return;
	if (df->has_c)
		as_compare_release(&df->c);
	if (df->has_base)
		as_inputs_release(&df->base);
	as_alloc_free(b->al, df, sizeof(*df));
	b->diff = NULL;
}

/* ---- making it ---- */

static enum as_exit diff_view_read(
	struct as_browse *b, struct as_browse_diff *df, enum as_browse_depth depth)
{
	struct as_load_opts load = {
		.detail = depth == AS_READ_LINES ? AS_DETAIL_LINE : AS_DETAIL_FUNC};
	enum as_exit rc;

	if (df->has_base && df->depth >= depth)
		return AS_EXIT_OK;
	if (df->has_base)
		as_inputs_release(&df->base);
	df->has_base = true;
	df->depth = AS_READ_NOTHING;
	if (b->around.work)
		b->around.work(b->around.ctx, true);
	rc = as_inputs_load(&b->whole, (struct as_files){&b->ask.base, 1}, &load, true, &df->base);
	AS_THEN(rc, as_inputs_view(&b->whole, &df->base));
	if (b->around.work)
		b->around.work(b->around.ctx, false);
	if (rc == AS_EXIT_OK)
		df->depth = depth;
	return rc;
}

static enum as_exit diff_view_failed(struct as_browse *b, const struct as_compare *c)
{
	if (c->fault == AS_COMPARE_VOID) {
		as_browse_say(b, "the filters leave nothing of either file");
		return AS_EXIT_NO;
	}
	return as_say_failed(&b->ses, &c->err, NULL);
}

static enum as_code diff_view_add(struct as_browse *b, struct as_compare *c, enum as_side side,
	const struct as_profile *prof, const struct as_profile *whole)
{
	struct as_exec exec;
	struct as_compare_run run = {.side = side,
		.name = as_slice_of(side == AS_BASE ? b->ask.base : b->ask.file[0]),
		.prof = prof,
		.clump = as_diff_clump(whole),
		.exec = as_session_exec(&b->ses, &exec)};

	return as_compare_add(c, &run);
}

static enum as_exit diff_view_compare(
	struct as_browse *b, struct as_browse_diff *df, const struct as_profile *base)
{
	const struct as_asked_view *asked = &b->ses.opt.view;
	struct as_compare_ask ask = {.kind = AS_DIFF_TABLE,
		.by = b->st.by,
		.keep_contexts = asked->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = asked->cycles == AS_CYCLES_NO,
		.all_events = true,
		.sort = as_event_name(b->prof, b->st.event),
		.inclusive = b->st.inclusive,
		.n_runs = 2};
	struct as_renamer shown;
	struct as_compare *c = &df->c;

	if (df->has_c)
		as_compare_release(c);
	df->has_c = true;
	AS_DO(as_say_code(&b->ses, as_compare_begin(c, b->al, &ask), NULL));
	if (diff_view_add(b, c, AS_BASE, base, df->base.prof) != AS_OK ||
		diff_view_add(b, c, AS_NEW, b->prof, b->in->prof) != AS_OK)
		return diff_view_failed(b, c);
	if (as_session_names_how(&b->ses, true, &shown) &&
		as_diff_show_names(c->d, &shown, &c->err) != AS_OK)
		return diff_view_failed(b, c);
	if (as_compare_finish(c) != AS_OK)
		return diff_view_failed(b, c);
	df->event = c->d->sort_event;
	return AS_EXIT_OK;
}

static enum as_exit diff_view_make(struct as_browse *b)
{
	enum as_browse_depth depth =
		b->st.by == AS_BY_FUNC || b->st.by == AS_BY_OBJECT ? AS_READ_FUNCS : AS_READ_LINES;
	struct as_browse_diff *df = b->diff;
	struct as_profile *some;
	enum as_exit rc;

	AS_DO(as_browse_need(b, depth));
	if (!df)
		df = b->diff = as_alloc_new(b->al, sizeof(*df));
	AS_DO(as_say_memory(&b->ses, df));
	AS_DO(diff_view_read(b, df, depth));
	if (df->of == b->prof && df->by == b->st.by && df->of_event == b->st.event &&
		df->inclusive == b->st.inclusive)
		return AS_EXIT_OK;
	df->of = NULL;
	AS_DO(as_browse_filter(b, df->base.prof, &some));
	rc = diff_view_compare(b, df, some ? some : df->base.prof);
	as_profile_free(some);
	AS_DO(rc);
	df->of = b->prof;
	df->by = b->st.by;
	df->of_event = b->st.event;
	df->inclusive = b->st.inclusive;
	return AS_EXIT_OK;
}

/* ---- rows ---- */

static size_t diff_view_rows(const struct as_browse *b)
{
	return b->diff && b->diff->of ? b->diff->c.d->key.n : 0;
}

static size_t diff_view_columns(struct as_browse *b, struct as_browse_column *column)
{
	static const struct as_browse_column all[] = {{.head = "base", .rank = 2},
		{.head = "new", .rank = 1}, {.head = "diff"}, {.head = "%", .rank = 3},
		{.head = "", .rank = 4, .left = true},
		{.head = "function", .left = true, .name = true},
		{.head = "where", .left = true, .rank = 5}};

	memcpy(column, all, sizeof(all));
	column[2].head = as_diff_delta(&b->style);
	if (b->st.by != AS_BY_FUNC)
		column[5].head = b->st.by == AS_BY_OBJECT ? "object"
				 : b->st.by == AS_BY_FILE ? "file"
							  : "line";
	return AS_ARRAY_LEN(all);
}

static const char *diff_view_word(const struct as_diff *d, uint32_t row, enum as_verdict verdict)
{
	if (!as_diff_has(d, row, AS_BASE))
		return "new";
	if (!as_diff_has(d, row, AS_NEW))
		return "gone";
	return verdict == AS_DIFF_NOISE || verdict == AS_DIFF_CHANCE ? "noise" : "";
}

static void diff_view_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_diff *d = b->diff->c.d;
	uint32_t row = d->order[i], ev = b->diff->event;
	const struct as_diff_event *event = &d->event[ev];
	struct as_diff_fig fig = as_diff_figure(d, row, ev, b->st.inclusive);
	as_val change = fig.value[AS_NEW] - fig.value[AS_BASE];
	const struct as_diff_key *key = &d->key.p[row];
	struct as_slice path = as_diff_str(d, key->path);

	line->cell[5] = as_show_clean(&b->scratch, as_diff_row_name(&b->scratch, d, row));
	if (b->st.by == AS_BY_LINE)
		line->cell[5] = as_show_where(&b->scratch, path, key->line);
	if (b->st.by == AS_BY_FUNC)
		line->cell[6] = as_show_where(&b->scratch, path, 0);
	line->cell[4] = as_slice_of(diff_view_word(d, row, fig.verdict));
	if (!fig.known)
		return;
	line->cell[0] = as_diff_number(&b->scratch, event, fig.value[AS_BASE], false, &b->style);
	line->cell[1] = as_diff_number(&b->scratch, event, fig.value[AS_NEW], false, &b->style);
	line->cell[2] = as_diff_number(&b->scratch, event, change, true, &b->style);
	line->cell[3] = as_diff_percent(&b->scratch, fig.value[AS_BASE], fig.value[AS_NEW]);
	line->tint = !change || fig.verdict < AS_DIFF_CHANCE ? AS_TINT_DIM
		     : change > 0                            ? AS_TINT_BAD
							     : AS_TINT_GOOD;
}

static bool diff_view_id(struct as_browse *b, size_t i, struct as_listing_id *id)
{
	const struct as_diff *d = b->diff->c.d;
	const struct as_diff_key *key = &d->key.p[d->order[i]];

	if (b->st.by != AS_BY_FUNC)
		return false;
	*id = (struct as_listing_id){.name = as_diff_str(d, key->name)};
	return id->name.len != 0;
}

static void diff_view_enter(struct as_browse *b, size_t i)
{
	struct as_browse_state next = b->st;
	struct as_listing_id id;

	if (!diff_view_id(b, i, &id)) {
		as_browse_say(b, "only functions have callers");
		return;
	}
	next.func = as_browse_keep_id(b, &id);
	next.view = AS_BROWSE_PEEK;
	next.at = AS_BROWSE_USUAL;
	next.top = 0;
	next.search = "";
	as_browse_step(b, &next);
}

const struct as_browse_view_ops as_browse_diff_view = {.name = "Differences",
	.make = diff_view_make,
	.rows = diff_view_rows,
	.columns = diff_view_columns,
	.row = diff_view_row,
	.id = diff_view_id,
	.enter = diff_view_enter,
	.narrows = true};
