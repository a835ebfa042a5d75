/* SPDX-License-Identifier: Apache-2.0 */
/* For src/daemon. */
#ifndef AS_DAEMON_IMPL_H
#define AS_DAEMON_IMPL_H

#include "daemon/daemon.h"
#include "record/events/perf_columns.h"
#include "record/perf_machine.h"
#include "session/name_made.h"
#include "store/store.h"
#include "symbols/symbolize.h"

/* Of one of several events. */
struct as_daemon_sums_of {
	uint64_t stored, pending, dropped; /* as below */
};

/* Since the daemon began: samples taken = stored + pending + dropped. */
struct as_daemon_sums {
	struct as_perf_interval all; /* what segments add up to */
	uint64_t stored;             /* in the database, the rows [unknown] and [lost] with them */
	uint64_t pending;            /* in segments that could not be written yet */
	uint64_t dropped;            /* that could not be written for too long */
	uint64_t segments, failed;   /* written; writes that failed */
	uint64_t busy_ns, steal_ns;  /* of the machine, by the kernel's clock */
	struct as_daemon_sums_of of[AS_PERF_EVENTS_MAX];
};

/* Of the recording, from one question of what is hot now to the next. */
struct as_daemon_slice {
	struct as_profile *prof;
	struct as_perf_interval at;
};

/* What is to be written, and how it began by both clocks. */
struct as_daemon_piece {
	struct as_profile *prof; /* or NULL */
	int64_t began;           /* the one on the wall, ns */
	uint64_t from;           /* the one that does not jump */
	struct as_store_facts facts;
};

enum { AS_DAEMON_CLIENTS = 16, AS_DAEMON_REQUEST = 512 };

/* Who has connected, and what has come of his line. */
struct as_daemon_client {
	int fd;
	bool quits; /* he has asked for the end, and is answered then */
	size_t n;
	char text[AS_DAEMON_REQUEST];
};

/* An hour that is over is rolled up, and, when nobody reads it any more, what that was made of
 * removed. */
enum { AS_DAEMON_UPKEEP_TIMES = 2 };

enum { AS_DAEMON_MARK = 32 };

struct as_daemon_upkeep {
	pid_t child;   /* that is at it; 0: none */
	unsigned left; /* times for the last hour; */
	int64_t due;   /* the next one, by the clock that does not jump */
	bool began;    /* one that was not seen to have ended */
};

struct as_daemon {
	const struct as_session *ses;
	const struct as_daemon_opts *opts;
	struct as_perf_machine *machine;
	struct as_store *store;
	struct as_err err;
	int events; /* epoll: signals, the socket, and who has connected */
	int signals, listener;
	char socket[108];                                  /* its path */
	struct as_daemon_client client[AS_DAEMON_CLIENTS]; /* in the order in which they came */
	unsigned n_clients;
	struct as_daemon_upkeep upkeep;
	char mark[AS_DAEMON_MARK]; /* the file that says what was pushed; "": nothing is */
	bool push_fails;           /* the last child that pushed could not */
	bool over, flush;

	int64_t began, segment_began;   /* by the wall clock, ns; of the segment that is recorded */
	int64_t heeded;                 /* the hours and days up to then */
	int64_t began_mono;             /* by the clock that does not jump */
	int64_t due, due_mono;          /* when the segment ends; at the latest */
	int64_t jumped_mono;            /* when the other one did, or we began */
	struct as_daemon_piece pending; /* what could not be written */
	unsigned n_pending;             /* segments in it */
	AS_VEC(struct as_daemon_slice) slice; /* the oldest first; */
	size_t n_open;  /* the last of them, those of the segment that is recorded */
	uint64_t asked; /* for them, by the clock of their intervals; 0: never */
	struct as_made_by made[AS_PERF_MADE_MAX]; /* who has made code in the open segment */
	size_t n_made;
	struct as_daemon_sums sums;
	uint64_t busy_ns, steal_ns;  /* of the machine at the last look */
	struct as_kept_names *names; /* of the kernel; or NULL */
	uint64_t modules;            /* tells which it had when they were read */
};

