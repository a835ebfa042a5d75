/* SPDX-License-Identifier: Apache-2.0 */
/* Events of processors, while the machine runs: processors come and go, and periods vary. */
#ifndef AS_RECORD_PERF_CPUS_H
#define AS_RECORD_PERF_CPUS_H

#include "record/perf_event.h"

/*
 * About once a second, if events are of processors: those that are gone lose theirs when all that
 * is in their rings has been taken, which is what came until TAKEN; those that have come get some.
 * Periods of a machine's samples are changed. True: a processor came, and what was told there
 * until now has not been heard.
 */
bool as_perf_cpus_look(struct as_perf_set *set, uint64_t taken);

/* Whether the kernel's LIST, "0-3,8", has processor CPU. */
bool as_perf_cpus_listed(struct as_slice list, int cpu);

/* Of CPU, whose event has just been opened, or tried to be. */
void as_perf_cpus_begin(struct as_perf_set *set, struct as_perf_cpu *cpu);

/* The first period begins at NOW. */
void as_perf_beat_begin(struct as_perf_beat *beat, uint64_t now, uint64_t mean, uint64_t random);
/* False: it is too early for another period. Else it has one that begins at NOW. */
bool as_perf_beat_next(struct as_perf_beat *beat, uint64_t now, uint64_t mean, uint64_t random);

#endif
