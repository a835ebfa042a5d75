/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: from bytes to a profile. Files are in lib_host.c. */
#define _POSIX_C_SOURCE 200809L
#include "lib/lib_impl.h"

#include <errno.h>

#include "base/limit.h"
#include "session/read.h"

enum { MAGIC_MAX = 4 };

/* ---- options ---- */

static bool any_format_takes(const char *option)
{
	for (size_t i = 0; as_formats[i]; i++)
		if (as_opts_take(as_formats[i]->read_opts, option))
			return true;
	return false;
}

enum as_code as_lib_open_options(
	struct assay_open_options *o, const struct assay_open_options *given, struct as_err *err)
{
	const struct as_format *fmt;

	if (!as_lib_take(o, sizeof(*o), given))
		return as_err_set(err, AS_E_ARG,
			"the options have no size, or ask for what this version does not know");
	if ((unsigned)o->detail > ASSAY_DETAIL_FUNCTION)
		return as_err_set(err, AS_E_ARG, "there is no detail %d", (int)o->detail);
	if (o->n_driver_options && !o->driver_options)
		return as_err_set(err, AS_E_ARG, "driver options are counted, but not given");
	fmt = o->format ? as_format_by_name(as_slice_of(o->format)) : NULL;
	if (o->format && (!fmt || !fmt->read))
		return as_err_set(err, AS_E_ARG, "cannot read a format '%.60s'", o->format);
	for (size_t i = 0; i < o->n_driver_options; i++) {
		const char *text = o->driver_options[i] ? o->driver_options[i] : "";

		if (!any_format_takes(text))
			return as_err_set(err, AS_E_ARG, "no reader takes '%.60s'", text);
	}
	return AS_OK;
}

/* ---- reading ---- */

static enum as_code open_with(const struct as_alloc *al, struct as_src *src,
	const struct assay_open_options *o, struct as_profile **out, struct as_err *err)
{
	static const enum as_detail detail[] = {
		[ASSAY_DETAIL_FULL] = AS_DETAIL_FULL,
		[ASSAY_DETAIL_LINE] = AS_DETAIL_LINE,
		[ASSAY_DETAIL_FUNCTION] = AS_DETAIL_FUNC,
	};
	struct as_exec exec;
	struct as_read_opts how = {
		.fmt = o->format ? as_format_by_name(as_slice_of(o->format)) : NULL,
		.detail = detail[o->detail],
		.strict = o->strict,
		.check = o->check,
		.moments = o->moments,
		.markers = o->moments,
		.opts = {.pair = o->driver_options, .n = o->n_driver_options},
	};
	struct as_read_result got;
	enum as_code rc;

	if (as_lib_host_exec(&exec, o->threads))
		how.exec = &exec;
	as_lib_host_how(&how);
	rc = as_read(al, src, &how, o->findings ? &o->findings->f : NULL, &got, err);
	*out = got.prof;
	return rc;
}

enum as_code as_lib_open(struct as_src *src, const struct assay_open_options *o,
	struct as_profile **out, struct as_err *err)
{
	const struct as_alloc *al = as_lib_alloc(o->allocator);
	struct as_limit *limit;
	enum as_code rc;

	*out = NULL;
	if (!o->max_memory)
		return open_with(al, src, o, out, err);
	limit = as_limit_new(al, o->max_memory);
	AS_TRY(as_err_memory(err, limit));
	rc = open_with(&limit->al, src, o, out, err);
	if (rc == AS_E_NOMEM && limit->hit)
		rc = as_err_set(err, AS_E_LIMIT, "it takes more than %" PRIu64 " bytes of memory",
			o->max_memory);
	as_limit_leave(limit); /* it goes with the profile */
	return rc;
}

/* As as_lib_open(), for what may be compressed; MAGIC is how it begins. */
static enum as_code open_layered(struct as_src *src, struct as_slice magic,
	const struct assay_open_options *o, struct as_profile **out, struct as_err *err)
{
	enum as_code rc;

	AS_TRY(as_lib_host_layer(as_lib_alloc(o->allocator), &src, magic, err));
	rc = as_lib_open(src, o, out, err);
	if (src->close)
		src->close(src);
	return rc;
}

