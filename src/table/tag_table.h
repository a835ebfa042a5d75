/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What samples with each value of each label cost. Of a sample that has several values of a key the
 * value is all of them, in their order: so the rows of a key, and what has no such label, add up to
 * the total.
 */
#ifndef AS_TABLE_TAG_TABLE_H
#define AS_TABLE_TAG_TABLE_H

#include "base/err.h"
#include "model/profile.h"

struct as_tag_row {
	uint32_t key; /* in as_tag_table.key */
	uint32_t first,
		n; /* labels in prof->label: those of one of the parts that are in the row */
};

struct as_tag_key {
	as_str name;
	uint32_t first, n; /* rows, in as_tag_table.order */
	size_t none;       /* in as_tag_table.cost: of what has no label of this key */
};

struct as_tag_table {
	const struct as_profile *prof;
	AS_VEC(struct as_tag_row) row;
	AS_VEC(struct as_tag_key) key; /* by name */
	AS_VEC(as_val) cost;           /* as_n_events() values for each row; then for each key */
	AS_VEC(uint32_t) order;        /* rows: by key, the heaviest first */
};

/* EVENT is what rows are ordered by. Errors: AS_E_NOMEM. Always ends in as_tag_table_release(). */
enum as_code as_tag_table_make(struct as_tag_table *t, const struct as_profile *prof,
	uint32_t event, struct as_err *err) AS_NODISCARD;
void as_tag_table_release(struct as_tag_table *t);

/* The values of N labels: "tag1", "512bytes", "one, two"; p == NULL: out of memory. */
struct as_slice as_label_text(struct as_arena *ar, const struct as_profile *prof,
	const struct as_label *label, uint32_t n);
/* Those of ROW. */
struct as_slice as_tag_text(
	const struct as_tag_table *t, struct as_arena *ar, const struct as_tag_row *row);

#endif
