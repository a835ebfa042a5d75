/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callgrind writes what it has counted before a process becomes another program, into a file with
 * the number of the process: as will the other program. Each file gets a name of its own as soon as
 * it is written.
 */
#define _GNU_SOURCE
#include "recording/recording_dumps.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { EVENTS_MAX = 64 };

struct as_dumps {
	const struct as_alloc *al;
	const char *dir;
	pthread_t thread;
	int watch, end[2];
	unsigned n;
};

static void rec_dumps_give_name(struct as_dumps *d, const char *name)
{
	char from[PATH_MAX + NAME_MAX + 2], to[PATH_MAX + NAME_MAX + 32];

	if (strstr(name, ".dump-"))
		return;
	snprintf(from, sizeof(from), "%s/%s", d->dir, name);
	snprintf(to, sizeof(to), "%s.dump-%06u", from, d->n++);
	(void)rename(from, to);
}

static void take_events(struct as_dumps *d)
{
	_Alignas(struct inotify_event) char room[EVENTS_MAX * (sizeof(struct inotify_event) + 64)];
	ssize_t n;

	while ((n = read(d->watch, room, sizeof(room))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *e = (const void *)(room + at);

			if (e->len)
				rec_dumps_give_name(d, e->name);
			at += (ssize_t)(sizeof(*e) + e->len);
		}
}

static void *rec_dumps_watch(void *ctx)
{
	struct as_dumps *d = ctx;
	struct pollfd polled[] = {
		{.fd = d->watch, .events = POLLIN}, {.fd = d->end[0], .events = POLLIN}};

	do {
		(void)poll(polled, AS_ARRAY_LEN(polled), -1);
		take_events(d);
	} while (!polled[1].revents);
	return NULL;
}

static void rec_dumps_release(struct as_dumps *d)
{
	if (d->watch >= 0)
		close(d->watch);
	for (size_t i = 0; i < AS_ARRAY_LEN(d->end); i++)
		if (d->end[i] >= 0)
			close(d->end[i]);
	as_alloc_free(d->al, d, sizeof(*d));
}

struct as_dumps *as_dumps_begin(const struct as_alloc *al, const char *dir)
{
	struct as_dumps *d = as_alloc_new(al, sizeof(*d));
	sigset_t all, mask;
	bool begun = false;

	if (!d)
		return NULL;
	*d = (struct as_dumps){.al = al, .dir = dir, .end = {-1, -1}};
	d->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (d->watch >= 0 && inotify_add_watch(d->watch, dir, IN_CLOSE_WRITE) >= 0 &&
		pipe2(d->end, O_CLOEXEC) == 0) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &mask);
		begun = pthread_create(&d->thread, NULL, rec_dumps_watch, d) == 0;
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
	}
	if (begun)
		return d;
	rec_dumps_release(d);
	return NULL;
}

void as_dumps_end(struct as_dumps *d)
{
	if (!d)
		return;
	close(d->end[1]);
	d->end[1] = -1;
	pthread_join(d->thread, NULL);
	rec_dumps_release(d);
}
