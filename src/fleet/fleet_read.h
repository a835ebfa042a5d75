/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store's answers, in RowBinary, as a profile: the one that the files would be that were pushed,
 * read and merged. Host only.
 *
 * Nothing that a server says is believed: rows may come twice, in any order, be cut off, or name
 * what no other row explains.
 */
#ifndef AS_FLEET_FLEET_READ_H
#define AS_FLEET_FLEET_READ_H

#include "base/spans.h"
#include "fleet/fleet_tables.h"
#include "formats/format.h"
#include "model/signals.h"

struct as_fleet_read_opts {
	/* Samples keep what their series says of them: its labels, and host and service as labels
	 * of these names. Else those of all series are added up. */
	bool labels;
	/* Sums say when they begin, and samples when they were: moments. Places are paths of one
	 * frame then. */
	bool times;
	bool counted; /* sums end in how many samples they are of, in eight bytes */
	bool partial; /* not all of the store could be asked */
	/* Rows of series, stacks and frames are as they are pushed: with their day, and the service
	 * that stacks and frames are of. */
	bool pushed;
};

/* What no row explained: its samples are there, under names that say so. */
struct as_fleet_gaps {
	uint64_t stacks, frames;
};

struct as_fleet_read;
enum as_code as_fleet_read_new(const struct as_alloc *al, const struct as_fleet_read_opts *opts,
	struct as_fleet_read **out, struct as_err *err) AS_NODISCARD;
/* Whether all that was read so far is explained. */
bool as_fleet_read_is_whole(const struct as_fleet_read *r);
void as_fleet_read_free(struct as_fleet_read *r); /* NULL is fine */

/* Each of them as often as there are answers. ANSWER is borrowed until the end. The series first;
 * AS_E_ARG: what they count cannot be added up, as in merging. Rows as in fleet_tables.h, without
 * the day. */
enum as_code as_fleet_read_series(struct as_fleet_read *r, struct as_slice answer) AS_NODISCARD;
enum as_code as_fleet_read_stacks(struct as_fleet_read *r, struct as_slice answer) AS_NODISCARD;
enum as_code as_fleet_read_frames(struct as_fleet_read *r, struct as_slice answer) AS_NODISCARD;
/* Then sums: series, stack, with TIMES seconds since 1970 in four bytes, and the value; or, HALVES,
 * its upper 32 bits, which are signed, and its lower ones, as sums of eight bytes each. */
enum as_code as_fleet_read_sums(struct as_fleet_read *r, struct as_slice answer, bool halves)
	AS_NODISCARD;
/* Series, and what all samples of it add up to, be they among the sums or not: shares are of
 * these. Values as there. */
enum as_code as_fleet_read_whole(struct as_fleet_read *r, struct as_slice answer, bool halves)
	AS_NODISCARD;
/* When a batch began, since 1970, and how long it took. With TIMES before the sums. */
enum as_code as_fleet_read_span(struct as_fleet_read *r, int64_t begin_ns, int64_t nanos)
	AS_NODISCARD;
/* Of all samples that these are a part of, as lines of metadata. Before the sums. */
void as_fleet_read_signals(struct as_fleet_read *r, struct as_signals signals);

/* The profile; R is freed, also on failure. */
enum as_code as_fleet_read_finish(struct as_fleet_read *r, struct as_profile **out,
	struct as_fleet_gaps *gaps, struct as_losses *l) AS_NODISCARD;

#endif
