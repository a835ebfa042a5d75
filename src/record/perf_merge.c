/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_merge.h"

#include <linux/perf_event.h>

struct head {
	struct as_perf_ring *ring;
	struct as_perf_rec rec;
	uint64_t before; /* where the record began */
	bool has;
};

static void advance(struct head *h, const struct as_perf_layout *layout)
{
	struct as_slice bytes;

	h->before = h->ring->tail;
	while (as_perf_ring_next(h->ring, &bytes)) {
		if (as_perf_parse(bytes, layout, &h->rec)) {
			h->has = true;
			return;
		}
		h->ring->damaged++;
		h->before = h->ring->tail;
	}
	h->has = false;
}

static struct head *earliest(struct head *head, size_t n)
{
	struct head *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (head[i].has && (!best || head[i].rec.time < best->rec.time))
			best = &head[i];
	return best;
}

enum as_code as_perf_rings_merge(
	struct as_perf_set *set, uint64_t until, as_perf_take_fn *take, void *ctx)
{
	size_t n = set->cpu.n, size = n * sizeof(struct head);
	struct head *head = as_alloc_new(set->al, size), *h;
	enum as_code rc = AS_OK;

	if (!head)
		return as_err_set(set->err, AS_E_NOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		head[i].ring = &set->cpu.p[i].ring;
		advance(&head[i], &set->layout);
	}
	while (rc == AS_OK && (h = earliest(head, n)) && h->rec.time <= until) {
		rc = take(ctx, &h->rec);
		advance(h, &set->layout);
	}
	for (size_t i = 0; i < n; i++)
		if (head[i].has)
			head[i].ring->tail = head[i].before; /* next time */
	as_alloc_free(set->al, head, size);
	return rc;
}

bool as_perf_rings_tell(struct as_perf_set *set, uint32_t tid)
{
	struct as_perf_rec rec;
	struct as_slice bytes;
	bool found = false;

	for (size_t i = 0; i < set->cpu.n && !found; i++) {
		struct as_perf_ring *ring = &set->cpu.p[i].ring;
		uint64_t tail = ring->tail;

		while (!found && as_perf_ring_next(ring, &bytes))
			found = as_perf_parse(bytes, &set->layout, &rec) &&
				rec.type == PERF_RECORD_FORK && rec.tid == tid;
		ring->tail = tail;
	}
	return found;
}
