/* SPDX-License-Identifier: Apache-2.0 */
/* A frame on the screen by ncurses, and what is typed there. There is one, as there is one
 * terminal. */
#ifndef AS_BROWSE_TTY_H
#define AS_BROWSE_TTY_H

#include "browse/browse.h"
#include "browse/keys.h"

struct as_ncurses;
struct as_tty {
	const struct as_browse_ask *ask;
	enum as_browse_colours colours; /* that there are */
	void *screen;
	struct as_ncurses *nc;
	bool no_library; /* ncursesw is not here */
};

/* Of struct as_term_drawer; CTX is a struct as_tty with an ASK. */
bool as_tty_enter(void *ctx);
void as_tty_leave(void *ctx);
void as_tty_end(struct as_tty *c); /* behind the last as_tty_leave() */

/* The screen becomes F. ANEW: whatever stands there. */
void as_tty_draw(struct as_tty *c, const struct as_canvas *f, bool anew);
/* TEXT alone at the bottom, while somebody waits. */
void as_tty_wait(struct as_tty *c, const char *text);
void as_tty_resize(struct as_tty *c, unsigned columns, unsigned lines);

/* What was typed or clicked; false: nothing more now. */
struct as_tty_input {
	int key; /* 0: none that is known, or the mouse: */
	bool click;
	int wheel; /* rows */
	unsigned x, y;
};
bool as_tty_read(struct as_tty *c, struct as_tty_input *in);

#endif
