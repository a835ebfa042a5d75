/* SPDX-License-Identifier: Apache-2.0 */
/* Names in as many columns as there are. What is returned lives in AR or is a part of what was
 * given; p == NULL: out of memory. Columns are those of as_utf8_columns(). */
#ifndef AS_REPORT_KIT_NAME_FIT_H
#define AS_REPORT_KIT_NAME_FIT_H

#include "base/arena.h"

/*
 * NAME in WIDTH columns (0: no limit), whatever its language. What tells it least from others goes
 * first: the type that is returned, parameters, arguments of templates, leading scopes; then the
 * class is cut, and at last the function's own word, which stays whole as long as it fits. A
 * lambda keeps the function that it stands in. UTF8: dots are one character, else three.
 */
struct as_slice as_name_fit(struct as_arena *ar, struct as_slice name, size_t width, bool utf8);

/* The same with a mark of one's own for what is left out. */
struct as_slice as_name_fit_mark(
	struct as_arena *ar, struct as_slice name, size_t width, struct as_slice mark);

/* A file with its line, or an object with its offset: these stay, folders go first. */
struct as_slice as_place_fit(struct as_arena *ar, struct as_slice place, size_t width, bool utf8);

/* S cut behind so many columns. */
struct as_slice as_text_fit(struct as_arena *ar, struct as_slice s, size_t width, bool utf8);

#endif
