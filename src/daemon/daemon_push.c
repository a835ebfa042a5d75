/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Closed segments of the database into the store of a fleet, in order. The database is the spool:
 * a file beside the epochs says up to where they went, and what is behind that stays as it is until
 * it went.
 */
#define _GNU_SOURCE
#include "daemon/daemon_impl.h"

#include <limits.h>
#include <stdio.h>

#include "base/date.h"
#include "io/file.h"
#include "io/out_file.h"
#include "session/store/pushing.h"

enum { TOGETHER = 16 }; /* segments that are pushed at once */

bool as_daemon_push_open(struct as_daemon *d)
{
	const struct as_daemon_push *push = d->opts->push;
	struct as_slice epoch = as_slice_of(as_store_epoch_name(d->store));
	struct as_store_mark mark = {.end = 0};
	bool there;

	if (!push)
		return true;
	snprintf(d->mark, sizeof(d->mark), "pushed-%016" PRIx64,
		as_hash_bytes(push->store.url, strlen(push->store.url)));
	if (as_store_mark_read(d->store, d->mark, &mark, &there, &d->err) != AS_OK)
		return false;
	if (!there) {
		/* what was rolled up may have been pushed before, minute by minute */
		if (!as_store_epoch_parse(epoch, &mark.epoch) ||
			as_store_mark_write(d->store, d->mark, &mark, &d->err) != AS_OK)
			return false;
		as_say_note(
			d->ses, "what is recorded from now on is pushed to %s", push->store.url);
	}
	as_store_hold(d->store, &mark);
	return true;
}

/* ---- pushing ---- */

/* Of what goes right nobody need hear each minute, nor of what went wrong the minute before. */
static void push_say(void *ctx, enum as_say how, const char *text, const char *hint)
{
	const struct as_daemon *d = ctx;

	if (how <= AS_SAY_WARNING && !d->push_fails)
		as_say_warning(d->ses, "not pushed, which is tried again: %s%s%s", text,
			hint && *hint ? "; " : "", hint && *hint ? hint : "");
}

static bool push_failed(struct as_daemon *d, const struct as_fleet *f, struct as_err *err)
{
	char why[AS_DAEMON_WHY];
	const char *way = f ? as_fleet_way(f) : NULL;

	as_err_text(err, why, sizeof(why));
	push_say(d, AS_SAY_ERROR, why, way);
	as_err_clear(err);
	return false;
}

/* ---- what servers are known to have ---- */

/* In a file beside the mark, for the child that pushes next. It only saves sending things again:
 * where it cannot be read, or written, they are. */
static bool push_known_path(const struct as_daemon *d, char path[PATH_MAX])
{
	struct as_err err = AS_ERR_NONE;
	char name[AS_DAEMON_MARK + 8];

	snprintf(name, sizeof(name), "%s.known", d->mark);
	return as_store_file(d->store, name, path, &err) == AS_OK;
}

static void push_known_read(const struct as_daemon *d, struct as_fleet_known *known)
{
	struct as_err err = AS_ERR_NONE;
	struct as_fleet_bytes bytes = {.al = known->al};
	char path[PATH_MAX], some[4096];
	struct as_src *src = NULL;
	ptrdiff_t n;

	if (!push_known_path(d, path) ||
		as_file_open_raw(known->al, path, NULL, &src, &err) != AS_OK)
		return;
	while ((n = src->read(src, some, sizeof(some))) > 0)
		as_fleet_put(&bytes, some, (size_t)n);
	as_file_close(src);
	if (n < 0 || bytes.failed ||
		!as_fleet_known_take(known, (struct as_slice){bytes.v.p, bytes.v.n}))
		as_fleet_known_release(known);
	as_vec_free(bytes.al, &bytes.v);
}

static void push_known_write(const struct as_daemon *d, const struct as_fleet_known *known)
{
	struct as_err err = AS_ERR_NONE;
	struct as_fleet_bytes bytes = {.al = known->al};
	struct as_out_file of;
	char path[PATH_MAX];

	if (as_fleet_known_put(known, &bytes) && push_known_path(d, path) &&
		as_out_file_open(&of, known->al, path, true, &err) == AS_OK) {
		if (of.sink.write(&of.sink, bytes.v.p, bytes.v.n) != 0)
			as_out_file_abort(&of);
		else if (as_out_file_commit(&of, &err) != AS_OK)
			as_err_clear(&err);
	}
	as_vec_free(bytes.al, &bytes.v);
}

