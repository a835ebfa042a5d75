/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to src/browse:
 *
 *	state.c		where one is, and the steps that led there
 *	data.c		profiles: read, filtered, and what views make of them
 *	act.c		keys
 *	type.c		what is typed: searches and filters
 *	draw.c		the screen around a view, and lists of rows
 *	view_*.c	the views
 *	browse_command.c	the command that gives the same answer
 *	run.c, tty.c	the terminal
 */
#ifndef AS_BROWSE_BROWSE_IMPL_H
#define AS_BROWSE_BROWSE_IMPL_H

#include "browse/browse.h"
#include "browse/keys.h"
#include "listing/listing.h"
#include "report/kit/show.h"
#include "report/parts.h"
#include "report/top.h"
#include "session/compare.h"
#include "session/load.h"
#include "table/neighbours.h"
#include "tree/path_source.h"

/* ---- where one is ---- */

struct as_browse_word { /* a filter; lists of these, of folds and zooms never change */
	enum as_word kind;
	const char *text;
	const struct as_browse_word *next; /* the one before it */
};

struct as_browse_fold { /* a row of the tree was folded or unfolded */
	uint64_t path;  /* hash of the names above it and its own; 0: all rows */
	bool open;
	const struct as_browse_fold *next;
};

struct as_browse_zoom { /* into a box of the flame graph, through its callers */
	struct as_listing_id id;
	const struct as_browse_zoom *up;
};

/* As a row: where the view begins. */
#define AS_BROWSE_USUAL SIZE_MAX

struct as_browse_state {
	enum as_browse_view view;
	uint32_t event;
	bool inclusive;
	bool bottom_up; /* tree and flame graph */
	enum as_by by;  /* of the table */
	const struct as_browse_word *words;
	const struct as_browse_fold *folds;
	const struct as_browse_zoom *zoom;
	const char *search;        /* "": none */
	struct as_listing_id func; /* that is looked at; nothing set: none */
	size_t at, top, left;      /* row, first row that is seen, columns to the left of it */
};

/* ---- a view ---- */

enum { AS_BROWSE_COLUMNS = 12 };

struct as_browse_column {
	const char *head;
	bool left;    /* else right-aligned */
	uint8_t rank; /* 0: always there; else the larger, the sooner it goes in a narrow screen */
	bool name;    /* takes what room there is */
};

struct as_browse_line {
	struct as_slice cell[AS_BROWSE_COLUMNS];
	enum as_tint tint;
	unsigned indent;
	const char *lead; /* before the name; NULL: nothing */
	bool whole;       /* cell[0] is all there is: text; SPAN says where colours begin */
	const struct as_browse_span *span;
	size_t n_spans;
};

struct as_browse_span {
	uint32_t begin; /* bytes */
	enum as_tint tint;
};

struct as_browse_view_ops {
	const char *name, *brief; /* "Functions", "Fn" */
	/* Makes what the state asks for. What is wrong was said. */
	enum as_exit (*make)(struct as_browse *b);
	size_t (*rows)(const struct as_browse *b);
	/* The heads, and row I, whose texts may be of b->scratch. */
	size_t (*columns)(struct as_browse *b, struct as_browse_column *column);
	void (*row)(struct as_browse *b, size_t i, struct as_browse_line *line);
	/* The function of row I; false: it has none. May be NULL. */
	bool (*id)(struct as_browse *b, size_t i, struct as_listing_id *id);
	void (*enter)(struct as_browse *b, size_t i); /* may be NULL */
	/* What is searched in row I; NULL: its name. */
	void (*draw)(struct as_browse *b, struct as_canvas *f, unsigned y, unsigned lines);
	bool narrows; /* a search leaves the rows that match; else it goes to the next */
};
extern const struct as_browse_view_ops as_browse_table_view, as_browse_diff_view,
	as_browse_peek_view, as_browse_tree_view, as_browse_flame_view, as_browse_text_view,
	as_browse_threads_view, as_browse_events_view;

/* ---- all of it ---- */

/* How much was read of the files. */
enum as_browse_depth { AS_READ_NOTHING, AS_READ_SUMS, AS_READ_FUNCS, AS_READ_LINES };

struct as_browse_text_line {
	struct as_slice text;
	uint32_t span, n_spans;
	as_file file; /* of the source that it shows */
	uint64_t line;
};

struct as_browse_flame; /* view_flame.c */
struct as_browse_tree;  /* view_tree.c */
struct as_browse_diff;  /* view_diff.c */

struct as_browse {
	const struct as_alloc *al;
	struct as_browse_ask ask;
	struct as_session ses;   /* of ASK, but it speaks to the screen, and filters are ours */
	struct as_session whole; /* likewise, of reading: without filters but frames of labels */
	struct as_around surroundings;
	struct as_progress progress;
	struct as_browse_around around;
	bool shown;              /* there is a screen: what is said is said there */
	struct as_arena arena;   /* lives as long: states have their texts in it */
	struct as_arena scratch; /* one screen */
	struct as_style style;

	/* steps: st is history.p[now] */
	struct as_browse_state st;
	AS_VEC(struct as_browse_state) history;
	size_t now;

	/* what was read */
	struct as_inputs *in; /* NULL: nothing yet */
	enum as_browse_depth depth;
	struct as_inputs full; /* with lines and addresses */
	bool has_full;

	/* what the filters choose of it */
	const struct as_browse_word *chosen; /* the filters of SOME */
	struct as_profile *some;             /* NULL: all of it */
	const struct as_profile *prof;       /* what is shown */

