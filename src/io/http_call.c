/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http_call.h"

#include "io/curl_lib.h"

struct as_http_peer {
	const struct as_alloc *al;
	const struct as_http_opts *opts;
	struct as_curl lib;
	CURL *easy;
	struct as_http_call *call; /* the one that runs */
	bool too_much, no_memory;
	char told[CURL_ERROR_SIZE];
};

enum as_code as_http_peer_open(const struct as_alloc *al, const struct as_http_opts *opts,
	struct as_http_peer **out, struct as_err *err)
{
	struct as_http_peer *peer = as_alloc_new(al, sizeof(*peer));

	if (!peer)
		return as_err_no_memory(err);
	peer->al = al;
	peer->opts = opts;
	if (!as_curl_load(&peer->lib) || peer->lib.init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		as_http_peer_close(peer);
		return as_err_set(err, AS_E_UNSUPPORTED,
			"there is no libcurl 7.85 or newer here: servers are not asked");
	}
	peer->easy = peer->lib.easy();
	if (!peer->easy) {
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
	if (peer->easy)
		peer->lib.easy_free(peer->easy);
	as_alloc_free(peer->al, peer, sizeof(*peer));
}

/* ---- while it runs ---- */

static size_t call_answer(char *p, size_t size, size_t count, void *ctx)
{
	struct as_http_peer *peer = ctx;
	struct as_http_call *call = peer->call;
	size_t n = size * count;

	peer->too_much = n > peer->opts->max_bytes - call->answer.n;
	if (peer->too_much)
		return CURL_WRITEFUNC_ERROR;
	peer->no_memory = !as_vec_append(peer->al, &call->answer, p, n);
	if (peer->no_memory)
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

static bool call_options(struct as_http_peer *peer, struct curl_slist *lines)
{
	const struct as_http_call *call = peer->call;
	__typeof__(curl_easy_setopt) *set = peer->lib.set;
	CURL *easy = peer->easy;
	unsigned rc;

	peer->lib.easy_reset(easy);
	rc = as_curl_options(&peer->lib, easy, peer->opts, call->max_ms);
	rc |= set(easy, CURLOPT_URL, call->url);
	rc |= set(easy, CURLOPT_HTTPHEADER, lines);
	if (call->netrc) {
		rc |= set(easy, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
		rc |= set(easy, CURLOPT_NETRC_FILE, call->netrc);
	}
	if (call->gzip)
		rc |= set(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
	if (call->body.p) {
		rc |= set(easy, CURLOPT_POST, 1L);
		rc |= set(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body.len);
		rc |= set(easy, CURLOPT_POSTFIELDS, call->body.p);
	}
	if (peer->opts->progress) {
		rc |= set(easy, CURLOPT_NOPROGRESS, 0L);
		rc |= set(easy, CURLOPT_XFERINFOFUNCTION, call_waits);
		rc |= set(easy, CURLOPT_XFERINFODATA, (void *)peer->opts->progress);
	}
	rc |= set(easy, CURLOPT_ERRORBUFFER, peer->told);
	rc |= set(easy, CURLOPT_WRITEFUNCTION, call_answer);
	rc |= set(easy, CURLOPT_WRITEDATA, (void *)peer);
	return rc == 0;
}

/* An answer of HTTP/1 that neither says its length nor comes in chunks ends where the connection
 * does, be it whole or not. */
static bool call_tells_its_end(const struct as_http_peer *peer)
{
	const struct as_curl *lib = &peer->lib;
	long version = 0;
	struct curl_header *h;

	(void)lib->info(peer->easy, CURLINFO_HTTP_VERSION, &version);
	return version > CURL_HTTP_VERSION_1_1 ||
	       lib->header(peer->easy, "Content-Length", 0, CURLH_HEADER, -1, &h) == CURLHE_OK ||
	       lib->header(peer->easy, "Transfer-Encoding", 0, CURLH_HEADER, -1, &h) == CURLHE_OK;
}

static enum as_code call_result(struct as_http_peer *peer, CURLcode rc, struct as_err *err)
{
	struct as_http_call *call = peer->call;

	(void)peer->lib.info(peer->easy, CURLINFO_RESPONSE_CODE, &call->status);
	if (peer->no_memory)
		return as_err_no_memory(err);
	if (peer->too_much) {
		call->way = "to take more: --max-download SIZE";
		return as_err_set(
			err, AS_E_LIMIT, "more than %" PRIu64 " bytes come", peer->opts->max_bytes);
	}
	if (rc != CURLE_OK)
		return as_curl_failed(
			rc, peer->told[0] ? peer->told : peer->lib.text(rc), &call->way, err);
	if (call_tells_its_end(peer))
		return AS_OK;
	call->way = "ask the server itself, or by a proxy that keeps its lengths";
	return as_err_set(
		err, AS_E_IO, "the answer does not say where it ends, so it may be cut off");
}

enum as_code as_http_call(struct as_http_peer *peer, struct as_http_call *call, struct as_err *err)
{
	struct curl_slist *lines = NULL, *more = peer->lib.line(NULL, "Expect:");
	enum as_code rc;

	peer->call = call;
	peer->too_much = peer->no_memory = false;
	peer->told[0] = '\0';
	call->answer.n = 0;
	call->status = 0;
	call->way = NULL;
	for (size_t i = 0; more; i++) {
		lines = more;
		if (!call->header || !call->header[i])
			break;
		more = peer->lib.line(lines, call->header[i]);
	}
	if (!more || !call_options(peer, lines))
		rc = as_err_no_memory(err);
	else
		rc = call_result(peer, peer->lib.run(peer->easy), err);
	peer->lib.lines_free(lines);
	return rc;
}
