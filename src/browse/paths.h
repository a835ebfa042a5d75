/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths, as the tree and the flame graph show them. */
#ifndef AS_BROWSE_PATHS_H
#define AS_BROWSE_PATHS_H

#include "browse/browse_impl.h"

struct as_browse_paths {
	const struct as_profile *of; /* what it was made of, and for; NULL: nothing */
	uint32_t of_event;
	bool bottom_up;
	struct as_profile *picked; /* that event alone; NULL: PROF is OF */
	const struct as_profile *prof;
	uint32_t event; /* of PROF */
	struct as_path_source source;
	struct as_calltree ct;
	struct as_tree_view view;
	bool has_source, has_ct, has_view;
};

/* Whether P is what the state asks for. */
bool as_browse_paths_are(const struct as_browse_paths *p, const struct as_browse *b);
/* Rows that cost less than MIN of the total, as in "0.5%", are gathered; NULL: so many that about
 * BOXES are left. */
enum as_exit as_browse_paths_make(
	struct as_browse_paths *p, struct as_browse *b, const char *min, size_t boxes) AS_NODISCARD;
void as_browse_paths_release(struct as_browse_paths *p);

#endif
