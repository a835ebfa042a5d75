/* SPDX-License-Identifier: Apache-2.0 */
/* Records made by hand: what the tracker makes of them, in whole profiles. */
#include "record/perf_machine.h"
#include "record/test_perf.h"

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

/* Of 40 ms one sample tells 10: the others may be of processes that ended before their first. */
static void test_what_a_machine_misses_is_not_given_to_other_processes(void **state)
{
	struct rig *r = *state;

	write_program(r);
	assert_int_equal(as_perf_rings_merge(&r->set, UINT64_MAX, take, &r->t), AS_OK);
	assert_int_equal(as_perf_machine_weigh(&r->t, 10 * MS, 40 * MS, &r->w), AS_OK);
	assert_int_equal(as_build_finish(&r->b, &r->prof), AS_OK);
	assert_int_equal(r->w.samples, 4);
	assert_int_equal(r->w.unsampled, 3);
	assert_int_equal(r->w.spread, 0);
	assert_int_equal(samples_at(r, "/bin/x", 0), 1);
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

/* ---- the whole machine ---- */

/* In the kernel at 0xffffffff81000040, called from user code at 0x401010. */
static struct bytes sample_in_kernel(uint32_t pid, uint32_t tid, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);

	put(&b, pid, 4);
	put(&b, tid, 4);
	put(&b, time, 8);
	put(&b, 5, 8);
	put(&b, (uint64_t)PERF_CONTEXT_KERNEL, 8);
	put(&b, UINT64_C(0xffffffff81000040), 8);
	put(&b, UINT64_C(0xffffffff81000101), 8); /* a return address */
	put(&b, (uint64_t)PERF_CONTEXT_USER, 8);
	put(&b, 0x401010, 8);
	return b;
}

static struct bytes exited(uint32_t tid, uint64_t time)
{
	struct bytes b = record(PERF_RECORD_EXIT, 0);

	put(&b, tid, 4);
	put(&b, 1, 4);
	put(&b, tid, 4);
	put(&b, 1, 4);
	put(&b, time, 8);
	put_ids(&b, tid, time);
	return b;
}

static void of_a_machine(struct rig *r)
{
	r->t.machine = r->t.whole = true;
}

static bool is_kernel_mark(const struct as_profile *prof, as_node node)
{
	as_func func = as_place_pos(prof, prof->node.place.p[node.i]).func;

	return as_slice_is(as_object_path(prof, prof->func.object.p[func.i]), "[kernel]");
}

/* Behind a mark, and that behind the user's. */
static void has_the_kernels_frames(struct rig *r)
{
	const struct as_profile *prof;
	as_node node;

	write_record(r, 0, mapping(0x400000, 0x4000, 0, "/bin/x"));
	write_record(r, 0, sample_in_kernel(PID, PID, 10));
	finish(r, 0, false);
	prof = r->prof;
	assert_int_equal(samples_at(r, "[kernel.kallsyms]", UINT64_C(0xffffffff81000040)), 1);
	node = prof->sample.node.p[0];
	node = prof->node.parent.p[node.i];
	assert_true(as_place_pos(prof, prof->node.place.p[node.i]).addr ==
		    UINT64_C(0xffffffff81000100));
	node = prof->node.parent.p[node.i];
	assert_true(is_kernel_mark(prof, node));
	node = prof->node.parent.p[node.i];
	assert_int_equal(as_place_pos(prof, prof->node.place.p[node.i]).addr, 0x1010);
}

static void test_the_kernels_frames_are_below_those_of_the_user(void **state)
{
	of_a_machine(*state);
	has_the_kernels_frames(*state);
}

static void test_a_process_may_have_them_too(void **state)
{
	struct rig *r = *state;

	r->t.kernel_frames = true;
	has_the_kernels_frames(r);
}

/* Threads of the kernel have no user's part, and what is below is the mark alone. */
static void test_a_thread_of_the_kernel_begins_with_the_mark(void **state)
{
	struct bytes b = record(PERF_RECORD_SAMPLE, 0);
	struct rig *r = *state;
	as_node node;

	of_a_machine(r);
	put(&b, PID, 4);
	put(&b, PID, 4);
	put(&b, 10, 8);
	put(&b, 2, 8);
	put(&b, (uint64_t)PERF_CONTEXT_KERNEL, 8);
	put(&b, UINT64_C(0xffffffff81000040), 8);
	write_record(r, 0, b);
	finish(r, 0, false);
	assert_int_equal(samples_at(r, "[kernel.kallsyms]", UINT64_C(0xffffffff81000040)), 1);
	node = r->prof->node.parent.p[r->prof->sample.node.p[0].i];
	assert_true(is_kernel_mark(r->prof, node));
	assert_int_equal(r->prof->node.parent.p[node.i].i, 0);
}

