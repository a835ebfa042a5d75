/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles, as far as views need them, and what filters leave of them. */
#include "browse/browse_impl.h"

#include "report/kit/show.h"
#include "session/filtering.h"
#include "session/list/list.h"

/* ---- reading ---- */

static void data_work(struct as_browse *b, bool begins)
{
	if (b->around.work)
		b->around.work(b->around.ctx, begins);
}

void as_browse_forget(struct as_browse *b)
{
	if (b->has_top)
		as_top_release(&b->top);
	if (b->has_peek)
		as_neighbours_release(&b->peek);
	if (b->has_parts)
		as_parts_release(&b->parts);
	as_listings_free(b->listings);
	b->listings = NULL;
	b->has_top = b->has_peek = b->has_parts = false;
	as_browse_free_tree(b);
	as_browse_free_flame(b);
}

void as_browse_release_inputs(struct as_browse *b, struct as_inputs *in)
{
	if (!in)
		return;
	as_inputs_release(in);
	as_alloc_free(b->al, in, sizeof(*in));
}

/* What was read before, and made of that, makes room for IN. */
static void data_take(struct as_browse *b, struct as_inputs *in, enum as_browse_depth depth)
{
	as_browse_forget(b);
	as_profile_free(b->some);
	b->some = NULL;
	b->chosen = NULL;
	as_browse_release_inputs(b, b->in);
	b->in = in;
	b->prof = in->prof;
	b->depth = depth;
}

static struct as_files data_files(const struct as_browse *b)
{
	return (struct as_files){b->ask.file, b->ask.n_files};
}

static enum as_exit data_read(struct as_browse *b, enum as_browse_depth depth)
{
	const struct as_asked *opt = &b->whole.opt;
	bool sums = depth == AS_READ_SUMS && b->ask.n_files == 1 && !opt->read.all_parts &&
		    !opt->read.compat && opt->view.contexts != AS_CONTEXTS_PATHS &&
		    !as_filters_any(&b->whole);
	struct as_load_opts load = {
		.detail = depth == AS_READ_LINES ? AS_DETAIL_LINE : AS_DETAIL_FUNC,
		.sums = sums,
		.stacks = sums};
	struct as_inputs *in = as_alloc_new(b->al, sizeof(*in));
	enum as_exit rc;

	AS_DO(as_say_memory(&b->ses, in));
	rc = as_inputs_load(&b->whole, data_files(b), &load, true, in);
	AS_THEN(rc, as_inputs_view(&b->whole, in));
	if (rc == AS_EXIT_OK)
		data_take(b, in, sums || depth == AS_READ_LINES ? depth : AS_READ_FUNCS);
	else
		as_browse_release_inputs(b, in); /* what there was stays */
	return rc;
}

static enum as_exit data_read_again(struct as_browse *b, enum as_browse_depth depth)
{
	struct as_session quiet = b->whole;
	enum as_exit rc;

	b->whole.opt.tell.quiet |= b->shown; /* it was said before */
	data_work(b, true);
	rc = data_read(b, depth);
	data_work(b, false);
	b->whole.opt.tell = quiet.opt.tell;
	return rc;
}

/* ---- filters ---- */

/* The words of the state become options of SES; lists have room for so many. */
static bool data_put_words(struct as_session *ses, const struct as_browse_word *words)
{
	for (enum as_word k = AS_WORD_TAGFOCUS; k < AS_WORDS; k++)
		ses->opt.filter.word[k].n = 0;
	ses->opt.filter.image.n = 0;
	ses->opt.filter.word[AS_WORD_TAGROOT].n = ses->opt.filter.word[AS_WORD_TAGLEAF].n = 0;
	ses->opt.filter.from = ses->opt.filter.to = NULL; /* reading has looked at them */
	for (; words; words = words->next) {
		struct as_list *list = &ses->opt.filter.word[words->kind];

		if (list->n >= AS_LIST_MAX)
			return false;
		list->p[list->n++] = words->text;
	}
	return true;
}

static const char *data_left_words(enum as_left left)
{
	switch (left) {
	case AS_LEFT_NO_TIME:
		return "nothing was counted in that time";
	case AS_LEFT_NO_PART:
		return "no part, thread or label is of that name";
	case AS_LEFT_NO_LABEL:
		return "no label matches";
	default:
		return "the filters choose nothing";
	}
}

