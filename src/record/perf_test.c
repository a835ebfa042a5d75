/* SPDX-License-Identifier: Apache-2.0 */
/* Records made by hand: what the parser, the rings and the tracker make of them. */
#define _GNU_SOURCE
#include "record/perf_merge.h"
#include "record/perf_proc.h"
#include "record/perf_weigh.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/perf_event.h>

enum { RING = 1024, PID = 1 << 30, MS = 1000000 };

/* A record that grows. */
struct bytes {
	char p[512];
	size_t n;
};

static void put(struct bytes *b, uint64_t v, size_t width)
{
	assert_true(b->n + width <= sizeof(b->p));
	memcpy(b->p + b->n, &v, width);
	b->n += width;
}

static struct bytes record(uint32_t type, uint16_t misc)
{
	struct bytes b = {.n = 0};

	put(&b, type, 4);
	put(&b, misc, 2);
	put(&b, 0, 2);
	return b;
}

static struct as_slice done(struct bytes *b)
{
	uint16_t n = (uint16_t)b->n;

	memcpy(b->p + 6, &n, sizeof(n));
	return (struct as_slice){b->p, b->n};
}

static void put_ids(struct bytes *b, uint32_t tid, uint64_t time)
{
	put(b, PID, 4);
	put(b, tid, 4);
	put(b, time, 8);
}

/* With the frames 0x401010 (interrupted) and 0x401100 (a return address). */
static struct bytes sample(uint32_t tid, uint64_t time)
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

static struct bytes mapping(uint64_t addr, uint64_t len, uint64_t offset, const char *path)
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

static struct bytes ended(uint32_t tid, uint64_t ns, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_READ, 0);

	put(&b, PID, 4);
	put(&b, tid, 4);
	put(&b, ns, 8);
	put_ids(&b, tid, time);
	return b;
}

/* TYPE: PERF_RECORD_LOST has an event's number as well. */
static struct bytes lost(uint32_t type, uint64_t n)
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

/* ---- the parser ---- */

static void test_a_sample_and_a_mapping(void **state)
{
	struct bytes b = sample(PID + 1, 77);
	struct as_perf_rec rec;

	(void)state;
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_int_equal(rec.tid, PID + 1);
	assert_int_equal(rec.time, 77);
	assert_int_equal(rec.chain.len, 32);
	assert_int_equal(as_perf_word(rec.chain, 1), 0x401010);
	b = mapping(0x400000, 0x2000, 0x1000, "/bin/x");
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_true(as_slice_is(rec.text, "/bin/x"));
	assert_int_equal(rec.addr, 0x400000);
	assert_int_equal(rec.offset, 0x1000);
	assert_int_equal(rec.n_build_id, 3);
	assert_memory_equal(rec.build_id, "\xad\xbe\xef", 3);
}

static void test_registers_and_a_stack(void **state)
{
	static const struct as_perf_layout layout = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.regs = 0x101};
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 5);
	put(&b, PERF_SAMPLE_REGS_ABI_64, 8);
	put(&b, 11, 8);
	put(&b, 12, 8);
	put(&b, 16, 8); /* room for so many bytes */
	put(&b, 21, 8);
	put(&b, 22, 8);
	put(&b, 8, 8); /* that many are the stack's */
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.regs.len, 16);
	assert_int_equal(as_perf_word(rec.regs, 1), 12);
	assert_int_equal(rec.stack.len, 8);
	assert_false(rec.stack_more);
	assert_int_equal(as_perf_word(rec.stack, 0), 21);
	b.n -= 8;
	put(&b, 17, 8); /* more than there was room for */
	assert_false(as_perf_parse(done(&b), &layout, &rec));
}

static void test_a_thread_without_a_users_part(void **state)
{
	static const struct as_perf_layout layout = {
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER,
		.regs = 0x101};
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 5);
	put(&b, PERF_SAMPLE_REGS_ABI_NONE, 8);
	put(&b, 0, 8); /* no stack */
	assert_true(as_perf_parse(done(&b), &layout, &rec));
	assert_int_equal(rec.regs.len, 0);
	assert_int_equal(rec.stack.len, 0);
}

/* Every cut is noticed: no record is a whole one of its kind before its last byte. */
static void test_records_that_are_cut(void **state)
{
	struct bytes whole[] = {sample(PID, 1), ended(PID, 2, 3)};
	struct as_perf_rec rec;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(whole); i++) {
		size_t n = whole[i].n;

		assert_true(as_perf_parse(done(&whole[i]), &chains, &rec));
		for (whole[i].n = 0; whole[i].n < n; whole[i].n++) {
			struct as_slice s = {whole[i].p, whole[i].n};

			assert_false(as_perf_parse(s, &chains, &rec));
		}
	}
}