/* ---- the spool ---- */

/* Some segments behind MARK, which is behind them then. */
static bool push_find(struct as_daemon *d, struct as_pushing *to, struct as_store_mark *mark)
{
	struct as_store_spool spool = {.n = 1};

	for (int i = 0; i < TOGETHER; i++) {
		if (as_store_spool(d->store, mark, &spool, &d->err) != AS_OK)
			return push_failed(d, NULL, &d->err);
		if (spool.across)
			as_say_warning(d->ses,
				"%" PRIu64 " segments are not pushed: they were rolled up, with "
				"what was pushed before, while nobody pushed",
				spool.across);
		if (!spool.n)
			break;
		if (as_push_find(to, spool.path) != AS_EXIT_OK)
			return false;
		*mark = spool.next;
	}
	return true;
}

/* Some together, the mark behind them, for as long as there is time. */
static bool push_spool(
	struct as_daemon *d, struct as_pushing *to, struct as_store_mark *mark, int64_t until)
{
	while (as_daemon_mono() < until) {
		if (!push_find(d, to, mark))
			return false;
		if (!to->item.n)
			return true;
		if (as_push_found(to) != AS_EXIT_OK)
			return false;
		if (as_store_mark_write(d->store, d->mark, mark, &d->err) != AS_OK)
			return push_failed(d, NULL, &d->err);
		as_store_hold(d->store, mark);
	}
	return false;
}

bool as_daemon_push(struct as_daemon *d, uint64_t timeout_ms, int64_t until)
{
	const struct as_daemon_push *push = d->opts->push;
	struct as_fleet_opts opts = push->store;
	struct as_session ses = *d->ses;
	struct as_pushing to = {.ses = &ses,
		.service = push->service,
		.host = as_slice_of(d->opts->host),
		.label = push->label,
		.n_label = push->n_label};
	struct as_fleet_known known = {.al = d->ses->al};
	struct as_store_mark mark;
	struct as_arena arena;
	bool there, done;
	size_t before;

	ses.say = push_say;
	ses.say_ctx = d;
	ses.nameless = true;
	opts.timeout_ms = timeout_ms;
	opts.partial = true; /* a shard that is down keeps nobody from pushing to another */
	if (as_store_mark_read(d->store, d->mark, &mark, &there, &d->err) != AS_OK)
		return push_failed(d, NULL, &d->err);
	as_store_hold(d->store, &mark);
	as_arena_init(&arena, ses.al);
	to.known = &known;
	to.arena = &arena;
	if (as_fleet_open(ses.al, &opts, &to.f, &d->err) != AS_OK ||
		as_fleet_ready(to.f, true, &to.shards, &d->err) != AS_OK) {
		done = push_failed(d, to.f, &d->err);
	} else {
		push_known_read(d, &known);
		before = as_fleet_known_count(&known);
		done = push_spool(d, &to, &mark, until);
		if (as_fleet_known_count(&known) != before)
			push_known_write(d, &known);
	}
	as_fleet_close(to.f);
	as_fleet_known_release(&known);
	as_vec_free(ses.al, &to.item);
	as_arena_release(&arena);
	return done;
}

void as_daemon_push_status(const struct as_daemon *d, struct as_out *out)
{
	struct as_store_spool spool;
	struct as_store_mark mark;
	struct as_err err = AS_ERR_NONE;
	char text[AS_DATE_NANOS];
	bool there;

	if (!d->mark[0] || as_store_mark_read(d->store, d->mark, &mark, &there, &err) != AS_OK ||
		as_store_spool(d->store, &mark, &spool, &err) != AS_OK)
		return;
	as_out_printf(out, "pushed to %s\nnot pushed segments %" PRIu64, d->opts->push->store.url,
		spool.n);
	if (spool.n)
		as_out_printf(out, " since %s, which are kept until they are",
			as_date_nanos_text(spool.begin, "T", "Z", text));
	as_out_printf(out, "\n");
}
