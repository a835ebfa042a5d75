/* SPDX-License-Identifier: Apache-2.0 */
/* What a process has counted of its calls, from the file that it was counted in. */
#ifndef AS_RECORDING_CALLS_READ_H
#define AS_RECORDING_CALLS_READ_H

#include "model/build.h"

/* What is to be told of all files. */
struct as_calls_told {
	uint64_t calls, threads, forked;
	uint64_t missed;     /* calls that were not counted */
	uint64_t left;       /* functions left by longjmp() or an exception */
	uint64_t open;       /* not over at the end, */
	uint64_t unmatched;  /* or over without a beginning */
	uint64_t unsure;     /* at an address that two libraries had */
	uint64_t unfinished; /* files of processes that were killed, or end by _exit() */
	bool unsteady, full, damaged;
};

/* The events of the samples: each is an edge, [the caller,] the place of the call, the function. */
enum { AS_CALLS_COUNT, AS_CALLS_INCLUSIVE, AS_CALLS_SELF, AS_CALLS_EVENTS };

/*
 * Adds the SIZE bytes of a file to B, which has the events: a part for each thread, whose samples
 * are stacks of code without names. BYTES are the caller's, and are changed. Of a damaged file
 * what can be read is added. Times are nanoseconds.
 */
enum as_code as_calls_read(
	struct as_build *b, uint8_t *bytes, size_t size, struct as_calls_told *told) AS_NODISCARD;

/*
 * PROF, of such samples and with names by now, as functions that call each other: *OUT has the
 * event "ns". A place is of a line where it is of the caller's own code.
 */
enum as_code as_calls_make(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err) AS_NODISCARD;

#endif
