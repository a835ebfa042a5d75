/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/perf_cpus.h"
#include "record/perf_regs.h"
#include "record/perf_why.h"

/* How often a processor's period is another one, about. */
enum { VARIED_HZ = 20 };
enum { GOING_MS = 20 }; /* until processors that are gone have been drained */
/* Frames of a call chain need some hundred bytes a sample, copies as much as they hold; a process
 * that begins and ends at once needs a kilobyte, and there may be thousands a second while whoever
 * reads them waits for a disk. */
enum {
	RING_FRAMES = 1 << 20,
	RING_COPIES = 1 << 23,
	RING_SIDE = 1 << 22,
	RING_LEAST = 1 << 15,
	POLLED_MAX = 1024
};

void as_perf_set_init(struct as_perf_set *set, const struct as_alloc *al, struct as_err *err)
{
	memset(set, 0, sizeof(*set));
	set->al = al;
	set->err = err;
	set->build_ids = set->read = true;
	set->online = "/sys/devices/system/cpu/online";
	as_perf_columns_init(&set->columns, al);
	as_perf_switches_init(&set->switches, al);
}

void as_perf_set_close(struct as_perf_set *set)
{
	for (size_t i = 0; i < set->cpu.n; i++)
		if (set->cpu.p[i].map)
			munmap(set->cpu.p[i].map, set->cpu.p[i].n_map);
	for (size_t i = 0; i < set->fd.n; i++)
		close(set->fd.p[i]);
	as_vec_free(set->al, &set->cpu);
	for (size_t i = 0; i < set->counter.n; i++)
		close(set->counter.p[i]);
	for (size_t i = 0; i < set->switches.opened.n; i++)
		close(set->switches.opened.p[i].fd);
	as_perf_switches_release(&set->switches);
	as_vec_free(set->al, &set->fd);
	as_vec_free(set->al, &set->counter);
	as_perf_columns_release(&set->columns);
}

/* ---- opening ---- */

/* What happens to processes and their mappings. */
static void perf_event_fill_side(const struct as_perf_set *set, struct perf_event_attr *attr)
{
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
	attr->build_id = set->build_ids;
	attr->ksymbol = set->build_ids && set->machine; /* older than build ids are */
	attr->cgroup = (set->layout.sample_type & PERF_SAMPLE_CGROUP) != 0;
}

/* What all samples have. */
static void perf_event_fill_shape(const struct as_perf_set *set, struct perf_event_attr *attr)
{
	attr->sample_type = set->layout.sample_type;
	if (set->copies) {
		attr->sample_regs_user = set->layout.regs;
		attr->sample_stack_user = set->stack_bytes;
	}
	attr->exclude_kernel = !set->kernel;
	attr->exclude_hv = 1;
	attr->exclude_callchain_kernel = !set->machine && !set->kernel_frames;
	attr->exclude_callchain_user = set->copies;
}

/* An event of a thread is of those that it makes, too. */
static void perf_event_fill_thread(const struct as_perf_set *set, struct perf_event_attr *attr)
{
	attr->disabled = set->on_exec;
	attr->enable_on_exec = set->on_exec;
	attr->inherit = 1;
}

static void perf_event_fill_clock(struct perf_event_attr *attr)
{
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

/* COLUMN: of several events. */
static void perf_event_fill_samples(
	const struct as_perf_set *set, uint32_t column, struct perf_event_attr *attr)
{
	if (set->columns.n) {
		as_perf_columns_fill(&set->columns, column, set->hz, attr);
	} else if (set->clock == AS_PERF_CYCLES) {
		attr->type = PERF_TYPE_HARDWARE;
		attr->config = PERF_COUNT_HW_CPU_CYCLES;
		attr->freq = 1;
		attr->sample_freq = set->hz;
	} else {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_CPU_CLOCK;
		attr->sample_period = set->period;
	}
	perf_event_fill_shape(set, attr);
	attr->exclude_idle = set->whole;
	if (set->whole)
		return;
	perf_event_fill_thread(set, attr);
	attr->inherit_stat = set->read;
}

/* A sample of each switch, before the thread leaves, and records of when it does and comes back. */
static void perf_event_fill_switches(const struct as_perf_set *set, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->context_switch = 1;
	perf_event_fill_shape(set, attr);
	perf_event_fill_thread(set, attr);
	perf_event_fill_clock(attr);
	attr->watermark = 1;
}

static void perf_event_fill(
	const struct as_perf_set *set, bool side, uint32_t column, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	if (side) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_DUMMY;
		attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				    (set->layout.sample_type & PERF_SAMPLE_IDENTIFIER);
	} else {
		perf_event_fill_samples(set, column, attr);
	}
	if (side || !set->machine)
		perf_event_fill_side(set, attr);
	if (set->whole)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED;
	perf_event_fill_clock(attr);
	if (set->whole && !set->machine && !side)
		attr->wakeup_events = set->hz > VARIED_HZ ? set->hz / VARIED_HZ : 1;
	else
		attr->watermark = 1; /* 0 bytes: half of the ring, however large it could be made */
}

