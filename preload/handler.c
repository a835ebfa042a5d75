/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens at a sample. Everything here runs in a signal handler: no lock is waited for,
 * nothing is allocated, libc is not called.
 */
#include <dlfcn.h>
#include <errno.h>

#include "preload/real.h"
#include "preload/sampler.h"

enum { PARTS = 64 };    /* of time that passed, each of which has its own */
enum { LONG_WALK = 4 }; /* one that takes a fourth of the period */
enum { RED_ZONE = 128, LOOK_AGAIN = 10000000, LOOK_SHARE = 20, WAIT = 1000, PATIENCE = 100000 };

/* The signals that are not our timers' belong to the program. */
static void handler_pass_on(int number, siginfo_t *info, void *context)
{
	const struct sigaction *before = &as_sampler.before;

	if (!atomic_load(&as_sampler.foreign))
		return;
	if (before->sa_flags & SA_SIGINFO)
		before->sa_sigaction(number, info, context);
	else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
		before->sa_handler(number);
}

static bool is_event(const siginfo_t *info)
{
	return info->si_code == POLL_IN || info->si_code == POLL_HUP;
}

static struct as_slot *handler_slot_of(const siginfo_t *info)
{
	struct as_slot *slot = info->si_value.sival_ptr;
	uintptr_t at = (uintptr_t)slot, first = (uintptr_t)as_sampler.slot;

	if (is_event(info)) {
		slot = as_thread_signalled();
		return slot && slot->event.page && slot->event.fd == info->si_fd ? slot : NULL;
	}
	if (info->si_code != SI_TIMER || at < first || at >= first + sizeof(as_sampler.slot) ||
		(at - first) % sizeof(*slot))
		return NULL;
	return slot;
}

static bool passes_filter(void)
{
	int saved = errno;
	bool yes = !as_sampler.filter || as_sampler.filter(as_sampler.filter_arg);

	errno = saved;
	return yes;
}

/* How much of WEIGHT lies behind the time from which on samples are taken. */
static bool is_due(uint64_t *weight)
{
	uint64_t now, most;

	if (!as_sampler.begin || atomic_load(&as_sampler.sandboxed))
		return true;
	now = as_raw_clock(CLOCK_MONOTONIC);
	if (now < as_sampler.begin)
		return false;
	if (!atomic_exchange(&as_sampler.begun, 1))
		as_sampler.started_cpu = as_raw_clock(CLOCK_PROCESS_CPUTIME_ID);
	most = (now - as_sampler.begin) / (as_sampler.period * 1000) + 1;
	if (*weight > most)
		*weight = most;
	return true;
}

static struct as_bench *take_bench(const struct as_slot *slot)
{
	uint32_t first = (uint32_t)(slot - as_sampler.slot);

	for (uint32_t i = 0; i < AS_BENCHES; i++) {
		struct as_bench *b = &as_sampler.bench[(first + i) % AS_BENCHES];

		if (as_try_lock(&b->busy))
			return b;
	}
	return NULL;
}

void as_handler_bounds(struct as_memory *mem, const struct as_slot *slot, const ucontext_t *context)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
	uint64_t alt = (uint64_t)(uintptr_t)context->uc_stack.ss_sp;
	uint64_t alt_end = alt + context->uc_stack.ss_size;

	mem->lo = mem->hi = mem->alt_lo = mem->alt_hi = 0;
	mem->syscalls = !atomic_load_explicit(&as_sampler.sandboxed, memory_order_relaxed);
	if (slot && sp >= slot->lo && sp < slot->hi) {
		mem->lo = sp;
		mem->hi = slot->hi;
		return;
	}
	/* A thread's own stack is there from end to end; the first thread's grows. */
	if (slot && slot->tid != as_sampler.pid) {
		mem->lo = slot->lo;
		mem->hi = slot->hi;
	}
	if (!(context->uc_stack.ss_flags & SS_DISABLE) && sp >= alt && sp < alt_end) {
		mem->alt_lo = sp;
		mem->alt_hi = alt_end;
	}
}

