/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff: the runs of both sides. */
#include "change/transform.h"
#include "cli/diff/diff_cmd.h"
#include "cli/excess.h"
#include "cli/filtering.h"

enum { MANY_CALLS = 1 << 16 };

static enum as_exit usage(struct as_diff_job *j, const char *what)
{
	as_cli_error(j->cli, what, "assay diff BASE NEW, or assay diff BASE... -- NEW...");
	return AS_EXIT_USAGE;
}

/* "BASE NEW", or "BASE... -- NEW...". */
enum as_exit as_diff_take_sides(struct as_diff_job *j)
{
	struct as_cli *cli = j->cli;
	size_t n = cli->n_operands, cut = cli->n_before_dashes, n_stdin = 0;

	if (cut == SIZE_MAX || !cut) { /* "--" in front of all only ends the options */
		if (n != 2)
			return usage(j, "which are BASE, which are NEW?");
		cut = 1;
	}
	if (cut == n)
		return usage(j, "there is no NEW after '--'");
	for (size_t i = 0; i < n; i++)
		n_stdin += strcmp(cli->operand[i], "-") == 0;
	if (n_stdin > 1)
		return usage(j, "'-' stands twice among the inputs: it can be read once only");
	j->side[AS_BASE] = (struct as_files){cli->operand, cut};
	j->side[AS_NEW] = (struct as_files){cli->operand + cut, n - cut};
	return AS_EXIT_OK;
}

enum as_exit as_diff_cannot(struct as_cli *cli, const struct as_err *err)
{
	as_cli_fail(
		cli, err, err->code == AS_E_ARG ? "see what was measured: assay info FILE" : NULL);
	return AS_EXIT_INPUT;
}

/* Of the run that was added last. */
static void warn_of_excess(const struct as_diff_job *j, const char *file)
{
	const struct as_diff_run *run = &j->d->run.p[j->d->run.n - 1];
	uint32_t e = j->d->n_events;
	size_t n = 0;

	for (uint32_t r = 0; r < run->n_rows && !j->d->opts.no_cycles; r++) {
		uint32_t k = 0;

		while (k < e &&
			(run->whole[k] < 0 || run->incl[(size_t)r * e + k] <= run->whole[k]))
			k++;
		n += run->has[r] & AS_DIFF_INCL && k < e;
	}
	as_cli_say_excess(j->cli, j->d->opts.by, n, file);
}

/* Addresses as names say nothing of another build. */
static enum as_exit unname(struct as_cli *cli, struct as_inputs *in)
{
	struct as_profile *unnamed;
	struct as_err err;

	as_err_clear(&err);
	if (as_unname(in->prof, &unnamed, &err) != AS_OK)
		return as_diff_cannot(cli, &err);
	if (unnamed) {
		as_profile_free(in->prof);
		in->prof = unnamed;
	}
	return AS_EXIT_OK;
}

/* The profile of one run, added to the comparison. */
static enum as_exit add_run(struct as_diff_job *j, enum as_side side, const char *const *path)
{
	enum as_by by = j->d->opts.by;
	struct as_load_opts opts = {
		.detail = by == AS_BY_FILE || by == AS_BY_LINE || j->kind == AS_DIFF_LIST
				  ? AS_DETAIL_LINE
				  : AS_DETAIL_FUNC};
	struct as_cli *cli = j->cli;
	struct as_inputs in;
	struct as_exec exec;
	struct as_err err;
	enum as_exit rc;
	bool empty = false;

	as_err_clear(&err);
	rc = as_inputs_load(cli, (struct as_files){path, 1}, &opts, true, &in);
	j->d->opts.clump = rc == AS_EXIT_OK ? as_diff_clump(in.prof) : 0;
	if (rc == AS_EXIT_OK)
		rc = as_inputs_name(cli, &in);
	if (rc == AS_EXIT_OK)
		rc = as_inputs_context_paths(cli, &in, cli->opt.contexts == AS_CONTEXTS_PATHS);
	if (rc == AS_EXIT_OK)
		rc = as_inputs_filter_side(cli, &in, &empty);
	if (rc == AS_EXIT_OK)
		rc = unname(cli, &in);
	j->d->is_void[side] |= empty;
	j->n_empty += empty;
	if (rc == AS_EXIT_OK) {
		j->d->opts.exec = in.prof->call.n >= MANY_CALLS ? as_cli_exec(cli, &exec) : NULL;
		if (as_diff_add(j->d, side, in.prof, as_slice_of(*path), &err) != AS_OK)
			rc = as_diff_cannot(cli, &err);
		else
			rc = as_diff_view_add(j, in.prof);
		if (rc == AS_EXIT_OK && in.prof->shape & AS_SHAPE_CALLS)
			warn_of_excess(j, *path);
	}
	as_inputs_release(&in);
	return rc;
}

/* A function that one side lacks has vanished, one that neither has is a mistake. */
static enum as_exit nothing_left(struct as_diff_job *j)
{
	as_cli_error(j->cli, "nothing is left: the filters choose no sample of any run",
		"see what there is: assay top FILE, assay info FILE");
	return j->args->fail_if.n ? AS_EXIT_INPUT : AS_EXIT_NO;
}

enum as_exit as_diff_load(struct as_diff_job *j)
{
	enum as_exit rc = AS_EXIT_OK;

	for (unsigned side = 0; side < AS_SIDES; side++)
		for (size_t i = 0; i < j->side[side].n && rc == AS_EXIT_OK; i++)
			rc = add_run(j, (enum as_side)side, &j->side[side].path[i]);
	if (rc == AS_EXIT_OK && j->n_empty == j->d->run.n)
		rc = nothing_left(j);
	return rc;
}
