/* SPDX-License-Identifier: Apache-2.0 */
/* Running a program with the in-process sampler in it. */
#ifndef AS_RECORD_LAUNCH_H
#define AS_RECORD_LAUNCH_H

#include "base/err.h"

struct as_launch {
	const char *program; /* its path */
	char *const *argv;   /* ended by NULL */
	char *const *env;    /* likewise: what it would have without us */
	const char *library; /* the sampler's; NULL: none is preloaded */
	const char *file;    /* where the profile goes: absolute */
	uint64_t hz;
	uint64_t max_bytes; /* of a process's stacks; 0: as the sampler has it */
	uint64_t begin;     /* by CLOCK_MONOTONIC: nothing is sampled before; 0: from the start */
	bool calls;         /* they are counted, and nothing is sampled */
	bool wall;
	bool timed;      /* each sample says when it was */
	bool threads;    /* and of which thread */
	bool no_sigpipe; /* it is ignored in the program: it was when the caller was started */
};

/*
 * Starts it; PID is its process. A script that names no interpreter is executed by /bin/sh. While
 * it runs, the caller passes SIGINT, SIGQUIT, SIGTERM and SIGHUP on to it, unless they come from
 * the terminal, which sends them to both: what was recorded is not lost with the recorder. Those
 * that the caller ignores stay ignored. An error says why it could not be executed.
 */
enum as_code as_launch_start(const struct as_launch *l, int *pid, struct as_err *err) AS_NODISCARD;

/*
 * Waits until it has ended, or SECONDS are over (0: for ever): then it gets SIGINT, and as it may
 * take its time, SIGTERM later. STATUS is what the shell would say: 128 + N for signal N.
 */
enum as_code as_launch_wait(int pid, double seconds, int *status, struct as_err *err) AS_NODISCARD;

#endif
