/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fleet/fleet_client.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "fleet/fleet_says.h"
#include "fleet/fleet_sql.h"
#include "io/gzip_out.h"
#include "io/http_call.h"

enum { USER_LINE = 1024, GZIP_FROM = 64 << 10, PAUSE_MS = 100, PAUSE_MOST_MS = 10000 };
enum { URL_WITH_DATABASE = 1, URL_GZIP = 2, URL_PACKED = 4 };
enum { MAY_NOT_SET = 164 }; /* the server's error */

struct as_fleet {
	const struct as_alloc *al;
	struct as_fleet_opts opts;
	struct as_fleet_address address;
	char *url; /* a copy */
	size_t url_size;
	char user[USER_LINE], key[USER_LINE]; /* lines of headers, "" */
	struct as_http_peer *peer;
	struct as_sql text; /* the URL of the request that runs */
	size_t server;      /* the last one that answered */
	uint32_t replicas;  /* that must have what the request that runs inserts; 0: one */
	enum as_fleet_fault fault;
	unsigned code; /* of the server's last error; 0: it said none */
	bool plain;    /* who asks may not ask for packed answers */
	const char *way;
};

/* ---- a store ---- */

/* A line of a header ends where its text has an end of line: no other one may follow. */
static bool client_header(char *line, const char *name, const char *value)
{
	int n;

	if (!value)
		return true;
	if (!as_slice_is_text(as_slice_of(value)) || strpbrk(value, "\r\n"))
		return false;
	n = snprintf(line, USER_LINE, "%s: %s", name, value);
	return n > 0 && n < USER_LINE;
}

static enum as_code client_setup(struct as_fleet *f, struct as_err *err)
{
	const char *cluster = f->opts.cluster;
	struct as_fleet_address *address = &f->address;

	f->url_size = strlen(f->opts.url) + 1;
	f->url = as_alloc_new(f->al, f->url_size);
	if (!f->url)
		return as_err_no_memory(err);
	memcpy(f->url, f->opts.url, f->url_size);
	AS_TRY(as_fleet_address((struct as_slice){f->url, f->url_size - 1}, address, err));
	if (cluster && *cluster)
		address->cluster = as_slice_of(cluster);
	if (!client_header(f->user, "X-ClickHouse-User", f->opts.user) ||
		!client_header(f->key, "X-ClickHouse-Key", f->opts.password))
		return as_err_set(err, AS_E_ARG,
			"the user or the password of the store is too long, or no line of text");
	return as_http_peer_open(f->al, &f->opts.http, &f->peer, err);
}

enum as_code as_fleet_open(const struct as_alloc *al, const struct as_fleet_opts *opts,
	struct as_fleet **out, struct as_err *err)
{
	struct as_fleet *f = as_alloc_new(al, sizeof(*f));
	enum as_code rc;

	if (!f)
		return as_err_no_memory(err);
	f->al = al;
	f->opts = *opts;
	f->text.al = al;
	rc = client_setup(f, err);
	if (rc == AS_OK)
		*out = f;
	else
		as_fleet_close(f);
	return rc;
}

void as_fleet_close(struct as_fleet *f)
{
	if (!f)
		return;
	as_http_peer_close(f->peer);
	as_sql_release(&f->text);
	as_alloc_free(f->al, f->url, f->url_size);
	as_alloc_free(f->al, f, sizeof(*f));
}

const struct as_alloc *as_fleet_alloc(const struct as_fleet *f)
{
	return f->al;
}

bool as_fleet_is_partial(const struct as_fleet *f)
{
	return f->opts.partial;
}

const struct as_fleet_address *as_fleet_address_of(const struct as_fleet *f)
{
	return &f->address;
}

bool as_fleet_has_cluster(const struct as_fleet *f)
{
	return f->address.cluster.len > 0;
}

enum as_fleet_fault as_fleet_fault(const struct as_fleet *f)
{
	return f->fault;
}

const char *as_fleet_way(const struct as_fleet *f)
{
	return f->way;
}

/* ---- time ---- */

static uint64_t client_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

uint64_t as_fleet_deadline(const struct as_fleet *f)
{
	uint64_t at;

	return __builtin_add_overflow(client_now_ms(), f->opts.timeout_ms, &at) ? UINT64_MAX : at;
}

static uint64_t client_left(uint64_t deadline)
{
	uint64_t now = client_now_ms();

	return deadline > now ? deadline - now : 0;
}

