/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a profile, and what it holds. */
#include "py_kit.h"

#include <stdlib.h>

PyObject *py_open(PyObject *module, PyObject *args)
{
	struct assay_open_options opts = {.size = sizeof(opts)};
	const char *path, *data, *name, *format;
	struct assay_findings *found = NULL;
	struct assay_profile *prof = NULL;
	PyObject *list, *capsule;
	unsigned long long most;
	struct py_words words = {0};
	struct assay_error err;
	int detail, strict, check, moments;
	unsigned threads;
	enum assay_code rc;
	Py_ssize_t n;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&z#O&zippIO&Kp", py_take_text, &path, &data, &n, py_take_text,
		    &name, &format, &detail, &strict, &check, &threads, py_take_words, &words,
		    &most, &moments))
		return NULL;
	opts.format = format;
	opts.name = name;
	opts.detail = (enum assay_detail)detail;
	opts.strict = strict;
	opts.check = check;
	opts.threads = threads;
	opts.driver_options = words.p;
	opts.n_driver_options = words.n;
	opts.max_memory = most;
	opts.moments = moments;
	if (!py_went_well(assay_findings_new(NULL, &found))) {
		free(words.p);
		return NULL;
	}
	opts.findings = found;
	others = PyEval_SaveThread();
	rc = path ? assay_open_file(path, &opts, &prof, &err)
		  : assay_open_memory(data, (size_t)n, &opts, &prof, &err);
	PyEval_RestoreThread(others);
	free(words.p);
	list = rc == ASSAY_OK ? py_findings(found) : py_raise(&err);
	assay_findings_free(found);
	capsule = list ? py_profile_new(prof) : NULL;
	if (capsule)
		return Py_BuildValue("(NN)", capsule, list);
	if (!list)
		assay_profile_free(prof);
	Py_XDECREF(list);
	return NULL;
}

/* ---- what a profile holds ---- */

static PyObject *py_file_names(const struct assay_profile *prof, uint32_t n)
{
	PyObject *list = PyList_New(0);
	struct assay_slice path = {0};
	bool good = list != NULL;

	for (uint32_t i = 0; good && i < n; i++)
		good = py_went_well(assay_file_get(prof, i, &path)) &&
		       py_append(list, py_text_or_none(i ? path : (struct assay_slice){0}));
	return py_kept(list, good);
}

static PyObject *py_object_names(const struct assay_profile *prof, uint32_t n)
{
	PyObject *list = PyList_New(0);
	struct assay_object o = {.size = sizeof(o)};
	bool good = list != NULL;

	for (uint32_t i = 0; good && i < n; i++)
		good = py_went_well(assay_object_get(prof, i, &o)) &&
		       py_append(list, py_text_or_none(i ? o.path : (struct assay_slice){0}));
	return py_kept(list, good);
}

static PyObject *py_events(const struct assay_profile *prof, uint32_t n)
{
	PyObject *list = PyList_New(0);
	struct assay_event e = {.size = sizeof(e)};
	bool good = list != NULL;

	for (uint32_t i = 0; good && i < n; i++)
		good = py_went_well(assay_event_get(prof, i, &e)) &&
		       py_append(list, Py_BuildValue("(NNNKNNN)", py_text(e.name), py_text(e.unit),
					       py_text(e.title), (unsigned long long)e.period,
					       py_text(e.period_unit), py_value(e.total),
					       py_value(e.whole)));
	return py_kept(list, good);
}

PyObject *py_info(PyObject *module, PyObject *args)
{
	struct assay_info info = {.size = sizeof(info)};
	struct assay_profile *prof;
	PyObject *dict;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&", py_take_profile, &prof) ||
		!py_went_well(assay_profile_info(prof, &info)))
		return NULL;
	dict = Py_BuildValue("{sN sN sN sI sO sO sI sI sI sK sK sK sK}", "format",
		py_text(info.format), "version", py_text(info.version), "epoch",
		py_text(info.epoch), "shapes", info.shapes, "estimated",
		info.estimated ? Py_True : Py_False, "partial", info.partial ? Py_True : Py_False,
		"path_depth", info.path_depth, "n_parts", info.n_parts, "n_functions",
		info.n_functions, "n_self", (unsigned long long)info.n_self, "n_calls",
		(unsigned long long)info.n_calls, "n_jumps", (unsigned long long)info.n_jumps,
		"n_samples", (unsigned long long)info.n_samples);
	return py_kept(
		dict, dict && py_put(dict, "events", py_events(prof, info.n_events)) &&
			      py_put(dict, "files", py_file_names(prof, info.n_files)) &&
			      py_put(dict, "objects", py_object_names(prof, info.n_objects)));
}

bool py_names(const struct assay_profile *prof, PyObject **files, PyObject **objects)
{
	struct assay_info info = {.size = sizeof(info)};

	*files = *objects = NULL;
	if (!py_went_well(assay_profile_info(prof, &info)))
		return false;
	*files = py_file_names(prof, info.n_files);
	*objects = *files ? py_object_names(prof, info.n_objects) : NULL;
	return *objects != NULL;
}

PyObject *py_shared(PyObject *list, uint32_t i)
{
	PyObject *text = PyList_GetItem(list, (Py_ssize_t)i);

	Py_XINCREF(text);
	return text;
}

PyObject *py_formats(PyObject *module, PyObject *args)
{
	PyObject *list = PyList_New(0);
	struct assay_format f = {.size = sizeof(f)};
	bool good = list != NULL;

	(void)module;
	(void)args;
	for (size_t i = 0; good && assay_format_get(i, &f) == ASSAY_OK; i++)
		good = py_append(list,
			Py_BuildValue("(sssOO)", f.name, f.title, f.exts,
				f.can_read ? Py_True : Py_False, f.can_write ? Py_True : Py_False));
	return py_kept(list, good);
}
