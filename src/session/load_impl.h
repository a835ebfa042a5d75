/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading inputs: what its files share. Private to session.
 *
 *	load.c		one input, and which inputs there are
 *	load_batch.c	several, read at once and merged
 */
#ifndef AS_SESSION_LOAD_IMPL_H
#define AS_SESSION_LOAD_IMPL_H

#include "change/transform.h"
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

#endif
