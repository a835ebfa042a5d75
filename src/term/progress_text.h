/* SPDX-License-Identifier: Apache-2.0 */
/* What the line of progress says. */
#ifndef AS_TERM_PROGRESS_TEXT_H
#define AS_TERM_PROGRESS_TEXT_H

#include "base/base.h"

struct as_progress_at {
	uint64_t done, total; /* bytes; TOTAL 0: not known */
	uint64_t ms;          /* since reading began */
};

enum { AS_PROGRESS_TEXT = 128 };

/* "reading [####......] 42 % of 120 MB, 38 MB/s, 2 s left" in fewer than COLUMNS columns: what
 * there is no room for is left out, the bar first. */
void as_progress_text(
	char text[AS_PROGRESS_TEXT], const struct as_progress_at *at, unsigned columns);

#endif
