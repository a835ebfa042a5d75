/* SPDX-License-Identifier: Apache-2.0 */
/* The folder in which a recording's files come to be: beside the result, and gone with it. */
#ifndef AS_RECORD_SPOOL_DIR_H
#define AS_RECORD_SPOOL_DIR_H

#include <limits.h>

#include "base/alloc.h"
#include "base/err.h"

struct as_spool_dir {
	const struct as_alloc *al;
	char path[PATH_MAX + 32]; /* "": there is none */
	int lock;                 /* held as long as there is one: who else finds it knows */
	AS_VEC(char *) file;      /* after as_spool_dir_list(): absolute, in order */
};

/* Makes it beside RESULT, which need not be there. */
enum as_code as_spool_dir_make(struct as_spool_dir *d, const struct as_alloc *al,
	const char *result, struct as_err *err) AS_NODISCARD;

/* The files in it that are not empty: NAME itself, then the others by their names. */
enum as_code as_spool_dir_list(struct as_spool_dir *d, const char *name, struct as_err *err)
	AS_NODISCARD;

/*
 * Of these files, which are the sampler's, takes those out of the list that have no sample and
 * tell of no trouble; one stays if all are like that.
 */
void as_spool_dir_drop_idle(struct as_spool_dir *d);

/* How many processes the files are of: each has the number of its own in its name, and one for
 * each program that it was. NAME itself is of process FIRST. */
size_t as_spool_dir_processes(const struct as_spool_dir *d, const char *name, int first);

/* Seconds of CPU time that the files stand for: by their samples, or, with SAID, by what they say
 * of it, as samples of wall time are none. */
double as_spool_dir_seconds(const struct as_spool_dir *d, bool said);

/* Whether the first file tells stacks of several threads apart, or has been cut short. */
bool as_spool_dir_has_threads(const struct as_spool_dir *d);

/* Removes it, and what is still in it. */
void as_spool_dir_remove(struct as_spool_dir *d);
/* Another one beside it, with files in it, that belongs to nobody: a recording was killed. Empty
 * ones are removed. False: there is none. */
bool as_spool_dir_left(const struct as_spool_dir *d, char *path, size_t size);
/* Lets go of what is known of it: it stays where it is. */
void as_spool_dir_leave(struct as_spool_dir *d);

#endif
