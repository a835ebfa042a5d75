/* SPDX-License-Identifier: Apache-2.0 */
#include "io/gzip_out.h"

#include <errno.h>

#define ZLIB_CONST
#include <zlib.h>

enum { CHUNK = 64 * 1024, GZIP_WINDOW = 15 + 16, MEM_LEVEL = 8, STEP = 1 << 30 };

struct state {
	z_stream zs;
	struct as_sink *inner;
	unsigned char buf[CHUNK];
};

/* Compress what stands in zs.next_in; all of it, and with Z_FINISH the end. */
static int deflate_all(struct state *st, int flush)
{
	int rc, z;

	do {
		st->zs.next_out = st->buf;
		st->zs.avail_out = sizeof(st->buf);
		z = deflate(&st->zs, flush);
		if (z == Z_STREAM_ERROR)
			return -EIO;
		rc = st->inner->write(st->inner, st->buf, sizeof(st->buf) - st->zs.avail_out);
		if (rc)
			return rc;
	} while (st->zs.avail_out == 0);
	return 0;
}

static int gzip_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct state *st = ((struct as_sink_gzip *)(void *)sink)->state;
	const unsigned char *p = buf;

	while (n) {
		size_t some = n < STEP ? n : STEP;
		int rc;

		st->zs.next_in = p;
		st->zs.avail_in = (uInt)some;
		rc = deflate_all(st, Z_NO_FLUSH);
		if (rc)
			return rc;
		p += some;
		n -= some;
	}
	return 0;
}

enum as_code as_sink_gzip_open(struct as_sink_gzip *gz, const struct as_alloc *al,
	struct as_sink *inner, struct as_err *err)
{
	struct state *st = as_alloc_new(al, sizeof(*st));

	*gz = (struct as_sink_gzip){.sink = {.write = gzip_write}, .al = al, .state = st};
	if (!st)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	st->inner = inner;
	if (deflateInit2(&st->zs, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEM_LEVEL,
		    Z_DEFAULT_STRATEGY) == Z_OK)
		return AS_OK;
	as_alloc_free(al, st, sizeof(*st));
	gz->state = NULL;
	return as_err_set(err, AS_E_NOMEM, "out of memory");
}

void as_sink_gzip_abort(struct as_sink_gzip *gz)
{
	struct state *st = gz->state;

	if (!st)
		return;
	deflateEnd(&st->zs);
	as_alloc_free(gz->al, st, sizeof(*st));
	gz->state = NULL;
}

enum as_code as_sink_gzip_finish(struct as_sink_gzip *gz, struct as_err *err)
{
	struct state *st = gz->state;
	int rc;

	st->zs.next_in = NULL;
	st->zs.avail_in = 0;
	rc = deflate_all(st, Z_FINISH);
	as_sink_gzip_abort(gz);
	if (!rc)
		return AS_OK;
	if (err)
		err->sys_errno = -rc;
	return as_err_set(err, AS_E_IO, "cannot write: %s", strerror(-rc));
}
