/* SPDX-License-Identifier: Apache-2.0 */
/* Just enough UTF-8: is this a character, how many columns does a text take. */
#ifndef AS_REPORT_UTF8_H
#define AS_REPORT_UTF8_H

#include "base/slice.h"

/* Bytes of the well-formed character that begins at P (N bytes are there), or 0 if there is
 * none: not UTF-8, overlong, a surrogate, beyond U+10FFFF, or cut off. */
size_t as_utf8_len(const char *p, size_t n);

/* Columns of S in a terminal, every character counted as one. */
size_t as_utf8_columns(struct as_slice s);

#endif
