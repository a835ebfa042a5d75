/* SPDX-License-Identifier: Apache-2.0 */
#include "session/filters.h"

#include "change/filter/pprof_value.h"

/* In the order of enum as_word. */
static const char *const words[] = {"tagroot", "tagleaf", "tagfocus", "tagignore", "tagshow",
	"taghide", "thread", "part", "process", "unit", "label", "focus", "ignore", "hide", "show",
	"show-from", "prune-from", "object"};

_Static_assert(AS_ARRAY_LEN(words) == AS_WORDS, "a word has no text");
_Static_assert(AS_WORD_OBJECT - AS_WORD_FOCUS == AS_FILTER_OBJECT, "patterns differ");

const char *as_word_text(enum as_word kind)
{
	as_assert((size_t)kind < AS_WORDS);
	return words[kind];
}

bool as_word_find(struct as_slice text, enum as_word *kind)
{
	for (unsigned k = 0; k < AS_WORDS; k++)
		if (k != AS_WORD_UNIT && as_slice_is(text, words[k])) {
			*kind = (enum as_word)k;
			return true;
		}
	return false;
}

static bool is_pattern(enum as_word kind)
{
	return kind >= AS_WORD_FOCUS;
}

static enum as_filter_kind pattern_kind(enum as_word kind)
{
	return (enum as_filter_kind)(kind - AS_WORD_FOCUS);
}

/* ---- from words ---- */

/* A word on its way to items. */
struct taking {
	struct as_filters *f;
	const struct as_filter_word *word;
	struct as_filter_item item;
	struct as_filters_wrong *wrong;
	struct as_err *err;
};

static enum as_code filters_wrong_word(struct taking *t, const char *why)
{
	*t->wrong = (struct as_filters_wrong){*t->word, SIZE_MAX};
	return as_err_set(t->err, AS_E_ARG, "%s", why);
}

/* The item becomes the filters', with all that it has to release. */
static enum as_code push_item(struct taking *t)
{
	return as_vec_push(t->f->arena.al, &t->f->item, t->item) ? AS_OK : as_err_no_memory(t->err);
}

/* TEXT begins at byte AT of the word. */
static enum as_code add_regex(struct taking *t, struct as_slice text, bool lower, size_t at)
{
	const struct as_filters_ask *ask = &t->f->ask;
	struct as_filter_item *it = &t->f->item.p[t->f->item.n - 1];
	size_t place = 0;
	enum as_code rc = ask->regex.make(
		ask->regex.ctx, text, lower && !ask->compat, &it->re[it->n], &place, t->err);

	if (rc == AS_OK)
		it->n++;
	*t->wrong = (struct as_filters_wrong){*t->word, at + place};
	return rc;
}

/* The item with room for N regular expressions. */
static enum as_code begin_regexes(struct taking *t, size_t n)
{
	t->item.re = as_arena_get(&t->f->arena, n * sizeof(*t->item.re));
	return t->item.re ? push_item(t) : as_err_no_memory(t->err);
}

static enum as_code take_pattern(struct taking *t)
{
	struct as_slice text = t->item.text;
	struct as_pattern p;

	if (!as_pattern_read(&p, pattern_kind(t->item.kind), text, !t->f->ask.compat))
		return filters_wrong_word(
			t, "an object is chosen by its name, not by something else");
	t->item.fields = p.fields;
	t->item.inside = as_pattern_is_inside(p.text);
	AS_TRY(begin_regexes(t, 1));
	return add_regex(
		t, p.text, p.ignore_case, p.text.p == p.buf ? 0 : (size_t)(p.text.p - text.p));
}

/* Keys are looked for by one regular expression, values by several, and ranges by none. */
static enum as_code filters_take_label(struct taking *t)
{
	struct as_slice rest = as_filter_read_label(&t->item), one;
	size_t n = 1;

	for (size_t i = 0; i < rest.len; i++)
		n += rest.p[i] == ',';
	AS_TRY(begin_regexes(t, n));
	if (t->item.kind > AS_WORD_TAGIGNORE)
		return add_regex(t, rest, as_pattern_is_lower(rest), 0);
	while (rest.p && as_slice_cut(&rest, ',', &one))
		AS_TRY(add_regex(
			t, one, as_pattern_is_lower(one), (size_t)(one.p - t->item.text.p)));
	as_assert(t->f->item.p[t->f->item.n - 1].n <= n);
	return AS_OK;
}

static enum as_code take_keys(struct taking *t)
{
	struct as_slice rest = t->item.text;
	size_t n = t->f->item.n;

	while (as_slice_cut(&rest, ',', &t->item.key))
		if (t->item.key.len)
			AS_TRY(push_item(t));
	return t->f->item.n > n ? AS_OK : filters_wrong_word(t, "there is no key");
}

