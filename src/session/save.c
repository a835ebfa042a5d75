/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "session/save.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/transform.h"
#include "io/gzip_out.h"
#include "session/near.h"

enum { PIECES_MAX = 1 << 20 };

/* "callgrind, dcpi, gperf": what can be written. */
static void list_writers(char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = 0;
	for (size_t i = 0; as_formats[i] && n < size; i++)
		if (as_formats[i]->write)
			n += (size_t)snprintf(
				buf + n, size - n, "%s%s", n ? ", " : "", as_formats[i]->name);
}

static enum as_exit unknown_format(const struct as_session *ses, const char *name)
{
	char hint[256], all[256], list[160];
	const char *names[64];
	size_t n = 0;

	for (size_t i = 0; as_formats[i] && n < AS_ARRAY_LEN(names); i++)
		if (as_formats[i]->write)
			names[n++] = as_formats[i]->name;
	list_writers(list, sizeof(list));
	snprintf(all, sizeof(all), "formats that can be written: %s", list);
	as_nearest_hint(hint, sizeof(hint), "", as_nearest(name, names, n), all);
	return as_say_endf(ses, AS_EXIT_USAGE, hint, "cannot write the format '%.60s'", name);
}

enum as_exit as_save_no_format(const struct as_session *ses, const struct as_save *save)
{
	char what[320], hint[256], list[160];

	list_writers(list, sizeof(list));
	if (save->to_stdout || save->to_dir)
		snprintf(what, sizeof(what), "'-o %.200s' does not say which format to write",
			save->path);
	else
		snprintf(
			what, sizeof(what), "the name '%.200s' does not tell a format", save->path);
	snprintf(hint, sizeof(hint), "name it: -t FORMAT, one of %s", list);
	return as_say_usage(ses, what, hint);
}

/* Writer options that the format does not have are mistakes. */
static enum as_exit check_opts(const struct as_session *ses, const struct as_format *fmt)
{
	const char *names[32];

	for (size_t i = 0; i < ses->opt.write.opts.n; i++) {
		const char *text = ses->opt.write.opts.p[i];
		struct as_slice key = {text, strcspn(text, "=")};
		char hint[160];
		size_t n = 0;

		if (as_opts_take(fmt->write_opts, text))
			continue;
		if (as_opts_have(fmt->write_opts, key))
			return as_say_endf(ses, AS_EXIT_USAGE,
				"yes, on, true, 1; no, off, false, 0",
				"'-O %.60s' says neither yes nor no", text);
		for (const struct as_opt *o = fmt->write_opts; o && o->key; o++)
			if (n < AS_ARRAY_LEN(names))
				names[n++] = o->key;
		as_nearest_hint(hint, sizeof(hint), "-O ", as_nearest(text, names, n),
			"see its options: assay formats -v");
		return as_say_endf(ses, AS_EXIT_USAGE, hint, "writing '%s' has no option '%.*s'",
			fmt->name, (int)(key.len < 60 ? key.len : 60), key.p);
	}
	return AS_EXIT_OK;
}

/* The format that all of IN had, if it can be written; else NULL. */
static const struct as_format *save_same_format(const struct as_inputs *in)
{
	const struct as_format *fmt = in->loaded.n ? in->loaded.p[0].fmt : NULL;

	for (size_t i = 1; i < in->loaded.n; i++)
		if (in->loaded.p[i].fmt != fmt)
			return NULL;
	return fmt && fmt->write ? fmt : NULL;
}

enum as_exit as_save_plan(const struct as_session *ses, struct as_save *save)
{
	const struct as_asked_write *opt = &ses->opt.write;
	struct stat st;
	bool there;

