/* SPDX-License-Identifier: Apache-2.0 */
/* May one record here, with which clock and which stacks; and what to do if not. */
#ifndef AS_RECORD_DOCTOR_H
#define AS_RECORD_DOCTOR_H

#include "base/base.h"

enum as_doctor_state {
	AS_DOCTOR_OK,
	AS_DOCTOR_NOTE, /* works, with a limit that one should know */
	AS_DOCTOR_NO,
};

struct as_doctor_line {
	const char *about; /* one word or two */
	enum as_doctor_state state;
	char found[400];
	char advice[192]; /* "": there is nothing to do */
};

enum { AS_DOCTOR_LINES = 16 };

struct as_doctor {
	struct as_doctor_line line[AS_DOCTOR_LINES];
	size_t n;
	bool can_record; /* in one way at least */
};

/*
 * Looks at this machine. LIBRARY: the sampler's path, NULL if there is none; VALGRIND likewise.
 * SERVERS: of debuginfod, as its client is told of them; NULL: none.
 */
void as_doctor_look(
	struct as_doctor *d, const char *library, const char *valgrind, const char *servers);

#endif
