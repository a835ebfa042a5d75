/* SPDX-License-Identifier: Apache-2.0 */
/* The user's browser, and a file that nobody else can read for it. */
#ifndef AS_CLI_PAGE_BROWSER_H
#define AS_CLI_PAGE_BROWSER_H

#include "cli/cli.h"

enum { AS_BROWSER_PATH = 4096 };

/* A new file, 0600, in $XDG_RUNTIME_DIR, $TMPDIR or /tmp; those that are older than a day are
 * removed there. *FD is the caller's to close; says what went wrong. */
enum as_exit as_browser_file(struct as_cli *cli, char path[AS_BROWSER_PATH], int *fd);

/* Whether there is a browser to be expected: one was named, or there is a display, and this is no
 * session of ssh. */
bool as_browser_is_here(void);
bool as_browser_is_ssh(void);

/* What became of a browser: what of it is known at once. */
struct as_browser {
	enum { AS_BROWSER_NONE, AS_BROWSER_STARTED, AS_BROWSER_FAILED } is;
	char name[256]; /* escaped */
	int status;     /* as of waitpid(), where it failed */
};

/* Show PATH: $BROWSER, xdg-open, sensible-browser, the first that there is; no shell. */
struct as_browser as_browser_start(const char *path);

#endif
