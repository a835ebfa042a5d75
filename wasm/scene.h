/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has been worked out of a profile as the filters of a question leave it, until other
 * filters need the room. Private to scene*.c.
 */
#ifndef AS_WASM_SCENE_H
#define AS_WASM_SCENE_H

#include "engine.h"
#include "session/filters.h"

enum { TOPS = 4 };

struct scene_top {
	bool made, keep_contexts;
	struct as_top_opts opts;
	uint64_t asked;
	struct as_top top;
};

struct scene_listings {
	struct as_listings *ls; /* NULL: not yet */
	bool keep_contexts;
	uint32_t event;
};

/* A tree of all paths, or of one function's. */
struct scene_tree {
	bool made;
	enum as_tree_way way;
	struct as_calltree ct;
	struct as_calltree_root of;
};

struct scene {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice key; /* the filters; empty: there are none */
	enum as_detail detail;
	uint64_t asked; /* struct engine's clock then */
	const struct as_profile *prof;
	struct as_profile *folded;  /* without inlined frames, if they are not wanted; else NULL */
	struct as_filters *filters; /* NULL: there are none */
	struct as_filters_left left;
	struct as_losses losses;

	bool no_cycles; /* for all that is kept */
	struct scene_top top[TOPS];
	struct scene_listings listings;

	struct as_profile *picked; /* of one event */
	uint32_t picked_event;
	struct as_path_source paths;
	bool paths_made, paths_keep_contexts;
	struct scene_listings of_paths;
	struct scene_tree all, one;

	struct as_keepsake keepsake;
};

/* The scene of the filters of Q, in that detail or in as much as they need. */
enum as_code as_scene_get(struct engine *e, const struct question *q, enum as_detail detail,
	struct scene **scene, struct failure *f) AS_NODISCARD;
/* The same; of the BASE of a comparison, which may have a time of its own: "base-time-from" and
 * "base-time-to". */
enum as_code as_scene_get_side(struct engine *e, const struct question *q, enum as_detail detail,
	bool base, struct scene **scene, struct failure *f) AS_NODISCARD;
void as_scene_free(struct scene *s); /* NULL is fine */
/* Results computed from the call paths. */
void as_scene_drop_paths(struct scene *s);
/* Fails where filters leave nothing of a profile that has something. */
enum as_code as_scene_left(const struct scene *s, struct failure *f) AS_NODISCARD;

#endif
