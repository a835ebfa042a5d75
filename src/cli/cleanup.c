/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupted run leaves no temporary behind. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* What the handler sees. It changes only while the signals are held. */
static struct {
	struct as_out_file *files;
	size_t n;
	struct sigaction old[AS_ARRAY_LEN(caught)];
} current;

static void on_signal(int sig)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL};

	for (size_t i = 0; i < current.n; i++)
		if (current.files[i].tmp)
			(void)unlink(current.files[i].tmp);
	/* Die of it, so that the caller knows. */
	sigaction(sig, &dfl, NULL);
	raise(sig);
}

static void cleanup_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < AS_ARRAY_LEN(caught); i++)
		sigaddset(&set, caught[i]);
	sigprocmask(how, &set, NULL);
}

void as_cleanup_hold(void *ctx, bool hold)
{
	(void)ctx;
	cleanup_signals(hold ? SIG_BLOCK : SIG_UNBLOCK);
}

static void cleanup_begin(void)
{
	struct sigaction act = {.sa_handler = on_signal};

	for (size_t i = 0; i < AS_ARRAY_LEN(caught); i++) {
		sigaction(caught[i], NULL, &current.old[i]);
		/* nohup means it. */
		if (current.old[i].sa_handler != SIG_IGN)
			sigaction(caught[i], &act, NULL);
	}
}

void as_cleanup(void *ctx, struct as_out_file *files, size_t n)
{
	cleanup_signals(SIG_BLOCK);
	if (n && !current.n)
		cleanup_begin();
	for (size_t i = 0; !n && i < AS_ARRAY_LEN(caught); i++)
		sigaction(caught[i], &current.old[i], NULL);
	current.files = files;
	current.n = n;
	(void)ctx;
	cleanup_signals(SIG_UNBLOCK);
}
