/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/answer.h"

#include <errno.h>
#include <sys/stat.h>

static enum as_exit answer_failed(struct as_answer *a)
{
	const char *hint = "nothing was written; an older file is as it was";

	if (a->err.sys_errno == EEXIST)
		hint = "to replace it: -y";
	as_say_failed(&a->cli->ses, &a->err, hint);
	return AS_EXIT_OUTPUT;
}

enum as_exit as_answer_begin(
	struct as_answer *a, struct as_cli *cli, const char *path, bool overwrite)
{
	enum as_code rc;

	*a = (struct as_answer){.cli = cli};
	as_err_clear(&a->err);
	if (!path || strcmp(path, "-") == 0)
		return as_cli_out(cli, &a->out);
	as_cleanup(cli, &a->file, 1);
	as_cleanup_hold(a->cli, true);
	rc = as_out_file_open(&a->file, cli->ses.al, path, overwrite, &a->err);
	a->to_file = rc == AS_OK;
	as_cleanup_hold(a->cli, false);
	if (rc != AS_OK) {
		as_cleanup(a->cli, NULL, 0);
		return answer_failed(a);
	}
	AS_DO(as_say_code(
		&cli->ses, as_out_open(&a->file_out, cli->ses.al, &a->file.sink, &a->err), NULL));
	a->out = &a->file_out;
	return AS_EXIT_OK;
}

enum as_exit as_answer_end(struct as_answer *a, enum as_exit rc)
{
	if (!a->to_file)
		return rc;
	if (a->out && as_out_finish(&a->file_out) != AS_OK && rc == AS_EXIT_OK)
		rc = answer_failed(a);
	as_cleanup_hold(a->cli, true);
	if (rc != AS_EXIT_OK)
		as_out_file_abort(&a->file);
	else if (as_out_file_commit(&a->file, &a->err) != AS_OK)
		rc = answer_failed(a);
	as_cleanup_hold(a->cli, false);
	as_cleanup(a->cli, NULL, 0);
	return rc;
}

enum as_exit as_answer_check(struct as_cli *cli, const char *path, bool overwrite)
{
	struct as_answer answer;
	struct stat st;
	enum as_exit rc;

	/* A pipe may be opened but once. */
	if (path && stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return AS_EXIT_OK;
	rc = as_answer_begin(&answer, cli, path, overwrite);
	(void)as_answer_end(&answer, AS_EXIT_NO);
	return rc;
}

/* A picture that others draw out of SVG. */
static bool is_other_picture(struct as_slice name)
{
	static const char *const end[] = {".png", ".pdf", ".ps", ".jpg"};

	for (size_t i = 0; i < AS_ARRAY_LEN(end); i++)
		if (as_slice_ends(name, end[i]))
			return true;
	return false;
}

enum as_exit as_answer_picture(struct as_cli *cli, const char *path, bool text, unsigned *form)
{
	struct as_slice name;

	if (*form)
		return AS_EXIT_OK;
	name = as_slice_of(path);
	if (as_slice_ends(name, ".svg") || as_slice_starts(name, "/dev/"))
		*form = AS_PICTURE_SVG;
	else if (as_slice_ends(name, ".html") || as_slice_ends(name, ".htm"))
		*form = AS_PICTURE_HTML;
	else if (text && as_slice_ends(name, ".txt"))
		*form = AS_PICTURE_TEXT;
	if (*form)
		return AS_EXIT_OK;
	return as_say_usage(&cli->ses,
		text ? "option '-o': expected a file .svg, .html or .txt"
		     : "option '-o': expected a file .svg or .html",
		is_other_picture(name)
			? "others turn SVG into pictures: rsvg-convert x.svg -o x.png"
			: "or say which form it shall have: -f svg");
}
