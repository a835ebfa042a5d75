/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of the parts of a profile, of the threads that they are of, or of the labels that they
 * have. */
#ifndef AS_TABLE_PART_TABLE_H
#define AS_TABLE_PART_TABLE_H

#include "base/err.h"
#include "model/profile.h"

enum as_parts_by { AS_BY_PART, AS_BY_THREAD, AS_BY_LABEL };

struct as_parts_how {
	enum as_parts_by by;
	struct as_slice key; /* by label: of this key only; p == NULL: all labels */
};

/* One part; or all parts of the same process and thread, or of the same labels. */
struct as_part_row {
	uint32_t part;                  /* one of them */
	uint32_t n;                     /* how many they are */
	uint32_t first_label, n_labels; /* in as_part_table.label, by key */
};

struct as_part_table {
	struct as_arena arena; /* owns what is below */
	size_t n;
	struct as_part_row *row;
	as_val *self; /* n * n_events; over all rows, the profile's total */
	uint32_t *of; /* the row of each part */
	/* By label and by part: rows of prof->label, those that are looked at. Of several values of
	 * a key the row is that of all of them, in their order: so every cost is in one row. */
	uint32_t *label;
};

/* Every part is in a row, those without cost, too. Errors: AS_E_NOMEM. TABLE ends in
 * as_part_table_release(), also on failure. */
enum as_code as_part_table_make(struct as_part_table *table, const struct as_profile *prof,
	const struct as_parts_how *how, struct as_err *err) AS_NODISCARD;
void as_part_table_release(struct as_part_table *table);

/* "request=17, bytes=512bytes": the labels of ROW as filters take them; their values only where
 * rows are of one key. p == NULL: out of memory. */
struct as_slice as_part_labels_text(const struct as_part_table *table,
	const struct as_profile *prof, const struct as_parts_how *how, struct as_arena *ar,
	uint32_t row);

/* Rows by self cost of EVENT, largest first, then by labels, process, thread and number.
 * ORDER has room for table->n. False if out of memory. */
AS_NODISCARD bool as_part_table_sort(const struct as_part_table *table,
	const struct as_profile *prof, uint32_t event, uint32_t *order);

#endif
