/* SPDX-License-Identifier: Apache-2.0 */
/* assay share: a profile as one page that any browser shows. */
#include "cli/answer.h"
#include "cli/page/share_cmd.h"

struct share_args {
	struct as_share_args share;
	struct as_list base;
	const char *output;
	bool overwrite;
};

static const struct as_optdef share_opts[] = {
	AS_OPTION(share_args, output, 'o', "output", "FILE", "write to FILE, .html; '-' is stdout"),
	AS_OPTION(share_args, overwrite, 'y', "overwrite", NULL, "replace an existing FILE"),
	AS_OPTION_FILES(share_args, base, "base", "BASE",
		"what the page compares with; may be repeated: runs, merged"),
	AS_SHARE_OPTIONS(share_args),
	AS_OPTION_END,
};

static bool is_html(const char *path)
{
	struct as_slice s = as_slice_of(path);

	return as_slice_ends(s, ".html") || as_slice_ends(s, ".htm") || as_slice_starts(s, "/dev/");
}

static enum as_exit check_output(struct as_cli *cli, const struct share_args *args)
{
	const char *what = NULL, *hint = "as in -o report.html; to look at it at once: assay open";
	bool to_stdout = args->output && strcmp(args->output, "-") == 0;

	if (!args->output)
		what = "where to? option '-o FILE' is missing";
	else if (to_stdout && cli->ses.out_tty)
		what = "a page will not be written to a terminal";
	else if (!to_stdout && !is_html(args->output))
		what = "option '-o': expected a file .html";
	if (!what)
		return AS_EXIT_OK;
	return as_say_usage(&cli->ses, what, hint);
}

static enum as_exit write_page(
	struct as_cli *cli, struct as_share *s, const struct share_args *args)
{
	struct as_answer answer;
	enum as_exit rc = as_answer_begin(&answer, cli, args->output, args->overwrite);

	AS_THEN(rc, as_share_write(s, answer.out));
	return as_answer_end(&answer, rc);
}

static enum as_exit share_run(struct as_cli *cli, const void *argp)
{
	const struct share_args *args = argp;
	struct as_share s;
	enum as_exit rc;

	AS_DO(check_output(cli, args));
	rc = as_share_plan(&s, &cli->ses, &args->share);
	AS_THEN(rc, as_cli_unit(cli, args->share.unit, 0));
	AS_THEN(rc, as_answer_check(cli, args->output, args->overwrite));
	AS_THEN(rc, as_share_read(
			    &s, as_cli_files(cli), (struct as_files){args->base.p, args->base.n}));
	if (rc == AS_EXIT_OK)
		as_share_tell(&s, strcmp(args->output, "-") == 0 ? "the page" : args->output);
	AS_THEN(rc, write_page(cli, &s, args));
	as_share_release(&s);
	return rc;
}

const struct as_cmd as_cmd_share = {
	AS_COMMAND(share, "FILE... -o OUT.html", 1, AS_OPERANDS_ANY, share_run),
	AS_OWN_OPTIONS(share_opts, share_args),
	.brief = "a profile as one page that any browser shows, without a network",
	.about = "The page holds the profile, the engine that reads it, and source and "
		 "instructions of\n"
		 "its hottest functions, as far as they can be had. What it holds is told on "
		 "stderr.\n"
		 "Filters are what the page begins with, and can be undone there, unless --only is "
		 "given.\n"
		 "Several files are merged first.\n",
	.examples = "assay share cpu.prof -o report.html\topen it from a mail\n"
		    "assay share new.prof --base old.prof -o diff.html\twhat has changed\n"
		    "assay share FILE -o r.html --view flame --focus parse\tbegin there\n"
		    "assay share FILE -o r.html --no-source\tnothing of the source goes along",
	.groups = AS_SHARE_GROUPS,
};
