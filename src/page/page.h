/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page that shows a profile in a browser (viewer/): with a profile put into it, and what the
 * program knows beside that. viewer/page.html says which elements it looks for.
 */
#ifndef AS_PAGE_PAGE_H
#define AS_PAGE_PAGE_H

#include "io/out.h"
#include "report/answers.h"
#include "report/listing/list_print.h"

/* The page as it was built, with nothing in it. Empty: this program was built without it. */
struct as_slice as_page_html(void);

/* ---- page_write.c ---- */

struct as_page {
	const struct as_alloc *al;
	struct as_out *out;
	struct as_err *err;
	struct as_slice rest; /* of the page, behind the elements that are put in */
};

/* Into PAGE, of which al, out and err are set: HTML up to where elements are put in; TITLE, any
 * bytes, is put before its own, and CONTROLS, HTML of as_choice_form() or nothing, behind it.
 * AS_E_FORMAT: HTML has no such place. Ends in as_page_end(), on success. */
enum as_code as_page_begin(struct as_page *page, struct as_slice html, struct as_slice title,
	struct as_slice controls) AS_NODISCARD;
/* An element of ID: gzip of BYTES as text (docs/page.md). The same bytes always give the same. */
enum as_code as_page_put(struct as_page *page, const char *id, struct as_slice bytes) AS_NODISCARD;

/* A profile for the page. Names are any bytes. */
struct as_page_file {
	const char *id;
	struct as_slice name, saved_as; /* what it is called, and what a file of it is called */
	struct as_slice bytes;
	bool is_gzip; /* BYTES are one member of gzip, and go into the page as they stand */
	bool as_gzip; /* a file of it is gzip: what stands in the page, not what is in that */
};
enum as_code as_page_put_file(struct as_page *page, const struct as_page_file *file) AS_NODISCARD;
/* The state that the page begins with, as as_page_word() makes it; empty: as it likes. */
void as_page_state(struct as_page *page, struct as_slice state);
/* The rest; with WHEN what shows times, too. */
void as_page_end(struct as_page *page, bool when);

/* "KEY=VALUE" to a fragment of a URL, "&" between words: nothing in it means anything to HTML. */
void as_page_word(struct as_out *out, bool *some, const char *key, struct as_slice value);

/* ---- page_code.c ---- */

/* JSON, Code of viewer/src/protocol.ts: source and instructions of N functions. */
struct as_page_code_count {
	struct as_arena arena;
	AS_VEC(struct as_slice) source, binary; /* files that are in it, where they were found */
	uint64_t lines, insns;
};
struct as_page_code_opts {
	bool no_source, no_asm;
};
/* COUNT always ends in as_page_code_release(). */
enum as_code as_page_code(const struct as_list_print *p, const struct as_list_item *item, size_t n,
	const struct as_page_code_opts *opts, struct as_page_code_count *count) AS_NODISCARD;
void as_page_code_release(struct as_page_code_count *count);

/* ---- page_origin.c ---- */

struct as_page_origin {
	const char *const *file; /* paths; their last parts are shown */
	size_t n_files;
	const struct as_info *info;
	const struct as_checked *checked;
	size_t n_checked;
	const struct as_slice *note;
	size_t n_notes;
	struct as_slice base; /* the JSON of the base's origin; empty: there is none */
};
/* JSON, Origin of viewer/src/protocol.ts. */
enum as_code as_page_origin(const struct as_page_origin *o, struct as_out *out) AS_NODISCARD;

#endif
