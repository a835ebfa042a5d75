/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http_call.h"

#include "io/curl_lib.h"

enum { POLL_MS = 1000 };

/* A call that runs. */
struct call_lane {
	struct as_http_peer *peer;
	CURL *easy; /* NULL: not needed yet */
	struct as_http_call *call;
	struct curl_slist *lines;
	CURLcode ended;
	bool added, too_much, no_memory;
	char told[CURL_ERROR_SIZE];
};

struct as_http_peer {
	const struct as_alloc *al;
	const struct as_http_opts *opts;
	struct as_curl lib;
	CURLM *multi; /* has the connections */
	struct call_lane lane[AS_HTTP_AT_ONCE];
};

enum as_code as_http_peer_open(const struct as_alloc *al, const struct as_http_opts *opts,
	struct as_http_peer **out, struct as_err *err)
{
	struct as_http_peer *peer = as_alloc_new(al, sizeof(*peer));

	AS_TRY(as_err_memory(err, peer));
	peer->al = al;
	peer->opts = opts;
	if (!as_curl_load(&peer->lib) || peer->lib.init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		as_http_peer_close(peer);
		return as_err_set(err, AS_E_UNSUPPORTED,
			"there is no libcurl 7.85 or newer here: servers are not asked");
	}
	peer->multi = peer->lib.multi();
	if (!peer->multi) {
		as_http_peer_close(peer);
		return as_err_no_memory(err);
	}
	*out = peer;
	return AS_OK;
}

void as_http_peer_close(struct as_http_peer *peer)
{
	if (!peer)
		return;
	for (size_t i = 0; i < AS_HTTP_AT_ONCE; i++)
		if (peer->lane[i].easy)
			peer->lib.easy_free(peer->lane[i].easy);
	if (peer->multi)
		(void)peer->lib.multi_free(peer->multi);
	as_alloc_free(peer->al, peer, sizeof(*peer));
}

/* ---- while it runs ---- */

static size_t call_answer(char *p, size_t size, size_t count, void *ctx)
{
	struct call_lane *lane = ctx;
	struct as_http_peer *peer = lane->peer;
	struct as_http_call *call = lane->call;
	size_t n = size * count;

	lane->too_much = n > peer->opts->max_bytes - call->answer.n;
	if (lane->too_much)
		return CURL_WRITEFUNC_ERROR;
	lane->no_memory = !as_vec_append(peer->al, &call->answer, p, n);
	if (lane->no_memory)
		return CURL_WRITEFUNC_ERROR;
	if (peer->opts->progress)
		peer->opts->progress->moved(peer->opts->progress, n, 0);
	return n;
}

static int call_waits(void *ctx, curl_off_t down, curl_off_t downs, curl_off_t up, curl_off_t ups)
{
	struct as_progress *progress = ctx;

	(void)down;
	(void)downs;
	(void)up;
	(void)ups;
	progress->waits(progress);
	return 0;
}

