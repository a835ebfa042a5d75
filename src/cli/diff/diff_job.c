/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison from its sides to what is shown of it. */
#include "cli/diff/diff_cmd.h"
#include "cli/naming.h"

static enum as_exit show_names(struct as_diff_job *j)
{
	struct as_renamer how;
	struct as_err err;

	if (!as_cli_names_how(j->cli, j->args->format <= AS_DIFF_TEXT, &how))
		return AS_EXIT_OK;
	as_err_clear(&err);
	return as_diff_show_names(j->d, &how, &err) == AS_OK ? AS_EXIT_OK
							     : as_cli_fail(j->cli, &err, NULL);
}

static enum as_exit make(struct as_diff_job *j)
{
	enum as_exit rc = as_diff_load(j);

	if (rc == AS_EXIT_OK)
		rc = show_names(j);
	if (rc == AS_EXIT_OK)
		rc = as_diff_compare(j);
	if (rc == AS_EXIT_OK)
		rc = as_diff_view_make(j);
	return rc == AS_EXIT_OK ? as_diff_eval_gates(j) : rc;
}

enum as_exit as_diff_job_make(struct as_diff_job *j)
{
	static const enum as_by by[] = {
		AS_BY_FUNC, AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT, AS_BY_LINE};
	struct as_diff_opts opts = {.by = by[j->args->by],
		.keep_contexts = j->cli->opt.contexts >= AS_CONTEXTS_KEEP,
		.keep_clones = j->args->clones == 2,
		.no_cycles = j->cli->opt.cycles == AS_CYCLES_NO,
		.want_rows = j->args->view > 1,
		.n_runs = (unsigned)(j->side[AS_BASE].n + j->side[AS_NEW].n)};
	struct as_err err;
	enum as_exit rc = as_diff_view_begin(j);

	as_err_clear(&err);
	if (rc == AS_EXIT_OK)
		rc = as_diff_parse_gates(j);
	if (rc != AS_EXIT_OK)
		return rc;
	if (as_diff_begin(&j->d, j->cli->al, &opts, &err) != AS_OK)
		return as_cli_no_memory(j->cli);
	return make(j);
}

void as_diff_job_release(struct as_diff_job *j)
{
	as_diff_view_release(j);
	as_diff_free(j->d);
	as_alloc_free(j->cli->al, j->event, j->event ? j->event_size : 0);
	as_diff_release_gates(j);
}
