/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the recorder says of a run, in lines "assay: KEY: VALUE": behind the mappings of a
 * gperftools profile, in comments of a pprof profile, in "desc:" lines of Callgrind's. Read, they
 * are facts of the model, and out of these they are written again.
 *
 *	command, process, thread, thread id	the part
 *	started, duration			the profile
 *	clock, cpu time, threads, counts	lines of metadata, whose key is "assay: KEY"
 *	counts of EVENT				likewise, of one of several: "assay: KEY of EVENT"
 *	period of EVENT, active of EVENT	the event, where the format has no place for that
 *	estimated of EVENT			likewise: scaled up from samples
 *	recorded				likewise: what was typed, where parts have commands
 *
 * Texts have '%', '=' and control characters as %XX.
 */
#ifndef AS_FORMATS_RUN_LINES_H
#define AS_FORMATS_RUN_LINES_H

#include "formats/format.h"

/* What a format has no other place for; that is among its lines. */
enum {
	AS_RUN_PROCESS = 1, /* command, process, thread id */
	AS_RUN_TIMES = 2,   /* started, duration */
	AS_RUN_UTF8 = 4,    /* its texts are UTF-8: bytes that are not become %XX, too */
	AS_RUN_EVENTS = 16, /* periods of several events, and how much of the time they count */
};

enum as_said {
	AS_SAID_OTHER, /* it is no line of these */
	AS_SAID_FACT,
	AS_SAID_WRONG, /* it is, but says nothing: see EXPECTED */
};

struct as_run_read {
	struct as_build *b;
	struct as_arena arena;
	uint32_t part;
	unsigned kinds; /* AS_RUN_*: among the lines */

	uint32_t said;                             /* a bit for each key */
	bool has_clock, has_started, has_duration; /* lines have said these, */
	int64_t started, duration;                 /* and what: these are not the profile's yet */
	uint64_t n_threads;                        /* in all tallies */
	struct as_slice thread;                    /* the name of the last of them */

	/* of a line that is wrong */
	const char *expected;
	struct as_slice found; /* in the line */
};

/* Lines of PART follow. */
void as_run_begin(struct as_run_read *r, struct as_build *b, uint32_t part, unsigned asked);
enum as_code as_run_line(struct as_run_read *r, struct as_slice line, enum as_said *said)
	AS_NODISCARD;
/* No more lines. */
enum as_code as_run_end(struct as_run_read *r) AS_NODISCARD;
void as_run_release(struct as_run_read *r);
/* The lines to write. */
struct as_run_lines {
	struct as_arena arena;
	AS_VEC(struct as_slice) line; /* without '\n' */
	size_t n_head;                /* those that the recorder writes when it begins come first */
	bool clock;                   /* one of them tells the clock: the recorder wrote them */
	uint64_t lost_started, lost_duration; /* times that they cannot say */
};

/* Of PROF's first part, if there is no other. False if out of memory. */
AS_NODISCARD bool as_run_lines_make(
	struct as_run_lines *rl, const struct as_profile *prof, unsigned kinds);
void as_run_lines_release(struct as_run_lines *rl, const struct as_alloc *al);
/* COMMAND is what was typed; the parts of B, one at least, have commands of their own. */
enum as_code as_run_put_recorded(struct as_build *b, struct as_slice command) AS_NODISCARD;
/* What was typed if PROF says so, beside commands of its parts; as_run_command(): or else the one
 * that all of those have. p == NULL: none, or out of memory. Borrowed from PROF or in AR. */
struct as_slice as_run_recorded(const struct as_profile *prof, struct as_arena *ar);
struct as_slice as_run_command(const struct as_profile *prof, struct as_arena *ar);
/* A line of metadata of this key is one of them. */
bool as_run_is_key(struct as_slice key);
/* How many of PROF's are. */
uint64_t as_run_count_metas(const struct as_profile *prof);

#endif