/* Other threads wait for whoever makes the file, but not for ever. */
static bool have_file(uint64_t weight)
{
	for (unsigned i = 0; atomic_load(&as_sampler.file) != AS_FILE_OPEN; i++) {
		if (i == WAIT || atomic_load(&as_sampler.file) == AS_FILE_NONE ||
			atomic_load(&as_sampler.sandboxed)) {
			atomic_fetch_add(&as_sampler.early, weight);
			return false;
		}
		if (as_try_lock(&as_sampler.busy)) {
			if (atomic_load(&as_sampler.file) == AS_FILE_WANTED)
				as_sampler_open();
			as_release(&as_sampler.busy);
		} else {
			as_raw_nap();
		}
	}
	return true;
}

static void grow_if_short(void)
{
	struct as_spool *s = &as_sampler.spool;

	if (!as_spool_is_short(s) || atomic_load(&as_sampler.sandboxed) ||
		!as_try_lock(&as_sampler.busy))
		return;
	if (as_spool_is_short(s))
		as_spool_grow(s, atomic_load(&s->n_chunks));
	as_release(&as_sampler.busy);
}

/* WEIGHT samples, which OBSERVATIONS looks at the thread have brought: one, one each, or none. */
static void handler_count(struct as_slot *slot, uint64_t weight, uint64_t observations)
{
	atomic_fetch_add(&as_sampler.samples, weight);
	atomic_fetch_add(&slot->samples, weight);
	atomic_fetch_add(&as_sampler.signals, observations);
	if (observations)
		atomic_fetch_add(&as_sampler.squares, weight * (weight / observations));
}

static struct as_bench *begin_walk(const struct as_slot *slot, uint64_t weight)
{
	struct as_bench *b = take_bench(slot);

	if (!b)
		as_spool_add_lost(&as_sampler.spool, weight);
	return b;
}

/* N frames at PC, with room for marks; AT, ns: when it was, or 0. A process in a sandbox can't
 * tell. */
static void handler_write(const struct as_slot *slot, struct as_bench *b, uint64_t *pc, size_t n,
	uint64_t weight, uint64_t at)
{
	if (at || as_sampler.threads) {
		pc[n++] = AS_MARK_THREAD | (uint32_t)slot->tid;
		pc[n++] = AS_MARK_TIME | (at ? at - as_sampler.started : AS_NO_TIME);
	}
	as_spool_add(&as_sampler.spool, &b->pen, pc, n, weight);
}

/* 0: nobody asked, or it can't be told. */
static uint64_t handler_now(void)
{
	return as_sampler.timed && !atomic_load(&as_sampler.sandboxed)
		       ? as_raw_clock(CLOCK_MONOTONIC)
		       : 0;
}

/* NS before NOW, but not before the recording; 0: nobody can tell. */
static uint64_t handler_before(uint64_t now, uint64_t ns)
{
	if (!now)
		return 0;
	return ns < now - as_sampler.started ? now - ns : as_sampler.started;
}

/* Of the time that passed until now each part has its own. */
static void handler_write_passed(
	const struct as_slot *slot, struct as_bench *b, struct as_walk *w, uint64_t weight)
{
	uint64_t now = handler_now(), parts = now ? weight : 1, done = 0;

	if (parts > PARTS)
		parts = PARTS;
	for (uint64_t i = 1; i <= parts; i++) {
		uint64_t upto = weight / parts * i + weight % parts * i / parts;
		uint64_t at = handler_before(now, (weight - upto) * as_sampler.period * 1000);

		handler_write(slot, b, w->pc, w->n, upto - done, at);
		done = upto;
	}
}

static void handler_tell_end(const struct as_walk *w, uint64_t weight)
{
	if (w->end == AS_STACK_DEEP)
		atomic_fetch_add(&as_sampler.deep, weight);
	else if (w->end == AS_STACK_BROKEN)
		atomic_fetch_add(&as_sampler.broken, weight);
}