/* Drops an optional attribute when the kernel refuses the event for REASON. */
static bool ask_for_less(struct as_perf_set *set, int reason)
{
	if (set->clock == AS_PERF_CYCLES &&
		(reason == ENOENT || reason == EOPNOTSUPP || reason == ENODEV)) {
		set->clock = AS_PERF_CPU_CLOCK;
		set->layout.sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	} else if (set->kernel && !set->whole && (reason == EACCES || reason == EPERM)) {
		set->kernel = false;
	} else if (set->layout.sample_type & PERF_SAMPLE_CGROUP && reason == EINVAL) {
		set->layout.sample_type &= ~(uint64_t)PERF_SAMPLE_CGROUP;
	} else if (set->build_ids && (reason == EINVAL || reason == E2BIG)) {
		set->build_ids = false;
	} else {
		return false;
	}
	return true;
}

static bool more_descriptors(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	lim.rlim_cur = lim.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &lim) == 0;
}

/* A descriptor, or minus the reason. */
static int open_one(
	struct as_perf_set *set, pid_t tid, const struct as_perf_cpu *cpu, uint32_t column)
{
	struct perf_event_attr attr;
	bool first = set->fd.n == 0;
	long fd;

	for (;;) {
		perf_event_fill(set, cpu->side, column, &attr);
		fd = syscall(SYS_perf_event_open, &attr, tid, cpu->cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			return (int)fd;
		if (errno == EMFILE && more_descriptors())
			continue;
		if (errno == EINVAL && set->columns.n && !set->columns.no_lost && !cpu->side) {
			set->columns.no_lost = true;
			continue;
		}
		if (!first || !ask_for_less(set, errno))
			return -errno;
	}
}

/* Of MOST bytes, or as large as the limits on locked memory allow. */
static enum as_code map_ring(struct as_perf_set *set, struct as_perf_cpu *cpu, size_t most)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t n = most; n >= RING_LEAST; n /= 2) {
		void *p = mmap(NULL, n + page, PROT_READ | PROT_WRITE, MAP_SHARED, cpu->fd, 0);

		if (p == MAP_FAILED)
			continue;
		cpu->map = p;
		cpu->n_map = n + page;
		cpu->ring.data = (const uint8_t *)p + page;
		cpu->ring.size = n;
		return AS_OK;
	}
	return as_perf_why_ring(set->err, errno);
}

/* Records of processes get more room out of what is left when all have some. What they lose by that
 * is of before: who opens them lists the processes then. */
static enum as_code grow_rings(struct as_perf_set *set)
{
	for (size_t i = 0; i < set->cpu.n; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[i];

		if (!cpu->side || !cpu->map)
			continue;
		munmap(cpu->map, cpu->n_map);
		cpu->map = NULL;
		cpu->ring.head = cpu->ring.tail = 0;
		AS_TRY(map_ring(set, cpu, RING_SIDE));
	}
	return AS_OK;
}

static enum as_code attach_ring(struct as_perf_set *set, struct as_perf_cpu *cpu, int fd)
{
	as_assert(fd >= 0);
	if (cpu->fd < 0) {
		cpu->fd = fd;
		return map_ring(set, cpu, set->copies && !cpu->side ? RING_COPIES : RING_FRAMES);
	}
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->fd))
		return as_perf_why_ring(set->err, errno);
	return AS_OK;
}

/* AS_END: the thread is no more. */
static enum as_code open_switches(struct as_perf_set *set, pid_t tid, const struct as_perf_cpu *cpu)
{
	struct as_perf_switch one = {.cpu = cpu->cpu};
	struct perf_event_attr attr;

	perf_event_fill_switches(set, &attr);
	do
		one.fd = (int)syscall(
			SYS_perf_event_open, &attr, tid, cpu->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	while (one.fd < 0 && errno == EMFILE && more_descriptors());
	if (one.fd < 0)
		return errno == ESRCH ? AS_END : as_perf_why(set->err, errno, tid);
	if (!as_vec_push(set->al, &set->switches.opened, one)) {
		close(one.fd);
		return as_err_no_memory(set->err);
	}
	if (ioctl(one.fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->fd) ||
		ioctl(one.fd, PERF_EVENT_IOC_ID,
			&set->switches.opened.p[set->switches.opened.n - 1].id))
		return as_perf_why_ring(set->err, errno);
	return AS_OK;
}

static enum as_code list_processors(struct as_perf_set *set)
{
	int n = (int)sysconf(_SC_NPROCESSORS_CONF), rings = set->machine ? 2 : 1;

