/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/doctor.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "record/events/perf_kinds.h"
#include "record/perf_why.h"

struct as_doctor_line *as_doctor_add(
	struct as_doctor *d, const char *about, enum as_doctor_state state, const char *fmt, ...)
{
	struct as_doctor_line *line = &d->line[d->n++];
	va_list ap;

	line->about = about;
	line->state = state;
	va_start(ap, fmt);
	vsnprintf(line->found, sizeof(line->found), fmt, ap);
	va_end(ap);
	return line;
}

void as_doctor_advise(struct as_doctor_line *line, const char *text)
{
	snprintf(line->advice, sizeof(line->advice), "%s", text);
}

/* The number in a file of /proc; OTHERWISE if there is none. */
static long number_in(const char *path, long otherwise)
{
	FILE *f = fopen(path, "re");
	char text[32] = "", *end = text;
	long v = otherwise;

	if (!f)
		return otherwise;
	errno = 0;
	if (fgets(text, sizeof(text), f))
		v = strtol(text, &end, 10);
	fclose(f);
	return end == text || errno == ERANGE ? otherwise : v;
}

static void look_at_sampler(struct as_doctor *d, const char *library)
{
	struct as_doctor_line *line;

	if (library) {
		as_doctor_add(d, "sampler", AS_DOCTOR_OK,
			"%s: programs are sampled from within, all threads, stacks by unwind "
			"tables",
			library);
		d->can_record = true;
		return;
	}
	line = as_doctor_add(
		d, "sampler", AS_DOCTOR_NO, "libassay-profiler.so.0 is not beside assay");
	as_doctor_advise(line, "'make install' puts it there");
}

static void look_at_signals(struct as_doctor *d)
{
	struct rlimit limit;
	struct as_doctor_line *line;

	if (getrlimit(RLIMIT_SIGPENDING, &limit) != 0)
		return;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= 4096) {
		as_doctor_add(d, "threads", AS_DOCTOR_OK, "each has a timer of its own");
		return;
	}
	line = as_doctor_add(d, "threads", AS_DOCTOR_NOTE,
		"only %llu of a user's threads can have a timer",
		(unsigned long long)limit.rlim_cur);
	as_doctor_advise(line, "ulimit -i unlimited");
}

/* CPU-time timers are looked at when the kernel ticks; clock events are not. */
static void look_at_tick(struct as_doctor *d)
{
	struct as_doctor_line *line;
	struct timespec t = {0, 0};
	long hz;

	if (as_perf_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false) == 0) {
		as_doctor_add(d, "tick", AS_DOCTOR_OK,
			"code of programs is sampled by clock events, whenever it runs");
		return;
	}
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &t) != 0 || t.tv_nsec == 0)
		return;
	hz = (1000000000L + t.tv_nsec / 2) / t.tv_nsec;
	line = as_doctor_add(d, "tick", AS_DOCTOR_NOTE,
		"without clock events programs are sampled when the kernel ticks, %ld times a "
		"second: totals stay right, but work in step with that has wrong shares",
		hz);
	as_doctor_advise(line, "as root: sysctl kernel.perf_event_paranoid=2");
}

static void look_at_events(struct as_doctor *d)
{
	int why = as_perf_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false);
	long level = number_in("/proc/sys/kernel/perf_event_paranoid", 2);
	struct as_doctor_line *line;

	if (!why) {
		as_doctor_add(d, "perf events", AS_DOCTOR_OK,
			"static programs, and processes that run already, can be recorded");
		d->can_record = true;
	} else {
		line = as_doctor_add(d, "perf events", AS_DOCTOR_NO,
			"refused: %s (perf_event_paranoid is %ld)", strerror(why), level);
		as_doctor_advise(line, why == ENOSYS
					       ? "the kernel was built without them"
					       : "as root: sysctl kernel.perf_event_paranoid=2");
		return;
	}
	why = as_perf_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true);
	if (!why) {
		as_doctor_add(d, "all processes", AS_DOCTOR_OK,
			"children that take no library in, and short ones, are recorded, too");
	} else {
		line = as_doctor_add(d, "all processes", AS_DOCTOR_NOTE,
			"children that take no library in (static, setuid) are told, not recorded: "
			"%s (perf_event_paranoid is %ld)",
			strerror(why), level);
		as_doctor_advise(
			line, "as root: sysctl kernel.perf_event_paranoid=0, or give CAP_PERFMON");
	}
	why = as_perf_try(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false);
	if (!why)
		as_doctor_add(d, "counters", AS_DOCTOR_OK, "the processor counts cycles");
	else
		as_doctor_add(d, "counters", AS_DOCTOR_NOTE,
			"the processor's are not there (%s): the clock is used", strerror(why));
}

