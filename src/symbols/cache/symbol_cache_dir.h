/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of the symbol cache: reading, replacing and removing its files. */
#ifndef AS_SYMBOLS_CACHE_SYMBOL_CACHE_DIR_H
#define AS_SYMBOLS_CACHE_SYMBOL_CACHE_DIR_H

#include "symbols/cache/symbol_cache.h"

enum { AS_SYMCACHE_NAME = 192 }; /* bytes of a file's name */

/* The file NAME mapped, and a note that it was used; p == NULL: there is none. Nobody writes into
 * a file once it has its name. */
struct as_slice as_symcache_map(const struct as_symcache *cache, const char *name);
void as_symcache_unmap(struct as_slice bytes); /* p == NULL is fine */

/* Replace the file NAME as a whole; the directory is made if needed. False: it is as it was. */
bool as_symcache_replace(const struct as_symcache *cache, const char *name, struct as_slice bytes);

#endif
