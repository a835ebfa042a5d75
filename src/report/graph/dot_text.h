/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text inside the quotes of Graphviz's DOT: nothing in it ends the quotes, is taken for an escape
 * (\N, \G) or for an entity (&lt;), or moves a cursor.
 */
#ifndef AS_REPORT_GRAPH_DOT_TEXT_H
#define AS_REPORT_GRAPH_DOT_TEXT_H

#include "io/out.h"

/* Control characters and bytes that are not UTF-8 are shown as \xNN. */
void as_dot_text(struct as_out *out, struct as_slice s);

#endif
