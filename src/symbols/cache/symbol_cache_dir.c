/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing here waits for another program: a file appears by rename(), whoever reads it keeps the
 * old one mapped, and a file that somebody else removed first is removed as well. Nothing is
 * synced either; what a crash leaves behind does not pass the checksum.
 */
#define _DEFAULT_SOURCE /* MAP_POPULATE */
#include <stdlib.h>
#undef alloca /* a macro under _DEFAULT_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/cache/symbol_cache_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/sort.h"
#include "symbols/cache/image_map.h"

enum {
	DIR_MODE = 0700, /* names tell what somebody works on */
	FILE_MODE = 0600,
	TRIES_MAX = 100,
	HOUR = 3600, /* seconds: how exactly the last use is known; when a temporary is forlorn */
};

#define SUFFIX ".names"
#define TMP_SUFFIX ".tmp"

static bool cache_dir_join(char *path, const char *dir, const char *name)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", dir, name);

	return n > 0 && n < PATH_MAX;
}

static bool cache_dir_write_all(int fd, const char *p, size_t size)
{
	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		p += n;
		size -= (size_t)n;
	}
	return true;
}

static struct as_slice map_open(const struct as_symcache *cache, int fd)
{
	struct as_slice none = {NULL, 0};
	struct stat st;
	void *p;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
		(uint64_t)st.st_size > cache->max_size || (uint64_t)st.st_size > SIZE_MAX / 2)
		return none;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (p == MAP_FAILED)
		return none;
	if (time(NULL) - st.st_mtime > HOUR)
		(void)futimens(fd, NULL);
	return (struct as_slice){p, (size_t)st.st_size};
}

struct as_slice as_symcache_map(const struct as_symcache *cache, const char *name)
{
	struct as_slice bytes;
	char path[PATH_MAX];
	int fd;

	if (!cache_dir_join(path, cache->dir, name))
		return (struct as_slice){NULL, 0};
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return (struct as_slice){NULL, 0};
	bytes = map_open(cache, fd);
	close(fd);
	return bytes;
}

void as_symcache_unmap(struct as_slice bytes)
{
	if (bytes.p)
		(void)munmap((void *)(uintptr_t)bytes.p, bytes.len);
}

/* The directory and what it stands in. Failure shows when a file is made in it. */
static void make_dirs(const char *dir)
{
	char path[PATH_MAX];
	size_t len = strlen(dir);

	if (len >= sizeof(path) || mkdir(dir, DIR_MODE) == 0 || errno != ENOENT)
		return;
	for (size_t i = 1; i <= len; i++) {
		if (dir[i] != '/' && dir[i] != 0)
			continue;
		memcpy(path, dir, i);
		path[i] = 0;
		(void)mkdir(path, DIR_MODE);
	}
}

