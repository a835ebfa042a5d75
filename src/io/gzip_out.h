/* SPDX-License-Identifier: Apache-2.0 */
/* gzip on the way out. The same bytes in give the same bytes out: no name, no time, and whatever
 * the number of threads. */
#ifndef AS_IO_GZIP_OUT_H
#define AS_IO_GZIP_OUT_H

#include "base/alloc.h"
#include "base/err.h"
#include "io/out.h"

struct as_sink_gzip {
	struct as_sink sink; /* give this to as_out_open() */
	const struct as_alloc *al;
	void *state;
};

enum as_gzip_effort {
	AS_GZIP_QUICK,
	AS_GZIP_SMALL, /* some per cent less, in several times as long */
};

/* Compressed bytes go to INNER, which stays the caller's and is called by the caller's thread only;
 * up to JOBS threads compress, that one among them. Ends in finish or abort. */
enum as_code as_sink_gzip_open(struct as_sink_gzip *gz, const struct as_alloc *al,
	struct as_sink *inner, unsigned jobs, enum as_gzip_effort effort, struct as_err *err)
	AS_NODISCARD;
/* Write what is left, and release GZ. */
enum as_code as_sink_gzip_finish(struct as_sink_gzip *gz, struct as_err *err) AS_NODISCARD;
void as_sink_gzip_abort(struct as_sink_gzip *gz);

#endif
