/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: reading them ends and leaks nothing, and what is recognised is read, if it
 * is text. */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_bpftrace;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};
	struct mem_how how = {.fmt = &as_format_bpftrace, .detail = AS_DETAIL_FULL};
	struct mem_how strict = how;
	struct as_peek pk = {.head = bytes, .whole = size <= AS_PEEK_MAX};
	struct as_profile *prof = fuzz_read(bytes, how), *pipe = fuzz_read_pipe(bytes, how), *exact;

	strict.strict = true;
	exact = fuzz_read(bytes, strict);
	if (pk.head.len > AS_PEEK_MAX)
		pk.head.len = AS_PEEK_MAX;
	must(!prof == !pipe && (prof || !exact));
	/* JSON that is damaged is refused */
	must(prof || as_format_bpftrace.probe(&pk) == AS_PROBE_NO || as_slice_has(bytes, '{'));
	if (prof)
		must_agree(prof, pipe);
	as_profile_free(prof);
	as_profile_free(pipe);
	as_profile_free(exact);
	return 0;
}
