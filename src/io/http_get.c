/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "io/http.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>

#include "io/curl_lib.h"

enum { AT_ONCE = 64, REDIRECTS = 5, POLL_MS = 200, ERROR_BODY = 4096, TEXT_SHOWN = 200 };

/* ---- one file ---- */

enum state { WAITS, RUNS, ENDED };

struct transfer {
	struct http *all;
	struct as_http *get;
	CURL *easy;
	struct curl_slist *headers;
	enum state state;
	bool too_much, no_memory;
	char told[CURL_ERROR_SIZE];
};

struct http {
	const struct as_alloc *al;
	const struct as_http_opts *opts;
	struct as_curl lib;
	CURLM *multi;
	struct transfer *transfer;
	size_t n, n_running, n_ended;
};

static long http_status(const struct transfer *t)
{
	long status = 0;

	(void)t->all->lib.info(t->easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

/* 203 is what a proxy answers that has changed something. */
static bool http_is_file(long status)
{
	return status == 200 || status == 203;
}

static size_t http_body(char *p, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;
	struct as_http *get = t->get;
	const struct as_http_opts *opts = t->all->opts;
	size_t n = size * count;
	uint64_t most = http_is_file(http_status(t)) ? opts->max_bytes : ERROR_BODY;

	t->too_much = n > most - get->body.n;
	if (t->too_much)
		return CURL_WRITEFUNC_ERROR;
	t->no_memory = !as_vec_reserve(t->all->al, &get->body, get->body.n + n + AS_IN_SLACK);
	if (t->no_memory)
		return CURL_WRITEFUNC_ERROR;
	memcpy(get->body.p + get->body.n, p, n);
	get->body.n += n;
	if (opts->progress)
		opts->progress->moved(opts->progress, n, 0);
	return n;
}

/* A header of the last answer; "" if it has none. */
static const char *http_header(const struct transfer *t, const char *name)
{
	struct curl_header *h;

	return t->all->lib.header(t->easy, name, 0, CURLH_HEADER, -1, &h) == CURLHE_OK ? h->value
										       : "";
}

/* Those of one server: libcurl would send most of them to others as well, to which it is led. */
static CURLcode transfer_headers(struct transfer *t)
{
	const struct as_http *get = t->get;
	const struct as_curl *lib = &t->all->lib;
	CURLcode rc = CURLE_OK;

	for (size_t i = 0; i < get->n_headers; i++) {
		struct curl_slist *list = lib->line(t->headers, get->header[i]);

		if (!list)
			return CURLE_OUT_OF_MEMORY;
		t->headers = list;
	}
	if (t->headers) {
		AS_CURL_SET(lib, t->easy, rc, CURLOPT_HTTPHEADER, t->headers);
		AS_CURL_SET(lib, t->easy, rc, CURLOPT_FOLLOWLOCATION, 0L);
	}
	return rc;
}

static CURLcode transfer_options(struct transfer *t)
{
	const struct as_http *get = t->get;
	const struct as_curl *lib = &t->all->lib;
	CURL *easy = t->easy;
	bool tls = strncasecmp(get->url, "https:", 6) == 0;
	CURLcode rc = as_curl_options(lib, easy, t->all->opts, get->max_ms);

	AS_CURL_SET(lib, easy, rc, CURLOPT_URL, get->url);
	AS_CURL_SET(lib, easy, rc, CURLOPT_REDIR_PROTOCOLS_STR, tls ? "https" : "http,https");
	AS_CURL_SET(lib, easy, rc, CURLOPT_FOLLOWLOCATION, 1L);
	AS_CURL_SET(lib, easy, rc, CURLOPT_MAXREDIRS, (long)REDIRECTS);
	AS_CURL_SET(lib, easy, rc, CURLOPT_ERRORBUFFER, t->told);
	AS_CURL_SET(lib, easy, rc, CURLOPT_PRIVATE, (void *)t);
	AS_CURL_SET(lib, easy, rc, CURLOPT_WRITEFUNCTION, http_body);
	AS_CURL_SET(lib, easy, rc, CURLOPT_WRITEDATA, (void *)t);
	return rc == CURLE_OK ? transfer_headers(t) : rc;
}

static enum as_code transfer_try(struct transfer *t)
{
	struct http *all = t->all;
	CURLcode rc;
	CURLMcode added;

	t->easy = all->lib.easy();
	rc = t->easy ? transfer_options(t) : CURLE_FAILED_INIT;
	if (rc != CURLE_OK)
		return as_curl_cannot_begin(&all->lib, rc, &t->get->err);
	added = all->lib.add(all->multi, t->easy);
	return added == CURLM_OK ? AS_OK : as_curl_cannot_go_on(&all->lib, added, &t->get->err);
}

static void transfer_begin(struct transfer *t)
{
	struct http *all = t->all;

	as_assert(t->state == WAITS && all->n_running < AT_ONCE);
	t->get->rc = transfer_try(t);
	t->state = t->get->rc == AS_OK ? RUNS : ENDED;
	if (t->state == RUNS)
		all->n_running++;
	else
		all->n_ended++;
}

/* ---- how it ended ---- */

/* What a server writes into an answer that is no file, if it is for people. */
static struct as_slice servers_words(const struct transfer *t)
{
	struct as_slice text = {t->get->body.p, t->get->body.n};

	if (!*http_header(t, "X-Go-Pprof") &&
		!as_slice_starts(as_slice_of(http_header(t, "Content-Type")), "text/plain"))
		return (struct as_slice){0};
	text = as_slice_trim(text);
	text.len = as_slice_find(text, '\n');
	return as_slice_chop(text);
}

static enum as_code failed_status(const struct transfer *t, long status)
{
	struct as_http *get = t->get;
	struct as_slice words = servers_words(t);

	if (status == 401 || status == 403) {
		get->err.sys_errno = EACCES;
		get->way = "who asks stands in the URL, https://USER:PASSWORD@HOST/..., or in a "
			   "file: --headers FILE";
	} else if (status >= 300 && status < 400 && get->n_headers) {
		get->way =
			"headers are sent to the server that they are for alone: ask for the URL "
			"that it ends at";
	} else {
		get->way = "see what the server has: its /debug/pprof/ in a browser, or its logs";
	}
	return as_err_set(&get->err, AS_E_IO, "the server answers %ld%s%.*s%s", status,
		words.len ? ": " : "", words.len < TEXT_SHOWN ? (int)words.len : TEXT_SHOWN,
		words.len ? words.p : "", words.len > TEXT_SHOWN ? "..." : "");
}

static enum as_code failed_limit(const struct transfer *t)
{
	t->get->way = "to take more: --max-download SIZE";
	return as_err_set(&t->get->err, AS_E_LIMIT, "more than %" PRIu64 " bytes come",
		t->all->opts->max_bytes);
}

static enum as_code failed_otherwise(const struct transfer *t, CURLcode rc)
{
	struct as_http *get = t->get;

	if (rc == CURLE_TOO_MANY_REDIRECTS) {
		get->way = "ask for the URL that it ends at";
		return as_err_set(&get->err, AS_E_IO, "it redirects more than %d times", REDIRECTS);
	}
	return as_curl_failed(
		rc, t->told[0] ? t->told : t->all->lib.text(rc), &get->way, &get->err);
}

static enum as_code transfer_result(const struct transfer *t, CURLcode rc)
{
	long status = http_status(t);
	bool redirects = status >= 300 && status < 400;

	if (t->no_memory)
		return as_err_no_memory(&t->get->err);
	if (t->too_much && http_is_file(status))
		return failed_limit(t);
	if (rc == CURLE_OK || t->too_much)
		return http_is_file(status) ? AS_OK : failed_status(t, status);
	return status && !http_is_file(status) && !redirects ? failed_status(t, status)
							     : failed_otherwise(t, rc);
}

static void transfer_end(struct transfer *t, CURLcode rc)
{
	struct as_http *get = t->get;

	as_assert(t->state == RUNS && t->all->n_running);
	get->rc = transfer_result(t, rc);
	snprintf(get->encoding, sizeof(get->encoding), "%s", http_header(t, "Content-Encoding"));
	if (get->body.cap)
		memset(get->body.p + get->body.n, 0, AS_IN_SLACK);
	(void)t->all->lib.remove(t->all->multi, t->easy);
	t->state = ENDED;
	t->all->n_running--;
	t->all->n_ended++;
}

/* ---- all files ---- */

static bool is_busy(const struct http *all, struct as_slice server)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->transfer[i].state == RUNS &&
			as_slice_eq(all->transfer[i].get->server, server))
			return true;
	return false;
}

