/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_BASE_UTF8_LEN_H
#define AS_BASE_UTF8_LEN_H

#include "base/slice.h"

/* Bytes of the well-formed character that begins at P (N bytes are there), or 0 if there is
 * none: not UTF-8, overlong, a surrogate, beyond U+10FFFF, or cut off. */
size_t as_utf8_len(const char *p, size_t n);
/* The same; also 0 if it does not show itself: it moves a terminal's cursor or gives it orders, or
 * turns the direction of what comes after it. */
size_t as_plain_len(const char *p, size_t n);
/* C, at most U+10FFFF, at OUT, which has room for four bytes; how many it takes. */
size_t as_utf8_put(char *out, uint32_t c);
/* Columns of S in a terminal, every character counted as one. */
size_t as_utf8_columns(struct as_slice s);

#endif
