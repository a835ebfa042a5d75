/* SPDX-License-Identifier: Apache-2.0 */
/* How much time several recordings took; time in which several of them ran counts once. */
#ifndef AS_BASE_SPANS_H
#define AS_BASE_SPANS_H

#include "base/alloc.h"

struct as_span {
	int64_t start, end;
};

/* A zeroed one is empty. */
struct as_spans {
	AS_VEC(struct as_span) span;
	int64_t sum;   /* of all lengths; those that it can't hold are left out */
	bool unplaced; /* it is not known when one of them began */
};

/* One more, of LENGTH, from *START on (NULL: not known). False if out of memory. */
AS_NODISCARD bool as_spans_add(
	const struct as_alloc *al, struct as_spans *s, const int64_t *start, int64_t length);
/* Their union, or their sum if it is not known when each began. Sorts them. */
int64_t as_spans_length(struct as_spans *s);

#endif