static enum as_code take_word(struct taking *t, size_t i)
{
	t->item = (struct as_filter_item){.word = i,
		.kind = t->word->kind,
		.text = as_arena_dup(&t->f->arena, t->word->text)};
	AS_TRY(as_err_memory(t->err, t->item.text.p));
	if (is_pattern(t->item.kind))
		return take_pattern(t);
	if (t->item.kind <= AS_WORD_TAGLEAF)
		return take_keys(t);
	if (t->item.kind <= AS_WORD_TAGHIDE) {
		t->f->by_label = true;
		return filters_take_label(t);
	}
	t->f->by_part = true;
	return AS_OK;
}

/* The words of one kind, as what chooses parts takes them. */
static bool take_texts(struct as_filters *f, const struct as_filters_ask *ask, enum as_word kind,
	struct as_texts *out)
{
	const char **p = as_arena_get(&f->arena, (ask->n + 1) * sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; p && i < ask->n; i++)
		if (ask->word[i].kind == kind) {
			p[n] = as_arena_dup(&f->arena, ask->word[i].text).p;
			if (!p[n++])
				return false;
		}
	*out = (struct as_texts){p, n};
	return p;
}

static bool filters_take_matchers(struct as_filters *f)
{
	f->matcher = as_arena_get(&f->arena, (f->item.n + 1) * sizeof(*f->matcher));
	f->matched = as_arena_get(&f->arena, (f->item.n + 1) * sizeof(*f->matched));
	for (size_t i = 0; f->matcher && i < f->item.n; i++) {
		const struct as_filter_item *it = &f->item.p[i];

		if (is_pattern(it->kind))
			f->matcher[f->n_matchers++] = (struct as_matcher){pattern_kind(it->kind),
				it->fields, f->ask.regex.match, it->re[0], it->inside};
	}
	return f->matcher && f->matched;
}

enum as_code as_filters_new(const struct as_alloc *al, const struct as_filters_ask *ask,
	struct as_filters **out, struct as_filters_wrong *wrong, struct as_err *err)
{
	struct as_filters *f = as_alloc_new(al, sizeof(*f));
	struct taking t = {.f = f, .wrong = wrong, .err = err};

	*out = f;
	AS_TRY(as_err_memory(err, f));
	as_arena_init(&f->arena, al);
	f->ask = *ask;
	f->ask.word = NULL;
	f->ask.n = 0;
	f->fields = as_words_fields(ask->word, ask->n);
	for (size_t i = 0; i < ask->n; i++) {
		t.word = &ask->word[i];
		AS_TRY(take_word(&t, i));
	}
	if (take_texts(f, ask, AS_WORD_THREAD, &f->choice.thread) &&
		take_texts(f, ask, AS_WORD_PART, &f->choice.part) &&
		take_texts(f, ask, AS_WORD_PROCESS, &f->choice.process) &&
		take_texts(f, ask, AS_WORD_UNIT, &f->choice.unit) &&
		take_texts(f, ask, AS_WORD_LABEL, &f->choice.label) && filters_take_matchers(f))
		return AS_OK;
	return as_err_no_memory(err);
}

void as_filters_free(struct as_filters *f)
{
	const struct as_alloc *al;

	if (!f)
		return;
	al = f->arena.al;
	for (size_t i = 0; f->ask.regex.release && i < f->item.n; i++)
		for (size_t k = 0; k < f->item.p[i].n; k++)
			f->ask.regex.release(f->item.p[i].re[k]);
	as_vec_free(al, &f->item);
	as_arena_release(&f->arena);
	as_alloc_free(al, f, sizeof(*f));
}

/* ---- what they are about ---- */

bool as_filters_choose(const struct as_filters *f)
{
	return f->n_matchers || f->by_part || f->by_label || f->ask.by_time;
}

unsigned as_words_fields(const struct as_filter_word *word, size_t n)
{
	struct as_pattern p;
	unsigned fields = 0;

	for (size_t i = 0; i < n; i++)
		if (is_pattern(word[i].kind) &&
			as_pattern_read(&p, pattern_kind(word[i].kind), word[i].text, false))
			fields |= p.fields;
	return fields;
}

/* ---- sample by sample ---- */

static bool filters_want_object(const void *ctx, struct as_slice path)
{
	const struct as_filters *f = ctx;

	for (size_t i = 0; i < f->n_matchers; i++)
		if (f->matcher[i].match(f->matcher[i].ctx, path))
			return true;
	return false;
}

/* What parts of several profiles say differently is not said of all of them: that chooses none. */
static bool filters_want_part(const void *ctx, const struct as_profile *prof, uint32_t part)
{
	const struct as_filters *f = ctx;

	return as_choose_part(prof, &f->choice, part);
}

bool as_filters_by_sample(const struct as_filters *f, struct as_rd_choice *choice)
{
	*choice = (struct as_rd_choice){.ctx = f,
		.object = f->n_matchers ? filters_want_object : NULL,
		.part = f->by_part ? filters_want_part : NULL};
	for (size_t i = 0; i < f->item.n; i++)
		if (f->item.p[i].kind != AS_WORD_OBJECT)
			return false;
	return !f->ask.compat && !f->ask.by_time && (choice->object || choice->part);
}

/* ---- filtering ---- */

