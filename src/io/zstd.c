/* SPDX-License-Identifier: Apache-2.0 */
/* zstd (RFC 8878) as a layer over another source; frames one after the other are one stream. */
#include "io/file.h"

#if AS_HAVE_ZSTD

#include <errno.h>

#include <zstd.h>

enum { CHUNK = 128 * 1024 };

struct zstd_src {
	struct as_src src;
	const struct as_alloc *al;
	struct as_src *inner; /* owned */
	ZSTD_DStream *ds;
	ZSTD_inBuffer in;
	bool eof;     /* INNER has ended */
	size_t needs; /* what the decoder still expects; 0 = a frame has just ended */
	char buf[CHUNK];
};

static ptrdiff_t zstd_fault(struct zstd_src *z, const char *text)
{
	z->src.fault = text;
	return -EIO;
}

static ptrdiff_t zstd_fill(struct zstd_src *z)
{
	ptrdiff_t n;

	if (z->in.pos < z->in.size || z->eof)
		return 0;
	n = z->inner->read(z->inner, z->buf, sizeof(z->buf));
	if (n < 0) {
		z->src.fault = z->inner->fault;
		return n;
	}
	z->eof = n == 0;
	z->in = (ZSTD_inBuffer){z->buf, (size_t)n, 0};
	return 0;
}

static ptrdiff_t zstd_read(struct as_src *src, void *buf, size_t n)
{
	struct zstd_src *z = (struct zstd_src *)(void *)src;
	ZSTD_outBuffer out = {buf, n, 0};

	while (n && out.pos == 0) {
		ptrdiff_t rc = zstd_fill(z);

		if (rc < 0)
			return rc;
		if (z->eof && z->needs == 0)
			return 0;
		z->needs = ZSTD_decompressStream(z->ds, &out, &z->in);
		if (ZSTD_isError(z->needs))
			return zstd_fault(z, "the zstd data are damaged");
		/* At the end the decoder may hold output back, but then it gives some. */
		if (z->eof && out.pos == 0 && z->needs) {
			z->src.salvaged = true;
			return zstd_fault(z, "the zstd data end too early");
		}
	}
	return (ptrdiff_t)out.pos;
}

static void zstd_close(struct as_src *src)
{
	struct zstd_src *z = (struct zstd_src *)(void *)src;

	ZSTD_freeDStream(z->ds);
	as_file_close(z->inner);
	as_alloc_free(z->al, z, sizeof(*z));
}

enum as_code as_zstd_open(
	const struct as_alloc *al, struct as_src *inner, struct as_src **out, struct as_err *err)
{
	struct zstd_src *z = as_alloc_new(al, sizeof(*z));

	*out = NULL;
	if (z) {
		z->src = (struct as_src){.read = zstd_read,
			.close = zstd_close,
			.size = AS_SIZE_UNKNOWN,
			.again = inner->again,
			.name = inner->name};
		z->al = al;
		z->inner = inner;
		z->needs = 1;
		z->ds = ZSTD_createDStream();
		if (z->ds) {
			*out = &z->src;
			return AS_OK;
		}
		as_alloc_free(al, z, sizeof(*z));
	}
	as_file_close(inner);
	return as_err_no_memory(err);
}

/* ---- pieces ---- */

struct zstd_pieces {
	ZSTD_DStream *ds;
	char out[CHUNK];
};

static void zstd_pieces_close(const struct as_alloc *al, void *stream)
{
	struct zstd_pieces *z = stream;

	if (!z)
		return;
	ZSTD_freeDStream(z->ds);
	as_alloc_free(al, z, sizeof(*z));
}

static void *zstd_pieces_open(const struct as_alloc *al)
{
	struct zstd_pieces *z = as_alloc_new(al, sizeof(*z));

	if (!z)
		return NULL;
	z->ds = ZSTD_createDStream();
	if (z->ds)
		return z;
	zstd_pieces_close(al, z);
	return NULL;
}

/* The decoder does not say how much output it still holds: as long as it filled the room, there may
 * be more. */
static enum as_code zstd_pieces_feed(
	void *stream, struct as_slice piece, as_unpacked_fn *put, void *ctx)
{
	struct zstd_pieces *z = stream;
	ZSTD_inBuffer in = {piece.p, piece.len, 0};
	ZSTD_outBuffer out;

	do {
		out = (ZSTD_outBuffer){z->out, sizeof(z->out), 0};
		if (ZSTD_isError(ZSTD_decompressStream(z->ds, &out, &in)))
			return AS_E_FORMAT;
		if (!put(ctx, (struct as_slice){z->out, out.pos}))
			return AS_E_NOMEM;
	} while (in.pos < in.size || out.pos == out.size);
	return AS_OK;
}

const struct as_unpack *as_zstd_unpack(void)
{
	static const struct as_unpack unpack = {
		zstd_pieces_open, zstd_pieces_feed, zstd_pieces_close};

	return &unpack;
}

bool as_zstd_is_built(void)
{
	return true;
}

const char *as_zstd_version(void)
{
	return ZSTD_versionString();
}

#else

enum as_code as_zstd_open(
	const struct as_alloc *al, struct as_src *inner, struct as_src **out, struct as_err *err)
{
	(void)al;
	*out = NULL;
	as_file_close(inner);
	return as_err_set(err, AS_E_UNSUPPORTED,
		"compressed with zstd, which this build cannot read (made without libzstd)");
}

const struct as_unpack *as_zstd_unpack(void)
{
	return NULL;
}

bool as_zstd_is_built(void)
{
	return false;
}

const char *as_zstd_version(void)
{
	return "";
}

#endif
