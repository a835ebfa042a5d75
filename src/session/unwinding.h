/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of stacks in what is read, unwound by the tables of the binaries that it names. */
#ifndef AS_SESSION_UNWINDING_H
#define AS_SESSION_UNWINDING_H

#include "perf/perf_stack.h"
#include "session/session.h"

struct as_unwinding {
	struct as_unwinder hook; /* of one reading */
	const struct as_session *ses;
	struct as_arena arena;
	struct as_session asked;
	struct as_symbol_opts opts;
	struct as_unwind_tables *tables; /* NULL until there is a copy */
	AS_VEC(struct as_unwinding_file) file;
};

/* The unwinder for one reading; NULL: binaries may not be looked at, or this assay cannot read
 * them. Always ends in as_unwinding_release(). */
const struct as_unwinder *as_unwinding_init(struct as_unwinding *u, const struct as_session *ses);
void as_unwinding_release(struct as_unwinding *u);

#endif
