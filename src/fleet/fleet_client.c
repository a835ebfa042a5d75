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

_Static_assert((int)AS_FLEET_AT_ONCE <= (int)AS_HTTP_AT_ONCE, "no more calls than there may be");

struct as_fleet {
	const struct as_alloc *al;
	struct as_fleet_opts opts;
	struct as_fleet_address address;
	char *url; /* a copy */
	size_t url_size;
	char user[USER_LINE], key[USER_LINE]; /* lines of headers, "" */
	struct as_http_peer *peer;
	size_t server; /* the last one that answered */
	enum as_fleet_fault fault;
	unsigned code; /* of the server's last error; 0: it said none */
	bool plain;    /* who asks may not ask for packed answers */
	const char *way;
};

/* What one server is asked or told. BODY is sent, or where QUERY is set, is what the query inserts;
 * REPLICAS must have that when it is done; 0: one. */
struct client_request {
	struct as_slice query, body;
	unsigned flags;
	uint32_t replicas;
	struct as_fleet_answer *answer;
	struct as_sql url;
	const char *header[5];
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
	AS_TRY(as_err_memory(err, f->url));
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

	AS_TRY(as_err_memory(err, f));
	f->al = al;
	f->opts = *opts;
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

/* ---- requests ---- */

/* With wait_end_of_query the server begins to answer when all of the answer is there, so that what
 * fails midway has a status that says so. */
static enum as_code client_url(
	const struct as_fleet *f, size_t server, struct client_request *r, struct as_err *err)
{
	struct as_sql *url = &r->url;

	url->al = f->al;
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
	if (r->flags & URL_WITH_DATABASE) {
		as_sql_put(url, "&database=");
		as_sql_percent(url, f->address.database);
	}
	if (r->flags & URL_PACKED)
		as_sql_put(url, "&enable_http_compression=1");
	if (f->opts.partial)
		as_sql_put(url, "&skip_unavailable_shards=1");
	if (r->replicas > 1) {
		as_sql_put(url, "&insert_quorum=");
		as_sql_u64(url, r->replicas);
	}
	if (r->query.len) {
		as_sql_put(url, "&query=");
		as_sql_percent(url, r->query);
	}
	as_sql_puts(url, (struct as_slice){"", 1}); /* the NUL */
	return as_err_memory(err, !url->failed);
}

static void client_headers(const struct as_fleet *f, struct client_request *r)
{
	size_t n = 0;

	r->header[n++] = "Content-Type: application/octet-stream";
	if (f->user[0])
		r->header[n++] = f->user;
	if (f->key[0])
		r->header[n++] = f->key;
	if (r->flags & URL_GZIP)
		r->header[n++] = "Content-Encoding: gzip";
	r->header[n] = NULL;
}

static enum as_code client_failed(struct as_fleet *f, struct as_http_call *call)
{
	struct as_slice body = {call->answer.p, call->answer.n};
	struct as_fleet_says says;