static bool note_whole(struct as_filters *f, const struct as_profile *prof)
{
	uint32_t n = as_n_events(prof);

	if (!f->ask.compat || f->ask.relative || !n || f->whole)
		return true;
	f->whole = as_arena_get(&f->arena, n * sizeof(*f->whole));
	if (!f->whole)
		return false;
	f->n_whole = n;
	for (uint32_t k = 0; k < n; k++) {
		const struct as_pprof_column column = {.event = k, .each = 1};

		/* Without a period it fits. */
		(void)as_pprof_sum(prof, &column, &f->whole[k]);
	}
	return true;
}

/* Of the patterns; those of labels know it already. */
static void note_matched(struct as_filters *f)
{
	size_t k = 0;

	for (size_t i = 0; i < f->item.n; i++)
		if (is_pattern(f->item.p[i].kind))
			f->item.p[i].matched = f->matched[k++];
	as_assert(k == f->n_matchers);
}

/* The first that asks for a match and got none, as far as its like was why nothing is left. */
static const struct as_filter_item *find_blame(const struct as_filters *f, enum as_left left)
{
	for (size_t i = 0; i < f->item.n; i++) {
		const struct as_filter_item *it = &f->item.p[i];

		if (!it->matched &&
			((left == AS_LEFT_NOTHING && is_pattern(it->kind)) ||
				(left == AS_LEFT_NO_LABEL && it->kind == AS_WORD_TAGFOCUS)))
			return it;
	}
	return NULL;
}

/* KEEP has room for a byte of each part, and behind these of each label. */
static enum as_code filter_with(struct as_filters *f, const struct as_profile *prof, uint8_t *keep,
	struct as_filters_left *left, struct as_losses *l, struct as_err *err)
{
	struct as_filter how = {.matcher = f->matcher,
		.n = f->n_matchers,
		.keep_contexts = f->ask.keep_contexts,
		.relative = f->ask.relative,
		.show_named = f->ask.compat};
	struct as_filtered out;
	bool some;

	if (!as_choose_parts(prof, &f->choice, keep) && f->by_part)
		left->left = AS_LEFT_NO_PART;
	if (f->by_part || f->by_label)
		how.keep_part = keep;
	if (f->by_label) {
		how.keep_label = keep + prof->part.n;
		if (!as_filter_labels(f, prof, keep, keep + prof->part.n, &some))
			return as_err_no_memory(err);
		if (!some && left->left == AS_LEFT_SOME)
			left->left = AS_LEFT_NO_LABEL;
	}
	memset(f->matched, 0, f->n_matchers * sizeof(*f->matched));
	AS_TRY(as_filter(prof, &how, f->matched, &out, l, err));
	note_matched(f);
	left->prof = out.prof;
	left->estimated = out.estimated;
	if (as_is_void(out.prof) && left->left == AS_LEFT_SOME)
		left->left = AS_LEFT_NOTHING;
	left->blame = find_blame(f, left->left);
	return AS_OK;
}

/* As filter_with(), of a profile that is not needed any more. */
static enum as_code filters_run_rest(struct as_filters *f, struct as_profile *prof, uint8_t *keep,
	struct as_filters_left *left, struct as_losses *l, struct as_err *err)
{
	enum as_code rc;

	left->prof = prof;
	left->left = as_is_void(prof) ? AS_LEFT_NO_TIME : AS_LEFT_SOME;
	if (left->left == AS_LEFT_NO_TIME || !(f->n_matchers || f->by_part || f->by_label))
		return AS_OK;
	left->prof = NULL;
	rc = filter_with(f, prof, keep, left, l, err);
	as_profile_free(prof);
	return rc;
}

static enum as_code filters_run_all(struct as_filters *f, const struct as_profile *prof,
	uint8_t *keep, struct as_filters_left *left, struct as_losses *l, struct as_err *err)
{
	struct as_profile *timed;

	AS_TRY(as_err_memory(err, note_whole(f, prof)));
	if (!f->ask.by_time || as_is_void(prof))
		return filter_with(f, prof, keep, left, l, err);
	if (!prof->moments.n)
		return as_err_set(err, AS_E_UNSUPPORTED,
			"the profile does not say when its samples were counted");
	AS_TRY(as_filter_time(prof, f->ask.time, f->ask.relative, &timed, err));
	return filters_run_rest(f, timed, keep, left, l, err);
}

enum as_code as_filters_run(struct as_filters *f, const struct as_profile *prof,
	struct as_filters_left *left, struct as_losses *l, struct as_err *err)
{
	size_t n = prof->part.n + prof->label.n + 1;
	enum as_code rc;
	uint8_t *keep;

	*left = (struct as_filters_left){.left = AS_LEFT_SOME};
	if (!as_filters_choose(f))
		return AS_OK;
	keep = as_alloc_new(f->arena.al, n);
	AS_TRY(as_err_memory(err, keep));
	rc = filters_run_all(f, prof, keep, left, l, err);
	as_alloc_free(f->arena.al, keep, n);
	return rc;
}
