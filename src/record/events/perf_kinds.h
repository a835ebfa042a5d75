/* SPDX-License-Identifier: Apache-2.0 */
/* What can be counted, by the names that the kernel's own tools have for it. */
#ifndef AS_RECORD_PERF_KINDS_H
#define AS_RECORD_PERF_KINDS_H

#include "base/err.h"
#include "base/slice.h"

enum { AS_PERF_EVENTS_MAX = 16 };

struct as_perf_kind {
	const char *name, *other; /* another word for it, or NULL */
	uint32_t type;            /* of perf_event_open(2), */
	uint64_t config;          /* too */
	bool time;                /* it counts CPU time in nanoseconds */
	uint64_t often;           /* so many in a second are many for one processor */
};

struct as_perf_asked {
	const struct as_perf_kind *kind;
	uint64_t period; /* microseconds of time, or a number of events; 0: by frequency */
};

struct as_perf_events {
	uint32_t n;
	struct as_perf_asked row[AS_PERF_EVENTS_MAX];
};

/* NULL: there is none of that name. */
const struct as_perf_kind *as_perf_kind_of(struct as_slice name);

/* "EVENT[:PERIOD],...": AS_E_ARG for what is no event, no period, or stands twice. */
enum as_code as_perf_events_parse(
	struct as_slice text, struct as_perf_events *events, struct as_err *err) AS_NODISCARD;
/* Whether one of them has no period. */
bool as_perf_events_by_frequency(const struct as_perf_events *events);

/* Whether this machine counts KIND, as far as may be known. */
bool as_perf_kind_is_here(const struct as_perf_kind *kind);
/* The names of those that it counts, with ", " between them. */
void as_perf_kinds_here(char *text, size_t size);
/* AS_E_UNSUPPORTED: it does not count one of EVENTS; the message has those that it does. */
enum as_code as_perf_events_are_here(const struct as_perf_events *events, struct as_err *err)
	AS_NODISCARD;

#endif
