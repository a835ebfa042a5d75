/* SPDX-License-Identifier: Apache-2.0 */
/* The profile as filters leave it. */
#include "scene.h"

#include <stdlib.h>

#include "base/duration.h"
#include "change/transform.h"
#include "report/kit/json.h"

/* ---- patterns ---- */

#ifdef __wasm__
#define IMPORT(name) __attribute__((import_module("env"), import_name(#name)))
#else
#define IMPORT(name) /* engine_fuzz.c */
#endif

IMPORT(assay_pattern) int32_t host_pattern(const char *text, size_t n, int32_t ignore_case);
IMPORT(assay_match) int32_t host_match(int32_t id, const char *text, size_t n);

static enum as_code make_matching(
	struct matching *m, struct as_slice text, bool ignore_case, struct as_err *err)
{
	m->id = host_pattern(text.p ? text.p : "", text.len, ignore_case);
	m->made = true;
	if (m->id >= 0)
		return AS_OK;
	return as_err_set(err, AS_E_ARG, "'%.*s' is no regular expression", AS_SLICE_FMT(text));
}

enum as_code as_question_match(const struct question *q, struct matching *m, struct failure *f)
{
	struct as_slice text = as_question_word(q, "match");

	*m = (struct matching){0};
	if (!text.len || make_matching(m, text, as_pattern_is_lower(text), &f->err) == AS_OK)
		return AS_OK;
	f->word = "match";
	return f->err.code;
}

bool as_matching(const struct matching *m, struct as_slice text)
{
	return host_match(m->id, text.p ? text.p : "", text.len) != 0;
}

/* For filters; CTX is an arena. */
static enum as_code make_regex(void *ctx, struct as_slice text, bool ignore_case, void **re,
	size_t *place, struct as_err *err)
{
	(void)place;
	*re = as_arena_get(ctx, sizeof(struct matching));
	if (!*re)
		return as_err_no_memory(err);
	return make_matching(*re, text, ignore_case, err);
}

static bool scene_match(const void *re, struct as_slice text)
{
	return as_matching(re, text);
}

/* ---- words ---- */

/* The words of a question that choose a scene. */
struct wish {
	const struct question *q;
	struct as_filter_word *word; /* those of filters */
	size_t n;
	struct as_slice key;
	enum as_detail detail;
	bool base; /* it is the base of a comparison, which has a time of its own */
	struct as_slice from, to;
};

/* Inlined code is to be that of the functions that it was inlined into. */
static bool scene_folds(const struct question *q)
{
	return as_slice_is(as_question_word(q, "inline"), "off");
}

/* Members of cycles keep the sums of their recorded calls; cycles are not collapsed. */
static bool is_raw(const struct question *q)
{
	return as_slice_is(as_question_word(q, "cycles"), "no");
}

/* How it is done: not asked for without one of the others. */
static bool is_manner(const struct word *w)
{
	return as_slice_is(w->key, "relative") || as_slice_is(w->key, "contexts");
}

/* The time that is chosen: "from" and "to" of the program, which are rows here. */
static void scene_take_time(struct wish *w)
{
	bool own = w->base && as_question_compares_times(w->q);

	w->from = as_question_word(w->q, own ? "base-time-from" : "time-from");
	w->to = as_question_word(w->q, own ? "base-time-to" : "time-to");
}

static bool scene_is_timed(const struct wish *w)
{
	return w->from.len || w->to.len;
}

bool as_question_compares_times(const struct question *q)
{
	return as_question_has(q, "base-time-from") || as_question_has(q, "base-time-to");
}

/* The words, and what they leave of the profile; "" is all of it. False if out of memory. */
static bool scene_take_words(struct wish *w, struct as_arena *ar)
{
	const struct question *q = w->q;
	struct as_slice *key = &w->key;
	bool fold = scene_folds(q);

	scene_take_time(w);
	w->word = as_arena_get(ar, (q->word.n + 1) * sizeof(*w->word));
	*key = as_slice_of(fold ? "inline\n" : "");
	for (size_t i = 0; i < q->word.n && key->p && w->word; i++) {
		const struct word *word = &q->word.p[i];
		bool chooses = as_word_find(word->key, &w->word[w->n].kind);

		if (chooses)
			w->word[w->n++].text = word->value;
		if (chooses || is_manner(word))
			*key = as_arena_printf(ar, "%.*s%.*s %zu %.*s\n", AS_SLICE_FMT(*key),
				AS_SLICE_FMT(word->key), word->value.len,
				AS_SLICE_FMT(word->value));
	}
	if (scene_is_timed(w) && key->p)
		*key = as_arena_printf(ar, "%.*stime %zu %.*s %.*s\n", AS_SLICE_FMT(*key),
			w->from.len, AS_SLICE_FMT(w->from), AS_SLICE_FMT(w->to));
	else if (!fold && !w->n && key->p)
		key->len = 0;
	if (is_raw(q) && key->p)
		*key = as_arena_printf(ar, "%.*scycles\n", AS_SLICE_FMT(*key));
	return key->p && w->word;
}

