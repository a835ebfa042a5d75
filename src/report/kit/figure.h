/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a comparison as text and JSON. What is returned is as report/kit/show.h has it. */
#ifndef AS_REPORT_KIT_FIGURE_H
#define AS_REPORT_KIT_FIGURE_H

#include "diff/diff.h"
#include "report/kit/json.h"
#include "report/kit/style.h"

/* "+1,234", "-0.25": V of DECIMALS digits behind the point, of which at most SHOW are shown. */
struct as_slice as_diff_decimal(struct as_arena *ar, as_val v, unsigned decimals, unsigned show,
	bool sign, const struct as_style *style);
/* V exactly: all digits that are not zeros at the end. */
struct as_slice as_diff_exact(struct as_arena *ar, as_val v, unsigned decimals);
/* "+3.4 %", "-" where BASE is 0. */
struct as_slice as_diff_percent(struct as_arena *ar, as_val base, as_val new_);
/* V of EV as as_diff_decimal() has it, with as many digits as figures of EV are shown with. */
struct as_slice as_diff_number(struct as_arena *ar, const struct as_diff_event *ev, as_val v,
	bool sign, const struct as_style *style);
/* "3.12 → 0.78" */
struct as_slice as_diff_pair(struct as_arena *ar, const struct as_diff_event *ev,
	const as_val value[AS_SIDES], const struct as_style *style);
/* The unit of the figures, for a heading: "s", "Ir", "cycles". */
struct as_slice as_diff_unit(const struct as_diff *d, const struct as_diff_event *ev);
/* "same", "noise", "chance", "sure" */
const char *as_diff_verdict_word(enum as_verdict verdict);
/* "Δ", "diff" */
const char *as_diff_delta(const struct as_style *style);

/* "base", "new" of two VALUES of AS_SIDES. */
void as_diff_json_sides(struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev,
	const as_val *value);
/* And "difference". */
void as_diff_json_change(struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev,
	const as_val *value);
/* Members of FIG; if it is not known, all are null. */
void as_diff_json_figure(struct as_json *j, struct as_arena *ar, const struct as_diff_event *ev,
	const struct as_diff_fig *fig);

#endif
