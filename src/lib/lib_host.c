/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: files, threads and compression, which need an OS. */
#include "lib/lib_impl.h"

#include "io/file.h"
#include "io/out_file.h"
#include "io/threads.h"
#include "session/input.h"
#include "session/read.h"

enum { THREADS_MAX = 256 };

static void exec_run(struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	as_threads_run(ex->jobs, task, arg, n);
}

bool as_lib_host_exec(struct as_exec *ex, uint32_t threads)
{
	if (threads == ASSAY_THREADS_ALL)
		threads = as_cpu_count();
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	*ex = (struct as_exec){.run = exec_run, .jobs = threads};
	return threads > 1;
}

void as_lib_host_how(struct as_read_opts *how)
{
	how->unpack = as_zstd_unpack();
	how->xml = as_expat_xml();
}

enum as_code as_lib_host_layer(
	const struct as_alloc *al, struct as_src **src, struct as_slice magic, struct as_err *err)
{
	return as_file_unpack(al, *src, magic, src, err);
}

static enum as_code lib_host_open_file(const char *path, const struct assay_open_options *given,
	struct as_profile **out, struct as_err *err)
{
	struct assay_open_options o;
	struct as_src *src;
	enum as_code rc;

	AS_TRY(as_lib_open_options(&o, given, err));
	AS_TRY(as_input_open(as_lib_alloc(o.allocator), path, NULL, &src, err));
	rc = as_lib_open(src, &o, out, err);
	as_file_close(src);
	return rc;
}

enum assay_code assay_open_file(const char *path, const struct assay_open_options *opts,
	struct assay_profile **out, struct assay_error *err)
{
	struct as_profile *prof = NULL;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!path || !out)
		return as_lib_misuse(err, "no path, or no place for the profile");
	as_err_clear(&e);
	rc = lib_host_open_file(path, opts, &prof, &e);
	*out = as_lib_give_profile(prof);
	return as_lib_end(rc, &e, err);
}

static enum as_code lib_host_write_file(struct as_lib_writing *w, const char *path)
{
	struct as_out_file of;
	enum as_code rc;

	AS_TRY(as_out_file_open(&of, w->prof->al, path, w->o.overwrite, &w->err));
	rc = as_lib_write_to(w, &of.sink);
	if (rc == AS_OK)
		return as_out_file_commit(&of, &w->err);
	as_out_file_abort(&of);
	return rc;
}

enum assay_code assay_write_file(const struct assay_profile *prof, const char *path,
	const struct assay_write_options *opts, struct assay_error *err)
{
	struct as_lib_writing w;
	enum as_code rc;

	if (!path)
		return as_lib_misuse(err, "no path to write to");
	rc = as_lib_write_begin(&w, prof, opts, path);
	AS_THEN(rc, lib_host_write_file(&w, path));
	return as_lib_write_end(&w, rc, err);
}
