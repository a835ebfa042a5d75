/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons in columns, the largest difference first. */
#include "py_kit.h"

#include <stdlib.h>
#include <string.h>

/* What of a comparison a column is made of. */
struct compare_rows {
	const struct assay_comparison *cmp;
	uint32_t event;
	bool inclusive;
};

static const char *const compare_norms[] = {
	[ASSAY_NORM_AUTO] = "auto",
	[ASSAY_NORM_NONE] = "none",
	[ASSAY_NORM_TOTAL] = "total",
	[ASSAY_NORM_TIME] = "time",
};
static const char *const compare_verdicts[] = {
	[ASSAY_DIFF_SAME] = "same",
	[ASSAY_DIFF_NOISE] = "noise",
	[ASSAY_DIFF_CHANCE] = "chance",
	[ASSAY_DIFF_SURE] = "sure",
};

static struct assay_figure compare_figure(const struct compare_rows *rows, size_t i)
{
	struct assay_figure f = {.size = sizeof(f)};

	if (assay_comparison_figure(rows->cmp, i, rows->event, rows->inclusive, &f) != ASSAY_OK)
		f.known = false;
	return f;
}

static struct assay_diff_row compare_row(const struct compare_rows *rows, size_t i)
{
	struct assay_diff_row row = {.size = sizeof(row)};

	if (assay_comparison_row(rows->cmp, i, &row) != ASSAY_OK)
		row = (struct assay_diff_row){0};
	return row;
}

static bool compare_base(const void *ctx, size_t i, struct assay_value *v)
{
	struct assay_figure f = compare_figure(ctx, i);

	*v = f.base;
	return f.known;
}

static bool compare_changed(const void *ctx, size_t i, struct assay_value *v)
{
	struct assay_figure f = compare_figure(ctx, i);

	*v = f.changed;
	return f.known;
}

static bool compare_low(const void *ctx, size_t i, struct assay_value *v)
{
	struct assay_figure f = compare_figure(ctx, i);

	*v = f.low;
	return f.known && f.noisy;
}

static bool compare_high(const void *ctx, size_t i, struct assay_value *v)
{
	struct assay_figure f = compare_figure(ctx, i);

	*v = f.high;
	return f.known && f.noisy;
}

static bool compare_line(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(compare_row(ctx, i).line);
	return true;
}

static bool compare_in_base(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(compare_row(ctx, i).in_base);
	return true;
}

static bool compare_in_changed(const void *ctx, size_t i, struct assay_value *v)
{
	*v = column_count(compare_row(ctx, i).in_changed);
	return true;
}

static PyObject *compare_function(const void *ctx, size_t i)
{
	return py_text_or_none(compare_row(ctx, i).function);
}

static PyObject *compare_file(const void *ctx, size_t i)
{
	return py_text_or_none(compare_row(ctx, i).file);
}

static PyObject *compare_object(const void *ctx, size_t i)
{
	return py_text_or_none(compare_row(ctx, i).object);
}

static PyObject *compare_verdict(const void *ctx, size_t i)
{
	struct assay_figure f = compare_figure(ctx, i);

	if (!f.known)
		Py_RETURN_NONE;
	return PyUnicode_InternFromString(compare_verdicts[f.verdict]);
}

/* The chance of such a difference, or None. */
static PyObject *compare_p(const void *ctx, size_t i)
{
	struct assay_figure f = compare_figure(ctx, i);

	if (!f.known || !f.noisy)
		Py_RETURN_NONE;
	return PyFloat_FromDouble(f.p);
}

static PyObject *compare_columns(const struct compare_rows *rows)
{
	size_t n = assay_comparison_rows(rows->cmp);
	PyObject *dict = PyDict_New();
	bool good = dict &&
		    py_put(dict, "function", column_of_objects(n, compare_function, rows)) &&
		    py_put(dict, "file", column_of_objects(n, compare_file, rows)) &&
		    py_put(dict, "line", column_of_numbers("Q", n, compare_line, rows)) &&
		    py_put(dict, "object", column_of_objects(n, compare_object, rows)) &&
		    py_put(dict, "base", column_of_numbers("q", n, compare_base, rows)) &&
		    py_put(dict, "changed", column_of_numbers("q", n, compare_changed, rows)) &&
		    py_put(dict, "low", column_of_numbers("q", n, compare_low, rows)) &&
		    py_put(dict, "high", column_of_numbers("q", n, compare_high, rows)) &&
		    py_put(dict, "p", column_of_objects(n, compare_p, rows)) &&
		    py_put(dict, "verdict", column_of_objects(n, compare_verdict, rows)) &&
		    py_put(dict, "in_base", column_of_numbers("?", n, compare_in_base, rows)) &&
		    py_put(dict, "in_changed", column_of_numbers("?", n, compare_in_changed, rows));

	return py_kept(dict, good);
}

