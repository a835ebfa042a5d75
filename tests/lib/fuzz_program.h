/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For fuzz targets: the program as main() runs it, in this process and in a folder of its own.
 * What it prints is kept. The target is linked with --wrap=open64 and --wrap=stat64: no other
 * file is there for it, but for those below /proc/self/fd. Include it once.
 */
#ifndef TESTS_LIB_FUZZ_PROGRAM_H
#define TESTS_LIB_FUZZ_PROGRAM_H

#define _GNU_SOURCE
#define main program_main
#include "cli/main.c"
#undef main

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "lib/fuzz_json.h"
#include "lib/fuzz_must.h"

int __real_open64(const char *path, int flags, ...);
int __real_stat64(const char *path, struct stat *st);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_stat64(const char *path, struct stat *st);

enum { WORDS_MAX = 64, MEMORY_MAX = 256 << 20, PRINTED_MAX = 1 << 20 };

static struct {
	char folder[64];
	int home, work; /* where we were, and FOLDER */
	int out, keep;  /* what stands for stdout, and stdout */
	bool inside;    /* the program runs */
} jail;

/* What a run printed. */
struct printed {
	int status;
	char *out, *err;
	size_t n_out, n_err;
};

static bool is_there(const char *path)
{
	if (!jail.inside || strncmp(path, "/proc/self/fd/", 14) == 0)
		return true;
	if (strncmp(path, jail.folder, strlen(jail.folder)) == 0)
		path += strlen(jail.folder);
	else if (path[0] == '/')
		return false;
	return !strstr(path, "..");
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
	va_end(ap);
	errno = ENOENT;
	return is_there(path) ? __real_open64(path, flags, mode) : -1;
}

int __wrap_stat64(const char *path, struct stat *st)
{
	errno = ENOENT;
	return is_there(path) ? __real_stat64(path, st) : -1;
}

static void jail_leave(void)
{
	(void)!rmdir(jail.folder);
}

static void jail_make(void)
{
	if (jail.folder[0])
		return;
	/* In memory, if that can be: what is written is synced, each time. */
	snprintf(jail.folder, sizeof(jail.folder), "%s/assay-fuzz-XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must(mkdtemp(jail.folder) != NULL);
	(void)atexit(jail_leave);
	jail.home = __real_open64(".", O_RDONLY | O_DIRECTORY);
	jail.work = __real_open64(jail.folder, O_RDONLY | O_DIRECTORY);
	jail.out = memfd_create("stdout", 0);
	jail.keep = dup(STDOUT_FILENO);
	must(jail.home >= 0 && jail.work >= 0 && jail.out >= 0 && jail.keep >= 0);
	must(!setenv("HOME", jail.folder, 1) && !setenv("XDG_CACHE_HOME", jail.folder, 1));
	(void)unsetenv("DEBUGINFOD_URLS");
}

static void jail_put(const char *name, struct as_slice text)
{
	int fd = openat(jail.work, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0 && write(fd, text.p, text.len) == (ssize_t)text.len);
	close(fd);
}

/* Away with every file, and what the cache holds stays empty by --no-symbol-cache. */
static void jail_empty(void)
{
	DIR *dir = opendir(jail.folder);
	struct dirent *entry;

	must(dir != NULL);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' || entry->d_name[1] > '.')
			must(unlinkat(jail.work, entry->d_name, 0) == 0);
	closedir(dir);
}

static char *read_printed(size_t *n)
{
	off_t size = lseek(jail.out, 0, SEEK_END);
	char *text;

	*n = size < PRINTED_MAX ? (size_t)size : PRINTED_MAX;
	text = malloc(*n + 1);
	must(text && pread(jail.out, text, *n, 0) == (ssize_t)*n);
	return text;
}

/* Run the program with N words, the first of which is its name. */
static struct printed program(int n, char **word, unsigned width)
{
	struct printed p = {0};
	struct as_limit limit;
	struct as_cli cli = {.ses = {.al = &limit.al, .limit = &limit}, .no_sigpipe = true};
	FILE *err = stderr;

	cli.style = (struct as_style){.utf8 = true, .width = width, .group = width != 0};
	as_limit_init(&limit, &as_alloc_host, MEMORY_MAX);
	must(ftruncate(jail.out, 0) == 0 && lseek(jail.out, 0, SEEK_SET) == 0);
	fflush(stdout);
	must(fchdir(jail.work) == 0 && dup2(jail.out, STDOUT_FILENO) >= 0);
	stderr = open_memstream(&p.err, &p.n_err);
	jail.inside = true;
	p.status = (int)main_dispatch(&cli, n, word);
	jail.inside = false;
	fflush(stdout);
	fclose(stderr);
	stderr = err;
	must(fchdir(jail.home) == 0 && dup2(jail.keep, STDOUT_FILENO) >= 0);
	must(limit.held == 1);
	p.out = read_printed(&p.n_out);
	return p;
}

/* Nothing in it moves a terminal's cursor. */
static bool is_plain_text(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			return false;
		if (c == 0xc2 && i + 1 < n && (unsigned char)text[i + 1] < 0xa0)
			return false;
	}
	return true;
}

#endif