/* STUCK: not the callers. */
static void take_sample(
	struct as_slot *slot, uint64_t weight, const ucontext_t *context, bool stuck)
{
	struct as_bench *b;
	struct as_walk *w;

	if (!passes_filter() || !is_due(&weight) || !have_file(weight))
		return;
	handler_count(slot, weight, 1);
	b = begin_walk(slot, weight);
	if (!b)
		return;
	w = as_walk_of(b);
	as_handler_bounds(&w->mem, slot, context);
	if (stuck)
		as_unwind_none(w, context);
	else
		as_unwind(&as_sampler.unwinder, w, context);
	handler_tell_end(w, weight);
	if (as_sampler.wall)
		handler_write_passed(slot, b, w, weight);
	else
		handler_write(slot, b, w->pc, w->n, weight, handler_now());
	atomic_store(&b->busy, 0);
	grow_if_short();
}

void as_handler_missed(struct as_slot *slot, uint64_t weight)
{
	uint64_t pc[2 + AS_MARKS] = {AS_PC_UNSAMPLED, slot->routine + 1};
	struct as_bench *b;

	atomic_fetch_add(&as_sampler.inside, 1);
	if (atomic_load(&as_sampler.active) && passes_filter() && is_due(&weight) &&
		have_file(weight)) {
		handler_count(slot, weight, 0);
		atomic_fetch_add(&as_sampler.unsampled, weight);
		b = begin_walk(slot, weight);
		if (b) {
			handler_write(slot, b, pc, slot->routine ? 2 : 1, weight, handler_now());
			atomic_store(&b->busy, 0);
		}
	}
	atomic_fetch_sub(&as_sampler.inside, 1);
}

/* The time is measured, not sampled: every period of it is as good as a signal. */
void as_handler_waited(struct as_slot *slot, uint64_t weight)
{
	struct as_bench *b;
	struct as_walk *w;

	atomic_fetch_add(&as_sampler.inside, 1);
	if (atomic_load(&as_sampler.active) && passes_filter() && is_due(&weight) &&
		have_file(weight)) {
		handler_count(slot, weight, weight);
		b = begin_walk(slot, weight);
		if (b) {
			w = as_walk_of(b);
			w->mem.lo = w->mem.hi = w->mem.alt_lo = w->mem.alt_hi = 0;
			w->mem.syscalls = !atomic_load(&as_sampler.sandboxed);
			if (slot->here.sp >= slot->lo && slot->here.sp < slot->hi) {
				w->mem.lo = slot->here.sp;
				w->mem.hi = slot->hi;
			}
			as_unwind_here(&as_sampler.unwinder, w, &slot->here, slot->call);
			handler_tell_end(w, weight);
			handler_write_passed(slot, b, w, weight);
			atomic_store(&b->busy, 0);
			grow_if_short();
		}
	}
	atomic_fetch_sub(&as_sampler.inside, 1);
}

void as_handler_wait(void)
{
	for (unsigned i = 0; i < PATIENCE && atomic_load(&as_sampler.inside); i++)
		as_raw_nap();
}

/*
 * In wall mode the next signal may be there before the last one has been dealt with, so that the
 * program never gets on. It is where it was, and has had less time than the last walk took: then
 * the walk is not made again.
 */
static bool is_stuck(struct as_slot *slot, const ucontext_t *context, uint64_t now)
{
	uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
	bool stuck = pc == slot->pc && sp == slot->sp && now - slot->left < slot->took &&
		     slot->took * LONG_WALK > as_sampler.period * 1000;

	slot->pc = pc;
	slot->sp = sp;
	return stuck;
}

/* In wall mode, where system calls are allowed: CPU time of this thread. */
static uint64_t cpu_time(void)
{
	return as_sampler.wall && !atomic_load(&as_sampler.sandboxed)
		       ? as_raw_clock(CLOCK_THREAD_CPUTIME_ID)
		       : 0;
}