	n = n < 1 ? 1 : n;
	AS_TRY(as_err_memory(set->err, as_vec_reserve(set->al, &set->cpu, (size_t)(n * rings))));
	for (int i = 0; i < n * rings; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[set->cpu.n++];

		memset(cpu, 0, sizeof(*cpu));
		cpu->cpu = i % n;
		cpu->fd = -1;
		cpu->side = set->machine && i < n; /* first: whose a sample is must be known */
	}
	return AS_OK;
}

enum as_code as_perf_set_open(struct as_perf_set *set, pid_t pid, pid_t tid)
{
	size_t opened = 0;

	as_assert(!set->whole); /* it would be counted twice */
	if (!set->cpu.n)
		AS_TRY(list_processors(set));
	for (size_t i = 0; i < set->cpu.n; i++) {
		int fd = open_one(set, tid, &set->cpu.p[i], 0);

		if (fd == -ENODEV) /* a processor that is off */
			continue;
		if (fd == -ESRCH && (opened || pid != tid))
			return AS_END;
		if (fd < 0)
			return as_perf_why(set->err, -fd, pid);
		if (!as_vec_push(set->al, &set->fd, fd)) {
			close(fd);
			return as_err_no_memory(set->err);
		}
		AS_TRY(attach_ring(set, &set->cpu.p[i], fd));
		opened++;
	}
	return opened ? AS_OK : as_perf_why(set->err, ENODEV, pid);
}

static enum as_code open_column(struct as_perf_set *set, struct as_perf_cpu *cpu, uint32_t column)
{
	int fd = open_one(set, -1, cpu, column);

	if (fd == -ENODEV)
		return AS_OK;
	if (fd == -EACCES || fd == -EPERM)
		return AS_END;
	if (fd < 0)
		return as_perf_why(set->err, -fd, 0);
	if (!as_vec_push(set->al, &set->fd, fd)) {
		close(fd);
		return as_err_no_memory(set->err);
	}
	if (set->columns.n && !cpu->side &&
		!as_perf_columns_add(&set->columns, fd, cpu->cpu, column))
		return as_err_no_memory(set->err);
	return attach_ring(set, cpu, fd);
}

/* Several events of a processor share its ring. */
static enum as_code open_cpu(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	uint32_t n = set->columns.n && !cpu->side ? set->columns.n : 1;

	for (uint32_t i = 0; i < n; i++)
		AS_TRY(open_column(set, cpu, i));
	return AS_OK;
}

enum as_code as_perf_set_open_cpu(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	as_assert(set->whole && cpu->fd < 0);
	AS_TRY(open_cpu(set, cpu));
	as_perf_cpus_begin(set, cpu);
	return AS_OK;
}

/* Switches of others would fill the rings: they are those of the thread, whatever the samples are
 * of. */
enum as_code as_perf_set_open_switches(struct as_perf_set *set, pid_t tid)
{
	for (size_t i = 0; set->off_cpu && i < set->cpu.n; i++)
		if (set->cpu.p[i].fd >= 0)
			AS_TRY(open_switches(set, tid, &set->cpu.p[i]));
	return AS_OK;
}

static void drop_switches(struct as_perf_set *set, int cpu)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->switches.opened.n; i++)
		if (set->switches.opened.p[i].cpu == cpu)
			close(set->switches.opened.p[i].fd);
		else
			set->switches.opened.p[kept++] = set->switches.opened.p[i];
	set->switches.opened.n = kept;
}

void as_perf_set_drop_cpu(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	size_t kept = 0;

	as_assert(set->whole);
	if (cpu->map)
		munmap(cpu->map, cpu->n_map);
	for (size_t i = 0; i < set->fd.n; i++)
		if (set->fd.p[i] == cpu->fd ||
			(!cpu->side && as_perf_columns_has(&set->columns, cpu->cpu, set->fd.p[i])))
			close(set->fd.p[i]);
		else
			set->fd.p[kept++] = set->fd.p[i];
	set->fd.n = kept;
	if (!cpu->side)
		drop_switches(set, cpu->cpu);
	if (!cpu->side)
		as_perf_columns_forget(&set->columns, cpu->cpu);
	cpu->fd = -1;
	cpu->map = NULL;
	cpu->gone = 0;
	cpu->ring.data = NULL;
	cpu->ring.size = cpu->ring.head = cpu->ring.tail = 0;
}

enum as_code as_perf_set_open_cpus(struct as_perf_set *set)
{
	enum as_code rc = AS_OK;

