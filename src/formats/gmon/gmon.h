/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gmon.out, what gprof reads: a histogram of addresses, and calls with how often they were made.
 * Sections refer to docs/formats/gmon.md.
 */
#ifndef AS_FORMATS_GMON_GMON_H
#define AS_FORMATS_GMON_GMON_H

#include "formats/format.h"

enum {
	GM_HEAD = 20,   /* "gmon", version, 12 bytes */
	GM_VERSION = 1, /* the only one there is */
	GM_DIMENSION = 15,
	GM_BIN_MAX = UINT16_MAX, /* a bin counts no further */
};

enum as_gm_tag { AS_GM_HISTOGRAM, AS_GM_ARC, AS_GM_BLOCKS };

/* How numbers are stored: those of the machine that was profiled. */
struct as_gm_layout {
	uint32_t width; /* of an address, bytes: 4 or 8 */
	bool big;       /* byte order */
};

static inline uint32_t gm_u32(const char *p, struct as_gm_layout l)
{
	const unsigned char *b = (const unsigned char *)p;

	if (l.big)
		return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static inline uint32_t gm_u16(const char *p, struct as_gm_layout l)
{
	const unsigned char *b = (const unsigned char *)p;

	return l.big ? (uint32_t)b[0] << 8 | b[1] : (uint32_t)b[1] << 8 | b[0];
}

static inline uint64_t gm_word(const char *p, struct as_gm_layout l)
{
	uint64_t first = gm_u32(p, l);

	if (l.width == 4)
		return first;
	return l.big ? first << 32 | gm_u32(p + 4, l) : (uint64_t)gm_u32(p + 4, l) << 32 | first;
}

/* Bytes of a record without its bins or blocks, its tag included; 0: there is no such. */
static inline size_t gm_record_size(unsigned tag, struct as_gm_layout l)
{
	switch (tag) {
	case AS_GM_HISTOGRAM:
		return 1 + 2 * (size_t)l.width + 8 + GM_DIMENSION + 1;
	case AS_GM_ARC:
		return 1 + 2 * (size_t)l.width + 4;
	case AS_GM_BLOCKS:
		return 1 + 4;
	default:
		return 0;
	}
}

struct as_gm_histogram {
	uint64_t low, high;  /* [low, high) */
	uint32_t bins, rate; /* rate: ticks in a second */
	struct as_slice dimension;
};

/* P is a record of the size above. */
void as_gm_histogram_parse(const char *p, struct as_gm_layout l, struct as_gm_histogram *hist);
/* The address in the middle of bin I: a function that has more of it than others has that. */
uint64_t as_gm_bin_address(const struct as_gm_histogram *hist, uint32_t i);
/* In which layout the records behind HEAD's first bytes make sense; WHOLE: nothing follows.
 * False if its version is none that is known. */
bool as_gm_detect(struct as_slice head, bool whole, struct as_gm_layout *layout);

enum as_code as_gm_read_file(struct as_rd *rd) AS_NODISCARD;

#endif
