/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

#if !defined(__wasm__)

void as_assert_failed(const char *file, int line, const char *expr)
{
	fprintf(stderr, "assay: %s:%d: this must hold, and does not: %s\n", file, line, expr);
	abort();
}

#else
typedef int as_assert_is_a_trap; /* a file must declare something */
#endif
