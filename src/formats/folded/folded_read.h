/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the reader of folded stacks share.
 *
 *	folded_read.c	lines, findings, options
 *	folded_frames.c	frames, known by their text
 *	folded_paths.c	stacks to the tree of paths
 *	folded_sums.c	stacks to sums of functions
 */
#ifndef AS_FOLDED_READ_H
#define AS_FOLDED_READ_H

#include "formats/folded/folded.h"
#include "model/sums.h"

/*
 * A frame by its text, marks included. All frames stand in one array of words, one behind the
 * other, so that looking one up waits for memory once: this, and its text, filled up with zeros.
 */
struct as_folded_frame {
	uint32_t len;
	uint32_t to; /* its place; where only sums are wanted, 2 * its function + 1 if inlined */
};

/* A frame of the last line: where it ends in the line, and its node; where only sums are wanted,
 * what as_folded_frame.to is. */
struct as_folded_level {
	size_t end;
	uint32_t to;
	uint64_t hash; /* of the path up to it; where only sums are wanted, 0 */
};

/* A node that does not stand behind its parent; 0 = none. */
struct as_folded_fork {
	as_node parent;
	as_place place;
	as_node node;
	uint32_t hash; /* the higher half of its path's, which names its home */
};

struct as_folded_reader {
	struct as_rd *rd;
	const struct as_alloc *al;
	uint64_t line;    /* number of the one that is read */
	const char *base; /* of the window, which is at byte BASE_OFF */
	uint64_t base_off;
	unsigned columns;
	uint64_t scale;
	uint64_t n_stacks;
	AS_VEC(uint64_t) frame;
	struct as_index frames;  /* where they begin */
	struct as_index samples; /* the first N_INDEXED, by their nodes */
	size_t n_indexed;
	struct as_folded_fork *fork; /* open addressing, at most 3/4 full */
	size_t forks, n_forks;       /* room there, a power of two, and how many there are */
	AS_VEC(struct as_folded_level) level;
	struct as_slice last; /* stack of the last line, in the window */
	as_object kernel, jit;
	struct as_sums sums; /* a path's number is its line's */
};

enum as_code as_folded_find(struct as_folded_reader *r, enum as_finding_id id, struct as_slice at,
	const char *what) AS_NODISCARD;

/* ---- frames ---- */
/* The frame of STACK, in the window, that begins at AT: where it ends and where it leads to. */
enum as_code as_folded_frame_at(struct as_folded_reader *r, struct as_slice stack, size_t at,
	size_t *end, uint32_t *to) AS_NODISCARD;
/* Keep the levels of those frames that STACK has in common with the last one. Returns where the
 * next frame begins: behind its end if there is none. */
size_t as_folded_keep_common(struct as_folded_reader *r, struct as_slice stack);

static inline bool as_folded_push_level(
	struct as_folded_reader *r, size_t end, uint32_t to, uint64_t hash)
{
	return as_vec_push(r->al, &r->level, ((struct as_folded_level){end, to, hash}));
}

/* ---- stacks ---- */
enum as_code as_folded_add_path(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count) AS_NODISCARD;
enum as_code as_folded_add_sums(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count) AS_NODISCARD;

#endif
