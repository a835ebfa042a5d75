/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: reading them ends and leaks nothing, and what is recognised is read. */
#include "lib/fuzz_format.h"

extern const struct as_format as_format_dtrace;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice bytes = {(const char *)data, size};

	must_read_text(&as_format_dtrace, bytes, false);
	return 0;
}