static PyObject *compare_none(void)
{
	Py_RETURN_NONE;
}

/* What is told of the event, and the figures of all there is. */
static PyObject *compare_about(
	const struct compare_rows *rows, const struct assay_diff_event *event)
{
	struct assay_figure f = compare_figure(rows, ASSAY_TOTAL);

	return Py_BuildValue("{sN sN sI sO sO ss sN sN sN sN sN}", "event", py_text(event->name),
		"unit", py_text(event->unit), "decimals", event->decimals, "comparable",
		event->comparable ? Py_True : Py_False, "sampled",
		event->sampled ? Py_True : Py_False, "norm", compare_norms[event->norm], "base",
		f.known ? py_value(f.base) : compare_none(), "changed",
		f.known ? py_value(f.changed) : compare_none(), "low",
		f.known && f.noisy ? py_value(f.low) : compare_none(), "high",
		f.known && f.noisy ? py_value(f.high) : compare_none(), "verdict",
		compare_verdict(rows, ASSAY_TOTAL));
}

/* (columns, about) of the event of that name, or of the first of both sides; None: no such. */
static PyObject *compare_answer(struct compare_rows *rows, const char *name)
{
	struct assay_diff_event event = {.size = sizeof(event)};
	PyObject *columns;
	PyObject *about;

	for (rows->event = 0; assay_comparison_event(rows->cmp, rows->event, &event) == ASSAY_OK;
		rows->event++) {
		struct assay_slice want = assay_slice_of(name);

		if (name ? want.len == event.name.len && !memcmp(want.p, event.name.p, want.len)
			 : event.comparable)
			break;
	}
	if (rows->event >= assay_comparison_events(rows->cmp))
		Py_RETURN_NONE;
	columns = compare_columns(rows);
	about = columns ? compare_about(rows, &event) : NULL;
	if (about)
		return Py_BuildValue("(NN)", columns, about);
	Py_XDECREF(columns);
	return NULL;
}

/* (base, changed, by, norm, keep_contexts, no_cycles, keep_clones, event, inclusive) ->
 * (dict, dict), or None */
PyObject *py_compare(PyObject *module, PyObject *args)
{
	struct assay_compare_options opts = {.size = sizeof(opts)};
	int by, norm, keep_contexts, no_cycles, keep_clones, inclusive;
	struct py_profiles base = {0}, changed = {0};
	struct assay_comparison *cmp = NULL;
	struct compare_rows rows;
	PyObject *answer = NULL;
	struct assay_error err;
	enum assay_code rc;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&O&iipppO&p", py_take_profiles, &base, py_take_profiles,
		    &changed, &by, &norm, &keep_contexts, &no_cycles, &keep_clones, py_take_text,
		    &opts.event, &inclusive))
		return NULL;
	opts.base = base.p;
	opts.n_base = base.n;
	opts.changed = changed.p;
	opts.n_changed = changed.n;
	opts.by = (enum assay_by)by;
	opts.norm = (enum assay_norm)norm;
	opts.keep_contexts = keep_contexts;
	opts.no_cycles = no_cycles;
	opts.keep_clones = keep_clones;
	opts.inclusive = inclusive;
	others = PyEval_SaveThread();
	rc = assay_compare(&opts, &cmp, &err);
	PyEval_RestoreThread(others);
	free(base.p);
	free(changed.p);
	rows = (struct compare_rows){.cmp = cmp, .inclusive = inclusive};
	answer = rc == ASSAY_OK ? compare_answer(&rows, opts.event) : py_raise(&err);
	assay_comparison_free(cmp);
	return answer;
}
