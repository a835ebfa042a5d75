/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as pprof prints them, to the byte: --compat=pprof. */
#ifndef AS_REPORT_PPROF_TEXT_H
#define AS_REPORT_PPROF_TEXT_H

#include "io/out.h"
#include "ops/pprof_graph.h"

struct as_pprof_opts {
	enum as_pg_by by;
	uint32_t event; /* column */
	bool no_inlines, by_cum;
	bool compact; /* without what the profile is of */
	uint64_t node_count;
	double node_fraction, edge_fraction;
};

/* `pprof -text`. PROF has paths. */
enum as_code as_pprof_text(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err) AS_NODISCARD;

#endif
