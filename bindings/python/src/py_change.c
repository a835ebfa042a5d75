/* SPDX-License-Identifier: Apache-2.0 */
/* A profile out of others: chosen, named, merged; and written. */
#include "py_kit.h"

#include <stdlib.h>

/* A profile as bytes, or NULL where it was written to PATH. */
static enum assay_code change_write(const struct assay_profile *prof, const char *path,
	const struct assay_write_options *opts, struct assay_buffer **buf, struct assay_error *err)
{
	return path ? assay_write_file(prof, path, opts, err)
		    : assay_write_memory(prof, opts, buf, err);
}

/* (profile, path, format, strict, estimate_paths, overwrite, piece, options, threads) ->
 * (bytes or None, losses) */
PyObject *py_write(PyObject *module, PyObject *args)
{
	struct assay_write_options opts = {.size = sizeof(opts)};
	struct assay_buffer *buf = NULL;
	PyObject *answer = NULL, *list;
	int strict, estimate, overwrite;
	struct py_words words = {0};
	struct assay_profile *prof;
	struct assay_slice bytes;
	struct assay_error err;
	enum assay_code rc;
	const char *path;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&O&zpppIO&I", py_take_profile, &prof, py_take_text, &path,
		    &opts.format, &strict, &estimate, &overwrite, &opts.piece, py_take_words,
		    &words, &opts.threads))
		return NULL;
	opts.strict = strict;
	opts.estimate_paths = estimate;
	opts.overwrite = overwrite;
	opts.driver_options = words.p;
	opts.n_driver_options = words.n;
	opts.losses = py_losses_new();
	if (!opts.losses) {
		free(words.p);
		return NULL;
	}
	others = PyEval_SaveThread();
	rc = change_write(prof, path, &opts, &buf, &err);
	PyEval_RestoreThread(others);
	free(words.p);
	list = rc == ASSAY_OK ? py_losses(opts.losses) : py_raise(&err);
	assay_losses_free(opts.losses);
	bytes = buf ? assay_buffer_bytes(buf) : (struct assay_slice){0};
	if (list) /* "y#" of NULL is None */
		answer = Py_BuildValue("(y#N)", path ? NULL : bytes.p, (Py_ssize_t)bytes.len, list);
	assay_buffer_free(buf);
	return answer;
}

/* ([whether it matched something] or NULL) */
static PyObject *change_matched(const bool *matched, size_t n)
{
	PyObject *list = PyList_New(0);
	bool good = list != NULL;

	for (size_t i = 0; good && i < n; i++)
		good = py_append(list, PyBool_FromLong(matched[i]));
	return py_kept(list, good);
}

/* (profile, words, keep_contexts, relative, unit) -> ((profile, losses), [matched]) */
PyObject *py_filter(PyObject *module, PyObject *args)
{
	struct assay_words_options opts = {.size = sizeof(opts)};
	PyObject *changed = NULL, *matched;
	struct py_words words = {0};
	struct assay_profile *prof, *out = NULL;
	int keep_contexts, relative;
	struct assay_error err;
	enum assay_code rc;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&O&ppz", py_take_profile, &prof, py_take_words, &words,
		    &keep_contexts, &relative, &opts.unit))
		return NULL;
	opts.words = words.p;
	opts.n_words = words.n;
	opts.keep_contexts = keep_contexts;
	opts.relative = relative;
	opts.matched = calloc(words.n + 1, sizeof(*opts.matched));
	opts.losses = opts.matched ? py_losses_new() : NULL;
	if (opts.losses) {
		others = PyEval_SaveThread();
		rc = assay_filter_words(prof, &opts, &out, &err);
		PyEval_RestoreThread(others);
		changed = py_changed(rc, out, opts.losses, &err);
	} else if (!opts.matched) {
		PyErr_NoMemory();
	}
	matched = changed ? change_matched(opts.matched, words.n) : NULL;
	assay_losses_free(opts.losses);
	free(opts.matched);
	free(words.p);
	if (matched)
		return Py_BuildValue("(NN)", changed, matched);
	Py_XDECREF(changed);
	return NULL;
}

