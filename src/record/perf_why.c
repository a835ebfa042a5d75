/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_why.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

int as_perf_paranoid(void)
{
	FILE *f = fopen(PARANOID, "re");
	char text[16] = "", *end = text;
	long v = INT_MAX;

	if (!f)
		return INT_MAX;
	if (fgets(text, sizeof(text), f))
		v = strtol(text, &end, 10);
	fclose(f);
	return end == text || v < INT_MIN || v > INT_MAX ? INT_MAX : (int)v;
}

static int why_try(struct perf_event_attr *attr, bool whole_cpu)
{
	long fd;

	attr->size = sizeof(*attr);
	attr->exclude_hv = attr->disabled = 1;
	fd = syscall(SYS_perf_event_open, attr, whole_cpu ? -1 : 0, whole_cpu ? 0 : -1, -1,
		PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

int as_perf_try(uint32_t type, uint64_t config, bool whole_cpu)
{
	struct perf_event_attr attr = {.type = type,
		.config = config,
		.sample_period = 10000000,
		.exclude_kernel = !whole_cpu};

	return why_try(&attr, whole_cpu);
}

int as_perf_try_switches(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1,
		.context_switch = 1};

	return why_try(&attr, false);
}

static enum as_code not_allowed(struct as_err *err, int pid)
{
	int paranoid = as_perf_paranoid();

	if (paranoid != INT_MAX && paranoid > 2)
		return as_err_set(err, AS_E_IO,
			"perf events are not allowed here: kernel.perf_event_paranoid is %d; set "
			"it to 2 "
			"or less, or give CAP_PERFMON",
			paranoid);
	if (!pid)
		return as_err_set(err, AS_E_IO,
			"all processes may not be recorded here: that takes root, CAP_PERFMON, or "
			"0 or less in kernel.perf_event_paranoid");
	return as_err_set(err, AS_E_IO,
		"process %d may not be recorded: it is another user's, or a sandbox forbids "
		"perf_event_open; give CAP_PERFMON and CAP_SYS_PTRACE, or record as its user",
		pid);
}

enum as_code as_perf_why(struct as_err *err, int reason, pid_t pid)
{
	enum as_code rc;

	switch (reason) {
	case EACCES:
	case EPERM:
		rc = not_allowed(err, (int)pid);
		break;
	case ESRCH:
		rc = as_err_set(err, AS_E_IO, "there is no process %d", (int)pid);
		break;
	case ENOSYS:
	case EOPNOTSUPP:
	case ENOENT:
	case ENODEV:
		rc = as_err_set(err, AS_E_UNSUPPORTED,
			"this kernel has no perf events that could sample CPU time: %s",
			strerror(reason));
		break;
	case EMFILE:
		rc = as_err_set(err, AS_E_IO,
			"process %d has too many threads for the limit on open files (ulimit -n)",
			(int)pid);
		break;
	default:
		if (!pid)
			rc = as_err_set(err, AS_E_IO, "all processes can't be recorded: %s",
				strerror(reason));
		else
			rc = as_err_set(err, AS_E_IO, "process %d can't be recorded: %s", (int)pid,
				strerror(reason));
	}
	if (err)
		err->sys_errno = reason;
	return rc;
}

enum as_code as_perf_why_ring(struct as_err *err, int reason)
{
	if (reason == EPERM)
		as_err_set(err, AS_E_IO,
			"the buffer for samples may not be locked into memory: raise "
			"kernel.perf_event_mlock_kb or the limit on locked memory (ulimit -l)");
	else
		as_err_set(err, AS_E_IO, "the buffer for samples can't be mapped: %s",
			strerror(reason));
	if (err)
		err->sys_errno = reason;
	return AS_E_IO;
}
