/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading inputs: what its files share. Private to session.
 *
 *	load.c		one input, and which inputs there are
 *	load_batch.c	several, read at once and merged
 *	folder.c	an input that is a folder: `perf record --threads` writes DIR/data, and
 *			DIR/data.0 and so on with more records
 *	known.c		what was said of objects, for files that have the same ones: a regular
 *			expression takes longer than looking up. Any threads may ask
 *	made_names.c	the files in which processes tell of code that they made, beside a recording
 *	unwinding.c	copies of stacks, unwound by the tables of the binaries that are named
 */
#ifndef AS_SESSION_LOAD_IMPL_H
#define AS_SESSION_LOAD_IMPL_H

#include "change/transform.h"
#include "formats/format.h"
#include "io/file.h"
#include "perf/perf_made.h"
#include "perf/perf_stack.h"
#include "session/load.h"

/* Whoever made the session is told how far the reading is, from here to the end; may be NULL. */
struct as_progress *as_load_progress(const struct as_session *ses);
void as_load_progress_end(const struct as_session *ses);

/* As as_load(), by one thread and within a PROGRESS that has begun, or NULL. */
void as_load_quiet(const struct as_session *ses, const char *path, const struct as_load_opts *opts,
	struct as_progress *progress, struct as_loaded *ld);

/* All files of IN, read and merged in their order. *AGAIN: they do not go together as they were
 * read, and nothing was told. */
enum as_exit as_load_merged(const struct as_session *ses, const struct as_load_opts *opts,
	bool keep_parts, struct as_inputs *in, bool *again);

/* Nothing is chosen, and only who has read all can tell why. */
bool as_load_chose_nothing(const struct as_load_opts *opts, const struct as_profile *prof);

/* ---- folder.c ---- */
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

/* ---- known.c ---- */
struct as_known;

/* *CHOICE, which is borrowed with what it leads to, and from then on asks by way of *OUT. NULL: no
 * memory; then it stays as it is. */
struct as_known *as_known_new(const struct as_alloc *al, struct as_rd_choice *choice);
/* That objects alone are chosen by, and none that was asked of is wanted. */
bool as_known_wants_none(const struct as_known *k);
void as_known_free(struct as_known *k);

/* ---- made_names.c ---- */
struct as_made_files {
	struct as_made_names hook; /* of one reading */
	const struct as_session *ses;
	struct as_arena arena;
	AS_VEC(struct as_made_file) file;
	uint64_t given; /* bit i: the binary I that the user gave is such a file, and was used */
};

/* The names for one reading; NULL: files may not be looked at. Always ends in
 * as_made_files_release(). */
const struct as_made_names *as_made_files_init(
	struct as_made_files *m, const struct as_session *ses);
void as_made_files_release(struct as_made_files *m);

/* ---- unwinding.c ---- */
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
