/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and their timers. */
#include <sys/resource.h>

#include "preload/calls.h"
#include "preload/real.h"
#include "preload/sampler.h"

enum { ENTRIES = 4096, MAIN_STACK = 1 << 27, SLOWEST = 30, TICK = 4000000 };
#define LONGEST UINT64_C(1000000000) /* ns between two signals in a wait that goes on */
#define STILL 25000000               /* ns: more than there is between two ticks of any kernel */

extern void *__libc_stack_end; /* of ld.so: where the first thread's stack begins */

/* The slot of the thread that calls, as of the EPOCH'th profile. */
static _Thread_local struct {
	struct as_slot *slot;
	uint32_t epoch;
} mine __attribute__((tls_model("initial-exec")));

/* In (0, period]: a thread that lives shorter than a period has its fair chance of a sample. */
static uint64_t first_expiry(uint64_t period)
{
	uint64_t x = atomic_load(&as_sampler.seed), y;

	do {
		y = x;
		y ^= y << 13;
		y ^= y >> 7;
		y ^= y << 17;
	} while (!atomic_compare_exchange_weak(&as_sampler.seed, &x, y));
	return y % period + 1;
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* The thread's CPU time has a clock of its own. */
static clockid_t cpu_clock(const struct as_slot *slot)
{
	return (clockid_t)(~(unsigned)slot->tid << 3 | 6);
}

static clockid_t clock_of(const struct as_slot *slot)
{
	return as_sampler.wall ? CLOCK_MONOTONIC : cpu_clock(slot);
}

static uint64_t time_by(const struct as_slot *slot)
{
	return as_sampler.wall ? as_now() : as_raw_clock(clock_of(slot));
}

/* The timer expires in FIRST ns, and then every period. */
static void set_timer(const struct as_slot *slot, uint64_t first)
{
	uint64_t period = slot->event.page ? TICK : as_sampler.period * 1000;
	struct itimerspec when = {time_of(period), time_of(first)};

	as_raw(SYS_timer_settime, slot->timer, 0, (long)&when, 0, 0, 0);
}

/* Its clocks that count ticks: those that found it in user code, or all. */
enum ticks { ANY = 4, USER = 5 };

static clockid_t tick_clock(const struct as_slot *slot, enum ticks which)
{
	return (clockid_t)(~(unsigned)slot->tid << 3 | which);
}

static bool start_event(struct as_slot *slot, uint64_t period)
{
	return as_event_start(&slot->event, slot->tid, as_sampler.signal, period);
}

/* The kernel's number of a timer that signals SLOT's thread; -1: none. */
static int new_timer(struct as_slot *slot, clockid_t clock)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = as_sampler.signal};
	int timer;

	event.sigev_value.sival_ptr = slot;
	event._sigev_un._tid = slot->tid;
	if (as_raw3(SYS_timer_create, clock, (long)&event, (long)&timer) < 0)
		return -1;
	return timer;
}

/*
 * Of wall time each period has one due time, at random within it: a program that is in step with
 * the clock would else be seen at the same place for ever. Returns it, in ns from the beginning of
 * SLOT's N-th period: the same at each call.
 */
static uint64_t due_in(const struct as_slot *slot, uint64_t n)
{
	uint64_t x = slot->first + (n + 1) * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)slot->tid * UINT64_C(0xd1342543de82ef95);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % (as_sampler.period * 1000);
}

/* How many expiries are due at NOW, which is not before SLOT's first. */
static uint64_t due_at(const struct as_slot *slot, uint64_t now)
{
	uint64_t period = as_sampler.period * 1000, n = (now - slot->first) / period;

	if (!as_sampler.wall)
		return n + 1;
	return n + ((now - slot->first) % period >= due_in(slot, n));
}

void as_thread_arm(struct as_slot *slot)
{
	uint64_t now = time_by(slot), n = due_at(slot, now);

	set_timer(slot, slot->first + n * as_sampler.period * 1000 + due_in(slot, n) - now);
}

