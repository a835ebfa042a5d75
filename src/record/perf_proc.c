/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DELETED " (deleted)"

/* ---- mappings ---- */

/* "start-limit rwxp offset dev inode path" */
static bool perf_proc_parse_range(struct as_slice line, struct as_perf_range *r)
{
	struct as_slice range, start, perms, offset, minor, major, inode;
	uint64_t high, low;

	if (!as_slice_word(&line, &range) || !as_slice_word(&line, &perms) ||
		!as_slice_word(&line, &offset) || !as_slice_word(&line, &minor) ||
		!as_slice_word(&line, &inode) || !as_slice_cut(&range, '-', &start) ||
		!as_slice_hex(start, &r->start) || !as_slice_hex(range, &r->limit) ||
		!as_slice_hex(offset, &r->offset) || perms.len < 3 ||
		!as_slice_cut(&minor, ':', &major) || !as_slice_hex(major, &high) ||
		!as_slice_hex(minor, &low) || !as_slice_dec(inode, &r->ino))
		return false;
	r->dev = makedev((unsigned)high, (unsigned)low);
	r->exec = perms.p[2] == 'x';
	r->path = as_slice_ltrim(line);
	r->deleted = as_slice_ends(r->path, DELETED);
	if (r->deleted)
		r->path.len -= strlen(DELETED);
	if (!r->path.len)
		r->path = as_slice_of("//anon");
	return true;
}

void as_proc_maps(uint32_t pid, as_proc_range_fn *each, void *ctx)
{
	char path[64], *line = NULL;
	struct as_perf_range r;
	size_t cap = 0;
	ssize_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while ((n = getline(&line, &cap, f)) > 0) {
		if (line[n - 1] == '\n')
			n--;
		if (perf_proc_parse_range((struct as_slice){line, (size_t)n}, &r) && r.exec)
			each(ctx, &r);
	}
	free(line);
	fclose(f);
}

/* ---- names ---- */

static struct as_slice perf_proc_read_text(const char *path, char text[AS_PROC_TEXT_MAX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return (struct as_slice){text, 0};
	n = read(fd, text, AS_PROC_TEXT_MAX);
	close(fd);
	return (struct as_slice){text, n > 0 ? (size_t)n : 0};
}

struct as_slice as_proc_command(uint32_t pid, char text[AS_PROC_TEXT_MAX])
{
	struct as_slice s;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/cmdline", pid);
	s = perf_proc_read_text(path, text);
	while (s.len && s.p[s.len - 1] == '\0')
		s.len--;
	for (size_t i = 0; i < s.len; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	return s;
}

struct as_slice as_proc_comm(uint32_t pid, uint32_t tid, char text[AS_PROC_TEXT_MAX])
{
	struct as_slice s;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/comm", pid, tid);
	s = perf_proc_read_text(path, text);
	if (s.len && s.p[s.len - 1] == '\n')
		s.len--;
	return s;
}

bool as_proc_threads(uint32_t pid, as_proc_thread_fn *each, void *ctx)
{
	struct dirent *entry;
	char path[64];
	uint64_t tid;
	DIR *dir;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", pid);
	else
		snprintf(path, sizeof(path), "/proc");
	dir = opendir(path);
	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (as_slice_dec(as_slice_of(entry->d_name), &tid) && tid <= UINT32_MAX &&
			!each(ctx, (uint32_t)tid))
			break;
	closedir(dir);
	return true;
}

static bool perf_proc_keep(void *ctx, uint32_t id)
{
	struct as_proc_ids *all = ctx;

	all->full = !as_vec_push(all->al, &all->id, id);
	return !all->full;
}

bool as_proc_list(uint32_t pid, struct as_proc_ids *all)
{
	all->id.n = 0;
	return as_proc_threads(pid, perf_proc_keep, all);
}
