/* SPDX-License-Identifier: Apache-2.0 */
/* assay check: every deviation from the format, with its place. */
#include "cli/view_cmd.h"
#include "report/answers.h"
#include "session/load.h"

static enum as_exit check_print(struct as_cli *cli, const struct as_checked *checked, size_t n)
{
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(cli, &to));
	if (to.form == AS_FORM_TEXT)
		as_check_text(checked, n, to.out, to.style);
	else if (as_check_data(checked, n, &to) != AS_OK)
		return as_say_no_memory(&cli->ses);
	return AS_EXIT_OK;
}

/* The profiles are not needed once their findings are known. */
static enum as_exit check_read_all(struct as_cli *cli, struct as_inputs *in)
{
	static const struct as_load_opts opts = {.detail = AS_DETAIL_FULL, .check = true};

	AS_DO(as_say_memory(&cli->ses, as_vec_reserve(cli->ses.al, &in->loaded, in->file.n)));
	for (size_t i = 0; i < in->file.n; i++) {
		struct as_loaded *ld = &in->loaded.p[in->loaded.n++];

		as_load(&cli->ses, in->file.p[i], &opts, ld);
		as_profile_free(ld->prof);
		ld->prof = NULL;
	}
	return AS_EXIT_OK;
}

static enum as_exit status_of(const struct as_loaded *ld, const struct as_checked *c)
{
	if (ld->rc != AS_OK)
		return as_exit_of(&ld->err);
	return as_checked_errors(c) ? AS_EXIT_NO : AS_EXIT_OK;
}

static enum as_exit check_judge(struct as_cli *cli, struct as_inputs *in)
{
	size_t n = in->file.n + 1;
	struct as_checked *c = as_alloc_new(cli->ses.al, n * sizeof(*c));
	enum as_exit rc = AS_EXIT_OK, printed;

	AS_DO(as_say_memory(&cli->ses, c));
	for (size_t i = 0; i < in->file.n; i++) {
		const struct as_loaded *ld = &in->loaded.p[i];
		enum as_exit one;

		c[i] = (struct as_checked){
			.name = strcmp(ld->path, "-") == 0 ? "<stdin>" : ld->path,
			.format = ld->fmt ? ld->fmt->name : NULL,
			.findings = &ld->findings,
			.rc = ld->rc,
			.err = &ld->err,
		};
		one = status_of(ld, &c[i]);
		if (one > rc)
			rc = one;
	}
	/* What there is to say about the set of files counts as one more input. */
	c[in->file.n] = (struct as_checked){
		.name = cli->operand[0], .format = "all parts", .findings = &in->findings};
	printed = check_print(cli, c, in->findings.row.n ? n : n - 1);
	as_alloc_free(cli->ses.al, c, n * sizeof(*c));
	return printed == AS_EXIT_OK ? rc : printed;
}

static enum as_exit check_run(struct as_cli *cli, const void *argp)
{
	struct as_inputs in;
	enum as_exit rc = as_inputs_find(&cli->ses, as_cli_files(cli), &in);

	(void)argp;
	AS_THEN(rc, check_read_all(cli, &in));
	AS_THEN(rc, check_judge(cli, &in));
	as_inputs_release(&in);
	return rc;
}

const struct as_cmd as_cmd_check = {
	AS_COMMAND(check, "FILE...", 1, AS_OPERANDS_ANY, check_run),
	.brief = "every deviation from the format, with its place",
	.about =
		"Reads all of each file, compares declared totals with sums, and goes on after an\n"
		"error where that is possible. Status 1 if there are errors; 3 or 4 if a file\n"
		"cannot be read at all. Warnings and infos leave the status 0. The codes in [] "
		"are\n"
		"explained in docs/findings.md.\n",
	.examples = "assay check callgrind.out.1234\tFILE:LINE: severity: message [code]\n"
		    "assay check -f json *.prof\tfor programs: assay.check/1",
	.groups = AS_GROUP_READ | AS_GROUP_FORMAT,
};
