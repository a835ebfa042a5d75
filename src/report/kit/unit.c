/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/unit.h"

#include "report/kit/figure.h"
#include "report/kit/show.h"

enum kind { COUNT, TIME, SIZE, ANY };

/* What the user may ask for. SCALE 0: chosen by the largest value. */
static const struct word {
	const char *text;
	enum kind kind;
	uint64_t scale;
} words[] = {
	{"count", COUNT, 0},
	{"auto", ANY, 0},
	{"time", TIME, 0},
	{"ns", TIME, 1},
	{"us", TIME, 1000},
	{"ms", TIME, 1000000},
	{"s", TIME, 1000000000},
	{"min", TIME, 60000000000},
	{"h", TIME, 3600000000000},
	{"bytes", SIZE, 0},
	{"B", SIZE, 1},
	{"KiB", SIZE, 1 << 10},
	{"MiB", SIZE, 1 << 20},
	{"GiB", SIZE, 1 << 30},
};

/* What profiles call units; and events that say theirs in their names: Xdebug's, in Callgrind's
 * format. */
static const struct named {
	const char *text;
	enum kind kind;
	uint64_t each;
	bool is_event;
} names[] = {
	{"nanoseconds", TIME, 1, false},
	{"ns", TIME, 1, false},
	{"microseconds", TIME, 1000, false},
	{"us", TIME, 1000, false},
	{"milliseconds", TIME, 1000000, false},
	{"ms", TIME, 1000000, false},
	{"seconds", TIME, 1000000000, false},
	{"s", TIME, 1000000000, false},
	{"bytes", SIZE, 1, false},
	{"byte", SIZE, 1, false},
	{"kilobytes", SIZE, 1 << 10, false},
	{"megabytes", SIZE, 1 << 20, false},
	{"Time_(10ns)", TIME, 10, true},
	{"Memory_(bytes)", SIZE, 1, true},
};

static const struct word *word_of(const char *text)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++)
		if (strcmp(words[i].text, text) == 0)
			return &words[i];
	return NULL;
}

static const struct named *named_of(const struct as_profile *prof, as_str name, bool is_event)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++)
		if (names[i].is_event == is_event &&
			as_slice_is(as_str_get(prof, name), names[i].text))
			return &names[i];
	return NULL;
}

bool as_unit_is_known(const char *word)
{
	return word_of(word) != NULL;
}

const char *as_unit_word(size_t i)
{
	return i < AS_ARRAY_LEN(words) ? words[i].text : NULL;
}

/* The largest unit of KIND that LARGEST nanoseconds or bytes have one of; the smallest else. */
static const struct word *unit_fitting(enum kind kind, as_val largest)
{
	const struct word *best = NULL;

	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++) {
		const struct word *w = &words[i];
		bool usual = w->kind == kind && w->scale && w->scale < 60000000000;

		if (usual && (!best || largest >= (as_val)w->scale))
			best = w;
	}
	return best;
}

struct as_unit as_unit_of(
	const struct as_profile *prof, uint32_t event, const char *word, as_val largest)
{
	const struct as_event *ev = &prof->event.p[event];
	const struct word *want = word_of(word);
	const struct named *is =
		ev->unit.i ? named_of(prof, ev->unit, false) : named_of(prof, ev->name, true);
	struct as_unit u = {0, 1, ""};
	uint64_t each;

	as_assert(event < as_n_events(prof));
	each = is ? is->each : 0;

	if (!is && ev->period && (is = named_of(prof, ev->period_unit, false)) &&
		__builtin_mul_overflow(is->each, ev->period, &each))
		return u;
	if (!is || !want || (want->kind != ANY && want->kind != is->kind))
		return u;
	if (largest < 0)
		largest = -largest;
	if (!want->scale && !__builtin_mul_overflow(largest, (as_val)each, &largest))
		want = unit_fitting(is->kind, largest);
	if (!want->scale)
		return u;
	return (struct as_unit){each, want->scale, want->text};
}

struct as_slice as_show_in(
	struct as_arena *ar, as_val v, const struct as_unit *u, const struct as_style *style)
{
	as_val all, hundredths;
	struct as_slice number;

	if (!u->each || __builtin_mul_overflow(v, (as_val)u->each, &all) ||
		all > ((as_val)1 << 120) || all < -((as_val)1 << 120))
		return as_show_val(ar, v, style);
	as_assert(u->scale);
	if (u->scale == 1) {
		number = as_show_val(ar, all, style);
	} else {
		as_val size = all < 0 ? -all : all, scale = (as_val)u->scale;

		hundredths = size / scale * 100 + (size % scale * 100 + scale / 2) / scale;
		number = as_slice_of(v < 0 ? "-<0.01" : "<0.01");
		if (hundredths || !all)
			number = as_diff_decimal(
				ar, all < 0 ? -hundredths : hundredths, 2, 2, false, style);
	}
	return as_arena_printf(ar, "%.*s%s", AS_SLICE_FMT(number), u->suffix);
}
