/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>

#include "preload/raw.h"
#include "preload/unwind.h"

enum { FREE_MIN = 3, DESCRIPTOR_MIN = 400, CHUNKS = 31, SPARE = 1 << 22, TRIES = 16 };

static uint64_t spool_get(const struct as_spool *s, uint64_t slot)
{
	return atomic_load_explicit(&s->map[slot], memory_order_relaxed);
}

static void spool_put(struct as_spool *s, uint64_t slot, uint64_t v)
{
	atomic_store_explicit(&s->map[slot], v, memory_order_release);
}

/* SLOTS free ones at AT. */
static void put_free(struct as_spool *s, uint64_t at, uint64_t slots)
{
	spool_put(s, at + 2, AS_PC_LOST);
	spool_put(s, at + 1, slots - 2);
	spool_put(s, at, 0);
}

static bool spool_is_ours(const struct as_spool *s, int fd)
{
	struct stat st;

	return as_raw3(SYS_fstat, fd, (long)&st, 0) == 0 && st.st_dev == s->dev &&
	       st.st_ino == s->ino;
}

/* Out of the way of programs that close the descriptors that they know. */
static void move_up(struct as_spool *s)
{
	long fd = as_raw3(SYS_fcntl, s->fd, F_DUPFD_CLOEXEC, DESCRIPTOR_MIN);

	if (fd < 0)
		return;
	as_raw_close(s->fd);
	s->fd = (int)fd;
}

bool as_spool_reach(struct as_spool *s)
{
	int fd;

	if (spool_is_ours(s, s->fd))
		return true;
	fd = as_raw_open(s->path, O_RDWR, 0);
	if (fd < 0)
		return false;
	if (!spool_is_ours(s, fd)) {
		as_raw_close(fd);
		return false;
	}
	s->fd = fd;
	move_up(s);
	return true;
}

/* More than the limit would be a signal that kills. */
bool as_spool_may_be(uint64_t bytes)
{
	return bytes <= as_limit(RLIMIT_FSIZE);
}

/* Blocks for the bytes from the end of the file up to END. */
static bool spool_extend(struct as_spool *s, uint64_t end)
{
	static const uint8_t zero[4096];
	long rc;

	if (end > s->map_bytes || !as_spool_may_be(end) || !as_spool_reach(s))
		return false;
	rc = as_raw(SYS_fallocate, s->fd, 0, (long)s->eof, (long)(end - s->eof), 0, 0);
	if (rc != -EOPNOTSUPP && rc != -ENOSYS)
		return rc == 0;
	for (uint64_t at = s->eof; at < end; at += sizeof(zero)) {
		size_t n = end - at < sizeof(zero) ? (size_t)(end - at) : sizeof(zero);

		if (as_raw(SYS_pwrite64, s->fd, (long)zero, (long)n, (long)at, 0, 0) != (long)n)
			return false;
	}
	return true;
}

static char *spool_bytes_at(const struct as_spool *s, uint64_t at)
{
	return as_spool_bytes(s) + at;
}

/* The chunks [from, to), where the old trailer and text stood, become free ones. */
static void spool_reclaim(struct as_spool *s, uint64_t from, uint64_t to)
{
	uint64_t first = as_spool_chunk(from);

	spool_put(s, first + 1, (to - from) * AS_CHUNK - 2);
	spool_put(s, first + 2, AS_PC_LOST);
	for (uint64_t i = to; i-- > from;) {
		uint64_t at = as_spool_chunk(i);

		memset(spool_bytes_at(s, (at + 3) * sizeof(uint64_t)), 0,
			(AS_CHUNK - 3) * sizeof(uint64_t));
		put_free(s, at, AS_CHUNK);
	}
}

bool as_spool_grow(struct as_spool *s, uint32_t add)
{
	uint64_t n = atomic_load(&s->n_chunks), m = n + 1, to, text, end;

	while (as_spool_chunk(m) * sizeof(uint64_t) < s->eof)
		m++;
	to = m + add;
	text = (as_spool_chunk(to) + AS_TRAILER) * sizeof(uint64_t);
	end = (text + s->n_text + 4095) / 4096 * 4096;
	if (to > UINT32_MAX / AS_CHUNK || !spool_extend(s, end))
		return false;
	for (uint64_t i = m; i < to; i++)
		put_free(s, as_spool_chunk(i), AS_CHUNK);
	spool_put(s, as_spool_chunk(to) + 1, 1);
	memcpy(spool_bytes_at(s, text), spool_bytes_at(s, as_spool_text(s)), s->n_text);
	memset(spool_bytes_at(s, text + s->n_text), '\n', end - text - s->n_text);
	spool_reclaim(s, n, m);
	s->eof = end;
	atomic_store(&s->n_chunks, (uint32_t)to);
	return true;
}

