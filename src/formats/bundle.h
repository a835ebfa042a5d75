/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several files as one input: the form in which a directory that is a profile reaches its reader,
 * from a file system, from memory or from a pipe.
 *
 *	assay-files 1
 *	file SIZE NAME
 *	SIZE bytes, and a line end
 *	file SIZE NAME
 *	...
 *
 * The files that say what the others mean come first: see io/dir.h.
 */
#ifndef AS_FORMATS_BUNDLE_H
#define AS_FORMATS_BUNDLE_H

#include "formats/format.h"

#define AS_BUNDLE_MAGIC "assay-files 1\n"

enum { AS_BUNDLE_NAME = 256 };

struct as_bundle {
	struct as_in *in;
	char name[AS_BUNDLE_NAME]; /* of the file that is read, terminated */
	uint64_t left;             /* bytes of it to come, as its head says */
	uint64_t off;              /* where it begins in the input */
	bool begun, open;
	bool cut; /* the input ended inside a file */
};

/* Directories that are profiles: FILE in it begins with MARK. Ended by NULL. */
struct as_bundle_mark {
	const char *file, *mark;
};
extern const struct as_bundle_mark as_bundle_marks[];

/* The first file of a bundle that begins with HEAD, as far as it is there; false: it is none. */
bool as_bundle_first(struct as_slice head, struct as_slice *name, struct as_slice *data);

/* Move on to the next file, over what is left of this one. AS_END: there is none, or the input was
 * cut. AS_E_FORMAT: the input is no bundle. */
enum as_code as_bundle_next(struct as_bundle *b, struct as_rd *rd) AS_NODISCARD;
/* At least MIN bytes of the file, or all that is left of it when fewer are: look at the length. */
enum as_code as_bundle_peek(struct as_bundle *b, size_t min, struct as_slice *out) AS_NODISCARD;
static inline void as_bundle_take(struct as_bundle *b, size_t n)
{
	as_in_take(b->in, n);
	b->left -= n;
}
/* All that is left of the file, MAX bytes at the most, in memory of ARENA; it is moved over. */
enum as_code as_bundle_all(struct as_bundle *b, struct as_rd *rd, struct as_arena *arena,
	size_t max, struct as_slice *out) AS_NODISCARD;

#endif
