/* SPDX-License-Identifier: Apache-2.0 */
/* A call graph as Graphviz's DOT. */
#ifndef AS_PICTURE_GRAPH_DOT_H
#define AS_PICTURE_GRAPH_DOT_H

#include "report/answers.h"

/* A label has full names in as far as they fit; the tooltips have them whole. */
enum as_code as_graph_dot(const struct as_callgraph *g, const struct as_view_opts *opts,
	struct as_out *out) AS_NODISCARD;

/* Text inside the quotes of DOT: nothing in it ends the quotes, is taken for an escape (\N, \G) or
 * for an entity (&lt;), or moves a cursor. Control characters and bytes that are not UTF-8 are
 * shown as \xNN. */
void as_dot_text(struct as_out *out, struct as_slice s);

#endif
