/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, and what is read would have been recognised.
 * Every call and every nanosecond of the profile has its moment, and what is kept of them does not
 * change a sum.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_uftrace;

static struct as_profile *read_it(struct as_slice data, bool strict, bool moments)
{
	return fuzz_read(data, (struct mem_how){.fmt = &as_format_uftrace,
				       .detail = AS_DETAIL_FULL,
				       .strict = strict,
				       .moments = moments});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice head = {(const char *)data, size};
	struct as_peek pk = {.head = head, .whole = size <= AS_PEEK_MAX};
	struct as_profile *with, *without, *strict;

	if (pk.head.len > AS_PEEK_MAX)
		pk.head.len = AS_PEEK_MAX;
	with = read_it(head, false, true);
	without = read_it(head, false, false);
	strict = read_it(head, true, true);
	must(with || !strict);
	must_agree_without_moments(with, without);
	if (with) {
		must(as_format_uftrace.probe(&pk) > AS_PROBE_NO);
		must(!with->moments.left && with->sample.node.n == without->sample.node.n);
		for (size_t k = 0; k < with->event.n; k++)
			must(with->total[k] >= 0);
	}
	as_profile_free(with);
	as_profile_free(without);
	as_profile_free(strict);
	return 0;
}
