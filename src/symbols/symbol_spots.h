/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of code without a name. Private to src/symbols. */
#ifndef AS_SYMBOLS_SYMBOL_SPOTS_H
#define AS_SYMBOLS_SYMBOL_SPOTS_H

#include "model/profile.h"

struct as_spot {
	uint64_t addr;
	uint32_t object;
};

/* What is known of the addresses of an object. */
struct as_spots_of {
	size_t most;   /* rows, places and functions that have one; 0 = there is no address */
	size_t n;      /* distinct addresses */
	bool counted;  /* these are counted and not kept: set before as_spots_find() */
	uint64_t last; /* the last one that was counted */
};

struct as_spots {
	const struct as_profile *prof;
	const struct as_alloc *al;  /* a pool's: nothing is given back */
	struct as_spots_of *of;     /* of each object */
	AS_VEC(struct as_spot) row; /* distinct, object by object, ascending */
};

/* Which objects have such addresses: all of OF but N. False if out of memory. */
AS_NODISCARD bool as_spots_begin(
	struct as_spots *s, const struct as_profile *prof, const struct as_alloc *al);
bool as_spots_any(const struct as_spots *s);
/* The addresses, to ROW, and their numbers. False if out of memory. */
AS_NODISCARD bool as_spots_find(struct as_spots *s);

#endif
