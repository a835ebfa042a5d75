/* SPDX-License-Identifier: Apache-2.0 */
/* A machine's recording that goes on from profile to profile. */
#include "lib/fail_alloc.h"
#include "record/test_perf.h"

enum { CODE = 0x400000 };

static struct as_perf_rec of(uint32_t type, uint32_t pid, uint64_t time)
{
	return (struct as_perf_rec){.type = type, .pid = pid, .tid = pid, .time = time, .count = 1};
}

static void take(struct rig *r, struct as_perf_rec rec)
{
	assert_int_equal(as_perf_track_record(&r->t, &rec), AS_OK);
}

static void starts(struct rig *r, uint32_t pid, uint32_t parent, uint64_t time)
{
	struct as_perf_rec fork = of(PERF_RECORD_FORK, pid, time);

	fork.ppid = fork.ptid = parent;
	take(r, fork);
}

static void maps_at(struct rig *r, uint32_t pid, uint64_t addr, const char *path, uint64_t time)
{
	struct as_perf_rec map = of(PERF_RECORD_MMAP2, pid, time);

	map.addr = addr;
	map.len = 0x4000;
	map.text = as_slice_of(path);
	take(r, map);
}

static void maps(struct rig *r, uint32_t pid, const char *path, uint64_t time)
{
	maps_at(r, pid, CODE, path, time);
}

static void sampled(struct rig *r, uint32_t pid, uint64_t pc, uint64_t time)
{
	uint64_t chain[] = {(uint64_t)PERF_CONTEXT_USER, pc};
	struct as_perf_rec rec = of(PERF_RECORD_SAMPLE, pid, time);

	rec.chain = (struct as_slice){(const char *)chain, sizeof(chain)};
	take(r, rec);
}

static void ends(struct rig *r, uint32_t pid, uint64_t time)
{
	take(r, of(PERF_RECORD_EXIT, pid, time));
}

/* The profile so far; what comes is of another one. */
static void turn(struct rig *r)
{
	struct as_perf_counted counted = {.period_ns = MS};

	assert_int_equal(as_perf_weigh(&r->t, &counted, &r->w), AS_OK);
	as_profile_free(r->prof);
	assert_int_equal(as_build_finish(&r->b, &r->prof), AS_OK);
	assert_int_equal(as_build_init(&r->b, &as_alloc_libc, NULL), AS_OK);
	as_perf_track_turn(&r->t, &r->b);
	assert_int_equal(
		as_build_event(&r->b, as_slice_of("samples"), as_slice_of("count"), &r->t.event),
		AS_OK);
}

static int set_up_machine(void **state)
{
	struct rig *r;

	if (set_up(state))
		return -1;
	r = *state;
	r->t.machine = r->t.whole = true;
	starts(r, PID, PID - 1, 1);
	maps(r, PID, "/bin/x", 2);
	return 0;
}

/* The only function, but for "[truncated]", is at ADDR (or UINT64_MAX) of the object PATH. */
static void assert_place(const struct as_profile *prof, const char *path, uint64_t addr)
{
	size_t found = 0;

	for (uint32_t i = 1; i < prof->func.name.n; i++) {
		struct as_slice its = as_object_path(prof, prof->func.object.p[i]);

		if (as_slice_is(its, "[truncated]"))
			continue;
		assert_true(as_slice_is(its, path));
		assert_true(addr == UINT64_MAX || prof->func.addr.p[i] == addr);
		found++;
	}
	assert_int_equal(found, 1);
}

static const char *label_of(const struct as_profile *prof, size_t part, const char *key)
{
	const struct as_label *label;
	uint32_t n;

	label = as_part_labels(prof, part, &n);
	for (uint32_t i = 0; i < n; i++)
		if (as_slice_is(as_str_get(prof, label[i].key), key))
			return as_str_get(prof, label[i].text).p;
	return NULL;
}

static as_val samples_in(const struct as_profile *prof, uint32_t part)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++)
		sum += prof->sample.part.p[i] == part ? prof->sample.cost.p[i] : 0;
	return sum;
}

static void test_a_process_is_the_same_in_the_next_profile(void **state)
{
	struct rig *r = *state;

	for (uint64_t i = 0; i < 3; i++) {
		sampled(r, PID, CODE + 0x10, 10 + i);
		turn(r);
		assert_true(r->prof->total[0] == 1);
		assert_int_equal(r->prof->part.n, 1);
		assert_int_equal(r->prof->part.p[0].pid, PID);
		assert_place(r->prof, "/bin/x", 0x10);
	}
	turn(r);
	assert_true(r->prof->total[0] == 0);
}

