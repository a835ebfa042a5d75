/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, also from a pipe, and what is kept of when it was
 * does not change a sum. What was read is written, if no cost is below zero, and reads to the same.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_speedscope;

static struct mem_how how(bool strict, bool moments)
{
	return (struct mem_how){.fmt = &as_format_speedscope,
		.detail = AS_DETAIL_FULL,
		.strict = strict,
		.moments = moments};
}

static void round_trip(const struct as_profile *prof)
{
	struct mem_written w;

	mem_write(&w, &as_format_speedscope, prof);
	must(w.rc == AS_OK || w.rc == AS_E_LIMIT || w.rc == AS_E_UNSUPPORTED);
	if (w.rc == AS_OK) {
		struct as_profile *again = fuzz_read(mem_bytes(&w), how(true, false));
		struct as_peek pk = {.head = mem_bytes(&w), .whole = true};

		must(again);
		must_agree(prof, again);
		must(as_format_speedscope.probe(&pk) == AS_PROBE_SURE);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *with = fuzz_read(bytes, how(false, true));
	struct as_profile *without = fuzz_read(bytes, how(false, false));
	struct as_profile *strict = fuzz_read(bytes, how(true, true));
	struct as_profile *pipe = fuzz_read_pipe(bytes, how(false, false));

	must(with || !strict);
	must(!with == !pipe);
	must_agree_without_moments(with, without);
	if (with) {
		must_agree(with, pipe);
		round_trip(with);
		round_trip(without);
	}
	as_profile_free(with);
	as_profile_free(without);
	as_profile_free(strict);
	as_profile_free(pipe);
	return 0;
}
