/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes: reading them ends and leaks nothing; what is read would have been recognised, does not
 * depend on whether moments are kept, and is written as OTLP without losing a cost.
 */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_stackprof, as_format_otlp;

static struct as_profile *read_it(struct as_slice data, bool moments)
{
	return fuzz_read(data,
		(struct mem_how){
			.fmt = &as_format_stackprof, .detail = AS_DETAIL_FULL, .moments = moments});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct as_profile *prof = read_it(bytes, false), *with = read_it(bytes, true);

	must_agree_without_moments(with, prof);
	if (prof) {
		prof->event.p[0].period = 0; /* for which pprof has another event */
		if (prof->shape == AS_SHAPE_PATHS)
			must_convert(prof, (struct mem_how){.fmt = &as_format_otlp});
	}
	as_profile_free(prof);
	as_profile_free(with);
	return 0;
}
