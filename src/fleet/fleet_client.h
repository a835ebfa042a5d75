/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store of a fleet that is spoken to: servers of ClickHouse, by HTTP. What comes is whole, or an
 * error; an error has words for people, never a password. Host only.
 */
#ifndef AS_FLEET_FLEET_CLIENT_H
#define AS_FLEET_FLEET_CLIENT_H

#include "fleet/fleet_address.h"
#include "io/http.h"

struct as_fleet_opts {
	const char *url;             /* as fleet_address.h has it */
	const char *cluster;         /* instead of the URL's; NULL or "" */
	const char *user, *password; /* NULL: as NETRC says, else the server's default user */
	const char *netrc;           /* a file; NULL: none */
	struct as_http_opts http;
	uint64_t timeout_ms; /* of a request, its repetitions included */
	bool partial;        /* shards that are down are left out of answers */
};

/* An answer's bytes: as_vec_free() them, also after a failure. */
struct as_fleet_answer {
	AS_VEC(char) bytes;
};

/* What to think of a failure. */
enum as_fleet_fault {
	AS_FLEET_FINE,
	AS_FLEET_REFUSED, /* asked again, it will fail again */
	AS_FLEET_BUSY,    /* the server could not, now: later it may */
	AS_FLEET_AWAY,    /* no server, or the line broke: nobody knows what it has done */
};

struct as_fleet;

/* The URL is copied; all else that OPTS points to is borrowed. AS_E_ARG: the URL is none of a
 * store. */
enum as_code as_fleet_open(const struct as_alloc *al, const struct as_fleet_opts *opts,
	struct as_fleet **out, struct as_err *err) AS_NODISCARD;
void as_fleet_close(struct as_fleet *f); /* NULL is fine */

const struct as_alloc *as_fleet_alloc(const struct as_fleet *f);
const struct as_fleet_address *as_fleet_address_of(const struct as_fleet *f);
bool as_fleet_is_partial(const struct as_fleet *f);
bool as_fleet_has_cluster(const struct as_fleet *f);
/* Of the last failure; way: what to do about it, or NULL. */
enum as_fleet_fault as_fleet_fault(const struct as_fleet *f);
const char *as_fleet_way(const struct as_fleet *f);

/* What SQL answers, which ends in "FORMAT RowBinary" or the like, of the first server that can:
 * of those that cannot, the next is asked, and again, until the time is up. */
enum as_code as_fleet_query(struct as_fleet *f, struct as_slice sql, struct as_fleet_answer *answer,
	struct as_err *err) AS_NODISCARD;
/* Of SERVER, once. */
enum as_code as_fleet_query_at(struct as_fleet *f, size_t server, struct as_slice sql,
	struct as_fleet_answer *answer, struct as_err *err) AS_NODISCARD;

enum { AS_FLEET_AT_ONCE = 8 };

struct as_fleet_question {
	struct as_slice sql; /* as for as_fleet_query() */
	struct as_fleet_answer *answer;
};
/* What N questions answer, no more than AS_FLEET_AT_ONCE, which are asked at the same time. */
enum as_code as_fleet_query_all(struct as_fleet *f, const struct as_fleet_question *q, size_t n,
	struct as_err *err) AS_NODISCARD;

struct as_fleet_insertion {
	struct as_slice sql; /* "INSERT INTO ... FORMAT RowBinary" */
	struct as_slice rows;
	uint32_t replicas; /* above 1 so many have the rows when it is done */
};
/* N of them, no more than AS_FLEET_AT_ONCE, to SERVER, once, at the same time. */
enum as_code as_fleet_insert(struct as_fleet *f, size_t server, const struct as_fleet_insertion *in,
	size_t n, struct as_err *err) AS_NODISCARD;
/* A statement without an answer, to SERVER, once. WITHOUT_DATABASE: of one that is made by it. */
enum as_code as_fleet_do(struct as_fleet *f, size_t server, struct as_slice sql,
	bool without_database, struct as_err *err) AS_NODISCARD;

/* When the time of what begins now is over, for as_fleet_pause(). */
uint64_t as_fleet_deadline(const struct as_fleet *f);
/* Wait before try N (1, 2...) of something: longer each time, and never as long as others do.
 * False, and at once: the DEADLINE comes first. */
bool as_fleet_pause(struct as_fleet *f, unsigned n, uint64_t deadline);

#endif
