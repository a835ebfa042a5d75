/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay share` and `assay open` have in common: the page with profiles in it. */
#ifndef AS_CLI_PAGE_SHARE_PAGE_H
#define AS_CLI_PAGE_SHARE_PAGE_H

#include "cli/listing/list_cmd.h"
#include "page/page.h"

struct as_share_args {
	struct as_num code, limit;
	struct as_list source_path;
	const char *view, *sort, *unit;
	bool no_code, no_source, only;
};

/* For a table of options, with the name of the struct that has a SHARE of this kind. */
#define AS_SHARE_OPTIONS(type)                                                             \
	AS_OPTION(type, share.view, AS_OPT_STR, 0, "view", "VIEW",                         \
		"begin with this view of the page: flame, table, tree ..."),               \
		AS_OPTION(type, share.sort, AS_OPT_STR, 's', "sort", "EVENT",              \
			"begin with figures of EVENT"),                                    \
		AS_OPTION(type, share.unit, AS_OPT_STR, 'u', "unit", "UNIT",               \
			"begin with costs in UNIT: auto, time, ms, bytes ..."),            \
		AS_OPTION(type, share.only, AS_OPT_FLAG, 0, "only", NULL,                  \
			"only what the filters leave goes into the page"),                 \
		AS_OPTION(type, share.code, AS_OPT_NUM, 0, "code", "N",                    \
			"source and instructions of the N hottest functions; default 30"), \
		AS_OPTION(type, share.no_code, AS_OPT_FLAG, 0, "no-code", NULL,            \
			"neither source nor instructions"),                                \
		AS_OPTION(type, share.no_source, AS_OPT_FLAG, 0, "no-source", NULL,        \
			"no source, but instructions"),                                    \
		AS_OPTION(type, share.source_path, AS_OPT_LIST, 0, "source-path", "DIR",   \
			"look for source files below DIR, too"),                           \
		AS_OPTION(type, share.limit, AS_OPT_NUM, 0, "limit", "MB",                 \
			"sum up what is larger by line, then by function; default 256")

enum { AS_SHARE_GROUPS = AS_GROUP_READ | AS_GROUP_SYMBOLS | AS_GROUP_FILTER };

struct as_shared_file;

/* The page's words about what is in it, and what has become of it. */
struct as_share {
	struct as_cli *cli;
	const struct as_share_args *args;
	struct as_slice html;        /* the page with nothing in it */
	struct as_shared_file *file; /* the profile, then the base, if there is one */
	size_t n_files;
	struct as_sink_mem state, code;
	struct as_page_code_count count;
	struct as_left_outs left_out;
};

/* Say so if this program has no page, or an option makes no sense: before anything is read. */
enum as_exit as_share_plan(
	struct as_share *s, struct as_cli *cli, const struct as_share_args *args);
/* Read FILES, as one profile, and BASE, if there are any. Always ends in as_share_release(). */
enum as_exit as_share_read(struct as_share *s, struct as_files files, struct as_files base);
void as_share_release(struct as_share *s);
/* The page, to OUT. */
enum as_exit as_share_write(struct as_share *s, struct as_out *out);
/* Before the page is written: what goes into it, and all files that source and code are of, also
 * with -q. WHERE is its name. */
void as_share_tell(struct as_share *s, const char *where);

/* ---- share_file.c: one profile on its way into the page ---- */

struct as_shared_file {
	struct as_cli *cli;
	struct as_files files;
	struct as_inputs in;
	struct as_sink_mem bytes; /* as they go into the page */
	struct as_sink_mem origin;
	struct as_arena arena;
	AS_VEC(struct as_slice) note;
	enum as_shared_is {
		AS_SHARED_FILE,     /* the file's own */
		AS_SHARED_GZIP,     /* the same, and the file is one member of gzip */
		AS_SHARED_UNPACKED, /* what is in a file that is compressed otherwise */
		AS_SHARED_NEW       /* written anew */
	} is;
	bool empty; /* the filters that the page begins with leave nothing */
};
/* SIDE: it is one of two that are compared. */
enum as_exit as_shared_read(struct as_shared_file *f, struct as_cli *cli,
	const struct as_share_args *args, struct as_files files, bool side);
void as_shared_release(struct as_shared_file *f);
/* It was written anew, and has call paths. */
bool as_shared_is_pprof(const struct as_shared_file *f);
/* F's origin; BASE may be NULL. */
enum as_exit as_shared_origin(struct as_shared_file *f, struct as_shared_file *base);

/* ---- share_name.c ---- */
/* What it is called. */
struct as_slice as_shared_name(struct as_shared_file *f);
/* What a file is called that has these bytes: by its own name, or one that fits their format. */
struct as_slice as_shared_saved_as(struct as_shared_file *f);

/* ---- share_state.c ---- */
/* What the page has no view or filter for: it is said. */
enum as_exit as_share_check(struct as_cli *cli, const struct as_share_args *args);
/* The state that the page begins with, as a fragment of its URL. */
enum as_exit as_share_state(struct as_share *s, bool has_base);

#endif