enum as_exit as_browse_filter(
	struct as_browse *b, const struct as_profile *prof, struct as_profile **some)
{
	struct as_session own = b->ses;
	struct as_filters_left left = {.prof = NULL};
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	as_assert(prof);
	*some = NULL;
	if (!b->st.words)
		return AS_EXIT_OK;
	own.filters = NULL;
	if (!data_put_words(&own, b->st.words)) {
		as_browse_say(b, "more filters of a kind than there is room for");
		return AS_EXIT_USAGE;
	}
	rc = as_filters_open(&own);
	AS_THEN(rc, as_say_code(&own, as_filters_run(own.filters, prof, &left, NULL, &err), &err));
	if (rc == AS_EXIT_OK && (!left.prof || left.left != AS_LEFT_SOME)) {
		as_browse_say(b, "%s", data_left_words(left.left));
		rc = AS_EXIT_NO;
	}
	as_filters_close(&own);
	if (rc != AS_EXIT_OK) {
		as_profile_free(left.prof);
		return rc;
	}
	left.prof->shown = prof->shown;
	*some = left.prof;
	return AS_EXIT_OK;
}

enum as_exit as_browse_need(struct as_browse *b, enum as_browse_depth depth)
{
	struct as_profile *some;

	if (b->st.words && depth < AS_READ_FUNCS)
		depth = AS_READ_FUNCS;
	if (b->depth < depth)
		AS_DO(data_read_again(b, depth));
	if (b->prof && b->chosen == b->st.words)
		return AS_EXIT_OK;
	AS_DO(as_browse_filter(b, b->in->prof, &some));
	as_browse_forget(b);
	as_profile_free(b->some);
	b->some = some;
	b->chosen = b->st.words;
	b->prof = some ? some : b->in->prof;
	return AS_EXIT_OK;
}

enum as_exit as_browse_need_full(struct as_browse *b)
{
	enum as_exit rc;

	if (b->has_full)
		return AS_EXIT_OK;
	data_work(b, true);
	rc = as_listing_load(&b->whole, data_files(b), false, &b->full);
	if (rc == AS_EXIT_OK) /* by time, and labels as frames: other filters are steps */
		rc = as_inputs_filter(&b->whole, &b->full);
	data_work(b, false);
	if (rc == AS_EXIT_OK)
		b->has_full = true;
	else
		as_inputs_release(&b->full);
	return rc;
}

/* ---- what is searched ---- */

bool as_browse_matches(const struct as_browse *b, struct as_slice text)
{
	return b->re && as_regexes_re2.match(b->re, text);
}

void as_browse_find(struct as_browse *b)
{
	const struct as_browse_view_ops *ops = as_browse_ops(b);
	size_t n = ops->rows(b);

	b->found.n = 0;
	b->narrowed = b->re && ops->narrows;
	for (size_t i = 0; b->narrowed && i < n; i++) {
		if (as_browse_matches(b, as_browse_row_text(b, i)) &&
			!as_vec_push(b->al, &b->found, (uint32_t)i))
			break;
		if (b->scratch.allocated > (size_t)1 << 24) { /* texts that were looked at */
			as_arena_release(&b->scratch);
			as_arena_init(&b->scratch, b->al);
		}
	}
}

size_t as_browse_rows(const struct as_browse *b)
{
	return b->narrowed ? b->found.n : as_browse_ops(b)->rows(b);
}

size_t as_browse_row(const struct as_browse *b, size_t i)
{
	as_assert(i < as_browse_rows(b));
	return b->narrowed ? b->found.p[i] : i;
}

struct as_slice as_browse_row_text(struct as_browse *b, size_t i)
{
	struct as_browse_column column[AS_BROWSE_COLUMNS];
	struct as_browse_line line = {.tint = AS_TINT_PLAIN};
	const struct as_browse_view_ops *ops = as_browse_ops(b);
	size_t n = ops->columns(b, column);

	ops->row(b, i, &line);
	if (line.whole)
		return line.cell[0];
	for (size_t k = 0; k < n; k++)
		if (column[k].name)
			return line.cell[k];
	return line.cell[0];
}

bool as_browse_func(struct as_browse *b, struct as_listing_id *id)
{
	const struct as_browse_view_ops *ops = as_browse_ops(b);

	if (b->st.at < as_browse_rows(b) && ops->id && ops->id(b, as_browse_row(b, b->st.at), id))
		return true;
	*id = b->st.func;
	return as_listing_id_is_set(id);
}

/* ---- what is shown ---- */

const struct as_browse_view_ops *as_browse_ops(const struct as_browse *b)
{
	static const struct as_browse_view_ops *const ops[AS_BROWSE_VIEWS] = {&as_browse_table_view,
		&as_browse_peek_view, &as_browse_tree_view, &as_browse_flame_view,
		&as_browse_text_view, &as_browse_text_view, &as_browse_threads_view,
		&as_browse_events_view};

	as_assert(b->st.view < AS_BROWSE_VIEWS);
	if (b->st.view == AS_BROWSE_TABLE && b->ask.base)
		return &as_browse_diff_view;
	return ops[b->st.view];
}

