/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that do not say when their samples were counted, but when they began. Host only. */
#ifndef AS_SESSION_BEGIN_H
#define AS_SESSION_BEGIN_H

#include "session/load.h"
#include "store/store_name.h"

/* Where LD has a profile without times that stand for all of it, it becomes one of when it began:
 * as its name says in a DATABASE, or as it says itself; among several, ALONE false, one that does
 * not say that either is of no known time, and so is one whose times are of no known day. */
enum as_code as_begin_place(struct as_loaded *ld, bool database, bool alone) AS_NODISCARD;

/* Whether PATH is a segment of a database by its name, or lies in one: then when that was. */
bool as_begin_of_segment(const char *path, struct as_store_span *span);

/* Whether the moments of IN, loaded so, are of the clock that everybody has. */
bool as_begin_is_clock(const struct as_inputs *in);
/* Says what stands where it began, and what is of no known time, and makes *WIDTH, that of a
 * column, as wide as the longest of what began. AS_EXIT_OK, unless nothing of IN is of a known
 * time, which is said. */
enum as_exit as_begin_tell(
	const struct as_session *ses, const struct as_inputs *in, uint64_t *width);

#endif
