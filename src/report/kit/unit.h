/* SPDX-License-Identifier: Apache-2.0 */
/* Counts told as times or sizes: `--unit`. Exact until they are rounded to two decimals. */
#ifndef AS_REPORT_KIT_UNIT_H
#define AS_REPORT_KIT_UNIT_H

#include "model/profile.h"
#include "report/kit/style.h"

struct as_unit {
	uint64_t each;  /* nanoseconds or bytes that a count stands for; 0: shown as a count */
	uint64_t scale; /* of them, in the unit that is shown */
	const char *suffix;
};

/* Whether WORD is one of "count", "auto", "time", "s", "ms", "us", "ns", "min", "h", "bytes", "B",
 * "KiB", "MiB", "GiB". */
bool as_unit_is_known(const char *word);
/* The I-th of these; NULL behind the last. */
const char *as_unit_word(size_t i);

/* How counts of EVENT are shown in the unit WORD, a known one; "auto", "time" and "bytes" choose it
 * so that LARGEST has a digit before the point. Samples are times when their period is one. Where
 * EVENT cannot be told in the unit, it is shown as a count. */
struct as_unit as_unit_of(
	const struct as_profile *prof, uint32_t event, const char *word, as_val largest);

/* "3.12s", "514.00KiB", "<0.01s" for what is not nothing; as as_show_val() where U is a count, or V
 * too large. */
struct as_slice as_show_in(
	struct as_arena *ar, as_val v, const struct as_unit *u, const struct as_style *style);

#endif
