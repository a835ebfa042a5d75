/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzz targets: what has to hold, or the target stops where a fuzzer sees it. */
#ifndef TESTS_LIB_FUZZ_MUST_H
#define TESTS_LIB_FUZZ_MUST_H

#include "base/base.h"

static inline void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

#endif
