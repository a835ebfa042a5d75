/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where samples come from: a daemon that records already is asked for its own; where there is none,
 * or it has gone, events of ours are taken.
 */
#ifndef AS_CLI_LIVE_LIVE_SOURCE_H
#define AS_CLI_LIVE_LIVE_SOURCE_H

#include "record/perf_machine.h"
#include "session/session.h"

struct as_live_ask {
	const char *db, *host; /* of the daemon; NULL: events of ours */
	bool only;             /* that daemon, or nothing */
	uint32_t hz;           /* of events of ours */
};

struct as_live_source {
	const struct as_alloc *al;
	struct as_live_ask ask;
	struct as_err *err;
	struct as_perf_machine *machine; /* our events; NULL: the daemon is asked */
	uint32_t hz;
	bool own;                   /* processes of this user alone */
	struct as_profile *held;    /* what the daemon has told since the last cut; or NULL */
	struct as_perf_interval at; /* of that */
	uint64_t since;             /* what it is asked for next */
};

/* ERR says what is wrong, from now on. Always ends in as_live_source_close(). */
enum as_code as_live_source_open(struct as_live_source *s, const struct as_alloc *al,
	const struct as_live_ask *ask, struct as_err *err) AS_NODISCARD;
void as_live_source_close(struct as_live_source *s);

/* Until MS are over, or FD can be read. */
enum as_code as_live_source_wait(struct as_live_source *s, int fd, int ms) AS_NODISCARD;
/* What has come since the last time, the caller's to free; NULL: nothing can be told yet. */
enum as_code as_live_source_cut(struct as_live_source *s, struct as_profile **out,
	struct as_perf_interval *at) AS_NODISCARD;

#endif
