/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SET_MAX = 8, PATIENCE = 5, POLL_NS = 10000000, NS = 1000000000 };

/* Variables of the sampler that the caller's environment may hold. */
static const char *const ours[] = {"ASSAY_PROFILE=", "ASSAY_CALLS=", "ASSAY_BEGIN=",
	"ASSAY_MAX_BYTES=", "ASSAY_TIMES=", "ASSAY_THREADS=", "CPUPROFILE=",
	"CPUPROFILE_FREQUENCY=", "CPUPROFILE_REALTIME=", "CPUPROFILE_USE_PID=", "CPUPROFILESIGNAL=",
	"CPUPROFILE_TIMER_SIGNAL=", "CPUPROFILE_PER_THREAD_TIMERS=", "LD_PRELOAD="};

/* The environment of the child. */
struct environment {
	char **p;
	size_t n;
	char *set[SET_MAX]; /* ours among them */
	size_t n_set;
	bool bad;
};

static bool launch_is_ours(const char *text)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(ours); i++)
		if (strncmp(text, ours[i], strlen(ours[i])) == 0)
			return true;
	return false;
}

/* NAME, and the two texts behind it. Without memory it is left out, and E->bad. */
static void launch_set(
	struct environment *e, const char *name, const char *first, const char *second)
{
	size_t size = strlen(name) + strlen(first) + strlen(second) + 1;
	char *text = malloc(size);

	if (!text) {
		e->bad = true;
		return;
	}
	snprintf(text, size, "%s%s%s", name, first, second);
	e->set[e->n_set++] = text;
	e->p[e->n++] = text;
}

/* Behind the libraries that are preloaded anyway, if any. */
static void set_preload(struct environment *e, const struct as_launch *l)
{
	static const char name[] = "LD_PRELOAD=";

	for (size_t i = 0; l->env[i]; i++)
		if (strncmp(l->env[i], name, sizeof(name) - 1) == 0 &&
			l->env[i][sizeof(name) - 1]) {
			launch_set(e, l->env[i], ":", l->library);
			return;
		}
	launch_set(e, name, l->library, "");
}

static void launch_drop(struct environment *e)
{
	for (size_t i = 0; i < e->n_set; i++)
		free(e->set[i]);
	free(e->p);
}

static bool make_environment(struct environment *e, const struct as_launch *l)
{
	char number[32];
	size_t n = 0;

	*e = (struct environment){0};
	while (l->env[n])
		n++;
	e->p = calloc(n + SET_MAX + 1, sizeof(*e->p));
	if (!e->p)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!l->library || !launch_is_ours(l->env[i]))
			e->p[e->n++] = l->env[i];
	if (!l->library)
		return true;
	snprintf(number, sizeof(number), "%" PRIu64, l->hz);
	set_preload(e, l);
	if (l->calls) {
		launch_set(e, "ASSAY_CALLS=", l->file, "");
		return !e->bad;
	}
	launch_set(e, "ASSAY_PROFILE=", l->file,
		""); /* not libprofiler's name: it may be in it, too */
	launch_set(e, "CPUPROFILE_FREQUENCY=", number, "");
	snprintf(number, sizeof(number), "%" PRIu64, l->max_bytes);
	if (l->max_bytes)
		launch_set(e, "ASSAY_MAX_BYTES=", number, "");
	snprintf(number, sizeof(number), "%" PRIu64, l->begin);
	if (l->begin)
		launch_set(e, "ASSAY_BEGIN=", number, "");
	if (l->wall)
		launch_set(e, "CPUPROFILE_REALTIME=", "1", "");
	if (l->timed)
		launch_set(e, "ASSAY_TIMES=", "1", "");
	else if (l->threads)
		launch_set(e, "ASSAY_THREADS=", "1", "");
	return !e->bad;
}

/* Signals that would end us, and with us the profile: the program gets them instead; and that of
 * its end. An ignored one (nohup, a shell's "&") stays ignored, here and there. */
