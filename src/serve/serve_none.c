/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h without libmicrohttpd. */
#include "serve/serve.h"

const char *as_serve_version(void)
{
	return "";
}

enum as_code as_serve_start(struct as_serve **out, const struct as_alloc *al,
	const struct as_serve_opts *opts, struct as_err *err)
{
	(void)al;
	(void)opts;
	*out = NULL;
	return as_err_set(
		err, AS_E_UNSUPPORTED, "this assay was built without libmicrohttpd: no --serve");
}

void as_serve_stop(struct as_serve *s)
{
	(void)s;
}

uint16_t as_serve_port(const struct as_serve *s)
{
	(void)s;
	return 0;
}

const char *as_serve_token(const struct as_serve *s)
{
	(void)s;
	return "";
}
