/* SPDX-License-Identifier: Apache-2.0 */
/* assay tree: call paths as a tree, from either end. */
#include "cli/view_cmd.h"
#include "compat/pprof/pprof_text.h"
#include "report/answers.h"
#include "session/list/list.h"

enum { FUNCTIONS_DEFAULT = 10 };

struct tree_args {
	struct as_view_args view;
	bool callers, callees, bottom_up;
	struct as_num functions, depth;
	const char *min;
};

static const struct as_optdef tree_opts[] = {
	AS_OPTION(tree_args, callees, 0, "callees", NULL,
		"from the roots, or from FUNC, down: the default"),
	AS_OPTION(tree_args, callers, 0, "callers", NULL,
		"from FUNC up: who called it, and who called them"),
	AS_OPTION(tree_args, bottom_up, 0, "bottom-up", NULL,
		"from where the cost is up: self cost by callers"),
	AS_OPTION(tree_args, depth, 'd', "depth", "N",
		"levels; 0 = all, the default but in text: 1000"),
	AS_OPTION(tree_args, min, 'm', "min", "COST",
		"leave out what costs less: 0.5%, 1000; default 0.5%, in CSV nothing"),
	AS_OPTION(tree_args, functions, 'n', "functions", "N",
		"functions, if several match FUNC; 0 = all; default 10"),
	AS_VIEW_OPTIONS(tree_args),
	AS_OPTION_END,
};

struct tree_run {
	struct as_view_run view;
	const struct tree_args *args;
	struct as_path_source paths;
	struct as_tree_opts opts;
	struct as_calltree all; /* every path, for the ways up; else of one view */
	bool has_all;
};

/* ---- options ---- */

static bool tree_is_csv(const struct tree_run *r)
{
	return r->view.cli->ses.opt.view.format == AS_FORMAT_CSV;
}

/* WHOLE: what the tree shows, n_events values. A table for programs has all rows. */
static enum as_exit tree_set_min(struct tree_run *r, const as_val *whole)
{
	const char *min = r->args->min || !tree_is_csv(r) ? r->args->min : "0%";

	return as_view_min(r->view.cli, min, whole ? whole[r->opts.event] : 0, &r->opts.min);
}

static bool is_bounded(const struct tree_run *r)
{
	return !r->args->depth.given && !tree_is_csv(r) &&
	       r->view.cli->ses.opt.view.format != AS_FORMAT_JSON;
}

static enum as_exit tree_choose_way(struct tree_run *r, const char *what)
{
	const struct tree_args *args = r->args;

	r->opts = (struct as_tree_opts){.event = r->view.opts.sort_event,
		.depth = args->depth.value > UINT32_MAX ? 0 : (uint32_t)args->depth.value,
		.way = args->bottom_up || (args->callers && !what) ? AS_TREE_BOTTOM_UP
		       : args->callers                             ? AS_TREE_CALLERS
								   : AS_TREE_CALLEES};
	if (is_bounded(r))
		r->opts.depth = AS_VIEW_LEVELS;
	r->opts.keep_roots = what != NULL;
	return tree_set_min(r, as_n_events(r->paths.prof) ? r->paths.prof->total : NULL);
}

/* ---- views ---- */

/* What --min and --depth left out has no row there; text and JSON have it summed up. */
static void tree_tell_left_out(const struct tree_run *r, const struct as_tree_report *report)
{
	uint64_t n = 0;

	for (size_t i = 0; tree_is_csv(r) && i < report->n_views; i++)
		for (size_t k = 0; k < report->view[i].row.n; k++)
			if (report->view[i].row.p[k].kind == AS_TREE_REST)
				n += report->view[i].row.p[k].n;
	as_cli_tell_below(r->view.cli, n);
}

static enum as_exit tree_print(struct tree_run *r, const struct as_tree_report *report)
{
	struct as_sheet_to to;

	AS_DO(as_cli_sheet(r->view.cli, &to));
	AS_DO(as_say_code(&r->view.cli->ses, as_tree_print(report, &to), NULL));
	tree_tell_left_out(r, report);
	return AS_EXIT_OK;
}

static struct as_tree_report report_of(
	const struct tree_run *r, const struct as_tree_view *view, size_t n)
{
	return (struct as_tree_report){
		.paths = {r->paths.prof, r->paths.shape, &r->view.opts, &r->all},
		.view = view,
		.n_views = n,
		.bounded = is_bounded(r)};
}

/* Without FUNC. */
static enum as_exit show_all(struct tree_run *r)
{
	struct as_tree_report report;
	struct as_tree_view view;
	struct as_err err;
	enum as_exit rc = as_view_calltree(&r->view, &r->paths, &r->opts, NULL, &r->all);

	if (rc == AS_EXIT_OK) {
		as_err_clear(&err);
		rc = as_say_code(
			&r->view.cli->ses, as_tree_view_make(&view, &r->all, &r->opts, &err), &err);
		report = report_of(r, &view, 1);
		AS_THEN(rc, tree_print(r, &report));
		as_tree_view_release(&view);
	}
	as_calltree_release(&r->all);
	return rc;
}

/* A tree and a view of each function that was found. */
struct per_func {
	struct as_calltree *ct;
	struct as_tree_view *view;
	size_t n, made, room;
};

static enum as_exit make_one(
	struct tree_run *r, struct per_func *f, const struct as_table *table, uint32_t row)
{
	struct as_calltree_root root = {table->key[row].func, table->key[row].addr};
	const as_val *whole = r->opts.way == AS_TREE_BOTTOM_UP ? table->self : table->incl;
	struct as_calltree *ct = &f->ct[f->made];
	bool down = r->opts.way == AS_TREE_CALLEES;
	struct as_tree_opts opts;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;

