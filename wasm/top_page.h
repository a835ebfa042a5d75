/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A piece of a table that is shown piece by piece: rows from N on, in another order, of those
 * whose name matches. Rows and rest add up to the total, as those of the whole table do.
 */
#ifndef TOP_PAGE_H
#define TOP_PAGE_H

#include "report/top.h"

enum as_top_order { AS_TOP_AS_IT_IS, AS_TOP_BY_CALLS, AS_TOP_BY_NAME };

struct as_top_page_opts {
	const struct as_view_opts *view;
	enum as_top_order order;
	bool reverse;
	bool no_cycles;                                       /* the JSON is without them */
	uint64_t from, limit;                                 /* of the rows found; LIMIT 0 = all */
	bool (*match)(const void *ctx, struct as_slice name); /* NULL: every row */
	const void *ctx;
};

/* ALL has all rows and outlives PAGE, which is rendered by as_top_print() and ends in
 * as_top_release(). */
enum as_code as_top_page_make(struct as_top *page, const struct as_top *all,
	const struct as_top_page_opts *opts, struct as_err *err) AS_NODISCARD;

#endif
