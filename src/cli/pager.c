/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char *pager_command(const char *usual)
{
	const char *own = getenv("ASSAY_PAGER"), *others = getenv("PAGER");

	if (own)
		return own;
	if (usual)
		return usual;
	return others ? others : "less";
}

bool as_pager_show(struct as_slice text, const char *usual)
{
	const char *command = pager_command(usual);
	void (*old)(int);
	FILE *pipe;
	int status;

	if (!command[0] || strcmp(command, "cat") == 0)
		return false;
	/* Quit if one screen, keep colours, do not wrap, leave the screen as it is. */
	if (setenv("LESS", "FRSX", 0))
		return false;
	old = signal(SIGINT, SIG_IGN); /* Ctrl-C is the pager's */
	pipe = popen(command, "w");
	if (!pipe) {
		signal(SIGINT, old);
		return false;
	}
	/* The pager may be left before the end. */
	(void)!fwrite(text.p, 1, text.len, pipe);
	status = pclose(pipe);
	signal(SIGINT, old);
	return status != 127 << 8; /* what sh says when there is no such program */
}
