/* SPDX-License-Identifier: Apache-2.0 */
/* assay diff --view tree|list|peek: what lies below the functions. */
#include <stdio.h>

#include "cli/diff/diff_cmd.h"
#include "cli/filtering.h"
#include "cli/near.h"
#include "regex/regex.h"
#include "report/share.h"
#include "report/views.h"

enum { FUNCS_DEFAULT = 3, MIN_DEFAULT = 10000 };

static enum as_exit usage(struct as_diff_job *j, const char *what, const char *hint)
{
	as_cli_error(j->cli, what, hint);
	return AS_EXIT_USAGE;
}

enum as_exit as_diff_view_begin(struct as_diff_job *j)
{
	const struct as_diff_args *a = j->args;
	uint32_t ppm;

	j->kind = a->view ? (enum as_diff_kind)(a->view - 1) : AS_DIFF_TABLE;
	if (j->kind != AS_DIFF_TABLE && a->by > 1)
		return usage(
			j, "option '--by' is for --view top", "the other views are by function");
	if (j->kind != AS_DIFF_TABLE && a->drop_negative)
		return usage(j, "option '--drop-negative' is for --view top",
			"other views show what became less below what became more");
	if (j->kind != AS_DIFF_TREE && (a->depth.given || a->min || a->bottom_up))
		return usage(j, "options '--depth', '--min' and '--bottom-up' are for --view tree",
			"add --view tree");
	if (j->kind != AS_DIFF_LIST && (a->context.given || a->source_path.n))
		return usage(j, "options '--context' and '--source-path' are for --view list",
			"add --view list");
	if (j->kind != AS_DIFF_LIST && j->kind != AS_DIFF_PEEK && a->function)
		return usage(j, "option '--function' is for --view list and --view peek",
			"for a part of the tree: --show-from FUNC");
	if (a->min && !as_share_ppm(as_slice_of(a->min), &ppm))
		return usage(j, "option '--min': expected a share", "as in --min 0.5%");
	return AS_EXIT_OK;
}

/* ---- runs ---- */

enum as_exit as_diff_view_add(struct as_diff_job *j, const struct as_profile *prof)
{
	const struct as_diff_run *run = &j->d->run.p[j->d->run.n - 1];
	struct as_err err;
	char text[512];

	if (j->kind == AS_DIFF_TABLE)
		return AS_EXIT_OK;
	if (!j->sub.of) {
		as_diff_sub_init(&j->sub, j->d);
		j->sub.way = j->args->bottom_up ? AS_TREE_BOTTOM_UP : AS_TREE_CALLEES;
		j->sub.event = as_diff_event_asked(j);
	}
	as_err_clear(&err);
	if (j->kind == AS_DIFF_LIST)
		return as_diff_sub_lines(&j->sub, prof, &err) == AS_OK
			       ? AS_EXIT_OK
			       : as_cli_fail(j->cli, &err, NULL);
	if (!prof->call.n && !prof->sample.node.n && prof->self.n) {
		snprintf(text, sizeof(text),
			"%.*s: the profile says where cost was, not who called whom",
			AS_SLICE_FMT(as_diff_str(j->d, run->file)));
		as_cli_error(j->cli, text, "the table and the list can do without: --view list");
		return AS_EXIT_UNSUPPORTED;
	}
	return (j->kind == AS_DIFF_TREE ? as_diff_sub_paths : as_diff_sub_calls)(
		       &j->sub, prof, &err) == AS_OK
		       ? AS_EXIT_OK
		       : as_cli_fail(j->cli, &err, NULL);
}

/* ---- functions ---- */

enum match { BY_NAME, BY_BARE_NAME, BY_SHOWN_NAME, BY_PART, BY_REGEX, MATCHES };

static bool matches(struct as_arena *scratch, struct as_slice name, enum match how,
	const char *what, const struct as_regex *regex)
{
	struct as_slice wanted = as_slice_of(what);

	switch (how) {
	case BY_NAME:
		return as_slice_eq(name, wanted);
	case BY_BARE_NAME:
		name.len = as_slice_find(name, '(');
		return as_slice_eq(name, wanted);
	case BY_SHOWN_NAME:
		return as_is_called(scratch, name, wanted);
	case BY_PART:
		return as_slice_find_text(name, what) < name.len;
	default:
		return regex && as_regex_match(regex, name);
	}
}

static enum as_exit not_found(struct as_diff_job *j)
{
	char text[256], hint[1024];
	struct as_near near;

