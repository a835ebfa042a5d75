/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc of a process. A process that has ended yields nothing; that is no error. */
#ifndef AS_RECORD_PERF_PROC_H
#define AS_RECORD_PERF_PROC_H

#include "symbols/unwind/perf_unwind.h"

enum { AS_PROC_TEXT_MAX = 4096 };

typedef void as_proc_range_fn(void *ctx, const struct as_perf_range *range);
/* Executable mappings. */
void as_proc_maps(uint32_t pid, as_proc_range_fn *each, void *ctx);

/* The command line with blanks between its words; the name of a thread. In TEXT, or empty. */
struct as_slice as_proc_command(uint32_t pid, char text[AS_PROC_TEXT_MAX]);
struct as_slice as_proc_comm(uint32_t pid, uint32_t tid, char text[AS_PROC_TEXT_MAX]);

typedef bool as_proc_thread_fn(void *ctx, uint32_t tid);
/* All threads, until EACH says false. False: there is no such process. PID 0: all processes. */
bool as_proc_threads(uint32_t pid, as_proc_thread_fn *each, void *ctx);

/* The same, as a list. */
struct as_proc_ids {
	const struct as_alloc *al;
	AS_VEC(uint32_t) id;
	bool full; /* out of memory */
};
bool as_proc_list(uint32_t pid, struct as_proc_ids *all);

#endif
