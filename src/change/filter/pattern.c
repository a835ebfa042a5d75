/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/pattern.h"

#include <stdio.h>

#include "model/whose.h"

/* ---- smart case ---- */

/* What stands behind a backslash, as far as capitals may be in it: "p{Lu}", "pL", "x{1F600}". */
static size_t escape_length(struct as_slice s)
{
	size_t n;

	if (!s.len || !memchr("pPx", s.p[0], 3))
		return 1;
	if (s.len > 1 && s.p[1] == '{')
		n = as_slice_find(s, '}') + 1;
	else
		n = s.p[0] == 'x' ? 3 : 2;
	return n < s.len ? n : s.len;
}

bool as_pattern_is_lower(struct as_slice pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.p[i];

		if (c == '\\')
			i += escape_length(as_slice_skip(pattern, i + 1));
		else if (c >= 'A' && c <= 'Z')
			return false;
	}
	return true;
}

/* ---- what stands around ---- */

/* Behind a backslash: what stands for itself, or for a class of characters. */
static bool is_plain_escape(char c)
{
	return c && strchr("dDwWsS!\"#%&'*+,-./:;<=>@[]_`{|}~()?^$\\", c);
}

bool as_pattern_is_inside(struct as_slice pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.p[i], next = i + 1 < pattern.len ? pattern.p[i + 1] : 0;

		if (c == '^' || c == '$' || (c == '(' && next == '?') ||
			(c == '\\' && !is_plain_escape(next)))
			return false;
		i += c == '\\';
	}
	return true;
}

/* ---- what is matched ---- */

/* "fn:RE", "file:RE", "obj:RE": what is left is the pattern. 0 = all fields. */
static unsigned cut_field(struct as_slice *text)
{
	static const struct {
		const char *word;
		unsigned field;
	} known[] = {{"fn:", AS_MATCH_FUNC}, {"file:", AS_MATCH_FILE}, {"obj:", AS_MATCH_OBJECT}};

	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		if (as_slice_starts(*text, known[i].word)) {
			*text = as_slice_skip(*text, strlen(known[i].word));
			return known[i].field;
		}
	return 0;
}

/* Pprof prunes at names of functions, and looks for all else in files and objects as well. */
static unsigned usual_fields(enum as_filter_kind kind)
{
	if (kind == AS_FILTER_OBJECT)
		return AS_MATCH_OBJECT;
	if (kind == AS_FILTER_PRUNE_FROM)
		return AS_MATCH_FUNC;
	return AS_MATCH_FUNC | AS_MATCH_FILE | AS_MATCH_OBJECT;
}

bool as_is_row_name(struct as_slice what)
{
	return what.len > 2 && what.p[0] == '[' && what.p[what.len - 1] == ']' &&
	       as_slice_find_text(what, "0x") < what.len;
}

/* "[gzip+0x4330]", as tables show a function without a name, is no class of characters: the pattern
 * for it, in TEXT. */
static struct as_slice pattern_row_name(struct as_slice what, char *text, size_t size)
{
	size_t n = 0;

	if (!as_is_row_name(what) || 2 * what.len >= size)
		return what;
	for (size_t i = 0; i < what.len; i++) {
		if (strchr("[]+.(){}*?|^$\\", what.p[i]))
			text[n++] = '\\';
		text[n++] = what.p[i];
	}
	return (struct as_slice){text, n};
}

bool as_pattern_read(
	struct as_pattern *p, enum as_filter_kind kind, struct as_slice text, bool literal)
{
	unsigned field = cut_field(&text);

	if (kind == AS_FILTER_OBJECT && field && field != AS_MATCH_OBJECT)
		return false;
	p->fields = field ? field : usual_fields(kind);
	p->ignore_case = as_pattern_is_lower(text);
	p->text = literal ? pattern_row_name(text, p->buf, sizeof(p->buf)) : text;
	return true;
}

const char *as_match_fields_text(unsigned fields)
{
	switch (fields) {
	case AS_MATCH_FUNC:
		return "function";
	case AS_MATCH_FILE:
		return "file";
	case AS_MATCH_OBJECT:
		return "object";
	default:
		return "function, file or object";
	}
}

