/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions by what somebody types: a name, as it is or as views show it, a part of one, or a
 * regular expression. Host only, since names as they are shown need the demangler.
 */
#ifndef AS_SESSION_CHOOSE_FUNC_H
#define AS_SESSION_CHOOSE_FUNC_H

#include "listing/listing.h"
#include "session/filters.h"

struct as_typed {
	struct as_slice what;
	struct as_regexes regex;
	void *re; /* NULL: it is none */
	struct as_arena arena;
	struct as_listing_how how;
	size_t n_own, n_args; /* functions with WHAT in their own name; in their arguments only */
};

/* AS_E_LIMIT: as a regular expression it would be too large; what is none is no error. Always ends
 * in as_typed_end(). */
enum as_code as_typed_begin(struct as_typed *t, const struct as_alloc *al, struct as_slice what,
	const struct as_regexes *regex, struct as_err *err) AS_NODISCARD;
void as_typed_end(struct as_typed *t);

#endif
