/* SPDX-License-Identifier: Apache-2.0 */
/* http.h and http_call.h without libcurl. */
#include "io/http_call.h"

const char *as_http_version(void)
{
	return "";
}

void as_http_get(
	const struct as_alloc *al, const struct as_http_opts *opts, struct as_http *get, size_t n)
{
	(void)al;
	(void)opts;
	for (size_t i = 0; i < n; i++) {
		as_escape(
			get[i].err.name, sizeof(get[i].err.name), get[i].name, strlen(get[i].name));
		get[i].rc = as_err_set(&get[i].err, AS_E_UNSUPPORTED,
			"this assay was built without libcurl: it reads no URLs");
		get[i].way = "download it first: curl -o FILE URL";
	}
}

enum as_code as_http_peer_open(const struct as_alloc *al, const struct as_http_opts *opts,
	struct as_http_peer **out, struct as_err *err)
{
	(void)al;
	(void)opts;
	(void)out;
	return as_err_set(
		err, AS_E_UNSUPPORTED, "this assay was built without libcurl: it asks no servers");
}

void as_http_peer_close(struct as_http_peer *peer)
{
	(void)peer;
}

void as_http_calls(struct as_http_peer *peer, struct as_http_call *call, size_t n)
{
	(void)peer;
	for (size_t i = 0; i < n; i++)
		call[i].rc = as_err_set(&call[i].err, AS_E_UNSUPPORTED, "no server is asked");
}
