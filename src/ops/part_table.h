/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of the parts of a profile, or of the threads that they are of. */
#ifndef AS_OPS_PART_TABLE_H
#define AS_OPS_PART_TABLE_H

#include "base/err.h"
#include "model/profile.h"

/* One part; or all parts of the same process and thread. */
struct as_part_row {
	uint32_t part; /* one of them */
	uint32_t n;    /* how many they are */
};

struct as_part_table {
	struct as_arena arena; /* owns what is below */
	size_t n;
	struct as_part_row *row;
	as_val *self; /* n * n_events; over all rows, the profile's total */
	uint32_t *of; /* the row of each part */
};

/* Every part is in a row, those without cost, too. Errors: AS_E_NOMEM. TABLE ends in
 * as_part_table_release(), also on failure. */
enum as_code as_part_table_make(struct as_part_table *table, const struct as_profile *prof,
	bool threads, struct as_err *err) AS_NODISCARD;
void as_part_table_release(struct as_part_table *table);

/* Rows by self cost of EVENT, largest first, then by process, thread and number. ORDER has room for
 * table->n. False if out of memory. */
AS_NODISCARD bool as_part_table_sort(const struct as_part_table *table,
	const struct as_profile *prof, uint32_t event, uint32_t *order);

#endif
