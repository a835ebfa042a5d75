/* SPDX-License-Identifier: Apache-2.0 */
/*
 * URLs among what a user names as files. Each is downloaded once, all of it before any of it is
 * read, and kept: what a service measured is not asked for a second time, so it may be read as
 * often as a file. Host only.
 */
#ifndef AS_SESSION_URLS_H
#define AS_SESSION_URLS_H

#include "io/http.h"
#include "session/session.h"

/* What is sent to SERVER, "https://host:6060", as its URL is shown. */
struct as_url_header {
	struct as_slice server;
	const char *text; /* "NAME: VALUE" */
};

struct as_urls {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_http_opts opts;
	uint64_t max_ms; /* and what the URL says that the server measures */
	AS_VEC(struct as_url_header) header;
	AS_VEC(struct as_http) row;
	size_t n_got; /* of the rows: these were asked for */
};

void as_urls_init(struct as_urls *urls, const struct as_alloc *al);
void as_urls_release(struct as_urls *urls);

/* One more, that is not asked for yet. What stands for it from now on as the name of a file, for
 * all that open or show it: the URL without its secrets. It is another pointer for each call, and
 * the pointer is what it is known by. NULL: out of memory. */
const char *as_urls_add(struct as_urls *urls, const char *url);

/*
 * Lines of TEXT, "https://HOST[:PORT] NAME: VALUE", are headers of what is asked for there; empty
 * ones, and those that begin with #, are none. 0, or the number of the first line that is neither,
 * or UINT64_MAX if out of memory. Before as_urls_add().
 */
uint64_t as_urls_headers(struct as_urls *urls, struct as_slice text);

/* Whether PATH is such a name of the session's. */
bool as_urls_has(const struct as_session *ses, const char *path);
/* Download all that were not yet asked for. What goes wrong shows when they are opened. */
void as_urls_get(const struct as_session *ses);
/* As as_input_open(); of a URL what was downloaded, which needs no PR. *WAY, where it cannot be
 * read: what to do about it, or NULL. */
enum as_code as_urls_open(const struct as_session *ses, const char *path, struct as_progress *pr,
	struct as_src **out, const char **way, struct as_err *err) AS_NODISCARD;

#endif