/* ---- parts ---- */

/* WHAT is a number, or a name. */
static bool part_is_called(const char *what, bool has_number, uint64_t number, struct as_slice name)
{
	uint64_t v;

	return (has_number && as_slice_dec(as_slice_of(what), &v) && v == number) ||
	       (name.len && as_slice_is(name, what));
}

static bool part_is_thread(const struct as_whose *w, const struct as_texts *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (part_is_called(list->p[i], w->has_tid, w->tid, w->thread))
			return true;
	return !list->n;
}

static bool part_is_process(const struct as_whose *w, const struct as_texts *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (part_is_called(list->p[i], w->has_pid, w->pid, w->process))
			return true;
	return !list->n;
}

static bool part_is_named(
	const struct as_profile *prof, const struct as_part *p, const struct as_texts *list)
{
	uint64_t number;

	for (size_t i = 0; i < list->n; i++) {
		if (p->has_number && as_slice_dec(as_slice_of(list->p[i]), &number) &&
			number == p->number)
			return true;
		if (p->name.i && as_slice_is(as_str_get(prof, p->name), list->p[i]))
			return true;
	}
	return !list->n;
}

/* VALUE is the label's text, its number, or its number and unit: "512", "512bytes". */
static bool label_is(const struct as_profile *prof, const struct as_label *label, const char *value)
{
	struct as_slice unit = as_str_get(prof, label->unit);
	char text[256];

	if (label->opaque)
		return false;
	if (label->text.i)
		return as_slice_is(as_str_get(prof, label->text), value);
	snprintf(text, sizeof(text), "%" PRId64, label->number);
	if (strcmp(text, value) == 0)
		return true;
	snprintf(text, sizeof(text), "%" PRId64 "%.*s", label->number,
		(int)(unit.len < 200 ? unit.len : 200), unit.p);
	return strcmp(text, value) == 0;
}

/* Whether part I has a label "KEY=VALUE", or any of KEY where there is no "=". */
static bool part_is_labelled(const struct as_profile *prof, size_t i, const struct as_texts *list)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, i, &n);

	for (size_t k = 0; k < list->n; k++) {
		struct as_slice rest = as_slice_of(list->p[k]), key;
		bool any = as_slice_find(rest, '=') == rest.len;

		(void)as_slice_cut(&rest, '=', &key);
		for (uint32_t j = 0; j < n; j++)
			if (as_slice_eq(as_str_get(prof, label[j].key), key) &&
				(any || label_is(prof, &label[j], rest.p)))
				return true;
	}
	return !list->n;
}

static bool label_is_of(
	const struct as_profile *prof, const struct as_label *label, const char *key)
{
	return as_slice_is(as_str_get(prof, label->key), key);
}

static bool part_is_unit(const struct as_profile *prof, size_t i, const struct as_texts *list)
{
	uint32_t n;
	const struct as_label *label = as_part_labels(prof, i, &n);

	for (size_t k = 0; k < list->n; k++)
		for (uint32_t j = 0; j < n; j++)
			if (label_is_of(prof, &label[j], "unit") &&
				label_is(prof, &label[j], list->p[k]))
				return true;
	return !list->n;
}

bool as_choose_part(const struct as_profile *prof, const struct as_part_choice *choice, size_t i)
{
	const struct as_whose whose = as_part_whose(prof, i);

	as_assert(i < prof->part.n);
	return part_is_thread(&whose, &choice->thread) &&
	       part_is_named(prof, &prof->part.p[i], &choice->part) &&
	       part_is_process(&whose, &choice->process) && part_is_unit(prof, i, &choice->unit) &&
	       part_is_labelled(prof, i, &choice->label);
}

bool as_choose_parts(
	const struct as_profile *prof, const struct as_part_choice *choice, uint8_t *keep)
{
	bool any = false;

	for (size_t i = 0; i < prof->part.n; i++) {
		keep[i] = as_choose_part(prof, choice, i);
		any |= keep[i] != 0;
	}
	return any;
}
