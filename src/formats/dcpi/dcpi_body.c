/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary part. Nothing says where it ends: chunks follow one another until eight bytes are
 * left, which are the footer. So eight bytes are always kept in sight ahead, and a count in the
 * file is believed only as far as the file goes.
 *
 * The footer is the only check that the format has. When the body is damaged, whole chunks are
 * kept and the profile is marked as partial; but when the version is not one that we know, a
 * damaged body means that it was not this layout, and is an error.
 */
#include "formats/dcpi/dcpi.h"

enum {
	CHUNK_HEAD = 2 * DCPI_WORD,
	CHUNK_MIN = CHUNK_HEAD + DCPI_WORD,
};

/* Where in the input P is, a place in the window. */
static uint64_t off_of(const struct dcpi_body *b, const char *p)
{
	return b->rd->in->off + (uint64_t)(p - b->rd->in->p);
}

/* The body is damaged at OFF, which is what ID says; what was read before stays. */
static enum as_code dcpi_body_stop(
	struct dcpi_body *b, uint64_t off, enum as_finding_id id, const char *why)
{
	if (!b->header->known_version)
		return as_rd_fail(b->rd, AS_E_FORMAT, off, 0,
			"chunk %" PRIu64 ": %s; it is not the layout of pdb-0.07", b->n_chunks + 1,
			why);
	as_rd_partial(b->rd);
	return as_rd_find(b->rd, id, off, 0,
		"chunk %" PRIu64 ": %s; the %" PRIu64 " sample%s before it %s kept",
		b->n_chunks + 1, why, b->rows->counted.sum, b->rows->counted.sum == 1 ? "" : "s",
		b->rows->counted.sum == 1 ? "was" : "were");
}

/* Two words that say what was read so far are the footer, and N bytes behind it are not ours. */
static bool is_footer(const struct dcpi_body *b, uint64_t rows, uint64_t sum)
{
	return rows == b->rows->counted.rows && sum == b->rows->counted.sum;
}

static enum as_code bytes_follow(struct dcpi_body *b, uint64_t off, uint64_t n)
{
	return as_rd_find(b->rd, AS_F_DC_BODY_LENGTH, off, 0, "%" PRIu64 " %s the footer", n,
		n == 1 ? "byte follows" : "bytes follow");
}

static enum as_code check_footer(struct dcpi_body *b, const char *p)
{
	uint32_t rows = as_dcpi_le32(p), sum = as_dcpi_le32(p + DCPI_WORD);
	uint64_t off = off_of(b, p);

	if (is_footer(b, rows, sum))
		return AS_OK;
	if (rows == b->rows->counted.rows && sum == (uint32_t)b->rows->counted.sum)
		return as_rd_find(b->rd, AS_F_DC_FOOTER_WRAPPED, off, 0,
			"the footer says %" PRIu32 " samples, there are %" PRIu64
			", the same modulo 2^32",
			sum, b->rows->counted.sum);
	if (!b->header->known_version)
		return as_rd_fail(b->rd, AS_E_FORMAT, off, 0,
			"the footer says %" PRIu32 " samples at %" PRIu32
			" addresses, there are %" PRIu64 " at %" PRIu64
			"; it is not the layout of pdb-0.07",
			sum, rows, b->rows->counted.sum, b->rows->counted.rows);
	return as_rd_find(b->rd, AS_F_DC_FOOTER_DIFFERS, off, 0,
		"the footer says %" PRIu32 " samples at %" PRIu32 " addresses, there are %" PRIu64
		" at %" PRIu64,
		sum, rows, b->rows->counted.sum, b->rows->counted.rows);
}

/* A chunk of one count means the same whatever an instruction's size is. */
static inline bool is_misaligned(const struct dcpi_body *b, uint32_t offset, uint32_t number)
{
	return offset % DCPI_STRIDE && b->stride == DCPI_STRIDE && (b->stride_known || number > 1);
}

/* The first offset behind a chunk: of one count, the next byte, for the same reason. */
static inline uint64_t dcpi_body_end_of(const struct dcpi_body *b, uint32_t offset, uint32_t number)
{
	return number == 1 ? offset + UINT64_C(1) : offset + number * b->stride;
}

