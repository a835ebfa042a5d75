/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where images are, by their build ids: what `assay cache scan` has found. One file beside those of
 * the cache, which is replaced as a whole and removed with it: lines of "ID PATH", sorted.
 */
#ifndef AS_SYMBOLS_CACHE_IMAGE_MAP_H
#define AS_SYMBOLS_CACHE_IMAGE_MAP_H

#include "symbols/cache/symbol_cache.h"

#define AS_IMAGE_MAP "images.map" /* its name */

/* The file, opened; of a damaged one nothing is found. */
struct as_image_map {
	struct as_slice bytes, lines;
};
void as_image_map_open(struct as_image_map *map, const struct as_symcache *cache);
void as_image_map_close(struct as_image_map *map);
/* The next path of the image ID; *POS is 0 at first. False: there is none any more. */
bool as_image_map_next(
	const struct as_image_map *map, struct as_slice id, size_t *pos, struct as_slice *path);

struct as_image {
	struct as_slice id, path; /* absolute, without line breaks */
};

/* Add images to those that are known: those at the same paths are replaced, and those whose files
 * are gone are left out. *ADDED are new, *KNOWN is how many there are. Errors: AS_E_NOMEM; AS_E_IO,
 * where nothing can be kept. */
struct as_image_counts {
	size_t known, added;
};
enum as_code as_image_map_add(const struct as_symcache *cache, const struct as_image *image,
	size_t n, struct as_image_counts *counts, struct as_err *err) AS_NODISCARD;

#endif
