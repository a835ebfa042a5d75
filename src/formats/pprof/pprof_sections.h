/* SPDX-License-Identifier: Apache-2.0 */
/* Files in sections, of which not all need be there. Private to pprof. */
#ifndef AS_FORMATS_PPROF_SECTIONS_H
#define AS_FORMATS_PPROF_SECTIONS_H

#include "formats/pprof/pprof.h"

/* Which of the N sections of a file, that begins with FIRST, have what CHOICE asks for. */
bool as_pb_sections(const struct as_alloc *al, struct as_slice first,
	const struct as_rd_choice *choice, bool *wanted, size_t n);
/* Whether not one section of samples is there. */
bool as_pb_is_front_alone(const struct as_rd *rd);
/* Whether the table has string I, and it is not the empty one, which nothing names. Of a file in
 * sections not all need be there. */
static inline bool as_pb_has_str(const struct as_pb_read *r, uint64_t i)
{
	return i && i < r->str.n && (!AS_HAS_WRITERS || r->str.p[i].p);
}

/* Of locations, functions and mappings those of samples that may be asked for, where not all
 * sections are there. */
bool as_pb_reserve_some(struct as_pb_read *r);
/* Where each of the locations and functions from P on is. Returns their end, or where one is that
 * our writer did not write. */
const uint8_t *as_pb_find_some(struct as_pb_read *r, const uint8_t *p, const uint8_t *end);
enum as_code as_pb_read_some(struct as_pb_read *r) AS_NODISCARD;
/* Location ROW has an address that its mapping does not tell: so all of the mapping are others. */
enum as_code as_pb_is_odd_in_section(struct as_pb_read *r, size_t row) AS_NODISCARD;
/* Before the samples; before each of them; what it cost, and the location where it ends (row + 1,
 * 0 for none); and behind all. */
enum as_code as_pb_begin_sections(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_next_of_section(struct as_pb_read *r) AS_NODISCARD;
enum as_code as_pb_add_to_section(
	struct as_pb_read *r, uint64_t number, const int64_t *v, uint32_t leaf) AS_NODISCARD;
enum as_code as_pb_end_sections(struct as_pb_read *r) AS_NODISCARD;

#endif