	*save = (struct as_save){.path = opt->output};
	if (!opt->output)
		return as_say_usage(ses, "where to? option '-o FILE' is missing",
			"'-o -' writes to standard output");
	if (!opt->output[0])
		return as_say_usage(
			ses, "option '-o' has an empty name", "'-o -' writes to standard output");
	save->to_stdout = strcmp(opt->output, "-") == 0;
	there = !save->to_stdout && stat(opt->output, &st) == 0;
	save->to_dir =
		as_slice_ends(as_slice_of(opt->output), "/") || (there && S_ISDIR(st.st_mode));
	if (opt->to) {
		save->fmt = as_format_by_name(as_slice_of(opt->to));
		if (!save->fmt || !save->fmt->write)
			return unknown_format(ses, opt->to);
	} else if (!save->to_stdout && !save->to_dir) {
		save->fmt = as_format_by_ext(as_slice_of(opt->output));
	}
	if (there && S_ISREG(st.st_mode) && !opt->overwrite && !as_out_is_open_file(opt->output)) {
		struct as_err err = AS_ERR_NONE;

		as_escape(err.name, sizeof(err.name), opt->output, strlen(opt->output));
		(void)as_err_set(&err, AS_E_IO, "not overwritten: %s", strerror(EEXIST));
		as_say_failed(ses, &err, "to replace it: -y");
		return AS_EXIT_OUTPUT;
	}
	return save->fmt ? check_opts(ses, save->fmt) : AS_EXIT_OK;
}

/* ---- writing ---- */

struct writing {
	const struct as_session *ses;
	const struct as_save *save;
	const struct as_profile *prof;
	struct as_losses *losses;
	struct as_err err;
	struct as_out_file *file; /* n_pieces of them */
	uint32_t n_pieces, n_open;
};

static void save_keep_clean(const struct writing *w, size_t n)
{
	if (w->ses->around && w->ses->around->keep_clean)
		w->ses->around->keep_clean(w->ses->around->ctx, w->file, n);
}

static void save_hold(const struct writing *w, bool hold)
{
	if (w->ses->around && w->ses->around->hold)
		w->ses->around->hold(w->ses->around->ctx, hold);
}

static enum as_exit save_write_failed(struct writing *w)
{
	const char *hint = NULL;

	if (w->err.code != AS_E_IO && w->err.code != AS_E_LIMIT && w->err.code != AS_E_ARG)
		return as_say_failed(w->ses, &w->err, NULL);
	if (w->err.sys_errno == EEXIST)
		hint = "to replace it: -y";
	else if (w->save->to_stdout)
		hint = "the output is not complete";
	else if (w->err.code == AS_E_IO)
		hint = "nothing was written; an older file is as it was";
	as_say_failed(w->ses, &w->err, hint);
	return w->err.code == AS_E_IO ? AS_EXIT_OUTPUT : AS_EXIT_UNSUPPORTED;
}

/* pprof shows the last type of what it has made of a gperftools profile, and so the file that is
 * written in its stead, or recorded for it, says nothing else. */
static struct as_opts opts_of(const struct writing *w)
{
	static const char *const as_pprof[] = {"default=no"};
	const struct as_list *own = &w->ses->opt.write.opts;

	if ((w->ses->opt.read.compat || w->save->pprof_chooses) && !own->n && w->save->fmt &&
		as_opts_have(w->save->fmt->write_opts, as_slice_of("default")))
		return (struct as_opts){as_pprof, AS_ARRAY_LEN(as_pprof)};
	return (struct as_opts){own->p, own->n};
}

static enum as_code save_write_piece(struct writing *w, struct as_sink *sink, uint32_t piece)
{
	struct as_exec exec;
	struct as_out out;
	struct as_wr wr = {
		.out = &out,
		.err = &w->err,
		.losses = w->losses,
		.exec = as_session_exec(w->ses, &exec),
		.opts = opts_of(w),
		.piece = piece,
	};
	enum as_code rc, end;

	AS_TRY(as_out_open(&out, w->ses->al, sink, &w->err));
	rc = as_format_write(w->save->fmt, &wr, w->prof);
	end = as_out_finish(&out);
	return rc == AS_OK ? end : rc;
}

/* A name that ends in ".gz" asks for gzip. */
static enum as_code save_write_file(struct writing *w, struct as_sink *sink, uint32_t piece)
{
	struct as_sink_gzip gz;
	enum as_code rc;

