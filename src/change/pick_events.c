/* SPDX-License-Identifier: Apache-2.0 */
/* A profile with some of its events. */
#include "change/kit/change.h"
#include "change/transform.h"

/* Functions keep their numbers, and rows with them their order: what is found first in the source
 * is found first in the result. */
static enum as_code copy_facts(struct as_change *c, void *none)
{
	as_file file;
	as_func func;

	for (uint32_t i = 0; i < c->src->file.n; i++)
		AS_TRY(as_remap_file(&c->r, (as_file){i}, &file));
	for (uint32_t i = 0; i < c->src->func.name.n; i++)
		AS_TRY(as_remap_func(&c->r, (as_func){i}, &func));
	return as_change_facts(c, none);
}

enum as_code as_pick_events(const struct as_profile *prof, const uint32_t *event, uint32_t n,
	struct as_profile **out, struct as_err *err)
{
	return as_change_run(prof, &(struct as_change_keep){.event = event, .n_events = n},
		copy_facts, NULL, out, err);
}
