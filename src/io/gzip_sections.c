/* SPDX-License-Identifier: Apache-2.0 */
#include "io/gzip_sections.h"

#include <errno.h>
#include <limits.h>

#include "io/file.h"

#define ZLIB_CONST
#include <zlib.h>
#if AS_HAVE_DEFLATE
#include <libdeflate.h>
#endif

enum { LEVEL = 4, LEVEL_SMALL = 9, RAW_WINDOW = -15, MEM_LEVEL = 8, ROOM = 64 << 10 };
/* Of the header: what stands before its extra field, and of that before its rows. */
enum { HEADER = 10, EXTRA_LENGTH = 2, SUBFIELD = 4, ROW = 12, FLAGS_AT = 3, FLAG_EXTRA = 4 };
enum { HEAD_MAX = HEADER + EXTRA_LENGTH + SUBFIELD + ROW * AS_GZIP_SECTIONS_MAX, TRAILER = 8 };
/* No deflate makes more of a byte; text of one section. */
enum { RATIO_MAX = 1032, TEXT_MAX = 1 << 30 };

/* ---- writing ---- */

struct sections_state {
	z_stream zs;
	AS_VEC(char) packed;
	AS_VEC(struct as_gzip_section) row; /* complete ones */
	struct as_gzip_section open;
	size_t began; /* where the open one begins in PACKED */
	uLong crc;    /* of all text */
	uint64_t text;
};

/* What is left of the input to PACKED. */
static int sections_deflate(struct as_sink_sections *ss, int flush)
{
	struct sections_state *st = ss->state;
	int rc;

	do {
		size_t n = st->packed.n;

		if (!as_vec_reserve(ss->al, &st->packed, n + ROOM))
			return -ENOMEM;
		st->zs.next_out = (unsigned char *)st->packed.p + n;
		st->zs.avail_out = ROOM;
		rc = deflate(&st->zs, flush);
		st->packed.n = n + ROOM - st->zs.avail_out;
		if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
			return -EIO;
	} while (!st->zs.avail_out);
	return 0;
}

static int sections_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct as_sink_sections *ss = (struct as_sink_sections *)(void *)sink;
	struct sections_state *st = ss->state;
	const unsigned char *p = buf;
	int rc;

	for (size_t some; n; p += some, n -= some) {
		some = n < INT_MAX ? n : INT_MAX;
		if (st->open.text > TEXT_MAX - some)
			return -EFBIG;
		st->zs.next_in = p;
		st->zs.avail_in = (uInt)some;
		st->open.crc = (uint32_t)crc32(st->open.crc, p, (uInt)some);
		st->open.text += (uint32_t)some;
		rc = sections_deflate(ss, Z_NO_FLUSH);
		if (rc)
			return rc;
	}
	return 0;
}

static int sections_end(struct as_sink_sections *ss, int flush)
{
	struct sections_state *st = ss->state;
	int rc = sections_deflate(ss, flush);

	if (rc)
		return rc;
	st->open.packed = (uint32_t)(st->packed.n - st->began);
	st->crc = crc32_combine(st->crc, st->open.crc, (z_off_t)st->open.text);
	st->text += st->open.text;
	if (!as_vec_push(ss->al, &st->row, st->open))
		return -ENOMEM;
	st->open = (struct as_gzip_section){0};
	st->began = st->packed.n;
	return 0;
}

static int sections_section(struct as_sink *sink)
{
	struct as_sink_sections *ss = (struct as_sink_sections *)(void *)sink;
	const struct sections_state *st = ss->state;

	return st->row.n + 1 < AS_GZIP_SECTIONS_MAX ? sections_end(ss, Z_FULL_FLUSH) : 0;
}

enum as_code as_sink_sections_open(struct as_sink_sections *ss, const struct as_alloc *al,
	struct as_sink *inner, enum as_gzip_effort effort, struct as_err *err)
{
	struct sections_state *st = as_alloc_new(al, sizeof(*st));
	int level = effort == AS_GZIP_SMALL ? LEVEL_SMALL : LEVEL;

