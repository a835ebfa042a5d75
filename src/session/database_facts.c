/* SPDX-License-Identifier: Apache-2.0 */
#include "session/database.h"

#include <errno.h>

#include "store/store.h"

/* A folder that others made has none. */
static enum as_exit facts_sum(
	const struct as_session *ses, const struct as_inputs *in, struct as_store_facts *sum)
{
	struct as_err err = AS_ERR_NONE;

	for (size_t i = 0; i < in->flat.n; i++) {
		enum as_code rc = as_store_facts_read(ses->al, in->flat.p[i], sum, &err);

		if (rc != AS_OK && err.sys_errno != ENOENT)
			return as_say_failed(ses, &err, NULL);
	}
	return AS_EXIT_OK;
}

enum as_exit as_database_facts(const struct as_session *ses, struct as_inputs *in)
{
	struct as_store_span span = {.begin = in->flat_begin, .end = in->flat_begin + in->flat_ns};
	struct as_store_facts sum = {0};
	struct as_profile *told;
	struct as_err err = AS_ERR_NONE;

	if (!in->flat.n || !in->prof)
		return AS_EXIT_OK;
	AS_DO(facts_sum(ses, in, &sum));
	if (!sum.counted)
		return AS_EXIT_OK;
	AS_DO(as_say_code(ses, as_store_facts_tell(in->prof, &span, &sum, &told, &err), &err));
	as_profile_replace(&in->prof, told);
	return AS_EXIT_OK;
}
