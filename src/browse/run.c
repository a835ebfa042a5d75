/* SPDX-License-Identifier: Apache-2.0 */
/* The browser at a terminal: keys in, screens out, and what it does outside. */
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE
#include "browse/browse.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "browse/ncurses_lib.h"
#include "browse/tty.h"
#include "io/out_file.h"
#include "term/progress_text.h"
#include "term/term.h"

enum { FIRST_MS = 300, NEXT_MS = 100, DEAF_MAX = 100, COPY_MAX = 64 << 10 };

struct run {
	const struct as_browse_ask *ask;
	struct as_browse *b;
	struct as_term term;
	struct as_tty tty;
	struct as_ncurses ncurses;
	struct as_term_drawer drawer;
	unsigned columns, lines, deaf;
	bool over, anew;
	int signal;

	/* of reading; threads of it tell */
	struct as_progress progress;
	atomic_ullong done, total, next;
	uint64_t begin;
	atomic_flag drawing;
};

/* ---- while work goes on ---- */

static uint64_t run_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void run_moved(struct as_progress *pr, uint64_t done, uint64_t total)
{
	struct run *r = (struct run *)(void *)((char *)pr - offsetof(struct run, progress));
	struct as_progress_at at = {.ms = run_now() - r->begin};
	char text[AS_PROGRESS_TEXT];

	at.done = atomic_fetch_add(&r->done, done) + done;
	at.total = atomic_fetch_add(&r->total, total) + total;
	if (!done || at.ms < atomic_load(&r->next) || atomic_flag_test_and_set(&r->drawing))
		return;
	atomic_store(&r->next, at.ms + NEXT_MS);
	as_progress_text(text, &at, r->columns);
	as_tty_wait(&r->tty, text);
	atomic_flag_clear(&r->drawing);
}

static struct as_progress *run_progress(void *ctx)
{
	struct run *r = ctx;

	atomic_store(&r->done, 0);
	atomic_store(&r->total, 0);
	atomic_store(&r->next, FIRST_MS);
	atomic_flag_clear(&r->drawing);
	r->begin = run_now();
	r->progress = (struct as_progress){run_moved, NULL};
	return &r->progress;
}

static void run_work(void *ctx, bool begins)
{
	struct run *r = ctx;

	as_term_work(&r->term, begins);
}

/* ---- outside ---- */

