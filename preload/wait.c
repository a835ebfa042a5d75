/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/wait.h"

#include "preload/memory.h"

#define PART UINT64_C(1000000000) /* ns */
enum { PARTS = 100 };             /* a second, of all threads */

/*
 * A handler of the program may wait, too, while the call that it interrupted does. But a call that
 * was left by longjmp() is none any more, and what was on the stack there may be gone.
 */
static bool is_within(const struct as_slot *slot)
{
	uint64_t outer = atomic_load(&slot->wait);
	struct as_wait w;

	return outer && (uint64_t)(uintptr_t)&w < outer && as_memory_copy(outer, &w, sizeof(w)) &&
	       w.slot == slot && w.self == outer;
}

bool as_wait_open(struct as_wait *w, enum as_wait_kind kind)
{
	struct as_slot *slot = as_thread_mine();

	if (!slot || is_within(slot))
		return false;
	w->slot = slot;
	w->kind = kind;
	return true;
}

void as_wait_enter(struct as_wait *w, const void *call, const struct as_here *here)
{
	struct as_slot *slot = w->slot;

	if (w->kind == AS_WAIT_ENDS)
		as_threads_block();
	w->self = (uint64_t)(uintptr_t)w;
	atomic_fetch_add(&slot->waits, 1);
	slot->here = *here;
	slot->call = (uint64_t)(uintptr_t)call;
	atomic_store(&slot->slow, 0);
	atomic_store(&slot->wait, w->self);
}

/* Our signal is blocked, unless no system call is allowed any more. */
static void wait_leave(struct as_wait *w, struct as_slot *slot)
{
	uint64_t self = w->self;

	if (!atomic_load(&as_sampler.sandboxed) && atomic_load(&slot->wait) == self)
		as_thread_waited(slot);
	atomic_compare_exchange_strong(&slot->wait, &self, 0);
	w->self = 0;
}

void as_wait_leave(struct as_wait *w)
{
	struct as_slot *slot = w->slot;
	uint64_t self = w->self;

	if (w->kind == AS_WAIT_GOES_ON && !atomic_load(&slot->slow)) {
		atomic_compare_exchange_strong(&slot->wait, &self, 0);
		w->self = 0;
		if (!atomic_load(&slot->slow))
			return;
	}
	if (atomic_load(&as_sampler.sandboxed)) {
		wait_leave(w, slot);
		return;
	}
	if (w->kind == AS_WAIT_GOES_ON)
		as_threads_block();
	wait_leave(w, slot);
	as_threads_unblock();
}

uint64_t as_wait_part(void)
{
	uint64_t n = as_sampler.n_slots;

	if (!atomic_load(&as_sampler.waits) || !as_sampler.wall)
		return UINT64_MAX;
	return n > PARTS ? n * (PART / PARTS) : PART;
}
