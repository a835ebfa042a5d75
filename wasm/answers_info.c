/* SPDX-License-Identifier: Apache-2.0 */
/* info, check: what the input is, and what is odd about it. */
#include "engine.h"
#include "report/answers.h"

enum as_code as_engine_info(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	static const struct as_symbol_report none; /* no names are looked for here */
	struct as_name_shares names;
	struct as_info info = {.name = e->name, .names = &names};
	struct subject s;
	enum as_code rc = as_subject_make_detail(&s, e, q, AS_DETAIL_FULL, f);

	if (rc == AS_OK) {
		info.prof = s.prof;
		rc = as_name_shares_make(&names, s.prof, &none);
		AS_THEN(rc, as_info_json(&info, out));
		as_name_shares_release(&names);
	}
	as_subject_release(&s);
	return rc == AS_E_NOMEM ? as_failure_no_memory(f) : rc;
}

enum as_code as_engine_check(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	const struct as_profile *prof = NULL;
	struct as_err err;
	struct as_checked checked = {.name = e->name, .err = &err};
	struct as_slice format;
	char name[64];

	(void)q;
	if (as_engine_read(e, AS_DETAIL_FULL, &prof, f) != AS_OK && !e->failed)
		return f->err.code;
	checked.findings = &e->findings->f;
	checked.rc = (enum as_code)e->err.code;
	as_err_clear(&err);
	as_err_set(&err, checked.rc, "%s", e->err.message);
	err.off = e->err.offset;
	err.line = e->err.line;
	if (prof) {
		format = as_str_get(prof, prof->format);
		as_escape(name, sizeof(name), format.p, format.len);
		checked.format = name;
	}
	return as_check_data(&checked, 1, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
}