bool as_fleet_pause(struct as_fleet *f, unsigned n, uint64_t deadline)
{
	uint64_t ms = n < 8 ? (uint64_t)PAUSE_MS << n : PAUSE_MOST_MS, step;
	struct as_progress *progress = f->opts.http.progress;
	uint32_t any = 0;

	(void)getrandom(&any, sizeof(any), GRND_NONBLOCK);
	ms = ms < PAUSE_MOST_MS ? ms : PAUSE_MOST_MS;
	ms = ms / 2 + any % (ms / 2 + 1);
	if (ms >= client_left(deadline))
		return false;
	for (; ms; ms -= step) {
		struct timespec ts = {0};

		step = ms < PAUSE_MS ? ms : PAUSE_MS;
		ts.tv_nsec = (long)step * 1000000;
		(void)nanosleep(&ts, NULL);
		if (progress)
			progress->waits(progress);
	}
	return true;
}

/* ---- a request ---- */

/* With wait_end_of_query the server begins to answer when all of the answer is there, so that what
 * fails midway has a status that says so. */
static enum as_code client_url(struct as_fleet *f, size_t server, struct as_slice query,
	unsigned flags, struct as_err *err)
{
	struct as_sql *url = &f->text;

	url->text.n = 0;
	as_sql_put(url, f->address.tls ? "https://" : "http://");
	as_sql_puts(url, f->address.server[server]);
	if (!as_slice_has(as_slice_skip(f->address.server[server],
				  as_slice_up_to_last(f->address.server[server], ']')),
		    ':'))
		as_sql_put(url, f->address.tls ? ":8443" : ":8123");
	as_sql_put(url, "/");
	as_sql_puts(url, f->address.database);
	if (url->failed)
		return as_err_no_memory(err);
	as_escape(err->name, sizeof(err->name), url->text.p, url->text.n);
	url->text.n -= f->address.database.len;
	as_sql_put(url, "?wait_end_of_query=1&buffer_size=16777216");
	if (flags & URL_WITH_DATABASE) {
		as_sql_put(url, "&database=");
		as_sql_percent(url, f->address.database);
	}
	if (flags & URL_PACKED)
		as_sql_put(url, "&enable_http_compression=1");
	if (f->opts.partial)
		as_sql_put(url, "&skip_unavailable_shards=1");
	if (f->replicas > 1) {
		as_sql_put(url, "&insert_quorum=");
		as_sql_u64(url, f->replicas);
	}
	if (query.len) {
		as_sql_put(url, "&query=");
		as_sql_percent(url, query);
	}
	as_sql_puts(url, (struct as_slice){"", 1}); /* the NUL */
	return as_err_memory(err, !url->failed);
}

static enum as_code client_failed(
	struct as_fleet *f, const struct as_http_call *call, enum as_code rc, struct as_err *err)
{
	struct as_slice body = {call->answer.p, call->answer.n};
	struct as_fleet_says says;

	if (rc != AS_OK) {
		f->way = call->way;
		f->fault = rc == AS_E_IO ? AS_FLEET_AWAY : AS_FLEET_REFUSED;
		return rc;
	}
	if (call->status == 200 && !as_fleet_says_late(body, &says))
		return AS_OK;
	if (call->status != 200)
		as_fleet_says(body, &says);
	f->code = (unsigned)says.code;
	return as_fleet_said(&says, call->status, &f->way, &f->fault, err);
}

/* BODY is sent, or where QUERY is set, is what the query inserts. */
static enum as_code client_call(struct as_fleet *f, size_t server, struct as_slice query,
	struct as_slice body, unsigned flags, uint64_t max_ms, struct as_fleet_answer *answer,
	struct as_err *err)
{
	const char *header[5] = {"Content-Type: application/octet-stream"};
	struct as_http_call call = {.header = header, .body = body, .max_ms = max_ms};
	size_t n = 1;
	enum as_code rc;

	f->fault = AS_FLEET_FINE;
	f->way = NULL;
	f->code = 0;
	call.gzip = flags & URL_PACKED;
	if (f->user[0])
		header[n++] = f->user;
	if (f->key[0])
		header[n++] = f->key;
	if (flags & URL_GZIP)
		header[n++] = "Content-Encoding: gzip";
	if (!f->user[0])
		call.netrc = f->opts.netrc;
	AS_TRY(client_url(f, server, query, flags, err));
	call.url = f->text.text.p;
	as_vec_move(&call.answer, &answer->bytes);
	rc = as_http_call(f->peer, &call, err);
	rc = client_failed(f, &call, rc, err);
	as_vec_move(&answer->bytes, &call.answer);
	return rc;
}

