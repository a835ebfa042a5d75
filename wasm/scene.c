/* SPDX-License-Identifier: Apache-2.0 */
/* The profile as filters leave it. */
#include "scene.h"

#include <stdlib.h>

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

enum as_code as_matching_make(struct matching *m, struct as_slice text, bool ignore_case,
	const char *word, struct failure *f)
{
	m->id = host_pattern(text.p ? text.p : "", text.len, ignore_case);
	m->made = true;
	if (m->id >= 0)
		return AS_OK;
	return as_failure_set(
		f, AS_E_ARG, word, "'%.*s' is no regular expression", AS_SLICE_FMT(text));
}

enum as_code as_question_match(const struct question *q, struct matching *m, struct failure *f)
{
	struct as_slice text = as_question_word(q, "match");

	*m = (struct matching){0};
	return text.len ? as_matching_make(m, text, as_pattern_is_lower(text), "match", f) : AS_OK;
}

bool as_matching(const struct matching *m, struct as_slice text)
{
	return host_match(m->id, text.p ? text.p : "", text.len) != 0;
}

static bool match(const void *ctx, struct as_slice text)
{
	return as_matching(ctx, text);
}

/* ---- words ---- */

bool as_scene_is_pattern(const struct word *w, enum as_filter_kind *kind)
{
	for (unsigned k = 0; k <= AS_FILTER_OBJECT; k++)
		if (as_slice_is(w->key, as_filter_kind_text((enum as_filter_kind)k))) {
			*kind = (enum as_filter_kind)k;
			return true;
		}
	return false;
}

static bool chooses_parts(const struct word *w)
{
	enum as_tag_kind kind;

	return as_slice_is(w->key, "thread") || as_slice_is(w->key, "part") ||
	       as_slice_is(w->key, "label") || as_scene_is_tag(w, &kind);
}

/* Inlined code is to be that of the functions that it was inlined into. */
static bool folds(const struct question *q)
{
	return as_slice_is(as_question_word(q, "inline"), "off");
}

/* Of members of cycles what recorded calls add up to is wanted, not what is collapsed. */
static bool is_raw(const struct question *q)
{
	return as_slice_is(as_question_word(q, "cycles"), "no");
}

/* How it is done: not asked for without one of the others. */
static bool is_manner(const struct word *w)
{
	return as_slice_is(w->key, "relative") || as_slice_is(w->key, "contexts");
}

static bool has_filters(const struct question *q)
{
	enum as_filter_kind kind;
	bool any = false;

	for (size_t i = 0; i < q->word.n; i++)
		any |= chooses_parts(&q->word.p[i]) || as_scene_is_pattern(&q->word.p[i], &kind);
	return any;
}

/* What Q leaves of the profile; "" is all of it. False if out of memory. */
static bool key_of(const struct question *q, struct as_arena *ar, struct as_slice *key)
{
	enum as_filter_kind kind;
	bool any = folds(q);

	*key = as_slice_of(any ? "inline\n" : "");
	for (size_t i = 0; i < q->word.n && key->p; i++) {
		const struct word *w = &q->word.p[i];
		bool chooses = chooses_parts(w) || as_scene_is_pattern(w, &kind);

		any |= chooses;
		if (chooses || is_manner(w))
			*key = as_arena_printf(ar, "%.*s%.*s %zu %.*s\n", AS_SLICE_FMT(*key),
				AS_SLICE_FMT(w->key), w->value.len, AS_SLICE_FMT(w->value));
	}
	if (!any && key->p)
		key->len = 0;
	if (is_raw(q) && key->p)
		*key = as_arena_printf(ar, "%.*scycles\n", AS_SLICE_FMT(*key));
	return key->p;
}

/* The values of the word KEY, ended by NUL each. */
static bool texts(
	struct as_arena *ar, const struct question *q, const char *key, struct as_texts *out)
{
	const char **p = as_arena_get(ar, (q->word.n + 1) * sizeof(*p));
	struct as_slice value;
	size_t i = 0, n = 0;

	while (p && as_question_next(q, key, &i, &value))
		p[n++] = value.p;
	*out = (struct as_texts){p, n};
	return p;
}

/* ---- filtering ---- */

