/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows into a store, exactly once. What is written counts from when its commit is there, a row of
 * prof_batches; of several commits of a batch one counts. So whatever goes wrong on the way, it is
 * sent anew, as another attempt, and no sum ever has it twice, or half. Host only.
 */
#ifndef AS_FLEET_FLEET_PUSH_H
#define AS_FLEET_FLEET_PUSH_H

#include "fleet/fleet_admin.h"
#include "fleet/fleet_rows.h"

struct as_fleet_pushed {
	uint64_t batches, there; /* pushed; and those that were there already */
	uint64_t samples;        /* rows that were pushed */
	uint64_t tries;          /* that failed */
};

struct as_fleet_push_opts {
	const struct as_fleet_shards *shards;
	struct as_slice note; /* what the commit says besides */
	/* Told why it is tried again. May be NULL. */
	void (*again)(void *ctx, const struct as_err *err);
	void *ctx;
};

/* AS_OK: all of ROWS is in the store F, checked, and committed. PUSHED is added to. */
enum as_code as_fleet_push(struct as_fleet *f, const struct as_fleet_rows *rows,
	const struct as_fleet_push_opts *opts, struct as_fleet_pushed *pushed, struct as_err *err)
	AS_NODISCARD;

/* By how many seconds the clock here is ahead of the server's. */
enum as_code as_fleet_skew(struct as_fleet *f, int64_t *seconds, struct as_err *err) AS_NODISCARD;

#endif
