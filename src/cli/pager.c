/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char *pager_command(void)
{
	static const char *const names[] = {"ASSAY_PAGER", "PAGER"};

	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value)
			return value;
	}
	return "less";
}

bool as_pager_show(struct as_slice text)
{
	const char *command = pager_command();
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
