/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pull.h"

void as_pull_init(struct as_pull *j, struct as_slice text, struct as_arena *arena)
{
	if (!text.len)
		text.p = ""; /* it may have been nowhere */
	*j = (struct as_pull){.p = text.p, .end = text.p + text.len, .arena = arena};
}

bool as_pull_wrong(struct as_pull *j, const char *why)
{
	if (j->why)
		return false;
	as_assert(why && j->p <= j->end);
	j->why = why;
	j->cut = j->p == j->end && !as_pull_fill(j); /* it may be a piece's end */
	return false;
}

bool as_pull_fill(struct as_pull *j)
{
	return j->more && j->more(j, j->keep ? j->keep : j->p);
}

static void pull_blanks(struct as_pull *j)
{
	do {
		while (j->p < j->end &&
			(*j->p == ' ' || *j->p == '\n' || *j->p == '\r' || *j->p == '\t'))
			j->p++;
	} while (j->p == j->end && as_pull_fill(j));
}

enum as_pull_kind as_pull_peek(struct as_pull *j)
{
	pull_blanks(j);
	if (j->why)
		return AS_PULL_WRONG;
	if (j->p == j->end)
		return AS_PULL_END;
	switch (*j->p) {
	case '{':
		return AS_PULL_OBJECT;
	case '[':
		return AS_PULL_ARRAY;
	case '"':
		return AS_PULL_TEXT;
	case 't':
		return AS_PULL_TRUE;
	case 'f':
		return AS_PULL_FALSE;
	case 'n':
		return AS_PULL_NULL;
	default:
		return *j->p == '-' || (*j->p >= '0' && *j->p <= '9') ? AS_PULL_NUMBER
								      : AS_PULL_WRONG;
	}
}

/* Whether C comes next; it is moved over. */
static bool pull_take(struct as_pull *j, char c)
{
	pull_blanks(j);
	if (j->why || j->p == j->end || *j->p != c)
		return false;
	j->p++;
	return true;
}

static bool pull_begin(struct as_pull *j, char c, const char *why)
{
	j->first = true;
	return pull_take(j, c) || as_pull_wrong(j, why);
}

bool as_pull_object(struct as_pull *j)
{
	return pull_begin(j, '{', "an object was expected, '{'");
}

bool as_pull_array(struct as_pull *j)
{
	return pull_begin(j, '[', "an array was expected, '['");
}

/* Whether another element follows in the array or object that END closes. */
static bool pull_more(struct as_pull *j, char end, const char *why)
{
	bool first = j->first;

	j->first = false;
	if (pull_take(j, end))
		return false;
	if (!first && !pull_take(j, ','))
		return as_pull_wrong(j, why);
	pull_blanks(j);
	return !j->why;
}

/* The ':' behind KEY, which must stay where more of the text is brought. */
static bool pull_colon(struct as_pull *j, struct as_slice *key)
{
	const char *start = j->p - key->len - 1;
	bool here = key->p == start, raw = j->keep != NULL, ok;

	if (!raw)
		j->keep = start;
	ok = pull_take(j, ':');
	if (here && !raw)
		key->p = j->keep;
	if (!raw)
		j->keep = NULL;
	return ok;
}

bool as_pull_key(struct as_pull *j, struct as_slice *key)
{
	if (!pull_more(j, '}', "',' or '}' was expected"))
		return false;
	if (as_pull_peek(j) != AS_PULL_TEXT)
		return as_pull_wrong(j, "a key in quotes was expected");
	if (!as_pull_text(j, key))
		return false;
	if (j->p < j->end && *j->p == ':' && !j->why) {
		j->p++;
		return true;
	}
	return pull_colon(j, key) || as_pull_wrong(j, "':' was expected");
}

bool as_pull_item(struct as_pull *j)
{
	return pull_more(j, ']', "',' or ']' was expected");
}

bool as_pull_text(struct as_pull *j, struct as_slice *text)
{
	*text = (struct as_slice){NULL, 0};
	if (!pull_take(j, '"'))
		return as_pull_wrong(j, "a text in quotes was expected");
	return as_pull_unescape(j, text);
}

static const char *pull_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* Bytes behind a number that say that it ends there: of "1e+" none may be a part of it. */
enum { NUMBER_AHEAD = 4 };

/* The end of the number that begins at P; P itself if there is none. */
static const char *pull_number_end(const char *p, const char *end)
{
	const char *q = p + (p < end && *p == '-'), *digits = q, *more;

	q = pull_digits(q, end);
	if (q == digits)
		return p;
	if (q < end && *q == '.' && (more = pull_digits(q + 1, end)) > q + 1)
		q = more;
	if (q < end && (*q == 'e' || *q == 'E')) {
		digits = q + 1;
		digits += digits < end && (*digits == '-' || *digits == '+');
		more = pull_digits(digits, end);
		q = more > digits ? more : q;
	}
	return q;
}

/* Whether more of the text could make what stands between P and END a part of the number before. */
static bool pull_may_go_on(const char *p, const char *end)
{
	while (p < end && *p && strchr("+-.eE0123456789", *p))
		p++;
	return p == end;
}

