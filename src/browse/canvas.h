/* SPDX-License-Identifier: Apache-2.0 */
/* A screen as characters, apart from any terminal: views draw on it, tests read it. */
#ifndef AS_BROWSE_CANVAS_H
#define AS_BROWSE_CANVAS_H

#include "base/arena.h"

/* What a character looks like; palette.h says it in colours. */
enum as_tint {
	AS_TINT_PLAIN,
	AS_TINT_HEAD,
	AS_TINT_DIM,
	AS_TINT_WARM, /* costs: much, most */
	AS_TINT_HOT,
	AS_TINT_GOOD,
	AS_TINT_BAD,
	AS_TINT_FOUND, /* what is searched for */
	AS_TINT_BAR,   /* title and status */
	AS_TINT_TAB,   /* the view that is shown */
	AS_TINT_BOX,   /* of a flame graph: no group, then its groups, */
	AS_TINT_BOX_LAST = AS_TINT_BOX + 12,
	AS_TINT_REST, /* what is too small, */
	AS_TINT_MORE, /* and of a comparison four steps of more, and four of less */
	AS_TINT_LESS = AS_TINT_MORE + 4,
	AS_TINTS = AS_TINT_LESS + 4,
};

struct as_cell {
	uint32_t c;   /* 0: the second half of a wide character */
	uint8_t tint; /* enum as_tint */
	bool marked;
};

struct as_canvas {
	const struct as_alloc *al;
	unsigned columns, lines;
	bool utf8;
	struct as_cell *cell; /* line after line */
};

/* Blank. False if out of memory. Always ends in as_canvas_release(). */
AS_NODISCARD bool as_canvas_make(
	struct as_canvas *f, const struct as_alloc *al, unsigned columns, unsigned lines);
void as_canvas_release(struct as_canvas *f);

/* S from X on, at most WIDTH columns of it, none beyond the frame; how many they are. Whatever is
 * in S, nothing but its visible characters comes on the screen: others are \xNN. */
unsigned as_canvas_put(struct as_canvas *f, unsigned x, unsigned y, unsigned width,
	struct as_slice s, enum as_tint tint);
/* C so often. */
void as_canvas_fill(
	struct as_canvas *f, unsigned x, unsigned y, unsigned n, char c, enum as_tint tint);
void as_canvas_mark(struct as_canvas *f, unsigned x, unsigned y, unsigned n);

/* Line Y as text, without blanks at its end; of AR. */
struct as_slice as_canvas_text(const struct as_canvas *f, unsigned y, struct as_arena *ar);

/* Columns of a character: 0, 1 or 2. */
unsigned as_canvas_width(uint32_t c);

#endif
