/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DCPI profiles, docs/formats/dcpi.md. Private to src/formats/dcpi.
 *
 * A file is a header of lines "key value", the line "samples", then in little-endian 32-bit
 * words: chunks (offset, number, counts) and a footer (addresses with samples, samples).
 */
#ifndef AS_FORMATS_DCPI_DCPI_H
#define AS_FORMATS_DCPI_DCPI_H

#include "formats/format.h"

enum {
	DCPI_HEADER_MAX = AS_PEEK_MAX, /* what a probe cannot see, the reader does not accept */
	DCPI_COLUMN = 21,              /* where the values of a canonical header stand */
	DCPI_STRIDE = 4,               /* bytes of an Alpha instruction */
	DCPI_STRIDE_MAX = 4096,
	DCPI_EPOCH_DIGITS = 10, /* YYMMDDHHMM; more are not yet supported, says the page */
	DCPI_WORD = 4,
	DCPI_FOOTER = 2 * DCPI_WORD,
	DCPI_ACTIVE_ALL = 10000, /* an event that was counted all the time */
};

/* The keys that mean something to us; the first nine are required. */
enum dcpi_key {
	DCPI_VERSION,
	DCPI_IMAGE,
	DCPI_EPOCH,
	DCPI_PLATFORM,
	DCPI_EVENT,
	DCPI_PERIOD,
	DCPI_TSTART,
	DCPI_TSIZE,
	DCPI_CPUSPEED,
	DCPI_REQUIRED,
	DCPI_PATH = DCPI_REQUIRED,
	DCPI_CPUAMASK,
	DCPI_CPUIMPLV,
	DCPI_CPUCOUNT,
	/* lines of our own, unknown to other programs, which keep them */
	DCPI_STRIDE_KEY,
	DCPI_EPOCH_UNKNOWN,
	DCPI_EVENT_UNIT,
	DCPI_PERIOD_UNIT,
	DCPI_ADDRESSES,
	DCPI_ACTIVE,
	DCPI_KEYS
};

/* What the header says. TEXT and NUM hold the first line of each key. */
struct dcpi_header {
	uint32_t seen; /* bit per key */
	uint32_t good; /* of them, those whose value can be used */
	as_str text[DCPI_KEYS];
	uint64_t num[DCPI_KEYS];   /* of the ones that are numbers */
	uint64_t again[DCPI_KEYS]; /* line of the first one too many, or 0 */
	uint64_t minor;
	bool has_version; /* the version line could be read: its major is num[DCPI_VERSION] */
	bool known_version;
};

/* KEY is there, with a value that can be used. */
static inline bool as_dcpi_has(const struct dcpi_header *h, enum dcpi_key key)
{
	return h->good >> key & 1;
}

static inline uint32_t as_dcpi_le32(const char *at)
{
	const unsigned char *p = (const unsigned char *)at;

	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* ---- dcpi_line.c: one line ---- */
/* "samples", blanks and nothing else: the last line of a header. */
bool as_dcpi_is_end(struct as_slice line);
/* Split "key value"; REST is what follows the key, blanks first. False if it is no such line. */
bool as_dcpi_split(struct as_slice line, struct as_slice *key, struct as_slice *rest);
/* The key's number, or DCPI_KEYS. */
enum dcpi_key as_dcpi_key(struct as_slice name);
const char *as_dcpi_key_name(enum dcpi_key key);
/* "pdb-MAJOR.MINOR" */
bool as_dcpi_version(struct as_slice text, uint64_t *major, uint64_t *minor);
/* Drops "0x". */
struct as_slice as_dcpi_hex_digits(struct as_slice text);

/* ---- dcpi_read.c, dcpi_body.c ---- */
enum as_code as_dcpi_read(struct as_rd *rd) AS_NODISCARD;
struct dcpi_body {
	struct as_rd *rd;
	const struct dcpi_header *header;
	uint64_t text_start;
	uint64_t text_size; /* UINT64_MAX = not known */
	uint64_t stride;
	bool stride_known;
	/* so far */
	uint64_t n_chunks;
	uint64_t end;         /* first offset behind the last chunk */
	uint32_t last;        /* counts of the chunk that ends there */
	bool guessed;         /* the stride, and that was told */
	uint64_t highest;     /* offset beyond the text that has samples, or 0 */
	struct as_rows *rows; /* where they go; rows->counted is what the footer should say */
};
/* Everything behind the header. */
enum as_code as_dcpi_read_body(struct dcpi_body *b) AS_NODISCARD;

/* ---- dcpi_pieces.c: a file for every image and event ---- */
struct dcpi_piece {
	as_object object;
	uint32_t event;
};
uint32_t as_dcpi_pieces(const struct as_profile *prof);
void as_dcpi_piece_name(const struct as_profile *prof, uint32_t number, char *name, size_t size);
/* False if out of memory. */
AS_NODISCARD bool as_dcpi_piece(
	const struct as_profile *prof, uint32_t number, struct dcpi_piece *piece);

/* ---- dcpi_write.c, dcpi_write_header.c ---- */
enum as_code as_dcpi_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

/* What a piece's header is made from. */
struct dcpi_head {
	struct as_wr *wr;
	const struct as_profile *prof;
	struct dcpi_piece piece;
	uint32_t part; /* whose lines are the header's, or UINT32_MAX */
	uint64_t text_start, text_size;
	bool dense; /* counts stand four bytes apart */
};
/* The part that was read from a file of this image and event, or UINT32_MAX. */
uint32_t as_dcpi_header_part(const struct as_profile *prof, struct dcpi_piece piece);
enum as_code as_dcpi_write_header(const struct dcpi_head *hd) AS_NODISCARD;

#endif
