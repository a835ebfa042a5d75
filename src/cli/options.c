/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "base/err.h"
#include "base/slice.h"
#include "session/near.h"

enum { WORD_MAX = 64, NAMES_MAX = 128 };

static bool options_wrong(struct as_parse *ps, const char *fmt, ...) AS_PRINTF(2, 3);

static bool options_wrong(struct as_parse *ps, const char *fmt, ...)
{
	va_list ap;
	char raw[sizeof(ps->usage.what)];

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	as_escape(ps->usage.what, sizeof(ps->usage.what), raw, strlen(raw));
	return false;
}

/* The option that is ours of what others call it, or begin to; NULL if it is not among NAMES. */
static const char *peers_option(const char *word, const char *const *names, size_t n)
{
	static const char *const ours[][2] = {
		{"inclusive", "cumulative"},
		{"nodecount", "rows"},
		{"sample_index", "event"},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(ours); i++)
		for (size_t k = 0; k < n && strlen(word) >= 4; k++)
			if (strncmp(word, ours[i][0], strlen(word)) == 0 &&
				strcmp(names[k], ours[i][1]) == 0)
				return names[k];
	return NULL;
}

/* Fill in "did you mean ..." from the names of all options. */
static bool options_unknown(struct as_parse *ps, const char *name)
{
	const char *names[NAMES_MAX] = {"help"};
	const char *near;
	size_t n = 1;

	for (size_t b = 0; b < ps->n_bindings; b++)
		for (const struct as_optdef *d = ps->binding[b].defs; d->name; d++)
			if (n < NAMES_MAX)
				names[n++] = d->name;
	near = peers_option(name, names, n);
	if (!near)
		near = as_nearest(name, names, n);
	as_nearest_hint(ps->usage.hint, sizeof(ps->usage.hint), "--", near, "");
	return options_wrong(ps, "unknown option '--%s'", name);
}

/* The place of VALUE in "a|b|c", from 1; 0 if it is not there. */
static unsigned word_index(const char *list, const char *value)
{
	struct as_slice rest = as_slice_of(list), one;

	for (unsigned i = 1; as_slice_cut(&rest, '|', &one); i++)
		if (as_slice_is(one, value))
			return i;
	return 0;
}

/* The same, where "x:KEY" in the list is x and any key. */
static struct as_keyword options_keyword(const char *list, const char *value)
{
	struct as_slice rest = as_slice_of(list), one;
	struct as_keyword found = {0};

	for (unsigned i = 1; as_slice_cut(&rest, '|', &one); i++) {
		size_t colon = as_slice_find(one, ':');

		if (as_slice_is(one, value) && colon == one.len)
			found = (struct as_keyword){i, NULL};
		else if (colon < one.len && strncmp(one.p, value, colon + 1) == 0 &&
			 value[colon + 1])
			found = (struct as_keyword){i, value + colon + 1};
	}
	return found;
}

static bool options_wrong_word(struct as_parse *ps, const struct as_optdef *def, const char *value)
{
	char words[256];
	const char *names[16];
	size_t n = 0, len = strlen(def->arg);

	if (len >= sizeof(words))
		return options_wrong(ps, "option '--%s' cannot be '%s'", def->name, value);
	memcpy(words, def->arg, len + 1);
	for (char *p = words; p && n < AS_ARRAY_LEN(names);) {
		char *bar = strchr(p, '|');

		if (bar)
			*bar++ = 0;
		names[n++] = p;
		p = bar;
	}
	as_nearest_hint(
		ps->usage.hint, sizeof(ps->usage.hint), "", as_nearest(value, names, n), "");
	return options_wrong(ps, "option '--%s' takes %s, not '%s'", def->name, def->arg, value);
}

static bool options_store(struct as_parse *ps, const struct as_binding *b,
	const struct as_optdef *def, const char *value)
{
	void *at = (char *)b->to + def->offset;
	struct as_list *list;
	struct as_num *num;

	switch (def->kind) {
	case AS_OPT_FLAG:
		*(bool *)at = true;
		return true;
	case AS_OPT_STR:
		*(const char **)at = value;
		return true;
	case AS_OPT_NUM:
		num = at;
		num->again = num->given;
		num->given = true;
		if (as_slice_dec(as_slice_of(value), &num->value))
			return true;
		return options_wrong(
			ps, "option '--%s' takes a number, not '%s'", def->name, value);
	case AS_OPT_WORD:
		*(unsigned *)at = word_index(def->arg, value);
		return *(unsigned *)at ? true : options_wrong_word(ps, def, value);
	case AS_OPT_KEYWORD:
		*(struct as_keyword *)at = options_keyword(def->arg, value);
		return ((struct as_keyword *)at)->word ? true : options_wrong_word(ps, def, value);
	case AS_OPT_LIST:
	case AS_OPT_FILES:
		list = at;
		if (list->n == AS_LIST_MAX)
			return options_wrong(ps, "option '--%s' is given more than %d times",
				def->name, AS_LIST_MAX);
		if (strcmp(def->arg, "OLD=NEW") == 0 && !strchr(value, '='))
			return options_wrong(
				ps, "option '--%s' takes %s, not '%s'", def->name, def->arg, value);
		list->p[list->n++] = value;
		return true;
	}
	return false;
}

