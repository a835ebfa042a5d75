/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/store_impl.h"

#define MILLI INT64_C(1000000)
#define SLACK INT64_C(1000000000) /* what a clock is set back while it is kept right */

/* To merge takes some 30 times as much memory as the file that is made has bytes: 64 MB. */
enum { ROLL_BYTES = 2 << 20 };

enum { FOLDER_MODE = 0755, LOCK_MODE = 0644, TRIES_MAX = 500 };

void as_store_say(const struct as_store *st, const char *fmt, ...)
{
	char text[1200];
	va_list ap;

	if (!st->say)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	st->say(st->say_ctx, text);
}

enum as_code as_store_sys(struct as_err *err, int number, const char *path, const char *what)
{
	if (err)
		as_escape(err->name, sizeof(err->name), path, strlen(path));
	return as_err_sys(err, number, what);
}

enum as_code as_store_join(
	char path[PATH_MAX], const char *dir, const char *name, struct as_err *err)
{
	if (as_store_path(path, PATH_MAX, dir, name))
		return AS_OK;
	return as_store_sys(err, ENAMETOOLONG, dir, "cannot be used");
}

/* ---- opening ---- */

/* PATH and the folders that it is in. */
static enum as_code store_make_folders(const char *path, struct as_err *err)
{
	char part[PATH_MAX];
	size_t len = strlen(path);

	if (!len || len >= sizeof(part))
		return as_store_sys(
			err, len ? ENAMETOOLONG : ENOENT, path, "cannot make the folder");
	memcpy(part, path, len + 1);
	for (size_t i = 1; i <= len; i++) {
		char c = part[i];
		struct stat sb;

		if (c != '/' && c != 0)
			continue;
		part[i] = 0;
		if (mkdir(part, FOLDER_MODE) && errno != EEXIST &&
			!(stat(part, &sb) == 0 && S_ISDIR(sb.st_mode)))
			return as_store_sys(err, errno, part, "cannot make the folder");
		part[i] = c;
	}
	return AS_OK;
}

static bool store_is_host(const char *host)
{
	return host && *host && *host != '.' && strlen(host) < 256 && !strchr(host, '/');
}

static enum as_code store_locked(struct as_store *st, const char *path, struct as_err *err)
{
	char text[32] = "";
	ssize_t n = pread(st->lock, text, sizeof(text) - 1, 0);
	size_t digits = n > 0 ? strspn(text, "0123456789") : 0;

	as_escape(err->name, sizeof(err->name), path, strlen(path));
	err->sys_errno = EWOULDBLOCK;
	(void)as_err_set(err, AS_E_IO, "process %.*s writes to this database already",
		digits ? (int)digits : 1, digits ? text : "?");
	return AS_E_IO;
}

/* Who has written his number into the lock is no more. */
static bool store_holder_is_gone(const struct as_store *st)
{
	char text[32];
	ssize_t n = pread(st->lock, text, sizeof(text), 0);
	struct as_slice line = {text, n > 0 ? (size_t)n : 0};
	uint64_t pid;

	line.len = as_slice_find(line, '\n');
	return as_slice_dec(line, &pid) && pid > 0 && pid <= INT32_MAX &&
	       kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* 0, or an errno. What a killed writer has started has the lock, too, and ends with him, but not at
 * the same moment. */
static int store_take_lock(const struct as_store *st)
{
	const struct timespec moment = {0, 10 * MILLI};
	int number = 0;

	for (int i = 0; i < TRIES_MAX; i++) {
		if (flock(st->lock, LOCK_EX | LOCK_NB) == 0)
			return 0;
		number = errno;
		if (number != EWOULDBLOCK || !store_holder_is_gone(st))
			break;
		nanosleep(&moment, NULL);
	}
	return number;
}

/* The file stays: who comes next takes the lock on it, whoever made it. */
static enum as_code store_lock(struct as_store *st, struct as_err *err)
{
	char path[PATH_MAX], text[32];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid()), number;

	AS_TRY(as_store_join(path, st->dir, "lock", err));
	st->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, LOCK_MODE);
	if (st->lock < 0)
		return as_store_sys(err, errno, path, "cannot open");
	number = store_take_lock(st);
	if (number)
		return number == EWOULDBLOCK ? store_locked(st, path, err)
					     : as_store_sys(err, number, path, "cannot lock");
	/* Only who is told of the lock reads it: a full disk is no reason not to begin. */
	if (ftruncate(st->lock, 0) == 0)
		(void)!pwrite(st->lock, text, (size_t)n, 0);
	return AS_OK;
}

/* What a killed writer was about. */
static enum as_code store_sweep(struct as_store *st, const char *dir, struct as_err *err)
{
	struct as_store_names ns;
	enum as_code rc = as_store_names_read(&ns, st->al, dir, err);
	char path[PATH_MAX];

	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		if (!as_store_is_temporary(ns.row.p[i]))
			continue;
		rc = as_store_join(path, dir, ns.row.p[i].p, err);
		AS_THEN(rc, as_store_remove(path, err));
	}
	as_store_names_release(&ns);
	return rc;
}

static enum as_code store_sweep_all(struct as_store *st, struct as_err *err)
{
	struct as_store_epochs es;
	enum as_code rc = store_sweep(st, st->dir, err);
	char path[PATH_MAX], name[AS_STORE_NAME];