	if (!as_slice_ends(as_slice_of(w->save->path), ".gz"))
		return save_write_piece(w, sink, piece);
	AS_TRY(as_sink_gzip_open(
		&gz, w->ses->al, sink, as_session_jobs(w->ses), AS_GZIP_QUICK, &w->err));
	rc = save_write_piece(w, &gz.sink, piece);
	if (rc == AS_OK)
		return as_sink_gzip_finish(&gz, &w->err);
	as_sink_gzip_abort(&gz);
	return rc;
}

static bool is_kind(const struct as_loss *row, unsigned bit)
{
	return strcmp(row->kind, as_cap_kind(bit)) == 0;
}

/* What about the shape of the profile the user may want to know. */
static void note_estimate(const struct writing *w)
{
	bool paths = w->save->fmt->caps & AS_CAP(PATHS), lost = false;

	for (size_t i = 0; i < w->losses->row.n; i++)
		lost |= is_kind(&w->losses->row.p[i], AS_CAPBIT_CALLS);
	if (w->prof->estimated)
		as_say_note(w->ses, "estimated: %s",
			w->prof->shape & AS_SHAPE_PATHS
				? "the call paths were made out of call edges"
				: "which way cost took was made out of calls");
	else if (paths && lost && !w->prof->path_depth)
		as_say_note(w->ses, "call paths can be estimated from the calls: --estimate-paths");
}

/* What each process of a run has of its own, and a format with CAPS holds of one of them. */
static bool is_of_joined(const struct as_loss *row, uint64_t caps)
{
	return is_kind(row, AS_CAPBIT_PARTS) ||
	       (is_kind(row, AS_CAPBIT_PROCESS) && caps & AS_CAP(PROCESS)) ||
	       (is_kind(row, AS_CAPBIT_EPOCH) && caps & AS_CAP(EPOCH)) ||
	       (is_kind(row, AS_CAPBIT_DURATION) && caps & AS_CAP(DURATION));
}

static void print_losses(
	const struct as_session *ses, const struct as_losses *l, const struct as_save *save)
{
	const char *joined = save->joined;
	char number[AS_VAL_TEXT];
	bool apart = true;

	for (size_t i = 0; i < l->row.n; i++)
		apart &= !joined || !is_kind(&l->row.p[i], AS_CAPBIT_PARTS);
	if (!apart)
		as_say_note(
			ses, "lost: which of %s a sample is of: callgrind files hold it", joined);
	/* what they took together is known */
	for (size_t i = 0; i < l->row.n; i++)
		if (!is_of_joined(&l->row.p[i], save->fmt->caps) ||
			(apart && !(joined && is_kind(&l->row.p[i], AS_CAPBIT_DURATION))))
			as_say_note(ses, "lost: %s %.*s", as_loss_number(&l->row.p[i], number),
				AS_SLICE_FMT(l->row.p[i].text));
}

/* One line per kind of loss. Not OK if --strict forbids to go on, or not all are known. */
static enum as_exit report_losses(struct writing *w)
{
	const struct as_session *ses = w->ses;
	const struct as_losses *l = w->losses;

	if (!l)
		return AS_EXIT_OK;
	print_losses(ses, l, w->save);
	note_estimate(w);
	if (l->no_memory)
		return as_say_no_memory(ses);
	if (!l->row.n || !ses->opt.write.strict)
		return AS_EXIT_OK;
	return as_say_endf(ses, AS_EXIT_UNSUPPORTED,
		"without --strict it is written, less what is lost",
		"nothing written: '%s' cannot carry everything (--strict)", w->save->fmt->name);
}

static bool is_binary(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
			return true;
	}
	return false;
}

static enum as_exit stdout_collected(struct writing *w, struct as_sink_mem *mem)
{
	struct as_slice data = {mem->data.p, mem->data.n};
	enum as_exit rc = report_losses(w);
	struct as_out *out;

