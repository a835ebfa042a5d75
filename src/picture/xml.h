/* SPDX-License-Identifier: Apache-2.0 */
/* Text in SVG and HTML. */
#ifndef AS_PICTURE_XML_H
#define AS_PICTURE_XML_H

#include "base/arena.h"
#include "io/out.h"
#include "report/kit/show.h"

/* The pattern "#small", in quiet lines. */
#define AS_XML_HATCH                                                                      \
	"<pattern id=\"small\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">" \
	"<path class=\"hatch\" d=\"M-1,1l2,-2M0,6l6,-6M5,7l2,-2\"/></pattern>\n"

/* THOUSANDTHS / 1000 without zeros at its end: "12.5". */
void as_xml_fixed(struct as_out *out, uint64_t thousandths);

/* What stands before and after the <svg> of a picture: a page, if HTML, in which nothing runs but
 * the script that HASH is of. */
void as_picture_begin(struct as_out *out, bool html, struct as_slice title, const char *hash);
void as_picture_end(struct as_out *out, bool html);
/* Elements of the <svg>: how it looks, the same for all, and what it does. */
void as_picture_style(struct as_out *out);
void as_picture_script(struct as_out *out, const unsigned char *script, size_t size);

/* S cut to so many columns, with an ellipsis in UTF8. p == NULL: out of memory. */
struct as_slice as_picture_cut(struct as_arena *ar, struct as_slice s, size_t columns, bool utf8);
/* The same of a name, but by leaving parts out first; then its last part is cut, which tells it
 * from others. "" where no three letters, or no three columns, are left. */
struct as_slice as_picture_fit(
	struct as_arena *ar, struct as_slice name, size_t columns, bool utf8);

#endif
