/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first pass, in the order of the file: records of perf itself are taken, and those of the
 * kernel become blocks, of which no more is kept than where they are and from when to when they
 * reach. docs/formats/perfdata.md §5.
 */
#include "formats/perfdata/perfdata.h"

/* ---- what a record says of itself ---- */

/* PD_NONE: it is one that the file does not describe; perf's own records have none. */
static uint32_t scan_find_event(struct as_pd *pd, struct as_slice record, uint32_t type)
{
	uint32_t row;
	size_t at;

	if (pd->event.n < 2 || !pd->id_field)
		return 0;
	if (type == AS_PERF_SAMPLE)
		at = AS_PERF_HEAD + (size_t)8 * pd->id_before;
	else if (pd->event.p[0].layout.bare || record.len < (size_t)8 * (1 + pd->id_to_end))
		return 0;
	else
		at = record.len - (size_t)8 * pd->id_to_end;
	if (at + 8 > record.len)
		return 0;
	row = as_pd_find_id(pd, pd_u64(pd, record.p + at));
	return row == PD_NONE ? PD_NONE : pd->id.p[row].event;
}

uint32_t as_pd_event_of(struct as_pd *pd, struct as_slice record, uint32_t type, bool *known)
{
	uint32_t event = scan_find_event(pd, record, type);

	*known = event != PD_NONE;
	return *known ? event : 0;
}

/* Of a record without a trailer. */
static bool scan_own_time(
	const struct as_pd *pd, struct as_slice record, uint32_t type, uint64_t *time)
{
	size_t at = AS_PERF_HEAD;

	if (type == AS_PERF_FORK || type == AS_PERF_EXIT)
		at += 16;
	else if (type != AS_PERF_THROTTLE && type != AS_PERF_UNTHROTTLE)
		return false;
	if (record.len < at + 8)
		return false;
	*time = pd_u64(pd, record.p + at);
	return true;
}

bool as_pd_time_of(struct as_pd *pd, struct as_slice record, uint32_t type, uint64_t *time)
{
	const struct pd_event *ev;
	bool known;
	size_t at;

	if (!pd->event.n)
		return false;
	ev = &pd->event.p[pd->alike ? 0 : as_pd_event_of(pd, record, type, &known)];
	if (!(ev->layout.sample_type & AS_PERF_S_TIME))
		return false;
	if (type == AS_PERF_SAMPLE) {
		at = ev->time_at;
	} else {
		if (ev->layout.bare)
			return scan_own_time(pd, record, type, time);
		if (record.len < (size_t)ev->time_to_end + AS_PERF_HEAD)
			return false;
		at = record.len - ev->time_to_end;
	}
	if (at + 8 > record.len)
		return false;
	*time = pd_u64(pd, record.p + at);
	return true;
}

/* ---- blocks ---- */

static enum as_code scan_begin(struct as_pd *pd, const char *mem, struct as_src *src, uint64_t off)
{
	struct pd_block block = {.mem = mem, .src = src, .off = off, .before = pd->last_time};

	return as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->block, block));
}

static enum as_code scan_count_sample(struct as_pd *pd, struct as_slice record)
{
	bool known;

	if (pd->event.n)
		pd->event.p[as_pd_event_of(pd, record, AS_PERF_SAMPLE, &known)].n_samples++;
	return AS_OK;
}

/* A record of the kernel's, at the end of the last block. */
static void scan_note(struct as_pd *pd, struct as_slice record, uint32_t type)
{
	struct pd_block *block = &pd->block.p[pd->block.n - 1];
	uint64_t time = pd->last_time;

	(void)as_pd_time_of(pd, record, type, &time);
	pd->last_time = time;
	if (!block->has || time < block->first)
		block->first = time;
	if (!block->has || time > block->last)
		block->last = time;
	block->has = true;
	pd->n_switches += type == AS_PERF_SWITCH || type == AS_PERF_SWITCH_CPU_WIDE;
	block->n++;
}

/* ---- perf's own records ---- */

static enum as_code scan_attr(struct as_pd *pd, struct as_slice body)
{
	struct as_slice ids;
	uint32_t size;

