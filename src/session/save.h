/* SPDX-License-Identifier: Apache-2.0 */
/* From a profile to files: format, losses, atomic replacement. */
#ifndef AS_SESSION_SAVE_H
#define AS_SESSION_SAVE_H

#include "session/load.h"

/* Where the output goes and what it will be. */
struct as_save {
	const struct as_format *fmt; /* NULL: not said; see as_save_plan() */
	const char *path;            /* "-" is stdout */
	bool to_stdout, to_dir;
	/* "3 processes", where those of one run are joined, and what that loses is told as one
	 * thing; may be NULL */
	const char *joined;
	/* pprof's format is written without a word on what is shown first, as pprof chooses well */
	bool pprof_chooses;
};

/*
 * Decide from -t and -o before anything is read, so that mistakes show at once. SAVE->fmt stays
 * NULL where only the inputs can tell: then give it a format or call as_save_no_format().
 */
enum as_exit as_save_plan(const struct as_session *ses, struct as_save *save);

/* Whether the result says when samples were counted: they are to be read with their moments. */
static inline bool as_save_wants_moments(const struct as_save *save)
{
	return !save->fmt || (save->fmt->caps & AS_CAP(MOMENTS));
}
/* And whether it has markers. */
static inline bool as_save_wants_markers(const struct as_save *save)
{
	return !save->fmt || (save->fmt->caps & AS_CAP(MARKERS));
}

enum as_exit as_save_no_format(const struct as_session *ses, const struct as_save *save);

/*
 * Write PROF, which stays the caller's. L holds what was lost on the way here and gets what
 * the format cannot carry; it is printed, a line per kind. With --strict any loss means that
 * nothing is written.
 */
enum as_exit as_save_run(const struct as_session *ses, const struct as_save *save,
	const struct as_profile *prof, struct as_losses *l);
/* The same for what IN has; --contexts=paths makes call paths out of its names before. */
enum as_exit as_save_inputs(
	const struct as_session *ses, const struct as_save *save, struct as_inputs *in);

/* FILES as one profile, read, changed and written. Where SAVE->fmt is NULL it becomes the format
 * that all inputs have. CHANGE, if it is not NULL, also does what --contexts=paths asks for. */
enum as_exit as_save_files(const struct as_session *ses, struct as_save *save,
	struct as_files files, bool keep_parts,
	enum as_exit (*change)(const struct as_session *ses, struct as_inputs *in));

#endif
