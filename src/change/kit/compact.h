/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the same code that are added up without being sorted: they are in order. */
#ifndef AS_CHANGE_KIT_COMPACT_H
#define AS_CHANGE_KIT_COMPACT_H

#include "model/rows.h"

/* Of ROWS; it lives as long as AL's other memory. NULL if there is none. */
struct as_counts *as_counts_new(const struct as_alloc *al, const struct as_rows *rows);
/* Whether runs RUN[ORDER[0..N)], which are of one function and file, are counts at addresses
 * without lines, mostly in order. */
bool as_counts_begin(
	struct as_counts *c, const struct as_run *run, const uint32_t *order, size_t n);
/* What they add up to, to the current run of TO. False if out of memory. */
AS_NODISCARD bool as_counts_put(struct as_counts *c, struct as_rows *to);

#endif