	if (body.len < PD_ATTR_LEAST)
		return AS_OK;
	size = pd_u32(pd, body.p + 4);
	if (size < PD_ATTR_LEAST)
		size = PD_ATTR_LEAST;
	if (size > body.len)
		size = (uint32_t)body.len;
	ids = as_slice_skip(body, size);
	AS_TRY(as_pd_add_event(pd, (struct as_slice){body.p, size}, ids));
	as_pd_settle_events(pd);
	return AS_OK;
}

static enum as_code scan_update(struct as_pd *pd, struct as_slice body)
{
	enum { NAME = 2 };
	uint32_t row;

	if (body.len < 17 || pd_u64(pd, body.p) != NAME)
		return AS_OK;
	row = as_pd_find_id(pd, pd_u64(pd, body.p + 8));
	if (row == PD_NONE)
		return AS_OK;
	return as_pd_name_event(pd, pd->id.p[row].event, as_slice_skip(body, 16));
}

static enum as_code scan_own(struct as_pd *pd, uint32_t type, struct as_slice record)
{
	struct as_slice body = as_slice_skip(record, AS_PERF_HEAD);

	switch (type) {
	case PD_ATTR:
		return scan_attr(pd, body);
	case PD_EVENT_TYPE:
		return as_pd_name_config(pd, body);
	case PD_BUILD_ID:
		return as_pd_build_id(pd, record);
	case PD_EVENT_UPDATE:
		return scan_update(pd, body);
	case PD_FEATURE:
		if (body.len < 8)
			return AS_OK;
		return as_pd_feature(pd, pd_u64(pd, body.p), as_slice_skip(body, 8));
	case PD_AUXTRACE:
		pd->tally.aux_bytes += body.len >= 8 ? pd_u64(pd, body.p) : 0;
		return AS_OK;
	default:
		return AS_OK;
	}
}

/* Bytes that follow a record without being counted in its size. */
static uint64_t scan_behind(const struct as_pd *pd, uint32_t type, struct as_slice record)
{
	if (type == PD_AUXTRACE && record.len >= AS_PERF_HEAD + 8)
		return pd_u64(pd, record.p + AS_PERF_HEAD);
	if (type == PD_TRACING_DATA && record.len >= AS_PERF_HEAD + 4)
		return ((uint64_t)pd_u32(pd, record.p + AS_PERF_HEAD) + 7) & ~UINT64_C(7);
	return 0;
}

/* ---- all records ---- */

struct scan {
	struct as_pd *pd;
	struct as_src *src;
	bool memory;       /* all of it is S */
	bool inner;        /* it was compressed */
	struct as_in in;   /* where the file is read by position */
	struct as_slice s; /* what is not taken yet */
	uint64_t off;      /* of its first byte */
};

static enum as_code scan_need(struct scan *sc, size_t n)
{
	if (sc->s.len >= n || sc->memory)
		return AS_OK;
	as_in_take(&sc->in, (size_t)(sc->s.p - sc->in.p));
	return as_in_peek(&sc->in, n, &sc->s);
}

static void scan_skip(struct scan *sc, size_t n)
{
	sc->s = as_slice_skip(sc->s, n);
	sc->off += n;
}

/* N bytes that are not looked at. */
static enum as_code scan_pass(struct scan *sc, uint64_t n)
{
	while (n) {
		size_t part;

		AS_TRY(scan_need(sc, 1));
		part = n < sc->s.len ? (size_t)n : sc->s.len;
		if (!part)
			return AS_OK;
		scan_skip(sc, part);
		n -= part;
	}
	return AS_OK;
}

static enum as_code scan_cut(struct scan *sc)
{
	struct as_pd *pd = sc->pd;

	if (!sc->s.len || pd->killed || pd->cut || sc->inner)
		return AS_OK; /* it was told already, or the rest comes */
	as_rd_partial(pd->rd);
	return as_rd_find(pd->rd, AS_F_TRUNCATED, sc->off, 0,
		"the records end inside one; those before it are kept");
}

static enum as_code scan_garbled(struct scan *sc, uint32_t type, uint32_t size)
{
	as_rd_partial(sc->pd->rd);
	return as_rd_find(sc->pd->rd, AS_F_PD_RECORD, sc->off, 0,
		"a record of type %" PRIu32 " claims %" PRIu32
		" bytes, expected 8 at least; those before it "
		"are kept",
		type, size);
}

