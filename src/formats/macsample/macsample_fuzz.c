/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing; what is read would have been recognised, does
 * not depend on how strictly it is read, and is written as pprof without losing a cost.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_macsample, as_format_pprof;

static struct as_profile *read_it(struct as_slice data, bool strict)
{
	return fuzz_read(data,
		(struct mem_how){
			.fmt = &as_format_macsample, .detail = AS_DETAIL_FULL, .strict = strict});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_peek pk = {.head = bytes, .whole = true};
	struct as_profile *prof = read_it(bytes, false);
	struct as_profile *strict = read_it(bytes, true);

	must(prof || !strict);
	if (prof) {
		must(as_format_macsample.probe(&pk) != AS_PROBE_NO);
		must(!strict || strict->total[0] == prof->total[0]);
		prof->event.p[0].period = 0; /* for which pprof has another event */
		must_convert(prof, (struct mem_how){.fmt = &as_format_pprof});
	}
	as_profile_free(prof);
	as_profile_free(strict);
	return 0;
}