void as_spool_shrink(struct as_spool *s)
{
	uint64_t keep = (s->eof + SPARE + 4095) / 4096 * 4096;

	if (keep >= s->map_bytes)
		return;
	as_raw_unmap(as_spool_bytes(s) + keep, s->map_bytes - keep);
	s->map_bytes = keep;
}

bool as_spool_is_short(const struct as_spool *s)
{
	uint32_t n = atomic_load_explicit(&s->n_chunks, memory_order_relaxed);

	return atomic_load_explicit(&s->next, memory_order_relaxed) > n - n / 4;
}

/* SIZE slots of the pen's own; 0: there is no room. */
static uint64_t take_slots(struct as_spool *s, struct as_pen *pen, uint32_t size)
{
	uint64_t at;

	if (pen->left != size && pen->left < size + FREE_MIN) {
		uint32_t chunk = atomic_fetch_add(&s->next, 1);

		if (chunk >= atomic_load(&s->n_chunks)) {
			atomic_fetch_sub(&s->next, 1);
			return 0;
		}
		pen->at = as_spool_chunk(chunk);
		pen->left = AS_CHUNK; /* more than two of the deepest stacks need */
	}
	at = pen->at;
	pen->at += size;
	pen->left -= size;
	return at;
}

static uint64_t spool_hash(const uint64_t *pc, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ pc[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h * UINT64_C(0xbf58476d1ce4e5b9);
}

static bool same_stack(const struct as_spool *s, uint64_t at, const uint64_t *pc, size_t n)
{
	if (spool_get(s, at + 1) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (spool_get(s, at + 2 + i) != pc[i])
			return false;
	return true;
}

/* Position of the record with the stack; 0: none is known. PLACE: where the index has room. */
static uint64_t spool_find(
	struct as_spool *s, uint64_t h, const uint64_t *pc, size_t n, uint32_t *place)
{
	uint32_t mask = (1u << AS_INDEX_BITS) - 1, i = (uint32_t)h & mask;

	for (unsigned probe = 0; probe < AS_PROBES; probe++, i = (i + 1) & mask) {
		uint64_t entry = atomic_load(&s->index[i]);

		*place = i;
		if (!entry)
			return 0;
		if (entry >> 32 == h >> 32 && same_stack(s, entry & UINT32_MAX, pc, n))
			return entry & UINT32_MAX;
	}
	*place = UINT32_MAX;
	return 0;
}

bool as_spool_add(
	struct as_spool *s, struct as_pen *pen, const uint64_t *pc, size_t n, uint64_t weight)
{
	uint64_t h = s->timed ? 0 : spool_hash(pc, n), at = 0, none = 0;
	uint32_t place = UINT32_MAX, left;

	if (!s->timed)
		at = spool_find(s, h, pc, n, &place);
	if (at) {
		atomic_fetch_add(&s->map[at], weight);
		return true;
	}
	at = take_slots(s, pen, (uint32_t)n + 2);
	if (!at) {
		as_spool_add_lost(s, weight);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		spool_put(s, at + 2 + i, pc[i]);
	left = pen->left;
	if (left && pen->at == at + n + 2)
		put_free(s, pen->at, left);
	spool_put(s, at + 1, n);
	spool_put(s, at, weight);
	if (place != UINT32_MAX)
		atomic_compare_exchange_strong(&s->index[place], &none, h >> 32 << 32 | at);
	return true;
}

void as_spool_add_lost(struct as_spool *s, uint64_t weight)
{
	atomic_fetch_add(&s->lost_stacks, weight);
	atomic_fetch_add(&s->map[AS_HEADER], weight); /* the first record is [lost] */
}

/* The regular file, or what stands in for something else. */
static bool spool_open_file(struct as_spool *s, const char *path)
{
	char link[] = "/proc/self/fd/0000000000";
	struct stat st;
	int fd = as_raw_open(path, O_RDWR | O_CREAT | O_NOCTTY, 0666);
	size_t at = sizeof("/proc/self/fd/") - 1;
	long n;

	if (fd == -EACCES || fd == -ENXIO || fd == -EINVAL)
		fd = as_raw_open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK, 0);
	if (fd < 0 || as_raw3(SYS_fstat, fd, (long)&st, 0) < 0)
		return false;
	if ((st.st_mode & S_IFMT) != S_IFREG) {
		s->pour = fd;
		s->fd = (int)as_raw3(SYS_memfd_create, (long)"assay-profile", 1, 0);
		return s->fd >= 0;
	}
	for (int v = fd, digits = 1000000000; digits; digits /= 10)
		if (v >= digits || digits == 1)
			link[at++] = (char)('0' + v / digits % 10);
	link[at] = '\0';
	n = as_raw3(SYS_readlink, (long)link, (long)s->path, sizeof(s->path) - 1);
	if (n <= 0)
		return false;
	s->path[n] = '\0';
	s->fd = fd;
	return true;
}

/* A lock tells of a process that has made the file but not written to it yet. */
static bool others_have(const struct as_spool *s)
{
	return as_raw3(SYS_flock, s->fd, LOCK_EX | LOCK_NB, 0) == -EWOULDBLOCK;
}

/*
 * Another process may be writing to the file of that name: it keeps its file, and the name is
 * ours from now on. Where that is not allowed, the file is emptied.
 */
static bool spool_take_name(struct as_spool *s)
{
	for (int tries = 0; tries < TRIES; tries++) {
		struct stat st;
		long rc;
		int fd;

		if (s->pour >= 0 || as_raw3(SYS_fstat, s->fd, (long)&st, 0) < 0 ||
			(!others_have(s) && st.st_size == 0))
			return true;
		rc = as_raw3(SYS_unlink, (long)s->path, 0, 0);
		if (rc < 0 && rc != -ENOENT)
			return as_raw3(SYS_ftruncate, s->fd, 0, 0) == 0;
		fd = as_raw_open(s->path, O_RDWR | O_CREAT, st.st_mode & 0777);
		if (fd < 0)
			return false;
		as_raw_close(s->fd);
		s->fd = fd;
	}
	return false;
}

static bool spool_map_file(struct as_spool *s, uint64_t limit)
{
	for (s->map_bytes = limit; s->map_bytes >= 1 << 20; s->map_bytes /= 2) {
		s->map = as_raw_map(s->map_bytes, MAP_SHARED | MAP_NORESERVE, s->fd);
		if (s->map)
			return true;
	}
	return false;
}

/* Header and trailer, as one write; then the record of lost stacks. */
static bool spool_begin(struct as_spool *s, uint64_t period)
{
	uint64_t marked = s->marked ? AS_SPOOL_TIMED : 0;
	uint64_t head[AS_HEADER + AS_TRAILER] = {0, 3, 0, period, marked, 0, 1, 0};

	if (!as_spool_may_be(sizeof(head)) ||
		as_raw(SYS_pwrite64, s->fd, (long)head, sizeof(head), 0, 0, 0) != sizeof(head))
		return false;
	s->eof = sizeof(head);
	s->n_text = 0;
	if (!as_spool_grow(s, CHUNKS))
		return false;
	put_free(s, AS_HEADER + 3, AS_CHUNK - 3);
	spool_put(s, AS_HEADER + 1, 1);
	atomic_store(&s->next, 1);
	return true;
}

bool as_spool_open(struct as_spool *s, const char *path, uint64_t period, uint64_t limit)
{
	struct stat st;

	s->fd = s->pour = -1;
	s->map = NULL;
	atomic_store(&s->n_chunks, 0);
	atomic_store(&s->next, 0);
	atomic_store(&s->lost_stacks, 0);
	if (!spool_open_file(s, path) || !spool_take_name(s)) {
		as_spool_close(s, false);
		return false;
	}
	move_up(s);
	if (as_raw3(SYS_fstat, s->fd, (long)&st, 0) == 0) {
		s->dev = st.st_dev;
		s->ino = st.st_ino;
		if (spool_map_file(s, limit) && spool_begin(s, period))
			return true;
	}
	as_spool_close(s, true);
	return false;
}
