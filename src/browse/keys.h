/* SPDX-License-Identifier: Apache-2.0 */
/* The keys: one table, which the browser heeds, `?` shows and docs/browse.md has. */
#ifndef AS_BROWSE_KEYS_H
#define AS_BROWSE_KEYS_H

#include "io/out.h"

/* Keys are characters, or these. */
enum as_keycode {
	AS_KEY_TAB = '\t',
	AS_KEY_RETURN = '\r',
	AS_KEY_ESC = 27,
	AS_KEY_ERASE = 127,
	AS_KEY_CTRL_L = 'L' - '@',
	AS_KEY_CTRL_R = 'R' - '@',
	AS_KEY_CTRL_U = 'U' - '@',
	AS_KEY_BEYOND = 0x110000, /* no character */
	AS_KEY_GO_UP,
	AS_KEY_GO_DOWN,
	AS_KEY_GO_LEFT,
	AS_KEY_GO_RIGHT,
	AS_KEY_PAGE_UP,
	AS_KEY_PAGE_DOWN,
	AS_KEY_HOME,
	AS_KEY_END,
};

enum as_browse_do {
	AS_DO_NOTHING,
	AS_DO_UP,
	AS_DO_DOWN,
	AS_DO_PAGE_UP,
	AS_DO_PAGE_DOWN,
	AS_DO_HOME,
	AS_DO_END,
	AS_DO_LEFT,
	AS_DO_RIGHT,
	AS_DO_ENTER,
	AS_DO_FOLD, /* the row; all of them */
	AS_DO_FOLD_ALL,
	AS_DO_BACK,
	AS_DO_TABLE, /* views, in the order of as_browse_view */
	AS_DO_PEEK,
	AS_DO_TREE,
	AS_DO_FLAME,
	AS_DO_SOURCE,
	AS_DO_ASM,
	AS_DO_THREADS,
	AS_DO_EVENTS,
	AS_DO_NEXT_VIEW,
	AS_DO_ORDER,
	AS_DO_BY,
	AS_DO_SEARCH,
	AS_DO_NEXT,
	AS_DO_PREVIOUS,
	AS_DO_FOCUS, /* filters, in the order of browse_filter_words */
	AS_DO_IGNORE,
	AS_DO_HIDE,
	AS_DO_SHOW,
	AS_DO_SHOW_FROM,
	AS_DO_PRUNE_FROM,
	AS_DO_TYPE_FILTER,
	AS_DO_UNDO,
	AS_DO_REDO,
	AS_DO_EDIT,
	AS_DO_COMMAND,
	AS_DO_NAME,
	AS_DO_HELP,
	AS_DO_QUIT,
	AS_DO_REDRAW,
};

enum { AS_BROWSE_PEERS = 4 };
struct as_browse_key {
	enum as_browse_do does;
	int key[2];       /* 0: no second one */
	const char *name; /* "Up k" */
	const char *what;
	/* What does that in perf report, pprof, htop and lazygit; "": nothing. */
	const char *peer[AS_BROWSE_PEERS];
};

extern const struct as_browse_key as_browse_keys[]; /* ended by name == NULL */
enum as_browse_do as_browse_does(int key);

/* The table in Markdown. */
void as_browse_keys_markdown(struct as_out *out);

#endif
