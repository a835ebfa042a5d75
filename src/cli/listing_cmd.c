/* SPDX-License-Identifier: Apache-2.0 */
/* assay list and assay asm: what is printed. */
#include "cli/listing_cmd.h"

static enum as_code listing_text(
	const struct as_list_print *p, const struct as_list_item *item, size_t n)
{
	for (size_t i = 0; i < n; i++)
		AS_TRY(p->code ? as_asm_text(p, &item[i], i) : as_list_text(p, &item[i], i));
	return as_list_put_hidden(p);
}

static enum as_exit listing_print(
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
		rc = listing_text(&p, item, n);
	return as_say_code(&cli->ses, rc, NULL);
}

enum as_exit as_listing_run(struct as_cli *cli, const struct as_listing_args *args)
{
	struct as_files files;
	const char *func;

	AS_DO(as_cli_func(cli, &func, &files));
	return as_listing_ask(&cli->ses, args, func, files, listing_print, cli);
}
