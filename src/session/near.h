/* SPDX-License-Identifier: Apache-2.0 */
/* What may have been meant by a name that is none. */
#ifndef AS_SESSION_NEAR_H
#define AS_SESSION_NEAR_H

#include "base/arena.h"

/* Edits (insertion, deletion, replacement, exchange of neighbours) from A to B; at most 64
 * bytes of either are looked at. */
unsigned as_edit_distance(const char *a, const char *b);
/* That of the N NAMES which is nearest to WORD, or NULL if none is near enough to be meant. */
const char *as_nearest(const char *word, const char *const *names, size_t n);
/* HINT is "did you mean 'BEFORENEAR'?", or OTHERWISE where NEAR is NULL. */
void as_nearest_hint(
	char *hint, size_t size, const char *before, const char *near, const char *otherwise);

enum { AS_NEAR = 3, AS_NEAR_NAME = 256 };

struct as_near {
	struct as_slice what;  /* that was typed */
	struct as_arena arena; /* scratch */
	bool whole;            /* functions are told with their arguments */
	char name[AS_NEAR][AS_NEAR_NAME];
	unsigned distance[AS_NEAR];
	size_t n;
};

/* Ends in as_near_end(). */
void as_near_begin(struct as_near *near, const struct as_alloc *al, struct as_slice what);
void as_near_end(struct as_near *near);

/* NAME is one that there is: of a function, or of something else. */
void as_near_try_function(struct as_near *near, struct as_slice name);
void as_near_try(struct as_near *near, struct as_slice name);

/* "BEFORE'a', 'b' or 'c'?", or "" if none is near. */
void as_near_text(const struct as_near *near, const char *before, char *text, size_t size);

#endif
