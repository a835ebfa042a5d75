/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: reading them ends and leaks nothing, and what is recognised is read, if it is no JSON,
 * of which what is damaged is refused. */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_bpftrace;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};

	must_read_text(&as_format_bpftrace, bytes, as_slice_has(bytes, '{'));
	return 0;
}
