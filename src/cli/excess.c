/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/excess.h"

static bool is_above(const struct as_excess *x, uint32_t row)
{
	for (uint32_t i = 0; i < x->n_events; i++)
		if (as_table_is_above(x->table, row, x->event[i]))
			return true;
	return false;
}

void as_cli_say_excess(struct as_cli *cli, enum as_by by, size_t n, const char *file)
{
	const char *one = by == AS_BY_FUNC ? "function has" : "row has";
	const char *several = by == AS_BY_FUNC ? "functions have" : "rows have";

	if (n)
		as_say_warning(&cli->ses,
			"%zu %s inclusive costs above the total: the calls in %s cost more than "
			"all there is; see: assay check",
			n, n == 1 ? one : several, file ? file : "these files");
}

void as_cli_warn_of_excess(struct as_cli *cli, const struct as_excess *x)
{
	size_t n = 0, rows = x->row ? x->n : x->table->n;

	as_assert(rows <= x->table->n);
	if (!(x->table->prof->shape & AS_SHAPE_CALLS) || x->no_cycles)
		return;
	for (size_t i = 0; i < rows; i++)
		n += is_above(x, x->row ? x->row[i] : (uint32_t)i);
	as_cli_say_excess(cli, x->table->by, n, x->n_files == 1 ? x->files[0] : NULL);
}

void as_view_warn_of_excess(const struct as_view_run *r, const struct as_table *table)
{
	struct as_excess x = {.table = table,
		.event = r->opts.event,
		.n_events = r->opts.n_events,
		.no_cycles = r->cli->ses.opt.view.cycles == AS_CYCLES_NO,
		.files = r->opts.files,
		.n_files = r->opts.n_files};

	as_cli_warn_of_excess(r->cli, &x);
}