static void test_a_chain_that_claims_more_than_there_is(void **state)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct as_perf_rec rec;

	(void)state;
	put_ids(&b, PID, 1);
	put(&b, UINT64_MAX / 8 + 2, 8); /* times eight it is small */
	put(&b, 0, 8);
	assert_false(as_perf_parse(done(&b), &chains, &rec));
}

static void test_unknown_records_are_passed_over(void **state)
{
	struct bytes b = record(4711, 0);
	struct as_perf_rec rec;

	(void)state;
	put(&b, 1, 8);
	put_ids(&b, PID, 9);
	assert_true(as_perf_parse(done(&b), &chains, &rec));
	assert_int_equal(rec.time, 9);
}

/* ---- the rings ---- */

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

static int set_up(void **state)
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

static int tear_down(void **state)
{
	struct rig *r = *state;

	as_perf_track_release(&r->t);
	as_build_free(&r->b);
	as_profile_free(r->prof);
	free(r);
	return 0;
}

static void write_record(struct rig *r, size_t cpu, struct bytes b)
{
	struct as_perf_ring *ring = &r->cpu[cpu].ring;
	struct as_slice s = done(&b);

	assert_true(ring->head + s.len - ring->tail <= RING);
	for (size_t i = 0; i < s.len; i++)
		r->ring[cpu][ring->head++ % RING] = (uint8_t)s.p[i];
}

/* A program is mapped, and sampled once. */
static void write_program(struct rig *r)
{
	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, sample(PID, 10));
}

static enum as_code note_time(void *ctx, const struct as_perf_rec *rec)
{
	struct rig *r = ctx;

	assert_true(r->n < AS_ARRAY_LEN(r->times));
	r->times[r->n++] = rec->time;
	return AS_OK;
}

static void test_rings_are_read_in_the_order_of_time(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, sample(PID, 10)); /* around the end */
	write_record(r, 1, sample(PID, 5));
	write_record(r, 1, sample(PID, 20));
	write_record(r, 0, sample(PID, 30));
	assert_int_equal(as_perf_rings_merge(&r->set, 20, note_time, r), AS_OK);
	assert_int_equal(r->n, 3);
	assert_int_equal(r->times[0], 5);
	assert_int_equal(r->times[1], 10);
	assert_int_equal(r->times[2], 20);
	assert_true(r->cpu[0].ring.tail < r->cpu[0].ring.head);
	write_record(r, 1, sample(PID, 25)); /* it comes late, but in time */
	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, note_time, r), AS_OK);
	assert_int_equal(r->n, 5);
	assert_int_equal(r->times[3], 25);
	assert_int_equal(r->times[4], 30);
	assert_int_equal(r->cpu[0].ring.damaged + r->cpu[1].ring.damaged, 0);
}

static void test_a_header_that_cannot_be_ends_what_is_there(void **state)
{
	struct bytes bad = sample(PID, 2);
	struct rig *r = *state;

	write_record(r, 0, sample(PID, 1));
	write_record(r, 0, bad);
	r->cpu[0].ring.head -= 8; /* it says that it is longer */
	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, note_time, r), AS_OK);
	assert_int_equal(r->n, 1);
	assert_int_equal(r->cpu[0].ring.damaged, 1);
	assert_int_equal(r->cpu[0].ring.tail, r->cpu[0].ring.head);
}

/* ---- the profile ---- */

static enum as_code take(void *ctx, const struct as_perf_rec *rec)
{
	return as_perf_track_record(ctx, rec);
}

static void finish(struct rig *r, uint64_t total_ns, bool spread)
{
	struct as_perf_counted counted = {10 * MS, total_ns, spread, r->t.whole};

	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, take, &r->t), AS_OK);
	assert_int_equal(as_perf_weigh(&r->t, &counted, &r->w), AS_OK);
	assert_int_equal(as_build_finish(&r->b, &r->prof), AS_OK);
	assert_true(r->prof->total[0] == (as_val)r->w.samples);
}

/* Samples whose innermost frame is at ADDR of the object PATH. */
static uint64_t samples_at(const struct rig *r, const char *path, uint64_t addr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->prof->sample.node.n; i++) {
		as_place place = r->prof->node.place.p[r->prof->sample.node.p[i].i];
		struct as_pos pos = as_place_pos(r->prof, place);
		as_object object = r->prof->func.object.p[pos.func.i];

		if (as_slice_is(as_object_path(r->prof, object), path) &&
			(!addr || pos.addr == addr))
			sum += (uint64_t)r->prof->sample.cost.p[i];
	}
	return sum;
}

