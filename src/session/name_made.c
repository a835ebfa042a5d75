/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "session/name_made.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "change/filter/filter.h"
#include "change/transform.h"
#include "model/whose.h"
#include "session/naming.h"

enum { PROCESSES_MAX = 32, NS_PER_S = 1000000000 };
enum { BEGAN_WORD = 20 }; /* of /proc/PID/stat, behind the name */

/* The upper half of addresses is the kernel's. */
#define KERNEL_HALF (UINT64_C(1) << 63)

struct made {
	const struct as_profile *prof;
	const struct as_made_by *by; /* processes that may be gone */
	size_t n_by;
	struct as_err *err;
	uint64_t pid[PROCESSES_MAX]; /* that have made code, and a map of it: */
	int map[PROCESSES_MAX];
	size_t n;
	struct as_arena arena;
	uint8_t *made; /* of each part: some of its samples are in such code */
	uint8_t *keep; /* likewise: it is of the process that is looked at */
	struct as_merge *merge;
};

/* ---- whose code ---- */

static bool made_is_place(const struct as_profile *prof, as_place place)
{
	as_func func = prof->place.func.p[place.i];
	uint64_t addr = prof->place.addr.p[place.i];
	struct as_slice path = as_object_path(prof, prof->func.object.p[func.i]);

	return !prof->func.name.p[func.i].i && addr && addr < KERNEL_HALF &&
	       !as_path_is_file(path) && !as_path_is_gap(path);
}

/* Parents come before children: what a path has, those that go on from it have. */
static bool made_find_parts(struct made *m)
{
	const struct as_profile *prof = m->prof;
	uint8_t *node;
	bool any = false;

	if (!as_arena_array(&m->arena, &m->made, prof->part.n + 1) ||
		!as_arena_array(&m->arena, &node, prof->node.parent.n + 1))
		return false;
	for (size_t i = 1; i < prof->node.parent.n; i++) {
		node[i] = node[prof->node.parent.p[i].i] ||
			  made_is_place(prof, prof->node.place.p[i]);
		any |= node[i];
	}
	for (size_t i = 0; any && i < prof->sample.node.n; i++)
		m->made[prof->sample.part.p[i]] |= node[prof->sample.node.p[i].i];
	return true;
}

/* ---- maps ---- */

/* When process PID began, by the wall clock, in seconds; 0: it is gone. */
static int64_t made_began(uint64_t pid)
{
	char path[64], text[1024];
	struct timespec boot = {0}, now = {0};
	struct as_slice rest, word = {NULL, 0};
	const char *behind;
	uint64_t ticks;
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	f = fopen(path, "re");
	if (f) {
		n = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	behind = strrchr(text, ')'); /* the name may hold anything */
	rest = as_slice_of(behind ? behind + 1 : "");
	for (int i = 0; i < BEGAN_WORD; i++)
		if (!as_slice_word(&rest, &word))
			return 0;
	if (!as_slice_dec(word, &ticks))
		return 0;
	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec - (int64_t)boot.tv_sec +
	       (int64_t)(ticks / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* What process PID is called within its own namespace. */
static uint64_t made_inner_pid(uint64_t pid)
{
	static const char key[] = "NSpid:";
	char path[64], line[256];
	uint64_t inner = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		struct as_slice rest = as_slice_of(line), word;

		if (!as_slice_starts(rest, key))
			continue;
		rest = as_slice_skip(rest, strlen(key));
		rest.len = as_slice_find(rest, '\n');
		while (as_slice_word(&rest, &word))
			if (!as_slice_dec(word, &inner))
				inner = pid;
	}
	if (f)
		fclose(f);
	return inner;
}

/* A plain file of the process's own user, or root's, that is not older than the process: so it is
 * no other's who had the number. */
static int made_open(const char *path, uid_t user, int64_t began)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == user || st.st_uid == 0) &&
		st.st_mtim.tv_sec + 1 >= began)
		return fd;
	close(fd);
	return -1;
}

bool as_made_look(uint64_t pid, struct as_made_by *by)
{
	struct stat st, ours;
	char path[64];

	*by = (struct as_made_by){
		.pid = pid, .inner = made_inner_pid(pid), .began = made_began(pid)};
	snprintf(path, sizeof(path), "/proc/%" PRIu64, pid);
	if (!by->began || stat(path, &st) != 0)
		return false;
	by->user = st.st_uid;
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/root/tmp", pid);
	by->here = stat(path, &st) == 0 && stat("/tmp", &ours) == 0 && st.st_dev == ours.st_dev &&
		   st.st_ino == ours.st_ino;
	return true;
}

