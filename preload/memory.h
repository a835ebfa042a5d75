/* SPDX-License-Identifier: Apache-2.0 */
/* Reading memory of the own process in a signal handler: nobody promises that it is there. */
#ifndef AS_PRELOAD_MEMORY_H
#define AS_PRELOAD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AS_WINDOW = 1024 };

/*
 * What an unwinder may read. [lo, hi) and [alt_lo, alt_hi) are known to be mapped: the thread's
 * stack from the interrupted frame up, and its alternate stack. Anything else is asked of the
 * kernel, in windows, unless SYSCALLS is false.
 */
struct as_memory {
	uint64_t lo, hi, alt_lo, alt_hi;
	bool syscalls;
	uint64_t window;
	uint64_t n_window; /* bytes */
	uint8_t bytes[AS_WINDOW];
};

/* Copies N bytes at ADDR to P by the kernel; false: not all of them can be read. */
bool as_memory_copy(uint64_t addr, void *p, size_t n);

/* The 8 bytes at ADDR; false: they can't be read. CTX is a struct as_memory. */
bool as_memory_read(void *ctx, uint64_t addr, uint64_t *value);

/* as_eh_fetch_fn: plain memory, and memory that may vanish. CTX is not used. */
bool as_memory_fetch_direct(void *ctx, uint64_t addr, void *p, size_t n);
bool as_memory_fetch_careful(void *ctx, uint64_t addr, void *p, size_t n);

#endif
