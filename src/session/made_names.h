/* SPDX-License-Identifier: Apache-2.0 */
/* The files in which processes tell of code that they made, beside a recording that is read. */
#ifndef AS_SESSION_MADE_NAMES_H
#define AS_SESSION_MADE_NAMES_H

#include "perf/perf_made.h"
#include "session/session.h"

struct as_made_files {
	struct as_made_names hook; /* of one reading */
	const struct as_session *ses;
	struct as_arena arena;
	AS_VEC(struct as_made_file) file;
	uint64_t given; /* bit i: the binary I that the user gave is such a file, and was used */
};

/* The names for one reading; NULL: files may not be looked at. Always ends in
 * as_made_files_release(). */
const struct as_made_names *as_made_files_init(
	struct as_made_files *m, const struct as_session *ses);
void as_made_files_release(struct as_made_files *m);

#endif