/* ---- memory ---- */

static enum as_code open_memory(struct as_slice data, const struct assay_open_options *given,
	struct as_profile **out, struct as_err *err)
{
	struct assay_open_options o;
	struct as_src_mem sm;
	struct as_slice magic = data;

	AS_TRY(as_lib_open_options(&o, given, err));
	as_src_mem_init(&sm, data, o.name ? o.name : "");
	if (magic.len > MAGIC_MAX)
		magic.len = MAGIC_MAX;
	return open_layered(&sm.src, magic, &o, out, err);
}

enum assay_code assay_open_memory(const void *data, size_t n, const struct assay_open_options *opts,
	struct assay_profile **out, struct assay_error *err)
{
	struct as_profile *prof = NULL;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || (n && !data))
		return as_lib_misuse(err, "nothing to read from, or no place for the profile");
	as_err_clear(&e);
	rc = open_memory((struct as_slice){data, n}, opts, &prof, &e);
	*out = as_lib_give_profile(prof);
	return as_lib_end(rc, &e, err);
}

/* ---- callbacks ---- */

struct callback_src {
	struct as_src src;
	assay_read_fn *read;
	void *ctx;
	char magic[MAGIC_MAX]; /* first bytes, read to recognise compression */
	size_t n_magic, magic_at;
};

enum { ERRNO_MAX = 4095 };

static ptrdiff_t lib_open_ask(struct callback_src *cs, void *buf, size_t n)
{
	ptrdiff_t got = cs->read(cs->ctx, buf, n);

	/* More than there was room for: the caller's memory is not ours to trust any more. And what
	 * is no errno cannot be told as one. */
	return (got > 0 && (size_t)got > n) || got < -ERRNO_MAX ? -EIO : got;
}

static ptrdiff_t callback_read(struct as_src *src, void *buf, size_t n)
{
	struct callback_src *cs = (struct callback_src *)(void *)src;
	size_t left = cs->n_magic - cs->magic_at;

	if (!left)
		return lib_open_ask(cs, buf, n);
	n = n < left ? n : left;
	memcpy(buf, cs->magic + cs->magic_at, n);
	cs->magic_at += n;
	return (ptrdiff_t)n;
}

static enum as_code callback_magic(struct callback_src *cs, struct as_err *err)
{
	ptrdiff_t n = 1;

	while (n && cs->n_magic < MAGIC_MAX) {
		n = lib_open_ask(cs, cs->magic + cs->n_magic, MAGIC_MAX - cs->n_magic);
		if (n < 0) {
			err->sys_errno = (int)-n;
			return as_err_set(err, AS_E_IO, "cannot read: %s", strerror((int)-n));
		}
		cs->n_magic += (size_t)n;
	}
	return AS_OK;
}

static enum as_code open_callback(struct callback_src *cs, const struct assay_open_options *given,
	struct as_profile **out, struct as_err *err)
{
	struct assay_open_options o;

	AS_TRY(as_lib_open_options(&o, given, err));
	cs->src.read = callback_read;
	cs->src.size = AS_SIZE_UNKNOWN;
	cs->src.name = o.name ? o.name : "";
	as_escape(err->name, sizeof(err->name), cs->src.name, strlen(cs->src.name));
	AS_TRY(callback_magic(cs, err));
	return open_layered(&cs->src, (struct as_slice){cs->magic, cs->n_magic}, &o, out, err);
}

enum assay_code assay_open_callback(assay_read_fn *read, void *ctx,
	const struct assay_open_options *opts, struct assay_profile **out, struct assay_error *err)
{
	struct callback_src cs = {.read = read, .ctx = ctx};
	struct as_profile *prof = NULL;
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out || !read)
		return as_lib_misuse(err, "nothing to read from, or no place for the profile");
	as_err_clear(&e);
	rc = open_callback(&cs, opts, &prof, &e);
	*out = as_lib_give_profile(prof);
	return as_lib_end(rc, &e, err);
}