static enum as_code scan_kernel(struct scan *sc, uint32_t type, struct as_slice record)
{
	struct as_pd *pd = sc->pd;

	if (sc->pd->fresh)
		AS_TRY(scan_begin(pd, sc->memory ? record.p : NULL, sc->src, sc->off));
	sc->pd->fresh = false;
	scan_note(pd, record, type);
	pd->block.p[pd->block.n - 1].len += (uint32_t)record.len;
	return type == AS_PERF_SAMPLE ? scan_count_sample(pd, record) : AS_OK;
}

/* ---- compressed records ---- */

static enum as_code perfdata_scan_all(struct scan *sc);

static bool scan_put(void *ctx, struct as_slice bytes)
{
	struct as_pd *pd = ctx;

	return as_vec_append(pd->al, &pd->chunk, bytes.p, bytes.len);
}

/* What is whole of the chunk becomes blocks; it stays where it is, and the rest begins another. */
static enum as_code scan_chunk(struct as_pd *pd, uint64_t off)
{
	struct scan sc = {.pd = pd,
		.memory = true,
		.inner = true,
		.s = {pd->chunk.p, pd->chunk.n},
		.off = off};

	pd->fresh = true;
	AS_TRY(perfdata_scan_all(&sc));
	pd->fresh = true;
	if (sc.s.len == pd->chunk.n)
		return AS_OK;
	memset(&pd->chunk, 0, sizeof(pd->chunk));
	return as_err_memory(pd->rd->err, as_vec_append(pd->al, &pd->chunk, sc.s.p, sc.s.len));
}

static enum as_code scan_unpack(struct scan *sc, struct as_slice piece)
{
	struct as_pd *pd = sc->pd;
	const struct as_unpack *unpack = pd->rd->unpack;
	enum as_code rc;

	if (!unpack)
		return as_rd_fail(pd->rd, AS_E_UNSUPPORTED, sc->off, 0,
			"the records are compressed with zstd, which cannot be undone here");
	if (!pd->stream)
		pd->stream = unpack->open(pd->rd->out->prof->al);
	AS_TRY(as_err_memory(pd->rd->err, pd->stream));
	rc = unpack->feed(pd->stream, piece, scan_put, pd);
	if (rc == AS_E_NOMEM)
		return as_err_no_memory(pd->rd->err);
	if (rc != AS_OK && !pd->unpack_failed) {
		pd->unpack_failed = true;
		as_rd_partial(pd->rd);
		AS_TRY(as_rd_find(pd->rd, AS_F_PD_ZSTD, sc->off, 0,
			"compressed records are damaged; those up to here are kept"));
	}
	return scan_chunk(pd, sc->off);
}

/* Perf's count of such a record may be too small for what stands in it, which says so itself. */
static uint32_t scan_size(const struct scan *sc, uint32_t type, uint16_t size)
{
	enum { WITH = AS_PERF_HEAD + 8, MUCH = 1 << 24 };
	uint64_t n;

	if (type != PD_COMPRESSED2 || sc->s.len < WITH)
		return size;
	n = pd_u64(sc->pd, sc->s.p + AS_PERF_HEAD);
	return n < MUCH && ((n + 7) & ~UINT64_C(7)) + WITH > size ? (uint32_t)n + WITH : size;
}

static struct as_slice scan_piece(const struct as_pd *pd, uint32_t type, struct as_slice record)
{
	struct as_slice piece = as_slice_skip(record, AS_PERF_HEAD);
	uint64_t n;

	if (type == PD_COMPRESSED || piece.len < 8)
		return piece;
	n = pd_u64(pd, piece.p);
	piece = as_slice_skip(piece, 8);
	piece.len = n < piece.len ? (size_t)n : piece.len;
	return piece;
}

/* ---- all of them ---- */

/* What perf wrote; in front of a block, or inside of one. */
static enum as_code scan_perfs(
	struct scan *sc, uint32_t type, struct as_slice record, uint64_t behind)
{
	struct as_pd *pd = sc->pd;

	pd->tally.unknown_types += type >= PD_KNOWN_TYPES;
	if ((type == PD_COMPRESSED || type == PD_COMPRESSED2) && !sc->inner)
		return pd->unpack_failed ? AS_OK : scan_unpack(sc, scan_piece(pd, type, record));
	AS_TRY(scan_own(pd, type, record));
	if (!pd->fresh && !behind)
		pd->block.p[pd->block.n - 1].len += (uint32_t)record.len;
	pd->fresh |= behind != 0;
	return AS_OK;
}