/* Of each process one sample; their rows go, the samples do not. */
static void test_processes_that_have_ended_leave_nothing(void **state)
{
	enum { PROCESSES = 30000, TURN = 7000 };
	struct rig *r = *state;
	uint64_t sum = 0, taken = 0;

	for (uint32_t i = 1; i <= PROCESSES; i++) {
		uint32_t pid = PID + 1 + i % 9000; /* numbers are used again */

		starts(r, pid, PID, 10 * i);
		sampled(r, pid, CODE + 0x10, 10 * i + 1);
		ends(r, pid, 10 * i + 2);
		taken++;
		if (i % TURN == 0) {
			turn(r);
			sum += (uint64_t)r->prof->total[0];
			assert_int_equal(r->prof->part.n, TURN);
		}
		assert_true(r->t.proc.n < 10000 && r->t.thread.n < 10000);
	}
	turn(r);
	assert_int_equal(sum + (uint64_t)r->prof->total[0], taken);
	sampled(r, PID, CODE + 0x20, 10 * PROCESSES + 9);
	turn(r);
	assert_place(r->prof, "/bin/x", 0x20);
}

/* What runs all the time, and what comes and goes beside it. */
struct machine {
	struct rig r;
	struct fail_alloc fa;
	uint64_t time;
};

enum { LIVING = 500, LIBRARIES = 40, OF_SHORT_ONES = 8, IMAGES = 400, CHURN = 10000 };

static void machine_maps(struct machine *m, uint32_t pid, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/usr/lib/x86_64-linux-gnu/lib%u.so.1",
			(pid + i) % IMAGES);
		maps_at(&m->r, pid, CODE + 0x10000 * (uint64_t)i, path, ++m->time);
	}
}

static void machine_starts(struct machine *m, uint32_t pid, const char *name, uint32_t libraries)
{
	struct as_perf_rec comm = of(PERF_RECORD_COMM, pid, ++m->time);

	starts(&m->r, pid, PID, m->time);
	comm.text = as_slice_of(name);
	comm.misc = PERF_RECORD_MISC_COMM_EXEC;
	take(&m->r, comm);
	machine_maps(m, pid, libraries);
	sampled(&m->r, pid, CODE + 0x10, ++m->time);
}

static void machine_profile(struct machine *m)
{
	assert_int_equal(as_build_init(&m->r.b, &m->fa.al, NULL), AS_OK);
	assert_int_equal(as_build_event(&m->r.b, as_slice_of("samples"), as_slice_of("count"),
				 &m->r.t.event),
		AS_OK);
}

static void machine_begin(struct machine *m)
{
	*m = (struct machine){.r = {.n = 0}};
	fail_alloc_init(&m->fa, 0);
	m->r.set.layout = chains;
	machine_profile(m);
	assert_int_equal(as_perf_track_init(&m->r.t, &m->r.b, &m->r.set.layout), AS_OK);
	m->r.t.machine = m->r.t.whole = true;
	machine_starts(m, PID, "init", 1);
	for (uint32_t i = 1; i <= LIVING; i++)
		machine_starts(m, PID + i, "lives", LIBRARIES);
}

/* N processes that begin, execute something, are sampled and end; a segment ends now and then. */
static void machine_churns(struct machine *m, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t pid = PID + LIVING + 1 + i % 20000;

		machine_starts(m, pid, "comes and goes", OF_SHORT_ONES);
		ends(&m->r, pid, ++m->time);
		if (i % 5000 == 4999) {
			as_build_free(&m->r.b);
			machine_profile(m);
			as_perf_track_turn(&m->r.t, &m->r.b);
		}
	}
}

/* However many came: what is held is of those that are there, and of a few thousand that ended. */
static void test_what_has_ended_takes_no_memory(void **state)
{
	struct machine *m = malloc(sizeof(*m));
	size_t living, peak;

	(void)state;
	assert_non_null(m);
	machine_begin(m);
	living = m->fa.held;
	machine_churns(m, CHURN);
	peak = m->fa.peak;
	machine_churns(m, CHURN);
	assert_int_equal(m->fa.peak, peak);
	assert_true(living < (size_t)LIVING * LIBRARIES * 256);
	as_perf_track_release(&m->r.t);
	as_build_free(&m->r.b);
	assert_int_equal(m->fa.held, 0);
	free(m);
}