static CURLcode call_options(struct call_lane *lane)
{
	const struct as_http_peer *peer = lane->peer;
	const struct as_http_call *call = lane->call;
	const struct as_curl *lib = &peer->lib;
	CURL *easy = lane->easy;
	CURLcode rc;

	lib->easy_reset(easy);
	rc = as_curl_options(lib, easy, peer->opts, call->max_ms);
	AS_CURL_SET(lib, easy, rc, CURLOPT_URL, call->url);
	AS_CURL_SET(lib, easy, rc, CURLOPT_HTTPHEADER, lane->lines);
	if (call->netrc) {
		AS_CURL_SET(lib, easy, rc, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
		AS_CURL_SET(lib, easy, rc, CURLOPT_NETRC_FILE, call->netrc);
	}
	if (call->gzip)
		AS_CURL_SET(lib, easy, rc, CURLOPT_ACCEPT_ENCODING, "gzip");
	if (call->body.p) {
		AS_CURL_SET(lib, easy, rc, CURLOPT_POST, 1L);
		AS_CURL_SET(lib, easy, rc, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body.len);
		AS_CURL_SET(lib, easy, rc, CURLOPT_POSTFIELDS, call->body.p);
	}
	if (peer->opts->progress) {
		AS_CURL_SET(lib, easy, rc, CURLOPT_NOPROGRESS, 0L);
		AS_CURL_SET(lib, easy, rc, CURLOPT_XFERINFOFUNCTION, call_waits);
		AS_CURL_SET(lib, easy, rc, CURLOPT_XFERINFODATA, (void *)peer->opts->progress);
	}
	AS_CURL_SET(lib, easy, rc, CURLOPT_ERRORBUFFER, lane->told);
	AS_CURL_SET(lib, easy, rc, CURLOPT_WRITEFUNCTION, call_answer);
	AS_CURL_SET(lib, easy, rc, CURLOPT_WRITEDATA, (void *)lane);
	AS_CURL_SET(lib, easy, rc, CURLOPT_PRIVATE, (char *)lane);
	return rc;
}

/* The lines of headers of LANE's call; false if out of memory. */
static bool call_lines(struct call_lane *lane)
{
	const struct as_curl *lib = &lane->peer->lib;
	const char *const *header = lane->call->header;
	struct curl_slist *more = lib->line(NULL, "Expect:");

	for (lane->lines = more; more && header && *header; header++) {
		more = lib->line(lane->lines, *header);
		lane->lines = more ? more : lane->lines;
	}
	return more != NULL;
}

/* False: it cannot begin, as the call says. */
static bool call_begin(struct as_http_peer *peer, struct call_lane *lane, struct as_http_call *call)
{
	CURLcode rc;
	CURLMcode added;

	*lane = (struct call_lane){.peer = peer, .easy = lane->easy, .call = call};
	call->answer.n = 0;
	call->status = 0;
	call->way = NULL;
	if (!lane->easy)
		lane->easy = peer->lib.easy();
	rc = !lane->easy ? CURLE_FAILED_INIT : CURLE_OUT_OF_MEMORY;
	if (lane->easy && call_lines(lane))
		rc = call_options(lane);
	if (rc != CURLE_OK) {
		call->rc = as_curl_cannot_begin(&peer->lib, rc, &call->err);
		return false;
	}
	added = peer->lib.add(peer->multi, lane->easy);
	lane->added = added == CURLM_OK;
	if (!lane->added)
		call->rc = as_curl_cannot_go_on(&peer->lib, added, &call->err);
	return lane->added;
}

/* Until all N that were begun have ended, or libcurl cannot go on. */
static CURLMcode call_run(const struct as_http_peer *peer, size_t n)
{
	const struct as_curl *lib = &peer->lib;
	CURLMcode rc = CURLM_OK;
	struct call_lane *lane;
	CURLcode ended;
	int running;

	while (n && rc == CURLM_OK) {
		rc = lib->perform(peer->multi, &running);
		while ((lane = as_curl_ended(lib, peer->multi, &ended)) != NULL) {
			lane->ended = ended;
			n--;
		}
		if (n && rc == CURLM_OK)
			rc = lib->poll(peer->multi, NULL, 0, POLL_MS, NULL);
	}
	return rc;
}

/* ---- what came of it ---- */

/* An answer of HTTP/1 that neither says its length nor comes in chunks ends where the connection
 * does, be it whole or not. */
static bool call_tells_its_end(const struct call_lane *lane)
{
	const struct as_curl *lib = &lane->peer->lib;
	long version = 0;
	struct curl_header *h;

	(void)lib->info(lane->easy, CURLINFO_HTTP_VERSION, &version);
	return version > CURL_HTTP_VERSION_1_1 ||
	       lib->header(lane->easy, "Content-Length", 0, CURLH_HEADER, -1, &h) == CURLHE_OK ||
	       lib->header(lane->easy, "Transfer-Encoding", 0, CURLH_HEADER, -1, &h) == CURLHE_OK;
}

static enum as_code call_result(struct call_lane *lane, struct as_err *err)
{
	const struct as_http_peer *peer = lane->peer;
	struct as_http_call *call = lane->call;

	(void)peer->lib.info(lane->easy, CURLINFO_RESPONSE_CODE, &call->status);
	if (lane->no_memory)
		return as_err_no_memory(err);
	if (lane->too_much) {
		call->way = "to take more: --max-download SIZE";
		return as_err_set(
			err, AS_E_LIMIT, "more than %" PRIu64 " bytes come", peer->opts->max_bytes);
	}
	if (lane->ended != CURLE_OK)
		return as_curl_failed(lane->ended,
			lane->told[0] ? lane->told : peer->lib.text(lane->ended), &call->way, err);
	if (call_tells_its_end(lane))
		return AS_OK;
	call->way = "ask the server itself, or by a proxy that keeps its lengths";
	return as_err_set(
		err, AS_E_IO, "the answer does not say where it ends, so it may be cut off");
}

void as_http_calls(struct as_http_peer *peer, struct as_http_call *call, size_t n)
{
	size_t begun = 0;
	CURLMcode rc;

	as_assert(n <= AS_HTTP_AT_ONCE);
	for (size_t i = 0; i < n; i++)
		begun += call_begin(peer, &peer->lane[i], &call[i]);
	rc = call_run(peer, begun);
	for (size_t i = 0; i < n; i++) {
		struct call_lane *lane = &peer->lane[i];

		if (lane->added) {
			call[i].rc = rc == CURLM_OK
					     ? call_result(lane, &call[i].err)
					     : as_curl_cannot_go_on(&peer->lib, rc, &call[i].err);
			(void)peer->lib.remove(peer->multi, lane->easy);
		}
		peer->lib.lines_free(lane->lines);
	}
}
