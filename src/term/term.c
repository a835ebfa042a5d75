/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "term/term.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "io/out_file.h"

enum { COLUMNS_USUAL = 80, LINES_USUAL = 24 };

/* The other screen, no cursor, lines that are not wrapped; and back, without a mouse. */
static const char enter_text[] = "\033[?1049h\033[?25l\033[?7l\033[2J",
		  leave_text[] = "\033[0m\033[?7h\033[?25h\033[?1049l",
		  mouse_text[] = "\033[?1006l\033[?1002l\033[?1000l\033[?1l\033>";

/* What a handler needs to put the terminal back. */
static struct {
	struct termios was;
	volatile sig_atomic_t entered, drawn; /* by others */
} term_screen;

/* ---- in, and out ---- */

/* All of it; a terminal takes it, or is gone. */
static bool term_write(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(STDOUT_FILENO, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Signals stay keys of the terminal's. */
static bool term_enter(const struct as_term *t)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &term_screen.was))
		return false;
	term_screen.drawn = t->drawer != NULL;
	if (t->drawer) {
		term_screen.entered = 1;
		return t->drawer->enter(t->drawer->ctx);
	}
	raw = term_screen.was;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	term_screen.entered = 1; /* in the background the next line stops us */
	return tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 &&
	       term_write(enter_text, sizeof(enter_text) - 1);
}

/* A handler may call it. */
static void term_leave(void)
{
	if (!term_screen.entered)
		return;
	term_screen.entered = 0;
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &term_screen.was);
	if (term_screen.drawn)
		(void)term_write(mouse_text, sizeof(mouse_text) - 1);
	(void)term_write(leave_text, sizeof(leave_text) - 1);
}

/* No handler may: who draws has more to do. */
static void term_give_back(const struct as_term *t)
{
	if (term_screen.entered && t->drawer) {
		term_screen.entered = 0;
		t->drawer->leave(t->drawer->ctx);
		(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &term_screen.was);
	} else {
		term_leave();
	}
}

/* ---- signals ---- */

/* What the program does to itself cannot wait to be read. */
static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
static const int text_ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static const int screen_ignores[] = {SIGCHLD, SIGURG, SIGTTIN, SIGTTOU, SIGPIPE};

static void term_fault(int number)
{
	term_leave();
	as_term_die(number);
}

