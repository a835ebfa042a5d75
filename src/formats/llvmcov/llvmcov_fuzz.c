/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: see must_read(). */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_llvmcov, as_format_callgrind;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	must_read(&as_format_llvmcov, &as_format_callgrind, data, size);
	return 0;
}
