/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of filters have in common. Patterns are texts that are looked for. */
#ifndef AS_CHANGE_FILTER_TEST_FILTER_H
#define AS_CHANGE_FILTER_TEST_FILTER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/filter/filter.h"

static inline bool as_test_has_text(const void *ctx, struct as_slice text)
{
	return as_slice_find_text(text, ctx) < text.len || !*(const char *)ctx;
}

/* What HOW leaves of PROF; the caller's to free. */
static inline struct as_profile *as_test_filter(
	const struct as_profile *prof, const struct as_filter *how)
{
	bool matched[16];
	struct as_filtered out;

	assert_true(how->n <= AS_ARRAY_LEN(matched));
	assert_int_equal(as_filter(prof, how, matched, &out, NULL, NULL), AS_OK);
	return out.prof;
}

#endif
