/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_event.h"

#include <linux/perf_event.h>

static void copy_out(const struct as_perf_ring *ring, uint64_t from, void *to, size_t n)
{
	size_t at = (size_t)(from & (ring->size - 1));
	size_t first = ring->size - at < n ? (size_t)(ring->size - at) : n;

	as_assert(n <= ring->size && !(ring->size & (ring->size - 1)));
	memcpy(to, ring->data + at, first);
	memcpy((uint8_t *)to + first, ring->data, n - first);
}

bool as_perf_ring_next(struct as_perf_ring *ring, struct as_slice *record)
{
	uint64_t left = ring->head - ring->tail, at = ring->tail & (ring->size - 1);
	struct perf_event_header head;

	if (left == 0)
		return false;
	head.size = 0;
	if (left >= sizeof(head) && left <= ring->size)
		copy_out(ring, ring->tail, &head, sizeof(head));
	if (head.size < sizeof(head) || head.size > left) {
		ring->damaged++;
		ring->tail = ring->head;
		return false;
	}
	if (at + head.size <= ring->size) {
		*record = (struct as_slice){(const char *)ring->data + at, head.size};
	} else {
		copy_out(ring, ring->tail, ring->copy, head.size);
		*record = (struct as_slice){(const char *)ring->copy, head.size};
	}
	ring->tail += head.size;
	return true;
}