	AS_DO(rc);
	if (w->ses->out_tty && is_binary(data))
		return as_say_usage(w->ses, "binary data will not be written to a terminal",
			"use -o FILE, or pipe it");
	AS_DO(as_say_code(w->ses, w->ses->around->out(w->ses->around->ctx, &out), NULL));
	as_out_slice(out, data);
	return AS_EXIT_OK;
}

/* To a terminal, or with --strict, nothing may go out before all of it is known. */
static enum as_exit write_stdout(struct writing *w)
{
	struct as_sink_mem mem;
	struct as_sink_fd fd;
	enum as_exit rc;

	as_assert(w->n_pieces == 1);
	if (w->ses->out_tty || w->ses->opt.write.strict) {
		as_sink_mem_init(&mem, w->ses->al);
		rc = save_write_piece(w, &mem.sink, 0) == AS_OK ? stdout_collected(w, &mem)
								: save_write_failed(w);
		as_sink_mem_release(&mem);
		return rc;
	}
	as_sink_fd_init(&fd, STDOUT_FILENO);
	if (save_write_piece(w, &fd.sink, 0) == AS_OK)
		return report_losses(w);
	if (w->err.sys_errno == EPIPE)
		return w->ses->around->pipe_closed(w->ses->around->ctx);
	snprintf(w->err.name, sizeof(w->err.name), "<stdout>");
	return save_write_failed(w);
}

static enum as_code piece_path(struct writing *w, uint32_t piece, char *path, size_t size)
{
	const struct as_save *save = w->save;
	char name[NAME_MAX + 1] = "profile";
	const char *sep = as_slice_ends(as_slice_of(save->path), "/") ? "" : "/";
	int n;

	if (!save->to_dir) {
		n = snprintf(path, size, "%s", save->path);
	} else {
		save->fmt->piece_name(w->prof, piece, name, sizeof(name));
		for (char *p = name; *p; p++)
			if (*p == '/')
				*p = '_';
		n = snprintf(path, size, "%s%s%s", save->path, sep, name);
	}
	if (n < 0 || (size_t)n >= size)
		return as_err_set(&w->err, AS_E_IO, "the name of the output is too long");
	return AS_OK;
}

static enum as_code write_pieces(struct writing *w)
{
	char path[PATH_MAX];

	for (uint32_t i = 0; i < w->n_pieces; i++) {
		enum as_code rc;

		AS_TRY(piece_path(w, i, path, sizeof(path)));
		save_hold(w, true);
		rc = as_out_file_open(
			&w->file[i], w->ses->al, path, w->ses->opt.write.overwrite, &w->err);
		w->n_open += rc == AS_OK;
		save_hold(w, false);
		AS_TRY(rc);
		AS_TRY(save_write_file(w, &w->file[i].sink, i));
	}
	return AS_OK;
}

/* Put all pieces in place, or as few as possible when one fails. */
static enum as_code commit_pieces(struct writing *w)
{
	enum as_code rc = AS_OK;

	as_assert(w->n_open == w->n_pieces);
	save_hold(w, true);
	for (uint32_t i = 0; i < w->n_open; i++) {
		if (rc == AS_OK)
			rc = as_out_file_commit(&w->file[i], &w->err);
		else
			as_out_file_abort(&w->file[i]);
	}
	w->n_open = 0;
	save_hold(w, false);
	return rc;
}

static void abort_pieces(struct writing *w)
{
	save_hold(w, true);
	while (w->n_open)
		as_out_file_abort(&w->file[--w->n_open]);
	save_hold(w, false);
}

static enum as_exit write_files(struct writing *w)
{
	enum as_exit rc = AS_EXIT_OK;
	enum as_code code;

	w->file = as_alloc_new(w->ses->al, w->n_pieces * sizeof(*w->file));
	AS_DO(as_say_memory(w->ses, w->file));
	save_keep_clean(w, w->n_pieces);
	code = write_pieces(w);
	if (code == AS_OK)
		rc = report_losses(w);
	if (code == AS_OK && rc == AS_EXIT_OK)
		code = commit_pieces(w);
	if (code != AS_OK)
		rc = save_write_failed(w);
	abort_pieces(w);
	save_keep_clean(w, 0);
	if (rc == AS_EXIT_OK && w->ses->opt.tell.verbose)
		as_say_note(w->ses, "wrote %s (%s)", w->save->path, w->save->fmt->name);
	as_alloc_free(w->ses->al, w->file, w->n_pieces * sizeof(*w->file));
	return rc;
}

