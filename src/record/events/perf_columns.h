/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several events of a machine at once: each is a column of the profile. Which of them a sample is
 * of says the number that the kernel gave to the event of that processor.
 *
 * A processor may count fewer events at a time than are asked for, and takes them in turns. Nothing
 * is scaled by that: how much of the time each was counted is kept beside it.
 */
#ifndef AS_RECORD_PERF_COLUMNS_H
#define AS_RECORD_PERF_COLUMNS_H

#include "base/alloc.h"
#include "base/index.h"
#include "record/events/perf_kinds.h"

struct perf_event_attr;

enum { AS_PERF_ACTIVE_ALL = 10000 };

struct as_perf_column {
	const struct as_perf_kind *kind;
	uint64_t period;   /* microseconds or events; 0: samples say how many */
	bool by_frequency; /* nobody asked for a period */
};

/* An event of a processor. */
struct as_perf_opened {
	int fd, cpu; /* the descriptor is the set's */
	uint32_t column;
	uint64_t id;
	uint64_t enabled, running, lost; /* at the last look */
};

struct as_perf_columns {
	const struct as_alloc *al;
	uint32_t n; /* 0: there is one event, the set's clock */
	struct as_perf_column row[AS_PERF_EVENTS_MAX];
	bool no_lost; /* this kernel does not say of which event records were lost */
	AS_VEC(struct as_perf_opened) opened;
	struct as_index ids;
};

/* Of an event, of all processors. */
struct as_perf_times {
	uint64_t enabled, running; /* ns: it was to be counted, and was */
	uint64_t lost; /* samples for which there was no room; some may not be told yet */
};

void as_perf_columns_init(struct as_perf_columns *c, const struct as_alloc *al);
void as_perf_columns_release(struct as_perf_columns *c);
/*
 * What EVENTS ask for; those without a period have HZ samples in a second. Where samples can't say
 * for how many events they stand (FIXED), they have a period that is about that. So have what the
 * kernel itself counts: it comes in bursts, of which its samples say up to twenty times too much.
 */
void as_perf_columns_plan(
	struct as_perf_columns *c, const struct as_perf_events *events, uint32_t hz, bool fixed);
/* Whether samples have to say for how many events they stand. */
bool as_perf_columns_vary(const struct as_perf_columns *c);
/* "cpu-clock, page-faults:100" */
void as_perf_columns_text(const struct as_perf_columns *c, char *text, size_t size);
void as_perf_columns_fill(const struct as_perf_columns *c, uint32_t column, uint32_t hz,
	struct perf_event_attr *attr);

/* FD counts COLUMN on CPU; false if out of memory. */
bool as_perf_columns_add(struct as_perf_columns *c, int fd, int cpu, uint32_t column) AS_NODISCARD;
bool as_perf_columns_note(struct as_perf_columns *c, const struct as_perf_opened *opened)
	AS_NODISCARD;
/* Whether FD counts a column on CPU. */
bool as_perf_columns_has(const struct as_perf_columns *c, int cpu, int fd);
/* The period, in nanoseconds, of the first event of CPU that counts time, and its descriptor; 0:
 * there is none. */
uint64_t as_perf_columns_clock(const struct as_perf_columns *c, int cpu, int *fd);
/* The events of CPU are closed. */
void as_perf_columns_forget(struct as_perf_columns *c, int cpu);
/* The column of the event that the kernel calls ID; false: there is none. */
bool as_perf_columns_find(const struct as_perf_columns *c, uint64_t id, uint32_t *column);

/* Which of N lost samples are of which event, into LOST; false: the kernel does not say. */
bool as_perf_columns_lost(const struct as_perf_columns *c, const struct as_perf_times times[],
	uint64_t n, uint64_t lost[]);
/* Adds what has passed since the last look. */
void as_perf_columns_look(struct as_perf_columns *c, struct as_perf_times times[]);
/* Ten-thousandths of the time; never 0. */
uint32_t as_perf_active(const struct as_perf_times *t);

#endif
