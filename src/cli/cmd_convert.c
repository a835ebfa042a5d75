/* SPDX-License-Identifier: Apache-2.0 */
/* assay convert: one profile in another format, and what that loses. */
#include "cli/filters.h"
#include "cli/pprof_options.h"
#include "cli/save.h"
#include "report/pprof_callgrind.h"

/* ---- the text that pprof writes ---- */

struct pprof_text {
	const struct as_profile *prof; /* borrowed */
	struct as_pprof_opts opts;
};

static enum as_code write_pprof(const void *ctx, struct as_out *out, struct as_err *err)
{
	const struct pprof_text *text = ctx;

	return as_pprof_callgrind(text->prof, &text->opts, out, err);
}

static bool is_callgrind(const struct as_format *fmt)
{
	return strcmp(fmt->name, "callgrind") == 0;
}

/* It has one event, and neither calls nor most else: nothing that --strict could allow. */
static enum as_exit save_pprof(
	struct as_cli *cli, struct as_save *save, struct as_inputs *in, struct pprof_text *text)
{
	struct as_save_text as_text = {write_pprof, text};
	enum as_exit rc = as_cli_drop_frames(cli, &in->prof);

	text->prof = in->prof;
	if (rc == AS_EXIT_OK)
		rc = as_pprof_choose(cli, in->prof, &text->opts);
	if (rc != AS_EXIT_OK)
		return rc;
	if (cli->opt.strict) {
		as_cli_error(cli,
			"nothing written: pprof's text cannot carry everything (--strict)",
			"without --compat=pprof it can carry more");
		return AS_EXIT_UNSUPPORTED;
	}
	save->text = &as_text;
	rc = as_save_text(cli, save);
	if (rc == AS_EXIT_OK)
		as_cli_note(cli, "as pprof writes it: one event, calls of 0, recursion booked "
				 "several times; without --compat=pprof it is right");
	return rc;
}

static enum as_exit convert_run(struct as_cli *cli, const void *argp)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL, .strict = cli->opt.strict};
	struct pprof_text text;
	struct as_save save;
	struct as_inputs in;
	enum as_exit rc = as_save_plan(cli, &save);
	bool pprof;

	(void)argp;
	if (rc == AS_EXIT_OK && !save.fmt)
		rc = as_save_no_format(cli, &save);
	if (rc == AS_EXIT_OK)
		rc = as_pprof_options(cli, AS_PPROF_CALLGRIND, &text.opts);
	if (rc != AS_EXIT_OK)
		return rc;
	rc = as_inputs_load(cli, &opts, true, &in);
	pprof = rc == AS_EXIT_OK && as_pprof_is_asked(cli) && is_callgrind(save.fmt) &&
		as_pprof_fits(in.prof);
	if (pprof)
		rc = save_pprof(cli, &save, &in, &text);
	else if (rc == AS_EXIT_OK)
		rc = as_save_inputs(cli, &save, &in);
	as_inputs_release(&in);
	return rc;
}

const struct as_cmd as_cmd_convert = {
	.name = "convert",
	.args = "FILE -o OUT",
	.brief = "write a profile in another format, and say what is lost",
	.about = "What the new format cannot carry is told on stderr, a line per kind, with the\n"
		 "amount. Sums downwards (paths to calls to places) are exact. Call paths out of "
		 "calls\n"
		 "would be an estimate: they are made with --estimate-paths only.\n",
	.examples = "assay convert cpu.prof -o callgrind.out.1\tfor KCachegrind\n"
		    "assay convert FILE -t gperf -o - | pprof -\tthrough a pipe\n"
		    "assay convert FILE -t dcpi -o DIR/\ta file per image and event\n"
		    "assay convert FILE -o OUT --strict\trefuse if anything gets lost",
	.groups = AS_GROUP_READ | AS_GROUP_WRITE | AS_GROUP_PPROF,
	.min = 1,
	.max = 1,
	.run = convert_run,
};