	as_assert(f->made < f->n && row < table->n);
	if (table->n_events)
		rc = tree_set_min(r, whole + (size_t)row * table->n_events);
	AS_THEN(rc, as_view_calltree(&r->view, &r->paths, &r->opts, &root, ct));
	opts = r->opts;
	opts.of = down ? NULL : &root;
	f->view[f->made] = (struct as_tree_view){.ct = ct, .way = opts.way};
	AS_THEN(rc, as_say_code(&r->view.cli->ses,
			    as_tree_view_make(&f->view[f->made], ct, &opts, &err), &err));
	f->made++;
	return rc;
}

static enum as_exit show_found(struct tree_run *r, const struct as_listings *ls, struct per_func *f)
{
	struct as_tree_report report;
	enum as_exit rc = AS_EXIT_OK;

	while (f->made < f->n && rc == AS_EXIT_OK)
		rc = make_one(r, f, as_listings_table(ls), as_listings_row(ls, f->made));
	if (rc == AS_EXIT_OK) {
		report = report_of(r, f->view, f->n);
		report.n_more = as_listings_n(ls) - f->n;
		rc = tree_print(r, &report);
	}
	for (size_t i = 0; i < f->made; i++) {
		as_tree_view_release(&f->view[i]);
		as_calltree_release(&f->ct[i]);
	}
	return rc;
}

static enum as_exit show_funcs(struct tree_run *r, const char *what)
{
	const struct as_num *n = &r->args->functions;
	const struct as_alloc *al = r->view.cli->ses.al;
	struct as_listing_opts opts = {
		.keep_contexts = r->view.cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
		.event = r->opts.event};
	struct per_func f = {0};
	struct as_listings *ls;
	enum as_exit rc = as_view_find(&r->view, r->paths.prof, &opts, what,
		n->given ? n->value : FUNCTIONS_DEFAULT, &ls, &f.n);

	if (rc == AS_EXIT_OK) {
		f.ct = as_alloc_new(al, f.n * sizeof(*f.ct));
		f.view = as_alloc_new(al, f.n * sizeof(*f.view));
		rc = as_say_memory(&r->view.cli->ses, f.ct && f.view);
		AS_THEN(rc, show_found(r, ls, &f));
		as_alloc_free(al, f.ct, f.ct ? f.n * sizeof(*f.ct) : 0);
		as_alloc_free(al, f.view, f.view ? f.n * sizeof(*f.view) : 0);
	}
	as_listings_free(ls);
	return rc;
}

static enum as_exit tree_answer(struct tree_run *r, const char *what)
{
	unsigned format = r->view.cli->ses.opt.view.format;
	bool several = format == AS_FORMAT_JSON || format == AS_FORMAT_CSV;
	enum as_exit rc;

	AS_DO(as_view_wants_calls(&r->view));
	AS_DO(as_view_pick_events(&r->view, !several));
	rc = as_view_paths_make(&r->paths, &r->view, true);
	AS_THEN(rc, tree_choose_way(r, what));
	AS_THEN(rc, what ? show_funcs(r, what) : show_all(r));
	as_path_source_release(&r->paths);
	return rc;
}

/* ---- pprof's tree ---- */

static enum as_code whole_tree(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	return as_pprof_tree(prof, opts, NULL, out, err);
}

/* Options that pprof's tree does not have are those of our own tree. */
static enum as_exit tree_begin(struct tree_run *r, const char *what)
{
	const struct tree_args *a = r->args;

	if (what || a->callers || a->callees || a->bottom_up || a->min || a->depth.given)
		return as_view_begin(&r->view, &a->view, what);
	return as_view_begin_pprof(&r->view, &a->view, NULL, AS_PPROF_TREE);
}

static enum as_exit tree_run(struct as_cli *cli, const void *argp)
{
	struct tree_run r = {.args = argp,
		.view = {.cli = cli, .files = {cli->operand, 1}, .chosen = true, .calls = true}};
	const char *what = cli->n_operands > 1 ? cli->operand[1] : NULL;
	enum as_exit rc;

	if (r.args->callers + r.args->callees + r.args->bottom_up > 1)
		return as_say_usage(&cli->ses,
			"only one of '--callees', '--callers' and '--bottom-up' at a time",
			"each is a tree of its own");
	AS_DO(as_view_check_min(cli, r.args->min));
	rc = tree_begin(&r, what);
	AS_THEN(rc, r.view.is_pprof ? as_pprof_print(cli, r.view.in.prof, &r.view.pprof, whole_tree)
				    : tree_answer(&r, what));
	as_view_end(&r.view);
	return rc;
}

const struct as_cmd as_cmd_tree = {
	AS_COMMAND(tree, "FILE [FUNC]", 1, 2, tree_run),
	AS_OWN_OPTIONS(tree_opts, tree_args),
	.brief = "call paths as a tree: from the roots, from a function, or from where the cost is",
	.about = "A level adds up: a row is its own cost and the rows below it; what is left out "
		 "is one row.\n"
		 "Exact for call paths. Out of calls (Callgrind) it is exact where a function has "
		 "but one caller;\nelse costs are estimates, with a ~ in front.\n",
	.examples = "assay tree cpu.prof\tfrom main down, what costs half a percent\n"
		    "assay tree cpu.prof --bottom-up\tfrom the hot functions up\n"
		    "assay tree cpu.prof malloc --callers\twho is behind malloc\n"
		    "assay tree cpu.prof main -d 3 -m 5%\tthree levels of what matters\n"
		    "assay tree cpu.pb.gz --tagroot request\ta tree for each request, a label\n"
		    "assay tree cpu.prof -f json\tfor programs",
	.groups = AS_VIEW_GROUPS,
};
