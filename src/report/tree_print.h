/* SPDX-License-Identifier: Apache-2.0 */
/* `assay tree` and `assay traces` as text, JSON (assay.tree/1, assay.traces/1, docs/json.md) and
 * CSV. */
#ifndef AS_REPORT_TREE_H
#define AS_REPORT_TREE_H

#include "report/sheet/sheet.h"
#include "tree/calltree.h"

/* What both are made of. */
struct as_paths_report {
	const struct as_profile *prof; /* with the paths */
	const char *shape;             /* of what was read */
	const struct as_view_opts *opts;
	const struct as_calltree *ct;
};

struct as_tree_report {
	struct as_paths_report paths;
	const struct as_tree_view *view;
	size_t n_views;  /* one for each function that was asked for */
	uint64_t n_more; /* functions that match and are not shown */
	bool bounded;    /* only AS_VIEW_LEVELS levels are shown, as the user said nothing */
};

enum as_code as_tree_print(const struct as_tree_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

struct as_traces_report {
	struct as_paths_report paths;
	const uint32_t *node; /* as_calltree_ends() */
	size_t n;             /* of NODE */
	size_t shown;
};

enum as_code as_traces_print(const struct as_traces_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

static inline struct as_view_func as_calltree_func(const struct as_calltree *ct, uint32_t key)
{
	return as_view_func(ct->prof, as_calltree_name(ct, key), &ct->key.p[key]);
}

#endif
