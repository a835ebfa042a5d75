/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A member of gzip, as any reader has it, of which sections can be undone alone: each begins at a
 * byte and refers to nothing before it, and the header's extra field (RFC 1952, 2.3.1.1) says how
 * long they are: a subfield "aS", of each section 12 bytes, the lowest first: bytes of its text,
 * bytes that it takes, CRC-32 of its text.
 */
#ifndef AS_IO_GZIP_SECTIONS_H
#define AS_IO_GZIP_SECTIONS_H

#include "io/gzip_out.h"
#include "io/in.h"

enum { AS_GZIP_SECTIONS_MAX = 1024 };

/* ---- writing ---- */

struct as_sink_sections {
	struct as_sink sink; /* give this to as_out_open() */
	const struct as_alloc *al;
	struct as_sink *inner;
	void *state;
};

/* Nothing goes to INNER before the end, as the header stands in front of all: what is compressed
 * stays in memory. More sections than there may be become one. Ends in finish or abort. */
enum as_code as_sink_sections_open(struct as_sink_sections *ss, const struct as_alloc *al,
	struct as_sink *inner, enum as_gzip_effort effort, struct as_err *err) AS_NODISCARD;
/* Write all, and release SS. */
enum as_code as_sink_sections_finish(struct as_sink_sections *ss, struct as_err *err) AS_NODISCARD;
void as_sink_sections_abort(struct as_sink_sections *ss);

/* ---- reading ---- */

struct as_gzip_section {
	uint32_t text, packed, crc;
	uint64_t at; /* in the file */
};

struct as_gzip_sections {
	const struct as_alloc *al;
	struct as_src *src; /* owned */
	AS_VEC(struct as_gzip_section) row;
	void *unpacks; /* what all sections are unpacked by, once one was */
};

/* False if SRC, which it takes over, is no such file, or says of its sections what cannot be.
 * Release it either way. */
bool as_gzip_sections_open(
	struct as_gzip_sections *gs, const struct as_alloc *al, struct as_src *src);
void as_gzip_sections_release(struct as_gzip_sections *gs);
/* The text of section I to BUF, which has room for it; false if it is not what the header says, or
 * cannot be read. */
AS_NODISCARD bool as_gzip_sections_read(struct as_gzip_sections *gs, size_t i, char *buf);

#endif