/* One option with its value, which may be the next word. */
static bool options_take(struct as_parse *ps, const struct as_binding *b,
	const struct as_optdef *def, const char *value, const char *next)
{
	if (def->kind == AS_OPT_FLAG)
		return value ? options_wrong(ps, "option '--%s' takes no value", def->name)
			     : options_store(ps, b, def, NULL);
	if (!value)
		value = next;
	if (!value) {
		snprintf(ps->usage.hint, sizeof(ps->usage.hint), "%s", def->help);
		return options_wrong(ps, "option '--%s' needs a value: %s", def->name, def->arg);
	}
	return options_store(ps, b, def, value);
}

/* "--from 2.5s", "--to 4s" choose by time, whatever else they are for a command. */
static bool options_is_from_to(const struct as_optdef *def)
{
	return def->kind == AS_OPT_STR &&
	       (strcmp(def->name, "from") == 0 || strcmp(def->name, "to") == 0);
}

static bool options_is_others_time(const struct as_optdef *def, const char *value)
{
	bool time = value && ((value[0] >= '0' && value[0] <= '9') || value[0] == '.');

	return value && time != (strcmp(def->arg, "TIME") == 0);
}

/* "--unit nginx.service" is systemd's, whatever else --unit is for a command. */
static bool options_is_others(const struct as_optdef *def, const char *value)
{
	static const char *const ends[] = {".service", ".scope", ".slice", ".socket", ".timer",
		".mount", ".automount", ".swap", ".target", ".path", ".device"};

	if (options_is_from_to(def))
		return options_is_others_time(def, value);
	if (def->kind != AS_OPT_STR || strcmp(def->name, "unit") != 0)
		return false;
	for (size_t i = 0; value && i < AS_ARRAY_LEN(ends); i++)
		if (as_slice_ends(as_slice_of(value), ends[i]))
			return true;
	return false;
}

/* The option that NAME with VALUE means; NULL: none. Where a command has only one --from or --to,
 * it is meant whatever VALUE is. */
static const struct as_optdef *options_find(const struct as_parse *ps, struct as_slice name,
	const char *value, const struct as_binding **of)
{
	const struct as_optdef *other = NULL;

	for (size_t i = 0; i < ps->n_bindings; i++)
		for (const struct as_optdef *d = ps->binding[i].defs; d->name; d++) {
			if (!as_slice_is(name, d->name))
				continue;
			if (options_is_others(d, value) && (other || !options_is_from_to(d)))
				continue;
			*of = &ps->binding[i];
			if (!options_is_others(d, value))
				return d;
			other = d;
		}
	return other;
}

static bool parse_long(struct as_parse *ps, const char *word, const char *next, int *used)
{
	const char *eq = strchr(word, '=');
	const struct as_optdef *def;
	const struct as_binding *b = NULL;
	struct as_slice name = {word, eq ? (size_t)(eq - word) : strlen(word)};
	char text[WORD_MAX + 1];

	*used = 1;
	if (as_slice_is(name, "help")) {
		ps->help = ps->full_help = true;
		return true;
	}
	def = options_find(ps, name, eq ? eq + 1 : next, &b);
	if (def) {
		*used += def->kind != AS_OPT_FLAG && !eq;
		return options_take(ps, b, def, eq ? eq + 1 : NULL, next);
	}
	snprintf(text, sizeof(text), "%.*s", AS_SLICE_FMT(name));
	return options_unknown(ps, text);
}

static const struct as_optdef *by_letter(
	const struct as_parse *ps, char letter, const struct as_binding **b)
{
	for (size_t i = 0; i < ps->n_bindings; i++)
		for (const struct as_optdef *d = ps->binding[i].defs; d->name; d++)
			if (d->letter == letter) {
				*b = &ps->binding[i];
				return d;
			}
	return NULL;
}

