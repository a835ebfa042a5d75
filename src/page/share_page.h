/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay share` and `assay open` have in common: the page with profiles in it. */
#ifndef AS_PAGE_SHARE_PAGE_H
#define AS_PAGE_SHARE_PAGE_H

#include "page/page.h"
#include "session/list/list.h"

struct as_share_args {
	struct as_num code, limit;
	struct as_list source_path;
	const char *view, *sort, *unit;
	bool no_code, no_source, only;
};

struct as_shared_file;

/* The page's words about what is in it, and what has become of it. */
struct as_share {
	struct as_session ses; /* a copy */
	const struct as_share_args *args;
	struct as_slice html;        /* the page with nothing in it */
	struct as_slice controls;    /* that are put into it; "" or as_choice_form()'s, borrowed */
	struct as_shared_file *file; /* the profile, then the base, if there is one */
	size_t n_files;
	struct as_sink_mem state, code;
	struct as_page_code_count count;
	struct as_left_outs left_out;
};

/* Say so if this program has no page, or an option makes no sense: before anything is read. */
enum as_exit as_share_plan(
	struct as_share *s, const struct as_session *ses, const struct as_share_args *args);
/* Read FILES, as one profile, and BASE, if there are any. Always ends in as_share_release(). */
enum as_exit as_share_read(struct as_share *s, struct as_files files, struct as_files base);
void as_share_release(struct as_share *s);
/* The page, to OUT. */
enum as_exit as_share_write(struct as_share *s, struct as_out *out);
/* ---- share_file.c: one profile on its way into the page ---- */

struct as_shared_file {
	struct as_session ses;       /* a copy, which hears what is said: NOTE */
	const struct as_session *to; /* that others hear it by, too */
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
enum as_exit as_shared_read(struct as_shared_file *f, const struct as_session *ses,
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
enum as_exit as_share_check(const struct as_session *ses, const struct as_share_args *args);
/* The state that the page begins with, as a fragment of its URL. */
enum as_exit as_share_state(struct as_share *s, bool has_base);

#endif
