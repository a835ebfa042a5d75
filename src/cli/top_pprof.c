/* SPDX-License-Identifier: Apache-2.0 */
/* assay top --compat=pprof: the text that pprof -text prints, for those who compare or migrate. */
#include "cli/cmd_top.h"

#include <stdlib.h>

#include "report/pprof_text.h"
#include "report/top.h"

bool as_top_is_pprof(
	const struct as_cli *cli, const struct as_profile *prof, const struct as_top_opts *opts)
{
	return cli->opt.compat && cli->opt.format <= AS_FORMAT_TEXT &&
	       !(prof->shape & (AS_SHAPE_CALLS | AS_SHAPE_PLACES)) && prof->event.n &&
	       opts->project.by != AS_BY_OBJECT;
}

static bool take_fraction(const char *text, double *out)
{
	char *end;

	*out = strtod(text, &end);
	return end != text && *end == '\0' && *out >= 0 && *out <= 1;
}

static bool take_granularity(const char *text, enum as_pg_by *out)
{
	static const char *const words[] = {
		"functions", "filefunctions", "files", "lines", "addresses"};

	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++)
		if (strcmp(words[i], text) == 0) {
			*out = (enum as_pg_by)i;
			return true;
		}
	return false;
}

/* "nodefraction=0.05": the names are those of pprof's options. */
static bool take_option(const char *text, struct as_pprof_opts *opts)
{
	const char *value = strchr(text, '=');
	size_t n = value ? (size_t)(value - text) : strlen(text);
	struct as_slice key = {text, n};

	value = value ? value + 1 : "";
	if (as_slice_is(key, "nodefraction"))
		return take_fraction(value, &opts->node_fraction);
	if (as_slice_is(key, "edgefraction"))
		return take_fraction(value, &opts->edge_fraction);
	if (as_slice_is(key, "granularity"))
		return take_granularity(value, &opts->by);
	opts->compact |= as_slice_is(key, "compact_labels");
	return as_slice_is(key, "compact_labels");
}

enum as_exit as_top_as_pprof(struct as_cli *cli, const struct as_profile *prof,
	const struct as_top_opts *top, const struct as_top_args *args)
{
	static const enum as_pg_by granularity[] = {[AS_BY_FUNC] = AS_PG_FUNCS,
		[AS_BY_FILE] = AS_PG_FILES,
		[AS_BY_LINE] = AS_PG_LINES,
		[AS_BY_ADDR] = AS_PG_ADDRS,
		[AS_BY_FILEFUNC] = AS_PG_FILEFUNCS};
	struct as_pprof_opts opts = {.by = granularity[top->project.by],
		.event = top->sort_event,
		.no_inlines = cli->opt.inlines == AS_INLINE_OFF,
		.by_cum = top->sort_inclusive,
		.node_count = args->rows.given ? args->rows.value : 0,
		.node_fraction = 0.005,
		.edge_fraction = 0.001};
	struct as_out *out;
	struct as_err err;

	for (size_t i = 0; i < args->pprof.n; i++)
		if (!take_option(args->pprof.p[i], &opts)) {
			as_cli_error(cli, "option '--pprof-option' is not understood",
				"nodefraction=0.005, edgefraction=0.001, compact_labels, "
				"granularity=functions|filefunctions|files|lines|addresses");
			return AS_EXIT_USAGE;
		}
	as_err_clear(&err);
	if (as_cli_out(cli, &out) != AS_OK)
		return as_cli_no_memory(cli);
	if (as_pprof_text(prof, &opts, out, &err) != AS_OK)
		return as_cli_fail(cli, &err, NULL);
	return AS_EXIT_OK;
}
