/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing, also from a pipe; what is kept of when it was
 * does not change a sum, and lines do not change the number of samples.
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

/* What is written is read, and has as many samples; those that are too many stand there once. */
static void round_trip(const struct as_profile *prof)
{
	struct mem_written w;
	uint32_t a, b;

	mem_write(&w, &as_format_cpuprofile, prof);
	must(w.rc == AS_OK || w.rc == AS_E_LIMIT);
	if (w.rc == AS_OK) {
		struct as_profile *again = fuzz_read(mem_bytes(&w), how(true, true, NULL));

		must(again);
		if (as_profile_event(prof, as_slice_of("samples"), &a) && prof->total[a] < 1000000)
			must(as_profile_event(again, as_slice_of("samples"), &b) &&
				prof->total[a] == again->total[b]);
		as_profile_free(again);
	}
	mem_written_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *with = fuzz_read(bytes, how(false, true, NULL));
	struct as_profile *strict = fuzz_read(bytes, how(true, true, NULL));
	struct as_profile *pipe = fuzz_read_pipe(bytes, how(false, false, NULL));
	struct as_profile *lines = fuzz_read(bytes, how(false, false, "lines=yes"));

	must(with || !strict);
	must_agree_without_moments(with, pipe);
	if (with && lines)
		must(with->total[with->event.n - 1] == lines->total[lines->event.n - 1]);
	if (with)
		round_trip(with);
	as_profile_free(with);
	as_profile_free(strict);
	as_profile_free(pipe);
	as_profile_free(lines);
	return 0;
}
