/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: from a profile to bytes. Files are in lib_host.c. */
#include "lib/lib_impl.h"

#include <errno.h>

#include "change/transform.h"

/* ---- what all ways of writing share ---- */

static enum as_code lib_write_choose_format(struct as_lib_writing *w, const char *path)
{
	const char *name = w->o.format;

	if (name) {
		w->fmt = as_format_by_name(as_slice_of(name));
		if (w->fmt && w->fmt->write)
			return AS_OK;
		return as_err_set(&w->err, AS_E_ARG, "cannot write a format '%.60s'", name);
	}
	if (!path)
		return as_err_set(&w->err, AS_E_ARG, "the options name no format");
	w->fmt = as_format_by_ext(as_slice_of(path));
	if (w->fmt)
		return AS_OK;
	return as_err_set(&w->err, AS_E_ARG, "the name '%.200s' does not tell a format", path);
}

static enum as_code lib_write_take_options(struct as_lib_writing *w,
	const struct assay_profile *prof, const struct assay_write_options *given, const char *path)
{
	if (!prof)
		return as_err_set(&w->err, AS_E_ARG, "no profile to write");
	if (!as_lib_take(&w->o, sizeof(w->o), given))
		return as_err_set(&w->err, AS_E_ARG,
			"the options have no size, or ask for what this version does not know");
	if (w->o.n_driver_options && !w->o.driver_options)
		return as_err_set(&w->err, AS_E_ARG, "driver options are counted, but not given");
	AS_TRY(lib_write_choose_format(w, path));
	for (size_t i = 0; i < w->o.n_driver_options; i++) {
		const char *text = w->o.driver_options[i] ? w->o.driver_options[i] : "";

		if (!as_opts_take(w->fmt->write_opts, text))
			return as_err_set(&w->err, AS_E_ARG, "writing '%s' takes no option '%.60s'",
				w->fmt->name, text);
	}
	return AS_OK;
}

enum as_code as_lib_write_begin(struct as_lib_writing *w, const struct assay_profile *prof,
	const struct assay_write_options *given, const char *path)
{
	const struct as_profile *own = as_lib_profile(prof);
	struct as_adapt_opts how = {0};

	*w = (struct as_lib_writing){.prof = own};
	as_err_clear(&w->err);
	as_losses_init(&w->losses, own ? own->al : &as_alloc_libc);
	AS_TRY(lib_write_take_options(w, prof, given, path));
	how.estimate = w->o.estimate_paths;
	AS_TRY(as_adapt(own, w->fmt, &how, &w->adapted, &w->losses, &w->err));
	if (w->adapted)
		w->prof = w->adapted;
	w->n_pieces = w->fmt->pieces ? w->fmt->pieces(w->prof) : 1;
	return w->n_pieces ? AS_OK : as_err_no_memory(&w->err);
}

static enum as_code check_piece(struct as_lib_writing *w)
{
	if (w->o.piece > w->n_pieces)
		return as_err_set(&w->err, AS_E_ARG,
			"there is no piece %" PRIu32 ": as '%s' this profile is %" PRIu32 " file%s",
			w->o.piece, w->fmt->name, w->n_pieces, w->n_pieces == 1 ? "" : "s");
	if (!w->o.piece && w->n_pieces > 1)
		return as_err_set(&w->err, AS_E_UNSUPPORTED,
			"as '%s' this profile is %" PRIu32 " files: say which piece", w->fmt->name,
			w->n_pieces);
	return AS_OK;
}

static enum as_code check_losses(struct as_lib_writing *w)
{
	const struct as_loss *l = w->losses.row.p;
	char number[AS_VAL_TEXT];

	if (w->losses.no_memory)
		return as_err_no_memory(&w->err);
	if (!w->o.strict || !w->losses.row.n)
		return AS_OK;
	return as_err_set(&w->err, AS_E_UNSUPPORTED,
		"'%s' cannot carry everything: %s %.*s would be lost", w->fmt->name,
		as_loss_number(l, number), AS_SLICE_FMT(l->text));
}

/* Into the caller's list, once. */
static enum as_code lib_write_tell_losses(struct as_lib_writing *w)
{
	struct as_losses *to = w->told ? NULL : as_lib_losses(w->o.losses);

	w->told = true;
	if (to)
		as_losses_add_all(to, &w->losses);
	if (to && to->no_memory)
		return as_err_no_memory(&w->err);
	return AS_OK;
}

enum as_code as_lib_write_to(struct as_lib_writing *w, struct as_sink *sink)
{
	struct as_out out;
	struct as_wr wr = {
		.out = &out,
		.err = &w->err,
		.losses = &w->losses,
		.opts = {w->o.driver_options, w->o.n_driver_options},
		.piece = w->o.piece ? w->o.piece - 1 : 0,
	};
	struct as_exec exec;
	enum as_code rc, end;

	if (as_lib_host_exec(&exec, w->o.threads))
		wr.exec = &exec;
	AS_TRY(check_piece(w));
	AS_TRY(check_losses(w));
	AS_TRY(as_out_open(&out, w->prof->al, sink, &w->err));
	rc = as_format_write(w->fmt, &wr, w->prof);
	end = as_out_finish(&out);
	AS_THEN(rc, end);
	AS_THEN(rc, check_losses(w));
	return rc == AS_OK ? lib_write_tell_losses(w) : rc;
}

