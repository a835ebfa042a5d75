/* SPDX-License-Identifier: Apache-2.0 */
/* One command, and one duration, for a recording. */
#include "change/kit/change.h"
#include "change/transform.h"
#include "formats/run_lines.h"

struct recording {
	struct as_slice command;
	int64_t duration;
	bool apart;
};

static enum as_code copy_as_one(struct as_change *c, void *ctx)
{
	const struct recording *of = ctx;

	if (of->duration)
		c->b.prof->duration = of->duration;
	for (uint32_t i = 0; i < c->b.prof->part.n && !of->apart; i++)
		AS_TRY(as_build_str(&c->b, of->command, &c->b.prof->part.p[i].command));
	if (of->apart)
		AS_TRY(as_run_put_recorded(&c->b, of->command));
	return as_change_facts(c, NULL);
}

enum as_code as_with_command(const struct as_profile *prof, struct as_slice command,
	int64_t duration, bool apart, struct as_profile **out, struct as_err *err)
{
	struct recording of = {command, duration, apart};

	return as_change_run(prof, NULL, copy_as_one, &of, out, err);
}
