/* SPDX-License-Identifier: Apache-2.0 */
/* A child of fork() goes on with a file of its own, made when it is first sampled. */
#include "preload/calls.h"
#include "preload/sampler.h"

/* The locks are held across a fork, so that the child finds everything whole. */
static uint64_t file_mask, threads_mask;
static bool held;

static void fork_before(void)
{
	as_calls_before_fork();
	held = !atomic_load(&as_sampler.sandboxed);
	if (!held)
		return;
	as_lock(&as_sampler.threads_busy, &threads_mask);
	as_lock(&as_sampler.busy, &file_mask);
}

static void in_parent(void)
{
	as_calls_in_parent();
	if (!held)
		return;
	as_unlock(&as_sampler.busy, &file_mask);
	as_unlock(&as_sampler.threads_busy, &threads_mask);
}

static void name_child(struct as_sampler *s)
{
	struct as_words w = {s->path, 0, sizeof(s->path) - 1};

	as_puts(&w, s->base);
	as_puts(&w, "_");
	as_put_dec(&w, (uint64_t)s->pid);
	s->path[w.n] = '\0';
}

static void in_child(void)
{
	struct as_sampler *s = &as_sampler;
	uint64_t self = (uint64_t)pthread_self(), lo = 0, hi = 0;

	as_calls_in_child();
	if (!held) { /* in a sandbox: the file stays the parent's, and no call may be made */
		atomic_store(&s->active, 0);
		atomic_store(&s->file, AS_FILE_NONE);
		return;
	}
	s->pid = as_raw_pid();
	for (uint32_t i = 0; i < s->n_slots; i++)
		if (atomic_load(&s->slot[i].state) == AS_SLOT_USED && s->slot[i].self == self) {
			lo = s->slot[i].lo;
			hi = s->slot[i].hi;
		}
	as_threads_reset();
	s->epoch++;
	atomic_store(&s->inside, 0);
	atomic_store(&s->stopping, 0);
	for (unsigned i = 0; i < AS_BENCHES; i++)
		atomic_store(&s->bench[i].busy, 0);
	if (atomic_load(&s->file) == AS_FILE_OPEN)
		as_spool_close(&s->spool, false);
	if (atomic_load(&s->active)) {
		name_child(s);
		s->child = true;
		atomic_store(&s->file, AS_FILE_WANTED);
		as_sampler_reset();
	}
	in_parent();
	if (atomic_load(&s->active))
		as_thread_begin(lo, hi, 0);
}

void as_fork_ready(void)
{
	pthread_atfork(fork_before, in_parent, in_child);
}
