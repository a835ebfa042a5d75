/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operator does with a store: make its tables, see what it holds, let old days go, look
 * whether all of it is as it was pushed. Host only.
 */
#ifndef AS_FLEET_FLEET_ADMIN_H
#define AS_FLEET_FLEET_ADMIN_H

#include "fleet/fleet_client.h"
#include "fleet/fleet_sql.h"

/* ---- tables ---- */

/* The statements that make the store, a line each, into SQL. */
void as_fleet_init_text(const struct as_fleet *f, bool replicated, struct as_sql *sql);
/* The database and its tables on all servers of the address, where they are not there yet.
 * REPLICATED: servers of a shard hold the same, by ZooKeeper. AS_E_ARG: several servers that are
 * neither, a server that is in no shard, a shard without a server, a store of another version. */
enum as_code as_fleet_init(struct as_fleet *f, bool replicated, struct as_err *err) AS_NODISCARD;
/* The tables, with all that is in them; the database stays. */
enum as_code as_fleet_drop(struct as_fleet *f, struct as_err *err) AS_NODISCARD;

struct as_fleet_shards {
	uint32_t n, n_missing;
	char missing[256]; /* "2, 5", or the first of them */
	/* if REPLICAS were asked for: */
	bool replicated;   /* servers of a shard have the same rows; */
	uint32_t replicas; /* so many have; 0: ZooKeeper, who knows, does not answer */
};

/* Whether there is a store of our version; of a cluster, which shards. AS_E_UNSUPPORTED: of another
 * version. A shard that is missing is an error unless the store was opened as PARTIAL. */
enum as_code as_fleet_ready(struct as_fleet *f, bool replicas, struct as_fleet_shards *shards,
	struct as_err *err) AS_NODISCARD;

/* ---- what is in it ---- */

struct as_fleet_day {
	uint32_t day; /* since 1970 */
	uint64_t hosts, batches, samples, mass, lost;
	uint64_t parts, bytes; /* on the disks of the servers of the address, of all tables */
};

struct as_fleet_host {
	struct as_slice host, service;
	uint64_t batches, samples, lost;
	uint32_t last; /* end of its latest, seconds since 1970 */
};

struct as_fleet_status {
	const struct as_alloc *al;
	struct as_fleet_shards shards;
	AS_VEC(struct as_fleet_day) day;   /* in order */
	AS_VEC(struct as_fleet_host) host; /* by name and service; texts are HOSTS' */
	struct as_fleet_answer hosts;
};

/* Ends in as_fleet_status_release() in each case. */
enum as_code as_fleet_status(struct as_fleet *f, struct as_fleet_status *st, struct as_err *err)
	AS_NODISCARD;
void as_fleet_status_release(struct as_fleet_status *st);

/* All that is of days before FIRST goes, on all servers of the address. *DAYS: how many there
 * were. */
enum as_code as_fleet_retain(struct as_fleet *f, uint32_t first, uint64_t *days, struct as_err *err)
	AS_NODISCARD;

/* ---- fleet_verify.c ---- */

struct as_fleet_verdict {
	uint64_t batches, samples; /* committed */
	uint64_t wrong;            /* batches whose rows or sums are not what was pushed */
	uint64_t again;            /* commits of batches that had one; they count nothing */
	uint64_t left, left_rows;  /* attempts that were never committed; they count nothing */
	uint64_t no_stack, no_frame, no_series; /* ids that no row explains */
	uint64_t first_wrong;                   /* the id of such a batch */
	uint32_t first_day;
};

/* Look at all days; TOLD, which may be NULL, is called after each. AS_OK: VERDICT says how it
 * is. */
enum as_code as_fleet_verify(struct as_fleet *f, struct as_fleet_verdict *verdict,
	void (*told)(void *ctx, uint32_t day), void *ctx, struct as_err *err) AS_NODISCARD;

#endif
