/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/name_fit.h"

#include "base/name_scan.h"
#include "base/utf8_len.h"
#include "report/kit/name_pieces.h"

enum {
	SCOPE_MIN = 4,   /* letters of a class that is cut; fewer say nothing */
	BRACKET_MIN = 8, /* columns; in fewer a letter says more than "[" */
};

enum targs { WHOLE, DOTS, NONE };

/* What is shown of a name. */
struct form {
	bool args, tail;
	enum targs targs;
	size_t first, end; /* of the pieces */
	bool lead;         /* dots before the first one */
	size_t cut;        /* columns of the first one's word, 0: all */
};

struct fit {
	struct as_name_pieces np;
	struct as_slice dots;
	size_t width;
	char *p; /* the text */
	size_t n;
};

/* Bytes of the first N characters of S. */
static size_t name_fit_bytes_of(struct as_slice s, size_t n)
{
	size_t i = 0;

	for (; n && i < s.len; n--) {
		size_t len = as_utf8_len(s.p + i, s.len - i);

		i += len ? len : 1;
	}
	return i;
}

static void name_fit_put(struct fit *f, struct as_slice s)
{
	if (s.len)
		memcpy(f->p + f->n, s.p, s.len);
	f->n += s.len;
}

static struct as_slice name_fit_text_of(const struct fit *f)
{
	return (struct as_slice){f->p, f->n};
}

/* ---- words ---- */

/* "Vec" of "<alloc::vec::Vec<T> as core::ops::Drop>", "<A as B>" otherwise. */
static struct as_slice type_of_trait(struct as_slice word)
{
	size_t end = as_slice_find_text(word, " as "), begin = 1, i;

	if (word.p[0] != '<' || end == word.len)
		return word;
	for (i = 1; i < end && word.p[i] != '<'; i++)
		if (!as_name_is_word(word.p[i]))
			begin = i + 1;
	return i > begin && i <= end ? (struct as_slice){word.p + begin, i - begin} : word;
}

/* "{lambda(int)#1}" without its parameters. */
static bool name_fit_put_lambda(struct fit *f, struct as_slice word)
{
	size_t hash = as_slice_up_to_last(word, '#');

	if (!as_slice_starts(word, "{lambda("))
		return false;
	name_fit_put(f, as_slice_of("{lambda"));
	name_fit_put(f, hash ? as_slice_skip(word, hash - 1) : as_slice_of("}"));
	return true;
}

static void put_piece(struct fit *f, const struct form *form, size_t i)
{
	const struct as_name_piece *piece = &f->np.piece[i];
	struct as_slice word = piece->word;

	if (form->targs == NONE)
		word = type_of_trait(word);
	if (i == form->first && form->cut) {
		word.len = name_fit_bytes_of(word, form->cut);
		name_fit_put(f, word);
		name_fit_put(f, f->dots);
		return;
	}
	if (form->args || !name_fit_put_lambda(f, word))
		name_fit_put(f, word);
	if (form->targs == WHOLE || (form->targs == DOTS && as_utf8_columns(piece->targs) <=
								    as_utf8_columns(f->dots) + 2)) {
		name_fit_put(f, piece->targs);
	} else if (form->targs == DOTS) {
		name_fit_put(f, (struct as_slice){piece->targs.p, 1});
		name_fit_put(f, f->dots);
		name_fit_put(f, (struct as_slice){piece->targs.p + piece->targs.len - 1, 1});
	}
	if (form->args)
		name_fit_put(f, piece->args);
}

/* Whether FORM fits; it is f's text afterwards. */
static bool name_fit_fits(struct fit *f, struct form form)
{
	f->n = 0;
	if (form.lead)
		name_fit_put(f, f->dots);
	for (size_t i = form.first; i < form.end; i++) {
		bool dots = i == form.first ? form.lead : i == form.first + 1 && form.cut;

		/* Dots say themselves that something is left out before a dot. */
		if ((i > form.first || form.lead) &&
			!(dots && as_slice_is(f->np.piece[i].sep, ".")))
			name_fit_put(f, f->np.piece[i].sep);
		put_piece(f, &form, i);
	}
	if (form.tail)
		name_fit_put(f, f->np.tail);
	return f->n > 0 && as_utf8_columns(name_fit_text_of(f)) <= f->width;
}

