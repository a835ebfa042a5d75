/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay share` and `assay open` have in common. */
#ifndef AS_CLI_PAGE_SHARE_CMD_H
#define AS_CLI_PAGE_SHARE_CMD_H

#include "cli/cli.h"
#include "page/share_page.h"

/* For a table of options, with the name of the struct that has a SHARE of this kind. */
#define AS_SHARE_OPTIONS(type)                                                                    \
	AS_OPTION(type, share.view, 0, "view", "VIEW",                                            \
		"begin with this view of the page: flame, table, tree ..."),                      \
		AS_OPTION(type, share.sort, 's', "sort", "EVENT", "begin with figures of EVENT"), \
		AS_OPTION(type, share.unit, 'u', "unit", "UNIT",                                  \
			"begin with costs in UNIT: auto, time, ms, bytes ..."),                   \
		AS_OPTION(type, share.only, 0, "only", NULL,                                      \
			"only what the filters leave goes into the page"),                        \
		AS_OPTION(type, share.code, 0, "code", "N",                                       \
			"source and instructions of the N hottest functions; default 30"),        \
		AS_OPTION(type, share.no_code, 0, "no-code", NULL,                                \
			"neither source nor instructions"),                                       \
		AS_OPTION(type, share.no_source, 0, "no-source", NULL,                            \
			"no source, but instructions"),                                           \
		AS_OPTION(type, share.source_path, 0, "source-path", "DIR",                       \
			"look for source files below DIR, too"),                                  \
		AS_OPTION(type, share.limit, 0, "limit", "MB",                                    \
			"sum up what is larger by line, then by function; default 256")

enum { AS_SHARE_GROUPS = AS_GROUP_READ | AS_GROUP_SYMBOLS | AS_GROUP_FILTER };

/* Before the page is written: what goes into it, and all files that source and code are of, also
 * with -q. WHERE is its name. */
void as_share_tell(struct as_share *s, const char *where);

#endif
