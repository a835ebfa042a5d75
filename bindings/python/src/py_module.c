/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libassay for Python: each function asks the library once and gives its answer as plain objects,
 * of which assay/__init__.py makes what people use. A profile is a capsule. The GIL is released
 * while the library works.
 */
#include "py_kit.h"

static PyMethodDef module_functions[] = {
	{"open", py_open, METH_VARARGS, NULL},
	{"info", py_info, METH_VARARGS, NULL},
	{"formats", py_formats, METH_NOARGS, NULL},
	{"top", py_top, METH_VARARGS, NULL},
	{"tree", py_tree, METH_VARARGS, NULL},
	{"compare", py_compare, METH_VARARGS, NULL},
	{"write", py_write, METH_VARARGS, NULL},
	{"filter", py_filter, METH_VARARGS, NULL},
	{"merge", py_merge, METH_VARARGS, NULL},
	{"symbolize", py_symbolize, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_def = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "assay._assay",
	.m_doc = "libassay, as assay uses it; its functions are no interface of their own",
	.m_size = -1,
	.m_methods = module_functions,
};

PyMODINIT_FUNC PyInit__assay(void);

PyMODINIT_FUNC PyInit__assay(void)
{
	PyObject *module = PyModule_Create(&module_def);

	return py_kept(module,
		module && PyModule_AddStringConstant(module, "version", assay_version()) == 0);
}
