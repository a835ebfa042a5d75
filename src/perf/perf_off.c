/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_off.h"

void as_off_init(struct as_off *off, const struct as_alloc *al)
{
	*off = (struct as_off){.al = al};
	as_index_init(&off->threads, al);
}

void as_off_release(struct as_off *off)
{
	as_index_release(&off->threads);
	as_vec_free(off->al, &off->thread);
	as_vec_free(off->al, &off->cpu);
}

/* ---- threads ---- */

static uint64_t perf_off_hash(uint32_t tid)
{
	return as_hash_mix(tid, 1);
}

static struct as_off_thread *perf_off_find(struct as_off *off, uint32_t tid)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&off->threads, perf_off_hash(tid), &at, &row))
		if (off->thread.p[row].tid == tid)
			return &off->thread.p[row];
	return NULL;
}

/* NULL: out of memory. */
static struct as_off_thread *perf_off_need(struct as_off *off, uint32_t tid)
{
	struct as_off_thread *found = perf_off_find(off, tid);
	struct as_off_thread one = {.tid = tid, .next = AS_OFF_NO_STACK};
	uint32_t row = (uint32_t)off->thread.n;

	if (found)
		return found;
	if (!as_vec_push(off->al, &off->thread, one) ||
		!as_index_add(&off->threads, perf_off_hash(tid), row))
		return NULL;
	return &off->thread.p[row];
}

/* ---- changes ---- */

bool as_off_stack(struct as_off *off, uint32_t tid, uint32_t stack)
{
	struct as_off_thread *t;

	if (as_off_is_nobody(tid))
		return true;
	t = perf_off_need(off, tid);
	if (t && t->state == AS_OFF_RUNS)
		t->next = stack;
	return t != NULL;
}

bool as_off_leave(struct as_off *off, const struct as_off_leave *leave)
{
	struct as_off_thread *t;

	if (as_off_is_nobody(leave->tid))
		return true;
	t = perf_off_need(off, leave->tid);
	if (!t)
		return false;
	if (t->ended || (t->state != AS_OFF_RUNS && t->source != leave->source))
		return true;
	off->unknown += t->state != AS_OFF_RUNS;
	t->who = leave->who;
	t->stack = leave->stack == AS_OFF_NO_STACK ? t->next : leave->stack;
	t->next = AS_OFF_NO_STACK;
	t->since = leave->time;
	t->source = (uint8_t)leave->source;
	t->ended = leave->state == AS_OFF_ENDS;
	t->state = t->ended ? AS_OFF_RUNS : (uint8_t)leave->state;
	return true;
}

/* What T did up to TIME. */
static bool perf_off_stretch(
	struct as_off *off, struct as_off_thread *t, uint64_t time, struct as_off_stretch *stretch)
{
	if (time <= t->since) {
		off->unknown += time < t->since;
		return false;
	}
	*stretch = (struct as_off_stretch){.who = t->who,
		.stack = t->stack,
		.state = (enum as_off_state)t->state,
		.since = t->since,
		.length = time - t->since};
	off->no_stack += t->stack == AS_OFF_NO_STACK;
	return true;
}

bool as_off_come(struct as_off *off, uint32_t tid, uint64_t time, struct as_off_stretch *stretch)
{
	struct as_off_thread *t = as_off_is_nobody(tid) ? NULL : perf_off_find(off, tid);
	bool some;

	if (!t || t->state == AS_OFF_RUNS)
		return false;
	some = perf_off_stretch(off, t, time, stretch);
	t->state = AS_OFF_RUNS;
	return some;
}

bool as_off_wake(struct as_off *off, uint32_t tid, uint64_t time, struct as_off_stretch *stretch)
{
	struct as_off_thread *t = as_off_is_nobody(tid) ? NULL : perf_off_find(off, tid);
	bool some;

	if (!t || t->state == AS_OFF_RUNS || t->state == AS_OFF_RUNNABLE || time < t->since)
		return false;
	some = perf_off_stretch(off, t, time, stretch);
	t->state = AS_OFF_RUNNABLE;
	t->since = time;
	return some;
}

bool as_off_end(struct as_off *off, uint32_t tid, bool again)
{
	struct as_off_thread *t = again ? perf_off_find(off, tid) : perf_off_need(off, tid);

	if (!t)
		return again;
	t->state = AS_OFF_RUNS;
	t->next = AS_OFF_NO_STACK;
	t->ended = !again;
	return true;
}

void as_off_lost(struct as_off *off)
{
	for (size_t i = 0; i < off->thread.n; i++) {
		struct as_off_thread *t = &off->thread.p[i];

		off->unknown += t->state != AS_OFF_RUNS;
		t->state = AS_OFF_RUNS;
		t->next = AS_OFF_NO_STACK;
	}
}

bool as_off_chain(struct as_off *off, uint32_t cpu, uint32_t prev, uint32_t next)
{
	struct as_off_cpu one = {cpu, next};

	off->all |= prev == 0;
	for (size_t i = 0; i < off->cpu.n; i++) {
		struct as_off_cpu *at = &off->cpu.p[i];

		if (at->cpu != cpu)
			continue;
		if (off->all && at->tid != prev)
			as_off_lost(off);
		at->tid = next;
		return true;
	}
	return as_vec_push(off->al, &off->cpu, one);
}

uint64_t as_off_away(const struct as_off *off)
{
	uint64_t n = 0;

	for (size_t i = 0; i < off->thread.n; i++)
		n += off->thread.p[i].state != AS_OFF_RUNS;
	return n;
}

/* ---- states ---- */

const char *as_off_state_name(enum as_off_state state)
{
	switch (state) {
	case AS_OFF_RUNNABLE:
		return "runnable";
	case AS_OFF_WAITING:
		return "waiting";
	case AS_OFF_BLOCKED:
		return "blocked";
	case AS_OFF_STOPPED:
		return "stopped";
	default:
		return NULL;
	}
}

/* The lowest of the states' bits; what stands above them says how else it sleeps. */
enum as_off_state as_off_state_of_bits(uint64_t bits)
{
	enum { S = 1, D = 2, T = 4, TRACED = 8, DEAD = 16, ZOMBIE = 32, STATES = 0xff };

	if (bits & (DEAD | ZOMBIE))
		return AS_OFF_ENDS;
	if (bits & S)
		return AS_OFF_WAITING;
	if (bits & D)
		return AS_OFF_BLOCKED;
	if (bits & (T | TRACED))
		return AS_OFF_STOPPED;
	return bits & STATES ? AS_OFF_WAITING : AS_OFF_RUNNABLE;
}

enum as_off_state as_off_state_of_letters(struct as_slice letters)
{
	switch (letters.len ? letters.p[0] : 'S') {
	case 'R':
		return AS_OFF_RUNNABLE;
	case 'D':
		return AS_OFF_BLOCKED;
	case 'T':
	case 't':
		return AS_OFF_STOPPED;
	case 'X':
	case 'Z':
	case 'x':
		return AS_OFF_ENDS;
	default:
		return AS_OFF_WAITING;
	}
}
