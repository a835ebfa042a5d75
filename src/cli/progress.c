/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr that says how far reading has come. */
#define _DEFAULT_SOURCE
#include "cli/cli.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "term/progress_text.h"

enum { FIRST_MS = 1000, WAIT_MS = 300, NEXT_MS = 100, COLUMNS_USUAL = 80 };

/* The program has one line to draw on, so there is one of these. MOVED may be called by
 * several threads: whoever moves NEXT_DRAW_MS forward draws. */
static struct {
	struct as_progress progress;
	atomic_ullong done, total; /* bytes */
	uint64_t begin_ms, next_wait_ms;
	atomic_ullong next_draw_ms;
	atomic_bool drawn;
} line;

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void progress_draw(uint64_t done, uint64_t total, uint64_t now)
{
	struct as_progress_at at = {done, total, now - line.begin_ms};
	char text[AS_PROGRESS_TEXT];
	struct winsize size = {0};

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		size.ws_col = COLUMNS_USUAL;
	as_progress_text(text, &at, size.ws_col);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
	atomic_store(&line.drawn, true);
}

static void progress_moved(struct as_progress *pr, uint64_t done, uint64_t total)
{
	unsigned long long all = atomic_fetch_add(&line.done, done) + done;
	unsigned long long next = atomic_load(&line.next_draw_ms);
	uint64_t now;

	(void)pr;
	atomic_fetch_add(&line.total, total);
	if (!done)
		return;
	now = now_ms();
	if (now >= next && atomic_compare_exchange_strong(&line.next_draw_ms, &next, now + NEXT_MS))
		progress_draw(all, atomic_load(&line.total), now);
}

/* Whose answer has begun is drawn as it comes. */
static void progress_waits(struct as_progress *pr)
{
	uint64_t now = now_ms();

	(void)pr;
	if (atomic_load(&line.done) || now < line.next_wait_ms)
		return;
	line.next_wait_ms = now + NEXT_MS;
	fprintf(stderr, "\rwaiting for an answer, %" PRIu64 " s (Ctrl-C stops) ",
		(now - line.begin_ms) / 1000);
	fflush(stderr);
	atomic_store(&line.drawn, true);
}

struct as_progress *as_progress_begin(void *ctx)
{
	const struct as_cli *cli = ctx;

	if (!cli->err_tty || cli->ses.opt.tell.quiet)
		return NULL;
	atomic_store(&line.done, 0);
	atomic_store(&line.total, 0);
	atomic_store(&line.drawn, false);
	line.begin_ms = now_ms();
	line.next_wait_ms = line.begin_ms + WAIT_MS;
	atomic_store(&line.next_draw_ms, line.begin_ms + FIRST_MS);
	line.progress = (struct as_progress){progress_moved, progress_waits};
	return &line.progress;
}

void as_progress_end(void *ctx)
{
	(void)ctx;
	if (atomic_exchange(&line.drawn, false))
		fprintf(stderr, "\r\033[K");
}
