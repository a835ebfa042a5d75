/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a profile's cost lies in code that has names, object by object. */
#ifndef AS_TABLE_NAME_SHARES_H
#define AS_TABLE_NAME_SHARES_H

#include "model/profile.h"
#include "symbols/symbolize.h"

/* Self costs of the profile's first event. */
struct as_name_share {
	as_object object;
	as_val self, nameless;                 /* in the object */
	as_val begun;                          /* of NAMELESS: in functions known by their start */
	as_val whole;                          /* of the profile */
	const struct as_object_report *report; /* NULL: nothing was asked for */
};

struct as_name_shares {
	const struct as_profile *prof; /* borrowed */
	struct as_name_share *row;     /* the most nameless cost first */
	size_t n, size;
	as_val whole, nameless, begun;
	bool asked; /* names were looked for */
};

/* REPORT, borrowed, has what became of the objects of PROF. Objects that have names only are left
 * out. Errors: AS_E_NOMEM. Always ends in as_name_shares_release(). */
enum as_code as_name_shares_make(struct as_name_shares *s, const struct as_profile *prof,
	const struct as_symbol_report *report) AS_NODISCARD;
void as_name_shares_release(struct as_name_shares *s);

#endif
