/* SPDX-License-Identifier: Apache-2.0 */
/* Questions: their text, and what their words say. */
#include "engine.h"

enum { WORDS_MAX = 1000 };

enum as_code as_failure_set(
	struct failure *f, enum as_code code, const char *word, const char *fmt, ...)
{
	va_list ap;

	f->word = word;
	va_start(ap, fmt);
	code = as_err_setv(&f->err, code, fmt, ap);
	va_end(ap);
	return code;
}

enum as_code as_failure_no_memory(struct failure *f)
{
	return as_failure_set(f, AS_E_NOMEM, NULL, "out of memory");
}

/* ---- text ---- */

static int question_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "%41" and '+', as URLs escape bytes and blanks. */
static bool question_decode(struct as_arena *ar, struct as_slice text, struct as_slice *out)
{
	char *p = as_arena_get(ar, text.len + 1);
	size_t n = 0;

	*out = (struct as_slice){p, 0};
	if (p)
		memset(p, 0, text.len + 1); /* it is text, however it ends */
	for (size_t i = 0; p && i < text.len; i++) {
		int high, low;

		if (text.p[i] != '%') {
			p[n++] = text.p[i] == '+' ? ' ' : text.p[i];
			continue;
		}
		high = i + 2 < text.len ? question_hex_digit(text.p[i + 1]) : -1;
		low = i + 2 < text.len ? question_hex_digit(text.p[i + 2]) : -1;
		if (high < 0 || low < 0)
			return false;
		p[n++] = (char)(high << 4 | low);
		i += 2;
	}
	out->len = n;
	return true;
}

/* Every word that some command knows: others are misspelt. */
static bool is_known(struct as_slice key)
{
	static const char *const known[] = {"base-time-from", "base-time-to", "boxes", "by",
		"clones", "colour", "contexts", "cycles", "depth", "diff", "event", "flame",
		"focus", "from", "func", "func-address", "func-file", "func-object", "height",
		"hide", "icicle", "ignore", "inline", "key", "label", "limit", "match", "min",
		"nodes", "normalize", "object", "order", "part", "prune-from", "relative",
		"reverse", "rows", "show", "show-from", "sort", "tagfocus", "tagignore", "thread",
		"time-from", "time-to", "unit", "view", "way", "width", "with-cycles"};

	return as_slice_is_one_of(key, known);
}

static enum as_code add_word(
	struct question *q, const struct as_alloc *al, struct as_slice text, struct failure *f)
{
	struct word w;
	struct as_slice key;
	bool fine;

	if (q->word.n == WORDS_MAX)
		return as_failure_set(f, AS_E_ARG, NULL, "more than %d words", WORDS_MAX);
	(void)as_slice_cut(&text, '=', &key);
	fine = question_decode(&q->arena, key, &w.key);
	fine = question_decode(&q->arena, text, &w.value) && fine;
	if (!w.key.p || !w.value.p || !as_vec_push(al, &q->word, w))
		return as_failure_no_memory(f);
	if (!fine)
		return as_failure_set(f, AS_E_ARG, w.key.p, "'%%' without two digits behind it");
	return is_known(w.key) ? AS_OK
			       : as_failure_set(f, AS_E_ARG, w.key.p, "there is no such word");
}

enum as_code as_question_parse(
	struct question *q, const struct as_alloc *al, struct as_slice text, struct failure *f)
{
	struct as_slice one;

	*q = (struct question){0};
	as_arena_init(&q->arena, al);
	(void)as_slice_cut(&text, '?', &one);
	if (!question_decode(&q->arena, one, &q->command))
		return as_failure_set(f, AS_E_ARG, NULL, "'%%' without two digits behind it");
	if (!q->command.p)
		return as_failure_no_memory(f);
	while (text.len && as_slice_cut(&text, '&', &one))
		if (one.len)
			AS_TRY(add_word(q, al, one, f));
	return AS_OK;
}

void as_question_release(struct question *q)
{
	as_vec_free(q->arena.al, &q->word);
	as_arena_release(&q->arena);
}

/* ---- words ---- */

bool as_question_next(const struct question *q, const char *key, size_t *i, struct as_slice *value)
{
	while (*i < q->word.n) {
		const struct word *w = &q->word.p[(*i)++];

		if (!as_slice_is(w->key, key))
			continue;
		*value = w->value;
		return true;
	}
	return false;
}

struct as_slice as_question_word(const struct question *q, const char *key)
{
	struct as_slice value = {0};
	size_t i = 0;

	while (as_question_next(q, key, &i, &value)) {
	}
	return value;
}

bool as_question_has(const struct question *q, const char *key)
{
	return as_question_word(q, key).p != NULL;
}

enum as_code as_question_flag(
	const struct question *q, const char *key, bool *value, struct failure *f)
{
	struct as_slice text = as_question_word(q, key);

	*value = as_slice_is(text, "1");
	if (!text.p || *value || as_slice_is(text, "0"))
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, key, "expected 1 or 0");
}

enum as_code as_question_number(
	const struct question *q, const char *key, uint64_t *value, struct failure *f)
{
	struct as_slice text = as_question_word(q, key);

	if (!text.p || as_slice_dec(text, value))
		return AS_OK;
	return as_failure_set(f, AS_E_ARG, key, "expected a number, found '%.100s'", text.p);
}

enum as_code as_question_choice(const struct question *q, const char *key, const char *const *names,
	unsigned *value, struct failure *f)
{
	struct as_slice text = as_question_word(q, key);

	if (!text.p)
		return AS_OK;
	for (unsigned i = 0; names[i]; i++)
		if (as_slice_is(text, names[i])) {
			*value = i;
			return AS_OK;
		}
	return as_failure_set(f, AS_E_ARG, key, "there is no '%.100s'", text.p);
}
