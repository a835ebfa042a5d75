/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of perf records share: records made by hand, and rings that hold them. */
#ifndef AS_RECORD_TEST_PERF_H
#define AS_RECORD_TEST_PERF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "record/perf_merge.h"
#include "record/perf_weigh.h"

enum { RING = 1024, PID = 1 << 30, MS = 1000000 };

/* A record that grows. */
struct bytes {
	char p[512];
	size_t n;
};

static inline void put(struct bytes *b, uint64_t v, size_t width)
{
	assert_true(b->n + width <= sizeof(b->p));
	memcpy(b->p + b->n, &v, width);
	b->n += width;
}

static inline struct bytes record(uint32_t type, uint16_t misc)
{
	struct bytes b = {.n = 0};

	put(&b, type, 4);
	put(&b, misc, 2);
	put(&b, 0, 2);
	return b;
}

static inline struct as_slice done(struct bytes *b)
{
	uint16_t n = (uint16_t)b->n;

	memcpy(b->p + 6, &n, sizeof(n));
	return (struct as_slice){b->p, b->n};
}

static inline void put_ids(struct bytes *b, uint32_t tid, uint64_t time)
{
	put(b, PID, 4);
	put(b, tid, 4);
	put(b, time, 8);
}

/* With the frames 0x401010 (interrupted) and 0x401100 (a return address). */
static inline struct bytes sample(uint32_t tid, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);

	put_ids(&b, tid, time);
	put(&b, 4, 8);
	put(&b, (uint64_t)PERF_CONTEXT_USER, 8);
	put(&b, 0x401010, 8);
	put(&b, 0x401100, 8);
	put(&b, (uint64_t)PERF_CONTEXT_GUEST, 8); /* not the program's */
	return b;
}

static inline struct bytes mapping(uint64_t addr, uint64_t len, uint64_t offset, const char *path)
{
	struct bytes b = record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);

	put(&b, PID, 4);
	put(&b, PID, 4);
	put(&b, addr, 8);
	put(&b, len, 8);
	put(&b, offset, 8);
	put(&b, 3, 4);
	put(&b, 0xefbead, 8); /* three bytes of a build id */
	put(&b, 0, 8);
	put(&b, 0, 4);
	put(&b, 5, 4);
	put(&b, 0, 4);
	for (size_t i = 0; i <= strlen(path) || i % 8; i++)
		put(&b, i < strlen(path) ? (uint8_t)path[i] : 0, 1);
	put_ids(&b, PID, 1);
	return b;
}

static inline struct bytes ended(uint32_t tid, uint64_t ns, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_READ, 0);

	put(&b, PID, 4);
	put(&b, tid, 4);
	put(&b, ns, 8);
	put_ids(&b, tid, time);
	return b;
}

/* TYPE: PERF_RECORD_LOST has an event's number as well. */
static inline struct bytes lost(uint32_t type, uint64_t n)
{
	struct bytes b = record(type, 0);

	if (type == PERF_RECORD_LOST)
		put(&b, 1, 8);
	put(&b, n, 8);
	put_ids(&b, PID, 11);
	return b;
}

static const struct as_perf_layout chains = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN};

struct rig {
	struct as_perf_cpu cpu[2];
	uint8_t ring[2][RING];
	struct as_perf_set set;
	struct as_build b;
	struct as_perf_track t;
	struct as_perf_weighed w;
	struct as_profile *prof;
	uint64_t times[16];
	size_t n;
};

static inline int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	if (!r)
		return -1;
	as_perf_set_init(&r->set, &as_alloc_libc, NULL);
	r->set.layout = chains;
	r->set.cpu.p = r->cpu;
	r->set.cpu.n = 2;
	for (size_t i = 0; i < 2; i++) {
		r->cpu[i].ring.data = r->ring[i];
		r->cpu[i].ring.size = RING;
		r->cpu[i].ring.tail = r->cpu[i].ring.head = 5 * RING - 40 - 8 * i;
	}
	if (as_build_init(&r->b, &as_alloc_libc, NULL) != AS_OK ||
		as_perf_track_init(&r->t, &r->b, &r->set.layout) != AS_OK ||
		as_build_event(&r->b, as_slice_of("samples"), as_slice_of("count"), &r->t.event) !=
			AS_OK)
		return -1;
	*state = r;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *r = *state;

	as_perf_track_release(&r->t);
	as_build_free(&r->b);
	as_profile_free(r->prof);
	free(r);
	return 0;
}

static inline void write_record(struct rig *r, size_t cpu, struct bytes b)
{
	struct as_perf_ring *ring = &r->cpu[cpu].ring;
	struct as_slice s = done(&b);

	assert_true(ring->head + s.len - ring->tail <= RING);
	for (size_t i = 0; i < s.len; i++)
		r->ring[cpu][ring->head++ % RING] = (uint8_t)s.p[i];
}

/* A program is mapped, and sampled once. */
static inline void write_program(struct rig *r)
{
	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, sample(PID, 10));
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
