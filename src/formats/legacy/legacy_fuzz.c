/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: see must_read(). Stacks, where they are asked for, cost what paths do. */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_legacy, as_format_pprof;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	must_read(&as_format_legacy, &as_format_pprof, data, size);
	must_agree_with_stacks((struct mem_how){.fmt = &as_format_legacy},
		(struct as_slice){(const char *)data, size});
	return 0;
}
