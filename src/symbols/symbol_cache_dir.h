/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of the symbol cache: reading, replacing and removing its files. */
#ifndef AS_SYMBOLS_SYMBOL_CACHE_DIR_H
#define AS_SYMBOLS_SYMBOL_CACHE_DIR_H

#include "symbols/symbol_cache.h"

enum { AS_SYMCACHE_NAME = 192 }; /* bytes of a file's name */

struct as_symcache_bytes {
	char *p; /* NULL: there is no such file */
	size_t size;
};

/* The file NAME, and a note that it was used. P is the caller's. Errors: AS_E_NOMEM. */
enum as_code as_symcache_read(const struct as_symcache *cache, const char *name,
	struct as_symcache_bytes *out) AS_NODISCARD;

/* Replace the file NAME as a whole; the directory is made if needed. False: it is as it was. */
bool as_symcache_replace(const struct as_symcache *cache, const char *name, struct as_slice bytes);

#endif