/* What is odd about the chunk of NUMBER counts at P; called when something is. */
static AS_NOINLINE enum as_code find_in_chunk(struct dcpi_body *b, const char *p, uint32_t number)
{
	uint64_t offset = as_dcpi_le32(p), off = off_of(b, p);

	if (offset < b->end)
		AS_TRY(as_rd_find(b->rd, AS_F_DC_CHUNK_ORDER, off, 0,
			"chunk %" PRIu64 " begins at 0x%" PRIx64 ", chunk %" PRIu64
			" ends at 0x%" PRIx64 "%s",
			b->n_chunks + 1, offset, b->n_chunks, b->end,
			b->guessed && b->last > 1 ? "; try -I stride=1" : ""));
	if (is_misaligned(b, (uint32_t)offset, number))
		AS_TRY(as_rd_find(b->rd, AS_F_DC_CHUNK_ALIGN, off, 0,
			"chunk %" PRIu64 ": offset 0x%" PRIx64 " is no multiple of %d",
			b->n_chunks + 1, offset, DCPI_STRIDE));
	if (!b->stride_known && number > 1) {
		b->stride_known = b->guessed = true; /* once is enough */
		AS_TRY(as_rd_find(b->rd, AS_F_DC_STRIDE_GUESSED, off, 0,
			"the distance between addresses is not stated; %d bytes are assumed",
			DCPI_STRIDE));
	}
	return AS_OK;
}

/* Chunk at P, before it is added. */
static inline enum as_code begin_chunk(struct dcpi_body *b, const char *p, uint32_t number)
{
	uint32_t offset = as_dcpi_le32(p);

	if (AS_UNLIKELY(offset < b->end || (number > 1 && !b->stride_known) ||
			is_misaligned(b, offset, number)))
		return find_in_chunk(b, p, number);
	return AS_OK;
}

static AS_NOINLINE enum as_code find_zero_chunk(struct dcpi_body *b, uint64_t off)
{
	return as_rd_find(b->rd, AS_F_DC_CHUNK_ZERO, off, 0,
		"chunk %" PRIu64 ": all counts are zero", b->n_chunks);
}

/* The chunk of NUMBER counts at OFF, the first of them at OFFSET, has been added; there were ROWS
 * before it. */
static inline enum as_code end_chunk(
	struct dcpi_body *b, uint64_t off, uint32_t offset, uint32_t number, uint64_t rows)
{
	uint64_t end = dcpi_body_end_of(b, offset, number);

	b->n_chunks++;
	if (end > b->end) {
		b->end = end;
		b->last = number;
	}
	return AS_UNLIKELY(b->rows->counted.rows == rows) ? find_zero_chunk(b, off) : AS_OK;
}

static AS_NOINLINE enum as_code fail_behind_all(struct dcpi_body *b, const char *p, uint64_t last)
{
	return as_rd_fail(b->rd, AS_E_FORMAT, off_of(b, p), 0,
		"offset 0x%" PRIx64 " of a text at 0x%" PRIx64 " is behind all addresses", last,
		b->text_start);
}

/* Add the N counts at P, for the addresses from OFFSET on. */
static inline enum as_code add_counts(struct dcpi_body *b, const char *p, uint64_t offset, size_t n)
{
	struct as_rows_span span = {b->text_start + offset, b->stride, (const uint8_t *)p, n};
	uint64_t last = offset + (n - 1) * b->stride;

	if (AS_UNLIKELY(b->text_start + last < last))
		return fail_behind_all(b, p, last);
	if (n == 1 ? !as_rows_add_count(b->rows, span.addr, as_dcpi_le32(p))
		   : !as_rows_add_span(b->rows, &span))
		return as_err_no_memory(b->rd->err);
	if (AS_LIKELY(last < b->text_size))
		return AS_OK;
	for (; n && as_dcpi_le32(p + (n - 1) * DCPI_WORD) == 0; n--)
		last -= b->stride;
	if (n && last >= b->text_size && last > b->highest)
		b->highest = last;
	return AS_OK;
}

/* All chunks that the window W holds as a whole, with a footer's length behind them. */
static enum as_code dcpi_body_read_window(struct dcpi_body *b, struct as_slice w)
{
	const char *p = w.p, *end = w.p + w.len - DCPI_FOOTER;

	while (end - p >= CHUNK_MIN) {
		uint32_t offset = as_dcpi_le32(p), number = as_dcpi_le32(p + DCPI_WORD);
		uint64_t rows = b->rows->counted.rows;
		size_t room = (size_t)(end - p - CHUNK_HEAD) / DCPI_WORD;

		if (AS_UNLIKELY(number == 0 || number > room))
			break;
		AS_TRY(begin_chunk(b, p, number));
		AS_TRY(add_counts(b, p + CHUNK_HEAD, offset, number));
		AS_TRY(end_chunk(b, off_of(b, p), offset, number, rows));
		p += CHUNK_HEAD + (size_t)number * DCPI_WORD;
	}
	as_in_take(b->rd->in, (size_t)(p - w.p));
	return AS_OK;
}

/* The counts that are LEFT of a chunk, window by window. AS_END: the file ends before them. */
static enum as_code dcpi_body_read_counts(struct dcpi_body *b, uint64_t offset, uint64_t left)
{
	while (left) {
		struct as_slice w;
		size_t n;

		AS_TRY(as_in_peek(b->rd->in, DCPI_WORD + DCPI_FOOTER, &w));
		if (w.len < DCPI_WORD + DCPI_FOOTER)
			return AS_END;
		n = (w.len - DCPI_FOOTER) / DCPI_WORD;
		n = n < left ? n : (size_t)left;
		AS_TRY(add_counts(b, w.p, offset, n));
		as_in_take(b->rd->in, n * DCPI_WORD);
		offset += n * b->stride;
		left -= n;
	}
	return AS_OK;
}

