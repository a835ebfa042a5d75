/* SPDX-License-Identifier: Apache-2.0 */
/* An input that is a folder: `perf record --threads` writes DIR/data, and DIR/data.0 and so on with
 * more records. Host only. */
#ifndef AS_SESSION_FOLDER_H
#define AS_SESSION_FOLDER_H

#include "io/file.h"

struct as_folder {
	const struct as_alloc *al;
	struct as_src *first; /* NULL: it is no such folder */
	AS_VEC(struct as_src *) more;
	char *name; /* that FIRST borrows */
	size_t size;
};

/* Opens what PATH has; false: it is no such folder, and RC and ERR stay what they were. */
bool as_folder_open(struct as_folder *f, const struct as_alloc *al, const char *path,
	struct as_progress *progress, struct as_err *err, enum as_code *rc);
/* Also of one that is zeroed. */
void as_folder_close(struct as_folder *f);

#endif
