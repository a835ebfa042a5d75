/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that an unwinder needs, as the kernel numbers them. */
#ifndef AS_RECORD_PERF_REGS_H
#define AS_RECORD_PERF_REGS_H

#include "base/base.h"

#if defined(__x86_64__)
#include <asm/perf_regs.h>

#define AS_PERF_HAVE_REGS 1
/* ax to ip, then r8 to r15 */
#define AS_PERF_REGS                                    \
	(((UINT64_C(1) << (PERF_REG_X86_IP + 1)) - 1) | \
		((UINT64_C(1) << (PERF_REG_X86_R15 + 1)) - (UINT64_C(1) << PERF_REG_X86_R8)))
#else
#define AS_PERF_HAVE_REGS 0
#define AS_PERF_REGS UINT64_C(0)
#endif

#endif