	*ss = (struct as_sink_sections){
		.sink = {sections_write, sections_section}, .al = al, .inner = inner, .state = st};
	if (st && deflateInit2(&st->zs, level, Z_DEFLATED, RAW_WINDOW, MEM_LEVEL,
			  Z_DEFAULT_STRATEGY) == Z_OK)
		return AS_OK;
	as_alloc_free(al, st, sizeof(*st));
	ss->state = NULL;
	return as_err_no_memory(err);
}

void as_sink_sections_abort(struct as_sink_sections *ss)
{
	struct sections_state *st = ss->state;

	if (!st)
		return;
	deflateEnd(&st->zs);
	as_vec_free(ss->al, &st->packed);
	as_vec_free(ss->al, &st->row);
	as_alloc_free(ss->al, st, sizeof(*st));
	ss->state = NULL;
}

static unsigned char *gzip_sections_put(unsigned char *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		*p++ = (unsigned char)(v >> 8 * i);
	return p;
}

static int sections_send(struct as_sink_sections *ss)
{
	/* deflate, an extra field, no time, Unix */
	static const unsigned char header[HEADER] = {0x1f, 0x8b, 8, FLAG_EXTRA, 0, 0, 0, 0, 0, 3};
	struct sections_state *st = ss->state;
	unsigned char head[HEAD_MAX], trailer[TRAILER], *p = head;
	size_t rows = st->row.n * ROW;
	int rc;

	memcpy(p, header, HEADER);
	p = gzip_sections_put(p + HEADER, SUBFIELD + rows, 2);
	*p++ = 'a';
	*p++ = 'S';
	p = gzip_sections_put(p, rows, 2);
	for (size_t i = 0; i < st->row.n; i++) {
		p = gzip_sections_put(p, st->row.p[i].text, 4);
		p = gzip_sections_put(p, st->row.p[i].packed, 4);
		p = gzip_sections_put(p, st->row.p[i].crc, 4);
	}
	gzip_sections_put(gzip_sections_put(trailer, st->crc, 4), st->text, 4);
	rc = ss->inner->write(ss->inner, head, (size_t)(p - head));
	if (!rc)
		rc = ss->inner->write(ss->inner, st->packed.p, st->packed.n);
	return rc ? rc : ss->inner->write(ss->inner, trailer, sizeof(trailer));
}

enum as_code as_sink_sections_finish(struct as_sink_sections *ss, struct as_err *err)
{
	int rc = sections_end(ss, Z_FINISH);

	if (!rc)
		rc = sections_send(ss);
	as_sink_sections_abort(ss);
	if (rc == -ENOMEM)
		return as_err_no_memory(err);
	return rc ? as_err_sys(err, -rc, "cannot write") : AS_OK;
}

/* ---- reading ---- */

static uint32_t sections_get(const unsigned char *p, unsigned bytes)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint32_t)p[i] << 8 * i;
	return v;
}

static bool sections_pread(struct as_src *src, void *buf, size_t n, uint64_t off)
{
	size_t have = 0;
	ptrdiff_t got;

	while (have < n && (got = src->pread(src, (char *)buf + have, n - have, off + have)) > 0)
		have += (size_t)got;
	return have == n;
}

/* HEAD, of N bytes, begins as a file with sections does: where its extra field ends, else 0. */
static size_t sections_head(const unsigned char *head, size_t n)
{
	size_t extra, rows;

	if (n < HEADER + EXTRA_LENGTH + SUBFIELD || head[0] != 0x1f || head[1] != 0x8b ||
		head[2] != 8 || head[FLAGS_AT] != FLAG_EXTRA)
		return 0;
	extra = sections_get(head + HEADER, 2);
	rows = sections_get(head + HEADER + EXTRA_LENGTH + 2, 2);
	if (head[HEADER + EXTRA_LENGTH] != 'a' || head[HEADER + EXTRA_LENGTH + 1] != 'S' ||
		extra != SUBFIELD + rows || rows % ROW || !rows)
		return 0;
	extra += HEADER + EXTRA_LENGTH;
	return extra <= n ? extra : 0;
}

