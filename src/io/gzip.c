/* SPDX-License-Identifier: Apache-2.0 */
/* gzip (RFC 1952) as a layer over another source: any number of members, one after the other. */
#include "io/file.h"

#include <errno.h>

#define ZLIB_CONST
#include <zlib.h>

enum { CHUNK = 64 * 1024, GZIP_WINDOW = 15 + 16 };

struct gzip_src {
	struct as_src src;
	const struct as_alloc *al;
	struct as_src *inner; /* owned */
	z_stream zs;
	unsigned char buf[CHUNK]; /* compressed bytes */
	bool eof;                 /* INNER has ended */
	bool done;                /* so has the data */
	bool between;             /* members: one has ended, no byte of the next was seen */
	bool padding;             /* zero bytes follow the last member */
};

static ptrdiff_t gzip_fault(struct gzip_src *g, const char *text)
{
	g->src.fault = text;
	return -EIO;
}

/* More compressed bytes: 1, 0 at the end, or a negative errno. */
static ptrdiff_t gzip_fill(struct gzip_src *g)
{
	ptrdiff_t n;

	if (g->zs.avail_in)
		return 1;
	n = g->eof ? 0 : g->inner->read(g->inner, g->buf, sizeof(g->buf));
	if (n < 0) {
		g->src.fault = g->inner->fault;
		return n;
	}
	g->eof = n == 0;
	g->zs.next_in = g->buf;
	g->zs.avail_in = (uInt)n;
	return n > 0;
}

/* What follows a member: another one (1), or the end (0), zero bytes before it allowed. */
static ptrdiff_t gzip_next(struct gzip_src *g)
{
	ptrdiff_t n;

	while ((n = gzip_fill(g)) > 0) {
		if (*g->zs.next_in) {
			if (g->padding || *g->zs.next_in != 0x1f)
				return gzip_fault(g, "other bytes follow the gzip data");
			g->between = false;
			return inflateReset(&g->zs) == Z_OK ? 1 : gzip_fault(g, "zlib failed");
		}
		g->padding = true;
		g->zs.next_in++;
		g->zs.avail_in--;
	}
	g->done = n == 0;
	return n;
}

static const char *gzip_text(int rc, bool any)
{
	if (rc == Z_MEM_ERROR)
		return "out of memory while decompressing";
	if (rc == Z_NEED_DICT)
		return "the gzip data need a preset dictionary";
	return any ? "the gzip data are damaged" : "the gzip header is damaged";
}

static ptrdiff_t gzip_read(struct as_src *src, void *buf, size_t n)
{
	struct gzip_src *g = (struct gzip_src *)(void *)src;
	uInt want = n > CHUNK * 16 ? CHUNK * 16 : (uInt)n;
	ptrdiff_t got;
	int rc;

	g->zs.next_out = buf;
	g->zs.avail_out = want;
	while (want && g->zs.avail_out == want && !g->done) {
		got = g->between ? gzip_next(g) : gzip_fill(g);
		if (got < 0)
			return got;
		if (g->done)
			break;
		if (got == 0)
			return gzip_fault(g, "the gzip data end too early");
		rc = inflate(&g->zs, Z_NO_FLUSH);
		if (rc == Z_STREAM_END)
			g->between = true;
		else if (rc != Z_OK && rc != Z_BUF_ERROR)
			return gzip_fault(g, gzip_text(rc, g->zs.total_in > 0));
	}
	return (ptrdiff_t)(want - g->zs.avail_out);
}

static void gzip_close(struct as_src *src)
{
	struct gzip_src *g = (struct gzip_src *)(void *)src;

	inflateEnd(&g->zs);
	as_file_close(g->inner);
	as_alloc_free(g->al, g, sizeof(*g));
}

enum as_code as_gzip_open(
	const struct as_alloc *al, struct as_src *inner, struct as_src **out, struct as_err *err)
{
	struct gzip_src *g = as_alloc_new(al, sizeof(*g));

	*out = NULL;
	if (g) {
		g->src = (struct as_src){.read = gzip_read,
			.close = gzip_close,
			.size = AS_SIZE_UNKNOWN,
			.again = inner->again,
			.name = inner->name};
		g->al = al;
		g->inner = inner;
		if (inflateInit2(&g->zs, GZIP_WINDOW) == Z_OK) {
			*out = &g->src;
			return AS_OK;
		}
		as_alloc_free(al, g, sizeof(*g));
	}
	as_file_close(inner);
	return as_err_set(err, AS_E_NOMEM, "out of memory");
}

const char *as_zlib_version(void)
{
	return zlibVersion();
}
