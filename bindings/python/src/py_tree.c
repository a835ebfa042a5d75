/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of calls in columns, rows depth first. */
#include "py_kit.h"

struct tree_rows {
	const struct assay_tree *tree;
	PyObject *files, *objects; /* their names */
	uint32_t event;
};

static struct assay_tree_row tree_row(const struct tree_rows *rows, size_t i)
{
	struct assay_tree_row row = {.size = sizeof(row)};

	if (assay_tree_get(rows->tree, i, &row) != ASSAY_OK)
		row.cost = row.self = NULL;
	return row;
}

static bool tree_depth(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).depth);
	return true;
}

static bool tree_address(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).address);
	return true;
}

static bool tree_n_rest(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).n_rest);
	return true;
}

static bool tree_again(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).again);
	return true;
}

static bool tree_estimated(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).estimated);
	return true;
}

static bool tree_self_estimated(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(tree_row(ctx, i).self_estimated);
	return true;
}

static bool tree_cost(const void *ctx, size_t i, struct assay_value *v)
{
	const struct tree_rows *rows = ctx;
	struct assay_tree_row row = tree_row(rows, i);

	if (row.cost)
		*v = row.cost[rows->event];
	return row.cost != NULL;
}

static bool tree_self(const void *ctx, size_t i, struct assay_value *v)
{
	const struct tree_rows *rows = ctx;
	struct assay_tree_row row = tree_row(rows, i);

	if (row.self)
		*v = row.self[rows->event];
	return row.self != NULL;
}

static PyObject *tree_kind(const void *ctx, size_t i)
{
	static const char *const kinds[] = {
		[ASSAY_TREE_FUNCTION] = "function",
		[ASSAY_TREE_REST] = "rest",
		[ASSAY_TREE_NO_CALLER] = "no caller",
	};

	return PyUnicode_InternFromString(kinds[tree_row(ctx, i).kind]);
}

static PyObject *tree_name(const void *ctx, size_t i)
{
	return py_text_or_none(tree_row(ctx, i).name);
}

static PyObject *tree_file(const void *ctx, size_t i)
{
	const struct tree_rows *rows = ctx;

	return py_shared(rows->files, tree_row(rows, i).file);
}

static PyObject *tree_object(const void *ctx, size_t i)
{
	const struct tree_rows *rows = ctx;

	return py_shared(rows->objects, tree_row(rows, i).object);
}

static PyObject *tree_columns(const struct tree_rows *rows)
{
	size_t n = assay_tree_count(rows->tree);
	PyObject *dict = PyDict_New();
	bool good = dict && py_put(dict, "depth", column_of_numbers("Q", n, tree_depth, rows)) &&
		    py_put(dict, "kind", column_of_objects(n, tree_kind, rows)) &&
		    py_put(dict, "name", column_of_objects(n, tree_name, rows)) &&
		    py_put(dict, "file", column_of_objects(n, tree_file, rows)) &&
		    py_put(dict, "object", column_of_objects(n, tree_object, rows)) &&
		    py_put(dict, "address", column_of_numbers("Q", n, tree_address, rows)) &&
		    py_put(dict, "cost", column_of_numbers("q", n, tree_cost, rows)) &&
		    py_put(dict, "self", column_of_numbers("q", n, tree_self, rows)) &&
		    py_put(dict, "n_rest", column_of_numbers("Q", n, tree_n_rest, rows)) &&
		    py_put(dict, "again", column_of_numbers("?", n, tree_again, rows)) &&
		    py_put(dict, "estimated", column_of_numbers("?", n, tree_estimated, rows)) &&
		    py_put(dict, "self_estimated",
			    column_of_numbers("?", n, tree_self_estimated, rows));

	return py_kept(dict, good);
}

/* The tree of the largest function that WHAT finds, or of all; *NOTHING: there is none. */
static enum assay_code tree_make(const struct assay_profile *prof, const char *what,
	struct assay_tree_options *opts, struct assay_tree **tree, bool *nothing,
	struct assay_error *err)
{
	struct assay_find_options find = {.size = sizeof(find),
		.keep_contexts = opts->keep_contexts,
		.no_cycles = opts->no_cycles,
		.event = opts->event};
	struct assay_row of = {.size = sizeof(of)};
	struct assay_found *found = NULL;
	enum assay_code rc = ASSAY_OK;

	if (what)
		rc = assay_find(prof, what, &find, &found, err);
	*nothing = what && rc == ASSAY_OK && assay_found_count(found) == 0;
	if (what && rc == ASSAY_OK && !*nothing) {
		rc = assay_table_row(assay_found_table(found), assay_found_row(found, 0), &of);
		opts->of = &of;
	}
	if (rc == ASSAY_OK && !*nothing)
		rc = assay_tree_new(prof, opts, tree, err);
	assay_found_free(found);
	return rc;
}

/* (profile, way, function, keep_contexts, no_cycles, event, min, depth) -> dict, or None */
PyObject *py_tree(PyObject *module, PyObject *args)
{
	struct assay_tree_options opts = {.size = sizeof(opts)};
	int way, keep_contexts, no_cycles;
	struct assay_tree *tree = NULL;
	struct assay_profile *prof;
	PyObject *answer = NULL;
	struct tree_rows rows = {0};
	struct assay_error err;
	enum assay_code rc;
	const char *what;
	long long min;
	bool nothing;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&iO&ppILI", py_take_profile, &prof, &way, py_take_text, &what,
		    &keep_contexts, &no_cycles, &opts.event, &min, &opts.depth))
		return NULL;
	opts.way = (enum assay_tree_way)way;
	opts.keep_contexts = keep_contexts;
	opts.no_cycles = no_cycles;
	opts.min = assay_value_of(min);
	others = PyEval_SaveThread();
	rc = tree_make(prof, what, &opts, &tree, &nothing, &err);
	PyEval_RestoreThread(others);
	if (rc != ASSAY_OK)
		return py_raise(&err);
	if (nothing)
		Py_RETURN_NONE;
	rows.tree = tree;
	rows.event = opts.event;
	if (py_names(prof, &rows.files, &rows.objects))
		answer = tree_columns(&rows);
	Py_XDECREF(rows.files);
	Py_XDECREF(rows.objects);
	assay_tree_free(tree);
	return answer;
}
