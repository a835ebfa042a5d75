/* SPDX-License-Identifier: Apache-2.0 */
#include "browse/palette.h"

enum { OWN = -1, BLACK = 16, GREY_FIRST = 232, CUBE_FIRST = 16 };

/* As numbers of 256 colours on a dark ground and on a light one, and of 8. */
struct palette_row {
	int16_t fg, bg;
	int16_t light_fg, light_bg;
	int8_t fg8, bg8;
	struct {
		bool bold, dim, reverse, underline;
	} how;
};

#define LOOK(fg, bg, lfg, lbg, fg8, bg8, ...) \
	{                                     \
		fg, bg, lfg, lbg, fg8, bg8,   \
		{                             \
			__VA_ARGS__           \
		}                             \
	}
#define BOX(bg, bg8) LOOK(BLACK, bg, BLACK, bg, 0, bg8, .bold = false)

/* Boxes are bright enough for black text on any ground; their colours are those of assay flame. */
static const struct palette_row palette[AS_TINTS] = {
	[AS_TINT_PLAIN] = LOOK(OWN, OWN, OWN, OWN, OWN, OWN, .bold = false),
	[AS_TINT_HEAD] = LOOK(OWN, OWN, OWN, OWN, OWN, OWN, .bold = true),
	[AS_TINT_DIM] = LOOK(246, OWN, 241, OWN, OWN, OWN, .dim = true),
	[AS_TINT_WARM] = LOOK(221, OWN, 130, OWN, 3, OWN, .bold = false),
	[AS_TINT_HOT] = LOOK(209, OWN, 160, OWN, 1, OWN, .bold = true),
	[AS_TINT_GOOD] = LOOK(117, OWN, 25, OWN, 6, OWN, .bold = false),
	[AS_TINT_BAD] = LOOK(215, OWN, 130, OWN, 3, OWN, .bold = true),
	[AS_TINT_FOUND] = LOOK(BLACK, 226, BLACK, 226, 0, 3, .underline = true),
	[AS_TINT_BAR] = LOOK(254, 238, 235, 252, OWN, OWN, .reverse = true),
	[AS_TINT_TAB] = LOOK(BLACK, 153, 231, 25, OWN, OWN, .bold = true, .reverse = true),
	[AS_TINT_BOX] = BOX(250, 7),
	[AS_TINT_BOX + 1] = BOX(216, 3),
	[AS_TINT_BOX + 2] = BOX(153, 6),
	[AS_TINT_BOX + 3] = BOX(151, 2),
	[AS_TINT_BOX + 4] = BOX(218, 5),
	[AS_TINT_BOX + 5] = BOX(222, 3),
	[AS_TINT_BOX + 6] = BOX(183, 5),
	[AS_TINT_BOX + 7] = BOX(116, 6),
	[AS_TINT_BOX + 8] = BOX(180, 3),
	[AS_TINT_BOX + 9] = BOX(219, 5),
	[AS_TINT_BOX + 10] = BOX(192, 2),
	[AS_TINT_BOX + 11] = BOX(217, 3),
	[AS_TINT_BOX + 12] = BOX(152, 6),
	[AS_TINT_REST] = BOX(245, 7),
	[AS_TINT_MORE] = BOX(230, 3),
	[AS_TINT_MORE + 1] = BOX(223, 3),
	[AS_TINT_MORE + 2] = BOX(216, 3),
	[AS_TINT_MORE + 3] = BOX(208, 3),
	[AS_TINT_LESS] = BOX(195, 6),
	[AS_TINT_LESS + 1] = BOX(153, 6),
	[AS_TINT_LESS + 2] = BOX(117, 6),
	[AS_TINT_LESS + 3] = BOX(75, 6),
};

/* Colour N of 256 as xterm has it. */
static int palette_rgb(int n)
{
	static const int level[] = {0, 95, 135, 175, 215, 255};
	int c = n - CUBE_FIRST, grey = 8 + 10 * (n - GREY_FIRST);

	if (n < 0)
		return n;
	if (n >= GREY_FIRST)
		return grey << 16 | grey << 8 | grey;
	/* Direct colours below 8 are numbers of the palette: black is nearly that. */
	if (c <= 0)
		return 0x080808;
	return level[c / 36] << 16 | level[c / 6 % 6] << 8 | level[c % 6];
}

struct as_look as_palette_look(enum as_tint tint, enum as_browse_colours colours, bool light)
{
	const struct palette_row *row = &palette[tint < AS_TINTS ? tint : AS_TINT_PLAIN];
	int fg = light ? row->light_fg : row->fg, bg = light ? row->light_bg : row->bg;
	struct as_look look = {fg, bg, row->how.bold, false, false, false};

	if (colours == AS_COLOURS_TRUE) {
		look.fg = palette_rgb(fg);
		look.bg = palette_rgb(bg);
	} else if (colours <= AS_COLOURS_16) {
		look.fg = colours ? row->fg8 : OWN;
		look.bg = colours ? row->bg8 : OWN;
		look.dim = row->how.dim;
		/* What has no colour of its own is told by the rest. */
		look.reverse = row->how.reverse || (!colours && bg != OWN && !row->how.underline);
		look.underline = row->how.underline && !colours;
	}
	return look;
}