/* All of PROFS in *OUT. */
static enum assay_code change_merge(const struct py_profiles *profs,
	const struct assay_merge_options *opts, struct assay_profile **out, struct assay_error *err)
{
	struct assay_merger *m = NULL;
	enum assay_code rc = assay_merger_new(opts, &m);

	for (size_t i = 0; rc == ASSAY_OK && i < profs->n; i++)
		rc = assay_merger_add(m, profs->p[i]);
	if (rc == ASSAY_OK)
		rc = assay_merger_finish(m, out);
	if (m)
		*err = *assay_merger_error(m);
	err->code = rc;
	assay_merger_free(m);
	return rc;
}

/* (profiles, keep_parts) -> (profile, losses) */
PyObject *py_merge(PyObject *module, PyObject *args)
{
	struct assay_merge_options opts = {.size = sizeof(opts)};
	struct py_profiles profs = {0};
	struct assay_profile *out = NULL;
	struct assay_error err = {.offset = ASSAY_NO_OFFSET};
	PyObject *answer = NULL;
	enum assay_code rc;
	int keep_parts;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&p", py_take_profiles, &profs, &keep_parts))
		return NULL;
	opts.keep_parts = keep_parts;
	opts.losses = py_losses_new();
	if (opts.losses) {
		others = PyEval_SaveThread();
		rc = change_merge(&profs, &opts, &out, &err);
		PyEval_RestoreThread(others);
		answer = py_changed(rc, out, opts.losses, &err);
	}
	assay_losses_free(opts.losses);
	free(profs.p);
	return answer;
}

/* [(object, state, file, note, unproven, n_addresses, n_named)] */
static PyObject *change_symbols(const struct assay_profile *prof, const struct assay_symbols *found)
{
	static const char *const states[] = {
		[ASSAY_OBJECT_NAMED] = "named",
		[ASSAY_OBJECT_MISSING] = "missing",
		[ASSAY_OBJECT_CHANGED] = "changed",
		[ASSAY_OBJECT_DAMAGED] = "damaged",
		[ASSAY_OBJECT_NO_NAMES] = "no names",
		[ASSAY_OBJECT_NOT_A_FILE] = "not a file",
	};
	struct assay_symbol_object s = {.size = sizeof(s)};
	PyObject *files, *objects, *list = NULL;
	bool good = py_names(prof, &files, &objects);

	if (good)
		list = PyList_New(0);
	good = list != NULL;
	for (size_t i = 0; good && assay_symbols_get(found, i, &s) == ASSAY_OK; i++)
		good = py_append(list,
			Py_BuildValue("(NsNNOKK)", py_shared(objects, s.object), states[s.state],
				py_text(s.file), py_text(s.note), s.unproven ? Py_True : Py_False,
				(unsigned long long)s.n_addresses, (unsigned long long)s.n_named));
	Py_XDECREF(files);
	Py_XDECREF(objects);
	return py_kept(list, good);
}

/* (profile, binaries, path_map, debug_dirs, symfs, force, no_inlines, threads) ->
 * (profile, [what became of each object]) */
PyObject *py_symbolize(PyObject *module, PyObject *args)
{
	struct assay_symbolize_options opts = {.size = sizeof(opts)};
	struct py_words binaries = {0}, map = {0}, dirs = {0};
	struct assay_profile *prof, *out = NULL;
	struct assay_symbols *found = NULL;
	PyObject *list, *capsule;
	struct assay_error err;
	int force, no_inlines;
	enum assay_code rc;
	PyThreadState *others;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&O&O&O&O&ppI", py_take_profile, &prof, py_take_words,
		    &binaries, py_take_words, &map, py_take_words, &dirs, py_take_text, &opts.symfs,
		    &force, &no_inlines, &opts.threads))
		return NULL;
	opts.binaries = binaries.p;
	opts.n_binaries = binaries.n;
	opts.path_map = map.p;
	opts.n_path_map = map.n;
	opts.debug_dirs = dirs.p;
	opts.n_debug_dirs = dirs.n;
	opts.force = force;
	opts.no_inlines = no_inlines;
	others = PyEval_SaveThread();
	rc = assay_symbolize(prof, &opts, &out, &found, &err);
	PyEval_RestoreThread(others);
	free(binaries.p);
	free(map.p);
	free(dirs.p);
	list = rc == ASSAY_OK ? change_symbols(prof, found) : py_raise(&err);
	assay_symbols_free(found);
	capsule = list ? py_profile_new(out) : NULL;
	if (capsule)
		return Py_BuildValue("(NN)", capsule, list);
	if (!list)
		assay_profile_free(out);
	Py_XDECREF(list);
	return NULL;
}
