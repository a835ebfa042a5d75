/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, also from a pipe; what is kept of when it was does
 * not change a sum, and lines do not change the number of samples.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_cpuprofile;

static struct mem_how how(bool strict, bool moments, const char *opt)
{
	return (struct mem_how){.fmt = &as_format_cpuprofile,
		.detail = AS_DETAIL_FULL,
		.strict = strict,
		.moments = moments,
		.opt = opt};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *with = fuzz_read(bytes, how(false, true, NULL));
	struct as_profile *strict = fuzz_read(bytes, how(true, true, NULL));
	struct as_profile *pipe = fuzz_read_pipe(bytes, how(false, false, NULL));
	struct as_profile *lines = fuzz_read(bytes, how(false, false, "lines=yes"));

	must(with || !strict);
	must(!with == !pipe);
	if (with) {
		must(!pipe->moments.n);
		must(with->moments.n + with->moments.left == pipe->moments.left);
		must_agree(with, pipe);
	}
	if (with && lines)
		must(with->total[with->event.n - 1] == lines->total[lines->event.n - 1]);
	as_profile_free(with);
	as_profile_free(strict);
	as_profile_free(pipe);
	as_profile_free(lines);
	return 0;
}
