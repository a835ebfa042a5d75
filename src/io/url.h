/* SPDX-License-Identifier: Apache-2.0 */
/* The text of URLs: what of it may be shown, and what it says about time. */
#ifndef AS_IO_URL_H
#define AS_IO_URL_H

#include "base/arena.h"

/* TEXT begins with http:// or https://, in letters of either case. */
bool as_url_is(const char *text);

/*
 * The URL as everybody may see it, in ARENA and ended by a NUL; p is NULL if out of memory. It
 * has no user and password, no fragment, and of the query only the parameters that Go's pages of
 * profiles have: the values of others may be secrets, and are "*".
 */
struct as_slice as_url_shown(struct as_arena *arena, const char *url);

/* Scheme, host and port of a shown URL: "http://host:6060". */
struct as_slice as_url_server(struct as_slice shown);

/* What its "seconds=N" says, or 0: how long the server measures before it answers. */
uint64_t as_url_seconds(const char *url);

#endif
