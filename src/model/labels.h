/* SPDX-License-Identifier: Apache-2.0 */
/* Files, objects, and parts with their labels in an order that depends on what they say alone. */
#ifndef AS_MODEL_LABELS_H
#define AS_MODEL_LABELS_H

#include "model/profile.h"

/* By what the texts say. */
int as_str_cmp(const struct as_profile *prof, as_str a, as_str b);
/* Files by path, objects by path and id: for as_sort_rows(), PROF is a profile. */
int as_file_cmp(const void *prof, uint32_t a, uint32_t b);
int as_object_cmp(const void *prof, uint32_t a, uint32_t b);

struct as_label_order {
	uint32_t *label; /* as_labels_by_key() */
	uint32_t *part;  /* all parts; those that labels split off behind that one, by labels */
	uint32_t *rank;  /* of each part; parts of equal labels have that of the first of them */
	uint32_t *whole; /* of each part: the one that labels split it off, or itself */
};

/* By key, text, number, unit, and what the source has of its own. Two labels that are the same
 * compare as 0. */
int as_label_cmp(const struct as_profile *prof, const struct as_label *x, const struct as_label *y);

/* ORDER, with room for a row of each label of PROF: each part's labels where they stand, by key.
 * Those of one key stay in their order. False if out of memory. */
AS_NODISCARD bool as_labels_by_key(const struct as_profile *prof, uint32_t *order);

/* False if out of memory; always ends in as_label_order_release(). */
AS_NODISCARD bool as_label_order_init(struct as_label_order *o, const struct as_profile *prof);
void as_label_order_release(struct as_label_order *o, const struct as_profile *prof);

#endif
