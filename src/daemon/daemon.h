/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorder of a machine that never ends: what src/record takes of all that runs is cut into
 * minutes, which go into a database (store/store.h). Others ask it by a socket beside the files.
 *
 * Nothing is dropped without a number: what the kernel took is what is stored, with the samples of
 * unknown code and those that were lost, or what could not be stored and is told.
 */
#ifndef AS_DAEMON_DAEMON_H
#define AS_DAEMON_DAEMON_H

#include "fleet/fleet_client.h"
#include "fleet/fleet_rows.h"
#include "record/perf_machine.h"
#include "session/session.h"

/* A store of a fleet that segments are pushed into. */
struct as_daemon_push {
	struct as_fleet_opts store;
	struct as_slice service;
	const struct as_fleet_label *label;
	size_t n_label;
};

struct as_daemon_opts {
	struct as_perf_opts perf;     /* of scope AS_PERF_MACHINE */
	struct as_perf_events events; /* what PERF's lead to */
	bool flat;                    /* addresses only: DCPI profiles */
	const char *db, *host;
	uint32_t segment_s;  /* seconds of a segment; they end when the clock shows a multiple */
	double seconds;      /* until it ends by itself; 0: never */
	bool daily;          /* an epoch a day */
	int64_t keep_ns;     /* epochs older than that go; */
	uint64_t keep_bytes; /* and the oldest, while all have more than that */
	const struct as_daemon_push *push; /* NULL: nowhere */
};

/* Records until SIGTERM, SIGINT, "quit" or the seconds are over. Says by the session what goes
 * wrong and what it does. */
enum as_exit as_daemon_run(const struct as_session *ses, const struct as_daemon_opts *opts);

/* Asks the daemon of DB and HOST, whose answer is what comes behind its first line, in AR: AS_E_IO
 * where there is none, AS_E_ARG where it refuses. Daemon_talk.c has the requests. */
enum as_code as_daemon_ask(struct as_arena *ar, const char *db, const char *host,
	const char *request, struct as_slice *answer, struct as_err *err) AS_NODISCARD;

/* What a daemon took between two questions. */
struct as_daemon_live {
	struct as_perf_interval at; /* FROM, UNTIL, PERIOD_NS, TAKEN and LOST are told */
	uint32_t hz;
	bool own; /* of the processes of its user alone */
	int fd;   /* of a pprof profile; -1: nothing was taken */
};

#define AS_DAEMON_NOW UINT64_MAX

/* What it took since SINCE, a moment where another answer ended, or, AS_DAEMON_NOW, nothing but
 * from when on that can be asked. It forgets what is older than ten seconds: at->from tells.
 * OUT->FD is the caller's to close. Errors as of as_daemon_ask(). */
enum as_code as_daemon_ask_live(const struct as_alloc *al, const char *db, const char *host,
	uint64_t since, struct as_daemon_live *out, struct as_err *err) AS_NODISCARD;

#endif
