/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child: nothing but system calls. It leaves by a signal that it can't survive, so that none
 * of this process's handlers of exit run in it. */
static void wait_and_exec(int go, int failed, char *const *argv, bool no_sigpipe)
{
	ssize_t n;
	char byte;
	int reason;

	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1) {
		if (!no_sigpipe)
			signal(SIGPIPE, SIG_DFL);
		execvp(argv[0], argv);
		reason = errno;
		(void)!write(failed, &reason, sizeof(reason)); /* nobody else is to be told */
	}
	for (;;)
		kill(getpid(), SIGKILL);
}

enum as_code as_start_prepare(
	struct as_start *s, char *const *argv, bool no_sigpipe, struct as_err *err)
{
	int go[2], failed[2];

	s->pid = -1;
	s->go = s->failed = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go))
		goto no_pipe;
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		goto no_pipe;
	}
	s->pid = fork();
	if (s->pid == 0) {
		close(go[1]);
		wait_and_exec(go[0], failed[1], argv, no_sigpipe);
	}
	close(go[0]);
	close(failed[1]);
	s->go = go[1];
	s->failed = failed[0];
	if (s->pid > 0)
		return AS_OK;
	as_start_cancel(s);
no_pipe:
	as_err_set(err, AS_E_IO, "'%s' can't be started: %s", argv[0], strerror(errno));
	if (err)
		err->sys_errno = errno;
	return AS_E_IO;
}

static void close_all(struct as_start *s)
{
	if (s->go >= 0)
		close(s->go);
	if (s->failed >= 0)
		close(s->failed);
	s->go = s->failed = -1;
}

void as_start_cancel(struct as_start *s)
{
	close_all(s);
	if (s->pid > 0) {
		while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	s->pid = -1;
}

enum as_code as_start_go(struct as_start *s, const char *name, struct as_err *err)
{
	char byte = 1;
	int reason = 0;
	ssize_t n;

	as_assert(s->pid > 0 && s->go >= 0 && s->failed >= 0);
	if (send(s->go, &byte, 1, MSG_NOSIGNAL) != 1)
		reason = errno;
	do
		n = read(s->failed, &reason, sizeof(reason));
	while (n < 0 && errno == EINTR);
	if (!reason) {
		close_all(s);
		return AS_OK;
	}
	as_start_cancel(s);
	as_err_set(err, AS_E_IO, "'%s' can't be started: %s", name, strerror(reason));
	if (err)
		err->sys_errno = reason;
	return AS_E_IO;
}
