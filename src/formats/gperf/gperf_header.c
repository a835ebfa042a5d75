/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this a header, and in which layout? The document says only that "the expected locations and
 * values of the header words field" tell: the 3 is at one place in each of the four layouts.
 * docs/formats/gperf.md, "Layout".
 */
#include "formats/gperf/gperf.h"

#define PERIOD_MAX UINT32_MAX /* microseconds: more than an hour is no sampling period */

static const struct as_gp_layout layouts[] = {{4, false}, {4, true}, {8, false}, {8, true}};

static bool plausible_period(uint64_t period)
{
	return period > 0 && period <= PERIOD_MAX;
}

/* Two slots at least are there, but not all five. */
static enum as_gp_head grade_cut(const uint64_t *v, size_t n)
{
	if (v[0] != 0 || v[1] != GP_WORDS || (n > 2 && v[2] > 1) || (n > 3 && v[3] > PERIOD_MAX))
		return AS_GP_HEAD_NO;
	return AS_GP_HEAD_CUT;
}

static enum as_gp_head gp_header_grade(struct as_slice s, bool whole, struct as_gp_layout l)
{
	uint64_t v[GP_HEAD_SLOTS] = {0};
	size_t n = s.len / l.width;

	for (size_t i = 0; i < n && i < GP_HEAD_SLOTS; i++)
		v[i] = gp_slot(s.p + i * l.width, l);
	if (n < GP_HEAD_SLOTS)
		return whole && n >= 2 ? grade_cut(v, n) : AS_GP_HEAD_NO;
	if (v[0] != 0)
		return v[1] == GP_WORDS && v[2] == 0 && plausible_period(v[3]) && v[4] == 0
			       ? AS_GP_HEAD_WRONG
			       : AS_GP_HEAD_NO;
	if (v[1] == GP_WORDS && v[2] <= 1 && v[3] > 0 && (v[4] == 0 || v[4] == GP_TIMED))
		return AS_GP_HEAD_EXACT;
	if (v[1] >= GP_WORDS && v[1] < GP_WORDS_MAX && v[2] < GP_WORDS_MAX && v[3] <= PERIOD_MAX)
		return AS_GP_HEAD_ODD;
	if (v[1] >= 1 && v[1] < GP_WORDS && v[2] <= 1 && plausible_period(v[3]))
		return AS_GP_HEAD_WRONG;
	return AS_GP_HEAD_NO;
}

enum as_gp_head as_gp_detect(struct as_slice s, bool whole, struct as_gp_layout *layout)
{
	enum as_gp_head best = AS_GP_HEAD_NO;

	for (size_t i = 0; i < AS_ARRAY_LEN(layouts); i++) {
		enum as_gp_head got = gp_header_grade(s, whole, layouts[i]);

		if (got > best) {
			best = got;
			*layout = layouts[i];
		}
	}
	return best;
}

const char *as_gp_layout_text(struct as_gp_layout l)
{
	if (l.width == 8)
		return l.big ? "64-bit big-endian" : "64-bit little-endian";
	return l.big ? "32-bit big-endian" : "32-bit little-endian";
}
