/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures out of DOT, by Graphviz's library, which is loaded when it is asked for. */
#ifndef AS_CLI_GRAPHVIZ_H
#define AS_CLI_GRAPHVIZ_H

#include "cli/cli.h"

/* Lay DOT out and write the SVG to OUT. What is missing, and what to do about it, is said:
 * AS_EXIT_UNSUPPORTED. */
enum as_exit as_graphviz_svg(struct as_cli *cli, struct as_slice dot, struct as_out *out);

#endif
