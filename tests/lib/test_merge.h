/* SPDX-License-Identifier: Apache-2.0 */
/* Merging, for tests: nothing is refused. Include it behind cmocka.h. */
#ifndef ASSAY_TEST_MERGE_H
#define ASSAY_TEST_MERGE_H

#include "change/transform.h"

/* The N profiles of IN as one, which the caller frees; what it loses is added to L unless NULL. */
static inline struct as_profile *test_merge(
	struct as_profile *const *in, size_t n, bool keep_parts, struct as_losses *l)
{
	struct as_merge_opts opts = {.keep_parts = keep_parts};
	struct as_profile *out;
	struct as_merge *m;

	assert_int_equal(as_merge_new(NULL, &opts, &m, NULL), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(as_merge_add(m, in[i], l), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	return out;
}

#endif
