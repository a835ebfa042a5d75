/* SPDX-License-Identifier: Apache-2.0 */
/* The asker's side of the socket; daemon_talk.c has what can be asked. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/daemon_impl.h"

enum { ANSWER_MAX = 1 << 16, WAIT_ANSWER_S = 120 };

bool as_daemon_socket_path(const char *db, const char *host, char *path, size_t size)
{
	int n = snprintf(path, size, "%s/%s/socket", db, host);

	return n > 0 && (size_t)n < size;
}

static enum as_code ask_failed(struct as_err *err, const char *db, const char *host)
{
	int why = errno;

	if (why == ENOENT || why == ECONNREFUSED || why == ENOTDIR)
		return as_err_set(err, AS_E_IO, "no daemon records into %s for %s", db, host);
	as_err_set(err, AS_E_IO, "the daemon of %s can't be asked: %s", db, strerror(why));
	err->sys_errno = why;
	return AS_E_IO;
}

/* As read(); a descriptor that comes with the bytes is *HANDED's. */
static ssize_t ask_read(int fd, void *p, size_t n, int *handed)
{
	struct iovec bytes = {p, n};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.room = {0}};
	struct msghdr msg = {.msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control)};
	ssize_t got = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&msg) : NULL;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
		c->cmsg_len == CMSG_LEN(sizeof(int)) && *handed < 0)
		memcpy(handed, CMSG_DATA(c), sizeof(int));
	return got;
}

/* What is answered on FD, which this closes. *HANDED, if it is not -1 then, the caller closes. */
static enum as_code ask_hear(
	struct as_arena *ar, int fd, struct as_slice *answer, int *handed, struct as_err *err)
{
	struct timeval wait = {.tv_sec = WAIT_ANSWER_S};
	char *text = as_arena_get(ar, ANSWER_MAX);
	size_t n = 0;
	ssize_t got;

	*handed = -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	while (text && n < ANSWER_MAX && (got = ask_read(fd, text + n, ANSWER_MAX - n, handed)) > 0)
		n += (size_t)got;
	close(fd);
	AS_TRY(as_err_memory(err, text));
	*answer = (struct as_slice){text, n};
	if (as_slice_starts(*answer, "ok\n")) {
		*answer = as_slice_skip(*answer, 3);
		return AS_OK;
	}
	if (!as_slice_starts(*answer, "error "))
		return as_err_set(err, AS_E_IO, "the daemon did not answer");
	*answer = as_slice_skip(*answer, 6);
	answer->len = as_slice_find(*answer, '\n');
	return as_err_set(err, AS_E_ARG, "%.*s", AS_SLICE_FMT(*answer));
}

static enum as_code ask_send(
	const char *db, const char *host, const char *request, int *out, struct as_err *err)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t n = strlen(request);
	enum as_code rc = AS_OK;

	if (fd < 0 || !as_daemon_socket_path(db, host, at.sun_path, sizeof(at.sun_path)) ||
		connect(fd, (const void *)&at, sizeof(at)) != 0 ||
		send(fd, request, n, MSG_NOSIGNAL) != (ssize_t)n ||
		send(fd, "\n", 1, MSG_NOSIGNAL) != 1)
		rc = ask_failed(err, db, host);
	if (rc != AS_OK && fd >= 0)
		close(fd);
	*out = fd;
	return rc;
}

enum as_code as_daemon_ask(struct as_arena *ar, const char *db, const char *host,
	const char *request, struct as_slice *answer, struct as_err *err)
{
	int fd, handed;
	enum as_code rc;

	*answer = (struct as_slice){NULL, 0};
	AS_TRY(ask_send(db, host, request, &fd, err));
	rc = ask_hear(ar, fd, answer, &handed, err);
	if (handed >= 0)
		close(handed);
	return rc;
}

/* ---- what is hot now ---- */

static void ask_number(struct as_daemon_live *out, struct as_slice key, uint64_t v)
{
	if (as_slice_is(key, "from"))
		out->at.from = v;
	else if (as_slice_is(key, "until"))
		out->at.until = v;
	else if (as_slice_is(key, "period"))
		out->at.period_ns = v;
	else if (as_slice_is(key, "taken"))
		out->at.taken = v;
	else if (as_slice_is(key, "lost"))
		out->at.lost = v;
	else if (as_slice_is(key, "rate"))
		out->hz = (uint32_t)v;
	else if (as_slice_is(key, "own"))
		out->own = v != 0;
}

enum as_code as_daemon_ask_live(const struct as_alloc *al, const char *db, const char *host,
	uint64_t since, struct as_daemon_live *out, struct as_err *err)
{
	struct as_slice answer, line, key;
	struct as_arena ar;
	char request[32] = "live";
	enum as_code rc;
	uint64_t v;
	int fd;

	*out = (struct as_daemon_live){.fd = -1};
	if (since != AS_DAEMON_NOW)
		snprintf(request, sizeof(request), "live %" PRIu64, since);
	AS_TRY(ask_send(db, host, request, &fd, err));
	as_arena_init(&ar, al);
	rc = ask_hear(&ar, fd, &answer, &out->fd, err);
	while (rc == AS_OK && as_slice_cut(&answer, '\n', &line))
		if (as_slice_word(&line, &key) && as_slice_dec(as_slice_trim(line), &v))
			ask_number(out, key, v);
	as_arena_release(&ar);
	return rc;
}
