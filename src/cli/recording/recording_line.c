/* SPDX-License-Identifier: Apache-2.0 */
/* One line on the terminal that says how far a recording has come. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "cli/recording/recording.h"
#include "record/perf.h"
#include "report/kit/show.h"

enum { WIDTH_DEFAULT = 80 };

/* Whether the process writes to the terminal that stderr is, or that can't be told. */
static bool writes_here(uint64_t pid)
{
	struct stat ours, its;
	char path[64];

	if (fstat(STDERR_FILENO, &ours) != 0)
		return true;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		snprintf(path, sizeof(path), "/proc/%" PRIu64 "/fd/%d", pid, fd);
		if (stat(path, &its) != 0 ? errno != ENOENT : its.st_rdev == ours.st_rdev)
			return true;
	}
	return false;
}

bool as_recording_line_fits(const struct as_recording *r)
{
	return r->args->pid.given && r->cli->err_tty && !r->cli->ses.opt.quiet &&
	       !writes_here(r->args->pid.value);
}

static unsigned width(void)
{
	struct winsize size = {0};

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return WIDTH_DEFAULT;
	return size.ws_col;
}

/* "11,873 samples" */
static struct as_slice counted(struct as_arena *ar, uint64_t n, const char *what)
{
	struct as_style style = {.group = true};
	struct as_slice number = as_show_val(ar, (as_val)n, &style);

	return as_arena_printf(ar, "%.*s %s%s", (int)number.len, number.p, what, n == 1 ? "" : "s");
}

static void draw(struct as_recording *r, struct as_arena *ar, const struct as_perf_so_far *at)
{
	bool utf8 = r->cli->style.utf8;
	struct as_style group = {.group = true};
	struct as_slice lost = as_show_val(ar, (as_val)at->lost, &group);
	struct as_slice part[] = {as_arena_printf(ar, "recording %" PRIu64, r->args->pid.value),
		as_arena_printf(ar, "%" PRIu64 " s", at->seconds),
		counted(ar, at->samples, "sample"), counted(ar, at->threads, "thread"),
		as_arena_printf(ar, "%.*s lost", (int)lost.len, lost.p)};
	size_t left = width() - 1;

	fputs("\r\033[K", stderr);
	for (size_t i = 0; i < AS_ARRAY_LEN(part); i++) {
		const char *before = i == 0 ? "" : utf8 ? " \xc2\xb7 " : ", ";
		size_t columns = part[i].len + (i == 0 ? 0 : utf8 ? 3 : 2);

		if (columns > left)
			break;
		left -= columns;
		fprintf(stderr, "%s%.*s", before, (int)part[i].len, part[i].p);
	}
	fflush(stderr);
}

void as_recording_line_draw(void *ctx, const struct as_perf_so_far *at)
{
	struct as_recording *r = ctx;
	struct as_arena ar;

	as_arena_init(&ar, r->cli->ses.al);
	draw(r, &ar, at);
	as_arena_release(&ar);
	r->drawn = true;
}

void as_recording_line_clear(struct as_recording *r)
{
	if (r->drawn)
		fputs("\r\033[K", stderr);
	r->drawn = false;
}
