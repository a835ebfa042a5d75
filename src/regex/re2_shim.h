/* SPDX-License-Identifier: Apache-2.0 */
/* RE2 as C sees it: plain types, for our own headers are C. Private to src/regex. */
#ifndef AS_REGEX_RE2_SHIM_H
#define AS_REGEX_RE2_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct as_re2;

enum as_re2_code { AS_RE2_OK, AS_RE2_WRONG, AS_RE2_TOO_LARGE, AS_RE2_NO_MEMORY };

struct as_re2_error {
	char why[256]; /* ended by 0 */
	size_t place;  /* in the pattern, bytes */
};

/* ERROR is filled in for AS_RE2_WRONG. */
enum as_re2_code as_re2_new(const char *pattern, size_t len, int ignore_case, struct as_re2 **out,
	struct as_re2_error *error);
void as_re2_free(struct as_re2 *re);
int as_re2_match(const struct as_re2 *re, const char *text, size_t len);

#ifdef __cplusplus
}
#endif

#endif
