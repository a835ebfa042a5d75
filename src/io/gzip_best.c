/* SPDX-License-Identifier: Apache-2.0 */
#include "io/gzip_best.h"

#if AS_HAVE_DEFLATE
#include <libdeflate.h>

/* Level 12 takes a quarter to a half more time, of repetitive text ten times as much, and saves
 * 0.4 % of profiles. */
enum { LEVEL = 10 };
/* Beyond this, level 10 would take five to fifteen times as long as 4, and save 5 to 18 %. */
enum { LARGE = 8 << 20, LEVEL_LARGE = 4 };

enum as_code as_gzip_best(
	struct as_gzip_best *out, const struct as_alloc *al, struct as_slice in, struct as_err *err)
{
	struct libdeflate_compressor *c =
		libdeflate_alloc_compressor(in.len > LARGE ? LEVEL_LARGE : LEVEL);

	*out = (struct as_gzip_best){0};
	if (c) {
		out->cap = libdeflate_gzip_compress_bound(c, in.len);
		out->p = as_alloc_new(al, out->cap);
	}
	if (out->p)
		out->n = libdeflate_gzip_compress(c, in.p, in.len, out->p, out->cap);
	libdeflate_free_compressor(c);
	return as_err_memory(err, out->n);
}
#else
#include <limits.h>

#define ZLIB_CONST
#include <zlib.h>

enum { WINDOW_GZIP = 31, MEM_LEVEL = 9, TAIL = 64 };

/* Z takes at most an int of bytes at once. */
static bool deflate_all(z_stream *z, struct as_gzip_best *out, struct as_slice in)
{
	int rc = Z_OK;

	while (rc == Z_OK) {
		size_t take = in.len < INT_MAX ? in.len : INT_MAX;
		size_t room = out->cap - out->n < INT_MAX ? out->cap - out->n : INT_MAX;

		z->next_in = (const unsigned char *)in.p;
		z->avail_in = (uInt)take;
		z->next_out = (unsigned char *)out->p + out->n;
		z->avail_out = (uInt)room;
		rc = deflate(z, take == in.len ? Z_FINISH : Z_NO_FLUSH);
		in = as_slice_skip(in, take - z->avail_in);
		out->n += room - z->avail_out;
	}
	return rc == Z_STREAM_END;
}

enum as_code as_gzip_best(
	struct as_gzip_best *out, const struct as_alloc *al, struct as_slice in, struct as_err *err)
{
	z_stream z = {0};
	bool ok = false;

	*out = (struct as_gzip_best){0};
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, WINDOW_GZIP, MEM_LEVEL,
		    Z_DEFAULT_STRATEGY) != Z_OK)
		return as_err_no_memory(err);
	out->cap = in.len + in.len / 1000 + TAIL; /* stored blocks, five bytes each */
	out->p = as_alloc_new(al, out->cap);
	ok = out->p && deflate_all(&z, out, in);
	deflateEnd(&z);
	return as_err_memory(err, ok);
}
#endif

void as_gzip_best_release(struct as_gzip_best *out, const struct as_alloc *al)
{
	as_alloc_free(al, out->p, out->cap);
	*out = (struct as_gzip_best){0};
}
