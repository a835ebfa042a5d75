/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are computed: "Ir + 10 Bm + 10*L1m - Sum", a sum of events with whole factors,
 * which may be computed themselves. docs/formats/callgrind.md §1.
 */
#include "table/derived.h"

enum { DEPTH_MAX = 16 }; /* an event may not be made of itself */

static bool total_of(
	const struct as_profile *prof, struct as_slice name, unsigned depth, as_val *out);

static bool is_end(char c)
{
	return c == ' ' || c == '\t' || c == '+' || c == '-' || c == '*';
}

/* The next run of bytes that are neither blanks nor operators. */
static struct as_slice take_word(struct as_slice *rest)
{
	struct as_slice word = as_slice_ltrim(*rest);
	size_t n = 0;

	while (n < word.len && !is_end(word.p[n]))
		n++;
	*rest = as_slice_skip(word, n);
	word.len = n;
	return word;
}

/* "[factor] ['*'] name" */
static bool take_term(
	const struct as_profile *prof, struct as_slice *rest, unsigned depth, as_val *out)
{
	struct as_slice word = take_word(rest), after;
	uint64_t factor = 1;

	if (as_slice_num(word, &factor)) {
		after = as_slice_ltrim(*rest);
		if (after.len && after.p[0] == '*')
			after = as_slice_skip(after, 1);
		*rest = after;
		word = take_word(rest);
	}
	if (!word.len || !total_of(prof, word, depth, out))
		return false;
	return !__builtin_mul_overflow(*out, (as_val)factor, out);
}

static bool evaluate(
	const struct as_profile *prof, struct as_slice formula, unsigned depth, as_val *out)
{
	struct as_slice rest = as_slice_trim(formula);
	as_val sum = 0, term;

	do {
		bool minus = rest.len && rest.p[0] == '-';

		if (minus || (rest.len && rest.p[0] == '+'))
			rest = as_slice_skip(rest, 1);
		if (!take_term(prof, &rest, depth, &term) ||
			__builtin_add_overflow(sum, minus ? -term : term, &sum))
			return false;
		rest = as_slice_ltrim(rest);
	} while (rest.len);
	*out = sum;
	return true;
}

static bool total_of(
	const struct as_profile *prof, struct as_slice name, unsigned depth, as_val *out)
{
	uint32_t event;

	if (as_profile_event(prof, name, &event)) {
		*out = prof->total[event];
		return true;
	}
	for (size_t i = 0; i < prof->derived.n && depth < DEPTH_MAX; i++)
		if (!prof->derived.p[i].bare &&
			as_slice_eq(as_str_get(prof, prof->derived.p[i].name), name))
			return evaluate(
				prof, as_str_get(prof, prof->derived.p[i].formula), depth + 1, out);
	return false;
}

bool as_derived_total(const struct as_profile *prof, const struct as_derived *d, as_val *out)
{
	return !d->bare && evaluate(prof, as_str_get(prof, d->formula), 0, out);
}
