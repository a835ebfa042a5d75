/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked of a store, as statements and back as a profile. Sums are the server's: a row comes
 * for each stack, not for each sample. Host only.
 */
#ifndef AS_FLEET_FLEET_ASK_H
#define AS_FLEET_FLEET_ASK_H

#include "fleet/fleet_client.h"
#include "fleet/fleet_query.h"
#include "fleet/fleet_read.h"

struct as_fleet_ask {
	int64_t since, until; /* nanoseconds since 1970: what overlaps that; INT64_MIN, INT64_MAX */
	const struct as_fleet_term *term;
	size_t n_terms;
	/* Samples that have none of these labels are left out, or some of them: who asks does the
	 * rest. Without a text a value is any. Shares are those of all. */
	const struct as_fleet_term *label;
	size_t n_labels;
	bool labels; /* samples keep them */
	/* Samples say when their pushes began, in so many seconds since 1970; 0: they do not. All
	 * of them are paths then. */
	uint32_t each;
	bool partial; /* some of the store is missing */
};

/* What came. */
struct as_fleet_found {
	uint64_t batches, rows, lost; /* pushes that the time and host and service choose */
	int64_t begin, end;           /* of these, since 1970 */
	int64_t longest;              /* of them, nanoseconds */
	uint64_t sums;                /* rows that came */
	struct as_fleet_gaps gaps;
};

/* *OUT has no events where nothing was found. AS_E_ARG: what was found cannot be added up.
 * AS_E_FORMAT: the answers contradict each other. */
enum as_code as_fleet_ask(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_profile **out, struct as_fleet_found *found, struct as_losses *l,
	struct as_err *err) AS_NODISCARD;

/* The hosts that samples of ASK are of, in order, strings of RowBinary. */
enum as_code as_fleet_ask_hosts(struct as_fleet *f, const struct as_fleet_ask *ask,
	struct as_fleet_answer *hosts, struct as_err *err) AS_NODISCARD;

#endif
