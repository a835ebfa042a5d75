/* SPDX-License-Identifier: Apache-2.0 */
/* What tints are in a terminal's colours. */
#ifndef AS_BROWSE_PALETTE_H
#define AS_BROWSE_PALETTE_H

#include "browse/browse.h"

struct as_look {
	int fg, bg; /* -1: the terminal's own; with true colours 0xRRGGBB, else numbers */
	bool bold, dim, reverse, underline;
};

/* Of 16 colours those above 7 are not asked for: many terminals have but 8. */
struct as_look as_palette_look(enum as_tint tint, enum as_browse_colours colours, bool light);

#endif