/* ---- the order in which things go ---- */

static bool fits_without_arguments(struct fit *f)
{
	size_t n = f->np.n;
	bool plain = as_slice_find(f->np.type, '(') == f->np.type.len;

	return (plain && (name_fit_fits(f, (struct form){.end = n, .args = true, .tail = true}) ||
				 name_fit_fits(f, (struct form){.end = n, .args = true}))) ||
	       name_fit_fits(f, (struct form){.end = n, .tail = true}) ||
	       name_fit_fits(f, (struct form){.end = n}) ||
	       name_fit_fits(f, (struct form){.end = n, .targs = DOTS}) ||
	       name_fit_fits(f, (struct form){.end = n, .targs = NONE, .tail = true}) ||
	       name_fit_fits(f, (struct form){.end = n, .targs = NONE});
}

/* Whether a folder stands before a piece. */
static bool is_folder(const struct fit *f, size_t piece)
{
	return as_slice_is(f->np.piece[piece].sep, "/");
}

/* The pieces from FIRST up to END, the one before them cut. */
static bool fits_cut(struct fit *f, size_t first, size_t end)
{
	struct form form = {.first = first, .end = end, .targs = NONE};
	size_t others;

	if (!first || is_folder(f, first) || !as_name_is_word(f->np.piece[first - 1].word.p[0]))
		return false;
	form.first = first - 1;
	form.cut = 1;
	if (!name_fit_fits(f, form))
		return false;
	others = as_utf8_columns(name_fit_text_of(f)) - 1;
	form.cut = f->width - others;
	return form.cut >= SCOPE_MIN &&
	       form.cut < as_utf8_columns(type_of_trait(f->np.piece[first - 1].word)) &&
	       name_fit_fits(f, form);
}

static bool fits_without_scopes(struct fit *f)
{
	struct form form = {.end = f->np.n, .targs = NONE};

	for (form.first = 1; form.first <= f->np.core; form.first++) {
		if (form.first == f->np.core && fits_cut(f, form.first, form.end))
			return true;
		form.lead = true;
		if (name_fit_fits(f, form))
			return true;
		form.lead = false;
		if ((form.first == f->np.core || !is_folder(f, form.first + 1)) &&
			name_fit_fits(f, form))
			return true;
	}
	return false;
}

/* Of a lambda first "::operator()" goes, then what it stands in. */
static bool fits_in_core(struct fit *f)
{
	struct form form = {.first = f->np.core, .end = f->np.n, .targs = NONE};

	if (form.end - form.first > 1 && as_slice_is(f->np.piece[form.end - 1].word, "operator()"))
		form.end--;
	f->np.n = form.end;
	for (; form.first < form.end; form.first++)
		if (name_fit_fits(f, form) ||
			(form.first + 1 < form.end && fits_cut(f, form.first + 1, form.end)))
			return true;
	return false;
}

/* ---- a word that is too long ---- */

/* Of operators and addresses the end tells them apart. */
static bool ends_differ(struct as_slice s)
{
	return as_slice_starts(s, "operator") || as_slice_starts(s, "0x") ||
	       (as_slice_starts(s, "[") && as_slice_find_text(s, "+0x") < s.len);
}

static struct as_slice cut_front(
	struct as_arena *ar, struct as_slice s, size_t width, struct as_slice dots)
{
	size_t n = as_utf8_columns(s), mark = as_utf8_columns(dots);

	if (width <= mark + 1)
		return as_slice_skip(s, name_fit_bytes_of(s, n - width));
	s = as_slice_skip(s, name_fit_bytes_of(s, n - (width - mark)));
	return as_arena_printf(ar, "%.*s%.*s", AS_SLICE_FMT(dots), AS_SLICE_FMT(s));
}

static struct as_slice cut_back(
	struct as_arena *ar, struct as_slice s, size_t width, struct as_slice dots)
{
	size_t mark = as_utf8_columns(dots);

	s.len = name_fit_bytes_of(s, width <= mark + 1 ? width : width - mark);
	return width <= mark + 1
		       ? s
		       : as_arena_printf(ar, "%.*s%.*s", AS_SLICE_FMT(s), AS_SLICE_FMT(dots));
}

