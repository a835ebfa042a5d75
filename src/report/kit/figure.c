/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/figure.h"

#include "report/kit/show.h"

static as_val figure_power_of_ten(unsigned n)
{
	as_val v = 1;

	as_assert(n <= 38); /* what as_val holds */
	while (n--)
		v *= 10;
	return v;
}

struct as_slice as_diff_decimal(struct as_arena *ar, as_val v, unsigned decimals, unsigned show,
	bool sign, const struct as_style *style)
{
	as_val unit = figure_power_of_ten(decimals > show ? decimals - show : 0),
	       size = v < 0 ? -v : v;
	as_val one;
	struct as_slice whole;
	unsigned digits = decimals < show ? decimals : show;
	const char *mark;

	size = (size + unit / 2) / unit;
	mark = !size ? "" : v < 0 ? "-" : sign ? "+" : "";
	one = figure_power_of_ten(digits);
	whole = as_show_val(ar, size / one, style);
	if (!digits)
		return as_arena_printf(ar, "%s%.*s", mark, AS_SLICE_FMT(whole));
	return as_arena_printf(
		ar, "%s%.*s.%0*u", mark, AS_SLICE_FMT(whole), (int)digits, (unsigned)(size % one));
}

struct as_slice as_diff_number(struct as_arena *ar, const struct as_diff_event *ev, as_val v,
	bool sign, const struct as_style *style)
{
	unsigned show = ev->decimals > 3 ? 3 : ev->decimals ? 1 : 0;

	return as_diff_decimal(ar, v, ev->decimals, show, sign, style);
}

struct as_slice as_diff_exact(struct as_arena *ar, as_val v, unsigned decimals)
{
	while (decimals && v % 10 == 0) {
		v /= 10;
		decimals--;
	}
	return as_diff_decimal(ar, v, decimals, decimals, false, &(struct as_style){0});
}

struct as_slice as_diff_percent(struct as_arena *ar, as_val base, as_val new_)
{
	struct as_slice s = as_show_percent(ar, new_ - base, base < 0 ? -base : base);

	if (!base)
		return as_slice_of("-");
	return as_arena_printf(
		ar, "%s%.*s", s.len && s.p[0] != '-' && new_ > base ? "+" : "", AS_SLICE_FMT(s));
}

struct as_slice as_diff_pair(struct as_arena *ar, const struct as_diff_event *ev,
	const as_val value[AS_SIDES], const struct as_style *style)
{
	struct as_slice base = as_diff_number(ar, ev, value[AS_BASE], false, style);
	struct as_slice new_ = as_diff_number(ar, ev, value[AS_NEW], false, style);

	return as_arena_printf(ar, "%.*s %s %.*s", AS_SLICE_FMT(base),
		style->utf8 ? "\u2192" : "->", AS_SLICE_FMT(new_));
}

struct as_slice as_diff_unit(const struct as_diff *d, const struct as_diff_event *ev)
{
	if (ev->shown)
		return as_slice_of(ev->shown);
	if (ev->shown_str.i && !as_slice_is(as_diff_str(d, ev->shown_str), "events"))
		return as_diff_str(d, ev->shown_str);
	return as_diff_str(d, ev->name);
}

const char *as_diff_verdict_word(enum as_verdict verdict)
{
	static const char *const text[] = {"same", "noise", "chance", "sure"};

	as_assert((size_t)verdict < AS_ARRAY_LEN(text));
	return text[verdict];
}

const char *as_diff_delta(const struct as_style *style)
{
	return style->utf8 ? "\u0394" : "diff";
}

/* ---- JSON ---- */

enum { P_DIGITS = 6 };

static void figure_json_number(
	struct as_json *j, struct as_arena *ar, const char *key, as_val v, unsigned decimals)
{
	as_json_digits(j, key, as_diff_exact(ar, v, decimals));
}

void as_diff_json_sides(
	struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev, const as_val *value)
{
	figure_json_number(j, ar, "base", value[AS_BASE], ev->decimals);
	figure_json_number(j, ar, "new", value[AS_NEW], ev->decimals);
}

void as_diff_json_change(
	struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev, const as_val *value)
{
	as_diff_json_sides(j, ar, ev, value);
	figure_json_number(j, ar, "difference", value[AS_NEW] - value[AS_BASE], ev->decimals);
}

void as_diff_json_figure(struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev,
	const struct as_diff_fig *fig)
{
	static const char *const key[] = {
		"base", "new", "difference", "significance", "interval", "p"};

	for (size_t i = 0; !fig->known && i < AS_ARRAY_LEN(key); i++)
		as_json_null(j, key[i]);
	if (!fig->known)
		return;
	as_diff_json_change(j, ar, ev, fig->value);
	as_json_text(j, "significance", as_slice_of(as_diff_verdict_word(fig->verdict)));
	if (ev->noise == AS_NOISE_NONE) {
		as_json_null(j, "interval");
		as_json_null(j, "p");
		return;
	}
	as_json_array(j, "interval");
	figure_json_number(j, ar, NULL, fig->lo, ev->decimals);
	figure_json_number(j, ar, NULL, fig->hi, ev->decimals);
	as_json_array_end(j);
	figure_json_number(j, ar, "p", (as_val)(fig->p * 1000000 + 0.5), P_DIGITS);
}
