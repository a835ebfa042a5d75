/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a perf ring buffer as records, whatever they hold. No system call here. */
#ifndef AS_RECORD_PERF_RING_H
#define AS_RECORD_PERF_RING_H

#include "base/slice.h"

enum { AS_PERF_RECORD_MAX = 65536 };

struct as_perf_ring {
	const uint8_t *data;
	uint64_t size;       /* bytes, a power of two */
	uint64_t tail, head; /* positions: they only grow; the bytes in between are records */
	uint64_t damaged;    /* headers that cannot be: what followed was given up */
	uint8_t copy[AS_PERF_RECORD_MAX]; /* of a record that goes around the end */
};

/* The record at the tail, which moves behind it; false: there is none. It is valid until the next
 * call, and as long as the kernel is not told of the new tail. */
bool as_perf_ring_next(struct as_perf_ring *ring, struct as_slice *record);

#endif
