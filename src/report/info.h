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

#endif
