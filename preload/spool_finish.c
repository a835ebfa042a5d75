/* SPDX-License-Identifier: Apache-2.0 */
/* The last form of the file: every stack once, nothing free, put in place of the first one. */
#include <string.h>

#include "preload/raw.h"
#include "preload/spool.h"

/* The file as it will be. */
struct image {
	uint64_t *slot;
	uint64_t n, bytes, room; /* slots, bytes written; bytes mapped */
	uint32_t *index;
	uint64_t mask;
	bool unmarked; /* without the marks that stacks have */
};

static uint64_t finish_hash(const uint64_t *record)
{
	uint64_t h = record[1];

	for (uint64_t i = 0; i < record[1]; i++) {
		h = (h ^ record[2 + i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

/* The mark of the thread of N words of a stack at PC; 0: it has none. */
static uint64_t finish_thread(const _Atomic uint64_t *pc, uint64_t n)
{
	uint64_t mark = n > AS_MARKS ? pc[n - AS_MARKS] : 0;

	return (mark ^ AS_MARK_THREAD) >> 56 == 0 ? mark : 0;
}

bool as_spool_is_of_one(const struct as_spool *s, uint32_t *tid)
{
	uint64_t chunks = s->next, one = 0;

	*tid = 0;
	if (!s->marked || s->timed)
		return false;
	for (uint64_t i = 0; i < chunks; i++) {
		uint64_t at = as_spool_chunk(i), end = at + AS_CHUNK;

		for (; at + 2 < end && at + 2 + s->map[at + 1] <= end; at += 2 + s->map[at + 1]) {
			uint64_t mark =
				s->map[at] ? finish_thread(s->map + at + 2, s->map[at + 1]) : 0;

			if (mark && one && mark != one)
				return false;
			one = mark ? mark : one;
		}
	}
	*tid = (uint32_t)one;
	return true;
}

/* Adds the record at AT, to the same stack if it is there. */
static void add_record(struct image *im, const struct as_spool *s, uint64_t at)
{
	uint64_t *to = im->slot + im->n, n = s->map[at + 1];
	uint64_t i;

	for (i = 0; i < n + 2; i++)
		to[i] = s->map[at + i];
	if (!to[0])
		return;
	if (im->unmarked && finish_thread(s->map + at + 2, n))
		to[1] = n -= AS_MARKS;
	for (i = finish_hash(to) & im->mask; im->index[i]; i = (i + 1) & im->mask) {
		uint64_t *known = im->slot + im->index[i];

		if (known[1] == n && memcmp(known + 2, to + 2, n * sizeof(*to)) == 0) {
			known[0] += to[0];
			return;
		}
	}
	im->index[i] = (uint32_t)im->n;
	im->n += n + 2;
}

static void add_records(struct image *im, const struct as_spool *s)
{
	uint64_t chunks = s->next;

	for (uint64_t i = 0; i < chunks; i++) {
		uint64_t at = as_spool_chunk(i), end = at + AS_CHUNK;

		for (; at + 2 < end && at + 2 + s->map[at + 1] <= end; at += 2 + s->map[at + 1])
			add_record(im, s, at);
	}
}

/* Memory for the image; the index has room for twice the records that there may be. */
static bool make_image(struct image *im, const struct as_spool *s, const char *text, size_t n_text)
{
	uint64_t chunks = s->next, entries = 1024;
	uint32_t tid;
	static const uint64_t trailer[AS_TRAILER] = {0, 1, 0};

	while (entries < chunks * (AS_CHUNK / 3) * 2)
		entries *= 2;
	im->mask = entries - 1;
	im->room = as_spool_text(s) + n_text + sizeof(trailer);
	im->slot = as_raw_memory(im->room);
	im->index = as_raw_memory(entries * sizeof(*im->index));
	if (!im->slot || !im->index)
		return false;
	for (im->n = 0; im->n < AS_HEADER; im->n++)
		im->slot[im->n] = s->map[im->n];
	im->unmarked = as_spool_is_of_one(s, &tid);
	if (im->unmarked)
		im->slot[AS_HEADER - 1] = 0;
	add_records(im, s);
	memcpy(im->slot + im->n, trailer, sizeof(trailer));
	im->n += AS_TRAILER;
	memcpy(im->slot + im->n, text, n_text);
	im->bytes = im->n * sizeof(*im->slot) + n_text;
	as_raw_unmap(im->index, entries * sizeof(*im->index));
	return true;
}

static bool finish_write_all(int fd, const void *p, uint64_t n)
{
	const char *at = p;

	while (n) {
		long did = as_raw3(SYS_write, fd, (long)at, (long)n);

		if (did <= 0)
			return false;
		at += did;
		n -= (uint64_t)did;
	}
	return true;
}

static size_t finish_put_number(char *p, uint64_t v)
{
	size_t n = 1, i;

	for (uint64_t w = v; w >= 10; w /= 10)
		n++;
	for (i = n; i-- > 0; v /= 10)
		p[i] = (char)('0' + v % 10);
	return n;
}

/* PATH, MIDDLE and the process's number. */
static bool name_with_pid(char *to, const char *path, const char *middle)
{
	size_t n = strlen(path), m = strlen(middle);

	if (n + m + 12 > PATH_MAX)
		return false;
	memcpy(to, path, n);
	memcpy(to + n, middle, m);
	n += m;
	n += finish_put_number(to + n, (uint64_t)as_raw_pid());
	to[n] = '\0';
	return true;
}

/* A file without a name beside PATH, so that nothing is left of it if we are killed. */
static int open_nameless(const char *path, char *dir, unsigned mode)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;

	memcpy(dir, n ? path : "/", n ? n : 1);
	dir[n ? n : 1] = '\0';
	return as_raw_open(dir, O_TMPFILE | O_RDWR, mode);
}

static bool finish_give_name(int fd, const char *name)
{
	char link[40] = "/proc/self/fd/";
	size_t n = strlen(link);

	n += finish_put_number(link + n, (uint64_t)fd);
	link[n] = '\0';
	return as_raw(SYS_linkat, AT_FDCWD, (long)link, AT_FDCWD, (long)name, AT_SYMLINK_FOLLOW,
		       0) == 0;
}

/* The name is still our file's, or nobody's. */
static bool may_replace(const struct as_spool *s)
{
	struct stat st;

	return as_raw3(SYS_stat, (long)s->path, (long)&st, 0) < 0 ||
	       (st.st_dev == s->dev && st.st_ino == s->ino);
}

static bool finish_replace(struct as_spool *s, const struct image *im)
{
	char *name = s->name[0], *own = s->name[1];
	struct stat st = {.st_mode = 0644};
	bool named = false, ok;
	int fd;

	if (!as_spool_may_be(im->bytes) || !name_with_pid(name, s->path, ".new") ||
		!name_with_pid(own, s->path, "_"))
		return false;
	if (as_spool_reach(s))
		as_raw3(SYS_fstat, s->fd, (long)&st, 0);
	fd = open_nameless(s->path, s->name[2], st.st_mode & 0777);
	if (fd < 0) {
		fd = as_raw_open(name, O_RDWR | O_CREAT | O_EXCL, st.st_mode & 0777);
		named = fd >= 0;
	}
	if (fd < 0)
		return false;
	as_raw3(SYS_fchmod, fd, st.st_mode & 0777, 0);
	ok = finish_write_all(fd, im->slot, im->bytes);
	if (ok && !named)
		ok = named = finish_give_name(fd, name);
	if (!may_replace(s))
		memcpy(s->path, own, sizeof(s->path));
	ok = ok && as_raw3(SYS_rename, (long)name, (long)s->path, 0) == 0;
	if (!ok && named)
		as_raw3(SYS_unlink, (long)name, 0, 0);
	as_raw_close(fd);
	return ok;
}

bool as_spool_finish(struct as_spool *s, const char *text, size_t n_text)
{
	struct image im;
	bool ok;

	if (!make_image(&im, s, text, n_text))
		return false;
	ok = s->pour >= 0 ? finish_write_all(s->pour, im.slot, im.bytes) : finish_replace(s, &im);
	as_raw_unmap(im.slot, im.room);
	return ok;
}

void as_spool_close(struct as_spool *s, bool remove)
{
	if (s->map)
		as_raw_unmap(as_spool_bytes(s), s->map_bytes);
	if (remove && s->pour < 0 && s->fd >= 0 && as_spool_reach(s))
		as_raw3(SYS_unlink, (long)s->path, 0, 0);
	if (s->fd >= 0 && as_spool_reach(s))
		as_raw_close(s->fd);
	if (s->pour >= 0)
		as_raw_close(s->pour);
	s->fd = s->pour = -1;
	s->map = NULL;
}