/* ---- filtering ---- */

static enum as_code scene_read_time(
	struct as_slice text, const char *word, int64_t *ns, struct failure *f)
{
	if (!text.len || as_duration_ns(text, ns))
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, word,
		"'%.100s' is no time after the beginning, as in 2.5s, 300ms or 1m", text.p);
}

static enum as_code scene_choose_time(
	const struct wish *w, struct as_filters_ask *ask, struct failure *f)
{
	ask->by_time = scene_is_timed(w);
	ask->time = (struct as_time_range){INT64_MIN, INT64_MAX};
	AS_TRY(scene_read_time(w->from, "time-from", &ask->time.from, f));
	AS_TRY(scene_read_time(w->to, "time-to", &ask->time.to, f));
	if (ask->time.from < ask->time.to)
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, "time-to", "the time does not begin before it ends");
}

static enum as_code scene_filter(struct scene *s, const struct wish *w, struct failure *f)
{
	struct as_filters_ask ask = {
		.word = w->word, .n = w->n, .regex = {&s->arena, make_regex, scene_match, NULL}};
	struct as_filters_wrong wrong = {0};
	static const char *const contexts[] = {"fold", "keep", NULL};
	unsigned keep = 0;
	enum as_code rc;

	AS_TRY(as_question_choice(w->q, "contexts", contexts, &keep, f));
	AS_TRY(as_question_flag(w->q, "relative", &ask.relative, f));
	AS_TRY(scene_choose_time(w, &ask, f));
	ask.keep_contexts = keep;
	rc = as_filters_new(s->al, &ask, &s->filters, &wrong, &f->err);
	if (rc == AS_E_ARG)
		f->word = as_word_text(wrong.word.kind);
	AS_TRY(rc);
	AS_TRY(as_filters_run(s->filters, s->prof, &s->left, &s->losses, &f->err));
	s->prof = s->left.prof;
	return AS_OK;
}

/* ---- scenes ---- */

void as_scene_drop_keepsake(struct scene *s)
{
	if (s->keepsake.release)
		s->keepsake.release(s->al, s->keepsake.p);
	s->keepsake = (struct as_keepsake){0};
}

void as_scene_drop_paths(struct scene *s)
{
	as_scene_drop_keepsake(s); /* it may be made of them */
	if (s->all.made)
		as_calltree_release(&s->all.ct);
	if (s->one.made)
		as_calltree_release(&s->one.ct);
	s->all.made = s->one.made = false;
	as_listings_free(s->of_paths.ls);
	s->of_paths.ls = NULL;
	if (s->paths_made)
		as_path_source_release(&s->paths);
	s->paths_made = false;
}

void as_scene_free(struct scene *s)
{
	if (!s)
		return;
	as_scene_drop_paths(s);
	as_scene_drop_keepsake(s);
	as_profile_free(s->picked);
	as_listings_free(s->listings.ls);
	for (size_t i = 0; i < TOPS; i++)
		if (s->top[i].made)
			as_top_release(&s->top[i].top);
	as_filters_free(s->filters);
	as_profile_free(s->left.prof);
	as_profile_free(s->folded);
	as_losses_release(&s->losses);
	as_arena_release(&s->arena);
	as_alloc_free(s->al, s, sizeof(*s));
}

/* The first are those of whole profiles; of the others the one that was asked for first goes. */
static size_t place_for(const struct engine *e, bool whole, enum as_detail detail)
{
	size_t at = DETAILS;

	if (whole)
		return detail;
	for (size_t i = DETAILS; i < SCENES; i++) {
		if (!e->scene[i])
			return i;
		if (e->scene[i]->asked < e->scene[at]->asked)
			at = i;
	}
	return at;
}

