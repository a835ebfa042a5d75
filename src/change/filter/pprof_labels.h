/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as pprof has them, for --compat=pprof and for filters by labels. */
#ifndef AS_CHANGE_FILTER_PPROF_LABELS_H
#define AS_CHANGE_FILTER_PPROF_LABELS_H

#include "model/profile.h"

/* Whether L is one of pprof's that has a number: one without text, number and unit says nothing. */
static inline bool as_pprof_is_number(const struct as_label *l)
{
	return !l->opaque && !l->text.i && (l->number || l->unit.i);
}

static inline bool as_pprof_is_text(const struct as_label *l)
{
	return !l->opaque && l->text.i;
}

/* The unit of all numbers of a key: the first one that a label states. */
struct as_pprof_units {
	const struct as_profile *prof;
	struct as_index index; /* of keys that state one, to a row in prof->label */
};

/* False if out of memory. Always ends in as_pprof_units_release(). */
AS_NODISCARD bool as_pprof_units_make(struct as_pprof_units *u, const struct as_profile *prof);
/* Without a statement it is bytes where pprof knows the key as such, else the key. */
struct as_slice as_pprof_unit_of(const struct as_pprof_units *u, as_str key);
void as_pprof_units_release(struct as_pprof_units *u);

#endif