static void launch_passed(sigset_t *set)
{
	static const int ending[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
	struct sigaction act;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < AS_ARRAY_LEN(ending); i++)
		if (sigaction(ending[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
}

/* A script whose first line names no interpreter is the shell's, as with execvp(). */
static void by_shell(const struct as_launch *l, char **env)
{
	static const char shell[] = "/bin/sh";
	size_t n = 1;
	char **argv;

	while (l->argv[n - 1] && l->argv[n])
		n++;
	argv = calloc(n + 2, sizeof(*argv));
	if (!argv)
		return;
	argv[0] = (char *)(uintptr_t)shell;
	argv[1] = (char *)(uintptr_t)l->program;
	for (size_t i = 1; i < n; i++)
		argv[i + 1] = l->argv[i];
	execve(shell, argv, env);
	free(argv);
}

/* In the child: the pipe tells the parent why it did not become the program. */
static void launch_become(const struct as_launch *l, char **env, int pipe_end, const sigset_t *mask)
{
	int why;
	ssize_t did;

	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	if (!l->no_sigpipe)
		signal(SIGPIPE, SIG_DFL);
	execve(l->program, l->argv, env);
	if (errno == ENOEXEC)
		by_shell(l, env);
	why = errno;
	do
		did = write(pipe_end, &why, sizeof(why));
	while (did < 0 && errno == EINTR);
	_Exit(127);
}

/* 0: it runs. */
static int launch_failure(int pipe_end)
{
	int why = 0;
	ssize_t n;

	do
		n = read(pipe_end, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(why) ? why : 0;
}

enum as_code as_launch_start(const struct as_launch *l, int *pid, struct as_err *err)
{
	struct environment e;
	int ends[2], why;
	sigset_t held, mask;

	if (!make_environment(&e, l)) {
		launch_drop(&e);
		return as_err_no_memory(err);
	}
	if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
		fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) {
		launch_drop(&e);
		return as_err_set(err, AS_E_IO, "no pipe can be made: %s", strerror(errno));
	}
	launch_passed(&held);
	(void)sigprocmask(SIG_BLOCK, &held, &mask);
	*pid = fork();
	if (*pid == 0)
		launch_become(l, e.p, ends[1], &mask);
	why = *pid < 0 ? errno : 0;
	close(ends[1]);
	launch_drop(&e);
	if (!why)
		why = launch_failure(ends[0]);
	close(ends[0]);
	if (!why)
		return AS_OK;
	if (*pid > 0)
		(void)waitpid(*pid, NULL, 0);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	return as_err_set(err, AS_E_IO, "'%s' can't be executed: %s", l->program,
		why == ENOENT && access(l->program, F_OK) == 0 ? "its interpreter is not there"
							       : strerror(why));
}

static double launch_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Asks it to end once the time is over, and asks again more firmly. */
static void launch_remind(int pid, double over, unsigned *asked)
{
	static const int how[] = {SIGINT, SIGTERM, SIGKILL};

	if (over < 0 || *asked >= AS_ARRAY_LEN(how) || over < (double)*asked * PATIENCE)
		return;
	(void)kill(pid, how[(*asked)++]);
}

/* For a signal or for NS; what came is passed on. What the terminal sent, the program has, too. */
static void launch_pass_on(int pid, const sigset_t *set, long ns)
{
	struct timespec nap = {ns / NS, ns % NS};
	siginfo_t info;
	int number = sigtimedwait(set, &info, &nap);

	if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL)
		(void)kill(pid, number);
}

/* Drops signals that came after the program had ended. */
static void let_go(const sigset_t *set)
{
	struct timespec none = {0, 0};

	while (sigtimedwait(set, NULL, &none) > 0)
		;
	(void)sigprocmask(SIG_UNBLOCK, set, NULL);
}

enum as_code as_launch_wait(int pid, double seconds, int *status, struct as_err *err)
{
	double end = launch_now() + seconds;
	unsigned asked = 0;
	int how, got;
	sigset_t set;

	as_assert(pid > 0); /* others are groups of processes */
	launch_passed(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	while ((got = waitpid(pid, &how, WNOHANG)) != pid) {
		if (got < 0 && errno != EINTR)
			return as_err_set(err, AS_E_IO, "process %d can't be waited for: %s", pid,
				strerror(errno));
		if (seconds > 0)
			launch_remind(pid, launch_now() - end, &asked);
		launch_pass_on(pid, &set, seconds > 0 ? POLL_NS : NS);
	}
	let_go(&set);
	*status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
	return AS_OK;
}
