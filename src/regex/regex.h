/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions in the syntax of RE2, which is pprof's. Matching takes time linear in the
 * text, whatever the pattern. Host only: the core takes a struct as_matcher
 * (change/filter/filter.h).
 */
#ifndef AS_REGEX_REGEX_H
#define AS_REGEX_REGEX_H

#include "base/err.h"
#include "base/slice.h"

struct as_regex;

struct as_regex_opts {
	bool ignore_case;
	size_t *place; /* where the pattern is wrong, in bytes; may be NULL */
};

/* Whether there is a library that does the work; without one as_regex_new() says so. */
bool as_regex_there(void);

/* AS_E_ARG: the pattern is wrong. AS_E_LIMIT: it would take too much memory. */
enum as_code as_regex_new(struct as_slice pattern, const struct as_regex_opts *opts,
	struct as_regex **out, struct as_err *err) AS_NODISCARD;
void as_regex_free(struct as_regex *re); /* NULL is fine */

/* Whether some part of TEXT matches. Several threads may ask at once. */
bool as_regex_match(const struct as_regex *re, struct as_slice text);

#endif