	AS_TRY(rc);
	rc = as_store_epochs_read(&es, st->al, st->dir, err);
	for (size_t i = 0; rc == AS_OK && i < es.row.n; i++) {
		rc = as_store_join(path, st->dir, as_store_epoch_text(&es.row.p[i], name), err);
		AS_THEN(rc, store_sweep(st, path, err));
	}
	as_store_epochs_release(&es);
	return rc;
}

enum as_code as_store_open(const struct as_alloc *al, const struct as_store_opts *opts,
	struct as_store **out, struct as_err *err)
{
	struct as_store *st = as_alloc_new(al, sizeof(*st));
	const char *host = store_is_host(opts->host) ? opts->host : "localhost";
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_err_memory(err, st));
	*st = (struct as_store){.al = al,
		.lock = -1,
		.keep_hours_ns = opts->keep_hours_ns,
		.roll_bytes = opts->roll_bytes ? opts->roll_bytes : ROLL_BYTES,
		.remove_at_once = opts->remove_at_once,
		.say = opts->say,
		.say_ctx = opts->say_ctx};
	snprintf(st->host, sizeof(st->host), "%s", host);
	rc = as_store_join(st->dir, opts->dir, st->host, err);
	AS_THEN(rc, store_make_folders(st->dir, err));
	AS_THEN(rc, store_lock(st, err));
	AS_THEN(rc, store_sweep_all(st, err));
	AS_THEN(rc, as_store_epoch(st, opts->now_ns, err));
	if (rc == AS_OK)
		*out = st;
	else
		as_store_close(st);
	return rc;
}

void as_store_close(struct as_store *st)
{
	if (!st)
		return;
	if (st->lock >= 0)
		close(st->lock);
	as_alloc_free(st->al, st, sizeof(*st));
}

/* ---- epochs ---- */

const char *as_store_epoch_name(const struct as_store *st)
{
	return st->epoch;
}

/* Behind all that there are: by the clock, or, where it stands before the last, beside that. */
enum as_code as_store_epoch(struct as_store *st, int64_t now_ns, struct as_err *err)
{
	struct as_store_epoch_id id = {as_store_minute(now_ns), 1}, *last;
	struct as_store_epochs es;
	enum as_code rc = as_store_epochs_read(&es, st->al, st->dir, err);

	if (rc == AS_OK && es.row.n) {
		last = &es.row.p[es.row.n - 1];
		if (as_store_epoch_cmp(&id, last) <= 0)
			id = (struct as_store_epoch_id){last->minute, last->nth + 1};
	}
	as_store_epochs_release(&es);
	AS_TRY(rc);
	as_store_epoch_text(&id, st->epoch);
	st->made = false;
	st->last_end = INT64_MIN;
	return AS_OK;
}

static enum as_code store_make_epoch(struct as_store *st, char path[PATH_MAX], struct as_err *err)
{
	AS_TRY(as_store_join(path, st->dir, st->epoch, err));
	if (st->made)
		return AS_OK;
	if (mkdir(path, FOLDER_MODE) && errno != EEXIST)
		return as_store_sys(err, errno, path, "cannot make the folder");
	AS_TRY(as_store_sync_dir(st->dir, err));
	st->made = true;
	return AS_OK;
}

/* ---- segments ---- */

/* Whole milliseconds, behind the last one and not empty. False: the clock was set back. */
static bool store_span(
	const struct as_store *st, int64_t begin, int64_t end, struct as_store_span *span)
{
	if (st->last_end != INT64_MIN && begin < st->last_end - SLACK)
		return false;
	span->begin = begin - begin % MILLI;
	span->end = end - end % MILLI;
	if (span->begin < st->last_end)
		span->begin = st->last_end;
	if (span->end <= span->begin)
		span->end = span->begin + MILLI;
	return true;
}

static enum as_code store_put(struct as_store *st, const struct as_profile *prof,
	const struct as_store_span *span, const struct as_store_facts *facts, struct as_err *err)
{
	struct as_profile *made = NULL;
	char dir[PATH_MAX];
	enum as_code rc;

	AS_TRY(store_make_epoch(st, dir, err));
	if (span->flat)
		AS_TRY(as_store_flatten(prof, st->host, span->begin, &made, err));
	else
		AS_TRY(as_store_facts_into(prof, span, facts, &made, err));
	rc = as_store_write(dir, span, made, facts, false, err);
	as_profile_free(made);
	return rc;
}

enum as_code as_store_segment(struct as_store *st, const struct as_profile *prof, int64_t begin_ns,
	int64_t end_ns, bool flat, const struct as_store_facts *facts, struct as_err *err)
{
	static const struct as_store_facts none = {0};
	struct as_store_span span = {.flat = flat};

	begin_ns = begin_ns > 0 ? begin_ns : 0;
	if (!store_span(st, begin_ns, end_ns, &span)) {
		AS_TRY(as_store_epoch(st, begin_ns, err));
		as_assert(store_span(st, begin_ns, end_ns, &span));
	}
	AS_TRY(store_put(st, prof, &span, facts ? facts : &none, err));
	st->last_end = span.end;
	return AS_OK;
}
