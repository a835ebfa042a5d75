/* SPDX-License-Identifier: Apache-2.0 */
/* What the objects of a process say: build ids, and the tables that lead from registers and a copy
 * of the stack to a call chain. */
#ifndef AS_SYMBOLS_UNWIND_PERF_UNWIND_H
#define AS_SYMBOLS_UNWIND_PERF_UNWIND_H

#include "perf/perf_stack.h"
#include "symbols/unwind/perf_tables.h"

/* Whether it can be done at all. */
bool as_unwind_possible(void);
/* Tables are shared by all; they are the caller's. NULL if out of memory. */
struct as_unwind *as_unwind_new(
	const struct as_alloc *al, struct as_unwind_tables *tables, uint32_t pid);
void as_unwind_free(struct as_unwind *u); /* NULL is fine */
/* The tables began anew: an unwinder that knew them is of no use any more. */
bool as_unwind_is_stale(const struct as_unwind *u);

/* More mappings, one call for each; then the last call. ID: the object's build id, or empty; a file
 * that has another one is another object. False if out of memory. */
bool as_unwind_maps_add(struct as_unwind *u, const struct as_perf_range *range, struct as_slice id)
	AS_NODISCARD;
void as_unwind_maps_end(struct as_unwind *u);

/* At least the interrupted instruction is in FRAMES. */
void as_unwind_stack(struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames);

#endif
