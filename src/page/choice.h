/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The controls of a page that is served for a store: what is chosen of it, and what that is
 * compared with. A choice is words of inputs, "store:NAME?service=api&since=1h", and of the page's
 * URL: service, host, label (KEY=VALUE), event, since, until, and of the other side the same
 * behind "vs-", if there is "vs". Host only.
 */
#ifndef AS_PAGE_CHOICE_H
#define AS_PAGE_CHOICE_H

#include "fleet/fleet_lists.h"
#include "fleet/fleet_query.h"
#include "io/out.h"

enum { AS_CHOICE_NEW, AS_CHOICE_BASE, AS_CHOICE_SIDES };

struct as_choice {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_choice_side {
		struct as_slice front; /* "store:NAME" */
		struct as_fleet_terms said;
	} side[AS_CHOICE_SIDES];
	bool compares;
};

/* Of the inputs PATH and BASE, which may be NULL; both are stores. AS_E_ARG: as of
 * as_fleet_query_terms(). Ends in as_choice_release() in each case. */
enum as_code as_choice_of(struct as_choice *c, const struct as_alloc *al, const char *path,
	const char *base, struct as_err *err) AS_NODISCARD;
/* Of the stores of FIRST, with what it says of how they are asked, and nothing chosen yet. Ends in
 * as_choice_release() in each case. */
enum as_code as_choice_anew(struct as_choice *c, const struct as_choice *first, struct as_err *err)
	AS_NODISCARD;
void as_choice_release(struct as_choice *c);

/* A word of the URL; an empty value says nothing. AS_E_ARG: no control says so. */
enum as_code as_choice_add(struct as_choice *c, struct as_slice key, struct as_slice value,
	struct as_err *err) AS_NODISCARD;
/* KEY=VALUE for both sides, for one that says nothing of KEY, or of AGAIN, in any case. */
enum as_code as_choice_default(struct as_choice *c, const char *key, const char *value, bool again,
	struct as_err *err) AS_NODISCARD;
/* The input that SIDE is, C's; NULL: out of memory. */
const char *as_choice_path(struct as_choice *c, int which);

/* The controls, with LISTS to choose from, and WRONG, which is shown with them if it is not empty:
 * an element of HTML, with its style and its script. */
void as_choice_form(const struct as_choice *c, const struct as_fleet_lists *lists,
	struct as_slice wrong, struct as_out *out);
/* What a page's policy calls these, for "script-src" and "style-src". */
const char *as_choice_script_hash(void);
const char *as_choice_style_hash(void);

#endif