static void test_a_tree_has_a_label_from_then_on(void **state)
{
	struct rig *r = *state;

	sampled(r, PID, CODE + 0x10, 10);
	assert_true(as_perf_track_label(&r->t, PID, as_slice_of("nightly")));
	assert_false(as_perf_track_label(&r->t, PID + 5, as_slice_of("nobody")));
	sampled(r, PID, CODE + 0x10, 11);
	starts(r, PID + 1, PID, 12);
	sampled(r, PID + 1, CODE + 0x10, 13);
	turn(r);
	assert_int_equal(r->prof->part.n, 3);
	assert_null(label_of(r->prof, 0, "label"));
	assert_string_equal(label_of(r->prof, 1, "label"), "nightly");
	assert_string_equal(label_of(r->prof, 2, "label"), "nightly");
	sampled(r, PID + 1, CODE + 0x10, 14);
	turn(r);
	assert_string_equal(label_of(r->prof, 0, "label"), "nightly");
}

static void test_a_control_group_is_a_unit_or_a_container(void **state)
{
	static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	struct as_perf_rec rec = of(PERF_RECORD_SAMPLE, PID, 10);
	char path[128];
	struct rig *r = *state;

	snprintf(path, sizeof(path), "/system.slice/docker-%s.scope", id);
	assert_int_equal(
		as_perf_track_cgroup(&r->t, 7, as_slice_of("/system.slice/cron.service")), AS_OK);
	assert_int_equal(as_perf_track_cgroup(&r->t, 8, as_slice_of(path)), AS_OK);
	for (uint64_t group = 6; group <= 8; group++) {
		rec.cgroup = group;
		take(r, rec);
	}
	rec.cgroup = 0; /* it is of none again */
	take(r, rec);
	turn(r);
	assert_int_equal(r->prof->part.n, 3);
	assert_true(samples_in(r->prof, 0) == 2);
	assert_null(label_of(r->prof, 0, "unit"));
	assert_string_equal(label_of(r->prof, 1, "unit"), "cron.service");
	assert_null(label_of(r->prof, 1, "container"));
	assert_string_equal(label_of(r->prof, 2, "container"), id);
}

static void test_code_of_no_mapping_is_unknown(void **state)
{
	struct rig *r = *state;

	sampled(r, PID, 0x10, 10);
	assert_int_equal(r->t.unknown, 1);
	turn(r);
	assert_true(r->prof->total[0] == 1);
	assert_place(r->prof, "[unknown]", UINT64_MAX);
	assert_int_equal(r->prof->part.p[0].pid, PID);
}

/* Samples whose innermost frame is at ADDR of the object PATH, in the process PID or (0) in all. */
static as_val samples_at(
	const struct as_profile *prof, uint32_t pid, const char *path, uint64_t addr)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct as_pos pos =
			as_place_pos(prof, prof->node.place.p[prof->sample.node.p[i].i]);
		const struct as_part *part = &prof->part.p[prof->sample.part.p[i]];

		if (pos.addr == addr && (!pid || part->pid == pid) &&
			as_slice_is(as_object_path(prof, prof->func.object.p[pos.func.i]), path))
			sum += prof->sample.cost.p[i];
	}
	return sum;
}

static void test_places_are_those_of_one_profile(void **state)
{
	struct rig *r = *state;

	sampled(r, PID, CODE + 0x10, 10);
	sampled(r, PID, CODE + 0x20, 11);
	sampled(r, PID, UINT64_C(0x20), 12);
	turn(r);
	assert_true(samples_at(r->prof, 0, "/bin/x", 0x20) == 1);
	sampled(r, PID, CODE + 0x20, 13);
	turn(r);
	assert_place(r->prof, "/bin/x", 0x20);
}

/* As many as there are places that are kept at hand, and all of them once more. */
static void test_each_place_is_its_own(void **state)
{
	enum { PLACES = 0x4000 };
	struct rig *r = *state;

	starts(r, PID + 1, PID, 9);
	maps(r, PID + 1, "/bin/y", 9);
	for (uint64_t i = 0; i < 4 * PLACES; i++)
		sampled(r, PID + (uint32_t)(i & 1), CODE + i / 2 % PLACES, 10 + i);
	turn(r);
	assert_true(r->prof->total[0] == 4 * PLACES);
	for (uint64_t i = 0; i < PLACES; i += 97) {
		assert_true(samples_at(r->prof, PID, "/bin/x", i) == 2);
		assert_true(samples_at(r->prof, PID + 1, "/bin/y", i) == 2);
	}
}

static void test_a_mapping_that_comes_later_is_in_the_profile(void **state)
{
	struct rig *r = *state;
	bool listed[2] = {false, false};

	sampled(r, PID, CODE + 0x10, 10);
	maps_at(r, PID, CODE + 0x10000, "/lib/y", 11);
	sampled(r, PID, CODE + 0x10010, 12);
	turn(r);
	for (size_t i = 0; i < r->prof->map.n; i++) {
		listed[0] |= r->prof->map.p[i].start == CODE;
		listed[1] |= r->prof->map.p[i].start == CODE + 0x10000;
	}
	assert_true(listed[0] && listed[1]);
	assert_true(samples_at(r->prof, PID, "/lib/y", 0x10) == 1);
}

