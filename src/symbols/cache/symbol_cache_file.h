/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of one file of the symbol cache. All numbers are of the machine that wrote it: the
 * magic number reads differently on another, whose files are not used.
 *
 *	u64 magic, version, size of the file, checksum of all but itself
 *	u64 n_addr, n_frame, n_str, n_key
 *	u64 addr[n_addr]	 strictly ascending
 *	u64 start[n_frame]	 of functions without a name, else 0
 *	u32 first[n_addr + 1]	 frames of address I: first[I] up to first[I + 1]
 *	u32 name[n_frame], file[n_frame], decl[n_frame]	 numbers of strings
 *	u32 line[n_frame]
 *	u32 str_at[n_str + 1]	 where strings begin in the text; string 0 is ""
 *	n_key bytes of key: what the answers depend on
 *	the text of all strings
 *
 * There is no padding: the file has no byte that the checksum does not cover and no reader uses.
 */
#ifndef AS_SYMBOLS_CACHE_SYMBOL_CACHE_FILE_H
#define AS_SYMBOLS_CACHE_SYMBOL_CACHE_FILE_H

#include "symbols/symbols.h"

/* Also a new one when other answers are given to the same questions. */
enum { AS_SYMCACHE_VERSION = 8 };

/* A file in memory, checked; its parts are borrowed. */
struct as_symcache_view {
	size_t n_addr, n_frame, n_str;
	const uint64_t *addr, *start;
	const uint32_t *first, *name, *file, *decl, *line, *str_at;
	const char *text;
};

/* False: BYTES (aligned to 8) is no whole and undamaged file of this version for KEY. */
AS_NODISCARD bool as_symcache_parse(
	struct as_symcache_view *view, struct as_slice bytes, struct as_slice key);

/* What the checksum of BYTES has to be; BYTES holds a head at least. */
uint64_t as_symcache_sum(struct as_slice bytes);

struct as_symcache_image {
	char *p;
	size_t size;
};

/* The file for these answers. AS_E_LIMIT: too many for the format. IMAGE->p is of set->al, by
 * as_alloc_free(). */
enum as_code as_symcache_make(struct as_symcache_image *image, struct as_slice key,
	const uint64_t *addr, size_t n, const struct as_symset *set) AS_NODISCARD;

/* SET, which is new, gets the strings of VIEW by their numbers; they stay where they are. */
AS_NODISCARD bool as_symcache_lend(const struct as_symcache_view *view, struct as_symset *set);

/* Add the frames of address I to SET as the next address's. MAP has n_str entries, zero at first,
 * and serves one view and one set; NULL: the set was lent the strings. */
AS_NODISCARD bool as_symcache_copy(
	const struct as_symcache_view *view, size_t i, as_str *map, struct as_symset *set);

#endif