	as_assert(!set->fd.n);
	if (!set->cpu.n)
		AS_TRY(list_processors(set));
	set->whole = true;
	for (size_t i = 0; i < set->cpu.n && rc == AS_OK; i++)
		rc = as_perf_set_open_cpu(set, &set->cpu.p[i]);
	if (rc == AS_END && !set->fd.n)
		set->whole = false;
	return rc == AS_OK ? grow_rings(set) : rc;
}

enum as_code as_perf_set_open_counter(struct as_perf_set *set, pid_t tid)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = set->on_exec,
		.enable_on_exec = set->on_exec,
		.inherit = 1};
	long fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EMFILE && more_descriptors())
		fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno == ESRCH ? AS_END : AS_OK;
	if (as_vec_push(set->al, &set->counter, (int)fd))
		return AS_OK;
	close((int)fd);
	return as_err_no_memory(set->err);
}

/* ---- running ---- */

/* From three quarters of the period to five; and then as much on the other side, so that the sum of
 * both is right. */
static uint64_t perf_event_vary(struct as_perf_set *set, struct as_perf_cpu *cpu)
{
	int64_t period = (int64_t)set->period;

	if (cpu->drift) {
		cpu->drift = -cpu->drift;
		period += cpu->drift;
		cpu->drift = 0;
		return (uint64_t)period;
	}
	set->random = as_hash_mix(set->random + 1, set->period);
	cpu->drift = (int64_t)(set->random % (set->period / 2 + 1)) - period / 4;
	return (uint64_t)(period + cpu->drift);
}

void as_perf_set_vary(struct as_perf_set *set)
{
	for (size_t i = 0; set->whole && !set->machine && i < set->cpu.n; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[i];
		uint64_t period;

		if (!cpu->ready || set->clock != AS_PERF_CPU_CLOCK)
			continue;
		cpu->ready = false;
		period = perf_event_vary(set, cpu);
		/* it starts anew: just behind a sample nothing is lost by that */
		ioctl(cpu->fd, PERF_EVENT_IOC_PERIOD, &period);
	}
}

void as_perf_set_enable(struct as_perf_set *set, bool on)
{
	unsigned long what = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	for (size_t i = 0; i < set->fd.n; i++)
		ioctl(set->fd.p[i], what, 0);
	for (size_t i = 0; i < set->switches.opened.n; i++)
		ioctl(set->switches.opened.p[i].fd, what, 0);
}

static void mark_ready(struct as_perf_set *set, const struct pollfd *polled)
{
	for (size_t i = 0; polled->revents & POLLIN && i < set->cpu.n; i++)
		set->cpu.p[i].ready |= set->cpu.p[i].fd == polled->fd;
}

void as_perf_set_wait(struct as_perf_set *set, int other, int ms)
{
	struct pollfd polled[POLLED_MAX];
	nfds_t n = 0;

	if (set->going && ms > GOING_MS)
		ms = GOING_MS;
	if (other >= 0)
		polled[n++] = (struct pollfd){.fd = other, .events = POLLIN};
	for (size_t i = 0; i < set->cpu.n && n < POLLED_MAX; i++)
		if (set->cpu.p[i].fd >= 0)
			polled[n++] = (struct pollfd){.fd = set->cpu.p[i].fd, .events = POLLIN};
	poll(polled, n, ms);
	for (nfds_t i = other >= 0; set->whole && i < n; i++)
		mark_ready(set, &polled[i]);
	/* a thread that has ended makes its event ready for ever */
	for (nfds_t i = other >= 0; i < n; i++)
		if (polled[i].revents & POLLHUP) {
			poll(polled, other >= 0, 10);
			break;
		}
}

void as_perf_set_fetch(struct as_perf_set *set)
{
	for (size_t i = 0; i < set->cpu.n; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[i];
		struct perf_event_mmap_page *page = cpu->map;

		/* The kernel writes records before the head, and we read them after it. */
		if (page)
			cpu->ring.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	}
}

void as_perf_set_release(struct as_perf_set *set)
{
	for (size_t i = 0; i < set->cpu.n; i++) {
		struct as_perf_cpu *cpu = &set->cpu.p[i];
		struct perf_event_mmap_page *page = cpu->map;

		if (page)
			__atomic_store_n(&page->data_tail, cpu->ring.tail, __ATOMIC_RELEASE);
	}
}

uint64_t as_perf_set_count(const struct as_perf_set *set)
{
	uint64_t sum = 0, v;

	for (size_t i = 0; i < set->counter.n; i++)
		if (read(set->counter.p[i], &v, sizeof(v)) == sizeof(v))
			sum += v;
	for (size_t i = 0; !set->whole && i < set->fd.n; i++)
		if (read(set->fd.p[i], &v, sizeof(v)) == sizeof(v))
			sum += v;
	return sum;
}
