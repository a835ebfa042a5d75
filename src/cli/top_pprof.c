/* SPDX-License-Identifier: Apache-2.0 */
/* assay top --compat=pprof: the text that pprof -text prints, for those who compare or migrate. */
#include "cli/cmd/cmd_top.h"

#include "compat/pprof/pprof_text.h"

/* pprof has no rows by object, part or thread. */
static bool has_rows_of(unsigned by)
{
	return by == AS_BY_FUNC || by == AS_BY_FILEFUNC || by == AS_BY_FILE || by == AS_BY_LINE ||
	       by == AS_BY_ADDR;
}

void as_top_pprof_begin(
	struct as_cli *cli, const struct as_top_args *args, unsigned by, struct as_top_pprof *tp)
{
	static const enum as_pg_by granularity[] = {[AS_BY_FUNC] = AS_PG_FUNCS,
		[AS_BY_FILE] = AS_PG_FILES,
		[AS_BY_LINE] = AS_PG_LINES,
		[AS_BY_ADDR] = AS_PG_ADDRS,
		[AS_BY_FILEFUNC] = AS_PG_FILEFUNCS};
	const char *sort = args->sort;

	tp->asked = as_pprof_is_asked(cli) && has_rows_of(by);
	if (!tp->asked)
		return;
	as_pprof_options(cli, AS_PPROF_TEXT, &tp->opts);
	tp->opts.by = granularity[by];
	if (args->rows.given) {
		tp->opts.has_node_count = true;
		tp->opts.node_count = args->rows.value;
	}
	if (args->cumulative || (sort && as_slice_starts(as_slice_of(sort), "inclusive")))
		tp->opts.by_cum = true;
	else if (sort && strcmp(sort, "self") != 0)
		tp->opts.sample_index = sort;
	if (args->events)
		tp->opts.sample_index = args->events;
	if (args->unit)
		tp->opts.unit = cli->ses.tag_unit = args->unit;
}

enum as_exit as_top_as_pprof(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts)
{
	AS_DO(as_pprof_choose(cli, prof, opts));
	return as_pprof_print(cli, prof, opts, as_pprof_text);
}