static void start_timer(struct as_slot *slot)
{
	uint64_t period = as_sampler.period * 1000, first = first_expiry(period);

	slot->event_first = !as_sampler.wall && start_event(slot, first);
	slot->timer = new_timer(slot, slot->event_first ? tick_clock(slot, ANY) : clock_of(slot));
	if (slot->timer < 0) {
		atomic_fetch_add(&as_sampler.no_timer, 1);
		return;
	}
	slot->first = time_by(slot) + (as_sampler.wall ? 0 : first);
	if (as_sampler.wall) {
		as_thread_arm(slot);
		return;
	}
	if (!slot->event_first) {
		atomic_fetch_add(&as_sampler.by_tick, 1);
		set_timer(slot, first);
		return;
	}
	slot->user = as_raw_clock(tick_clock(slot, USER));
	slot->looked = slot->first - first;
	set_timer(slot, 1);
}

uint64_t as_thread_claim(struct as_slot *slot)
{
	uint64_t now = time_by(slot), due, seen = atomic_load(&slot->ticks);

	if (slot->timer < 0 || now < slot->first)
		return 0;
	due = due_at(slot, now);
	while (seen < due)
		if (atomic_compare_exchange_weak(&slot->ticks, &seen, due))
			return due - seen;
	return 0;
}

void as_thread_slow(struct as_slot *slot)
{
	uint64_t period = as_sampler.period * 1000;
	unsigned n = atomic_fetch_add(&slot->slow, 1);

	set_timer(slot, n < SLOWEST && period << n < LONGEST ? period << n : LONGEST);
}

void as_thread_waited(struct as_slot *slot)
{
	uint64_t weight;

	if (!as_sampler.wall || atomic_load(&slot->state) != AS_SLOT_USED)
		return;
	weight = as_thread_claim(slot);
	if (weight)
		as_handler_waited(slot, weight);
	if (atomic_exchange(&slot->slow, 0) && slot->timer >= 0)
		as_thread_arm(slot);
}

static void stop_timer(struct as_slot *slot)
{
	as_event_stop(&slot->event);
	if (slot->timer >= 0)
		as_raw3(SYS_timer_delete, slot->timer, 0, 0);
	slot->timer = -1;
}

static struct as_slot *thread_find(int tid)
{
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		if (atomic_load(&as_sampler.slot[i].state) == AS_SLOT_USED &&
			as_sampler.slot[i].tid == tid)
			return &as_sampler.slot[i];
	return NULL;
}

static struct as_slot *take_slot(void)
{
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		if (atomic_load(&as_sampler.slot[i].state) == AS_SLOT_FREE)
			return &as_sampler.slot[i];
	return as_sampler.n_slots < AS_SLOTS_MAX ? &as_sampler.slot[as_sampler.n_slots++] : NULL;
}

static struct as_slot *thread_begin(int tid)
{
	struct as_slot *slot = take_slot();

	if (!slot) {
		atomic_fetch_add(&as_sampler.no_timer, 1);
		return NULL;
	}
	slot->tid = tid;
	slot->self = slot->lo = slot->hi = slot->routine = 0;
	slot->n_name = 0;
	atomic_store(&slot->ticks, 0);
	atomic_store(&slot->samples, 0);
	atomic_store(&slot->slow, 0);
	atomic_store(&slot->wait, 0);
	slot->event.page = NULL;
	slot->event_first = false;
	slot->pc = slot->sp = slot->left = slot->took = 0;
	return slot;
}

static void begin_timer(struct as_slot *slot)
{
	atomic_store(&slot->state, AS_SLOT_USED);
	start_timer(slot);
}

static void mask_ours(int how)
{
	uint64_t ours = UINT64_C(1) << (as_sampler.signal - 1);

	as_raw(SYS_rt_sigprocmask, how, (long)&ours, 0, sizeof(ours), 0, 0);
}

void as_threads_unblock(void)
{
	mask_ours(SIG_UNBLOCK);
}

void as_threads_block(void)
{
	mask_ours(SIG_BLOCK);
}

