/* SPDX-License-Identifier: Apache-2.0 */
/* What a profile is and holds: `assay info`; JSON is assay.info/1 (docs/json.md). */
#ifndef AS_REPORT_INFO_H
#define AS_REPORT_INFO_H

#include "io/out.h"
#include "model/profile.h"
#include "report/kit/style.h"
#include "table/name_shares.h"

struct as_info {
	const struct as_profile *prof;
	const char *name; /* of the input */
	const struct as_name_shares *names;
};
enum as_code as_info_text(
	const struct as_info *info, struct as_out *out, const struct as_style *style) AS_NODISCARD;
void as_info_json(const struct as_info *info, struct as_out *out);

/* Distinct functions, objects ... that the profile holds. */
struct as_counts {
	uint64_t functions, files, objects;
	uint64_t places;     /* distinct (function, file, line, address) of paths */
	uint64_t cost_rows;  /* self costs as the source states them */
	uint64_t call_edges; /* call sites and their callees */
	uint64_t paths, nodes, jumps, parts, mappings;
};
void as_info_counts(const struct as_profile *prof, struct as_counts *c);

#endif
