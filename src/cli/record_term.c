/* SPDX-License-Identifier: Apache-2.0 */
/* A recording and the terminal: a line on it that says how far it is, and its signals. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "cli/cli.h"
#include "record/perf.h"
#include "recording/recording.h"
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

bool as_record_line_fits(const struct as_cli *cli, uint64_t pid)
{
	return cli->err_tty && !cli->ses.opt.tell.quiet && !writes_here(pid);
}

static unsigned record_term_width(void)
{
	struct winsize size = {0};

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return WIDTH_DEFAULT;
	return size.ws_col;
}

/* "11,873 samples" */
static struct as_slice record_term_counted(struct as_arena *ar, uint64_t n, const char *what)
{
	struct as_style style = {.group = true};
	struct as_slice number = as_show_val(ar, (as_val)n, &style);

	return as_arena_printf(ar, "%.*s %s%s", (int)number.len, number.p, what, n == 1 ? "" : "s");
}

static void record_term_draw(
	struct as_recording *r, struct as_arena *ar, const struct as_perf_so_far *at)
{
	bool utf8 = r->utf8;
	struct as_style group = {.group = true};
	struct as_slice lost = as_show_val(ar, (as_val)at->lost, &group);
	struct as_slice part[] = {as_arena_printf(ar, "recording %" PRIu64, r->args->pid.value),
		as_arena_printf(ar, "%" PRIu64 " s", at->seconds),
		record_term_counted(ar, at->samples, "sample"),
		record_term_counted(ar, at->threads, "thread"),
		as_arena_printf(ar, "%.*s lost", (int)lost.len, lost.p)};
	size_t left = record_term_width() - 1;

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

static void draw_line(void *ctx, const struct as_perf_so_far *at)
{
	struct as_recording *r = ctx;
	struct as_arena ar;

	as_arena_init(&ar, r->ses->al);
	record_term_draw(r, &ar, at);
	as_arena_release(&ar);
	r->drawn = true;
}

/* ---- signals ---- */

static const int heeded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t stopped, passed;
static struct sigaction old[AS_ARRAY_LEN(heeded)];

static void record_term_stop(int number)
{
	(void)number;
	stopped = 1;
}

/* Pass the signal on to the program. One that the terminal sent has reached it already. */
static void record_term_pass(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code != SI_KERNEL)
		passed = number;
}

/* A signal that is ignored stays ignored (nohup), in the program, too. But SIGINT always ends the
 * recording of a process that runs already, though a shell's "&" makes us ignore it. */
static void record_term_heed(bool attached)
{
	struct sigaction act = {.sa_flags = attached ? 0 : SA_SIGINFO};

	if (attached)
		act.sa_handler = record_term_stop;
	else
		act.sa_sigaction = record_term_pass;
	stopped = passed = 0;
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < AS_ARRAY_LEN(heeded); i++) {
		bool always = attached && heeded[i] == SIGINT;

		(void)sigaction(heeded[i], NULL, &old[i]);
		if (always || old[i].sa_handler != SIG_IGN)
			(void)sigaction(heeded[i], &act, NULL);
	}
}

static void record_term_leave(struct as_recording *r)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(heeded); i++)
		(void)sigaction(heeded[i], &old[i], NULL);
	if (r->drawn)
		fputs("\r\033[K", stderr);
	r->drawn = false;
}

const struct as_recording_around as_record_term = {
	record_term_heed, record_term_leave, &stopped, &passed, draw_line};