static void test_addresses_are_offsets_of_what_is_mapped_then(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, mapping(0x400000, 0x4000, 0x1000, "/bin/x"));
	write_record(r, 0, sample(PID, 10));
	finish(r, 10 * MS, true);
	assert_int_equal(r->w.samples, 1);
	assert_int_equal(samples_at(r, "/bin/x", 0x2010), 1);
	assert_int_equal(r->prof->sample.node.n, 1);
	/* a caller is told by the byte before its return address */
	assert_int_equal(r->prof->place.addr.p[r->prof->node.place.p[1].i], 0x20ff);
	assert_true(as_slice_is(
		as_str_get(r->prof, r->prof->object.p[r->prof->func.object.p[1].i].id), "adbeef"));
	assert_int_equal(r->prof->part.p[0].pid, PID);
}

static void test_a_mapping_takes_the_place_of_another(void **state)
{
	struct rig *r = *state;
	const struct as_perf_mapping *m;
	struct as_perf_proc *proc;

	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, mapping(0x401000, 0x1000, 0x7000, "/bin/y"));
	write_record(r, 0, sample(PID, 10));
	finish(r, 10 * MS, true);
	assert_int_equal(samples_at(r, "/bin/y", 0x7010), 1);
	proc = &r->t.proc.p[0];
	assert_int_equal(proc->map.n, 3);
	m = as_perf_map_find(proc, 0x402000);
	assert_non_null(m);
	assert_int_equal(m->range.offset, 0x2000);
	assert_true(as_slice_is(m->range.path, "/bin/x"));
	assert_null(as_perf_map_find(proc, 0x404000));
	assert_null(as_perf_map_find(proc, 0x3fffff));
}

static void test_what_ran_between_samples_is_shared_among_them(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, sample(PID + 1, 10));
	write_record(r, 0, sample(PID + 1, 11));
	write_record(r, 0, ended(PID + 1, 40 * MS, 12));
	write_record(r, 1, sample(PID + 2, 10));
	finish(r, 50 * MS, true);
	assert_int_equal(r->w.samples, 5);
	assert_int_equal(r->w.spread, 2);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 5);
}

static void test_threads_that_nobody_told_of_end(void **state)
{
	struct rig *r = *state;

	write_program(r);
	for (unsigned i = 1; i <= 5; i++) /* each ends before its first sample */
		write_record(r, 1, ended(PID + i, 6 * MS, 10 + i));
	finish(r, 40 * MS, true);
	assert_int_equal(r->w.samples, 4);
	assert_int_equal(r->w.unsampled, 0); /* nobody has heard of these threads */
	assert_int_equal(r->w.spread, 3);
}

static struct bytes born(uint32_t tid, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_FORK, 0);

	put(&b, PID, 4);
	put(&b, PID, 4);
	put(&b, tid, 4);
	put(&b, PID, 4);
	put(&b, time, 8);
	put_ids(&b, PID, time);
	return b;
}

static void test_short_threads_add_up(void **state)
{
	struct rig *r = *state;

	write_program(r);
	for (unsigned i = 0; i < 5; i++) { /* the same number each time */
		write_record(r, 1, born(PID + 1, 11 + 2 * i));
		write_record(r, 1, ended(PID + 1, 6 * MS, 12 + 2 * i));
	}
	finish(r, 40 * MS, true);
	assert_int_equal(r->w.samples, 4);
	assert_int_equal(r->w.unsampled, 3);
	assert_int_equal(samples_at(r, "[unsampled]", 0), 3);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1);
}

static void test_lost_samples_are_part_of_the_total(void **state)
{
	struct rig *r = *state;

	write_program(r);
	write_record(r, 0, lost(PERF_RECORD_LOST, 3));
	finish(r, 60 * MS, true);
	assert_int_equal(r->w.samples, 6);
	assert_int_equal(r->w.lost, 3);
	assert_int_equal(samples_at(r, "[lost]", 0), 3);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 3);
}

static void test_a_count_that_cannot_be_is_left_out(void **state)
{
	struct rig *r = *state;

	write_program(r);
	write_record(r, 0, lost(PERF_RECORD_LOST, UINT64_MAX));
	finish(r, 0, true);
	assert_int_equal(r->w.samples, 1);
	assert_int_equal(r->w.lost, 0);
	assert_int_equal(r->t.damaged, 1);
}

