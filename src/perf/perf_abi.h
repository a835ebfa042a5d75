/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of perf_event_open(2)'s records, which are the same on every machine: files of perf
 * are read where there is no such system. */
#ifndef AS_PERF_PERF_ABI_H
#define AS_PERF_PERF_ABI_H

#include "base/base.h"

enum as_perf_type {
	AS_PERF_MMAP = 1,
	AS_PERF_LOST = 2,
	AS_PERF_COMM = 3,
	AS_PERF_EXIT = 4,
	AS_PERF_THROTTLE = 5,
	AS_PERF_UNTHROTTLE = 6,
	AS_PERF_FORK = 7,
	AS_PERF_READ = 8,
	AS_PERF_SAMPLE = 9,
	AS_PERF_MMAP2 = 10,
	AS_PERF_AUX = 11,
	AS_PERF_ITRACE_START = 12,
	AS_PERF_LOST_SAMPLES = 13,
	AS_PERF_SWITCH = 14,
	AS_PERF_SWITCH_CPU_WIDE = 15,
	AS_PERF_NAMESPACES = 16,
	AS_PERF_KSYMBOL = 17,
	AS_PERF_BPF_EVENT = 18,
	AS_PERF_CGROUP = 19,
	AS_PERF_TEXT_POKE = 20,
	AS_PERF_AUX_OUTPUT_HW_ID = 21,
	AS_PERF_CALLCHAIN_DEFERRED = 22,
	AS_PERF_KERNEL_TYPES, /* larger than those that the kernel writes */
};

enum as_perf_mode {
	AS_PERF_MODE_UNKNOWN,
	AS_PERF_MODE_KERNEL,
	AS_PERF_MODE_USER,
	AS_PERF_MODE_HYPERVISOR,
	AS_PERF_MODE_GUEST_KERNEL,
	AS_PERF_MODE_GUEST_USER,
	AS_PERF_MODES,
	AS_PERF_MODE_MASK = 7, /* of MISC */
};

/* MISC, by the type of the record. */
enum {
	AS_PERF_MISC_DATA = 1 << 13,        /* MMAP, MMAP2: no code */
	AS_PERF_MISC_EXEC = 1 << 13,        /* COMM */
	AS_PERF_MISC_FORK_EXEC = 1 << 13,   /* FORK: perf's own, and mappings follow */
	AS_PERF_MISC_OUT = 1 << 13,         /* SWITCH: the thread leaves */
	AS_PERF_MISC_BUILD_ID = 1 << 14,    /* MMAP2 */
	AS_PERF_MISC_PREEMPT = 1 << 14,     /* SWITCH: and could run on */
	AS_PERF_MISC_LOST_BY_BPF = 1 << 15, /* LOST_SAMPLES: refused, not lost */
};

/* What a sample has, and the end of other records. */
#define AS_PERF_S_IP (UINT64_C(1) << 0)
#define AS_PERF_S_TID (UINT64_C(1) << 1)
#define AS_PERF_S_TIME (UINT64_C(1) << 2)
#define AS_PERF_S_ADDR (UINT64_C(1) << 3)
#define AS_PERF_S_READ (UINT64_C(1) << 4)
#define AS_PERF_S_CALLCHAIN (UINT64_C(1) << 5)
#define AS_PERF_S_ID (UINT64_C(1) << 6)
#define AS_PERF_S_CPU (UINT64_C(1) << 7)
#define AS_PERF_S_PERIOD (UINT64_C(1) << 8)
#define AS_PERF_S_STREAM_ID (UINT64_C(1) << 9)
#define AS_PERF_S_RAW (UINT64_C(1) << 10)
#define AS_PERF_S_BRANCH_STACK (UINT64_C(1) << 11)
#define AS_PERF_S_REGS_USER (UINT64_C(1) << 12)
#define AS_PERF_S_STACK_USER (UINT64_C(1) << 13)
#define AS_PERF_S_WEIGHT (UINT64_C(1) << 14)
#define AS_PERF_S_DATA_SRC (UINT64_C(1) << 15)
#define AS_PERF_S_IDENTIFIER (UINT64_C(1) << 16)
#define AS_PERF_S_TRANSACTION (UINT64_C(1) << 17)
#define AS_PERF_S_REGS_INTR (UINT64_C(1) << 18)
#define AS_PERF_S_PHYS_ADDR (UINT64_C(1) << 19)
#define AS_PERF_S_CGROUP (UINT64_C(1) << 21)
#define AS_PERF_S_WEIGHT_STRUCT (UINT64_C(1) << 24)

/* How counts are read. */
#define AS_PERF_R_ENABLED (UINT64_C(1) << 0)
#define AS_PERF_R_RUNNING (UINT64_C(1) << 1)
#define AS_PERF_R_ID (UINT64_C(1) << 2)
#define AS_PERF_R_GROUP (UINT64_C(1) << 3)
#define AS_PERF_R_LOST (UINT64_C(1) << 4)

/* branch_sample_type */
#define AS_PERF_B_CALL_STACK (UINT64_C(1) << 11)
#define AS_PERF_B_HW_INDEX (UINT64_C(1) << 17)
#define AS_PERF_B_COUNTERS (UINT64_C(1) << 19)

/* Marks in a call chain, before the addresses of another part of it. */
#define AS_PERF_CONTEXT_HV ((uint64_t)-32)
#define AS_PERF_CONTEXT_KERNEL ((uint64_t)-128)
#define AS_PERF_CONTEXT_USER ((uint64_t)-512)
#define AS_PERF_CONTEXT_DEFERRED ((uint64_t)-640) /* a number follows */
#define AS_PERF_CONTEXT_GUEST ((uint64_t)-2048)
#define AS_PERF_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define AS_PERF_CONTEXT_GUEST_USER ((uint64_t)-2560)
#define AS_PERF_CONTEXT_MAX ((uint64_t)-4095)

#endif