static void test_processes_of_others_are_part_of_the_machine(void **state)
{
	struct rig *r = *state;

	of_a_machine(r);
	write_record(r, 0, sample_of(PID + 2, 10));
	write_record(r, 0, sample_of(PID + 3, 11));
	finish(r, 0, false);
	assert_int_equal(r->prof->part.n, 2);
	assert_true(r->prof->total[0] == 2);
}

static void is_called(struct rig *r, uint32_t pid, const char *command)
{
	assert_int_equal(as_perf_track_start(&r->t, pid, as_slice_of(command)), AS_OK);
	r->t.proc.p[r->t.proc.n - 1].starting = false;
	write_record(r, 0, sample_in_kernel(pid, pid, pid));
}

/* Of none a mapping is known yet. */
static void test_a_process_has_the_name_of_its_program(void **state)
{
	static const char *const names[] = {"cc1", "nginx", "bash", "a:b"};
	struct rig *r = *state;

	of_a_machine(r);
	is_called(r, PID + 1, "/usr/lib/gcc/12/cc1 -quiet -I /usr/include x.c");
	is_called(r, PID + 2, "nginx: worker process");
	is_called(r, PID + 3, "-bash");
	is_called(r, PID + 4, "/opt/a:b");
	finish(r, 0, false);
	assert_int_equal(r->prof->part.n, AS_ARRAY_LEN(names));
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		uint32_t n;
		const struct as_label *label = as_part_labels(r->prof, i, &n);

		assert_int_equal(n, 1);
		assert_true(as_slice_is(as_str_get(r->prof, label->key), "process"));
		assert_true(as_slice_is(as_str_get(r->prof, label->text), names[i]));
	}
}

/* On processor 1 another one ended. */
static void test_a_thread_without_a_number_is_the_one_that_just_ended_there(void **state)
{
	struct rig *r = *state;

	of_a_machine(r);
	r->cpu[1].cpu = 1;
	write_record(r, 0, forked(PID + 1, PID, 8));
	write_record(r, 0, forked(PID + 2, PID, 9));
	write_record(r, 1, exited(PID + 2, 10));
	write_record(r, 0, exited(PID + 1, 11));
	write_record(r, 0, sample_in_kernel(UINT32_MAX, UINT32_MAX, 12));
	finish(r, 0, false);
	assert_int_equal(r->prof->part.n, 1);
	assert_int_equal(r->prof->part.p[0].pid, PID + 1);
}

static void test_only_the_interval_counts(void **state)
{
	struct rig *r = *state;

	of_a_machine(r);
	r->t.from = 10;
	r->t.ends = PID + 1;
	write_record(r, 0, forked(PID + 1, PID, 8));
	write_record(r, 0, sample_of(PID + 1, 9));
	write_record(r, 0, sample_of(PID + 1, 11));
	write_record(r, 0, exited(PID + 1, 12));
	write_record(r, 0, sample_of(PID + 2, 13));
	finish(r, 0, false);
	assert_true(r->prof->total[0] == 1);
}

static void test_what_is_lost_of_processes_is_no_sample(void **state)
{
	struct rig *r = *state;

	of_a_machine(r);
	r->cpu[1].side = true;
	write_record(r, 0, sample_of(PID + 1, 10));
	write_record(r, 1, lost(PERF_RECORD_LOST, 7));
	finish(r, 0, false);
	assert_true(r->prof->total[0] == 1);
	assert_int_equal(r->t.untold, 7);
	assert_true(r->t.look_again);
}

/* ---- when ---- */

/* The samples of R that are AT that time, of the object PATH or any. */
static uint64_t moments_at(const struct rig *r, int64_t at, const char *path)
{
	struct as_moments_cur cur;
	uint64_t sum = 0;

	as_moments_begin(&cur, &r->prof->moments);
	while (as_moments_next(&cur)) {
		as_place place = r->prof->node.place.p[cur.at.node.i];
		as_object object = r->prof->func.object.p[as_place_pos(r->prof, place).func.i];

		if (cur.at.time == at &&
			(!path || as_slice_is(as_object_path(r->prof, object), path)))
			sum += (uint64_t)cur.at.value;
	}
	return sum;
}

