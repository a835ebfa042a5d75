/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of counted calls: the program that wrote it may have written anything. */
#include <stdlib.h>

#include "lib/fuzz_must.h"
#include "recording/calls_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make(struct as_build *b, uint8_t *bytes, size_t size)
{
	static const char *const name[AS_CALLS_EVENTS] = {"calls", "inclusive", "self"};
	struct as_profile *stacks = NULL, *calls = NULL;
	struct as_calls_told told = {0};
	uint32_t event;

	for (int i = 0; i < AS_CALLS_EVENTS; i++)
		must(as_build_event(b, as_slice_of(name[i]), as_slice_of("count"), &event) ==
			AS_OK);
	must(as_calls_read(b, bytes, size, &told) == AS_OK);
	must(as_build_finish(b, &stacks) == AS_OK);
	must(as_calls_make(stacks, &calls, NULL) == AS_OK);
	must(!stacks->sample.node.n || calls->total[0] == stacks->total[AS_CALLS_SELF]);
	as_profile_free(calls);
	as_profile_free(stacks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 1);
	struct as_build b;

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	must(as_build_init(&b, NULL, NULL) == AS_OK);
	make(&b, bytes, size);
	free(bytes);
	return 0;
}
