/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen: all of the terminal, which is left as it was, and the signals that would leave it
 * otherwise. There is one at a time, as there is one terminal.
 */
#ifndef AS_CLI_LIVE_LIVE_TERM_H
#define AS_CLI_LIVE_LIVE_TERM_H

#include "base/alloc.h"
#include "base/slice.h"

enum { AS_LIVE_KEYS = 64 };

/* What has come since it was asked last. */
struct as_live_come {
	int signal;   /* that ends us; 0: none */
	bool away;    /* we were stopped: the screen was somebody else's */
	bool redraw;  /* it is of another size */
	bool hung_up; /* nobody types any more */
	int key[AS_LIVE_KEYS];
	size_t n;
};

struct as_live_term {
	bool screen; /* else signals are all there is */
	int signals, events;
};

/* With SCREEN the terminal shows nothing but what as_live_term_draw() gives it. Ends in
 * as_live_term_close(), also on failure. */
AS_NODISCARD bool as_live_term_open(struct as_live_term *t, bool screen);
/* The terminal is as it was. */
void as_live_term_close(struct as_live_term *t);
/* Dies of SIGNAL, so that the caller knows. */
void as_live_term_die(int signal);

/* Something has come when t->events can be read. */
void as_live_term_take(struct as_live_term *t, struct as_live_come *come);
void as_live_term_size(unsigned *columns, unsigned *lines);
/* The lines of TEXT are the screen, as many as there are, that number MARK (none: SIZE_MAX)
 * marked. False: nobody sees it. */
AS_NODISCARD bool as_live_term_draw(
	const struct as_live_term *t, const struct as_alloc *al, struct as_slice text, size_t mark);

#endif
