/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay browse`: a profile, or two that are compared, in a terminal. What is shown is what a
 * session answers; nothing is computed twice. Host only.
 *
 * Views draw on a canvas and heed keys without any terminal, as tests do; as_browse_run() has one.
 */
#ifndef AS_BROWSE_BROWSE_H
#define AS_BROWSE_BROWSE_H

#include <stdio.h>

#include "browse/canvas.h"
#include "session/session.h"

enum as_browse_colours { AS_COLOURS_NONE, AS_COLOURS_16, AS_COLOURS_256, AS_COLOURS_TRUE };

/* What the program knows of its surroundings. */
struct as_browse_ask {
	const struct as_session *ses; /* with filters that as_filters_open() has made */
	const char *const *file;
	size_t n_files;
	const char *base;    /* compared with; NULL: nothing is */
	const char *event;   /* NULL: the first */
	const char *options; /* for commands: "--symfs x"; "" */
	const char *editor;  /* "vi"; NULL: none is known */
	bool cumulative, utf8;
	/* Of a terminal: */
	FILE *in, *out;
	const char *term;        /* its name */
	const char *term_direct; /* the same with true colours, where that may be known; NULL */
	enum as_browse_colours colours;
	bool light;
};

/* In the order of as_browse_do. */
enum as_browse_view {
	AS_BROWSE_TABLE,
	AS_BROWSE_PEEK,
	AS_BROWSE_TREE,
	AS_BROWSE_FLAME,
	AS_BROWSE_SOURCE,
	AS_BROWSE_ASM,
	AS_BROWSE_THREADS,
	AS_BROWSE_EVENTS,
	AS_BROWSE_VIEWS
};

struct as_browse;

/* Reads what the first view needs. What is wrong is said by ASK's session. OUT always ends in
 * as_browse_close(). */
enum as_exit as_browse_open(struct as_browse **out, const struct as_browse_ask *ask) AS_NODISCARD;
void as_browse_close(struct as_browse *b);

/* What a key, or a mouse, wants of the outside. */
enum as_browse_wish { AS_WISH_NOTHING, AS_WISH_QUIT, AS_WISH_EDIT, AS_WISH_COPY, AS_WISH_REDRAW };
enum as_browse_wish as_browse_heed(struct as_browse *b, int key);
/* A button went down at a place of the last frame. */
enum as_browse_wish as_browse_click(struct as_browse *b, unsigned x, unsigned y);
void as_browse_wheel(struct as_browse *b, int rows);
/* To be edited: a file that is there; to be copied: a text. Until the next key. */
const char *as_browse_file(const struct as_browse *b, uint64_t *line);
struct as_slice as_browse_copied(const struct as_browse *b);
/* Said at the bottom until the next key. */
void as_browse_say(struct as_browse *b, const char *fmt, ...) AS_PRINTF(2, 3);

/* False if out of memory. */
AS_NODISCARD bool as_browse_draw(struct as_browse *b, struct as_canvas *f);

/* What work does while nobody looks: before and after, CTX is the terminal's. */
struct as_browse_around {
	void *ctx;
	void (*work)(void *ctx, bool begins);
	struct as_progress *(*progress_begin)(void *ctx);
};
void as_browse_surround(struct as_browse *b, const struct as_browse_around *around);

/* Of ncursesw, that runs; "" without. */
const char *as_browse_version(void);
/* All of it: takes the terminal until somebody quits. */
enum as_exit as_browse_run(const struct as_browse_ask *ask) AS_NODISCARD;

#endif
