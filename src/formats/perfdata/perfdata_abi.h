/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of perf's own files, beside those of the kernel's records, and where tracepoints have
 * what they say. */
#ifndef AS_FORMATS_PERFDATA_PERFDATA_ABI_H
#define AS_FORMATS_PERFDATA_PERFDATA_ABI_H

#include "perf/perf_abi.h"

/* Records that perf itself writes. */
enum pd_type {
	PD_ATTR = 64,
	PD_EVENT_TYPE = 65,
	PD_TRACING_DATA = 66,
	PD_BUILD_ID = 67,
	PD_FINISHED_ROUND = 68,
	PD_AUXTRACE_INFO = 70,
	PD_AUXTRACE = 71,
	PD_AUXTRACE_ERROR = 72,
	PD_EVENT_UPDATE = 78,
	PD_FEATURE = 80,
	PD_COMPRESSED = 81,
	PD_COMPRESSED2 = 83,
	PD_KNOWN_TYPES = 87,
};

enum pd_feature {
	PD_F_TRACING = 1,
	PD_F_BUILD_ID = 2,
	PD_F_HOSTNAME = 3,
	PD_F_RELEASE = 4,
	PD_F_VERSION = 5,
	PD_F_ARCH = 6,
	PD_F_NRCPUS = 7,
	PD_F_CPUDESC = 8,
	PD_F_CMDLINE = 11,
	PD_F_EVENT_DESC = 12,
	PD_F_CLOCK_DATA = 29,
	PD_F_MAX = 256,
};

/* Bits of an event's flags. */
enum {
	PD_EXCLUDE_USER = 4,
	PD_EXCLUDE_KERNEL = 5,
	PD_EXCLUDE_HV = 6,
	PD_FREQ = 10,
	PD_PRECISE = 15, /* and the next */
	PD_SAMPLE_ID_ALL = 18,
	PD_EXCLUDE_HOST = 19,
	PD_EXCLUDE_GUEST = 20,
	PD_COMM_EXEC = 24,
	PD_USE_CLOCKID = 25,
};

/* Bytes SIZE at AT of what a tracepoint says. */
struct pd_field {
	uint32_t at, size;
};

struct pd_fields {
	struct pd_field prev, state, next; /* sched:sched_switch */
	struct pd_field woken;             /* sched:sched_wakeup */
};

#endif
