/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen: all of the terminal, which is left as it was, and the signals that would leave it
 * otherwise. There is one at a time, as there is one terminal.
 */
#ifndef AS_TERM_TERM_H
#define AS_TERM_TERM_H

#include "base/alloc.h"
#include "base/slice.h"

enum { AS_TERM_KEYS = 64 };
enum { AS_KEY_UP = 256, AS_KEY_DOWN, AS_KEY_ESCAPE };

/* What has come since it was asked last. */
struct as_term_come {
	int signal;   /* that ends us; 0: none */
	bool away;    /* we were stopped: the screen was somebody else's */
	bool redraw;  /* it is of another size */
	bool hung_up; /* nobody types any more */
	bool typed;   /* there is something to read for who draws by himself */
	int key[AS_TERM_KEYS];
	size_t n;
};

/* Who draws by himself: what else there is to do when the terminal becomes ours, and when it is to
 * be as it was, also for a while. He reads the keys, too. */
struct as_term_drawer {
	bool (*enter)(void *ctx);
	void (*leave)(void *ctx);
	void *ctx;
};

struct as_term {
	bool screen;                         /* else signals are all there is */
	const struct as_term_drawer *drawer; /* NULL: as_term_draw() draws */
	int signals, events;
};

/* With SCREEN the terminal shows nothing but what as_term_draw() gives it, or the drawer, which may
 * be NULL. Ends in as_term_close(), also on failure. */
AS_NODISCARD bool as_term_open(struct as_term *t, bool screen, const struct as_term_drawer *drawer);
/* The terminal is as it was. */
void as_term_close(struct as_term *t);
/* Dies of SIGNAL, so that the caller knows. */
void as_term_die(int number);
/* Nobody looks at what has come until the work is done: Ctrl-C and its like end the program at
 * once, and leave the terminal as it was. */
void as_term_work(const struct as_term *t, bool begins);
/* The terminal is another program's until as_term_resume(). */
void as_term_suspend(struct as_term *t);
AS_NODISCARD bool as_term_resume(struct as_term *t);

/* Something has come when t->events can be read. */
void as_term_take(struct as_term *t, struct as_term_come *come);
void as_term_size(unsigned *columns, unsigned *lines);
/* The lines of TEXT are the screen, as many as there are, that number MARK (none: SIZE_MAX)
 * marked. False: nobody sees it. */
AS_NODISCARD bool as_term_draw(
	const struct as_term *t, const struct as_alloc *al, struct as_slice text, size_t mark);

#endif
