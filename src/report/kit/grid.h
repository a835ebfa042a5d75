/* SPDX-License-Identifier: Apache-2.0 */
/* A table of text cells, lined up in columns two blanks apart. */
#ifndef AS_REPORT_KIT_GRID_H
#define AS_REPORT_KIT_GRID_H

#include "base/arena.h"
#include "io/out.h"
#include "report/kit/style.h"

enum { AS_GRID_COLUMNS_MAX = 128 };

/* What may be left out of a column's cells where the width is limited. */
enum as_fit {
	AS_FIT_WHOLE, /* nothing */
	AS_FIT_NAME,  /* of functions: by as_name_fit() */
	AS_FIT_PLACE, /* files with lines, objects with offsets: by as_place_fit() */
	AS_FIT_TEXT,  /* what is at the end */
};

struct as_grid_column {
	const char *head; /* "" for none; borrowed */
	bool left;        /* else right-aligned, as numbers are */
	enum as_fit fit;
};

/* A text, and what is kept of it however short it becomes. */
struct as_grid_cell {
	struct as_slice text;
	size_t indent;            /* blanks */
	const char *lead, *trail; /* "< ", " ↻"; NULL: nothing; borrowed */
	bool plain;               /* it is no name: Markdown has it as text */
};

struct as_grid {
	struct as_arena arena; /* for the cells' texts; has failed if anything of the grid has */
	struct as_grid_column column[AS_GRID_COLUMNS_MAX];
	size_t n_columns;
	AS_VEC(struct as_grid_cell) cell; /* row after row */
	AS_VEC(uint8_t) paint;            /* of the first rows; others have none */
};

void as_grid_init(struct as_grid *g, const struct as_alloc *al);
void as_grid_release(struct as_grid *g);

/* All columns before the first cell. More than AS_GRID_COLUMNS_MAX fail. */
void as_grid_column(struct as_grid *g, const char *head, bool left, enum as_fit fit);
/* The next cell of the current row; S stays valid until the release. p == NULL: out of memory. */
void as_grid_cell(struct as_grid *g, struct as_slice s);
void as_grid_marked(struct as_grid *g, struct as_grid_cell cell);
/* The colour of the row whose first cell comes next. */
void as_grid_paint_row(struct as_grid *g, enum as_paint paint);

/* Heads (if any is not "") and rows. Where style->width limits them, places are shortened, then
 * names; in a file or a pipe nothing is, and long names are not padded for. */
enum as_code as_grid_print(struct as_grid *g, struct as_out *out, const struct as_style *style)
	AS_NODISCARD;

/* The style of Markdown. What is at the left, and may be shortened, is code there. */
extern const struct as_style as_grid_markdown;
/* Markdown: TEXT as code, in a table or outside. */
void as_grid_code(struct as_out *out, struct as_arena *ar, struct as_slice text);

#endif