/* A service measures for one at a time, and those who ask mean one after another. */
static void begin_what_can(struct http *all)
{
	for (size_t i = 0; i < all->n && all->n_running < AT_ONCE; i++)
		if (all->transfer[i].state == WAITS && !is_busy(all, all->transfer[i].get->server))
			transfer_begin(&all->transfer[i]);
}

static CURLMcode http_run(struct http *all)
{
	struct as_progress *progress = all->opts->progress;
	CURLMcode rc = CURLM_OK;
	struct transfer *t;
	CURLcode ended;
	int running;

	while (all->n_ended < all->n && rc == CURLM_OK) {
		begin_what_can(all);
		rc = all->lib.perform(all->multi, &running);
		while ((t = as_curl_ended(&all->lib, all->multi, &ended)) != NULL)
			transfer_end(t, ended);
		if (running && rc == CURLM_OK)
			rc = all->lib.poll(all->multi, NULL, 0, POLL_MS, NULL);
		if (progress)
			progress->waits(progress);
	}
	return rc;
}

static void http_all(struct http *all, struct as_http *get)
{
	CURLMcode rc;

	for (size_t i = 0; i < all->n; i++)
		all->transfer[i] = (struct transfer){.all = all, .get = &get[i]};
	rc = http_run(all);
	for (size_t i = 0; i < all->n; i++) {
		struct transfer *t = &all->transfer[i];

		if (t->state != ENDED)
			t->get->rc = as_curl_cannot_go_on(&all->lib, rc, &t->get->err);
		if (t->state == RUNS)
			(void)all->lib.remove(all->multi, t->easy);
		if (t->easy)
			all->lib.easy_free(t->easy);
		all->lib.lines_free(t->headers);
	}
}

static void http_fail(struct as_http *get, size_t n, enum as_code code, const char *what)
{
	for (size_t i = 0; i < n; i++) {
		get[i].rc = as_err_set(&get[i].err, code, "%s", what);
		get[i].way = "download it first: curl -o FILE URL";
	}
}

void as_http_get(
	const struct as_alloc *al, const struct as_http_opts *opts, struct as_http *get, size_t n)
{
	struct http all = {.al = al, .opts = opts, .n = n};

	for (size_t i = 0; i < n; i++)
		as_escape(
			get[i].err.name, sizeof(get[i].err.name), get[i].name, strlen(get[i].name));
	if (!as_curl_load(&all.lib) || all.lib.init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		http_fail(get, n, AS_E_UNSUPPORTED,
			"there is no libcurl 7.85 or newer here: URLs are not read");
		return;
	}
	all.multi = all.lib.multi();
	if (all.multi && as_alloc_array(al, &all.transfer, n))
		http_all(&all, get);
	else
		http_fail(get, n, AS_E_NOMEM, "out of memory");
	if (all.transfer)
		as_alloc_free(al, all.transfer, n * sizeof(*all.transfer) + 1);
	if (all.multi)
		(void)all.lib.multi_free(all.multi);
}
