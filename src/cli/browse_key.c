/* SPDX-License-Identifier: Apache-2.0 */
/* Behind an answer on a terminal: a key that goes on from there. */
#define _DEFAULT_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "browse/browse.h"
#include "cli/cli.h"
#include "cli/env.h"
#include "term/term.h"

static bool browse_key_enter(void *ctx)
{
	struct termios raw;

	(void)ctx;
	if (tcgetattr(STDIN_FILENO, &raw))
		return false;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

static void browse_key_leave(void *ctx)
{
	(void)ctx; /* who has the screen puts the terminal back */
}

/* Somebody sits there, and has not typed what comes next. */
static bool browse_key_may_ask(const struct as_cli *cli)
{
	const char *term = as_env("TERM");
	int waiting = 0;

	return cli->ses.out_tty && !cli->ses.opt.tell.quiet && isatty(STDIN_FILENO) && term &&
	       strcmp(term, "dumb") != 0 && as_browse_version()[0] &&
	       tcgetpgrp(STDIN_FILENO) == getpgrp() &&
	       ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && !waiting;
}

static void browse_key_line(const struct as_cli *cli, const char *text)
{
	const char *dim = as_paint_begin(&cli->style, AS_PAINT_DIM);

	printf("\r\033[K%s%s%s", text[0] ? dim : "", text,
		text[0] ? as_paint_end(&cli->style, AS_PAINT_DIM) : "");
	fflush(stdout);
}

/* The first key that is typed; 0: a signal came, which is *ENDS. */
static char browse_key_wait(struct as_term *term, int *ends)
{
	struct pollfd fd = {.fd = term->events, .events = POLLIN};
	struct as_term_come come = {.signal = 0};
	char key = 0;

	while (!come.signal && !come.typed) {
		(void)poll(&fd, 1, -1);
		as_term_take(term, &come);
	}
	*ends = come.signal;
	if (come.typed && read(STDIN_FILENO, &key, 1) != 1)
		key = 0;
	return key;
}

bool as_browse_key_asked(const struct as_cli *cli)
{
	static const struct as_term_drawer drawer = {browse_key_enter, browse_key_leave, NULL};
	struct as_term term;
	char key = 0;
	int ends = 0;
	sigset_t was;

	if (!browse_key_may_ask(cli))
		return false;
	sigprocmask(SIG_BLOCK, NULL, &was);
	if (as_term_open(&term, true, &drawer)) {
		browse_key_line(cli, "b: browse it; any other key: done");
		key = browse_key_wait(&term, &ends);
		browse_key_line(cli, "");
	}
	as_term_close(&term);
	sigprocmask(SIG_SETMASK, &was, NULL);
	if (ends)
		as_term_die(ends);
	return key == 'b';
}