enum assay_code as_lib_write_end(struct as_lib_writing *w, enum as_code rc, struct assay_error *err)
{
	if (rc != AS_OK)
		(void)!lib_write_tell_losses(w);
	as_losses_release(&w->losses);
	as_profile_free(w->adapted);
	return as_lib_end(rc, &w->err, err);
}

/* ---- to memory ---- */

struct assay_buffer {
	const struct as_alloc *al;
	struct as_sink_mem mem;
};

static enum as_code write_memory(struct as_lib_writing *w, struct as_sink_mem *mem)
{
	enum as_code rc = as_lib_write_to(w, &mem->sink);

	/* Nothing else can go wrong with a sink in memory. */
	if (rc == AS_E_IO && w->err.sys_errno == ENOMEM) {
		w->err.sys_errno = 0;
		rc = as_err_no_memory(&w->err);
	}
	return rc;
}

static enum as_code new_buffer(struct as_lib_writing *w, struct assay_buffer **out)
{
	const struct as_alloc *al = w->prof->al;
	struct assay_buffer *buf = as_alloc_new(al, sizeof(*buf));
	enum as_code rc;

	AS_TRY(as_err_memory(&w->err, buf));
	/* A transformed profile, whose allocator this is, dies before the buffer does; the
	 * allocator itself is the caller's. */
	buf->al = al;
	as_sink_mem_init(&buf->mem, al);
	rc = write_memory(w, &buf->mem);
	if (rc == AS_OK)
		*out = buf;
	else
		assay_buffer_free(buf);
	return rc;
}

enum assay_code assay_write_memory(const struct assay_profile *prof,
	const struct assay_write_options *opts, struct assay_buffer **out, struct assay_error *err)
{
	struct as_lib_writing w;
	enum as_code rc;

	if (!out)
		return as_lib_misuse(err, "no place for what is written");
	*out = NULL;
	rc = as_lib_write_begin(&w, prof, opts, NULL);
	AS_THEN(rc, new_buffer(&w, out));
	return as_lib_write_end(&w, rc, err);
}

struct assay_slice assay_buffer_bytes(const struct assay_buffer *buf)
{
	return as_lib_slice(
		buf ? (struct as_slice){buf->mem.data.p, buf->mem.data.n} : (struct as_slice){0});
}

void assay_buffer_free(struct assay_buffer *buf)
{
	if (!buf)
		return;
	as_sink_mem_release(&buf->mem);
	as_alloc_free(buf->al, buf, sizeof(*buf));
}

/* ---- to a callback ---- */

struct callback_sink {
	struct as_sink sink;
	assay_write_fn *write;
	void *ctx;
};

static int callback_write(struct as_sink *sink, const void *buf, size_t n)
{
	struct callback_sink *cs = (struct callback_sink *)(void *)sink;
	int rc = cs->write(cs->ctx, buf, n);

	return rc > 0 ? -EIO : rc;
}

/* Where nothing may be lost, nothing goes out before all of it is known to be well. */
static enum as_code write_collected(struct as_lib_writing *w, struct as_sink *sink)
{
	struct as_sink_mem mem;
	struct as_out out;
	enum as_code rc;

	as_sink_mem_init(&mem, w->prof->al);
	rc = write_memory(w, &mem);
	AS_THEN(rc, as_out_open(&out, w->prof->al, sink, &w->err));
	if (rc == AS_OK) {
		as_out_bytes(&out, mem.data.p, mem.data.n);
		rc = as_out_finish(&out);
	}
	as_sink_mem_release(&mem);
	return rc;
}

enum assay_code assay_write_callback(const struct assay_profile *prof,
	const struct assay_write_options *opts, assay_write_fn *write, void *ctx,
	struct assay_error *err)
{
	struct callback_sink cs = {{.write = callback_write}, write, ctx};
	struct as_lib_writing w;
	enum as_code rc;

	if (!write)
		return as_lib_misuse(err, "nowhere to write to");
	rc = as_lib_write_begin(&w, prof, opts, NULL);
	AS_THEN(rc, w.o.strict ? write_collected(&w, &cs.sink) : as_lib_write_to(&w, &cs.sink));
	return as_lib_write_end(&w, rc, err);
}

/* ---- pieces ---- */

enum assay_code assay_write_pieces(const struct assay_profile *prof,
	const struct assay_write_options *opts, uint32_t *n, struct assay_error *err)
{
	struct as_lib_writing w;
	enum as_code rc;

	if (!n)
		return as_lib_misuse(err, "no place for the number of pieces");
	rc = as_lib_write_begin(&w, prof, opts, NULL);
	if (rc == AS_OK)
		*n = w.n_pieces;
	w.o.losses = NULL; /* nothing has been written */
	return as_lib_write_end(&w, rc, err);
}

enum assay_code assay_write_piece_name(const struct assay_profile *prof,
	const struct assay_write_options *opts, char *buf, size_t size, struct assay_error *err)
{
	struct as_lib_writing w;
	enum as_code rc;

	if (!buf || !size)
		return as_lib_misuse(err, "no place for the name");
	buf[0] = 0;
	rc = as_lib_write_begin(&w, prof, opts, NULL);
	AS_THEN(rc, check_piece(&w));
	if (rc == AS_OK && w.fmt->piece_name)
		w.fmt->piece_name(w.prof, w.o.piece ? w.o.piece - 1 : 0, buf, size);
	w.o.losses = NULL;
	return as_lib_write_end(&w, rc, err);
}
