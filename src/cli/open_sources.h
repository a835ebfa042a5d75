/* SPDX-License-Identifier: Apache-2.0 */
/* Source files for `assay open --serve`: those that the profile names, by number. */
#ifndef AS_CLI_OPEN_SOURCES_H
#define AS_CLI_OPEN_SOURCES_H

#include "cli/share_page.h"

struct as_open_sources {
	struct as_sources files; /* files.cli == NULL: there are none */
	struct as_sink_mem json;
	struct as_slice list; /* their names as JSON, by number */
};
/* Always ends in as_open_sources_release(). */
enum as_exit as_open_sources_init(
	struct as_open_sources *o, struct as_share *s, const struct as_share_args *args);
void as_open_sources_release(struct as_open_sources *o);
/* As as_serve_opts.source has it; CTX is a struct as_open_sources. */
bool as_open_source(void *ctx, uint64_t n, struct as_slice *text);

#endif
