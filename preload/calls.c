/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks that the compiler's calls reach, and what they count. */
#include "preload/calls.h"

#include "preload/hooks.h"
#include "preload/sampler.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void __cyg_profile_func_enter(void *fn, void *site);
void __cyg_profile_func_exit(void *fn, void *site);

static uint64_t calls_hash(uint64_t caller, uint64_t fn, uint64_t site)
{
	uint64_t x = (site ^ caller << 21 ^ caller >> 43) * UINT64_C(0x9e3779b97f4a7c15) + fn;

	x *= UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

static struct as_calls_edge **calls_slot(
	struct as_calls_thread *t, uint64_t caller, uint64_t fn, uint64_t site)
{
	uint64_t i = calls_hash(caller, fn, site) & t->mask;
	struct as_calls_edge *e;

	while ((e = t->table[i]) && (e->fn != fn || e->site != site || e->caller != caller))
		i = (i + 1) & t->mask;
	return &t->table[i];
}

static bool calls_more_slots(struct as_calls_thread *t)
{
	struct as_calls_edge **old = t->table;
	uint64_t n = old ? t->mask + 1 : 0, more = n ? 2 * n : 512;
	struct as_calls_edge **table = as_raw_memory(more * sizeof(*table));

	if (!table)
		return false;
	t->table = table;
	t->mask = more - 1;
	for (uint64_t i = 0; i < n; i++)
		if (old[i])
			*calls_slot(t, old[i]->caller, old[i]->fn, old[i]->site) = old[i];
	if (old)
		as_raw_unmap(old, n * sizeof(*old));
	return true;
}

static struct as_calls_edge *calls_new_edge(
	struct as_calls_thread *t, uint64_t caller, uint64_t fn, uint64_t site)
{
	struct as_calls_edge *e;

	if ((!t->table || 2 * t->n > t->mask) && !calls_more_slots(t))
		return &t->nowhere;
	if (t->fresh == t->fresh_end && !as_calls_more_edges(t))
		return &t->nowhere;
	as_calls_know(fn);
	as_calls_know(site);
	e = t->fresh++;
	e->caller = caller;
	e->site = site;
	e->fn = fn;
	*calls_slot(t, caller, fn, site) = e;
	t->n++;
	return e;
}

/* A signal handler may come while the table is being changed: it has to leave that alone. */
struct as_calls_edge *as_calls_edge_of(
	struct as_calls_thread *t, uint64_t caller, uint64_t fn, uint64_t site)
{
	struct as_calls_edge *e = NULL;

	if (t->busy) {
		as_calls.head->missed++;
		return &t->nowhere;
	}
	if (t->table)
		e = *calls_slot(t, caller, fn, site);
	if (e)
		return e;
	t->busy = true;
	atomic_signal_fence(memory_order_seq_cst);
	e = calls_new_edge(t, caller, fn, site);
	atomic_signal_fence(memory_order_seq_cst);
	t->busy = false;
	if (e == &t->nowhere)
		as_calls.head->missed++;
	return e;
}

void as_calls_leave(struct as_calls_thread *t, uint64_t sp, uint64_t now)
{
	if (!as_calls_on_stack(t, sp))
		return;
	while (t->row.top > t->base &&
		(t->row.top->sp < sp || !as_calls_on_stack(t, t->row.top->sp))) {
		as_calls_pop(t, now);
		t->row.left++;
	}
}

/*
 * Whether TOP is still open when a function begins at SP: it began above it on the stack; or at the
 * same place, and the new one is inlined code of it, which has its call. Else it has been left.
 */
static inline __attribute__((always_inline)) bool calls_is_open(
	const struct as_calls_frame *top, uint64_t sp, uint64_t site, uint64_t ret)
{
	return top->sp > sp || (top->sp == sp && top->ret != ret && top->edge->site == site);
}

static __attribute__((noinline)) void calls_look(
	struct as_calls_thread *t, uint64_t sp, uint64_t site, uint64_t ret)
{
	uint64_t now = __rdtsc();

	as_calls_leave(t, sp, now);
	while (t->row.top > t->base && t->row.top->sp == sp &&
		!calls_is_open(t->row.top, sp, site, ret)) {
		as_calls_pop(t, now);
		t->row.left++;
	}
}

static __attribute__((noinline)) struct as_calls_edge *calls_find(
	struct as_calls_thread *t, struct as_calls_edge *caller, uint64_t fn, uint64_t site)
{
	struct as_calls_edge *e = as_calls_edge_of(t, caller->fn, fn, site);

	if (e != &t->nowhere && caller != &t->nowhere) {
		if (caller->last)
			caller->last->after = e;
		caller->last = e;
	}
	return e;
}

static inline __attribute__((always_inline)) bool calls_is(
	const struct as_calls_edge *e, uint64_t fn, uint64_t site)
{
	return e->fn == fn && e->site == site;
}

/* The call that CALLER did before, or the one that followed it the last time; NULL: neither. */
static inline __attribute__((always_inline)) struct as_calls_edge *calls_guess(
	struct as_calls_edge *caller, uint64_t fn, uint64_t site)
{
	struct as_calls_edge *e = caller->last;

	if (LIKELY(e && !calls_is(e, fn, site))) {
		e = e->after;
		if (UNLIKELY(!e || !calls_is(e, fn, site)))
			return NULL;
		caller->last = e;
	}
	return e;
}

/* A signal handler that comes before the frame is on top uses the same place: its SP, which is
 * written first, tells so, and all is written again. */
static inline __attribute__((always_inline)) void calls_begin_frame(
	struct as_calls_thread *t, struct as_calls_edge *e, uint64_t sp, uint64_t ret)
{
	struct as_calls_frame *top = t->row.top + 1;

	e->calls++;
	do {
		top->sp = sp;
		atomic_signal_fence(memory_order_seq_cst);
		top->edge = e;
		top->ret = ret;
		top->children = 0;
		top->start = __rdtsc();
		atomic_signal_fence(memory_order_seq_cst);
		t->row.top = top;
		atomic_signal_fence(memory_order_seq_cst);
	} while (UNLIKELY(top->sp != sp));
}

static __attribute__((noinline)) void calls_enter_slowly(
	uint64_t fn, uint64_t site, uint64_t sp, uint64_t ret)
{
	struct as_calls_thread *t = as_calls_mine;
	struct as_calls_edge *e;

	if (!t && !(t = as_calls_begin()))
		return;
	if (!calls_is_open(t->row.top, sp, site, ret))
		calls_look(t, sp, site, ret);
	if (t->row.top + 1 == t->end && !as_calls_grow_stack(t))
		return;
	e = calls_guess(t->row.top->edge, fn, site);
	if (!e)
		e = calls_find(t, t->row.top->edge, fn, site);
	calls_begin_frame(t, e, sp, ret);
}

AS_HOOK void __cyg_profile_func_enter(void *fn, void *site)
{
	uint64_t f = (uint64_t)(uintptr_t)fn, from = (uint64_t)(uintptr_t)site;
	uint64_t sp = (uint64_t)(uintptr_t)__builtin_dwarf_cfa();
	uint64_t ret = (uint64_t)(uintptr_t)__builtin_return_address(0);
	struct as_calls_thread *t = as_calls_mine;
	struct as_calls_edge *e;

	if (LIKELY(t && calls_is_open(t->row.top, sp, from, ret) && t->row.top + 1 != t->end)) {
		e = calls_guess(t->row.top->edge, f, from);
		if (LIKELY(e != NULL)) {
			calls_begin_frame(t, e, sp, ret);
			return;
		}
	}
	calls_enter_slowly(f, from, sp, ret);
}

/* Not the function on top: those above it have been left, or it has not begun here. */
static __attribute__((noinline)) void calls_end_other(
	struct as_calls_thread *t, uint64_t fn, uint64_t now)
{
	struct as_calls_frame *f = t->row.top;

	if (f->edge == &t->nowhere) {
		as_calls_pop(t, now);
		return;
	}
	while (f > t->base && f->edge->fn != fn)
		f--;
	if (f == t->base) {
		t->row.unmatched++;
		return;
	}
	for (; t->row.top > f; t->row.left++)
		as_calls_pop(t, now);
	as_calls_pop(t, now);
}

AS_HOOK void __cyg_profile_func_exit(void *fn, void *site)
{
	uint64_t now = __rdtsc(), f = (uint64_t)(uintptr_t)fn;
	struct as_calls_thread *t = as_calls_mine;

	(void)site;
	if (UNLIKELY(!t))
		return;
	if (LIKELY(t->row.top->edge->fn == f))
		as_calls_pop(t, now);
	else
		calls_end_other(t, f, now);
}
