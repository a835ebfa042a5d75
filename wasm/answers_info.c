/* SPDX-License-Identifier: Apache-2.0 */
/* info, check: what the input is, and what is odd about it. */
#include "engine.h"
#include "report/check.h"
#include "report/info.h"

enum as_code as_engine_info(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	static const struct as_symbol_report none; /* no names are looked for here */
	struct as_name_shares names;
	struct as_info info = {.prof = e->prof, .name = e->name, .names = &names};
	enum as_code rc = as_name_shares_make(&names, info.prof, &none);

	(void)q;
	if (rc == AS_OK)
		as_info_json(&info, out);
	as_name_shares_release(&names);
	return rc == AS_OK ? AS_OK : as_failure_no_memory(f);
}

enum as_code as_engine_check(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct as_err err;
	struct as_checked checked = {
		.name = e->name,
		.findings = &e->findings->f,
		.rc = (enum as_code)e->err.code,
		.err = &err,
	};
	struct as_slice format;
	char name[64];

	(void)q;
	(void)f;
	as_err_clear(&err);
	as_err_set(&err, checked.rc, "%s", e->err.message);
	err.off = e->err.offset;
	err.line = e->err.line;
	if (e->prof) {
		format = as_str_get(e->prof, e->prof->format);
		as_escape(name, sizeof(name), format.p, format.len);
		checked.format = name;
	}
	as_check_json(&checked, 1, out);
	return AS_OK;
}
