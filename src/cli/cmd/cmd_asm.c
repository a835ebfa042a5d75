/* SPDX-License-Identifier: Apache-2.0 */
/* assay asm: a function's instructions with their costs. */
#include "cli/cmd/cmd_list.h"

static const struct as_optdef asm_opts[] = {
	AS_LISTING_FIRST,
	AS_LISTING_OPTION(context, 'C', "context", "N",
		"instructions around those with cost; default: all of the function"),
	AS_LISTING_LAST,
	AS_OPTION_END,
};

static enum as_exit asm_run(struct as_cli *cli, const void *argp)
{
	struct as_listing_args args = *(const struct as_listing_args *)argp;

	args.code = true;
	return as_list_run(cli, &args);
}

const struct as_cmd as_cmd_asm = {
	AS_COMMAND(asm, "FUNC FILE...", 2, AS_OPERANDS_ANY, asm_run),
	AS_OWN_OPTIONS(asm_opts, as_listing_args),
	.brief = "a function's instructions with what each costs, and its jumps",
	.about = "FUNC is what it is for assay list. The profile must hold addresses of "
		 "instructions,\n"
		 "as Callgrind's with --dump-instr=yes do. Without the binary there are costs and\n"
		 "addresses only.\n",
	.examples = "assay asm mix callgrind.out.1234\tinstructions, costs, jumps\n"
		    "assay asm mix cpu.prof --syntax intel\tmov rax, [rdi]\n"
		    "assay asm '[gzip+0x4330]' FILE\tcode without a name, and what is around it\n"
		    "assay asm mix FILE -C 2\tonly around what costs something\n"
		    "assay asm mix FILE --binary ./demo\ta binary that has moved",
	.groups = AS_GROUP_READ | AS_GROUP_FORMAT | AS_GROUP_VIEW | AS_GROUP_SYMBOLS |
		  AS_GROUP_FILTER,
};
