/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps of where the cost is: objects, in them their files, in those their functions, each as large
 * as its own cost. Exact for profiles of every shape, as it needs no calls.
 */
#ifndef AS_PICTURE_TREEMAP_H
#define AS_PICTURE_TREEMAP_H

#include "base/err.h"
#include "io/out.h"
#include "report/views.h"
#include "table/project.h"

enum as_treemap_kind { AS_TREEMAP_OBJECT, AS_TREEMAP_FILE, AS_TREEMAP_FUNC, AS_TREEMAP_SMALL };

struct as_treemap_box {
	double x, y, w, h; /* pixels */
	as_val cost;
	uint64_t row;   /* of the table: the function, or one of what is in it; SMALL: how many */
	uint8_t kind;   /* enum as_treemap_kind */
	uint8_t colour; /* 1 to 12 of the most expensive objects, 0 of the others */
};

struct as_treemap_opts {
	const struct as_table
		*table; /* by function, or the best as_treemap_rows() with their rests;
					 borrowed, as all of this */
	const struct as_view_opts *view;
	uint32_t event;
	unsigned width, height; /* of the picture, pixels */
};

struct as_treemap {
	const struct as_alloc *al;
	struct as_treemap_opts opts;
	as_val total;
	AS_VEC(struct as_treemap_box) box; /* what is in a box comes after it */
	uint64_t n_small;                  /* functions that are part of boxes SMALL */
};

/* More rows than that cannot be seen, and do not change how the others stand: a box is gathered
 * with others where it is less than three pixels wide or high. */
static inline size_t as_treemap_rows(const struct as_treemap_opts *opts)
{
	return (size_t)opts->width * opts->height / 4;
}

/* Costs below 0 have no size: AS_E_ARG. Always ends in as_treemap_release(). */
enum as_code as_treemap_make(struct as_treemap *map, const struct as_treemap_opts *opts,
	struct as_err *err) AS_NODISCARD;
void as_treemap_release(struct as_treemap *map);

enum { AS_TREEMAP_WIDTH = 1200, AS_TREEMAP_HEIGHT = 800, AS_TREEMAP_HEAD = 50 };

/* HTML: a page with the picture in it. The same map gives the same bytes. */
enum as_code as_treemap_svg(const struct as_treemap *map, bool html, struct as_out *out)
	AS_NODISCARD;

#endif
