/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all functions of the module are made with. A function that gives a PyObject gives a new
 * reference, or NULL with an exception set.
 *
 * A column of numbers is a pair: its type as Python's `struct` names it, and bytes, which
 * memoryview() shows without a copy. Where a number does not fit, or is unknown, the column is a
 * list of int and None.
 */
#ifndef ASSAY_PY_KIT_H
#define ASSAY_PY_KIT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <assay/assay.h>

/* ---- errors ---- */
PyObject *py_raise(const struct assay_error *err); /* sets the exception; NULL */
PyObject *py_raise_code(enum assay_code code);
/* Whether CODE is fine; else the exception is set. */
bool py_went_well(enum assay_code code);

/* ---- values; bytes that are not UTF-8 become surrogates, as in names of files ---- */
PyObject *py_text(struct assay_slice s);
PyObject *py_text_or_none(struct assay_slice s); /* None: there is no text */
PyObject *py_value(struct assay_value v);

/* Both take VALUE over; false: an exception is set, maybe that of what made VALUE. */
bool py_put(PyObject *dict, const char *key, PyObject *value);
bool py_append(PyObject *list, PyObject *value);
/* MADE if all went GOOD, else NULL. */
PyObject *py_kept(PyObject *made, bool good);

/* ---- columns ---- */
/* Number I of a column in *V; false: it is unknown. */
typedef bool column_number_fn(const void *ctx, size_t i, struct assay_value *v);
typedef PyObject *column_object_fn(const void *ctx, size_t i);
/* TYPE is "q" (signed), "Q" (unsigned) or "?" (whether). */
PyObject *column_of_numbers(const char *type, size_t n, column_number_fn *number, const void *ctx);
PyObject *column_of_objects(size_t n, column_object_fn *object, const void *ctx);
struct assay_value column_count(uint64_t n);

/* ---- arguments: converters for PyArg_ParseTuple() ---- */
int py_take_profile(PyObject *capsule, void *out); /* struct assay_profile ** */
int py_take_text(PyObject *bytes, void *out);      /* const char **, borrowed; None is NULL */
/* What a tuple of bytes has, or one of profiles; borrowed from the tuple. free() the array. */
struct py_words {
	const char **p;
	size_t n;
};
struct py_profiles {
	struct assay_profile **p;
	size_t n;
};
int py_take_words(PyObject *tuple, void *out);
int py_take_profiles(PyObject *tuple, void *out);

/* ---- answers ---- */
PyObject *py_profile_new(struct assay_profile *prof); /* a capsule, which frees PROF */
PyObject *py_findings(
	const struct assay_findings *found); /* severity, code, file, line, offset, message */
struct assay_losses *py_losses_new(void);    /* NULL: an exception is set */
PyObject *py_losses(const struct assay_losses *losses); /* kind, amount, text */
/* (capsule, losses) of PROF, or the exception of a failure. */
PyObject *py_changed(enum assay_code rc, struct assay_profile *prof,
	const struct assay_losses *losses, const struct assay_error *err);
/* The names of files and objects that rows refer to by number, in two lists. */
bool py_names(const struct assay_profile *prof, PyObject **files, PyObject **objects);
PyObject *py_shared(PyObject *list, uint32_t i); /* item I */

/* ---- the functions of the module ---- */
PyObject *py_open(PyObject *module, PyObject *args);
PyObject *py_info(PyObject *module, PyObject *args);
PyObject *py_formats(PyObject *module, PyObject *args);
PyObject *py_top(PyObject *module, PyObject *args);
PyObject *py_tree(PyObject *module, PyObject *args);
PyObject *py_compare(PyObject *module, PyObject *args);
PyObject *py_write(PyObject *module, PyObject *args);
PyObject *py_filter(PyObject *module, PyObject *args);
PyObject *py_merge(PyObject *module, PyObject *args);
PyObject *py_symbolize(PyObject *module, PyObject *args);
#endif
