/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the names that people give them: of a profile, or of a comparison. */
#ifndef AS_SESSION_CHOOSE_H
#define AS_SESSION_CHOOSE_H

#include "diff/diff.h"

struct as_events {
	const struct as_profile *prof; /* NULL: those of DIFF */
	const struct as_diff *diff;
};

static inline struct as_events as_events_of(const struct as_profile *prof)
{
	return (struct as_events){.prof = prof};
}

static inline uint32_t as_events_n(struct as_events of)
{
	return of.prof ? as_n_events(of.prof) : of.diff->n_events;
}

static inline struct as_slice as_events_name(struct as_events of, uint32_t i)
{
	return of.prof ? as_str_get(of.prof, of.prof->event.p[i].name)
		       : as_diff_str(of.diff, of.diff->event[i].name);
}

static inline bool as_events_find(struct as_events of, struct as_slice name, uint32_t *event)
{
	return of.prof ? as_profile_event(of.prof, name, event)
		       : as_diff_find_event(of.diff, name, event);
}

/* One that LIST names is not there, or was named before. */
enum as_events_fault { AS_EVENTS_OK, AS_EVENTS_UNKNOWN, AS_EVENTS_TWICE };

/* The columns that LIST, "Ir,Dr", names; EVENT has room for all, *N of it are used. WHICH is the
 * name that is wrong. */
enum as_events_fault as_events_choose(struct as_events of, struct as_slice list, uint32_t *event,
	uint32_t *n, struct as_slice *which) AS_NODISCARD;

#endif
