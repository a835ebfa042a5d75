/* SPDX-License-Identifier: Apache-2.0 */
/* Records of perf_event_open(2), "MMAP layout". Their bytes are not trusted. */
#ifndef AS_RECORD_PERF_PARSE_H
#define AS_RECORD_PERF_PARSE_H

#include "base/slice.h"

enum { AS_PERF_BUILD_ID_MAX = 20 };

/* How the events were opened; read_format is 0 and sample_id_all is set. */
struct as_perf_layout {
	uint64_t sample_type; /* of TID, TIME, PERIOD, CALLCHAIN, REGS_USER, STACK_USER; TID and
			       * TIME always */
	uint64_t regs;        /* the mask of user registers */
};

struct as_perf_rec {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc;
	uint32_t pid, tid, ppid, ptid; /* the parent's: FORK */
	uint64_t time;                 /* nanoseconds */
	uint64_t addr, len, offset;    /* MMAP2 */
	uint32_t prot;
	struct as_slice text; /* MMAP2: the path; COMM: the name */
	uint8_t build_id[AS_PERF_BUILD_ID_MAX];
	uint32_t n_build_id;
	bool side;      /* from a ring without samples */
	uint32_t cpu;   /* whose ring it was in; by the caller, as SIDE is */
	uint64_t count; /* LOST, LOST_SAMPLES: records; READ: the count; SAMPLE: the period */
	struct as_slice chain; /* 8 bytes each */
	struct as_slice regs;  /* 8 bytes each, in the order of their bits; empty: none */
	struct as_slice stack; /* from the stack pointer up */
	bool stack_more;       /* there was no room for all of it */
};

/* False: RECORD is not what the kernel documents. Types that are not known have just TYPE. */
bool as_perf_parse(
	struct as_slice record, const struct as_perf_layout *layout, struct as_perf_rec *rec);

static inline uint64_t as_perf_word(struct as_slice words, size_t i)
{
	uint64_t v;

	memcpy(&v, words.p + 8 * i, sizeof(v));
	return v;
}

#endif
