/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/spool_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".assay-record-"

static enum as_code spool_dir_failed(struct as_spool_dir *d, struct as_err *err)
{
	err->sys_errno = errno;
	return as_err_set(err, AS_E_IO, "'%s' can't be made: %s", d->path, strerror(errno));
}

enum as_code as_spool_dir_make(
	struct as_spool_dir *d, const struct as_alloc *al, const char *result, struct as_err *err)
{
	const char *slash = strrchr(result, '/');
	char dir[PATH_MAX], *real;
	int n = slash ? (int)(slash - result) : 0;

	*d = (struct as_spool_dir){.al = al};
	snprintf(dir, sizeof(dir), "%.*s", slash ? (n ? n : 1) : 1, slash ? result : ".");
	real = realpath(dir, NULL);
	snprintf(d->path, sizeof(d->path), "%s/" PREFIX "XXXXXX", real ? real : dir);
	free(real);
	d->lock = -1;
	if (mkdtemp(d->path)) {
		d->lock = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (d->lock >= 0)
			(void)flock(d->lock, LOCK_EX | LOCK_NB);
		return AS_OK;
	}
	(void)spool_dir_failed(d, err);
	d->path[0] = '\0';
	return AS_E_IO;
}

static int spool_dir_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *spool_dir_join(struct as_spool_dir *d, const char *name)
{
	size_t n = strlen(d->path) + strlen(name) + 2;
	char *path = as_alloc_new(d->al, n);

	if (path)
		snprintf(path, n, "%s/%s", d->path, name);
	return path;
}

static void drop_names(struct as_spool_dir *d)
{
	for (size_t i = 0; i < d->file.n; i++)
		as_alloc_free(d->al, d->file.p[i], strlen(d->file.p[i]) + 1);
	as_vec_free(d->al, &d->file);
}

/* All files that are no larger than MIN bytes are passed over. */
static enum as_code spool_dir_list(struct as_spool_dir *d, off_t min, struct as_err *err)
{
	DIR *dir = opendir(d->path);
	struct dirent *e;

	if (!dir)
		return spool_dir_failed(d, err);
	while ((e = readdir(dir))) {
		struct stat st;
		char *path;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		path = spool_dir_join(d, e->d_name);
		if (!path || !as_vec_push(d->al, &d->file, path)) {
			closedir(dir);
			return as_err_no_memory(err);
		}
		if (stat(path, &st) == 0 && st.st_size > min)
			continue;
		d->file.n--;
		as_alloc_free(d->al, path, strlen(path) + 1);
	}
	closedir(dir);
	return AS_OK;
}

enum as_code as_spool_dir_list(struct as_spool_dir *d, const char *name, struct as_err *err)
{
	as_assert(d->path[0] && !d->file.n);
	AS_TRY(spool_dir_list(d, 0, err));
	if (d->file.n)
		qsort(d->file.p, d->file.n, sizeof(*d->file.p), spool_dir_by_name);
	for (size_t i = 1; i < d->file.n; i++) {
		char *path = d->file.p[i];

		if (strcmp(strrchr(path, '/') + 1, name) != 0)
			continue;
		memmove(d->file.p + 1, d->file.p, i * sizeof(*d->file.p));
		d->file.p[0] = path;
	}
	return AS_OK;
}

/* ---- what the files are ---- */

/* Text behind the samples that says why there are none. */
static bool tells_trouble(FILE *f)
{
	static const char *const trouble[] = {"assay: threads that could not be sampled",
		"assay: the program took the signal", "assay: filter"};
	char line[256];

	while (fgets(line, sizeof(line), f))
		for (size_t i = 0; i < AS_ARRAY_LEN(trouble); i++)
			if (strncmp(line, trouble[i], strlen(trouble[i])) == 0)
				return true;
	return false;
}

/* In the words of this machine, as the sampler has just written them: records whose count is 0 are
 * room that was not needed. What is not understood is not idle. */
static bool spool_dir_is_idle(FILE *f)
{
	enum { HEADER = 5, COUNT = 0, DEPTH, FIRST, RECORD };
	uint64_t word[HEADER];

	if (fread(word, sizeof(*word), HEADER, f) != HEADER)
		return false;
	while (fread(word, sizeof(*word), RECORD, f) == RECORD && !word[COUNT]) {
		if (word[DEPTH] == 1 && !word[FIRST])
			return !tells_trouble(f);
		if (!word[DEPTH] || word[DEPTH] > INT32_MAX ||
			fseek(f, (long)((word[DEPTH] - 1) * sizeof(*word)), SEEK_CUR))
			return false;
	}
	return false;
}

static bool is_idle_file(const char *path)
{
	FILE *f = fopen(path, "re");
	bool idle = f && spool_dir_is_idle(f);

	if (f)
		fclose(f);
	return idle;
}

void as_spool_dir_drop_idle(struct as_spool_dir *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->file.n; i++) {
		char *path = d->file.p[i];
		bool is_last = i + 1 == d->file.n;

		if ((!is_last || n) && is_idle_file(path))
			as_alloc_free(d->al, path, strlen(path) + 1);
		else
			d->file.p[n++] = path;
	}
	d->file.n = n;
}

