/* SPDX-License-Identifier: Apache-2.0 */
/* Text in SVG and HTML. */
#ifndef AS_PICTURE_XML_H
#define AS_PICTURE_XML_H

#include "base/arena.h"
#include "io/out.h"

/* S, which as_show_clean() made, with & < > " ' escaped. */
void as_xml_text(struct as_out *out, struct as_slice s);

/* The pattern "#small", in quiet lines. */
#define AS_XML_HATCH                                                                      \
	"<pattern id=\"small\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">" \
	"<path class=\"hatch\" d=\"M-1,1l2,-2M0,6l6,-6M5,7l2,-2\"/></pattern>\n"

/* THOUSANDTHS / 1000 without zeros at its end: "12.5". */
void as_xml_fixed(struct as_out *out, uint64_t thousandths);

/* The names of a picture are shortened to so many columns; what does not fit by leaving parts out
 * is cut, with an ellipsis in UTF8. "" where no three columns are left. p == NULL: out of memory.
 */
struct as_slice as_picture_fit(
	struct as_arena *ar, struct as_slice name, size_t columns, bool utf8);

#endif