bool as_pull_number(struct as_pull *j, struct as_slice *text)
{
	const char *end;

	pull_blanks(j);
	*text = (struct as_slice){j->p, 0};
	if (j->why)
		return false;
	do {
		end = pull_number_end(j->p, j->end);
	} while (j->end - end < NUMBER_AHEAD && as_pull_fill(j));
	if (j->inside && pull_may_go_on(end, j->end))
		j->p = end = j->end;
	if (end == j->p)
		return as_pull_wrong(j, "a number was expected");
	*text = (struct as_slice){j->p, (size_t)(end - j->p)};
	j->p = end;
	return true;
}

static bool pull_word(struct as_pull *j, const char *word)
{
	struct as_slice rest;

	while ((size_t)(j->end - j->p) < strlen(word) && as_pull_fill(j))
		;
	rest = (struct as_slice){j->p, (size_t)(j->end - j->p)};
	if (!as_slice_starts(rest, word)) {
		if (rest.len < strlen(word) && memcmp(rest.p, word, rest.len) == 0)
			j->p = j->end;
		return as_pull_wrong(j, "a value was expected");
	}
	j->p += strlen(word);
	return true;
}

bool as_pull_bool(struct as_pull *j, bool *v)
{
	enum as_pull_kind kind = as_pull_peek(j);

	*v = kind == AS_PULL_TRUE;
	if (kind != AS_PULL_TRUE && kind != AS_PULL_FALSE)
		return as_pull_wrong(j, "true or false was expected");
	return pull_word(j, *v ? "true" : "false");
}

/* A value that is no object and no array. */
static bool pull_plain(struct as_pull *j)
{
	struct as_slice text;

	switch (as_pull_peek(j)) {
	case AS_PULL_TEXT:
		return as_pull_text(j, &text);
	case AS_PULL_NUMBER:
		return as_pull_number(j, &text);
	case AS_PULL_TRUE:
		return pull_word(j, "true");
	case AS_PULL_FALSE:
		return pull_word(j, "false");
	case AS_PULL_NULL:
		return pull_word(j, "null");
	default:
		return as_pull_wrong(j, "a value was expected");
	}
}

/* What is open: a bit for each, 1 of an object. */
struct open {
	uint64_t bits[AS_PULL_DEPTH / 64];
	unsigned n;
};

static bool pull_in_object(const struct open *o)
{
	as_assert(o->n && o->n <= AS_PULL_DEPTH);
	return o->bits[(o->n - 1) / 64] >> (o->n - 1) % 64 & 1;
}

static bool pull_open(struct as_pull *j, struct open *o, bool object)
{
	uint64_t bit = UINT64_C(1) << o->n % 64, *at = &o->bits[o->n / 64];

	if (o->n == AS_PULL_DEPTH)
		return as_pull_wrong(j, "this is nested deeper than 512 times");
	*at = object ? *at | bit : *at & ~bit;
	o->n++;
	return object ? as_pull_object(j) : as_pull_array(j);
}

/* The next value of the innermost one that is open, or behind that. */
static bool pull_skip_next(struct as_pull *j, struct open *o)
{
	struct as_slice key;
	enum as_pull_kind kind;

	if (o->n && !(pull_in_object(o) ? as_pull_key(j, &key) : as_pull_item(j))) {
		o->n--;
		return !j->why;
	}
	kind = as_pull_peek(j);
	if (kind == AS_PULL_OBJECT || kind == AS_PULL_ARRAY)
		return pull_open(j, o, kind == AS_PULL_OBJECT);
	return pull_plain(j);
}

bool as_pull_skip(struct as_pull *j)
{
	struct as_arena *arena = j->arena;
	struct open o = {.n = 0};
	bool ok;

	j->arena = NULL; /* nobody wants the texts */
	do {
		ok = pull_skip_next(j, &o);
	} while (ok && o.n);
	j->arena = arena;
	return ok;
}

bool as_pull_raw(struct as_pull *j, struct as_slice *text)
{
	bool ok;

	as_assert(!j->keep); /* one raw value at a time */
	pull_blanks(j);
	j->keep = j->p;
	ok = as_pull_skip(j);
	*text = (struct as_slice){j->keep, ok ? (size_t)(j->p - j->keep) : 0};
	j->keep = NULL;
	return ok;
}

bool as_pull_flat(struct as_pull *j, struct as_slice *text)
{
	const char *end;
	size_t seen = 0;

	pull_blanks(j);
	*text = (struct as_slice){j->p, 0};
	if (j->why || j->p == j->end || *j->p != '[')
		return as_pull_wrong(j, "an array was expected, '['");
	do {
		end = memchr(j->p + seen, ']', (size_t)(j->end - j->p) - seen);
		seen = (size_t)(j->end - j->p);
	} while (!end && as_pull_fill(j));
	text->p = j->p;
	j->p = end ? end + 1 : j->end;
	text->len = (size_t)(j->p - text->p);
	return end || as_pull_wrong(j, "',' or ']' was expected");
}
