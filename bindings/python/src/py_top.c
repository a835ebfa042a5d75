/* SPDX-License-Identifier: Apache-2.0 */
/* Costs by function, file ... in columns. */
#include "py_kit.h"

#include <stdlib.h>

/* A table, and the rows of it that are shown. */
struct top_made {
	struct assay_table *table;
	uint32_t *order;
	size_t n;
};

/* Rows in the order that they are shown in, and the event that is asked for. */
struct top_rows {
	const struct assay_table *table;
	const uint32_t *order;
	PyObject *files, *objects; /* their names */
	uint32_t event;
};

static struct assay_row top_row(const struct top_rows *rows, size_t i)
{
	struct assay_row row = {.size = sizeof(row)};

	if (assay_table_row(rows->table, rows->order[i], &row) != ASSAY_OK)
		row.self = row.inclusive = NULL;
	return row;
}

static bool top_self(const void *ctx, size_t i, struct assay_value *v)
{
	const struct top_rows *rows = ctx;
	struct assay_row row = top_row(rows, i);

	if (row.self)
		*v = row.self[rows->event];
	return row.self != NULL;
}

static bool top_inclusive(const void *ctx, size_t i, struct assay_value *v)
{
	const struct top_rows *rows = ctx;
	struct assay_row row = top_row(rows, i);

	if (row.inclusive)
		*v = row.inclusive[rows->event];
	return row.inclusive != NULL;
}

static bool top_calls(const void *ctx, size_t i, struct assay_value *v)
{
	struct assay_row row = top_row(ctx, i);

	*v = row.calls;
	return row.has_calls;
}

static bool top_line(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(top_row(ctx, i).line);
	return true;
}

static bool top_address(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(top_row(ctx, i).address);
	return true;
}

static bool top_cycle(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(top_row(ctx, i).cycle);
	return true;
}

static bool top_is_cycle(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(top_row(ctx, i).is_cycle);
	return true;
}

static PyObject *top_name(const void *ctx, size_t i)
{
	return py_text_or_none(top_row(ctx, i).name);
}

static PyObject *top_file(const void *ctx, size_t i)
{
	const struct top_rows *rows = ctx;

	return py_shared(rows->files, top_row(rows, i).file);
}

static PyObject *top_object(const void *ctx, size_t i)
{
	const struct top_rows *rows = ctx;

	return py_shared(rows->objects, top_row(rows, i).object);
}

/* {"name": column ...}; "self" and "inclusive" are lists, a column for each of EVENTS. */
static PyObject *top_columns(struct top_rows *rows, size_t n, PyObject *events)
{
	PyObject *self = PyList_New(0), *inclusive = PyList_New(0);
	bool good = self && inclusive;
	PyObject *dict;

	for (Py_ssize_t i = 0; good && i < PyTuple_Size(events); i++) {
		rows->event = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(events, i));
		good = !PyErr_Occurred() &&
		       py_append(self, column_of_numbers("q", n, top_self, rows)) &&
		       py_append(inclusive, column_of_numbers("q", n, top_inclusive, rows));
	}
	dict = good ? PyDict_New() : NULL;
	good = dict && py_put(dict, "name", column_of_objects(n, top_name, rows)) &&
	       py_put(dict, "file", column_of_objects(n, top_file, rows)) &&
	       py_put(dict, "line", column_of_numbers("Q", n, top_line, rows)) &&
	       py_put(dict, "object", column_of_objects(n, top_object, rows)) &&
	       py_put(dict, "address", column_of_numbers("Q", n, top_address, rows)) &&
	       PyDict_SetItemString(dict, "self", self) == 0 &&
	       PyDict_SetItemString(dict, "inclusive", inclusive) == 0 &&
	       py_put(dict, "calls", column_of_numbers("q", n, top_calls, rows)) &&
	       py_put(dict, "cycle", column_of_numbers("Q", n, top_cycle, rows)) &&
	       py_put(dict, "is_cycle", column_of_numbers("?", n, top_is_cycle, rows));
	Py_XDECREF(self);
	Py_XDECREF(inclusive);
	return py_kept(dict, good);
}

/* A table and the order of its rows, which the caller frees: those of whole cycles if WHOLE. */
static enum assay_code top_make(const struct assay_profile *prof,
	const struct assay_project_options *opts, uint32_t event, bool inclusive, bool whole,
	struct top_made *made, struct assay_error *err)
{
	enum assay_code rc = assay_project(prof, opts, &made->table, err);
	size_t n = assay_table_rows(made->table);
	struct assay_row row = {.size = sizeof(row)};

	if (rc != ASSAY_OK)
		return rc;
	*err = (struct assay_error){.offset = ASSAY_NO_OFFSET};
	made->order = calloc(n + 1, sizeof(*made->order));
	err->code = made->order ? assay_table_sort(made->table, event, inclusive, made->order)
				: ASSAY_E_NOMEM;
	for (size_t i = 0; err->code == ASSAY_OK && i < n; i++) {
		err->code = assay_table_row(made->table, made->order[i], &row);
		if (whole || !row.is_cycle)
			made->order[made->n++] = made->order[i];
	}
	return err->code;
}

/* (profile, by, label_key, keep_contexts, no_cycles, event, inclusive, whole, events) -> dict */
PyObject *py_top(PyObject *module, PyObject *args)
{
	struct assay_project_options opts = {.size = sizeof(opts)};
	int by, keep_contexts, no_cycles, inclusive, whole;
	struct top_made made = {0};
	struct top_rows rows = {0};
	struct assay_profile *prof;
	PyObject *events, *answer = NULL;
	struct assay_error err;
	PyThreadState *others;
	enum assay_code rc;
	unsigned event;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&iO&ppIppO", py_take_profile, &prof, &by, py_take_text,
		    &opts.label_key, &keep_contexts, &no_cycles, &event, &inclusive, &whole,
		    &events))
		return NULL;
	opts.by = (enum assay_by)by;
	opts.keep_contexts = keep_contexts;
	opts.no_cycles = no_cycles;
	others = PyEval_SaveThread();
	rc = top_make(prof, &opts, event, inclusive, whole, &made, &err);
	PyEval_RestoreThread(others);
	rows = (struct top_rows){.table = made.table, .order = made.order};
	if (rc != ASSAY_OK)
		py_raise(&err);
	else if (py_names(prof, &rows.files, &rows.objects))
		answer = top_columns(&rows, made.n, events);
	Py_XDECREF(rows.files);
	Py_XDECREF(rows.objects);
	free(made.order);
	assay_table_free(made.table);
	return answer;
}