/* The editor has the terminal until it ends. */
static void run_edit(struct run *r)
{
	extern char **environ;
	uint64_t line;
	const char *file = as_browse_file(r->b, &line);
	char command[600], at[32], sh[] = "sh", is[] = "-c", path[1024];
	char *argv[] = {sh, is, command, sh, at, path, NULL};
	posix_spawnattr_t attr;
	struct as_term_come come;
	sigset_t none, all;
	pid_t pid;
	int status = -1, rc;

	if (!r->ask->editor || strlen(r->ask->editor) + 16 > sizeof(command)) {
		as_browse_say(r->b, "no editor is known: EDITOR, or --editor");
		return;
	}
	snprintf(command, sizeof(command), "%s \"$@\"", r->ask->editor);
	snprintf(at, sizeof(at), "+%" PRIu64, line);
	snprintf(path, sizeof(path), "%s", file);
	as_term_suspend(&r->term);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(&pid, "/bin/sh", NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	while (rc == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	r->over |= !as_term_resume(&r->term);
	as_term_take(&r->term, &come); /* Ctrl-C was the editor's */
	r->anew = true;
	if (rc || !WIFEXITED(status) || WEXITSTATUS(status))
		as_browse_say(r->b, "the editor has failed: %s", r->ask->editor);
}

static void run_put(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(STDOUT_FILENO, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		p += done;
		n -= (size_t)done;
	}
}

/* By OSC 52, which terminals that know it take as what is pasted next: in base64, so that no text
 * is an order. */
static void run_copy(struct run *r)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789+/=";
	enum { FILL = 64 };
	struct as_slice s = as_browse_copied(r->b);
	char text[4];

	if (!s.p || s.len > COPY_MAX)
		return;
	run_put("\033]52;c;", 7);
	for (size_t i = 0; i < s.len; i += 3) {
		size_t n = s.len - i < 3 ? s.len - i : 3;
		uint32_t v = (uint32_t)(unsigned char)s.p[i] << 16;

		v |= n > 1 ? (uint32_t)(unsigned char)s.p[i + 1] << 8 : 0;
		v |= n > 2 ? (uint32_t)(unsigned char)s.p[i + 2] : 0;
		text[0] = digit[v >> 18];
		text[1] = digit[v >> 12 & 63];
		text[2] = digit[n > 1 ? v >> 6 & 63 : FILL];
		text[3] = digit[n > 2 ? v & 63 : FILL];
		run_put(text, sizeof(text));
	}
	run_put("\a", 1);
}

/* ---- the loop ---- */

static bool run_draw(struct run *r)
{
	struct as_canvas f;
	unsigned columns, lines;
	bool ok;

	as_term_size(&columns, &lines);
	if (columns != r->columns || lines != r->lines)
		as_tty_resize(&r->tty, columns, lines);
	r->columns = columns;
	r->lines = lines;
	ok = as_canvas_make(&f, r->ask->ses->al, columns, lines) && as_browse_draw(r->b, &f);
	if (ok)
		as_tty_draw(&r->tty, &f, r->anew);
	as_canvas_release(&f);
	r->anew = false;
	return ok;
}

static void run_wish(struct run *r, enum as_browse_wish wish)
{
	if (wish == AS_WISH_QUIT)
		r->over = true;
	else if (wish == AS_WISH_EDIT)
		run_edit(r);
	else if (wish == AS_WISH_COPY)
		run_copy(r);
	else if (wish == AS_WISH_REDRAW)
		r->anew = true;
}

static void run_read(struct run *r)
{
	struct as_tty_input in;
	bool any = false;

	while (!r->over && as_tty_read(&r->tty, &in)) {
		any = true;
		if (in.wheel)
			as_browse_wheel(r->b, in.wheel);
		else if (in.click)
			run_wish(r, as_browse_click(r->b, in.x, in.y));
		else if (in.key)
			run_wish(r, as_browse_heed(r->b, in.key));
		if (in.click && !r->over)
			r->over |= !run_draw(r); /* the next click is on that */
	}
	r->deaf = any ? 0 : r->deaf + 1;
	r->over |= r->deaf > DEAF_MAX; /* there is nobody */
}

static bool run_step(struct run *r)
{
	struct pollfd fd = {.fd = r->term.events, .events = POLLIN};
	struct as_term_come come;

	if (poll(&fd, 1, -1) < 0 && errno != EINTR)
		return false;
	as_term_take(&r->term, &come);
	r->signal = come.signal;
	r->over |= come.signal != 0;
	r->anew |= come.away;
	if (come.typed && !r->over)
		run_read(r);
	return r->over || run_draw(r);
}

static enum as_exit run_loop(struct run *r)
{
	const struct as_browse_around around = {r, run_work, run_progress};
	bool ok;

	as_browse_surround(r->b, &around);
	ok = run_draw(r);
	while (ok && !r->over)
		ok = run_step(r);
	as_term_close(&r->term);
	as_tty_end(&r->tty);
	AS_DO(as_say_memory(r->ask->ses, ok));
	if (r->signal && r->signal != SIGINT)
		as_term_die(r->signal);
	return AS_EXIT_OK;
}

static enum as_exit run_begin(struct run *r)
{
	r->tty.ask = r->ask;
	r->tty.nc = &r->ncurses;
	r->drawer = (struct as_term_drawer){as_tty_enter, as_tty_leave, &r->tty};
	if (as_term_open(&r->term, true, &r->drawer))
		return run_loop(r);
	as_term_close(&r->term);
	if (r->tty.no_library)
		return as_say_end(r->ask->ses, AS_EXIT_UNSUPPORTED, "libncursesw.so.6 is not here",
			"apt-get install libncursesw6");
	return as_say_endf(r->ask->ses, AS_EXIT_UNSUPPORTED,
		"TERM has its name; as text: assay show FILE, assay top FILE",
		"there is no screen to browse on: the terminal '%.100s'", r->ask->term);
}

enum as_exit as_browse_run(const struct as_browse_ask *ask)
{
	struct run r = {.ask = ask};
	enum as_exit rc = as_browse_open(&r.b, ask);

	AS_THEN(rc, run_begin(&r));
	as_browse_close(r.b);
	return rc;
}
