/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows into a store, exactly once. What is written counts from when its commit is there, a row of
 * prof_batches; of several commits of a batch one counts. So whatever goes wrong on the way, it is
 * sent anew, as another attempt, and no sum ever has it twice, or half. Host only.
 */
#ifndef AS_FLEET_FLEET_PUSH_H
#define AS_FLEET_FLEET_PUSH_H

#include "fleet/fleet_admin.h"
#include "fleet/fleet_hash.h"
#include "fleet/fleet_ids.h"
#include "fleet/fleet_rows.h"

struct as_fleet_pushed {
	uint64_t batches, there; /* pushed; and those that were there already */
	uint64_t samples;        /* rows that were pushed */
	uint64_t tries;          /* that failed */
};

/* Frames, stacks and series of a service and day that a server has: who pushes has sent them, and
 * the server was asked for them. They are not sent again. All zero but AL: nothing is known. */
struct as_fleet_known {
	const struct as_alloc *al;
	struct as_fleet_known_at {
		uint32_t day;
		uint64_t home;
		struct as_fleet_ids frame, stack, serie;
	} at[AS_FLEET_SERVERS];
};

void as_fleet_known_release(struct as_fleet_known *known);
/* As bytes, for who pushes next, and back. What is damaged is as if nothing were known. False if
 * out of memory. */
AS_NODISCARD bool as_fleet_known_put(const struct as_fleet_known *known, struct as_fleet_bytes *to);
AS_NODISCARD bool as_fleet_known_take(struct as_fleet_known *known, struct as_slice from);
/* How many ids there are. */
size_t as_fleet_known_count(const struct as_fleet_known *known);

struct as_fleet_push_opts {
	const struct as_fleet_shards *shards;
	struct as_fleet_known *known; /* NULL: nothing is pushed afterwards */
	struct as_slice note;         /* what the commit says besides */
	/* Told why it is tried again. May be NULL. */
	void (*again)(void *ctx, const struct as_err *err);
	void *ctx;
};

/* Whether B may be pushed together with A: of one service, since what a host pushes goes to one
 * server, and a day's rows are in one part of it. */
bool as_fleet_push_fits(
	const struct as_fleet *f, const struct as_fleet_rows *a, const struct as_fleet_rows *b);

/* AS_OK: all of the N ROWS, each of which fits to the first, is in the store F, checked, and
 * committed. They are sent together, and are tried again together. PUSHED is added to. */
enum as_code as_fleet_push(struct as_fleet *f, const struct as_fleet_rows *rows, size_t n,
	const struct as_fleet_push_opts *opts, struct as_fleet_pushed *pushed, struct as_err *err)
	AS_NODISCARD;

/* By how many seconds the clock here is ahead of the server's. */
enum as_code as_fleet_skew(struct as_fleet *f, int64_t *seconds, struct as_err *err) AS_NODISCARD;

#endif
