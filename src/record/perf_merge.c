/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_merge.h"

#include <linux/perf_event.h>

_Static_assert((int)AS_PERF_SAMPLE == (int)PERF_RECORD_SAMPLE &&
		       (int)AS_PERF_CGROUP == (int)PERF_RECORD_CGROUP &&
		       AS_PERF_S_CGROUP == PERF_SAMPLE_CGROUP &&
		       AS_PERF_S_IDENTIFIER == PERF_SAMPLE_IDENTIFIER &&
		       AS_PERF_CONTEXT_MAX == (uint64_t)PERF_CONTEXT_MAX,
	"the records of files are those of the kernel");

struct head {
	struct as_perf_ring *ring;
	const struct as_perf_cpu *cpu;
	struct as_perf_rec rec;
	uint64_t before; /* where the record began */
	bool has;
};

static void perf_merge_advance(struct head *h, const struct as_perf_layout *layout)
{
	struct as_slice bytes;

	h->before = h->ring->tail;
	while (as_perf_ring_next(h->ring, &bytes)) {
		if (as_perf_parse(bytes, layout, &h->rec)) {
			h->has = true;
			h->rec.side = h->cpu->side;
			h->rec.cpu = (uint32_t)h->cpu->cpu;
			return;
		}
		h->ring->damaged++;
		h->before = h->ring->tail;
	}
	h->has = false;
}

static bool is_before(const struct head *a, const struct head *b)
{
	return a->rec.time < b->rec.time || (a->rec.time == b->rec.time && a < b);
}

/* A heap of pointers: the earliest record of all is at its top. */
static void perf_merge_sift(struct head **heap, size_t n, size_t i)
{
	for (;;) {
		size_t least = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < n; k++)
			if (is_before(heap[k], heap[least]))
				least = k;
		if (least == i)
			return;
		struct head *moved = heap[i];

		heap[i] = heap[least];
		heap[least] = moved;
		i = least;
	}
}

static enum as_code take_all(struct head **heap, size_t n, uint64_t until,
	const struct as_perf_layout *layout, as_perf_take_fn *take, void *ctx)
{
	for (size_t i = n / 2; i-- > 0;)
		perf_merge_sift(heap, n, i);
	while (n && heap[0]->rec.time <= until) {
		AS_TRY(take(ctx, &heap[0]->rec));
		perf_merge_advance(heap[0], layout);
		if (!heap[0]->has)
			heap[0] = heap[--n];
		perf_merge_sift(heap, n, 0);
	}
	return AS_OK;
}

enum as_code as_perf_rings_merge(
	struct as_perf_set *set, uint64_t until, as_perf_take_fn *take, void *ctx)
{
	size_t n = set->cpu.n, size = n * (sizeof(struct head) + sizeof(struct head *)), begun = 0;
	struct head *head = as_alloc_new(set->al, size), **heap;
	enum as_code rc;

	AS_TRY(as_err_memory(set->err, head));
	heap = (struct head **)(void *)(head + n);
	for (size_t i = 0; i < n; i++) {
		head[i].ring = &set->cpu.p[i].ring;
		head[i].cpu = &set->cpu.p[i];
		perf_merge_advance(&head[i], &set->layout);
		if (head[i].has)
			heap[begun++] = &head[i];
	}
	rc = take_all(heap, begun, until, &set->layout, take, ctx);
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
