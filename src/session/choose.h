/* SPDX-License-Identifier: Apache-2.0 */
/* What people type: events by name, of a profile or of a comparison, costs, and functions. */
#ifndef AS_SESSION_CHOOSE_H
#define AS_SESSION_CHOOSE_H

#include "diff/diff.h"
#include "listing/listing.h"
#include "session/filters.h"

/* ---- events ---- */

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

/* Whether SORT, or one of LIST, either of which may be NULL, is AS_MARKERS: then these are to be
 * read. */
bool as_events_ask_markers(const char *list, const char *sort);

/* One that LIST names is not there, or was named before. */
enum as_events_fault { AS_EVENTS_OK, AS_EVENTS_UNKNOWN, AS_EVENTS_TWICE };

/* The columns that LIST, "Ir,Dr", names; EVENT has room for all, *N of it are used. WHICH is the
 * name that is wrong. */
enum as_events_fault as_events_choose(struct as_events of, struct as_slice list, uint32_t *event,
	uint32_t *n, struct as_slice *which) AS_NODISCARD;

/* ---- the least cost that is shown ---- */
/* "0.5%" of TOTAL rounded up, or a cost: "1000". False if TEXT is neither. */
AS_NODISCARD bool as_min_of(struct as_slice text, as_val total, as_val *min);
/* "0.5%" as millionths; false if TEXT is no share. */
AS_NODISCARD bool as_share_ppm(struct as_slice text, uint32_t *ppm);

/* ---- functions ---- */
/* By a name, as it is or as views show it, a part of one, or a regular expression. Host only, since
 * names as they are shown need the demangler. */
struct as_typed {
	struct as_slice what;
	struct as_regexes regex;
	void *re; /* NULL: it is none */
	struct as_arena arena;
	struct as_listing_how how;
	size_t n_own, n_args; /* functions with WHAT in their own name; in their arguments only */
};

/* AS_E_LIMIT: as a regular expression it would be too large; what is none is no error. Always ends
 * in as_typed_end(). */
enum as_code as_typed_begin(struct as_typed *t, const struct as_alloc *al, struct as_slice what,
	const struct as_regexes *regex, struct as_err *err) AS_NODISCARD;
void as_typed_end(struct as_typed *t);

#endif
