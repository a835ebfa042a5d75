/* SPDX-License-Identifier: Apache-2.0 */
/* What the profile that the line names has: events, functions, threads, labels. */

#include "cli/complete/complete.h"
#include "model/whose.h"
#include "session/choose.h"
#include "session/filtering.h"
#include "symbols/names/demangle.h"

enum { FUNCTIONS_MAX = 500 }; /* the hottest of those that fit */

static void offer_events(struct as_complete *c, const struct as_profile *prof)
{
	for (uint32_t i = 0; i < as_n_events(prof); i++)
		as_complete_offer(c, as_event_name(prof, i),
			as_arena_printf(&c->arena, "total %.0Lf", (long double)prof->total[i]));
}

/* ---- functions ---- */

/* A pattern finds what it says if nothing in it means anything to a regular expression. */
static bool is_plain(struct as_slice word)
{
	for (size_t i = 0; i < word.len; i++)
		if (strchr("\\^$.|?*+()[]{}", word.p[i]))
			return false;
	return word.len != 0;
}

static struct as_slice shown_as(
	struct as_complete *c, const struct as_profile *prof, struct as_slice name, bool word)
{
	struct as_slice shown;

	if (!word)
		return as_shown_find(prof->shown, name);
	shown = as_name_at_level(&c->arena, name, AS_NAMES_SHORT);
	return is_plain(shown) ? shown : (struct as_slice){0};
}

/* Rows of T in their ORDER: those that begin with the value, or, if there are none, have it. */
static void offer_rows(
	struct as_complete *c, const struct as_table *t, const uint32_t *order, bool word)
{
	size_t before = c->n;

	for (int pass = 0; pass < 2 && c->n == before; pass++)
		for (size_t i = 0; i < t->n && c->n - before < FUNCTIONS_MAX; i++) {
			uint32_t row = order[i];
			struct as_slice name = as_table_func_name(t, row), about = {0};

			if (!name.len || t->key[row].is_cycle)
				continue;
			if (t->n_events && t->total[0] > 0)
				about = as_arena_printf(&c->arena, "self %.1Lf %%",
					100 * (long double)t->self[row * t->n_events] /
						(long double)t->total[0]);
			name = shown_as(c, t->prof, name, word);
			if (pass ? as_complete_offer_part(c, name, about)
				 : as_complete_offer(c, name, about))
				continue;
		}
}

static void offer_functions(struct as_complete *c, const struct as_profile *prof, bool word)
{
	struct as_project_opts opts = {.by = AS_BY_FUNC, .no_cycles = true};
	struct as_err err = AS_ERR_NONE;
	struct as_table *table;
	uint32_t *order;

	if (as_project(prof, &opts, &table, &err) != AS_OK)
		return;
	if (as_arena_array(&c->arena, &order, table->n)) {
		if (table->n_events)
			as_table_sort(table, prof, 0, false, order);
		else
			for (size_t i = 0; i < table->n; i++)
				order[i] = (uint32_t)i;
		offer_rows(c, table, order, word);
	}
	as_table_free(table);
}

static void offer_objects(struct as_complete *c, const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->object.n; i++) {
		struct as_slice path = as_str_get(prof, prof->object.p[i].path);

		as_complete_offer(c, as_base_name(path), path);
	}
}

/* ---- whose samples, and labels ---- */

static void offer_part(
	struct as_complete *c, const struct as_profile *prof, size_t part, enum as_complete_of what)
{
	struct as_whose w = as_part_whose(prof, part);
	struct as_slice number = {0};

	if (what == AS_COMPLETE_PARTS) {
		as_complete_offer(c, as_str_get(prof, prof->part.p[part].name), as_slice_of(""));
	} else if (what == AS_COMPLETE_THREADS) {
		if (w.has_tid)
			number = as_arena_printf(&c->arena, "%" PRIu64, w.tid);
		as_complete_offer(c, w.thread.len ? w.thread : number, number);
	} else {
		if (w.has_pid)
			number = as_arena_printf(&c->arena, "%" PRIu64, w.pid);
		as_complete_offer(c, w.process.len ? w.process : number, number);
	}
}

static void offer_label(
	struct as_complete *c, const struct as_profile *prof, const struct as_label *l, bool keys)
{
	struct as_slice key = as_str_get(prof, l->key), text = as_str_get(prof, l->text);
	bool has_key = strchr(c->value, '=') != NULL;

	if (l->opaque)
		return;
	if (keys) {
		as_complete_offer(c, key, as_slice_of(""));
		return;
	}
	if (has_key && !text.len)
		text = as_arena_printf(&c->arena, "%" PRId64, l->number);
	as_complete_offer(c,
		as_arena_printf(&c->arena, "%.*s=%.*s", AS_SLICE_FMT(key),
			has_key ? (int)text.len : 0, text.p ? text.p : ""),
		as_slice_of(""));
}

static void offer_of(struct as_complete *c, const struct as_profile *prof, enum as_complete_of what)
{
	switch (what) {
	case AS_COMPLETE_EVENTS:
		offer_events(c, prof);
		return;
	case AS_COMPLETE_FUNCTIONS:
	case AS_COMPLETE_WORDS:
		offer_functions(c, prof, what == AS_COMPLETE_WORDS);
		return;
	case AS_COMPLETE_OBJECTS:
		offer_objects(c, prof);
		return;
	case AS_COMPLETE_THREADS:
	case AS_COMPLETE_PROCESSES:
	case AS_COMPLETE_PARTS:
		for (size_t i = 0; i < prof->part.n; i++)
			offer_part(c, prof, i, what);
		return;
	case AS_COMPLETE_KEYS:
	case AS_COMPLETE_LABELS:
		for (size_t i = 0; i < prof->label.n; i++)
			offer_label(c, prof, &prof->label.p[i], what == AS_COMPLETE_KEYS);
		return;
	}
}

void as_complete_of_profile(struct as_complete *c, enum as_complete_of what)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FUNC};
	struct as_session *ses = &c->cli->ses;
	struct as_inputs in;

	if (!c->file)
		return;
	/* All of the profile is offered, whatever the line's filters choose; no server is asked. */
	memset(&ses->opt.filter, 0, sizeof(ses->opt.filter));
	memset(&ses->opt.view, 0, sizeof(ses->opt.view));
	ses->opt.name.debuginfod = false;
	ses->shows = true;
	if (what != AS_COMPLETE_FUNCTIONS && what != AS_COMPLETE_WORDS)
		ses->opt.name.symbols = AS_SYMBOLS_NONE;
	if (as_filters_open(ses) != AS_EXIT_OK)
		return;
	if (as_inputs_load(ses, (struct as_files){&c->file, 1}, &opts, true, &in) == AS_EXIT_OK &&
		as_inputs_view(ses, &in) == AS_EXIT_OK)
		offer_of(c, in.prof, what);
	as_inputs_release(&in);
	as_filters_close(ses);
}