	/* views, made when they are asked for; a generation ends with each new profile */
	struct as_top top;
	bool has_top;
	uint32_t top_event;
	bool top_inclusive;
	enum as_by top_by;
	struct as_listings *listings; /* with edges */
	struct as_neighbours peek;
	bool has_peek;
	struct as_parts parts;
	bool has_parts;
	uint32_t parts_event;
	struct as_browse_tree *tree;
	struct as_browse_flame *flame;
	struct as_browse_diff *diff;
	struct as_browse_state text_is; /* that TEXT was made for */

	/* text */
	struct as_arena text_arena;
	AS_VEC(struct as_browse_text_line) text;
	AS_VEC(struct as_browse_span) span;
	AS_VEC(struct as_slice) where; /* paths of source files that were found, by as_file */

	/* rows that a search leaves; all where there is no search */
	AS_VEC(uint32_t) found;
	bool narrowed;
	void *re; /* of st.search; NULL: none */

	/* what is typed */
	char typing; /* 0, '/' or 'g' */
	char typed[256];
	size_t search_at; /* the row where the search began */

	bool help;
	size_t help_top;
	char said[600]; /* "": nothing */
	bool said_bad;
	char edit[1024];
	uint64_t edit_line;
	struct as_slice copied;
	unsigned rows_shown, rows_y; /* of the last frame */
	unsigned tab_x[AS_BROWSE_VIEWS + 1];
	unsigned columns;
};

/* ---- state.c ---- */
/* The state becomes NEXT, which can be undone. */
void as_browse_step(struct as_browse *b, const struct as_browse_state *next);
void as_browse_undo(struct as_browse *b);
void as_browse_redo(struct as_browse *b);
const char *as_browse_keep(struct as_browse *b, struct as_slice text);
struct as_listing_id as_browse_keep_id(struct as_browse *b, const struct as_listing_id *id);
bool as_browse_same_id(const struct as_listing_id *a, const struct as_listing_id *b);

/* ---- data.c ---- */
/* The files are read at least so far, b->prof is what the filters choose of them. */
enum as_exit as_browse_need(struct as_browse *b, enum as_browse_depth depth) AS_NODISCARD;
/* Their lines and addresses are, too: b->full. */
enum as_exit as_browse_need_full(struct as_browse *b) AS_NODISCARD;
/* PROF becomes what the filters choose of it, if there are any: *SOME, the caller's; else NULL. */
enum as_exit as_browse_filter(
	struct as_browse *b, const struct as_profile *prof, struct as_profile **some) AS_NODISCARD;
void as_browse_release_inputs(struct as_browse *b, struct as_inputs *in); /* NULL is fine */
void as_browse_forget(struct as_browse *b); /* what was made of the profile */
/* The view of the state is made, if it is not yet; b->found is right. */
void as_browse_make(struct as_browse *b);
const struct as_browse_view_ops *as_browse_ops(const struct as_browse *b);
size_t as_browse_rows(const struct as_browse *b);
/* The number of row I among all rows. */
size_t as_browse_row(const struct as_browse *b, size_t i);
void as_browse_find(struct as_browse *b);
/* Whether TEXT matches what is searched. */
bool as_browse_matches(const struct as_browse *b, struct as_slice text);
/* The name of row I, for searches. */
struct as_slice as_browse_row_text(struct as_browse *b, size_t i);
/* The function that is marked, or looked at. */
bool as_browse_func(struct as_browse *b, struct as_listing_id *id);

/* ---- type.c ---- */
void as_browse_begin_typing(struct as_browse *b, char what);
void as_browse_type(struct as_browse *b, int key);
bool as_browse_go_next(struct as_browse *b, int step);
void as_browse_add_word(struct as_browse *b, enum as_word kind, const char *text);
/* ID as filters choose it and nothing else: "fn:^main$"; NULL: out of memory. */
const char *as_browse_pattern(struct as_browse *b, const struct as_listing_id *id);

/* ---- figures ---- */
struct as_listing_id as_browse_id_of(
	const struct as_profile *prof, const struct as_key *key, struct as_slice name);
/* Row of the table by function of b->listings that ID names; false: there is none. */
bool as_browse_find_row(struct as_browse *b, const struct as_listing_id *id, uint32_t *row);
enum as_exit as_browse_listings(struct as_browse *b) AS_NODISCARD;
/* CELL[0] and CELL[1]: V, which is of the event that is shown, and its share; what is estimated, or
 * is but a bound, says so. */
enum as_browse_sure { AS_SURE, AS_ESTIMATED, AS_AT_MOST };
void as_browse_cost(
	struct as_browse *b, struct as_slice cell[2], as_val v, enum as_browse_sure sure);
/* The inclusive cost of ROW of T, as far as it is known. */
void as_browse_inclusive(
	struct as_browse *b, struct as_slice cell[2], const struct as_table *t, uint32_t row);
struct as_slice as_browse_count(struct as_browse *b, as_val v);
enum as_tint as_browse_heat(as_val v, as_val most);

void as_browse_free_tree(struct as_browse *b);
void as_browse_free_flame(struct as_browse *b);
void as_browse_free_diff(struct as_browse *b);
/* A flame graph's own keys; false: none of it. */
bool as_browse_flame_key(struct as_browse *b, enum as_browse_do does);
bool as_browse_flame_click(struct as_browse *b, unsigned x, unsigned y);
void as_browse_tree_fold(struct as_browse *b, size_t i, int open);

/* ---- command.c ---- */
struct as_slice as_browse_command(struct as_browse *b);

#endif
