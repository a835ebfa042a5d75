/* SPDX-License-Identifier: Apache-2.0 */
/* How many columns a text takes. Is it UTF-8? base/utf8_len.h knows. */
#ifndef AS_REPORT_KIT_UTF8_H
#define AS_REPORT_KIT_UTF8_H

#include "base/utf8_len.h"

/* Columns of S in a terminal, every character counted as one. */
size_t as_utf8_columns(struct as_slice s);

#endif
