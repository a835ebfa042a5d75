/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller who asks again and again keeps from one time to the next: the kernel's names, and
 * of each object with a build id the open file and all that it has answered. Private to
 * src/symbols.
 */
#ifndef AS_SYMBOLS_SYMBOL_KEPT_H
#define AS_SYMBOLS_SYMBOL_KEPT_H

#include "symbols/names/name_list.h"
#include "symbols/symbol_file.h"

/* An object and its answers, in the order in which they were found. */
struct as_kept_object {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice path, id;   /* what the profile calls it */
	struct as_symfile file;     /* open */
	struct as_file_facts facts; /* of that file */
	struct as_symcache cache;   /* where the answers go in the end, */
	struct as_symcache_key key; /* once it is known: ASKED */
	bool asked;
	struct as_symset set;
	AS_VEC(uint64_t) vaddr; /* of each answer */
	AS_VEC(uint32_t) fresh; /* answers that the cache does not have */
	struct as_index index;
	uint64_t used; /* when it was found last: by as_kept_names.run */
};

struct as_kept_names {
	const struct as_alloc *al;
	struct as_name_list list; /* the kernel's, if it is THERE */
	bool there;
	AS_VEC(struct as_kept_object *) object;
	uint64_t run; /* which as_symbolize() it is */
};

/* Another as_symbolize() begins: what others have not used for longest goes, where it is much. */
void as_kept_begin(struct as_kept_names *kept);

/* Object O of PROF, if its file is kept and has not changed since; NULL: not. */
struct as_kept_object *as_kept_find(
	struct as_kept_names *kept, const struct as_profile *prof, as_object o);
/* From now on FILE, which is open, is kept for it, if *OUT is not NULL then. Errors: AS_E_NOMEM. */
enum as_code as_kept_add(struct as_kept_names *kept, const struct as_profile *prof, as_object o,
	const struct as_symfile *file, struct as_kept_object **out) AS_NODISCARD;

/* ROW[i] of the answer for VADDR[i]; UINT32_MAX: there is none yet. */
void as_kept_rows(const struct as_kept_object *ob, const uint64_t *vaddr, size_t n, uint32_t *row);
/* The answers SET for the addresses VADDR[0..N), but for those that are not to be TAKEN; FRESH: the
 * cache on disk does not have them. False if out of memory. */
AS_NODISCARD bool as_kept_put(struct as_kept_object *ob, const uint64_t *vaddr, size_t n,
	const struct as_symset *set, const bool *taken, bool fresh);

#endif