void as_term_die(int number)
{
	struct sigaction act = {.sa_handler = SIG_DFL};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	(void)sigaction(number, &act, NULL);
	(void)raise(number);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void term_faults(void)
{
	struct sigaction act = {.sa_handler = term_fault};

	for (size_t i = 0; i < AS_ARRAY_LEN(own_faults); i++)
		(void)sigaction(own_faults[i], &act, NULL);
}

/* Those that are read: of a screen all that would end or stop us, and tell of changes. */
static void term_set(sigset_t *set, bool screen)
{
	sigemptyset(set);
	for (size_t i = 0; !screen && i < AS_ARRAY_LEN(text_ends); i++)
		sigaddset(set, text_ends[i]);
	if (screen)
		sigfillset(set);
	for (size_t i = 0; i < AS_ARRAY_LEN(own_faults); i++)
		sigdelset(set, own_faults[i]);
	for (size_t i = 0; i < AS_ARRAY_LEN(screen_ignores); i++)
		sigdelset(set, screen_ignores[i]);
	/* What is ignored stays so: nohup. */
	for (int i = 1; i < NSIG; i++) {
		struct sigaction old;

		if (sigismember(set, i) == 1 && sigaction(i, NULL, &old) == 0 &&
			old.sa_handler == SIG_IGN)
			sigdelset(set, i);
	}
}

static bool term_watch(struct as_term *t, int fd)
{
	struct epoll_event ev = {.events = EPOLLIN, .data = {.fd = fd}};

	return epoll_ctl(t->events, EPOLL_CTL_ADD, fd, &ev) == 0;
}

bool as_term_open(struct as_term *t, bool screen, const struct as_term_drawer *drawer)
{
	sigset_t set;

	*t = (struct as_term){.screen = screen, .drawer = drawer};
	term_set(&set, screen);
	sigprocmask(SIG_BLOCK, &set, NULL);
	t->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	t->events = epoll_create1(EPOLL_CLOEXEC);
	if (t->signals < 0 || t->events < 0 || !term_watch(t, t->signals))
		return false;
	if (!screen)
		return true;
	term_faults();
	return term_watch(t, STDIN_FILENO) && term_enter(t);
}

void as_term_suspend(struct as_term *t)
{
	term_give_back(t);
}

bool as_term_resume(struct as_term *t)
{
	return term_enter(t);
}

void as_term_work(const struct as_term *t, bool begins)
{
	struct sigaction act = {.sa_handler = begins ? term_fault : SIG_DFL}, old;
	sigset_t set;

	if (!t->screen)
		return;
	sigemptyset(&set);
	for (size_t i = 0; i < AS_ARRAY_LEN(text_ends); i++) {
		bool ignored =
			sigaction(text_ends[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;

		if (!ignored && sigaction(text_ends[i], &act, NULL) == 0)
			sigaddset(&set, text_ends[i]);
	}
	(void)sigprocmask(begins ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

void as_term_close(struct as_term *t)
{
	term_give_back(t);
	if (t->signals >= 0)
		close(t->signals);
	if (t->events >= 0)
		close(t->events);
}

/* The shell has the terminal until we are continued. */
static void term_stop(const struct as_term *t)
{
	struct sigaction act = {.sa_handler = SIG_DFL}, old;
	sigset_t set;

	term_give_back(t);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	(void)sigaction(SIGTSTP, &act, &old);
	(void)raise(SIGTSTP);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it stops */
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)sigaction(SIGTSTP, &old, NULL);
	(void)term_enter(t);
}

static void term_heed(struct as_term *t, struct as_term_come *come)
{
	struct signalfd_siginfo info;

	while (read(t->signals, &info, sizeof(info)) == sizeof(info)) {
		int number = (int)info.ssi_signo;

		if (number == SIGTSTP)
			term_stop(t);
		if (number == SIGCONT) { /* whoever stopped us may have changed the terminal */
			term_give_back(t);
			(void)term_enter(t);
		}
		if (number == SIGTSTP || number == SIGCONT)
			come->away = true;
		else if (number == SIGWINCH)
			come->redraw = true;
		else
			come->signal = number;
	}
}

/* ---- keys ---- */

/* The key that begins at P, of N bytes; *LEN of them are its. */
static int term_key(const unsigned char *p, size_t n, size_t *len)
{
	*len = 1;
	if (p[0] != 27)
		return p[0];
	if (n < 3 || (p[1] != '[' && p[1] != 'O'))
		return AS_KEY_ESCAPE;
	for (*len = 3; *len < n && p[*len - 1] < '@'; ++*len)
		; /* "\033[5~" */
	return p[*len - 1] == 'A' ? AS_KEY_UP : p[*len - 1] == 'B' ? AS_KEY_DOWN : 0;
}

static void term_read(struct as_term_come *come)
{
	unsigned char text[AS_TERM_KEYS];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));
	size_t len;

	come->hung_up = n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
	for (size_t i = 0; n > 0 && i < (size_t)n; i += len)
		come->key[come->n++] = term_key(text + i, (size_t)n - i, &len);
}

void as_term_take(struct as_term *t, struct as_term_come *come)
{
	struct epoll_event ev[2];
	int n = epoll_wait(t->events, ev, 2, 0);

	*come = (struct as_term_come){.signal = 0};
	for (int i = 0; i < n; i++) {
		if (ev[i].data.fd == t->signals)
			term_heed(t, come);
		else if (t->drawer)
			come->typed = true;
		else
			term_read(come);
	}
}

/* ---- drawing ---- */

void as_term_size(unsigned *columns, unsigned *lines)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size.ws_col = size.ws_row = 0;
	*columns = size.ws_col ? size.ws_col : COLUMNS_USUAL;
	*lines = size.ws_row ? size.ws_row : LINES_USUAL;
}

static void term_lines(struct as_out *out, struct as_slice text, unsigned lines, size_t mark)
{
	struct as_slice line;
	unsigned n = 0;

	as_out_text(out, "\033[H");
	for (; n < lines && text.len && as_slice_cut(&text, '\n', &line); n++) {
		as_out_printf(out, "%s\033[2K%s", n ? "\r\n" : "", n == mark ? "\033[7m" : "");
		as_out_slice(out, line);
		as_out_text(out, "\033[0m");
	}
	if (n < lines)
		as_out_text(out, "\r\n\033[J");
}

bool as_term_draw(
	const struct as_term *t, const struct as_alloc *al, struct as_slice text, size_t mark)
{
	struct as_err err = AS_ERR_NONE;
	unsigned columns, lines;
	struct as_sink_fd fd;
	struct as_out out;

	as_assert(t->screen);
	as_term_size(&columns, &lines);
	as_sink_fd_init(&fd, STDOUT_FILENO);
	if (as_out_open(&out, al, &fd.sink, &err) != AS_OK)
		return false;
	term_lines(&out, text, lines, mark);
	return as_out_finish(&out) == AS_OK;
}
