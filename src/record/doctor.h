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

enum { AS_DOCTOR_LINES = 20 };

struct as_doctor {
	struct as_doctor_line line[AS_DOCTOR_LINES];
	size_t n;
	bool can_record; /* in one way at least */
};

/*
 * Looks at this machine. LIBRARY: the sampler's path, NULL if there is none; VALGRIND likewise.
 * SERVERS: of debuginfod, as its client is told of them; NULL: none. SEARCH: PATH, by which
 * runtimes are found, to be asked for their versions.
 */
void as_doctor_look(struct as_doctor *d, const char *library, const char *valgrind,
	const char *servers, const char *search);

/* ---- its parts ---- */

struct as_doctor_line *as_doctor_add(struct as_doctor *d, const char *about,
	enum as_doctor_state state, const char *fmt, ...) AS_PRINTF(4, 5);
void as_doctor_advise(struct as_doctor_line *line, const char *text);
/* doctor_runtime.c: of runtimes, and of libc. */
void as_doctor_look_at_names(struct as_doctor *d, const char *search);

#endif