/* The sections of a header that ends at END; they are all of the file. */
static bool sections_rows(struct as_gzip_sections *gs, const unsigned char *head, size_t end)
{
	const unsigned char *p = head + HEADER + EXTRA_LENGTH + SUBFIELD;
	uint64_t at = end;

	for (; p < head + end; p += ROW) {
		struct as_gzip_section s = {
			sections_get(p, 4), sections_get(p + 4, 4), sections_get(p + 8, 4), at};

		at += s.packed;
		if (s.text > TEXT_MAX || s.text / RATIO_MAX > s.packed ||
			!as_vec_push(gs->al, &gs->row, s))
			return false;
	}
	return at + TRAILER == gs->src->size;
}

bool as_gzip_sections_open(
	struct as_gzip_sections *gs, const struct as_alloc *al, struct as_src *src)
{
	unsigned char head[HEAD_MAX];
	size_t n, end;

	*gs = (struct as_gzip_sections){.al = al, .src = src};
	if (!src->pread)
		return false;
	n = src->size < HEAD_MAX ? (size_t)src->size : HEAD_MAX;
	end = sections_pread(src, head, n, 0) ? sections_head(head, n) : 0;
	return end && sections_rows(gs, head, end);
}

void as_gzip_sections_release(struct as_gzip_sections *gs)
{
#if AS_HAVE_DEFLATE
	libdeflate_free_decompressor(gs->unpacks);
#endif
	as_file_close(gs->src);
	as_vec_free(gs->al, &gs->row);
	*gs = (struct as_gzip_sections){.al = gs->al};
}

/* S, packed at IN with two bytes behind it that are ours, to OUT. */
#if AS_HAVE_DEFLATE
static bool sections_inflate(
	struct as_gzip_sections *gs, char *in, const struct as_gzip_section *s, char *out)
{
	struct libdeflate_decompressor *d = gs->unpacks;
	size_t used = 0, made = 0;
	bool ok;

	if (!d)
		gs->unpacks = d = libdeflate_alloc_decompressor();

	/* A block that is empty and the last: to the library all sections are the whole. */
	memcpy(in + s->packed, "\x03", 2);
	ok = d && libdeflate_deflate_decompress_ex(d, in, s->packed + (size_t)2, out, s->text,
			  &used, &made) == LIBDEFLATE_SUCCESS;
	return ok && made == s->text && used >= s->packed &&
	       libdeflate_crc32(0, out, s->text) == s->crc;
}
#else
static bool sections_inflate(
	struct as_gzip_sections *gs, char *in, const struct as_gzip_section *s, char *out)
{
	z_stream zs = {.next_in = (const unsigned char *)in,
		.avail_in = s->packed,
		.next_out = (unsigned char *)out,
		.avail_out = s->text};
	int rc;

	(void)gs;
	if (inflateInit2(&zs, RAW_WINDOW) != Z_OK)
		return false;
	rc = inflate(&zs, Z_SYNC_FLUSH);
	inflateEnd(&zs);
	return (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) && !zs.avail_out &&
	       crc32(0, (const unsigned char *)out, s->text) == s->crc;
}
#endif

bool as_gzip_sections_read(struct as_gzip_sections *gs, size_t i, char *buf)
{
	const struct as_gzip_section *s = &gs->row.p[i];
	size_t room = s->packed + (size_t)2;
	char *in = gs->al->resize(gs->al->ctx, NULL, 0, room);
	bool ok = in && sections_pread(gs->src, in, s->packed, s->at) &&
		  sections_inflate(gs, in, s, buf);

	as_assert(i < gs->row.n);
	as_alloc_free(gs->al, in, room);
	return ok;
}
