/* SPDX-License-Identifier: Apache-2.0 */
/* One command, and one duration, for all parts of a recording. */
#include "change/kit/change.h"
#include "change/transform.h"

enum as_code as_with_command(const struct as_profile *prof, struct as_slice command,
	int64_t duration, struct as_profile **out, struct as_err *err)
{
	struct as_change c;
	enum as_code rc = AS_OK;

	*out = NULL;
	AS_TRY(as_change_begin(&c, prof, err));
	if (duration)
		c.b.prof->duration = duration;
	for (uint32_t i = 0; i < c.b.prof->part.n && rc == AS_OK; i++)
		rc = as_build_str(&c.b, command, &c.b.prof->part.p[i].command);
	if (rc == AS_OK)
		rc = as_change_facts(&c);
	return as_change_end(&c, rc, out);
}
