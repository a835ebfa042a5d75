/* SPDX-License-Identifier: Apache-2.0 */
/* Terminals and what the environment says about them: size, colour, character set. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "cli/cli.h"
#include "cli/env.h"
#include "report/kit/grid.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { SIZE_MAX_BELIEVED = 10000 };

static unsigned terminal_env_number(const char *name)
{
	const char *value = getenv(name);
	uint64_t n;

	if (!value || !as_slice_dec(as_slice_of(value), &n) || n > SIZE_MAX_BELIEVED)
		return 0;
	return (unsigned)n;
}

static bool locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		const char *value = as_env(names[i]);

		if (value)
			return strstr(value, "UTF-8") || strstr(value, "utf8") ||
			       strstr(value, "utf-8") || strstr(value, "UTF8");
	}
	return false;
}

void as_term_init(struct as_cli *cli)
{
	struct winsize size = {0};

	cli->ses.out_tty = isatty(STDOUT_FILENO);
	cli->err_tty = isatty(STDERR_FILENO);
	cli->style.utf8 = locale_is_utf8();
	cli->style.width = terminal_env_number("COLUMNS");
	if (!cli->ses.out_tty)
		return;
	cli->style.group = true;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size.ws_col = 0;
	if (!cli->style.width)
		cli->style.width = size.ws_col ? size.ws_col : 80;
	cli->height = terminal_env_number("LINES");
	if (!cli->height)
		cli->height = size.ws_row ? size.ws_row : 24;
}

static bool wants_color(unsigned color, bool tty)
{
	const char *term = getenv("TERM"), *force = as_env("CLICOLOR_FORCE");

	if (color)
		return color == AS_COLOR_ALWAYS || (color == AS_COLOR_AUTO && tty);
	if (as_env("NO_COLOR"))
		return false;
	if (force && strcmp(force, "0") != 0)
		return true;
	return tty && term && strcmp(term, "dumb") != 0;
}

void as_term_apply(struct as_cli *cli, unsigned color)
{
	cli->style.color = wants_color(color, cli->ses.out_tty);
	if (cli->ses.opt.view.format == AS_FORMAT_MARKDOWN)
		cli->style = as_grid_markdown;
	cli->err_color = wants_color(color, cli->err_tty);
}
