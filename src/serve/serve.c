/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "serve/serve.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/random.h>

#include "serve/httpd.h"

/* Other users of the machine can connect, too: idle connections are many, and soon ended. */
enum { CONNECTIONS = 256, IDLE_S = 10, PORT_HTTP = 80, WORDS = 64 };

/* Headers that keep other sites and caches away. The page has its own policy for the rest. */
static const char policy[] =
	"default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src "
	"blob:; "
	"style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none'; form-action 'none'; "
	"base-uri 'none'; frame-ancestors 'none'";
static const char policy_text[] = "default-src 'none'; frame-ancestors 'none'; sandbox";

struct as_serve {
	const struct as_alloc *al;
	const struct as_serve_opts *opts;
	struct as_httpd http;
	struct MHD_Daemon *daemon;
	uint16_t port;
	char token[AS_SERVE_TOKEN + 1];
};

struct answer {
	unsigned status;
	struct as_slice text;
	const char *type;
	struct as_sink_mem *made; /* the text is there, and goes with it; NULL: it stays */
};

const char *as_serve_version(void)
{
	struct as_httpd http;

	return as_httpd_load(&http) ? http.version() : "";
}

/* ---- who asks ---- */

static const char *serve_header(
	const struct as_serve *s, struct MHD_Connection *c, const char *name)
{
	return s->http.value(c, MHD_HEADER_KIND, name);
}

/* GIVEN is SCHEME and what a browser that was given our address asks for. Of the port of HTTP, and
 * of no other one, it says nothing. */
static bool is_own(const struct as_serve *s, const char *scheme, const char *given)
{
	static const char *const names[] = {"127.0.0.1", "localhost"};
	char own[48];

	for (size_t i = 0; given && i < AS_ARRAY_LEN(names); i++) {
		snprintf(own, sizeof(own), "%s%s:%u", scheme, names[i], s->port);
		if (strcmp(given, own) == 0)
			return true;
		snprintf(own, sizeof(own), "%s%s", scheme, names[i]);
		if (s->port == PORT_HTTP && strcmp(given, own) == 0)
			return true;
	}
	return false;
}

static bool serve_says(
	const struct as_serve *s, struct MHD_Connection *c, const char *name, const char *word)
{
	const char *value = serve_header(s, c, name);

	return value && strcmp(value, word) == 0;
}

/* Somebody follows a link to here, in a terminal that is a page, say. What is shown then is this
 * page alone: the one with the link cannot read it, and no frame may hold it. */
static bool is_followed_link(const struct as_serve *s, struct MHD_Connection *c)
{
	return serve_says(s, c, "Sec-Fetch-Mode", "navigate") &&
	       serve_says(s, c, "Sec-Fetch-Dest", "document");
}

/* A name of another host that leads here, or a script, a picture or a frame of another page. */
static bool serve_is_foreign(const struct as_serve *s, struct MHD_Connection *c)
{
	const char *origin = serve_header(s, c, MHD_HTTP_HEADER_ORIGIN);

	if (!is_own(s, "", serve_header(s, c, MHD_HTTP_HEADER_HOST)))
		return true;
	if (origin && !is_own(s, "http://", origin))
		return true;
	return serve_header(s, c, "Sec-Fetch-Site") &&
	       !serve_says(s, c, "Sec-Fetch-Site", "none") &&
	       !serve_says(s, c, "Sec-Fetch-Site", "same-origin") && !is_followed_link(s, c);
}

/* As long for any wrong token as for the right one. */
static bool same_token(const struct as_serve *s, const char *given)
{
	unsigned char differ = 0;

	if (strlen(given) < AS_SERVE_TOKEN)
		return false;
	for (int i = 0; i < AS_SERVE_TOKEN; i++)
		differ |= (unsigned char)(given[i] ^ s->token[i]);
	return !differ;
}

/* ---- what is asked for ---- */

static struct answer serve_plain(unsigned status, const char *text)
{
	return (struct answer){status, as_slice_of(text), "text/plain; charset=utf-8", NULL};
}