static void test_what_is_added_to_samples_is_of_their_time(void **state)
{
	struct rig *r = *state;

	r->b.keep_moments = r->b.has_zero = true;
	write_program(r);
	write_record(r, 0, sample(PID, 20));
	write_record(r, 0, sample(PID, 30));
	finish(r, 90 * MS, true);
	assert_int_equal(r->w.samples, 9);
	assert_int_equal(r->prof->moments.n, 3);
	assert_int_equal(r->prof->moments.left, 0);
	assert_int_equal(moments_at(r, 10, "/bin/x"), 3);
	assert_int_equal(moments_at(r, 20, "/bin/x"), 3);
	assert_int_equal(moments_at(r, 30, "/bin/x"), 3);
}

static void test_what_has_no_sample_is_of_the_time_at_which_it_was_told(void **state)
{
	struct rig *r = *state;

	r->b.keep_moments = r->b.has_zero = true;
	write_program(r);
	write_record(r, 0, lost(PERF_RECORD_LOST, 2));
	for (unsigned i = 0; i < 5; i++) {
		write_record(r, 1, born(PID + 1, 15 + 2 * i));
		write_record(r, 1, ended(PID + 1, 20 * MS, 16 + 2 * i));
	}
	finish(r, 110 * MS, true);
	assert_int_equal(r->w.samples, 11);
	assert_int_equal(r->w.lost, 2);
	assert_int_equal(r->prof->moments.left, 0);
	assert_int_equal(moments_at(r, 11, "[lost]"), 2);
	assert_int_equal(moments_at(r, 16, NULL), 0); /* these are the two that are lost */
	for (unsigned i = 1; i < 5; i++)
		assert_int_equal(moments_at(r, 16 + 2 * i, "[unsampled]"), 2);
}

static void test_threads_of_one_name_are_apart_where_it_matters_when_they_ran(void **state)
{
	struct rig *r = *state;

	of_a_machine(r);
	r->b.keep_moments = r->b.has_zero = true;
	write_record(r, 0, sample_of(PID + 1, 10));
	write_record(r, 0, sample_of(PID + 2, 20));
	write_record(r, 0, sample_of(PID + 1, 30));
	finish(r, 0, false);
	assert_int_equal(r->prof->part.n, 2);
	assert_int_equal(r->prof->part.p[0].tid, PID + 1);
	assert_int_equal(r->prof->part.p[1].tid, PID + 2);
	assert_int_equal(r->prof->moments.n, 3);
}

int perf_track_tests(void)
{
	const struct CMUnitTest tests[] = {
		WITH_RIG(test_addresses_are_offsets_of_what_is_mapped_then),
		WITH_RIG(test_a_mapping_takes_the_place_of_another),
		WITH_RIG(test_what_ran_between_samples_is_shared_among_them),
		WITH_RIG(test_threads_that_nobody_told_of_end),
		WITH_RIG(test_short_threads_add_up),
		WITH_RIG(test_lost_samples_are_part_of_the_total),
		WITH_RIG(test_a_count_that_cannot_be_is_left_out),
		WITH_RIG(test_the_kernels_time_is_not_given_to_user_code),
		WITH_RIG(test_what_a_machine_misses_is_not_given_to_other_processes),
		WITH_RIG(test_without_a_total_samples_are_what_they_are),
		WITH_RIG(test_a_fork_has_its_parents_mappings),
		WITH_RIG(test_an_exec_forgets_the_old_program),
		WITH_RIG(test_processes_of_others_are_left_out),
		WITH_RIG(test_samples_that_are_more_by_chance_are_thinned),
		WITH_RIG(test_samples_of_one_stack_are_kept_as_one),
		WITH_RIG(test_samples_that_are_more_than_chance_makes_them_are_kept),
		WITH_RIG(test_the_kernels_frames_are_below_those_of_the_user),
		WITH_RIG(test_a_process_may_have_them_too),
		WITH_RIG(test_a_thread_of_the_kernel_begins_with_the_mark),
		WITH_RIG(test_processes_of_others_are_part_of_the_machine),
		WITH_RIG(test_a_process_has_the_name_of_its_program),
		WITH_RIG(test_a_thread_without_a_number_is_the_one_that_just_ended_there),
		WITH_RIG(test_only_the_interval_counts),
		WITH_RIG(test_what_is_lost_of_processes_is_no_sample),
		WITH_RIG(test_what_is_added_to_samples_is_of_their_time),
		WITH_RIG(test_what_has_no_sample_is_of_the_time_at_which_it_was_told),
		WITH_RIG(test_threads_of_one_name_are_apart_where_it_matters_when_they_ran),
	};

	return cmocka_run_group_tests_name("perf_track", tests, NULL, NULL);
}
