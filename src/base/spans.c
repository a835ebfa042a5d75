/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spans.h"

#include <stdlib.h>

bool as_spans_add(
	const struct as_alloc *al, struct as_spans *s, const int64_t *start, int64_t length)
{
	struct as_span span;

	if (length > 0 ? s->sum <= INT64_MAX - length : s->sum >= INT64_MIN - length)
		s->sum += length;
	if (!start || length < 0 || *start > INT64_MAX - length) {
		s->unplaced = true;
		return true;
	}
	span.start = *start;
	span.end = *start + length;
	return as_vec_push(al, &s->span, span);
}

static int by_start(const void *a, const void *b)
{
	const struct as_span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int64_t as_spans_length(struct as_spans *s)
{
	int64_t length = 0, end = INT64_MIN;

	if (s->unplaced || !s->span.n)
		return s->sum;
	qsort(s->span.p, s->span.n, sizeof(*s->span.p), by_start);
	for (size_t i = 0; i < s->span.n; i++) {
		const struct as_span *one = &s->span.p[i];
		int64_t from = one->start > end ? one->start : end;

		if (one->end <= from)
			continue;
		if (length > INT64_MAX - (one->end - from))
			return INT64_MAX;
		length += one->end - from;
		end = one->end;
	}
	return length;
}