static void test_the_kernels_time_is_not_given_to_user_code(void **state)
{
	struct rig *r = *state;

	write_program(r);
	finish(r, 40 * MS, false);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1);
	assert_int_equal(samples_at(r, "[unsampled]", 0), 3);
}

static void test_without_a_total_samples_are_what_they_are(void **state)
{
	struct rig *r = *state;

	write_program(r);
	write_record(r, 0, lost(PERF_RECORD_LOST_SAMPLES, 3));
	finish(r, 0, true);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1);
	assert_int_equal(samples_at(r, "[lost]", 0), 3);
	assert_int_equal(r->w.samples, 4);
}

static void test_a_fork_has_its_parents_mappings(void **state)
{
	struct bytes fork = record(PERF_RECORD_FORK, 0), in_child = sample(PID, 12);
	uint32_t child = PID + 7;
	struct rig *r = *state;

	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	put(&fork, child, 4);
	put(&fork, PID, 4);
	put(&fork, child, 4);
	put(&fork, PID, 4);
	put(&fork, 11, 8);
	put_ids(&fork, PID, 11);
	write_record(r, 0, fork);
	memcpy(in_child.p + 8, &child, 4);
	memcpy(in_child.p + 12, &child, 4);
	write_record(r, 0, in_child);
	finish(r, 10 * MS, true);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1);
	assert_int_equal(r->prof->part.n, 1);
	assert_int_equal(r->prof->part.p[0].pid, child);
}

static void test_an_exec_forgets_the_old_program(void **state)
{
	struct bytes comm = record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	struct rig *r = *state;

	write_program(r);
	put(&comm, PID, 4);
	put(&comm, PID, 4);
	put(&comm, 0x77656e, 8); /* "new" */
	put_ids(&comm, PID, 11);
	write_record(r, 0, comm);
	write_record(r, 0, sample(PID, 12));
	finish(r, 20 * MS, true);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1);
	assert_int_equal(samples_at(r, "", 0x401010), 1);
	assert_int_equal(r->prof->part.n, 2);
	assert_true(as_slice_is(as_str_get(r->prof, r->prof->part.p[1].thread), "new"));
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* ---- records of all processes ---- */

static struct bytes forked(uint32_t child, uint32_t parent, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_FORK, 0);

	put(&b, child, 4);
	put(&b, parent, 4);
	put(&b, child, 4);
	put(&b, parent, 4);
	put(&b, time, 8);
	put_ids(&b, PID, time);
	return b;
}

static struct bytes sample_of(uint32_t pid, uint64_t time)
{
	struct bytes b = sample(pid, time);

	memcpy(b.p + 8, &pid, 4);
	return b;
}

static void test_processes_of_others_are_left_out(void **state)
{
	static const uint32_t child = PID + 7, other = PID + 8;
	struct rig *r = *state;

	r->t.whole = true;
	assert_int_equal(as_perf_track_start(&r->t, PID, as_slice_of("x")), AS_OK);
	r->t.proc.p[0].starting = false;
	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, sample(PID, 10));
	write_record(r, 0, sample_of(other, 11));
	write_record(r, 0, forked(child, PID, 12));
	write_record(r, 0, sample_of(child, 13));
	write_record(r, 1, forked(other, PID + 9, 14));
	write_record(r, 1, sample_of(other, 15));
	write_record(r, 1, forked(child, PID + 9, 16)); /* the number is another's now */
	write_record(r, 1, sample_of(child, 17));
	finish(r, 20 * MS, true);
	assert_int_equal(r->w.samples, 2);
	assert_int_equal(r->prof->part.n, 2);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 2);
}

/* Seven samples for the time of five: the first, the third ... go, none of other code's alone. */
static void test_samples_that_are_more_by_chance_are_thinned(void **state)
{
	struct rig *r = *state;

	r->t.whole = true;
	assert_int_equal(as_perf_track_start(&r->t, PID, as_slice_of("x")), AS_OK);
	r->t.proc.p[0].starting = false;
	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	for (uint64_t i = 0; i < 7; i++)
		write_record(r, i % 2, sample(PID, 10 + i));
	finish(r, 50 * MS, true);
	assert_int_equal(r->w.samples, 5);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 5);
}

