/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes x86-64 code around an address to find frames; reads only mapped code. */
#ifndef AS_PRELOAD_CALL_SITE_H
#define AS_PRELOAD_CALL_SITE_H

#include "preload/memory.h"
#include "preload/objects.h"

/* Whether a call instruction ends at RA. */
bool as_call_before(struct as_objects *os, const struct as_memory *mem, uint64_t ra);

/*
 * Whether PC, an interrupted instruction, stands where its function has no frame pointer of its
 * own: before or behind "push rbp", or at "ret". PUSHED: words on the stack above the return
 * address.
 */
bool as_frame_not_made(
	struct as_objects *os, const struct as_memory *mem, uint64_t pc, unsigned *pushed);

#endif
