/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ncursesw, loaded when somebody browses: no other command waits for it. Its macros are functions
 * here, and its variables are found by name.
 */
#ifndef AS_BROWSE_NCURSES_LIB_H
#define AS_BROWSE_NCURSES_LIB_H

#define NCURSES_NOMACROS 1
#include <curses.h>

#define AS_NCURSES_FUNCTIONS(X) \
	X(alloc_pair)           \
	X(cbreak)               \
	X(clearok)              \
	X(curs_set)             \
	X(curses_version)       \
	X(delscreen)            \
	X(endwin)               \
	X(getmouse)             \
	X(has_colors)           \
	X(keypad)               \
	X(leaveok)              \
	X(mouseinterval)        \
	X(mousemask)            \
	X(newterm)              \
	X(nodelay)              \
	X(noecho)               \
	X(resizeterm)           \
	X(set_escdelay)         \
	X(setcchar)             \
	X(start_color)          \
	X(use_default_colors)   \
	X(wadd_wch)             \
	X(waddnstr)             \
	X(wclrtoeol)            \
	X(wget_wch)             \
	X(wmove)                \
	X(wrefresh)

struct as_ncurses {
#define X(name) __typeof__(name) *name;
	AS_NCURSES_FUNCTIONS(X)
#undef X
	WINDOW **screen, **shown; /* stdscr, curscr */
	int *colours, *lines;     /* COLORS, LINES */
};

/* False: it is not here. Loaded, it stays. */
bool as_ncurses_load(struct as_ncurses *lib);

#endif