/* The bytes of a file; NULL: it can't be read. */
static char *spool_dir_read_whole(const struct as_alloc *al, const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *bytes = NULL;

	if (f && fstat(fileno(f), &st) == 0 && st.st_size > 0 &&
		(bytes = as_alloc_new(al, (size_t)st.st_size + 1))) {
		*n = fread(bytes, 1, (size_t)st.st_size, f);
		memset(bytes + *n, 0, (size_t)st.st_size + 1 - *n);
		*n = (size_t)st.st_size + 1;
	}
	if (f)
		fclose(f);
	return bytes;
}

/* A header of five words, the fourth the period in microseconds; records of a count, a depth and
 * as many addresses; 0, 1, 0 ends them. */
static double seconds_of_samples(const char *bytes, size_t n)
{
	enum { HEADER = 5, PERIOD = 3 };
	size_t words = n / sizeof(uint64_t), at = HEADER;
	uint64_t period, count, depth, first, sum = 0;

	if (words < HEADER)
		return 0;
	memcpy(&period, bytes + PERIOD * sizeof(period), sizeof(period));
	for (; at + 2 < words; at += 2 + depth) {
		memcpy(&count, bytes + at * sizeof(count), sizeof(count));
		memcpy(&depth, bytes + (at + 1) * sizeof(depth), sizeof(depth));
		memcpy(&first, bytes + (at + 2) * sizeof(first), sizeof(first));
		if (!depth || depth > words || (!count && depth == 1 && !first))
			break;
		sum += count;
	}
	return (double)sum * (double)period * 1e-6;
}

static double seconds_that_it_says(const char *bytes, size_t n)
{
	static const char line[] = "\nassay: cpu time: ";
	const char *at = memmem(bytes, n, line, sizeof(line) - 1);

	return at ? strtod(at + sizeof(line) - 1, NULL) : 1e18; /* a killed one */
}

double as_spool_dir_seconds(const struct as_spool_dir *d, bool said)
{
	double sum = 0;

	for (size_t i = 0; i < d->file.n; i++) {
		size_t n = 0;
		char *bytes = spool_dir_read_whole(d->al, d->file.p[i], &n);

		if (!bytes)
			continue;
		sum += said ? seconds_that_it_says(bytes, n) : seconds_of_samples(bytes, n);
		as_alloc_free(d->al, bytes, n);
	}
	return sum;
}

bool as_spool_dir_has_threads(const struct as_spool_dir *d)
{
	enum { MARK = 4 };
	uint64_t head[MARK + 1] = {0, 3};
	FILE *f = d->file.n ? fopen(d->file.p[0], "re") : NULL;

	if (f && fread(head, sizeof(head), 1, f) != 1)
		head[MARK] = 0;
	if (f)
		fclose(f);
	return !head[0] && head[MARK];
}

static uint64_t spool_dir_process_of(const char *path, const char *name, int first)
{
	const char *base = strrchr(path, '/') + 1;

	if (strcmp(base, name) == 0)
		return (uint64_t)first;
	return strtoull(base + strcspn(base, "0123456789"), NULL, 10);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t as_spool_dir_processes(const struct as_spool_dir *d, const char *name, int first)
{
	uint64_t *pid = d->file.n ? as_alloc_new(d->al, d->file.n * sizeof(*pid)) : NULL;
	size_t n = 0;

	if (!pid)
		return d->file.n;
	for (size_t i = 0; i < d->file.n; i++)
		pid[i] = spool_dir_process_of(d->file.p[i], name, first);
	qsort(pid, d->file.n, sizeof(*pid), by_number);
	for (size_t i = 0; i < d->file.n; i++)
		n += i == 0 || pid[i] != pid[i - 1];
	as_alloc_free(d->al, pid, d->file.n * sizeof(*pid));
	return n;
}

/* Nobody holds its lock, and there is something in it. */
static bool is_left(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	bool left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;

	left = left && rmdir(path) != 0 && errno == ENOTEMPTY;
	if (fd >= 0)
		close(fd);
	return left;
}

bool as_spool_dir_left(const struct as_spool_dir *d, char *path, size_t size)
{
	const char *slash = strrchr(d->path, '/');
	int n = (int)(slash - d->path) + 1;
	char parent[PATH_MAX + 32];
	struct dirent *e;
	bool found = false;
	DIR *dir;

	as_assert(d->path[0] && slash);
	snprintf(parent, sizeof(parent), "%.*s", n, d->path);
	dir = opendir(parent);
	while (dir && !found && (e = readdir(dir))) {
		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 ||
			strlen(e->d_name) != strlen(slash + 1) || strcmp(e->d_name, slash + 1) == 0)
			continue;
		snprintf(path, size, "%s%s", parent, e->d_name);
		found = is_left(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void spool_dir_unlock(struct as_spool_dir *d)
{
	if (d->path[0] && d->lock >= 0)
		close(d->lock);
	d->lock = -1;
}

void as_spool_dir_leave(struct as_spool_dir *d)
{
	drop_names(d);
	spool_dir_unlock(d);
	d->path[0] = '\0';
}

void as_spool_dir_remove(struct as_spool_dir *d)
{
	struct as_err err;

	if (!d->path[0])
		return;
	drop_names(d);
	as_err_clear(&err);
	if (spool_dir_list(d, -1, &err) == AS_OK)
		for (size_t i = 0; i < d->file.n; i++)
			(void)unlink(d->file.p[i]);
	drop_names(d);
	(void)rmdir(d->path);
	spool_dir_unlock(d);
	d->path[0] = '\0';
}
