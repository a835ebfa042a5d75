/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in memory to a gzip member that is small: for what is written once and
 * carried about. The same bytes in give the same bytes out: no name, no time. */
#ifndef AS_IO_GZIP_BEST_H
#define AS_IO_GZIP_BEST_H

#include "base/alloc.h"
#include "base/err.h"
#include "base/slice.h"

struct as_gzip_best {
	char *p;
	size_t n, cap;
};

/* AS_E_NOMEM, or AS_OK. OUT ends in as_gzip_best_release(), also on failure. */
enum as_code as_gzip_best(struct as_gzip_best *out, const struct as_alloc *al, struct as_slice in,
	struct as_err *err) AS_NODISCARD;
void as_gzip_best_release(struct as_gzip_best *out, const struct as_alloc *al);

#endif
