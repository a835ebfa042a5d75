/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets in files to link-time addresses, for the objects whose segments are known. An object
 * moves as a whole or not at all: its addresses are of one kind.
 */
#ifndef AS_CHANGE_KIT_READDRESS_H
#define AS_CHANGE_KIT_READDRESS_H

#include "change/kit/remap.h"

/* From here on R moves the code of all objects for which CHAINS has segments that hold every
 * address. Objects must be there already. Afterwards rows may be out of order, and some may be
 * equal. */
enum as_code as_readdress_init(struct as_remap *r, const struct as_chains *chains) AS_NODISCARD;
/* Functions that are called by their addresses, and have no name yet: they have them in their
 * names. */
enum as_code as_readdress_funcs(struct as_remap *r) AS_NODISCARD;

/* Where the byte at OFFSET is, by SEGMENT and those of its object that follow; false: nowhere. */
bool as_segments_find(const struct as_segment *segment, uint64_t offset, uint64_t *addr);

/* What ADDR of object O of R's source is in the result; 0 stays 0. */
static inline uint64_t as_readdress_in(const struct as_remap *r, as_object o, uint64_t addr)
{
	const struct as_segment *segment = r->moves ? r->moves[o.i] : NULL;

	if (segment && addr)
		(void)as_segments_find(segment, addr, &addr);
	return addr;
}

static inline uint64_t as_readdress(const struct as_remap *r, as_func func, uint64_t addr)
{
	return r->moves ? as_readdress_in(r, r->src->func.object.p[func.i], addr) : addr;
}

#endif