/* That of process PID, as it was found before it ended. */
static int made_open_left(const struct made *m, uint64_t pid)
{
	char path[96];

	for (size_t i = 0; i < m->n_by; i++) {
		const struct as_made_by *by = &m->by[i];

		if (by->pid != pid || !by->here)
			continue;
		snprintf(path, sizeof(path), "/tmp/perf-%" PRIu64 ".map", by->inner);
		return made_open(path, (uid_t)by->user, by->began);
	}
	return -1;
}

/* The process's files may be others than ours. */
static int made_open_map(const struct made *m, uint64_t pid)
{
	struct as_made_by by;
	char path[96];
	int fd;

	if (!as_made_look(pid, &by))
		return made_open_left(m, pid);
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/root/tmp/perf-%" PRIu64 ".map", pid,
		by.inner);
	fd = made_open(path, (uid_t)by.user, by.began);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu64 ".map", pid);
	return made_open(path, (uid_t)by.user, by.began);
}

static bool made_has(const struct made *m, uint64_t pid)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->pid[i] == pid)
			return true;
	return false;
}

static void made_find_maps(struct made *m)
{
	for (size_t i = 0; i < m->prof->part.n && m->n < PROCESSES_MAX; i++) {
		struct as_whose w = as_part_whose(m->prof, i);

		if (!m->made[i] || !w.has_pid || made_has(m, w.pid))
			continue;
		m->map[m->n] = made_open_map(m, w.pid);
		m->pid[m->n] = w.pid;
		m->n += m->map[m->n] >= 0;
	}
}

/* ---- names ---- */

/* What is of process number I goes into the sum, with its names; I == N: of all others. */
static enum as_code made_add(struct made *m, size_t i)
{
	struct as_filter how = {.keep_part = m->keep, .relative = true};
	struct as_filtered part = {.prof = NULL};
	enum as_code rc;

	for (size_t k = 0; k < m->prof->part.n; k++) {
		struct as_whose w = as_part_whose(m->prof, k);

		m->keep[k] = i < m->n ? w.has_pid && w.pid == m->pid[i]
				      : !w.has_pid || !made_has(m, w.pid);
	}
	AS_TRY(as_filter(m->prof, &how, NULL, &part, NULL, m->err));
	rc = i < m->n ? as_name_by_map(&part.prof, m->map[i], m->err) : AS_OK;
	AS_THEN(rc, as_merge_add(m->merge, part.prof, NULL));
	as_profile_free(part.prof);
	return rc;
}

/* The first N of what EACH adds, as one, in which whose samples are is what labels say. */
static enum as_code made_merge(struct made *m, enum as_code (*each)(struct made *m, size_t i),
	size_t n, struct as_profile **out)
{
	struct as_merge_opts opts = {.label_parts = true};
	enum as_code rc = AS_OK;

	AS_TRY(as_merge_new(m->prof->al, &opts, &m->merge, m->err));
	for (size_t i = 0; i < n && rc == AS_OK; i++)
		rc = each(m, i);
	if (rc == AS_OK)
		return as_merge_finish(m->merge, out);
	as_merge_free(m->merge);
	return rc;
}

static enum as_code made_add_all(struct made *m, size_t i)
{
	(void)i;
	return as_merge_add(m->merge, m->prof, NULL);
}

/* Labels first: mappings are not of one process then, and stay whatever is chosen. */
static enum as_code made_name(struct made *m, struct as_profile **out)
{
	const struct as_profile *prof = m->prof;
	struct as_profile *labelled;
	enum as_code rc;

	AS_TRY(made_merge(m, made_add_all, 1, &labelled));
	m->prof = labelled;
	if (as_arena_array(&m->arena, &m->keep, labelled->part.n + 1))
		rc = made_merge(m, made_add, m->n + 1, out);
	else
		rc = as_err_no_memory(m->err);
	m->prof = prof;
	as_profile_free(labelled);
	return rc;
}

enum as_code as_name_made_code(
	struct as_profile **prof, const struct as_made_by *by, size_t n, struct as_err *err)
{
	struct made m = {.prof = *prof, .by = by, .n_by = n, .err = err};
	struct as_profile *named = NULL;
	enum as_code rc = AS_OK;

	as_arena_init(&m.arena, m.prof->al);
	if (!made_find_parts(&m))
		rc = as_err_no_memory(err);
	else
		made_find_maps(&m);
	if (m.n && rc == AS_OK)
		rc = made_name(&m, &named);
	for (size_t i = 0; i < m.n; i++)
		close(m.map[i]);
	as_arena_release(&m.arena);
	if (rc == AS_OK)
		as_profile_replace(prof, named);
	return rc;
}
