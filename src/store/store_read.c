/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"
#include "store/store_impl.h"

enum { DEPTH_MAX = 1 << 20, EVENTS_MAX = 1 << 16, FACTS_MAX = 1 << 16 };

static enum as_code read_into(const struct as_format *fmt, struct as_in *in, const char *name,
	struct as_build *b, struct as_err *err)
{
	struct as_rd rd = {.in = in,
		.out = b,
		.err = err,
		.detail = AS_DETAIL_FULL,
		.strict = true,
		.lim = {.depth = DEPTH_MAX, .events = EVENTS_MAX},
		.name = name};

	AS_TRY(as_format_read(fmt, &rd));
	if (b->prof->partial)
		return as_err_set(err, AS_E_FORMAT, "it is damaged");
	return AS_OK;
}

static enum as_code read_file(const struct as_alloc *al, const char *path,
	const struct as_format *fmt, struct as_profile **out, struct as_err *err)
{
	struct as_build b;
	struct as_src *src;
	struct as_in in;
	enum as_code rc;

	AS_TRY(as_file_open(al, path, NULL, &src, err));
	rc = as_in_open(&in, al, src, err);
	if (rc != AS_OK)
		goto close;
	rc = as_build_init(&b, al, err);
	if (rc == AS_OK) {
		rc = read_into(fmt, &in, path, &b, err);
		if (rc == AS_OK)
			rc = as_build_finish(&b, out);
		else
			as_build_free(&b);
	}
	as_in_close(&in);
close:
	as_file_close(src);
	return rc;
}

/* ---- a folder ---- */

enum as_code as_store_facts_read(const struct as_alloc *al, const char *folder,
	struct as_store_facts *facts, struct as_err *err)
{
	struct as_store_facts these = {0};
	char path[PATH_MAX];
	struct as_src *src;
	struct as_slice text;
	struct as_in in;
	enum as_code rc;

	AS_TRY(as_store_join(path, folder, AS_STORE_FACTS, err));
	AS_TRY(as_file_open(al, path, NULL, &src, err));
	rc = as_in_open(&in, al, src, err);
	if (rc == AS_OK) {
		rc = as_in_peek(&in, FACTS_MAX, &text);
		if (rc == AS_OK)
			as_store_facts_parse(text, &these);
		as_in_close(&in);
	}
	as_file_close(src);
	as_store_facts_add(facts, &these);
	return rc;
}

static enum as_code read_image(
	const struct as_alloc *al, struct as_merge *m, const char *path, struct as_err *err)
{
	struct as_profile *prof;
	enum as_code rc;

	AS_TRY(read_file(al, path, as_format_by_name(as_slice_of("dcpi")), &prof, err));
	rc = as_merge_add(m, prof, NULL);
	as_profile_free(prof);
	return rc;
}

static enum as_code read_images(const struct as_alloc *al, const char *folder, struct as_merge *m,
	struct as_store_facts *facts, struct as_err *err)
{
	struct as_store_names ns;
	enum as_code rc = as_store_names_read(&ns, al, folder, err);
	char path[PATH_MAX];

	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		struct as_slice name = ns.row.p[i];

		rc = as_store_join(path, folder, name.p, err);
		if (rc == AS_OK && as_slice_is(name, AS_STORE_FACTS))
			rc = as_store_facts_read(al, folder, facts, err);
		else if (rc == AS_OK && as_store_is_image(name))
			rc = read_image(al, m, path, err);
	}
	as_store_names_release(&ns);
	return rc;
}

static enum as_code read_folder(const struct as_alloc *al, const char *folder,
	struct as_profile **out, struct as_store_facts *facts, struct as_err *err)
{
	struct as_merge_opts opts = {0};
	struct as_merge *m;
	enum as_code rc;

	AS_TRY(as_merge_new(al, &opts, &m, err));
	rc = read_images(al, folder, m, facts, err);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

enum as_code as_store_read(const struct as_alloc *al, const char *path, bool flat,
	struct as_profile **out, struct as_store_facts *facts, struct as_err *err)
{
	*out = NULL;
	if (flat)
		return read_folder(al, path, out, facts, err);
	return read_file(al, path, as_format_by_name(as_slice_of("pprof")), out, err);
}