static bool is_reading(const char *method)
{
	return strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
	       strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

struct asked {
	struct as_serve_word word[WORDS];
	size_t n;
	bool too_many;
};

static enum MHD_Result serve_word(
	void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
	struct asked *a = ctx;

	(void)kind;
	a->too_many = a->n == WORDS;
	if (!a->too_many)
		a->word[a->n++] = (struct as_serve_word){key, value ? value : ""};
	return a->too_many ? MHD_NO : MHD_YES;
}

/* The page; MADE is empty. */
static struct answer serve_chosen(
	const struct as_serve *s, struct MHD_Connection *c, struct as_sink_mem *made)
{
	static const char html[] = "text/html; charset=utf-8";
	struct asked a = {.n = 0};
	bool ok;

	if (s->opts->choose)
		s->http.values(c, MHD_GET_ARGUMENT_KIND, serve_word, &a);
	if (a.too_many)
		return serve_plain(MHD_HTTP_URI_TOO_LONG, "too many words\n");
	if (!a.n)
		return (struct answer){MHD_HTTP_OK, s->opts->page, html, NULL};
	/* Who waits for us is not idle. */
	s->http.set(c, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
	ok = s->opts->choose(s->opts->ctx, a.word, a.n, made);
	s->http.set(c, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)IDLE_S);
	if (!ok)
		return serve_plain(MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory\n");
	return (struct answer){MHD_HTTP_OK, {made->data.p, made->data.n}, html, made};
}

static struct answer answer_to(const struct as_serve *s, struct MHD_Connection *c, const char *url,
	const char *method, struct as_sink_mem *made)
{
	if (serve_is_foreign(s, c))
		return serve_plain(MHD_HTTP_FORBIDDEN, "forbidden\n");
	if (!is_reading(method))
		return serve_plain(MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
	if (url[0] != '/' || !same_token(s, url + 1))
		return serve_plain(MHD_HTTP_NOT_FOUND, "not found\n");
	if (strcmp(url + 1 + AS_SERVE_TOKEN, "/") != 0)
		return serve_plain(MHD_HTTP_NOT_FOUND, "not found\n");
	return serve_chosen(s, c, made);
}

static bool add_headers(const struct as_serve *s, struct MHD_Response *r, const struct answer *a)
{
	bool page = strncmp(a->type, "text/html", 9) == 0;
	const char *const pair[][2] = {
		{MHD_HTTP_HEADER_CONTENT_TYPE, a->type},
		{"Content-Security-Policy", page ? policy : policy_text},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
		{MHD_HTTP_HEADER_ALLOW,
			a->status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(pair); i++)
		if (pair[i][1] && s->http.add_header(r, pair[i][0], pair[i][1]) != MHD_YES)
			return false;
	return true;
}

/* NOLINTNEXTLINE(readability-function-size): its parameters are those that the library gives */
static enum MHD_Result serve_handle(void *ctx, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *data, size_t *size, void **state)
{
	const struct as_serve *s = ctx;
	struct as_sink_mem made;
	struct answer a;
	struct MHD_Response *r;
	enum MHD_Result rc = MHD_NO;

	(void)version;
	(void)data;
	/* One that may have a body is refused at its head; others are answered when complete. */
	if (!*state && is_reading(method)) {
		*state = ctx;
		return MHD_YES;
	}
	*size = 0;
	as_sink_mem_init(&made, s->al);
	a = answer_to(s, c, url, method, &made);
	/* The library asks for a char * that may be changed, and does not. */
	r = s->http.response(a.text.len, (void *)(uintptr_t)a.text.p,
		a.made ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
	as_sink_mem_release(&made);
	if (!r)
		return MHD_NO;
	if (add_headers(s, r, &a))
		rc = s->http.queue(c, a.status, r);
	s->http.destroy(r);
	return rc;
}

/* ---- starting ---- */

static bool make_token(struct as_serve *s)
{
	unsigned char random[AS_SERVE_TOKEN / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(s->token + 2 * i, 3, "%02x", random[i]);
	return true;
}

static enum as_code listen_on(struct as_serve *s, struct as_err *err)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
		.sin_port = htons(s->opts->port),
		.sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
	const union MHD_DaemonInfo *info;

	s->daemon = s->http.start(MHD_USE_POLL_INTERNAL_THREAD, s->opts->port, NULL, NULL,
		serve_handle, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&at,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)IDLE_S, MHD_OPTION_END);
	if (!s->daemon) {
		err->sys_errno = errno;
		return as_err_set(err, AS_E_IO, "cannot listen on 127.0.0.1:%u: %s", s->opts->port,
			strerror(errno));
	}
	info = s->http.info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
	s->port = info ? info->port : s->opts->port;
	return AS_OK;
}

enum as_code as_serve_start(struct as_serve **out, const struct as_alloc *al,
	const struct as_serve_opts *opts, struct as_err *err)
{
	struct as_serve *s = as_alloc_new(al, sizeof(*s));
	enum as_code rc;

	*out = s;
	AS_TRY(as_err_memory(err, s));
	s->al = al;
	s->opts = opts;
	if (!as_httpd_load(&s->http))
		return as_err_set(err, AS_E_UNSUPPORTED, "libmicrohttpd.so.12 is not here");
	if (!make_token(s))
		return as_err_set(err, AS_E_IO, "no random bytes: %s", strerror(errno));
	rc = listen_on(s, err);
	return rc;
}

void as_serve_stop(struct as_serve *s)
{
	if (!s)
		return;
	if (s->daemon)
		s->http.stop(s->daemon);
	as_alloc_free(s->al, s, sizeof(*s));
}

uint16_t as_serve_port(const struct as_serve *s)
{
	return s->port;
}

const char *as_serve_token(const struct as_serve *s)
{
	return s->token;
}
