/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as views show them, beside those that functions have. Functions are told apart, filtered,
 * looked up, compared and written by their whole names; only what is printed or drawn asks here.
 */
#ifndef AS_MODEL_SHOWN_H
#define AS_MODEL_SHOWN_H

#include "base/arena.h"
#include "base/index.h"

/* How names are made. */
struct as_renamer {
	/* A new name, NAME itself, or one in ARENA; p == NULL: out of memory. */
	struct as_slice (*rename)(const void *ctx, struct as_arena *arena, struct as_slice name);
	/* A part of NAME that every other name has, too, that is renamed as NAME is; empty: none is
	 * seen, only the new name tells. NULL: none ever is. */
	struct as_slice (*base)(struct as_slice name);
	const void *ctx; /* borrowed */
};

struct as_shown_name {
	struct as_slice whole, shown; /* of the arena; the same where others look alike */
};

struct as_shown {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_index index; /* rows of NAME, by their whole names */
	AS_VEC(struct as_shown_name) name;
	struct as_renamer how; /* of names that were not added */
	/* Names are added when they are asked for: adds all that may look like NAME, or, with p ==
	 * NULL, all there are. False: out of memory. NULL: all have been added. */
	bool (*add)(struct as_shown *s, struct as_slice name);
	struct as_show_groups *groups; /* of ADD; in ARENA */
};

void as_shown_init(struct as_shown *s, const struct as_alloc *al, const struct as_renamer *how);
void as_shown_release(struct as_shown *s);

/* WHOLE is shown as SHOWN from now on; both are copied. */
AS_NODISCARD bool as_shown_add(struct as_shown *s, struct as_slice whole, struct as_slice shown);

/* Names that are added when they are asked for are added now: what they are taken from may go. */
AS_NODISCARD bool as_shown_complete(struct as_shown *s);

/* What NAME is shown as: NAME itself where nothing else was said, or memory has ended. S may be
 * NULL. */
struct as_slice as_shown_find(struct as_shown *s, struct as_slice name);
/* The same of a name that stands beside those that were added, as that of a function which is
 * called and cost nothing: borrowed, or in ARENA; p == NULL: out of memory. */
struct as_slice as_shown_beside(struct as_shown *s, struct as_arena *arena, struct as_slice name);

#endif
