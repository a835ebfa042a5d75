/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and numbers as people want to see them. Everything returned lives in AR (or is
 * borrowed); p == NULL means out of memory, which as_grid_cell() passes on.
 */
#ifndef AS_REPORT_KIT_SHOW_H
#define AS_REPORT_KIT_SHOW_H

#include "io/out.h"
#include "model/profile.h"
#include "report/kit/style.h"

/* Control characters, those that turn the direction of text, and bytes that are not UTF-8 as \xNN:
 * nothing moves the cursor, and nothing looks like something else. */
struct as_slice as_show_clean(struct as_arena *ar, struct as_slice s);

/*
 * The function F: NAME if there is one, else "[libc.so.6+0x1234]", "[0x1234]" without
 * object, "[unknown]" without address. ADDR is where it lies.
 */
struct as_slice as_show_func(struct as_arena *ar, const struct as_profile *prof,
	struct as_slice name, as_object object, uint64_t addr);

/* As as_shown_beside(), and clean. */
struct as_slice as_show_beside(
	struct as_arena *ar, const struct as_profile *prof, struct as_slice name);

/* "t.cpp:8"; only the last component of PATH; "" when PATH is. */
struct as_slice as_show_where(struct as_arena *ar, struct as_slice path, uint64_t line);

/* Exact: "378195168", or "378,195,168" where the style groups. */
struct as_slice as_show_val(struct as_arena *ar, as_val v, const struct as_style *style);
/* Whole: as as_show_val(); else four digits that count: "0.01234", "12.34", "123456"; "—" where it
 * is not known. */
struct as_number;
struct as_slice as_show_number(
	struct as_arena *ar, struct as_number n, const struct as_style *style);
/* Whole: as as_show_val(); else two digits behind the point: "12,345.68"; "-" where it is not
 * known. */
struct as_slice as_show_decimal(
	struct as_arena *ar, struct as_number n, const struct as_style *style);
/* Rough: "378.2 M", "703 k", "28". */
struct as_slice as_show_rough(struct as_arena *ar, as_val v);
/* PART of WHOLE: "63.4"; "-" when WHOLE is 0. */
struct as_slice as_show_percent(struct as_arena *ar, as_val part, as_val whole);
/* A line of N values, a column each, the highest for MOST; what is not above 0 is blank. */
struct as_slice as_spark_line(struct as_arena *ar, const as_val *value, uint32_t n, as_val most,
	const struct as_style *style);

/* ---- text in XML, SVG and HTML ---- */
/* S, which as_show_clean() made, with those of & < > " ' escaped that SPECIAL has. */
void as_xml_escape(struct as_out *out, struct as_slice s, const char *special);

/* All of them, which is safe in elements and in attributes with any quotes. */
static inline void as_xml_text(struct as_out *out, struct as_slice s)
{
	as_xml_escape(out, s, "&<>\"'");
}

#endif
