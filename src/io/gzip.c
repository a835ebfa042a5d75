/* SPDX-License-Identifier: Apache-2.0 */
/* gzip (RFC 1952) as a layer over another source: any number of members, one after the other. */
#include "io/file.h"

#include <errno.h>
#include <limits.h>

#define ZLIB_CONST
#include <zlib.h>
#if AS_HAVE_DEFLATE
#include <libdeflate.h>
#endif

enum { CHUNK = 64 * 1024, GZIP_WINDOW = 15 + 16 };
enum { WHOLE_IN = 16 << 20, WHOLE_OUT = 32 << 20, RATIO_MAX = 1032, TRAILER = 8 };
enum { FLAGS_AT = 3, FLAG_HEADER_CRC = 2 }; /* RFC 1952, section 2.3.1 */

struct gzip_src {
	struct as_src src;
	const struct as_alloc *al;
	struct as_src *inner; /* owned */
	z_stream zs;
	unsigned char buf[CHUNK]; /* compressed bytes */
	bool eof;                 /* INNER has ended */
	bool done;                /* the data has ended, too */
	bool between;             /* members: one has ended, no byte of the next was seen */
	bool padding;             /* zero bytes follow the last member */
	size_t at;                /* the position in src.whole, if there is one */
};

/* ---- at once ---- */

/* The whole of INNER, which stays where it is. */
static bool read_whole(struct as_src *inner, char *buf, size_t n)
{
	size_t have = 0;
	ptrdiff_t got;

	while (have < n && (got = inner->pread(inner, buf + have, n - have, have)) > 0)
		have += (size_t)got;
	return have == n;
}

/* How long the text is if IN is one member; 0 if that is no good guess, and where the header has
 * a checksum, which libdeflate does not check. */
static size_t whole_size(struct as_slice in)
{
	const unsigned char *p = (const unsigned char *)in.p + in.len - 4;
	size_t n = (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;

	if (in.p[FLAGS_AT] & FLAG_HEADER_CRC)
		return 0;
	return n <= WHOLE_OUT && n <= in.len * RATIO_MAX ? n : 0;
}

/* What src.whole takes. */
static size_t gzip_room(size_t n)
{
	return n + AS_IN_SLACK;
}

/* IN to src.whole if it is one good member and nothing else; what is wrong is not asked. */
static void inflate_whole(struct gzip_src *g, struct as_slice in)
{
#if AS_HAVE_DEFLATE
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	size_t used = 0, made = 0, n = whole_size(in);
	char *out = d && n ? g->al->resize(g->al->ctx, NULL, 0, gzip_room(n)) : NULL;

	if (out &&
		libdeflate_gzip_decompress_ex(d, in.p, in.len, out, n, &used, &made) ==
			LIBDEFLATE_SUCCESS &&
		used == in.len && made == n) {
		memset(out + n, 0, AS_IN_SLACK);
		g->src.whole = (struct as_slice){out, n};
	} else if (out) {
		as_alloc_free(g->al, out, gzip_room(n));
	}
	libdeflate_free_decompressor(d);
#else
	(void)g;
	(void)in;
#endif
}

/* Small files are inflated at once, by a library that is twice as fast as zlib where it can
 * do so. */
static void try_whole(struct gzip_src *g)
{
	struct as_src *inner = g->inner;
	size_t n = inner->pread && inner->size <= WHOLE_IN ? (size_t)inner->size : 0;
	char *in = n > TRAILER ? g->al->resize(g->al->ctx, NULL, 0, n) : NULL;

	if (!in)
		return;
	if (read_whole(inner, in, n))
		inflate_whole(g, (struct as_slice){in, n});
	as_alloc_free(g->al, in, n);
}

static size_t give_whole(struct gzip_src *g, void *buf, size_t n)
{
	as_assert(g->at <= g->src.whole.len);
	n = n < g->src.whole.len - g->at ? n : g->src.whole.len - g->at;
	memcpy(buf, g->src.whole.p + g->at, n);
	g->at += n;
	return n;
}

/* ---- a chunk at a time ---- */

static ptrdiff_t gzip_fault(struct gzip_src *g, const char *text)
{
	g->src.fault = text;
	return -EIO;
}

/* What was given before is good. */
static ptrdiff_t gzip_salvaged(struct gzip_src *g, const char *text)
{
	g->src.salvaged = true;
	return gzip_fault(g, text);
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

	as_assert(g->between);
	while ((n = gzip_fill(g)) > 0) {
		if (*g->zs.next_in) {
			if (g->padding || *g->zs.next_in != 0x1f)
				return gzip_salvaged(g, "other bytes follow the gzip data");
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

	if (g->src.whole.p)
		return (ptrdiff_t)give_whole(g, buf, n);
	g->zs.next_out = buf;
	g->zs.avail_out = want;
	while (want && g->zs.avail_out == want && !g->done) {
		got = g->between ? gzip_next(g) : gzip_fill(g);
		if (got < 0)
			return got;
		if (g->done)
			break;
		if (got == 0)
			return gzip_salvaged(g, "the gzip data end too early");
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
	if (g->src.whole.p)
		as_alloc_free(
			g->al, (char *)(uintptr_t)g->src.whole.p, gzip_room(g->src.whole.len));
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
			try_whole(g);
			*out = &g->src;
			return AS_OK;
		}
		as_alloc_free(al, g, sizeof(*g));
	}
	as_file_close(inner);
	return as_err_no_memory(err);
}

/* ---- one member in memory ---- */

/* What is inflated next is how TEXT goes on. */
static bool member_goes_on(z_stream *zs, struct as_slice *text, int *rc)
{
	unsigned char piece[CHUNK / 8];
	size_t n;

	zs->next_out = piece;
	zs->avail_out = sizeof(piece);
	*rc = inflate(zs, Z_NO_FLUSH);
	n = sizeof(piece) - zs->avail_out;
	if ((*rc != Z_OK && *rc != Z_STREAM_END) || n > text->len || memcmp(piece, text->p, n) != 0)
		return false;
	*text = as_slice_skip(*text, n);
	return true;
}

bool as_gzip_holds(struct as_slice gz, struct as_slice text)
{
	z_stream zs = {.next_in = (const unsigned char *)gz.p, .avail_in = (uInt)gz.len};
	int rc = Z_OK;
	bool same;

	if (gz.len > UINT_MAX || inflateInit2(&zs, GZIP_WINDOW) != Z_OK)
		return false;
	do
		same = member_goes_on(&zs, &text, &rc);
	while (same && rc == Z_OK);
	same = same && !text.len && !zs.avail_in;
	inflateEnd(&zs);
	return same;
}

const char *as_zlib_version(void)
{
	return zlibVersion();
}