/* The letters of one word: "-qv", "-n5", "-n" "5". */
static bool parse_short(struct as_parse *ps, const char *word, const char *next, int *used)
{
	const struct as_binding *b = NULL;

	*used = 1;
	for (const char *p = word; *p; p++) {
		const struct as_optdef *def = by_letter(ps, *p, &b);

		if (*p == 'h' && !def) {
			ps->help = true;
			continue;
		}
		if (!def) {
			if (word[1] && !p[1])
				return options_wrong(ps, "unknown option '-%c' in '-%s'", *p, word);
			if (strlen(word) > 3 && p == word)
				return options_unknown(ps, word);
			return options_wrong(ps, "unknown option '-%c'", *p);
		}
		if (def->kind != AS_OPT_FLAG) {
			*used += !p[1];
			return options_take(ps, b, def, p[1] ? p + 1 : NULL, next);
		}
		if (!options_take(ps, b, def, NULL, NULL))
			return false;
	}
	return true;
}

bool as_options_parse(struct as_parse *ps, int argc, char *const *argv)
{
	bool options = true;

	for (int i = 0; i < argc;) {
		const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
		int used = 1;

		if (!options || word[0] != '-' || !word[1]) {
			ps->operand[ps->n_operands++] = word;
			options &= !ps->stops;
		} else if (strcmp(word, "--") == 0) {
			options = ps->n_operands && (ps->marks || (ps->splits && !ps->dashes));
			if (ps->marks && ps->n_operands)
				ps->operand[ps->n_operands++] = word;
			if (!ps->dashes)
				ps->n_before_dashes = ps->n_operands;
			ps->dashes = true;
		} else if (word[1] == '-') {
			if (!parse_long(ps, word + 2, next, &used))
				return false;
		} else if (!parse_short(ps, word + 1, next, &used)) {
			return false;
		}
		i += used;
	}
	return true;
}

/* ---- defaults ---- */

static bool option_is_given(const struct as_binding *b, const struct as_optdef *def)
{
	const void *at = (const char *)b->to + def->offset;

	switch (def->kind) {
	case AS_OPT_FLAG:
		return *(const bool *)at;
	case AS_OPT_STR:
		return *(const char *const *)at != NULL;
	case AS_OPT_NUM:
		return ((const struct as_num *)at)->given;
	case AS_OPT_WORD:
		return *(const unsigned *)at != 0;
	case AS_OPT_KEYWORD:
		return ((const struct as_keyword *)at)->word != 0;
	case AS_OPT_LIST:
	case AS_OPT_FILES:
		return ((const struct as_list *)at)->n != 0;
	}
	return false;
}

/* Whether an option NAME of PS is there, was given, may be several times. */
enum which { ANY, GIVEN, LIST };

static bool option_is(const struct as_parse *ps, const char *name, enum which which)
{
	for (size_t i = 0; i < ps->n_bindings; i++)
		for (const struct as_optdef *d = ps->binding[i].defs; d->name; d++)
			if (strcmp(d->name, name) == 0 &&
				(which == ANY ||
					(which == GIVEN ? option_is_given(&ps->binding[i], d)
							: d->kind == AS_OPT_LIST ||
								  d->kind == AS_OPT_FILES)))
				return true;
	return false;
}

bool as_options_has(const struct as_parse *ps, const char *name)
{
	return option_is(ps, name, ANY);
}

bool as_options_given(const struct as_parse *ps, const char *name)
{
	return option_is(ps, name, GIVEN);
}

bool as_options_is_list(const struct as_parse *ps, const char *name)
{
	return option_is(ps, name, LIST);
}

/* VALUE says "yes" or "no" of the flag DEF. */
static bool options_flag(
	struct as_parse *ps, const struct as_optdef *def, const char *value, bool *yes)
{
	static const char *const words[] = {"no", "off", "false", "0", "yes", "on", "true", "1"};

	*yes = !value;
	for (size_t i = 0; value && i < AS_ARRAY_LEN(words); i++)
		if (strcmp(value, words[i]) == 0) {
			*yes = i >= AS_ARRAY_LEN(words) / 2;
			return true;
		}
	return !value || options_wrong(ps, "'%s' is yes or no, not '%s'", def->name, value);
}

bool as_options_default(struct as_parse *ps, const char *name, const char *value)
{
	const struct as_binding *b = NULL;
	const struct as_optdef *def = options_find(ps, as_slice_of(name), value, &b);
	bool yes;

	if (!def)
		return options_unknown(ps, name);
	if (def->kind != AS_OPT_FLAG)
		return options_take(ps, b, def, value, NULL);
	if (!options_flag(ps, def, value, &yes))
		return false;
	return !yes || options_store(ps, b, def, NULL);
}
