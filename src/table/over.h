/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of a table cost in each of several stretches of time, all of one length. */
#ifndef AS_TABLE_OVER_H
#define AS_TABLE_OVER_H

#include "base/err.h"
#include "model/profile.h"

enum { AS_OVER_MAX = 10000 }; /* stretches */

/*
 * What is asked of a profile that has moments. A row is known by its place among those that are
 * shown: 0 to N_ROWS - 1, N_ROWS for all others. Either each place of a path has a row, or each
 * part has one.
 */
struct as_over_ask {
	uint32_t event;
	uint64_t width; /* of a stretch, nanoseconds; at least 1 */
	/* Moments are of the clock that everybody has: stretches begin at multiples of WIDTH since
	 * 1970, and what is of 1970's very first nanosecond is of no known time. Otherwise they
	 * begin at multiples of WIDTH after the beginning of the recording. */
	bool clock;
	bool inclusive; /* by place: a path counts once for each row that it goes through */
	uint32_t n_rows;
	const uint32_t *of_place, *of_part; /* one of them is NULL */
};

struct as_over {
	const struct as_profile *prof;
	struct as_over_ask ask;
	int64_t start; /* of the first stretch: nanoseconds since 1970, or after the beginning */
	uint32_t n;    /* stretches, at least 1 */
	bool timeless; /* some cost is of no known time */
	as_val *cost;  /* of each row and the others N values, then what is of no known time */
	size_t size;   /* values that there is room for */
};

/* Errors: AS_E_NOMEM; AS_E_ARG: these would be more than AS_OVER_MAX stretches. OVER ends in
 * as_over_release(), also on failure. */
enum as_code as_over_make(struct as_over *over, const struct as_profile *prof,
	const struct as_over_ask *ask, struct as_err *err) AS_NODISCARD;
void as_over_release(struct as_over *over);

static inline const as_val *as_over_costs(const struct as_over *over, uint32_t row)
{
	return over->cost + (size_t)row * (over->n + 1);
}

#endif