/* One record, and what belongs to it; *DONE: there are no more. */
static enum as_code scan_one(struct scan *sc, bool *done)
{
	struct as_slice record;
	uint32_t type, size;
	uint64_t behind;

	*done = true;
	AS_TRY(scan_need(sc, 2 * AS_PERF_HEAD));
	if (sc->s.len < AS_PERF_HEAD)
		return scan_cut(sc);
	type = pd_u32(sc->pd, sc->s.p);
	size = scan_size(sc, type, pd_u16(sc->pd, sc->s.p + 6));
	if (size < AS_PERF_HEAD)
		return scan_garbled(sc, type, size);
	AS_TRY(scan_need(sc, size));
	if (sc->s.len < size && type == PD_COMPRESSED2 &&
		pd_u16(sc->pd, sc->s.p + 6) > 2 * AS_PERF_HEAD)
		size = pd_u16(sc->pd, sc->s.p + 6); /* the rest of one that was too long */
	if (sc->s.len < size)
		return scan_cut(sc);
	*done = false;
	record = (struct as_slice){sc->s.p, size};
	behind = scan_behind(sc->pd, type, record);
	AS_TRY(type < PD_ATTR ? scan_kernel(sc, type, record)
			      : scan_perfs(sc, type, record, behind));
	sc->pd->fresh |= sc->pd->block.n && sc->pd->block.p[sc->pd->block.n - 1].len >= PD_BLOCK;
	scan_skip(sc, size);
	return scan_pass(sc, behind);
}

static enum as_code perfdata_scan_all(struct scan *sc)
{
	bool done = false;

	while (!done)
		AS_TRY(scan_one(sc, &done));
	return AS_OK;
}

/* A stream of zstd goes through one file. */
static void scan_end_stream(struct as_pd *pd)
{
	if (pd->stream)
		pd->rd->unpack->close(pd->rd->out->prof->al, pd->stream);
	pd->stream = NULL;
	memset(&pd->chunk, 0, sizeof(pd->chunk));
}

/* Bytes [START, END) of SRC, or of WHOLE, which has it all. */
static enum as_code scan_source(
	struct as_pd *pd, struct as_src *src, struct as_slice whole, uint64_t start, uint64_t end)
{
	struct scan sc = {.pd = pd, .src = src, .off = start, .memory = whole.p != NULL};
	enum as_code rc;

	pd->fresh = true;
	if (sc.memory) {
		sc.s = (struct as_slice){whole.p + start, (size_t)(end - start)};
		rc = perfdata_scan_all(&sc);
	} else {
		AS_TRY(as_in_open_range(&sc.in, pd->al, src, start, end, pd->rd->err));
		sc.s = (struct as_slice){sc.in.p, 0};
		rc = perfdata_scan_all(&sc);
		as_in_close(&sc.in);
	}
	scan_end_stream(pd);
	return rc;
}

/* A file beside the first has records and nothing else. */
static enum as_code scan_more(struct as_pd *pd, struct as_src *src)
{
	struct as_slice whole = src->whole, win = {NULL, 0};
	struct as_in in;
	enum as_code rc;

	if (whole.p)
		return scan_source(pd, src, whole, 0, whole.len);
	if (src->pread && src->size != AS_SIZE_UNKNOWN)
		return scan_source(pd, src, whole, 0, src->size);
	AS_TRY(as_in_open(&in, pd->al, src, pd->rd->err));
	do
		rc = as_in_peek(&in, 2 * win.len + PD_BLOCK, &win);
	while (rc == AS_OK && !in.eof);
	return rc == AS_OK ? scan_source(pd, src, win, 0, win.len) : rc; /* it stays in the pool */
}

enum as_code as_pd_scan(struct as_pd *pd)
{
	as_pd_settle_events(pd);
	AS_TRY(scan_source(pd, pd->rd->in->src, pd->whole, pd->data_off, pd->data_end));
	for (size_t i = 0; i < pd->rd->n_more; i++)
		AS_TRY(scan_more(pd, pd->rd->more[i]));
	return AS_OK;
}