/* Of memory that is no file the kernel tells another offset than /proc does. */
static void test_code_that_is_in_no_file_is_mapped_where_it_is(void **state)
{
	struct rig *r = *state;
	size_t found = 0;

	maps_at(r, PID, CODE + 0x10000, "//anon", 10);
	sampled(r, PID, CODE + 0x10010, 11);
	turn(r);
	for (size_t i = 0; i < r->prof->map.n; i++) {
		const struct as_map *map = &r->prof->map.p[i];

		if (!as_slice_is(as_object_path(r->prof, map->object), "//anon"))
			continue;
		assert_true(map->start == CODE + 0x10000 && map->offset == map->start);
		found++;
	}
	assert_int_equal(found, 1);
	assert_true(samples_at(r->prof, PID, "//anon", CODE + 0x10010) == 1);
}

/* It was found among those that run, and its parent was not: that one had ended. */
static void test_what_is_known_of_a_process_stays_when_its_parent_is_not_known(void **state)
{
	struct rig *r = *state;

	maps(r, PID + 1, "/bin/y", 10);
	starts(r, PID + 1, PID + 2, 11);
	sampled(r, PID + 1, CODE + 0x20, 12);
	assert_int_equal(r->t.unknown, 0);
	turn(r);
	assert_place(r->prof, "/bin/y", 0x20);
}

static void test_new_code_of_the_kernel_is_told_of_once(void **state)
{
	struct rig *r = *state;

	sampled(r, PID, CODE + 0x10, 10);
	assert_false(r->t.kernel_changed);
	take(r, of(PERF_RECORD_KSYMBOL, PID, 11));
	assert_true(r->t.kernel_changed);
	turn(r);
	assert_false(r->t.kernel_changed);
}

static void test_what_is_lost_is_of_no_process(void **state)
{
	struct as_perf_rec rec = of(PERF_RECORD_LOST_SAMPLES, PID, 11);
	struct rig *r = *state;

	sampled(r, PID, CODE, 10);
	rec.count = 5;
	take(r, rec);
	turn(r);
	assert_true(r->prof->total[0] == 6);
	assert_int_equal(r->prof->part.n, 2);
	assert_false(r->prof->part.p[1].has_pid);
	assert_int_equal(r->t.lost, 0);
}

static void test_flat_samples_are_instructions(void **state)
{
	struct as_perf_rec rec = of(PERF_RECORD_SAMPLE, PID, 10);
	struct rig *r = *state;

	r->set.layout.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	rec.ip = CODE + 0x30;
	take(r, rec);
	turn(r);
	assert_place(r->prof, "/bin/x", 0x30);
	rec.ip = UINT64_C(0xffffffff81000000);
	take(r, rec);
	turn(r);
	assert_place(r->prof, "[kernel.kallsyms]", rec.ip);
}

#define OF_A_MACHINE(test) cmocka_unit_test_setup_teardown(test, set_up_machine, tear_down)

int perf_turn_tests(void)
{
	const struct CMUnitTest tests[] = {
		OF_A_MACHINE(test_a_process_is_the_same_in_the_next_profile),
		OF_A_MACHINE(test_processes_that_have_ended_leave_nothing),
		cmocka_unit_test(test_what_has_ended_takes_no_memory),
		OF_A_MACHINE(test_a_tree_has_a_label_from_then_on),
		OF_A_MACHINE(test_a_control_group_is_a_unit_or_a_container),
		OF_A_MACHINE(test_code_of_no_mapping_is_unknown),
		OF_A_MACHINE(test_places_are_those_of_one_profile),
		OF_A_MACHINE(test_each_place_is_its_own),
		OF_A_MACHINE(test_a_mapping_that_comes_later_is_in_the_profile),
		OF_A_MACHINE(test_code_that_is_in_no_file_is_mapped_where_it_is),
		OF_A_MACHINE(test_what_is_known_of_a_process_stays_when_its_parent_is_not_known),
		OF_A_MACHINE(test_new_code_of_the_kernel_is_told_of_once),
		OF_A_MACHINE(test_what_is_lost_is_of_no_process),
		OF_A_MACHINE(test_flat_samples_are_instructions),
	};

	return cmocka_run_group_tests_name("perf_turn", tests, NULL, NULL);
}
