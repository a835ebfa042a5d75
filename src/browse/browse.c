/* SPDX-License-Identifier: Apache-2.0 */
/* From what is asked to the first view, and the end. */
#include "browse/browse_impl.h"

#include <stdio.h>

#include "session/filtering.h"

void as_browse_say(struct as_browse *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(b->said, sizeof(b->said), fmt, ap);
	va_end(ap);
}

/* What a session says stands at the bottom, or where it did before there is a screen. */
static void browse_say(void *ctx, enum as_say how, const char *text, const char *hint)
{
	struct as_browse *b = ctx;

	if (!b->shown && b->ask.ses->say)
		b->ask.ses->say(b->ask.ses->say_ctx, how, text, hint);
	else if (how == AS_SAY_ERROR && hint && hint[0])
		as_browse_say(b, "%s; %s", text, hint);
	else if (how <= AS_SAY_WARNING)
		as_browse_say(b, "%s", text);
}

/* ---- progress, on the screen ---- */

static struct as_progress *browse_progress_begin(void *ctx)
{
	struct as_browse *b = ctx;
	const struct as_around *around = b->ask.ses->around;

	if (b->shown)
		return b->around.progress_begin ? b->around.progress_begin(b->around.ctx) : NULL;
	return around->progress_begin ? around->progress_begin(around->ctx) : NULL;
}

static void browse_progress_end(void *ctx)
{
	struct as_browse *b = ctx;
	const struct as_around *around = b->ask.ses->around;

	if (!b->shown && around->progress_end)
		around->progress_end(around->ctx);
}

/* The rest is the program's. */
static void browse_symbols(void *ctx, struct as_arena *arena, struct as_symbol_opts *opts)
{
	const struct as_around *around = ((struct as_browse *)ctx)->ask.ses->around;

	if (around->symbols)
		around->symbols(around->ctx, arena, opts);
}

static const char *browse_database(void *ctx, struct as_arena *arena)
{
	const struct as_around *around = ((struct as_browse *)ctx)->ask.ses->around;

	return around->database ? around->database(around->ctx, arena) : NULL;
}

static enum as_exit browse_store(
	void *ctx, struct as_arena *arena, struct as_slice name, struct as_fleet_opts *opts)
{
	const struct as_around *around = ((struct as_browse *)ctx)->ask.ses->around;

	return around->store ? around->store(around->ctx, arena, name, opts) : AS_EXIT_UNSUPPORTED;
}

void as_browse_surround(struct as_browse *b, const struct as_browse_around *around)
{
	b->around = *around;
	b->shown = true;
}

/* ---- beginning ---- */

static void browse_sessions(struct as_browse *b)
{
	b->surroundings = (struct as_around){.ctx = b,
		.progress_begin = browse_progress_begin,
		.progress_end = browse_progress_end,
		.symbols = browse_symbols,
		.database = browse_database,
		.store = browse_store};
	b->ses = *b->ask.ses;
	b->ses.say = browse_say;
	b->ses.say_ctx = b;
	if (b->ses.around)
		b->ses.around = &b->surroundings;
	b->ses.shows = true;
	b->ses.opt.view.format = AS_FORMAT_TEXT;
	b->whole = b->ses;
	for (enum as_word k = AS_WORD_TAGFOCUS; k < AS_WORDS; k++)
		b->whole.opt.filter.word[k].n = 0;
	b->whole.opt.filter.image.n = 0;
	b->whole.filters = NULL;
}

/* The filters that were asked for are steps that cannot be undone. */
static enum as_exit browse_words(struct as_browse *b)
{
	const struct as_asked_filter *opt = &b->ask.ses->opt.filter;

	for (enum as_word k = AS_WORD_TAGFOCUS; k < AS_WORDS; k++)
		for (size_t i = 0; i < opt->word[k].n + (k == AS_WORD_OBJECT ? opt->image.n : 0);
			i++) {
			struct as_browse_word *w = as_arena_new(&b->arena, sizeof(*w));

			AS_DO(as_say_memory(&b->ses, w));
			*w = (struct as_browse_word){k,
				i < opt->word[k].n ? opt->word[k].p[i]
						   : opt->image.p[i - opt->word[k].n],
				b->st.words};
			b->st.words = w;
		}
	return AS_EXIT_OK;
}

static enum as_exit browse_begin(struct as_browse *b)
{
	AS_DO(browse_words(b));
	AS_DO(as_filters_open(&b->whole));
	AS_DO(as_browse_need(b, AS_READ_SUMS));
	if (b->ask.event)
		AS_DO(as_session_event(&b->ses, as_events_of(b->prof), b->ask.event, &b->st.event));
	AS_DO(as_say_memory(&b->ses, as_vec_push(b->al, &b->history, b->st)));
	return as_browse_ops(b)->make(b);
}

enum as_exit as_browse_open(struct as_browse **out, const struct as_browse_ask *ask)
{
	struct as_browse *b = as_alloc_new(ask->ses->al, sizeof(*b));
	enum as_exit rc;

	*out = b;
	AS_DO(as_say_memory(ask->ses, b));
	b->al = ask->ses->al;
	b->ask = *ask;
	b->style = (struct as_style){.group = true, .utf8 = ask->utf8};
	as_arena_init(&b->arena, b->al);
	as_arena_init(&b->scratch, b->al);
	b->st = (struct as_browse_state){.inclusive = ask->cumulative, .search = ""};
	browse_sessions(b);
	rc = browse_begin(b);
	if (rc != AS_EXIT_OK && b->said[0]) /* there is no screen yet */
		as_say_error(ask->ses, b->said, NULL);
	if (rc == AS_EXIT_OK)
		as_browse_make(b);
	return rc;
}

void as_browse_close(struct as_browse *b)
{
	if (!b)
		return;
	as_browse_forget(b);
	as_browse_free_diff(b);
	as_profile_free(b->some);
	as_browse_release_inputs(b, b->in);
	if (b->has_full)
		as_inputs_release(&b->full);
	as_filters_close(&b->whole);
	if (b->re)
		as_regexes_re2.release(b->re);
	as_vec_free(b->al, &b->history);
	as_vec_free(b->al, &b->text);
	as_vec_free(b->al, &b->span);
	as_vec_free(b->al, &b->where);
	as_vec_free(b->al, &b->found);
	if (b->text_arena.al)
		as_arena_release(&b->text_arena);
	as_arena_release(&b->arena);
	as_arena_release(&b->scratch);
	as_alloc_free(b->al, b, sizeof(*b));
}

const char *as_browse_file(const struct as_browse *b, uint64_t *line)
{
	*line = b->edit_line;
	return b->edit;
}

struct as_slice as_browse_copied(const struct as_browse *b)
{
	return b->copied;
}
