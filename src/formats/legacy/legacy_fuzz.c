/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: see must_read(). Stacks, where they are asked for, cost what paths do. */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_legacy, as_format_pprof;

static void same_stacks(struct as_slice bytes)
{
	struct mem_how how = {.fmt = &as_format_legacy};
	struct as_profile *paths = fuzz_read(bytes, how), *stacks;

	how.sums = how.stacks = true;
	stacks = fuzz_read(bytes, how);
	must(!paths == !stacks);
	if (paths) {
		must(!paths->sample.node.n == !(stacks->sample.node.n + stacks->stacks.n));
		must_agree(paths, stacks);
	}
	as_profile_free(paths);
	as_profile_free(stacks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	must_read(&as_format_legacy, &as_format_pprof, data, size);
	same_stacks((struct as_slice){(const char *)data, size});
	return 0;
}
