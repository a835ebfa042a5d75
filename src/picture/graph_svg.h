/* SPDX-License-Identifier: Apache-2.0 */
/* A call graph as SVG, as Graphviz draws it. */
#ifndef AS_PICTURE_GRAPH_SVG_H
#define AS_PICTURE_GRAPH_SVG_H

#include "base/slice.h"
#include "io/out.h"

/* SVG with colours for dark screens, and with a script that fits it into a window of its own, moves
 * it and zooms. */
void as_graph_svg(struct as_slice svg, struct as_out *out);

#endif
