/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of comparisons have in common. */
#ifndef AS_DIFF_TEST_DIFF_H
#define AS_DIFF_TEST_DIFF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "diff/diff.h"

static inline struct as_diff *begin(enum as_by by, unsigned n_runs)
{
	struct as_diff_opts opts = {.by = by, .n_runs = n_runs};
	struct as_diff *d;

	assert_int_equal(as_diff_begin(&d, &as_alloc_libc, &opts, NULL), AS_OK);
	return d;
}

/* Frees PROF: nothing of it may be needed later. */
static inline void add(struct as_diff *d, enum as_side side, struct as_profile *prof)
{
	assert_int_equal(as_diff_add(d, side, prof, as_slice_of("x"), NULL), AS_OK);
	as_profile_free(prof);
}

static inline void finish(struct as_diff *d, enum as_norm norm, bool inclusive)
{
	assert_int_equal(as_diff_scale(d, norm, 0, NULL), AS_OK);
	assert_int_equal(as_diff_sort(d, 0, inclusive, NULL), AS_OK);
}

static inline uint32_t row_of(const struct as_diff *d, const char *name)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t r = 0; r < d->key.n; r++)
		if (as_slice_is(as_diff_str(d, d->key.p[r].name), name)) {
			assert_int_equal(found, UINT32_MAX);
			found = r;
		}
	assert_int_not_equal(found, UINT32_MAX);
	return found;
}

#endif
