/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV as RFC 4180 has it, but with '\n' line ends: a field with a comma, quote or line break
 * is quoted. The first line is the header. Unknown values are empty fields.
 */
#ifndef AS_REPORT_KIT_CSV_H
#define AS_REPORT_KIT_CSV_H

#include "io/out.h"
#include "table/metric.h"

struct as_csv {
	struct as_out *out; /* borrowed */
	bool some;          /* the line has a field already */
};

static inline void as_csv_init(struct as_csv *c, struct as_out *out)
{
	*c = (struct as_csv){.out = out};
}

void as_csv_text(struct as_csv *c, struct as_slice s);
/* "PREFIX NAME" as one field */
void as_csv_text2(struct as_csv *c, const char *prefix, struct as_slice name);
void as_csv_val(struct as_csv *c, as_val v);
void as_csv_number(struct as_csv *c, struct as_number n); /* empty where it is not known */
void as_csv_addr(struct as_csv *c, uint64_t addr);
void as_csv_empty(struct as_csv *c);
void as_csv_end(struct as_csv *c); /* of the line */

#endif
