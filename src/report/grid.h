/* SPDX-License-Identifier: Apache-2.0 */
/* A table of text cells, lined up in columns two blanks apart. */
#ifndef AS_REPORT_GRID_H
#define AS_REPORT_GRID_H

#include "base/arena.h"
#include "io/out.h"
#include "report/style.h"

enum { AS_GRID_COLUMNS_MAX = 64 };

struct as_grid_column {
	const char *head; /* "" for none; borrowed */
	bool left;        /* else right-aligned, as numbers are */
	bool shrinks;     /* may be shortened by as_show_short() where the width is limited */
};

struct as_grid {
	struct as_arena arena; /* for the cells' texts */
	struct as_grid_column column[AS_GRID_COLUMNS_MAX];
	size_t n_columns;
	AS_VEC(struct as_slice) cell; /* row after row */
	AS_VEC(uint8_t) paint;        /* of the first rows; others have none */
	bool oom;
};

void as_grid_init(struct as_grid *g, const struct as_alloc *al);
void as_grid_release(struct as_grid *g);

/* All columns before the first cell. More than AS_GRID_COLUMNS_MAX are left out. */
void as_grid_column(struct as_grid *g, const char *head, bool left, bool shrinks);
/* The next cell of the current row; S stays valid until the release. p == NULL: out of memory. */
void as_grid_cell(struct as_grid *g, struct as_slice s);
/* The colour of the row whose first cell comes next. */
void as_grid_paint_row(struct as_grid *g, enum as_paint paint);

/* Heads (if any is not "") and rows. What does not fit style->width is shortened. */
enum as_code as_grid_print(struct as_grid *g, struct as_out *out, const struct as_style *style)
	AS_NODISCARD;

#endif