/* What 'assay record --off-cpu' needs. */
static void look_at_switches(struct as_doctor *d)
{
	int why = as_perf_try_switches();

	if (!why)
		as_doctor_add(d, "off-cpu", AS_DOCTOR_OK,
			"when threads do not run, and where they wait, can be recorded");
	else
		as_doctor_advise(as_doctor_add(d, "off-cpu", AS_DOCTOR_NOTE,
					 "where threads wait is not shown: %s", strerror(why)),
			"as root: sysctl kernel.perf_event_paranoid=1, or give CAP_PERFMON");
}

/* What 'assay daemon --event' takes. */
static void look_at_kinds(struct as_doctor *d)
{
	char here[384];

	as_perf_kinds_here(here, sizeof(here));
	if (here[0])
		as_doctor_add(d, "events", AS_DOCTOR_OK, "%s", here);
}

static void look_at_attach(struct as_doctor *d)
{
	long scope = number_in("/proc/sys/kernel/yama/ptrace_scope", 0);
	struct as_doctor_line *line;

	if (geteuid() == 0 || scope == 0) {
		as_doctor_add(d, "attach", AS_DOCTOR_OK,
			geteuid() == 0 ? "to any process" : "to own processes");
		return;
	}
	line = as_doctor_add(
		d, "attach", AS_DOCTOR_NOTE, "only to children: ptrace_scope is %ld", scope);
	as_doctor_advise(line, "as root: sysctl kernel.yama.ptrace_scope=0");
}

/* Where names of files come from that have none themselves. */
static void look_at_servers(struct as_doctor *d, const char *servers)
{
	if (servers && servers[0])
		as_doctor_add(d, "debuginfod", AS_DOCTOR_OK,
			"--debuginfod asks %.200s for names that files here lack", servers);
	else
		as_doctor_advise(as_doctor_add(d, "debuginfod", AS_DOCTOR_NOTE,
					 "names that files here lack cannot be asked for: "
					 "DEBUGINFOD_URLS names no server"),
			"set it to your distribution's, and give --debuginfod; or install the "
			"packages that 'top' names");
}

void as_doctor_look(struct as_doctor *d, const char *library, const char *valgrind,
	const char *servers, const char *search)
{
	struct as_doctor_line *line;
	struct utsname name;

	*d = (struct as_doctor){.n = 0};
	if (uname(&name) == 0)
		as_doctor_add(d, "system", AS_DOCTOR_OK, "%.40s %.60s on %.40s", name.sysname,
			name.release, name.machine);
	look_at_sampler(d, library);
	look_at_tick(d);
	look_at_signals(d);
	look_at_events(d);
	look_at_switches(d);
	look_at_kinds(d);
	look_at_attach(d);
	as_doctor_add(d, "setuid", AS_DOCTOR_NOTE,
		"programs that get rights of their own when they start can't be recorded from "
		"there; root can record them with -p, once they run");
	if (AS_HAVE_LIBDW)
		as_doctor_add(d, "stacks", AS_DOCTOR_OK,
			"of other processes: by frame pointers, or unwound from copies");
	else
		as_doctor_advise(
			as_doctor_add(d, "stacks", AS_DOCTOR_NOTE,
				"of other processes: by frame pointers only; built without libdw"),
			"install libdw-dev and build again");
	if (valgrind) {
		as_doctor_add(d, "callgrind", AS_DOCTOR_OK, "%.160s", valgrind);
	} else {
		line = as_doctor_add(d, "callgrind", AS_DOCTOR_NOTE, "valgrind is not installed");
		as_doctor_advise(line, "on Debian: apt-get install valgrind");
	}
	as_doctor_look_at_names(d, search);
	look_at_servers(d, servers);
}