/* "0x1ab70" of "0x000000000001ab70": where it does not fit, zeros go first. */
static struct as_slice without_zeros(struct as_arena *ar, struct as_slice s)
{
	size_t i = 2;

	if (!as_slice_starts(s, "0x0"))
		return s;
	while (i + 1 < s.len && s.p[i] == '0')
		i++;
	s = as_slice_skip(s, i);
	return as_arena_printf(ar, "0x%.*s", AS_SLICE_FMT(s));
}

static struct as_slice name_fit_cut_word(
	struct as_arena *ar, struct as_slice s, size_t width, struct as_slice dots)
{
	s = without_zeros(ar, s);
	if (!s.p || as_utf8_columns(s) <= width)
		return s;
	if (as_slice_starts(s, "{lambda") && width >= sizeof("{lambda}") - 1)
		return as_slice_of("{lambda}");
	if (s.p[0] == '[' && width < BRACKET_MIN && !ends_differ(s))
		s = as_slice_skip(s, 1);
	return ends_differ(s) ? cut_front(ar, s, width, dots) : cut_back(ar, s, width, dots);
}

static struct as_slice dots_of(bool utf8)
{
	return as_slice_of(utf8 ? "\u2026" : "...");
}

struct as_slice as_name_fit_mark(
	struct as_arena *ar, struct as_slice name, size_t width, struct as_slice mark)
{
	struct fit f = {.dots = mark, .width = width};

	if (!name.p || !width || as_utf8_columns(name) <= width)
		return name;
	as_name_take_apart(name, &f.np);
	f.p = as_arena_get(ar, name.len + (f.np.n + 2) * f.dots.len + sizeof("{lambda}"));
	if (!f.p)
		return (struct as_slice){NULL, 0};
	if (fits_without_arguments(&f) || fits_without_scopes(&f) || fits_in_core(&f))
		return name_fit_text_of(&f);
	return name_fit_cut_word(ar, f.np.piece[f.np.n - 1].word, width, f.dots);
}

struct as_slice as_name_fit(struct as_arena *ar, struct as_slice name, size_t width, bool utf8)
{
	return as_name_fit_mark(ar, name, width, dots_of(utf8));
}

/* ---- places ---- */

/* Where ":28" or "+0x1234" at the end of S begins. */
static size_t place_end(struct as_slice s)
{
	size_t i = s.len;

	while (i > 0 && s.p[i - 1] >= '0' && s.p[i - 1] <= '9')
		i--;
	if (i > 1 && i < s.len && s.p[i - 1] == ':')
		return i - 1;
	for (i = s.len; i > 3; i--)
		if (memcmp(s.p + i - 3, "+0x", 3) == 0)
			return i - 3;
	return s.len;
}

struct as_slice as_place_fit(struct as_arena *ar, struct as_slice place, size_t width, bool utf8)
{
	struct as_slice dots = dots_of(utf8), end, stem = place;
	size_t at;

	if (!place.p || !width || as_utf8_columns(place) <= width)
		return place;
	at = place_end(place);
	end = as_slice_skip(place, at);
	stem.len = at;
	at = as_slice_up_to_last(stem, '/');
	stem = as_slice_skip(stem, at);
	if (at && as_utf8_columns(dots) + 1 + as_utf8_columns(stem) + as_utf8_columns(end) <= width)
		return as_arena_printf(ar, "%.*s/%.*s%.*s", AS_SLICE_FMT(dots), AS_SLICE_FMT(stem),
			AS_SLICE_FMT(end));
	if (as_utf8_columns(end) + as_utf8_columns(dots) >= width)
		return end.len ? cut_front(ar, place, width, dots)
			       : cut_back(ar, stem, width, dots);
	if (as_utf8_columns(stem) + as_utf8_columns(end) > width)
		stem = cut_back(ar, stem, width - as_utf8_columns(end), dots);
	return !stem.p ? stem
		       : as_arena_printf(ar, "%.*s%.*s", AS_SLICE_FMT(stem), AS_SLICE_FMT(end));
}

struct as_slice as_text_fit(struct as_arena *ar, struct as_slice s, size_t width, bool utf8)
{
	return !s.p || !width || as_utf8_columns(s) <= width
		       ? s
		       : cut_back(ar, s, width, dots_of(utf8));
}
