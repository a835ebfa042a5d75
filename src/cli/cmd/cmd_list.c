/* SPDX-License-Identifier: Apache-2.0 */
/* assay list: a function's source with its costs. */
#include "cli/cmd/cmd_list.h"

static const struct as_optdef list_opts[] = {
	AS_LISTING_FIRST,
	AS_LISTING_OPTION(context, 'C', "context", "N",
		"lines around lines with cost; default: all of the function"),
	AS_LISTING_OPTION(asm_too, 0, "asm", NULL, "the instructions of each line below it"),
	AS_LISTING_LAST,
	AS_OPTION_END,
};

/* ---- what is printed ---- */

static enum as_code list_text(
	const struct as_list_print *p, const struct as_list_item *item, size_t n)
{
	for (size_t i = 0; i < n; i++)
		AS_TRY(p->code ? as_asm_text(p, &item[i], i) : as_list_text(p, &item[i], i));
	return as_list_put_hidden(p);
}

static enum as_exit list_print(
	void *ctx, const struct as_list_print *of, const struct as_list_item *item, size_t n)
{
	struct as_cli *cli = ctx;
	unsigned format = cli->ses.opt.view.format;
	struct as_list_print p = *of;
	enum as_code rc;

	p.style = &cli->style;
	AS_DO(as_cli_out(cli, &p.out));
	if (format == AS_FORMAT_JSON || format == AS_FORMAT_CSV)
		rc = as_list_data(
			&p, format == AS_FORMAT_JSON ? AS_FORM_JSON : AS_FORM_CSV, item, n);
	else
		rc = list_text(&p, item, n);
	return as_say_code(&cli->ses, rc, NULL);
}

enum as_exit as_list_run(struct as_cli *cli, const struct as_listing_args *args)
{
	struct as_files files;
	const char *func;

	AS_DO(as_cli_func(cli, &func, &files));
	return as_listing_ask(&cli->ses, args, func, files, list_print, cli);
}

static enum as_exit cmd_list_run(struct as_cli *cli, const void *args)
{
	return as_list_run(cli, args);
}

const struct as_cmd as_cmd_list = {
	AS_COMMAND(list, "FUNC FILE...", 2, AS_OPERANDS_ANY, cmd_list_run),
	AS_OWN_OPTIONS(list_opts, as_listing_args),
	.brief = "a function's source, line by line, with what each line costs",
	.about = "FUNC is a function's name, with or without its arguments; or FILE:LINE; or code "
		 "without a\n"
		 "name as top shows it, [gzip+0x4330]; or a part of the name; or a regular "
		 "expression.\n"
		 "Calls stand below the line that makes them. Several files are merged first.\n",
	.examples = "assay list main callgrind.out.1234\twhere main spends its time\n"
		    "assay list demo.c:66 FILE\tthe function that line is in\n"
		    "assay list '^std::sort' FILE -n 3\tthe three largest that match\n"
		    "assay list mix FILE --asm\twith the instructions of each line\n"
		    "assay list mix FILE --path-map /build=$HOME/src\tsource that has moved",
	.groups = AS_GROUP_READ | AS_GROUP_FORMAT | AS_GROUP_VIEW | AS_GROUP_SYMBOLS |
		  AS_GROUP_FILTER,
};