static void set_mine(struct as_slot *slot)
{
	mine.epoch = as_sampler.epoch;
	mine.slot = slot;
}

struct as_slot *as_thread_mine(void)
{
	uint64_t mask;

	if (mine.epoch == as_sampler.epoch)
		return mine.slot;
	if (atomic_load(&as_sampler.sandboxed))
		return NULL;
	as_lock(&as_sampler.threads_busy, &mask);
	set_mine(thread_find(as_raw_tid()));
	if (mine.slot)
		mine.slot->self = (uint64_t)pthread_self();
	as_unlock(&as_sampler.threads_busy, &mask);
	return mine.slot;
}

bool as_thread_is(struct as_slot *slot)
{
	uint64_t self = (uint64_t)pthread_self();

	if (atomic_load(&slot->state) != AS_SLOT_USED)
		return false;
	if (!slot->self && !atomic_load(&as_sampler.sandboxed) && slot->tid == as_raw_tid())
		slot->self = self;
	if (slot->self != self)
		return false;
	set_mine(slot);
	return true;
}

/*
 * The clock ran on for longer than there can be no tick: the machine was held, as virtual ones are,
 * or the signals were. Of many that are due then one comes; the thread is where it was.
 */
static bool stood_still(struct as_slot *slot, uint64_t now)
{
	uint64_t before = slot->looked;

	slot->looked = now;
	return now - before > STILL;
}

/* In the middle between two expiries, so that it does not matter which of two clocks is faster. */
uint64_t as_thread_at_event(struct as_slot *slot)
{
	uint64_t period = as_sampler.period * 1000, seen = atomic_load(&slot->ticks), now;
	bool sandboxed = atomic_load(&as_sampler.sandboxed);

	if (slot->event_first && !sandboxed) {
		as_event_stop(&slot->event);
		slot->event_first = false;
		start_event(slot, period);
	}
	if (sandboxed) {
		atomic_fetch_add(&slot->ticks, 1);
		return 1;
	}
	now = time_by(slot);
	if (stood_still(slot, now))
		return as_thread_claim(slot);
	now += period / 2;
	if (now < slot->first || 1 + (now - slot->first) / period <= seen)
		return 0;
	atomic_fetch_add(&slot->ticks, 1);
	return 1;
}

/* Beside an event, what the kernel has done: a tick that was none of user code. */
static uint64_t of_kernel(struct as_slot *slot)
{
	uint64_t user, before = slot->user;
	bool stood;

	if (atomic_load(&as_sampler.sandboxed))
		return 0;
	stood = stood_still(slot, time_by(slot));
	user = as_raw_clock(tick_clock(slot, USER));
	slot->user = user;
	return stood || user == before ? as_thread_claim(slot) : 0;
}

uint64_t as_thread_at_timer(struct as_slot *slot, uint64_t overrun)
{
	if (slot->event.page)
		return of_kernel(slot);
	if (!atomic_load(&as_sampler.sandboxed))
		return as_thread_claim(slot);
	atomic_fetch_add(&slot->ticks, 1 + overrun);
	return 1 + overrun;
}

struct as_slot *as_thread_signalled(void)
{
	if (mine.epoch == as_sampler.epoch || atomic_load(&as_sampler.sandboxed))
		return mine.slot;
	set_mine(thread_find(as_raw_tid()));
	return mine.slot;
}

void as_thread_begin(uint64_t lo, uint64_t hi, uint64_t routine)
{
	struct as_slot *slot = NULL;
	uint64_t mask;
	int tid;

	if (atomic_load(&as_sampler.sandboxed))
		return;
	tid = as_raw_tid();
	as_lock(&as_sampler.threads_busy, &mask);
	if (atomic_load(&as_sampler.active) && as_sampler_is_here() && !thread_find(tid))
		slot = thread_begin(tid);
	if (slot) {
		slot->self = (uint64_t)pthread_self();
		slot->lo = lo;
		slot->hi = hi;
		slot->routine = routine;
		set_mine(slot);
		begin_timer(slot);
	}
	as_unlock(&as_sampler.threads_busy, &mask);
	if (atomic_load(&as_sampler.active))
		as_threads_unblock();
}

