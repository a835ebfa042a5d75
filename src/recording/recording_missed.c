/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording lacks: CPU time of the tree that no sample stands for, and processes that are
 * not at their end. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "recording/recording.h"

enum { ENVIRON_MAX = 1 << 20, NAMED_MAX = 3, COMM_MAX = 64 };

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

double as_recording_children(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used) != 0)
		return 0;
	return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

/* What starting a program takes before anything in it can be sampled, and a part of the last
 * period, is not worth a word. */
void as_recording_tell_missed(struct as_recording *r, double recorded, const char *why)
{
	double missed = r->used - recorded, period = 1 / (double)r->hz;

	if (missed < 0.05 + 2 * period || missed < 0.05 * r->used)
		return;
	as_say_warning(
		r->ses, "%.2f s of %.2f s CPU time are in no sample: %s", missed, r->used, why);
}

/* ---- processes that run on ---- */

static bool rec_missed_mentions(const char *pid, const char *text, char *room)
{
	char path[300];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, room, ENVIRON_MAX);
	close(fd);
	return n > 0 && memmem(room, (size_t)n, text, strlen(text));
}

static void add_name(struct as_arena *ar, struct as_slice *names, const char *pid)
{
	char path[64], comm[COMM_MAX] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = fopen(path, "re");
	if (f && fgets(comm, sizeof(comm), f))
		comm[strcspn(comm, "\n")] = '\0';
	if (f)
		fclose(f);
	*names = as_arena_printf(ar, "%.*s%s%s %s", (int)names->len, names->p ? names->p : "",
		names->len ? ", " : "", pid, comm);
}

static void tell_living(struct as_recording *r, size_t n, struct as_slice names)
{
	if (n)
		as_say_note(r->ses,
			"%zu process%s that it started run%s on (%.*s%s): what comes is not "
			"recorded",
			n, n == 1 ? "" : "es", n == 1 ? "s" : "", (int)names.len,
			names.p ? names.p : "", n > NAMED_MAX ? " ..." : "");
}

/* Those with the recording's folder in their environment. */
void as_recording_tell_living(struct as_recording *r)
{
	DIR *proc = opendir("/proc");
	char *room = malloc(ENVIRON_MAX);
	struct as_slice names = {NULL, 0};
	struct as_arena ar;
	struct dirent *e;
	size_t n = 0;

	as_arena_init(&ar, r->ses->al);
	while (proc && room && (e = readdir(proc)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
			rec_missed_mentions(e->d_name, r->dir.path, room) && n++ < NAMED_MAX)
			add_name(&ar, &names, e->d_name);
	tell_living(r, n, names);
	as_arena_release(&ar);
	free(room);
	if (proc)
		closedir(proc);
}

void as_recording_count(const struct as_recording *r, uint64_t n, const char *words)
{
	struct as_arena ar;
	struct as_slice text;

	if (!n)
		return;
	as_arena_init(&ar, r->ses->al);
	text = as_arena_plural(&ar, words, n);
	as_say_note(r->ses, "%" PRIu64 " %.*s", n, (int)text.len, text.p ? text.p : "");
	as_arena_release(&ar);
}