/* What stays on the machine is not worth the time that it takes to compress it. */
static bool client_is_near(struct as_slice server)
{
	return as_slice_starts(server, "127.") || as_slice_starts(server, "localhost") ||
	       as_slice_starts(server, "[::1]");
}

/* An answer from afar comes packed, if who asks may set that. */
static enum as_code client_query(struct as_fleet *f, size_t server, struct as_slice sql,
	uint64_t max_ms, struct as_fleet_answer *answer, struct as_err *err)
{
	bool packed = !f->plain && !client_is_near(f->address.server[server]);
	enum as_code rc = client_call(f, server, (struct as_slice){0}, sql,
		URL_WITH_DATABASE | (packed ? URL_PACKED : 0), max_ms, answer, err);

	if (rc == AS_OK || !packed || f->code != MAY_NOT_SET)
		return rc;
	f->plain = true;
	as_err_clear(err);
	return client_call(
		f, server, (struct as_slice){0}, sql, URL_WITH_DATABASE, max_ms, answer, err);
}

enum as_code as_fleet_query_at(struct as_fleet *f, size_t server, struct as_slice sql,
	struct as_fleet_answer *answer, struct as_err *err)
{
	return client_query(f, server, sql, f->opts.timeout_ms, answer, err);
}

enum as_code as_fleet_do(struct as_fleet *f, size_t server, struct as_slice sql,
	bool without_database, struct as_err *err)
{
	struct as_fleet_answer answer = {0};
	enum as_code rc = client_call(f, server, (struct as_slice){0}, sql,
		without_database ? 0 : URL_WITH_DATABASE, f->opts.timeout_ms, &answer, err);

	as_vec_free(f->al, &answer.bytes);
	return rc;
}

/* *BUSY: a server that can not now was among them. */
static enum as_code client_round(struct as_fleet *f, struct as_slice sql, uint64_t deadline,
	struct as_fleet_answer *answer, bool *busy, struct as_err *err)
{
	enum as_code rc = AS_OK;

	*busy = false;
	for (size_t i = 0; i < f->address.n_servers; i++) {
		rc = client_query(f, f->server, sql, client_left(deadline) + 1, answer, err);
		*busy |= f->fault == AS_FLEET_BUSY;
		if (rc == AS_OK || f->fault == AS_FLEET_REFUSED)
			break;
		f->server = (f->server + 1) % f->address.n_servers;
	}
	return rc;
}

enum as_code as_fleet_query(
	struct as_fleet *f, struct as_slice sql, struct as_fleet_answer *answer, struct as_err *err)
{
	uint64_t deadline = as_fleet_deadline(f);
	enum as_code rc;
	bool busy;

	for (unsigned n = 0;; n++) {
		rc = client_round(f, sql, deadline, answer, &busy, err);
		if (rc == AS_OK || !busy || f->fault == AS_FLEET_REFUSED ||
			!as_fleet_pause(f, n, deadline))
			return rc;
	}
}

/* ---- rows ---- */

static enum as_code client_gzip(
	struct as_fleet *f, struct as_slice rows, struct as_sink_mem *to, struct as_err *err)
{
	struct as_sink_gzip gz;

	AS_TRY(as_sink_gzip_open(&gz, f->al, &to->sink, 1, AS_GZIP_QUICK, err));
	if (gz.sink.write(&gz.sink, rows.p, rows.len) == 0)
		return as_sink_gzip_finish(&gz, err);
	as_sink_gzip_abort(&gz);
	return as_err_no_memory(err);
}

enum as_code as_fleet_insert(struct as_fleet *f, size_t server, struct as_slice sql,
	struct as_slice rows, uint32_t replicas, struct as_err *err)
{
	bool gzip = rows.len >= GZIP_FROM && !client_is_near(f->address.server[server]);
	struct as_fleet_answer answer = {0};
	struct as_sink_mem packed;
	enum as_code rc = AS_OK;

	as_sink_mem_init(&packed, f->al);
	f->replicas = replicas;
	if (gzip) {
		rc = client_gzip(f, rows, &packed, err);
		rows = (struct as_slice){packed.data.p, packed.data.n};
	}
	if (rc == AS_OK)
		rc = client_call(f, server, sql, rows, URL_WITH_DATABASE | (gzip ? URL_GZIP : 0),
			f->opts.timeout_ms, &answer, err);
	f->replicas = 0;
	as_vec_free(f->al, &answer.bytes);
	as_sink_mem_release(&packed);
	return rc;
}
