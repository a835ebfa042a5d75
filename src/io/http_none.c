/* SPDX-License-Identifier: Apache-2.0 */
/* http.h without libcurl. */
#include "io/http.h"

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