static void thread_tally(const struct as_slot *slot, const char *name, size_t n)
{
	struct as_tally *t;
	uint32_t i;

	for (i = 0; i < as_sampler.n_tallies; i++)
		if (strncmp(as_sampler.tally[i].name, name, n) == 0 &&
			(n == AS_THREAD_NAME || !as_sampler.tally[i].name[n]))
			break;
	if (i == AS_TALLIES)
		i--; /* so many names: the last one stands for the rest */
	t = &as_sampler.tally[i];
	if (i == as_sampler.n_tallies) {
		as_sampler.n_tallies++;
		memset(t, 0, sizeof(*t));
		memcpy(t->name, i == AS_TALLIES - 1 ? "others" : name,
			i == AS_TALLIES - 1 ? sizeof("others") : n);
	}
	t->threads++;
	t->samples += atomic_load(&slot->samples);
}

/* Its name, as the kernel has it. */
static void read_name(struct as_slot *slot)
{
	char path[64];
	struct as_words w = {path, 0, sizeof(path) - 1};
	long n = 0;
	int fd;

	as_puts(&w, "/proc/self/task/");
	as_put_dec(&w, (uint64_t)slot->tid);
	as_puts(&w, "/comm");
	path[w.n] = '\0';
	fd = as_raw_open(path, O_RDONLY, 0);
	if (fd >= 0) {
		n = as_raw_read(fd, slot->name, sizeof(slot->name));
		as_raw_close(fd);
	}
	if (n > 0 && slot->name[n - 1] == '\n')
		n--;
	if (n > 0)
		slot->n_name = (uint32_t)n;
}

static void tally_thread(struct as_slot *slot)
{
	read_name(slot);
	thread_tally(slot, slot->name, slot->n_name);
	if (as_sampler.spool.marked && atomic_load(&slot->samples))
		as_report_thread(slot);
}

/* Signals for it are heeded no more. */
static void thread_end(struct as_slot *slot)
{
	uint64_t missed = as_thread_claim(slot);

	stop_timer(slot);
	if (missed && as_sampler.wall && atomic_load(&slot->wait))
		as_handler_waited(slot, missed);
	else if (missed)
		as_handler_missed(slot, missed);
	tally_thread(slot);
	atomic_store(&slot->state, AS_SLOT_FREE);
}

void as_thread_end(void)
{
	struct as_slot *slot;
	uint64_t mask;

	if (atomic_load(&as_sampler.sandboxed))
		return;
	as_lock(&as_sampler.threads_busy, &mask);
	slot = thread_find(as_raw_tid());
	if (slot) {
		atomic_store(&slot->wait, 0); /* it was cancelled there, perhaps */
		thread_end(slot);
	}
	set_mine(NULL);
	as_unlock(&as_sampler.threads_busy, &mask);
}

static pthread_key_t end_key;
static _Atomic int end_state; /* 0: no key; 1: being made; 2: there is one; 3: there is none */

static void thread_at_end(void *value)
{
	(void)value;
	as_calls_thread_end();
	if (as_sampler_is_here())
		as_thread_end();
}

void as_threads_ready(void)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&end_state, &none, 1))
		atomic_store(&end_state, pthread_key_create(&end_key, thread_at_end) == 0 ? 2 : 3);
}

void as_thread_watch(void)
{
	if (atomic_load(&end_state) == 2)
		pthread_setspecific(end_key, &end_key);
}

/* A number in decimal; 0: it is none. */
static int tid_of(const char *p)
{
	int v = 0;

	for (; *p >= '0' && *p <= '9' && v < 100000000; p++)
		v = v * 10 + (*p - '0');
	return *p ? 0 : v;
}

struct entry {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
	char name[];
};

