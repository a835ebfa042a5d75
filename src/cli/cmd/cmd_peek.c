/* SPDX-License-Identifier: Apache-2.0 */
/* assay peek: a function's callers and callees. */
#include "base/utf8_len.h"
#include "cli/excess.h"
#include "cli/view_cmd.h"
#include "compat/pprof/pprof_text.h"
#include "regex/regex.h"
#include "report/answers.h"
#include "session/list/list.h"

enum { FUNCTIONS_DEFAULT = 10, ROWS_DEFAULT = 20 };

struct peek_args {
	struct as_view_args view;
	struct as_num functions, rows;
};

static const struct as_optdef peek_opts[] = {
	AS_OPTION(peek_args, functions, 'n', "functions", "N",
		"functions, if several match; 0 = all; default 10"),
	AS_OPTION(peek_args, rows, 0, "rows", "N",
		"callers and callees of each; 0 = all; default 20, of CSV all"),
	AS_VIEW_OPTIONS(peek_args),
	AS_OPTION_END,
};

/* The first functions of LS that were found, as many as FUNC has room for. */
static enum as_exit peek_show(struct as_view_run *r, const struct peek_args *args,
	const struct as_listings *ls, struct as_neighbours *func, size_t n)
{
	struct as_peek_view v = {.prof = r->in.prof,
		.opts = &r->opts,
		.func = func,
		.n_more = as_listings_n(ls) - n,
		.rows = as_cli_rows(r->cli, &args->rows, ROWS_DEFAULT)};
	enum as_exit rc = AS_EXIT_OK;
	struct as_sheet_to to;
	struct as_err err = AS_ERR_NONE;

	while (v.n_funcs < n && rc == AS_EXIT_OK) {
		struct as_neighbours_opts opts = {.row = as_listings_row(ls, v.n_funcs),
			.event = r->opts.sort_event,
			.keep_contexts = r->cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP};

		if (as_neighbours_make(&func[v.n_funcs++], as_listings_table(ls), &opts, &err) !=
			AS_OK)
			rc = as_say_failed(&r->cli->ses, &err, NULL);
	}
	AS_THEN(rc, as_cli_sheet(r->cli, &to));
	AS_THEN(rc, as_say_code(&r->cli->ses, as_peek_print(&v, &to), NULL));
	for (size_t i = 0; i < v.n_funcs; i++)
		as_neighbours_release(&func[i]);
	return rc;
}

static enum as_exit peek_answer(
	struct as_view_run *r, const struct peek_args *args, const char *what)
{
	const struct as_asked_view *view = &r->cli->ses.opt.view;
	struct as_listing_opts opts = {.keep_contexts = view->contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = view->cycles == AS_CYCLES_NO,
		.want_edges = true,
		.event = r->opts.sort_event};
	struct as_neighbours *func;
	struct as_listings *ls;
	size_t n;
	enum as_exit rc = as_view_find(r, r->in.prof, &opts, what,
		args->functions.given ? args->functions.value : FUNCTIONS_DEFAULT, &ls, &n);

	if (rc == AS_EXIT_OK) {
		as_view_warn_of_excess(r, as_listings_table(ls));
		func = as_alloc_new(r->cli->ses.al, n * sizeof(*func));
		rc = as_say_memory(&r->cli->ses, func);
		AS_THEN(rc, peek_show(r, args, ls, func, n));
		as_alloc_free(r->cli->ses.al, func, func ? n * sizeof(*func) : 0);
	}
	as_listings_free(ls);
	return rc;
}

/* ---- pprof's text ---- */

static bool peek_match(const void *ctx, struct as_slice name)
{
	return as_regex_match(ctx, name);
}

static enum as_exit print_pprof(struct as_view_run *r, const struct as_regex *re, const char *what)
{
	struct as_pprof_wanted wanted = {peek_match, re};
	struct as_out *out;
	struct as_err err = AS_ERR_NONE;
	enum as_code rc;

	AS_DO(as_cli_out(r->cli, &out));
	rc = as_pprof_tree(r->in.prof, &r->pprof, &wanted, out, &err);
	if (rc != AS_E_ARG)
		return as_say_code(&r->cli->ses, rc, &err);
	return as_say_endf(&r->cli->ses, AS_EXIT_NO, "see what there is: assay top FILE",
		"no function matches '%.200s'", what);
}

static enum as_exit peek_pprof(struct as_view_run *r, const char *what)
{
	size_t place = 0;
	struct as_regex_opts opts = {.place = &place};
	struct as_regex *re = NULL;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;
	char text[1200];

	if (as_regex_new(as_slice_of(what), &opts, &re, &err) == AS_OK) {
		rc = print_pprof(r, re, what);
	} else if (err.code == AS_E_ARG) {
		snprintf(text, sizeof(text), "'%.500s': %s, at character %zu", what, err.msg,
			as_utf8_columns((struct as_slice){what, place}) + 1);
		as_say_error(&r->cli->ses, text, "a regular expression as RE2 has them");
		rc = AS_EXIT_USAGE;
	} else {
		rc = as_say_failed(&r->cli->ses, &err, NULL);
	}
	as_regex_free(re);
	return rc;
}

static enum as_exit peek_run(struct as_cli *cli, const void *argp)
{
	const struct peek_args *args = argp;
	const char *what;
	struct as_view_run r = {.cli = cli, .chosen = true};
	enum as_exit rc;

	AS_DO(as_cli_func(cli, &what, &r.files));
	rc = as_view_begin_pprof(&r, &args->view, what, AS_PPROF_PEEK);
	AS_THEN(rc, r.is_pprof ? peek_pprof(&r, what) : peek_answer(&r, args, what));
	as_view_end(&r);
	return rc;
}

const struct as_cmd as_cmd_peek = {
	AS_COMMAND(peek, "FUNC FILE...", 2, AS_OPERANDS_ANY, peek_run),
	AS_OWN_OPTIONS(peek_opts, peek_args),
	.brief = "a function's callers and callees, with calls and costs",
	.about = "Callers stand above the function, '<', callees below it, '>'; the cost of a row "
		 "is what\n"
		 "passes between the two. FUNC is found as `assay list` finds it; if several "
		 "functions\n"
		 "match, each has a table. Several files are merged first.\n",
	.examples = "assay peek malloc callgrind.out.1234\twho calls malloc, how often\n"
		    "assay peek '^std::sort' FILE -n 3\tthe three largest that match\n"
		    "assay peek main FILE --rows 5\tthe five most expensive on each side\n"
		    "assay peek main FILE -s D1mr\tby cache misses\n"
		    "assay peek main FILE -f json\tfor programs",
	.groups = AS_VIEW_GROUPS,
};
