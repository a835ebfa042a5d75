/* SPDX-License-Identifier: Apache-2.0 */
/* How text looks on the reader's screen. All zero: plain, for pipes and files. */
#ifndef AS_REPORT_KIT_STYLE_H
#define AS_REPORT_KIT_STYLE_H

#include "base/base.h"

struct as_style {
	unsigned width; /* columns; 0 = no limit, nothing is shortened */
	bool group;     /* 1,234,567 instead of 1234567 */
	bool color;     /* ANSI escapes */
	bool utf8;      /* the terminal shows UTF-8; else ASCII only */
	bool markdown;  /* tables are Markdown's */
};

enum as_paint {
	AS_PAINT_NONE,
	AS_PAINT_HEAD,
	AS_PAINT_DIM,
	AS_PAINT_GOOD,
	AS_PAINT_BAD,
	AS_PAINT_WARM, /* costs: much, most */
	AS_PAINT_HOT,
};

/* The escape that begins PAINT, "" without colour; as_paint_end() goes back. */
static inline const char *as_paint_begin(const struct as_style *style, enum as_paint paint)
{
	static const char *const escape[] = {
		"", "\033[1m", "\033[2m", "\033[32m", "\033[1;31m", "\033[33m", "\033[1;31m"};

	return style->color ? escape[paint] : "";
}

static inline const char *as_paint_end(const struct as_style *style, enum as_paint paint)
{
	return style->color && paint != AS_PAINT_NONE ? "\033[0m" : "";
}

/* The colour of a row with the self cost SELF, where MOST is the largest of all rows. */
static inline enum as_paint as_paint_heat(as_val self, as_val most)
{
	if (self <= 0 || self < most / 10)
		return AS_PAINT_NONE;
	return self >= most / 2 ? AS_PAINT_HOT : AS_PAINT_WARM;
}

#endif
