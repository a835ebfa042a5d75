/* SPDX-License-Identifier: Apache-2.0 */
/* Text in XML, SVG and HTML. */
#ifndef AS_REPORT_KIT_ESCAPE_H
#define AS_REPORT_KIT_ESCAPE_H

#include "io/out.h"

/* S, which as_show_clean() made, with those of & < > " ' escaped that SPECIAL has. */
void as_xml_escape(struct as_out *out, struct as_slice s, const char *special);

/* All of them, which is safe in elements and in attributes with any quotes. */
static inline void as_xml_text(struct as_out *out, struct as_slice s)
{
	as_xml_escape(out, s, "&<>\"'");
}

#endif