static enum as_exit write_out(struct writing *w)
{
	const struct as_format *fmt = w->save->fmt;

	w->n_pieces = fmt->pieces ? fmt->pieces(w->prof) : 1;
	AS_DO(as_say_memory(w->ses, w->n_pieces));
	if (w->n_pieces > PIECES_MAX)
		return as_say_end(w->ses, AS_EXIT_UNSUPPORTED,
			"this would make more than a million files",
			"convert a part of the profile");
	if (w->n_pieces > 1 && !w->save->to_dir) {
		return as_say_endf(w->ses, AS_EXIT_UNSUPPORTED, "name a folder for them: -o DIR/",
			"as '%s' this profile is %" PRIu32 " files", fmt->name, w->n_pieces);
	}
	if (w->save->to_dir && !fmt->piece_name) {
		return as_say_endf(w->ses, AS_EXIT_USAGE, "name the file: -o FILE",
			"as '%s' a profile is one file, not a folder", fmt->name);
	}
	if (w->save->to_stdout)
		return write_stdout(w);
	if (w->save->to_dir && mkdir(w->save->path, 0777) && errno != EEXIST) {
		w->err.sys_errno = errno;
		as_escape(w->err.name, sizeof(w->err.name), w->save->path, strlen(w->save->path));
		(void)as_err_set(&w->err, AS_E_IO, "cannot make the folder: %s", strerror(errno));
		return save_write_failed(w);
	}
	return write_files(w);
}

enum as_exit as_save_run(const struct as_session *ses, const struct as_save *save,
	const struct as_profile *prof, struct as_losses *l)
{
	struct writing w = {.ses = ses, .save = save, .prof = prof, .losses = l};
	struct as_adapt_opts how = {.estimate = ses->opt.write.estimate_paths,
		.keep_contexts = ses->opt.write.contexts == AS_WRITE_CONTEXTS_KEEP};
	struct as_profile *adapted = NULL;
	enum as_exit rc;

	as_assert(save->fmt);
	AS_DO(check_opts(ses, save->fmt));
	as_err_clear(&w.err);
	if (as_adapt(prof, save->fmt, &how, &adapted, l, &w.err) != AS_OK)
		return save_write_failed(&w);
	if (adapted)
		w.prof = adapted;
	rc = write_out(&w);
	as_profile_free(adapted);
	return rc;
}

enum as_exit as_save_inputs(
	const struct as_session *ses, const struct as_save *save, struct as_inputs *in)
{
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.write.contexts == AS_WRITE_CONTEXTS_PATHS));
	return as_save_run(ses, save, in->prof, &in->losses);
}

enum as_exit as_save_files(const struct as_session *ses, struct as_save *save,
	struct as_files files, bool keep_parts,
	enum as_exit (*change)(const struct as_session *ses, struct as_inputs *in))
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL,
		.strict = ses->opt.write.strict,
		.moments = as_save_wants_moments(save),
		.refuse = save->fmt && save->fmt->of_moments && !change ? as_lacks_moments : NULL,
		.markers = as_save_wants_markers(save)};
	struct as_inputs in;
	enum as_exit rc = as_inputs_load(ses, files, &opts, keep_parts, &in);

	if (rc == AS_EXIT_OK && !save->fmt) {
		save->fmt = save_same_format(&in);
		if (!save->fmt)
			rc = as_save_no_format(ses, save);
	}
	if (rc == AS_EXIT_OK && change)
		rc = change(ses, &in);
	AS_THEN(rc, change ? as_save_run(ses, save, in.prof, &in.losses)
			   : as_save_inputs(ses, save, &in));
	as_inputs_release(&in);
	return rc;
}
