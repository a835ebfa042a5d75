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

/* The sorted order of one table. */
struct dump_order {
	uint32_t n;
	uint32_t *rank; /* of each row; rank + n is AT */
	uint32_t *at;   /* the row at each rank */
};

struct dump {
	struct as_out *out;
	struct as_err *err;
	const struct as_alloc *al;
	const struct as_profile *prof;
	bool origin; /* where the profile came from is told as well */
	struct dump_order object, file, func;
	struct as_label_order labels;
};

/* Whether row A comes before (<0), after (>0) or with (0) row B. */
typedef int dump_cmp(const void *ctx, uint32_t a, uint32_t b);

/* The order of the N rows 0, 1 ... of a table. False if out of memory. */
AS_NODISCARD bool as_dump_order_init(
	struct dump_order *o, const struct as_alloc *al, size_t n, dump_cmp *cmp, const void *ctx);
void as_dump_order_release(struct dump_order *o, const struct as_alloc *al);

/* Fill all orders; false if out of memory. */
AS_NODISCARD bool as_dump_rank(struct dump *d);
void as_dump_unrank(struct dump *d);

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