/* The first thread's stack. The kernel keeps what is below it free, so far at least. */
static void set_main_stack(struct as_slot *slot)
{
	struct rlimit limit;
	uint64_t room = MAIN_STACK;

	if (as_raw3(SYS_getrlimit, RLIMIT_STACK, (long)&limit, 0) == 0 && limit.rlim_cur < room)
		room = limit.rlim_cur;
	slot->hi = (uint64_t)(uintptr_t)__libc_stack_end;
	slot->lo = slot->hi > room ? slot->hi - room : 0;
}

/* A thread that is there already. */
static void begin_other(int tid)
{
	struct as_slot *slot = tid && !thread_find(tid) ? thread_begin(tid) : NULL;

	if (!slot)
		return;
	if (tid == as_sampler.first_pid)
		set_main_stack(slot);
	if (tid == as_raw_tid())
		slot->self = (uint64_t)pthread_self();
	read_name(slot);
	begin_timer(slot);
}

void as_threads_begin_all(void)
{
	_Alignas(struct entry) char buf[ENTRIES];
	int fd = as_raw_open("/proc/self/task", O_RDONLY | O_DIRECTORY, 0);
	uint64_t mask;
	long n;

	as_lock(&as_sampler.threads_busy, &mask);
	while (fd >= 0 && (n = as_raw3(SYS_getdents64, fd, (long)buf, sizeof(buf))) > 0)
		for (long at = 0; at < n;) {
			const struct entry *e = (const void *)(buf + at);
			int tid = tid_of(e->name);

			begin_other(tid);
			at += e->reclen;
		}
	as_unlock(&as_sampler.threads_busy, &mask);
	if (fd >= 0)
		as_raw_close(fd);
}

void as_threads_end_all(void)
{
	uint64_t mask;

	as_lock(&as_sampler.threads_busy, &mask);
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		if (atomic_load(&as_sampler.slot[i].state) == AS_SLOT_USED)
			atomic_store(&as_sampler.slot[i].state, AS_SLOT_ENDS);
	as_handler_wait();
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		if (atomic_load(&as_sampler.slot[i].state) == AS_SLOT_ENDS)
			thread_end(&as_sampler.slot[i]);
	as_unlock(&as_sampler.threads_busy, &mask);
}

/* From wall time to CPU time: such a signal ends no call. What is waited is only counted. */
static void turn_to_cpu(struct as_slot *slot)
{
	if (slot->event.page && slot->event_first) {
		as_event_stop(&slot->event);
		slot->event_first = false;
		start_event(slot, as_sampler.period * 1000);
	}
	if (!as_sampler.wall || slot->timer < 0)
		return;
	as_raw3(SYS_timer_delete, slot->timer, 0, 0);
	slot->timer = new_timer(slot, cpu_clock(slot));
	set_timer(slot, as_sampler.period * 1000);
}

void as_threads_sandbox(void)
{
	uint64_t mask;

	as_thread_mine();
	as_lock(&as_sampler.threads_busy, &mask);
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		if (atomic_load(&as_sampler.slot[i].state) == AS_SLOT_USED)
			turn_to_cpu(&as_sampler.slot[i]);
	atomic_store(&as_sampler.waits, 0);
	atomic_store(&as_sampler.sandboxed, 1);
	as_unlock(&as_sampler.threads_busy, &mask);
}

void as_threads_count_rest(void)
{
	for (uint32_t i = 0; as_sampler.wall && i < as_sampler.n_slots; i++) {
		struct as_slot *slot = &as_sampler.slot[i];
		uint64_t rest;

		if (atomic_load(&slot->state) != AS_SLOT_USED)
			continue;
		rest = as_thread_claim(slot);
		if (rest)
			as_handler_missed(slot, rest);
	}
}

/* In the child of a fork: there are no timers, and no threads but this one. */
void as_threads_reset(void)
{
	for (uint32_t i = 0; i < as_sampler.n_slots; i++)
		atomic_store(&as_sampler.slot[i].state, AS_SLOT_FREE);
	as_sampler.n_slots = as_sampler.n_tallies = 0;
	atomic_store(&as_sampler.no_timer, 0);
}
