/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/real.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

static const char *const names[] = {
#define AS_REAL_TEXT(name) #name,
	AS_REALS(AS_REAL_TEXT)
#undef AS_REAL_TEXT
};
static _Atomic(void *) known[AS_REAL_COUNT];

void *as_real(enum as_real which)
{
	void *p = atomic_load_explicit(&known[which], memory_order_relaxed);

	if (!p) {
		p = dlsym(RTLD_NEXT, names[which]);
		atomic_store(&known[which], p);
	}
	return p;
}

uint64_t as_now(void)
{
	struct timespec t = {0, 0};

	AS_REAL(clock_gettime)(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void as_real_ready(void)
{
	for (unsigned i = 0; i < AS_REAL_COUNT; i++)
		as_real((enum as_real)i);
}
