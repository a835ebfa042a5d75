/* SPDX-License-Identifier: Apache-2.0 */
/* The text that `pprof -callgrind` writes, to the byte, for --compat=pprof. PROF has paths. */
#ifndef AS_REPORT_PPROF_CALLGRIND_H
#define AS_REPORT_PPROF_CALLGRIND_H

#include "report/pprof_report.h"

/* OPTS are of the kind AS_PPROF_CALLGRIND. A name with line ends in it has blanks there. */
enum as_code as_pprof_callgrind(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;

#endif
