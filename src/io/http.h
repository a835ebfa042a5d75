/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files by HTTP and HTTPS: all of a body in memory, or an error. libcurl does it, which is loaded
 * when it is needed: with TLS it takes longer to load than most answers of the program. Its
 * variables of the environment name proxies; ~/.netrc and cookies are not looked at.
 */
#ifndef AS_IO_HTTP_H
#define AS_IO_HTTP_H

#include "io/file.h"

struct as_http_opts {
	uint64_t max_bytes;           /* of one body */
	bool insecure;                /* certificates are not looked at */
	const char *ca_file;          /* authorities that certificates are of; NULL: the system's */
	struct as_progress *progress; /* may be NULL */
};

/* One file. */
struct as_http {
	const char *url;           /* with its secrets */
	const char *name;          /* for messages */
	struct as_slice server;    /* those of one server come one after another */
	uint64_t max_ms;           /* from its beginning until all is there */
	const char *const *header; /* N_HEADERS of "NAME: VALUE" are sent, with their secrets */
	size_t n_headers;

	/* what came of it */
	enum as_code rc;
	struct as_err err;
	const char *way; /* what to do about ERR; NULL: nothing better than usual */
	AS_VEC(char)
	body; /* as it was sent, and AS_IN_SLACK zeros behind it, which N does not count */
	char encoding[32]; /* Content-Encoding, "" where there was none */
};

/*
 * GET[0..N), those of different servers at the same time. Redirects are followed five times, from
 * https to https only, never to another scheme; user and password go to no other server. What has
 * headers follows no redirect.
 *
 * AS_E_IO: no server, not a whole body, or an answer that is no file; sys_errno is EACCES where
 * the server wants to know who asks. AS_E_LIMIT: more bytes than there may be. AS_E_UNSUPPORTED:
 * there is no libcurl. Whoever calls this releases BODY in each case.
 */
void as_http_get(
	const struct as_alloc *al, const struct as_http_opts *opts, struct as_http *get, size_t n);

/* Version of the library that runs, "" without. Borrowed, constant. */
const char *as_http_version(void);

#endif
