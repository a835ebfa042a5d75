/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page by HTTP, for the browser of this machine only: the loopback address, a path that nobody
 * can guess. Nothing else can be read, and nothing written; the query of a URL may choose what the
 * page shows.
 */
#ifndef AS_SERVE_SERVE_H
#define AS_SERVE_SERVE_H

#include "base/alloc.h"
#include "base/err.h"
#include "base/slice.h"
#include "io/out.h"

enum { AS_SERVE_TOKEN = 32 }; /* hexadecimal digits: 128 bits */

struct as_serve_word {
	const char *key, *value;
};

struct as_serve_opts {
	uint16_t port;        /* 0: any that is free */
	struct as_slice page; /* borrowed */
	/* The page for a query of N words, to PAGE; in the thread of the server, which answers
	 * nobody else meanwhile. False: out of memory. NULL: queries change nothing. */
	bool (*choose)(
		void *ctx, const struct as_serve_word *word, size_t n, struct as_sink_mem *page);
	void *ctx;
};

struct as_serve;

/* The library's version; "": built without it. */
const char *as_serve_version(void);
/* From now on requests are answered. AS_E_IO: the port is taken ...; AS_E_UNSUPPORTED: this program
 * was built without it. OPTS outlives it. Ends in as_serve_stop(). */
enum as_code as_serve_start(struct as_serve **out, const struct as_alloc *al,
	const struct as_serve_opts *opts, struct as_err *err) AS_NODISCARD;
void as_serve_stop(struct as_serve *s); /* NULL is fine */
uint16_t as_serve_port(const struct as_serve *s);
/* The secret part of the path: http://127.0.0.1:PORT/TOKEN/ */
const char *as_serve_token(const struct as_serve *s);

#endif