/* Filters match what is shown: inlined frames are gone before. */
static enum as_code scene_make(
	struct engine *e, const struct wish *w, struct scene *s, struct failure *f)
{
	AS_TRY(as_engine_read(e, s->detail, &s->prof, f));
	if (scene_folds(w->q))
		AS_TRY(as_fold_inlined(s->prof, &s->folded, &f->err));
	if (s->folded)
		s->prof = s->folded;
	return w->n || scene_is_timed(w) ? scene_filter(s, w, f) : AS_OK;
}

/* A scene of its own at AT. */
static enum as_code scene_replace(
	struct engine *e, const struct wish *w, size_t at, struct failure *f)
{
	struct scene *s = as_alloc_new(e->al, sizeof(*s));
	enum as_code rc;

	as_assert(at < SCENES);
	as_scene_free(e->scene[at]);
	e->scene[at] = s;
	if (!s)
		return as_failure_no_memory(f);
	s->al = e->al;
	s->detail = w->detail;
	s->no_cycles = is_raw(w->q);
	as_arena_init(&s->arena, e->al);
	as_losses_init(&s->losses, e->al);
	s->key = as_arena_dup(&s->arena, w->key);
	rc = s->key.p ? scene_make(e, w, s, f) : as_failure_no_memory(f);
	if (rc == AS_OK)
		return AS_OK;
	as_scene_free(s);
	e->scene[at] = NULL;
	return rc;
}

static enum as_code find_or_make(
	struct engine *e, const struct wish *w, struct scene **scene, struct failure *f)
{
	size_t at = 0;

	while (at < SCENES && !(e->scene[at] && e->scene[at]->detail == w->detail &&
				      as_slice_eq(e->scene[at]->key, w->key)))
		at++;
	if (at == SCENES) {
		at = place_for(e, !w->key.len, w->detail);
		AS_TRY(scene_replace(e, w, at, f));
	}
	*scene = e->scene[at];
	(*scene)->asked = ++e->clock;
	return AS_OK;
}

static enum as_code scene_get(struct engine *e, struct wish *w, struct as_arena *ar,
	struct scene **scene, struct failure *f)
{
	static const char *const inlines[] = {"on", "off", NULL};
	static const char *const cycles[] = {"yes", "no", NULL};
	const struct as_profile *prof;
	unsigned inlined = 0, raw = 0;

	AS_TRY(as_question_choice(w->q, "inline", inlines, &inlined, f));
	AS_TRY(as_question_choice(w->q, "cycles", cycles, &raw, f));
	if (!scene_take_words(w, ar))
		return as_failure_no_memory(f);
	w->detail = as_fields_detail(as_words_fields(w->word, w->n), w->detail);
	AS_TRY(as_engine_read(e, w->detail, &prof, f));
	if (!e->by_detail)
		w->detail = AS_DETAIL_FUNC;
	return find_or_make(e, w, scene, f);
}

enum as_code as_scene_get(struct engine *e, const struct question *q, enum as_detail detail,
	struct scene **scene, struct failure *f)
{
	return as_scene_get_side(e, q, detail, false, scene, f);
}

enum as_code as_scene_get_side(struct engine *e, const struct question *q, enum as_detail detail,
	bool base, struct scene **scene, struct failure *f)
{
	struct wish w = {.q = q, .detail = detail, .base = base};
	struct as_arena ar;
	enum as_code rc;

	as_arena_init(&ar, e->al);
	rc = scene_get(e, &w, &ar, scene, f);
	as_arena_release(&ar);
	return rc;
}

enum as_code as_scene_left(const struct scene *s, struct failure *f)
{
	const struct as_filter_item *blame = s->left.blame;

	if (s->left.left == AS_LEFT_SOME)
		return AS_OK;
	if (s->left.left == AS_LEFT_NO_TIME)
		return as_failure_set(
			f, AS_E_ARG, NULL, "nothing is left: nothing was counted in that time");
	if (s->left.left == AS_LEFT_NO_PART)
		return as_failure_set(f, AS_E_ARG, NULL,
			"nothing is left: the profile has no such thread, part or label");
	if (blame)
		return as_failure_set(f, AS_E_ARG, as_word_text(blame->kind),
			"nothing is left: '%.200s' matches no %s", blame->text.p,
			blame->fields ? as_match_fields_text(blame->fields) : "label");
	return as_failure_set(
		f, AS_E_ARG, NULL, "nothing is left: no sample is one that all filters choose");
}
