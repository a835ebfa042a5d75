/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timer for CPU time is looked at when the kernel ticks, so that work in step with the tick is
 * never seen, or is all that is seen. A clock event of perf's signals its thread at the very time,
 * but in the midst of a call it would end it: it signals user code only, and what the kernel does
 * for the thread is left to the ticks (threads.c).
 */
#include "preload/event.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

/* SHORTEST: ns. The event comes again and again until the first signal has been dealt with: where
 * an interrupt takes as long as the period, as on virtual machines, the thread would never get on.
 */
enum { PAGE = 4096, SHORTEST = 100000 };

/* The event's file stays as long as its page is mapped: no descriptor is left that the program
 * could see, or close. */
static void *event_keep(int fd, int tid, int number)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	long page;

	if (as_raw3(SYS_fcntl, fd, F_SETFL, O_ASYNC) < 0 ||
		as_raw3(SYS_fcntl, fd, F_SETSIG, number) < 0 ||
		as_raw3(SYS_fcntl, fd, F_SETOWN_EX, (long)&owner) < 0)
		return NULL;
	page = as_raw(SYS_mmap, 0, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page < 0 && page > -PAGE)
		return NULL;
	if (as_raw3(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0) == 0)
		return (void *)page;
	as_raw_unmap((void *)page, PAGE);
	return NULL;
}

bool as_event_start(struct as_event *e, int tid, int number, uint64_t period)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period > SHORTEST ? period : SHORTEST,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_events = 1};
	int fd =
		(int)as_raw(SYS_perf_event_open, (long)&attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);

	e->page = NULL;
	e->fd = fd;
	if (fd < 0)
		return false;
	e->page = event_keep(fd, tid, number);
	as_raw_close(fd);
	return e->page != NULL;
}

void as_event_stop(struct as_event *e)
{
	if (e->page)
		as_raw_unmap(e->page, PAGE);
	e->page = NULL;
}
