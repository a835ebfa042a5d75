/* SPDX-License-Identifier: Apache-2.0 */
#include "py_kit.h"

#include <stdlib.h>
#include <string.h>

#define PROFILE "assay.profile"

/* ---- errors ---- */

PyObject *py_raise(const struct assay_error *err)
{
	PyObject *module = PyImport_ImportModule("assay._errors");
	PyObject *exc = module ? PyObject_CallMethod(module, "error", "iiKOKyy", (int)err->code,
					 err->sys_errno, (unsigned long long)err->offset,
					 err->offset == ASSAY_NO_OFFSET ? Py_False : Py_True,
					 (unsigned long long)err->line, err->name, err->message)
			       : NULL;

	if (exc)
		PyErr_SetObject((PyObject *)Py_TYPE(exc), exc);
	Py_XDECREF(exc);
	Py_XDECREF(module);
	return NULL;
}

PyObject *py_raise_code(enum assay_code code)
{
	struct assay_error err = {.code = code, .offset = ASSAY_NO_OFFSET};

	strncpy(err.message, assay_code_text(code), sizeof(err.message) - 1);
	return py_raise(&err);
}

bool py_went_well(enum assay_code code)
{
	if (code != ASSAY_OK)
		py_raise_code(code);
	return code == ASSAY_OK;
}

/* ---- values ---- */

PyObject *py_text(struct assay_slice s)
{
	return PyUnicode_DecodeUTF8(s.len ? s.p : "", (Py_ssize_t)s.len, "surrogateescape");
}

PyObject *py_text_or_none(struct assay_slice s)
{
	if (s.len)
		return py_text(s);
	Py_RETURN_NONE;
}

PyObject *py_value(struct assay_value v)
{
	char text[48];

	assay_value_text(v, text, sizeof(text));
	return PyLong_FromString(text, NULL, 10);
}

static PyObject *py_offset(uint64_t offset)
{
	if (offset != ASSAY_NO_OFFSET)
		return PyLong_FromUnsignedLongLong(offset);
	Py_RETURN_NONE;
}

bool py_put(PyObject *dict, const char *key, PyObject *value)
{
	bool good = value && PyDict_SetItemString(dict, key, value) == 0;

	Py_XDECREF(value);
	return good;
}

bool py_append(PyObject *list, PyObject *value)
{
	bool good = value && PyList_Append(list, value) == 0;

	Py_XDECREF(value);
	return good;
}

PyObject *py_kept(PyObject *made, bool good)
{
	if (good)
		return made;
	Py_XDECREF(made);
	return NULL;
}

/* ---- columns ---- */

static PyObject *column_as_list(size_t n, column_number_fn *number, const void *ctx)
{
	PyObject *list = PyList_New(0);
	struct assay_value v;
	bool good = list != NULL;

	for (size_t i = 0; good && i < n; i++) {
		if (number(ctx, i, &v)) {
			good = py_append(list, py_value(v));
		} else {
			Py_INCREF(Py_None);
			good = py_append(list, Py_None);
		}
	}
	return py_kept(list, good);
}

PyObject *column_of_numbers(const char *type, size_t n, column_number_fn *number, const void *ctx)
{
	size_t width = *type == '?' ? 1 : sizeof(int64_t);
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n * width));
	char *p = bytes ? PyBytes_AsString(bytes) : NULL;
	struct assay_value v;
	int64_t small;

	for (size_t i = 0; p && i < n; i++) {
		if (!number(ctx, i, &v) ||
			(*type == 'q' ? assay_value_i64(v, &small) != ASSAY_OK : v.high != 0)) {
			Py_DECREF(bytes);
			return column_as_list(n, number, ctx);
		}
		if (width == 1)
			p[i] = v.low != 0;
		else
			memcpy(p + i * width, *type == 'q' ? (void *)&small : (void *)&v.low,
				width);
	}
	return bytes ? Py_BuildValue("(sN)", type, bytes) : NULL;
}

PyObject *column_of_objects(size_t n, column_object_fn *object, const void *ctx)
{
	PyObject *list = PyList_New(0);
	bool good = list != NULL;

	for (size_t i = 0; good && i < n; i++)
		good = py_append(list, object(ctx, i));
	return py_kept(list, good);
}

