/* SPDX-License-Identifier: Apache-2.0 */
/* perf-cpuN.dat: records of the kernel without a head, of which the switches and the names of
 * threads are taken. */
#include "formats/uftrace/uftrace.h"

enum {
	PERF_COMM = 3,
	PERF_SWITCH = 14,
	PERF_OUT = 0x2000,
	PERF_PREEMPTED = 0x4000,
	PERF_HEAD = 8,
	PERF_SWITCH_SIZE = 24, /* process, thread, time */
	PERF_COMM_SIZE = 16,   /* process, thread, and the name */
};

static enum as_code uftrace_perf_switch(struct uftrace *u, const char *p, uint64_t misc)
{
	struct uftrace_switch sw = {
		.time = uftrace_number(u, p + 16, 8),
		.tid = uftrace_number(u, p + 12, 4),
		.out = misc & PERF_OUT,
		.preempted = misc & PERF_PREEMPTED,
	};

	return as_err_memory(u->rd->err, as_vec_push(u->al, &u->sw, sw));
}

static enum as_code uftrace_perf_comm(struct uftrace *u, const char *p, size_t size)
{
	struct uftrace_comm comm = {.tid = uftrace_number(u, p + 12, 4)};

	comm.name = (struct as_slice){p + 16, size - 16};
	comm.name.len = as_slice_find(comm.name, '\0');
	return as_err_memory(u->rd->err, as_vec_push(u->al, &u->comm, comm));
}

enum as_code as_uftrace_perf(struct uftrace *u, struct as_slice text)
{
	for (size_t at = 0, size; at < text.len; at += size) {
		const char *p = text.p + at;
		uint64_t type, misc;

		size = text.len - at < PERF_HEAD ? 0 : (size_t)uftrace_number(u, p + 6, 2);
		if (size < PERF_HEAD || size > text.len - at)
			return as_rd_find(u->rd, AS_F_TRUNCATED, u->b.off + at, 0,
				"%s ends inside a record", u->b.name);
		type = uftrace_number(u, p, 4);
		misc = uftrace_number(u, p + 4, 2);
		if (type == PERF_SWITCH && size >= PERF_SWITCH_SIZE)
			AS_TRY(uftrace_perf_switch(u, p, misc));
		else if (type == PERF_COMM && size > PERF_COMM_SIZE)
			AS_TRY(uftrace_perf_comm(u, p, size));
	}
	return AS_OK;
}
