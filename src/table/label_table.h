/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What parts of a profile cost, the threads that they are of, the labels that they have, or each
 * value of each label. Of a sample that has several values of a key the value is all of them, in
 * their order.
 */
#ifndef AS_TABLE_LABEL_TABLE_H
#define AS_TABLE_LABEL_TABLE_H

#include "base/err.h"
#include "model/profile.h"

/* Threads and processes are those of model/whose.h; a process is its name, or, without one, its
 * number. One whose labels have split off all that it had has no row. */
enum as_label_by { AS_BY_PART, AS_BY_THREAD, AS_BY_LABEL, AS_BY_VALUE, AS_BY_PROCESS };

/* What a row is. */
struct as_label_how {
	enum as_label_by by;
	struct as_slice key; /* by label: of this key only; p == NULL: all labels */
};

struct as_label_row {
	uint32_t part;                /* one of those that the row is of */
	uint32_t n_parts;             /* how many they are */
	const struct as_label *label; /* by key; of what they are, without what sources add */
	uint32_t n_labels;
};

/* By value, a row is of labels of one key, and parts without facts are in none. By anything else
 * every part is in one row, and the rows add up to the profile's total. */
struct as_label_table {
	const struct as_profile *prof;
	struct as_label_how how;
	AS_VEC(struct as_label_row) row;
	AS_VEC(as_val) self;    /* as_n_events() values for each row */
	uint32_t *row_of;       /* of each part: its row; by value, of no meaning */
	struct as_arena labels; /* of the rows */
};

/* HOW is borrowed, as is PROF. Errors: AS_E_NOMEM. TABLE ends in as_label_table_release(), also on
 * failure. */
enum as_code as_label_table_make(struct as_label_table *table, const struct as_profile *prof,
	const struct as_label_how *how, struct as_err *err) AS_NODISCARD;
/* A zeroed one is fine, too. */
void as_label_table_release(struct as_label_table *table);

static inline const as_val *as_label_self(const struct as_label_table *table, uint32_t row)
{
	as_assert(row < table->row.n);
	return table->self.p + (size_t)row * as_n_events(table->prof);
}

/* Rows by self cost of EVENT, largest first, then by labels, process, thread and number; by value,
 * first by key. ORDER has room for all of them. False if out of memory. */
AS_NODISCARD bool as_label_table_sort(
	const struct as_label_table *table, uint32_t event, uint32_t *order);

/* N labels as filters take them, "request=17, bytes=512bytes"; without keys "17, 512bytes".
 * p == NULL: out of memory. */
struct as_slice as_label_text(struct as_arena *ar, const struct as_profile *prof,
	const struct as_label *label, uint32_t n, bool with_keys);
/* Those of ROW: with keys where they may be of several. */
struct as_slice as_label_row_text(
	const struct as_label_table *table, struct as_arena *ar, uint32_t row);

#endif
