/* SPDX-License-Identifier: Apache-2.0 */
/* Pushing: what the files fleet_push*.c share. */
#ifndef AS_FLEET_FLEET_PUSH_IMPL_H
#define AS_FLEET_FLEET_PUSH_IMPL_H

#include "fleet/fleet_push.h"
#include "fleet/fleet_sql.h"

/* Of samples or stacks in one INSERT: above 1,048,576 a server makes more than one part of it,
 * which is not all or nothing. */
enum { AS_PUSH_ROWS = 1000000 };

/* A batch on its way. */
struct as_push_batch {
	const struct as_fleet_rows *rows;
	const struct as_fleet_batch *batch;
	uint64_t attempt;
	bool there; /* somebody else has committed it */
	bool found; /* by the check */
};

/* What samples name and the server is not known to have: its N rows, which have so many bytes. */
struct as_push_row {
	uint64_t id;
	const char *row;
	size_t size, n;
};
struct as_push_named {
	AS_VEC(struct as_push_row) sent;
	struct as_fleet_bytes body;
	bool lent; /* BODY is the memory of the rows; all of them are sent, and not in SENT */
};

struct as_push {
	struct as_fleet *f;
	const struct as_alloc *al;
	const struct as_fleet_push_opts *opts;
	struct as_err *err;
	struct as_fleet_known *known;
	bool alone; /* nothing else is pushed by who has KNOWN */
	size_t server;
	uint64_t home;
	struct as_slice service;
	uint32_t day, t0, t1; /* the first and last second at which a batch began */
	AS_VEC(struct as_push_batch) batch;
	AS_VEC(uint64_t) svc; /* of all samples */
	struct as_push_named frames, stacks, series;
	uint64_t known_stack;        /* of the samples, that was not sent again; 0: none */
	struct as_fleet_bytes bytes; /* of samples and commits */
};

/* What SQL, which is empty then, answers; of the server that is pushed to if HERE. */
enum as_code as_push_ask(struct as_push *p, struct as_sql *sql, bool here,
	struct as_fleet_answer *answer) AS_NODISCARD;
/* One row of N numbers of eight bytes. */
enum as_code as_push_ask_numbers(
	struct as_push *p, struct as_sql *sql, bool here, uint64_t *v, size_t n) AS_NODISCARD;
/* " WHERE day = ..." */
void as_push_of_day(const struct as_push *p, struct as_sql *sql);
/* The same of stacks and frames of this service. */
void as_push_of_home(const struct as_push *p, struct as_sql *sql);
/* " AND svc IN (...)" */
void as_push_of_services(const struct as_push *p, struct as_sql *sql);
/* " FROM prof_samples WHERE" those of these attempts. */
void as_push_from_samples(const struct as_push *p, struct as_sql *sql);
enum as_code as_push_not_whole(const struct as_push *p, const char *what) AS_NODISCARD;

/* ---- fleet_push_named.c ---- */
/* Frames, stacks and series that the server is not known to have become bodies, to be sent. */
enum as_code as_push_named(struct as_push *p) AS_NODISCARD;
/* After the samples: all that was sent is there, and known from now on. */
enum as_code as_push_check_named(struct as_push *p) AS_NODISCARD;
void as_push_release_named(struct as_push *p);
/* Nothing is known of the server any more. */
void as_push_forget(struct as_push *p);
void as_push_forget_at(struct as_fleet_known_at *at, const struct as_alloc *al);

#endif
