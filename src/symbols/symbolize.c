/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbolize.h"

bool as_wants_symbols(const struct as_profile *prof)
{
	(void)prof;
	return false;
}
enum as_code as_symbolize(const struct as_profile *prof, const struct as_symbol_opts *opts,
	struct as_profile **out, struct as_symbol_report *report, struct as_err *err)
{
	(void)opts;
	(void)err;
	*report = (struct as_symbol_report){0};
	as_arena_init(&report->arena, prof->al);
	*out = NULL;
	return AS_OK;
}
void as_symbol_report_release(struct as_symbol_report *report)
{
	as_arena_release(&report->arena);
}
enum as_code as_symbol_object(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_elf **out, struct as_err *err)
{
	(void)prof;
	(void)o;
	(void)opts;
	*out = NULL;
	return as_err_set(err, AS_E_UNSUPPORTED, "not built with elfutils");
}