static void test_samples_of_one_stack_are_kept_as_one(void **state)
{
	struct rig *r = *state;

	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	for (uint64_t i = 0; i < 1000; i++) {
		write_record(r, 0, sample(PID + i % 2, 10 + i));
		assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, take, &r->t), AS_OK);
	}
	assert_int_equal(r->t.sample.n, 2); /* of two threads */
	assert_int_equal(r->t.n_samples, 1000);
	finish(r, UINT64_C(10000) * MS, true);
	assert_int_equal(r->w.samples, 1000);
	assert_int_equal(samples_at(r, "/bin/x", 0x1010), 1000);
}

/* Of a program that got rights of its own the kernel's count is 0, all the same it ran. */
static void test_samples_that_are_more_than_chance_makes_them_are_kept(void **state)
{
	struct rig *r = *state;

	r->t.whole = true;
	assert_int_equal(as_perf_track_start(&r->t, PID, as_slice_of("x")), AS_OK);
	r->t.proc.p[0].starting = false;
	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	for (uint64_t i = 0; i < 22; i++)
		write_record(r, i % 2, sample(PID, 10 + i));
	finish(r, 10 * MS, true);
	assert_int_equal(r->w.samples, 22);
}

/* ---- files that were replaced ---- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

struct replaced {
	const char *path;
	struct as_perf_range range;
	char name[256];
};

static void keep_range(void *ctx, const struct as_perf_range *range)
{
	struct replaced *r = ctx;

	if (!as_slice_is(range->path, r->path))
		return;
	r->range = *range;
	snprintf(r->name, sizeof(r->name), "%.*s", (int)range->path.len, range->path.p);
	r->range.path = as_slice_of(r->name);
}

/* What the file that is mapped begins with; "" if it can't be had. */
static void read_mapped(const char *path, char text[8])
{
	struct replaced r = {.path = path};
	ssize_t n;
	int fd;

	as_proc_maps((uint32_t)getpid(), keep_range, &r);
	assert_true(r.range.limit > r.range.start);
	fd = as_object_open((uint32_t)getpid(), &r.range);
	n = fd < 0 ? 0 : read(fd, text, 7);
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
}

static void test_a_file_that_was_replaced_is_not_the_one_that_is_mapped(void **state)
{
	char dir[] = "/tmp/perf_test.XXXXXX", path[64], new[64], text[8];
	void *map;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/old", dir);
	snprintf(new, sizeof(new), "%s/new", dir);
	write_file(path, "old");
	write_file(new, "new");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED) { /* where files are there may be no programs */
		unlink(path);
		unlink(new);
		rmdir(dir);
		skip();
	}
	read_mapped(path, text);
	assert_string_equal(text, "old");
	assert_int_equal(rename(new, path), 0);
	read_mapped(path, text);
	assert_true(strcmp(text, "old") == 0 || strcmp(text, "") == 0);
	unlink(path);
	rmdir(dir);
	munmap(map, 4096);
}

int perf_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sample_and_a_mapping),
		cmocka_unit_test(test_registers_and_a_stack),
		cmocka_unit_test(test_a_thread_without_a_users_part),
		cmocka_unit_test(test_records_that_are_cut),
		cmocka_unit_test(test_a_chain_that_claims_more_than_there_is),
		cmocka_unit_test(test_unknown_records_are_passed_over),
		cmocka_unit_test(test_a_file_that_was_replaced_is_not_the_one_that_is_mapped),
		WITH_RIG(test_rings_are_read_in_the_order_of_time),
		WITH_RIG(test_a_header_that_cannot_be_ends_what_is_there),
		WITH_RIG(test_addresses_are_offsets_of_what_is_mapped_then),
		WITH_RIG(test_a_mapping_takes_the_place_of_another),
		WITH_RIG(test_what_ran_between_samples_is_shared_among_them),
		WITH_RIG(test_threads_that_nobody_told_of_end),
		WITH_RIG(test_short_threads_add_up),
		WITH_RIG(test_lost_samples_are_part_of_the_total),
		WITH_RIG(test_a_count_that_cannot_be_is_left_out),
		WITH_RIG(test_the_kernels_time_is_not_given_to_user_code),
		WITH_RIG(test_without_a_total_samples_are_what_they_are),
		WITH_RIG(test_a_fork_has_its_parents_mappings),
		WITH_RIG(test_an_exec_forgets_the_old_program),
		WITH_RIG(test_processes_of_others_are_left_out),
		WITH_RIG(test_samples_that_are_more_by_chance_are_thinned),
		WITH_RIG(test_samples_of_one_stack_are_kept_as_one),
		WITH_RIG(test_samples_that_are_more_than_chance_makes_them_are_kept),
	};

	return cmocka_run_group_tests_name("perf", tests, NULL, NULL);
}