struct filtering {
	struct scene *s;
	const struct question *q;
	struct failure *f;
	struct as_filter how;
	struct as_matcher matcher[PATTERNS_MAX];
	struct matching matching[PATTERNS_MAX];
};

static enum as_code add_pattern(struct filtering *t, enum as_filter_kind kind, const struct word *w)
{
	struct scene *s = t->s;
	size_t n = s->n_patterns;
	struct as_pattern p;

	if (n == PATTERNS_MAX)
		return as_failure_set(t->f, AS_E_ARG, as_filter_kind_text(kind),
			"more than %d patterns", PATTERNS_MAX);
	if (!as_pattern_read(&p, kind, w->value, true))
		return as_failure_set(t->f, AS_E_ARG, "object",
			"an object is chosen by its name, not by something else");
	AS_TRY(as_matching_make(
		&t->matching[n], p.text, p.ignore_case, as_filter_kind_text(kind), t->f));
	s->kind[n] = kind;
	s->fields[n] = p.fields;
	s->pattern[n] = as_arena_dup(&s->arena, w->value);
	if (!s->pattern[n].p)
		return as_failure_no_memory(t->f);
	t->matcher[n] = (struct as_matcher){
		.kind = kind, .fields = p.fields, .match = match, .ctx = &t->matching[n]};
	s->n_patterns++;
	return AS_OK;
}

static enum as_code choose_parts(struct filtering *t, const struct as_profile *prof)
{
	struct as_part_choice choice;
	struct as_arena *ar = &t->s->arena;
	uint8_t *keep = as_arena_get(ar, prof->part.n + 1);
	bool asked;

	if (!keep || !texts(ar, t->q, "thread", &choice.thread) ||
		!texts(ar, t->q, "part", &choice.part) || !texts(ar, t->q, "label", &choice.label))
		return as_failure_no_memory(t->f);
	asked = choice.thread.n || choice.part.n || choice.label.n;
	t->s->no_part = !as_choose_parts(prof, &choice, keep) && asked;
	AS_TRY(as_scene_tags(t->s, t->q, prof, keep, t->f));
	if (asked || t->s->n_tags)
		t->how.keep_part = keep;
	return AS_OK;
}

static enum as_code filter(struct filtering *t, const struct as_profile *prof)
{
	struct scene *s = t->s;
	struct as_filtered out = {0};
	unsigned keep = 0;
	static const char *const contexts[] = {"fold", "keep", NULL};
	enum as_filter_kind kind;
	enum as_code rc;

	AS_TRY(as_question_choice(t->q, "contexts", contexts, &keep, t->f));
	AS_TRY(as_question_flag(t->q, "relative", &t->how.relative, t->f));
	t->how.keep_contexts = keep;
	for (size_t i = 0; i < t->q->word.n; i++)
		if (as_scene_is_pattern(&t->q->word.p[i], &kind))
			AS_TRY(add_pattern(t, kind, &t->q->word.p[i]));
	AS_TRY(choose_parts(t, prof));
	t->how.matcher = t->matcher;
	t->how.n = s->n_patterns;
	rc = as_filter(prof, &t->how, s->matched, &out, &s->losses, &t->f->err);
	s->prof = s->filtered = out.prof;
	s->estimated = out.estimated;
	return rc;
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
	for (size_t i = 0; i < LISTINGS; i++)
		as_listings_free(s->listings[i].ls);
	for (size_t i = 0; i < TOPS; i++)
		if (s->top[i].made)
			as_top_release(&s->top[i].top);
	as_profile_free(s->filtered);
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
static enum as_code choose(struct filtering *t)
{
	struct scene *s = t->s;

	if (folds(t->q))
		AS_TRY(as_fold_inlined(s->prof, &s->folded, &t->f->err));
	if (s->folded)
		s->prof = s->folded;
	return has_filters(t->q) ? filter(t, s->prof) : AS_OK;
}

static enum as_code make(
	struct engine *e, const struct question *q, struct scene *s, bool whole, struct failure *f)
{
	struct filtering *t;
	enum as_code rc;