static void handler_sample(struct as_slot *slot, uint64_t weight, const ucontext_t *context)
{
	uint64_t begin = cpu_time();

	take_sample(slot, weight, context, begin && is_stuck(slot, context, begin));
	slot->left = cpu_time();
	slot->took = slot->left - begin;
}

static uint64_t handler_weight_of(struct as_slot *slot, const siginfo_t *info)
{
	if (is_event(info))
		return as_thread_at_event(slot);
	return as_thread_at_timer(slot, info->si_overrun > 0 ? (uint64_t)info->si_overrun : 0);
}

static void handler_on_signal(int number, siginfo_t *info, void *context)
{
	struct as_slot *slot = handler_slot_of(info);

	if (!slot) {
		handler_pass_on(number, info, context);
		return;
	}
	atomic_fetch_add(&as_sampler.inside, 1);
	if (atomic_load(&as_sampler.active) && as_thread_is(slot)) {
		uint64_t weight = handler_weight_of(slot, info);

		if (weight)
			handler_sample(slot, weight, context);
		if (as_sampler.wall && !atomic_load(&as_sampler.sandboxed)) {
			if (atomic_load(&slot->wait))
				as_thread_slow(slot);
			else
				as_thread_arm(slot);
		}
	}
	atomic_fetch_sub(&as_sampler.inside, 1);
}

bool as_handler_look_again(void *ctx, uint64_t pc)
{
	struct as_sampler *s = ctx;
	uint64_t begin, spent;
	bool moved = false, ok;

	(void)pc;
	if (atomic_load(&s->sandboxed))
		return false;
	begin = as_raw_clock(CLOCK_MONOTONIC);
	if (begin < atomic_load(&s->next_look) || !as_try_lock(&s->busy)) {
		atomic_store(&s->missed, 1);
		return false;
	}
	atomic_store(&s->missed, 0);
	if (atomic_load(&s->file) == AS_FILE_OPEN)
		ok = as_lines_refresh(&s->lines, &s->objects, &moved);
	else
		ok = as_objects_refresh(&s->objects, NULL, NULL);
	if (!ok)
		atomic_store(&s->missed, 1);
	if (moved)
		as_unwind_forget(&s->unwinder);
	spent = as_raw_clock(CLOCK_MONOTONIC) - begin;
	atomic_store(&s->next_look,
		begin + (spent * LOOK_SHARE > LOOK_AGAIN ? spent * LOOK_SHARE : LOOK_AGAIN));
	as_release(&s->busy);
	return ok;
}

static bool is_handler(const struct sigaction *act)
{
	return (act->sa_flags & SA_SIGINFO) ||
	       (act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN);
}

/* libprofiler is in the program too, and its functions are ours now: nobody needs its handler. */
static bool is_libprofilers(const struct sigaction *act)
{
	void *stop = dlsym(RTLD_NEXT, "ProfilerStop"), *handler;
	Dl_info library, other;

	memcpy(&handler, &act->sa_handler, sizeof(handler));
	return stop && dladdr(stop, &library) && dladdr(handler, &other) &&
	       library.dli_fbase == other.dli_fbase;
}

void as_handler_set(const struct sigaction *act)
{
	struct as_sampler *s = &as_sampler;

	atomic_store(&s->foreign, 0);
	s->before = *act;
	if (!is_handler(act) || is_libprofilers(act))
		return;
	atomic_store(&s->foreign, 1);
	as_complain("the program handles the profiling signal too: what is not the profiler's is "
		    "passed on to it",
		"");
}

bool as_handler_install(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK}, before;

	ours.sa_sigaction = handler_on_signal;
	sigfillset(&ours.sa_mask);
	if (AS_REAL(sigaction)(as_sampler.signal, &ours, &before) != 0)
		return false;
	as_handler_set(&before);
	return true;
}

bool as_handler_is_ours(void)
{
	struct sigaction now;

	return AS_REAL(sigaction)(as_sampler.signal, NULL, &now) == 0 &&
	       (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler_on_signal;
}
