/* SPDX-License-Identifier: Apache-2.0 */
/* `assay live`: what is looked at, and how. */
#ifndef AS_CLI_LIVE_LIVE_H
#define AS_CLI_LIVE_LIVE_H

#include "cli/cli.h"
#include "cli/live/live_window.h"
#include "term/term.h"

/* In the order of --by. */
enum as_live_by { AS_LIVE_FUNCTION, AS_LIVE_OBJECT, AS_LIVE_PROCESS, AS_LIVE_LINE, AS_LIVE_BYS };

enum { AS_LIVE_TEXT = 256 };

struct as_live {
	struct as_cli *cli;
	struct as_live_window window;
	double each;        /* seconds between screens */
	struct as_num rows; /* as asked for */
	enum as_live_by by;
	bool inclusive;             /* the order */
	struct as_filters *filters; /* NULL: all is shown */
	char pattern[AS_LIVE_TEXT]; /* of them */

	bool screen; /* else text, screen after screen */
	/* A screen has: */
	bool paused, help, over;
	bool typing;              /* of a pattern: TYPED is what has come */
	char typed[AS_LIVE_TEXT]; /* both end with '\0' */
	char wrong[AS_LIVE_TEXT]; /* what is wrong with the pattern; "": nothing */
	size_t at, n_shown;       /* the row that is marked; rows of the last table */
	bool callers;             /* those of the row that is marked are to be shown; */
	char func[AS_LIVE_TEXT];  /* of the function of that name they are; "": the table is */
};

/* ---- live_text.c ---- */
/* The head's two lines, and the table below, of LIMIT rows, 0 = all; JSON and CSV are the table
 * alone. */
enum as_code as_live_print(struct as_live *lv, struct as_out *out, const struct as_style *style,
	size_t limit, struct as_err *err) AS_NODISCARD;

/* ---- live_keys.c ---- */
/* What the key means; true: the window is to be turned now. */
bool as_live_key(struct as_live *lv, int key);
/* Functions, files and objects that PATTERN matches are shown, "" = all; what is wrong with it is
 * lv->wrong. */
void as_live_filter(struct as_live *lv, const char *pattern);

#endif