static void data_search(struct as_browse *b)
{
	struct as_slice text = as_slice_of(b->st.search);
	struct as_err err = AS_ERR_NONE;
	size_t place = 0;
	bool small = true;

	if (b->re)
		as_regexes_re2.release(b->re);
	b->re = NULL;
	for (size_t i = 0; i < text.len; i++)
		small &= text.p[i] < 'A' || text.p[i] > 'Z';
	if (text.len &&
		as_regexes_re2.make(as_regexes_re2.ctx, text, small, &b->re, &place, &err) != AS_OK)
		as_browse_say(b, "%s", err.msg);
	as_browse_find(b);
}

/* Where a view cannot be made the step before is what stays. */
static bool data_make_view(struct as_browse *b)
{
	enum as_exit rc = as_browse_ops(b)->make(b);

	if (rc == AS_EXIT_OK)
		return true;
	if (!b->said[0])
		as_browse_say(b, "that cannot be shown");
	return false;
}

void as_browse_make(struct as_browse *b)
{
	while (!data_make_view(b) && b->now) {
		b->history.n = b->now;
		b->st = b->history.p[--b->now];
	}
	data_search(b);
	if (b->st.at == AS_BROWSE_USUAL)
		b->st.at = 0;
	if (b->st.at >= as_browse_rows(b))
		b->st.at = as_browse_rows(b) ? as_browse_rows(b) - 1 : 0;
}

/* ---- figures ---- */

struct as_slice as_browse_count(struct as_browse *b, as_val v)
{
	return as_show_val(&b->scratch, v, &b->style);
}

void as_browse_cost(
	struct as_browse *b, struct as_slice cell[2], as_val v, enum as_browse_sure sure)
{
	const char *mark = sure == AS_ESTIMATED ? "~" : "";

	as_assert(b->prof && b->st.event < b->prof->event.n);
	if (sure == AS_AT_MOST)
		mark = b->style.utf8 ? "\u2264" : "<=";
	else if (v && b->prof->event.p[b->st.event].estimated)
		mark = "~";
	cell[0] = as_browse_count(b, v);
	cell[1] = as_show_percent(&b->scratch, v, as_whole(b->prof)[b->st.event]);
	if (mark[0])
		cell[0] = as_arena_printf(&b->scratch, "%s%.*s", mark, AS_SLICE_FMT(cell[0]));
	if (sure != AS_SURE)
		cell[1] = as_arena_printf(&b->scratch, "%s%.*s", mark, AS_SLICE_FMT(cell[1]));
}

void as_browse_inclusive(
	struct as_browse *b, struct as_slice cell[2], const struct as_table *t, uint32_t row)
{
	const as_val *most = as_table_most(t, row);
	uint32_t ev = b->st.event;
	as_val v;

	as_assert(row < t->n && ev < t->n_events);
	if (!t->has_incl[row]) {
		cell[0] = cell[1] = as_slice_of("-");
		return;
	}
	v = t->incl[(size_t)row * t->n_events + ev];
	if (most && most[ev] > v)
		as_browse_cost(b, cell, most[ev], AS_AT_MOST);
	else
		as_browse_cost(b, cell, v, AS_SURE);
}

enum as_tint as_browse_heat(as_val v, as_val most)
{
	enum as_paint paint = as_paint_heat(v, most);

	return paint == AS_PAINT_HOT    ? AS_TINT_HOT
	       : paint == AS_PAINT_WARM ? AS_TINT_WARM
					: AS_TINT_PLAIN;
}

struct as_listing_id as_browse_id_of(
	const struct as_profile *prof, const struct as_key *key, struct as_slice name)
{
	return (struct as_listing_id){.name = name,
		.file = as_file_path(prof, key->file),
		.object = as_object_path(prof, key->object),
		.addr = key->addr};
}

enum as_exit as_browse_listings(struct as_browse *b)
{
	const struct as_asked_view *view = &b->ses.opt.view;
	struct as_listing_opts opts = {.keep_contexts = view->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = view->cycles == AS_CYCLES_NO,
		.want_edges = true,
		.event = b->st.event};
	struct as_err err = AS_ERR_NONE;

	if (b->listings)
		return AS_EXIT_OK;
	if (as_listings_open(&b->listings, b->prof, &opts, &err) == AS_OK)
		return AS_EXIT_OK;
	as_listings_free(b->listings);
	b->listings = NULL;
	return as_say_failed(&b->ses, &err, NULL);
}

bool as_browse_find_row(struct as_browse *b, const struct as_listing_id *id, uint32_t *row)
{
	struct as_err err = AS_ERR_NONE;

	if (as_listings_find_id(b->listings, id, &err) != AS_OK || !as_listings_n(b->listings))
		return false;
	*row = as_listings_row(b->listings, 0);
	return true;
}
