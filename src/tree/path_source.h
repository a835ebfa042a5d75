/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths by function of a profile that tells who called whom: those that it has, or, out of
 * calls, an estimate with all that is known of what of it is exact.
 */
#ifndef AS_TREE_PATH_SOURCE_H
#define AS_TREE_PATH_SOURCE_H

#include "tree/calltree.h"

struct as_path_source {
	const struct as_profile *src; /* what it is made of; borrowed */
	struct as_profile *estimate;  /* NULL: SRC has paths, or only trees are made of its calls */
	struct as_profile *marked; /* SRC itself, but estimated: of trees of its calls; or NULL */
	const struct as_profile
		*prof;     /* that with the paths, or, of trees, their names and totals */
	const char *shape; /* of SRC */
	/* By function, of SRC, once a tree of an estimate has asked; else NULL. Without inclusive
	 * costs. */
	struct as_table *calls;
	struct as_calltree all; /* with MARKED, once made, as long as trees are asked for: of all */
	bool has_all;
};

struct as_path_tree_opts {
	bool keep_contexts, no_cycles;
	bool fold_clones, whole_objects; /* as in struct as_project_opts */
	enum as_tree_way way;
	const struct as_calltree_root *of; /* that alone; NULL: all paths */
	as_val min; /* of a view of callees that will be made, by EVENT: no more is told apart than
		     * that shows; 0: all */
	uint32_t event;
	/* an estimate will be asked for again; else its paths are released once the tree has them,
	 * so that files of any size fit */
	bool keep_paths;
	/* As soon as CALLS is there, with its inclusive costs; may be NULL. */
	void (*see_calls)(void *ctx, const struct as_table *calls);
	void *ctx;
};

/* SRC outlives P, which always ends in as_path_source_release(). TREES: nothing but
 * as_path_source_tree() is asked of it. */
enum as_code as_path_source_make(struct as_path_source *p, const struct as_profile *src, bool trees,
	struct as_err *err) AS_NODISCARD;
void as_path_source_release(struct as_path_source *p);

/* CT for a view that goes that way, contexts and cycles each time as the first time; it always ends
 * in as_calltree_release(). */
enum as_code as_path_source_tree(struct as_path_source *p, const struct as_path_tree_opts *opts,
	struct as_calltree *ct, struct as_err *err) AS_NODISCARD;

#endif