/* A new file beside NAME; its path goes to PATH. */
static int open_tmp(const struct as_symcache *cache, const char *name, char *path)
{
	char tmp[AS_SYMCACHE_NAME + 64];
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < TRIES_MAX; i++) {
		snprintf(tmp, sizeof(tmp), "%s.%ld-%u" TMP_SUFFIX, name, (long)getpid(), i);
		if (!cache_dir_join(path, cache->dir, tmp))
			return -1;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
		if (fd < 0 && errno == ENOENT && i == 0)
			make_dirs(cache->dir);
		else if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

bool as_symcache_replace(const struct as_symcache *cache, const char *name, struct as_slice bytes)
{
	char tmp[PATH_MAX], path[PATH_MAX];
	int fd;
	bool ok;

	if (!cache_dir_join(path, cache->dir, name))
		return false;
	fd = open_tmp(cache, name, tmp);
	if (fd < 0)
		return false;
	ok = cache_dir_write_all(fd, bytes.p, bytes.len);
	ok = close(fd) == 0 && ok;
	ok = ok && rename(tmp, path) == 0;
	if (!ok)
		(void)unlink(tmp);
	return ok;
}

/* A file of the cache; others in the directory are not touched. */
struct entry {
	char name[AS_SYMCACHE_NAME + 64];
	uint64_t size;
	int64_t used; /* seconds since 1970 */
	bool tmp;
	bool map; /* of images: it was asked for, and goes with all others only */
};

struct listing {
	struct as_pool pool;
	const struct as_alloc *al; /* the pool's */
	DIR *stream;               /* NULL: there is none */
	int dir;
	AS_VEC(struct entry) entry;
	uint64_t bytes;
};

static enum as_code cache_dir_fail(struct as_err *err, int sys_errno, const char *name)
{
	if (err)
		as_escape(err->name, sizeof(err->name), name, strlen(name));
	return as_err_sys(err, sys_errno, "cannot use the cache");
}

static bool take_entry(struct listing *ls, const char *name)
{
	struct as_slice text = as_slice_of(name);
	struct entry e = {
		.tmp = as_slice_ends(text, TMP_SUFFIX), .map = as_slice_is(text, AS_IMAGE_MAP)};
	struct stat st;

	if (e.tmp ? as_slice_find_text(text, SUFFIX ".") == text.len &&
				!as_slice_starts(text, AS_IMAGE_MAP ".")
		  : !e.map && !as_slice_ends(text, SUFFIX))
		return true;
	if (text.len >= sizeof(e.name) || fstatat(ls->dir, name, &st, AT_SYMLINK_NOFOLLOW) ||
		!S_ISREG(st.st_mode))
		return true;
	memcpy(e.name, name, text.len + 1);
	e.size = (uint64_t)st.st_size;
	e.used = (int64_t)st.st_mtime;
	ls->bytes += e.size;
	return as_vec_push(ls->al, &ls->entry, e);
}

static enum as_code list_entries(struct listing *ls, const char *path, struct as_err *err)
{
	const struct dirent *d;

	ls->dir = dirfd(ls->stream);
	for (;;) {
		errno = 0;
		d = readdir(ls->stream);
		if (!d)
			return errno ? cache_dir_fail(err, errno, path) : AS_OK;
		AS_TRY(as_err_memory(err, take_entry(ls, d->d_name)));
	}
}

/* What is used longest ago comes first. */
static int by_use(const void *ctx, uint32_t a, uint32_t b)
{
	const struct entry *x = (const struct entry *)ctx + a, *y = (const struct entry *)ctx + b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->name, y->name);
}

static enum as_code remove_oldest(
	struct listing *ls, const uint32_t *order, uint64_t max, struct as_err *err)
{
	int64_t now = (int64_t)time(NULL);
	enum as_code rc = AS_OK;

	for (size_t i = 0; i < ls->entry.n; i++) {
		const struct entry *e = &ls->entry.p[order[i]];
		bool stale = e->tmp && now - e->used > HOUR;

		if (max > 0 && !stale && (e->map || ls->bytes <= max))
			continue;
		if (unlinkat(ls->dir, e->name, 0) && errno != ENOENT)
			rc = cache_dir_fail(err, errno, e->name);
		else
			ls->bytes -= e->size;
	}
	return rc;
}

/* What is in the cache; nothing where there is none. LS ends in listing_close(). */
static enum as_code listing_open(
	struct listing *ls, const struct as_symcache *cache, struct as_err *err)
{
	*ls = (struct listing){.al = &ls->pool.al};
	as_pool_init(&ls->pool, cache->al);
	ls->stream = cache->dir ? opendir(cache->dir) : NULL;
	if (ls->stream)
		return list_entries(ls, cache->dir, err);
	return !cache->dir || errno == ENOENT ? AS_OK : cache_dir_fail(err, errno, cache->dir);
}

static void listing_close(struct listing *ls)
{
	if (ls->stream)
		closedir(ls->stream);
	as_pool_release(&ls->pool);
}

enum as_code as_symcache_stat(
	const struct as_symcache *cache, struct as_symcache_stat *stat, struct as_err *err)
{
	struct listing ls;
	enum as_code rc = listing_open(&ls, cache, err);

	*stat = (struct as_symcache_stat){ls.entry.n, ls.bytes};
	listing_close(&ls);
	return rc;
}

enum as_code as_symcache_trim(const struct as_symcache *cache, uint64_t max, struct as_err *err)
{
	struct listing ls;
	enum as_code rc = listing_open(&ls, cache, err);
	uint32_t *order;

	if (rc == AS_OK) {
		order = as_sorted_rows(ls.al, ls.entry.n, by_use, ls.entry.p);
		rc = order ? remove_oldest(&ls, order, max, err) : as_err_no_memory(err);
	}
	listing_close(&ls);
	return rc;
}
