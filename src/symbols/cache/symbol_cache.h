/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of symbolization on disk, a file for each build id. A file is replaced as a whole, by
 * rename, so several programs may use the cache at once; what is damaged or of another version is
 * not used. The cache is kept below a size: files that were not used for longest go first.
 */
#ifndef AS_SYMBOLS_CACHE_SYMBOL_CACHE_H
#define AS_SYMBOLS_CACHE_SYMBOL_CACHE_H

#include "symbols/symbols.h"

struct as_symcache {
	const struct as_alloc *al;
	const char
		*dir; /* made when first needed; NULL = no cache: nothing is found, nothing kept */
	uint64_t max_size; /* bytes of all files */
};

/* What the answers depend on besides the object: part of the file's name. */
struct as_symcache_key {
	struct as_slice build_id; /* hexadecimal; empty: not cached */
	bool inlines;
	struct as_slice debug_file; /* its path and time of change, as text; "" = none found */
};

/*
 * Frames of N addresses, ascending and distinct, added to SET, which is new. KNOWN[i] says
 * whether the cache had the answer for address i (which may be: no frame). Nothing in the cache, or
 * something damaged: all false, and no error. Errors: AS_E_NOMEM.
 */
enum as_code as_symcache_get(const struct as_symcache *cache, const struct as_symcache_key *key,
	const uint64_t *vaddr, size_t n, struct as_symset *set, bool *known) AS_NODISCARD;
/* Keep the answers SET for these addresses, beside those that are kept already. What cannot be
 * written is not: no error but AS_E_NOMEM. */
enum as_code as_symcache_put(const struct as_symcache *cache, const struct as_symcache_key *key,
	const uint64_t *vaddr, size_t n, const struct as_symset *set) AS_NODISCARD;

struct as_symcache_stat {
	uint64_t files, bytes;
};
/* What is in the cache. Errors: AS_E_IO. */
enum as_code as_symcache_stat(const struct as_symcache *cache, struct as_symcache_stat *stat,
	struct as_err *err) AS_NODISCARD;
/* Remove files until at most MAX bytes are left (0 = all). */
enum as_code as_symcache_trim(const struct as_symcache *cache, uint64_t max, struct as_err *err)
	AS_NODISCARD;

#endif
