/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last seconds of the machine: a recording in intervals, of which the latest are kept, each
 * with its names.
 */
#ifndef AS_CLI_LIVE_LIVE_WINDOW_H
#define AS_CLI_LIVE_LIVE_WINDOW_H

#include "cli/live/live_source.h"

enum { AS_LIVE_SLICES = 128 };

/* Whose samples are kept: everybody's, where nothing is said. */
struct as_live_scope {
	uint64_t pid;
	const char *process;
	const struct as_list *unit, *label; /* one of these each, where there are any */
};

struct as_live_slice {
	struct as_profile *prof; /* what the scope chooses, with names */
	struct as_perf_interval at;
	bool of_daemon;
};

struct as_live_window {
	const struct as_session *ses;
	struct as_live_scope scope;
	struct as_live_source source;
	struct as_arena arena; /* of what SYMBOLS has */
	struct as_symbol_opts symbols;
	uint64_t kept;                              /* since when that keeps what it keeps */
	struct as_live_slice slice[AS_LIVE_SLICES]; /* the oldest first */
	size_t n;
	struct as_err err;
};

/* What the window has. */
struct as_live_facts {
	double seconds;      /* that it is of */
	double busy, chosen; /* processors: of the machine, of the scope; below 0: not known */
	double rate;         /* samples a second, of the machine */
	uint64_t lost;
};

/* Always ends in as_live_window_close(). What is wrong is in w->err. */
enum as_code as_live_window_open(struct as_live_window *w, const struct as_session *ses,
	const struct as_live_scope *scope, const struct as_live_ask *ask) AS_NODISCARD;
void as_live_window_close(struct as_live_window *w);
/* Whether the scope is not everybody. */
bool as_live_window_chooses(const struct as_live_window *w);

/* Takes samples until MS are over, or FD can be read. */
enum as_code as_live_window_wait(struct as_live_window *w, int fd, int ms) AS_NODISCARD;
/* What came since the last time is in the window, and what is too old is not. */
enum as_code as_live_window_turn(struct as_live_window *w) AS_NODISCARD;
/* What came since the last time is not, and the window stays ... */
enum as_code as_live_window_pass(struct as_live_window *w) AS_NODISCARD;
/* ... or another one begins. */
enum as_code as_live_window_skip(struct as_live_window *w) AS_NODISCARD;

/* All of it as one profile, the caller's to free; NULL: there is nothing yet. */
enum as_code as_live_window_sum(struct as_live_window *w, struct as_profile **out) AS_NODISCARD;
struct as_live_facts as_live_window_facts(const struct as_live_window *w);

#endif
