/* SPDX-License-Identifier: Apache-2.0 */
/* What peek, tree, traces and cycles share. */
#ifndef AS_CLI_VIEW_CMD_H
#define AS_CLI_VIEW_CMD_H

#include "cli/pprof_options.h"
#include "listing/listing.h"
#include "report/sheet/sheet.h"
#include "tree/path_source.h"

struct as_view_args {
	const char *events, *sort, *unit;
};

/* For a table of options, with the name of the struct that has a VIEW of this kind. */
#define AS_VIEW_OPTIONS(type)                                                            \
	AS_OPTION(type, view.sort, 's', "sort", "EVENT", "order and figures: by EVENT"), \
		AS_OPTION(type, view.events, 'e', "event", "LIST",                       \
			"only these events, in this order: Ir,Dr"),                      \
		AS_OPTION(type, view.unit, 'u', "unit", "UNIT",                          \
			"of costs: auto, time, s, ms, us, ns, bytes, MiB ...; default count")

enum {
	AS_VIEW_GROUPS =
		AS_GROUP_READ | AS_GROUP_TABLE | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER
};

/* The inputs and which of their events are shown. */
struct as_view_run {
	struct as_cli *cli;
	struct as_files files; /* to be read */
	bool chosen;           /* as of as_load_opts: cycles, if told, have other numbers */
	struct as_inputs in;
	struct as_view_opts opts;
	uint32_t *event;
	size_t size;                                   /* of EVENT, bytes */
	bool moments;                                  /* when samples were counted is asked for */
	bool nameless;                                 /* and names are not */
	bool (*refuse)(const struct as_profile *prof); /* as of as_load_opts */
	bool calls;    /* a profile without them is refused: as_view_wants_calls() */
	bool is_pprof; /* the answer is pprof's own text: of PPROF; no events were chosen */
	struct as_pprof_opts pprof;
};

/* Read r->files, and find names; only what is to be read, and how, is set. FUNC, which may be
 * NULL, is what will be looked for. Always ends in as_view_end(). */
enum as_exit as_view_begin(
	struct as_view_run *r, const struct as_view_args *args, const char *func);
/* The same for a command that prints pprof's text of KIND, if that is asked for and the profile
 * fits: r->is_pprof says so. */
enum as_exit as_view_begin_pprof(struct as_view_run *r, const struct as_view_args *args,
	const char *func, enum as_pprof_kind kind);
void as_view_end(struct as_view_run *r);

/* An answer with no row is no answer: say why, where the profile has nothing. */
#define AS_VIEW_VOID "the profile has no samples"
void as_view_tell_void(const struct as_session *ses, const struct as_inputs *in);

/* AS_EXIT_OK, unless the profile has neither calls nor paths: then that is said. */
enum as_exit as_view_wants_calls(struct as_view_run *r);

/* AS_EXIT_OK, unless the profile does not say when its samples were counted: then that is said. */
enum as_exit as_view_wants_moments(struct as_view_run *r);

/* The functions of PROF that WHAT means, *LS, which always ends in as_listings_free(), and how many
 * of them are shown: *N, at the most LIMIT; 0 = all. */
enum as_exit as_view_find(struct as_view_run *r, const struct as_profile *prof,
	const struct as_listing_opts *opts, const char *what, uint64_t limit,
	struct as_listings **ls, size_t *n);

/* The answer shows the events that were chosen, or ONE, that which rows are sorted by: of calls
 * nothing else is kept, as paths are estimated for each event. */
enum as_exit as_view_pick_events(struct as_view_run *r, bool one);

/* What "0.5%" of TOTAL, or "1000", is; NULL is half a percent. Prints the usage error. */
enum as_exit as_view_min(struct as_cli *cli, const char *text, as_val total, as_val *min);
/* Print it before anything is read. */
enum as_exit as_view_check_min(struct as_cli *cli, const char *text);

/* Paths by function, of a profile that as_view_wants_calls(): estimated where it has calls. TREES:
 * for as_view_calltree() alone. Always ends in as_path_source_release(). */
enum as_exit as_view_paths_make(struct as_path_source *p, struct as_view_run *r, bool trees);

/* CT for a view by VIEW, of all paths, or of what goes from OF alone. Always ends in
 * as_calltree_release(). */
enum as_exit as_view_calltree(struct as_view_run *r, struct as_path_source *p,
	const struct as_tree_opts *view, const struct as_calltree_root *of, struct as_calltree *ct);

/* Where the answer of the command goes to, in the form that was asked for. Says what is wrong. */
enum as_exit as_cli_sheet(struct as_cli *cli, struct as_sheet_to *to) AS_NODISCARD;

#endif
