/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The socket DB/HOST/socket, with the rights of a file. Nobody is waited for: who has connected has
 * room for his line, gets the answer when it has come (daemon_talk.c), and is gone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/daemon_impl.h"

enum { WAITING = 8 /* who has not been let in yet */ };

static bool socket_watch(struct as_daemon *d, int fd)
{
	struct epoll_event ev = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(d->events, EPOLL_CTL_ADD, fd, &ev) == 0;
}

bool as_daemon_listen(struct as_daemon *d)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	mode_t mask;
	bool ok;

	if (!as_daemon_socket_path(d->opts->db, d->opts->host, d->socket, sizeof(d->socket))) {
		as_say_error(d->ses, "the database's path is too long for a socket in it",
			"a path of at most 90 characters, --db");
		return false;
	}
	memcpy(at.sun_path, d->socket, sizeof(at.sun_path));
	unlink(d->socket); /* the lock of the database is ours: nobody listens there */
	d->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mask = umask(0177);
	ok = d->listener >= 0 && bind(d->listener, (const void *)&at, sizeof(at)) == 0 &&
	     listen(d->listener, WAITING) == 0;
	umask(mask);
	ok = ok && socket_watch(d, d->listener);
	if (!ok)
		as_say_error(d->ses, "the socket of the database can't be made", strerror(errno));
	return ok;
}

/* ---- who has connected ---- */

static void socket_drop(struct as_daemon *d, unsigned i)
{
	as_assert(i < d->n_clients);
	close(d->client[i].fd);
	d->n_clients--;
	memmove(&d->client[i], &d->client[i + 1], (d->n_clients - i) * sizeof(d->client[0]));
}

/* HANDED, a descriptor, comes with the answer; -1: none. A socket that nothing was written to has
 * room for all of it. */
static void socket_tell(int fd, struct as_slice answer, int handed)
{
	struct iovec bytes = {(void *)(uintptr_t)answer.p, answer.len};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr msg = {.msg_iov = &bytes, .msg_iovlen = 1};

	if (handed >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof(control);
		control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
			.cmsg_len = CMSG_LEN(sizeof(int))};
		memcpy(CMSG_DATA(&control.head), &handed, sizeof(int));
	}
	(void)!sendmsg(fd, &msg, MSG_NOSIGNAL);
}

/* Of too many the one goes that has said nothing for longest, not who waits for an answer. */
static void socket_let_in(struct as_daemon *d, int fd)
{
	unsigned i = 0;

	while (i < d->n_clients && d->client[i].quits)
		i++;
	if (d->n_clients == AS_DAEMON_CLIENTS && i < d->n_clients) {
		socket_tell(d->client[i].fd, as_slice_of("error too many ask at a time\n"), -1);
		socket_drop(d, i);
	}
	if (d->n_clients == AS_DAEMON_CLIENTS || !socket_watch(d, fd)) {
		close(fd);
		return;
	}
	d->client[d->n_clients++] = (struct as_daemon_client){.fd = fd};
}

/* ---- what they say ---- */

static void socket_answer(struct as_daemon *d, struct as_daemon_client *c, struct as_slice ask)
{
	struct ucred who = {.uid = (uid_t)-1};
	socklen_t size = sizeof(who);
	struct as_sink_mem sink;
	struct as_out out;
	int handed = -1;

	getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
	as_sink_mem_init(&sink, d->ses->al);
	if (as_out_open(&out, d->ses->al, &sink.sink, NULL) == AS_OK) {
		c->quits = !as_daemon_talk(d, ask, who.uid, &out, &handed);
		if (as_out_finish(&out) == AS_OK && !c->quits)
			socket_tell(c->fd, (struct as_slice){sink.data.p, sink.data.n}, handed);
	}
	if (handed >= 0)
		close(handed);
	as_sink_mem_release(&sink);
}

/* True: the line has ended, or never will. */
static bool socket_hear(struct as_daemon *d, struct as_daemon_client *c)
{
	ssize_t got = read(c->fd, c->text + c->n, sizeof(c->text) - c->n);
	struct as_slice line;

	if (got < 0)
		return errno != EAGAIN && errno != EINTR;
	c->n += (size_t)got;
	line = (struct as_slice){c->text, c->n};
	line.len = as_slice_find(line, '\n');
	if (line.len < c->n)
		socket_answer(d, c, line);
	else if (c->n == sizeof(c->text))
		socket_tell(c->fd, as_slice_of("error the request is too long\n"), -1);
	else if (!got)
		socket_tell(c->fd, as_slice_of("error the request is not a whole line\n"), -1);
	else
		return false;
	return true;
}

/* Who waits for the end is not listened to any more. */
void as_daemon_heed_socket(struct as_daemon *d, int fd)
{
	unsigned i = 0;
	int one;

	while (fd == d->listener &&
		(one = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
		socket_let_in(d, one);
	while (i < d->n_clients && d->client[i].fd != fd)
		i++;
	if (i < d->n_clients && !d->client[i].quits && socket_hear(d, &d->client[i]) &&
		!d->client[i].quits)
		socket_drop(d, i);
}

void as_daemon_hang_up(struct as_daemon *d, bool stored)
{
	const char *end = stored ? "ok\n" : "error not all samples could be stored\n";

	while (d->n_clients) {
		if (d->client[0].quits)
			socket_tell(d->client[0].fd, as_slice_of(end), -1);
		socket_drop(d, 0);
	}
}

/* Who asks waits until the last process that has his connection closes it. */
void as_daemon_leave_socket(struct as_daemon *d)
{
	close(d->listener);
	for (unsigned i = 0; i < d->n_clients; i++)
		close(d->client[i].fd);
}