	snprintf(text, sizeof(text), "no function of either side matches '%.200s'",
		j->args->function);
	as_near_begin(&near, j->cli->al, as_slice_of(j->args->function));
	for (uint32_t r = 0; r < j->d->key.n; r++)
		as_near_try_function(&near, as_diff_str(j->d, j->d->key.p[r].name));
	as_near_text(&near, "did you mean ", hint, sizeof(hint));
	as_near_end(&near);
	as_cli_error(j->cli, text, hint[0] ? hint : "see what there is: assay diff BASE NEW -n 0");
	return j->args->fail_if.n ? AS_EXIT_INPUT : AS_EXIT_NO;
}

/* As `assay list` does: the first way that finds any decides. Largest difference first. */
static enum as_exit find_funcs(struct as_diff_job *j)
{
	const struct as_diff *d = j->d;
	const char *what = j->args->function;
	struct as_regex *regex;
	struct as_arena scratch;
	enum as_exit rc = as_cli_name_regex(j->cli, what, &regex);
	bool fine = true;

	if (rc != AS_EXIT_OK)
		return rc;
	as_arena_init(&scratch, j->cli->al);
	for (unsigned how = 0; how < MATCHES && !j->func.n && fine; how++)
		for (size_t i = 0; i < d->key.n && fine; i++)
			if (matches(&scratch, as_diff_str(d, d->key.p[d->order[i]].name),
				    (enum match)how, what, regex))
				fine = as_vec_push(j->cli->al, &j->func, d->order[i]);
	as_arena_release(&scratch);
	as_regex_free(regex);
	if (!fine)
		return as_cli_no_memory(j->cli);
	return j->func.n ? AS_EXIT_OK : not_found(j);
}

/* Those that differ in what rows are sorted by. */
static enum as_exit largest(struct as_diff_job *j)
{
	const struct as_diff *d = j->d;

	for (size_t i = 0; i < d->key.n; i++) {
		uint32_t row = d->order[i];

		if (as_diff_differs(d, row) && !as_vec_push(j->cli->al, &j->func, row))
			return as_cli_no_memory(j->cli);
	}
	return AS_EXIT_OK;
}

static enum as_exit choose_funcs(struct as_diff_job *j)
{
	uint64_t limit = j->args->rows.given ? j->args->rows.value : FUNCS_DEFAULT;
	enum as_exit rc = j->args->function ? find_funcs(j) : largest(j);

	if (rc == AS_EXIT_OK && limit && j->func.n > limit) {
		as_cli_note(j->cli,
			"%zu functions %s; shown: the %" PRIu64
			" with the largest differences; all of them: -n 0",
			j->func.n, j->args->function ? "match" : "differ", limit);
		j->func.n = (size_t)limit;
	}
	return rc;
}

enum as_exit as_diff_view_make(struct as_diff_job *j)
{
	/* A table for programs has all rows. */
	struct as_diff_tree_opts opts = {
		.min_ppm = j->args->format == AS_DIFF_CSV ? 0 : MIN_DEFAULT};
	struct as_err err;
	enum as_exit rc = AS_EXIT_OK;

	as_err_clear(&err);
	if (j->kind == AS_DIFF_TABLE)
		return AS_EXIT_OK;
	if (j->args->bottom_up && as_diff_sub_turn(&j->sub, 0, &err) != AS_OK)
		return as_cli_fail(j->cli, &err, NULL);
	if (as_diff_sub_judge(&j->sub, j->kind != AS_DIFF_LIST, &err) != AS_OK)
		return as_cli_fail(j->cli, &err, NULL);
	if (j->kind == AS_DIFF_TREE) {
		if (j->args->min && !as_share_ppm(as_slice_of(j->args->min), &opts.min_ppm))
			return AS_EXIT_USAGE; /* not reached: it was parsed before */
		if (!j->args->depth.given)
			opts.depth = AS_VIEW_LEVELS;
		else if (j->args->depth.value <= UINT32_MAX)
			opts.depth = (uint32_t)j->args->depth.value;
		if (as_diff_tree_view_make(&j->tree, &j->sub, &opts, &err) != AS_OK)
			rc = as_cli_fail(j->cli, &err, NULL);
		return rc;
	}
	rc = choose_funcs(j);
	if (rc == AS_EXIT_OK && as_diff_lists_make(&j->lists, &j->sub, &err) != AS_OK)
		rc = as_cli_fail(j->cli, &err, NULL);
	return rc;
}

void as_diff_view_release(struct as_diff_job *j)
{
	as_diff_tree_view_release(&j->tree);
	as_diff_lists_release(&j->lists);
	as_diff_sub_release(&j->sub);
	as_diff_sources_close(j);
	as_vec_free(j->cli->al, &j->func);
}
