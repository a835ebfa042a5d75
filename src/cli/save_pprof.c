/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/save_pprof.h"

#include "report/pprof_callgrind.h"

bool as_save_is_pprof(
	const struct as_cli *cli, const struct as_save *save, const struct as_profile *prof)
{
	return as_pprof_is_asked(cli) && strcmp(save->fmt->name, "callgrind") == 0 &&
	       as_pprof_fits(prof);
}

struct text {
	const struct as_profile *prof;
	const struct as_pprof_opts *opts;
};

static enum as_code write_text(const void *ctx, struct as_out *out, struct as_err *err)
{
	const struct text *text = ctx;

	return as_pprof_callgrind(text->prof, text->opts, out, err);
}

/* It has one event, and neither calls nor most else: nothing that --strict could allow. */
enum as_exit as_save_pprof(struct as_cli *cli, const struct as_save *save,
	const struct as_profile *prof, struct as_pprof_opts *opts)
{
	struct text text = {prof, opts};
	struct as_save_text how = {write_text, &text};
	struct as_save as_text = *save;
	enum as_exit rc = as_pprof_choose(cli, prof, opts);

	if (rc != AS_EXIT_OK)
		return rc;
	if (cli->opt.strict) {
		as_cli_error(cli,
			"nothing written: pprof's text cannot carry everything (--strict)",
			"without --compat=pprof it can carry more");
		return AS_EXIT_UNSUPPORTED;
	}
	as_text.text = &how;
	rc = as_save_text(cli, &as_text);
	if (rc == AS_EXIT_OK)
		as_cli_note(cli, "as pprof writes it: one event, calls of 0, recursion booked "
				 "several times; without --compat=pprof it is right");
	return rc;
}
