/* SPDX-License-Identifier: Apache-2.0 */
/* A command's answer in a file of its own, which appears whole or not at all. */
#ifndef AS_CLI_ANSWER_H
#define AS_CLI_ANSWER_H

#include "cli/cli.h"

struct as_answer {
	struct as_cli *cli;
	struct as_out *out; /* write here */
	/* where it goes; else to stdout */
	bool to_file;
	struct as_out_file file;
	struct as_out file_out;
	struct as_err err;
};

/* PATH is NULL or "-" for stdout. An older file is replaced with OVERWRITE only. Always ends in
 * as_answer_end(). */
enum as_exit as_answer_begin(
	struct as_answer *a, struct as_cli *cli, const char *path, bool overwrite);
/* RC is what has become of the answer: unless that is AS_EXIT_OK, no file is left behind. */
enum as_exit as_answer_end(struct as_answer *a, enum as_exit rc);

/* The same word that as_answer_begin() would have, before a profile is read for it. */
enum as_exit as_answer_check(struct as_cli *cli, const char *path, bool overwrite);

/* Forms of a picture, as --format svg|html|text numbers them. */
enum { AS_PICTURE_SVG = 1, AS_PICTURE_HTML, AS_PICTURE_TEXT };
/* *FORM, where it is 0, by the name of the file PATH; TEXT: that is one, too. Says so if the name
 * tells none. */
enum as_exit as_answer_picture(struct as_cli *cli, const char *path, bool text, unsigned *form);

#endif