	f->way = NULL;
	f->code = 0;
	f->fault = AS_FLEET_FINE;
	if (call->rc != AS_OK) {
		f->way = call->way;
		f->fault = call->rc == AS_E_IO ? AS_FLEET_AWAY : AS_FLEET_REFUSED;
		return call->rc;
	}
	if (call->status == 200 && !as_fleet_says_late(body, &says))
		return AS_OK;
	if (call->status != 200)
		as_fleet_says(body, &says);
	f->code = (unsigned)says.code;
	return as_fleet_said(&says, call->status, &f->way, &f->fault, &call->err);
}

/* N requests at the same time. The first that fails says why. */
static enum as_code client_calls(struct as_fleet *f, size_t server, struct client_request *r,
	size_t n, uint64_t max_ms, struct as_err *err)
{
	struct as_http_call call[AS_HTTP_AT_ONCE];
	enum as_code rc = AS_OK;

	as_assert(n <= AS_HTTP_AT_ONCE);
	for (size_t i = 0; i < n; i++) {
		client_headers(f, &r[i]);
		call[i] = (struct as_http_call){.header = r[i].header,
			.body = r[i].body,
			.max_ms = max_ms,
			.gzip = r[i].flags & URL_PACKED,
			.netrc = f->user[0] ? NULL : f->opts.netrc,
			.err = AS_ERR_NONE};
		if (client_url(f, server, &r[i], &call[i].err) != AS_OK)
			rc = as_err_no_memory(err);
		call[i].url = r[i].url.text.p;
		as_vec_move(&call[i].answer, &r[i].answer->bytes);
	}
	f->fault = AS_FLEET_REFUSED;
	if (rc == AS_OK)
		as_http_calls(f->peer, call, n);
	for (size_t i = 0; i < n; i++) {
		if (rc == AS_OK) {
			rc = client_failed(f, &call[i]);
			*err = call[i].err;
		}
		as_vec_move(&r[i].answer->bytes, &call[i].answer);
		as_sql_release(&r[i].url);
	}
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
	struct client_request r = {.body = sql,
		.flags = URL_WITH_DATABASE | (packed ? URL_PACKED : 0),
		.answer = answer};
	enum as_code rc = client_calls(f, server, &r, 1, max_ms, err);

	if (rc == AS_OK || !packed || f->code != MAY_NOT_SET)
		return rc;
	f->plain = true;
	as_err_clear(err);
	r.flags = URL_WITH_DATABASE;
	return client_calls(f, server, &r, 1, max_ms, err);
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
	struct client_request r = {
		.body = sql, .flags = without_database ? 0 : URL_WITH_DATABASE, .answer = &answer};
	enum as_code rc = client_calls(f, server, &r, 1, f->opts.timeout_ms, err);

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

/* At the same time, of the server that answered last; if it could not, one after the other. */
enum as_code as_fleet_query_all(
	struct as_fleet *f, const struct as_fleet_question *q, size_t n, struct as_err *err)
{
	bool packed = !f->plain && !client_is_near(f->address.server[f->server]);
	struct client_request r[AS_FLEET_AT_ONCE];
	enum as_code rc;

	as_assert(n <= AS_FLEET_AT_ONCE);
	for (size_t i = 0; i < n; i++)
		r[i] = (struct client_request){.body = q[i].sql,
			.flags = URL_WITH_DATABASE | (packed ? URL_PACKED : 0),
			.answer = q[i].answer};
	rc = client_calls(f, f->server, r, n, f->opts.timeout_ms, err);
	if (rc == AS_OK)
		return rc;
	as_err_clear(err);
	for (size_t i = 0; i < n; i++)
		AS_TRY(as_fleet_query(f, q[i].sql, q[i].answer, err));
	return AS_OK;
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

enum as_code as_fleet_insert(struct as_fleet *f, size_t server, const struct as_fleet_insertion *in,
	size_t n, struct as_err *err)
{
	struct as_fleet_answer answer[AS_FLEET_AT_ONCE] = {0};
	struct as_sink_mem packed[AS_FLEET_AT_ONCE];
	struct client_request r[AS_FLEET_AT_ONCE];
	enum as_code rc = AS_OK;

	as_assert(n <= AS_FLEET_AT_ONCE);
	for (size_t i = 0; i < n; i++) {
		bool gzip =
			in[i].rows.len >= GZIP_FROM && !client_is_near(f->address.server[server]);

		as_sink_mem_init(&packed[i], f->al);
		if (gzip && rc == AS_OK)
			rc = client_gzip(f, in[i].rows, &packed[i], err);
		r[i] = (struct client_request){.query = in[i].sql,
			.body = gzip ? (struct as_slice){packed[i].data.p, packed[i].data.n}
				     : in[i].rows,
			.flags = URL_WITH_DATABASE | (gzip ? URL_GZIP : 0),
			.replicas = in[i].replicas,
			.answer = &answer[i]};
	}
	AS_THEN(rc, client_calls(f, server, r, n, f->opts.timeout_ms, err));
	for (size_t i = 0; i < n; i++) {
		as_vec_free(f->al, &answer[i].bytes);
		as_sink_mem_release(&packed[i]);
	}
	return rc;
}
