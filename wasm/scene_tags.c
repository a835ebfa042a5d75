/* SPDX-License-Identifier: Apache-2.0 */
/* tagfocus, tagignore: which parts stay by their labels. */
#include "scene.h"

static bool match(const void *ctx, struct as_slice text)
{
	return as_matching(ctx, text);
}

bool as_scene_is_tag(const struct word *w, enum as_tag_kind *kind)
{
	for (unsigned k = AS_TAG_FOCUS; k <= AS_TAG_IGNORE; k++)
		if (as_slice_is(w->key, as_tag_kind_text((enum as_tag_kind)k))) {
			*kind = (enum as_tag_kind)k;
			return true;
		}
	return false;
}

/* How many patterns REST has at most. */
static size_t count(struct as_slice rest)
{
	size_t n = 1;

	for (size_t i = 0; i < rest.len; i++)
		n += rest.p[i] == ',';
	return n;
}

static enum as_code add(
	struct scene *s, enum as_tag_kind kind, struct as_slice text, struct failure *f)
{
	struct as_tag_filter *tag = &s->tag[s->n_tags];
	struct as_tag_pattern *pattern;
	struct matching *matching;
	struct as_slice rest, one;

	if (s->n_tags == TAGS_MAX)
		return as_failure_set(
			f, AS_E_ARG, as_tag_kind_text(kind), "more than %d of labels", TAGS_MAX);
	text = as_arena_dup(&s->arena, text);
	pattern = as_arena_get(&s->arena, count(text) * sizeof(*pattern));
	matching = as_arena_get(&s->arena, count(text) * sizeof(*matching));
	if (!text.p || !pattern || !matching)
		return as_failure_no_memory(f);
	as_tag_filter_read(tag, kind, text, &rest);
	tag->pattern = pattern;
	while (as_tag_filter_next(tag, &rest, &one)) {
		AS_TRY(as_matching_make(&matching[tag->n], one, as_pattern_is_lower(one),
			as_tag_kind_text(kind), f));
		pattern[tag->n] = (struct as_tag_pattern){match, &matching[tag->n]};
		tag->n++;
	}
	s->tag_text[s->n_tags++] = text;
	return AS_OK;
}

enum as_code as_scene_tags(struct scene *s, const struct question *q, const struct as_profile *prof,
	uint8_t *keep, struct failure *f)
{
	enum as_tag_kind kind;
	bool left;

	for (size_t i = 0; i < q->word.n; i++)
		if (as_scene_is_tag(&q->word.p[i], &kind))
			AS_TRY(add(s, kind, q->word.p[i].value, f));
	if (!s->n_tags || as_tag_filters_keep(s->tag, s->n_tags, prof, keep, NULL, &left))
		return AS_OK;
	return as_failure_no_memory(f);
}

enum as_code as_scene_tags_left(const struct scene *s, struct failure *f)
{
	for (size_t i = 0; i < s->n_tags; i++)
		if (!s->tag[i].matched && s->tag[i].kind == AS_TAG_FOCUS)
			return as_failure_set(f, AS_E_ARG, as_tag_kind_text(s->tag[i].kind),
				"nothing is left: '%.200s' matches no label", s->tag_text[i].p);
	return AS_OK;
}
