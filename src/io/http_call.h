/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to servers that are asked more than once: connections stay open between them. Nothing
 * is redirected, so what is sent, and who asks, reaches the server that was meant, or none.
 */
#ifndef AS_IO_HTTP_CALL_H
#define AS_IO_HTTP_CALL_H

#include "io/http.h"

struct as_http_peer;

struct as_http_call {
	const char *url;           /* without secrets, for it stands in messages */
	const char *const *header; /* lines "Name: value", and NULL; NULL: none */
	const char *netrc;         /* the file that says who asks; NULL: HEADER does */
	struct as_slice body;      /* that is sent; p NULL: GET, else POST */
	uint64_t max_ms;           /* until all of the answer is there */
	bool gzip;                 /* the server may pack the answer */

	/* what came of it */
	long status; /* 0: no answer */
	AS_VEC(char) answer;
	const char *way; /* what to do about a failure; NULL: nothing better than usual */
	/* AS_OK: a whole answer came, of whatever status. AS_E_IO: none, or one that is cut off, or
	 * that does not say where it ends, so that nobody could tell. AS_E_LIMIT: more bytes than
	 * there may be. AS_E_UNSUPPORTED: libcurl cannot do it. ERR, which may
	 * have a name before, says why. */
	enum as_code rc;
	struct as_err err;
};

enum { AS_HTTP_AT_ONCE = 8 };

/* OPTS is borrowed. AS_E_UNSUPPORTED: there is no libcurl. */
enum as_code as_http_peer_open(const struct as_alloc *al, const struct as_http_opts *opts,
	struct as_http_peer **out, struct as_err *err) AS_NODISCARD;
void as_http_peer_close(struct as_http_peer *peer); /* NULL is fine */

/*
 * N calls at the same time, no more than AS_HTTP_AT_ONCE; back when all have ended. Each ANSWER is
 * emptied first and keeps its memory; it is the caller's, of the peer's allocator, in each case.
 */
void as_http_calls(struct as_http_peer *peer, struct as_http_call *call, size_t n);

#endif
