/* SPDX-License-Identifier: Apache-2.0 */
/* Records of perf_event_open(2), "MMAP layout", as they stand in ring buffers and in files of
 * perf. Their bytes are not trusted. */
#ifndef AS_PERF_PERF_PARSE_H
#define AS_PERF_PERF_PARSE_H

#include "base/slice.h"
#include "perf/perf_abi.h"

enum { AS_PERF_BUILD_ID_MAX = 20, AS_PERF_HEAD = 8 };

/* How an event was opened. */
struct as_perf_layout {
	uint64_t sample_type; /* AS_PERF_S_* */
	uint64_t regs;        /* the mask of user registers */
	uint64_t read_format; /* AS_PERF_R_* */
	uint64_t branch_type; /* AS_PERF_B_* */
	bool swap;            /* in the other byte order */
	bool bare;            /* records other than samples do not end in time and the like */
};

struct as_perf_rec {
	uint32_t type; /* AS_PERF_*: PERF_RECORD_* */
	uint16_t misc;
	bool has_time;
	uint32_t pid, tid, ppid, ptid; /* the parent's: FORK */
	uint64_t time;                 /* nanoseconds */
	uint64_t id;                   /* of the event, where asked for */
	uint64_t addr, len, offset;    /* MMAP, MMAP2, KSYMBOL; AUX has the last two */
	uint32_t prot;
	struct as_slice text; /* MMAP, MMAP2, CGROUP: the path; COMM, KSYMBOL: the name */
	uint64_t ip;          /* SAMPLE, where asked for */
	uint64_t cgroup;      /* SAMPLE, where asked for; CGROUP; 0: none */
	uint8_t build_id[AS_PERF_BUILD_ID_MAX];
	uint32_t n_build_id;
	bool side;      /* from a ring without samples */
	bool off;       /* KSYMBOL: it goes */
	uint32_t cpu;   /* whose ring it was in; by the caller, as SIDE is; of a file: SAMPLE's */
	uint64_t count; /* LOST, LOST_SAMPLES: records; READ: the count; SAMPLE: the period */
	struct as_slice counts;   /* SAMPLE: words, as read_format has them */
	struct as_slice chain;    /* 8 bytes each */
	struct as_slice raw;      /* what a tracepoint says */
	struct as_slice branches; /* 24 bytes each: from, to, flags */
	struct as_slice regs;     /* 8 bytes each, in the order of their bits; empty: none */
	uint64_t regs_abi;        /* of these: 1: 32 bits, 2: 64 */
	struct as_slice stack;    /* from the stack pointer up */
	bool stack_more;          /* there was no room for all of it */
};

/* False: RECORD is not what the kernel documents. Types that are not known have just TYPE. */
bool as_perf_parse(
	struct as_slice record, const struct as_perf_layout *layout, struct as_perf_rec *rec);

/* Word I of texts of words in this machine's byte order. */
static inline uint64_t as_perf_word(struct as_slice words, size_t i)
{
	uint64_t v;

	memcpy(&v, words.p + 8 * i, sizeof(v));
	return v;
}

static inline uint64_t as_perf_word_of(
	const struct as_perf_layout *layout, struct as_slice words, size_t i)
{
	uint64_t v = as_perf_word(words, i);

	return layout->swap ? __builtin_bswap64(v) : v;
}

/* How many words stand before or behind the time of a record of LAYOUT: in samples, from the
 * beginning; in others, to the end. */
unsigned as_perf_words_before(uint64_t sample_type, uint64_t field);
unsigned as_perf_words_to_end(uint64_t sample_type, uint64_t field);

/* "0f5a..." of the build id. */
struct as_slice as_perf_hex_id(
	const uint8_t *id, uint32_t n, char text[2 * AS_PERF_BUILD_ID_MAX + 1]);

#endif
