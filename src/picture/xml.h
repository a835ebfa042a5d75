/* SPDX-License-Identifier: Apache-2.0 */
/* Text in SVG and HTML. */
#ifndef AS_PICTURE_XML_H
#define AS_PICTURE_XML_H

#include "base/arena.h"
#include "io/out.h"
#include "report/kit/show.h"
#include "report/views.h"

/* The pattern "#small", in quiet lines. */
#define AS_XML_HATCH                                                                      \
	"<pattern id=\"small\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">" \
	"<path class=\"hatch\" d=\"M-1,1l2,-2M0,6l6,-6M5,7l2,-2\"/></pattern>\n"

/* THOUSANDTHS / 1000 without zeros at its end: "12.5". */
void as_xml_fixed(struct as_out *out, uint64_t thousandths);

struct as_picture {
	unsigned width; /* pixels */
	uint64_t height;
	struct as_slice title;
	const char *class; /* besides "assay": " fits", or "" */
	const char *defs;  /* elements that others refer to, or "" */
	/* In a page of HTML, in which nothing runs but the script that HASH is of. */
	bool html;
	const char *hash;
};

/* All up to what is drawn: the page, the <svg> and how it looks, which is the same for all. */
void as_picture_begin(struct as_out *out, const struct as_picture *p);
void as_picture_end(struct as_out *out, bool html);
void as_picture_script(struct as_out *out, const unsigned char *script, size_t size);

/* "3.12s cpu" */
struct as_slice as_picture_cost(struct as_arena *ar, const struct as_view_opts *opts,
	const struct as_profile *prof, uint32_t event, as_val cost);
/* "a.prof and 2 more: 3.12s cpu" */
struct as_slice as_picture_title(struct as_arena *ar, const struct as_view_opts *opts,
	const struct as_profile *prof, uint32_t event, as_val cost);
/* A <text> of CLASS. */
void as_picture_line(
	struct as_out *out, const char *class, unsigned x, uint64_t y, struct as_slice text);
/* Where a <rect> is, as attributes, in thousandths of pixels. */
void as_picture_rect(struct as_out *out, uint64_t x, uint64_t y, uint64_t width, uint64_t height);
/* V of WHOLE as a part of SIZE, rounded down; 0 where WHOLE is. */
uint64_t as_picture_scale(as_val v, as_val whole, unsigned size);
/* Between elements: texts that are printed go once they are many. */
static inline void as_picture_tidy(struct as_arena *ar)
{
	if (ar->allocated >= 1 << 16)
		as_arena_reset(ar);
}

/* NAME in so many columns, as as_name_fit() has it; "" where no three letters, or no three columns,
 * are left. p == NULL: out of memory. */
struct as_slice as_picture_fit(
	struct as_arena *ar, struct as_slice name, size_t columns, bool utf8);

#endif
