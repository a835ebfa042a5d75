/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cli/page/browser.h"

#include "cli/env.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { KEPT_S = 24 * 60 * 60, WORDS_MAX = 32 };
/* So long a browser has to say that it cannot: one that can may run for hours. */
enum { WAIT_MS = 2000, STEP_MS = 5 };

static const char prefix[] = "assay-page-";
static const char suffix[] = ".html";

/* ---- the file ---- */

static const char *browser_directory(void)
{
	const char *run = as_env_path("XDG_RUNTIME_DIR"), *tmp = as_env_path("TMPDIR");
	struct stat st;

	if (run && stat(run, &st) == 0 && S_ISDIR(st.st_mode) && access(run, W_OK) == 0)
		return run;
	return tmp ? tmp : "/tmp";
}

static bool is_ours(const char *name)
{
	struct as_slice s = as_slice_of(name);

	return s.len == strlen(prefix) + 6 + strlen(suffix) && as_slice_starts(s, prefix) &&
	       as_slice_ends(s, suffix);
}

/* Pages of earlier days: their browser has long read them. */
static void remove_old(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;
	time_t now = time(NULL);

	while (d && (e = readdir(d)))
		if (is_ours(e->d_name) &&
			fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(st.st_mode) && st.st_uid == geteuid() && now - st.st_mtime > KEPT_S)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

enum as_exit as_browser_file(struct as_cli *cli, char path[AS_BROWSER_PATH], int *fd)
{
	const char *dir = browser_directory();
	struct as_err err = AS_ERR_NONE;
	int n = snprintf(path, AS_BROWSER_PATH, "%s/%sXXXXXX%s", dir, prefix, suffix);

	remove_old(dir);
	if (n < AS_BROWSER_PATH)
		*fd = mkostemps(path, (int)strlen(suffix), O_CLOEXEC);
	else
		*fd = -1, errno = ENAMETOOLONG;
	if (*fd >= 0)
		return AS_EXIT_OK;
	err.sys_errno = errno;
	as_escape(err.name, sizeof(err.name), dir, strlen(dir));
	(void)as_err_set(&err, AS_E_IO, "cannot make a file for the page: %s", strerror(errno));
	as_say_failed(&cli->ses, &err, "another folder: TMPDIR; or write it yourself: assay share");
	return AS_EXIT_OUTPUT;
}

/* ---- the browser ---- */

bool as_browser_is_ssh(void)
{
	return as_env("SSH_CONNECTION") || as_env("SSH_TTY");
}

bool as_browser_is_here(void)
{
	if (as_env("BROWSER"))
		return true;
	return !as_browser_is_ssh() && (as_env("DISPLAY") || as_env("WAYLAND_DISPLAY"));
}

/* Whether it ended by itself, and not well. */
static bool has_failed(pid_t pid, int *status)
{
	const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};

	for (int ms = 0; ms < WAIT_MS; ms += STEP_MS) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return !WIFEXITED(*status) || WEXITSTATUS(*status) != 0;
		nanosleep(&step, NULL);
	}
	return false;
}

/* In the background, without a word. */
static struct as_browser browser_spawn(char *const *argv)
{
	struct as_browser b = {.is = AS_BROWSER_NONE};
	posix_spawn_file_actions_t actions;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return b;
	if (posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0) == 0 &&
		posix_spawn_file_actions_adddup2(&actions, 0, 1) == 0 &&
		posix_spawn_file_actions_adddup2(&actions, 0, 2) == 0 &&
		posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0) {
		b.is = has_failed(pid, &b.status) ? AS_BROWSER_FAILED : AS_BROWSER_STARTED;
		as_escape(b.name, sizeof(b.name), argv[0], strlen(argv[0]));
	}
	posix_spawn_file_actions_destroy(&actions);
	return b;
}

/* A word of $BROWSER is a program with its arguments; "%s" among them is the page, else that comes
 * last. */
static struct as_browser start_words(char *words, const char *path)
{
	char *argv[WORDS_MAX + 2], *rest = words, *word;
	bool placed = false;
	size_t n = 0;

	while (n < WORDS_MAX && (word = strsep(&rest, " \t")))
		if (strcmp(word, "%s") == 0) {
			argv[n++] = (char *)(uintptr_t)path;
			placed = true;
		} else if (word[0]) {
			argv[n++] = word;
		}
	if (!n)
		return (struct as_browser){.is = AS_BROWSER_NONE};
	if (!placed)
		argv[n++] = (char *)(uintptr_t)path;
	argv[n] = NULL;
	return browser_spawn(argv);
}

/* "firefox:chromium %s": the first that there is. */
static struct as_browser start_named(const char *path)
{
	const char *list = as_env("BROWSER");
	struct as_browser b = {.is = AS_BROWSER_NONE};
	char *copy, *rest, *one;

	if (!list)
		return b;
	copy = rest = strdup(list);
	while (copy && b.is == AS_BROWSER_NONE && (one = strsep(&rest, ":")))
		b = start_words(one, path);
	free(copy);
	return b;
}

struct as_browser as_browser_start(const char *path)
{
	static const char *const usual[] = {"xdg-open", "sensible-browser"};
	struct as_browser b = start_named(path);

	for (size_t i = 0; i < AS_ARRAY_LEN(usual) && b.is == AS_BROWSER_NONE; i++) {
		char *argv[] = {(char *)(uintptr_t)usual[i], (char *)(uintptr_t)path, NULL};

		b = browser_spawn(argv);
	}
	return b;
}