/* What d->err says, with the file that it is about. */
enum { AS_DAEMON_WHY = sizeof(((struct as_err *)0)->name) + sizeof(((struct as_err *)0)->msg) };
const char *as_daemon_why(const struct as_daemon *d, char text[AS_DAEMON_WHY]);

int64_t as_daemon_clock(void); /* the wall clock, ns since 1970 */
int64_t as_daemon_mono(void);  /* the one that does not jump, which intervals have */

/* daemon_segment.c: ends the segment, and writes it. What fails is said, counted, and tried again
 * with the next one; false if out of memory, which ends the daemon. */
bool as_daemon_segment(struct as_daemon *d);
/* Nanoseconds that the machine's processors were busy, and were taken by other machines. */
void as_daemon_machine_time(uint64_t *busy_ns, uint64_t *steal_ns);

/* daemon_upkeep.c: rolls segments up and removes old epochs, if it is time; an HOUR has ended. */
void as_daemon_keep_up(struct as_daemon *d, bool hour);
/* The child that is at it ends, at once if it pushes to who does not answer. */
void as_daemon_end_upkeep(struct as_daemon *d);
/* Whether a child is to begin now, at MONO; one RUNS, or not. */
bool as_daemon_upkeep_begins(struct as_daemon_upkeep *u, bool hour, bool runs, int64_t mono);

/* daemon_push.c: what is pushed is what comes from now on, unless there is a mark. False: d->err
 * says why not. */
bool as_daemon_push_open(struct as_daemon *d);
/* Push what is there, trying each for so long; no more begins after UNTIL, by as_daemon_mono().
 * What fails is said, if it did not fail before. What went is not held any more. False: not all
 * went. */
bool as_daemon_push(struct as_daemon *d, uint64_t timeout_ms, int64_t until);
void as_daemon_push_status(const struct as_daemon *d, struct as_out *out);

/* daemon_kernel.c: the kernel's names, as they are now: read anew if it has CHANGED, as far as
 * records tell, or has other modules. NULL: each who needs them reads them. */
struct as_kept_names *as_daemon_kernel(struct as_daemon *d, bool changed);

/* daemon_slice.c: MORE, which follows on SUM, goes into it. */
void as_daemon_add(struct as_perf_interval *sum, const struct as_perf_interval *more);
/* False if that failed, d->err says why. The open segment so far: */
void as_daemon_so_far(const struct as_daemon *d, struct as_perf_interval *at);
/* it ends, and is *PROF, the caller's to free, of the interval AT; */
bool as_daemon_whole(struct as_daemon *d, struct as_profile **prof, struct as_perf_interval *at);
/* what came since SINCE is the interval AT of a file FD, the caller's to close; -1: nothing did. */
bool as_daemon_news(struct as_daemon *d, uint64_t since, struct as_perf_interval *at, int *fd);
void as_daemon_release_slices(struct as_daemon *d);

/* daemon_talk.c: the answer to ASK of user WHO; *FD, if it is not -1 then, is the caller's to hand
 * out and to close. False: it is to be told when all is over. */
bool as_daemon_talk(
	struct as_daemon *d, struct as_slice ask, uid_t who, struct as_out *out, int *fd);

/* daemon_socket.c: something has come to FD, which is the listener or somebody's. */
bool as_daemon_listen(struct as_daemon *d);
void as_daemon_heed_socket(struct as_daemon *d, int fd);
/* In a child: it has nothing to do with who asks. */
void as_daemon_leave_socket(struct as_daemon *d);
/* Who has asked for the end is told that it is there. */
void as_daemon_hang_up(struct as_daemon *d, bool stored);

/* daemon_ask.c: the path of the socket; false: it is too long for one. */
bool as_daemon_socket_path(const char *db, const char *host, char *path, size_t size);

#endif
