/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: source files. */
#include "lib/lib_impl.h"

#include "symbols/source_file.h"

struct assay_source {
	const struct as_alloc *al;
	struct as_source src;
};

static enum as_code source_open(struct as_slice path, const struct assay_source_options *given,
	struct assay_source **out, struct as_err *err)
{
	struct assay_source_options o;
	struct as_source_opts opts;
	struct assay_source *src;
	const struct as_alloc *al;
	enum as_code rc;

	if (!as_lib_take(&o, sizeof(o), given) || (o.n_path_map && !o.path_map) ||
		(o.n_source_path && !o.source_path))
		return as_err_set(err, AS_E_ARG,
			"the options have no size, ask for what this version does not know, or "
			"count what is not there");
	opts = (struct as_source_opts){.path_map = o.path_map,
		.n_path_map = o.n_path_map,
		.source_path = o.source_path,
		.n_source_path = o.n_source_path};
	al = as_lib_alloc(o.allocator);
	src = as_alloc_new(al, sizeof(*src));
	AS_TRY(as_err_memory(err, src));
	src->al = src->src.al = al;
	rc = as_source_open(&src->src, al, path, &opts, err);
	if (rc == AS_OK)
		*out = src;
	else
		assay_source_free(src);
	return rc;
}

enum assay_code assay_source_open(struct assay_slice path, const struct assay_source_options *opts,
	struct assay_source **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !path.p || !path.len)
		return as_lib_misuse(err, "no path, or no place for the source");
	as_err_clear(&e);
	rc = source_open(as_lib_text(path), opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_source_free(struct assay_source *src)
{
	if (!src)
		return;
	as_source_release(&src->src);
	as_alloc_free(src->al, src, sizeof(*src));
}

struct assay_slice assay_source_path(const struct assay_source *src)
{
	return as_lib_slice(src ? src->src.path : as_slice_of(""));
}

struct assay_slice assay_source_line(const struct assay_source *src, uint64_t n)
{
	return as_lib_slice(src ? as_source_line(&src->src, n) : as_slice_of(""));
}
