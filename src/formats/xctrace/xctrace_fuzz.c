/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, also from a pipe; what is read would have been
 * recognised; what is kept of when it was does not change a sum.
 */
#include "io/file.h"
#include "lib/fuzz_format.h"

extern const struct as_format as_format_xctrace;

static struct mem_how how(bool strict, bool moments)
{
	return (struct mem_how){.fmt = &as_format_xctrace,
		.detail = AS_DETAIL_FULL,
		.xml = as_expat_xml(),
		.strict = strict,
		.moments = moments};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *with = fuzz_read(bytes, how(false, true));
	struct as_profile *strict = fuzz_read(bytes, how(true, true));
	struct as_profile *pipe = fuzz_read_pipe(bytes, how(false, false));

	must(with || !strict);
	must(!with || as_format_xctrace.probe(&pk) != AS_PROBE_NO);
	must_agree_without_moments(with, pipe);
	as_profile_free(with);
	as_profile_free(strict);
	as_profile_free(pipe);
	return 0;
}