	AS_TRY(as_engine_read(e, s->detail, &s->prof, f));
	if (whole)
		return AS_OK;
	t = as_alloc_new(e->al, sizeof(*t));
	if (!t)
		return as_failure_no_memory(f);
	t->s = s;
	t->q = q;
	t->f = f;
	rc = choose(t);
	as_alloc_free(e->al, t, sizeof(*t));
	return rc;
}

/* A scene of its own at AT. */
static enum as_code replace(struct engine *e, const struct question *q, struct as_slice key,
	enum as_detail detail, size_t at, struct failure *f)
{
	struct scene *s = as_alloc_new(e->al, sizeof(*s));
	enum as_code rc;

	as_scene_free(e->scene[at]);
	e->scene[at] = s;
	if (!s)
		return as_failure_no_memory(f);
	s->al = e->al;
	s->detail = detail;
	s->no_cycles = is_raw(q);
	as_arena_init(&s->arena, e->al);
	as_losses_init(&s->losses, e->al);
	s->key = as_arena_dup(&s->arena, key);
	rc = s->key.p ? make(e, q, s, !key.len, f) : as_failure_no_memory(f);
	if (rc == AS_OK)
		return AS_OK;
	as_scene_free(s);
	e->scene[at] = NULL;
	return rc;
}

/* Where patterns ask for files, lines of other files are told apart. */
static enum as_detail detail_of(const struct question *q, enum as_detail detail)
{
	enum as_filter_kind kind;
	struct as_pattern p;

	for (size_t i = 0; i < q->word.n; i++)
		if (as_scene_is_pattern(&q->word.p[i], &kind) &&
			as_pattern_read(&p, kind, q->word.p[i].value, false) &&
			(p.fields & AS_MATCH_FILE) && detail < AS_DETAIL_LINE)
			return AS_DETAIL_LINE;
	return detail;
}

static enum as_code find_or_make(struct engine *e, const struct question *q, struct as_slice key,
	enum as_detail detail, struct scene **scene, struct failure *f)
{
	size_t at = 0;

	while (at < SCENES && !(e->scene[at] && e->scene[at]->detail == detail &&
				      as_slice_eq(e->scene[at]->key, key)))
		at++;
	if (at == SCENES) {
		at = place_for(e, !key.len, detail);
		AS_TRY(replace(e, q, key, detail, at, f));
	}
	*scene = e->scene[at];
	(*scene)->asked = ++e->clock;
	return AS_OK;
}

enum as_code as_scene_get(struct engine *e, const struct question *q, enum as_detail detail,
	struct scene **scene, struct failure *f)
{
	static const char *const inlines[] = {"on", "off", NULL};
	const struct as_profile *prof;
	static const char *const cycles[] = {"yes", "no", NULL};
	unsigned inlined = 0, raw = 0;
	struct as_arena ar;
	struct as_slice key;
	enum as_code rc;

	AS_TRY(as_question_choice(q, "inline", inlines, &inlined, f));
	AS_TRY(as_question_choice(q, "cycles", cycles, &raw, f));
	detail = detail_of(q, detail);
	AS_TRY(as_engine_read(e, detail, &prof, f));
	if (!e->by_detail)
		detail = AS_DETAIL_FUNC;
	as_arena_init(&ar, e->al);
	rc = key_of(q, &ar, &key) ? find_or_make(e, q, key, detail, scene, f)
				  : as_failure_no_memory(f);
	as_arena_release(&ar);
	return rc;
}

static bool is_empty(const struct as_profile *prof)
{
	return !prof->self.n && !prof->call.n && !prof->sample.node.n;
}

enum as_code as_scene_left(const struct scene *s, struct failure *f)
{
	if (!s->filtered || !is_empty(s->prof))
		return AS_OK;
	if (s->no_part)
		return as_failure_set(f, AS_E_ARG, NULL,
			"nothing is left: the profile has no such thread, part or label");
	AS_TRY(as_scene_tags_left(s, f));
	for (size_t i = 0; i < s->n_patterns; i++)
		if (!s->matched[i])
			return as_failure_set(f, AS_E_ARG, as_filter_kind_text(s->kind[i]),
				"nothing is left: '%.200s' matches no %s", s->pattern[i].p,
				as_match_fields_text(s->fields[i]));
	return as_failure_set(
		f, AS_E_ARG, NULL, "nothing is left: no sample is one that all filters choose");
}
