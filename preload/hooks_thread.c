/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are seen when they are made: each gets a timer of its own. */
#include "preload/hooks.h"
#include "preload/real.h"
#include "preload/sampler.h"

enum { PARCELS = 4096 };

/* The start routine of a new thread and its argument. */
struct parcel {
	_Atomic int busy;
	void *(*routine)(void *);
	thrd_start_t c11;
	void *arg;
	uint64_t stack; /* bytes */
};

static struct parcel parcels[PARCELS];
static _Atomic uint32_t next_parcel;

static struct parcel *take_parcel(void)
{
	for (unsigned i = 0; i < PARCELS; i++) {
		struct parcel *p = &parcels[atomic_fetch_add(&next_parcel, 1) % PARCELS];

		if (as_try_lock(&p->busy))
			return p;
	}
	return NULL;
}

static uint64_t thread_hook_stack_of(const pthread_attr_t *attr)
{
	pthread_attr_t usual;
	size_t n = 0;

	if (attr) {
		pthread_attr_getstacksize(attr, &n);
	} else if (pthread_attr_init(&usual) == 0) {
		pthread_attr_getstacksize(&usual, &n);
		pthread_attr_destroy(&usual);
	}
	return n;
}

/* glibc puts pthread_self() at the top of a thread's stack; the guard is below STACK bytes. */
static struct parcel thread_hook_arrive(struct parcel *sent)
{
	uint64_t top = (uint64_t)pthread_self(), here = (uint64_t)(uintptr_t)&top;
	struct parcel p = {
		.routine = sent->routine, .c11 = sent->c11, .arg = sent->arg, .stack = sent->stack};
	uint64_t routine = p.c11 ? (uint64_t)(uintptr_t)p.c11 : (uint64_t)(uintptr_t)p.routine;

	atomic_store(&sent->busy, 0);
	if (here < top && top - here < p.stack)
		as_thread_begin(top > p.stack ? top - p.stack + 65536 : 0, top, routine);
	else
		as_thread_begin(0, 0, routine);
	as_thread_watch();
	return p;
}

static void *begin_posix(void *sent)
{
	struct parcel p = thread_hook_arrive(sent);

	return p.routine(p.arg);
}

static int begin_c11(void *sent)
{
	struct parcel p = thread_hook_arrive(sent);

	return p.c11(p.arg);
}

AS_HOOK int pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *arg)
{
	struct parcel *p = atomic_load(&as_sampler.active) ? take_parcel() : NULL;
	int rc;

	if (!p)
		return AS_REAL(pthread_create)(thread, attr, routine, arg);
	p->routine = routine;
	p->c11 = NULL;
	p->arg = arg;
	p->stack = thread_hook_stack_of(attr);
	rc = AS_REAL(pthread_create)(thread, attr, begin_posix, p);
	if (rc)
		atomic_store(&p->busy, 0);
	return rc;
}

AS_HOOK int thrd_create(thrd_t *thread, thrd_start_t routine, void *arg)
{
	struct parcel *p = atomic_load(&as_sampler.active) ? take_parcel() : NULL;
	int rc;

	if (!p)
		return AS_REAL(thrd_create)(thread, routine, arg);
	p->c11 = routine;
	p->arg = arg;
	p->stack = thread_hook_stack_of(NULL);
	rc = AS_REAL(thrd_create)(thread, begin_c11, p);
	if (rc != thrd_success)
		atomic_store(&p->busy, 0);
	return rc;
}
