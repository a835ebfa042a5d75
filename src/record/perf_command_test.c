/* SPDX-License-Identifier: Apache-2.0 */
/* What a process is called, by what the kernel told and by /proc. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "record/test_perf.h"

enum { NAME = 16 };

static struct as_perf_proc *executes(struct rig *r, uint32_t pid, const char *name)
{
	struct as_perf_rec rec = {.type = PERF_RECORD_COMM,
		.misc = PERF_RECORD_MISC_COMM_EXEC,
		.pid = pid,
		.tid = pid,
		.time = 10,
		.text = as_slice_of(name)};

	assert_int_equal(as_perf_track_record(&r->t, &rec), AS_OK);
	return &r->t.proc.p[r->t.proc.n - 1];
}

static void maps(struct rig *r, uint32_t pid, uint64_t addr, const char *path)
{
	struct as_perf_rec rec = {.type = PERF_RECORD_MMAP2,
		.pid = pid,
		.tid = pid,
		.time = 11,
		.addr = addr,
		.len = 0x1000,
		.text = as_slice_of(path)};

	assert_int_equal(as_perf_track_record(&r->t, &rec), AS_OK);
}

/* The kernel keeps 15 bytes; a process that is gone has no other name in /proc. */
static void test_a_name_that_was_cut_is_that_of_the_file(void **state)
{
	struct rig *r = *state;
	struct as_perf_proc *proc = executes(r, UINT32_MAX - 1, "organisation-of");

	maps(r, proc->pid, 0x1000, "/bin/organisation-of it");
	assert_true(as_slice_is(proc->program, "organisation-of it"));
	assert_int_equal(as_perf_ask_command(&r->t, proc), AS_OK);
	assert_true(as_slice_is(proc->command, "organisation-of it"));
	maps(r, proc->pid, 0x3000, "/bin/organisation-of all");
	assert_true(as_slice_is(proc->program, "organisation-of it"));
}

static void test_a_library_is_not_the_program_whose_name_it_begins_with(void **state)
{
	struct rig *r = *state;
	struct as_perf_proc *proc = executes(r, UINT32_MAX - 1, "organisation-of");

	maps(r, proc->pid, 0x1000, "/usr/lib/other");
	maps(r, proc->pid, 0x3000, "/usr/lib/organisation-of it.so");
	assert_true(as_slice_is(proc->program, "organisation-of"));
}

/* Of a script the command begins with who reads it, and is known only while the process runs. */
static void test_a_script_is_called_as_its_file_is(void **state)
{
	static const char script[NAME] = "perf_command"; /* our first argument */
	uint32_t own = (uint32_t)getpid();
	struct rig *r = *state;
	struct as_perf_proc *proc;
	char was[NAME];

	assert_int_equal(prctl(PR_GET_NAME, was), 0);
	assert_int_equal(prctl(PR_SET_NAME, script), 0);
	proc = executes(r, own, script);
	assert_int_equal(as_perf_ask_command(&r->t, proc), AS_OK);
	assert_true(as_slice_ends(proc->command, script) && !as_slice_is(proc->command, script));
	assert_true(as_slice_is(proc->program, script));
	/* one that ran already */
	assert_int_equal(as_perf_track_process(&r->t, own), AS_OK);
	assert_true(as_slice_is(proc->program, script));
	assert_int_equal(prctl(PR_SET_NAME, "another"), 0);
	assert_int_equal(as_perf_track_process(&r->t, own), AS_OK);
	assert_true(as_slice_is(proc->program, "record_tests"));
	assert_int_equal(prctl(PR_SET_NAME, was), 0);
}

int perf_command_tests(void)
{
	const struct CMUnitTest tests[] = {
		WITH_RIG(test_a_name_that_was_cut_is_that_of_the_file),
		WITH_RIG(test_a_library_is_not_the_program_whose_name_it_begins_with),
		WITH_RIG(test_a_script_is_called_as_its_file_is),
	};

	return cmocka_run_group_tests_name("perf_command", tests, NULL, NULL);
}