/* A chunk that reaches beyond the window. If it reaches beyond the file, what was taken for its
 * counts is taken back. */
static enum as_code read_long_chunk(struct dcpi_body *b, const char *p)
{
	struct as_rows_mark mark = as_rows_mark(b->rows);
	uint64_t rows_before = b->rows->counted.rows;
	struct dcpi_body before = *b;
	uint32_t offset = as_dcpi_le32(p), number = as_dcpi_le32(p + DCPI_WORD);
	uint64_t off = b->rd->in->off, behind;
	struct as_slice rest;
	enum as_code rc;
	char why[80];

	AS_TRY(begin_chunk(b, p, number));
	as_in_take(b->rd->in, CHUNK_HEAD);
	rc = dcpi_body_read_counts(b, offset, number);
	if (rc == AS_OK)
		return end_chunk(b, off, offset, number, rows_before);
	if (rc != AS_END)
		return rc;
	AS_TRY(as_in_peek(b->rd->in, 0, &rest));
	behind = b->rd->in->off + rest.len - off - CHUNK_HEAD;
	as_rows_rewind(b->rows, &mark);
	*b = before;
	if (is_footer(b, offset, number))
		rc = bytes_follow(b, off + CHUNK_HEAD, behind);
	else {
		snprintf(why, sizeof(why), "it claims %" PRIu32 " count%s, %" PRIu64 " byte%s",
			number, number == 1 ? "" : "s", behind,
			behind == 1 ? " follows" : "s follow");
		rc = dcpi_body_stop(b, off, AS_F_DC_CHUNK_LONG, why);
	}
	return rc == AS_OK ? AS_END : rc;
}

static enum as_code read_empty_chunk(struct dcpi_body *b)
{
	uint64_t off = b->rd->in->off;

	as_in_take(b->rd->in, CHUNK_HEAD);
	b->n_chunks++;
	return as_rd_find(
		b->rd, AS_F_DC_CHUNK_EMPTY, off, 0, "chunk %" PRIu64 " has no counts", b->n_chunks);
}

/* Fewer bytes are left than a chunk and a footer take. AS_END: they were dealt with. */
static enum as_code read_end(struct dcpi_body *b, struct as_slice w)
{
	uint64_t off = b->rd->in->off;
	enum as_code rc;

	if (w.len == DCPI_FOOTER)
		rc = check_footer(b, w.p);
	else if (w.len < DCPI_FOOTER)
		rc = dcpi_body_stop(b, off, AS_F_TRUNCATED, "the file ends without a footer");
	else if (is_footer(b, as_dcpi_le32(w.p), as_dcpi_le32(w.p + DCPI_WORD)))
		rc = bytes_follow(b, off + DCPI_FOOTER, w.len - DCPI_FOOTER);
	else if (w.len >= CHUNK_HEAD + DCPI_FOOTER && as_dcpi_le32(w.p + DCPI_WORD) == 0)
		return read_empty_chunk(b);
	else
		rc = dcpi_body_stop(b, off, AS_F_DC_BODY_LENGTH,
			"the bytes that are left are neither a chunk nor a footer");
	return rc == AS_OK ? AS_END : rc;
}

/* As many chunks as the window holds, or one that it does not, or the end: then AS_END. */
static enum as_code read_some(struct dcpi_body *b)
{
	uint64_t before = b->rd->in->off;
	struct as_slice w;

	AS_TRY(as_in_peek(b->rd->in, CHUNK_MIN + DCPI_FOOTER, &w));
	if (w.len < CHUNK_MIN + DCPI_FOOTER)
		return read_end(b, w);
	AS_TRY(dcpi_body_read_window(b, w));
	if (b->rd->in->off != before)
		return AS_OK;
	return as_dcpi_le32(w.p + DCPI_WORD) ? read_long_chunk(b, w.p) : read_empty_chunk(b);
}

enum as_code as_dcpi_read_body(struct dcpi_body *b)
{
	enum as_code rc;

	do
		rc = read_some(b);
	while (rc == AS_OK);
	if (rc != AS_END)
		return rc;
	if (b->highest)
		AS_TRY(as_rd_find(b->rd, AS_F_DC_OUTSIDE_TEXT, AS_OFF_NONE, 0,
			"there are samples at offset 0x%" PRIx64 ", the text has %" PRIu64 " bytes",
			b->highest, b->text_size));
	return as_rd_find_if(
		b->rd, b->rows->counted.sum == 0, AS_F_NO_SAMPLES, "the profile holds no samples");
}