struct assay_value column_count(uint64_t n)
{
	return (struct assay_value){.low = n};
}

/* ---- arguments ---- */

static struct assay_profile *py_profile(PyObject *capsule)
{
	return PyCapsule_GetPointer(capsule, PROFILE);
}

static void py_profile_end(PyObject *capsule)
{
	assay_profile_free(py_profile(capsule));
}

PyObject *py_profile_new(struct assay_profile *prof)
{
	PyObject *capsule = PyCapsule_New(prof, PROFILE, py_profile_end);

	if (!capsule)
		assay_profile_free(prof);
	return capsule;
}

static void *py_array(PyObject *tuple, size_t width, size_t *n)
{
	Py_ssize_t size = PyTuple_Size(tuple);
	void *p = size < 0 ? NULL : calloc((size_t)size + 1, width);

	if (!p && !PyErr_Occurred())
		PyErr_NoMemory();
	*n = p ? (size_t)size : 0;
	return p;
}

int py_take_text(PyObject *bytes, void *out)
{
	char *text = NULL;

	if (bytes != Py_None && PyBytes_AsStringAndSize(bytes, &text, NULL) != 0)
		return 0;
	*(const char **)out = text;
	return 1;
}

int py_take_words(PyObject *tuple, void *out)
{
	struct py_words *words = out;

	if (!tuple) {
		free(words->p);
		return 1;
	}
	words->p = py_array(tuple, sizeof(*words->p), &words->n);
	for (size_t i = 0; words->p && i < words->n; i++) {
		if (!py_take_text(PyTuple_GetItem(tuple, (Py_ssize_t)i), &words->p[i])) {
			free(words->p);
			words->p = NULL;
		}
	}
	return words->p ? Py_CLEANUP_SUPPORTED : 0;
}

int py_take_profiles(PyObject *tuple, void *out)
{
	struct py_profiles *profs = out;

	if (!tuple) {
		free(profs->p);
		return 1;
	}
	profs->p = py_array(tuple, sizeof(struct assay_profile *), &profs->n);
	for (size_t i = 0; profs->p && i < profs->n; i++) {
		profs->p[i] = py_profile(PyTuple_GetItem(tuple, (Py_ssize_t)i));
		if (!profs->p[i]) {
			free(profs->p);
			profs->p = NULL;
		}
	}
	return profs->p ? Py_CLEANUP_SUPPORTED : 0;
}

int py_take_profile(PyObject *capsule, void *out)
{
	*(struct assay_profile **)out = py_profile(capsule);
	return *(struct assay_profile **)out != NULL;
}

/* ---- what is told beside an answer ---- */

PyObject *py_findings(const struct assay_findings *found)
{
	PyObject *list = PyList_New(0);
	struct assay_finding f = {.size = sizeof(f)};
	bool good = list != NULL;

	for (size_t i = 0; good && assay_findings_get(found, i, &f) == ASSAY_OK; i++)
		good = py_append(list, Py_BuildValue("(isNKNN)", (int)f.severity, f.code,
					       py_text(f.file), (unsigned long long)f.line,
					       py_offset(f.offset), py_text(f.message)));
	return py_kept(list, good);
}

PyObject *py_losses(const struct assay_losses *losses)
{
	PyObject *list = PyList_New(0);
	struct assay_loss l = {.size = sizeof(l)};
	bool good = list != NULL;

	for (size_t i = 0; good && assay_losses_get(losses, i, &l) == ASSAY_OK; i++)
		good = py_append(list, Py_BuildValue("(sKN)", l.kind, (unsigned long long)l.amount,
					       py_text(l.text)));
	return py_kept(list, good);
}

struct assay_losses *py_losses_new(void)
{
	struct assay_losses *losses;

	return py_went_well(assay_losses_new(NULL, &losses)) ? losses : NULL;
}

PyObject *py_changed(enum assay_code rc, struct assay_profile *prof,
	const struct assay_losses *losses, const struct assay_error *err)
{
	PyObject *list, *capsule;

	if (rc != ASSAY_OK)
		return py_raise(err);
	capsule = py_profile_new(prof);
	list = capsule ? py_losses(losses) : NULL;
	if (list)
		return Py_BuildValue("(NN)", capsule, list);
	Py_XDECREF(capsule);
	return NULL;
}
