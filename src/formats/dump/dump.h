/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical text of a profile, docs/formats/dump.md. Private to src/formats/dump.
 *
 * Handles depend on the order in which a profile was built, so nothing is sorted by them: every
 * table gets ranks, the place of each row when the table is sorted by content.
 */
#ifndef AS_FORMATS_DUMP_DUMP_H
#define AS_FORMATS_DUMP_DUMP_H

#include "base/sort.h"
#include "formats/format.h"
#include "model/labels.h"

struct dump {
	struct as_out *out;
	struct as_err *err;
	const struct as_alloc *al;
	const struct as_profile *prof;
	bool origin; /* where the profile came from is told as well */
	struct as_order object, file, func;
	struct as_label_order labels;
};

/* Fill all orders; false if out of memory. */
AS_NODISCARD bool as_dump_rank(struct dump *d);

/* " WORD=" and the text in quotes; nothing for the empty text. */
void as_dump_field(struct dump *d, const char *word, struct as_slice text);
/* The text in quotes, escaped. */
void as_dump_quote(struct dump *d, struct as_slice text);
/* " fn=... ob=... fl=... at=... line=... addr=...", without what is not known. */
void as_dump_pos(struct dump *d, const struct as_pos *pos);
/* What few sources say of a place. */
void as_dump_more(struct dump *d, const struct as_place_more *more);
/* " V V V\n" */
void as_dump_values(struct dump *d, const as_val *v, size_t n);

/* The facts: self, call and jump lines; sample lines. */
enum as_code as_dump_rows(struct dump *d) AS_NODISCARD;
enum as_code as_dump_samples(struct dump *d) AS_NODISCARD;

#endif
